#ifndef HOLDFAST_PLATFORM_H
#define HOLDFAST_PLATFORM_H

// What Swift's module of the C library lacks.

#include <stdlib.h>
#if !defined(__wasi__)
#include <signal.h>
#endif

#if defined(__linux__) && !defined(__ANDROID__)
// Declared in <stdlib.h> under _GNU_SOURCE, in glibc since 2.17 and in musl since 1.1.24. Returns
// NULL in a program with more privileges than its caller.
extern char *secure_getenv(const char *name);

static inline char *holdfast_getenv(const char *name) { return secure_getenv(name); }
#elif defined(__wasi__)
// It knows no programs with more privileges than their callers.
static inline char *holdfast_getenv(const char *name) { return getenv(name); }
#else
#include <unistd.h>

static inline char *holdfast_getenv(const char *name) {
  return getuid() != geteuid() || getgid() != getegid() ? NULL : getenv(name);
}
#endif

// Whether the process ignores a signal, as one that `nohup` has started ignores SIGHUP.
static inline int holdfast_ignores(int number) {
#if defined(__wasi__)
  (void)number;
  return 0;
#else
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
#endif
}

#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Makes freed blocks of at least `size` bytes return to the system. glibc otherwise keeps freed
// memory for each thread, up to 64 MiB: it raises the limit whenever such a block is freed.
static inline void holdfast_return_blocks(int size) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, size);
  mallopt(M_TRIM_THRESHOLD, 2 * size);
#else
  (void)size;
#endif
}

#endif
