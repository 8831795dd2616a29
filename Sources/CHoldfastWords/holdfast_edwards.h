#ifndef HOLDFAST_EDWARDS_H
#define HOLDFAST_EDWARDS_H

// Doublings and additions on edwards25519 (RFC 8032 §5.1.4) with the processor's 52-bit
// multiplications: the four products of a step at once, one in each lane.

#include "holdfast_lanes.h"

#if defined(__x86_64__) && defined(__clang__)

/// Four numbers modulo p = 2^255 - 19. Each is the sum of five limbs times 2^0, 2^51, 2^102, 2^153
/// and 2^204. *Carried* limbs are below 2^51 + 2^15. Factors
/// need limbs below 2^52.
typedef struct {
  __m256i limb[5];
} holdfast_edwards_four;

/// Limb `index` of 4p, minus x: not negative for a carried x, or one below 2^52.
HOLDFAST_LANES_INLINE __m256i holdfast_edwards_minus(int index, __m256i x) {
  const int64_t limb = 4 * ((1LL << 51) - (index == 0 ? 19 : 1));
  return _mm256_sub_epi64(_mm256_set1_epi64x(limb), x);
}

HOLDFAST_LANES_INLINE __m256i holdfast_edwards_times19(__m256i x) {
  return holdfast_plus(
      holdfast_plus(_mm256_slli_epi64(x, 4), _mm256_slli_epi64(x, 1)), x);
}

/// Moves the bits above 51 of each limb, which is below 2^61, to the next one.
HOLDFAST_LANES_INLINE holdfast_edwards_four holdfast_edwards_carried(holdfast_edwards_four x) {
  const __m256i mask = _mm256_set1_epi64x((1LL << 51) - 1);
  holdfast_edwards_four result;
  HOLDFAST_LIMBS(i, 5) {
    const __m256i carry = _mm256_srli_epi64(x.limb[(i + 4) % 5], 51);
    result.limb[i] = holdfast_plus(
        _mm256_and_si256(x.limb[i], mask), i == 0 ? holdfast_edwards_times19(carry) : carry);
  }
  return result;
}

/// The carried number of a product whose ten limbs are given: 2^255 is 19.
HOLDFAST_LANES_INLINE holdfast_edwards_four holdfast_edwards_folded(const __m256i *product) {
  holdfast_edwards_four result;
  HOLDFAST_LIMBS(i, 5)
    result.limb[i] = holdfast_plus(product[i], holdfast_edwards_times19(product[i + 5]));
  return holdfast_edwards_carried(result);
}

// The upper 52 bits of a product of limbs have the weight of the next limb, twice.

HOLDFAST_LANES_INLINE holdfast_edwards_four holdfast_edwards_product(
    holdfast_edwards_four x, holdfast_edwards_four y) {
  __m256i low[10], high[10], sum[10];
  HOLDFAST_LIMBS(i, 10) low[i] = high[i] = _mm256_setzero_si256();
  HOLDFAST_LIMBS(i, 5) HOLDFAST_LIMBS(j, 5) {
    low[i + j] = _mm256_madd52lo_epu64(low[i + j], x.limb[i], y.limb[j]);
    high[i + j + 1] = _mm256_madd52hi_epu64(high[i + j + 1], x.limb[i], y.limb[j]);
  }
  HOLDFAST_LIMBS(i, 10) sum[i] = holdfast_plus(low[i], holdfast_twice(high[i]));
  return holdfast_edwards_folded(sum);
}

HOLDFAST_LANES_INLINE holdfast_edwards_four holdfast_edwards_square(holdfast_edwards_four x) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i low[10], high[10], sum[10];
  HOLDFAST_LIMBS(i, 10) low[i] = high[i] = zero;
  HOLDFAST_LIMBS(i, 5) HOLDFAST_LIMBS(j, i) {
    low[i + j] = _mm256_madd52lo_epu64(low[i + j], x.limb[i], x.limb[j]);
    high[i + j + 1] = _mm256_madd52hi_epu64(high[i + j + 1], x.limb[i], x.limb[j]);
  }
  HOLDFAST_LIMBS(i, 5) {
    const __m256i upper = _mm256_madd52hi_epu64(zero, x.limb[i], x.limb[i]);
    sum[2 * i] = _mm256_madd52lo_epu64(zero, x.limb[i], x.limb[i]);
    sum[2 * i + 1] = holdfast_twice(upper);
  }
  HOLDFAST_LIMBS(i, 10) {
    const __m256i half = holdfast_plus(low[i], holdfast_twice(high[i]));
    sum[i] = holdfast_plus(sum[i], holdfast_twice(half));
  }
  return holdfast_edwards_folded(sum);
}

HOLDFAST_LANES_INLINE holdfast_edwards_four holdfast_edwards_load(const uint64_t *words) {
  holdfast_edwards_four result;
  HOLDFAST_LIMBS(i, 5) result.limb[i] = _mm256_loadu_si256((const __m256i *)(words + 4 * i));
  return result;
}

HOLDFAST_LANES_INLINE void holdfast_edwards_store(uint64_t *words, holdfast_edwards_four x) {
  HOLDFAST_LIMBS(i, 5) _mm256_storeu_si256((__m256i *)(words + 4 * i), x.limb[i]);
}

/// The end of both steps: X = E F, Y = G H, Z = F G, T = E H from the lanes E, F, G, H.
HOLDFAST_LANES_INLINE void holdfast_edwards_finish(uint64_t *point, holdfast_edwards_four x) {
  const holdfast_edwards_four carried = holdfast_edwards_carried(x);
  holdfast_edwards_four left, right;
  HOLDFAST_LIMBS(i, 5) {
    left.limb[i] = HOLDFAST_ORDER(carried.limb[i], 0, 2, 1, 0);
    right.limb[i] = HOLDFAST_ORDER(carried.limb[i], 1, 3, 2, 3);
  }
  holdfast_edwards_store(point, holdfast_edwards_product(left, right));
}

/// Doubles a point: 20 words, carried, of the numbers X, Y, Z, T.
HOLDFAST_LANES void holdfast_edwards_double(uint64_t *point) {
  const __m256i zero = _mm256_setzero_si256();
  const holdfast_edwards_four p = holdfast_edwards_load(point);
  holdfast_edwards_four x;
  HOLDFAST_LIMBS(i, 5) {  // X, Y, Z, X + Y
    const __m256i first = HOLDFAST_ORDER(p.limb[i], 0, 1, 2, 0);
    const __m256i last = HOLDFAST_CHOOSE(zero, HOLDFAST_SPREAD(p.limb[i], 1), 8);
    x.limb[i] = holdfast_plus(first, last);
  }
  const holdfast_edwards_four square = holdfast_edwards_square(holdfast_edwards_carried(x));
  HOLDFAST_LIMBS(i, 5) {  // H = A + B, E = H - (X + Y)^2, G = A - B, F = 2 Z^2 + G
    const __m256i a = HOLDFAST_SPREAD(square.limb[i], 0);
    const __m256i b = HOLDFAST_SPREAD(square.limb[i], 1);
    const __m256i others = HOLDFAST_ORDER(square.limb[i], 3, 2, 2, 2);
    const __m256i twice = HOLDFAST_CHOOSE(zero, holdfast_twice(others), 2);
    x.limb[i] = holdfast_plus(
        holdfast_plus(a, HOLDFAST_CHOOSE(b, holdfast_edwards_minus(i, b), 6)),
        HOLDFAST_CHOOSE(twice, holdfast_edwards_minus(i, others), 1));
  }
  holdfast_edwards_finish(point, x);
}

/// Adds to a point one that is given by y + x, y - x and 2dxy of its affine coordinates, each four
/// words below 2^256; or subtracts it.
HOLDFAST_LANES void holdfast_edwards_add(
    uint64_t *point, const uint64_t *addend, int subtracts) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i mask = _mm256_set1_epi64x((1LL << 51) - 1);
  const holdfast_edwards_four p = holdfast_edwards_load(point);
  // The words of the factors of Y - X, Y + X, T and Z. A subtraction adds (-x, y): the first two
  // change places, and the third its sign, below.
  const __m256i sum = _mm256_loadu_si256((const __m256i *)addend);
  const __m256i difference = _mm256_loadu_si256((const __m256i *)(addend + 4));
  const __m256i first = subtracts ? sum : difference, second = subtracts ? difference : sum;
  const __m256i third = _mm256_loadu_si256((const __m256i *)(addend + 8));
  const __m256i two = _mm256_set_epi64x(0, 0, 0, 2);
  const __m256i even = _mm256_unpacklo_epi64(first, second);
  const __m256i odd = _mm256_unpackhi_epi64(first, second);
  const __m256i evenLast = _mm256_unpacklo_epi64(third, two);
  const __m256i oddLast = _mm256_unpackhi_epi64(third, two);
  const __m256i w0 = _mm256_permute2x128_si256(even, evenLast, 0x20);
  const __m256i w1 = _mm256_permute2x128_si256(odd, oddLast, 0x20);
  const __m256i w2 = _mm256_permute2x128_si256(even, evenLast, 0x31);
  const __m256i w3 = _mm256_permute2x128_si256(odd, oddLast, 0x31);
#define HOLDFAST_LIMB(low, high, shift) \
  _mm256_and_si256(                     \
      mask, _mm256_or_si256(_mm256_srli_epi64(low, shift), _mm256_slli_epi64(high, 64 - (shift))))
  const holdfast_edwards_four factors = {{
    _mm256_and_si256(mask, w0),
    HOLDFAST_LIMB(w0, w1, 51),
    HOLDFAST_LIMB(w1, w2, 38),
    HOLDFAST_LIMB(w2, w3, 25),
    _mm256_srli_epi64(w3, 12),
  }};
#undef HOLDFAST_LIMB
  holdfast_edwards_four x;
  HOLDFAST_LIMBS(i, 5) {  // Y - X, Y + X, T, Z
    const __m256i xx = HOLDFAST_SPREAD(p.limb[i], 0);
    const __m256i signedX = HOLDFAST_CHOOSE(xx, holdfast_edwards_minus(i, xx), 1);
    x.limb[i] = holdfast_plus(
        HOLDFAST_ORDER(p.limb[i], 1, 1, 3, 2), HOLDFAST_CHOOSE(zero, signedX, 3));
  }
  const holdfast_edwards_four product =
      holdfast_edwards_product(holdfast_edwards_carried(x), factors);
  // E = B - A, F = D - C, G = D + C, H = B + A.
  const __mmask8 negative = subtracts ? 5 : 3;
  HOLDFAST_LIMBS(i, 5) {
    const __m256i right = HOLDFAST_ORDER(product.limb[i], 0, 2, 2, 0);
    x.limb[i] = holdfast_plus(
        HOLDFAST_ORDER(product.limb[i], 1, 3, 3, 1),
        HOLDFAST_CHOOSE(right, holdfast_edwards_minus(i, right), negative));
  }
  holdfast_edwards_finish(point, x);
}

#else

/// No instructions known to this header: the Swift version is used.
static inline void holdfast_edwards_double(uint64_t *point) { (void)point; }

static inline void holdfast_edwards_add(
    uint64_t *point, const uint64_t *addend, int subtracts) {
  (void)point;
  (void)addend;
  (void)subtracts;
}

#endif
#endif
