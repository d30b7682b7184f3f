/* What SQLite does not say of a write-ahead log. It takes the first frame that does not
 * fit for the end and drops what comes after it, without a word. That is right when the
 * power went in the middle of the last transaction, and wrong when the disk has damaged
 * one that was synced long ago. */
#ifndef SERVER_STORE_STORE_WAL_H
#define SERVER_STORE_STORE_WAL_H

#include <stdbool.h>

#include "common/base/base.h"

enum store_wal_state {
    STORE_WAL_WHOLE,   /* or there is no log */
    STORE_WAL_TORN,    /* an incomplete transaction after the last commit; as far as can
                        * be known, not a synced one */
    STORE_WAL_DAMAGED, /* SQLite would drop a synced transaction */
    STORE_WAL_FAILED   /* cannot be read; see errno */
};

/* Checks the write-ahead log at path, which must not be in use. *frame: the first bad
 * frame, from 1. */
enum store_wal_state store_wal_judge(const char *path, int *frame) MUST_USE;

#endif
