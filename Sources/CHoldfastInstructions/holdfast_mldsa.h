#ifndef HOLDFAST_MLDSA_H
#define HOLDFAST_MLDSA_H

// The transforms of ML-DSA (FIPS 204 §7.5) with AVX2. The loops are plain C, which the compiler
// turns into vectors of the functions' target. This is only a header, as those of the products;
// they may be called if `holdfast_keccak_width()` is not 0.

#include <stdint.h>

/// A factor b below q, and 2^32 b / q rounded down.
typedef struct {
  uint32_t value;
  uint32_t quotient;
} holdfast_factor;

#if defined(__x86_64__) && defined(__clang__)

#define HOLDFAST_INLINE __attribute__((always_inline)) static inline
#define HOLDFAST_Q 8380417u
#define HOLDFAST_VECTORS(index, count)                                 \
  _Pragma("clang loop vectorize(enable) interleave(disable)") for (    \
      int index = 0; index < count; index++)
#define HOLDFAST_UNROLLED(index, count) \
  _Pragma("clang loop unroll(full)") for (int index = 0; index < count; index++)

/// Returns a * b modulo q, below 2q, for every a: Shoup's product.
HOLDFAST_INLINE uint32_t holdfast_times(uint32_t a, holdfast_factor b) {
  const uint32_t quotient = (uint32_t)(((uint64_t)a * b.quotient) >> 32);
  return a * b.value - quotient * HOLDFAST_Q;
}

/// A step of algorithm 41: adds at most 2q to each number.
HOLDFAST_INLINE void holdfast_step(
    uint32_t *low, uint32_t *high, holdfast_factor zeta, uint32_t most) {
  (void)most;
  const uint32_t product = holdfast_times(*high, zeta), a = *low;
  *high = a + 2 * HOLDFAST_Q - product;
  *low = a + product;
}

/// A step of algorithm 42 for numbers below `most`, a multiple of q: doubles the bound.
HOLDFAST_INLINE void holdfast_step_back(
    uint32_t *low, uint32_t *high, holdfast_factor zeta, uint32_t most) {
  const uint32_t a = *low, b = *high;
  *low = a + b;
  *high = holdfast_times(b + most - a, zeta);
}

// A layer: groups of 2 * length numbers, each with a factor. Vectors run along the groups if these
// are shorter than a vector. With a constant length nothing of this is left at run time.
#define HOLDFAST_LAYER(name, step, place)                                                       \
  HOLDFAST_INLINE void name(                                                                    \
      uint32_t *w, const holdfast_factor *zetas, const int length, const uint32_t most) {       \
    const int groups = 128 / length;                                                            \
    if (length >= 8) {                                                                         \
      for (int group = 0; group < groups; group++) {                                            \
        uint32_t *const low = w + 2 * length * group;                                           \
        const holdfast_factor zeta = zetas[place];                                              \
        HOLDFAST_VECTORS(j, length) step(low + j, low + length + j, zeta, most);                \
      }                                                                                         \
    } else {                                                                                    \
      HOLDFAST_VECTORS(group, groups) {                                                         \
        uint32_t *const low = w + 2 * length * group;                                           \
        const holdfast_factor zeta = zetas[place];                                              \
        HOLDFAST_UNROLLED(j, length) step(low + j, low + length + j, zeta, most);               \
      }                                                                                         \
    }                                                                                           \
  }

HOLDFAST_LAYER(holdfast_layer, holdfast_step, groups + group)
HOLDFAST_LAYER(holdfast_layer_back, holdfast_step_back, 2 * groups - 1 - group)

#define HOLDFAST_AVX2 __attribute__((target("avx2"))) static inline

/// Transforms 256 numbers below 2q, and leaves them below 18q. Factor m is zeta to the power of the
/// eight bits of m reversed.
HOLDFAST_AVX2 void holdfast_transform(uint32_t *w, const holdfast_factor *zetas) {
  HOLDFAST_UNROLLED(layer, 8) holdfast_layer(w, zetas, 128 >> layer, 0);
}

/// Inverts the transform of numbers below q, and leaves them below q. Factor 0, which no layer has,
/// is that of all numbers at the end.
HOLDFAST_AVX2 void holdfast_transform_back(uint32_t *w, const holdfast_factor *zetas) {
  HOLDFAST_UNROLLED(layer, 8) holdfast_layer_back(w, zetas, 1 << layer, HOLDFAST_Q << layer);
  HOLDFAST_VECTORS(j, 256) {
    const uint32_t product = holdfast_times(w[j], zetas[0]);
    w[j] = product < HOLDFAST_Q ? product : product - HOLDFAST_Q;
  }
}

#undef HOLDFAST_AVX2
#undef HOLDFAST_LAYER
#undef HOLDFAST_UNROLLED
#undef HOLDFAST_VECTORS
#undef HOLDFAST_Q
#undef HOLDFAST_INLINE

#else

/// No instructions known to this header: the Swift version is used.
static inline void holdfast_transform(uint32_t *w, const holdfast_factor *zetas) {
  (void)w;
  (void)zetas;
}

static inline void holdfast_transform_back(uint32_t *w, const holdfast_factor *zetas) {
  (void)w;
  (void)zetas;
}

#endif
#endif
