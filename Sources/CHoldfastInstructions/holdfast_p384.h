#ifndef HOLDFAST_P384_H
#define HOLDFAST_P384_H

// Doublings and additions on P-384 (SP 800-186 §3.2.1.4): the independent products of a step at
// once, one in each lane; with 52-bit multiplications, and with doubles. The steps are the same.

#include "holdfast_lanes.h"

#if defined(__x86_64__) && defined(__clang__)

#define HOLDFAST_COUNT 8

#include "holdfast_lanes_ifma.h"
#define HOLDFAST_STEP(name) holdfast_p384_ifma_##name

/// Four numbers modulo p = 2^384 - 2^128 - 2^96 + 2^32 - 1. Each is the sum of eight limbs times
/// 2^0, 2^48, ..., 2^336. The limbs of a product are below 2^48 + 2^15. Factors need limbs below
/// 2^52, so a few of them may be added: products do not wait for carries.
typedef struct {
  __m256i limb[8];
} holdfast_p384_ifma_four;

/// Limb `index` of a small multiple of p, which makes differences of limbs positive: the limbs of
/// p as it is written above are 2^48 - 1, but for the first and the third.
HOLDFAST_LANES_INLINE __m256i holdfast_p384_ifma_multiple(int index, int64_t factor) {
  const int64_t limb = (1LL << 48) - 1;
  const int64_t more = index == 0 ? 1LL << 32 : index == 2 ? -(1LL << 32) - 1 : 0;
  return _mm256_set1_epi64x(factor * (limb + more));
}

/// Limb `index` of x + factor * p - y.
HOLDFAST_LANES_INLINE __m256i holdfast_p384_ifma_minus(
    int index, __m256i x, __m256i y, int64_t factor) {
  return _mm256_sub_epi64(_mm256_add_epi64(x, holdfast_p384_ifma_multiple(index, factor)), y);
}

/// Limb `index` of 1.
HOLDFAST_LANES_INLINE __m256i holdfast_p384_ifma_one(int index) {
  return _mm256_set1_epi64x(index == 0);
}

/// Sixteen limbs below 2^60, the lower eight with 4p, more than what is subtracted from any limb
/// later: at most 2^48 + 2^44 by each fold, and 2^47 at the end.
HOLDFAST_LANES_INLINE void holdfast_p384_ifma_columns(
    __m256i *product, holdfast_p384_ifma_four x, holdfast_p384_ifma_four y) {
  HOLDFAST_LIMBS(k, 16)
    product[k] = k < 8 ? holdfast_p384_ifma_multiple(k, 4) : _mm256_setzero_si256();
  holdfast_ifma_columns(product, x.limb, y.limb, 8);
}

/// Folds the bits above the last limb, less than 2^15, for the last time; then all carries at once.
HOLDFAST_LANES_INLINE holdfast_p384_ifma_four holdfast_p384_ifma_carried(__m256i *sum) {
  const __m256i zero = _mm256_setzero_si256(), mask = _mm256_set1_epi64x((1LL << 48) - 1);
  const __m256i top = _mm256_srli_epi64(sum[7], 48), moved = _mm256_slli_epi64(top, 32);
  sum[7] = _mm256_and_si256(sum[7], mask);
  sum[0] = _mm256_add_epi64(sum[0], _mm256_sub_epi64(top, moved));
  sum[2] = _mm256_add_epi64(sum[2], _mm256_add_epi64(top, moved));
  holdfast_p384_ifma_four result;
  HOLDFAST_LIMBS(i, 8) {
    const __m256i carry = i > 0 ? _mm256_srli_epi64(sum[i - 1], 48) : zero;
    result.limb[i] = _mm256_add_epi64(_mm256_and_si256(sum[i], mask), carry);
  }
  return result;
}

#include "holdfast_p384_steps.h"

#include "holdfast_lanes_doubles.h"
#define HOLDFAST_STEP(name) holdfast_p384_doubles_##name

/// The same with doubles, whole numbers that may be negative. The limbs of a product are one *unit*
/// in size, at most 2^47 + 2^31. One factor has at most five units, the other six.
typedef struct {
  __m256d limb[8];
} holdfast_p384_doubles_four;

/// x - y; no multiple of p is needed.
HOLDFAST_LANES_INLINE __m256d holdfast_p384_doubles_minus(
    int index, __m256d x, __m256d y, int64_t factor) {
  (void)index;
  (void)factor;
  return _mm256_sub_pd(x, y);
}

/// Limb `index` of 1.
HOLDFAST_LANES_INLINE __m256d holdfast_p384_doubles_one(int index) {
  return _mm256_set1_pd(index == 0);
}

/// Sixteen limbs below 2^55 in size.
HOLDFAST_LANES_INLINE void holdfast_p384_doubles_columns(
    __m256i *product, holdfast_p384_doubles_four x, holdfast_p384_doubles_four y) {
  holdfast_doubles_columns(product, x.limb, y.limb, 8);
}

/// Folds what is above the last limb, to the nearest, for the last time; then all carries at once.
HOLDFAST_LANES_INLINE holdfast_p384_doubles_four holdfast_p384_doubles_carried(__m256i *sum) {
  const __m256i top = holdfast_doubles_above(sum[7]), moved = _mm256_slli_epi64(top, 32);
  sum[0] = _mm256_add_epi64(sum[0], _mm256_sub_epi64(top, moved));
  sum[2] = _mm256_add_epi64(sum[2], _mm256_add_epi64(top, moved));
  holdfast_p384_doubles_four result;
  holdfast_doubles_carried(result.limb, sum, 8);
  return result;
}

#include "holdfast_p384_steps.h"

#include "holdfast_lanes_end.h"
#undef HOLDFAST_COUNT

#else

#define HOLDFAST_STEP(name) holdfast_p384_ifma_##name
#define HOLDFAST_WORD uint64_t
#include "holdfast_curve_steps_absent.h"

#define HOLDFAST_STEP(name) holdfast_p384_doubles_##name
#define HOLDFAST_WORD double
#include "holdfast_curve_steps_absent.h"

#endif
#endif
