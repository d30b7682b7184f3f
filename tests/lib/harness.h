/* Shared by the proofs that play many games under faults: options, an event loop, a
 * server in an empty directory, reports, and the comparison of all logs at the end. */
#ifndef TESTS_LIB_HARNESS_H
#define TESTS_LIB_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/bot/bot.h"
#include "tests/checker/verdict.h"
#include "tests/lib/janggid.h"
#include "tests/lib/options.h"

struct checker;
struct event_base;

struct harness {
    const char *name; /* name of the proof; printed before each test */
    /* `build`: the directory of the programs; `program`: the path of another janggid to
     * use, or NULL. */
    const char *build, *program;
    const char *const *words; /* more options of janggid, ended by NULL; or NULL */
    uint64_t seed;
    bool keeps_files;
    struct event_base *base;
    char directory[PROCESS_PATH_BYTES];
    struct janggid server;
    int passed, failed;
};

/* --- Start and end --- */

/* Parses the command line and prepares the process and the event loop. The options are
 * `rows` and the options of all proofs (--build, --server, --seed, --keep). Before the
 * call, only harness->name must be set. If the function returns false, the program must
 * exit with status 2. */
bool harness_init(struct harness *harness, const struct options_row *rows, int count,
                  int argc, char **argv) MUST_USE;
/* Makes an empty directory and prepares a server in it, which is not started yet. */
bool harness_make_server(struct harness *harness) MUST_USE;
/* Removes the directory of the server. If `is_good` is false or --keep was given, keeps
 * the directory and prints its path. is_good: the test has succeeded. */
void harness_remove_files(const struct harness *harness, bool is_good);
/* Frees the loop and prints the totals. Returns the exit status. */
int harness_end(struct harness *harness);

/* --- The loop --- */

/* Runs the loop until is_done(). False after printing why: patience_ms have passed, the
 * server is down, or one of the bots has found a fault. */
bool harness_run_until(struct harness *harness, const struct bots *bots,
                       bool (*is_done)(void *arg), void *arg,
                       int64_t patience_ms) MUST_USE;
void harness_run_for(struct harness *harness, int ms);
/* Runs `base`, a loop that belongs to no harness, for `us` microseconds. */
void harness_run_loop(struct event_base *base, int64_t us);
/* Runs the loop until is_over(), which is called every look_ms. */
void harness_watch(struct harness *harness, int look_ms, bool (*is_over)(void *arg),
                   void *arg);

/* --- Reports --- */

/* Prints "ok NAME-TEST", or "not ok NAME-TEST" and why. Counts the test as passed or
 * failed. */
void harness_report(struct harness *harness, bool is_good, const char *test,
                    const char *why_format, ...) PRINTF_LIKE(4, 5);
/* Reports a test that passes when the verdict has no faults and something was
 * checked. */
void harness_report_verdict(struct harness *harness, const char *test,
                            const struct verdict *verdict);
/* Prints a row of a table as a comment in the test's output. */
void harness_print(const char *name, int64_t number);
/* Sorts the numbers and returns the number at `percent`; 0 if there are no numbers. */
int64_t harness_percentile(int64_t *numbers, int count, double percent);

/* --- All logs, at the end --- */

/* Checks that both players of each game have received the same whole log. */
void harness_check_players(struct harness *harness, const struct bots *bots);
/* Stops the server, if it runs. Checks that all events and OKs that players received
 * are in the database, and that every log there is legal. False: the database cannot be
 * read. */
bool harness_check_database(struct harness *harness, struct checker *checker) MUST_USE;
/* Starts the server again and checks that a guest who watches all games now gets the
 * same logs. */
void harness_check_watcher(struct harness *harness, struct checker *checker);
/* Calls the three functions above, for a proof whose games have all ended. forge: see
 * checker_new(). */
void harness_check_logs(struct harness *harness, struct bots *bots, const char *forge);

#endif
