/*
 * Holdfast decides about the peers of GnuTLS's connections. libholdfast links no GnuTLS.
 *
 *     holdfast_gnutls_peer peer;
 *     holdfast_gnutls_init(&peer, session, policy, "www.example.com");  takes the pointer of the session
 *     holdfast_gnutls_init_server(&peer, session, policy);  for a server: clients have a certificate
 *     if (holdfast_gnutls_handshake(&peer) < 0) puts(holdfast_gnutls_reason(&peer));
 *     ...
 *     gnutls_deinit(session);
 *     holdfast_gnutls_end(&peer);
 *
 * A stapled response counts. The certificates of a resumed session, which GnuTLS keeps in it, are judged again.
 */
#ifndef HOLDFAST_GNUTLS_H
#define HOLDFAST_GNUTLS_H

#include <gnutls/gnutls.h>
#include <gnutls/ocsp.h>
#include <holdfast.h>

/* A peer, and the answer about it. The caller has the memory; the policy and the host must outlive it. A client has
 * no host. */
typedef struct holdfast_gnutls_peer {
  gnutls_session_t session;
  holdfast_policy *policy;
  const char *host;
  holdfast_answer *answer;
} holdfast_gnutls_peer;

/* Judges what the peer has sent: 0, or an error of GnuTLS. */
static inline int holdfast_gnutls_judge(gnutls_session_t session) {
  holdfast_gnutls_peer *peer = (holdfast_gnutls_peer *)gnutls_session_get_ptr(session);
  unsigned int count = 0;
  const gnutls_datum_t *sent = gnutls_certificate_get_peers(session, &count);
  holdfast_bytes ders[64];
  gnutls_datum_t staple = {NULL, 0};
  if (!peer || count > 64) return GNUTLS_E_CERTIFICATE_ERROR;
  for (unsigned int i = 0; i < count; i++) ders[i].data = sent[i].data, ders[i].size = sent[i].size;
  int is_handshake = peer->host && !gnutls_session_is_resumed(session);
  if (!is_handshake || gnutls_ocsp_status_request_get2(session, 0, &staple) < 0) staple.data = NULL, staple.size = 0;
  holdfast_question question = {
      sizeof question, peer->host ? HOLDFAST_SERVER : HOLDFAST_CLIENT, is_handshake ? HOLDFAST_HANDSHAKE : 0,
      peer->host, peer->host ? strlen(peer->host) : 0, HOLDFAST_NOW, ders, count,
      {staple.size ? staple.data : NULL, staple.size}, {NULL, 0}};
  holdfast_answer_free(peer->answer);
  peer->answer = NULL;
  holdfast_policy_ask(peer->policy, &question, &peer->answer);
  return holdfast_answer_is_trusted(peer->answer) ? 0 : GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR;
}

/* Lets a policy decide about the server of a session. Returns 0, or an error of GnuTLS. */
static inline int holdfast_gnutls_init(
    holdfast_gnutls_peer *peer, gnutls_session_t session, holdfast_policy *policy, const char *host) {
  memset(peer, 0, sizeof *peer);
  if (!host || !*host) return GNUTLS_E_INVALID_REQUEST;
  peer->session = session, peer->policy = policy, peer->host = host;
  gnutls_session_set_ptr(session, peer);
  gnutls_session_set_verify_function(session, holdfast_gnutls_judge);
  int is_address = strchr(host, ':') || strspn(host, "0123456789.") == strlen(host);
  int status = gnutls_ocsp_status_request_enable_client(session, NULL, 0, NULL);
  return status < 0 || is_address ? status : gnutls_server_name_set(session, GNUTLS_NAME_DNS, host, strlen(host));
}

/* Lets a policy decide about the client of a session. Returns 0. */
static inline int holdfast_gnutls_init_server(
    holdfast_gnutls_peer *peer, gnutls_session_t session, holdfast_policy *policy) {
  memset(peer, 0, sizeof *peer);
  peer->session = session, peer->policy = policy;
  gnutls_session_set_ptr(session, peer);
  gnutls_session_set_verify_function(session, holdfast_gnutls_judge);
  gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
  return 0;
}

/* Does the handshake instead of gnutls_handshake, and returns what that does. A peer that is rejected gets nothing
 * else: after a resumed handshake, for which GnuTLS asks nobody, the session must not be used. */
static inline int holdfast_gnutls_handshake(holdfast_gnutls_peer *peer) {
  int status = gnutls_handshake(peer->session);
  if (status == 0 && !peer->answer) status = holdfast_gnutls_judge(peer->session);
  return status;
}

/* Returns why the peer was rejected. */
static inline const char *holdfast_gnutls_reason(holdfast_gnutls_peer *peer) {
  const char *reason = holdfast_answer_borrow_text(peer->answer, HOLDFAST_REASON, NULL);
  return reason ? reason : "no verdict was made";
}

/* Frees the answer. */
static inline void holdfast_gnutls_end(holdfast_gnutls_peer *peer) {
  holdfast_answer_free(peer->answer);
  peer->answer = NULL;
}

#endif
