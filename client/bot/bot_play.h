/* The session of a bot. The bot accepts challenges by its terms, chooses its line-ups,
 * and answers offers. The engine searches for a move in one game at a time. If the
 * connection is lost, the bot reconnects. */
#ifndef CLIENT_BOT_BOT_PLAY_H
#define CLIENT_BOT_BOT_PLAY_H

#include "client/base/link.h"
#include "client/base/prefs.h"
#include "client/bot/bot_engine.h"
#include "client/bot/bot_terms.h"
#include "common/base/utf8.h"

/* The maximum number of simultaneous games. */
enum { BOT_PLAY_GAMES_MAX = 16 };

/* The options of a bot; strings are borrowed. */
struct bot_play_wish {
    struct prefs prefs; /* the user's settings with the options applied */
    struct link to;
    char name[NAME_BYTES];
    struct bot_terms terms;
    struct bot_engine_wish engine;
    int games_max;         /* simultaneous games */
    int games_left;        /* games to play before leaving; -1: unlimited */
    const char *seek;      /* time control of the games that the bot looks for; NULL:
                            * it only waits for challenges */
    const char *challenge; /* the only player to challenge; NULL: anyone may play */
};

/* Runs until the bot leaves or is stopped. Returns the exit status (exit.h). */
int bot_play_run(const struct bot_play_wish *wish);

#endif
