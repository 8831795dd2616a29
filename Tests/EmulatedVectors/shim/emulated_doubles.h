// Included by immintrin.h: four doubles at once, with one rounding for a product and a sum (FMA).

#include <math.h>

typedef struct {
  double word[4];
} __m256d;

typedef struct {
  double word[2];
} __m128d;

EMULATED __m256d _mm256_loadu_pd(const double *words) {
  __m256d x;
  memcpy(&x, words, 32);
  return x;
}

EMULATED __m128d _mm_loadu_pd(const double *words) {
  __m128d x;
  memcpy(&x, words, 16);
  return x;
}

EMULATED void _mm256_storeu_pd(double *words, __m256d x) { memcpy(words, &x, 32); }

EMULATED __m256d _mm256_set_pd(double d, double c, double b, double a) {
  return (__m256d){{a, b, c, d}};
}

EMULATED __m256d _mm256_set1_pd(double a) { return _mm256_set_pd(a, a, a, a); }

EMULATED __m256d _mm256_setzero_pd(void) { return _mm256_set1_pd(0); }

EMULATED __m256d _mm256_broadcast_pd(const __m128d *words) {
  const __m128d x = _mm_loadu_pd((const double *)words);
  return _mm256_set_pd(x.word[1], x.word[0], x.word[1], x.word[0]);
}

/// The upper half is undefined on a processor, so here it is a number that must not matter.
EMULATED __m256d _mm256_castpd128_pd256(__m128d x) {
  return (__m256d){{x.word[0], x.word[1], 0x5a5a5ap10, 0x5a5a5ap10}};
}

EMULATED __m256i _mm256_castpd_si256(__m256d x) {
  __m256i y;
  memcpy(&y, &x, 32);
  return y;
}

EMULATED __m256d _mm256_castsi256_pd(__m256i x) {
  __m256d y;
  memcpy(&y, &x, 32);
  return y;
}

EMULATED __m256d _mm256_add_pd(__m256d x, __m256d y) {
  EMULATED_EACH(4, x, x.word[i] + y.word[i]);
}

EMULATED __m256d _mm256_sub_pd(__m256d x, __m256d y) {
  EMULATED_EACH(4, x, x.word[i] - y.word[i]);
}

EMULATED __m256d _mm256_mul_pd(__m256d x, __m256d y) {
  EMULATED_EACH(4, x, x.word[i] * y.word[i]);
}

EMULATED __m256d _mm256_fmadd_pd(__m256d x, __m256d y, __m256d z) {
  EMULATED_EACH(4, x, fma(x.word[i], y.word[i], z.word[i]));
}

EMULATED __m256d _mm256_fnmadd_pd(__m256d x, __m256d y, __m256d z) {
  EMULATED_EACH(4, x, fma(-x.word[i], y.word[i], z.word[i]));
}

EMULATED __m256d _mm256_xor_pd(__m256d x, __m256d y) {
  return _mm256_castsi256_pd(
      _mm256_xor_si256(_mm256_castpd_si256(x), _mm256_castpd_si256(y)));
}

EMULATED __m256d _mm256_blend_pd(__m256d x, __m256d y, int lanes) {
  EMULATED_EACH(4, x, lanes >> i & 1 ? y.word[i] : x.word[i]);
}

EMULATED __m256i _mm256_blend_epi32(__m256i x, __m256i y, int lanes) {
  for (int i = 0; i < 8; i++)
    if (lanes >> i & 1) memcpy((uint32_t *)&x + i, (uint32_t *)&y + i, 4);
  return x;
}

EMULATED __m256d _mm256_permute4x64_pd(__m256d x, int order) {
  __m256d y;
  EMULATED_EACH(4, y, x.word[order >> (2 * i) & 3]);
}

EMULATED __m256d _mm256_permute_pd(__m256d x, int order) {
  __m256d y;
  EMULATED_EACH(4, y, x.word[(i & 2) + (order >> i & 1)]);
}

EMULATED __m256d _mm256_shuffle_pd(__m256d x, __m256d y, int order) {
  __m256d z;
  EMULATED_EACH(4, z, (i & 1 ? y : x).word[(i & 2) + (order >> i & 1)]);
}

EMULATED __m256d _mm256_unpacklo_pd(__m256d x, __m256d y) { return _mm256_shuffle_pd(x, y, 0); }

EMULATED __m256d _mm256_unpackhi_pd(__m256d x, __m256d y) { return _mm256_shuffle_pd(x, y, 15); }

EMULATED __m256d _mm256_permute2f128_pd(__m256d x, __m256d y, int order) {
  return _mm256_castsi256_pd(
      _mm256_permute2x128_si256(_mm256_castpd_si256(x), _mm256_castpd_si256(y), order));
}
