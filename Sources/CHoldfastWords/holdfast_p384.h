#ifndef HOLDFAST_P384_H
#define HOLDFAST_P384_H

// Doublings and additions on P-384 (SP 800-186 §3.2.1.4) with the processor's 52-bit
// multiplications: the independent products of a step at once, one in each lane.
//
// A point is (X / ZZ, Y / ZZZ) with ZZ^3 = ZZZ^2. Infinity, and every sum of a point and itself or
// its opposite, has ZZ = 0. Each further step keeps that, so the steps need no branch: their caller
// looks at the end. The formulas are "dbl-2008-s-1" and "madd-2008-s" of the Explicit-Formulas
// Database.

#include "holdfast_lanes.h"

#if defined(__x86_64__) && defined(__clang__)

/// Four numbers modulo p = 2^384 - 2^128 - 2^96 + 2^32 - 1. Each is the sum of eight limbs times
/// 2^0, 2^48, ..., 2^336. The limbs of a product are below 2^48 + 2^15. Factors need limbs below
/// 2^52, so a few of them may be added: products do not wait for carries.
typedef struct {
  __m256i limb[8];
} holdfast_p384_four;

/// Limb `index` of a small multiple of p, which makes differences of limbs positive: the limbs of
/// p as it is written above are 2^48 - 1, but for the first and the third.
HOLDFAST_LANES_INLINE __m256i holdfast_p384_multiple(int index, int64_t factor) {
  const int64_t limb = (1LL << 48) - 1;
  const int64_t more = index == 0 ? 1LL << 32 : index == 2 ? -(1LL << 32) - 1 : 0;
  return _mm256_set1_epi64x(factor * (limb + more));
}

/// Limb `index` of x + factor * p - y.
HOLDFAST_LANES_INLINE __m256i holdfast_p384_minus(int index, __m256i x, __m256i y, int64_t factor) {
  return _mm256_sub_epi64(holdfast_plus(x, holdfast_p384_multiple(index, factor)), y);
}

/// Adds `upper` * 2^384 to `sum`, which has two limbs more than `upper`: 2^384 is
/// 2^128 + 2^96 - 2^32 + 1, and 2^96 is two limbs.
HOLDFAST_LANES_INLINE void holdfast_p384_fold(__m256i *sum, const __m256i *upper, const int count) {
  const __m256i zero = _mm256_setzero_si256();
  HOLDFAST_LIMBS(i, count + 1) {
    // Limb i of `upper` * 2^32, in two parts that fit. They are negative if the limbs are.
    const __m256i own = i < count ? upper[i] : zero, below = i > 0 ? upper[i - 1] : zero;
    const __m256i moved = holdfast_plus(
        _mm256_slli_epi64(_mm256_and_si256(own, _mm256_set1_epi64x(0xffff)), 32),
        _mm256_srai_epi64(below, 16));
    sum[i] = holdfast_plus(sum[i], _mm256_sub_epi64(own, moved));
    sum[i + 2] = holdfast_plus(sum[i + 2], holdfast_plus(own, moved));
  }
}

HOLDFAST_LANES_INLINE holdfast_p384_four holdfast_p384_product(
    holdfast_p384_four x, holdfast_p384_four y) {
  const __m256i zero = _mm256_setzero_si256(), mask = _mm256_set1_epi64x((1LL << 48) - 1);
  // Sixteen limbs below 2^60, the lower eight with 4p, more than what is subtracted from any limb:
  // at most 2^48 + 2^44 by each fold, and 2^47 at the end. The upper 52 bits of a product of limbs
  // are worth 2^4 next limbs.
  __m256i product[16], sum[11];
  HOLDFAST_LIMBS(k, 16) {
    __m256i low = k < 8 ? holdfast_p384_multiple(k, 4) : zero, high = zero;
    HOLDFAST_LIMBS(i, 8) {
      if (k - i >= 0 && k - i < 8) low = _mm256_madd52lo_epu64(low, x.limb[i], y.limb[k - i]);
      if (k - 1 - i >= 0 && k - 1 - i < 8)
        high = _mm256_madd52hi_epu64(high, x.limb[i], y.limb[k - 1 - i]);
    }
    product[k] = holdfast_plus(low, _mm256_slli_epi64(high, 4));
  }
  HOLDFAST_LIMBS(i, 11) sum[i] = i < 8 ? product[i] : zero;
  holdfast_p384_fold(sum, product + 8, 8);
  holdfast_p384_fold(sum, sum + 8, 3);
  // The bits above the last limb, less than 2^15, for the last time; then all carries at once.
  const __m256i top = _mm256_srli_epi64(sum[7], 48), moved = _mm256_slli_epi64(top, 32);
  sum[7] = _mm256_and_si256(sum[7], mask);
  sum[0] = holdfast_plus(sum[0], _mm256_sub_epi64(top, moved));
  sum[2] = holdfast_plus(sum[2], holdfast_plus(top, moved));
  holdfast_p384_four result;
  HOLDFAST_LIMBS(i, 8) {
    const __m256i carry = i > 0 ? _mm256_srli_epi64(sum[i - 1], 48) : zero;
    result.limb[i] = holdfast_plus(_mm256_and_si256(sum[i], mask), carry);
  }
  return result;
}

HOLDFAST_LANES_INLINE holdfast_p384_four holdfast_p384_load(const uint64_t *words) {
  holdfast_p384_four result;
  HOLDFAST_LIMBS(i, 8) result.limb[i] = _mm256_loadu_si256((const __m256i *)(words + 4 * i));
  return result;
}

/// The end of both steps: X' is the first lane of `x`, Y' = L (S - X') - W Y with the slope L, ZZ'
/// is the third lane of `others` after S and W, and ZZZ' = W ZZZ.
HOLDFAST_LANES_INLINE void holdfast_p384_finish(
    uint64_t *point, holdfast_p384_four before, holdfast_p384_four slope, holdfast_p384_four w,
    holdfast_p384_four others, holdfast_p384_four x) {
  holdfast_p384_four left, right;
  HOLDFAST_LIMBS(i, 8) {  // L, W, W, W and S - X', Y, ZZZ, ZZZ
    left.limb[i] = HOLDFAST_CHOOSE(w.limb[i], slope.limb[i], 1);
    right.limb[i] = HOLDFAST_CHOOSE(
        HOLDFAST_ORDER(before.limb[i], 0, 1, 3, 3),
        holdfast_p384_minus(i, others.limb[i], x.limb[i], 6), 1);
  }
  const holdfast_p384_four product = holdfast_p384_product(left, right);
  HOLDFAST_LIMBS(i, 8) {
    const __m256i y = holdfast_p384_minus(
        i, HOLDFAST_SPREAD(product.limb[i], 0), HOLDFAST_SPREAD(product.limb[i], 1), 2);
    const __m256i xy = HOLDFAST_CHOOSE(x.limb[i], y, 2);
    const __m256i zs = HOLDFAST_CHOOSE(others.limb[i], product.limb[i], 8);
    _mm256_storeu_si256((__m256i *)(point + 4 * i), HOLDFAST_CHOOSE(xy, zs, 12));
  }
}

/// Doubles a point: 32 words of the numbers X, Y, ZZ, ZZZ. Their limbs are below 2^48 + 2^15, or as
/// the steps leave them: those of X may have 4 * (2^48 + 2^32) more, and those of Y half of that.
HOLDFAST_LANES void holdfast_p384_double(uint64_t *point) {
  const holdfast_p384_four p = holdfast_p384_load(point);
  holdfast_p384_four left, right, slope, w, x;
  HOLDFAST_LIMBS(i, 8) {  // 2Y, X - ZZ and 2Y, X + ZZ
    const __m256i first = HOLDFAST_ORDER(p.limb[i], 1, 0, 0, 0);
    const __m256i second = HOLDFAST_ORDER(p.limb[i], 1, 2, 2, 2);
    right.limb[i] = holdfast_plus(first, second);
    left.limb[i] = HOLDFAST_CHOOSE(holdfast_p384_minus(i, first, second, 2), right.limb[i], 1);
  }
  const holdfast_p384_four squares = holdfast_p384_product(left, right);
  HOLDFAST_LIMBS(i, 8) {  // V, V, V, L and X, 2Y, ZZ, L with L = 3 (X - ZZ) (X + ZZ)
    const __m256i third = HOLDFAST_SPREAD(squares.limb[i], 1);
    slope.limb[i] = holdfast_plus(holdfast_twice(third), third);
    left.limb[i] = HOLDFAST_CHOOSE(HOLDFAST_SPREAD(squares.limb[i], 0), slope.limb[i], 8);
    right.limb[i] = HOLDFAST_CHOOSE(
        HOLDFAST_CHOOSE(p.limb[i], holdfast_twice(p.limb[i]), 2), slope.limb[i], 8);
  }
  const holdfast_p384_four others = holdfast_p384_product(left, right);  // S, W, ZZ', L^2
  HOLDFAST_LIMBS(i, 8) {
    w.limb[i] = HOLDFAST_SPREAD(others.limb[i], 1);
    x.limb[i] = holdfast_p384_minus(
        i, HOLDFAST_SPREAD(others.limb[i], 3), holdfast_twice(others.limb[i]), 3);
  }
  holdfast_p384_finish(point, p, slope, w, others, x);
}

/// Makes a point of the limbs of its affine coordinates, x and y in turns; or its opposite.
HOLDFAST_LANES void holdfast_p384_begin(uint64_t *point, const uint64_t *addend, int subtracts) {
  HOLDFAST_LIMBS(i, 8) {
    const __m256i both = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(addend + 2 * i)));
    const __m256i negated = holdfast_p384_minus(i, _mm256_setzero_si256(), both, 2);
    const __m256i xy = HOLDFAST_CHOOSE(both, subtracts ? negated : both, 2);
    _mm256_storeu_si256(
        (__m256i *)(point + 4 * i), HOLDFAST_CHOOSE(_mm256_set1_epi64x(i == 0), xy, 3));
  }
}

/// Adds to a point one that is given as above; or subtracts it.
HOLDFAST_LANES void holdfast_p384_add(uint64_t *point, const uint64_t *addend, int subtracts) {
  const holdfast_p384_four p = holdfast_p384_load(point);
  holdfast_p384_four left, right, difference, slope, w, x;
  HOLDFAST_LIMBS(i, 8) {  // x, y and ZZ, ZZZ
    left.limb[i] = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(addend + 2 * i)));
    right.limb[i] = HOLDFAST_ORDER(p.limb[i], 2, 3, 2, 3);
  }
  const holdfast_p384_four scaled = holdfast_p384_product(left, right);
  HOLDFAST_LIMBS(i, 8) {  // x ZZ - X, y ZZZ - Y, or -y ZZZ - Y
    const __m256i negated = holdfast_p384_minus(i, _mm256_setzero_si256(), scaled.limb[i], 2);
    const __m256i y = subtracts ? negated : scaled.limb[i];
    difference.limb[i] =
        holdfast_p384_minus(i, HOLDFAST_CHOOSE(scaled.limb[i], y, 2), p.limb[i], 6);
  }
  const holdfast_p384_four squares = holdfast_p384_product(difference, difference);
  HOLDFAST_LIMBS(i, 8) {  // V, V, V and X, x ZZ - X, ZZ
    left.limb[i] = HOLDFAST_SPREAD(squares.limb[i], 0);
    right.limb[i] = HOLDFAST_CHOOSE(p.limb[i], HOLDFAST_SPREAD(difference.limb[i], 0), 2);
  }
  const holdfast_p384_four others = holdfast_p384_product(left, right);  // S, W, ZZ'
  HOLDFAST_LIMBS(i, 8) {
    slope.limb[i] = HOLDFAST_SPREAD(difference.limb[i], 1);
    w.limb[i] = HOLDFAST_SPREAD(others.limb[i], 1);
    x.limb[i] = holdfast_p384_minus(
        i, HOLDFAST_SPREAD(squares.limb[i], 1),
        holdfast_plus(holdfast_twice(others.limb[i]), w.limb[i]), 4);
  }
  holdfast_p384_finish(point, p, slope, w, others, x);
}

#else

/// No instructions known to this header: the Swift version is used.
static inline void holdfast_p384_double(uint64_t *point) { (void)point; }

static inline void holdfast_p384_begin(uint64_t *point, const uint64_t *addend, int subtracts) {
  (void)point;
  (void)addend;
  (void)subtracts;
}

static inline void holdfast_p384_add(uint64_t *point, const uint64_t *addend, int subtracts) {
  (void)point;
  (void)addend;
  (void)subtracts;
}

#endif
#endif
