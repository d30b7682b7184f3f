/* The host's program that tells absent players what they wait for, by mail or as the
 * host likes: --notify-program. It is started once, without a shell and without
 * arguments, and gets lines on its standard input. It must be started before
 * sandbox_enter(). */
#ifndef SERVER_HELPER_NOTIFIER_H
#define SERVER_HELPER_NOTIFIER_H

#include <stdbool.h>

#include "common/base/base.h"

struct event_base;
struct notifier;

/* Starts the program at that absolute path; what it prints goes to our standard error.
 * Returns NULL after logging why, with errno. */
struct notifier *notifier_start(struct event_base *base, const char *path) MUST_USE;
/* Closes the program's input, so that it ends when it has read everything. Accepts
 * NULL. */
void notifier_stop(struct notifier *notifier);

/* Returns false if the program has ended, which is logged once, or `notifier` is
 * NULL. */
bool notifier_is_running(const struct notifier *notifier);
/* Sends one line, which is without a line feed and shorter than PIPE_BUF, and adds the
 * line feed. Returns false, with nothing sent, if the program has ended or reads too
 * slowly. Accepts NULL. */
bool notifier_send(struct notifier *notifier, const char *line) MUST_USE;

#endif
