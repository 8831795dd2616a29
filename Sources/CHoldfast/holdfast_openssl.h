/*
 * Holdfast decides about the servers of OpenSSL's clients. Include this in one file; libholdfast links no OpenSSL.
 * holdfast_openssl_server.h is for servers.
 *
 *     holdfast_openssl_install(ctx, policy);              the policy must outlive the context
 *     holdfast_openssl_set_host(ssl, "www.example.com");  before SSL_connect; without a host it fails
 *     if (SSL_connect(ssl) != 1) puts(holdfast_openssl_reason(ssl));
 *
 * A staple counts also below TLS 1.3. A resumed session presents no certificates: keep what
 * holdfast_openssl_get1_session returns, and offer nothing but that, with holdfast_openssl_set_session.
 */
#ifndef HOLDFAST_OPENSSL_H
#define HOLDFAST_OPENSSL_H

#include <holdfast.h>
#include <openssl/ssl.h>
#include <stdlib.h>

/* What is known of a connection, or of a session: then only the answer counts. */
typedef struct holdfast_openssl_record {
  int references;
  holdfast_policy *policy;
  holdfast_answer *answer;
  char host[256];
} holdfast_openssl_record;

static int holdfast_openssl_of_context = -1, holdfast_openssl_of_ssl = -1, holdfast_openssl_of_session = -1;

static void holdfast_openssl_drop(void *of, void *data, CRYPTO_EX_DATA *all, int i, long n, void *pointer) {
  holdfast_openssl_record *record = (holdfast_openssl_record *)data;
  (void)of, (void)all, (void)i, (void)n, (void)pointer;
  if (!record || __atomic_sub_fetch(&record->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  holdfast_answer_free(record->answer);
  free(record);
}

static int holdfast_openssl_keep(
    CRYPTO_EX_DATA *to, const CRYPTO_EX_DATA *from, void **data, int index, long number, void *pointer) {
  holdfast_openssl_record *record = (holdfast_openssl_record *)*data;
  (void)to, (void)from, (void)index, (void)number, (void)pointer;
  if (record) __atomic_add_fetch(&record->references, 1, __ATOMIC_ACQ_REL);
  return 1;
}

/* Judges the chain: X509_V_OK, or the alert's error. Below TLS 1.3 the staple is not known before `is_complete`. */
static int holdfast_openssl_judge(SSL *ssl, STACK_OF(X509) *chain, int is_complete) {
  holdfast_openssl_record *record = (holdfast_openssl_record *)SSL_get_ex_data(ssl, holdfast_openssl_of_ssl);
  holdfast_bytes ders[64];
  unsigned char *all[64] = {NULL};
  const unsigned char *staple = NULL;
  int count = sk_X509_num(chain);
  if (!record || count < 0 || count > 64) return X509_V_ERR_APPLICATION_VERIFICATION;
  for (int i = 0; i < count; i++) {
    int size = i2d_X509(sk_X509_value(chain, i), &all[i]);
    ders[i].data = all[i], ders[i].size = size > 0 ? (size_t)size : 0;
  }
  long size = is_complete ? SSL_get_tlsext_status_ocsp_resp(ssl, &staple) : 0;
  holdfast_question question = {
      sizeof question, SSL_is_server(ssl) ? HOLDFAST_CLIENT : HOLDFAST_SERVER, is_complete ? HOLDFAST_HANDSHAKE : 0,
      record->host[0] ? record->host : NULL, strlen(record->host), HOLDFAST_NOW, ders, (size_t)count,
      {size > 0 ? staple : NULL, size > 0 ? (size_t)size : 0}, {NULL, 0}};
  holdfast_answer_free(record->answer);
  holdfast_policy_ask(record->policy, &question, &record->answer);
  for (int i = 0; i < count; i++) OPENSSL_free(all[i]);
  if (holdfast_answer_is_trusted(record->answer)) return X509_V_OK;
  const char *why = holdfast_answer_borrow_text(record->answer, HOLDFAST_CODE, NULL);
  if (!why) return X509_V_ERR_APPLICATION_VERIFICATION;
  if (!strcmp(why, "revoked")) return X509_V_ERR_CERT_REVOKED;
  if (!strcmp(why, "expired")) return X509_V_ERR_CERT_HAS_EXPIRED;
  int has_issuer = strcmp(why, "issuer_not_found") && strcmp(why, "untrusted_root") && strcmp(why, "name_chaining");
  return has_issuer ? X509_V_ERR_CERT_REJECTED : X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY;
}

static int holdfast_openssl_verify(X509_STORE_CTX *store, void *unused) {
  SSL *ssl = (SSL *)X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  int is_complete = ssl && SSL_version(ssl) >= TLS1_3_VERSION, error = X509_V_ERR_APPLICATION_VERIFICATION;
  (void)unused;
  if (ssl) error = holdfast_openssl_judge(ssl, X509_STORE_CTX_get0_untrusted(store), is_complete);
  X509_STORE_CTX_set_error(store, error);
  return error == X509_V_OK;
}

static int holdfast_openssl_status(SSL *ssl, void *unused) {
  (void)unused;
  if (SSL_version(ssl) >= TLS1_3_VERSION || SSL_session_reused(ssl)) return 1;
  return holdfast_openssl_judge(ssl, SSL_get_peer_cert_chain(ssl), 1) == X509_V_OK;
}

/* Lets a policy decide about the servers of a context. Returns 1, or 0 if OpenSSL has no memory. */
static inline int holdfast_openssl_install(SSL_CTX *context, holdfast_policy *policy) {
  if (holdfast_openssl_of_ssl < 0) {
    holdfast_openssl_of_context = SSL_CTX_get_ex_new_index(0, 0, 0, 0, 0);
    holdfast_openssl_of_session = SSL_SESSION_get_ex_new_index(0, 0, 0, holdfast_openssl_keep, holdfast_openssl_drop);
    holdfast_openssl_of_ssl = SSL_get_ex_new_index(0, 0, 0, 0, holdfast_openssl_drop);
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_cert_verify_callback(context, holdfast_openssl_verify, NULL);
  SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
  SSL_CTX_set_tlsext_status_cb(context, holdfast_openssl_status);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  return SSL_CTX_set_ex_data(context, holdfast_openssl_of_context, policy);
}

/* Sets the host that the certificate must have, and the name that the server is told. Returns 1, or 0. */
static inline int holdfast_openssl_set_host(SSL *ssl, const char *host) {
  holdfast_openssl_record *record = (holdfast_openssl_record *)calloc(1, sizeof *record);
  if (!record || !host || strlen(host) >= sizeof record->host || SSL_get_ex_data(ssl, holdfast_openssl_of_ssl)) {
    free(record);
    return 0;
  }
  record->references = 1;
  record->policy = (holdfast_policy *)SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), holdfast_openssl_of_context);
  memcpy(record->host, host, strlen(host));
  int is_address = strchr(host, ':') || strspn(host, "0123456789.") == strlen(host);
  return SSL_set_ex_data(ssl, holdfast_openssl_of_ssl, record) && (is_address || SSL_set_tlsext_host_name(ssl, host));
}

/* Returns the answer about the server, which ends with the connection; NULL before it, or if it was resumed. */
static inline holdfast_answer *holdfast_openssl_answer(SSL *ssl) {
  holdfast_openssl_record *record = (holdfast_openssl_record *)SSL_get_ex_data(ssl, holdfast_openssl_of_ssl);
  return record ? record->answer : NULL;
}

/* Returns why the peer was rejected. */
static inline const char *holdfast_openssl_reason(SSL *ssl) {
  const char *reason = holdfast_answer_borrow_text(holdfast_openssl_answer(ssl), HOLDFAST_REASON, NULL);
  return reason ? reason : "no verdict was made";
}

/* Returns the session of a connection with its verdict, for SSL_SESSION_free; NULL if there is none. */
static inline SSL_SESSION *holdfast_openssl_get1_session(SSL *ssl) {
  SSL_SESSION *session = SSL_get1_session(ssl);
  holdfast_openssl_record *record = (holdfast_openssl_record *)SSL_get_ex_data(ssl, holdfast_openssl_of_ssl);
  if (session && record && record->answer && !SSL_SESSION_get_ex_data(session, holdfast_openssl_of_session)) {
    __atomic_add_fetch(&record->references, 1, __ATOMIC_ACQ_REL);
    SSL_SESSION_set_ex_data(session, holdfast_openssl_of_session, record);
  }
  return session;
}

/* Offers a session if its verdict still holds for the host of the connection. Returns 1 if it was offered. */
static inline int holdfast_openssl_set_session(SSL *ssl, SSL_SESSION *session) {
  holdfast_openssl_record *record = (holdfast_openssl_record *)SSL_get_ex_data(ssl, holdfast_openssl_of_ssl);
  holdfast_openssl_record *old =
      (holdfast_openssl_record *)SSL_SESSION_get_ex_data(session, holdfast_openssl_of_session);
  return record && old && holdfast_answer_holds(old->answer, record->policy, HOLDFAST_TEXT(record->host), HOLDFAST_NOW)
         && SSL_set_session(ssl, session);
}

#endif
