/* A door is a node that has the connections of its clients, while their sessions and
 * games are at another node, the house. One link (link.h) carries the lines of all
 * clients. While there is no link, or the house moves, the clients stay connected and
 * wait. Then their sessions are opened again at the new house (trail.h). The house
 * sends each event of a watched game over the link only once. The door passes the event
 * on to all clients that watch the game and read fast enough (branch.h, mirrors). */
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

/* Called when the house will not answer the session's request (relay_ask()): the house
 * was lost, or it refuses the client's source (is_refused). */
typedef void relay_unanswered_fn(void *arg, struct session *session, bool is_refused);

/* Makes a relay, which has no link yet. Borrows all its arguments. */
struct relay *relay_new(struct event_base *base, struct admission *admission,
                        const struct identity *identity,
                        relay_unanswered_fn *on_unanswered, void *arg) MUST_USE;
/* Ends the link. Call relay_stop() first, then let the loop run, and then call
 * relay_free(). Accepts NULL. */
void relay_stop(struct relay *relay);
/* Frees the relay. All its sessions must have ended. Accepts NULL. */
void relay_free(struct relay *relay);

/* Sets the place of the house, "HOST:PORT", and ends a link to another place. "": there
 * is no house, or its place is unknown; an existing link then stays. */
void relay_set_place(struct relay *relay, const char *place);
/* Call it when this node has become the house, which is reached at `place`. Clients
 * that are relayed stay relayed, now to this node itself, until the last one has
 * gone. */
void relay_set_own(struct relay *relay, const char *place);
/* True when there is a link to the house. */
bool relay_is_up(const struct relay *relay);
struct relay_counts {
    int clients, waiting;  /* all relayed clients; clients without a house that wait for
                            * the next house */
    int mirrors;           /* games watched through mirrors: the house sends each event
                            * only once */
    uint64_t links;        /* links made since the start */
    size_t unsent_bytes;   /* output that waits for the house */
    size_t clients_unsent; /* unsent output to all clients together */
};
struct relay_counts relay_counts(const struct relay *relay);
/* Tells all clients that this node ends, and where to connect. farewell: what follows
 * "! bye why=". */
void relay_dismiss(struct relay *relay, const char *farewell);

/* Relays the session's client to the house. False: there is no link at the moment, or
 * the session's peer is not a client but a node of this server. In that case nothing
 * has changed. */
bool relay_take(struct relay *relay, struct session *session);
/* Asks the house for a page. line: the first line of an HTTP request. header: a header
 * line of the same request, such as "Accept-Language: ko". `session` must be in
 * SESSION_REQUEST. From now on the session does not read any lines. The session sends
 * the answer of the house to its client, and then ends. False: there is no link. */
bool relay_ask(struct relay *relay, struct session *session, const char *line,
               const char *header);
/* Takes a line of a relayed session. `line` NULL: the line was dropped, for the reason
 * `why`. */
void relay_take_line(struct relay *relay, struct session *session, const char *line,
                     enum wire_why why);
/* Tells the house about a connection to this node. The connection comes from the
 * address `from`, and is not relayed. use: what the connection has done; see struct
 * admission_calls. */
void relay_note_use(struct relay *relay, const struct prefix *from, const char *use);
/* Tells the house how much output the client has received. Call it when the output of a
 * relayed session has been sent. */
void relay_drained(struct session *session);
/* Ends the relaying of the session's client. Call it when a session ends, also if it is
 * not relayed. */
void relay_forget(struct session *session);

#endif
