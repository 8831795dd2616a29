#ifndef EMULATED_NEON_PRODUCTS_H
#define EMULATED_NEON_PRODUCTS_H

// The instructions of holdfast_edwards_neon.h and holdfast_neon.h, in plain C. Included by arm_neon.h. A sum
// that wraps, which no header intends, is counted.

extern _Thread_local uint64_t emulated_wrap_count;

typedef struct {
  int32_t word[2];
} int32x2_t;

typedef struct {
  uint32_t word[2];
} uint32x2_t;

typedef struct {
  int32_t word[4];
} int32x4_t;

typedef struct {
  int64_t word[2];
} int64x2_t;

typedef struct {
  uint64_t word[2];
} uint64x2_t;

/// The number if it fits.
EMULATED int32_t emulated_32(int64_t number) {
  if (number != (int32_t)number) emulated_wrap_count++;
  return (int32_t)number;
}

EMULATED int64_t emulated_64(__int128 number) {
  if (number != (int64_t)number) emulated_wrap_count++;
  return (int64_t)number;
}

EMULATED uint64_t emulated_unsigned(unsigned __int128 number) {
  if (number >> 64) emulated_wrap_count++;
  return (uint64_t)number;
}

// A function that does the same in each word; `i` is its number.
#define EMULATED_NEON(type, count, name, parameters, expression)    \
  EMULATED type name parameters {                                   \
    type result;                                                    \
    for (int i = 0; i < count; i++) result.word[i] = expression;    \
    return result;                                                  \
  }

EMULATED void vst1q_u64(uint64_t *words, uint64x2_t x) { memcpy(words, &x, 16); }

EMULATED_NEON(uint64x2_t, 2, vld1q_u64, (const uint64_t *words), words[i])
EMULATED_NEON(int32x4_t, 4, vdupq_n_s32, (int32_t x), x)
EMULATED_NEON(int64x2_t, 2, vdupq_n_s64, (int64_t x), x)
EMULATED_NEON(int32x4_t, 4, vaddq_s32, (int32x4_t x, int32x4_t y),
              emulated_32((int64_t)x.word[i] + y.word[i]))
/// Of parts of words, too, so that only the result has to fit.
EMULATED_NEON(int32x4_t, 4, vsubq_s32, (int32x4_t x, int32x4_t y),
              (int32_t)((uint32_t)x.word[i] - (uint32_t)y.word[i]))
EMULATED_NEON(int32x4_t, 4, vshlq_n_s32, (int32x4_t x, int count),
              (int32_t)((uint32_t)x.word[i] << count))
EMULATED_NEON(int32x4_t, 4, vpaddq_s32, (int32x4_t x, int32x4_t y),
              i < 2 ? emulated_32((int64_t)x.word[2 * i] + x.word[2 * i + 1])
                    : emulated_32((int64_t)y.word[2 * i - 4] + y.word[2 * i - 3]))
EMULATED_NEON(int32x4_t, 4, vuzp1q_s32, (int32x4_t x, int32x4_t y),
              i < 2 ? x.word[2 * i] : y.word[2 * i - 4])
EMULATED_NEON(int32x4_t, 4, vuzp2q_s32, (int32x4_t x, int32x4_t y),
              i < 2 ? x.word[2 * i + 1] : y.word[2 * i - 3])
EMULATED_NEON(int32x4_t, 4, vzip1q_s32, (int32x4_t x, int32x4_t y),
              i % 2 ? y.word[i / 2] : x.word[i / 2])
EMULATED_NEON(int32x4_t, 4, vzip2q_s32, (int32x4_t x, int32x4_t y),
              i % 2 ? y.word[i / 2 + 2] : x.word[i / 2 + 2])
EMULATED_NEON(int32x4_t, 4, vtrn1q_s32, (int32x4_t x, int32x4_t y),
              i % 2 ? y.word[i - 1] : x.word[i])
EMULATED_NEON(int32x4_t, 4, vcopyq_laneq_s32, (int32x4_t x, int lane, int32x4_t y, int other),
              i == lane ? y.word[other] : x.word[i])
EMULATED_NEON(int32x4_t, 4, vdupq_laneq_s32, (int32x4_t x, int lane), x.word[lane])
/// Vectors are little-endian.
EMULATED_NEON(int32x4_t, 4, vreinterpretq_s32_u64, (uint64x2_t x),
              (int32_t)(x.word[i / 2] >> 32 * (i % 2)))
EMULATED_NEON(uint64x2_t, 2, vreinterpretq_u64_s32, (int32x4_t x),
              (uint32_t)x.word[2 * i] | (uint64_t)(uint32_t)x.word[2 * i + 1] << 32)
/// Rounds to the nearest.
EMULATED_NEON(int32x2_t, 2, vrshrn_n_s64, (int64x2_t x, int count),
              emulated_32(emulated_64((__int128)x.word[i] + (1LL << (count - 1))) >> count))
EMULATED_NEON(uint64x2_t, 2, vaddq_u64, (uint64x2_t x, uint64x2_t y),
              emulated_unsigned((unsigned __int128)x.word[i] + y.word[i]))
EMULATED_NEON(int32x4_t, 4, vmulq_n_s32, (int32x4_t x, int32_t y),
              emulated_32((int64_t)x.word[i] * y))
EMULATED_NEON(int32x4_t, 4, vmlaq_n_s32, (int32x4_t sum, int32x4_t x, int32_t y),
              emulated_32(sum.word[i] + (int64_t)x.word[i] * y))
EMULATED_NEON(int32x4_t, 4, vandq_s32, (int32x4_t x, int32x4_t y), x.word[i] & y.word[i])
EMULATED_NEON(int32x4_t, 4, vrev64q_s32, (int32x4_t x), x.word[i ^ 1])
EMULATED_NEON(int32x2_t, 2, vget_low_s32, (int32x4_t x), x.word[i])
EMULATED_NEON(int32x4_t, 4, vcombine_s32, (int32x2_t x, int32x2_t y), i < 2 ? x.word[i] : y.word[i - 2])
EMULATED_NEON(uint32x4_t, 4, vcombine_u32, (uint32x2_t x, uint32x2_t y),
              i < 2 ? x.word[i] : y.word[i - 2])
EMULATED_NEON(int32x4_t, 4, vreinterpretq_s32_u32, (uint32x4_t x), (int32_t)x.word[i])
EMULATED_NEON(int64x2_t, 2, vaddq_s64, (int64x2_t x, int64x2_t y),
              emulated_64((__int128)x.word[i] + y.word[i]))
EMULATED_NEON(int64x2_t, 2, vandq_s64, (int64x2_t x, int64x2_t y), x.word[i] & y.word[i])
EMULATED_NEON(int64x2_t, 2, vshrq_n_s64, (int64x2_t x, int count), x.word[i] >> count)
EMULATED_NEON(int64x2_t, 2, vsraq_n_s64, (int64x2_t sum, int64x2_t x, int count),
              emulated_64((__int128)sum.word[i] + (x.word[i] >> count)))
EMULATED_NEON(int64x2_t, 2, vshlq_n_s64, (int64x2_t x, int count),
              emulated_64((__int128)x.word[i] * (1 << count)))
EMULATED_NEON(int32x2_t, 2, vmovn_s64, (int64x2_t x), (int32_t)x.word[i])
EMULATED_NEON(uint32x2_t, 2, vmovn_u64, (uint64x2_t x), (uint32_t)x.word[i])
EMULATED_NEON(int64x2_t, 2, vmlal_s32, (int64x2_t sum, int32x2_t x, int32x2_t y),
              emulated_64((__int128)sum.word[i] + (int64_t)x.word[i] * y.word[i]))
EMULATED_NEON(int64x2_t, 2, vmlal_high_s32, (int64x2_t sum, int32x4_t x, int32x4_t y),
              emulated_64((__int128)sum.word[i] + (int64_t)x.word[i + 2] * y.word[i + 2]))
EMULATED_NEON(uint64x2_t, 2, vshrq_n_u64, (uint64x2_t x, int count), x.word[i] >> count)
EMULATED_NEON(uint64x2_t, 2, vshlq_n_u64, (uint64x2_t x, int count), x.word[i] << count)
EMULATED_NEON(uint64x2_t, 2, vorrq_u64, (uint64x2_t x, uint64x2_t y), x.word[i] | y.word[i])
EMULATED_NEON(uint64x2_t, 2, vtrn1q_u64, (uint64x2_t x, uint64x2_t y), i ? y.word[0] : x.word[0])
EMULATED_NEON(uint64x2_t, 2, vtrn2q_u64, (uint64x2_t x, uint64x2_t y), i ? y.word[1] : x.word[1])

EMULATED_NEON(int32x4_t, 4, vld1q_s32, (const int32_t *words), words[i])
EMULATED_NEON(uint64x2_t, 2, vdupq_n_u64, (uint64_t x), x)
EMULATED_NEON(uint32x2_t, 2, vget_low_u32, (uint32x4_t x), x.word[i])
EMULATED_NEON(uint64x2_t, 2, vmlal_laneq_u32, (uint64x2_t sum, uint32x2_t x, uint32x4_t y, int lane),
              emulated_unsigned(sum.word[i] + (unsigned __int128)x.word[i] * y.word[lane]))
EMULATED_NEON(uint64x2_t, 2, vmlal_high_laneq_u32, (uint64x2_t sum, uint32x4_t x, uint32x4_t y, int lane),
              emulated_unsigned(sum.word[i] + (unsigned __int128)x.word[i + 2] * y.word[lane]))
/// Negative counts shift to the right.
EMULATED_NEON(uint32x4_t, 4, vshlq_u32, (uint32x4_t x, int32x4_t counts),
              counts.word[i] >= 0    ? x.word[i] << counts.word[i]
              : counts.word[i] > -32 ? x.word[i] >> -counts.word[i]
                                     : 0)
EMULATED uint64_t vgetq_lane_u64(uint64x2_t x, int lane) { return x.word[lane]; }

typedef uint64_t uint64x1_t;

EMULATED uint64x1_t vcreate_u64(uint64_t x) { return x; }

EMULATED uint64x2_t vcombine_u64(uint64x1_t x, uint64x1_t y) { return (uint64x2_t){{x, y}}; }

/// Vectors are little-endian.
EMULATED_NEON(uint32x4_t, 4, vreinterpretq_u32_u64, (uint64x2_t x),
              (uint32_t)(x.word[i / 2] >> 32 * (i % 2)))

#endif
