/*
 * A client of GnuTLS whose servers Holdfast judges.
 *
 *     gnutls_client PORT ANCHORS HOST VERSION PIN [PROXY]   PIN may be empty; VERSION is 12 or 13; PROXY is a port
 *
 * Prints "trusted", or "rejected: " and the reason; then what becomes of a second connection with the session, and of
 * one whose policy has a pin that the server has not.
 */
#include <holdfast_gnutls.h>

#include "client.h"

static gnutls_certificate_credentials_t credentials;

static holdfast_policy *policy_of(char **words, const char *pin) {
  holdfast_policy *policy = NULL;
  holdfast_policy_new(&policy);
  holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT(words[2]), 0);
  if (pin[0]) holdfast_policy_add_pin(policy, HOLDFAST_TEXT(words[3]), HOLDFAST_TEXT(pin));
  return policy;
}

/* Connects, says what became of it, and takes the session for the next connection. */
static int ask(char **words, holdfast_policy *policy, gnutls_datum_t *data) {
  int file = connected(words[1], words[3], words[6]);
  gnutls_session_t session;
  gnutls_init(&session, GNUTLS_CLIENT);
  gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials);
  gnutls_priority_set_direct(
      session, atoi(words[4]) == 12 ? "NORMAL:-VERS-ALL:+VERS-TLS1.2" : "NORMAL:-VERS-ALL:+VERS-TLS1.3", NULL);
  gnutls_transport_set_int(session, file);
  if (data->data) gnutls_session_set_data(session, data->data, data->size);
  holdfast_gnutls_peer peer;
  if (holdfast_gnutls_init(&peer, session, policy, words[3]) < 0) exit(2);
  int is_trusted = holdfast_gnutls_handshake(&peer) == 0;
  if (gnutls_session_is_resumed(session)) printf("resumed ");
  if (is_trusted) {
    char text[4096];
    printf("trusted\n");
    gnutls_record_send(session, "GET / HTTP/1.0\r\n\r\n", 18);
    while (gnutls_record_recv(session, text, sizeof text) > 0) {}
    gnutls_free(data->data);
    gnutls_session_get_data2(session, data);
  } else {
    printf("rejected: %s\n", holdfast_gnutls_reason(&peer));
  }
  gnutls_deinit(session);
  holdfast_gnutls_end(&peer);
  close(file);
  return is_trusted;
}

int main(int count, char **words) {
  if (count < 6) return 2;
  gnutls_datum_t data = {NULL, 0};
  gnutls_certificate_allocate_credentials(&credentials);
  holdfast_policy *policy = policy_of(words, words[5]);
  holdfast_policy *other = policy_of(words, "sha256/MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=");
  int is_trusted = ask(words, policy, &data);
  if (is_trusted) ask(words, policy, &data), ask(words, other, &data);
  gnutls_free(data.data);
  gnutls_certificate_free_credentials(credentials);
  holdfast_policy_free(policy);
  holdfast_policy_free(other);
  return is_trusted ? 0 : 1;
}
