#ifndef EMULATED_IMMINTRIN_H
#define EMULATED_IMMINTRIN_H

// The instructions of AVX2, AVX-512 and AVX-512 IFMA that the headers use, in plain C. What a
// processor would do in silence and no header intends, to ignore the bits of a factor above 52 or to
// drop the carry of a sum of products, is counted.

#include <stdint.h>
#include <string.h>

#define EMULATED __attribute__((always_inline)) static inline

extern _Thread_local uint64_t emulated_wide_factor_count, emulated_wrap_count;

typedef struct {
  uint64_t word[2];
} __m128i;

typedef struct {
  uint64_t word[4];
} __m256i;

typedef struct {
  uint64_t word[8];
} __m512i;

typedef uint8_t __mmask8;

/// Returns the sum of `sum` and the lower or upper 52 bits of a product of 52-bit factors.
EMULATED uint64_t emulated_madd52(uint64_t sum, uint64_t x, uint64_t y, int isUpper) {
  const uint64_t mask = (1ull << 52) - 1;
  if (x > mask || y > mask) emulated_wide_factor_count++;
  const unsigned __int128 product = (unsigned __int128)(x & mask) * (y & mask);
  const uint64_t part = isUpper ? (uint64_t)(product >> 52) : (uint64_t)product & mask;
  if (sum + part < sum) emulated_wrap_count++;
  return sum + part;
}

// Functions that do the same in each word; `i` is its number.
#define EMULATED_EACH(count, result, expression) \
  do {                                           \
    for (int i = 0; i < count; i++) result.word[i] = expression; \
    return result;                               \
  } while (0)

// 128 bits

EMULATED __m128i _mm_loadu_si128(const __m128i *words) {
  __m128i x;
  memcpy(&x, words, 16);
  return x;
}

EMULATED void _mm_storeu_si128(__m128i *words, __m128i x) { memcpy(words, &x, 16); }

// 256 bits

EMULATED __m256i _mm256_loadu_si256(const __m256i *words) {
  __m256i x;
  memcpy(&x, words, 32);
  return x;
}

EMULATED void _mm256_storeu_si256(__m256i *words, __m256i x) { memcpy(words, &x, 32); }

EMULATED __m256i _mm256_set_epi64x(long long d, long long c, long long b, long long a) {
  return (__m256i){{(uint64_t)a, (uint64_t)b, (uint64_t)c, (uint64_t)d}};
}

EMULATED __m256i _mm256_set1_epi64x(long long a) { return _mm256_set_epi64x(a, a, a, a); }

EMULATED __m256i _mm256_setzero_si256(void) { return _mm256_set1_epi64x(0); }

/// The upper half is undefined on a processor, so here it is a number that must not matter.
EMULATED __m256i _mm256_castsi128_si256(__m128i x) {
  const uint64_t any = 0x5a5a5a5a5a5aull;
  return (__m256i){{x.word[0], x.word[1], any, any}};
}

EMULATED __m256i _mm256_add_epi64(__m256i x, __m256i y) {
  EMULATED_EACH(4, x, x.word[i] + y.word[i]);
}

EMULATED __m256i _mm256_sub_epi64(__m256i x, __m256i y) {
  EMULATED_EACH(4, x, x.word[i] - y.word[i]);
}

EMULATED __m256i _mm256_and_si256(__m256i x, __m256i y) {
  EMULATED_EACH(4, x, x.word[i] & y.word[i]);
}

EMULATED __m256i _mm256_or_si256(__m256i x, __m256i y) {
  EMULATED_EACH(4, x, x.word[i] | y.word[i]);
}

EMULATED __m256i _mm256_xor_si256(__m256i x, __m256i y) {
  EMULATED_EACH(4, x, x.word[i] ^ y.word[i]);
}

EMULATED __m256i _mm256_slli_epi64(__m256i x, int count) {
  EMULATED_EACH(4, x, count < 64 ? x.word[i] << count : 0);
}

EMULATED __m256i _mm256_srli_epi64(__m256i x, int count) {
  EMULATED_EACH(4, x, count < 64 ? x.word[i] >> count : 0);
}

EMULATED __m256i _mm256_srai_epi64(__m256i x, int count) {
  EMULATED_EACH(
      4, x, x.word[i] >> count | (x.word[i] >> 63 && count > 0 ? ~0ull << (64 - count) : 0));
}

EMULATED __m256i _mm256_mul_epu32(__m256i x, __m256i y) {
  EMULATED_EACH(4, x, (x.word[i] & 0xffffffff) * (y.word[i] & 0xffffffff));
}

EMULATED __m256i _mm256_madd52lo_epu64(__m256i sum, __m256i x, __m256i y) {
  EMULATED_EACH(4, sum, emulated_madd52(sum.word[i], x.word[i], y.word[i], 0));
}

EMULATED __m256i _mm256_madd52hi_epu64(__m256i sum, __m256i x, __m256i y) {
  EMULATED_EACH(4, sum, emulated_madd52(sum.word[i], x.word[i], y.word[i], 1));
}

EMULATED __m256i _mm256_mask_blend_epi64(__mmask8 lanes, __m256i x, __m256i y) {
  EMULATED_EACH(4, x, lanes >> i & 1 ? y.word[i] : x.word[i]);
}

EMULATED __m256i _mm256_permute4x64_epi64(__m256i x, int order) {
  __m256i y;
  EMULATED_EACH(4, y, x.word[order >> (2 * i) & 3]);
}

EMULATED __m256i _mm256_broadcastsi128_si256(__m128i x) {
  return (__m256i){{x.word[0], x.word[1], x.word[0], x.word[1]}};
}

/// In each half, its four parts of 32 bits in another order.
EMULATED __m256i _mm256_shuffle_epi32(__m256i x, int order) {
  __m256i y;
  for (int i = 0; i < 8; i++)
    memcpy((uint32_t *)&y + i, (uint32_t *)&x + (i & 4) + (order >> (2 * (i & 3)) & 3), 4);
  return y;
}

EMULATED __m256i _mm256_unpacklo_epi64(__m256i x, __m256i y) {
  return (__m256i){{x.word[0], y.word[0], x.word[2], y.word[2]}};
}

EMULATED __m256i _mm256_unpackhi_epi64(__m256i x, __m256i y) {
  return (__m256i){{x.word[1], y.word[1], x.word[3], y.word[3]}};
}

EMULATED __m256i _mm256_permute2x128_si256(__m256i x, __m256i y, int order) {
  const __m256i both[2] = {x, y};
  __m256i z;
  for (int half = 0; half < 2; half++) {
    const int from = order >> (4 * half);
    for (int i = 0; i < 2; i++)
      z.word[2 * half + i] = from & 8 ? 0 : both[from >> 1 & 1].word[2 * (from & 1) + i];
  }
  return z;
}

// 512 bits

EMULATED __m512i _mm512_loadu_si512(const void *words) {
  __m512i x;
  memcpy(&x, words, 64);
  return x;
}

EMULATED void _mm512_storeu_si512(void *words, __m512i x) { memcpy(words, &x, 64); }

EMULATED __m512i _mm512_set1_epi64(long long a) {
  __m512i x;
  EMULATED_EACH(8, x, (uint64_t)a);
}

EMULATED __m512i _mm512_setzero_si512(void) { return _mm512_set1_epi64(0); }

EMULATED __m512i _mm512_and_si512(__m512i x, __m512i y) {
  EMULATED_EACH(8, x, x.word[i] & y.word[i]);
}

#define _mm512_and_epi64 _mm512_and_si512

EMULATED __m512i _mm512_add_epi64(__m512i x, __m512i y) {
  for (int i = 0; i < 8; i++)
    if (x.word[i] + y.word[i] < x.word[i]) emulated_wrap_count++;
  EMULATED_EACH(8, x, x.word[i] + y.word[i]);
}

EMULATED __m512i _mm512_mask_add_epi64(__m512i other, __mmask8 lanes, __m512i x, __m512i y) {
  EMULATED_EACH(8, other, lanes >> i & 1 ? x.word[i] + y.word[i] : other.word[i]);
}

EMULATED __m512i _mm512_srli_epi64(__m512i x, int count) {
  EMULATED_EACH(8, x, count < 64 ? x.word[i] >> count : 0);
}

EMULATED __m512i _mm512_maskz_srli_epi64(__mmask8 lanes, __m512i x, int count) {
  EMULATED_EACH(8, x, lanes >> i & 1 ? x.word[i] >> count : 0);
}

EMULATED __mmask8 _mm512_cmpgt_epu64_mask(__m512i x, __m512i y) {
  __mmask8 lanes = 0;
  for (int i = 0; i < 8; i++) lanes |= (__mmask8)((x.word[i] > y.word[i]) << i);
  return lanes;
}

EMULATED __mmask8 _mm512_cmpeq_epu64_mask(__m512i x, __m512i y) {
  __mmask8 lanes = 0;
  for (int i = 0; i < 8; i++) lanes |= (__mmask8)((x.word[i] == y.word[i]) << i);
  return lanes;
}

EMULATED __m512i _mm512_alignr_epi64(__m512i upper, __m512i lower, int count) {
  __m512i x;
  EMULATED_EACH(8, x, i + count < 8 ? lower.word[i + count] : upper.word[i + count - 8]);
}

EMULATED __m512i _mm512_madd52lo_epu64(__m512i sum, __m512i x, __m512i y) {
  EMULATED_EACH(8, sum, emulated_madd52(sum.word[i], x.word[i], y.word[i], 0));
}

EMULATED __m512i _mm512_madd52hi_epu64(__m512i sum, __m512i x, __m512i y) {
  EMULATED_EACH(8, sum, emulated_madd52(sum.word[i], x.word[i], y.word[i], 1));
}

EMULATED __m128i _mm512_castsi512_si128(__m512i x) {
  return (__m128i){{x.word[0], x.word[1]}};
}

EMULATED __m512i _mm512_broadcastq_epi64(__m128i x) {
  return _mm512_set1_epi64((long long)x.word[0]);
}

#include "emulated_doubles.h"
#include "emulated_x86_sha.h"

#undef EMULATED_EACH
#undef EMULATED

#endif
