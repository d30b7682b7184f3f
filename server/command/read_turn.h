/* Limits how many ended games are read from disk at the same time: two for each source.
 * A source is an IPv4 address or an IPv6 /64. If two sessions of a source read games
 * now, other sessions of the source wait for their turn. Their turns begin in the order
 * of their requests. There is no limit for a session without a pass (see struct pass in
 * admission.h). On a server without quotas there is no limit either.
 *
 * The owner has a struct read_turn as a member of a larger struct. Allocate the larger
 * struct with store_arg_new(), and set all bytes of the struct read_turn to zero. If a
 * turn still waits when the store closes, store_close() frees this memory. */
#ifndef SERVER_COMMAND_READ_TURN_H
#define SERVER_COMMAND_READ_TURN_H

#include <stdint.h>

struct read_source;
struct read_turn;
struct session;
struct world;

struct read_turn_calls {
    /* The turn begins. The owner calls read_turn_end() when it has finished. */
    void (*start)(struct read_turn *turn);
    /* The session left before its turn began. The owner frees its memory, and does not
     * call read_turn_end(). */
    void (*drop)(struct read_turn *turn);
};

struct read_turn {
    const struct read_turn_calls *calls;
    uint64_t session;
    struct read_source *source; /* NULL: no limit applies */
    struct read_turn *prev, *next;
};

/* Calls start() when the session may read: at once, or later from the loop, when
 * another read of its source has ended. */
void read_turn_take(struct world *world, const struct session *session,
                    struct read_turn *turn, const struct read_turn_calls *calls);
/* Ends a turn that has begun, and begins one that waits. Pass turn->source, because the
 * turn itself may be freed already. */
void read_turn_end(struct world *world, struct read_source *source);
/* Forgets all sources. Call it after store_close(). */
void read_turn_forget(struct world *world);

#endif
