/* "janggi replay": a record at the board, by hand or in the time it took. Opens no
 * connection. */
#ifndef CLIENT_REPLAY_REPLAY_H
#define CLIENT_REPLAY_REPLAY_H

#include "client/base/prefs.h"

/* argv[0] is "replay"; the options and the file follow. prefs: settings, borrowed.
 * Returns the exit status: exit.h. */
int replay_run(int argc, char **argv, const struct prefs *prefs);

#endif
