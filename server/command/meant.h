/* Finds the game that a command means: the game that it names, or the only possible
 * one. Reads the game from disk when it is no longer in memory. */
#ifndef SERVER_COMMAND_MEANT_H
#define SERVER_COMMAND_MEANT_H

#include <stdint.h>

struct call;
struct room;
struct session;
struct world;

/* Finds the game named by call->game, or the only possible one. Read all other
 * arguments first, so that an invalid line is refused regardless of the games. NULL:
 * has answered, or the call runs again later: when the game has been read from disk, or
 * when its room has written its last events to disk. */
enum game_wanted { GAME_SEATED, GAME_READ };
struct room *meant_game(struct call *call, enum game_wanted wanted);

/* meant_fetch() reads an ended game from disk for the session, which is held meanwhile,
 * and may end meanwhile. When the game is in memory as a room, meant_fetch() calls
 * again() with a copy of `raw`; if the room is still writing events to disk, `raw` is
 * run after that. It calls absent() if there is no such game, or if the game is private
 * and may not be read with `code` (of a watch link, or NULL). It charges the session
 * for the length of the game, or as meant_charge_missing() does. If other sessions from
 * the same address read games now, the read begins when they have finished
 * (read_turn.h). */
struct fetch_calls {
    void (*again)(struct world *world, struct session *session, char *raw,
                  int64_t now_ms);
    void (*absent)(struct session *session, int64_t game);
};
void meant_fetch(struct world *world, struct session *session, int64_t game,
                 const char *raw, const char *code, const struct fetch_calls *calls);
/* Charges the session for the answer that there is no such game. The price is the same
 * if the game is private, in memory or on disk, so that it does not reveal a private
 * game. */
void meant_charge_missing(struct session *session);
#endif
