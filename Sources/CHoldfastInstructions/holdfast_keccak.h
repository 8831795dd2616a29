#ifndef HOLDFAST_KECCAK_H
#define HOLDFAST_KECCAK_H

// Keccak-f[1600] on eight states at once (FIPS 202 §3), with AVX-512, or with AVX2 four at a time.
// This is only a header: the functions have their target as an attribute, so a build needs no
// flags, and the program asks the processor once, at run time, which of them it may call.

#include <stdint.h>

#if defined(__x86_64__) && defined(__clang__)

#include <cpuid.h>
#include <immintrin.h>

#include "holdfast_registers.h"

/// How many states the processor and the system let one call permute: 8, 4, or 0 for none.
static inline int holdfast_keccak_width(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  if (((b >> 16) & 1) && holdfast_saves(HOLDFAST_AVX512_REGISTERS)) return 8;
  return ((b >> 5) & 1) && holdfast_saves(HOLDFAST_AVX_REGISTERS) ? 4 : 0;
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

typedef uint64_t holdfast_lanes4 __attribute__((vector_size(32), aligned(8)));
typedef uint64_t holdfast_lanes8 __attribute__((vector_size(64), aligned(8)));

#define HOLDFAST_EACH(index, count) \
  _Pragma("clang loop unroll(full)") for (int index = 0; index < count; index++)
#define HOLDFAST_ROTATE(x, count) ((x) << ((count) & 63) | (x) >> ((64 - (count)) & 63))

// The permutation of as many states as `lanes` has words. Lane i of the first state stands at
// states[8 * i], those of the others follow it. ρ and π, §3.2.2 and §3.2.3, rotate the lane (x, y)
// and move it to (y, 2x + 3y).
#define HOLDFAST_KECCAK(name, lanes, processor)                                              \
  __attribute__((target(processor))) static inline void name(uint64_t *states) {             \
    static const int rotation[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,     \
                                     25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};        \
    lanes a[25];                                                                             \
    HOLDFAST_EACH(i, 25) a[i] = *(const lanes *)(states + 8 * i);                            \
    for (int round = 0; round < 24; round++) {                                               \
      lanes c[5], d[5], b[25];                                                               \
      HOLDFAST_EACH(x, 5) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];        \
      HOLDFAST_EACH(x, 5) d[x] = c[(x + 4) % 5] ^ HOLDFAST_ROTATE(c[(x + 1) % 5], 1);        \
      HOLDFAST_EACH(y, 5) HOLDFAST_EACH(x, 5) {                                              \
        const lanes lane = a[x + 5 * y] ^ d[x];                                              \
        b[y + 5 * ((2 * x + 3 * y) % 5)] = HOLDFAST_ROTATE(lane, rotation[x + 5 * y]);       \
      }                                                                                      \
      HOLDFAST_EACH(y, 5) HOLDFAST_EACH(x, 5)                                                \
        a[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);    \
      a[0] ^= holdfast_keccak_constants[round];                                              \
    }                                                                                        \
    HOLDFAST_EACH(i, 25) *(lanes *)(states + 8 * i) = a[i];                                  \
  }

HOLDFAST_KECCAK(holdfast_keccak_four, holdfast_lanes4, "avx2")
HOLDFAST_KECCAK(holdfast_keccak_eight, holdfast_lanes8, "avx512f")

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

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_keccak_width(void) { return 0; }

static inline void holdfast_keccak_permute(uint64_t *states, int width) {
  (void)states;
  (void)width;
}

#endif
#endif
