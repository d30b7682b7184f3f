/* Reserved disk space: a file beside the database that is removed when the disk is
 * full, so that play continues. Used by one thread. */
#ifndef SERVER_STORE_STORE_RESERVE_H
#define SERVER_STORE_STORE_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

enum { STORE_RESERVE_PATH_BYTES = 1024 };

/* All zero: no reserve. */
struct store_reserve {
    char path[STORE_RESERVE_PATH_BYTES];
    int64_t bytes;
    bool is_there;
    bool is_missed;     /* its absence was logged */
    int64_t look_at_ms; /* when the file is missing: time of the next check for space */
};

/* Keeps a file of that many bytes, directory/reserve; 0 removes it. */
void store_reserve_keep(struct store_reserve *reserve, const char *directory,
                        int64_t bytes);
/* Removes the file that an earlier run has left in the directory. Returns false if
 * there was none. */
bool store_reserve_remove(const char *directory);
/* Removes the file, which frees the space. Returns false if there was no reserve. */
bool store_reserve_release(struct store_reserve *reserve);
/* Creates the file again when twice its size is free. */
void store_reserve_renew(struct store_reserve *reserve, int64_t now_ms);
/* Returns the time at which to call store_reserve_renew(); INT64_MAX: never. */
int64_t store_reserve_due_ms(const struct store_reserve *reserve);

#endif
