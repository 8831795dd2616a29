// Counts how often a process asks for memory: built by Scripts/bench as a shared object
// and loaded before all others (LD_PRELOAD). For glibc, whose own functions do the work.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int64_t asked;

static void count(void) { __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED); }

int64_t peer_allocations(void) { return __atomic_load_n(&asked, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count();
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  count();
  void *block = __libc_memalign(alignment, size);
  if (!block) return ENOMEM;
  *out = block;
  return 0;
}
