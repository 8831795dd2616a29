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

/// Whether the system saves the registers of AVX-512: bits 1, 2 and 5 to 7 of XCR0.
__attribute__((target("xsave"))) static inline int holdfast_ifma_registers_saved(void) {
  return (_xgetbv(0) & 0xe6) == 0xe6;
}

/// Whether processor and system have AVX-512 with IFMA.
static inline int holdfast_ifma_supported(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  const int osxsave = (c >> 27) & 1;
  if (!osxsave || !holdfast_ifma_registers_saved()) return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  const int foundation = (b >> 16) & 1, ifma = (b >> 21) & 1;
  return foundation && ifma;
}

#define HOLDFAST_IFMA __attribute__((target("avx512f,avx512ifma")))
#define HOLDFAST_EACH \
  _Pragma("clang loop unroll(full)") for (int j = 0; j < blocks; j++)

/// Computes left * right / 2^(52 * rows), modulo `modulus`, in `blocks` blocks of eight limbs.
///
/// Each row adds a limb of `right` times `left`, and the multiple m of the modulus that clears the
/// lowest limb, which is then dropped. The upper 52 bits of products are added after the lanes have
/// moved down by one. So are the lower 52 bits of m times the modulus, whose lanes have moved down
/// as well: the next row waits for m, and the lanes move while m is computed. No lane carries
/// before the end: it gains less than 2^54 per row, and has moved out after at most 80 rows.
HOLDFAST_IFMA __attribute__((always_inline)) static inline void holdfast_ifma_rows(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, const int blocks, const int rows) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i mask = _mm512_set1_epi64((1LL << 52) - 1);
  const __m512i inverse = _mm512_set1_epi64((long long)negated_inverse);
  __m512i sum[10], a[10], n[10], moved[10];
  HOLDFAST_EACH {
    sum[j] = zero;
    a[j] = _mm512_loadu_si512(left + 8 * j);
    n[j] = _mm512_loadu_si512(modulus + 8 * j);
  }
  HOLDFAST_EACH moved[j] = _mm512_alignr_epi64(j + 1 < blocks ? n[j + 1] : zero, n[j], 1);
  for (int row = 0; row < rows; row++) {
    const __m512i b = _mm512_set1_epi64((long long)right[row]);
    HOLDFAST_EACH sum[j] = _mm512_madd52lo_epu64(sum[j], a[j], b);
    const __m512i lowest = _mm512_madd52lo_epu64(zero, sum[0], inverse);
    const __m512i m = _mm512_broadcastq_epi64(_mm512_castsi512_si128(lowest));
    // Adding m clears the lower 52 bits of the lowest limb: it carries one unless they are 0.
    const __m512i carry = _mm512_maskz_srli_epi64(1, _mm512_add_epi64(sum[0], mask), 52);
    HOLDFAST_EACH {
      sum[j] = _mm512_alignr_epi64(j + 1 < blocks ? sum[j + 1] : zero, sum[j], 1);
    }
    sum[0] = _mm512_add_epi64(sum[0], carry);
    HOLDFAST_EACH sum[j] = _mm512_madd52hi_epu64(sum[j], a[j], b);
    HOLDFAST_EACH sum[j] = _mm512_madd52lo_epu64(sum[j], moved[j], m);
    HOLDFAST_EACH sum[j] = _mm512_madd52hi_epu64(sum[j], n[j], m);
  }

  // Carries: first the bits above 52, in all lanes at once. After that at most one is left above,
  // in the lanes of `over`; it propagates through the lanes of `full`. An addition of the lane
  // masks finds where it ends.
  unsigned __int128 over = 0, full = 0;
  __m512i below = zero;
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

/// Computes the product in 40, 64 or 80 limbs: 40, 60 or 80 rows. Does nothing for other sizes.
///
/// `result` may be one of the factors. With R = 2^(52 * rows), a modulus below R / 4 and factors
/// below twice the modulus, the result is below twice the modulus as well.
HOLDFAST_IFMA static inline void holdfast_ifma_product(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, int limbs) {
  switch (limbs) {
  case 40: holdfast_ifma_rows(result, left, right, modulus, negated_inverse, 5, 40); break;
  case 64: holdfast_ifma_rows(result, left, right, modulus, negated_inverse, 8, 60); break;
  case 80: holdfast_ifma_rows(result, left, right, modulus, negated_inverse, 10, 80); break;
  }
}

#undef HOLDFAST_EACH
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
