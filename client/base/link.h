/* Parses what a person types or pastes to name a server: a link, or a host and a port.
 * Pure text, no network.
 *
 *   janggi://host:port/join/CODE/KEY      join the game of invitation CODE
 *   janggi://host:port/watch/KEY          watch a game on that server
 *   janggi://host:port/watch/CODE/KEY     watch that private game
 *   janggi://host:port/enter/CODE/KEY     become a member of that server
 *   janggi://host:port/owner/CODE/KEY     become an owner of that server
 *   HOST  HOST:PORT  [v6]  [v6]:PORT      only connect
 *
 * In all forms the brackets can be written as %5B and %5D, which a shell does not
 * interpret. */
#ifndef CLIENT_BASE_LINK_H
#define CLIENT_BASE_LINK_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/base/text.h"
#include "common/net/tls.h"

enum link_kind { LINK_LOBBY, LINK_JOIN, LINK_WATCH, LINK_ENTER, LINK_OWNER };

enum {
    LINK_HOST_BYTES = 254,
    LINK_PORT_BYTES = 6,
    LINK_CODE_BYTES = 40,
    LINK_SERVER_BYTES = 268,
    LINK_WHY_BYTES = 160
};

struct link {
    enum link_kind kind;
    char host[LINK_HOST_BYTES]; /* without brackets, for the resolver */
    char port[LINK_PORT_BYTES];
    char code[LINK_CODE_BYTES];   /* the CODE in the forms above; "": no code */
    char key[TLS_KEY_TEXT_BYTES]; /* "", or 22 to 43 characters of the server's key */
};

/* Parses a link, or a host and a port. Returns false with the error as a sentence in
 * `why`; *out is then unchanged. */
bool link_parse(const char *text, struct link *out, char why[LINK_WHY_BYTES]) MUST_USE;

/* Writes "host:port" or "[v6]:port", the form that is stored and shown. */
void link_format_server(char out[LINK_SERVER_BYTES], const struct link *link);

/* Writes "host:port" or "%5Bv6%5D:port", the form in a link, which is safe to paste
 * into a shell. */
void link_format_pasted(char out[LINK_SERVER_BYTES], const struct link *link);

/* Writes the host and the port in the shortest form that a person can type. Leaves out
 * the port if it is the default port. */
void link_format_typed(char out[LINK_SERVER_BYTES], const struct link *link);

/* From where other people can reach a server. */
enum link_reach {
    LINK_REACH_ANY,     /* from anywhere, as far as known */
    LINK_REACH_NETWORK, /* only from the same network: a private address */
    LINK_REACH_HERE     /* only from this machine: no other address is known */
};

/* Chooses the host and port for a link that another person will use, and writes them to
 * *out. to: the server that we are connected to. is_loopback: we are connected through
 * the loopback interface. public_name and addresses: what the server reported (see
 * PROTOCOL.md); "" or NULL: it reported nothing. The result tells from where other
 * people can reach the host and port in *out. */
enum link_reach link_outside(struct link *out, const struct link *to, bool is_loopback,
                             const char *public_name, const char *addresses);

/* Adds a warning to `out` if the link `outside` does not work from everywhere. reach:
 * what link_outside() returned. */
void link_add_warning(struct text *out, const struct link *outside,
                      enum link_reach reach);

enum { LINK_PROXY_BYTES = LINK_SERVER_BYTES + 16 };

struct link_proxy {
    char host[LINK_HOST_BYTES]; /* without brackets, for the resolver */
    char port[LINK_PORT_BYTES];
};

/* Parses the address of a SOCKS proxy: "socks5://HOST[:PORT]", or the same with
 * "socks5h://", as other programs write it. In both cases the proxy resolves the
 * server's name. The default port is 1080. Returns false for another form; *out is then
 * unchanged. */
bool link_parse_proxy(const char *text, struct link_proxy *out) MUST_USE;

/* Returns true if `text` is 22 to 43 characters of base64url, which is the form of a
 * server's key or of its beginning. */
bool link_is_key(const char *text) MUST_USE;

#endif
