/* The engine for PostgreSQL, which is a library of its own, so that a server without it
 * does not need libpq. */
#ifndef SERVER_STORE_STORE_PLUGIN_H
#define SERVER_STORE_STORE_PLUGIN_H

#include "common/base/base.h"
#include "server/database/store_engine.h"

/* Loads janggid-postgres.so, which is beside the program or in ../lib/janggid, and never
 * unloads it. NULL after logging: it is missing, or of another version. */
const struct store_engine *store_plugin_load(void) MUST_USE;

#endif
