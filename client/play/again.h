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
    uint32_t tag;     /* of the request that sent it again; 0: not sent again */
    int64_t until_ms; /* when play ends, by the minutes since it was typed; 0: never */
};

/* Zeroed but for talk at first. */
struct again {
    struct talk *talk; /* borrowed */
    struct again_wait waits[AGAIN_WAITS];
    int64_t heard_ms; /* when the server's last line came before a loss */
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

/* To be called after each line of the server: notes when the last line came before a
 * loss. */
void again_hear(struct again *again);

/* To be called after a reconnection: sends what was waiting, and says so. After a loss
 * longer than 5 minutes, forgets each seek and play instead, and says so; also each play
 * whose minutes are over. */
void again_send(struct again *again);
/* Returns true if the command was sent again, and will be after another loss. */
bool again_repeats(const struct again *again, const struct visit_request *asked);

#endif
