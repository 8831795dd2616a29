// OpenSSL 3, used as in its manual: an X509_STORE that is made once, and for each validation d2i_X509,
// an X509_STORE_CTX and X509_verify_cert; for each signature an EVP_MD_CTX, with the key parsed
// before. This process generates no key, because OpenSSL then takes more memory and time afterwards.

#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

const char *peer_version(void) { return OpenSSL_version(OPENSSL_VERSION); }

static X509 *certificate(struct bytes der) {
  const unsigned char *place = der.at;
  return d2i_X509(NULL, &place, (long)der.length);
}

static int prepare_nothing(struct question *question) { return question != NULL; }

static int prepare_store(struct question *question) {
  X509_STORE *store = X509_STORE_new();
  for (size_t place = 0; place < question->anchors.count; place++) {
    X509 *anchor = certificate(question->anchors.at[place]);
    int done = anchor && X509_STORE_add_cert(store, anchor) == 1;
    X509_free(anchor);
    if (!done) return 0;
  }
  question->ready = store;
  return store != NULL && question->chain.count > 0;
}

static long validate(struct question *question) {
  X509 *leaf = certificate(question->chain.at[0]);
  STACK_OF(X509) *untrusted = sk_X509_new_null();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int can = leaf && untrusted && context;
  for (size_t place = 1; can && place < question->chain.count; place++) {
    X509 *other = certificate(question->chain.at[place]);
    can = other && sk_X509_push(untrusted, other) > 0;
  }
  int verdict = -1;
  if (can && X509_STORE_CTX_init(context, question->ready, leaf, untrusted) == 1 &&
      X509_STORE_CTX_set_default(context, "ssl_server") == 1) {
    X509_VERIFY_PARAM *asked = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(asked, (time_t)atoll(question->option));
    if (X509_VERIFY_PARAM_set1_host(asked, question->text, 0) == 1) {
      verdict = X509_verify_cert(context);
    }
  }
  X509_STORE_CTX_free(context);
  sk_X509_pop_free(untrusted, X509_free);
  X509_free(leaf);
  return verdict < 0 ? -1 : verdict;
}

/// Parses a certificate with its extensions.
static long read_leaf(struct question *question) {
  X509 *leaf = question->chain.count > 0 ? certificate(question->chain.at[0]) : NULL;
  int can = leaf && X509_check_purpose(leaf, -1, 0) == 1;
  X509_free(leaf);
  return can;
}

static long load(struct question *question) {
  X509_STORE *store = X509_STORE_new();
  long count = -1;
  if (store && X509_STORE_load_file(store, question->text) == 1) {
    count = sk_X509_OBJECT_num(X509_STORE_get0_objects(store));
  }
  X509_STORE_free(store);
  return count;
}

static int prepare_hash(struct question *question) {
  question->ready = (void *)EVP_get_digestbyname(question->text);
  return question->ready != NULL;
}

/// Computes the first byte of a digest.
static long hash(struct question *question) {
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  struct bytes message = question->message;
  int done = EVP_Digest(message.at, message.length, digest, &length, question->ready, NULL);
  return done == 1 ? digest[0] : -1;
}

static int prepare_key(struct question *question) {
  const unsigned char *place = question->key.at;
  question->ready = d2i_PUBKEY(NULL, &place, (long)question->key.length);
  return question->ready != NULL;
}

/// Verifies a signature with a hash, or `-` for algorithms with a built-in hash, and PSS for `pss`.
static long verify(struct question *question) {
  struct bytes message = question->message, signature = question->signature;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *how = NULL;
  const EVP_MD *digest = EVP_get_digestbyname(question->text);
  int valid =
      EVP_DigestVerifyInit(context, &how, digest, NULL, question->ready) == 1 &&
      (strcmp(question->option, "pss") != 0 ||
       (EVP_PKEY_CTX_set_rsa_padding(how, RSA_PKCS1_PSS_PADDING) == 1 &&
        EVP_PKEY_CTX_set_rsa_pss_saltlen(how, RSA_PSS_SALTLEN_DIGEST) == 1)) &&
      EVP_DigestVerify(
          context, signature.at, signature.length, message.at, message.length) == 1;
  EVP_MD_CTX_free(context);
  return valid;
}

/// A revocation list, its bytes and its serial numbers in the order of the file.
struct revocations {
  unsigned char *der;
  long length;
  X509_CRL *list;
  ASN1_INTEGER **serials;
  int count;
};

static int prepare_list(struct question *question) {
  struct revocations *ready = calloc(1, sizeof *ready);
  BIO *file = BIO_new_file(question->text, "rb");
  ready->list = file ? d2i_X509_CRL_bio(file, NULL) : NULL;
  BIO_free(file);
  if (!ready->list) return 0;
  ready->length = i2d_X509_CRL(ready->list, &ready->der);
  STACK_OF(X509_REVOKED) *entries = X509_CRL_get_REVOKED(ready->list);
  ready->count = sk_X509_REVOKED_num(entries);
  ready->serials = calloc((size_t)ready->count, sizeof *ready->serials);
  for (int place = 0; place < ready->count; place++) {
    ready->serials[place] = ASN1_INTEGER_dup(
        X509_REVOKED_get0_serialNumber(sk_X509_REVOKED_value(entries, place)));
  }
  question->ready = ready;
  return ready->count > 0;
}

/// Parses the list and does the first look-up, for which OpenSSL sorts the entries.
static long read_list(struct question *question) {
  struct revocations *ready = question->ready;
  const unsigned char *place = ready->der;
  X509_CRL *list = d2i_X509_CRL(NULL, &place, ready->length);
  X509_REVOKED *entry = NULL;
  if (list) X509_CRL_get0_by_serial(list, &entry, ready->serials[0]);
  int has = entry != NULL;
  X509_CRL_free(list);
  return has;
}

static long look_up(struct question *question) {
  struct revocations *ready = question->ready;
  question->turn = (question->turn + 7919) % (size_t)ready->count;
  X509_REVOKED *entry = NULL;
  return X509_CRL_get0_by_serial(ready->list, &entry, ready->serials[question->turn]) == 1;
}

const struct work peer_works[] = {
    {"validate", 1, prepare_store, validate},
    {"read", 1, prepare_nothing, read_leaf},
    {"load", 0, prepare_nothing, load},
    {"hash", 0, prepare_hash, hash},
    {"verify", 1, prepare_key, verify},
    {"list", 1, prepare_list, read_list},
    {"look-up", 1, prepare_list, look_up},
    {NULL, 0, NULL, NULL},
};
