/* The journal's database: opening and writing. Knows SQLite; knows no thread, queue or
 * loop (store.c has those). One connection, used by one thread at a time. */
#ifndef SERVER_STORE_STORE_DB_H
#define SERVER_STORE_STORE_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/store/store.h"
#include "server/store/store_seal.h"

struct store_db;

/* The database in directory, made if need be (0700, and 0600 for the file), its schema
 * brought up to date. Everything found there is synced before this returns, so what a
 * crash left unsynced is shown to nobody before it is safe. NULL after logging why;
 * errno is EBUSY when another process has it. The caller owns the result. */
struct store_db *store_db_open(const char *directory) MUST_USE;
/* Takes NULL. */
void store_db_close(struct store_db *db);

/* --- Writing, between begin and commit. False: the disk is full --- */
/* After false the transaction is rolled back: begin again later. Any other failure ends
 * the process with status 74; a duplicate row is our bug and dies. */

bool store_db_begin(struct store_db *db) MUST_USE;
/* count events of one game, numbers first, first + 1 ... */
struct store_batch {
    int64_t game;
    int first, count;
    int64_t wall_s, age_ms;
    const char *texts; /* one after the other, each with its NUL */
    bool has_summary;  /* the last event is the end */
    struct store_summary summary;
};
bool store_db_put_events(struct store_db *db, const struct store_batch *batch) MUST_USE;
bool store_db_put_name(struct store_db *db, const struct store_name *name) MUST_USE;
bool store_db_put_device(struct store_db *db,
                         const struct store_device *device) MUST_USE;
/* digest NULL: all proofs of that name. */
bool store_db_drop_device(struct store_db *db, const char *folded,
                          const unsigned char *digest) MUST_USE;
bool store_db_put_invite(struct store_db *db,
                         const struct store_invite *invite) MUST_USE;
bool store_db_drop_invite(struct store_db *db, const char *code) MUST_USE;
/* game 0: all games of that name. */
bool store_db_drop_unseen(struct store_db *db, const char *folded,
                          int64_t game) MUST_USE;
bool store_db_put_age(struct store_db *db, const struct store_age *age) MUST_USE;
/* True: committed and synced. */
bool store_db_commit(struct store_db *db) MUST_USE;

/* Pages in the write-ahead log, and the checkpoint that copies them into the database.
 * SQLite's automatic checkpoint would miss a failed sync: the next one "succeeds", and
 * the log is overwritten. False: the disk is full. */
int store_db_waiting_pages(const struct store_db *db);
bool store_db_checkpoint(struct store_db *db) MUST_USE;

#endif
