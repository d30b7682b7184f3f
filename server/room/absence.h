/* How long the players of a game have been away while the other one was here and
 * waited: it adds up over the whole game, and beyond what is allowed the one who waits
 * may claim. Arithmetic on now_ms, without a timer, like clock.h. Pure. */
#ifndef SERVER_ROOM_ABSENCE_H
#define SERVER_ROOM_ABSENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/board.h"

struct absence {
    int64_t allowed_ms;
    int64_t used_ms[SIDES]; /* as of since_ms */
    enum side away;         /* who is charged; SIDE_NONE: nobody */
    int64_t since_ms;
};

void absence_init(struct absence *absence, int64_t allowed_ms);

/* From now_ms on away is charged, until the next call; SIDE_NONE: nobody, because both
 * are here, or both away, or the game does not wait. */
void absence_charge(struct absence *absence, enum side away, int64_t now_ms);

/* How much longer side may be away; not below 0. A now_ms before the last charge counts
 * as that. */
int64_t absence_left_ms(const struct absence *absence, enum side side, int64_t now_ms);

/* The moment at which what is allowed is used up by who is charged; INT64_MAX for
 * never. */
int64_t absence_due_ms(const struct absence *absence);

#endif
