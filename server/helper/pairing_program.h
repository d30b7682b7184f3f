/* The host's program that pairs the rounds of Swiss evenings (option pairing), for
 * example bbpPairings. It gets the evening as a TRF file on its standard input and
 * writes pairs to its standard output. Its answer is not trusted: check it. */
#ifndef SERVER_HELPER_PAIRING_PROGRAM_H
#define SERVER_HELPER_PAIRING_PROGRAM_H

#include <stddef.h>

#include "common/base/base.h"

struct event_base;
struct pairing_program;

/* Forks the process that runs the program. Call it before any thread starts. Returns
 * NULL after logging, with the errno of helper_fork(). */
struct pairing_program *pairing_program_fork(const char *command) MUST_USE;
/* Frees `program`. Does not call `done` for pending questions. Accepts NULL. */
void pairing_program_free(struct pairing_program *program);
/* Begins to receive answers of the program. Call it once, when the event loop
 * exists. */
void pairing_program_listen(struct pairing_program *program, struct event_base *base);

/* Gets an answer: `pairs` is the output of the program. If `pairs` is NULL, the program
 * has failed, and `why` is the reason in words. */
typedef void pairing_program_fn(void *arg, const char *pairs, const char *why);

/* Asks the program. The program answers earlier questions first. If an answer takes
 * longer than `seconds`, the program is killed. Calls `done` once. If the helper
 * process has ended or the file is too long, calls `done` before the return, otherwise
 * later. */
void pairing_program_ask(struct pairing_program *program, const char *file, size_t len,
                         int seconds, pairing_program_fn *done, void *arg);
/* From now on ignores the program's answers to all pending questions: `done` is not
 * called for them. */
void pairing_program_forget(struct pairing_program *program);

#endif
