/* See comings.h. */
#include "server/room/comings.h"

#include <utlist.h>

#include "server/account/accounts.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/peace.h"
#include "server/room/presence.h"
#include "server/room/rooms.h"

/* The least time between two reports to a quiet player. The first report contains the
 * spectator's name, because that is often a friend; spectators who come or go within
 * this time are summed up. */
enum { QUIET_MS = 30 * 1000 };

/* Counts the spectator for the next sum. A spectator who came and went since the last
 * report is not counted at all. */
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

/* Sends a player the sum, and begins a new one. Returns false if it is too early or the
 * player reads too slowly. */
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

/* The reports of one player that spectators get: 4 at once, then one in 10 s. */
static const struct rate player_rate = {.milli_per_s = 100, .burst = 4};

/* Tells the spectators now, or sets the time to do it. */
static void tell_watchers(struct room *room, enum side side, bool is_here,
                          int64_t now_ms)
{
    struct budget *budget = &room->player_comings[side];

    room->owes_presence[side] = !budget_spend(budget, player_rate, now_ms);
    if (room->owes_presence[side])
        wait_for(room, now_ms + budget_wait_ms(budget, player_rate, now_ms));
    else
        notice_presence(room, TO_WATCHERS, side, is_here, now_ms);
}

void comings_report_player(struct room *room, enum side side, bool is_here,
                           int64_t now_ms)
{
    notice_presence(room, TO_PLAYERS, side, is_here, now_ms);
    tell_watchers(room, side, is_here, now_ms);
}

/* --- Late reports --- */

void comings_report_late(struct room *room, int64_t now_ms)
{
    struct cursor *player;

    if (now_ms < room->late_ms)
        return;
    room->late_ms = INT64_MAX;
    for (int side = 0; side < SIDES; side++)
        if (room->owes_presence[side] && room->shown_phase != GAME_OVER)
            tell_watchers(room, (enum side)side,
                          presence_is_here(room, (enum side)side), now_ms);
    DL_FOREACH (room->feed.players, player)
        if ((player->comings.came > 0 || player->comings.left > 0) &&
            !sum_up(room, player, now_ms))
            wait_for(room, player->comings.next_ms);
}
