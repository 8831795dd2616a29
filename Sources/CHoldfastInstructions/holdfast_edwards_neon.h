#ifndef HOLDFAST_EDWARDS_NEON_H
#define HOLDFAST_EDWARDS_NEON_H

// The doublings and additions of holdfast_edwards.h with NEON's multiplications of 32 bits, for processors
// that gain by them: see holdfast_neon.h.

#include <stdint.h>

#if defined(__AARCH64EL__) && defined(__clang__)

#include <arm_neon.h>

#define HOLDFAST_NEON __attribute__((always_inline)) static inline
#define HOLDFAST_LIMBS(index, count) \
  _Pragma("clang loop unroll(full)") for (int index = 0; index < count; index++)

/// Keeps the compiler from computing what follows before what precedes: for want of registers it would
/// store the sums.
#ifndef HOLDFAST_IN_ORDER
#define HOLDFAST_IN_ORDER(x, y) __asm__ volatile("" : "+w"(x), "+w"(y))
#endif

/// Four numbers modulo p = 2^255 - 19, one in each lane, in ten limbs of 26 and 25 bits in turns, which
/// may be negative. *Carried* limbs are at most 2^25 + 2^15 or 2^24 + 2^15 in size. Steps need no other
/// carries than those of products.
typedef struct {
  int32x4_t limb[10];
} holdfast_edwards_neon_four;

HOLDFAST_NEON holdfast_edwards_neon_four holdfast_edwards_neon_load(const uint64_t *words) {
  holdfast_edwards_neon_four result;
  HOLDFAST_LIMBS(i, 5) {
    // Not vld2q, of whose registers the compiler makes pairs that it stores and moves.
    const int32x4_t x = vreinterpretq_s32_u64(vld1q_u64(words + 4 * i));
    const int32x4_t y = vreinterpretq_s32_u64(vld1q_u64(words + 4 * i + 2));
    result.limb[2 * i] = vuzp1q_s32(x, y);
    result.limb[2 * i + 1] = vuzp2q_s32(x, y);
  }
  return result;
}

HOLDFAST_NEON void holdfast_edwards_neon_store(uint64_t *words, holdfast_edwards_neon_four x) {
  HOLDFAST_LIMBS(i, 5) {
    const int32x4_t even = x.limb[2 * i], odd = x.limb[2 * i + 1];
    vst1q_u64(words + 4 * i, vreinterpretq_u64_s32(vzip1q_s32(even, odd)));
    vst1q_u64(words + 4 * i + 2, vreinterpretq_u64_s32(vzip2q_s32(even, odd)));
  }
}

#define HOLDFAST_BELOW(i) ((1LL << (26 - (i) % 2)) - 1)

/// Moves the bits above each limb of a product to the next one.
HOLDFAST_NEON void holdfast_edwards_neon_carry(int64x2_t *sum) {
  int64x2_t rest[10];
  HOLDFAST_LIMBS(i, 10) rest[i] = vandq_s64(sum[i], vdupq_n_s64(HOLDFAST_BELOW(i)));
  // 2^255 is 19.
  const int64x2_t top = vshrq_n_s64(sum[9], 25);
  const int64x2_t thrice = vaddq_s64(top, vshlq_n_s64(top, 1));
  const int64x2_t lowest = vaddq_s64(vaddq_s64(rest[0], thrice), vshlq_n_s64(top, 4));
  HOLDFAST_LIMBS(i, 5) {
    rest[2 * i + 1] = vsraq_n_s64(rest[2 * i + 1], sum[2 * i], 26);
    if (i < 4) rest[2 * i + 2] = vsraq_n_s64(rest[2 * i + 2], sum[2 * i + 1], 25);
  }
  sum[0] = lowest;
  HOLDFAST_LIMBS(i, 9) sum[i + 1] = rest[i + 1];
}

/// The carried number of a product, of which `low` has two lanes, and `high` the others.
HOLDFAST_NEON holdfast_edwards_neon_four holdfast_edwards_neon_folded(
    int64x2_t *low, int64x2_t *high) {
  holdfast_edwards_neon_carry(low);
  holdfast_edwards_neon_carry(high);
  // Now to the nearest, so that limbs are small: the carries fit into 32 bits.
  int32x4_t carry[10], rest[10];
  HOLDFAST_LIMBS(i, 10) {
    const int32x4_t bits = vcombine_s32(vmovn_s64(low[i]), vmovn_s64(high[i]));
    if (i % 2 == 0) {
      carry[i] = vcombine_s32(vrshrn_n_s64(low[i], 26), vrshrn_n_s64(high[i], 26));
      rest[i] = vsubq_s32(bits, vshlq_n_s32(carry[i], 26));
    } else {
      carry[i] = vcombine_s32(vrshrn_n_s64(low[i], 25), vrshrn_n_s64(high[i], 25));
      rest[i] = vsubq_s32(bits, vshlq_n_s32(carry[i], 25));
    }
  }
  holdfast_edwards_neon_four result;
  result.limb[0] = vmlaq_n_s32(rest[0], carry[9], 19);
  HOLDFAST_LIMBS(i, 9) result.limb[i + 1] = vaddq_s32(rest[i + 1], carry[i]);
  return result;
}

/// Adds to the sum of column `k` a product of limbs in each lane.
#define HOLDFAST_ADD(k, left, right)                                          \
  low[k] = vmlal_s32(low[k], vget_low_s32(left), vget_low_s32(right));        \
  high[k] = vmlal_high_s32(high[k], left, right)

/// The product of sums of four carried numbers and of three.
HOLDFAST_NEON holdfast_edwards_neon_four holdfast_edwards_neon_product(
    holdfast_edwards_neon_four x, holdfast_edwards_neon_four y) {
  int32x4_t wrapped[10];
  int64x2_t low[10], high[10];
  HOLDFAST_LIMBS(i, 10) {
    wrapped[i] = vmulq_n_s32(y.limb[i], 19);
    low[i] = high[i] = vdupq_n_s64(0);
  }
  HOLDFAST_LIMBS(i, 10) {
    // Two limbs of 25 bits begin one bit below the limb at the place of their product.
    const int32x4_t once = x.limb[i], twice = vaddq_s32(once, once);
    HOLDFAST_LIMBS(j, 10) {
      HOLDFAST_ADD((i + j) % 10, i % 2 && j % 2 ? twice : once,
                   i + j > 9 ? wrapped[j] : y.limb[j]);
    }
    HOLDFAST_LIMBS(k, 10) HOLDFAST_IN_ORDER(low[k], high[k]);
  }
  return holdfast_edwards_neon_folded(low, high);
}

/// The square of a sum of two carried numbers.
HOLDFAST_NEON holdfast_edwards_neon_four holdfast_edwards_neon_square(
    holdfast_edwards_neon_four x) {
  int32x4_t wrapped[10];
  int64x2_t low[10], high[10];
  HOLDFAST_LIMBS(i, 10) {
    wrapped[i] = vmulq_n_s32(x.limb[i], 19);
    low[i] = high[i] = vdupq_n_s64(0);
  }
  HOLDFAST_LIMBS(i, 10) {
    const int32x4_t once = x.limb[i], twice = vaddq_s32(once, once);
    const int32x4_t four = vaddq_s32(twice, twice);
    HOLDFAST_LIMBS(j, 10) {
      const int doublings = (i != j) + (i % 2 && j % 2);
      if (j >= i) {
        HOLDFAST_ADD((i + j) % 10, doublings == 0 ? once : doublings == 1 ? twice : four,
                     i + j > 9 ? wrapped[j] : x.limb[j]);
      }
    }
    HOLDFAST_LIMBS(k, 10) HOLDFAST_IN_ORDER(low[k], high[k]);
  }
  return holdfast_edwards_neon_folded(low, high);
}

#undef HOLDFAST_ADD

/// Doubles a point: 20 words, carried, of the numbers X, Y, Z, T.
static inline void holdfast_edwards_neon_double(uint64_t *point) {
  holdfast_edwards_neon_four x = holdfast_edwards_neon_load(point), left, right;
  HOLDFAST_LIMBS(i, 10) {  // X, Y, Z, X + Y
    const int32x4_t sums = vpaddq_s32(x.limb[i], x.limb[i]);
    x.limb[i] = vcopyq_laneq_s32(x.limb[i], 3, sums, 0);
  }
  // A, B, C = Z^2, S = (X + Y)^2
  const holdfast_edwards_neon_four square = holdfast_edwards_neon_square(x);
  HOLDFAST_LIMBS(i, 10) {
    const int32x4_t all = square.limb[i], twice = vaddq_s32(all, all);
    const int32x4_t a = vdupq_laneq_s32(all, 0), b = vdupq_laneq_s32(all, 1);
    const int32x4_t g = vsubq_s32(a, b), h = vaddq_s32(a, b);
    const int32x4_t f = vaddq_s32(g, vdupq_laneq_s32(twice, 2));
    const int32x4_t e = vsubq_s32(h, vdupq_laneq_s32(all, 3));
    left.limb[i] = vtrn1q_s32(f, h);  // F, H, F, H
    right.limb[i] =                   // E, G, G, E
        vcombine_s32(vget_low_s32(vtrn1q_s32(e, g)), vget_low_s32(vtrn1q_s32(g, e)));
  }
  holdfast_edwards_neon_store(point, holdfast_edwards_neon_product(left, right));
}

/// The lower bits of four words that a mask has.
HOLDFAST_NEON int32x4_t holdfast_edwards_neon_bits(
    uint64x2_t first, uint64x2_t second, int32_t mask) {
  return vandq_s32(
      vreinterpretq_s32_u32(vcombine_u32(vmovn_u64(first), vmovn_u64(second))),
      vdupq_n_s32(mask));
}

/// The limbs of the numbers `first`, `second`, 2 and `third`, each four words.
HOLDFAST_NEON holdfast_edwards_neon_four holdfast_edwards_neon_factors(
    const uint64_t *first, const uint64_t *second, const uint64_t *third) {
  const uint64_t two[4] = {2, 0, 0, 0};
  uint64x2_t one[4], other[4];
  HOLDFAST_LIMBS(i, 2) {
    const uint64x2_t x = vld1q_u64(first + 2 * i), y = vld1q_u64(second + 2 * i);
    const uint64x2_t z = vld1q_u64(two + 2 * i), t = vld1q_u64(third + 2 * i);
    one[2 * i] = vtrn1q_u64(x, y);
    one[2 * i + 1] = vtrn2q_u64(x, y);
    other[2 * i] = vtrn1q_u64(z, t);
    other[2 * i + 1] = vtrn2q_u64(z, t);
  }
#define HOLDFAST_WITHIN(w, shift, mask)                                                   \
  holdfast_edwards_neon_bits(vshrq_n_u64(one[w], shift), vshrq_n_u64(other[w], shift), mask)
#define HOLDFAST_ACROSS(w, shift, mask)                                                   \
  holdfast_edwards_neon_bits(                                                             \
      vorrq_u64(vshrq_n_u64(one[w], shift), vshlq_n_u64(one[w + 1], 64 - (shift))),       \
      vorrq_u64(vshrq_n_u64(other[w], shift), vshlq_n_u64(other[w + 1], 64 - (shift))), mask)
  holdfast_edwards_neon_four result;
  const int32_t even = (1 << 26) - 1, odd = (1 << 25) - 1;
  result.limb[0] = holdfast_edwards_neon_bits(one[0], other[0], even);
  result.limb[1] = HOLDFAST_WITHIN(0, 26, odd);
  result.limb[2] = HOLDFAST_ACROSS(0, 51, even);
  result.limb[3] = HOLDFAST_WITHIN(1, 13, odd);
  result.limb[4] = HOLDFAST_WITHIN(1, 38, even);
  result.limb[5] = holdfast_edwards_neon_bits(one[2], other[2], odd);
  result.limb[6] = HOLDFAST_WITHIN(2, 25, even);
  result.limb[7] = HOLDFAST_ACROSS(2, 51, odd);
  result.limb[8] = HOLDFAST_WITHIN(3, 12, even);
  // The last limb has all bits that are left, which may be 26.
  result.limb[9] = HOLDFAST_WITHIN(3, 38, even);
#undef HOLDFAST_WITHIN
#undef HOLDFAST_ACROSS
  return result;
}

/// Adds to a point one that is given by y + x, y - x and 2dxy of its affine coordinates, each four
/// words below 2^256; or subtracts it.
static inline void holdfast_edwards_neon_add(
    uint64_t *point, const uint64_t *addend, int subtracts) {
  holdfast_edwards_neon_four x = holdfast_edwards_neon_load(point), left, right;
  // A subtraction adds (-x, y): the first two factors change places, and the third its sign.
  const holdfast_edwards_neon_four factors = holdfast_edwards_neon_factors(
      addend + (subtracts ? 0 : 4), addend + (subtracts ? 4 : 0), addend + 8);
  HOLDFAST_LIMBS(i, 10) {  // Y - X, Y + X, Z, T
    const int32x4_t swapped = vrev64q_s32(x.limb[i]);
    const int32x4_t sums = vaddq_s32(swapped, x.limb[i]);
    const int32x4_t differences = vsubq_s32(swapped, x.limb[i]);
    x.limb[i] = vcopyq_laneq_s32(
        vcopyq_laneq_s32(x.limb[i], 0, differences, 0), 1, sums, 1);
  }
  // A, B, D, C
  const holdfast_edwards_neon_four product = holdfast_edwards_neon_product(x, factors);
  HOLDFAST_LIMBS(i, 10) {
    const int32x4_t swapped = vrev64q_s32(product.limb[i]);
    const int32x4_t sums = vaddq_s32(swapped, product.limb[i]);         // H, H, D + C
    const int32x4_t differences = vsubq_s32(swapped, product.limb[i]);  // E, -E, C - D, D - C
    const int32x4_t g = subtracts ? differences : sums, f = subtracts ? sums : differences;
    const int32x4_t e = vdupq_laneq_s32(differences, 0);
    left.limb[i] = vzip1q_s32(vdupq_laneq_s32(f, 3), sums);  // F, H, F, H
    const int32x4_t all = vdupq_laneq_s32(g, 3);
    right.limb[i] =                                          // E, G, G, E
        vcombine_s32(vget_low_s32(vtrn1q_s32(e, all)), vget_low_s32(vtrn1q_s32(all, e)));
  }
  holdfast_edwards_neon_store(point, holdfast_edwards_neon_product(left, right));
}

#undef HOLDFAST_NEON
#undef HOLDFAST_LIMBS
#undef HOLDFAST_BELOW

#else

/// No instructions known to this header: the Swift version is used.
static inline void holdfast_edwards_neon_double(uint64_t *point) { (void)point; }

static inline void holdfast_edwards_neon_add(
    uint64_t *point, const uint64_t *addend, int subtracts) {
  (void)point;
  (void)addend;
  (void)subtracts;
}

#endif
#endif
