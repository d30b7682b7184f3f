/* The tables of the journal's database, and how those of an older version become
 * today's. Knows no thread and no queue. */
#ifndef SERVER_STORE_STORE_SCHEMA_H
#define SERVER_STORE_STORE_SCHEMA_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/base/base.h"

/* What PRAGMA user_version says of a database of today; 0 is an empty one. */
enum { STORE_SCHEMA = 4 };

/* Brings the tables of file from version to STORE_SCHEMA, in one transaction: after a
 * crash in the middle they are the old ones, and nothing is ever lost. False after
 * logging. */
bool store_schema_bring(sqlite3 *file, int version) MUST_USE;

#endif
