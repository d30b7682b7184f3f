/* A copy of the journal's database, made a few pages at a time by the thread that owns
 * it, between its commits. What is written meanwhile is in the copy too. */
#ifndef SERVER_STORE_STORE_BACKUP_H
#define SERVER_STORE_STORE_BACKUP_H

#include <stdbool.h>

#include "common/base/base.h"

struct store_backup;
struct store_db;

enum { STORE_WHY_BYTES = 200 };

/* Begins a copy of db in path.part, which becomes path when it is whole. NULL: *why
 * says in words what is wrong. */
struct store_backup *store_backup_begin(struct store_db *db, const char *path,
                                        char why[STORE_WHY_BYTES]) MUST_USE;

enum store_backup_state {
    STORE_BACKUP_GOES_ON,
    STORE_BACKUP_DONE,
    STORE_BACKUP_FAILED
};
/* Copies a little more, synced. DONE: the copy has its name, and will have it after a
 * power cut. FAILED: *why says in words what is wrong. */
enum store_backup_state store_backup_step(struct store_backup *backup,
                                          char why[STORE_WHY_BYTES]) MUST_USE;

/* Removes what is not whole. Before db is closed. Takes NULL. */
void store_backup_free(struct store_backup *backup);

#endif
