/* The checker of a proof: compares the histories of all players with the database, the
 * database with the rules, and what a late watcher is told with both.
 *
 * A long proof has more moves than fit into memory. Therefore the checker also runs now and
 * then: it checks every game whose end its players have seen, keeps a digest of the log, and
 * has the bots forget the game. At the end such a game is compared by its digest, because
 * a game that is over does not change any more.
 *
 * Borrows the bots. One loop thread. */
#ifndef TESTS_LIB_CHECKER_H
#define TESTS_LIB_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/lib/bot.h"
#include "tests/lib/verdict.h"

struct checker;
struct event_base;

struct checker_findings {
    struct verdict seen; /* what players saw and got an OK for, against the database */
    struct verdict told; /* what a late watcher was told, against the database */
    struct verdict played; /* rules and clocks */
    int games;
};

/* forge: a negative control, one of the kinds of forge_log(): the first log that allows it
 * is changed before it is checked at the end. NULL for none. */
struct checker *checker_new(struct bots *bots, const char *forge) MUST_USE;
/* Takes NULL. */
void checker_free(struct checker *checker);
const struct checker_findings *checker_findings(const struct checker *checker);

/* The server is down: data is copied and the copy is read. Checks the games that are over
 * for both players, which then forget them. uptime_ms is how long servers ran so far: no
 * more can have been charged. False after printing why. */
bool checker_check_ended(struct checker *checker, const char *data,
                         int64_t uptime_ms) MUST_USE;
/* The same for all games as far as they have got; nothing is forgotten. */
bool checker_check_running(struct checker *checker, const char *data) MUST_USE;
/* The server has stopped for good: checks every game of the database. False after printing
 * why: the database is not in order. */
bool checker_check_all(struct checker *checker, const char *data,
                       int64_t uptime_ms) MUST_USE;
/* After checker_check_all(): a guest watches all games on the server that is started once
 * more. */
void checker_read_watcher(struct checker *checker, struct event_base *base, int port,
                          const char *key);

/* A negative control, after checker_check_all(): is a forgery of that kind detected in a
 * game of the database? The kinds of forge_log(), and "charge": a clock of a history says
 * that time was charged to the side that did not think. False too when there was nothing to
 * forge. */
bool checker_detects(struct checker *checker, const char *data,
                     const char *kind) MUST_USE;

#endif
