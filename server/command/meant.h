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
 * has answered, or the call runs again later, when the game has been read from disk. */
enum game_wanted { GAME_SEATED, GAME_READ };
struct room *meant_game(struct call *call, enum game_wanted wanted);

/* meant_fetch() reads an ended game from disk for the session, and holds the session
 * during the read. When the game is in memory as a room, meant_fetch() calls again()
 * with a copy of `raw`.
 *
 * meant_fetch() calls absent() in two cases. First case: there is no such game. Second
 * case: the game is private, and the session may not read it with `code` (the code of a
 * watch link, or NULL). If the session ends during the read, meant_fetch() calls
 * neither again() nor absent().
 *
 * If meant_fetch() finds the game, it charges the session for the length of the game.
 * If it calls absent(), it calls meant_charge_missing() too. If other sessions from the
 * same address read games now, the read may have to wait for them (read_turn.h). */
struct fetch_calls {
    void (*again)(struct world *world, struct session *session, char *raw,
                  int64_t now_ms);
    void (*absent)(struct session *session, int64_t game);
};
void meant_fetch(struct world *world, struct session *session, int64_t game,
                 const char *raw, const char *code, const struct fetch_calls *calls);
/* Charges the session for the answer that there is no such game. If the game exists but
 * is private, the price is the same. So the price does not reveal that a private game
 * exists in memory or on disk. */
void meant_charge_missing(struct session *session);
#endif
