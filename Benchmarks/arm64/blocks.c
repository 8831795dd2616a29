// A plugin of qemu 7.2 and later: writes how often each block of the guest's instructions was run, a line with
// its address, the count and the instructions, to the file that BLOCKS names.

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What it needs of qemu-plugin.h, which Debian's packages do not have.
typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_INLINE_ADD_U64 };
void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
void qemu_plugin_register_atexit_cb(
    qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int qemu_plugin_version = 1;

enum { MOST = 1 << 18 };

static struct block {
  uint64_t address, count, runs;
  uint32_t *instructions;
} blocks[MOST];
static size_t block_count;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  (void)id;
  if (block_count == MOST) abort();
  struct block *block = &blocks[block_count++];
  block->address = qemu_plugin_tb_vaddr(tb);
  block->count = qemu_plugin_tb_n_insns(tb);
  block->instructions = malloc(4 * block->count);
  for (size_t i = 0; i < block->count; i++)
    memcpy(&block->instructions[i], qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i)), 4);
  qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &block->runs, 1);
}

static void ended(qemu_plugin_id_t id, void *data) {
  (void)id;
  (void)data;
  FILE *file = fopen(getenv("BLOCKS"), "w");
  if (!file) abort();
  for (const struct block *block = blocks; block < blocks + block_count; block++) {
    if (!block->runs) continue;
    fprintf(file, "%" PRIx64 " %" PRIu64, block->address, block->runs);
    for (size_t i = 0; i < block->count; i++) fprintf(file, " %08x", block->instructions[i]);
    fprintf(file, "\n");
  }
  fclose(file);
}

EXPORTED int qemu_plugin_install(
    qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments) {
  (void)info;
  (void)count;
  (void)arguments;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
