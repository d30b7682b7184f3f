/* Opens the database file with SQLite: lock, modes, errors, syncs. Does not know
 * the tables in the file. */
#ifndef SERVER_STORE_STORE_FILE_H
#define SERVER_STORE_STORE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "common/base/base.h"

/* PRAGMA application_id of our databases: "jang". */
enum { STORE_FILE_APPLICATION = 0x6a616e67 };

/* Opens directory/janggid.db. If the directory is missing, creates it with mode 0700.
 * If the file is missing, creates it with mode 0600. Syncs all existing data before it
 * returns, so that clients do not see data that a crash left unsynced. *version: PRAGMA
 * user_version, 0 for an empty database; one that cannot be migrated is refused. Returns
 * NULL after logging why; errno is EBUSY if another process has the file open, ENOSPC
 * if the disk is full, and ENOMEM if there is not enough memory. The caller closes the
 * database. */
sqlite3 *store_file_open(const char *directory, int *version) MUST_USE;

/* Runs statements without result rows. Returns false after store_file_refuse() has
 * logged an error. */
bool store_file_run(sqlite3 *file, const char *words) MUST_USE;
/* Runs a query with one answer and checks that it is `wanted`: SQLite ignores a setting at times,
 * and its checks answer "ok". False after logging; errno is EIO, or what store_file_refuse()
 * sets. */
bool store_file_demand(sqlite3 *file, const char *words, const char *wanted) MUST_USE;
/* Reads a number. Returns SQLITE_ROW, or what failed. */
int store_file_number(sqlite3 *file, const char *words, int64_t *out) MUST_USE;
/* Call it at the start. Copies the write-ahead log into the database and syncs the
 * database. Returns false after logging. */
bool store_file_settle(sqlite3 *file) MUST_USE;

/* Checkpoint: copies the pages of the write-ahead log into the database. SQLite's
 * automatic checkpoint is off, because it ignores a failed sync: the next sync would
 * "succeed", and the log would be overwritten. Returns false if the disk is full; no
 * data is lost then. */
bool store_file_checkpoint(sqlite3 *file) MUST_USE;

/* Advice for the host after damage. */
extern const char store_file_advice[];

/* --- What the last error of file means --- */

/* For errors at startup: logs the error in plain words and sets errno. */
void store_file_refuse(sqlite3 *file, const char *step);
/* True when the last write failed for lack of space: the disk is full, or a quota or
 * the file size limit is exceeded. */
bool store_file_is_full(sqlite3 *file) MUST_USE;
/* For errors after startup: the outcome of a transaction is unknown, and only a restart
 * can determine it. Ends the process with status 74, without answers to clients. */
NO_RETURN void store_file_fail(sqlite3 *file, const char *step);

/* --- Damage in the write-ahead log --- */

/* Finds damage in a write-ahead log. SQLite ignores such damage: it takes the first
 * frame with a wrong checksum as the end and silently drops the rest. This is correct
 * after a power failure during the last transaction, but wrong if the disk has damaged
 * a synced frame. SQLite has no call that distinguishes these two cases, so store_file.c
 * reads the log itself. */

enum store_wal_state {
    STORE_WAL_WHOLE,   /* the log is whole, or there is none */
    STORE_WAL_TORN,    /* the log ends with an incomplete transaction; nothing shows
                        * that this transaction was ever synced */
    STORE_WAL_DAMAGED, /* SQLite would drop a synced transaction */
    STORE_WAL_FAILED   /* the log cannot be read; see errno */
};

/* Checks the write-ahead log at path, which must not be in use. *frame: the number of
 * the first bad frame; the first frame of the log has number 1. */
enum store_wal_state store_wal_judge(const char *path, int *frame) MUST_USE;

#endif
