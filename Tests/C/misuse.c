#include "door.h"

/* Calls that fail, each for a policy of its own, which is broken afterwards. */
#define FAILS(expected, call)                                                        \
  do {                                                                               \
    holdfast_policy *policy = policy_of_anchors();                                   \
    holdfast_question question = ask_about(host);                                    \
    holdfast_answer *answer = (holdfast_answer *)&question;                          \
    char problem[8];                                                                 \
    CHECK(holdfast_policy_copy_problem(policy, problem, sizeof problem) == 0);       \
    CHECK((call) == (expected));                                                     \
    CHECK(holdfast_policy_copy_problem(policy, problem, sizeof problem) > 0);        \
    CHECK(strlen(problem) <= 7);                                                     \
    CHECK(holdfast_policy_copy_problem(policy, NULL, 0) > 0);                        \
    CHECK(holdfast_policy_ask(policy, &question, &answer) == HOLDFAST_BROKEN);       \
    CHECK(answer == NULL);                                                           \
    CHECK(holdfast_policy_free(policy) == HOLDFAST_OK);                              \
  } while (0)

/* Questions that are none. */
#define REFUSED(expected, change)                                                    \
  do {                                                                               \
    holdfast_question question = ask_about(host);                                    \
    holdfast_answer *answer = (holdfast_answer *)&question;                          \
    change;                                                                          \
    CHECK(holdfast_policy_ask(policy, &question, &answer) == (expected));            \
    CHECK(answer == NULL);                                                           \
  } while (0)

#define HUGE ((size_t)2 << 30)

void misuse(void) {
  const char *p = "/nowhere", *bad = "\xff\xfe", *pin = "sha256/MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=";
  holdfast_limits limits = {.structure_size = 3};
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_trust_system(policy, 8));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_add_anchors(policy, NULL, 0, 0));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_add_anchors(policy, NULL, 5, 0));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_add_anchors(policy, anchors, anchors_size, 2));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_anchors(policy, p, 8, 0));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_anchors(policy, anchors, anchors_size - 40, 0));
  FAILS(HOLDFAST_TOO_LARGE, holdfast_policy_add_anchors(policy, p, HUGE, 0));
  FAILS(HOLDFAST_TOO_LARGE, holdfast_policy_add_anchors(policy, p, (size_t)-1, 0));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT(p), 0));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT("-"), 0));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT("/"), 0));
  FAILS(HOLDFAST_BAD_TEXT, holdfast_policy_add_anchor_file(policy, HOLDFAST_TEXT(bad), 0));
  FAILS(HOLDFAST_BAD_TEXT, holdfast_policy_add_anchor_file(policy, "a\0b", 3, 0));
  FAILS(HOLDFAST_TOO_LARGE, holdfast_policy_add_anchor_file(policy, p, HUGE, 0));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_add_anchor_file(policy, NULL, 0, 0));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_set_rules(policy, HOLDFAST_TEXT("lax")));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_set_rules(policy, NULL, 0));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_pin(policy, HOLDFAST_TEXT("a..b"), HOLDFAST_TEXT(pin)));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_pin(policy, HOLDFAST_TEXT("a.example"), HOLDFAST_TEXT("x")));
  FAILS(HOLDFAST_BAD_TEXT, holdfast_policy_add_pin(policy, HOLDFAST_TEXT(bad), HOLDFAST_TEXT(pin)));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_add_pin(policy, HOLDFAST_TEXT("a.example"), NULL, 0));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_require_pins(policy, 2));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_add_crls(policy, NULL, 0));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_crls(policy, p, 8));
  FAILS(HOLDFAST_TOO_LARGE, holdfast_policy_add_crls(policy, p, HUGE));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_filter_file(policy, HOLDFAST_TEXT(p)));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_add_filter_file(policy, NULL, 0));
  FAILS(HOLDFAST_NOT_USABLE, holdfast_policy_add_upki(policy, HOLDFAST_TEXT(p)));
  FAILS(HOLDFAST_BAD_TEXT, holdfast_policy_add_upki(policy, HOLDFAST_TEXT(bad)));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_set_revocation(policy, 0));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_set_revocation(policy, 5));
  FAILS(HOLDFAST_NOT_USABLE,
        holdfast_policy_set_log_list(policy, "{}", 2, HOLDFAST_TEXT("chrome"), HOLDFAST_LOGS_REPORT));
  FAILS(HOLDFAST_NOT_USABLE,
        holdfast_policy_set_log_list(policy, "{}", 2, HOLDFAST_TEXT("opera"), HOLDFAST_LOGS_REPORT));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_set_log_list(policy, "{}", 2, HOLDFAST_TEXT("chrome"), 0));
  FAILS(HOLDFAST_BAD_ARGUMENT,
        holdfast_policy_set_log_list(policy, NULL, 0, HOLDFAST_TEXT("chrome"), HOLDFAST_LOGS_REPORT));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_set_limits(policy, NULL));
  FAILS(HOLDFAST_BAD_ARGUMENT, holdfast_policy_set_limits(policy, &limits));

  holdfast_policy *policy = policy_of_anchors();
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.structure_size = 0);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.structure_size += 8);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.purpose = 0);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.purpose = 99);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.flags = HOLDFAST_HANDSHAKE | HOLDFAST_FILES);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.name = NULL);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.name_size = 0);
  REFUSED(HOLDFAST_BAD_ARGUMENT, (question.name = NULL, question.name_size = 0));
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.purpose = HOLDFAST_CLIENT);
  REFUSED(HOLDFAST_BAD_TEXT, (question.name = bad, question.name_size = 2));
  REFUSED(HOLDFAST_TOO_LARGE, question.name_size = HUGE);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.time = INT64_MAX);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.chain = NULL);
  REFUSED(HOLDFAST_TOO_LARGE, question.chain_count = (size_t)-1);
  REFUSED(HOLDFAST_TOO_LARGE, question.chain_count = HUGE);
  holdfast_bytes large[] = {chain[0], {p, HUGE}};
  REFUSED(HOLDFAST_TOO_LARGE, (question.chain = large, question.chain_count = 2));
  holdfast_bytes missing[] = {chain[0], {NULL, 7}};
  REFUSED(HOLDFAST_BAD_ARGUMENT, (question.chain = missing, question.chain_count = 2));
  REFUSED(HOLDFAST_TOO_LARGE, question.staple = large[1]);
  REFUSED(HOLDFAST_BAD_ARGUMENT, question.timestamps = missing[1]);
  CHECK(holdfast_policy_ask(policy, NULL, NULL) == HOLDFAST_BAD_ARGUMENT);
  holdfast_answer *answer = NULL;
  CHECK(holdfast_policy_ask(policy, NULL, &answer) == HOLDFAST_BAD_ARGUMENT);
  CHECK(holdfast_policy_ask(NULL, NULL, &answer) == HOLDFAST_BAD_OBJECT);

  /* A wrong question breaks no policy; a setting after the first question does. */
  expect(policy, ask_about(host), HOLDFAST_TRUSTED, "");
  CHECK(holdfast_policy_require_pins(policy, 1) == HOLDFAST_FROZEN);
  holdfast_question question = ask_about(host);
  CHECK(holdfast_policy_ask(policy, &question, &answer) == HOLDFAST_BROKEN);
  CHECK(holdfast_policy_free(policy) == HOLDFAST_OK);

  CHECK(holdfast_policy_new(NULL) == HOLDFAST_BAD_ARGUMENT);
  CHECK(holdfast_policy_new(&policy) == HOLDFAST_OK);
  CHECK(holdfast_policy_ask(policy, &question, &answer) == HOLDFAST_NOT_USABLE);
  CHECK(holdfast_policy_free(policy) == HOLDFAST_OK);
}

void objects(void) {
  holdfast_policy *policy = policy_of_anchors();
  holdfast_answer *answer = NULL;
  holdfast_question question = ask_about(host);
  CHECK(holdfast_policy_ask(policy, &question, &answer) == HOLDFAST_OK);
  CHECK(holdfast_answer_is_trusted((holdfast_answer *)policy) == 0);
  CHECK(holdfast_policy_free((holdfast_policy *)answer) == HOLDFAST_BAD_OBJECT);
  CHECK(holdfast_answer_free(answer) == HOLDFAST_OK);
  CHECK(holdfast_policy_free(policy) == HOLDFAST_OK);
  holdfast_policy *wrong[] = {NULL, policy, (holdfast_policy *)answer, (holdfast_policy *)&question,
                              (holdfast_policy *)(uintptr_t)-1, (holdfast_policy *)(uintptr_t)1};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    holdfast_policy *p = wrong[i];
    holdfast_answer *a = (holdfast_answer *)wrong[i], *new_answer = NULL;
    size_t size = 1;
    CHECK(holdfast_policy_free(p) == (p ? HOLDFAST_BAD_OBJECT : HOLDFAST_OK));
    CHECK(holdfast_policy_copy_problem(p, NULL, 0) == 0);
    CHECK(holdfast_policy_trust_system(p, 0) == HOLDFAST_BAD_OBJECT);
    CHECK(holdfast_policy_ask(p, &question, &new_answer) == HOLDFAST_BAD_OBJECT);
    CHECK(holdfast_answer_free(a) == (a ? HOLDFAST_BAD_OBJECT : HOLDFAST_OK));
    CHECK(holdfast_answer_is_trusted(a) == 0 && holdfast_answer_verdict(a) == 0);
    CHECK(holdfast_answer_borrow_text(a, HOLDFAST_JSON, &size) == NULL && size == 0);
    CHECK(holdfast_answer_borrow_certificate(a, 0, NULL) == NULL);
    CHECK(holdfast_answer_valid_until(a) == INT64_MIN);
    CHECK(holdfast_answer_holds(a, p, HOLDFAST_TEXT(host), now) == 0);
  }
  policy = policy_of_anchors();
  CHECK(holdfast_policy_ask(policy, &question, &answer) == HOLDFAST_OK);
  CHECK(holdfast_answer_borrow_text(answer, 0, NULL) == NULL);
  CHECK(holdfast_answer_borrow_text(answer, 7, NULL) == NULL);
  CHECK(holdfast_answer_borrow_certificate(answer, (size_t)-1, NULL) == NULL);
  CHECK(holdfast_answer_holds(answer, policy, NULL, 4, now) == 0);
  CHECK(holdfast_answer_holds(answer, policy, "\xff", 1, now) == 0);
  CHECK(holdfast_answer_holds(answer, policy, HOLDFAST_TEXT(host), INT64_MAX) == 0);
  CHECK(holdfast_answer_holds(answer, policy, HOLDFAST_TEXT(host), INT64_MIN + 1) == 0);
  holdfast_answer_free(answer);
  holdfast_policy_free(policy);
}
