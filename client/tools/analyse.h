/* "janggi analyse": shows what each position of a game was worth, which moves lost
 * value, and which moves would have been better. Opens no connection unless the record
 * is on a server. */
#ifndef CLIENT_TOOLS_ANALYSE_H
#define CLIENT_TOOLS_ANALYSE_H

#include "client/base/prefs.h"

/* argv[0] is "analyse", followed by the options and the game. prefs is borrowed.
 * Returns the exit status (exit.h). */
int analyse_run(int argc, char **argv, const struct prefs *prefs);

#endif
