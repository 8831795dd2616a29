#ifndef PEER_H
#define PEER_H

// A peer in C: peer.c has the protocol, openssl.c and gnutls.c the work.

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

/// The question sent since `new`.
struct question {
  struct list anchors, chain;  // the chain has the leaf first
  struct bytes key, message, signature;
  char *text;    // the first argument: a host, a file, a hash
  char *option;  // the second argument
  void *ready;   // what the library prepared from it
  size_t turn;
};

/// A kind of work. The answer is a number: 1 or 0 for a verdict, -1 for none.
struct work {
  const char *name;
  int is_verdict;
  /// Prepares the parts that are not measured; returns 0 if that fails.
  int (*prepare)(struct question *);
  long (*run)(struct question *);
};

/// The kinds of work of this library; the last has no name.
extern const struct work peer_works[];
const char *peer_version(void);

#endif
