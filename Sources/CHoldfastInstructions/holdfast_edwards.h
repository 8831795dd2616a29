#ifndef HOLDFAST_EDWARDS_H
#define HOLDFAST_EDWARDS_H

// Doublings and additions on edwards25519 (RFC 8032 §5.1.4): the four products of a step at once,
// one in each lane; with 52-bit multiplications, and with doubles. The steps are the same.

#include "holdfast_lanes.h"

#if defined(__x86_64__) && defined(__clang__)

/// 19 x
__attribute__((target("avx2"), always_inline)) static inline __m256i holdfast_edwards_times19(
    __m256i x) {
  return _mm256_add_epi64(
      _mm256_add_epi64(_mm256_slli_epi64(x, 4), _mm256_slli_epi64(x, 1)), x);
}

/// Limbs of 51 bits of the numbers `first`, `second`, 2 and `third`, each four words.
__attribute__((target("avx2"), always_inline)) static inline void holdfast_edwards_limbs(
    __m256i *limbs, const uint64_t *first, const uint64_t *second, const uint64_t *third) {
  const __m256i mask = _mm256_set1_epi64x((1LL << 51) - 1);
  const __m256i one = _mm256_loadu_si256((const __m256i *)first);
  const __m256i other = _mm256_loadu_si256((const __m256i *)second);
  const __m256i last = _mm256_loadu_si256((const __m256i *)third);
  const __m256i two = _mm256_set_epi64x(0, 0, 0, 2);
  const __m256i even = _mm256_unpacklo_epi64(one, other);
  const __m256i odd = _mm256_unpackhi_epi64(one, other);
  const __m256i evenLast = _mm256_unpacklo_epi64(two, last);
  const __m256i oddLast = _mm256_unpackhi_epi64(two, last);
  const __m256i w0 = _mm256_permute2x128_si256(even, evenLast, 0x20);
  const __m256i w1 = _mm256_permute2x128_si256(odd, oddLast, 0x20);
  const __m256i w2 = _mm256_permute2x128_si256(even, evenLast, 0x31);
  const __m256i w3 = _mm256_permute2x128_si256(odd, oddLast, 0x31);
#define HOLDFAST_LIMB(low, high, shift) \
  _mm256_and_si256(                     \
      mask, _mm256_or_si256(_mm256_srli_epi64(low, shift), _mm256_slli_epi64(high, 64 - (shift))))
  limbs[0] = _mm256_and_si256(mask, w0);
  limbs[1] = HOLDFAST_LIMB(w0, w1, 51);
  limbs[2] = HOLDFAST_LIMB(w1, w2, 38);
  limbs[3] = HOLDFAST_LIMB(w2, w3, 25);
  limbs[4] = _mm256_srli_epi64(w3, 12);
#undef HOLDFAST_LIMB
}

#include "holdfast_lanes_ifma.h"
#define HOLDFAST_STEP(name) holdfast_edwards_ifma_##name

/// Four numbers modulo p = 2^255 - 19. Each is the sum of five limbs times 2^0, 2^51, 2^102, 2^153
/// and 2^204. *Carried* limbs are below 2^51 + 2^15. Factors
/// need limbs below 2^52.
typedef struct {
  __m256i limb[5];
} holdfast_edwards_ifma_four;

/// Limb `index` of 4p, minus x, in some lanes: not negative for a carried x, or one below 2^52.
HOLDFAST_LANES_INLINE __m256i holdfast_edwards_ifma_negated(
    int index, __m256i x, const int lanes) {
  const int64_t limb = 4 * ((1LL << 51) - (index == 0 ? 19 : 1));
  return HOLDFAST_CHOOSE(x, _mm256_sub_epi64(_mm256_set1_epi64x(limb), x), lanes);
}

/// Moves the bits above 51 of each limb, which is below 2^61, to the next one.
HOLDFAST_LANES_INLINE holdfast_edwards_ifma_four holdfast_edwards_ifma_carried(
    holdfast_edwards_ifma_four x) {
  const __m256i mask = _mm256_set1_epi64x((1LL << 51) - 1);
  holdfast_edwards_ifma_four result;
  HOLDFAST_LIMBS(i, 5) {
    const __m256i carry = _mm256_srli_epi64(x.limb[(i + 4) % 5], 51);
    result.limb[i] = _mm256_add_epi64(
        _mm256_and_si256(x.limb[i], mask), i == 0 ? holdfast_edwards_times19(carry) : carry);
  }
  return result;
}

/// The carried number of a product whose ten limbs are given: 2^255 is 19.
HOLDFAST_LANES_INLINE holdfast_edwards_ifma_four holdfast_edwards_ifma_folded(
    const __m256i *product) {
  holdfast_edwards_ifma_four result;
  HOLDFAST_LIMBS(i, 5)
    result.limb[i] = _mm256_add_epi64(product[i], holdfast_edwards_times19(product[i + 5]));
  return holdfast_edwards_ifma_carried(result);
}

// The upper 52 bits of a product of limbs have the weight of the next limb, twice.

HOLDFAST_LANES_INLINE holdfast_edwards_ifma_four holdfast_edwards_ifma_product(
    holdfast_edwards_ifma_four x, holdfast_edwards_ifma_four y) {
  __m256i low[10], high[10], sum[10];
  HOLDFAST_LIMBS(i, 10) low[i] = high[i] = _mm256_setzero_si256();
  HOLDFAST_LIMBS(i, 5) HOLDFAST_LIMBS(j, 5) {
    low[i + j] = _mm256_madd52lo_epu64(low[i + j], x.limb[i], y.limb[j]);
    high[i + j + 1] = _mm256_madd52hi_epu64(high[i + j + 1], x.limb[i], y.limb[j]);
  }
  HOLDFAST_LIMBS(i, 10)
    sum[i] = _mm256_add_epi64(low[i], _mm256_add_epi64(high[i], high[i]));
  return holdfast_edwards_ifma_folded(sum);
}

HOLDFAST_LANES_INLINE holdfast_edwards_ifma_four holdfast_edwards_ifma_square(
    holdfast_edwards_ifma_four x) {
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
    sum[2 * i + 1] = _mm256_add_epi64(upper, upper);
  }
  HOLDFAST_LIMBS(i, 10) {
    const __m256i half = _mm256_add_epi64(low[i], _mm256_add_epi64(high[i], high[i]));
    sum[i] = _mm256_add_epi64(sum[i], _mm256_add_epi64(half, half));
  }
  return holdfast_edwards_ifma_folded(sum);
}

/// The factors of Y - X, Y + X, Z and T in an addition.
HOLDFAST_LANES_INLINE holdfast_edwards_ifma_four holdfast_edwards_ifma_factors(
    const uint64_t *first, const uint64_t *second, const uint64_t *third) {
  holdfast_edwards_ifma_four result;
  holdfast_edwards_limbs(result.limb, first, second, third);
  return result;
}

#include "holdfast_edwards_steps.h"

#include "holdfast_lanes_doubles.h"
#define HOLDFAST_STEP(name) holdfast_edwards_doubles_##name

/// The same with doubles, whole numbers that may be negative. *Carried* limbs are at most
/// 2^50 + 2^13 in size. Of two factors, one is carried, and the other's limbs are below 2^51 + 2^15.
typedef struct {
  __m256d limb[5];
} holdfast_edwards_doubles_four;

/// -x in some lanes; no multiple of p is needed.
HOLDFAST_LANES_INLINE __m256d holdfast_edwards_doubles_negated(
    int index, __m256d x, const int lanes) {
  (void)index;
  const int64_t sign = (int64_t)(1ULL << 63);
  const __m256i signs = _mm256_set_epi64x(
      lanes & 8 ? sign : 0, lanes & 4 ? sign : 0, lanes & 2 ? sign : 0, lanes & 1 ? sign : 0);
  return _mm256_xor_pd(x, _mm256_castsi256_pd(signs));
}

/// Carries, to the nearest, limbs below 2^53 in size.
HOLDFAST_LANES_INLINE holdfast_edwards_doubles_four holdfast_edwards_doubles_carried(
    holdfast_edwards_doubles_four x) {
  const __m256d whole = _mm256_set1_pd(HOLDFAST_SPLIT(51)), down = _mm256_set1_pd(0x1p-51);
  __m256d carry[5];
  HOLDFAST_LIMBS(i, 5)
    carry[i] = _mm256_sub_pd(_mm256_add_pd(x.limb[i], whole), whole);
  holdfast_edwards_doubles_four result;
  HOLDFAST_LIMBS(i, 5) {
    const __m256d factor = i == 0 ? _mm256_set1_pd(19 * 0x1p-51) : down;
    result.limb[i] = _mm256_fmadd_pd(
        carry[(i + 4) % 5], factor, _mm256_sub_pd(x.limb[i], carry[i]));
  }
  return result;
}

/// The carried number of a product whose ten limbs are given, below 2^57 in size: 2^255 is 19.
HOLDFAST_LANES_INLINE holdfast_edwards_doubles_four holdfast_edwards_doubles_folded(
    const __m256i *product) {
  const __m256i mask = _mm256_set1_epi64x((1LL << 51) - 1);
  // Shifts see no negative numbers: 2^62, and half of the last place for the rounding.
  const __m256i above = _mm256_set1_epi64x((1LL << 62) + (1LL << 50));
  __m256i sum[5], carry[5];
  HOLDFAST_LIMBS(i, 5) {
    sum[i] = _mm256_add_epi64(
        _mm256_add_epi64(product[i], above), holdfast_edwards_times19(product[i + 5]));
    carry[i] = _mm256_srli_epi64(sum[i], 51);
  }
  holdfast_edwards_doubles_four result;
  HOLDFAST_LIMBS(i, 5) {
    // Less the half, and what 2^62 adds to the carry.
    const int64_t more = (1LL << 50) + (i == 0 ? 19LL << 11 : 1LL << 11);
    const __m256i below = i == 0 ? holdfast_edwards_times19(carry[4]) : carry[i - 1];
    const __m256i limb = _mm256_add_epi64(_mm256_and_si256(sum[i], mask), below);
    result.limb[i] = holdfast_double(
        _mm256_add_epi64(limb, _mm256_set1_epi64x((int64_t)HOLDFAST_SPLIT_BITS(0) - more)));
  }
  return result;
}

/// The carried product; or the square of y, if x is twice y.
HOLDFAST_LANES_INLINE holdfast_edwards_doubles_four holdfast_edwards_doubles_columns(
    holdfast_edwards_doubles_four x, holdfast_edwards_doubles_four y, const int squares) {
  __m256d upper = _mm256_set1_pd(HOLDFAST_SPLIT(51));
  __m256d both = _mm256_set1_pd(HOLDFAST_SPLIT(51) + HOLDFAST_SPLIT(0));
  __m256i before = _mm256_setzero_si256(), product[10];
  HOLDFAST_LIMBS(k, 10) {
    // Less what the bits of the terms have too much.
    const int terms = squares ? (HOLDFAST_TERMS(k, 5) + 1) / 2 : HOLDFAST_TERMS(k, 5);
    const int termsBefore =
        squares ? (HOLDFAST_TERMS(k - 1, 5) + 1) / 2 : HOLDFAST_TERMS(k - 1, 5);
    const uint64_t more =
        terms * HOLDFAST_SPLIT_BITS(0) + termsBefore * HOLDFAST_SPLIT_BITS(51);
    __m256i low = _mm256_set1_epi64x((int64_t)(0 - more)), high = _mm256_setzero_si256();
    HOLDFAST_IN_ORDER(upper, both);
    HOLDFAST_LIMBS(i, 5) {
      const int j = k - i;
      if (j >= 0 && j < 5 && (!squares || i <= j))
        holdfast_add_product(
            &low, &high, squares && i == j ? y.limb[i] : x.limb[i], y.limb[j], upper, both);
    }
    HOLDFAST_IN_ORDER(low, high);
    product[k] = _mm256_add_epi64(low, before);
    before = high;
  }
  return holdfast_edwards_doubles_folded(product);
}

HOLDFAST_LANES_INLINE holdfast_edwards_doubles_four holdfast_edwards_doubles_product(
    holdfast_edwards_doubles_four x, holdfast_edwards_doubles_four y) {
  return holdfast_edwards_doubles_columns(x, y, 0);
}

HOLDFAST_LANES_INLINE holdfast_edwards_doubles_four holdfast_edwards_doubles_square(
    holdfast_edwards_doubles_four x) {
  holdfast_edwards_doubles_four twice;
  HOLDFAST_LIMBS(i, 5) twice.limb[i] = _mm256_add_pd(x.limb[i], x.limb[i]);
  return holdfast_edwards_doubles_columns(twice, x, 1);
}

/// The factors of Y - X, Y + X, Z and T in an addition.
HOLDFAST_LANES_INLINE holdfast_edwards_doubles_four holdfast_edwards_doubles_factors(
    const uint64_t *first, const uint64_t *second, const uint64_t *third) {
  __m256i limbs[5];
  holdfast_edwards_limbs(limbs, first, second, third);
  // The last limb has 52 bits.
  const __m256i top = _mm256_srli_epi64(limbs[4], 51);
  limbs[4] = _mm256_and_si256(limbs[4], _mm256_set1_epi64x((1LL << 51) - 1));
  limbs[0] = _mm256_add_epi64(limbs[0], holdfast_edwards_times19(top));
  holdfast_edwards_doubles_four result;
  HOLDFAST_LIMBS(i, 5) {
    // In the bits of 2^52, whose last place is 1.
    const __m256i bits = _mm256_or_si256(limbs[i], _mm256_set1_epi64x(1075LL << 52));
    result.limb[i] = _mm256_sub_pd(_mm256_castsi256_pd(bits), _mm256_set1_pd(0x1p52));
  }
  return result;
}

#include "holdfast_edwards_steps.h"

#include "holdfast_lanes_end.h"

#else

/// No instructions known to this header: the Swift version is used.
static inline void holdfast_edwards_ifma_double(uint64_t *point) { (void)point; }

static inline void holdfast_edwards_ifma_add(
    uint64_t *point, const uint64_t *addend, int subtracts) {
  (void)point;
  (void)addend;
  (void)subtracts;
}

static inline void holdfast_edwards_doubles_double(double *point) { (void)point; }

static inline void holdfast_edwards_doubles_add(
    double *point, const uint64_t *addend, int subtracts) {
  (void)point;
  (void)addend;
  (void)subtracts;
}

#endif
#endif
