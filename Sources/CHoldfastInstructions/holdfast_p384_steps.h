// Included by holdfast_p384.h, once for each kind of product.

/// Adds `upper` * 2^384 to `sum`, which has two limbs more than `upper`: 2^384 is
/// 2^128 + 2^96 - 2^32 + 1, and 2^96 is two limbs.
HOLDFAST_LANES_INLINE void HOLDFAST_STEP(fold)(
    __m256i *sum, const __m256i *upper, const int count) {
  const __m256i zero = _mm256_setzero_si256();
  HOLDFAST_LIMBS(i, count + 1) {
    // Limb i of `upper` * 2^32, in two parts that fit. They are negative if the limbs are.
    const __m256i own = i < count ? upper[i] : zero;
    const __m256i part =
        i < count ? _mm256_slli_epi64(_mm256_and_si256(own, _mm256_set1_epi64x(0xffff)), 32) : zero;
    const __m256i below = i > 0 ? HOLDFAST_SHIFT_RIGHT(upper[i - 1], 16) : zero;
    const __m256i moved = _mm256_add_epi64(part, below);
    sum[i] = _mm256_add_epi64(sum[i], _mm256_sub_epi64(own, moved));
    sum[i + 2] = _mm256_add_epi64(sum[i + 2], _mm256_add_epi64(own, moved));
  }
}

HOLDFAST_LANES_INLINE HOLDFAST_STEP(four) HOLDFAST_STEP(product)(
    HOLDFAST_STEP(four) x, HOLDFAST_STEP(four) y) {
  __m256i product[16], sum[11];
  HOLDFAST_STEP(columns)(product, x, y);
  HOLDFAST_LIMBS(i, 11) sum[i] = i < 8 ? product[i] : _mm256_setzero_si256();
  HOLDFAST_STEP(fold)(sum, product + 8, 8);
  HOLDFAST_STEP(fold)(sum, sum + 8, 3);
  return HOLDFAST_STEP(carried)(sum);
}

#include "holdfast_curve_steps.h"
