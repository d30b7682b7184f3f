/* The journal's database: its file, its schema, its statements, and what its errors
 * mean. Knows SQLite; knows no thread, no queue and no loop (store.c has those). One
 * connection, used by one thread at a time. */
#ifndef SERVER_STORE_DB_H
#define SERVER_STORE_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base.h"
#include "server/store.h"

struct store_db;

/* The database in directory, made if need be (0700, and 0600 for the file). Everything
 * found there is synced before this returns, so what a crash left unsynced is shown to
 * nobody before it is safe. NULL after logging why; errno is EBUSY when another process
 * has it. The caller owns the result. */
struct store_db *store_db_open(const char *directory) MUST_USE;
/* Takes NULL. */
void store_db_close(struct store_db *db);

/* --- Reading. False after logging. --------------------------------------- */

bool store_db_load_running(struct store_db *db, store_event_fn *row,
                           void *arg) MUST_USE;
bool store_db_load_names(struct store_db *db, store_name_fn *row, void *arg) MUST_USE;
bool store_db_load_invites(struct store_db *db, store_invite_fn *row,
                           void *arg) MUST_USE;
bool store_db_last_game(struct store_db *db, int64_t *out) MUST_USE;

/* At most limit rows each. A failure ends the process like one of writing. */
void store_db_read_game(struct store_db *db, int64_t game, int first, int limit,
                        store_event_fn *row, void *arg);
void store_db_read_history(struct store_db *db, const char *folded, int limit,
                           store_past_fn *row, void *arg);

/* --- Writing, between begin and commit. False: the disk is full ---------- */
/* After false nothing of the transaction is there: begin again later. Any other failure
 * ends the process with status 74; a row that is there already is our bug and dies. */

bool store_db_begin(struct store_db *db) MUST_USE;
bool store_db_put_events(struct store_db *db, int64_t game, int first,
                         const char *texts, int count, int64_t wall_s) MUST_USE;
bool store_db_put_end(struct store_db *db, int64_t game,
                      const struct store_summary *summary, int64_t ended_s) MUST_USE;
bool store_db_put_name(struct store_db *db, const struct store_name *name) MUST_USE;
bool store_db_put_invite(struct store_db *db,
                         const struct store_invite *invite) MUST_USE;
bool store_db_drop_invite(struct store_db *db, const char *code) MUST_USE;
/* True: committed and synced. */
bool store_db_commit(struct store_db *db) MUST_USE;

/* Pages that wait in the write-ahead log, and bringing them home. SQLite would do it by
 * itself, but then a failed sync goes unnoticed, the next one "succeeds", and the log
 * is overwritten. False: the disk is full. */
int store_db_waiting_pages(const struct store_db *db);
bool store_db_checkpoint(struct store_db *db) MUST_USE;

#endif
