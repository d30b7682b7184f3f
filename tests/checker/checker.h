/* The checker of a proof: compares the histories of all players with the database, the
 * database with the rules, and both with the log that a late watcher (a guest who
 * watches the games after their end) gets.
 *
 * A long proof has more moves than fit into memory. Therefore the checker also runs in
 * between: it checks every game whose end its players have received, keeps a digest of
 * the log, and frees the bots' histories of the game. At the end such a game is
 * compared by its digest, because an ended game does not change.
 *
 * Borrows the bots. One loop thread. */
#ifndef TESTS_CHECKER_CHECKER_H
#define TESTS_CHECKER_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/bot/bot.h"
#include "tests/checker/verdict.h"

struct checker;
struct event_base;

struct checker_findings {
    struct verdict seen;   /* events and OKs that players received, compared with the
                          * database */
    struct verdict told;   /* events that a late watcher received, compared with the
                          * database */
    struct verdict played; /* the log compared with the rules, and the clocks */
    int games;
};

/* forge: a kind of forge_log(), for a negative control. checker_check_all() then
 * changes one log before it checks it: the first one that can be changed in that way.
 * NULL: changes no log. */
struct checker *checker_new(struct bots *bots, const char *forge) MUST_USE;
/* `checker` may be NULL. */
void checker_free(struct checker *checker);
const struct checker_findings *checker_findings(const struct checker *checker);

/* Call it while the server is down: copies data and reads the copy. Checks the games
 * whose end both players have received, and frees their histories. uptime_ms is the
 * total running time of the servers: no clock can have been charged more than that for
 * a move. False after printing why. */
bool checker_check_ended(struct checker *checker, const char *data,
                         int64_t uptime_ms) MUST_USE;
/* Like checker_check_ended(), but compares all games, finished or not, and frees
 * nothing. */
bool checker_check_running(struct checker *checker, const char *data) MUST_USE;
/* Call it when the server has stopped for good. Checks every game of the database.
 * False after printing how the database is damaged. */
bool checker_check_all(struct checker *checker, const char *data,
                       int64_t uptime_ms) MUST_USE;
/* Call it after checker_check_all(), when the server has been started again: a guest
 * watches all games, and the logs that it gets are checked. */
void checker_read_watcher(struct checker *checker, struct event_base *base, int port,
                          const char *key);

/* A negative control, to be called after checker_check_all(): forges one game after
 * another until a check detects a forgery. kind: a kind of forge_log(), or "charge": in
 * a clock of a history, charges time to the side that was not to move. False: no
 * forgery was detected, or nothing could be forged. */
bool checker_detects(struct checker *checker, const char *data,
                     const char *kind) MUST_USE;

#endif
