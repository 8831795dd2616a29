#ifndef HOLDFAST_REGISTERS_H
#define HOLDFAST_REGISTERS_H

// Which registers the system saves: without them no instruction that uses them may run. All
// other headers ask here.

#if defined(__x86_64__) && (defined(__clang__) || defined(__GNUC__))

#include <cpuid.h>
#include <immintrin.h>

/// The registers of AVX in XCR0: bits 1 and 2.
#define HOLDFAST_AVX_REGISTERS 0x06
/// Those of AVX-512: bits 5 to 7 as well.
#define HOLDFAST_AVX512_REGISTERS 0xe6

/// Whether the system saves all of some registers. Bit 27 says that it lets programs ask.
__attribute__((target("xsave"))) static inline int holdfast_saves(unsigned registers) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !((c >> 27) & 1)) return 0;
  return (_xgetbv(0) & registers) == registers;
}

#endif
#endif
