#define _GNU_SOURCE
#include "door.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void fork_after_use(void) {
  holdfast_policy *policy = policy_of_anchors();
  expect(policy, ask_about(host), HOLDFAST_TRUSTED, "");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    failures = 0;
    expect(policy, ask_about(host), HOLDFAST_TRUSTED, "");
    holdfast_policy_free(policy);
    policy = policy_of_anchors();
    expect(policy, ask_about(host), HOLDFAST_TRUSTED, "");
    _exit(failures ? 1 : 0);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  expect(policy, ask_about(host), HOLDFAST_TRUSTED, "");
  holdfast_policy_free(policy);
}

static holdfast_policy *shared;
static int rounds = 50;

static void *ask_often(void *unused) {
  (void)unused;
  size_t wrong = 0;
  for (int i = 0; i < rounds; i++) {
    holdfast_answer *answer = NULL;
    holdfast_question question = ask_about(i % 2 ? host : "other.example");
    if (holdfast_policy_ask(shared, &question, &answer) != HOLDFAST_OK) wrong++;
    if (holdfast_answer_is_trusted(answer) != i % 2) wrong++;
    if (i % 8 == 0 && !holdfast_answer_borrow_text(answer, HOLDFAST_JSON, NULL)) wrong++;
    if (holdfast_answer_free(answer) != HOLDFAST_OK) wrong++;
  }
  return (void *)wrong;
}

void threads(int count) {
  pthread_t all[256];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  /* What the header promises to be enough. */
  pthread_attr_setstacksize(&attributes, 256 << 10);
  shared = policy_of_anchors();
  for (int i = 0; i < count; i++) CHECK(pthread_create(&all[i], &attributes, ask_often, NULL) == 0);
  for (int i = 0; i < count; i++) {
    void *wrong = NULL;
    pthread_join(all[i], &wrong);
    CHECK(wrong == NULL);
  }
  holdfast_policy_free(shared);
  pthread_attr_destroy(&attributes);
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void timing(void) {
  double start = seconds();
  holdfast_policy *policy = policy_of_anchors();
  holdfast_answer *answer = NULL;
  holdfast_question question = ask_about(host);
  holdfast_policy_ask(policy, &question, &answer);
  holdfast_answer_free(answer);
  double first = seconds();
  enum { COUNT = 20000 };
  for (int i = 0; i < COUNT; i++) {
    holdfast_policy_ask(policy, &question, &answer);
    holdfast_answer_free(answer);
  }
  double warm = seconds();
  for (int i = 0; i < COUNT; i++) {
    holdfast_policy_ask(policy, &question, &answer);
    holdfast_answer_borrow_text(answer, HOLDFAST_JSON, NULL);
    holdfast_answer_free(answer);
  }
  double json = seconds();
  printf("first verdict %.0f us, warm %.2f us, with JSON %.2f us\n", (first - start) * 1e6,
         (warm - first) / COUNT * 1e6, (json - warm) / COUNT * 1e6);
  holdfast_policy_free(policy);
}
