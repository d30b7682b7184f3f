/* See comings.h. */
#include "server/room/comings.h"

#include <utlist.h>

#include "server/account/accounts.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/peace.h"
#include "server/room/presence.h"
#include "server/room/rooms.h"

/* The least time between two reports to a quiet player. The first spectator who comes
 * or goes after this time is reported by name, because that is often a friend. If
 * spectators come or go earlier, they are only counted. The next report contains the
 * counts. */
enum { QUIET_MS = 30 * 1000 };

/* Counts the spectator for the next line that sums up who came and left. A spectator
 * who came and went since the last line is not counted at all. */
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
    if (room->late_ms > due_ms)
        room->late_ms = due_ms;
}

void comings_report(struct room *room, struct cursor *player,
                    const struct coming *coming, bool is_quiet, int64_t now_ms)
{
    const struct marks *marks = accounts_marks(room->of->accounts);
    struct comings *comings = &player->comings;

    if (peace_ignores(marks, player->session->account, coming->by))
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

/* Sends a quiet player one line with the numbers of spectators who came and left, and
 * counts from 0 again. Returns false if it is too early or the player reads too
 * slowly. */
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

/* --- Players who come and go --- */

/* Returns the limit for reports that one player comes or goes. The other player gets 20
 * reports at once, then one report a second. Each spectator gets 4 reports at once,
 * then one report in 10 s, because there may be many spectators. */
static struct rate rate_for(enum audience audience)
{
    return audience == TO_PLAYERS ? (struct rate){.milli_per_s = 1000, .burst = 20}
                                  : (struct rate){.milli_per_s = 100, .burst = 4};
}

/* Tells the opponent that the player of `side` has come or gone. */
static void tell_players(struct room *room, enum side side, bool is_here,
                         int64_t now_ms)
{
    struct cursor *player;

    DL_FOREACH (room->feed.players, player)
        if (presence_side_of(room, player->session) != side &&
            notice_fits(player->session))
            notice_presence_to(room, player->session, side, is_here, now_ms);
}

/* Tells the audience that the player of `side` has come or gone. If it was told too
 * often, sets the time for a later report instead. */
static void tell_of_player(struct room *room, enum audience audience, enum side side,
                           bool is_here, int64_t now_ms)
{
    struct late_presence *late = &room->late_presence[side][audience == TO_WATCHERS];
    struct rate rate = rate_for(audience);

    late->is_owed = !budget_spend(&late->budget, rate, now_ms);
    if (late->is_owed)
        wait_for(room, now_ms + budget_wait_ms(&late->budget, rate, now_ms));
    else if (audience == TO_PLAYERS)
        tell_players(room, side, is_here, now_ms);
    else
        notice_presence(room, audience, side, is_here, now_ms);
}

void comings_report_player(struct room *room, enum side side, bool is_here,
                           int64_t now_ms)
{
    tell_of_player(room, TO_PLAYERS, side, is_here, now_ms);
    tell_of_player(room, TO_WATCHERS, side, is_here, now_ms);
}

static void report_late_player(struct room *room, enum side side, int64_t now_ms)
{
    if (room->late_presence[side][0].is_owed)
        tell_of_player(room, TO_PLAYERS, side, presence_is_here(room, side), now_ms);
    if (room->late_presence[side][1].is_owed)
        tell_of_player(room, TO_WATCHERS, side, presence_is_here(room, side), now_ms);
}

/* --- Late reports --- */

void comings_report_late(struct room *room, int64_t now_ms)
{
    struct cursor *player;

    if (now_ms < room->late_ms)
        return;
    room->late_ms = INT64_MAX;
    for (int side = 0; side < SIDES && room->game.phase != GAME_OVER; side++)
        report_late_player(room, (enum side)side, now_ms);
    DL_FOREACH (room->feed.players, player)
        if ((player->comings.came > 0 || player->comings.left > 0) &&
            !sum_up(room, player, now_ms))
            wait_for(room, player->comings.next_ms);
}
