/* Room on the disk that is kept for the day when there is none: a file beside the
 * database, which is given back to the file system then. Used by one thread. */
#ifndef SERVER_STORE_STORE_RESERVE_H
#define SERVER_STORE_STORE_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

enum { STORE_RESERVE_PATH_BYTES = 1024 };

/* All zero: none is kept. */
struct store_reserve {
    char path[STORE_RESERVE_PATH_BYTES];
    int64_t bytes;
    bool is_there;
    bool is_missed;     /* it was logged that there is none */
    int64_t look_at_ms; /* when missing: when to look for room next */
};

/* From now on keeps bytes in directory/reserve; 0 removes what is there. */
void store_reserve_keep(struct store_reserve *reserve, const char *directory,
                        int64_t bytes);
/* Gives the room back. False: there was none to give. */
bool store_reserve_release(struct store_reserve *reserve);
/* Makes it again once there is room for twice its size. */
void store_reserve_renew(struct store_reserve *reserve, int64_t now_ms);
/* When store_reserve_renew() wants to be called; INT64_MAX for never. */
int64_t store_reserve_due_ms(const struct store_reserve *reserve);

#endif
