// What the library for other languages would need a new glibc for: stat and fstat are functions since its version 2.33,
// and arc4random_buf, with which Swift seeds its hashes, is there since 2.36. The system calls were always there.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// With 64 bits the kernel's structure is that of the C library.
_Static_assert(sizeof(void *) == 8, "another structure");

int stat(const char *path, struct stat *status) { return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0); }

int fstat(int file, struct stat *status) { return (int)syscall(SYS_fstat, file, status); }

void arc4random_buf(void *start, size_t size) {
  char *next = start;
  while (size > 0) {
    long count = syscall(SYS_getrandom, next, size, 0);
    if (count < 0 && errno != EINTR) abort();
    if (count > 0) next += count, size -= (size_t)count;
  }
}
