#ifndef EMULATED_NEON_H
#define EMULATED_NEON_H

// The instructions of Arm's processors that the headers use, in plain C.

#include <stdint.h>
#include <string.h>

#include "emulated_sha2.h"

#define EMULATED __attribute__((always_inline)) static inline

typedef struct {
  uint32_t word[4];
} uint32x4_t;

typedef struct {
  uint8_t byte[16];
} uint8x16_t;

#define EMULATED_WORDS for (int i = 0; i < 4; i++)

EMULATED uint32x4_t vld1q_u32(const uint32_t *words) {
  uint32x4_t x;
  memcpy(&x, words, 16);
  return x;
}

EMULATED void vst1q_u32(uint32_t *words, uint32x4_t x) { memcpy(words, &x, 16); }

EMULATED uint8x16_t vld1q_u8(const uint8_t *bytes) {
  uint8x16_t x;
  memcpy(&x, bytes, 16);
  return x;
}

EMULATED uint8x16_t vrev32q_u8(uint8x16_t x) {
  uint8x16_t y;
  for (int i = 0; i < 16; i++) y.byte[i] = x.byte[i ^ 3];
  return y;
}

/// Vectors are little-endian.
EMULATED uint32x4_t vreinterpretq_u32_u8(uint8x16_t x) {
  uint32x4_t y;
  EMULATED_WORDS y.word[i] = (uint32_t)x.byte[4 * i] | (uint32_t)x.byte[4 * i + 1] << 8
      | (uint32_t)x.byte[4 * i + 2] << 16 | (uint32_t)x.byte[4 * i + 3] << 24;
  return y;
}

EMULATED uint32x4_t vdupq_n_u32(uint32_t x) { return (uint32x4_t){{x, x, x, x}}; }

EMULATED uint32x4_t vaddq_u32(uint32x4_t x, uint32x4_t y) {
  EMULATED_WORDS x.word[i] += y.word[i];
  return x;
}

#define vgetq_lane_u32(x, lane) ((x).word[lane])

/// Four rounds; the result is a to d, or e to h.
EMULATED uint32x4_t emulated_vsha256(uint32x4_t abcd, uint32x4_t efgh, uint32x4_t sum, int from) {
  uint32_t state[8];
  memcpy(state, &abcd, 16);
  memcpy(state + 4, &efgh, 16);
  EMULATED_WORDS emulated_sha256_round(state, sum.word[i]);
  return vld1q_u32(state + from);
}

#define vsha256hq_u32(abcd, efgh, sum) emulated_vsha256(abcd, efgh, sum, 0)
#define vsha256h2q_u32(efgh, abcd, sum) emulated_vsha256(abcd, efgh, sum, 4)

EMULATED uint32x4_t vsha256su0q_u32(uint32x4_t w0, uint32x4_t w4) {
  uint32x4_t x;
  EMULATED_WORDS x.word[i] = w0.word[i] + emulated_sigma0(i < 3 ? w0.word[i + 1] : w4.word[0]);
  return x;
}

EMULATED uint32x4_t vsha256su1q_u32(uint32x4_t sum, uint32x4_t w8, uint32x4_t w12) {
  uint32x4_t x;
  EMULATED_WORDS x.word[i] = sum.word[i] + (i < 3 ? w8.word[i + 1] : w12.word[0])
      + emulated_sigma1(i < 2 ? w12.word[i + 2] : x.word[i - 2]);
  return x;
}

#define EMULATED_SHA1(name, function)                                                        \
  EMULATED uint32x4_t name(uint32x4_t abcd, uint32_t e, uint32x4_t sum) {                    \
    uint32_t s[5] = {abcd.word[0], abcd.word[1], abcd.word[2], abcd.word[3], e};             \
    EMULATED_WORDS emulated_sha1_round(s, function(s[1], s[2], s[3]), sum.word[i]);          \
    return vld1q_u32(s);                                                                     \
  }

EMULATED_SHA1(vsha1cq_u32, emulated_choose)
EMULATED_SHA1(vsha1pq_u32, emulated_parity)
EMULATED_SHA1(vsha1mq_u32, emulated_majority)

EMULATED uint32_t vsha1h_u32(uint32_t e) { return emulated_rotated(e, 2); }

EMULATED uint32x4_t vsha1su0q_u32(uint32x4_t w0, uint32x4_t w4, uint32x4_t w8) {
  EMULATED_WORDS w8.word[i] ^= w0.word[i] ^ (i < 2 ? w0.word[i + 2] : w4.word[i - 2]);
  return w8;
}

EMULATED uint32x4_t vsha1su1q_u32(uint32x4_t mixed, uint32x4_t w12) {
  uint32x4_t x;
  EMULATED_WORDS x.word[i] =
      emulated_rotated(mixed.word[i] ^ (i < 3 ? w12.word[i + 1] : x.word[0]), 31);
  return x;
}

#include "emulated_neon.h"

#endif
