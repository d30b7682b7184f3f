/* A player can wait for something with these commands: seek and play (for an opponent),
 * tv (for the best game) and seeks on (for news of seeks). The server forgets the
 * commands when the connection is lost. After a reconnection, the functions in this
 * file send the commands again. */
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
 * player. If the connection was lost for more than 5 minutes, drops all seek and play
 * commands instead, and tells the player. If the minutes of a play command are over,
 * drops that command and tells the player. If the player is in a game with clocks,
 * drops all seek and play commands without a message. */
void again_send(struct again *again);
/* Returns true if again_send() has sent the command `asked`. If the connection is lost
 * once more, again_send() will send this command again. */
bool again_repeats(const struct again *again, const struct visit_request *asked);

#endif
