#ifndef HOLDFAST_GMP_SHIM_H
#define HOLDFAST_GMP_SHIM_H
#include <gmp.h>
#endif
