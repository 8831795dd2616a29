#ifndef HOLDFAST_OPENSSL_H
#define HOLDFAST_OPENSSL_H

// OpenSSL 3, with functions for what it has only as macros, which Swift does not import.

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "HoldfastOpenSSL needs OpenSSL 3.0 or newer"
#endif

static inline int holdfast_x509_count(const STACK_OF(X509) *certificates) {
  return certificates == NULL ? 0 : sk_X509_num(certificates);
}

static inline int holdfast_has_authorities(SSL_CTX *context) {
  const STACK_OF(X509_NAME) *clients = SSL_CTX_get_client_CA_list(context);
  const STACK_OF(X509_NAME) *both = SSL_CTX_get0_CA_list(context);
  return (clients != NULL && sk_X509_NAME_num(clients) > 0) ||
         (both != NULL && sk_X509_NAME_num(both) > 0);
}

// OpenSSL takes the name out of a certificate, and an anchor may have none.
static inline int holdfast_add_authority(
    SSL_CTX *context, const unsigned char *name, size_t length) {
  X509 *holder = X509_new();
  X509_NAME *copy = d2i_X509_NAME(NULL, &name, (long)length);
  int isAdded = holder != NULL && copy != NULL && X509_set_subject_name(holder, copy) == 1 &&
                SSL_CTX_add_client_CA(context, holder) == 1;
  X509_NAME_free(copy);
  X509_free(holder);
  return isAdded;
}

// OPENSSL_free would write the path of this header into the program, so that a build in another folder
// had other bytes.
static inline void holdfast_free(void *memory) { CRYPTO_free(memory, "", 0); }

static inline void holdfast_set_status_callback(
    SSL_CTX *context, int (*callback)(SSL *, void *), void *argument) {
  SSL_CTX_set_tlsext_status_cb(context, callback);
  SSL_CTX_set_tlsext_status_arg(context, argument);
}

static inline void holdfast_set_server_name_callback(
    SSL_CTX *context, int (*callback)(SSL *, int *, void *), void *argument) {
  SSL_CTX_set_tlsext_servername_callback(context, callback);
  SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline void holdfast_request_staple(SSL_CTX *context) {
  SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
}

static inline int holdfast_requests_staple(SSL *ssl) {
  return SSL_get_tlsext_status_type(ssl) == TLSEXT_STATUSTYPE_ocsp;
}

static inline long holdfast_staple(SSL *ssl, const unsigned char **start) {
  return SSL_get_tlsext_status_ocsp_resp(ssl, start);
}

// From OpenSSL 3.2 on, a peer may send its certificates compressed (RFC 8879).
static inline void holdfast_refuse_compressed_certificates(SSL_CTX *context) {
#ifdef SSL_OP_NO_RX_CERTIFICATE_COMPRESSION
  SSL_CTX_set_options(context, SSL_OP_NO_RX_CERTIFICATE_COMPRESSION);
#endif
}

static inline int holdfast_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int holdfast_set_versions(SSL_CTX *context, int minimum, int maximum) {
  return SSL_CTX_set_min_proto_version(context, minimum) == 1 &&
         SSL_CTX_set_max_proto_version(context, maximum) == 1;
}

static inline void holdfast_set_session_cache(SSL_CTX *context, int mode) {
  SSL_CTX_set_session_cache_mode(context, mode);
}

static inline int holdfast_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

// The options of a client: no renegotiation, and no compression.
static const uint64_t holdfast_client_options = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION;

// Whether the connections of a context can only be those of a server. OpenSSL has no question for it:
// a connection of a context that can be both says that it is a server until it is told otherwise.
static inline int holdfast_is_server_only(SSL_CTX *context) {
  const SSL_METHOD *method = SSL_CTX_get_ssl_method(context);
#if !defined(OPENSSL_NO_DEPRECATED_1_1_0) && !defined(OPENSSL_NO_TLS1_2_METHOD)
  if (method == TLSv1_2_server_method()) return 1;
#endif
  return method == TLS_server_method();
}

static inline int holdfast_error_reason(unsigned long code) { return ERR_GET_REASON(code); }

static inline int holdfast_error_is_of_ssl(unsigned long code) {
  return ERR_GET_LIB(code) == ERR_LIB_SSL;
}

// Sets whether reading beyond the buffer's content means the end of the stream rather than a wait.
static inline void holdfast_set_end_of_stream(BIO *buffer, int isEnd) {
  BIO_set_mem_eof_return(buffer, isEnd ? 0 : -1);
}

#endif
