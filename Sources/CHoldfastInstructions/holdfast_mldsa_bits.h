#ifndef HOLDFAST_MLDSA_BITS_H
#define HOLDFAST_MLDSA_BITS_H

// Coefficients of ML-DSA taken out of bytes, eight at once with AVX2: those of the matrix (FIPS 204
// §7.3, algorithm 30) and of the response (§7.2, algorithm 19). This is only a header, as those of
// the products; its functions may be called if `holdfast_keccak_width()` is not 0.

#include <stdint.h>

#if defined(__x86_64__) && defined(__clang__)

typedef uint8_t holdfast_bytes16 __attribute__((vector_size(16), aligned(1)));
typedef uint8_t holdfast_coefficient_bytes __attribute__((vector_size(32), aligned(1)));
typedef uint32_t holdfast_coefficients __attribute__((vector_size(32), aligned(4)));

#define HOLDFAST_Q 8380417u
#define HOLDFAST_AVX2 __attribute__((target("avx2"))) static inline

/// Appends the candidates of a block of SHAKE128 to `count` coefficients, up to 256, and returns
/// their new number. The block is 21 lanes of one of eight states; a candidate is 23 bits of three
/// bytes, of which one in a thousand is not below q.
HOLDFAST_AVX2 int holdfast_accept(const uint64_t *lanes, uint32_t *coefficients, int count) {
  uint64_t block[22];
  for (int i = 0; i < 21; i++) block[i] = lanes[8 * i];
  block[21] = 0;
  for (int group = 0; group < 7 && count < 256; group++) {
    const holdfast_coefficient_bytes bytes =
        *(const holdfast_coefficient_bytes *)((const uint8_t *)block + 24 * group);
    const holdfast_coefficient_bytes zero = {0};
    const holdfast_coefficients candidates =
        (holdfast_coefficients)__builtin_shufflevector(
            bytes, zero, 0, 1, 2, 32, 3, 4, 5, 32, 6, 7, 8, 32, 9, 10, 11, 32, 12, 13, 14, 32, 15,
            16, 17, 32, 18, 19, 20, 32, 21, 22, 23, 32)
        & 0x7fffff;
    if (count <= 248 && __builtin_reduce_and(candidates < HOLDFAST_Q)) {
      *(holdfast_coefficients *)(coefficients + count) = candidates;
      count += 8;
    } else {
      for (int i = 0; i < 8 && count < 256; i++) {
        coefficients[count] = candidates[i];
        count += candidates[i] < HOLDFAST_Q;
      }
    }
  }
  return count;
}

/// Reads 256 numbers of 18 or 20 bits, which are 2^(bits - 1) - z for a coefficient z, and leaves
/// q + z. Returns whether each number is at least `least`, and less than `span` above it.
HOLDFAST_AVX2 int holdfast_response(
    uint32_t *coefficients, const uint8_t *bytes, int bits, uint32_t least, uint32_t span) {
  const holdfast_coefficients shifts18 = {0, 2, 4, 6, 0, 2, 4, 6};
  const holdfast_coefficients shifts20 = {0, 4, 0, 4, 0, 4, 0, 4};
  holdfast_coefficients within = ~(holdfast_coefficients){0};
  for (int group = 0; group < 32; group++) {
    // Four numbers from the first 16 bytes, and four from the last, in three bytes each.
    const uint8_t *const first = bytes + bits * group;
    const holdfast_bytes16 low = *(const holdfast_bytes16 *)first;
    const holdfast_bytes16 high = *(const holdfast_bytes16 *)(first + bits - 16);
    const holdfast_coefficients numbers =
        bits == 18
            ? (holdfast_coefficients)__builtin_shufflevector(
                  low, high, 0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7, 8, 8, 23, 24, 25, 25, 25, 26,
                  27, 27, 27, 28, 29, 29, 29, 30, 31, 31)
                  >> shifts18
            : (holdfast_coefficients)__builtin_shufflevector(
                  low, high, 0, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 7, 7, 8, 9, 9, 22, 23, 24, 24, 24, 25,
                  26, 26, 27, 28, 29, 29, 29, 30, 31, 31)
                  >> shifts20;
    const holdfast_coefficients value = numbers & ((1u << bits) - 1);
    within &= (holdfast_coefficients)(value - least < span);
    *(holdfast_coefficients *)(coefficients + 8 * group) = HOLDFAST_Q + (1u << (bits - 1)) - value;
  }
  return __builtin_reduce_and(within) != 0;
}

#undef HOLDFAST_AVX2
#undef HOLDFAST_Q

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_accept(const uint64_t *lanes, uint32_t *coefficients, int count) {
  (void)lanes;
  (void)coefficients;
  return count;
}

static inline int holdfast_response(
    uint32_t *coefficients, const uint8_t *bytes, int bits, uint32_t least, uint32_t span) {
  (void)coefficients;
  (void)bytes;
  (void)bits;
  (void)least;
  (void)span;
  return 0;
}

#endif
#endif
