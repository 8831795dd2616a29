/*
 * A client of OpenSSL whose servers Holdfast judges.
 *
 *     openssl_client PORT ANCHORS HOST VERSION PIN [PROXY]   PIN may be empty; VERSION is 12 or 13; PROXY is a port
 *
 * Prints "trusted", "rejected: " and the reason, then whether a second connection was resumed, and whether one with
 * another policy was.
 */
#include <holdfast_openssl.h>

#include "client.h"

static SSL_CTX *context_of(holdfast_policy *policy, int version) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_min_proto_version(context, version);
  SSL_CTX_set_max_proto_version(context, version);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT);
  if (holdfast_openssl_install(context, policy) != 1) exit(2);
  return context;
}

static SSL *connect_to(SSL_CTX *context, char **words, SSL_SESSION *session, int *is_trusted) {
  const char *host = words[3];
  int file = connected(words[1], host, words[6]);
  SSL *ssl = SSL_new(context);
  SSL_set_fd(ssl, file);
  if (holdfast_openssl_set_host(ssl, host) != 1) exit(2);
  if (session) printf("%s\n", holdfast_openssl_set_session(ssl, session) ? "offered" : "not offered");
  *is_trusted = SSL_connect(ssl) == 1;
  return ssl;
}

/* Reads an answer, with which tickets come. */
static void talk(SSL *ssl) {
  char text[4096];
  SSL_write(ssl, "GET / HTTP/1.0\r\n\r\n", 18);
  while (SSL_read(ssl, text, sizeof text) > 0) {}
}

static void end(SSL *ssl) {
  int file = SSL_get_fd(ssl);
  SSL_shutdown(ssl);
  SSL_free(ssl);
  close(file);
}

static holdfast_policy *policy_of(char **words) {
  holdfast_policy *policy = NULL;
  holdfast_policy_new(&policy);
  holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT(words[2]), 0);
  if (words[5][0]) holdfast_policy_add_pin(policy, HOLDFAST_TEXT(words[3]), HOLDFAST_TEXT(words[5]));
  return policy;
}

int main(int count, char **words) {
  if (count < 6) return 2;
  holdfast_policy *policy = policy_of(words), *other = policy_of(words);
  int version = atoi(words[4]) == 12 ? TLS1_2_VERSION : TLS1_3_VERSION, is_trusted = 0;
  SSL_CTX *context = context_of(policy, version), *another = context_of(other, version);
  SSL *ssl = connect_to(context, words, NULL, &is_trusted);
  if (is_trusted) {
    printf("trusted\n");
    talk(ssl);
    SSL_SESSION *session = holdfast_openssl_get1_session(ssl);
    end(ssl);
    ssl = connect_to(context, words, session, &is_trusted);
    printf("%s\n", is_trusted && SSL_session_reused(ssl) ? "resumed" : "not resumed");
    end(ssl);
    ssl = connect_to(another, words, session, &is_trusted);
    printf("%s\n", is_trusted && SSL_session_reused(ssl) ? "resumed" : "not resumed");
    SSL_SESSION_free(session);
  } else {
    printf("rejected: %s\n", holdfast_openssl_reason(ssl));
  }
  end(ssl);
  SSL_CTX_free(context);
  SSL_CTX_free(another);
  holdfast_policy_free(policy);
  holdfast_policy_free(other);
  return is_trusted ? 0 : 1;
}
