/*
 * Uses every function of holdfast.h, rightly and wrongly. Scripts/checks/c-door builds and runs it.
 *
 *     door CHAIN ANCHORS HOST TIME [WORD]   with certificates in PEM; CHAIN is trusted
 *
 * A line that begins with "not ok" is a failure. With a number as WORD only so many threads ask, and with
 * "time" what questions cost is printed.
 */
#include "door.h"

int failures;

void check(int is_right, const char *what, int line) {
  if (is_right) return;
  failures++;
  printf("not ok: line %d: %s\n", line, what);
}

/* ---- The certificates ---- */

enum { MAXIMUM = 16 };
static unsigned char memory[1 << 18];
holdfast_bytes chain[MAXIMUM];
size_t chain_count, anchors_size;
char anchors[1 << 16];
const char *host;
int64_t now;

static int digit(int character) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *found = character ? strchr(digits, character) : NULL;
  return found ? (int)(found - digits) : -1;
}

static void read_chain(const char *path) {
  char line[256];
  size_t used = 0;
  FILE *file = fopen(path, "r");
  if (!file) exit(2);
  while (fgets(line, sizeof line, file)) {
    if (!strncmp(line, "-----BEGIN", 10)) {
      unsigned value = 0, bits = 0;
      chain[chain_count].data = memory + used;
      while (fgets(line, sizeof line, file) && line[0] != '-') {
        for (char *next = line; digit(*next) >= 0; next++) {
          value = value << 6 | (unsigned)digit(*next);
          bits += 6;
          if (bits >= 8) memory[used++] = (unsigned char)(value >> (bits -= 8));
        }
      }
      chain[chain_count].size = memory + used - (const unsigned char *)chain[chain_count].data;
      chain_count++;
    }
  }
  fclose(file);
}

holdfast_question ask_about(const char *name) {
  holdfast_question question = {0};
  question.structure_size = sizeof question;
  question.purpose = HOLDFAST_SERVER;
  question.name = name;
  question.name_size = strlen(name);
  question.time = now;
  question.chain = chain;
  question.chain_count = chain_count;
  return question;
}

holdfast_policy *policy_of_anchors(void) {
  holdfast_policy *policy = NULL;
  CHECK(holdfast_policy_new(&policy) == HOLDFAST_OK && policy);
  CHECK(holdfast_policy_add_anchors(policy, anchors, anchors_size, 0) == HOLDFAST_OK);
  return policy;
}

void expect(holdfast_policy *policy, holdfast_question question, int32_t verdict, const char *code) {
  holdfast_answer *answer = NULL;
  holdfast_status status = holdfast_policy_ask(policy, &question, &answer);
  CHECK(status == HOLDFAST_OK);
  CHECK(holdfast_answer_verdict(answer) == verdict);
  const char *found = holdfast_answer_borrow_text(answer, HOLDFAST_CODE, NULL);
  if (!found || strcmp(found, code)) printf("expected %s, found %s\n", code, found ? found : "NULL");
  CHECK(found && !strcmp(found, code));
  for (uint32_t text = HOLDFAST_REASON; text <= HOLDFAST_PAGE; text++) {
    CHECK(holdfast_answer_borrow_text(answer, text, NULL) != NULL);
  }
  if (verdict != HOLDFAST_TRUSTED) CHECK(holdfast_answer_valid_until(answer) == INT64_MIN);
  CHECK(holdfast_answer_free(answer) == HOLDFAST_OK);
}

/* ---- Right uses ---- */

static void constants(void) {
  CHECK(strlen(holdfast_version()) > 0);
#define NAMED(status) CHECK(!strcmp(holdfast_status_text(status), #status))
  NAMED(HOLDFAST_OK);
  NAMED(HOLDFAST_BAD_ARGUMENT);
  NAMED(HOLDFAST_BAD_OBJECT);
  NAMED(HOLDFAST_BAD_TEXT);
  NAMED(HOLDFAST_TOO_LARGE);
  NAMED(HOLDFAST_NOT_USABLE);
  NAMED(HOLDFAST_FROZEN);
  NAMED(HOLDFAST_BROKEN);
  NAMED(HOLDFAST_TOO_MANY);
  CHECK(strlen(holdfast_status_text(-7)) > 0);
}

static void trusted(void) {
  holdfast_policy *policy = policy_of_anchors(), *other = policy_of_anchors();
  holdfast_answer *answer = NULL;
  holdfast_question question = ask_about(host);
  CHECK(holdfast_policy_ask(policy, &question, &answer) == HOLDFAST_OK);
  CHECK(holdfast_answer_is_trusted(answer) == 1);
  CHECK(holdfast_answer_verdict(answer) == HOLDFAST_TRUSTED);
  size_t size = 0;
  const char *reason = holdfast_answer_borrow_text(answer, HOLDFAST_REASON, &size);
  CHECK(reason && strlen(reason) == size && !strncmp(reason, "valid for ", 10));
  CHECK(reason == holdfast_answer_borrow_text(answer, HOLDFAST_REASON, NULL));
  CHECK(holdfast_answer_borrow_text(answer, HOLDFAST_SUMMARY, NULL) != NULL);
  CHECK(strstr(holdfast_answer_borrow_text(answer, HOLDFAST_LOG_LINE, NULL), host) != NULL);
  CHECK(!strcmp(holdfast_answer_borrow_text(answer, HOLDFAST_CODE, &size), "") && size == 0);
  const char *json = holdfast_answer_borrow_text(answer, HOLDFAST_JSON, NULL);
  CHECK(json && !strncmp(json, "{\"version\":1,\"verdict\":\"trusted\",", 32));
  const char *page = holdfast_answer_borrow_text(answer, HOLDFAST_PAGE, &size);
  CHECK(page && strlen(page) == size && !strncmp(page, "<!DOCTYPE html>", 15) && strstr(page, "</svg>"));
  const void *leaf = holdfast_answer_borrow_certificate(answer, 0, &size);
  CHECK(leaf && size == chain[0].size && !memcmp(leaf, chain[0].data, size));
  CHECK(holdfast_answer_borrow_certificate(answer, 40, &size) == NULL && size == 0);
  int64_t end = holdfast_answer_valid_until(answer);
  CHECK(end >= now);
  CHECK(holdfast_answer_holds(answer, policy, HOLDFAST_TEXT(host), now) == 1);
  CHECK(holdfast_answer_holds(answer, policy, HOLDFAST_TEXT(host), end) == 1);
  CHECK(holdfast_answer_holds(answer, policy, HOLDFAST_TEXT(host), end + 1) == 0);
  CHECK(holdfast_answer_holds(answer, policy, HOLDFAST_TEXT("other.example"), now) == 0);
  CHECK(holdfast_answer_holds(answer, other, HOLDFAST_TEXT(host), now) == 0);
  CHECK(holdfast_policy_free(policy) == HOLDFAST_OK);
  CHECK(holdfast_answer_holds(answer, policy, HOLDFAST_TEXT(host), now) == 0);
  CHECK(holdfast_answer_is_trusted(answer) == 1);
  CHECK(holdfast_answer_free(answer) == HOLDFAST_OK);
  CHECK(holdfast_policy_free(other) == HOLDFAST_OK);
}

static void rejections(void) {
  holdfast_policy *policy = policy_of_anchors();
  expect(policy, ask_about("other.example"), HOLDFAST_REJECTED, "host_name");
  expect(policy, ask_about("https://url.example/"), HOLDFAST_REJECTED, "invalid_host");
  holdfast_question question = ask_about(host);
  question.time = now + INT64_C(40) * 366 * 86400;
  expect(policy, question, HOLDFAST_REJECTED, "expired");
  question = ask_about(host);
  question.chain_count = 0;
  expect(policy, question, HOLDFAST_REJECTED, "no_certificate");
  question.chain = NULL;
  expect(policy, question, HOLDFAST_REJECTED, "no_certificate");
  holdfast_bytes broken[] = {{"0\3\2\1", 4}};
  question.chain = broken;
  question.chain_count = 1;
  expect(policy, question, HOLDFAST_UNREADABLE, "invalid_certificate");
  question = ask_about(host);
  question.staple = broken[0];
  question.flags = HOLDFAST_HANDSHAKE;
  expect(policy, question, HOLDFAST_REJECTED, "invalid_staple");
  question = ask_about("");
  question.name = NULL;
  question.purpose = HOLDFAST_CLIENT;
  holdfast_answer *answer = NULL;
  CHECK(holdfast_policy_ask(policy, &question, &answer) == HOLDFAST_OK);
  CHECK(holdfast_answer_verdict(answer) != 0);
  holdfast_answer_free(answer);
  question.purpose = HOLDFAST_ANY_PURPOSE;
  expect(policy, question, HOLDFAST_TRUSTED, "");
  holdfast_policy_free(policy);
}

static void files(const char *path) {
  static char text[1 << 16];
  FILE *file = fopen(path, "r");
  if (!file) exit(2);
  size_t size = fread(text, 1, sizeof text - 64, file);
  fclose(file);
  holdfast_policy *policy = policy_of_anchors();
  holdfast_question question = ask_about(host);
  question.flags = HOLDFAST_FILES;
  expect(policy, question, HOLDFAST_TRUSTED, "");
  holdfast_bytes parts[] = {{text, size}, {text, size}};
  question.chain = parts, question.chain_count = 2;
  expect(policy, question, HOLDFAST_TRUSTED, "");
  strcpy(text + size, "-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n");
  parts[1].size = strlen(text);
  expect(policy, question, HOLDFAST_UNREADABLE, "invalid_certificate");
  parts[0].data = "no block", parts[0].size = 8, question.chain_count = 1;
  expect(policy, question, HOLDFAST_UNREADABLE, "invalid_certificate");
  question.flags = 0;
  expect(policy, question, HOLDFAST_UNREADABLE, "invalid_certificate");
  holdfast_policy_free(policy);
}

static void settings(void) {
  holdfast_policy *policy = policy_of_anchors();
  holdfast_limits limits = {.structure_size = sizeof limits, .steps = 1};
  CHECK(holdfast_policy_set_limits(policy, &limits) == HOLDFAST_OK);
  expect(policy, ask_about(host), HOLDFAST_EXHAUSTED, "limit_reached");
  holdfast_policy_free(policy);

  policy = policy_of_anchors();
  static const char *rules[] = {"rfc5280", "apple", "strict", "strictRFC5280", "webPKI"};
  for (int i = 0; i < 5; i++) {
    CHECK(holdfast_policy_set_rules(policy, HOLDFAST_TEXT(rules[i])) == HOLDFAST_OK);
  }
  CHECK(holdfast_policy_add_pin(
            policy, HOLDFAST_TEXT("**.example"),
            HOLDFAST_TEXT("sha256/MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=")) == HOLDFAST_OK);
  CHECK(holdfast_policy_require_pins(policy, 1) == HOLDFAST_OK);
  expect(policy, ask_about(host), HOLDFAST_PIN_MISMATCH, "pin_mismatch");
  expect(policy, ask_about("other.test"), HOLDFAST_REJECTED, "unknown_host");
  holdfast_policy_free(policy);

  policy = policy_of_anchors();
  CHECK(holdfast_policy_set_revocation(policy, HOLDFAST_REVOCATION_LEAF) == HOLDFAST_OK);
  expect(policy, ask_about(host), HOLDFAST_REJECTED, "revocation_unknown");
  holdfast_policy_free(policy);
}

int main(int count, char **words) {
  if (count < 5) return 2;
  read_chain(words[1]);
  FILE *file = fopen(words[2], "r");
  if (!file) return 2;
  anchors_size = fread(anchors, 1, sizeof anchors, file);
  fclose(file);
  host = words[3];
  now = atoll(words[4]);
  const char *part = count > 5 ? words[5] : "";
  if (!strcmp(part, "time")) {
    timing();
  } else if (atoi(part) > 0) {
    threads(atoi(part) > 256 ? 256 : atoi(part));
  } else {
    holdfast_policy *policy = NULL;
    CHECK(holdfast_policy_free(NULL) == HOLDFAST_OK);
    constants();
    trusted();
    rejections();
    files(words[1]);
    settings();
    misuse();
    objects();
    fork_after_use();
    threads(8);
    /* A file with anchors, and a policy that trusts the system: whether it has roots is its own affair. */
    CHECK(holdfast_policy_new(&policy) == HOLDFAST_OK);
    CHECK(holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT(words[2]), HOLDFAST_PUBLIC) == HOLDFAST_OK);
    holdfast_policy_trust_system(policy, 0);
    holdfast_policy_free(policy);
  }
  if (failures) printf("%d failed\n", failures);
  return failures ? 1 : 0;
}
