#ifndef WIRE_OPENSSL_CALLS_H
#define WIRE_OPENSSL_CALLS_H

// A plain program's use of libssl: contexts, pairs of connections in memory, a session moved between
// contexts, and a server on a socket.

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

// Two ends joined in memory.
static inline void wire_join(SSL *client, SSL *server) {
  BIO *a, *b;
  BIO_new_bio_pair(&a, 1 << 17, &b, 1 << 17);
  SSL_set_bio(client, a, a);
  SSL_set_bio(server, b, b);
  SSL_set_connect_state(client);
  SSL_set_accept_state(server);
}

// Goes on until both are done (1), or one fails (0): the client first, so that alerts arrive.
static inline int wire_handshake(SSL *client, SSL *server) {
  int isClientDone = 0, isServerDone = 0, clientFails = 0, serverFails = 0;
  for (int round = 0; round < 20; round++) {
    if (!isClientDone && !clientFails) {
      int result = SSL_do_handshake(client);
      if (result == 1) isClientDone = 1;
      else if (SSL_get_error(client, result) != SSL_ERROR_WANT_READ) clientFails = 1;
    }
    ERR_clear_error();
    if (!isServerDone && !serverFails) {
      int result = SSL_do_handshake(server);
      if (result == 1) isServerDone = 1;
      else if (SSL_get_error(server, result) != SSL_ERROR_WANT_READ) serverFails = 1;
    }
    ERR_clear_error();
    if (isClientDone && isServerDone) break;
  }
  if (isClientDone && isServerDone) {
    // A byte each way, so that the client has seen the tickets.
    char byte = 'x';
    SSL_write(server, &byte, 1);
    if (SSL_read(client, &byte, 1) != 1) return 0;
    return 1;
  }
  return 0;
}

// Two ends that part after some steps of the handshake.
static inline void wire_abandon(SSL_CTX *clientContext, SSL_CTX *serverContext, int steps) {
  SSL *client = SSL_new(clientContext), *server = SSL_new(serverContext);
  wire_join(client, server);
  for (int step = 0; step < steps; step++) SSL_do_handshake(step % 2 ? server : client);
  ERR_clear_error();
  SSL_free(client);
  SSL_free(server);
}

static inline void wire_set_name(SSL *ssl, const char *name) {
  SSL_set_tlsext_host_name(ssl, name);
}

// What the caller expects of the server: a name, an address, or both.
static inline void wire_set_expected(SSL *ssl, const char *_Nullable name,
                                     const char *_Nullable address) {
  if (name) X509_VERIFY_PARAM_set1_host(SSL_get0_param(ssl), name, 0);
  if (address) X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address);
}

// A server that takes another context for b.example, as servers with several sites do.
static inline int wire_choose(SSL *ssl, int *alert, void *other) {
  const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  if (name && strcmp(name, "b.example") == 0) {
    SSL_set_SSL_CTX(ssl, (SSL_CTX *)other);
    SSL_set_verify(ssl, SSL_CTX_get_verify_mode((SSL_CTX *)other), NULL);
  }
  return SSL_TLSEXT_ERR_OK;
}

static inline void wire_switch(SSL_CTX *from, SSL_CTX *to) {
  SSL_CTX_set_tlsext_servername_callback(from, wire_choose);
  SSL_CTX_set_tlsext_servername_arg(from, to);
}

// Certificates of clients after the handshake. RFC 8446 §4.6.2.
static inline void wire_allow_late_certificates(SSL_CTX *context) {
  SSL_CTX_set_post_handshake_auth(context, 1);
}

static inline void wire_ask_nobody(SSL *server) { SSL_set_verify(server, SSL_VERIFY_NONE, NULL); }

static inline int wire_ask_late(SSL *client, SSL *server) {
  char byte = 'x';
  SSL_set_verify(server, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  if (SSL_verify_client_post_handshake(server) != 1 || SSL_do_handshake(server) != 1) return 0;
  for (int round = 0; round < 3; round++) {
    SSL_read(client, &byte, 1);
    SSL_write(client, &byte, 1);
    SSL_read(server, &byte, 1);
    SSL_write(server, &byte, 1);
  }
  ERR_clear_error();
  return 1;
}

static inline SSL_CTX *_Nonnull wire_datagram_context(void) {
  return SSL_CTX_new(DTLS_client_method());
}

static inline void wire_ignore_message(int isSent, int version, int kind, const void *bytes,
                                       size_t count, SSL *ssl, void *argument) {}

static inline void wire_watch_messages(SSL_CTX *context) {
  SSL_CTX_set_msg_callback(context, wire_ignore_message);
}

static inline void wire_set_no_tickets(SSL_CTX *context) { SSL_CTX_set_options(context, SSL_OP_NO_TICKET); }

static inline void wire_request_staple(SSL_CTX *context) {
  SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
}

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

// A request and the answer to it, by what is in the context; the file descriptor is closed. The length
// of the answer, or -1 without a handshake.
static inline int wire_request(SSL_CTX *context, int descriptor, const char *name, const char *request,
                               char *answer, int size) {
  SSL *ssl = SSL_new(context);
  SSL_set_fd(ssl, descriptor);
  SSL_set_tlsext_host_name(ssl, name);
  int length = -1;
  if (SSL_connect(ssl) == 1 && SSL_write(ssl, request, (int)strlen(request)) > 0) {
    length = 0;
    for (int count; length < size && (count = SSL_read(ssl, answer + length, size - length)) > 0;)
      length += count;
    SSL_shutdown(ssl);
  }
  ERR_clear_error();
  SSL_free(ssl);
  close(descriptor);
  return length;
}

// The names of the authorities that a server wants a client's certificate to be from.
static inline int wire_authorities(SSL *ssl) {
  const STACK_OF(X509_NAME) *names = SSL_get0_peer_CA_list(ssl);
  return names ? sk_X509_NAME_num(names) : 0;
}

// The DER of one of them; 0 if it is longer than `size`.
static inline int wire_authority(SSL *ssl, int index, unsigned char *der, int size) {
  X509_NAME *name = sk_X509_NAME_value(SSL_get0_peer_CA_list(ssl), index);
  return i2d_X509_NAME(name, NULL) <= size ? i2d_X509_NAME(name, &der) : 0;
}

// A connection's own certificate and key, in DER.
static inline int wire_use_key(SSL *ssl, const unsigned char *leaf, long leafSize,
                               const unsigned char *key, long keySize) {
  X509 *certificate = d2i_X509(NULL, &leaf, leafSize);
  EVP_PKEY *parsed = d2i_AutoPrivateKey(NULL, &key, keySize);
  int result = certificate && parsed && SSL_use_certificate(ssl, certificate) == 1 &&
               SSL_use_PrivateKey(ssl, parsed) == 1;
  X509_free(certificate);
  EVP_PKEY_free(parsed);
  return result;
}

static inline int wire_add_issuer(SSL *ssl, const unsigned char *der, long size) {
  X509 *certificate = d2i_X509(NULL, &der, size);
  int result = certificate && SSL_add1_chain_cert(ssl, certificate) == 1;
  X509_free(certificate);
  return result;
}

// Messages for ever, in a connection that is trusted: requests for new keys, or tickets.
static inline void wire_flood(SSL *ssl, int sendsTickets) {
  int isSent = 1;
  while (isSent) {
    isSent = sendsTickets ? SSL_new_session_ticket(ssl)
                          : SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED);
    isSent = isSent == 1 && SSL_do_handshake(ssl) == 1;
  }
  ERR_clear_error();
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
