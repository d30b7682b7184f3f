/* What a person types or pastes to say where to play: a link, or a host and a port.
 * Pure text, no network.
 *
 *   janggi://host:port/join/CODE/KEY      take the seat that waits behind CODE
 *   janggi://host:port/watch/KEY          watch what is being played there
 *   HOST  HOST:PORT  [v6]  [v6]:PORT      just go there
 *
 * In all of them the brackets may be %5B and %5D: those need no quotes in a shell. */
#ifndef CLIENT_BASE_LINK_H
#define CLIENT_BASE_LINK_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/base/text.h"
#include "common/net/tls.h"

enum link_kind { LINK_LOBBY, LINK_JOIN, LINK_WATCH };

enum {
    LINK_HOST_BYTES = 254,
    LINK_PORT_BYTES = 6,
    LINK_CODE_BYTES = 32,
    LINK_SERVER_BYTES = 268,
    LINK_WHY_BYTES = 160
};

struct link {
    enum link_kind kind;
    char host[LINK_HOST_BYTES]; /* without brackets, for the resolver */
    char port[LINK_PORT_BYTES];
    char code[LINK_CODE_BYTES];   /* "" unless it is a join link */
    char key[TLS_KEY_TEXT_BYTES]; /* "", or 22 to 43 characters of the server's key */
};

/* False: *out is unchanged, and why has the error in a sentence. */
bool link_parse(const char *text, struct link *out, char why[LINK_WHY_BYTES]) MUST_USE;

/* "host:port", "[v6]:port": the form that is stored and shown. */
void link_format_server(char out[LINK_SERVER_BYTES], const struct link *link);

/* "host:port", "%5Bv6%5D:port": the form in a link, safe to paste into a shell. */
void link_format_pasted(char out[LINK_SERVER_BYTES], const struct link *link);

/* The shortest form to type: without the default port. */
void link_format_typed(char out[LINK_SERVER_BYTES], const struct link *link);

/* From where a server can be reached. */
enum link_reach {
    LINK_REACH_ANY,     /* from everywhere, as far as known */
    LINK_REACH_NETWORK, /* only from the same network: a private address */
    LINK_REACH_HERE     /* only from this machine: no other address is known */
};

/* Host and port for a link that somebody else follows, into out. We are at the server
 * to, through the loopback interface or not; it told its public name and addresses (as
 * in PROTOCOL.md; "" or NULL: none). */
enum link_reach link_outside(struct link *out, const struct link *to, bool is_loopback,
                             const char *public_name, const char *addresses);

/* Adds one line of warning for people, or nothing, about the reach of a link. */
void link_add_warning(struct text *out, const struct link *outside,
                      enum link_reach reach);

/* True for 22 to 43 characters of base64url, the form of a key. */
bool link_is_key(const char *text) MUST_USE;

#endif
