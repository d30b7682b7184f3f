/* A bot at its server: takes challenges by its terms, sets up, thinks about one game
 * after the other, answers offers, and comes back when the connection is lost. */
#ifndef CLIENT_BOT_BOT_PLAY_H
#define CLIENT_BOT_BOT_PLAY_H

#include "client/base/link.h"
#include "client/base/prefs.h"
#include "client/bot/bot_engine.h"
#include "client/bot/bot_terms.h"
#include "common/base/utf8.h"

/* Games at once. */
enum { BOT_PLAY_GAMES_MAX = 16 };

/* What it was started with; the texts are borrowed. */
struct bot_play_wish {
    struct prefs prefs; /* with the options taken in */
    struct link to;
    char name[NAME_BYTES];
    struct bot_terms terms;
    struct bot_engine_wish engine;
    int games_max;         /* at once */
    int games_left;        /* until it leaves; -1: it stays */
    const char *seek;      /* the time of a seek to keep open; NULL: none */
    const char *challenge; /* whom to challenge in place of a seek; NULL: nobody */
};

/* Plays until it leaves or is ended. The exit status: exit.h. */
int bot_play_run(const struct bot_play_wish *wish);

#endif
