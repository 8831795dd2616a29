#ifndef PEER_SYSTEM_H
#define PEER_SYSTEM_H

// What the benchmarks ask of the system: other programs, how much was allocated, and
// callgrind, which counts instructions.

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define PEER_SYSTEM_CALLGRIND 1
#endif

/// Writes what a command of the shell prints; the length, or -1 if the command failed.
static inline long peer_system_run(const char *command, uint8_t *out, size_t room) {
  FILE *stream = popen(command, "r");
  if (!stream) return -1;
  size_t length = fread(out, 1, room, stream);
  int status = pclose(stream);
  return status == 0 ? (long)length : -1;
}

/// A program that answers a line with a line.
struct peer_system_program {
  FILE *to, *from;
  pid_t process;
};

/// Starts a program with an argument, which may be null; null if that is impossible.
static inline void *peer_system_start(const char *path, const char *argument) {
  int to[2], from[2];
  if (pipe(to) != 0) return NULL;
  if (pipe(from) != 0) return NULL;
  signal(SIGPIPE, SIG_IGN);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], 0);
  posix_spawn_file_actions_adddup2(&actions, from[1], 1);
  for (int end = 0; end < 2; end++) {
    posix_spawn_file_actions_addclose(&actions, to[end]);
    posix_spawn_file_actions_addclose(&actions, from[end]);
  }
  extern char **environ;
  char *arguments[] = {(char *)path, (char *)argument, NULL};
  pid_t child;
  int status = posix_spawn(&child, path, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]);
  close(from[1]);
  struct peer_system_program *program = malloc(sizeof *program);
  if (status != 0 || !program) return NULL;
  program->to = fdopen(to[1], "w");
  program->from = fdopen(from[0], "r");
  program->process = child;
  return program->to && program->from ? program : NULL;
}

/// Sends a line.
static inline void peer_system_tell(void *program, const char *line) {
  FILE *to = ((struct peer_system_program *)program)->to;
  fputs(line, to);
  fputc('\n', to);
}

/// Sends a line and reads the answer, without its end, as a string; 0 if there is none in so
/// many milliseconds.
static inline int peer_system_ask(
    void *program, const char *line, char *out, int room, int patience) {
  struct peer_system_program *peer = program;
  peer_system_tell(program, line);
  fflush(peer->to);
  struct pollfd wait = {fileno(peer->from), POLLIN, 0};
  if (poll(&wait, 1, patience) != 1 || !fgets(out, room, peer->from)) return 0;
  for (; *out; out++) {
    if (*out == '\n') *out = 0;
  }
  return 1;
}

/// Ends the program.
static inline void peer_system_end(void *program) {
  struct peer_system_program *peer = program;
  kill(peer->process, SIGKILL);
  waitpid(peer->process, NULL, 0);
  fclose(peer->to);
  fclose(peer->from);
  free(peer);
}

/// A function of peers/allocations; null if nobody counts.
static inline int64_t (*peer_system_counter(const char *name))(void) {
  return (int64_t(*)(void))dlsym(NULL, name);
}

/// How often the process has asked for memory; -1 if nobody counts.
static inline int64_t peer_system_allocations(void) {
  int64_t (*count)(void) = peer_system_counter("peer_allocations");
  return count ? count() : -1;
}

/// The most octets that were in use since this was called last, beyond those that were in
/// use then; -1 if nobody counts.
static inline int64_t peer_system_peak(void) {
  int64_t (*peak)(void) = peer_system_counter("peer_allocations_peak");
  return peak ? peak() : -1;
}

/// Begins to count instructions at nought; 0 if this program was built without callgrind.
static inline int peer_system_start_counting(void) {
#ifdef PEER_SYSTEM_CALLGRIND
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  return 1;
#else
  return 0;
#endif
}

/// Writes down the instructions since then under a name.
static inline void peer_system_stop_counting(const char *name) {
#ifdef PEER_SYSTEM_CALLGRIND
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
#endif
}

#endif
