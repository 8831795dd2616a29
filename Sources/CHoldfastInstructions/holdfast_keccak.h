#ifndef HOLDFAST_KECCAK_H
#define HOLDFAST_KECCAK_H

// Keccak-f[1600] (FIPS 202 §3) on eight states at once, with AVX-512, or with AVX2 four at a time;
// and on one state, with AVX-512 or with BMI's rotations. This is only a header: the functions have
// their target as an attribute, so a build needs no flags, and the program asks the processor once,
// at run time, which of them it may call.

#include <stdint.h>

#if defined(__x86_64__) && defined(__clang__)

#include <cpuid.h>
#include <immintrin.h>

#include "holdfast_registers.h"

/// How many states the processor and the system let one call permute: 8, 4, or 0 for none. With 4
/// the processor has BMI and BMI2 as well.
static inline int holdfast_keccak_width(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  if (((b >> 16) & 1) && holdfast_saves(HOLDFAST_AVX512_REGISTERS)) return 8;
  const unsigned bmi_avx2_bmi2 = 1 << 3 | 1 << 5 | 1 << 8;
  if ((b & bmi_avx2_bmi2) != bmi_avx2_bmi2) return 0;
  return holdfast_saves(HOLDFAST_AVX_REGISTERS) ? 4 : 0;
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

// The permutation of as many states as `lanes` has words. Lane i of the first state stands at
// states[stride * i], those of the others follow it. ρ and π, §3.2.2 and §3.2.3, rotate the lane
// (x, y) and move it to (y, 2x + 3y).
#define HOLDFAST_KECCAK(name, lanes, stride, processor)                                      \
  __attribute__((target(processor))) static inline void name(uint64_t *states) {             \
    lanes a[25];                                                                             \
    HOLDFAST_EACH(i, 25) a[i] = *(const lanes *)(states + stride * i);                       \
    for (int round = 0; round < 24; round++) {                                               \
      lanes c[5], d[5], b[25];                                                               \
      HOLDFAST_EACH(x, 5) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];        \
      HOLDFAST_EACH(x, 5) d[x] = c[(x + 4) % 5] ^ HOLDFAST_ROTATE(c[(x + 1) % 5], 1);        \
      HOLDFAST_EACH(y, 5) HOLDFAST_EACH(x, 5) {                                              \
        const lanes lane = a[x + 5 * y] ^ d[x];                                              \
        b[y + 5 * ((2 * x + 3 * y) % 5)] =                                                   \
            HOLDFAST_ROTATE(lane, holdfast_keccak_rotations[x + 5 * y]);                     \
      }                                                                                      \
      HOLDFAST_EACH(y, 5) HOLDFAST_EACH(x, 5)                                                \
        a[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);    \
      a[0] ^= holdfast_keccak_constants[round];                                              \
    }                                                                                        \
    HOLDFAST_EACH(i, 25) *(lanes *)(states + stride * i) = a[i];                             \
  }

HOLDFAST_KECCAK(holdfast_keccak_four, holdfast_lanes4, 8, "avx2")
HOLDFAST_KECCAK(holdfast_keccak_eight, holdfast_lanes8, 8, "avx512f")
HOLDFAST_KECCAK(holdfast_keccak_scalar, uint64_t, 1, "bmi,bmi2")

// One state in five registers. For a slope k, register i has the lanes (x, y) of the line
// y = kx + i modulo 5. If k is not 0, each has one lane of every column and of every row: θ combines
// registers whose words are in the order of x, and χ those whose words are in the order of y. π
// makes slope 2 / k + 3 of k: of 3 in turns 2, 4 and 1, from which a lane comes back to slope 3, or
// 0 at the end, with its words in their places.

#define HOLDFAST_AVX512 \
  __attribute__((target("avx512f"), always_inline)) static inline
#define HOLDFAST_MOD5(n) (((n) % 5 + 5) % 5)
#define HOLDFAST_INVERSE5(n) ((n) * (n) * (n))

/// Word j of the result is word mj + n modulo 5.
HOLDFAST_AVX512 __m512i holdfast_keccak_moved(__m512i words, const int m, const int n) {
  uint64_t index[8] = {0};
  HOLDFAST_EACH(j, 5) index[j] = (uint64_t)HOLDFAST_MOD5(m * j + n);
  return _mm512_permutexvar_epi64(_mm512_loadu_si512(index), words);
}

/// A round, from slope k to slope 2 / k + 3, with the words in the order of x.
HOLDFAST_AVX512 void holdfast_keccak_round(__m512i *a, const int k, uint64_t constant) {
  const int next = HOLDFAST_MOD5(2 * HOLDFAST_INVERSE5(k) + 3);
  const int factor = HOLDFAST_MOD5(HOLDFAST_INVERSE5(2 + 3 * k));
  const __m512i c = _mm512_ternarylogic_epi64(
      _mm512_ternarylogic_epi64(a[0], a[1], a[2], 0x96), a[3], a[4], 0x96);
  const __m512i before = holdfast_keccak_moved(c, 1, -1);
  const __m512i after = _mm512_rol_epi64(holdfast_keccak_moved(c, 1, 1), 1);
  __m512i b[5];
  HOLDFAST_EACH(i, 5) {
    uint64_t counts[8] = {0};
    HOLDFAST_EACH(x, 5) {
      counts[x] = (uint64_t)holdfast_keccak_rotations[x + 5 * HOLDFAST_MOD5(k * x + i)];
    }
    const __m512i lanes = _mm512_rolv_epi64(
        _mm512_ternarylogic_epi64(a[i], before, after, 0x96), _mm512_loadu_si512(counts));
    // In the order of the new y, which is (2 + 3k) x + 3i.
    b[HOLDFAST_MOD5(-2 * i * HOLDFAST_INVERSE5(k))] =
        holdfast_keccak_moved(lanes, factor, -3 * i * factor);
  }
  HOLDFAST_EACH(i, 5) {
    const __m512i x1 = b[HOLDFAST_MOD5(i - next)], x2 = b[HOLDFAST_MOD5(i - 2 * next)];
    __m512i lanes = _mm512_ternarylogic_epi64(b[i], x1, x2, 0xd2);
    if (i == 0) lanes = _mm512_xor_si512(lanes, _mm512_maskz_set1_epi64(1, (int64_t)constant));
    a[i] = holdfast_keccak_moved(lanes, next, i);
  }
}

/// Changes the slope by `more`: a word moves by as many registers as `more` times its place.
HOLDFAST_AVX512 void holdfast_keccak_tilt(__m512i *a, const int more) {
  HOLDFAST_EACH(bit, 3) {
    __m512i b[5];
    int moving = 0;
    HOLDFAST_EACH(x, 5) moving |= (HOLDFAST_MOD5(more * x) >> bit & 1) << x;
    HOLDFAST_EACH(i, 5) {
      b[i] = _mm512_mask_blend_epi64((__mmask8)moving, a[i], a[(i + (1 << bit)) % 5]);
    }
    HOLDFAST_EACH(i, 5) a[i] = b[i];
  }
}

__attribute__((target("avx512f"))) static inline void holdfast_keccak_lines(uint64_t *state) {
  __m512i a[5];
  HOLDFAST_EACH(y, 5) a[y] = _mm512_maskz_loadu_epi64(0x1f, state + 5 * y);
  holdfast_keccak_tilt(a, 3);
  for (int round = 0; round < 24; round += 3) {
    holdfast_keccak_round(a, 3, holdfast_keccak_constants[round]);
    holdfast_keccak_round(a, 2, holdfast_keccak_constants[round + 1]);
    holdfast_keccak_round(a, 4, holdfast_keccak_constants[round + 2]);
    holdfast_keccak_tilt(a, 3 - 1);
  }
  holdfast_keccak_tilt(a, 0 - 3);
  HOLDFAST_EACH(y, 5) _mm512_mask_storeu_epi64(state + 5 * y, 0x1f, a[y]);
}

#undef HOLDFAST_INVERSE5
#undef HOLDFAST_MOD5
#undef HOLDFAST_AVX512
#undef HOLDFAST_KECCAK
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

/// Permutes one state, on a processor of that width.
static inline void holdfast_keccak_permute_one(uint64_t *state, int width) {
  if (width == 8) {
    holdfast_keccak_lines(state);
  } else if (width == 4) {
    holdfast_keccak_scalar(state);
  }
}

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_keccak_width(void) { return 0; }

static inline void holdfast_keccak_permute(uint64_t *states, int width) {
  (void)states;
  (void)width;
}

static inline void holdfast_keccak_permute_one(uint64_t *state, int width) {
  (void)state;
  (void)width;
}

#endif
#endif
