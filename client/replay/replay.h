/* "janggi replay": shows a record on the board, step by step or at the speed of the
 * game. Opens no connection unless the record is on a server. */
#ifndef CLIENT_REPLAY_REPLAY_H
#define CLIENT_REPLAY_REPLAY_H

#include "client/base/prefs.h"

/* argv[0] is "replay", followed by the options and the file. prefs is borrowed. Returns
 * the exit status (exit.h). */
int replay_run(int argc, char **argv, const struct prefs *prefs);

#endif
