/* A branch carries the lines of one session over a link. A link is a connection from
 * another node of this server (link.h). If a client is connected to this node, its
 * session has a wire. If a client is connected to another node, that node is a door,
 * and this node is the house: the door passes the lines on to the house, and the
 * client's session has a branch in the house. A branch calls the same callbacks as a
 * wire, and keeps the promises of wire.h.
 *
 * Many branches share the wire of one link. If a client reads slowly, only its own
 * branch stops: at most BRANCH_WINDOW bytes are on their way to the client. More bytes
 * wait here until the door reports that the client has received some. If a session is
 * held, only its own client stops: the door is asked to stop reading from that client.
 *
 * house -> door S LINE | hold S | free S | close S | join S M | part S M | all M LINE
 *
 * S is the number of the branch on its link. M is the number of a mirror. A line for
 * all branches that have joined the mirror is sent over the link only once. This file
 * does not know sessions. It writes the lines above; link.c reads the lines that the
 * door sends. */
#ifndef SERVER_NET_BRANCH_H
#define SERVER_NET_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/net/tls.h"
#include "common/net/wire.h"
#include "server/base/prefix.h"

struct branch;
struct branches;
struct branch_hub;
struct event_base;

enum { BRANCH_WINDOW = 16 * 1024 };

/* Makes the hub, which calls the callbacks of all branches of this node from the
 * loop. */
struct branch_hub *branch_hub_new(struct event_base *base) MUST_USE;
/* Frees the hub. All its branches must have ended. Accepts NULL. */
void branch_hub_free(struct branch_hub *hub);

/* Makes the empty set of the branches of one link. Borrows the link's wire. */
struct branches *branches_new(struct branch_hub *hub, struct wire *wire) MUST_USE;
/* Call it when the wire's output has been sent: branches that wait for the wire
 * continue. */
void branches_drain(struct branches *branches);
/* Call it when the link has ended: ends its branches too. *branches is freed together
 * with the last branch. */
void branches_cut(struct branches *branches);
int branches_count(const struct branches *branches);
/* Returns the bytes of output that wait here for the clients of all branches. */
size_t branches_unsent_bytes(const struct branches *branches);

/* A client of a door, as the door describes it. */
struct branch_client {
    uint32_t number;
    struct prefix from;
    const struct tls_key *key; /* the key of its certificate; NULL: it has none */
    bool is_web;
    bool is_back; /* it had a session before, at another node that had the games then */
    bool is_page; /* its lines are an HTTP request */
};

/* Makes a branch. NULL: the client's number is in use. Borrows `calls` and `owner`
 * until the branch calls on_end. The branch calls on_open in a later turn of the
 * loop. */
struct branch *branch_new(struct branches *branches, const struct branch_client *client,
                          const struct wire_calls *calls, void *owner) MUST_USE;
/* Finds the branch with that number. NULL: there is none, or it has ended. */
struct branch *branch_find(const struct branches *branches, uint32_t number);

/* --- Mirrors --- */

/* Returns the set of branches to which this branch belongs; it is valid as long as the
 * branch. */
struct branches *branch_link(const struct branch *branch);
/* Returns the number for a new mirror on this link. */
uint32_t branches_new_mirror(struct branches *branches);
/* branch_join() asks the door to give the lines of that mirror to the client from now
 * on; branch_part() ends this. */
void branch_join(struct branch *branch, uint32_t mirror);
void branch_part(struct branch *branch, uint32_t mirror);
/* Sends one line with its LF to all branches that have joined the mirror. False: the
 * link is full, and the line was not sent. */
bool branches_send_all(struct branches *branches, uint32_t mirror, const char *line,
                       size_t len) MUST_USE;

/* --- What the door reports --- */

/* Call it when the door has sent a line of the client. The line has no LF. May change
 * the bytes of `line`. */
void branch_take_line(struct branch *branch, char *line, size_t len, int64_t now_ms);
/* Call it when the door reports that the client has sent an invalid line. why:
 * WIRE_LINE_TOO_LONG or WIRE_BAD_TEXT. */
void branch_take_bad(struct branch *branch, enum wire_why why);
/* Call it when the door reports that the client has received `bytes` more bytes. The
 * branch may then send `bytes` more bytes. */
void branch_take_room(struct branch *branch, size_t bytes);
/* Call it when the door reports the lag between the client and the door. */
void branch_take_lag(struct branch *branch, int lag_ms);
/* Call it when the door reports that the client's connection has ended. */
void branch_take_end(struct branch *branch);
/* Returns the owner given to branch_new(). */
void *branch_owner(const struct branch *branch);

/* --- For its owner, as in wire.h --- */

void branch_send(struct branch *branch, const char *bytes, size_t len);
/* Sends bytes of any kind, as lines of base64. */
void branch_send_bytes(struct branch *branch, const char *bytes, size_t len);
size_t branch_unsent_bytes(const struct branch *branch);
void branch_want_drain(struct branch *branch);
void branch_hold(struct branch *branch, bool is_held);
void branch_close(struct branch *branch);
bool branch_peer_has_gone(const struct branch *branch);
const struct tls_key *branch_peer_key(const struct branch *branch);
/* Returns the round trip to the client through the door, in milliseconds; see
 * wire.h. */
int branch_round_trip_ms(const struct branch *branch);
const char *branch_peer_address(const struct branch *branch);
void branch_set_line_max(struct branch *branch, size_t bytes);

#endif
