/* SQLite's files with fewer system calls. For each frame of its write-ahead log, SQLite
 * writes the header and the page with two separate calls, so that a commit takes four
 * writes or more. This VFS gathers adjacent writes to the log until SQLite syncs it.
 * For all other files SQLite's default VFS is used. */
#ifndef SERVER_SQLITE_STORE_VFS_H
#define SERVER_SQLITE_STORE_VFS_H

/* Returns the name of the VFS, for sqlite3_open_v2(). The first call registers the VFS;
 * it must return before another thread calls this function. Use the VFS only with
 * PRAGMA locking_mode = EXCLUSIVE and PRAGMA synchronous = FULL. Another connection
 * must not read the log, because gathered frames are not in the file yet. Each commit
 * must sync the log. If the gathered frames cannot be written, a later write or the
 * sync reports the error. SQLite then rolls the transaction back, as it does when the
 * write itself fails. */
const char *store_vfs_name(void);

#endif
