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

/* Zeroed at first but for what it borrows. */
struct lost {
    struct talk *talk;
    struct save *save;
    struct doubt *doubt;
    struct again *again;
    char why[256]; /* why the connection was lost; "": it was not */
    int missed;    /* events that happened in the meantime */
};

/* Handles the loss of the connection, or a failed attempt to reconnect: says so and drops
 * what was requested. Returns false if no further attempt is possible. */
bool lost_begin(struct lost *lost);
void lost_try_now(struct lost *lost);
void lost_give_up(struct lost *lost);
/* Adds "(no connection, attempt 2 in 4 s) "; nothing while connected. */
void lost_add_prompt(struct text *out, const struct lost *lost, int64_t now_ms);

/* Count the events that happened while we were disconnected: start at 0, and add
 * some. */
void lost_begin_count(struct lost *lost);
void lost_count_missed(struct lost *lost, int events);
/* Reports that we are connected again and all games have caught up, and sends again
 * what was waiting. */
void lost_say_back(struct lost *lost, int64_t away_ms);

#endif
