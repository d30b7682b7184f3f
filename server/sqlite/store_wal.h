/* Finds damage in a write-ahead log. SQLite ignores such damage: it takes the first
 * frame with a wrong checksum as the end and silently drops the rest. This is correct
 * after a power failure during the last transaction, but wrong if the disk has damaged
 * a synced frame. SQLite has no call that distinguishes these two cases, so this file
 * reads the log itself. */
#ifndef SERVER_SQLITE_STORE_WAL_H
#define SERVER_SQLITE_STORE_WAL_H

#include <stdbool.h>

#include "common/base/base.h"

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
