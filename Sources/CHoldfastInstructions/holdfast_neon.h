#ifndef HOLDFAST_NEON_H
#define HOLDFAST_NEON_H

// Montgomery products with NEON's multiplications of 32 bits. All 64-bit processors of Arm have them; they
// are used where a product of 64 bits takes several cycles, and two of these take one.

#include <stdint.h>

#if defined(__AARCH64EL__) && defined(__clang__)

#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

// Numbers have limbs of 28 bits. Four columns of a product are computed at once: each is the sum of at
// most 224 products of limbs, which fits into 64 bits.
//
// The modulus n has a multiple n' that is -1 modulo 2^56. So the multiple of n' that clears a limb is
// that limb times n': it drops the limb, and adds the limb times (n' + 1) / 2^56, two limbs higher.
// Results are below 2 n'.

#ifndef HOLDFAST_READ_IDENTITY
#define HOLDFAST_READ_IDENTITY(identity) __asm__("mrs %0, MIDR_EL1" : "=r"(identity))
#endif

/// Whether the processor gains by them: those whose multiplier takes seven cycles for a product of 64 bits
/// and its upper half. Neoverse N2 and V2 lose. The kernel says whether it answers the question (bit 11 of
/// AT_HWCAP, which is 16).
static inline int holdfast_neon_gains(void) {
#if defined(__linux__)
  if (!((getauxval(16) >> 11) & 1)) return 0;
  uint64_t identity = 0;
  HOLDFAST_READ_IDENTITY(identity);
  const uint64_t implementer = (identity >> 24) & 0xff, part = (identity >> 4) & 0xfff;
  return implementer == 0x41 && part == 0xd0c;  // Arm, Neoverse N1
#else
  return 0;
#endif
}

#define HOLDFAST_NEON __attribute__((always_inline)) static inline
#define HOLDFAST_MASK ((1ULL << 28) - 1)
/// The most limbs.
#define HOLDFAST_MOST 112

/// Sums for four columns, two in a vector, in four parts: a sum waits for the one before.
typedef struct {
  uint64x2_t low[4], high[4];
} holdfast_neon_columns;

/// Adds to one of the parts the products of the limbs of a vector and one of another.
#define HOLDFAST_ADD(part, limbs, y, lane)                                          \
  sum.low[part] = vmlal_laneq_u32(sum.low[part], vget_low_u32(limbs), y, lane);     \
  sum.high[part] = vmlal_high_laneq_u32(sum.high[part], limbs, y, lane)

/// Adds to four columns the products of the blocks of four limbs of `y` from `first` to before `end`:
/// the first limb of block 0 times the four limbs from `place` of `x` on, and each next limb times those
/// one place lower.
HOLDFAST_NEON holdfast_neon_columns holdfast_neon_blocks(
    holdfast_neon_columns sum, const uint32_t *x, int place, const uint32_t *y, int first, int end) {
  for (int block = first; block < end; block++) {
    const uint32_t *row = x + (place - 4 * block);
    const uint32x4_t factors = vld1q_u32(y + 4 * block);
    HOLDFAST_ADD(0, vld1q_u32(row), factors, 0);
    HOLDFAST_ADD(1, vld1q_u32(row - 1), factors, 1);
    HOLDFAST_ADD(2, vld1q_u32(row - 2), factors, 2);
    HOLDFAST_ADD(3, vld1q_u32(row - 3), factors, 3);
  }
  return sum;
}

/// Adds the products of different limbs of a number that count in block `k` of its square, once, with one
/// factor doubled, and the squares of limbs 2 k, in the first column, and 2 k + 1, in the third.
HOLDFAST_NEON holdfast_neon_columns holdfast_neon_square_columns(
    holdfast_neon_columns sum, const uint32_t *x, const uint32_t *twice, int k, int first,
    const int isOdd) {
  sum = holdfast_neon_blocks(sum, twice, 4 * k, x, first, k / 2);
  const uint32x4_t factors = vld1q_u32(x + 4 * (k / 2));
  const int32_t even[4] = {0, 1, 1, 1}, odd[4] = {-32, -32, 0, 1};
  const uint32x4_t row = vshlq_u32(vld1q_u32(x + 2 * k), vld1q_s32(even));
  const uint32x4_t last = vshlq_u32(vld1q_u32(x + 2 * k - 1), vld1q_s32(odd));
  if (isOdd) {
    HOLDFAST_ADD(0, vld1q_u32(twice + 2 * k + 2), factors, 0);
    HOLDFAST_ADD(1, vld1q_u32(twice + 2 * k + 1), factors, 1);
    HOLDFAST_ADD(2, row, factors, 2);
    sum.high[3] = vmlal_high_laneq_u32(sum.high[3], last, factors, 3);
  } else {
    HOLDFAST_ADD(0, row, factors, 0);
    sum.high[1] = vmlal_high_laneq_u32(sum.high[1], last, factors, 1);
  }
  return sum;
}

/// Computes block `k` of a product and its reduction: four digits of the multiple of n', or four limbs of
/// the result. Returns the carry.
HOLDFAST_NEON uint64_t holdfast_neon_block(
    uint32_t *result, uint32_t *digits, const uint32_t *x, const uint32_t *twice,
    const uint32_t *right, const uint32_t *m, uint64_t carry, int k, const int isOdd,
    const int squares, int blocks) {
  const int isLower = k < blocks, first = isLower ? 0 : k - blocks;
  const uint64x2_t zero = vdupq_n_u64(0);
  holdfast_neon_columns sum;
  for (int part = 0; part < 4; part++) sum.low[part] = sum.high[part] = zero;
  if (squares) sum = holdfast_neon_square_columns(sum, x, twice, k, first, isOdd);
  else sum = holdfast_neon_blocks(sum, x, 4 * k, right, first, isLower ? k + 1 : blocks);
  sum = holdfast_neon_blocks(sum, m, 4 * k - 2, digits, first, isLower ? k : blocks);
  const uint64x2_t low = vaddq_u64(
      vaddq_u64(sum.low[0], sum.low[1]), vaddq_u64(sum.low[2], sum.low[3]));
  const uint64x2_t high = vaddq_u64(
      vaddq_u64(sum.high[0], sum.high[1]), vaddq_u64(sum.high[2], sum.high[3]));
  const uint64_t u0 = vgetq_lane_u64(low, 0) + carry, d0 = u0 & HOLDFAST_MASK;
  const uint64_t u1 = vgetq_lane_u64(low, 1) + (u0 >> 28), d1 = u1 & HOLDFAST_MASK;
  // What the first digits of this block add to its last ones.
  const uint64_t m0 = isLower ? m[0] : 0, m1 = isLower ? m[1] : 0;
  const uint64_t u2 = vgetq_lane_u64(high, 0) + (u1 >> 28) + d0 * m0, d2 = u2 & HOLDFAST_MASK;
  const uint64_t u3 = vgetq_lane_u64(high, 1) + (u2 >> 28) + d0 * m1 + d1 * m0;
  const uint64_t d3 = u3 & HOLDFAST_MASK;
  const uint32x4_t limbs = vreinterpretq_u32_u64(
      vcombine_u64(vcreate_u64(d0 | d1 << 32), vcreate_u64(d2 | d3 << 32)));
  vst1q_u32(isLower ? digits + 4 * k : result + 4 * first, limbs);
  return u3 >> 28;
}

/// left * right / 2^(112 blocks) modulo n'. A limb of `right` is read before one of `result` at its place
/// is written, so they may be the same.
HOLDFAST_NEON void holdfast_neon_compute(
    uint32_t *result, const uint32_t *left, const uint32_t *right, const uint32_t *m,
    const int squares, int blocks) {
  uint32_t first[HOLDFAST_MOST + 8], second[HOLDFAST_MOST + 8], digits[HOLDFAST_MOST];
  // Four zeros before and after the factor of which all limbs are read, and after twice that.
  uint32_t *const x = first + 4, *const twice = second + 4;
  vst1q_u32(x - 4, vdupq_n_u32(0));
  for (int block = 0; block < blocks; block++) {
    const uint32x4_t limbs = vld1q_u32(left + 4 * block);
    vst1q_u32(x + 4 * block, limbs);
    if (squares) vst1q_u32(twice + 4 * block, vaddq_u32(limbs, limbs));
  }
  vst1q_u32(x + 4 * blocks, vdupq_n_u32(0));
  vst1q_u32(twice + 4 * blocks, vdupq_n_u32(0));
  uint64_t carry = 0;
  for (int k = 0; k < 2 * blocks; k += 2) {
    carry = holdfast_neon_block(result, digits, x, twice, right, m, carry, k, 0, squares, blocks);
    carry = holdfast_neon_block(result, digits, x, twice, right, m, carry, k + 1, 1, squares, blocks);
  }
}

__attribute__((noinline)) static void holdfast_neon_squared(
    uint32_t *result, const uint32_t *left, const uint32_t *m, int blocks) {
  holdfast_neon_compute(result, left, left, m, 1, blocks);
}

__attribute__((noinline)) static void holdfast_neon_multiplied(
    uint32_t *result, const uint32_t *left, const uint32_t *right, const uint32_t *m, int blocks) {
  holdfast_neon_compute(result, left, right, m, 0, blocks);
}

/// Computes left * right / R in at most 112 limbs, whole blocks of four, with R = 2^(28 * limbs) and a
/// modulus n' below R / 4; does nothing for other sizes. `m` is (n' + 1) / 2^56 in as many limbs, with
/// four zeros before and after them.
///
/// `result` may be one of the factors. With factors below 2 n' the result is below that as well.
static inline void holdfast_neon_product(
    uint32_t *result, const uint32_t *left, const uint32_t *right, const uint32_t *m, int limbs) {
  if (limbs < 4 || limbs > HOLDFAST_MOST || limbs % 4 != 0) return;
  if (left == right) holdfast_neon_squared(result, left, m, limbs / 4);
  else holdfast_neon_multiplied(result, left, right, m, limbs / 4);
}

#undef HOLDFAST_NEON
#undef HOLDFAST_MASK
#undef HOLDFAST_MOST
#undef HOLDFAST_ADD

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_neon_gains(void) { return 0; }

static inline void holdfast_neon_product(
    uint32_t *result, const uint32_t *left, const uint32_t *right, const uint32_t *m, int limbs) {
  (void)result;
  (void)left;
  (void)right;
  (void)m;
  (void)limbs;
}

#endif
#endif
