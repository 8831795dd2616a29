#ifndef HOLDFAST_SHA512_H
#define HOLDFAST_SHA512_H

// SHA-512 (FIPS 180-4 §6.4.2) for processors with AVX2, and for those with AVX-512VL, which rotate
// vectors. Rotations of BMI2 leave their operand as it is. This is only a header: the functions have
// their target as an attribute, so a build needs no flags, and the program asks the processor once,
// at run time, which of them it may call.

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__clang__)

#include <cpuid.h>

#include "holdfast_registers.h"

/// What the processor and the system have: 2 for AVX-512VL, 1 for AVX2, both with BMI2, or 0.
static inline int holdfast_sha512_level(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !((b >> 8) & 1)) return 0;
  if (((b >> 16) & (b >> 31) & 1) && holdfast_saves(HOLDFAST_AVX512_REGISTERS)) return 2;
  return ((b >> 5) & 1) && holdfast_saves(HOLDFAST_AVX_REGISTERS) ? 1 : 0;
}

typedef uint64_t holdfast_words2 __attribute__((vector_size(16)));
typedef uint64_t holdfast_words4 __attribute__((vector_size(32), aligned(8)));
typedef uint8_t holdfast_bytes32 __attribute__((vector_size(32), aligned(1)));

#define HOLDFAST_EACH(index, count) \
  _Pragma("clang loop unroll(full)") for (int index = 0; index < count; index++)
#define HOLDFAST_RIGHT(x, count) ((x) >> (count) | (x) << (64 - (count)))
#define HOLDFAST_LARGE(x, i, j, k) \
  (HOLDFAST_RIGHT(x, i) ^ HOLDFAST_RIGHT(x, j) ^ HOLDFAST_RIGHT(x, k))
#define HOLDFAST_SMALL(x, i, j, k) (HOLDFAST_RIGHT(x, i) ^ HOLDFAST_RIGHT(x, j) ^ (x) >> (k))
#define HOLDFAST_NEXT(x, y) __builtin_shufflevector(x, y, 1, 2, 3, 4)

#define HOLDFAST_INLINE __attribute__((always_inline)) static inline

/// Round i of eight, after each of which the letters move to the next word. `bc` is b ^ c, and a ^ b
/// at the end.
HOLDFAST_INLINE void holdfast_sha512_round(
    uint64_t *s, const int i, uint64_t word, uint64_t *bc) {
  const uint64_t a = s[-i & 7], b = s[(1 - i) & 7], e = s[(4 - i) & 7];
  const uint64_t f = s[(5 - i) & 7], g = s[(6 - i) & 7], ab = a ^ b;
  const uint64_t sum =
      s[(7 - i) & 7] + word + (g ^ (e & (f ^ g))) + HOLDFAST_LARGE(e, 14, 18, 41);
  s[(3 - i) & 7] += sum;
  s[(7 - i) & 7] = sum + (b ^ (ab & *bc)) + HOLDFAST_LARGE(a, 28, 34, 39);
  *bc = ab;
}

/// Compresses `blocks` blocks of 128 bytes into the eight words of `state`, with the 80 constants of
/// FIPS 180-4 §4.2.3. Four words of the schedule are computed at a time, sixteen rounds ahead, and
/// stored with their constants.
HOLDFAST_INLINE void holdfast_sha512(
    uint64_t *state, const uint8_t *bytes, size_t blocks, const uint64_t *constants) {
  for (; blocks > 0; blocks--, bytes += 128) {
    uint64_t schedule[80], s[8];
    holdfast_words4 w[4];
    HOLDFAST_EACH(i, 8) s[i] = state[i];
    HOLDFAST_EACH(k, 4) {
      const holdfast_bytes32 four = *(const holdfast_bytes32 *)(bytes + 32 * k);
      w[k] = (holdfast_words4)__builtin_shufflevector(
          four, four, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 23, 22, 21, 20, 19, 18,
          17, 16, 31, 30, 29, 28, 27, 26, 25, 24);
      *(holdfast_words4 *)(schedule + 4 * k) = w[k] + *(const holdfast_words4 *)(constants + 4 * k);
    }
    uint64_t bc = s[1] ^ s[2];
    for (int at = 0; at < 64; at += 16) {
      HOLDFAST_EACH(k, 4) {
        HOLDFAST_EACH(i, 4) holdfast_sha512_round(s, 4 * k + i, schedule[at + 4 * k + i], &bc);
        const holdfast_words4 w3 = w[(k + 3) & 3];
        const holdfast_words4 one = HOLDFAST_NEXT(w[k], w[(k + 1) & 3]);
        w[k] += HOLDFAST_SMALL(one, 1, 8, 7) + HOLDFAST_NEXT(w[(k + 2) & 3], w3);
        // The last two of the four words depend on the first two.
        holdfast_words2 low = __builtin_shufflevector(w3, w3, 2, 3);
        low = HOLDFAST_SMALL(low, 19, 61, 6) + __builtin_shufflevector(w[k], w[k], 0, 1);
        const holdfast_words2 high =
            HOLDFAST_SMALL(low, 19, 61, 6) + __builtin_shufflevector(w[k], w[k], 2, 3);
        w[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3);
        const int next = at + 16 + 4 * k;
        *(holdfast_words4 *)(schedule + next) =
            w[k] + *(const holdfast_words4 *)(constants + next);
      }
    }
    HOLDFAST_EACH(i, 16) holdfast_sha512_round(s, i, schedule[64 + i], &bc);
    HOLDFAST_EACH(i, 8) state[i] += s[i];
  }
}

__attribute__((target("avx2,bmi2"))) static inline void holdfast_sha512_avx2(
    uint64_t *state, const uint8_t *bytes, size_t blocks, const uint64_t *constants) {
  holdfast_sha512(state, bytes, blocks, constants);
}

__attribute__((target("avx512f,avx512vl,bmi2"))) static inline void holdfast_sha512_avx512(
    uint64_t *state, const uint8_t *bytes, size_t blocks, const uint64_t *constants) {
  holdfast_sha512(state, bytes, blocks, constants);
}

#undef HOLDFAST_INLINE
#undef HOLDFAST_NEXT
#undef HOLDFAST_SMALL
#undef HOLDFAST_LARGE
#undef HOLDFAST_RIGHT
#undef HOLDFAST_EACH

/// Compresses with the instructions of a level that the processor has.
static inline void holdfast_sha512_blocks(
    uint64_t *state, const uint8_t *bytes, size_t blocks, const uint64_t *constants, int level) {
  if (level == 2) {
    holdfast_sha512_avx512(state, bytes, blocks, constants);
  } else {
    holdfast_sha512_avx2(state, bytes, blocks, constants);
  }
}

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_sha512_level(void) { return 0; }

static inline void holdfast_sha512_blocks(
    uint64_t *state, const uint8_t *bytes, size_t blocks, const uint64_t *constants, int level) {
  (void)state;
  (void)bytes;
  (void)blocks;
  (void)constants;
  (void)level;
}

#endif
#endif
