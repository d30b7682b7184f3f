/* The tables of the database, and the migration of older versions. Knows no thread and
 * no queue. */
#ifndef SERVER_DATABASE_STORE_SCHEMA_H
#define SERVER_DATABASE_STORE_SCHEMA_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/base/base.h"

/* PRAGMA user_version of the current schema; 0: an empty database. */
enum { STORE_SCHEMA = 6 };

/* Migrates the tables of file from version to STORE_SCHEMA in one transaction: a crash
 * leaves the old ones. False after logging. */
bool store_schema_bring(sqlite3 *file, int version) MUST_USE;

#endif
