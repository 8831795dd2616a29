#ifndef HOLDFAST_PLATFORM_H
#define HOLDFAST_PLATFORM_H

// What Swift's module of the C library lacks.

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#if !defined(__wasi__)
#include <pthread.h>
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

// Opens a file by its path in a folder, or for -1 in the folder of the process. In a folder no link is
// followed at the end. The processes that the program starts do not inherit the file.
static inline int holdfast_open(int folder, const char *path, int flags) {
  return folder < 0 ? open(path, O_RDONLY | O_CLOEXEC | flags)
                    : openat(folder, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags);
}

// Opens a folder to look up what is in it, which where the system allows it needs no right to list it.
static inline int holdfast_open_folder(int folder, const char *path) {
#if defined(__O_PATH)
  return holdfast_open(folder, path, __O_PATH | O_DIRECTORY);
#elif defined(O_PATH)
  return holdfast_open(folder, path, O_PATH | O_DIRECTORY);
#elif defined(O_SEARCH)
  return holdfast_open(folder, path, O_SEARCH | O_DIRECTORY);
#else
  return holdfast_open(folder, path, O_DIRECTORY);
#endif
}

static inline FILE *holdfast_open_stream(int folder, const char *path) {
  int file = holdfast_open(folder, path, 0);
  FILE *stream = file < 0 ? NULL : fdopen(file, "rb");
  if (file >= 0 && stream == NULL) close(file);
  return stream;
}

static inline DIR *holdfast_open_names(int folder, const char *path) {
  int file = holdfast_open(folder, path, O_DIRECTORY);
  DIR *names = file < 0 ? NULL : fdopendir(file);
  if (file >= 0 && names == NULL) close(file);
  return names;
}

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

// Nanoseconds of a clock that is never set back.
static inline int64_t holdfast_monotonic_nanoseconds(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// A lock for Embedded Swift, which has none. A module of WebAssembly has one thread.
#if defined(__wasi__)
static inline void *holdfast_lock_create(void) { return malloc(1); }
static inline void holdfast_lock_acquire(void *lock) { (void)lock; }
static inline void holdfast_lock_release(void *lock) { (void)lock; }
static inline void holdfast_lock_destroy(void *lock) { free(lock); }
#else
static inline void *holdfast_lock_create(void) {
  pthread_mutex_t *lock = (pthread_mutex_t *)malloc(sizeof(pthread_mutex_t));
  if (lock == NULL || pthread_mutex_init(lock, NULL) != 0) abort();
  return lock;
}

static inline void holdfast_lock_acquire(void *lock) {
  if (pthread_mutex_lock((pthread_mutex_t *)lock) != 0) abort();
}

static inline void holdfast_lock_release(void *lock) {
  if (pthread_mutex_unlock((pthread_mutex_t *)lock) != 0) abort();
}

static inline void holdfast_lock_destroy(void *lock) {
  pthread_mutex_destroy((pthread_mutex_t *)lock);
  free(lock);
}
#endif

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
