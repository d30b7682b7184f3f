/* See presence.h. */
#include "server/room/presence.h"

#include <utlist.h>

#include "common/base/mono.h"
#include "server/base/budget.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/room.h"

/* An untimed game has no flag, so it allows a longer absence. */
enum { UNTIMED_TIMES = 10 };

/* --- Absence --- */

bool presence_is_here(const struct room *room, enum side side)
{
    return room->seat[side] != NULL && room->seat[side]->session != 0;
}

void presence_init(struct room *room, const struct time_terms *terms)
{
    int64_t ms = room->of->settings.absence_ms;

    absence_init(&room->absence, terms->is_untimed ? ms * UNTIMED_TIMES : ms);
}

static bool is_correspondence(const struct room *room)
{
    return time_terms_is_correspondence(&room->game.clock.terms);
}

bool presence_is_waited_for(const struct room *room)
{
    return room->is_settled && !room->is_frozen && !is_correspondence(room) &&
           game_turn(&room->game) != SIDE_NONE;
}

void presence_count(struct room *room, int64_t now_ms)
{
    bool is_red_here = presence_is_here(room, SIDE_RED);
    enum side away = is_red_here ? SIDE_BLUE : SIDE_RED;

    if (!presence_is_waited_for(room) ||
        is_red_here == presence_is_here(room, SIDE_BLUE))
        away = SIDE_NONE;
    absence_charge(&room->absence, away, now_ms);
}

/* The set-up has a time limit of its own, and can be aborted at once. */
int64_t presence_claim_due_ms(const struct room *room)
{
    if (room->game.phase != GAME_PLAY || room->claim_told == room->absence.away)
        return INT64_MAX;
    return absence_due_ms(&room->absence);
}

void presence_tell_claim(struct room *room)
{
    room->claim_told = room->absence.away;
    notice_claim(room, room->claim_told, NULL);
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
    if (is_correspondence(room) && !room->game.is_adjourned)
        return CLAIM_NEVER;
    return *left_ms > 0 ? CLAIM_EARLY : CLAIM_OPEN;
}

struct fault presence_claim(struct room *room, enum side side, bool wants_win,
                            int64_t now_ms, const struct asker *asker)
{
    struct game_news news;
    struct fault fault = game_judge_absence(&room->game, side, wants_win, &news);

    if (fault.code == FAULT_NONE)
        room_commit(room, &news, asker, now_ms);
    return fault;
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

/* Sends an arriving player the absence of the opponent. */
static void tell_absent(struct room *room, enum side absent, struct session *session,
                        int64_t now_ms)
{
    int64_t left_ms;

    if (room->game.phase == GAME_OVER || is_correspondence(room) ||
        presence_is_here(room, absent))
        return;
    notice_presence(room, absent, false, session, now_ms);
    if (room->game.phase == GAME_PLAY &&
        presence_judge_claim(room, side_other(absent), now_ms, &left_ms) == CLAIM_OPEN)
        notice_claim(room, absent, session);
}

/* Sends an arriving player the clock or the set-up, an absence of the opponent, and the
 * open offers. */
static void tell_standing(struct room *room, enum side side, struct session *session,
                          int64_t now_ms)
{
    if (room->game.phase == GAME_SETUP)
        notice_setup(room, now_ms);
    else
        notice_clock(room, now_ms);
    tell_absent(room, side_other(side), session, now_ms);
    offer_tell(room, session);
}

void presence_arrive(struct room *room, enum side side, struct session *session)
{
    int64_t now_ms = mono_now_ms();

    if (feed_count(&room->feed) > 0) /* otherwise the start event follows and includes
                                      * all of it */
        notice_presence(room, side, true, NULL, now_ms);
    feed_follow(&room->feed, session, CURSOR_PLAYER, feed_count(&room->feed));
    if (room->claim_told == side)
        room->claim_told = SIDE_NONE;
    if (room->is_frozen)
        notice_frozen(room, session);
    if (room->is_frozen || !room->is_settled)
        return;
    presence_count(room, now_ms);
    room_end_pause(room, side, now_ms);
    tell_standing(room, side, session, now_ms);
    room_arm_timer(room, now_ms);
}

static void leave_seat(struct room *room, enum side side)
{
    int64_t now_ms = mono_now_ms();

    offer_drop_of(room, side);
    if (room->shown_phase == GAME_OVER)
        return; /* presence is reported only in unfinished games */
    presence_count(room, now_ms);
    notice_presence(room, side, false, NULL, now_ms);
    if (room->is_settled)
        room_arm_timer(room, now_ms);
}

void presence_leave(struct room *room, struct session *session)
{
    struct cursor *cursor = feed_find(&room->feed, session);
    enum cursor_role role;
    bool is_known;

    if (cursor == NULL)
        return;
    role = cursor->role;
    is_known = cursor->is_known;
    feed_unfollow(cursor);
    if (role == CURSOR_PLAYER)
        leave_seat(room, presence_side_of(room, session));
    else if (is_known)
        notice_watcher(room, session, false);
}

/* Each spectator has a budget, and so have all of a game together. */
static bool may_tell_coming(struct room *room, struct session *session, int64_t now_ms)
{
    enum { PER_S = 1, AT_ONCE = 10 };
    struct rate rate = rate_of(PER_S, AT_ONCE);

    if (!session_spend_coming(session, now_ms) ||
        !budget_has(&room->comings, rate, now_ms))
        return false;
    budget_charge(&room->comings, rate, 1000, now_ms);
    return true;
}

void presence_watch(struct room *room, struct session *session, int number)
{
    bool is_new = feed_find(&room->feed, session) == NULL;
    bool is_player = presence_side_of(room, session) != SIDE_NONE;
    struct cursor *cursor = feed_follow(
        &room->feed, session, is_player ? CURSOR_PLAYER : CURSOR_WATCHER, number);

    if (!is_new || is_player)
        return;
    cursor->is_known = may_tell_coming(room, session, mono_now_ms());
    if (cursor->is_known)
        notice_watcher(room, session, true);
}
