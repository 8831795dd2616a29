#ifndef HOLDFAST_P521_H
#define HOLDFAST_P521_H

// Doublings and additions on P-521 (SP 800-186 §3.2.1.5): the independent products of a step at
// once, one in each lane, with doubles. Processors with 52-bit multiplications take these, too.

#include "holdfast_lanes.h"

#if defined(__x86_64__) && defined(__clang__)

#define HOLDFAST_COUNT 11

#include "holdfast_lanes_doubles.h"
#define HOLDFAST_STEP(name) holdfast_p521_doubles_##name

/// Four numbers modulo p = 2^521 - 1. Each is the sum of eleven limbs times 2^0, 2^48, ..., 2^480,
/// whole numbers that may be negative. The limbs of a product are one *unit* in size, at most
/// 2^47 + 2^31. One factor has at most five units, the other six.
typedef struct {
  __m256d limb[11];
} holdfast_p521_doubles_four;

/// x - y; no multiple of p is needed.
HOLDFAST_LANES_INLINE __m256d holdfast_p521_doubles_minus(
    int index, __m256d x, __m256d y, int64_t factor) {
  (void)index;
  (void)factor;
  return _mm256_sub_pd(x, y);
}

/// Limb `index` of 1.
HOLDFAST_LANES_INLINE __m256d holdfast_p521_doubles_one(int index) {
  return _mm256_set1_pd(index == 0);
}

/// 2^528, which is above the last limb, is 2^7: sums stay below 2^62 in size.
HOLDFAST_LANES_INLINE holdfast_p521_doubles_four holdfast_p521_doubles_product(
    holdfast_p521_doubles_four x, holdfast_p521_doubles_four y) {
  __m256i sum[22];
  holdfast_doubles_columns(sum, x.limb, y.limb, 11);
  HOLDFAST_LIMBS(i, 11) sum[i] = _mm256_add_epi64(sum[i], _mm256_slli_epi64(sum[i + 11], 7));
  sum[0] = _mm256_add_epi64(sum[0], _mm256_slli_epi64(holdfast_doubles_above(sum[10]), 7));
  holdfast_p521_doubles_four result;
  holdfast_doubles_carried(result.limb, sum, 11);
  return result;
}

#include "holdfast_curve_steps.h"

#include "holdfast_lanes_end.h"
#undef HOLDFAST_COUNT

#else

#define HOLDFAST_STEP(name) holdfast_p521_doubles_##name
#define HOLDFAST_WORD double
#include "holdfast_curve_steps_absent.h"

#endif
#endif
