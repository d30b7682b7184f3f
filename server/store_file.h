/* The journal's file as SQLite opens it: whose it is, in which mode, what an error
 * means, and what is synced when. Knows no table but to have them made. */
#ifndef SERVER_STORE_FILE_H
#define SERVER_STORE_FILE_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/base.h"

/* Opens directory/janggid.db, made if need be (0700, and 0600 for the file; a new one
 * gets its tables by schema). Everything found there is synced before this returns, so
 * what a crash left unsynced is shown to nobody before it is safe. NULL after logging
 * why; errno is EBUSY when another process has it. The caller closes it. */
sqlite3 *store_file_open(const char *directory, const char *schema) MUST_USE;

/* Brings the pages of the write-ahead log home. SQLite would do it by itself, but then
 * a failed sync goes unnoticed, the next one "succeeds", and the log is overwritten.
 * False: no room now, nothing is lost. */
bool store_file_checkpoint(sqlite3 *file) MUST_USE;

/* --- What the last error of file means ------------------------------------- */

/* While starting: logs it in plain words and sets errno. */
void store_file_refuse(sqlite3 *file, const char *step);
/* Was there no room for the last write? */
bool store_file_is_full(sqlite3 *file) MUST_USE;
/* Later: whether a transaction is on disk or not is unknown now, and only a restart can
 * find out. Ends the process with status 74, unanswered. */
NO_RETURN void store_file_fail(sqlite3 *file, const char *step);

#endif
