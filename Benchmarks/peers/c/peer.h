#ifndef PEER_H
#define PEER_H

// A peer in C: peer.c has the lines that are asked and answered, openssl.c and gnutls.c the work.

#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct bytes {
  unsigned char *at;
  size_t length;
};

struct list {
  struct bytes *at;
  size_t count;
};

/// What was sent since `new`.
struct question {
  struct list anchors, chain;  // the chain leaf first
  struct bytes key, message, signature;
  char *text;    // the first word after that of the work: a host, a file, a hash
  char *option;  // the second one
  void *ready;   // what the library made of it, once
  size_t turn;
};

/// A kind of work. The answer is a number: 1 or 0 for a verdict, -1 for none.
struct work {
  const char *name;
  int is_verdict;
  /// Readies what is not measured; 0 if that is impossible.
  int (*prepare)(struct question *);
  long (*run)(struct question *);
};

/// The kinds of work of this library; the last has no name.
extern const struct work peer_works[];
const char *peer_version(void);

#endif
