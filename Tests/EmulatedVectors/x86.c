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
// Registers are structures here.
#define HOLDFAST_IN_ORDER(x, y)
// Optimizing all the loops over their lanes takes 20 to 50 seconds.
#pragma clang optimize off
#ifndef __x86_64__
#define __x86_64__ 1
#endif

#include "../../Sources/CHoldfastInstructions/holdfast_keccak.h"
#include "../../Sources/CHoldfastInstructions/holdfast_sha.h"
#include "../../Sources/CHoldfastInstructions/holdfast_sha512.h"
#include "../../Sources/CHoldfastInstructions/holdfast_doubles.h"
#include "../../Sources/CHoldfastInstructions/holdfast_edwards.h"
#include "../../Sources/CHoldfastInstructions/holdfast_ifma.h"
#include "../../Sources/CHoldfastInstructions/holdfast_mldsa.h"
#include "../../Sources/CHoldfastInstructions/holdfast_mldsa_bits.h"
#include "../../Sources/CHoldfastInstructions/holdfast_p256.h"
#include "../../Sources/CHoldfastInstructions/holdfast_p384.h"
#include "../../Sources/CHoldfastInstructions/holdfast_p521.h"

void emulated_ifma_product(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, int limbs) {
  holdfast_ifma_product(result, left, right, modulus, negated_inverse, limbs);
}

void emulated_doubles_product(
    double *result, const double *left, const double *right, const double *modulus, int limbs) {
  holdfast_doubles_product(result, left, right, modulus, limbs);
}

void emulated_p256_ifma_product(uint64_t *result, const uint64_t *left, const uint64_t *right) {
  const holdfast_p256_ifma_four product =
      holdfast_p256_ifma_product(holdfast_p256_ifma_load(left), holdfast_p256_ifma_load(right));
  for (int i = 0; i < 6; i++) _mm256_storeu_si256((__m256i *)(result + 4 * i), product.limb[i]);
}

void emulated_p256_ifma_double(uint64_t *point) { holdfast_p256_ifma_double(point); }

void emulated_p256_ifma_begin(uint64_t *point, const uint64_t *addend, int subtracts) {
  holdfast_p256_ifma_begin(point, addend, subtracts);
}

void emulated_p256_ifma_add(uint64_t *point, const uint64_t *addend, int subtracts) {
  holdfast_p256_ifma_add(point, addend, subtracts);
}

static void holdfast_p384_ifma_store(uint64_t *words, holdfast_p384_ifma_four x) {
  for (int i = 0; i < 8; i++) _mm256_storeu_si256((__m256i *)(words + 4 * i), x.limb[i]);
}

static void holdfast_p384_doubles_store(double *words, holdfast_p384_doubles_four x) {
  for (int i = 0; i < 8; i++) _mm256_storeu_pd(words + 4 * i, x.limb[i]);
}

// The same functions for each kind of products.
#define EMULATED_KIND(kind, word)                                                               \
  void emulated_edwards_##kind##_product(word *result, const word *left, const word *right) {   \
    holdfast_edwards_##kind##_store(                                                            \
        result, holdfast_edwards_##kind##_product(                                              \
                    holdfast_edwards_##kind##_load(left), holdfast_edwards_##kind##_load(right))); \
  }                                                                                             \
  void emulated_edwards_##kind##_square(word *result, const word *number) {                     \
    holdfast_edwards_##kind##_store(                                                            \
        result, holdfast_edwards_##kind##_square(holdfast_edwards_##kind##_load(number)));      \
  }                                                                                             \
  void emulated_edwards_##kind##_double(word *point) { holdfast_edwards_##kind##_double(point); } \
  void emulated_edwards_##kind##_add(word *point, const uint64_t *addend, int subtracts) {      \
    holdfast_edwards_##kind##_add(point, addend, subtracts);                                    \
  }                                                                                             \
  void emulated_p384_##kind##_product(word *result, const word *left, const word *right) {      \
    holdfast_p384_##kind##_store(                                                               \
        result, holdfast_p384_##kind##_product(                                                 \
                    holdfast_p384_##kind##_load(left), holdfast_p384_##kind##_load(right)));    \
  }                                                                                             \
  void emulated_p384_##kind##_double(word *point) { holdfast_p384_##kind##_double(point); }     \
  void emulated_p384_##kind##_begin(word *point, const word *addend, int subtracts) {           \
    holdfast_p384_##kind##_begin(point, addend, subtracts);                                     \
  }                                                                                             \
  void emulated_p384_##kind##_add(word *point, const word *addend, int subtracts) {             \
    holdfast_p384_##kind##_add(point, addend, subtracts);                                       \
  }
EMULATED_KIND(ifma, uint64_t)
EMULATED_KIND(doubles, double)

void emulated_p521_product(double *result, const double *left, const double *right) {
  const holdfast_p521_doubles_four product = holdfast_p521_doubles_product(
      holdfast_p521_doubles_load(left), holdfast_p521_doubles_load(right));
  for (int i = 0; i < 11; i++) _mm256_storeu_pd(result + 4 * i, product.limb[i]);
}

void emulated_p521_double(double *point) { holdfast_p521_doubles_double(point); }

void emulated_p521_begin(double *point, const double *addend, int subtracts) {
  holdfast_p521_doubles_begin(point, addend, subtracts);
}

void emulated_p521_add(double *point, const double *addend, int subtracts) {
  holdfast_p521_doubles_add(point, addend, subtracts);
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

void emulated_keccak_one(uint64_t *state) { holdfast_keccak_one(state); }

int emulated_accept(const uint64_t *lanes, uint32_t *coefficients, int count) {
  return holdfast_accept(lanes, coefficients, count);
}

int emulated_response(
    uint32_t *coefficients, const uint8_t *bytes, int bits, uint32_t least, uint32_t span) {
  return holdfast_response(coefficients, bytes, bits, least, span);
}

void emulated_sha512_blocks(
    uint64_t *state, const uint8_t *bytes, size_t blocks, const uint64_t *constants) {
  holdfast_sha512_blocks(state, bytes, blocks, constants, 2);
}

void emulated_x86_sha1_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  holdfast_sha1_blocks(state, bytes, blocks);
}

void emulated_x86_sha256_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  holdfast_sha256_blocks(state, bytes, blocks);
}
