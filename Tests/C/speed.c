/*
 * What the library costs: the time to load it, that of the system's anchors and the first verdict, and of warm ones.
 *
 *     speed LIBRARY ANCHORS HOST TIME COUNT LEAF.der ISSUER.der
 */
#include <dlfcn.h>
#include <holdfast.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static unsigned char memory[2][1 << 14];

int main(int count, char **words) {
  if (count < 8) return 2;
  holdfast_bytes chain[2];
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(words[6 + i], "r");
    if (!file) return 2;
    chain[i] = (holdfast_bytes){memory[i], fread(memory[i], 1, sizeof memory[i], file)};
    fclose(file);
  }
  double start = milliseconds();
  void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  double loaded = milliseconds();
  if (!library) return 2;
  __typeof__(&holdfast_policy_new) make = (__typeof__(make))dlsym(library, "holdfast_policy_new");
  __typeof__(&holdfast_policy_trust_system) trust = (__typeof__(trust))dlsym(library, "holdfast_policy_trust_system");
  __typeof__(&holdfast_policy_add_anchor_file) add = (__typeof__(add))dlsym(library, "holdfast_policy_add_anchor_file");
  __typeof__(&holdfast_policy_ask) ask = (__typeof__(ask))dlsym(library, "holdfast_policy_ask");
  __typeof__(&holdfast_answer_is_trusted) is = (__typeof__(is))dlsym(library, "holdfast_answer_is_trusted");
  __typeof__(&holdfast_answer_free) end = (__typeof__(end))dlsym(library, "holdfast_answer_free");
  holdfast_policy *policy = NULL;
  holdfast_answer *answer = NULL;
  holdfast_question question = {.structure_size = sizeof question, .purpose = HOLDFAST_SERVER};
  question.name = words[3], question.name_size = strlen(words[3]), question.time = atoll(words[4]);
  question.chain = chain, question.chain_count = 2;
  double before = milliseconds();
  if (make(&policy) || trust(policy, 0) || add(policy, HOLDFAST_TEXT(words[2]), 0)) return 2;
  if (ask(policy, &question, &answer) || !is(answer) || end(answer)) return 2;
  double first = milliseconds();
  int times = atoi(words[5]);
  for (int i = 0; i < times; i++) {
    if (ask(policy, &question, &answer) || !is(answer) || end(answer)) return 2;
  }
  double warm = milliseconds();
  printf("%.3f %.3f %.3f\n", loaded - start, first - before, times ? (warm - first) * 1e3 / times : 0);
  return 0;
}
