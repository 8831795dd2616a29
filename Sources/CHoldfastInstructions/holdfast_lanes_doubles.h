// Included by the headers of curves, once before the field with doubles (AVX2 and FMA): the
// operations of holdfast_lanes_ifma.h.

#include "holdfast_lanes_end.h"

#define HOLDFAST_LANES HOLDFAST_DOUBLES
#define HOLDFAST_LANES_INLINE HOLDFAST_DOUBLES_INLINE
#define HOLDFAST_WORD double
#define HOLDFAST_VECTOR __m256d
#define HOLDFAST_LOAD(words) _mm256_loadu_pd(words)
#define HOLDFAST_LOAD_TWO(words) _mm256_broadcast_pd((const __m128d *)(words))
#define HOLDFAST_STORE(words, x) _mm256_storeu_pd(words, x)
#define HOLDFAST_ALL(number) _mm256_set1_pd(number)
#define HOLDFAST_PLUS(x, y) _mm256_add_pd(x, y)
#define HOLDFAST_ORDER(x, a, b, c, d) \
  _mm256_permute4x64_pd(x, (a) | (b) << 2 | (c) << 4 | (d) << 6)
#define HOLDFAST_SPREAD(x, lane) HOLDFAST_ORDER(x, lane, lane, lane, lane)
#define HOLDFAST_SWAP(x) _mm256_permute_pd(x, 5)
#define HOLDFAST_HALVES(x) _mm256_permute2f128_pd(x, x, 0x01)
#define HOLDFAST_LOW(x) _mm256_permute2f128_pd(x, x, 0x00)
#define HOLDFAST_CHOOSE(x, y, lanes) _mm256_blend_pd(x, y, lanes)
#define HOLDFAST_SHIFT_RIGHT(x, count) holdfast_shifted_right(x, count)
