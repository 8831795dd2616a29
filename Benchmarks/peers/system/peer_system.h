#ifndef PEER_SYSTEM_H
#define PEER_SYSTEM_H

// What the benchmarks ask of the system: how much was allocated, and callgrind, which counts
// instructions. No function takes a pointer.

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define PEER_SYSTEM_CALLGRIND 1
#endif

/// Writing to a program that has ended is an error then, not the end of this one.
static inline void peer_system_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

/// What a function of peers/allocations returns; -1 unless that is loaded.
static inline int64_t peer_system_counter(const char *name) {
  int64_t (*count)(void) = (int64_t(*)(void))dlsym(NULL, name);
  return count ? count() : -1;
}

/// The number of allocations of this process.
static inline int64_t peer_system_allocations(void) {
  return peer_system_counter("peer_allocations");
}

/// The most bytes that were in use since this was called last, beyond those in use then.
static inline int64_t peer_system_peak(void) {
  return peer_system_counter("peer_allocations_peak");
}

/// Begins to count instructions at zero; 0 if this program was built without callgrind.
static inline int peer_system_start_counting(void) {
#ifdef PEER_SYSTEM_CALLGRIND
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  return 1;
#else
  return 0;
#endif
}

/// Writes the instructions since then to the next of callgrind's files.
static inline void peer_system_stop_counting(void) {
#ifdef PEER_SYSTEM_CALLGRIND
  CALLGRIND_DUMP_STATS;
  CALLGRIND_STOP_INSTRUMENTATION;
#endif
}

#endif
