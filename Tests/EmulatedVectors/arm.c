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

// As in x86.c.
#define HOLDFAST_IN_ORDER(x, y)
#define HOLDFAST_READ_IDENTITY(identity) (void)(identity)
#pragma clang optimize off
#include "../../Sources/CHoldfastInstructions/holdfast_edwards_neon.h"
#include "../../Sources/CHoldfastInstructions/holdfast_neon.h"

void emulated_neon_product(
    uint32_t *result, const uint32_t *left, const uint32_t *right, const uint32_t *modulus, int limbs) {
  holdfast_neon_product(result, left, right, modulus, limbs);
}

void emulated_edwards_neon_product(uint64_t *result, const uint64_t *left, const uint64_t *right) {
  holdfast_edwards_neon_store(
      result, holdfast_edwards_neon_product(
                  holdfast_edwards_neon_load(left), holdfast_edwards_neon_load(right)));
}

void emulated_edwards_neon_square(uint64_t *result, const uint64_t *number) {
  holdfast_edwards_neon_store(
      result, holdfast_edwards_neon_square(holdfast_edwards_neon_load(number)));
}

void emulated_edwards_neon_double(uint64_t *point) { holdfast_edwards_neon_double(point); }

void emulated_edwards_neon_add(uint64_t *point, const uint64_t *addend, int subtracts) {
  holdfast_edwards_neon_add(point, addend, subtracts);
}
