/* What a player waits for and the server forgets with the connection: an opponent (seek,
 * play), the best game (tv), news of seeks (seeks on). After a reconnection the commands
 * are sent again. */
#ifndef CLIENT_PLAY_AGAIN_H
#define CLIENT_PLAY_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "client/play/talk.h"

enum { AGAIN_TV, AGAIN_NEWS, AGAIN_SEEKS, AGAIN_WAITS = AGAIN_SEEKS + 4 };

struct again_wait {
    char *line;       /* the command; NULL: none */
    int64_t id;       /* of the seek; of the game that tv shows, 0: none yet */
    uint32_t tag;     /* of the last time that it was sent again; 0: never */
    int64_t until_ms; /* of play, counted from when it was typed; 0: no end */
};

/* Zeroed but for talk at first. */
struct again {
    struct talk *talk; /* borrowed */
    struct again_wait waits[AGAIN_WAITS];
    int64_t heard_ms; /* the server's last line before a loss */
};
void again_clear(struct again *again);

/* Each takes any answer or notice: keeps a command that waits from now on, and forgets
 * one that has been served, withdrawn or refused. */
void again_take_answer(struct again *again, const struct visit_request *asked,
                       const struct proto_line *line);
void again_take_notice(struct again *again, const struct proto_line *line);
/* To be called when a game of ours began during the lost connection: forgets the seeks,
 * because an opponent was found. */
void again_find_opponent(struct again *again);

/* Called after each line of the server: a loss counts from the last one before it. */
void again_hear(struct again *again);

/* Connected again: sends what was waiting, and says so. A seek or play is forgotten
 * instead, and that is said, after a loss longer than 5 minutes, a play also when the
 * minutes that it waits are over. */
void again_send(struct again *again);
/* Returns true if the command was sent again, and will be after another loss. */
bool again_repeats(const struct again *again, const struct visit_request *asked);

#endif
