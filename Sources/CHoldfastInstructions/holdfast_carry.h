#ifndef HOLDFAST_CARRY_H
#define HOLDFAST_CARRY_H

// Word additions with carry in and carry out, on any processor. The compiler turns a chain of them
// into the processor's own instructions, one per word; from the same chain in Swift it makes
// comparisons and branches.

#include <stdint.h>

typedef struct {
  uint64_t word;
  /// 0 or 1.
  uint64_t carry;
} holdfast_word;

/// Returns x + y + carry.
__attribute__((always_inline)) static inline holdfast_word holdfast_add(
    uint64_t x, uint64_t y, uint64_t carry) {
  unsigned long long out;
  const uint64_t word = __builtin_addcll(x, y, carry, &out);
  return (holdfast_word){word, out};
}

/// Returns x - y - carry.
__attribute__((always_inline)) static inline holdfast_word holdfast_subtract(
    uint64_t x, uint64_t y, uint64_t carry) {
  unsigned long long out;
  const uint64_t word = __builtin_subcll(x, y, carry, &out);
  return (holdfast_word){word, out};
}

#endif
