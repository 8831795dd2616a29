#ifndef HOLDFAST_KECCAK_H
#define HOLDFAST_KECCAK_H

// Keccak-f[1600] (FIPS 202 §3) on eight states at once, with AVX-512, or with AVX2 four at a time;
// and on one state, with the rotations of BMI2. This is only a header: the functions have their
// target as an attribute, so a build needs no flags, and the program asks the processor once, at run
// time, which of them it may call.

#include <stdint.h>

#if defined(__x86_64__) && defined(__clang__)

#include <cpuid.h>
#include <immintrin.h>

#include "holdfast_registers.h"

/// How many states the processor and the system let one call permute: 8, 4, or 0 for none. Unless it
/// is 0, the processor has BMI and BMI2 as well.
static inline int holdfast_keccak_width(void) {
  const unsigned bmi = 1 << 3 | 1 << 8, avx2 = 1 << 5, avx512 = 1 << 16;
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & bmi) != bmi) return 0;
  if ((b & avx512) && holdfast_saves(HOLDFAST_AVX512_REGISTERS)) return 8;
  return (b & avx2) && holdfast_saves(HOLDFAST_AVX_REGISTERS) ? 4 : 0;
}

/// FIPS 202 §3.2.5.
static const uint64_t holdfast_keccak_constants[24] = {
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
  0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
  0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
  0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
  0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

/// The rotation of the lane x + 5y, §3.2.2.
static const int holdfast_keccak_rotations[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                                  25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

typedef uint64_t holdfast_lanes4 __attribute__((vector_size(32), aligned(8)));
typedef uint64_t holdfast_lanes8 __attribute__((vector_size(64), aligned(8)));

#define HOLDFAST_EACH(index, count) \
  _Pragma("clang loop unroll(full)") for (int index = 0; index < count; index++)
#define HOLDFAST_ROTATE(x, count) ((x) << ((count) & 63) | (x) >> ((64 - (count)) & 63))

// A round: the lanes `to` of those `from`. ρ and π, §3.2.2 and §3.2.3, rotate the lane (x, y) and move
// it to (y, 2x + 3y). One row of the result is computed at a time, for want of registers.
#define HOLDFAST_KECCAK_ROUND(lanes, to, from, constant)                                     \
  do {                                                                                       \
    lanes c[5], d[5];                                                                        \
    HOLDFAST_EACH(x, 5)                                                                      \
      c[x] = from[x] ^ from[x + 5] ^ from[x + 10] ^ from[x + 15] ^ from[x + 20];             \
    HOLDFAST_EACH(x, 5) d[x] = c[(x + 4) % 5] ^ HOLDFAST_ROTATE(c[(x + 1) % 5], 1);          \
    HOLDFAST_EACH(row, 5) {                                                                  \
      lanes b[5];                                                                            \
      HOLDFAST_EACH(y, 5) {                                                                  \
        const int x = (y + 3 * row) % 5;                                                     \
        const lanes lane = from[x + 5 * y] ^ d[x];                                           \
        b[y] = HOLDFAST_ROTATE(lane, holdfast_keccak_rotations[x + 5 * y]);                  \
      }                                                                                      \
      HOLDFAST_EACH(x, 5) to[x + 5 * row] = b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]);       \
    }                                                                                        \
    to[0] ^= holdfast_keccak_constants[constant];                                            \
  } while (0)

// The permutation of as many states as `lanes` has words. Lane i of the first state stands at
// states[stride * i], those of the others follow it.
#define HOLDFAST_KECCAK(name, lanes, stride, processor)                                      \
  __attribute__((target(processor))) static inline void name(uint64_t *states) {             \
    lanes a[25], e[25];                                                                      \
    HOLDFAST_EACH(i, 25) a[i] = *(const lanes *)(states + stride * i);                       \
    for (int round = 0; round < 24; round += 2) {                                            \
      HOLDFAST_KECCAK_ROUND(lanes, e, a, round);                                             \
      HOLDFAST_KECCAK_ROUND(lanes, a, e, round + 1);                                         \
    }                                                                                        \
    HOLDFAST_EACH(i, 25) *(lanes *)(states + stride * i) = a[i];                             \
  }

HOLDFAST_KECCAK(holdfast_keccak_four, holdfast_lanes4, 8, "avx2")
HOLDFAST_KECCAK(holdfast_keccak_eight, holdfast_lanes8, 8, "avx512f")
HOLDFAST_KECCAK(holdfast_keccak_one, uint64_t, 1, "bmi,bmi2")

#undef HOLDFAST_KECCAK
#undef HOLDFAST_KECCAK_ROUND
#undef HOLDFAST_ROTATE
#undef HOLDFAST_EACH

/// Permutes eight states, as many in a call as the processor allows. Lane i of state s is
/// states[8 * i + s].
static inline void holdfast_keccak_permute(uint64_t *states, int width) {
  if (width == 8) {
    holdfast_keccak_eight(states);
  } else if (width == 4) {
    holdfast_keccak_four(states);
    holdfast_keccak_four(states + 4);
  }
}

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_keccak_width(void) { return 0; }

static inline void holdfast_keccak_permute(uint64_t *states, int width) {
  (void)states;
  (void)width;
}

static inline void holdfast_keccak_one(uint64_t *state) { (void)state; }

#endif
#endif
