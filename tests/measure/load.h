/* Pairs of connections over TLS. A server relays lines between the two ends of a pair.
 * For janggid the ends are two players of a game whose moves were made in advance: a
 * line is complete when the mover has its OK and the opponent has seen the move. For
 * redis-server one end publishes the same line, and the other end subscribes: a line is
 * complete when the publisher has the answer and the subscriber has the message. The
 * load generator uses common/wire for both servers, so that its own cost is equal. */
#ifndef TESTS_BENCH_LOAD_H
#define TESTS_BENCH_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/net/wire.h"
#include "tests/bot/random_game.h"
#include "tests/measure/target.h"

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
    int ends_up;      /* ends that are logged in or subscribed */
    bool is_ready;    /* a line can be sent */
    bool is_busy;     /* a line was sent and is not complete */
    bool has_answer;  /* the sender of the line has received the answer */
    bool has_sight;   /* the other end has received the line */
    int64_t sent_us;  /* when the line was due */
    int64_t sight_us; /* time until the other end received it */
    const struct random_game *book;
    int64_t game;
    int ply;                      /* ply of the line that was sent last */
    int64_t due_us[LOAD_BACKLOG]; /* when the waiting lines were due */
    int due;
};

/* How to speak to a server. */
struct load_dialect {
    void (*on_open)(struct load_end *end);
    void (*on_line)(struct load_end *end, char *line);
    void (*begin)(struct load_pair *pair); /* called when both ends are up */
    void (*send)(struct load_pair *pair);
    /* If the game of the pair is at its end, asks for the next game and returns true:
     * the pair cannot send now. NULL: the pair can always send. */
    bool (*start_over)(struct load_pair *pair);
};
extern const struct load_dialect load_dialects[TARGETS];

struct load_result {
    int64_t lines;
    int64_t all; /* `lines`, plus the lines that were sent but were not yet complete at
                  * the end */
    double seconds;
    int64_t p50_us, p99_us;
    int64_t dropped; /* lines that were never sent, because LOAD_BACKLOG lines of the
                      * pair were waiting; 0 if `rate` is 0 */
};

/* Connects all pairs and waits until they have logged in. Ends the program when that
 * fails. plies: the length of a game; after it the pair begins another one. */
struct load *load_connect_all(struct event_base *base, const struct target *target,
                              int pairs, int plies) MUST_USE;
/* Begins the games of pairs that load_connect_all() has connected, and waits until all
 * can send. */
void load_begin(struct load *load);
/* Calls load_connect_all() for games of 60 plies, and then load_begin(). */
struct load *load_new(struct event_base *base, const struct target *target,
                      int pairs) MUST_USE;
/* Returns the number of a pair's game at janggid. */
int64_t load_game(const struct load *load, int pair);
/* Lets each pair play until its game has `plies` plies. */
void load_play_to(struct load *load, int plies);
/* Sends lines for `seconds`. rate: how many lines a second become due, whether or not
 * earlier ones are complete; 0: each pair sends its next line as soon as its last one
 * is complete. */
void load_run(struct load *load, double seconds, double rate, struct load_result *out);
void load_free(struct load *load);

/* --- For the dialects --- */

void load_sayf(struct load_end *end, const char *format, ...) PRINTF_LIKE(2, 3);
void load_up(struct load_end *end);      /* this end has logged in or subscribed */
void load_ready(struct load_pair *pair); /* the pair can send now */
void load_answered(struct load_pair *pair);
void load_seen(struct load_pair *pair);
NO_RETURN void load_fail(struct load_end *end, const char *line);

/* --- One connection, for others too --- */

/* Connects to the target from an address in 127/8 that depends on `number`. */
struct wire *load_connect(struct wire_hub *hub, SSL_CTX *tls, int port, unsigned number,
                          const struct wire_calls *calls, void *owner) MUST_USE;

#endif
