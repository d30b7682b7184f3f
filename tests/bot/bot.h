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
    ASK_OFFER,  /* draw or takeback */
    ASK_REPLY,  /* accept or decline */
    ASK_RESUME, /* never in bot->asking, because several resumes may be unanswered */
    ASKS
};

/* A step of a bot at which a test may interfere. */
enum bot_step {
    BOT_GREETED,
    BOT_ASKS,     /* the bot is about to send a command */
    BOT_ANSWERED, /* the OK has been read, and nothing after it */
    BOT_SEES_MOVE,
    BOT_SEES_OFFER,
    BOT_SEES_END
};

/* The settings of a group of bots. Any of the callbacks may be NULL. */
struct bots_settings {
    uint64_t seed;
    int think_ms;       /* before each move, the bot thinks for a random time below 2 *
                         * think_ms */
    int plies_max;      /* after this many plies the side to move resigns; 0: never */
    int cuts_per_mille; /* share of the moves after which the bot cuts the connection:
                         * see maybe_cut() */
    /* Limits for the random delay before a reconnection. `back_off_first_ms`: the
     * longest delay after the first failure; 0: 20 ms. Each further failure doubles the
     * longest delay, up to `back_off_most_ms`; 0: 1 s. */
    int back_off_first_ms, back_off_most_ms;
    bool has_client_back_off; /* delays as in the janggi client: 1 s, doubled up to 30
                               * s, plus or minus a quarter; reset when a TLS connection
                               * is established */
    int offers_per_mille;     /* share of the turns on which the bot offers a draw or a
                               * takeback before it moves */
    int patience_ms;    /* how long the server may be silent before the bot disconnects;
                         * after half of this time, the bot sends `ping`; 0: no limit */
    bool never_resumes; /* a negative control: the bot reconnects, but does not
                         * resume */
    /* Use small segments and a small receive buffer: with the defaults of the loopback
     * device, the kernel alone buffers megabytes for each connection. */
    bool is_narrow;
    bool is_from_all_over; /* each bot connects from its own address in 127/8 */
    void *arg;
    void (*on_in)(void *arg, struct bot *bot);      /* after each login */
    bool (*wants_game)(void *arg, struct bot *bot); /* NULL: always */
    /* Returns the start time of the running server, by the monotonic clock. If this
     * callback is set, the bot records the game clocks from each answer to `resume`. */
    int64_t (*server_began_ms)(void *arg);
    const struct random_game
        *script; /* games that the pairs play: pair i plays script[i % scripts] */
    int scripts; /* length of `script`; 0: moves are random */
    void (*on_answered)(void *arg, struct bot *bot, int64_t took_us); /* after a move's
                                                                       * OK */
    void (*on_over)(void *arg, struct bot *bot, struct bot_match *match);
    bool (*wants_turn)(void *arg, struct bot *bot); /* NULL: always */
    /* asked: at BOT_ASKS, the request that the bot is about to make; at BOT_ANSWERED,
     * the request that was answered; at all other steps, ASK_NONE. */
    void (*on_step)(void *arg, struct bot *bot, enum bot_step step, enum bot_ask asked);
    void (*on_clock)(void *arg, struct bot *bot, const struct proto_line *line);
    /* on_block gets each line that begins with `|`. Such a line is part of an answer.
     * on_notice gets each notice, without the words `! notice` at its start. */
    void (*on_block)(void *arg, struct bot *bot, const char *line);
    void (*on_notice)(void *arg, struct bot *bot, const char *words);
};

struct bots_counts {
    int64_t logins, answers, events;
    int64_t moves;   /* acknowledged moves */
    int64_t resent;  /* moves sent again on a later connection */
    int64_t repeats; /* resent moves that the server had already played; the server
                      * repeated the OK */
    int64_t faults;
};

struct bots {
    struct event_base *base;
    struct wire_hub *hub;
    SSL_CTX *tls;
    struct bots_settings settings;
    struct bots_counts counts;
    int port;
    char key[TLS_KEY_TEXT_BYTES]; /* the server's key; "": accept any key */
    struct bot *first, *last;
    int count, online;
};

enum bot_state {
    BOT_AWAY,       /* not connected; the timer reconnects, unless the bot was
                     * stopped */
    BOT_CONNECTING, /* the bot waits for TLS and for the server's greeting */
    BOT_LOGIN,
    BOT_IN
};

/* One game that a bot plays or watches. */
struct bot_match {
    struct bot_match *next; /* the next older match of the same bot */
    struct history history;
    struct game game;
    enum side side; /* SIDE_NONE: the bot only watches, or its side is not known yet */
    int due_events; /* the bot waits until it has applied this many events */
    bool is_broken; /* an event was illegal; the bot does nothing more in this game */
    bool was_taken_back;
};

/* A bot. Tests may read the members, but not write them. */
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
    int64_t server_began_ms; /* start time of the server to which the bot is
                              * connected */
    struct event *timer;     /* for the delay before a reconnection, and for thinking */
    bool is_thinking;
    bool is_cutting; /* the timer will cut the connection */
    int failures;    /* failed attempts in a row, which determine the delay */
    uint64_t random;
    enum bot_ask asking; /* the request that the next answer belongs to */
    int resumes_due; /* number of unanswered resume and watch requests; their answers
                      * come before the answer to `asking` */
    int64_t asked_us;
    struct event *alive; /* checks for silence; NULL without patience_ms */
    int64_t heard_ms;
    bool is_pinged;
    /* playing */
    struct bot *partner;
    bool is_maker;           /* this bot seeks, and the partner accepts */
    const char *terms;       /* the terms of the seek, such as "time=none" */
    int64_t seek_id;         /* number of its open seek; 0: none */
    struct bot_match *match; /* the game that it plays; NULL: none */
    struct bot_match *matches;
    int played;
    struct move move; /* a move that was sent and not answered; move_ply is 0 if there
                       * is none */
    int move_ply;
    bool is_again;         /* the move was sent on an earlier connection too */
    int answered_ply;      /* ply of the last move that was answered with OK */
    bool is_answered_here; /* the OK for answered_ply came on this connection */
    /* offers */
    int offered_at;   /* number of events of its game when it made its last offer */
    int64_t offer_id; /* the bot's own offer that the opponent has not answered; 0:
                       * none */
    int64_t reply_id; /* the opponent's offer that it must answer; 0: none */
    bool is_draw;     /* the offer `reply_id` is a draw, not a takeback */
};

struct bots *bots_new(struct event_base *base,
                      const struct bots_settings *settings) MUST_USE;
/* Sets where the bots connect. key: the key that janggid printed; "": accept any
 * key. */
void bots_set_server(struct bots *bots, int port, const char *key);
/* Stops all bots, runs the loop until they have disconnected, and frees everything. */
void bots_free(struct bots *bots);
/* Adds a bot with this name, or a guest (""). It connects immediately and remains until
 * it is stopped. Owned by `bots`. */
struct bot *bots_add(struct bots *bots, const char *name);
/* Adds pairs of bots. The two bots of a pair play each other, game after game. Pair
 * number i, counted from the first pair of `bots`, plays by terms[i % count]. Borrows
 * `terms`. */
void bots_add_pairs(struct bots *bots, int pairs, const char *const *terms, int count);
/* Returns true if each bot is logged in, has played a game, does not play now, and is
 * not waiting for an answer. */
bool bots_have_finished(const struct bots *bots);
/* Sends `quit`; the bot does not reconnect. */
void bot_stop(struct bot *bot);
/* Follows a game from its first event. */
void bot_watch(struct bot *bot, int64_t game);
struct bot_match *bot_find_match(const struct bot *bot, int64_t game);
/* Frees a finished match. Must not be called inside a callback about that match. */
void bot_forget_match(struct bot *bot, struct bot_match *match);
/* Returns the bot that connects from this address, if is_from_all_over is set. The
 * address is in host byte order. */
struct bot *bots_at(const struct bots *bots, uint32_t address);
/* Requests the events of a game from number `event` on. The bot must be logged in. */
void bot_resume(struct bot *bot, const struct bot_match *match, int event);
/* Requests the clocks of a game; on_clock gets the answer. The bot must be logged
 * in. */
void bot_ask_clock(struct bot *bot, int64_t game);
/* Sends a line for which this header does not have a function. The bot does not wait
 * for the OK, so is_aside() in bot.c must know the verb of the line. The bot must be
 * logged in. */
void bot_say(struct bot *bot, const char *line);
/* Returns a random number from 0 to below - 1. */
uint32_t bot_random(struct bot *bot, uint32_t below);
/* Reports that the server did something that it must not do. */
void bot_fault(struct bot *bot, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- Between the parts --- */

void bot_sayf(struct bot *bot, const char *format, ...) PRINTF_LIKE(2, 3);
/* Handles an event. words: "! game ID NUMBER TEXT" without the first two words. */
void bot_take_event(struct bot *bot, char *words);
void bot_take_ok(struct bot *bot, const struct proto_line *line);
void bot_take_err(struct bot *bot, const struct proto_line *line);
/* Handles the list of the bot's own games in the answer to login: their numbers, such
 * as "3,7", or "-" for none. */
void bot_take_seats(struct bot *bot, const char *games);
/* Does what the bot has to do next, if anything. */
void bot_act(struct bot *bot);
/* Moves, sets up, offers or resigns, after the bot has thought. */
void bot_take_turn(struct bot *bot);
void bot_ask(struct bot *bot, enum bot_ask what);
void bot_step(struct bot *bot, enum bot_step step, enum bot_ask asked);
/* Records in the history of the match that the server has answered OK to a request. The
 * text from `format` is the beginning of the event that this OK acknowledges. */
void bot_note_ack(struct bot_match *match, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- bot_offer.c --- */

/* Handle a notice about an offer. line: "! offer ..." or "! gone ...". */
void bot_hear_offer(struct bot *bot, char *line);
void bot_hear_gone(struct bot *bot, char *line);
/* On some of the bot's turns (offers_per_mille), makes an offer and returns true: the
 * bot then waits for the answer before it moves. */
bool bot_offer(struct bot *bot, struct bot_match *match);
/* Answers an offer of the opponent. Returns false if there is none. */
bool bot_reply(struct bot *bot, struct bot_match *match);
void bot_take_offer_ok(struct bot *bot, const struct proto_line *line);
void bot_take_reply_ok(struct bot *bot, const struct proto_line *line);
/* Returns true if the refusal `code` of the request `asked` is a fault of the server.
 * Some refusals are allowed. For example, an offer can end before the answer to the
 * offer arrives. Or the opponent can accept an offer that this bot has forgotten after
 * a reconnection. */
bool bot_is_offer_fault(struct bot *bot, enum bot_ask asked, const char *code);
/* To be called when the connection is lost: drops the offers, which are lost with
 * it. */
void bot_forget_offers(struct bot *bot);
/* Returns true if this move was already played at this ply and taken back. If it were
 * played again, the two moves could not be distinguished. */
bool bot_has_played(const struct bot_match *match, struct move move);

#endif
