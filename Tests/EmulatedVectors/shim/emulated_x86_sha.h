// Included by immintrin.h: the SHA instructions, and those on words and bytes that go with them.

#include "emulated_sha2.h"

/// The four words of 32 bits, the lowest first.
typedef struct {
  uint32_t word[4];
} emulated_words;

EMULATED emulated_words emulated_split(__m128i x) {
  return (emulated_words){{(uint32_t)x.word[0], (uint32_t)(x.word[0] >> 32), (uint32_t)x.word[1],
                           (uint32_t)(x.word[1] >> 32)}};
}

EMULATED __m128i _mm_set_epi32(int d, int c, int b, int a) {
  return (__m128i){{(uint64_t)(uint32_t)b << 32 | (uint32_t)a,
                    (uint64_t)(uint32_t)d << 32 | (uint32_t)c}};
}

EMULATED __m128i _mm_set_epi64x(long long b, long long a) {
  return (__m128i){{(uint64_t)a, (uint64_t)b}};
}

EMULATED __m128i emulated_joined(emulated_words x) {
  return _mm_set_epi32((int)x.word[3], (int)x.word[2], (int)x.word[1], (int)x.word[0]);
}

EMULATED int _mm_extract_epi32(__m128i x, int index) { return (int)emulated_split(x).word[index]; }

EMULATED __m128i _mm_xor_si128(__m128i x, __m128i y) {
  EMULATED_EACH(2, x, x.word[i] ^ y.word[i]);
}

EMULATED __m128i _mm_add_epi32(__m128i x, __m128i y) {
  emulated_words a = emulated_split(x), b = emulated_split(y);
  for (int i = 0; i < 4; i++) a.word[i] += b.word[i];
  return emulated_joined(a);
}

EMULATED __m128i _mm_shuffle_epi32(__m128i x, int order) {
  const emulated_words a = emulated_split(x);
  emulated_words b;
  for (int i = 0; i < 4; i++) b.word[i] = a.word[order >> (2 * i) & 3];
  return emulated_joined(b);
}

EMULATED uint64_t emulated_byte(__m128i x, int index) {
  return x.word[index / 8] >> (8 * (index % 8)) & 0xff;
}

EMULATED __m128i _mm_shuffle_epi8(__m128i x, __m128i order) {
  __m128i y = {{0, 0}};
  for (int i = 0; i < 16; i++) {
    const int from = (int)emulated_byte(order, i);
    if (!(from & 0x80)) y.word[i / 8] |= emulated_byte(x, from & 15) << (8 * (i % 8));
  }
  return y;
}

EMULATED __m128i _mm_alignr_epi8(__m128i upper, __m128i lower, int count) {
  __m128i y = {{0, 0}};
  for (int i = 0; i < 16; i++) {
    const int from = i + count;
    y.word[i / 8] |= (from < 16 ? emulated_byte(lower, from) : emulated_byte(upper, from - 16))
        << (8 * (i % 8));
  }
  return y;
}

EMULATED __m128i _mm_blend_epi16(__m128i x, __m128i y, int parts) {
  for (int i = 0; i < 8; i++) {
    const uint64_t mask = 0xffffull << (16 * (i % 4));
    if (parts >> i & 1) x.word[i / 4] = (x.word[i / 4] & ~mask) | (y.word[i / 4] & mask);
  }
  return x;
}

/// Two rounds on the state in the words c, d, g, h and a, b, e, f, highest first.
EMULATED __m128i _mm_sha256rnds2_epu32(__m128i cdgh, __m128i abef, __m128i sum) {
  const emulated_words x = emulated_split(abef), y = emulated_split(cdgh);
  uint32_t s[8] = {x.word[3], x.word[2], y.word[3], y.word[2],
                   x.word[1], x.word[0], y.word[1], y.word[0]};
  for (int i = 0; i < 2; i++) emulated_sha256_round(s, emulated_split(sum).word[i]);
  return emulated_joined((emulated_words){{s[5], s[4], s[1], s[0]}});
}

EMULATED __m128i _mm_sha256msg1_epu32(__m128i w0, __m128i w4) {
  emulated_words x = emulated_split(w0), next = emulated_split(w4);
  for (int i = 0; i < 4; i++) x.word[i] += emulated_sigma0(i < 3 ? x.word[i + 1] : next.word[0]);
  return emulated_joined(x);
}

EMULATED __m128i _mm_sha256msg2_epu32(__m128i sum, __m128i w12) {
  emulated_words x = emulated_split(sum), before = emulated_split(w12);
  for (int i = 0; i < 4; i++)
    x.word[i] += emulated_sigma1(i < 2 ? before.word[i + 2] : x.word[i - 2]);
  return emulated_joined(x);
}

// SHA-1 has its words in the other order: the first is the highest.

EMULATED __m128i _mm_sha1msg1_epu32(__m128i w0, __m128i w4) {
  emulated_words x = emulated_split(w0), next = emulated_split(w4), y;
  for (int i = 3; i >= 0; i--) y.word[i] = x.word[i] ^ (i > 1 ? x.word[i - 2] : next.word[i + 2]);
  return emulated_joined(y);
}

EMULATED __m128i _mm_sha1msg2_epu32(__m128i mixed, __m128i w12) {
  emulated_words x = emulated_split(mixed), before = emulated_split(w12);
  for (int i = 3; i >= 0; i--)
    x.word[i] = emulated_rotated(x.word[i] ^ (i > 0 ? before.word[i - 1] : x.word[3]), 31);
  return emulated_joined(x);
}

EMULATED __m128i _mm_sha1nexte_epu32(__m128i abcd, __m128i words) {
  emulated_words x = emulated_split(words);
  x.word[3] += emulated_rotated(emulated_split(abcd).word[3], 2);
  return emulated_joined(x);
}

EMULATED __m128i _mm_sha1rnds4_epu32(__m128i abcd, __m128i words, int number) {
  static const uint32_t constants[4] = {0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u};
  const emulated_words x = emulated_split(abcd), w = emulated_split(words);
  // The highest word has e already.
  uint32_t s[5] = {x.word[3], x.word[2], x.word[1], x.word[0], 0};
  for (int i = 3; i >= 0; i--) {
    const uint32_t function = number == 0 ? emulated_choose(s[1], s[2], s[3])
        : number == 2                     ? emulated_majority(s[1], s[2], s[3])
                                          : emulated_parity(s[1], s[2], s[3]);
    emulated_sha1_round(s, function, constants[number] + w.word[i]);
  }
  return emulated_joined((emulated_words){{s[3], s[2], s[1], s[0]}});
}
