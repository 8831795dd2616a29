#include "emulated_vectors.h"

#include <string.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

// As in x86.c, for Arm's processors.
#define target(processor)
#undef __x86_64__
#ifndef __AARCH64EL__
#define __AARCH64EL__ 1
#endif

#include "../../Sources/CHoldfastInstructions/holdfast_sha.h"

void emulated_arm_sha1_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  holdfast_sha1_blocks(state, bytes, blocks);
}

void emulated_arm_sha256_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  holdfast_sha256_blocks(state, bytes, blocks);
}
