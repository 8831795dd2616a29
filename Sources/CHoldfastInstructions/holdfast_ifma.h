#ifndef HOLDFAST_IFMA_H
#define HOLDFAST_IFMA_H

// Montgomery products with the processor's 52-bit multiplications (AVX-512 IFMA, in Intel's
// processors since 2018, in AMD's since Zen 4). This is only a header: the functions have their
// target as an attribute, so a build needs no flags, and the program asks the processor once, at
// run time, whether it may call them.

#include <stdint.h>

#if defined(__x86_64__) && (defined(__clang__) || defined(__GNUC__))

#include <cpuid.h>
#include <immintrin.h>

#include "holdfast_registers.h"

/// Whether processor and system have AVX-512 with IFMA, for registers of 256 bits as well.
static inline int holdfast_ifma_supported(void) {
  unsigned a, b, c, d;
  if (!holdfast_saves(HOLDFAST_AVX512_REGISTERS)) return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  const int foundation = (b >> 16) & 1, ifma = (b >> 21) & 1, shorter = (b >> 31) & 1;
  return foundation && ifma && shorter;
}

#define HOLDFAST_IFMA __attribute__((target("avx512f,avx512ifma")))
#define HOLDFAST_INLINE HOLDFAST_IFMA __attribute__((always_inline)) static inline
#define HOLDFAST_EACH_FROM(first) \
  _Pragma("clang loop unroll(full)") for (int j = first; j < blocks; j++)
#define HOLDFAST_EACH HOLDFAST_EACH_FROM(0)

/// Stores the sum in limbs of 52 bits.
///
/// First the bits above 52 move up, in all lanes at once. After that at most one is left above, in
/// the lanes of `over`; it propagates through the lanes of `full`. An addition of the lane masks
/// finds where it ends.
HOLDFAST_INLINE void holdfast_ifma_store(uint64_t *result, __m512i *sum, const int blocks) {
  const __m512i mask = _mm512_set1_epi64((1LL << 52) - 1);
  unsigned __int128 over = 0, full = 0;
  __m512i below = _mm512_setzero_si512();
  HOLDFAST_EACH {
    const __m512i upper = _mm512_srli_epi64(sum[j], 52);
    sum[j] = _mm512_add_epi64(
        _mm512_and_epi64(sum[j], mask), _mm512_alignr_epi64(upper, below, 7));
    below = upper;
    over |= (unsigned __int128)_mm512_cmpgt_epu64_mask(sum[j], mask) << (8 * j);
    full |= (unsigned __int128)_mm512_cmpeq_epu64_mask(sum[j], mask) << (8 * j);
  }
  const unsigned __int128 one_more = ((over << 1) + full) ^ full;
  HOLDFAST_EACH {
    const __mmask8 lanes = (__mmask8)(one_more >> (8 * j));
    sum[j] = _mm512_mask_add_epi64(sum[j], lanes, sum[j], _mm512_set1_epi64(1));
    _mm512_storeu_si512(result + 8 * j, _mm512_and_epi64(sum[j], mask));
  }
}

/// Moves the lanes of all blocks down by one.
HOLDFAST_INLINE void holdfast_ifma_move(__m512i *lanes, const int blocks) {
  const __m512i zero = _mm512_setzero_si512();
  HOLDFAST_EACH lanes[j] = _mm512_alignr_epi64(j + 1 < blocks ? lanes[j + 1] : zero, lanes[j], 1);
}

// Both functions below compute left * right / 2^(52 * rows), modulo `modulus`, in `blocks` blocks of
// eight limbs. Each row adds a limb of `right` times `left`, and the multiple m of the modulus that
// clears the lowest limb, which is then dropped. The upper 52 bits of products are added after the
// lanes have moved down by one. So are the lower 52 bits of m times the modulus, whose lanes have
// moved down as well: the next row waits for m, and the lanes move while m is computed. No lane
// carries before the end: it gains less than 2^54 per row, and has moved out after at most 80 rows.
// The lowest gains the carry, too, in the row before it is dropped.

/// The product with one sum: for many blocks, because it needs few registers.
HOLDFAST_INLINE void holdfast_ifma_rows(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, const int blocks, const int rows) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i mask = _mm512_set1_epi64((1LL << 52) - 1);
  const __m512i inverse = _mm512_set1_epi64((long long)negated_inverse);
  __m512i sum[10], a[10], n[10], moved[10];
  HOLDFAST_EACH {
    sum[j] = zero;
    a[j] = _mm512_loadu_si512(left + 8 * j);
    moved[j] = n[j] = _mm512_loadu_si512(modulus + 8 * j);
  }
  holdfast_ifma_move(moved, blocks);
  for (int row = 0; row < rows; row++) {
    const __m512i b = _mm512_set1_epi64((long long)right[row]);
    HOLDFAST_EACH sum[j] = _mm512_madd52lo_epu64(sum[j], a[j], b);
    const __m512i lowest = _mm512_madd52lo_epu64(zero, sum[0], inverse);
    const __m512i m = _mm512_broadcastq_epi64(_mm512_castsi512_si128(lowest));
    // Adding m clears the lower 52 bits of the lowest limb: it carries one unless they are 0.
    const __m512i carry = _mm512_maskz_srli_epi64(1, _mm512_add_epi64(sum[0], mask), 52);
    holdfast_ifma_move(sum, blocks);
    sum[0] = _mm512_add_epi64(sum[0], carry);
    HOLDFAST_EACH sum[j] = _mm512_madd52hi_epu64(sum[j], a[j], b);
    HOLDFAST_EACH sum[j] = _mm512_madd52lo_epu64(sum[j], moved[j], m);
    HOLDFAST_EACH sum[j] = _mm512_madd52hi_epu64(sum[j], n[j], m);
  }
  holdfast_ifma_store(result, sum, blocks);
}

/// The product with a sum of the products with `left` and one of those with the modulus: the
/// former never wait for m. `lowest` is the lowest block of both together, which the next m needs.
HOLDFAST_INLINE void holdfast_ifma_split_rows(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, const int blocks, const int rows) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i mask = _mm512_set1_epi64((1LL << 52) - 1);
  const __m512i inverse = _mm512_set1_epi64((long long)negated_inverse);
  __m512i sum[8], multiples[8], a[8], n[8], moved[8];
  __m512i b = _mm512_set1_epi64((long long)right[0]);
  HOLDFAST_EACH {
    a[j] = _mm512_loadu_si512(left + 8 * j);
    moved[j] = n[j] = _mm512_loadu_si512(modulus + 8 * j);
    sum[j] = _mm512_madd52lo_epu64(zero, a[j], b);
    multiples[j] = zero;
  }
  holdfast_ifma_move(moved, blocks);
  __m512i lowest = sum[0];
  for (int row = 0; row < rows; row++) {
    const __m512i next = _mm512_set1_epi64(row + 1 < rows ? (long long)right[row + 1] : 0);
    const __m512i m = _mm512_broadcastq_epi64(
        _mm512_castsi512_si128(_mm512_madd52lo_epu64(zero, lowest, inverse)));
    const __m512i carry = _mm512_maskz_srli_epi64(1, _mm512_add_epi64(lowest, mask), 52);
    holdfast_ifma_move(sum, blocks);
    holdfast_ifma_move(multiples, blocks);
    HOLDFAST_EACH sum[j] = _mm512_madd52hi_epu64(sum[j], a[j], b);
    HOLDFAST_EACH sum[j] = _mm512_madd52lo_epu64(sum[j], a[j], next);
    const __m512i before = _mm512_add_epi64(sum[0], _mm512_add_epi64(multiples[0], carry));
    lowest = _mm512_add_epi64(
        _mm512_madd52lo_epu64(before, moved[0], m), _mm512_madd52hi_epu64(zero, n[0], m));
    sum[0] = zero;
    multiples[0] = lowest;
    HOLDFAST_EACH_FROM(1) multiples[j] = _mm512_madd52lo_epu64(multiples[j], moved[j], m);
    HOLDFAST_EACH_FROM(1) multiples[j] = _mm512_madd52hi_epu64(multiples[j], n[j], m);
    b = next;
  }
  HOLDFAST_EACH sum[j] = _mm512_add_epi64(sum[j], multiples[j]);
  holdfast_ifma_store(result, sum, blocks);
}

/// Computes the product in 40, 64 or 80 limbs: 40, 60 or 80 rows. Does nothing for other sizes.
///
/// `result` may be one of the factors. With R = 2^(52 * rows), a modulus below R / 4 and factors
/// below twice the modulus, the result is below twice the modulus as well.
HOLDFAST_IFMA static inline void holdfast_ifma_product(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, int limbs) {
  switch (limbs) {
  case 40: holdfast_ifma_split_rows(result, left, right, modulus, negated_inverse, 5, 40); break;
  case 64: holdfast_ifma_split_rows(result, left, right, modulus, negated_inverse, 8, 60); break;
  case 80: holdfast_ifma_rows(result, left, right, modulus, negated_inverse, 10, 80); break;
  }
}

#undef HOLDFAST_EACH
#undef HOLDFAST_EACH_FROM
#undef HOLDFAST_INLINE
#undef HOLDFAST_IFMA

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_ifma_supported(void) { return 0; }

static inline void holdfast_ifma_product(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, int limbs) {
  (void)result;
  (void)left;
  (void)right;
  (void)modulus;
  (void)negated_inverse;
  (void)limbs;
}

#endif
#endif
