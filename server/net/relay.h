/* A door: its clients' connections are here, and their sessions are at the house. One link
 * (link.h) carries them all. While there is no link, or the house moves, the clients stay
 * connected and wait; then their sessions are opened again at the new house (trail.h).
 * Events of a game come once for all clients who watch it and keep up (branch.h,
 * mirrors). */
#ifndef SERVER_NET_RELAY_H
#define SERVER_NET_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/net/wire.h"

struct admission;
struct event_base;
struct identity;
struct prefix;
struct relay;
struct session;

/* The house has not answered the session's request (relay_ask()): it was lost, or refuses
 * the source. */
typedef void relay_unanswered_fn(void *arg, struct session *session, bool is_refused);

/* Borrows all. */
struct relay *relay_new(struct event_base *base, struct admission *admission,
                        const struct identity *identity,
                        relay_unanswered_fn *on_unanswered, void *arg) MUST_USE;
/* Ends the link; call it before relay_free() and let the loop run once. Accepts NULL. */
void relay_stop(struct relay *relay);
/* All its sessions must have ended. Accepts NULL. */
void relay_free(struct relay *relay);

/* The house is at "HOST:PORT" now; "": there is none, or nobody knows where. */
void relay_set_place(struct relay *relay, const char *place);
/* This node is the house now: the clients that it has are relayed to it, at that place,
 * until the last has gone. */
void relay_set_own(struct relay *relay, const char *place);
/* True when there is a link to the house. */
bool relay_is_up(const struct relay *relay);
struct relay_counts {
    int clients, waiting;  /* waiting: those without a house */
    int mirrors;           /* games that its clients watch, each read once for all */
    uint64_t links;        /* that were made since the start */
    size_t unsent_bytes;   /* to the house, */
    size_t clients_unsent; /* and to all clients */
};
struct relay_counts relay_counts(const struct relay *relay);
/* The node ends: all clients are told so, and where to connect. farewell: what follows
 * "! bye why=". */
void relay_dismiss(struct relay *relay, const char *farewell);

/* Takes the session's client to the house. False: there is no link at the moment, or the
 * peer is a node; nothing was changed. */
bool relay_take(struct relay *relay, struct session *session);
/* Asks the house for a page: line is the first of a request of HTTP, header one that
 * follows. The session, in SESSION_REQUEST, is held, gets the answer, and ends. False:
 * there is no link. */
bool relay_ask(struct relay *relay, struct session *session, const char *line,
               const char *header);
/* Takes a line of a relayed session; NULL: one that was dropped for that reason. */
void relay_take_line(struct relay *relay, struct session *session, const char *line,
                     enum wire_why why);
/* Tells the house of a use of this door by a caller who is not relayed: see
 * admission_calls. */
void relay_note_use(struct relay *relay, const struct prefix *from, const char *use);
/* The session's output has been sent. */
void relay_drained(struct session *session);
/* The session is ending. Takes one that is not relayed. */
void relay_forget(struct session *session);

#endif
