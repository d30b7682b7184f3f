/* "janggi learn": a tour for beginners, lesson by lesson, with tasks that are solved at
 * the board. Opens no connection. */
#ifndef CLIENT_LEARN_LEARN_H
#define CLIENT_LEARN_LEARN_H

#include "client/base/prefs.h"

/* argv[0] is "learn"; the options and a lesson's number or name follow. prefs:
 * settings, borrowed. Returns the exit status: 0, 1 (nobody takes what is printed), 2
 * (usage), 6 (a wrong try in a script) or 130. */
int learn_run(int argc, char **argv, const struct prefs *prefs);

#endif
