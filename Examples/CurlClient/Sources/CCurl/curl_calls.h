#include <curl/curl.h>

// `curl_easy_setopt` takes any type, which Swift does not see.

typedef CURLcode (*example_context_function)(CURL *curl, void *context, void *argument);

static inline CURLcode example_set_url(CURL *curl, const char *url) {
  return curl_easy_setopt(curl, CURLOPT_URL, url);
}

static inline CURLcode example_set_context_function(
    CURL *curl, example_context_function function, void *argument) {
  curl_easy_setopt(curl, CURLOPT_SSL_CTX_DATA, argument);
  return curl_easy_setopt(curl, CURLOPT_SSL_CTX_FUNCTION, function);
}

static inline CURLcode example_connect_to(CURL *curl, struct curl_slist *targets) {
  return curl_easy_setopt(curl, CURLOPT_CONNECT_TO, targets);
}

// Makes curl report an HTTP error as a failed transfer, and keep no sessions: newer versions would lose
// the verdicts that belong to them.
static inline void example_set_defaults(CURL *curl) {
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_SESSIONID_CACHE, 0L);
}
