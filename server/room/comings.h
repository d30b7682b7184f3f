/* Tells the players of a game which spectators come and go. Tells the opponent and the
 * spectators when a player comes or goes. A quiet player (quiet.h) gets at most one
 * line about spectators in 30 seconds. This line may report several spectators
 * together. When a player comes or goes, this is normally reported at once. If a player
 * comes and goes all the time, the opponent gets only one line a second, and each
 * spectator gets only one line in 10 seconds. Such a line says whether the player is
 * present at that moment. */
#ifndef SERVER_ROOM_COMINGS_H
#define SERVER_ROOM_COMINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game/side.h"

struct cursor;
struct room;
struct session;

/* The news that a spectator comes or goes. */
struct coming {
    const struct session *by;
    bool is_here;
    bool has_budget;      /* the budgets allow a report by name */
    uint64_t number;      /* counts the spectators of the game, in order of arrival */
    uint64_t next_number; /* the new value of comings.from (feed.h), if comings.came and
                           * comings.left are 0 */
};

/* Reports the spectator to one player now, or only counts the spectator for a later
 * line that sums up. In the second case room->late_ms may become earlier: the caller
 * must then arm the room's timer. */
void comings_report(struct room *room, struct cursor *player,
                    const struct coming *coming, bool is_quiet, int64_t now_ms);
/* Sends the late reports that are due, and sets room->late_ms. */
void comings_report_late(struct room *room, int64_t now_ms);

/* Reports to all readers that the player of `side` has come or gone, now or later. For
 * a later report it sets room->late_ms, and the caller must arm the room's timer. */
void comings_report_player(struct room *room, enum side side, bool is_here,
                           int64_t now_ms);

#endif
