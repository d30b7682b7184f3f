/* "janggi replay": a record at the board, by hand or in the time it took. Opens no
 * connection. */
#ifndef CLIENT_REPLAY_REPLAY_H
#define CLIENT_REPLAY_REPLAY_H

#include "client/base/prefs.h"

enum replay_exit {
    REPLAY_DONE = 0,
    REPLAY_FAILED = 1, /* the file cannot be read, or nobody takes what is printed */
    REPLAY_USAGE = 2,
    REPLAY_INTERRUPTED = 130
};

/* argv[0] is "replay"; the options and the file follow. prefs: settings, borrowed.
 * Returns the exit status. */
int replay_run(int argc, char **argv, const struct prefs *prefs);

#endif
