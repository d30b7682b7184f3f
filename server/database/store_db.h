/* Opens and writes the SQLite database that holds the log. Has no thread, queue or loop
 * (store.c has those). A struct store_db is one connection, used by one thread at a
 * time. */
#ifndef SERVER_DATABASE_STORE_DB_H
#define SERVER_DATABASE_STORE_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_data.h"
#include "server/database/store_write.h"

struct sqlite3;
struct store_db;

/* Opens the database in `directory`, and migrates its schema. Creates the directory
 * (mode 0700) and the database file (mode 0600) if they are missing. After a crash,
 * some data in the file may not be synced yet. Syncs all existing data before it
 * returns, so that clients see only synced data. Returns NULL after logging why; errno
 * is EBUSY when another process has the database open. The caller owns the result. */
struct store_db *store_db_open(const char *directory) MUST_USE;
/* Makes a database from the open `file`, which must have the current schema. The result
 * owns `file`. If this fails, returns NULL: the reason is the last error of `file`, and
 * the caller still owns `file`. */
struct store_db *store_db_adopt(struct sqlite3 *file) MUST_USE;
/* `db` may be NULL. */
void store_db_close(struct store_db *db);

/* --- Writing, between begin and commit. False: the disk is full --- */
/* Begins a transaction. If this or a later step returns false, the transaction is
 * rolled back: begin again later. Any other failure ends the process with status 74; a
 * duplicate row is a bug of ours and calls log_die(). */

bool store_db_begin(struct store_db *db) MUST_USE;
/* Borrows batch->texts until the transaction ends. */
bool store_db_put_events(struct store_db *db, const struct store_batch *batch) MUST_USE;
/* Deletes some of the aborted games that ended before before_wall_s. If `game` is not
 * 0, and the game with this number has ended, deletes that game too. Never deletes the
 * newest game. *pruned: the number of deleted games. */
bool store_db_prune(struct store_db *db, int64_t before_wall_s, int64_t game,
                    int *pruned) MUST_USE;
/* Writes a row of that kind (store_row.h). */
bool store_db_put(struct store_db *db, enum store_kind kind, const void *row) MUST_USE;
/* Removes the rows that have the key in `row`: a name (but not its devices), a device,
 * an invitation, or marks. A mark's kind or subject that is NULL is not compared. If
 * is_all is true, removes all devices of the name in `row`; otherwise `row` has the
 * whole key. */
bool store_db_drop(struct store_db *db, enum store_kind kind, const void *row,
                   bool is_all) MUST_USE;
/* Records that a player has seen the end of that game; game 0: of all the player's
 * games. */
bool store_db_drop_unseen(struct store_db *db, const char *folded,
                          int64_t game) MUST_USE;
/* Replaces an act that exists. Afterwards replace every later act too, in order,
 * because the seal of each act also covers the act before it. */
bool store_db_replace_act(struct store_db *db, const struct store_act *act) MUST_USE;
/* Commits the transaction. True: it is committed and synced. */
bool store_db_commit(struct store_db *db) MUST_USE;

/* Returns the bytes that the tables of the database use. */
int64_t store_db_bytes(const struct store_db *db);

/* store_db_waiting_pages() returns the number of pages in the write-ahead log.
 * store_db_checkpoint() copies them into the database (see store_file_checkpoint());
 * false: the disk is full. */
int store_db_waiting_pages(const struct store_db *db);
bool store_db_checkpoint(struct store_db *db) MUST_USE;

#endif
