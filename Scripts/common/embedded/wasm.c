// What Embedded Swift's library wants of a C library and WASI's lacks.
#include <stddef.h>
#include <stdint.h>

extern int getentropy(void *bytes, size_t count);
uintptr_t __stack_chk_guard = 0x5eaf00d;
void __stack_chk_fail(void) { __builtin_trap(); }
void arc4random_buf(void *bytes, size_t count) {
  for (size_t done = 0; done < count; done += 256)
    getentropy((char *)bytes + done, count - done < 256 ? count - done : 256);
}
