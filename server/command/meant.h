/* The game that a command means: named, or the only possible one; read from disk when it
 * is no longer in memory. */
#ifndef SERVER_COMMAND_MEANT_H
#define SERVER_COMMAND_MEANT_H

#include <stdint.h>

struct call;
struct room;
struct session;
struct world;

/* The game named by call->game, or the only possible one. Read all other arguments
 * first, so that an invalid line is refused regardless of the games. NULL: has
 * answered, or the call waits for an unsettled room and runs again. */
enum game_wanted { GAME_SEATED, GAME_READ };
struct room *meant_game(struct call *call, enum game_wanted wanted);

/* Reads an ended game from disk for the session, which is held until then and may have
 * ended meanwhile. Calls again() with a copy of raw when the game has become a room,
 * or runs raw when that room is settled, and calls absent() when there is no such game,
 * or it is private and may not be read with code (of a watch link, or NULL). Charges the
 * session for the length of the game, or as meant_charge_missing() does. A source reads
 * two games at a time; its other sessions wait. */
struct fetch_calls {
    void (*again)(struct world *world, struct session *session, char *raw,
                  int64_t now_ms);
    void (*absent)(struct session *session, int64_t game);
};
void meant_fetch(struct world *world, struct session *session, int64_t game,
                 const char *raw, const char *code, const struct fetch_calls *calls);
/* Charges the session for the answer that there is no such game. It costs the same for a
 * private game, in memory or on disk, so that its price does not tell them apart. */
void meant_charge_missing(struct session *session);
/* Forgets all fetches. Call it after store_close(), which frees those that waited. */
void meant_forget(struct world *world);

#endif
