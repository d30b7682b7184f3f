/* The journal's database: its statements, what they write and read, and what of it can
 * be believed. Knows SQLite; knows no thread, no queue and no loop (store.c has those).
 * One connection, used by one thread at a time. */
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

/* --- Reading at start. False after logging. --- */

/* The highest number of a game ever used, and the store's own row, with the largest age
 * that is on disk. */
bool store_db_survey(struct store_db *db, int64_t *last_game,
                     struct store_age *age) MUST_USE;
bool store_db_load_running(struct store_db *db, store_event_fn *row,
                           void *arg) MUST_USE;
bool store_db_load_names(struct store_db *db, store_name_fn *row, void *arg) MUST_USE;
bool store_db_load_devices(struct store_db *db, store_device_fn *row,
                           void *arg) MUST_USE;
bool store_db_load_invites(struct store_db *db, store_invite_fn *row,
                           void *arg) MUST_USE;
bool store_db_load_unseen(struct store_db *db, store_folded_fn *row,
                          void *arg) MUST_USE;

/* --- Reading later. A failure ends the process like one of writing --- */

/* A reader of one game's log, some events at a time. All zero at first but for game. */
struct store_reading {
    int64_t game;
    int next;               /* the number of the event that comes next */
    struct store_seal link; /* of the one before it */
    bool has_end;           /* which was the end event */
    bool is_done;           /* there is nothing more, */
    bool is_damaged;        /* or nothing more can be believed */
};
/* Gives at most limit events, and the one that cannot be believed. */
void store_db_read_game(struct store_db *db, struct store_reading *reading, int limit,
                        store_event_fn *row, void *arg);
void store_db_read_history(struct store_db *db, const char *folded, int limit,
                           store_past_fn *row, void *arg);
void store_db_read_unseen(struct store_db *db, const char *folded, store_past_fn *row,
                          void *arg);

/* --- Writing, between begin and commit. False: the disk is full --- */
/* After false nothing of the transaction is there: begin again later. Any other failure
 * ends the process with status 74; a row that is there already is our bug and dies. */

bool store_db_begin(struct store_db *db) MUST_USE;
/* count events of one game, numbers first, first + 1 ... */
struct store_batch {
    int64_t game;
    int first, count;
    int64_t wall_s, age_ms;
    const char *texts; /* one behind the other, each with its NUL */
    bool has_summary;  /* the last one is the end */
    struct store_summary summary;
};
bool store_db_put_events(struct store_db *db, const struct store_batch *batch) MUST_USE;
bool store_db_put_name(struct store_db *db, const struct store_name *name) MUST_USE;
bool store_db_put_device(struct store_db *db,
                         const struct store_device *device) MUST_USE;
/* digest NULL: all of that name. */
bool store_db_drop_device(struct store_db *db, const char *folded,
                          const unsigned char *digest) MUST_USE;
bool store_db_put_invite(struct store_db *db,
                         const struct store_invite *invite) MUST_USE;
bool store_db_drop_invite(struct store_db *db, const char *code) MUST_USE;
/* game 0: all of that name. */
bool store_db_drop_unseen(struct store_db *db, const char *folded,
                          int64_t game) MUST_USE;
bool store_db_put_age(struct store_db *db, const struct store_age *age) MUST_USE;
/* True: committed and synced. */
bool store_db_commit(struct store_db *db) MUST_USE;

/* Pages that wait in the write-ahead log, and bringing them home. SQLite would do it by
 * itself, but then a failed sync goes unnoticed, the next one "succeeds", and the log
 * is overwritten. False: the disk is full. */
int store_db_waiting_pages(const struct store_db *db);
bool store_db_checkpoint(struct store_db *db) MUST_USE;

#endif
