/* The house's end of the links from doors. A door is a node that accepts clients and
 * has no games. A link is one TLS connection from a door to the house. It carries the
 * lines of all clients of that door. In the house, each client is a session on a branch
 * (branch.h). If a peer shows the server's own key, the peer is a node.
 *
 *   both          * janggi-link/1
 *   door -> house open S from=ADDRESS [key=HEX] [web=1] [back=1] [page=1] | S LINE |
 *                 bad S long|text | took S BYTES | late S GAME EVENT | far S MS |
 *                 gone S | ping |
 *                 used ADDRESS connect|handshake|login|garbage|proof|flood
 *   house -> door S LINE | hold S | free S | close S [refused] | pong |
 *                 join S M | part S M | all M LINE | ban NETWORK MS|ever |
 *                 deny NETWORK MS
 *
 *   "page": the lines of S are an HTTP request; the answer comes in lines of base64.
 *   "back": the client had a session at a house before.
 *   "used": reports a connection to the door that the door did not pass on to the
 *           house. The connection has ended ("connect"), or has committed a fault.
 *   "ban", "deny": for MS milliseconds, the door must refuse new connections from
 *           NETWORK, before their handshake. 0 ends a ban. At the start of a link,
 *           the house sends all refusals that are in force.
 *   "far":  the lag of the client's connection to the door (session.h) has changed.
 *   "late": the client has left the mirror of GAME, and lacks the events of the game
 *           from number EVENT on.
 *
 * S is the number of a client. The door never uses a number twice on a link. If
 * admission refuses the source of a client, the house answers "close S refused".
 * Unknown words are skipped. */
#ifndef SERVER_NET_LINK_H
#define SERVER_NET_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/net/wire.h"
#include "server/admission/admission.h"

#define LINK_GREETING "* janggi-link/1"
enum { LINK_LAG_MS_MOST = 1000 }; /* a longer lag is reported as this value ("far") */

struct branch_client;
struct branches;
struct event_base;
struct link;
struct links;

struct link_calls {
    /* A new link has begun: tell its door whom to refuse. */
    void (*on_begin)(void *arg, struct link *link, int64_t now_ms);
    /* A new client of a door: make a session for it, on a branch of its own. False: the
     * client is refused. */
    bool (*on_open)(void *arg, struct branches *branches,
                    const struct branch_client *client, int64_t now_ms);
    /* The client whose branch has this `owner` lacks the events of the game from number
     * `event` on. */
    void (*on_late)(void *arg, void *owner, int64_t game, int event);
    /* A door has sent "used". See admission_note_use() for `use`. */
    void (*on_use)(void *arg, const struct prefix *from, const char *use,
                   int64_t now_ms);
};

/* Makes an empty set of links. Borrows `calls`; `arg` is passed to each of them. */
struct links *links_new(struct event_base *base, const struct link_calls *calls,
                        void *arg) MUST_USE;
/* Frees the set. All links must have ended. Accepts NULL. */
void links_free(struct links *links);

/* Makes a link from `wire`, the open connection of another node, and becomes the owner
 * of the wire. */
void links_take(struct links *links, struct wire *wire);
/* Ends all links. */
void links_drop(struct links *links);
/* link_refuse() tells the door at the other end of the link to refuse the network.
 * links_refuse() tells every door. for_ms: the duration in milliseconds; INT64_MAX: for
 * ever. If too much output waits in a link, a denial is not sent over that link. */
void link_refuse(struct link *link, enum admission_refusal kind,
                 const struct prefix *network, int64_t for_ms);
void links_refuse(struct links *links, enum admission_refusal kind,
                  const struct prefix *network, int64_t for_ms);
int links_count(const struct links *links);
/* True if the address of a linked door is in `network`. `links` may be NULL. */
bool links_has_from(const struct links *links, const struct prefix *network);
int links_count_clients(const struct links *links);
/* Returns the bytes of output that wait here for doors and their clients. */
size_t links_unsent_bytes(const struct links *links);

/* Returns the limits of the wire of a link, the same at both ends. */
const struct wire_limits *link_limits(void);
/* Parses a time: a number of milliseconds, or "ever", which gives INT64_MAX. False: it
 * is neither. */
bool link_parse_span(const char *word, int64_t *span_ms) MUST_USE;
/* Parses the number with which `line` begins. It ends at the first space or at the end
 * of the line. Sets *rest to the text after that space. False: the line does not begin
 * with a number. */
bool link_parse_number(char *line, uint32_t *number, char **rest) MUST_USE;

/* Writes the key of a client in hexadecimal. The line "open" contains the key in this
 * form. */
enum { LINK_KEY_TEXT_BYTES = 2 * TLS_DIGEST_BYTES + 1 };
void link_key_format(char out[LINK_KEY_TEXT_BYTES], const struct tls_key *key);

#endif
