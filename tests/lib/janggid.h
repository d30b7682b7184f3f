/* janggid as a child process: started, stopped or killed, and started again on the same
 * directory and port. Reads its port and its key from the two lines that it prints on
 * standard output. */
#ifndef TESTS_LIB_JANGGID_H
#define TESTS_LIB_JANGGID_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/base.h"
#include "tests/lib/process.h"

struct event_base;

enum { JANGGID_WORDS_MAX = 64, JANGGID_KEY_BYTES = 64 };

struct janggid {
    char program[PROCESS_PATH_BYTES];
    char data[PROCESS_PATH_BYTES];
    char log[PROCESS_PATH_BYTES];
    int port; /* held by this program, also while the server does not run */
    char key[JANGGID_KEY_BYTES];
    pid_t pid;                /* 0: not running */
    int64_t began_ms;         /* when this run began */
    int64_t uptime_ms;        /* total running time before this run */
    int64_t start_took_ms;    /* time from the start of this run until it listened */
    int status;               /* how the last run ended; a status from waitpid() */
    bool has_usual_limits;    /* the default limits; otherwise wide ones */
    const char *const *words; /* further arguments, NULL at the end; or NULL */
    const char *const
        *under;    /* a program to run janggid under, and its arguments; or NULL */
    bool is_quiet; /* a failed start or an early end is expected: not printed */
};

/* build: the directory of the programs. directory: an empty one for data and log. */
bool janggid_init(struct janggid *server, const char *build,
                  const char *directory) MUST_USE;
/* Starts the server and waits until it listens. False after printing why. */
bool janggid_start(struct janggid *server) MUST_USE;
/* Kills the server with SIGKILL. */
void janggid_kill(struct janggid *server);
/* Starts the server, and kills it after_us microseconds later. The server may still be
 * starting then. */
void janggid_kill_in_start(struct janggid *server, int64_t after_us);
/* True if the server runs. Prints a message if the server has just ended by itself. */
bool janggid_is_up(struct janggid *server);
/* Ends the server with SIGTERM. True: it ended with status 0. base: see
 * process_end(). */
bool janggid_stop(struct janggid *server, struct event_base *base) MUST_USE;
int64_t janggid_uptime_ms(const struct janggid *server);

#endif
