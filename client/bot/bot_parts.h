/* What the parts of a bot share: bot.c (the options), bot_visit.c (the connection, from
 * the first byte to leaving, and lines from the server) and bot_play.c (challenges,
 * games, offers). Nobody else includes this. */
#ifndef CLIENT_BOT_BOT_PARTS_H
#define CLIENT_BOT_BOT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/prefs.h"
#include "client/bot/bot_engine.h"
#include "client/bot/bot_terms.h"
#include "client/net/net.h"
#include "client/net/trust.h"
#include "client/play/client.h"
#include "client/view/model.h"
#include "common/base/base.h"
#include "common/net/proto.h"

struct event;
struct event_base;

/* Games at once. */
enum { BOT_GAMES_MAX = 16 };

/* What was sent about a game and has not shown itself as an event. */
struct bot_game {
    int64_t id; /* 0: the place is free */
    int ply;    /* of the move that was sent; 0: none */
    struct move move;
    bool is_set_up; /* the line-up was sent */
    int64_t sent_ms;
    int refusals;              /* of moves, one after the other */
    struct search_report last; /* what was thought last */
};

struct bot {
    struct prefs prefs; /* with the options taken in */
    struct link to;
    char name[NAME_BYTES];
    struct bot_terms terms;
    struct bot_engine_wish wish;
    int games_max;         /* at once */
    int games_left;        /* until it leaves; -1: it stays */
    const char *seek;      /* the time of a seek to keep open; NULL: none */
    const char *challenge; /* whom to challenge in place of a seek; NULL: nobody */

    struct event_base *base;
    struct event *tick;
    struct net *net;
    struct trust trust;
    char given[TLS_KEY_TEXT_BYTES];
    struct bot_engine *engine;
    bool is_engine_ready;
    struct model model;
    struct bot_game game[BOT_GAMES_MAX];
    int64_t thinks_about; /* the game; 0: none */
    int64_t thought_last; /* the game of the last thought */
    bool is_ready;        /* logged in */
    bool was_ready;
    bool is_seeking;   /* a seek or challenge of ours is open */
    int64_t seek_id;   /* 0: not known */
    int64_t sought_ms; /* when we last asked for one; 0: never */
    bool is_accepting; /* a challenge was accepted, and its game has not begun */
    bool is_joined;    /* the link's invitation was used */
    int64_t heard_ms;
    bool is_leaving;
    int exit_code;
};

/* --- bot_visit.c --- */

int visit_live(struct bot *bot);
void visit_leave(struct bot *bot, int code);
/* With words on standard error. */
void visit_fail(struct bot *bot, int code, const char *format, ...) PRINTF_LIKE(3, 4);
void visit_sayf(struct bot *bot, const char *format, ...) PRINTF_LIKE(2, 3);
/* To the server. */
void visit_send(struct bot *bot, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- bot_play.c --- */

/* "! ..." that is no event; the model does not have it yet. */
void play_take_notice(struct bot *bot, const struct proto_line *line);
/* The event was folded in. */
void play_take_event(struct bot *bot, const struct model_news *news);
/* ERR with the tag of a move or a line-up of game. */
void play_take_refusal(struct bot *bot, int64_t game);
/* The answer to a seek or challenge of ours. */
void play_take_seek(struct bot *bot, const struct proto_line *line);
/* Something may be to do: thinks, sets up, seeks. Called once a second too. */
void play_go_on(struct bot *bot, int64_t now_ms);
/* Nothing is under way any more. */
void play_lose_connection(struct bot *bot);
/* How many games are running. */
int play_count(const struct bot *bot);

extern const struct bot_engine_calls play_engine_calls;

#endif
