/* SQLite's files with fewer system calls. SQLite writes the header and the page of each
 * frame of its write-ahead log by a call of its own, so that a commit takes four writes
 * or more. This VFS gathers adjacent writes to the log until SQLite syncs it. For all
 * other files SQLite's default VFS is used. */
#ifndef SERVER_SQLITE_STORE_VFS_H
#define SERVER_SQLITE_STORE_VFS_H

/* Returns the name to open a database with; the first call registers the VFS, so it must
 * come before other threads use it. Only for a database whose log no other connection
 * reads (PRAGMA locking_mode = EXCLUSIVE) and whose every commit syncs the log (PRAGMA
 * synchronous = FULL): gathered frames are not in the file yet. If writing them out
 * fails, a later write or the sync reports the error, and SQLite rolls the transaction
 * back as it does when the write itself fails. */
const char *store_vfs_name(void);

#endif
