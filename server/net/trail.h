/* What a door remembers of one client: the login, the games that the client reads, the
 * next event of each of these games, and the commands that are not answered. With this,
 * the client can go on at another house without a new connection. This module reads the
 * lines of both directions, but has no connection itself.
 *
 * When the house is lost, the door opens the client's session at the new house with the
 * lines of trail_go_on(). The first lines log in, and continue each game at the next
 * event that the client lacks. The answers to these lines are not for the client. The
 * other lines repeat the commands that were not answered.
 *
 * There are two kinds of commands that can be repeated. For the first kind, running the
 * command twice has the same effect as running it once: for example, a move that names
 * its game and ply. For the second kind, the lost house said that it did nothing (ERR
 * with why=shutdown). If any other command is not answered, the client must connect
 * again. An answer "ERR" would say that nothing was changed, but the lost house may
 * have run the command. */
#ifndef SERVER_NET_TRAIL_H
#define SERVER_NET_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

struct trail;

struct trail *trail_new(void) MUST_USE;
/* `trail` may be NULL. */
void trail_free(struct trail *trail);

/* Takes a line of the client, which the house will answer. */
void trail_note_sent(struct trail *trail, const char *line);

enum trail_verdict {
    TRAIL_PASS, /* the line is for the client */
    TRAIL_DROP, /* the line is not for the client */
    TRAIL_FAIL  /* the new house refuses what the client had: the client must connect
                 * again */
};
/* Takes a line of the house. */
enum trail_verdict trail_note_received(struct trail *trail, const char *line) MUST_USE;
/* Does the same as trail_note_received(), but only for an event. The caller parses the
 * line once with proto_cut_event(), and then can pass the event to many trails. */
enum trail_verdict trail_note_event(struct trail *trail, int64_t game, int number,
                                    const char *text) MUST_USE;

/* Call it when the house is asked to send the game from event `number` on, because the
 * client lacks that event. Until it comes, later events of the game are not for the
 * client. */
void trail_note_late(struct trail *trail, int64_t game, int number);
/* True until the event of trail_note_late() has come. */
bool trail_is_late(const struct trail *trail, int64_t game) MUST_USE;

/* True if the client can go on at another house. False: it must connect again. */
bool trail_can_go_on(const struct trail *trail) MUST_USE;
/* trail_go_on() passes to `say` the lines for the session at a new house, which has not
 * greeted yet. */
typedef void trail_say_fn(void *arg, const char *line);
void trail_go_on(struct trail *trail, trail_say_fn *say, void *arg);
/* True after trail_go_on(), until the house has greeted and has answered the lines that
 * the trail itself added. False for a client that no house has greeted before: that
 * client gets all lines of the house. */
bool trail_is_returning(const struct trail *trail);

#endif
