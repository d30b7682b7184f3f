/* Checks the rows and logs of all games once after each start, some rows at a time,
 * while the store's thread is idle. Logs each row whose seal does not match, so that
 * the host learns of a failing disk before a player reads that game. "janggid verify"
 * checks more. */
#ifndef SERVER_STORE_STORE_PATROL_H
#define SERVER_STORE_STORE_PATROL_H

#include <stdbool.h>
#include <stdint.h>

#include "server/database/store_db.h"
#include "server/database/store_fetch.h"

enum { STORE_PATROL_ROWS = 64 }; /* rows that one step checks */

/* All zero at first. */
struct store_patrol {
    struct store_reading reading; /* reading of the current game; all zero: none yet */
    bool is_done;
    int games, damaged;
};

/* Checks the next rows. Ends the process on a disk error. */
void store_patrol_step(struct store_patrol *patrol, struct store_db *db);

#endif
