/* See presence.h. */
#include "server/room/presence.h"

#include <utlist.h>

#include "server/net/session.h"
#include "server/room/rooms.h"

/* In an untimed game, a player may be absent UNTIMED_TIMES times as long as in a timed
 * game. The reason is that a player cannot lose an untimed game on time. */
enum { UNTIMED_TIMES = 10 };

/* --- Absence --- */

bool presence_is_here(const struct room *room, enum side side)
{
    return room->seat[side] != NULL && room->seat[side]->session != 0;
}

struct session *presence_find(const struct room *room, uint64_t session)
{
    const struct cursor *cursor;

    DL_FOREACH (room->feed.players, cursor)
        if (cursor->session->id == session)
            return cursor->session;
    return session_find(room->of->sessions, session);
}

int presence_lag_ms(const struct room *room, enum side side, int64_t now_ms)
{
    struct session *session = side == SIDE_NONE || !presence_is_here(room, side)
                                  ? NULL
                                  : presence_find(room, room->seat[side]->session);

    return session == NULL ? 0 : session_lag_ms(session, now_ms);
}

void presence_init(struct room *room, const struct event *start)
{
    int64_t ms = room->of->settings.absence_ms;

    if (start->manners.claim_s != 0)
        ms = (int64_t)start->manners.claim_s * 1000;
    else if (start->terms.is_untimed)
        ms *= UNTIMED_TIMES;
    absence_init(&room->absence, ms);
}

static bool has_claims(const struct room *room)
{
    return room->game.manners.claim_s != CLAIM_NONE;
}

bool presence_is_waited_for(const struct room *room)
{
    return room_is_settled(room) && !room->is_frozen && !room_is_correspondence(room) &&
           has_claims(room) && game_turn(&room->game) != SIDE_NONE;
}

void presence_count(struct room *room, int64_t now_ms)
{
    bool is_red_here = presence_is_here(room, SIDE_RED);
    enum side away = is_red_here ? SIDE_BLUE : SIDE_RED;

    if (!presence_is_waited_for(room) || room->of->is_held ||
        is_red_here == presence_is_here(room, SIDE_BLUE))
        away = SIDE_NONE;
    absence_charge(&room->absence, away, now_ms);
}

/* During the set-up nobody can claim a win or a draw because of absence: the set-up has
 * a time limit, and the game can be aborted at once. */
int64_t presence_claim_due_ms(const struct room *room)
{
    if (room->game.phase != GAME_PLAY || room->claim_told == room->absence.away)
        return INT64_MAX;
    return absence_due_ms(&room->absence);
}

/* --- Claims --- */

enum claim presence_judge_claim(const struct room *room, enum side side, int64_t now_ms,
                                int64_t *left_ms)
{
    enum side other = side_other(side);

    *left_ms = absence_left_ms(&room->absence, other, now_ms);
    if (room->game.is_adjourned)
        *left_ms = room->of->settings.adjourned_ms -
                   (store_age_ms(room->of->store) - room->last_age_ms);
    if (presence_is_here(room, other))
        return CLAIM_PRESENT;
    if (room_is_correspondence(room) && !room->game.is_adjourned)
        return CLAIM_NEVER;
    if (!has_claims(room) && !room->game.is_adjourned)
        return CLAIM_BARRED;
    return *left_ms > 0 ? CLAIM_EARLY : CLAIM_OPEN;
}

/* --- Readers --- */

enum side presence_side_of(const struct room *room, const struct session *session)
{
    if (session->account == NULL)
        return SIDE_NONE;
    for (int side = 0; side < SIDES; side++)
        if (room->seat[side] == session->account &&
            account_owns_seat(session->account, room->id))
            return (enum side)side;
    return SIDE_NONE;
}

int presence_count_watched(const struct session *session)
{
    const struct cursor *cursor;
    int count = 0;

    DL_FOREACH2 (session->cursors, cursor, session_next)
        count += presence_side_of(cursor->feed->owner, session) == SIDE_NONE;
    return count;
}

bool presence_is_attended(const struct room *room, enum side side)
{
    const struct cursor *cursor;

    DL_FOREACH (room->feed.players, cursor)
        if (presence_side_of(room, cursor->session) == side)
            return true;
    return false;
}
