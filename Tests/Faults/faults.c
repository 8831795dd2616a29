// Runs a command for Scripts/oracle/faults, counts the system calls of all its threads, and disturbs them.
//   faults REPORT FOLDER SIZE FAULT CALL WHEN VALUE COMMAND...
// CALL is the number of a system call. Counting begins at the first call with a path in FOLDER.
// If SIZE is not 0, every read and write of a file, pipe or stream has at most SIZE bytes. FAULT is
//   none
//   error  the WHEN-th CALL fails with the error VALUE
//   kill   SIGKILL before the WHEN-th CALL
//   shrink the file FOLDER/files/filter gets VALUE bytes before the WHEN-th CALL
//   clock  the clock is VALUE seconds ahead (or behind) from its WHEN-th question on, counted as `time`
// REPORT receives how many calls FAULT disturbed, how many were made short, and then lines of a call's
// number and its count.
#define _GNU_SOURCE
#include <elf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *folder, *fault;
static long size, call, when, value, disturbed, shortened, counts[1024];
static int has_begun;

// Hides the vDSO from the command, whose clock would be read without a system call.
static void hide_vdso(pid_t thread) {
  struct user_regs_struct registers;
  ptrace(PTRACE_GETREGS, thread, 0, &registers);
  long *place = (long *)registers.rsp + 1;  // the arguments, the environment, then pairs
  for (int lists = 0; lists < 2; place++)
    if (!ptrace(PTRACE_PEEKDATA, thread, place, 0)) lists++;
  for (long type; (type = ptrace(PTRACE_PEEKDATA, thread, place, 0)) != AT_NULL; place += 2)
    if (type == AT_SYSINFO_EHDR) ptrace(PTRACE_POKEDATA, thread, place, AT_IGNORE);
}

static int begins(pid_t thread, unsigned long text, const char *start) {
  for (size_t at = 0; start[at]; at++)
    if ((char)ptrace(PTRACE_PEEKDATA, thread, text + at, 0) != start[at]) return 0;
  return 1;
}

// Whether the name of the call's descriptor begins so: a path, or "pipe:", "socket:" or "anon_inode:".
static int uses(pid_t thread, const struct user_regs_struct *registers, const char *start) {
  char link[64], name[64] = "";
  snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, (int)registers->rdi);
  return readlink(link, name, sizeof name - 1) > 0 && !strncmp(name, start, strlen(start));
}

// Whether libdispatch looks at its threads, which it does once a second, and ends the process if it cannot.
static int is_of_runtime(pid_t thread, const struct user_regs_struct *registers) {
  switch (registers->orig_rax) {
  case SYS_openat:
    return begins(thread, registers->rsi, "/proc/");
  case SYS_read: case SYS_close:
    return uses(thread, registers, "/proc/");
  default:
    return 0;
  }
}

// Whether fewer bytes are a legal answer: not for events and timers, nor for messages to an address.
static int may_be_short(pid_t thread, const struct user_regs_struct *registers) {
  switch (registers->orig_rax) {
  case SYS_recvfrom: case SYS_sendto:
    return registers->r8 == 0;
  case SYS_read: case SYS_write: case SYS_pread64: case SYS_pwrite64:
    return !uses(thread, registers, "anon_inode:");
  default:
    return 0;
  }
}

static void answer(struct user_regs_struct *registers, long result) {
  registers->orig_rax = -1;
  registers->rax = result;
}

// Answers a question for the time of day, so many seconds late.
static void tell_time(pid_t thread, struct user_regs_struct *registers, long seconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += seconds;
  unsigned long place = registers->rdi;
  if (registers->orig_rax == SYS_clock_gettime) place = registers->rsi;
  if (registers->orig_rax == SYS_gettimeofday) now.tv_nsec /= 1000;
  if (registers->orig_rax != SYS_time || place) {
    const size_t length = registers->orig_rax == SYS_time ? sizeof(time_t) : sizeof now;
    const struct iovec here = {&now, length}, there = {(void *)place, length};
    process_vm_writev(thread, &here, 1, &there, 1, 0);
  }
  answer(registers, registers->orig_rax == SYS_time ? now.tv_sec : 0);
}

static void consider(pid_t command, pid_t thread) {
  struct user_regs_struct registers;
  ptrace(PTRACE_GETREGS, thread, 0, &registers);
  long number = registers.orig_rax;
  has_begun |= begins(thread, registers.rdi, folder) || begins(thread, registers.rsi, folder);
  if (!has_begun || number < 0 || number >= 1024 || is_of_runtime(thread, &registers)) return;
  const int asks_time = number == SYS_time || number == SYS_gettimeofday
    || (number == SYS_clock_gettime && registers.rdi == CLOCK_REALTIME);
  if (asks_time) number = SYS_time;
  const long count = ++counts[number];
  if (size && registers.rdx > (unsigned long)size && may_be_short(thread, &registers)) {
    registers.rdx = size;
    shortened++;
  }
  const int is_place = number == call && count == when;
  if (!strcmp(fault, "error") && is_place) {
    answer(&registers, -value);
    disturbed++;
  } else if (!strcmp(fault, "kill") && is_place) {
    kill(command, SIGKILL);
    disturbed++;
  } else if (!strcmp(fault, "shrink") && is_place) {
    char path[4096];
    snprintf(path, sizeof path, "%s/files/filter", folder);
    disturbed += truncate(path, value) == 0;
  } else if (!strcmp(fault, "clock") && asks_time && count >= when) {
    tell_time(thread, &registers, value);
    disturbed++;
  }
  ptrace(PTRACE_SETREGS, thread, 0, &registers);
}

static void run(char **words) {
  struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)};
  struct sock_fprog program = {1, all};
  ptrace(PTRACE_TRACEME, 0, 0, 0);
  raise(SIGSTOP);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) execv(words[0], words);
  _exit(127);
}

int main(int count, char **words) {
  if (count < 9) return 64;
  folder = words[2], size = atol(words[3]), fault = words[4];
  call = atol(words[5]), when = atol(words[6]), value = atol(words[7]);
  const pid_t command = fork();
  if (command == 0) run(words + 8);
  int status;
  if (waitpid(command, &status, 0) < 0 || !WIFSTOPPED(status)) return 127;
  ptrace(PTRACE_SETOPTIONS, command, 0, PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC
    | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK);
  ptrace(PTRACE_CONT, command, 0, 0);
  for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
    if (!WIFSTOPPED(status)) {
      if (thread == command) break;
      continue;
    }
    // A new thread begins stopped; other signals are the command's.
    const int event = status >> 16, number = WSTOPSIG(status);
    if (event == PTRACE_EVENT_SECCOMP) consider(command, thread);
    if (event == PTRACE_EVENT_EXEC) hide_vdso(thread);
    ptrace(PTRACE_CONT, thread, 0, event || number == SIGSTOP ? 0 : number);
  }
  FILE *report = fopen(words[1], "w");
  if (!report) return 127;
  fprintf(report, "%ld %ld\n", disturbed, shortened);
  for (int number = 0; number < 1024; number++)
    if (counts[number]) fprintf(report, "%d %ld\n", number, counts[number]);
  fclose(report);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
