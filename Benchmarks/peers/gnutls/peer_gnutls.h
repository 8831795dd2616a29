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

/// What is trusted: one root, for as long as the process lives.
static inline void *peer_gnutls_anchor(const uint8_t *root, size_t length, int64_t moment) {
  gnutls_x509_trust_list_t list = NULL;
  gnutls_x509_crt_t certificate = peer_gnutls_read(root, length);
  if (moment != PEER_GNUTLS_MOMENT || !certificate || gnutls_x509_trust_list_init(&list, 0) != 0) return NULL;
  if (gnutls_x509_trust_list_add_cas(list, &certificate, 1, 0) != 1) return NULL;
  gnutls_global_set_time_function(peer_gnutls_clock);
  return list;
}

/// 1 if the chain, read from DER here, is valid for the host; 0 if not; -1 without an answer.
static inline int peer_gnutls_validate(
    void *anchor, const uint8_t *leaf, size_t leaf_length, const uint8_t *intermediate,
    size_t intermediate_length, const char *host) {
  gnutls_x509_crt_t chain[2] = {peer_gnutls_read(leaf, leaf_length),
                                peer_gnutls_read(intermediate, intermediate_length)};
  gnutls_typed_vdata_st asked[2] = {
      {GNUTLS_DT_DNS_HOSTNAME, (unsigned char *)host, (unsigned)strlen(host)},
      {GNUTLS_DT_KEY_PURPOSE_OID, (unsigned char *)GNUTLS_KP_TLS_WWW_SERVER,
       (unsigned)strlen(GNUTLS_KP_TLS_WWW_SERVER)}};
  unsigned status = ~0u;
  int verdict = -1;
  if (chain[0] && chain[1] &&
      gnutls_x509_trust_list_verify_crt2((gnutls_x509_trust_list_t)anchor, chain, 2, asked, 2, 0,
                                         &status, NULL) == 0) {
    verdict = status == 0;
  }
  if (chain[0]) gnutls_x509_crt_deinit(chain[0]);
  if (chain[1]) gnutls_x509_crt_deinit(chain[1]);
  return verdict;
}

#endif
