/* A bad network in a box: a TCP relay between clients and a server on this machine.
 * What passes is late, unevenly so, in small pieces, stands still for a while; and a
 * connection can be cut at a chosen moment, in each of the ways in which networks do
 * it, also so that one end never hears of it. It relays bytes and knows nothing of what
 * they mean: TLS goes through it from end to end. One loop thread. */
#ifndef TESTS_LIB_IMPAIR_H
#define TESTS_LIB_IMPAIR_H

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
    IMPAIR_CLOSE,           /* both ends get FIN, and TLS says no goodbye */
    IMPAIR_CLIENT_VANISHES, /* the client gets RST; the server hears nothing, ever */
    IMPAIR_SERVER_VANISHES, /* the other way round */
    IMPAIR_GARBLE,          /* a bit changes on the way; the ends find out */
    IMPAIR_MANNERS
};
/* "reset", "close" ... */
const char *impair_manner_name(enum impair_manner manner);

/* The same for all links, both ways. */
struct impair_weather {
    uint64_t seed;
    int delay_ms, jitter_ms; /* delay +- jitter; order is kept */
    int stalls_per_mille,
        stall_ms;      /* of the pieces: all behind it waits, up to so long */
    bool is_in_pieces; /* a third of the links one byte at a time, a third up to 100 */
};

/* Any may be NULL. A link may be cut from inside on_link; nothing has passed yet. */
struct impair_calls {
    void (*on_link)(void *arg, struct impair_link *link);
    /* A trap has closed. mark is what it was set with. */
    void (*on_cut)(void *arg, struct impair_link *link, int mark,
                   enum impair_manner manner);
    /* It relays no more; the pointer is not to be used again. */
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
/* Cuts what is left. Takes NULL. */
void impair_free(struct impair *impair);
/* Where clients connect to. */
int impair_port(const struct impair *impair);
struct impair_counts impair_counts(const struct impair *impair);

/* The client's address, host byte order. */
uint32_t impair_link_address(const struct impair_link *link);

/* --- Cuts --- */

/* Now. What was on its way is lost. Not IMPAIR_GARBLE. */
void impair_cut(struct impair_link *link, enum impair_manner manner);

/* What a trap waits for. */
enum impair_moment {
    IMPAIR_BEFORE_BYTES, /* the client's next bytes: they do not arrive */
    IMPAIR_BEFORE_REPLY, /* the client's next bytes arrive, what the server then sends
                            does not */
    IMPAIR_AFTER_UP,     /* that number of bytes has been passed on to the server */
    IMPAIR_AFTER_DOWN    /* from it */
};
/* False: the link is cut, or has a trap already. */
bool impair_trap(struct impair_link *link, enum impair_moment moment, int bytes,
                 enum impair_manner manner, int mark);

#endif
