/* An online copy of the database, made a few pages at a time by the store's thread,
 * between commits. It includes what is written meanwhile. */
#ifndef SERVER_STORE_STORE_BACKUP_H
#define SERVER_STORE_STORE_BACKUP_H

#include <stdbool.h>

#include "common/base/base.h"

struct store_backup;
struct store_db;

enum { STORE_WHY_BYTES = 200 };

/* Begins a copy of db in path.part, which is renamed to path when complete. NULL: *why
 * has the error. */
struct store_backup *store_backup_begin(struct store_db *db, const char *path,
                                        char why[STORE_WHY_BYTES]) MUST_USE;

enum store_backup_state {
    STORE_BACKUP_GOES_ON,
    STORE_BACKUP_DONE,
    STORE_BACKUP_FAILED
};
/* Copies and syncs some pages. DONE: the copy has its name, also after a power cut.
 * FAILED: *why has the error. */
enum store_backup_state store_backup_step(struct store_backup *backup,
                                          char why[STORE_WHY_BYTES]) MUST_USE;

/* Removes an incomplete copy. Call it before db is closed. Takes NULL. */
void store_backup_free(struct store_backup *backup);

#endif
