// Included by the headers of curves, once before the field with 52-bit multiplications (AVX-512
// IFMA): the operations on four numbers at once in which formulas are written. Word k of a limb
// belongs to number k.

#include "holdfast_lanes_end.h"

#define HOLDFAST_LANES __attribute__((target("avx512f,avx512vl,avx512ifma"))) static inline
#define HOLDFAST_LANES_INLINE HOLDFAST_LANES __attribute__((always_inline))
#define HOLDFAST_WORD uint64_t
#define HOLDFAST_VECTOR __m256i
#define HOLDFAST_LOAD(words) _mm256_loadu_si256((const __m256i *)(words))
/// Two words, twice.
#define HOLDFAST_LOAD_TWO(words) \
  _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(words)))
#define HOLDFAST_STORE(words, x) _mm256_storeu_si256((__m256i *)(words), x)
#define HOLDFAST_ALL(number) _mm256_set1_epi64x(number)
#define HOLDFAST_PLUS(x, y) _mm256_add_epi64(x, y)
/// The lanes of `x` in the order a, b, c, d.
#define HOLDFAST_ORDER(x, a, b, c, d) \
  _mm256_permute4x64_epi64(x, (a) | (b) << 2 | (c) << 4 | (d) << 6)
/// Lane `lane` of `x` four times.
#define HOLDFAST_SPREAD(x, lane) HOLDFAST_ORDER(x, lane, lane, lane, lane)
/// The lanes in the order 1, 0, 3, 2.
#define HOLDFAST_SWAP(x) _mm256_shuffle_epi32(x, 0x4e)
/// The lanes in the order 2, 3, 0, 1, and 0, 1, 0, 1.
#define HOLDFAST_HALVES(x) _mm256_permute2x128_si256(x, x, 0x01)
#define HOLDFAST_LOW(x) _mm256_permute2x128_si256(x, x, 0x00)
/// `x`, but the lanes of `y` whose bits are set.
#define HOLDFAST_CHOOSE(x, y, lanes) _mm256_mask_blend_epi64(lanes, x, y)
/// The quotient of 2^count, rounded down, of integers, which may be negative.
#define HOLDFAST_SHIFT_RIGHT(x, count) _mm256_srai_epi64(x, count)
