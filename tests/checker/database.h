/* Reads the database file of a stopped janggid for the checker: with SQLite and without
 * code of the server. */
#ifndef TESTS_CHECKER_DATABASE_H
#define TESTS_CHECKER_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "common/base/base.h"
#include "tests/bot/history.h"

/* Opens data/janggid.db. If a crash left a write-ahead log, this changes the file:
 * SQLite writes the content of that log into the file. (Otherwise the next server would
 * do so.) To keep the file unchanged, open a copy. Returns NULL after printing why. The
 * caller closes the database. */
sqlite3 *database_open(const char *data) MUST_USE;
/* Runs SQLite's own check of the whole file. False after printing why. */
bool database_is_in_order(sqlite3 *file) MUST_USE;
/* Copies the database and its write-ahead log to the directory `to`, which is created
 * if necessary. False after printing why. */
bool database_copy(const char *data, const char *to) MUST_USE;

/* Calls `log` with the log of each game, in the order of the games' numbers, and frees
 * the log after the call. False after printing why: the database cannot be read, or a
 * log has a gap. */
typedef void database_log_fn(void *arg, struct history_log *log);
bool database_read(sqlite3 *file, database_log_fn *log, void *arg) MUST_USE;
/* Appends the game's log to `log`, which stays empty if the game is unknown. */
bool database_read_game(sqlite3 *file, int64_t game, struct history_log *log) MUST_USE;

#endif
