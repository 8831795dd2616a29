// Requests by libcurl alone, verified by itself, with one curl_multi and as many handles as there are
// requests at the same time, each used again and again:
//
//     alone ANCHORS              one thread makes all requests, for itself
//     alone ANCHORS --callers    other threads hand each request to it, and wait for the response, as with
//                                any client that serves a program
//
// A line is `URL COUNT CONCURRENCY CONNECTIONS VERSION`; the answer is the nanoseconds of the turn and those of
// the processor, or 0 if a request has failed.

#include <curl/curl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most = 1024 };

struct text {
  char *bytes;
  size_t count;
};

// A request that a caller waits for, and its response.
struct request {
  struct text head, body;
  int is_right, is_done;
  pthread_cond_t done;
  struct request *next;
};

static struct {
  CURLM *multi;
  CURL *idle[most];
  int idle_count;
  pthread_mutex_t lock;
  struct request *first;
} loop;

static size_t append(char *bytes, size_t size, size_t count, void *argument) {
  struct text *text = argument;
  char *longer = realloc(text->bytes, text->count + size * count);
  if (longer == NULL) return 0;
  memcpy(longer + text->count, bytes, size * count);
  text->bytes = longer;
  text->count += size * count;
  return size * count;
}

static void clear(struct request *request) {
  free(request->head.bytes);
  free(request->body.bytes);
  memset(&request->head, 0, sizeof request->head);
  memset(&request->body, 0, sizeof request->body);
}

static long long now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static CURL *make_handle(const char *url, const char *version, const char *anchors) {
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, append);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                   version[0] == '2' ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_CAINFO, anchors);
  curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
  return easy;
}

static void begin(struct request *request) {
  CURL *easy = loop.idle[--loop.idle_count];
  curl_easy_setopt(easy, CURLOPT_PRIVATE, request);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &request->body);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &request->head);
  curl_multi_add_handle(loop.multi, easy);
}

// The next request that has ended; NULL if there is none.
static struct request *next_end(void) {
  int left;
  CURLMsg *message = curl_multi_info_read(loop.multi, &left);
  if (message == NULL) return NULL;
  CURL *easy = message->easy_handle;
  struct request *request = NULL;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&request);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  request->is_right = message->data.result == CURLE_OK && status == 200 && request->body.count > 0;
  curl_multi_remove_handle(loop.multi, easy);
  loop.idle[loop.idle_count++] = easy;
  return request;
}

// All requests by this thread.
static int run_alone(int count, int concurrency) {
  static struct request requests[most];
  int begun = 0, ended = 0, is_right = 1, running;
  for (; begun < concurrency && begun < count; begun++) begin(&requests[begun]);
  while (ended < count) {
    curl_multi_perform(loop.multi, &running);
    struct request *request;
    while ((request = next_end()) != NULL) {
      is_right &= request->is_right;
      clear(request);
      ended++;
      if (begun < count) {
        begin(request);
        begun++;
      }
    }
    if (ended < count) curl_multi_poll(loop.multi, NULL, 0, 1000, NULL);
  }
  return is_right;
}

struct caller {
  pthread_t thread;
  int count, is_right;
};

static void *call(void *argument) {
  struct caller *caller = argument;
  struct request request = {.done = PTHREAD_COND_INITIALIZER};
  caller->is_right = 1;
  for (int index = 0; index < caller->count; index++) {
    request.is_done = 0;
    pthread_mutex_lock(&loop.lock);
    int wakes = loop.first == NULL;
    request.next = loop.first;
    loop.first = &request;
    if (wakes) curl_multi_wakeup(loop.multi);
    while (!request.is_done) pthread_cond_wait(&request.done, &loop.lock);
    pthread_mutex_unlock(&loop.lock);
    caller->is_right &= request.is_right;
    clear(&request);
  }
  return NULL;
}

// All requests by this thread, for callers.
static int run_for_callers(int count, int concurrency) {
  static struct caller callers[most];
  int ended = 0, is_right = 1, running;
  count = count / concurrency * concurrency;
  for (int index = 0; index < concurrency; index++) {
    callers[index].count = count / concurrency;
    pthread_create(&callers[index].thread, NULL, call, &callers[index]);
  }
  while (ended < count) {
    pthread_mutex_lock(&loop.lock);
    struct request *request = loop.first;
    loop.first = NULL;
    pthread_mutex_unlock(&loop.lock);
    for (struct request *next; request != NULL; request = next) {
      next = request->next;
      begin(request);
    }
    curl_multi_perform(loop.multi, &running);
    while ((request = next_end()) != NULL) {
      ended++;
      pthread_mutex_lock(&loop.lock);
      request->is_done = 1;
      pthread_cond_signal(&request->done);
      pthread_mutex_unlock(&loop.lock);
    }
    if (ended < count) curl_multi_poll(loop.multi, NULL, 0, 1000, NULL);
  }
  for (int index = 0; index < concurrency; index++) {
    pthread_join(callers[index].thread, NULL);
    is_right &= callers[index].is_right;
  }
  return is_right;
}

int main(int count_of_words, char **words) {
  if (count_of_words < 2) return 2;
  int has_callers = count_of_words > 2 && strcmp(words[2], "--callers") == 0;
  char line[1024], url[512], version[8], last[1024] = "";
  int count, concurrency, connections;
  pthread_mutex_init(&loop.lock, NULL);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  while (fgets(line, sizeof line, stdin) != NULL &&
         sscanf(line, "%511s %d %d %d %7s", url, &count, &concurrency, &connections, version) == 5 &&
         concurrency <= most) {
    // Another kind of turn has other connections.
    if (strcmp(line, last) != 0) {
      while (loop.idle_count > 0) curl_easy_cleanup(loop.idle[--loop.idle_count]);
      if (loop.multi != NULL) curl_multi_cleanup(loop.multi);
      loop.multi = curl_multi_init();
      curl_multi_setopt(loop.multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)connections);
      curl_multi_setopt(loop.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)connections);
      curl_multi_setopt(loop.multi, CURLMOPT_MAXCONNECTS, (long)connections);
      while (loop.idle_count < concurrency)
        loop.idle[loop.idle_count++] = make_handle(url, version, words[1]);
      strcpy(last, line);
    }
    long long start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
    int is_right = has_callers ? run_for_callers(count, concurrency) : run_alone(count, concurrency);
    long long elapsed = now(CLOCK_MONOTONIC) - start;
    used = now(CLOCK_PROCESS_CPUTIME_ID) - used;
    malloc_trim(0);  // so that the memory of a process is what it keeps
    printf("%lld %lld\n", is_right ? elapsed : 0, used);
    fflush(stdout);
  }
  return 0;
}
