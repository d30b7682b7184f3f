/* A simulated bad network: a TCP relay between clients and a server on this machine.
 * Data is delayed by varying times, split into small pieces, and stalled for a while;
 * and a connection can be cut at a chosen moment, in each of the ways in which networks
 * fail, also so that one end does not notice. It relays bytes without interpreting
 * them: TLS passes through it from end to end. One loop thread. */
#ifndef TESTS_BOT_IMPAIR_H
#define TESTS_BOT_IMPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

struct event_base;
struct impair;
struct impair_link;

enum impair_way { IMPAIR_UP, IMPAIR_DOWN, IMPAIR_WAYS }; /* to the server; from it */

/* How a connection is cut. */
enum impair_manner {
    IMPAIR_RESET,           /* both ends get RST */
    IMPAIR_CLOSE,           /* both ends get FIN, without close_notify */
    IMPAIR_CLIENT_VANISHES, /* the client gets RST; the server gets nothing */
    IMPAIR_SERVER_VANISHES, /* the other way round */
    IMPAIR_GARBLE,          /* one bit is flipped; the ends detect it */
    IMPAIR_MANNERS
};
/* "reset", "close" ... */
const char *impair_manner_name(enum impair_manner manner);

/* The same for all links, both ways. */
struct impair_weather {
    uint64_t seed;
    int delay_ms, jitter_ms; /* delay +- jitter; order is kept */
    int stalls_per_mille,
        stall_ms;      /* share of the pieces that stall all data behind them, up to so
                        * long */
    bool is_in_pieces; /* a third of the links one byte at a time, a third up to 100 */
};

/* Any may be NULL. A link may be cut from inside on_link; no data has passed yet. */
struct impair_calls {
    void (*on_link)(void *arg, struct impair_link *link);
    /* A trap has triggered. mark is the value that it was set with. */
    void (*on_cut)(void *arg, struct impair_link *link, int mark,
                   enum impair_manner manner);
    /* The link has ended; do not use the pointer again. */
    void (*on_gone)(void *arg, struct impair_link *link);
};

struct impair_counts {
    int64_t links, stalls;
    int64_t bytes[IMPAIR_WAYS];  /* passed on */
    int64_t pieces[IMPAIR_WAYS]; /* in so many writes */
};

/* Relays to 127.0.0.1:server_port. base, calls and arg are borrowed. Ends the program
 * if there is no port to listen on. */
struct impair *impair_new(struct event_base *base, int server_port,
                          const struct impair_weather *weather,
                          const struct impair_calls *calls, void *arg) MUST_USE;
/* Cuts what is left. Accepts NULL. */
void impair_free(struct impair *impair);
/* Where clients connect to. */
int impair_port(const struct impair *impair);
struct impair_counts impair_counts(const struct impair *impair);

/* The client's address, host byte order. */
uint32_t impair_link_address(const struct impair_link *link);

/* --- Cuts --- */

/* Cuts it now. Data in transit is lost. Not IMPAIR_GARBLE. */
void impair_cut(struct impair_link *link, enum impair_manner manner);

/* The event that triggers a trap. */
enum impair_moment {
    IMPAIR_BEFORE_BYTES, /* the client sends its next bytes: they do not arrive */
    IMPAIR_BEFORE_REPLY, /* the client's next bytes arrive, the server's reply does
                          * not */
    IMPAIR_AFTER_UP,     /* that number of bytes has been passed on to the server */
    IMPAIR_AFTER_DOWN    /* from it */
};
/* False: the link is cut, or has a trap already. */
bool impair_trap(struct impair_link *link, enum impair_moment moment, int bytes,
                 enum impair_manner manner, int mark);

#endif
