/* A lost connection: the messages about it, the attempts to reconnect, giving up, and
 * the commands that are sent again afterwards. The server forgets with the connection
 * that a player waits with seek or play (for an opponent), tv (for the best game) or
 * seeks on (for news of seeks). doubt.h handles moves; other commands without an answer
 * are only reported. */
#ifndef CLIENT_PLAY_RECONNECT_H
#define CLIENT_PLAY_RECONNECT_H

#include <stdbool.h>
#include <stdint.h>

#include "client/play/doubt.h"
#include "client/play/save.h"
#include "client/play/talk.h"
#include "common/base/text.h"

enum {
    RECONNECT_TV,
    RECONNECT_NEWS,
    RECONNECT_SEEKS,
    RECONNECT_WAITS = RECONNECT_SEEKS + 4
};

/* A command whose result the player waits for. */
struct reconnect_wait {
    char *line;       /* the command; NULL: nothing to send again */
    int64_t id;       /* number of the seek, or of the game that tv shows; 0: not known
                       * yet */
    uint32_t tag;     /* tag of the request that sent `line` again; 0: not sent again */
    int64_t until_ms; /* for play: when the minutes of the command are over; 0: no
                       * limit */
};

/* All members except the borrowed pointers are zeroed at first. */
struct reconnect {
    struct talk *talk;
    struct save *save;
    struct doubt *doubt;
    struct reconnect_wait waits[RECONNECT_WAITS];
    int64_t heard_ms; /* when the server's last line came; unchanged during a loss */
    char why[256];    /* why the connection was lost; "": it is not lost */
    int missed;       /* events that happened while the connection was lost; set to 0
                       * before the games are resumed */
};

void reconnect_clear(struct reconnect *reconnect);

/* --- While connected --- */

/* To be called for every answer and every notice. They store a command if the player
 * waits for its result from now on, and forget it when an opponent was found, or when
 * the command was ended or refused. */
void reconnect_take_answer(struct reconnect *reconnect,
                           const struct visit_request *asked,
                           const struct proto_line *line);
void reconnect_take_notice(struct reconnect *reconnect, const struct proto_line *line);
/* To be called after each line from the server. */
void reconnect_hear(struct reconnect *reconnect);

/* --- While away --- */

/* Handles the loss of the connection, or a failed attempt to reconnect: tells the
 * player and drops what was in progress (saving a game, the question about a move).
 * Returns false if the visit must end, because no further attempt follows and the
 * player cannot start one. */
bool reconnect_begin(struct reconnect *reconnect);
void reconnect_try_now(struct reconnect *reconnect);
void reconnect_give_up(struct reconnect *reconnect);
/* Adds text such as "(no connection, attempt 2 in 4 s) "; adds nothing while
 * connected. */
void reconnect_add_prompt(struct text *out, const struct reconnect *reconnect,
                          int64_t now_ms);

/* --- Back --- */

/* To be called when a game of ours began while the connection was lost: forgets the
 * seeks, because an opponent was found. */
void reconnect_forget_seeks(struct reconnect *reconnect);
/* Reports that we are connected again and have all missed events of the games, and
 * sends the kept commands again. If the connection was lost for more than 5 minutes,
 * drops all seek and play commands instead, and tells the player; also a play command
 * whose minutes are over. If the player is in a game with clocks, drops all seek and
 * play commands without a message. */
void reconnect_say_back(struct reconnect *reconnect, int64_t away_ms);

#endif
