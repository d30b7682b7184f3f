/* Copies the whole log: from PostgreSQL into a new file of SQLite, and back. For a
 * program that is not a server. */
#ifndef SERVER_STORE_STORE_COPY_H
#define SERVER_STORE_STORE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_engine.h"
#include "server/store/store_audit.h"

/* Rows that were copied. */
struct store_copied {
    int64_t games, events, names;
};

/* On failure, each of the next three functions returns false or NULL. *why is then the
 * reason, or "" if the reason was logged. errno is EEXIST if the file cannot be
 * created. If copy_out() or copy_in() failed, errno is the value that store_engine.h
 * describes. Otherwise errno is EIO. */

/* Copies the log at `place` to a new file. The copy shows the log at one moment, even
 * if a server writes to the log meanwhile. The file gets the name `path` when it is
 * complete and synced. */
bool store_copy_dump(const struct store_place *place, const char *path,
                     struct store_copied *out, char why[STORE_WHY_BYTES]) MUST_USE;
/* Copies the database of `audit` into the empty log at `place`: all of it, or nothing.
 * The audit must have run and found no damage. */
bool store_copy_load(struct store_audit *audit, const struct store_place *place,
                     struct store_copied *out, char why[STORE_WHY_BYTES]) MUST_USE;
/* Copies the log at place into a temporary file without a name, for an audit of that
 * file. */
struct store_audit *store_copy_audit(const struct store_place *place,
                                     char why[STORE_WHY_BYTES]) MUST_USE;

/* Ends a copy in progress, which then fails. May be called in a signal handler. */
void store_copy_stop(void);

#endif
