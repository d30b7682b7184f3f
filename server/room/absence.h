/* How long each player has been absent while the other was present and waiting. The
 * time adds up over the whole game; above the limit the waiting player may claim a win
 * or a draw. Arithmetic on now_ms without a timer, like clock.h. Pure. */
#ifndef SERVER_ROOM_ABSENCE_H
#define SERVER_ROOM_ABSENCE_H

#include <stdint.h>

#include "common/game/side.h"

struct absence {
    int64_t allowed_ms;
    int64_t used_ms[SIDES]; /* total absence of each side up to since_ms */
    enum side away;         /* the side whose absence counts now; SIDE_NONE: neither */
    int64_t since_ms;
};

void absence_init(struct absence *absence, int64_t allowed_ms);

/* Counts the time from now_ms until the next call as absence of the side `away`.
 * SIDE_NONE: counts nothing, because both are present, both are absent, or nobody has
 * to wait. */
void absence_charge(struct absence *absence, enum side away, int64_t now_ms);

/* Returns how much longer `side` may be absent in this game; at least 0. A now_ms
 * before the last charge counts as the time of that charge. */
int64_t absence_left_ms(const struct absence *absence, enum side side, int64_t now_ms);

/* Returns the time at which the total absence of the side `away` will reach allowed_ms.
 * INT64_MAX: no absence is counted now. */
int64_t absence_due_ms(const struct absence *absence);

#endif
