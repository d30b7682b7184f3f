/* Scripted players over real TLS, thousands in one loop. A bot connects and checks
 * the server's key, logs in with its own token, finds a game with its partner, plays
 * random legal moves, and reconnects when the connection or the server is lost: it
 * resumes each game at the first event that it has not received, and repeats an
 * unanswered move with its ply. It applies all events to a game of common/game,
 * records them in a history, and reports everything that PROTOCOL.md does not allow.
 *
 * bot.c connects and logs in, bot_play.c plays, bot_offer.c makes and answers
 * offers. One loop thread. */
#ifndef TESTS_BOT_BOT_H
#define TESTS_BOT_BOT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/game/move.h"
#include "common/net/proto.h"
#include "common/net/wire.h"
#include "tests/bot/history.h"

struct bot;
struct bot_match;
struct event_base;
struct random_game;

enum { BOT_NAME_BYTES = 17, BOT_TOKEN_BYTES = 64, BOT_FAULTS_SHOWN = 20 };

enum bot_ask {
    ASK_NONE,
    ASK_LOGIN,
    ASK_SEEK,
    ASK_ACCEPT,
    ASK_SETUP,
    ASK_MOVE,
    ASK_RESIGN,
    ASK_OFFER,  /* a draw, a takeback */
    ASK_REPLY,  /* to an offer */
    ASK_RESUME, /* never in bot->asking: several may be unanswered */
    ASKS
};

/* A step of a bot at which a test may interfere. */
enum bot_step {
    BOT_GREETED,
    BOT_ASKS,     /* its command is about to go out */
    BOT_ANSWERED, /* OK, and nothing after it has been read */
    BOT_SEES_MOVE,
    BOT_SEES_OFFER,
    BOT_SEES_END
};

/* The settings of a group of bots. Any of the calls may be NULL. */
struct bots_settings {
    uint64_t seed;
    int think_ms;       /* a bot thinks 0 to twice that long before a move */
    int plies_max;      /* then the side to move resigns; 0: never */
    int cuts_per_mille; /* share of its moves after which it disconnects, answered or
                         * not */
    int back_off_first_ms, back_off_most_ms; /* before it comes back; 0: 20 ms, 1 s */
    bool has_client_back_off; /* as janggi's: 1 s, doubled up to 30 s, plus or minus a
                               * quarter; reset when a TLS connection is open */
    int offers_per_mille;     /* share of its turns on which it first offers a draw or a
                               * takeback */
    int patience_ms;    /* limit of silence: it pings at half of it, then disconnects;
                         * 0: none */
    bool never_resumes; /* a negative control: it reconnects, but does not resume */
    /* Small segments and a small receive buffer: with the loopback device's defaults,
     * the kernel alone holds megabytes for a connection. */
    bool is_narrow;
    bool is_from_all_over; /* connect from addresses spread over 127/8 */
    void *arg;
    void (*on_in)(void *arg, struct bot *bot);      /* logged in, also again */
    bool (*wants_game)(void *arg, struct bot *bot); /* NULL: always */
    /* When the present server was started, on the monotonic clock. If set, clocks are
     * recorded at each resume. */
    int64_t (*server_began_ms)(void *arg);
    const struct random_game
        *script; /* the pairs play these games in turn, pair i the */
    int scripts; /* i-th modulo scripts; 0: moves are random */
    void (*on_answered)(void *arg, struct bot *bot, int64_t took_us); /* a move's OK */
    void (*on_over)(void *arg, struct bot *bot, struct bot_match *match);
    bool (*wants_turn)(void *arg, struct bot *bot); /* NULL: always */
    /* asked: the request that was made or answered, or ASK_NONE. */
    void (*on_step)(void *arg, struct bot *bot, enum bot_step step, enum bot_ask asked);
    void (*on_clock)(void *arg, struct bot *bot, const struct proto_line *line);
    void (*on_block)(void *arg, struct bot *bot, const char *line);   /* "| ..." */
    void (*on_notice)(void *arg, struct bot *bot, const char *words); /* "! notice" */
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
    BOT_AWAY,       /* not connected; the timer reconnects unless it has stopped */
    BOT_CONNECTING, /* until the server's greeting */
    BOT_LOGIN,
    BOT_IN
};

/* One game that a bot plays or watches. */
struct bot_match {
    struct bot_match *next; /* of the same bot, newest first */
    struct history history;
    struct game game;
    enum side side; /* SIDE_NONE: a watcher, or not known yet */
    int due_events; /* it is behind until it has applied this many events */
    bool is_broken; /* an event was illegal; the bot does nothing more in this game */
    bool was_taken_back;
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
    int64_t server_began_ms; /* of the server at the other end */
    struct event *timer;     /* back-off, thinking */
    bool is_thinking;
    bool is_cutting; /* the timer cuts the connection */
    int failures;    /* in a row, for the back-off */
    uint64_t random;
    enum bot_ask asking; /* what the next answer is about */
    int resumes_due;     /* answers to resume and watch that precede it */
    int64_t asked_us;
    struct event *alive; /* checks for silence; NULL without patience_ms */
    int64_t heard_ms;
    bool is_pinged;
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
    /* offers */
    int offered_at;   /* number of events of its game at its latest offer */
    int64_t offer_id; /* its own that stands; it waits */
    int64_t reply_id; /* one to be answered */
    bool is_draw;     /* that one */
};

struct bots *bots_new(struct event_base *base,
                      const struct bots_settings *settings) MUST_USE;
/* key: what janggid printed, "" for any. */
void bots_set_server(struct bots *bots, int port, const char *key);
/* Runs the loop until all have disconnected, and frees everything. */
void bots_free(struct bots *bots);
/* A bot with that name, or a guest (""). It connects at once and remains until it is
 * stopped. Owned by bots. */
struct bot *bots_add(struct bots *bots, const char *name);
/* Pairs of bots who play each other, game after game. Pair i, counted from the first one
 * of bots, plays by the terms i modulo count, which are borrowed. */
void bots_add_pairs(struct bots *bots, int pairs, const char *const *terms, int count);
/* Each has played a game, plays none now, and waits for no answer. */
bool bots_have_finished(const struct bots *bots);
/* Says quit, and does not come back. */
void bot_stop(struct bot *bot);
/* Follows a game from its first event. */
void bot_watch(struct bot *bot, int64_t game);
struct bot_match *bot_find_match(const struct bot *bot, int64_t game);
/* Frees a finished match. Not from inside a callback about it. */
void bot_forget_match(struct bot *bot, struct bot_match *match);
/* The bot that connects from that address, with is_from_all_over; host byte order. */
struct bot *bots_at(const struct bots *bots, uint32_t address);
/* Requests a game from that event on. Logged in only. */
void bot_resume(struct bot *bot, const struct bot_match *match, int event);
/* Requests the clocks of a game; on_clock gets the answer. Logged in only. */
void bot_ask_clock(struct bot *bot, int64_t game);
/* Any other line; its OK is not waited for. Logged in only. */
void bot_say(struct bot *bot, const char *line);
/* 0 .. below - 1. */
uint32_t bot_random(struct bot *bot, uint32_t below);
/* The server did what it must not do. */
void bot_fault(struct bot *bot, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- Between the parts --- */

void bot_sayf(struct bot *bot, const char *format, ...) PRINTF_LIKE(2, 3);
/* "! game ID NUMBER TEXT" without the first two words. */
void bot_take_event(struct bot *bot, char *words);
void bot_take_ok(struct bot *bot, const struct proto_line *line);
void bot_take_err(struct bot *bot, const struct proto_line *line);
/* Logged in: games is the list of the answer, "3,7" or "-". */
void bot_take_seats(struct bot *bot, const char *games);
/* Does the next action, if any. */
void bot_act(struct bot *bot);
/* The thinking is over. */
void bot_take_turn(struct bot *bot);
void bot_ask(struct bot *bot, enum bot_ask what);
void bot_step(struct bot *bot, enum bot_step step, enum bot_ask asked);
/* An OK that acknowledges an event which begins with these words. */
void bot_note_ack(struct bot_match *match, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- bot_offer.c --- */

/* "! offer ..." and "! gone ..." without the first word. */
void bot_hear_offer(struct bot *bot, char *line);
void bot_hear_gone(struct bot *bot, char *line);
/* True: it has made an offer instead of a move. */
bool bot_offer(struct bot *bot, struct bot_match *match);
/* True: it has answered an offer. */
bool bot_reply(struct bot *bot, struct bot_match *match);
void bot_take_offer_ok(struct bot *bot, const struct proto_line *line);
void bot_take_reply_ok(struct bot *bot, const struct proto_line *line);
/* False: the refusal is allowed, because offers may cross moves and reconnections. */
bool bot_is_offer_fault(struct bot *bot, enum bot_ask asked, const char *code);
/* The connection is lost: drops the state that belonged to it. */
void bot_forget_offers(struct bot *bot);
/* True when this move was made at this ply before and taken back: a repetition could
 * not be distinguished from it. */
bool bot_has_played(const struct bot_match *match, struct move move);

#endif
