/* The host's program of the option --notify-program. Some games wait for the move of a
 * player who is absent. The program tells the player about these games, for example by
 * mail. It is started once, without a shell and without arguments, and gets lines on
 * its standard input. It must be started before sandbox_enter(). */
#ifndef SERVER_LOBBY_NOTIFIER_H
#define SERVER_LOBBY_NOTIFIER_H

#include <stdbool.h>

#include "common/base/base.h"

struct event_base;
struct notifier;

/* Starts the program at `path`, which is an absolute path. The output of the program
 * goes to our standard error. If this fails, logs why, sets errno, and returns NULL. */
struct notifier *notifier_start(struct event_base *base, const char *path) MUST_USE;
/* Closes the program's input, so that it ends when it has read everything. Accepts
 * NULL. */
void notifier_stop(struct notifier *notifier);

/* True if the program runs. Returns false if it has ended, or if `notifier` is NULL.
 * The end is logged once. */
bool notifier_is_running(const struct notifier *notifier);
/* Sends `line` and a line feed. `line` has no line feed itself, and is shorter than
 * PIPE_BUF. Returns false, with nothing sent, if the program has ended or reads too
 * slowly. Accepts NULL. */
bool notifier_send(struct notifier *notifier, const char *line) MUST_USE;

#endif
