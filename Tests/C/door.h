/* What the tests of holdfast.h share. */
#ifndef DOOR_H
#define DOOR_H

#include <holdfast.h>

#include <stdio.h>
#include <stdlib.h>

extern int failures;
void check(int is_right, const char *what, int line);
#define CHECK(condition) check(condition, #condition, __LINE__)

/* The certificates, the host and the time of the command line. */
extern holdfast_bytes chain[];
extern size_t chain_count, anchors_size;
extern char anchors[];
extern const char *host;
extern int64_t now;

/* A question about a server of a name. */
holdfast_question ask_about(const char *name);

/* A policy that trusts the anchors. */
holdfast_policy *policy_of_anchors(void);

/* Asks, and compares the verdict and the code. */
void expect(holdfast_policy *policy, holdfast_question question, int32_t verdict, const char *code);

/* The tests of wrong uses, and of processes and threads. */
void misuse(void);
void objects(void);
void fork_after_use(void);
void threads(int count);
void timing(void);

#endif
