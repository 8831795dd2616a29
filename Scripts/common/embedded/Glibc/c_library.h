// The headers that Swift's module of the C library has, and functions for what Swift cannot import
// of them: macros, and functions of any number of arguments.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline int library_errno(void) { return errno; }
static inline void library_set_errno(int number) { errno = number; }
static inline int library_interrupted(void) { return EINTR; }

#ifndef __wasi__
#include <dirent.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>

static inline int library_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int library_fcntl(int file, int command, int value) { return fcntl(file, command, value); }
static inline int library_fcntl_at(int file, int command, void *value) { return fcntl(file, command, value); }
static inline int library_ioctl(int file, unsigned long request, void *value) { return ioctl(file, request, value); }
static inline __sighandler_t library_default(void) { return SIG_DFL; }
static inline __sighandler_t library_ignore(void) { return SIG_IGN; }
#endif
