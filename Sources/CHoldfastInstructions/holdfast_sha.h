#ifndef HOLDFAST_SHA_H
#define HOLDFAST_SHA_H

// SHA-1 and SHA-256 with the processor's instructions (FIPS 180-4 §6.1.2 and §6.2.2; Intel's SHA
// extensions of 2013, Arm's of architecture version 8). This is only a header: the functions have
// their target as an attribute, so a build needs no flags, and the program asks the processor once,
// at run time, whether it may call them.

#include <stddef.h>
#include <stdint.h>

// All rounds of one block, whose sixteen words are w0 to w3, with the constants of
// FIPS 180-4 §4.2.2. Each processor defines HOLDFAST_ROUNDS, four rounds with four words of the
// schedule, and HOLDFAST_EXTEND, which replaces the four oldest words with the next four.
#define HOLDFAST_ALL_ROUNDS                                                    \
  HOLDFAST_ROUNDS(w0, 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5);         \
  HOLDFAST_ROUNDS(w1, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5);         \
  HOLDFAST_ROUNDS(w2, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3);         \
  HOLDFAST_ROUNDS(w3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174);         \
  HOLDFAST_EXTEND(w0, w1, w2, w3);                                             \
  HOLDFAST_ROUNDS(w0, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc);         \
  HOLDFAST_EXTEND(w1, w2, w3, w0);                                             \
  HOLDFAST_ROUNDS(w1, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da);         \
  HOLDFAST_EXTEND(w2, w3, w0, w1);                                             \
  HOLDFAST_ROUNDS(w2, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7);         \
  HOLDFAST_EXTEND(w3, w0, w1, w2);                                             \
  HOLDFAST_ROUNDS(w3, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967);         \
  HOLDFAST_EXTEND(w0, w1, w2, w3);                                             \
  HOLDFAST_ROUNDS(w0, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13);         \
  HOLDFAST_EXTEND(w1, w2, w3, w0);                                             \
  HOLDFAST_ROUNDS(w1, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85);         \
  HOLDFAST_EXTEND(w2, w3, w0, w1);                                             \
  HOLDFAST_ROUNDS(w2, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3);         \
  HOLDFAST_EXTEND(w3, w0, w1, w2);                                             \
  HOLDFAST_ROUNDS(w3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070);         \
  HOLDFAST_EXTEND(w0, w1, w2, w3);                                             \
  HOLDFAST_ROUNDS(w0, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5);         \
  HOLDFAST_EXTEND(w1, w2, w3, w0);                                             \
  HOLDFAST_ROUNDS(w1, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3);         \
  HOLDFAST_EXTEND(w2, w3, w0, w1);                                             \
  HOLDFAST_ROUNDS(w2, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208);         \
  HOLDFAST_EXTEND(w3, w0, w1, w2);                                             \
  HOLDFAST_ROUNDS(w3, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2);

// The same for SHA-1. Each processor defines HOLDFAST_SHA1_ROUNDS, four rounds with the function
// and constant of their number, 0 to 3 (FIPS 180-4 §4.1.1 and §4.2.1), and HOLDFAST_SHA1_EXTEND.
// The first four rounds are separate, since they take e as it is, without rotation.
#define HOLDFAST_SHA1_MORE(number, w0, w1, w2, w3)                             \
  HOLDFAST_SHA1_EXTEND(w0, w1, w2, w3);                                        \
  HOLDFAST_SHA1_ROUNDS(w0, number)

#define HOLDFAST_SHA1_REST                                                     \
  HOLDFAST_SHA1_ROUNDS(w1, 0);                                                 \
  HOLDFAST_SHA1_ROUNDS(w2, 0);                                                 \
  HOLDFAST_SHA1_ROUNDS(w3, 0);                                                 \
  HOLDFAST_SHA1_MORE(0, w0, w1, w2, w3);                                       \
  HOLDFAST_SHA1_MORE(1, w1, w2, w3, w0);                                       \
  HOLDFAST_SHA1_MORE(1, w2, w3, w0, w1);                                       \
  HOLDFAST_SHA1_MORE(1, w3, w0, w1, w2);                                       \
  HOLDFAST_SHA1_MORE(1, w0, w1, w2, w3);                                       \
  HOLDFAST_SHA1_MORE(1, w1, w2, w3, w0);                                       \
  HOLDFAST_SHA1_MORE(2, w2, w3, w0, w1);                                       \
  HOLDFAST_SHA1_MORE(2, w3, w0, w1, w2);                                       \
  HOLDFAST_SHA1_MORE(2, w0, w1, w2, w3);                                       \
  HOLDFAST_SHA1_MORE(2, w1, w2, w3, w0);                                       \
  HOLDFAST_SHA1_MORE(2, w2, w3, w0, w1);                                       \
  HOLDFAST_SHA1_MORE(3, w3, w0, w1, w2);                                       \
  HOLDFAST_SHA1_MORE(3, w0, w1, w2, w3);                                       \
  HOLDFAST_SHA1_MORE(3, w1, w2, w3, w0);                                       \
  HOLDFAST_SHA1_MORE(3, w2, w3, w0, w1);                                       \
  HOLDFAST_SHA1_MORE(3, w3, w0, w1, w2);

#if defined(__x86_64__) && (defined(__clang__) || defined(__GNUC__))

#include <cpuid.h>
#include <immintrin.h>

/// Whether the processor has the SHA extensions (SHA-1 and SHA-256), SSE4.1 and SSSE3.
static inline int holdfast_sha256_supported(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  const int ssse3 = (c >> 9) & 1, sse41 = (c >> 19) & 1;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  const int sha = (b >> 29) & 1;
  return ssse3 && sse41 && sha;
}

static inline int holdfast_sha1_supported(void) { return holdfast_sha256_supported(); }

#define HOLDFAST_ROUNDS(w, k0, k1, k2, k3)                                             \
  do {                                                                                 \
    __m128i sum = _mm_add_epi32(                                                       \
        w, _mm_set_epi32((int)k3##u, (int)k2##u, (int)k1##u, (int)k0##u));             \
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);                                     \
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));            \
  } while (0)

#define HOLDFAST_EXTEND(w0, w1, w2, w3)                                                \
  w0 = _mm_sha256msg2_epu32(                                                           \
      _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

/// Compresses `blocks` blocks of 64 bytes into the eight words of `state`.
__attribute__((target("sha,sse4.1,ssse3"))) static inline void holdfast_sha256_blocks(
    uint32_t *state, const uint8_t *bytes, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  // The instructions need the state as (a, b, e, f) and (c, d, g, h), highest first.
  __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w0 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), swap);
    __m128i w1 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16)), swap);
    __m128i w2 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 32)), swap);
    __m128i w3 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 48)), swap);
    HOLDFAST_ALL_ROUNDS
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i abef_out = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i ghcd = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(abef_out, ghcd, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(ghcd, abef_out, 8));
}

#define HOLDFAST_SHA1_ROUNDS(w, number)                                                \
  do {                                                                                 \
    const __m128i before = abcd;                                                       \
    abcd = _mm_sha1rnds4_epu32(abcd, _mm_sha1nexte_epu32(e, w), number);               \
    e = before;                                                                        \
  } while (0)

#define HOLDFAST_SHA1_EXTEND(w0, w1, w2, w3)                                           \
  w0 = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2), w3)

/// Compresses `blocks` blocks of 64 bytes into the five words of `state`.
__attribute__((target("sha,sse4.1,ssse3"))) static inline void holdfast_sha1_blocks(
    uint32_t *state, const uint8_t *bytes, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0001020304050607LL, 0x08090a0b0c0d0e0fLL);
  // The instructions need a, and e alone, in the highest word.
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0x1b);
  __m128i e = _mm_set_epi32((int)state[4], 0, 0, 0);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i abcd_before = abcd, e_before = e;
    __m128i w0 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), swap);
    __m128i w1 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16)), swap);
    __m128i w2 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 32)), swap);
    __m128i w3 = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 48)), swap);
    abcd = _mm_sha1rnds4_epu32(abcd, _mm_add_epi32(e, w0), 0);
    e = abcd_before;
    HOLDFAST_SHA1_REST
    e = _mm_sha1nexte_epu32(e, e_before);
    abcd = _mm_add_epi32(abcd, abcd_before);
  }
  _mm_storeu_si128((__m128i *)state, _mm_shuffle_epi32(abcd, 0x1b));
  state[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

#elif defined(__AARCH64EL__) && defined(__clang__)

#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

/// Whether the processor has the SHA-256 instructions: known from the compilation target, or from
/// the kernel (bit 6 of AT_HWCAP, which is 16).
static inline int holdfast_sha256_supported(void) {
#if defined(__ARM_FEATURE_SHA2)
  return 1;
#elif defined(__linux__)
  return (int)(getauxval(16) >> 6) & 1;
#else
  return 0;
#endif
}

#define HOLDFAST_ROUNDS(w, k0, k1, k2, k3)                                             \
  do {                                                                                 \
    const uint32x4_t sum = vaddq_u32(w, (uint32x4_t){k0##u, k1##u, k2##u, k3##u});     \
    const uint32x4_t before = abcd;                                                    \
    abcd = vsha256hq_u32(abcd, efgh, sum);                                             \
    efgh = vsha256h2q_u32(efgh, before, sum);                                          \
  } while (0)

#define HOLDFAST_EXTEND(w0, w1, w2, w3)                                                \
  w0 = vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3)

#define HOLDFAST_WORDS(bytes) vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes)))

/// Compresses `blocks` blocks of 64 bytes into the eight words of `state`.
__attribute__((target("sha2"))) static inline void holdfast_sha256_blocks(
    uint32_t *state, const uint8_t *bytes, size_t blocks) {
  uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
  for (; blocks > 0; blocks--, bytes += 64) {
    const uint32x4_t abcd_before = abcd, efgh_before = efgh;
    uint32x4_t w0 = HOLDFAST_WORDS(bytes), w1 = HOLDFAST_WORDS(bytes + 16);
    uint32x4_t w2 = HOLDFAST_WORDS(bytes + 32), w3 = HOLDFAST_WORDS(bytes + 48);
    HOLDFAST_ALL_ROUNDS
    abcd = vaddq_u32(abcd, abcd_before);
    efgh = vaddq_u32(efgh, efgh_before);
  }
  vst1q_u32(state, abcd);
  vst1q_u32(state + 4, efgh);
}

/// Whether the processor has the SHA-1 instructions, bit 5 of AT_HWCAP.
static inline int holdfast_sha1_supported(void) {
#if defined(__ARM_FEATURE_SHA2)
  return 1;
#elif defined(__linux__)
  return (int)(getauxval(16) >> 5) & 1;
#else
  return 0;
#endif
}

#define HOLDFAST_SHA1_FUNCTION_0(sum) vsha1cq_u32(abcd, e, vaddq_u32(sum, vdupq_n_u32(0x5a827999u)))
#define HOLDFAST_SHA1_FUNCTION_1(sum) vsha1pq_u32(abcd, e, vaddq_u32(sum, vdupq_n_u32(0x6ed9eba1u)))
#define HOLDFAST_SHA1_FUNCTION_2(sum) vsha1mq_u32(abcd, e, vaddq_u32(sum, vdupq_n_u32(0x8f1bbcdcu)))
#define HOLDFAST_SHA1_FUNCTION_3(sum) vsha1pq_u32(abcd, e, vaddq_u32(sum, vdupq_n_u32(0xca62c1d6u)))

#define HOLDFAST_SHA1_ROUNDS(w, number)                                                \
  do {                                                                                 \
    const uint32_t next = vsha1h_u32(vgetq_lane_u32(abcd, 0));                         \
    abcd = HOLDFAST_SHA1_FUNCTION_##number(w);                                         \
    e = next;                                                                          \
  } while (0)

#define HOLDFAST_SHA1_EXTEND(w0, w1, w2, w3)                                           \
  w0 = vsha1su1q_u32(vsha1su0q_u32(w0, w1, w2), w3)

/// Compresses `blocks` blocks of 64 bytes into the five words of `state`.
__attribute__((target("sha2"))) static inline void holdfast_sha1_blocks(
    uint32_t *state, const uint8_t *bytes, size_t blocks) {
  uint32x4_t abcd = vld1q_u32(state);
  uint32_t e = state[4];
  for (; blocks > 0; blocks--, bytes += 64) {
    const uint32x4_t abcd_before = abcd;
    const uint32_t e_before = e;
    uint32x4_t w0 = HOLDFAST_WORDS(bytes), w1 = HOLDFAST_WORDS(bytes + 16);
    uint32x4_t w2 = HOLDFAST_WORDS(bytes + 32), w3 = HOLDFAST_WORDS(bytes + 48);
    HOLDFAST_SHA1_ROUNDS(w0, 0);
    HOLDFAST_SHA1_REST
    abcd = vaddq_u32(abcd, abcd_before);
    e += e_before;
  }
  vst1q_u32(state, abcd);
  state[4] = e;
}

#undef HOLDFAST_SHA1_FUNCTION_0
#undef HOLDFAST_SHA1_FUNCTION_1
#undef HOLDFAST_SHA1_FUNCTION_2
#undef HOLDFAST_SHA1_FUNCTION_3
#undef HOLDFAST_WORDS

#else

/// No instructions known to this header: the Swift version is used.
static inline int holdfast_sha256_supported(void) { return 0; }

static inline void holdfast_sha256_blocks(
    uint32_t *state, const uint8_t *bytes, size_t blocks) {
  (void)state;
  (void)bytes;
  (void)blocks;
}

static inline int holdfast_sha1_supported(void) { return 0; }

static inline void holdfast_sha1_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  (void)state;
  (void)bytes;
  (void)blocks;
}

#endif

#undef HOLDFAST_SHA1_ROUNDS
#undef HOLDFAST_SHA1_EXTEND
#undef HOLDFAST_SHA1_MORE
#undef HOLDFAST_SHA1_REST
#undef HOLDFAST_ROUNDS
#undef HOLDFAST_EXTEND
#undef HOLDFAST_ALL_ROUNDS
#endif
