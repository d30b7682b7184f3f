/* Makes the tables of the database, and migrates those of older versions. */
#ifndef SERVER_DATABASE_STORE_SCHEMA_H
#define SERVER_DATABASE_STORE_SCHEMA_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/base/base.h"
#include "server/database/store_seal.h"

/* PRAGMA user_version of the current schema; 0: an empty database. */
enum { STORE_SCHEMA = 6 };

/* Migrates the tables of `file` from `version` to STORE_SCHEMA in one transaction, so
 * that a crash leaves the old tables as they were. Returns false after logging. */
bool store_schema_bring(sqlite3 *file, int version) MUST_USE;

/* Writes the first row of the table batch, for a database whose events are all in the
 * table event. The row counts the running games; its last_game and age_ms are at least
 * those of *least. Returns false after logging. */
bool store_schema_begin_batches(sqlite3 *file,
                                const struct store_tally *least) MUST_USE;

#endif
