/* The host's program that pairs the rounds of Swiss evenings (option pairing), for
 * example bbpPairings. It gets the evening as a TRF file on its standard input and writes
 * pairs to its standard output. What it answers is text of a stranger: check it. */
#ifndef SERVER_HELPER_PAIRING_PROGRAM_H
#define SERVER_HELPER_PAIRING_PROGRAM_H

#include <stddef.h>

#include "common/base/base.h"

struct event_base;
struct pairing_program;

/* Makes the process for it. Call it before there are threads. NULL after logging. */
struct pairing_program *pairing_program_fork(const char *command) MUST_USE;
/* Calls no one back. Takes NULL. */
void pairing_program_free(struct pairing_program *program);
/* Once there is a loop. */
void pairing_program_listen(struct pairing_program *program, struct event_base *base);

/* pairs: what it wrote; NULL: it did not answer, and why says so in words. */
typedef void pairing_program_fn(void *arg, const char *pairs, const char *why);

/* Asks it, after the questions before: it is ended after so many seconds. The answer comes
 * later, and once. */
void pairing_program_ask(struct pairing_program *program, const char *file, size_t len,
                         int seconds, pairing_program_fn *done, void *arg);
/* The answers to all questions are dropped. */
void pairing_program_forget(struct pairing_program *program);

#endif
