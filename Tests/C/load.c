/*
 * Opens and closes libholdfast many times, with a question in between, and looks whether memory grows.
 *
 *     load LIBRARY ANCHORS COUNT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <holdfast.h>

static long resident(void) {
  long pages = 0, all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
  if (file) fclose(file);
  return pages * 4;
}

int main(int count, char **words) {
  if (count < 4) return 2;
  int times = atoi(words[3]);
  long after_first = 0;
  for (int i = 0; i < times; i++) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (!library) {
      printf("not ok: %s\n", dlerror());
      return 1;
    }
    if (i == 0) {
      printf("load %.2f ms\n", (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6);
    }
    holdfast_status (*make)(holdfast_policy **) = dlsym(library, "holdfast_policy_new");
    holdfast_status (*add)(holdfast_policy *, const char *, size_t, uint32_t) =
        dlsym(library, "holdfast_policy_add_anchor_file");
    holdfast_status (*ask)(holdfast_policy *, const holdfast_question *, holdfast_answer **) =
        dlsym(library, "holdfast_policy_ask");
    holdfast_status (*free_policy)(holdfast_policy *) = dlsym(library, "holdfast_policy_free");
    holdfast_status (*free_answer)(holdfast_answer *) = dlsym(library, "holdfast_answer_free");
    holdfast_policy *policy = NULL;
    holdfast_answer *answer = NULL;
    holdfast_question question = {
        .structure_size = sizeof question, .purpose = HOLDFAST_CLIENT, .time = HOLDFAST_NOW};
    if (make(&policy) || add(policy, HOLDFAST_TEXT(words[2]), 0) || ask(policy, &question, &answer)
        || free_answer(answer) || free_policy(policy)) {
      printf("not ok: no answer\n");
      return 1;
    }
    dlclose(library);
    if (i == times / 10) after_first = resident();
  }
  long grown = resident() - after_first;
  printf("%d times, grown by %ld KiB\n", times, grown);
  if (grown > 256) {
    printf("not ok: memory grows\n");
    return 1;
  }
  return 0;
}
