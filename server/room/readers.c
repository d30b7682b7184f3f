/* See readers.h. */
#include "server/room/readers.h"

#include <utlist.h>

#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/base/budget.h"
#include "server/net/session.h"
#include "server/room/comings.h"
#include "server/room/notice.h"
#include "server/room/quiet.h"
#include "server/room/room.h"

/* Tells an arriving player that the opponent is absent. In a correspondence game no
 * player waits at the board, so nothing is sent. */
static void tell_absent(struct room *room, enum side absent, struct session *session,
                        int64_t now_ms)
{
    int64_t left_ms;

    if (room->game.phase == GAME_OVER || room_is_correspondence(room) ||
        presence_is_here(room, absent))
        return;
    notice_presence_to(room, session, absent, false, now_ms);
    if (room->game.phase == GAME_PLAY &&
        presence_judge_claim(room, side_other(absent), now_ms, &left_ms) == CLAIM_OPEN)
        notice_claim(room, absent, session);
}

/* Sends an arriving player the clock or the state of the set-up, and the open offers.
 * If the opponent is absent, also reports this. */
static void tell_standing(struct room *room, enum side side, struct session *session,
                          int64_t now_ms)
{
    if (room->game.phase == GAME_SETUP)
        notice_setup(room, session, now_ms);
    else
        notice_clock(room, session, now_ms);
    tell_absent(room, side_other(side), session, now_ms);
    offer_tell(room, session);
}

void readers_arrive(struct room *room, enum side side, struct session *session)
{
    int64_t now_ms = mono_now_ms();

    if (feed_count(&room->feed) > 0) /* no presence is reported before the start
                                      * event */
        comings_report_player(room, side, true, now_ms);
    feed_follow(&room->feed, session, CURSOR_PLAYER, feed_count(&room->feed));
    if (room->claim_told == side)
        room->claim_told = SIDE_NONE;
    if (room->is_frozen)
        notice_frozen(room, session);
    if (!room_is_settled(room)) {       /* the opponent's move is being saved */
        room->is_awaited[side] = false; /* else settle() lets the clock wait for them */
        return;
    }
    if (!room->is_frozen) {
        presence_count(room, now_ms);
        room_end_pause(room, side, now_ms);
        tell_standing(room, side, session, now_ms);
    }
    room_arm_timer(room, now_ms);
}

static void leave_seat(struct room *room, enum side side)
{
    int64_t now_ms = mono_now_ms();

    offer_drop_of(room, side);
    if (room->game.phase == GAME_OVER)
        return; /* presence is reported only in unfinished games */
    presence_count(room, now_ms);
    comings_report_player(room, side, false, now_ms);
    if (room_is_settled(room))
        room_arm_timer(room, now_ms);
}

/* --- Spectators who come and go --- */

static void report(struct room *room, const struct coming *coming)
{
    int64_t now_ms = mono_now_ms(), before_ms = room->late_ms;
    struct cursor *player;

    DL_FOREACH (room->feed.players, player) {
        const struct account *account = player->session->account;
        bool is_quiet = account != NULL && quiet_is_now(room->of, account);

        comings_report(room, player, coming, is_quiet, now_ms);
    }
    if (room->late_ms != before_ms && room_is_settled(room))
        room_arm_timer(room, now_ms);
}

void readers_leave(struct room *room, struct session *session)
{
    struct cursor *cursor = feed_find(&room->feed, session);
    struct coming coming;
    enum cursor_role role;

    if (cursor == NULL)
        return;
    role = cursor->role;
    coming = (struct coming){.by = session,
                             .is_here = false,
                             .has_budget = cursor->is_known,
                             .number = cursor->comings.number,
                             .next_number = room->comings_ever + 1};
    feed_unfollow(cursor);
    if (role == CURSOR_PLAYER)
        leave_seat(room, presence_side_of(room, session));
    else
        report(room, &coming);
}

/* True if the players may be told of the spectator. Such reports have two budgets: one
 * for this spectator, and one for all spectators of the game together. */
static bool may_tell_coming(struct room *room, struct session *session, int64_t now_ms)
{
    enum { PER_S = 1, AT_ONCE = 10 };
    struct rate rate = rate_of(PER_S, AT_ONCE);

    if (!allowance_spend_coming(&session->allowance, now_ms) ||
        !budget_has(&room->comings, rate, now_ms))
        return false;
    budget_charge(&room->comings, rate, 1000, now_ms);
    return true;
}

void readers_watch(struct room *room, struct session *session, int number)
{
    bool is_new = feed_find(&room->feed, session) == NULL;
    bool is_player = presence_side_of(room, session) != SIDE_NONE;
    struct cursor *cursor = feed_follow(
        &room->feed, session, is_player ? CURSOR_PLAYER : CURSOR_WATCHER, number);

    if (!is_new || is_player)
        return;
    cursor->comings.number = ++room->comings_ever;
    cursor->is_known = may_tell_coming(room, session, mono_now_ms());
    report(room, &(struct coming){.by = session,
                                  .is_here = true,
                                  .has_budget = cursor->is_known,
                                  .number = cursor->comings.number,
                                  .next_number = cursor->comings.number});
}
