#ifndef EMULATED_SHA2_H
#define EMULATED_SHA2_H

// What the processors' SHA instructions are made of. FIPS 180-4 §4.1.

#include <stdint.h>

static inline uint32_t emulated_rotated(uint32_t x, int right) {
  return x >> right | x << (32 - right);
}

static inline uint32_t emulated_choose(uint32_t x, uint32_t y, uint32_t z) {
  return (x & y) ^ (~x & z);
}

static inline uint32_t emulated_majority(uint32_t x, uint32_t y, uint32_t z) {
  return (x & y) ^ (x & z) ^ (y & z);
}

static inline uint32_t emulated_parity(uint32_t x, uint32_t y, uint32_t z) { return x ^ y ^ z; }

/// σ0 and σ1.
static inline uint32_t emulated_sigma0(uint32_t x) {
  return emulated_rotated(x, 7) ^ emulated_rotated(x, 18) ^ x >> 3;
}

static inline uint32_t emulated_sigma1(uint32_t x) {
  return emulated_rotated(x, 17) ^ emulated_rotated(x, 19) ^ x >> 10;
}

/// A round on a to h, with the sum of word and constant. FIPS 180-4 §6.2.2, step 3.
static inline void emulated_sha256_round(uint32_t *s, uint32_t sum) {
  const uint32_t t1 = s[7] + sum + emulated_choose(s[4], s[5], s[6])
      + (emulated_rotated(s[4], 6) ^ emulated_rotated(s[4], 11) ^ emulated_rotated(s[4], 25));
  const uint32_t t2 = emulated_majority(s[0], s[1], s[2])
      + (emulated_rotated(s[0], 2) ^ emulated_rotated(s[0], 13) ^ emulated_rotated(s[0], 22));
  for (int i = 7; i > 0; i--) s[i] = s[i - 1];
  s[4] += t1;
  s[0] = t1 + t2;
}

/// A round on a to e, with the value of the round's function and the sum of word and constant.
/// FIPS 180-4 §6.1.2, step 3.
static inline void emulated_sha1_round(uint32_t *s, uint32_t function, uint32_t sum) {
  const uint32_t t = emulated_rotated(s[0], 27) + function + s[4] + sum;
  s[4] = s[3];
  s[3] = s[2];
  s[2] = emulated_rotated(s[1], 2);
  s[1] = s[0];
  s[0] = t;
}

#endif
