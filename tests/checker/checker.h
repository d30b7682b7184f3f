/* The checker of a proof. It compares the histories of all players with the database,
 * the database with the rules, and the database with the log that a late watcher gets.
 * A late watcher is a guest who watches the games after their end.
 *
 * A long proof has more moves than fit into memory. Therefore the checker also runs
 * during the proof. It checks every game whose end both players have received, keeps a
 * digest of the game's log, and frees the bots' histories of the game. An ended game
 * does not change. So at the end of the proof, the checker compares only the digest of
 * such a game.
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
    struct verdict played; /* the log compared with the rules; the clocks that players
                            * received, compared with the log */
    int games;
};

/* forge: for a negative control, the kind of a change, as in forge_log().
 * checker_check_all() then makes this change in one log before it checks the log. It
 * takes the first log in which the change is possible. NULL: does not change a log. */
struct checker *checker_new(struct bots *bots, const char *forge) MUST_USE;
/* `checker` may be NULL. */
void checker_free(struct checker *checker);
const struct checker_findings *checker_findings(const struct checker *checker);

/* Call it while the server is down: copies `data` and reads the copy. Checks the games
 * whose end both players have received, and frees the histories of these games.
 * uptime_ms: the total running time of the servers. In one game, both clocks together
 * cannot have been charged more than this time. False after printing why. */
bool checker_check_ended(struct checker *checker, const char *data,
                         int64_t uptime_ms) MUST_USE;
/* Like checker_check_ended(), but compares all games, finished or not, and frees
 * nothing. */
bool checker_check_running(struct checker *checker, const char *data) MUST_USE;
/* Call it at the end, when the bots do not play any more and the server has stopped.
 * Checks every game of the database. Returns false if the database is damaged or cannot
 * be read, after printing why. */
bool checker_check_all(struct checker *checker, const char *data,
                       int64_t uptime_ms) MUST_USE;
/* Call it after checker_check_all(), when the server has been started again: a guest
 * watches all games, and the logs that it gets are checked. */
void checker_read_watcher(struct checker *checker, struct event_base *base, int port,
                          const char *key);

/* A negative control, to be called after checker_check_all(). Changes one game after
 * another, until a check detects the change. kind: the kind of the change, as in
 * forge_log(), or "charge". "charge" changes a clock value that a player received: it
 * takes 1 ms from the side whose clock did not run. False: a change was not possible,
 * or the checks did not detect it. */
bool checker_detects(struct checker *checker, const char *data,
                     const char *kind) MUST_USE;

#endif
