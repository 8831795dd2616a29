// Counts the allocations of a process and the memory in use. Scripts/bench builds it as a
// shared object and preloads it (LD_PRELOAD). For glibc, whose functions do the allocating.

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static int64_t asked, used, most, before;

int64_t peer_allocations(void) { return __atomic_load_n(&asked, __ATOMIC_RELAXED); }

// The peak since the last call, above what was in use then.
int64_t peer_allocations_peak(void) {
  int64_t peak = __atomic_load_n(&most, __ATOMIC_RELAXED) - before;
  before = __atomic_load_n(&used, __ATOMIC_RELAXED);
  __atomic_store_n(&most, before, __ATOMIC_RELAXED);
  return peak;
}

static void change(int64_t bytes) {
  int64_t now = __atomic_add_fetch(&used, bytes, __ATOMIC_RELAXED);
  if (now > __atomic_load_n(&most, __ATOMIC_RELAXED)) {
    __atomic_store_n(&most, now, __ATOMIC_RELAXED);
  }
}

static void *counted(void *block) {
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  if (block) change((int64_t)malloc_usable_size(block));
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }

void free(void *block) {
  if (block) change(-(int64_t)malloc_usable_size(block));
  __libc_free(block);
}

void *realloc(void *block, size_t size) {
  int64_t old = block ? (int64_t)malloc_usable_size(block) : 0;
  void *moved = __libc_realloc(block, size);
  if (moved || size == 0) change(-old);
  return counted(moved);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size));
}

void *memalign(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *block = counted(__libc_memalign(alignment, size));
  if (!block) return ENOMEM;
  *out = block;
  return 0;
}
