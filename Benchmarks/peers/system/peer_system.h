#ifndef PEER_SYSTEM_H
#define PEER_SYSTEM_H

// What the benchmarks ask of the system: other programs, and how much was allocated.

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>

/// Writes what a command of the shell prints; the length, or -1 if the command failed.
static inline long peer_system_run(const char *command, uint8_t *out, size_t room) {
  FILE *stream = popen(command, "r");
  if (!stream) return -1;
  size_t length = fread(out, 1, room, stream);
  int status = pclose(stream);
  return status == 0 ? (long)length : -1;
}

/// How often the process has asked for memory; -1 if nobody counts, see peers/allocations.
static inline int64_t peer_system_allocations(void) {
  int64_t (*count)(void) = (int64_t(*)(void))dlsym(NULL, "peer_allocations");
  return count ? count() : -1;
}

#endif
