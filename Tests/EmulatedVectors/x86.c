#include "emulated_vectors.h"

#include <math.h>
#include <string.h>

_Thread_local uint64_t emulated_wide_factor_count, emulated_wrap_count;

uint64_t emulated_wide_factors(void) {
  const uint64_t count = emulated_wide_factor_count;
  emulated_wide_factor_count = 0;
  return count;
}

uint64_t emulated_wraps(void) {
  const uint64_t count = emulated_wrap_count;
  emulated_wrap_count = 0;
  return count;
}

// The headers are to see the processor whose instructions are in `shim`, which the search path
// prefers, and no function may be compiled for another processor than the one that runs it.
#define target(processor)
#ifndef __x86_64__
#define __x86_64__ 1
#endif

#include "../../Sources/CHoldfastSHA/holdfast_keccak.h"
#include "../../Sources/CHoldfastSHA/holdfast_sha.h"
#include "../../Sources/CHoldfastWords/holdfast_edwards.h"
#include "../../Sources/CHoldfastWords/holdfast_ifma.h"
#include "../../Sources/CHoldfastWords/holdfast_mldsa.h"
#include "../../Sources/CHoldfastWords/holdfast_p384.h"

void emulated_ifma_product(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, int limbs) {
  holdfast_ifma_product(result, left, right, modulus, negated_inverse, limbs);
}

void emulated_edwards_product(uint64_t *result, const uint64_t *left, const uint64_t *right) {
  holdfast_edwards_store(
      result, holdfast_edwards_product(holdfast_edwards_load(left), holdfast_edwards_load(right)));
}

void emulated_edwards_square(uint64_t *result, const uint64_t *number) {
  holdfast_edwards_store(result, holdfast_edwards_square(holdfast_edwards_load(number)));
}

void emulated_edwards_double(uint64_t *point) { holdfast_edwards_double(point); }

void emulated_edwards_add(uint64_t *point, const uint64_t *addend, int subtracts) {
  holdfast_edwards_add(point, addend, subtracts);
}

void emulated_p384_product(uint64_t *result, const uint64_t *left, const uint64_t *right) {
  const holdfast_p384_four product =
      holdfast_p384_product(holdfast_p384_load(left), holdfast_p384_load(right));
  for (int i = 0; i < 8; i++) _mm256_storeu_si256((__m256i *)(result + 4 * i), product.limb[i]);
}

void emulated_p384_double(uint64_t *point) { holdfast_p384_double(point); }

void emulated_p384_begin(uint64_t *point, const uint64_t *addend, int subtracts) {
  holdfast_p384_begin(point, addend, subtracts);
}

void emulated_p384_add(uint64_t *point, const uint64_t *addend, int subtracts) {
  holdfast_p384_add(point, addend, subtracts);
}

void emulated_transform(uint32_t *numbers, const uint32_t *factors) {
  holdfast_transform(numbers, (const holdfast_factor *)factors);
}

void emulated_transform_back(uint32_t *numbers, const uint32_t *factors) {
  holdfast_transform_back(numbers, (const holdfast_factor *)factors);
}

void emulated_keccak_permute(uint64_t *states, int width) {
  holdfast_keccak_permute(states, width);
}

void emulated_x86_sha1_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  holdfast_sha1_blocks(state, bytes, blocks);
}

void emulated_x86_sha256_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  holdfast_sha256_blocks(state, bytes, blocks);
}
