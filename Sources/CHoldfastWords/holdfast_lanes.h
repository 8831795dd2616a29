#ifndef HOLDFAST_LANES_H
#define HOLDFAST_LANES_H

// What the headers share that compute on four numbers at once with the processor's 52-bit
// multiplications: word k of a limb belongs to number k. Like holdfast_ifma.h they are only
// headers, and their functions may be called if `holdfast_ifma_supported()` says so.

#include <stdint.h>

#if defined(__x86_64__) && defined(__clang__)

#include <immintrin.h>

#define HOLDFAST_LANES __attribute__((target("avx512f,avx512vl,avx512ifma"))) static inline
#define HOLDFAST_LANES_INLINE HOLDFAST_LANES __attribute__((always_inline))
#define HOLDFAST_LIMBS(index, count) \
  _Pragma("clang loop unroll(full)") for (int index = 0; index < count; index++)

/// The lanes of `x` in the order a, b, c, d.
#define HOLDFAST_ORDER(x, a, b, c, d) \
  _mm256_permute4x64_epi64(x, (a) | (b) << 2 | (c) << 4 | (d) << 6)
/// Lane `lane` of `x` four times.
#define HOLDFAST_SPREAD(x, lane) HOLDFAST_ORDER(x, lane, lane, lane, lane)
/// `x`, but the lanes of `y` whose bits are set.
#define HOLDFAST_CHOOSE(x, y, lanes) _mm256_mask_blend_epi64(lanes, x, y)

HOLDFAST_LANES_INLINE __m256i holdfast_plus(__m256i x, __m256i y) {
  return _mm256_add_epi64(x, y);
}

HOLDFAST_LANES_INLINE __m256i holdfast_twice(__m256i x) { return holdfast_plus(x, x); }

#endif
#endif
