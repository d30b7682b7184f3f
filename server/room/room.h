/* One game between two players: turns, clock, log, offers, presence. Only the room
 * changes its game. When an event happens, the room appends the event to the log, and
 * queues it for the store. The player who caused it gets the OK, and the feed sends it
 * to all other readers, players before spectators. All of that waits for the disk in
 * the wires (gate.h), so no client learns of an event that a crash could still lose;
 * and until then the clock of the game stands. */
#ifndef SERVER_ROOM_ROOM_H
#define SERVER_ROOM_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/room/rooms.h"
#include "server/store/store.h"

/* Call it when the gate's `durable` has grown: starts the clocks of the games whose
 * events are on disk now. */
void rooms_on_durable(struct rooms *rooms);

/* Call it when writes to the disk must wait: stops all deadlines, and the clocks except
 * those of correspondence games, until rooms_release(). */
void rooms_hold(struct rooms *rooms, int64_t now_ms);
/* Call it when writes to the disk need not wait any more. Starts the clocks again, and
 * postpones all deadlines by the duration of the wait. */
void rooms_release(struct rooms *rooms, int64_t now_ms);
/* Returns how many milliseconds writes have waited since the rooms were opened. */
int64_t rooms_held_ms(const struct rooms *rooms);
/* Returns the milliseconds since the room's last event, without the time in which the
 * server was down or writes waited. */
int64_t room_quiet_ms(const struct room *room);

/* --- Beginnings --- */

/* Opens a new game from its start event, between two accounts. Both players, if
 * present, follow it. */
struct room *room_open(struct rooms *rooms, int64_t id, const struct event *start,
                       struct account *const seat[SIDES], enum room_near near,
                       int64_t rematch_of, const struct asker *asker);

/* Takes one event that was read from disk. Call it for all events of a game in their
 * order. If an event is damaged or illegal, freezes the game: the events before it can
 * be read, and the rest are dropped. Returns false when even the first event is
 * damaged; then there is no room. */
bool room_restore(struct rooms *rooms, const struct store_event *row) MUST_USE;
/* Notes a running game whose first event is damaged, for room_end_unreadable(). */
void room_note_unreadable(struct rooms *rooms, int64_t game);
/* Call this function when the last event of a game that is over has been read. It adds
 * the game to the games that are "folded": in each turn of the loop, the next events of
 * these games are applied, for about a millisecond. When all are applied, the players
 * get their seats, and the commands that have waited for the game are run. Until then
 * commands about it wait. */
void room_restored(struct room *room);
/* Call it after the last event of a running game, when the server starts. seat: the
 * accounts of its players; NULL: none. Its events are applied to the game by
 * room_find(), or in the background after rooms_wake(). Until then no list shows it. */
void room_restored_asleep(struct room *room, struct account *const seat[SIDES]);
/* Applies the events of the games for which room_restored_asleep() was called, for
 * about a millisecond in each turn of the loop. The time in which their players can
 * return (grace_ms) begins with this call. */
void rooms_wake(struct rooms *rooms);
/* Finds the room with that id, and applies its events if that was not done yet. NULL:
 * there is none. */
struct room *room_find(struct rooms *rooms, int64_t id);

/* --- Acts of a player: FAULT_NONE means that the asker has its OK --- */

/* Enters the events of an act that game_judge_...() has judged, unless `fault` refuses
 * it. Returns `fault`. asker NULL: nobody is answered. */
struct fault room_enter(struct room *room, struct fault fault,
                        const struct game_news *news, const struct asker *asker,
                        int64_t now_ms);

struct fault room_setup(struct room *room, enum side side, enum lineup lineup,
                        int64_t now_ms, const struct asker *asker);
/* If line-ups are sealed, keeps the line-up of `side` until the other side has chosen.
 * Returns false if the caller must call room_setup() instead: line-ups are not sealed,
 * or the other side has chosen. */
bool room_seal(struct room *room, enum side side, enum lineup lineup) MUST_USE;
/* True when `side` has to move, or to choose a line-up. */
bool room_awaits(const struct room *room, enum side side);
struct fault room_move(struct room *room, enum side side, struct move move,
                       int64_t now_ms, const struct asker *asker);

/* Makes an offer. The act takes effect at once if it needs no agreement
 * (offer_is_at_once()), or if the opponent has made the same offer and it is not a
 * rematch. Then *offer_id is 0, and the asker has its OK.
 * Otherwise *offer_id is the number of the new offer, and the caller sends the OK. */
struct fault room_offer(struct room *room, enum side side, enum offer_kind kind, int to,
                        int64_t next_id, int64_t now_ms, const struct asker *asker,
                        int64_t *offer_id);
/* Accepts any offer except a rematch. */
struct fault room_accept(struct room *room, struct offer *offer, int64_t now_ms,
                         const struct asker *asker);

/* Ends the game with the result that the host has decided. The game may be frozen. */
struct fault room_end_by_host(struct room *room, enum outcome outcome, int64_t now_ms);

/* The host uses this function to end a running game whose first event is damaged. Such
 * a game does not have a room. The caller writes the host's act in the same batch.
 * Returns false if `game` is not such a game. */
bool room_end_unreadable(struct rooms *rooms, int64_t game,
                         enum outcome outcome) MUST_USE;

/* If the events of the game are still being read or applied, makes the session's
 * command wait for them. Otherwise returns false: the caller runs the command now. */
bool room_wait(struct room *room, struct session *session, const char *raw) MUST_USE;

/* --- For presence.c --- */

/* Arms the timer for the next deadline. If the timer is armed for an earlier time, the
 * timer is not changed: it fires too early, finds nothing to do, and is armed again.
 * This costs less than a change of the timer after each move of the game. */
void room_arm_timer(struct room *room, int64_t now_ms);
/* Call it when the player of `side` moves or returns. Starts the clock if it has waited
 * for that side. While writes wait, rooms_release() starts it later. */
void room_end_pause(struct room *room, enum side side, int64_t now_ms);

#endif
