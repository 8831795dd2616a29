/*
 * A target for libFuzzer through holdfast.h: the input is cut into pieces, of which a policy and a question are made.
 *
 *     clang -fsanitize=fuzzer,address -I Sources/CHoldfast Tests/C/fuzz.c LIBRARY && ./a.out SEEDS
 */
#include <holdfast.h>

/* The next piece: two bytes say how long it is. */
static holdfast_bytes next(const uint8_t **data, size_t *size) {
  holdfast_bytes piece = {NULL, 0};
  if (*size < 2) return piece;
  size_t count = (size_t)(*data)[0] << 8 | (*data)[1];
  *data += 2, *size -= 2;
  if (count > *size) count = *size;
  piece.data = *data, piece.size = count;
  *data += count, *size -= count;
  return piece;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4) return 0;
  uint8_t choice = data[0], purpose = data[1], flags = data[2], demand = data[3];
  data += 4, size -= 4;
  holdfast_policy *policy = NULL;
  holdfast_answer *answer = NULL;
  if (holdfast_policy_new(&policy)) __builtin_trap();
  holdfast_bytes anchors = next(&data, &size), pattern = next(&data, &size), pin = next(&data, &size);
  holdfast_bytes crls = next(&data, &size), logs = next(&data, &size), host = next(&data, &size);
  holdfast_policy_add_anchors(policy, anchors.data, anchors.size, flags & 1);
  if (choice & 1) holdfast_policy_add_pin(policy, pattern.data, pattern.size, pin.data, pin.size);
  if (choice & 2) holdfast_policy_add_crls(policy, crls.data, crls.size);
  if (choice & 4) holdfast_policy_set_log_list(policy, logs.data, logs.size, HOLDFAST_TEXT("chrome"), demand % 5);
  if (choice & 8) holdfast_policy_set_rules(policy, pattern.data, pattern.size);
  if (choice & 16) holdfast_policy_set_revocation(policy, demand % 6);
  holdfast_bytes chain[8];
  size_t count = 0;
  holdfast_question question = {.structure_size = sizeof question, .purpose = purpose % 9u, .time = 1782000000};
  question.staple = choice & 32 ? next(&data, &size) : question.staple;
  question.timestamps = choice & 64 ? next(&data, &size) : question.timestamps;
  while (size > 0 && count < 8) chain[count++] = next(&data, &size);
  question.flags = flags >> 1 & 3, question.name = host.data, question.name_size = host.size;
  question.chain = chain, question.chain_count = count;
  holdfast_status status = holdfast_policy_ask(policy, &question, &answer);
  if ((status == HOLDFAST_OK) != (answer != NULL)) __builtin_trap();
  for (uint32_t text = 0; answer && text < 8; text++) {
    size_t length = 0;
    const char *found = holdfast_answer_borrow_text(answer, text, &length);
    if ((found != NULL) != (text >= HOLDFAST_REASON && text <= HOLDFAST_PAGE)) __builtin_trap();
    if (found && strlen(found) != length) __builtin_trap();
  }
  holdfast_answer_holds(answer, policy, host.data, host.size, question.time);
  if (holdfast_answer_free(answer) || holdfast_policy_free(policy)) __builtin_trap();
  return 0;
}
