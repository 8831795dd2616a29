#ifndef PEER_OPENSSL_CHAIN_H
#define PEER_OPENSSL_CHAIN_H

// A server's chain in OpenSSL 3, the way its manual shows it: an X509_STORE that is made
// once, and for each validation d2i_X509, an X509_STORE_CTX and X509_verify_cert.

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stddef.h>
#include <stdint.h>

static inline X509 *peer_openssl_read(const uint8_t *der, size_t length) {
  return d2i_X509(NULL, &der, (long)length);
}

/// Reads a certificate with its extensions and forgets it; 1 if it could be read.
static inline int peer_openssl_can_read(const uint8_t *der, size_t length) {
  X509 *certificate = peer_openssl_read(der, length);
  int can = certificate && X509_check_purpose(certificate, -1, 0) == 1;
  X509_free(certificate);
  return can;
}

/// What is trusted: nothing at first, then what is added. It lives as long as the process.
static inline void *peer_openssl_store(void) { return X509_STORE_new(); }

static inline int peer_openssl_trust(void *store, const uint8_t *der, size_t length) {
  X509 *certificate = peer_openssl_read(der, length);
  int done = certificate && X509_STORE_add_cert((X509_STORE *)store, certificate) == 1;
  X509_free(certificate);
  return done;
}

/// Reads a bundle in PEM into a store and forgets it; how many certificates there were.
static inline int peer_openssl_load(const char *path) {
  X509_STORE *store = X509_STORE_new();
  int count = -1;
  if (store && X509_STORE_load_file(store, path) == 1) {
    count = sk_X509_OBJECT_num(X509_STORE_get0_objects(store));
  }
  X509_STORE_free(store);
  return count;
}

/// 1 if a chain, its certificates one after another with the leaf first and read here, is
/// valid for the host; 0 if not; -1 without an answer.
static inline int peer_openssl_validate(
    void *store, const uint8_t *octets, const size_t *lengths, size_t count, const char *host,
    int64_t moment) {
  X509 *leaf = count > 0 ? peer_openssl_read(octets, lengths[0]) : NULL;
  STACK_OF(X509) *untrusted = sk_X509_new_null();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int can = leaf && untrusted && context;
  for (size_t place = 1; can && place < count; place++) {
    octets += lengths[place - 1];
    X509 *certificate = peer_openssl_read(octets, lengths[place]);
    can = certificate && sk_X509_push(untrusted, certificate) > 0;
  }
  int verdict = -1;
  if (can && X509_STORE_CTX_init(context, (X509_STORE *)store, leaf, untrusted) == 1 &&
      X509_STORE_CTX_set_default(context, "ssl_server") == 1) {
    X509_VERIFY_PARAM *asked = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(asked, (time_t)moment);
    if (X509_VERIFY_PARAM_set1_host(asked, host, 0) == 1) verdict = X509_verify_cert(context);
  }
  X509_STORE_CTX_free(context);
  sk_X509_pop_free(untrusted, X509_free);
  X509_free(leaf);
  return verdict < 0 ? -1 : verdict;
}

#endif
