// Preloaded by Scripts/oracle/faults: the command forks before the HOLDFAST_FORK_AT-th file that it opens. The child
// goes on, and says so in the file HOLDFAST_FORK_REPORT; its parent waits, and ends as it does.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void fork_at(int place) {
  const char *wanted = getenv("HOLDFAST_FORK_AT"), *report = getenv("HOLDFAST_FORK_REPORT");
  if (!wanted || !report || atoi(wanted) != place) return;
  const pid_t child = fork();
  if (child < 0) _exit(127);
  if (child == 0) {
    close(open(report, O_CREAT | O_WRONLY, 0600));
    return;
  }
  int status;
  if (waitpid(child, &status, 0) != child) _exit(127);
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  _exit(WEXITSTATUS(status));
}

FILE *fopen(const char *path, const char *mode) {
  static int count;
  fork_at(++count);
  FILE *(*next)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  return next(path, mode);
}
