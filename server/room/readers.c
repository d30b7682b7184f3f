/* See readers.h. */
#include "server/room/readers.h"

#include <utlist.h>

#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/base/budget.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/peace.h"
#include "server/room/privacy.h"
#include "server/room/room.h"

/* In a correspondence game no player waits at the board. */
static bool is_correspondence(const struct room *room)
{
    return time_terms_is_correspondence(&room->game.clock.terms);
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

void readers_arrive(struct room *room, enum side side, struct session *session)
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

/* --- Spectators who come and go --- */

/* A quiet player gets one report in this time. The first one has the name, because it is
 * often that of a friend; those that follow are summed up. */
enum { QUIET_MS = 30 * 1000 };

/* A spectator comes or goes. */
struct coming {
    const struct session *by;
    bool is_here;
    bool has_budget; /* may be reported by name */
    uint64_t number; /* of that spectator */
    uint64_t next_number;
};

/* Counts for the next sum. A spectator who came and went since the last report is not
 * counted at all. */
static void count_coming(struct comings *comings, const struct coming *coming)
{
    if (comings->came == 0 && comings->left == 0)
        comings->from = coming->next_number;
    if (coming->is_here)
        comings->came++;
    else if (coming->number >= comings->from && comings->came > 0)
        comings->came--;
    else
        comings->left++;
}

static void wait_for(struct room *room, int64_t due_ms)
{
    if (room->sum_up_ms > due_ms)
        room->sum_up_ms = due_ms;
}

/* Reports to one player, or counts. */
static void report_to(struct room *room, struct cursor *player,
                      const struct coming *coming, int64_t now_ms)
{
    const struct account *account = player->session->account;
    struct comings *comings = &player->comings;
    bool is_quiet = account != NULL && peace_is_quiet(room->of, account);

    if (peace_ignores(accounts_marks(room->of->accounts), account, coming->by))
        return;
    if (is_quiet && (!coming->has_budget || now_ms < comings->next_ms)) {
        count_coming(comings, coming);
        if (comings->next_ms <= now_ms)
            comings->next_ms = now_ms + QUIET_MS;
        wait_for(room, comings->next_ms);
    } else if (coming->has_budget && notice_fits(player->session)) {
        notice_watcher(room, player->session, coming->by, coming->is_here);
        if (is_quiet)
            comings->next_ms = now_ms + QUIET_MS;
    }
}

static void report(struct room *room, const struct coming *coming)
{
    int64_t now_ms = mono_now_ms(), before_ms = room->sum_up_ms;
    struct cursor *player;

    DL_FOREACH (room->feed.players, player)
        report_to(room, player, coming, now_ms);
    if (room->sum_up_ms != before_ms && room->is_settled)
        room_arm_timer(room, now_ms);
}

/* False: nothing to say, or not yet. */
static bool sum_up(const struct room *room, struct cursor *player, int64_t now_ms)
{
    struct comings *comings = &player->comings;

    if (now_ms < comings->next_ms)
        return false;
    comings->next_ms = now_ms + QUIET_MS;
    if (!notice_fits(player->session))
        return false;
    notice_watchers(room, player->session, comings->came, comings->left);
    comings->came = comings->left = 0;
    return true;
}

void readers_sum_up(struct room *room, int64_t now_ms)
{
    struct cursor *player;

    if (now_ms < room->sum_up_ms)
        return;
    room->sum_up_ms = INT64_MAX;
    DL_FOREACH (room->feed.players, player)
        if ((player->comings.came > 0 || player->comings.left > 0) &&
            !sum_up(room, player, now_ms))
            wait_for(room, player->comings.next_ms);
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

static bool is_seated(const struct room *room, const struct account *account)
{
    return room->seat[SIDE_RED] == account || room->seat[SIDE_BLUE] == account;
}

const struct room *readers_find_rematch(const struct room *room,
                                        const struct session *session)
{
    const struct account *red = room->seat[SIDE_RED], *blue = room->seat[SIDE_BLUE];
    const struct room *newest = NULL;

    if (room->shown_phase != GAME_OVER || red == NULL || blue == NULL)
        return NULL;
    for (int i = 0; i < red->games; i++) {
        const struct room *other = room_find(room->of, red->game[i]);
        struct readable what;

        if (other == NULL || other->kind == ROOM_HIDDEN || !is_seated(other, blue) ||
            other->id < room->id || (newest != NULL && other->id < newest->id))
            continue;
        what = privacy_readable_room(other);
        if (privacy_may_read(room->of, &what, session, NULL))
            newest = other;
    }
    return newest;
}
