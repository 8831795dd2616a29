/*
 * A server of GnuTLS whose clients Holdfast judges; its words and what it prints are those of openssl_server.
 */
#include "server.h"

#include <holdfast_gnutls.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 7) return 2;
  int listener = listening();
  gnutls_certificate_credentials_t credentials;
  gnutls_datum_t ticket_key;
  gnutls_certificate_allocate_credentials(&credentials);
  if (gnutls_certificate_set_x509_key_file(credentials, words[1], words[2], GNUTLS_X509_FMT_PEM) < 0) return 2;
  gnutls_session_ticket_key_generate(&ticket_key);
  for (int i = 0; i < atoi(words[5]); i++) {
    holdfast_policy *policy = policy_of(words[3], words[6], i);
    gnutls_session_t session;
    holdfast_gnutls_peer peer;
    char text[4096];
    gnutls_init(&session, GNUTLS_SERVER);
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials);
    gnutls_session_ticket_enable_server(session, &ticket_key);
    gnutls_priority_set_direct(
        session, atoi(words[4]) == 12 ? "NORMAL:-VERS-ALL:+VERS-TLS1.2" : "NORMAL:-VERS-ALL:+VERS-TLS1.3", NULL);
    holdfast_gnutls_init_server(&peer, session, policy);
    int file = accept(listener, NULL, NULL), status;
    gnutls_transport_set_int(session, file);
    do status = holdfast_gnutls_handshake(&peer);
    while (status < 0 && !gnutls_error_is_fatal(status));
    if (status == 0) {
      printf("%s\n", gnutls_session_is_resumed(session) ? "resumed" : "trusted");
      gnutls_record_recv(session, text, sizeof text);
      gnutls_record_send(session, "hello\n", 6);
      gnutls_bye(session, GNUTLS_SHUT_WR);
    } else {
      gnutls_alert_send_appropriate(session, status);
      printf("rejected: %s\n", holdfast_gnutls_reason(&peer));
    }
    fflush(stdout);
    gnutls_deinit(session);
    close(file);
    holdfast_gnutls_end(&peer);
    holdfast_policy_free(policy);
  }
  gnutls_free(ticket_key.data);
  gnutls_certificate_free_credentials(credentials);
  return 0;
}
