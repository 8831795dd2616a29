// The protocol of a peer; Benchmarks/README.md describes it.

#define _GNU_SOURCE
#include "peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Decodes Base64 without line ends.
static struct bytes decoded(const char *text) {
  static const char alphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  struct bytes bytes = {malloc(strlen(text) + 1), 0};
  unsigned bits = 0, sum = 0;
  for (const char *place; bytes.at && *text && (place = strchr(alphabet, *text)); text++) {
    sum = sum << 6 | (unsigned)(place - alphabet);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.at[bytes.length++] = (unsigned char)(sum >> bits);
  }
  return bytes;
}

static struct bytes *added(struct list *list) {
  struct bytes *grown = realloc(list->at, (list->count + 1) * sizeof *grown);
  if (!grown) exit(1);
  list->at = grown;
  return &grown[list->count++];
}

/// Returns the part of the question that a word names; null if it names none.
static struct bytes *part(struct question *question, const char *word) {
  if (!strcmp(word, "anchor")) return added(&question->anchors);
  if (!strcmp(word, "leaf") || !strcmp(word, "intermediate")) return added(&question->chain);
  if (!strcmp(word, "key")) return &question->key;
  if (!strcmp(word, "message")) return &question->message;
  if (!strcmp(word, "signature")) return &question->signature;
  return NULL;
}

/// Calls a function of peers/allocations; returns -1 if the library is not loaded.
static int64_t counter(const char *name) {
  int64_t (*count)(void) = (int64_t(*)(void))dlsym(RTLD_DEFAULT, name);
  return count ? count() : -1;
}

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/// Prints the nanoseconds of one turn, and allocations and peak memory if they are counted.
static void measure(
    const struct work *work, struct question *question, long expected, int64_t milliseconds) {
  for (int share = 4; share > 0; share -= 3) {
    int64_t before = counter("peer_allocations");
    counter("peer_allocations_peak");
    int64_t start = nanoseconds(), elapsed = 0, count = 0;
    while (elapsed < milliseconds * 1000000 / share) {
      if (work->run(question) != expected) {
        puts("a changed answer");
        return;
      }
      count++;
      if ((count & (count - 1)) == 0 || count % 16 == 0) elapsed = nanoseconds() - start;
    }
    if (share > 1) continue;
    printf("%.3f", (double)elapsed / (double)count);
    if (before >= 0) {
      int64_t asked = counter("peer_allocations") - before;
      printf(" %lld %lld", (long long)(asked / count), (long long)counter("peer_allocations_peak"));
    }
    putchar('\n');
  }
}

int main(void) {
  struct question question = {0};
  const struct work *work = NULL;
  long expected = 0;
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    char *words[3] = {strtok(line, " \n"), strtok(NULL, " \n"), strtok(NULL, " \n")};
    if (!words[0]) continue;
    struct bytes *place = words[1] ? part(&question, words[0]) : NULL;
    if (place) {
      *place = decoded(words[1]);
      continue;
    }
    if (!strcmp(words[0], "new")) {
      // The last question is not freed, because freeing and reallocating would disturb the heap.
      question = (struct question){0};
      work = NULL;
      continue;
    }
    if (!strcmp(words[0], "version")) {
      puts(peer_version());
    } else if (!strcmp(words[0], "measure") && words[1] && work) {
      measure(work, &question, expected, atoll(words[1]));
    } else {
      question.text = strdup(words[1] ? words[1] : "");
      question.option = strdup(words[2] ? words[2] : "");
      for (work = peer_works; work->name && strcmp(work->name, words[0]); work++) continue;
      if (!work->name || !work->prepare(&question)) {
        puts(work->name ? "cannot read the question" : "not understood");
        work = NULL;
      } else {
        expected = work->run(&question);
        if (expected < 0) puts("no answer");
        else if (work->is_verdict) puts(expected == 1 ? "valid" : "invalid");
        else printf("%ld\n", expected);
      }
    }
    fflush(stdout);
  }
  return 0;
}
