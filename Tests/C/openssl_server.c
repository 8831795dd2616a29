/*
 * A server of OpenSSL whose clients Holdfast judges.
 *
 *     openssl_server CERTIFICATE KEY ANCHORS VERSION COUNT CRL   VERSION is 12 or 13; CRL may be empty
 *
 * Prints the port, then for each of COUNT connections "trusted" or "resumed", or "rejected: " and the reason. The CRL
 * counts from the second connection on. What a rejected client has sent is never read.
 */
#include "server.h"

#include <holdfast_openssl_server.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 7) return 2;
  int listener = listening(), version = atoi(words[4]) == 12 ? TLS1_2_VERSION : TLS1_3_VERSION;
  for (int i = 0; i < atoi(words[5]); i++) {
    holdfast_policy *policy = policy_of(words[3], words[6], i);
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_min_proto_version(context, version);
    SSL_CTX_set_max_proto_version(context, version);
    if (SSL_CTX_use_certificate_file(context, words[1], SSL_FILETYPE_PEM) != 1
        || SSL_CTX_use_PrivateKey_file(context, words[2], SSL_FILETYPE_PEM) != 1
        || holdfast_openssl_install_server(context, policy) != 1) {
      return 2;
    }
    SSL *ssl = SSL_new(context);
    int file = accept(listener, NULL, NULL);
    char text[4096];
    SSL_set_fd(ssl, file);
    if (SSL_accept(ssl) == 1) {
      printf("%s\n", SSL_session_reused(ssl) ? "resumed" : "trusted");
      SSL_read(ssl, text, sizeof text);
      SSL_write(ssl, "hello\n", 6);
      SSL_shutdown(ssl);
    } else {
      printf("rejected: %s\n", holdfast_openssl_reason(ssl));
    }
    fflush(stdout);
    SSL_free(ssl);
    SSL_CTX_free(context);
    close(file);
    holdfast_policy_free(policy);
  }
  return 0;
}
