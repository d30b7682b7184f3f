/* Makes the tables of the database, and migrates the tables of older versions. */
#ifndef SERVER_DATABASE_STORE_SCHEMA_H
#define SERVER_DATABASE_STORE_SCHEMA_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/base/base.h"
#include "server/database/store_seal.h"

/* PRAGMA user_version of the current schema, and of version 0.1.0 of janggid; 0: an
 * empty database. */
enum { STORE_SCHEMA = 6, STORE_SCHEMA_0_1_0 = 3 };

/* True for the schemas that store_schema_bring() can migrate. */
bool store_schema_is_known(int version);

/* Migrates the tables of `file` from `version`, which is known, in one transaction, so
 * that a crash leaves the old tables as they were. Returns false after logging. */
bool store_schema_bring(sqlite3 *file, int version) MUST_USE;

/* Writes the first row of the table batch, for a database whose events are all in the
 * table event. The row counts the running games. The last_game of the row is not lower
 * than least->last_game, and the age_ms of the row is not lower than least->age_ms.
 * Returns false after logging. */
bool store_schema_begin_batches(sqlite3 *file,
                                const struct store_tally *least) MUST_USE;

#endif
