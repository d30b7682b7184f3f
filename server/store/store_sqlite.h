/* The engine of a single server: a database file of SQLite in its data directory. */
#ifndef SERVER_STORE_STORE_SQLITE_H
#define SERVER_STORE_STORE_SQLITE_H

#include "server/database/store_engine.h"

/* The engine. Its logs are in data directories. An outage of this engine means that the
 * disk is full. */
extern const struct store_engine store_sqlite;

#endif
