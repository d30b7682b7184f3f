/* "janggi learn": a tutorial for beginners with lessons and tasks that are solved on a
 * board. Opens no connection. */
#ifndef CLIENT_LEARN_LEARN_H
#define CLIENT_LEARN_LEARN_H

#include "client/base/prefs.h"

/* Runs the tutorial. argv[0] is "learn"; the options and the number or name of a lesson
 * follow. prefs is borrowed. Returns the exit status: 0, 1 (write error), 2 (usage
 * error), 6 (a wrong answer in a script) or 130 (interrupted). */
int learn_run(int argc, char **argv, const struct prefs *prefs);

#endif
