#ifndef WIRE_OPENSSL_CALLS_H
#define WIRE_OPENSSL_CALLS_H

// A plain program's use of libssl: contexts, connections, and a server on a socket.

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static inline SSL_CTX *_Nonnull wire_context(int isServer, int version) {
  SSL_CTX *context = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method());
  SSL_CTX_set_min_proto_version(context, version);
  SSL_CTX_set_max_proto_version(context, version);
  return context;
}

static inline int wire_use(SSL_CTX *context, const char *chain, const char *key) {
  return SSL_CTX_use_certificate_chain_file(context, chain) == 1 &&
         SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1;
}

static inline SSL *_Nonnull wire_new(SSL_CTX *context) { return SSL_new(context); }

// A server that staples what a function hands over for each connection.
static inline void wire_staple(SSL_CTX *context, int (*_Nonnull respond)(SSL *, void *), void *argument) {
  SSL_CTX_set_tlsext_status_cb(context, respond);
  SSL_CTX_set_tlsext_status_arg(context, argument);
}

static inline int wire_set_response(SSL *ssl, const uint8_t *_Nullable der, long size) {
  if (!der) return SSL_TLSEXT_ERR_NOACK;
  unsigned char *copy = OPENSSL_malloc(size);
  if (!copy) return SSL_TLSEXT_ERR_ALERT_FATAL;
  memcpy(copy, der, size);
  SSL_set_tlsext_status_ocsp_resp(ssl, copy, size);
  return SSL_TLSEXT_ERR_OK;
}

// What OpenSSL verifies by itself.
static inline int wire_verify_itself(SSL_CTX *context, const char *roots) {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  return SSL_CTX_load_verify_locations(context, roots, NULL);
}

// A handshake with a server on this machine, by what is in the context; the file descriptor is closed.
static inline int wire_connect(SSL_CTX *context, int descriptor, const char *name, int checksName) {
  SSL *ssl = SSL_new(context);
  SSL_set_fd(ssl, descriptor);
  SSL_set_tlsext_host_name(ssl, name);
  if (checksName) SSL_set1_host(ssl, name);
  int result = SSL_connect(ssl) == 1;
  if (result) SSL_shutdown(ssl);
  ERR_clear_error();
  SSL_free(ssl);
  close(descriptor);
  return result;
}

// A server on a socket: BIO_new_accept's macros.
static inline BIO *_Nonnull wire_listener(const char *address) { return BIO_new_accept(address); }

static inline int wire_listen(BIO *listener) {
  BIO_set_bind_mode(listener, BIO_BIND_REUSEADDR);
  return BIO_do_accept(listener) > 0;
}

static inline int wire_accept(BIO *listener) { return BIO_do_accept(listener) > 0; }

static inline void wire_take(BIO *listener, SSL *ssl) {
  BIO *connection = BIO_pop(listener);
  SSL_set_bio(ssl, connection, connection);
}

static inline void wire_answer(SSL *ssl, const char *text) {
  char request[4096];
  SSL_read(ssl, request, sizeof(request));
  SSL_write(ssl, text, (int)strlen(text));
  SSL_shutdown(ssl);
}

#endif
