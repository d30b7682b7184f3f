/* What SQLite does not say of a write-ahead log. It takes the first frame that does not
 * fit for the end and drops what comes after it, without a word. That is right when the
 * power went in the middle of the last transaction, and wrong when the disk has damaged
 * one that was synced long ago. */
#ifndef SERVER_STORE_STORE_WAL_H
#define SERVER_STORE_STORE_WAL_H

#include <stdbool.h>

#include "common/base/base.h"

enum store_wal_state {
    STORE_WAL_WHOLE,   /* or there is none */
    STORE_WAL_TORN,    /* something behind the last commit: no synced transaction, as
                          far as can be known */
    STORE_WAL_DAMAGED, /* a synced transaction would be dropped */
    STORE_WAL_FAILED   /* cannot be read; errno */
};

/* Judges the write-ahead log at path. Nobody may be writing it. *frame: the first that
 * does not fit, from 1. */
enum store_wal_state store_wal_judge(const char *path, int *frame) MUST_USE;

#endif
