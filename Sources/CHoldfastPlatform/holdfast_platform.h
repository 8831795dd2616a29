#ifndef HOLDFAST_PLATFORM_H
#define HOLDFAST_PLATFORM_H

// What Swift's module of the C library leaves out.

#include <stdlib.h>

#if defined(__linux__) && !defined(__ANDROID__)
// Behind _GNU_SOURCE in <stdlib.h>, in glibc since 2.17 and in musl since 1.1.24: NULL in a program
// that has more rights than its caller.
extern char *secure_getenv(const char *name);

static inline char *holdfast_getenv(const char *name) { return secure_getenv(name); }
#elif defined(_WIN32)
static inline char *holdfast_getenv(const char *name) { return getenv(name); }
#else
#include <unistd.h>

static inline char *holdfast_getenv(const char *name) {
  return getuid() != geteuid() || getgid() != getegid() ? NULL : getenv(name);
}
#endif

#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Has blocks of a size go back to the system when they are freed. glibc otherwise keeps for each thread
// what it has freed, up to 64 MiB: it raises the limit each time that such a block is freed.
static inline void holdfast_return_blocks(int size) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, size);
  mallopt(M_TRIM_THRESHOLD, 2 * size);
#else
  (void)size;
#endif
}

#endif
