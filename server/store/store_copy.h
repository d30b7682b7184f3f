/* Copies of the whole log: the backup of a running server; and, for programs that are not
 * a server, from PostgreSQL into a new file of SQLite, and back. */
#ifndef SERVER_STORE_STORE_COPY_H
#define SERVER_STORE_STORE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/store/store_audit.h"
#include "server/store/store_engine.h"

/* --- Backup --- */

/* An online copy of the database, made by the store's thread a few pages at a time,
 * between commits. It includes writes made meanwhile. */

/* Begins a copy of `db`, a struct store_db, in path.part, which is renamed to `path` when it
 * is complete. Returns NULL with the error in *why. */
struct store_backup *store_backup_begin(void *db, const char *path,
                                        char why[STORE_WHY_BYTES]) MUST_USE;

enum store_backup_state {
    STORE_BACKUP_GOES_ON,
    STORE_BACKUP_DONE,
    STORE_BACKUP_FAILED
};
/* Copies and syncs some pages. DONE: the copy has its final name, even after a power
 * failure. FAILED: *why has the error. */
enum store_backup_state store_backup_step(struct store_backup *backup,
                                          char why[STORE_WHY_BYTES]) MUST_USE;

/* Removes an incomplete copy. Call it before db is closed. Accepts NULL. */
void store_backup_free(struct store_backup *backup);

/* --- Dump and load --- */

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
