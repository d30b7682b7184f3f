/* A lost connection: the messages about it, the attempts to reconnect, and giving
 * up. */
#ifndef CLIENT_PLAY_LOST_H
#define CLIENT_PLAY_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "client/play/again.h"
#include "client/play/doubt.h"
#include "client/play/save.h"
#include "client/play/talk.h"
#include "common/base/text.h"

/* All members except the borrowed pointers are zeroed at first. */
struct lost {
    struct talk *talk;
    struct save *save;
    struct doubt *doubt;
    struct again *again;
    char why[256]; /* why the connection was lost; "": it is not lost */
    int missed;    /* events that happened while the connection was lost */
};

/* Handles the loss of the connection, or a failed attempt to reconnect: tells the
 * player and drops what was in progress (saving a game, the question about a move).
 * Returns false if the visit must end, because no further attempt follows and the
 * player cannot start one. */
bool lost_begin(struct lost *lost);
void lost_try_now(struct lost *lost);
void lost_give_up(struct lost *lost);
/* Adds text such as "(no connection, attempt 2 in 4 s) "; adds nothing while
 * connected. */
void lost_add_prompt(struct text *out, const struct lost *lost, int64_t now_ms);

/* Count the events that happened while we were disconnected: lost_begin_count() starts
 * at 0, lost_count_missed() adds `events`. */
void lost_begin_count(struct lost *lost);
void lost_count_missed(struct lost *lost, int events);
/* Reports that we are connected again and have all missed events of the games. Sends
 * again the commands that again.h keeps. */
void lost_say_back(struct lost *lost, int64_t away_ms);

#endif
