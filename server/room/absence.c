/* See absence.h. */
#include "server/room/absence.h"

void absence_init(struct absence *absence, int64_t allowed_ms)
{
    *absence = (struct absence){.allowed_ms = allowed_ms, .away = SIDE_NONE};
}

static int64_t used_ms(const struct absence *absence, enum side side, int64_t now_ms)
{
    int64_t used = absence->used_ms[side];

    if (absence->away == side && now_ms > absence->since_ms)
        used += now_ms - absence->since_ms;
    return used < absence->allowed_ms ? used : absence->allowed_ms;
}

void absence_charge(struct absence *absence, enum side away, int64_t now_ms)
{
    if (absence->away != SIDE_NONE)
        absence->used_ms[absence->away] = used_ms(absence, absence->away, now_ms);
    absence->away = away;
    absence->since_ms = now_ms;
}

int64_t absence_left_ms(const struct absence *absence, enum side side, int64_t now_ms)
{
    return absence->allowed_ms - used_ms(absence, side, now_ms);
}

int64_t absence_due_ms(const struct absence *absence)
{
    if (absence->away == SIDE_NONE)
        return INT64_MAX;
    return absence->since_ms + absence->allowed_ms - absence->used_ms[absence->away];
}
