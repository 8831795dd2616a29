#ifndef HOLDFAST_SHA_H
#define HOLDFAST_SHA_H
#include <stdint.h>
#endif
