/* "janggi bot": an engine as a player at a server. It takes challenges by terms of its
 * own, plays them, and comes back when the connection is lost. */
#ifndef CLIENT_BOT_BOT_H
#define CLIENT_BOT_BOT_H

#include "client/base/prefs.h"

/* argv[0] is "bot"; the options and the server follow. prefs: settings, borrowed.
 * Returns the exit status: client.h. */
int bot_run(int argc, char **argv, const struct prefs *prefs);

#endif
