/* After a reconnection, sends the commands again with which a player waits for
 * something: seek and play (for an opponent), tv (for the best game) and seeks on (for
 * news of seeks). The server forgets these commands when the connection is lost. */
#ifndef CLIENT_PLAY_AGAIN_H
#define CLIENT_PLAY_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "client/play/talk.h"

enum { AGAIN_TV, AGAIN_NEWS, AGAIN_SEEKS, AGAIN_WAITS = AGAIN_SEEKS + 4 };

struct again_wait {
    char *line;       /* the command; NULL: nothing to send again */
    int64_t id;       /* number of the seek, or of the game that tv shows; 0: not known
                       * yet */
    uint32_t tag;     /* tag of the request that sent `line` again; 0: not sent again */
    int64_t until_ms; /* for play: when the minutes of the command are over; 0: no
                       * limit */
};

/* All members except `talk` are zeroed at first. */
struct again {
    struct talk *talk; /* borrowed */
    struct again_wait waits[AGAIN_WAITS];
    int64_t heard_ms; /* when the server's last line came; unchanged during a loss */
};
void again_clear(struct again *again);

/* Call these functions for every answer and every notice. They store a command if the
 * player waits for its result from now on. They forget the command when an opponent was
 * found, or when the command was ended or refused. */
void again_take_answer(struct again *again, const struct visit_request *asked,
                       const struct proto_line *line);
void again_take_notice(struct again *again, const struct proto_line *line);
/* To be called when a game of ours began while the connection was lost: forgets the
 * seeks, because an opponent was found. */
void again_find_opponent(struct again *again);

/* To be called after each line from the server. Stores the time in heard_ms, unless the
 * connection is lost. */
void again_hear(struct again *again);

/* To be called after a reconnection: sends the kept commands again and tells the
 * player. A seek or play command is not sent again but dropped, and the player is told,
 * if the connection was lost for more than 5 minutes, or if the minutes of the play
 * command are over. If the player is in a game with clocks, all seek and play commands
 * are dropped without a message. */
void again_send(struct again *again);
/* Returns true if `asked` is a command that again_send() has sent: after another loss,
 * it will be sent again. */
bool again_repeats(const struct again *again, const struct visit_request *asked);

#endif
