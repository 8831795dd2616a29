#ifndef PEER_SYSTEM_H
#define PEER_SYSTEM_H

// The system functions of the benchmarks: counting allocations, and counting instructions with
// callgrind. No function takes a pointer.

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define PEER_SYSTEM_CALLGRIND 1
#endif

/// Makes writing to a program that has ended an error instead of ending this program.
static inline void peer_system_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

/// Calls a function of peers/allocations; returns -1 if the library is not loaded.
static inline int64_t peer_system_counter(const char *name) {
  int64_t (*count)(void) = (int64_t(*)(void))dlsym(NULL, name);
  return count ? count() : -1;
}

/// The number of allocations of this process.
static inline int64_t peer_system_allocations(void) {
  return peer_system_counter("peer_allocations");
}

/// The peak memory since the last call, above the memory in use then.
static inline int64_t peer_system_peak(void) {
  return peer_system_counter("peer_allocations_peak");
}

/// Starts counting instructions at zero; returns 0 if built without callgrind.
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
