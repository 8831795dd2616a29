// Preloaded by Scripts/faults: short reads and writes, which are legal and must change nothing, and a
// clock of the system that jumps.
//   FAULTS_SHORT=N                at most N bytes for each call that reads or writes
//   FAULTS_CLOCK=SECONDS:CALLS    the clock is SECONDS ahead (or back) from the CALLS-th question on
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static size_t least(size_t count) {
  const char *text = getenv("FAULTS_SHORT");
  const size_t most = text ? strtoul(text, NULL, 10) : 0;
  return most && count > most ? most : count;
}

#define NEXT(name) __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t read(int file, void *bytes, size_t count) {
  NEXT(read);
  return next(file, bytes, least(count));
}

ssize_t write(int file, const void *bytes, size_t count) {
  NEXT(write);
  return next(file, bytes, least(count));
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  NEXT(pread);
  return next(file, bytes, least(count), offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  NEXT(pwrite);
  return next(file, bytes, least(count), offset);
}

ssize_t recv(int file, void *bytes, size_t count, int flags) {
  NEXT(recv);
  return next(file, bytes, least(count), flags);
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
  NEXT(send);
  return next(file, bytes, least(count), flags);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  NEXT(writev);
  return getenv("FAULTS_SHORT") && count > 0 ? write(file, parts[0].iov_base, parts[0].iov_len)
                                             : next(file, parts, count);
}

static long jump(void) {
  static atomic_long calls;
  const char *text = getenv("FAULTS_CLOCK");
  if (!text) return 0;
  char *rest;
  const long seconds = strtol(text, &rest, 10);
  return atomic_fetch_add(&calls, 1) + 1 >= strtol(rest + (*rest == ':'), NULL, 10) ? seconds : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  NEXT(clock_gettime);
  const int status = next(clock, time);
  if (!status && clock == CLOCK_REALTIME) time->tv_sec += jump();
  return status;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  NEXT(gettimeofday);
  const int status = next(time, zone);
  if (!status) time->tv_sec += jump();
  return status;
}

time_t time(time_t *place) {
  NEXT(time);
  const time_t seconds = next(NULL) + jump();
  if (place) *place = seconds;
  return seconds;
}
