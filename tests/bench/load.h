/* Pairs of connections over TLS that a server relays lines between. For janggid they
 * are two players with a game that was made in advance: a line is complete when the
 * mover has its OK and the opponent has seen the move. For redis-server one end
 * publishes the same line and the other one subscribes: complete when the publisher has
 * its number and the subscriber the message. Both go through common/wire, so that the
 * load generator costs the same for both. */
#ifndef TESTS_BENCH_LOAD_H
#define TESTS_BENCH_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/net/wire.h"
#include "tests/bench/target.h"
#include "tests/bot/random_game.h"

struct event_base;
struct load;
struct load_pair;

/* One connection of a pair; end 0 plays red, or publishes. */
struct load_end {
    struct load_pair *pair;
    struct wire *wire;
    int number;
};

enum { LOAD_BACKLOG = 64 };

struct load_pair {
    struct load *load;
    int number;
    struct load_end end[2];
    int ends_up;      /* logged in, subscribed */
    bool is_ready;    /* a line may be sent */
    bool is_busy;     /* a line was sent and is not complete: */
    bool has_answer;  /* its sender has received the answer */
    bool has_sight;   /* the other end has received the line */
    int64_t sent_us;  /* when the line was due */
    int64_t sight_us; /* time until the other end received it */
    const struct random_game *book;
    int64_t game;
    int ply;                      /* of the line that was sent last */
    int64_t due_us[LOAD_BACKLOG]; /* when the lines that wait for it were due */
    int due;
};

/* How to speak to a server. */
struct load_dialect {
    void (*on_open)(struct load_end *end);
    void (*on_line)(struct load_end *end, char *line);
    void (*begin)(struct load_pair *pair); /* both ends are up */
    void (*send)(struct load_pair *pair);
    /* True: the pair cannot go on as it is, and gets ready anew. NULL: it always can.
     */
    bool (*start_over)(struct load_pair *pair);
};
extern const struct load_dialect load_dialects[TARGETS];

struct load_result {
    int64_t lines;
    int64_t all; /* also those that were on their way at the end */
    double seconds;
    int64_t p50_us, p99_us;
    int64_t dropped; /* open loop: lines that were due and never sent */
};

/* Connects all pairs, which log in. Ends the program when that fails. plies: the length
 * of their games, which begin again after their end. */
struct load *load_connect_all(struct event_base *base, const struct target *target,
                              int pairs, int plies) MUST_USE;
/* Then begins their games. */
void load_begin(struct load *load);
/* Both, with games of 60 plies. */
struct load *load_new(struct event_base *base, const struct target *target,
                      int pairs) MUST_USE;
/* The number of a pair's game at janggid. */
int64_t load_game(const struct load *load, int pair);
/* Each pair plays until its game has so many plies. */
void load_play_to(struct load *load, int plies);
/* rate: lines a second to be sent whatever happens, or 0: each pair sends its next line
 * as soon as the one before is complete. */
void load_run(struct load *load, double seconds, double rate, struct load_result *out);
void load_free(struct load *load);

/* --- For the dialects --- */

void load_sayf(struct load_end *end, const char *format, ...) PRINTF_LIKE(2, 3);
void load_up(struct load_end *end);      /* this end has logged in, has subscribed */
void load_ready(struct load_pair *pair); /* the pair may send */
void load_answered(struct load_pair *pair);
void load_seen(struct load_pair *pair);
NO_RETURN void load_fail(struct load_end *end, const char *line);

/* --- One connection, for others too --- */

/* A wire to the target from an address of 127/8 that number chooses. */
struct wire *load_connect(struct wire_hub *hub, SSL_CTX *tls, int port, unsigned number,
                          const struct wire_calls *calls, void *owner) MUST_USE;

#endif
