/* An online copy of the database, made by the store's thread a few pages at a time,
 * between commits. It includes writes made meanwhile. */
#ifndef SERVER_STORE_STORE_BACKUP_H
#define SERVER_STORE_STORE_BACKUP_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/database/store_engine.h"

struct store_db;

/* Begins a copy of `db` in path.part, which is renamed to `path` when it is complete.
 * Returns NULL with the error in *why. */
struct store_backup *store_backup_begin(struct store_db *db, const char *path,
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

#endif
