#ifndef HOLDFAST_CURL_H
#define HOLDFAST_CURL_H

// libcurl, with functions for what it has only with variable arguments, which Swift does not import.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "HoldfastHTTP needs libcurl 7.87 or newer"
#endif

static inline CURLcode holdfast_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

// An option of TLS that OpenSSL does not have.
static const long holdfast_mark_of_identity = CURLSSLOPT_REVOKE_BEST_EFFORT;

static inline CURLcode holdfast_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode holdfast_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode holdfast_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

// Called with bytes: of a header line, of a body, or room for those of a request.
typedef size_t (*holdfast_bytes_function)(char *bytes, size_t size, size_t count, void *argument);

static inline CURLcode holdfast_set_bytes_function(
    CURL *easy, CURLoption option, holdfast_bytes_function function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode holdfast_set_seek_function(CURL *easy, curl_seek_callback function) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode holdfast_set_request_function(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode holdfast_set_context_function(CURL *easy, curl_ssl_ctx_callback function) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, function);
}

static inline CURLcode holdfast_set_progress_function(
    CURL *easy, curl_xferinfo_callback function) {
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
  return curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

static inline CURLcode holdfast_set_socket_function(
    CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode holdfast_set_close_function(
    CURL *easy, curl_closesocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

// Ends both directions of a socket, which stays open.
static inline void holdfast_shut_socket(curl_socket_t descriptor) {
  shutdown(descriptor, SHUT_RDWR);
}

static inline int holdfast_close_socket(curl_socket_t descriptor) { return close(descriptor); }

// Writes the 4 or 16 bytes of an IP address, and returns their number; 0 for any other address.
static inline int holdfast_address_bytes(const struct curl_sockaddr *address, unsigned char *bytes) {
  if (address->family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
    return 4;
  }
  if (address->family == AF_INET6) {
    memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

// Opens a socket that the processes which this one starts do not inherit.
static inline curl_socket_t holdfast_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  int descriptor = socket(address->family, address->socktype, address->protocol);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#endif
}

static inline long holdfast_number(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

// The object of the TLS library that the connection of a transfer has; NULL without TLS.
static inline void *holdfast_tls_connection(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL ||
      session->backend != CURLSSLBACKEND_OPENSSL)
    return NULL;
  return session->internals;
}

// The object that `CURLOPT_PRIVATE` has set.
static inline void *holdfast_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode holdfast_set_multi_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// The result of a finished transfer, which `CURLMsg` has in a union.
static inline CURLcode holdfast_result(const CURLMsg *message) { return message->data.result; }

// The name and version of the TLS library; NULL without one.
static inline const char *holdfast_tls_library(void) {
  return curl_version_info(CURLVERSION_NOW)->ssl_version;
}

// Calls a function when the process exits, before those that were registered earlier.
static inline int holdfast_at_exit(void (*body)(void)) { return atexit(body); }

// Starts a thread that is not joined; 0 on success. Its types differ between platforms.
static inline int holdfast_start_thread(void *(*body)(void *), void *argument) {
  pthread_t thread;
  int status = pthread_create(&thread, NULL, body, argument);
  return status == 0 ? pthread_detach(thread) : status;
}

#endif
