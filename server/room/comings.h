/* Tells the players of a game which spectators come and go. A player who has set "quiet"
 * gets at most one line in 30 seconds, which sums up what happened. */
#ifndef SERVER_ROOM_COMINGS_H
#define SERVER_ROOM_COMINGS_H

#include <stdbool.h>
#include <stdint.h>

struct cursor;
struct room;
struct session;

/* A spectator comes or goes. */
struct coming {
    const struct session *by;
    bool is_here;
    bool has_budget;      /* the budgets allow a report by name */
    uint64_t number;      /* counts the spectators of the game, in order of arrival */
    uint64_t next_number; /* a sum that begins now includes the spectators from this
                           * number on */
};

/* Reports the spectator to one player now, or counts the spectator for a later sum. In
 * the second case it may set room->sum_up_ms; then the caller must arm the room's
 * timer. */
void comings_report(struct room *room, struct cursor *player,
                    const struct coming *coming, bool is_quiet, int64_t now_ms);
/* Sends the sums to the quiet players for whom the time has come, and sets
 * room->sum_up_ms. */
void comings_sum_up(struct room *room, int64_t now_ms);

#endif
