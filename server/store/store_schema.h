/* Makes the tables of a database, and migrates those of the last schema and of version
 * 0.1.0. Puts the logs of games together from single events, which older schemas and
 * PostgreSQL have. */
#ifndef SERVER_STORE_STORE_SCHEMA_H
#define SERVER_STORE_STORE_SCHEMA_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/base/base.h"
#include "server/store/store_db.h"

/* PRAGMA user_version of the current schema, of the one before, and of version 0.1.0 of
 * janggid; 0: an empty database. */
enum { STORE_SCHEMA = 7, STORE_SCHEMA_LAST = 6, STORE_SCHEMA_0_1_0 = 3 };

/* True for the schemas that store_schema_bring() can migrate. */
bool store_schema_is_known(int version);
/* Migrates the tables of `file` from `version`, which is known, in one transaction, so
 * that a crash leaves the old tables as they were. Returns false after logging. */
bool store_schema_bring(sqlite3 *file, int version) MUST_USE;

/* Puts logs together in a database whose table game has rows without logs, also of running
 * games. Call store_logs_add() for each event, by game and number, store_logs_must() for games
 * that must have an event, and at last store_logs_end(). */
struct store_logs {
    struct store_db *db;
    int64_t game; /* whose events are being added; 0: none yet */
    char *text;   /* its sound events, as in struct store_game */
    size_t size, room;
    struct store_log_event {
        int64_t wall_s, age_ms;
        struct store_seal link;
    } * event; /* the same ones */
    int events, event_room;
    struct store_seal link;
    bool is_damaged, has_end;
    int64_t age_ms, last_game; /* the largest ones seen */
};
/* Begins. False: the database cannot be written; SQLite has the reason. */
bool store_logs_begin(struct store_logs *logs, struct store_db *db) MUST_USE;
/* The game must have the event with that number. */
bool store_logs_must(struct store_logs *logs, int64_t game, int number) MUST_USE;
/* link: as stored. `event` need not be sound: this is checked. */
bool store_logs_add(struct store_logs *logs, const struct store_event *event,
                    const struct store_seal *link) MUST_USE;
/* Ends the last game and writes the head. *least: the head's last_game and age_ms are not
 * lower than these. Frees the memory, also after a failure before. */
bool store_logs_end(struct store_logs *logs, const struct store_head *least) MUST_USE;

#endif
