/* A simulated bad network: a TCP relay between clients and a server on this machine. It
 * delays data by varying times, splits it into small pieces, and stalls it for a while.
 * It can cut a connection at a chosen moment, in each of the ways in which networks
 * fail; in some of them one end does not notice the cut. It relays bytes without
 * interpreting them: TLS passes through it from end to end. One loop thread. */
#ifndef TESTS_BOT_IMPAIR_H
#define TESTS_BOT_IMPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

struct event_base;
struct impair;
struct impair_link;

enum impair_way { IMPAIR_UP, IMPAIR_DOWN, IMPAIR_WAYS }; /* up: to the server */

/* How a connection is cut. */
enum impair_manner {
    IMPAIR_RESET,           /* both ends get RST */
    IMPAIR_CLOSE,           /* both ends get FIN, without close_notify */
    IMPAIR_CLIENT_VANISHES, /* the client gets RST; the server gets nothing */
    IMPAIR_SERVER_VANISHES, /* the server gets RST; the client gets nothing */
    IMPAIR_GARBLE,          /* one bit is flipped, which the other end detects */
    IMPAIR_MANNERS
};
/* Returns a name such as "reset" or "close". */
const char *impair_manner_name(enum impair_manner manner);

/* What the relay does to the data on all links, in both directions. */
struct impair_weather {
    uint64_t seed;
    int delay_ms, jitter_ms; /* each piece is delayed by delay_ms, plus or minus up to
                              * jitter_ms; the order is kept */
    int stalls_per_mille,
        stall_ms; /* `stalls_per_mille`: share of the pieces that stall, with all data
                   * behind them; `stall_ms`: the longest stall */
    bool is_in_pieces; /* a third of the links pass one byte at a time, another third up
                        * to 100 bytes */
};

/* Any callback may be NULL. A link may be cut from inside on_link, before any data has
 * passed. */
struct impair_calls {
    void (*on_link)(void *arg, struct impair_link *link);
    /* A trap of the link has triggered. mark: the value given to impair_trap(). */
    void (*on_cut)(void *arg, struct impair_link *link, int mark,
                   enum impair_manner manner);
    /* The link has ended; do not use the pointer again. */
    void (*on_gone)(void *arg, struct impair_link *link);
};

struct impair_counts {
    int64_t links, stalls;
    int64_t bytes[IMPAIR_WAYS];  /* bytes passed on */
    int64_t pieces[IMPAIR_WAYS]; /* number of writes in which the bytes were passed
                                  * on */
};

/* Creates a relay to 127.0.0.1:server_port. Borrows base, calls and arg. Ends the
 * program if it cannot listen on any port. */
struct impair *impair_new(struct event_base *base, int server_port,
                          const struct impair_weather *weather,
                          const struct impair_calls *calls, void *arg) MUST_USE;
/* Closes the remaining links. Accepts NULL. */
void impair_free(struct impair *impair);
/* Returns the port on 127.0.0.1 to which clients connect. */
int impair_port(const struct impair *impair);
struct impair_counts impair_counts(const struct impair *impair);

/* Returns the client's address, in host byte order. */
uint32_t impair_link_address(const struct impair_link *link);

/* --- Cuts --- */

/* Cuts the link now. Data in transit is lost. `manner` must not be IMPAIR_GARBLE. */
void impair_cut(struct impair_link *link, enum impair_manner manner);

/* What triggers a trap. */
enum impair_moment {
    IMPAIR_BEFORE_BYTES, /* the client sends bytes; they are not passed on */
    IMPAIR_BEFORE_REPLY, /* the server replies to the client's next bytes; the reply is
                          * not passed on */
    IMPAIR_AFTER_UP,     /* `bytes` bytes have been passed on to the server */
    IMPAIR_AFTER_DOWN    /* `bytes` bytes have been passed on from the server */
};
/* Sets a trap, which cuts the link later. Returns false if the link is cut or already
 * has a trap. */
bool impair_trap(struct impair_link *link, enum impair_moment moment, int bytes,
                 enum impair_manner manner, int mark);

#endif
