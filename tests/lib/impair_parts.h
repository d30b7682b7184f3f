/* Between impair.c, which has the links, and impair_pipe.c, which passes bytes on. */
#ifndef TESTS_LIB_IMPAIR_PARTS_H
#define TESTS_LIB_IMPAIR_PARTS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/lib/impair.h"

struct evconnlistener;
struct event;
struct event_base;

enum { IMPAIR_PIECE_BYTES = 16384 };

/* Bytes that have been read and are due at the other end; none: the end of the stream.
 */
struct piece {
    struct piece *prev, *next;
    int64_t due_us;
    size_t len, sent;
    char bytes[];
};

struct pipe {
    struct impair_link *link;
    enum impair_way way;
    int from, to;
    struct event *readable, *writable, *timer;
    struct piece *pieces;
    size_t waiting;      /* bytes in pieces */
    int64_t last_due_us; /* no piece overtakes another */
    int64_t received, sent;
    bool is_drained; /* the end of the stream has come */
    bool is_ended;   /* and was passed on */
};

enum trap_state { TRAP_NONE, TRAP_SET, TRAP_ASKED /* now the reply */ };

struct trap {
    enum trap_state state;
    enum impair_moment moment;
    int64_t bytes; /* of pipe->sent */
    enum impair_manner manner;
    int mark;
};

struct impair_link {
    struct impair *of;
    struct impair_link *prev, *next;
    uint32_t address;
    int client, server; /* -1: closed */
    struct pipe pipe[IMPAIR_WAYS];
    size_t piece_max; /* bytes a write */
    struct trap trap;
    bool is_cut; /* what is still open is half of it, which hears nothing */
};

struct impair {
    struct event_base *base;
    struct evconnlistener *listener;
    struct impair_weather weather;
    const struct impair_calls *calls;
    void *arg;
    uint64_t random;
    struct sockaddr_in server;
    int port;
    struct impair_link *links;
    struct impair_counts counts;
};

/* 0 .. below - 1. */
uint32_t impair_draw(struct impair *impair, uint32_t below);
/* Tells on_gone unless it was cut before, and closes what is open. */
void impair_link_free(struct impair_link *link);

/* --- impair_pipe.c --- */

/* Begins to read. */
void impair_pipe_init(struct impair_link *link, enum impair_way way);
/* Passes nothing more on. */
void impair_pipe_clear(struct pipe *pipe);

#endif
