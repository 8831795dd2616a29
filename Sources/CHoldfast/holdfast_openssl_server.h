/*
 * Holdfast decides about the clients of OpenSSL's servers. Include this in one file; libholdfast links no OpenSSL.
 *
 *     holdfast_openssl_install_server(ctx, policy);  the policy must outlive the context
 *     if (SSL_accept(ssl) != 1) puts(holdfast_openssl_reason(ssl));
 *
 * Each client must have a certificate. No session is resumed, because OpenSSL would not ask about its client again.
 */
#ifndef HOLDFAST_OPENSSL_SERVER_H
#define HOLDFAST_OPENSSL_SERVER_H

#include <holdfast_openssl.h>

static int holdfast_openssl_verify_client(X509_STORE_CTX *store, void *unused) {
  SSL *ssl = (SSL *)X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  int error = X509_V_ERR_APPLICATION_VERIFICATION;
  (void)unused;
  if (ssl && SSL_is_server(ssl) && !SSL_get_ex_data(ssl, holdfast_openssl_of_ssl)) {
    holdfast_openssl_record *record = (holdfast_openssl_record *)calloc(1, sizeof *record);
    if (!record) return 0;
    record->references = 1;
    record->policy = (holdfast_policy *)SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), holdfast_openssl_of_context);
    if (!SSL_set_ex_data(ssl, holdfast_openssl_of_ssl, record)) free(record);
    else error = holdfast_openssl_judge(ssl, X509_STORE_CTX_get0_untrusted(store), 0);
  }
  X509_STORE_CTX_set_error(store, error);
  return error == X509_V_OK;
}

/* Lets a policy decide about the clients of a context. Returns 1, or 0 if OpenSSL has no memory. */
static inline int holdfast_openssl_install_server(SSL_CTX *context, holdfast_policy *policy) {
  if (!holdfast_openssl_install(context, policy)) return 0;
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  SSL_CTX_set_cert_verify_callback(context, holdfast_openssl_verify_client, NULL);
  SSL_CTX_set_tlsext_status_cb(context, NULL);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  return SSL_CTX_set_num_tickets(context, 0);
}

#endif
