#ifndef PEER_GNUTLS_H
#define PEER_GNUTLS_H

// A server's chain in GnuTLS, the way its manual shows it: a trust list that is made
// once, and gnutls_x509_trust_list_verify_crt2 with the host's name and the purpose.

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/// 2026-11-15T12:00:00Z, the time of all validations. GnuTLS has one clock for the process.
#define PEER_GNUTLS_MOMENT 1794744000

static inline time_t peer_gnutls_clock(time_t *out) {
  if (out) *out = PEER_GNUTLS_MOMENT;
  return PEER_GNUTLS_MOMENT;
}

/// "3.7.9"
static inline const char *peer_gnutls_version(void) { return gnutls_check_version(NULL); }

static inline gnutls_x509_crt_t peer_gnutls_read(const uint8_t *der, size_t length) {
  gnutls_x509_crt_t certificate = NULL;
  gnutls_datum_t datum = {(unsigned char *)der, (unsigned)length};
  if (gnutls_x509_crt_init(&certificate) != 0) return NULL;
  if (gnutls_x509_crt_import(certificate, &datum, GNUTLS_X509_FMT_DER) == 0) return certificate;
  gnutls_x509_crt_deinit(certificate);
  return NULL;
}

/// Reads a certificate and forgets it; 1 if it could be read.
static inline int peer_gnutls_can_read(const uint8_t *der, size_t length) {
  gnutls_x509_crt_t certificate = peer_gnutls_read(der, length);
  if (!certificate) return 0;
  gnutls_x509_crt_deinit(certificate);
  return 1;
}

/// What is trusted: nothing at first, then what is added. It lives as long as the process.
static inline void *peer_gnutls_store(int64_t moment) {
  gnutls_x509_trust_list_t list = NULL;
  if (moment != PEER_GNUTLS_MOMENT || gnutls_x509_trust_list_init(&list, 0) != 0) return NULL;
  gnutls_global_set_time_function(peer_gnutls_clock);
  return list;
}

static inline int peer_gnutls_trust(void *store, const uint8_t *der, size_t length) {
  gnutls_x509_crt_t certificate = peer_gnutls_read(der, length);
  return certificate &&
         gnutls_x509_trust_list_add_cas((gnutls_x509_trust_list_t)store, &certificate, 1, 0) == 1;
}

/// Reads a bundle in PEM into a list and forgets it; how many certificates there were.
static inline int peer_gnutls_load(const char *path) {
  gnutls_x509_trust_list_t list = NULL;
  if (gnutls_x509_trust_list_init(&list, 0) != 0) return -1;
  int count =
      gnutls_x509_trust_list_add_trust_file(list, path, NULL, GNUTLS_X509_FMT_PEM, 0, 0);
  gnutls_x509_trust_list_deinit(list, 1);
  return count;
}

#define PEER_GNUTLS_MOST 128

/// 1 if a chain, its certificates one after another with the leaf first and read here, is
/// valid for the host; 0 if not; -1 without an answer.
static inline int peer_gnutls_validate(
    void *store, const uint8_t *octets, const size_t *lengths, size_t count, const char *host) {
  gnutls_x509_crt_t chain[PEER_GNUTLS_MOST];
  if (count == 0 || count > PEER_GNUTLS_MOST) return -1;
  unsigned read = 0;
  for (; read < count; octets += lengths[read], read++) {
    chain[read] = peer_gnutls_read(octets, lengths[read]);
    if (!chain[read]) break;
  }
  gnutls_typed_vdata_st asked[2] = {
      {GNUTLS_DT_DNS_HOSTNAME, (unsigned char *)host, (unsigned)strlen(host)},
      {GNUTLS_DT_KEY_PURPOSE_OID, (unsigned char *)GNUTLS_KP_TLS_WWW_SERVER,
       (unsigned)strlen(GNUTLS_KP_TLS_WWW_SERVER)}};
  unsigned status = ~0u;
  int verdict = -1;
  if (read == count) {
    int done = gnutls_x509_trust_list_verify_crt2(
        (gnutls_x509_trust_list_t)store, chain, read, asked, 2, 0, &status, NULL);
    // A chain that is too long or out of order is an answer too.
    verdict = done == 0 && status == 0;
  }
  while (read > 0) gnutls_x509_crt_deinit(chain[--read]);
  return verdict;
}

#endif
