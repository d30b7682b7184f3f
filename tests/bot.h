/* Scripted players over real TLS, thousands in one loop. A bot connects and judges the
 * server's key, logs in with its own token, finds a game with its partner, plays random
 * legal moves, and comes back by itself when the connection or the server goes: it
 * resumes each game at the first event that it has not seen and sends the move that was
 * not answered again, with its ply. It folds all it is told through common/game, keeps
 * it as a witness, and complains of everything that PROTOCOL.md does not allow.
 *
 * bot.c connects and logs in, bot_play.c plays. One loop thread. */
#ifndef TESTS_BOT_H
#define TESTS_BOT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base.h"
#include "common/game.h"
#include "common/move.h"
#include "common/proto.h"
#include "common/wire.h"
#include "tests/witness.h"

struct bot;
struct bot_match;
struct event_base;

enum { BOT_NAME_BYTES = 17, BOT_TOKEN_BYTES = 64, BOT_FAULTS_SHOWN = 20 };

/* What a crowd of bots is to do. Any of the calls may be NULL. */
struct bots_settings {
    uint64_t seed;
    int think_ms;       /* a bot thinks 0 to twice that long before a move */
    int plies_max;      /* then the side to move resigns; 0: never */
    int cuts_per_mille; /* of its moves: it hangs up soon after, answered or not */
    int back_off_first_ms, back_off_most_ms; /* before it comes back; 0: 20 ms, 1 s */
    /* Small segments and a small receive buffer: with what the loopback device would
     * use, the system alone holds megabytes for a connection. */
    bool is_narrow;
    bool is_from_all_over; /* connect from addresses spread over 127/8 */
    void *arg;
    void (*on_in)(void *arg, struct bot *bot);      /* logged in, also again */
    bool (*wants_game)(void *arg, struct bot *bot); /* NULL: always */
    /* How long the present server has run. With it, clocks are noted at each resume. */
    int64_t (*run_ms)(void *arg);
    enum lineup (*choose_lineup)(void *arg, struct bot *bot, struct bot_match *match);
    struct move (*choose)(void *arg, struct bot *bot, struct bot_match *match);
    void (*on_answered)(void *arg, struct bot *bot, int64_t took_us); /* a move's OK */
    void (*on_over)(void *arg, struct bot *bot, struct bot_match *match);
};

struct bots_counts {
    int64_t logins, answers, events;
    int64_t moves;   /* acknowledged */
    int64_t resent;  /* moves sent again, on another connection */
    int64_t repeats; /* of these, already played: the same OK came again */
    int64_t faults;
};

struct bots {
    struct event_base *base;
    struct wire_hub *hub;
    SSL_CTX *tls;
    struct bots_settings settings;
    struct bots_counts counts;
    int port;
    char key[TLS_KEY_TEXT_BYTES]; /* "": any */
    struct bot *first, *last;
    int count, online;
};

enum bot_state {
    BOT_AWAY,       /* not connected; the timer brings it back unless it has stopped */
    BOT_CONNECTING, /* until the server's greeting */
    BOT_LOGIN,
    BOT_IN
};

enum bot_ask {
    ASK_NONE,
    ASK_LOGIN,
    ASK_SEEK,
    ASK_ACCEPT,
    ASK_SETUP,
    ASK_MOVE,
    ASK_RESIGN
};

/* One game that a bot plays or watches. */
struct bot_match {
    struct bot_match *next; /* of the same bot, newest first */
    struct witness witness;
    struct game game;
    enum side side; /* SIDE_NONE: a watcher, or not known yet */
    int due_events; /* it is behind until it has folded so many */
    bool is_broken; /* the log did not follow; nothing more is done in it */
};

/* Read freely. */
struct bot {
    struct bots *of;
    struct bot *next;
    int number;
    char name[BOT_NAME_BYTES]; /* "": a guest */
    int name_tries;
    char token[BOT_TOKEN_BYTES];
    enum bot_state state;
    bool has_stopped;
    struct wire *wire;
    struct event *timer; /* back-off, thinking */
    bool is_thinking;
    bool is_cutting; /* the timer cuts the connection */
    int failures;    /* in a row, for the back-off */
    uint64_t random;
    enum bot_ask asking; /* what the next answer is about */
    int resumes_due;     /* answers to resume and watch that come before it */
    int64_t asked_us;
    /* playing */
    struct bot *partner;
    bool is_maker;           /* seeks; the partner accepts */
    const char *terms;       /* "time=none" */
    int64_t seek_id;         /* of its open seek */
    struct bot_match *match; /* the one it plays */
    struct bot_match *matches;
    int played;
    struct move move; /* sent, not answered; move_ply is 0 without one */
    int move_ply;
    bool is_again;         /* it was sent on an earlier connection too */
    int answered_ply;      /* of its last OK */
    bool is_answered_here; /* on this connection */
};

struct bots *bots_new(struct event_base *base,
                      const struct bots_settings *settings) MUST_USE;
/* key: what janggid printed, "" for any. */
void bots_set_server(struct bots *bots, int port, const char *key);
/* Runs the loop until all have gone, and frees everything. */
void bots_free(struct bots *bots);
/* A bot of that name, or a guest (""). It connects at once and stays until it is
 * stopped. Owned by bots. */
struct bot *bots_add(struct bots *bots, const char *name);
/* Two bots that play each other, game after game. terms is borrowed. */
void bots_pair(struct bot *maker, struct bot *taker, const char *terms);
/* Says quit, and does not come back. */
void bot_stop(struct bot *bot);
/* Follows a game from its first event. */
void bot_watch(struct bot *bot, int64_t game);
struct bot_match *bot_find_match(const struct bot *bot, int64_t game);
/* Frees a match that is over. Not from inside a callback about it. */
void bot_forget_match(struct bot *bot, struct bot_match *match);
/* 0 .. below - 1. */
uint32_t bot_random(struct bot *bot, uint32_t below);
/* The server did what it must not do. */
void bot_fault(struct bot *bot, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- Between bot.c and bot_play.c ------------------------------------------ */

void bot_sayf(struct bot *bot, const char *format, ...) PRINTF_LIKE(2, 3);
/* "! game ID NUMBER TEXT" without the first two words. */
void bot_take_event(struct bot *bot, char *words);
void bot_take_ok(struct bot *bot, const struct proto_line *line);
void bot_take_err(struct bot *bot, const struct proto_line *line);
/* Logged in: games is the list of the answer, "3,7" or "-". */
void bot_take_seats(struct bot *bot, const char *games);
/* Whatever is to be done next, if anything. */
void bot_act(struct bot *bot);
/* The thinking is over. */
void bot_take_turn(struct bot *bot);

#endif
