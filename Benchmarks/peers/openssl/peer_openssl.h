#ifndef PEER_OPENSSL_H
#define PEER_OPENSSL_H

// The work of the signature benchmarks in OpenSSL 3, the way its manual shows it: one
// EVP_MD_CTX for each verification, the key parsed beforehand. Only a header, so that
// the package needs no C target.

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// "OpenSSL 3.0.19 27 Jan 2026"
static inline const char *peer_openssl_version(void) {
  return OpenSSL_version(OPENSSL_VERSION);
}

/// A new key, or null: "RSA-2048", "P-256", "Ed25519" by their parts.
static inline void *peer_openssl_rsa_key(unsigned bits) { return EVP_RSA_gen(bits); }
static inline void *peer_openssl_ec_key(const char *curve) { return EVP_EC_gen(curve); }
static inline void *peer_openssl_edwards_key(const char *name) {
  return EVP_PKEY_Q_keygen(NULL, NULL, name);
}

/// Frees a key.
static inline void peer_openssl_free(void *key) { EVP_PKEY_free((EVP_PKEY *)key); }

/// Writes the public numbers, big-endian; the result is the length, 0 for failure.
static inline size_t peer_openssl_number(
    void *key, const char *name, uint8_t *out, size_t room) {
  BIGNUM *number = NULL;
  size_t length = 0;
  if (EVP_PKEY_get_bn_param((EVP_PKEY *)key, name, &number) == 1 &&
      (size_t)BN_num_bytes(number) <= room) {
    length = (size_t)BN_bn2bin(number, out);
  }
  BN_free(number);
  return length;
}

/// Writes the octets of a public key of a curve; the result is the length.
static inline size_t peer_openssl_public_key(void *key, uint8_t *out, size_t room) {
  size_t length = 0;
  if (EVP_PKEY_get_octet_string_param((EVP_PKEY *)key, "pub", out, room, &length) != 1) {
    return 0;
  }
  return length;
}

/// "sha256" and so on; null for the keys that hash by themselves.
static inline const void *peer_openssl_hash(const char *name) {
  return EVP_get_digestbyname(name);
}

/// Whether the padding of RSA could be set: 1 is PSS with a salt as long as the digest, 0 that
/// which is usual.
static inline int peer_openssl_pad(EVP_PKEY_CTX *context, int padding) {
  return padding == 0 ||
         (EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
          EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1);
}

static inline size_t peer_openssl_sign(
    void *key, const void *hash, const uint8_t *message, size_t message_length,
    uint8_t *signature, size_t room, int padding) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *how = NULL;
  size_t length = room;
  int done = EVP_DigestSignInit(context, &how, (const EVP_MD *)hash, NULL, (EVP_PKEY *)key) == 1 &&
             peer_openssl_pad(how, padding) &&
             EVP_DigestSign(context, signature, &length, message, message_length) == 1;
  EVP_MD_CTX_free(context);
  return done ? length : 0;
}

static inline int peer_openssl_verify(
    void *key, const void *hash, const uint8_t *message, size_t message_length,
    const uint8_t *signature, size_t signature_length, int padding) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *how = NULL;
  int valid =
      EVP_DigestVerifyInit(context, &how, (const EVP_MD *)hash, NULL, (EVP_PKEY *)key) == 1 &&
      peer_openssl_pad(how, padding) &&
      EVP_DigestVerify(context, signature, signature_length, message, message_length) == 1;
  EVP_MD_CTX_free(context);
  return valid;
}

/// The first octet of a digest.
static inline uint8_t peer_openssl_digest(
    const void *hash, const uint8_t *message, size_t length) {
  uint8_t digest[EVP_MAX_MD_SIZE];
  EVP_Digest(message, length, digest, NULL, (const EVP_MD *)hash, NULL);
  return digest[0];
}

/// Reads a revocation list and looks up one serial number, for which OpenSSL sorts the entries; null
/// for failure.
static inline void *peer_openssl_list(const uint8_t *der, size_t length, uint64_t serial) {
  const unsigned char *place = der;
  X509_CRL *list = d2i_X509_CRL(NULL, &place, (long)length);
  ASN1_INTEGER *number = ASN1_INTEGER_new();
  X509_REVOKED *entry = NULL;
  if (list != NULL && ASN1_INTEGER_set_uint64(number, serial) == 1) {
    X509_CRL_get0_by_serial(list, &entry, number);
  }
  ASN1_INTEGER_free(number);
  if (entry != NULL) return list;
  X509_CRL_free(list);
  return NULL;
}

/// Whether a list has a serial number.
static inline int peer_openssl_list_has(void *list, uint64_t serial) {
  ASN1_INTEGER *number = ASN1_INTEGER_new();
  X509_REVOKED *entry = NULL;
  int found = ASN1_INTEGER_set_uint64(number, serial) == 1 &&
              X509_CRL_get0_by_serial((X509_CRL *)list, &entry, number) == 1;
  ASN1_INTEGER_free(number);
  return found;
}

static inline void peer_openssl_list_free(void *list) { X509_CRL_free((X509_CRL *)list); }

/// The octets of memory that this process has resident, as Linux tells them.
static inline long peer_openssl_resident(void) {
  long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
  fclose(file);
  return resident * 4096;
}

#endif
