#ifndef HOLDFAST_P256_H
#define HOLDFAST_P256_H

// Doublings and additions on P-256 (SP 800-186 §3.2.1.3): the independent products of a step at
// once, one in each lane, with 52-bit multiplications.

#include "holdfast_lanes.h"

#if defined(__x86_64__) && defined(__clang__)

#define HOLDFAST_COUNT 6

/// Limb `index` of 2^16 p = 2^272 - 2^240 + 2^208 + 2^112 - 2^16.
static inline int64_t holdfast_p256_limb(int index) {
  return index == 0                 ? -(1LL << 16)
         : index == 2 || index == 4 ? 1LL << 16
         : index == 5               ? (1LL << 32) - 1
                                    : 0;
}

/// What limb `index` has more if each limb from `first` to the one below `last` takes `count` times 2^48
/// of the next one.
static inline int64_t holdfast_p256_taken(int index, int first, int last, int64_t count) {
  return (index >= first && index < last ? count << 48 : 0)
         - (index > first && index <= last ? count : 0);
}

#include "holdfast_lanes_ifma.h"
#define HOLDFAST_STEP(name) holdfast_p256_ifma_##name

/// Four numbers modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1, times R = 2^288. Each is the sum of six
/// limbs times 2^0, 2^48, ..., 2^240. The limbs of a product are below 2^48 + 2^15, the last below
/// 2^30. Factors need limbs below 2^52, so a few of them may be added: products do not wait
/// for carries.
typedef struct {
  __m256i limb[6];
} holdfast_p256_ifma_four;

/// Limb `index` of x + factor * 2^16 p - y.
HOLDFAST_LANES_INLINE __m256i holdfast_p256_ifma_minus(
    int index, __m256i x, __m256i y, int64_t factor) {
  const __m256i multiple = _mm256_set1_epi64x(
      factor * (holdfast_p256_limb(index) + holdfast_p256_taken(index, 0, 5, 1)));
  return _mm256_sub_epi64(_mm256_add_epi64(x, multiple), y);
}

/// Limb `index` of 1, which is 2^288 modulo p: 2^256 - 2^224 - 2^128 + 2^32.
HOLDFAST_LANES_INLINE __m256i holdfast_p256_ifma_one(int index) {
  const int64_t own = index == 0                 ? 1LL << 32
                      : index == 2 || index == 4 ? -(1LL << 32)
                      : index == 5               ? 1LL << 16
                                                 : 0;
  return _mm256_set1_epi64x(own + holdfast_p256_taken(index, 2, 5, 1));
}

/// Twelve limbs below 2^60. A multiple of p keeps those positive of which the reduction subtracts; only
/// the last may be -1, until the reduction adds to it.
HOLDFAST_LANES_INLINE void holdfast_p256_ifma_columns(
    __m256i *product, holdfast_p256_ifma_four x, holdfast_p256_ifma_four y) {
  HOLDFAST_LIMBS(k, 12)
    product[k] = _mm256_set1_epi64x(
        holdfast_p256_limb(k - 1) + holdfast_p256_taken(k, 0, 6, 2)
        + holdfast_p256_taken(k, 10, 11, 1));
  holdfast_ifma_columns(product, x.limb, y.limb, 6);
}

/// Divides twelve limbs by R: the upper six become the quotient. Six times, adds the multiple of p that
/// clears the lowest limb m, which is m times p, since p is -1 modulo 2^96: so limbs need no carries. The
/// rest of m p is m 2^96 + m 2^192 - m 2^224 + m 2^256, the last two in two parts that fit. No limb that
/// is cleared is negative.
HOLDFAST_LANES_INLINE void holdfast_p256_ifma_reduce(__m256i *sum) {
  HOLDFAST_LIMBS(k, 6) {
    const __m256i m = sum[k];
    const __m256i shorter =
        _mm256_slli_epi64(_mm256_and_si256(m, _mm256_set1_epi64x(0xffff)), 32);
    const __m256i longer =
        _mm256_slli_epi64(_mm256_and_si256(m, _mm256_set1_epi64x(0xffffffff)), 16);
    sum[k + 2] = _mm256_add_epi64(sum[k + 2], m);
    sum[k + 4] = _mm256_add_epi64(sum[k + 4], _mm256_sub_epi64(m, shorter));
    sum[k + 5] =
        _mm256_add_epi64(sum[k + 5], _mm256_sub_epi64(longer, _mm256_srli_epi64(m, 16)));
    sum[k + 6] = _mm256_add_epi64(sum[k + 6], _mm256_srli_epi64(m, 32));
  }
}

/// The product divided by R; all its carries at once.
HOLDFAST_LANES_INLINE holdfast_p256_ifma_four holdfast_p256_ifma_product(
    holdfast_p256_ifma_four x, holdfast_p256_ifma_four y) {
  const __m256i mask = _mm256_set1_epi64x((1LL << 48) - 1);
  __m256i product[12];
  holdfast_p256_ifma_columns(product, x, y);
  holdfast_p256_ifma_reduce(product);
  holdfast_p256_ifma_four result;
  HOLDFAST_LIMBS(i, 6) {
    const __m256i own = i < 5 ? _mm256_and_si256(product[i + 6], mask) : product[i + 6];
    result.limb[i] = i > 0 ? _mm256_add_epi64(own, _mm256_srli_epi64(product[i + 5], 48)) : own;
  }
  return result;
}

#include "holdfast_curve_steps.h"

#include "holdfast_lanes_end.h"
#undef HOLDFAST_COUNT

#else

#define HOLDFAST_STEP(name) holdfast_p256_ifma_##name
#define HOLDFAST_WORD uint64_t
#include "holdfast_curve_steps_absent.h"

#endif
#endif
