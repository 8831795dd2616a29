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

/// What is trusted: one root, for as long as the process lives.
static inline void *peer_openssl_anchor(const uint8_t *root, size_t length) {
  X509 *certificate = peer_openssl_read(root, length);
  X509_STORE *store = X509_STORE_new();
  int done = certificate && store && X509_STORE_add_cert(store, certificate) == 1;
  X509_free(certificate);
  return done ? store : NULL;
}

/// 1 if the chain, read from DER here, is valid for the host; 0 if not; -1 without an answer.
static inline int peer_openssl_validate(
    void *anchor, const uint8_t *leaf, size_t leaf_length, const uint8_t *intermediate,
    size_t intermediate_length, const char *host, int64_t moment) {
  X509 *first = peer_openssl_read(leaf, leaf_length);
  X509 *second = peer_openssl_read(intermediate, intermediate_length);
  STACK_OF(X509) *untrusted = sk_X509_new_null();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int verdict = -1;
  if (first && second && untrusted && context && sk_X509_push(untrusted, second) > 0 &&
      X509_STORE_CTX_init(context, (X509_STORE *)anchor, first, untrusted) == 1 &&
      X509_STORE_CTX_set_default(context, "ssl_server") == 1) {
    X509_VERIFY_PARAM *asked = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(asked, (time_t)moment);
    if (X509_VERIFY_PARAM_set1_host(asked, host, 0) == 1) verdict = X509_verify_cert(context);
  }
  X509_STORE_CTX_free(context);
  sk_X509_free(untrusted);
  X509_free(first);
  X509_free(second);
  return verdict < 0 ? -1 : verdict;
}

#endif
