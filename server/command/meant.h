/* Finds the game that a command means: the game that it names, or the only possible
 * one. Reads the game from disk when it is no longer in memory. */
#ifndef SERVER_COMMAND_MEANT_H
#define SERVER_COMMAND_MEANT_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct read_source;
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
 * same address read games now, the read may have to wait for them (struct read_turn). */
struct fetch_calls {
    void (*again)(struct world *world, struct session *session, char *raw,
                  int64_t now_ms);
    bool (*absent)(struct session *session, int64_t game);
};
void meant_fetch(struct world *world, struct session *session, int64_t game,
                 const char *raw, const char *code, const struct fetch_calls *calls);
/* Charges the session for the answer that there is no such game. If the game exists but
 * is private, the price is the same. So the price does not reveal that a private game
 * exists in memory or on disk. */
void meant_charge_missing(struct session *session);

/* --- Turns to read from disk --- */

/* Limits how many ended games are read from disk at the same time: two for each source.
 * A source is an IPv4 address or an IPv6 /64. If two sessions of a source read games
 * now, other sessions of the source wait for their turn. Their turns begin in the order
 * of their requests. There is no limit for a session without a slot (see struct slot in
 * admission.h). On a server without quotas there is no limit either.
 *
 * The owner has a struct read_turn as a member of a larger struct. Allocate the larger
 * struct with store_arg_new(), and set all bytes of the struct read_turn to zero. If a
 * turn still waits when the store closes, store_close() frees this memory. */
struct read_turn {
    /* The turn begins. The owner calls read_turn_end() when it has finished. */
    void (*start)(void *owner);
    /* The session left before its turn began. The owner frees its memory, and does not
     * call read_turn_end(). */
    void (*drop)(void *owner);
    void *owner;
    uint64_t session;
    struct read_source *source; /* NULL: no limit applies */
    struct read_turn *prev, *next;
};

/* Calls start() when the session may read: at once, or later from the loop, when
 * another read of its source has ended. The owner has set the functions of the turn. */
void read_turn_take(struct world *world, const struct session *session,
                    struct read_turn *turn);
/* Ends a turn that has begun, and begins one that waits. Pass turn->source, because the
 * turn itself may be freed already. */
void read_turn_end(struct world *world, struct read_source *source);
/* Forgets all sources. Call it after store_close(). */
void read_turn_forget(struct world *world);

#endif
