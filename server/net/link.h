/* The house's end of the links from doors. A door is a node that accepts clients and has
 * no games; over one TLS connection, a link, it brings the lines of all its clients to the
 * house, where each client is a session on a branch (branch.h). Who shows the server's own
 * key is a node.
 *
 *   both          * janggi-link/1
 *   door -> house open S from=ADDRESS [key=HEX] [web=1] | S LINE | bad S long|text |
 *                 took S BYTES | late S GAME EVENT | gone S | ping
 *   house -> door S LINE | hold S | free S | close S [refused] | pong |
 *                 join S M | part S M | all M LINE
 *
 * "late": the client takes no more lines of mirrors, and lacks GAME from EVENT on.
 * S is a number that the door never uses twice on a link. A client whose source admission
 * refuses is answered "close S refused". Unknown words are skipped. */
#ifndef SERVER_NET_LINK_H
#define SERVER_NET_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/net/wire.h"

#define LINK_GREETING "* janggi-link/1"

struct branch_client;
struct branches;
struct event_base;
struct links;

/* Makes a session of it, on a branch of its own. False: it is refused. */
typedef bool link_open_fn(void *arg, struct branches *branches,
                          const struct branch_client *client, int64_t now_ms);

/* owner: of a branch, whose client lacks the game from that event on. */
typedef void link_late_fn(void *arg, void *owner, int64_t game, int event);

struct links *links_new(struct event_base *base, link_open_fn *on_open,
                        link_late_fn *on_late, void *arg) MUST_USE;
/* All links must have ended. Takes NULL. */
void links_free(struct links *links);

/* The open wire of a node: takes it from its owner. */
void links_take(struct links *links, struct wire *wire);
/* Ends all links. */
void links_drop(struct links *links);
int links_count(const struct links *links);
int links_count_clients(const struct links *links);

/* The limits of the wire of a link, at both ends. */
const struct wire_limits *link_limits(void);
/* Parses the number at the start of a line, up to a space or the end; *rest is what follows
 * the space. False: there is none. */
bool link_parse_number(char *line, uint32_t *number, char **rest) MUST_USE;

/* The key of a client as a word of the link. */
enum { LINK_KEY_TEXT_BYTES = 2 * TLS_DIGEST_BYTES + 1 };
void link_key_format(char out[LINK_KEY_TEXT_BYTES], const struct tls_key *key);

#endif
