#ifndef HOLDFAST_DOUBLES_H
#define HOLDFAST_DOUBLES_H

// Montgomery products with doubles (AVX2 and FMA), for processors without the instructions of
// holdfast_ifma.h. Like that it is only a header.

#include "holdfast_lanes.h"

#if defined(__x86_64__) && defined(__clang__)

// Numbers have limbs of 50 bits, four in a vector; those of a result may be less than 0 or more than
// 2^50 by 2^10. The positions of a product are in memory, and the lower and the upper parts of the
// products of limbs are added apart: the upper parts at position i count for position i + 1.
//
// The modulus n has a multiple n' that is -1 modulo 2^100. So the multiple of n' that clears a limb
// is that limb times n': it drops the limb, and adds the limb times (n' + 1) / 2^100, two limbs
// higher. Results are below 2 n'.

/// 1.25 * 2^102, for products between -2^100 and 3 * 2^100, and its bits.
#define HOLDFAST_UPPER (0x1.4p52 * (double)(1LL << 50))
#define HOLDFAST_UPPER_BITS ((1125ULL << 52) + (1ULL << 50))
#define HOLDFAST_MASK ((1LL << 50) - 1)

/// Adds to four positions `count` vectors, each times the other.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_add(
    int64_t *low, int64_t *high, const __m256d *x, const __m256d *y, const int count) {
  const __m256d upper = _mm256_set1_pd(HOLDFAST_UPPER);
  const __m256d both = _mm256_set1_pd(HOLDFAST_UPPER + HOLDFAST_SPLIT(0));
  __m256i l = _mm256_loadu_si256((const __m256i *)low);
  __m256i h = _mm256_loadu_si256((const __m256i *)high);
  HOLDFAST_LIMBS(i, count) holdfast_add_product(&l, &h, x[i], y[i], upper, both);
  _mm256_storeu_si256((__m256i *)low, l);
  _mm256_storeu_si256((__m256i *)high, h);
}

/// Adds to four positions those limbs of a number that times four others count there: the vector
/// at `x`, and those one, two and three limbs before.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_add_four(
    int64_t *low, int64_t *high, const double *x, const __m256d *factors) {
  __m256d shifted[4];
  HOLDFAST_LIMBS(i, 4) shifted[i] = _mm256_loadu_pd(x - i);
  holdfast_doubles_add(low, high, shifted, factors, 4);
}

/// How many numbers there are from `first` to `last` that are also from 0 to `count` - 1.
HOLDFAST_DOUBLES_INLINE int holdfast_doubles_between(
    const int first, const int last, const int count) {
  const int from = first > 0 ? first : 0, to = last < count - 1 ? last : count - 1;
  return to < from ? 0 : to - from + 1;
}

/// Clears all positions, less what the bits of the terms that follow have too much: block b of a
/// product adds four terms to the vectors from b to b + vectors; of a square two to vector 2 b, and
/// four to those from there to b + vectors; of the reduction four to those from b + 1 to
/// b + vectors.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_begin(
    int64_t *low, int64_t *high, const int squares, const int vectors) {
  high[-1] = 0;
  HOLDFAST_LIMBS(v, 2 * vectors) {
    const int own = squares ? 2 * (1 - v % 2)
                                  + 4 * holdfast_doubles_between(v - vectors, (v + 1) / 2 - 1, vectors)
                            : 4 * holdfast_doubles_between(v - vectors, v, vectors);
    const int terms = own + 4 * holdfast_doubles_between(v - vectors, v - 1, vectors);
    const uint64_t l = 0 - terms * HOLDFAST_SPLIT_BITS(0), h = 0 - terms * HOLDFAST_UPPER_BITS;
    _mm256_storeu_si256((__m256i *)(low + 4 * v), _mm256_set1_epi64x((int64_t)l));
    _mm256_storeu_si256((__m256i *)(high + 4 * v), _mm256_set1_epi64x((int64_t)h));
  }
}

/// Adds the product of a number and four limbs of another.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_row(
    int64_t *low, int64_t *high, const double *x, const double *y, const int vectors) {
  __m256d factors[4];
  HOLDFAST_LIMBS(i, 4) factors[i] = _mm256_set1_pd(y[i]);
  for (int v = 0; v <= vectors; v++)
    holdfast_doubles_add_four(low + 4 * v, high + 4 * v, x + 4 * v, factors);
}

/// Adds to the square of a number the products of the four limbs at `x` and all from there on, the
/// squares once, the others twice; `vectors` counts those from there on.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_square_row(
    int64_t *low, int64_t *high, const double *x, const int vectors) {
  const __m256d zero = _mm256_setzero_pd();
  __m256d twice[4], once[4], shifted[4];
  HOLDFAST_LIMBS(i, 4) {
    const __m256d own = _mm256_set1_pd(x[i]);
    twice[i] = _mm256_add_pd(own, own);
    // Limb i meets itself at lane 0 of its vector, or at lane 2, where those below are done.
    once[i] = i % 2 == 0 ? _mm256_blend_pd(twice[i], own, 1)
                         : _mm256_blend_pd(_mm256_blend_pd(twice[i], own, 4), zero, 3);
  }
  shifted[0] = _mm256_loadu_pd(x);
  shifted[1] = _mm256_loadu_pd(x - 1);
  holdfast_doubles_add(low, high, shifted, once, 2);
  once[0] = twice[0];
  once[1] = twice[1];
  holdfast_doubles_add_four(low + 4, high + 4, x + 4, once);
  for (int v = 2; v <= vectors; v++)
    holdfast_doubles_add_four(low + 4 * v, high + 4 * v, x + 4 * v, twice);
}

/// Clears the lowest four positions of a product: returns the carry out of their limbs, and adds
/// their multiples of the modulus to those above. `m` is (n' + 1) / 2^100, two limbs shorter than
/// numbers; a zero before and four after it are read.
HOLDFAST_DOUBLES_INLINE int64_t holdfast_doubles_reduce(
    int64_t *low, int64_t *high, int64_t carry, const double *m, const int vectors) {
  const int64_t m0 = (int64_t)m[0], m1 = (int64_t)m[1];
  const int64_t u0 = low[0] + high[-1] + carry, d0 = u0 & HOLDFAST_MASK;
  const int64_t u1 = low[1] + high[0] + (u0 >> 50), d1 = u1 & HOLDFAST_MASK;
  const __int128 u2 = (__int128)d0 * m0 + (low[2] + high[1] + (u1 >> 50));
  const int64_t d2 = (int64_t)u2 & HOLDFAST_MASK;
  const __int128 u3 = (__int128)d0 * m1 + (__int128)d1 * m0
                      + (low[3] + high[2] + (int64_t)(u2 >> 50));
  const int64_t d3 = (int64_t)u3 & HOLDFAST_MASK;
  __m256d factors[4];
  factors[0] = _mm256_set1_pd((double)d0);
  factors[1] = _mm256_set1_pd((double)d1);
  factors[2] = _mm256_set1_pd((double)d2);
  factors[3] = _mm256_set1_pd((double)d3);
  for (int v = 1; v <= vectors; v++)
    holdfast_doubles_add_four(low + 4 * v, high + 4 * v, m + 4 * v - 2, factors);
  return (int64_t)(u3 >> 50);
}

/// Writes the sums of both parts as limbs, after one round of carries. The last limb keeps all that
/// it has: it may be negative before the carry from below.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_store(
    double *result, const int64_t *low, const int64_t *high, const int vectors) {
  // Shifts see no negative numbers, but carries that are 2^12 too much.
  const int64_t raise = 1LL << 62, less = (int64_t)HOLDFAST_SPLIT_BITS(0) - (1LL << 12);
  const __m256i above = _mm256_set1_epi64x(raise);
  const __m256i mask = _mm256_set1_epi64x(HOLDFAST_MASK), bits = _mm256_set1_epi64x(less);
  const __m256i lastMask = _mm256_set_epi64x(-1, HOLDFAST_MASK, HOLDFAST_MASK, HOLDFAST_MASK);
  const __m256i lastBits = _mm256_set_epi64x(less - raise, less, less, less);
  // The carries of each limb, a limb higher; the first lane is the last of the vector before.
  __m256i before = _mm256_set1_epi64x(1LL << 12);
  for (int v = 0; v < vectors; v++) {
    const int isLast = v == vectors - 1;
    const __m256i sum = _mm256_add_epi64(
        _mm256_loadu_si256((const __m256i *)(low + 4 * v)),
        _mm256_loadu_si256((const __m256i *)(high + 4 * v - 1)));
    const __m256i raised = _mm256_add_epi64(sum, above);
    const __m256i carries = _mm256_permute4x64_epi64(_mm256_srli_epi64(raised, 50), 0x93);
    const __m256i limbs = _mm256_add_epi64(
        _mm256_and_si256(raised, isLast ? lastMask : mask),
        _mm256_blend_epi32(carries, before, 3));
    _mm256_storeu_pd(
        result + 4 * v, holdfast_double(_mm256_add_epi64(limbs, isLast ? lastBits : bits)));
    before = carries;
  }
}

/// left * right / 2^(200 vectors) modulo n'.
HOLDFAST_DOUBLES_INLINE void holdfast_doubles_compute(
    double *result, const double *left, const double *right, const double *m, const int squares,
    const int vectors) {
  // Four zeros before and after the factor of which all vectors are read.
  double padded[4 * 21 + 8], *const x = padded + 4;
  int64_t sums[2 * 8 * 21 + 4], *const low = sums, *const high = sums + 8 * vectors + 4;
  _mm256_storeu_pd(x - 4, _mm256_setzero_pd());
  for (int v = 0; v < vectors; v++)
    _mm256_storeu_pd(x + 4 * v, _mm256_loadu_pd(left + 4 * v));
  _mm256_storeu_pd(x + 4 * vectors, _mm256_setzero_pd());
  holdfast_doubles_begin(low, high, squares, vectors);
  for (int b = 0; b < vectors; b++) {
    if (squares)
      holdfast_doubles_square_row(low + 8 * b, high + 8 * b, x + 4 * b, vectors - b);
    else
      holdfast_doubles_row(low + 4 * b, high + 4 * b, x, right + 4 * b, vectors);
  }
  int64_t carry = 0;
  for (int b = 0; b < vectors; b++)
    carry = holdfast_doubles_reduce(low + 4 * b, high + 4 * b, carry, m, vectors);
  low[4 * vectors] += carry;
  holdfast_doubles_store(result, low + 4 * vectors, high + 4 * vectors, vectors);
}

// A function for each size, so that loops have constant lengths.
#define HOLDFAST_SIZE(name, squares, vectors)                                                   \
  HOLDFAST_DOUBLES __attribute__((noinline)) void name(                                         \
      double *result, const double *left, const double *right, const double *m) {               \
    holdfast_doubles_compute(result, left, right, m, squares, vectors);                         \
  }
HOLDFAST_SIZE(holdfast_doubles_square44, 1, 11)
HOLDFAST_SIZE(holdfast_doubles_square64, 1, 16)
HOLDFAST_SIZE(holdfast_doubles_square84, 1, 21)
HOLDFAST_SIZE(holdfast_doubles_product44, 0, 11)
HOLDFAST_SIZE(holdfast_doubles_product64, 0, 16)
HOLDFAST_SIZE(holdfast_doubles_product84, 0, 21)
#undef HOLDFAST_SIZE

/// Computes left * right / R in 44, 64 or 84 limbs, with R = 2^(50 * limbs) and a modulus n' below
/// R / 4; does nothing for other sizes. `m` is (n' + 1) / 2^100 in as many limbs, with a zero before
/// them and two after.
///
/// `result` may be one of the factors. With factors below 2 n' the result is below that as well.
static inline void holdfast_doubles_product(
    double *result, const double *left, const double *right, const double *m, int limbs) {
  const int squares = left == right;
  switch (limbs) {
  case 44:
    if (squares) holdfast_doubles_square44(result, left, right, m);
    else holdfast_doubles_product44(result, left, right, m);
    break;
  case 64:
    if (squares) holdfast_doubles_square64(result, left, right, m);
    else holdfast_doubles_product64(result, left, right, m);
    break;
  case 84:
    if (squares) holdfast_doubles_square84(result, left, right, m);
    else holdfast_doubles_product84(result, left, right, m);
    break;
  }
}

#undef HOLDFAST_UPPER
#undef HOLDFAST_UPPER_BITS
#undef HOLDFAST_MASK

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_doubles_supported(void) { return 0; }

static inline void holdfast_doubles_product(
    double *result, const double *left, const double *right, const double *m, int limbs) {
  (void)result;
  (void)left;
  (void)right;
  (void)m;
  (void)limbs;
}

#endif
#endif
