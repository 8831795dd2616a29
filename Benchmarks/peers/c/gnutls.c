// GnuTLS, used as in its manual: a trust list that is made once, and
// gnutls_x509_trust_list_verify_crt2 with the host's name and the purpose.

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

/// The time of the question: GnuTLS has one clock for the process.
static time_t moment;

static time_t fixed_clock(time_t *out) {
  if (out) *out = moment;
  return moment;
}

const char *peer_version(void) {
  static char text[64];
  snprintf(text, sizeof text, "GnuTLS %s", gnutls_check_version(NULL));
  return text;
}

static gnutls_x509_crt_t certificate(struct bytes der) {
  gnutls_x509_crt_t certificate = NULL;
  gnutls_datum_t datum = {der.at, (unsigned)der.length};
  if (gnutls_x509_crt_init(&certificate) != 0) return NULL;
  if (gnutls_x509_crt_import(certificate, &datum, GNUTLS_X509_FMT_DER) == 0) return certificate;
  gnutls_x509_crt_deinit(certificate);
  return NULL;
}

static int prepare_nothing(struct question *question) { return question != NULL; }

static int prepare_store(struct question *question) {
  gnutls_x509_trust_list_t list = NULL;
  if (gnutls_x509_trust_list_init(&list, 0) != 0) return 0;
  for (size_t place = 0; place < question->anchors.count; place++) {
    gnutls_x509_crt_t anchor = certificate(question->anchors.at[place]);
    if (!anchor || gnutls_x509_trust_list_add_cas(list, &anchor, 1, 0) != 1) return 0;
  }
  moment = (time_t)atoll(question->option);
  gnutls_global_set_time_function(fixed_clock);
  question->ready = list;
  return 1;
}

#define MOST_CERTIFICATES 128

static long validate(struct question *question) {
  gnutls_x509_crt_t chain[MOST_CERTIFICATES];
  size_t count = question->chain.count;
  if (count == 0 || count > MOST_CERTIFICATES) return -1;
  unsigned read = 0;
  while (read < count && (chain[read] = certificate(question->chain.at[read]))) read++;
  gnutls_typed_vdata_st asked[2] = {
      {GNUTLS_DT_DNS_HOSTNAME, (unsigned char *)question->text, (unsigned)strlen(question->text)},
      {GNUTLS_DT_KEY_PURPOSE_OID, (unsigned char *)GNUTLS_KP_TLS_WWW_SERVER,
       (unsigned)strlen(GNUTLS_KP_TLS_WWW_SERVER)}};
  unsigned status = ~0u;
  long verdict = -1;
  if (read == count) {
    int done = gnutls_x509_trust_list_verify_crt2(
        question->ready, chain, read, asked, 2, 0, &status, NULL);
    // Rejecting a chain that is too long or out of order is also an answer.
    verdict = done == 0 && status == 0;
  }
  while (read > 0) gnutls_x509_crt_deinit(chain[--read]);
  return verdict;
}

static long read_leaf(struct question *question) {
  if (question->chain.count == 0) return -1;
  gnutls_x509_crt_t leaf = certificate(question->chain.at[0]);
  if (leaf) gnutls_x509_crt_deinit(leaf);
  return leaf != NULL;
}

static long load(struct question *question) {
  gnutls_x509_trust_list_t list = NULL;
  if (gnutls_x509_trust_list_init(&list, 0) != 0) return -1;
  int count = gnutls_x509_trust_list_add_trust_file(
      list, question->text, NULL, GNUTLS_X509_FMT_PEM, 0, 0);
  gnutls_x509_trust_list_deinit(list, 1);
  return count;
}

const struct work peer_works[] = {
    {"validate", 1, prepare_store, validate},
    {"read", 1, prepare_nothing, read_leaf},
    {"load", 0, prepare_nothing, load},
    {NULL, 0, NULL, NULL},
};
