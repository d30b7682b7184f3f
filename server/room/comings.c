/* See comings.h. */
#include "server/room/comings.h"

#include <utlist.h>

#include "server/account/accounts.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/peace.h"
#include "server/room/rooms.h"

/* The least time between two reports to a quiet player. The first report contains the
 * spectator's name, because that is often a friend; spectators who come or go within
 * this time are summed up. */
enum { QUIET_MS = 30 * 1000 };

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

/* Sends a player the sum, and begins a new one. False: it is too early, or the player
 * reads too slowly. */
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

void comings_sum_up(struct room *room, int64_t now_ms)
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
