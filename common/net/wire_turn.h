/* Does some work for all connections of a loop, once per turn (iteration) of the loop:
 * sends the output that was queued in the turn, reports that output is sent, and ends
 * connections. Input that remains is handled one turn later. Knows connections only by
 * their callbacks. */
#ifndef COMMON_NET_WIRE_TURN_H
#define COMMON_NET_WIRE_TURN_H

#include <stdbool.h>

struct event;
struct event_base;

struct wire_turn_calls {
    void (*flush)(void *owner);    /* sends output; may ask for `drain` or `end` */
    void (*drain)(void *owner);    /* reports that all output is sent; may ask for any
                                    * work */
    void (*end)(void *owner);      /* the last call for this member; the callback may
                                    * free the member */
    void (*catch_up)(void *owner); /* processes input that waited for this turn */
};

enum wire_turn_work { WIRE_TURN_FLUSH, WIRE_TURN_DRAIN, WIRE_TURN_END };
enum { WIRE_TURN_WORKS = WIRE_TURN_END + 1 };

/* A connection's place in the lists. At first, `owner` must be the connection, and all
 * other members must be zero. Each callback gets `owner`. */
struct wire_turn_member {
    void *owner;
    struct wire_turn_member **list; /* the list that contains this member; NULL: none */
    struct wire_turn_member *prev, *next;
    struct wire_turn_member *behind_prev, *behind_next;
};

struct wire_turn {
    const struct wire_turn_calls *calls; /* borrowed */
    struct event *end;  /* runs after all events of this turn; await_end() activates
                         * it */
    struct event *next; /* a timer of 0: runs after the sockets have been polled */
    bool is_end_due, is_next_due;
    struct wire_turn_member *list[WIRE_TURN_WORKS]; /* a member is in at most one of
                                                     * these lists */
    struct wire_turn_member *behind;                /* members with remaining input;
                                                     * they may also be in one of
                                                     * the lists above */
    int behind_count;
};

/* Prepares *turn, which must not move in memory before wire_turn_clear(). Borrows base
 * and calls. */
void wire_turn_init(struct wire_turn *turn, struct event_base *base,
                    const struct wire_turn_calls *calls);
void wire_turn_clear(struct wire_turn *turn);

/* Requests `work` for member at the end of the turn. If another kind of work was
 * requested for this member before, the new request replaces the old one. */
void wire_turn_add(struct wire_turn *turn, struct wire_turn_member *member,
                   enum wire_turn_work work);
/* Sets whether member has remaining input to handle in the next turn. */
void wire_turn_set_behind(struct wire_turn *turn, struct wire_turn_member *member,
                          bool is_behind);

#endif
