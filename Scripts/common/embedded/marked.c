// The counts of what texts and arrays refer to. Embedded Swift's own functions of these names return the address without
// its marks, although compilers take the result for what was passed: on arm64 a call that is not inlined lost the length
// of a short text.
#include <stdint.h>

_Static_assert(sizeof(void *) == 8, "other marks");

extern void *swift_retain_n(void *object, uint32_t count);

void *swift_bridgeObjectRetain_n(void *marked, uint32_t count) {
  uintptr_t bits = (uintptr_t)marked;
  // The highest bit is that of what is not counted.
  if (bits >> 63 == 0) swift_retain_n((void *)(bits & 0x0ffffffffffffff8), count);
  return marked;
}

void *swift_bridgeObjectRetain(void *marked) { return swift_bridgeObjectRetain_n(marked, 1); }
