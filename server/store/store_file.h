/* The journal's file as SQLite opens it: whose it is, in which mode, what an error
 * means, and what is synced when. Knows no table but to have them made. */
#ifndef SERVER_STORE_STORE_FILE_H
#define SERVER_STORE_STORE_FILE_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/base/base.h"

/* What PRAGMA application_id says of our databases: "jang". */
enum { STORE_FILE_APPLICATION = 0x6a616e67 };

/* Opens directory/janggid.db, made if need be (0700, and 0600 for the file). Everything
 * found there is synced before this returns, so what a crash left unsynced is shown to
 * nobody before it is safe. *version: PRAGMA user_version, 0 of an empty one; a newer
 * one than newest is refused. NULL after logging why; errno is EBUSY when another
 * process has it. The caller closes it. */
sqlite3 *store_file_open(const char *directory, int newest, int *version) MUST_USE;

/* Runs statements that give no rows. False after store_file_refuse(). */
bool store_file_run(sqlite3 *file, const char *words) MUST_USE;
/* While starting: a check of SQLite's own, as "PRAGMA quick_check(1)". False after
 * logging what is damaged. */
bool store_file_check(sqlite3 *file, const char *words) MUST_USE;
/* While starting: empties the log into the database, synced. False after logging. */
bool store_file_settle(sqlite3 *file) MUST_USE;

/* Brings the pages of the write-ahead log home. SQLite would do it by itself, but then
 * a failed sync goes unnoticed, the next one "succeeds", and the log is overwritten.
 * False: no room now, nothing is lost. */
bool store_file_checkpoint(sqlite3 *file) MUST_USE;

/* What a host is told of damage. */
extern const char store_file_advice[];

/* --- What the last error of file means --- */

/* While starting: logs it in plain words and sets errno. */
void store_file_refuse(sqlite3 *file, const char *step);
/* Was there no room for the last write? */
bool store_file_is_full(sqlite3 *file) MUST_USE;
/* Later: whether a transaction is on disk or not is unknown now, and only a restart can
 * find out. Ends the process with status 74, unanswered. */
NO_RETURN void store_file_fail(sqlite3 *file, const char *step);

#endif
