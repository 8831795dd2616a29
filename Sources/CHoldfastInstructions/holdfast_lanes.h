#ifndef HOLDFAST_LANES_H
#define HOLDFAST_LANES_H

// What the headers share that compute on four numbers at once, with 52-bit multiplications
// (AVX-512 IFMA) or with doubles (AVX2 and FMA). Like holdfast_ifma.h they are only headers; their
// functions may be called if `holdfast_ifma_supported()` or `holdfast_doubles_supported()` says so.

#include <stdint.h>

#if defined(__x86_64__) && defined(__clang__)

#include <cpuid.h>
#include <immintrin.h>

#include "holdfast_registers.h"

/// Whether processor and system have AVX2 and fused multiplications.
static inline int holdfast_doubles_supported(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  const int fused = (c >> 12) & 1;
  if (!fused || !holdfast_saves(HOLDFAST_AVX_REGISTERS)) return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  return (b >> 5) & 1;
}

#define HOLDFAST_DOUBLES __attribute__((target("avx2,fma"))) static inline
#define HOLDFAST_DOUBLES_INLINE HOLDFAST_DOUBLES __attribute__((always_inline))
#define HOLDFAST_LIMBS(index, count) \
  _Pragma("clang loop unroll(full)") for (int index = 0; index < count; index++)

/// Keeps the compiler from computing what follows before what precedes: it would compute all
/// products first, and store them for want of registers, which takes twice the time.
#ifndef HOLDFAST_IN_ORDER
#define HOLDFAST_IN_ORDER(x, y) __asm__ volatile("" : "+x"(x), "+x"(y))
#endif

// A product of two doubles that are whole numbers is split exactly by two fused multiplications,
// each with one rounding, to the nearest. The sum of the product and S = 1.5 * 2^(52 + b) is a
// multiple of 2^b while the product is below 2^(51 + b) in size: high = fma(x, y, S). So what that
// rounding left, at most 2^(b - 1) in size, is exact: low = fma(x, y, S - high + 1.5 * 2^52). The
// bits of both, read as integers, are the numbers of units above those of S and 1.5 * 2^52: they are
// added as integers, and the bits of the constants are subtracted once for all. Emmart, Zheng and
// Weems use the same with rounding to zero ("Faster Modular Exponentiation Using Double Precision
// Floating Point Arithmetic on the GPU", 2018).

/// 1.5 * 2^(52 + bits), whose last place is 2^bits, and its bits as an integer.
#define HOLDFAST_SPLIT(bits) (0x1.8p52 * (double)(1LL << (bits)))
#define HOLDFAST_SPLIT_BITS(bits) (((1075ULL + (bits)) << 52) + (1ULL << 51))

/// Adds the bits of both parts of x * y to two sums. `both` is the sum of the constants.
HOLDFAST_DOUBLES_INLINE void holdfast_add_product(
    __m256i *low, __m256i *high, __m256d x, __m256d y, __m256d upper, __m256d both) {
  const __m256d h = _mm256_fmadd_pd(x, y, upper);
  const __m256d l = _mm256_fmadd_pd(x, y, _mm256_sub_pd(both, h));
  *high = _mm256_add_epi64(*high, _mm256_castpd_si256(h));
  *low = _mm256_add_epi64(*low, _mm256_castpd_si256(l));
}

/// Adds to 2 * count limbs of 48 bits the products of numbers in `count` limbs below 2^52. The upper
/// 52 bits of a product of limbs are worth 2^4 next limbs.
__attribute__((target("avx512f,avx512vl,avx512ifma"), always_inline)) static inline void
holdfast_ifma_columns(__m256i *sum, const __m256i *x, const __m256i *y, const int count) {
  HOLDFAST_LIMBS(k, 2 * count) {
    __m256i low = sum[k], high = _mm256_setzero_si256();
    HOLDFAST_LIMBS(i, count) {
      if (k - i >= 0 && k - i < count) low = _mm256_madd52lo_epu64(low, x[i], y[k - i]);
      if (k - 1 - i >= 0 && k - 1 - i < count)
        high = _mm256_madd52hi_epu64(high, x[i], y[k - 1 - i]);
    }
    sum[k] = _mm256_add_epi64(low, _mm256_slli_epi64(high, 4));
  }
}

/// The quotient of 2^count, rounded down, of integers below 2^62 in size: AVX2 has no such shift.
HOLDFAST_DOUBLES_INLINE __m256i holdfast_shifted_right(__m256i x, const int count) {
  const __m256i above = _mm256_add_epi64(x, _mm256_set1_epi64x(1LL << 62));
  return _mm256_sub_epi64(
      _mm256_srli_epi64(above, count), _mm256_set1_epi64x(1LL << (62 - count)));
}

/// A whole number below 2^51 in size, as a double: given with the bits of 1.5 * 2^52 added to it.
HOLDFAST_DOUBLES_INLINE __m256d holdfast_double(__m256i x) {
  return _mm256_sub_pd(_mm256_castsi256_pd(x), _mm256_set1_pd(HOLDFAST_SPLIT(0)));
}

/// How many products of limbs limb k of a product of `count` limbs is the sum of; of a square, half
/// of them.
#define HOLDFAST_TERMS(k, count) \
  ((k) < 0 || (k) > 2 * (count) - 2 ? 0 : (k) < (count) ? (k) + 1 : 2 * (count) - 1 - (k))

/// The 2 * count limbs of the product of whole numbers in `count` limbs of 48 bits and some more.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_columns(
    __m256i *product, const __m256d *x, const __m256d *y, const int count) {
  __m256d upper = _mm256_set1_pd(HOLDFAST_SPLIT(48));
  const __m256d both = _mm256_set1_pd(HOLDFAST_SPLIT(48) + HOLDFAST_SPLIT(0));
  HOLDFAST_LIMBS(k, 2 * count) {
    // Less what the bits of the terms have too much.
    const uint64_t more =
        HOLDFAST_TERMS(k, count) * HOLDFAST_SPLIT_BITS(0)
        + HOLDFAST_TERMS(k - 1, count) * HOLDFAST_SPLIT_BITS(48);
    product[k] = _mm256_set1_epi64x((int64_t)(0 - more));
  }
  // Four limbs of y at a time, so that the sums that a limb of x adds to fit into registers.
  HOLDFAST_LIMBS(block, (count + 3) / 4) {
    HOLDFAST_LIMBS(i, count) {
      __m256d factor = x[i];
      HOLDFAST_IN_ORDER(factor, upper);
      HOLDFAST_LIMBS(part, 4) {
        const int j = 4 * block + part;
        if (j < count) {
          holdfast_add_product(&product[i + j], &product[i + j + 1], factor, y[j], upper, both);
          HOLDFAST_IN_ORDER(product[i + j], factor);
        }
      }
    }
  }
}

/// 2^62, since shifts see no negative numbers, and half a unit for the rounding.
#define HOLDFAST_ABOVE _mm256_set1_epi64x((1LL << 62) + (1LL << 47))

/// What is above 48 bits of a sum, to the nearest.
HOLDFAST_DOUBLES_INLINE __m256i holdfast_doubles_above(__m256i sum) {
  return _mm256_sub_epi64(
      _mm256_srli_epi64(_mm256_add_epi64(sum, HOLDFAST_ABOVE), 48), _mm256_set1_epi64x(1LL << 14));
}

/// Carries sums into limbs of 48 bits, to the nearest, all at once. What is above the last limb is
/// dropped.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_carried(
    __m256d *limbs, const __m256i *sum, const int count) {
  const __m256i mask = _mm256_set1_epi64x((1LL << 48) - 1);
  __m256i carry = _mm256_setzero_si256();
  HOLDFAST_LIMBS(i, count) {
    const __m256i number = _mm256_add_epi64(sum[i], HOLDFAST_ABOVE);
    const int64_t more = (1LL << 47) + (i > 0 ? 1LL << 14 : 0);
    const __m256i limb = _mm256_add_epi64(_mm256_and_si256(number, mask), carry);
    carry = _mm256_srli_epi64(number, 48);
    limbs[i] = holdfast_double(
        _mm256_add_epi64(limb, _mm256_set1_epi64x((int64_t)HOLDFAST_SPLIT_BITS(0) - more)));
  }
}

#endif
#endif
