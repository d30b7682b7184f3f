/* What a door remembers of one client, so that the client can go on at another house
 * without a new connection: its login, the games that it reads and how far, and which of
 * its commands are not answered. Reads the lines of both directions; knows no connection.
 *
 * When the house is lost, the door opens the client's session at the new house with the
 * lines of trail_go_on(). They log in and continue each game at the event that the client
 * has; their answers are not for the client. Then they repeat the commands that were not
 * answered. Only those are repeated that do the same once or twice, such as a move with its
 * game and ply, and those of which the lost house said that it did nothing (ERR with
 * why=shutdown); after any other the client must connect anew, because an answer "ERR" would
 * say that nothing was changed. */
#ifndef SERVER_NET_TRAIL_H
#define SERVER_NET_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

struct trail;

struct trail *trail_new(void) MUST_USE;
/* Accepts NULL. */
void trail_free(struct trail *trail);

/* Takes a line of the client, which the house will answer. */
void trail_note_sent(struct trail *trail, const char *line);

enum trail_verdict {
    TRAIL_PASS, /* it is for the client */
    TRAIL_DROP, /* it is not */
    TRAIL_FAIL  /* the new house refuses what the client had: it must connect anew */
};
/* A line of the house. */
enum trail_verdict trail_note_received(struct trail *trail, const char *line) MUST_USE;
/* The same for an event that proto_cut_event() has parsed: for many trails at once. */
enum trail_verdict trail_note_event(struct trail *trail, int64_t game, int number,
                                    const char *text) MUST_USE;

/* The house is asked to send the game from that event on, which the client lacks: until it
 * comes, later events of the game are not for the client. */
void trail_note_late(struct trail *trail, int64_t game, int number);
/* True until that event has come. */
bool trail_is_late(const struct trail *trail, int64_t game) MUST_USE;

/* False: the client must connect again. */
bool trail_can_go_on(const struct trail *trail) MUST_USE;
/* Says the lines for the session at a new house, which has not greeted yet. */
typedef void trail_say_fn(void *arg, const char *line);
void trail_go_on(struct trail *trail, trail_say_fn *say, void *arg);
/* True after trail_go_on() until the house has answered what the trail itself sent; not for
 * a client whom no house has greeted before, which has everything still to come. */
bool trail_is_returning(const struct trail *trail);

#endif
