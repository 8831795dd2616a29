/*
 * Holdfast for C: is a chain of X.509 certificates trusted, and if not, why?
 *
 *     holdfast_policy *policy = NULL;
 *     holdfast_answer *answer = NULL;
 *     holdfast_bytes chain[] = {{leaf, leaf_size}, {issuer, issuer_size}};
 *     holdfast_question question = {
 *         .structure_size = sizeof question, .purpose = HOLDFAST_SERVER,
 *         .name = host, .name_size = strlen(host), .time = HOLDFAST_NOW,
 *         .chain = chain, .chain_count = 2};
 *
 *     holdfast_policy_new(&policy);
 *     holdfast_policy_trust_system(policy, 0);
 *     holdfast_policy_add_pin(policy, HOLDFAST_TEXT("**.example.com"), HOLDFAST_TEXT("sha256/..."));
 *     if (holdfast_policy_ask(policy, &question, &answer) != HOLDFAST_OK) ...the question was not answered...
 *     if (!holdfast_answer_is_trusted(answer)) puts(holdfast_answer_borrow_text(answer, HOLDFAST_REASON, NULL));
 *     holdfast_answer_free(answer);
 *     holdfast_policy_free(policy);
 *
 * Rules that hold for every function:
 *
 * - Any thread may call any function at any time. The library starts no thread, handles no signal, prints
 *   nothing and uses no network. After fork() the child may go on, unless another thread of the parent was
 *   inside a call at that moment; then the child may only exec.
 * - A wrong argument is an error code: NULL, a size or a structure that is not known, a text that is not
 *   UTF-8, an object that was freed. Each pointer must be NULL or point to as many readable bytes as the
 *   size beside it says. Nothing is read beyond that, and nothing is kept: the library copies what it needs.
 * - Each text has its size in bytes beside it and needs no NUL at its end. NULL with size 0 is no text.
 * - Objects are made by functions that end in `new` and by `ask`, and the caller frees them with
 *   `holdfast_policy_free` and `holdfast_answer_free`. Results of functions with `borrow` in their names
 *   belong to the answer and end with it. Functions with `copy` in their names write to the caller's memory.
 * - If memory runs out, the process ends by a signal, in the middle of a call. A call needs 256 KiB of stack.
 *
 * The version of this interface is the number in the name of the library: libholdfast.so.0. Functions are
 * added, never changed.
 */
#ifndef HOLDFAST_H
#define HOLDFAST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A text that ends with NUL, as the two arguments that a function takes. */
#define HOLDFAST_TEXT(text) (text), strlen(text)

/* What a call comes to. HOLDFAST_OK says nothing about trust. */
typedef int32_t holdfast_status;
enum {
  HOLDFAST_OK = 0,
  /* NULL where something must be, a number without a meaning, or a structure of another size. */
  HOLDFAST_BAD_ARGUMENT = 1,
  /* The object was freed, or never made. */
  HOLDFAST_BAD_OBJECT = 2,
  /* A text is not UTF-8, or has a NUL in it. */
  HOLDFAST_BAD_TEXT = 3,
  /* A size is above its limit: 64 MiB for a CRL and for all certificates of a chain together, 16 MiB for
     everything else, 4,096 bytes for a text, 10,000 certificates. */
  HOLDFAST_TOO_LARGE = 4,
  /* What was given cannot be used; holdfast_policy_copy_problem says why. */
  HOLDFAST_NOT_USABLE = 5,
  /* The policy was asked before, and does not change any more. Make another one. */
  HOLDFAST_FROZEN = 6,
  /* An earlier call failed, so the policy is not what it was meant to be, and answers nothing. */
  HOLDFAST_BROKEN = 7,
  /* More than four million objects are in use. */
  HOLDFAST_TOO_MANY = 8
};

/* Returns a name for a status, such as "HOLDFAST_OK". It is never freed. */
const char *holdfast_status_text(holdfast_status status);

/* Returns the version of the library, such as "0.1.0". It is never freed. */
const char *holdfast_version(void);

/* ---- Policies: what is trusted, and how strictly. ----
 *
 * A policy is made, filled and then asked, as often as needed. The first question freezes it. A call that
 * fails breaks the policy: a pin that could not be read must not be missing unnoticed. So it is enough to
 * look at the status of holdfast_policy_ask. To change what is trusted, make a new policy. */
typedef struct holdfast_policy holdfast_policy;

/* Makes a policy that trusts nothing yet, with the rules "webPKI". */
holdfast_status holdfast_policy_new(holdfast_policy **policy);

/* Frees a policy. Its answers stay as they are. NULL is allowed. */
holdfast_status holdfast_policy_free(holdfast_policy *policy);

/* Writes why a call for this policy failed first, as a text with a NUL at its end, cut to what fits into
 * `capacity` bytes. Returns the size of the whole text without the NUL: 0 if no call has failed. */
size_t holdfast_policy_copy_problem(holdfast_policy *policy, char *buffer, size_t capacity);

/* Trusts the roots that the system has. SSL_CERT_FILE and SSL_CERT_DIR are followed, as in OpenSSL.
 * `flags` is 0. */
holdfast_status holdfast_policy_trust_system(holdfast_policy *policy, uint32_t flags);

/* The anchors are roots of the web, and not some of your own: their servers must be in public logs if a log
 * list asks for that. */
#define HOLDFAST_PUBLIC 1u

/* Trusts anchors: certificates in PEM or DER, or the store of a root program with its conditions, as
 * certdata.txt, a .p11-kit file or our JSON. A certificate that cannot be read makes all of them unusable.
 * `flags` is 0 or HOLDFAST_PUBLIC, which a store decides itself. */
holdfast_status holdfast_policy_add_anchors(
    holdfast_policy *policy, const void *data, size_t size, uint32_t flags);

/* The same, from a file. */
holdfast_status holdfast_policy_add_anchor_file(
    holdfast_policy *policy, const char *path, size_t path_size, uint32_t flags);

/* Sets how strict the policy is: "webPKI" (what browsers enforce), "rfc5280" (CAs of your own), "apple",
 * "strict" or "strictRFC5280". */
holdfast_status holdfast_policy_set_rules(holdfast_policy *policy, const char *name, size_t name_size);

/* Pins hosts: one of the pins of a pattern must be on a valid path, besides all else. The pattern is a host,
 * "*.example.com" for one label more, or "**.example.com" for the host and all names below it. The longest
 * pattern counts. The pin is the SHA-256 of a public key in any notation ("sha256/" and base64, "sha256//",
 * pin-sha256="...", hexadecimal digits), or of a certificate after "cert-". Call again for a backup, which
 * every host should have. */
holdfast_status holdfast_policy_add_pin(
    holdfast_policy *policy, const char *pattern, size_t pattern_size, const char *pin, size_t pin_size);

/* Says what happens to hosts without pins: 0 (the default) a valid path is enough, 1 they are rejected. */
holdfast_status holdfast_policy_require_pins(holdfast_policy *policy, uint32_t is_required);

/* Adds CRLs, complete or delta, in PEM or DER. Nothing is ever fetched. */
holdfast_status holdfast_policy_add_crls(holdfast_policy *policy, const void *data, size_t size);

/* Adds a file of a revocation filter (CRLite): a base, then its deltas, whose names end in ".delta". */
holdfast_status holdfast_policy_add_filter_file(
    holdfast_policy *policy, const char *path, size_t path_size);

/* Adds the filters that upki keeps: in a folder, or where upki puts them if the text is NULL, 0. */
holdfast_status holdfast_policy_add_upki(holdfast_policy *policy, const char *folder, size_t folder_size);

/* Sets which revocation status must be known. Without this call it is HOLDFAST_REVOCATION_GIVEN. */
enum {
  /* Revocation is not checked. */
  HOLDFAST_REVOCATION_IGNORED = 1,
  /* A revoked certificate is rejected, an unknown status is not. */
  HOLDFAST_REVOCATION_GIVEN = 2,
  /* The status of the leaf must be known. */
  HOLDFAST_REVOCATION_LEAF = 3,
  /* The status of all certificates but the anchor must be known. */
  HOLDFAST_REVOCATION_REQUIRED = 4
};
holdfast_status holdfast_policy_set_revocation(holdfast_policy *policy, uint32_t demand);

/* Checks that certificates below public anchors are in public logs: a log list, version 3 in JSON, the
 * policy to fulfill ("chrome", "apple" or "mozilla"), and what happens without enough timestamps. */
enum {
  /* The answer says so. */
  HOLDFAST_LOGS_REPORT = 1,
  /* The server is rejected, unless the list is too old to tell. */
  HOLDFAST_LOGS_REQUIRED_SOFT_FAIL = 2,
  /* The server is rejected, also if the list is too old to tell. */
  HOLDFAST_LOGS_REQUIRED = 3
};
holdfast_status holdfast_policy_set_log_list(
    holdfast_policy *policy, const void *json, size_t size, const char *program, size_t program_size,
    uint32_t demand);

/* Limits on the work of one question. 0 keeps the default, which is beside each. */
typedef struct holdfast_limits {
  size_t structure_size;         /* sizeof(holdfast_limits) */
  uint32_t signatures;           /* signatures to verify: 100 */
  uint32_t steps;                /* steps of the search: 2,000 */
  uint32_t work;                 /* all other work, in units of about 6 ns: 8,000,000 */
  uint32_t path_length;          /* certificates of a path: 10; at most 32 */
  uint32_t candidates;           /* other certificates of a chain that are looked at: 256 */
} holdfast_limits;
holdfast_status holdfast_policy_set_limits(holdfast_policy *policy, const holdfast_limits *limits);

/* ---- Questions: is a chain trusted, as whom, and when? ---- */
typedef struct holdfast_bytes {
  const void *data;
  size_t size;
} holdfast_bytes;

/* What a certificate is for. There is no default. */
enum {
  HOLDFAST_SERVER = 1,        /* a TLS server; `name` is the host: a DNS name or an address */
  HOLDFAST_CLIENT = 2,        /* a TLS client; no name */
  HOLDFAST_PEER = 3,          /* a server that connects to another; `name` is its host */
  HOLDFAST_EMAIL = 4,         /* `name` is the address */
  HOLDFAST_CODE_SIGNING = 5,  /* no name */
  HOLDFAST_TIME_STAMPING = 6, /* no name */
  HOLDFAST_ANY_PURPOSE = 7    /* no name */
};

/* The chain was sent in a TLS handshake that is going on now, and `staple` is what the server stapled in it:
 * a certificate that demands a stapled response is rejected without one. Without this flag `staple` is an
 * OCSP response like any other. */
#define HOLDFAST_HANDSHAKE 1u

/* `chain` has the contents of files instead, each with certificates in PEM, or with one in DER. */
#define HOLDFAST_FILES 2u

/* As the time of a question: when it is asked. */
#define HOLDFAST_NOW INT64_MIN

typedef struct holdfast_question {
  size_t structure_size;       /* sizeof(holdfast_question) */
  uint32_t purpose;
  uint32_t flags;              /* 0, HOLDFAST_HANDSHAKE or HOLDFAST_FILES */
  const char *name;
  size_t name_size;
  int64_t time;                /* seconds since 1970, or HOLDFAST_NOW */
  const holdfast_bytes *chain; /* in DER as it was sent: the leaf first, the others in any order */
  size_t chain_count;
  holdfast_bytes staple;       /* an OCSP response in DER; NULL, 0 for none */
  holdfast_bytes timestamps;   /* the data of TLS extension 18 (RFC 6962); NULL, 0 for none */
} holdfast_question;

typedef struct holdfast_answer holdfast_answer;

/* Asks. HOLDFAST_OK means that there is an answer, which may be any verdict; after any other status
 * `*answer` is NULL. An empty chain, a host that is none and a leaf that cannot be read are answered, too. */
holdfast_status holdfast_policy_ask(
    holdfast_policy *policy, const holdfast_question *question, holdfast_answer **answer);

/* ---- Answers ---- */

/* Returns 1 if the chain is trusted, and 0 in all other cases: also for NULL and for a freed answer. */
int holdfast_answer_is_trusted(holdfast_answer *answer);

/* Returns the verdict; 0 if there is no such answer. */
enum {
  HOLDFAST_TRUSTED = 1,
  HOLDFAST_REJECTED = 2,
  HOLDFAST_PIN_MISMATCH = 3, /* a valid path, and none of the pins is on it */
  HOLDFAST_EXHAUSTED = 4,    /* a limit was reached before a path was found */
  HOLDFAST_UNREADABLE = 5    /* the leaf is not a certificate */
};
int32_t holdfast_answer_verdict(holdfast_answer *answer);

/* Returns a text in UTF-8 with a NUL at its end, and its size without the NUL if `size` is not NULL. It lives
 * as long as the answer. NULL if there is no such answer or no such text. */
enum {
  HOLDFAST_REASON = 1,   /* what an engineer would say: one sentence */
  HOLDFAST_SUMMARY = 2,  /* what the users of a program can be told: one sentence */
  HOLDFAST_LOG_LINE = 3, /* one line with the host and the code */
  HOLDFAST_CODE = 4,     /* a stable identifier, such as "expired"; empty if trusted */
  HOLDFAST_JSON = 5,     /* the document that `holdfast verify --json` prints */
  HOLDFAST_PAGE = 6      /* every path that was tried, as the page of HTML that `holdfast verify --html`
                            writes, with times in UTC; made when it is borrowed first */
};
const char *holdfast_answer_borrow_text(holdfast_answer *answer, uint32_t which, size_t *size);

/* Returns a certificate of the path in DER, and its size: 0 is the leaf. NULL beyond the end. The path is the
 * valid one, or that of the nearest miss as far as it got. */
const void *holdfast_answer_borrow_certificate(holdfast_answer *answer, size_t index, size_t *size);

/* Returns until when the verdict may be used again, for example for a resumed session, in seconds since 1970;
 * INT64_MIN if not at all. */
int64_t holdfast_answer_valid_until(holdfast_answer *answer);

/* Returns 1 if the verdict may be used again for a server, for example for a resumed session: `policy` made
 * it and is in use, the host is the same, and it is still valid at that time. 0 in all other cases. */
int holdfast_answer_holds(
    holdfast_answer *answer, holdfast_policy *policy, const char *host, size_t host_size, int64_t time);

/* Frees an answer, with what was borrowed of it. NULL is allowed. */
holdfast_status holdfast_answer_free(holdfast_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
