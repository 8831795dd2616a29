/*
 * What happens when memory runs out: each allocation of two questions fails in a process of its own. The process must
 * end by a signal, or say that it could not answer; a chain that is not trusted is never called trusted.
 *
 *     memory CHAIN.der ISSUER.der ANCHORS HOST TIME
 */
#define _GNU_SOURCE
#include <errno.h>
#include <holdfast.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the library calls instead of glibc's functions. At 1 the next allocation fails, and all that follow. */
static long left;

static int fails(void) { return left > 0 && (left == 1 || --left == 0); }

void *__libc_malloc(size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }

int posix_memalign(void **place, size_t alignment, size_t size) {
  void *made = fails() ? NULL : __libc_memalign(alignment, size);
  if (made) *place = made;
  return made ? 0 : ENOMEM;
}

static unsigned char memory[2][1 << 14];
static holdfast_bytes chain[2];

/* Returns 0 if both answers are right, 1 if a question was not answered, and 2 if an answer is wrong. */
static int ask(char **words) {
  const char *hosts[] = {words[4], "other.example"};
  holdfast_policy *policy = NULL;
  holdfast_policy_new(&policy);
  holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT(words[3]), 0);
  for (int i = 0; i < 2; i++) {
    holdfast_answer *answer = NULL;
    holdfast_question question = {.structure_size = sizeof question, .purpose = HOLDFAST_SERVER};
    question.name = hosts[i], question.name_size = strlen(hosts[i]), question.time = atoll(words[5]);
    question.chain = chain, question.chain_count = 2;
    if (holdfast_policy_ask(policy, &question, &answer) != HOLDFAST_OK) return 1;
    if (holdfast_answer_is_trusted(answer) != (i == 0)) return 2;
    if (!holdfast_answer_borrow_text(answer, HOLDFAST_JSON, NULL)) return 1;
    holdfast_answer_free(answer);
  }
  holdfast_policy_free(policy);
  return 0;
}

int main(int count, char **words) {
  if (count < 6) return 2;
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(words[1 + i], "r");
    if (!file) return 2;
    chain[i] = (holdfast_bytes){memory[i], fread(memory[i], 1, sizeof memory[i], file)};
    fclose(file);
  }
  if (ask(words) != 0) return 2;
  long at = 1, ended = 0, refused = 0;
  for (int status = 1; status != 0; at++) {
    pid_t child = fork();
    if (child == 0) {
      left = at + 1;
      int result = ask(words);
      /* Without a failed allocation there are no more to fail. */
      _exit(result == 0 && left == 1 ? 3 : result);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return 2;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
      printf("not ok: a wrong answer without the %ldth allocation\n", at);
      return 1;
    }
    if (WIFSIGNALED(status)) ended++;
    else if (status != 0) refused++;
  }
  printf("each of %ld allocations failed: %ld times the process ended, %ld times there was no answer or a right one\n",
         at - 2, ended, refused);
  return 0;
}
