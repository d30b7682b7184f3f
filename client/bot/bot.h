/* "janggi bot": connects to a server as a player whose moves come from an engine. It
 * accepts challenges within configured limits, plays them, and reconnects when the
 * connection is lost. */
#ifndef CLIENT_BOT_BOT_H
#define CLIENT_BOT_BOT_H

#include "client/base/prefs.h"

/* Runs the bot until it leaves or is stopped. argv[0] is "bot"; the options and the
 * server follow. Returns the exit status (exit.h). */
int bot_run(int argc, char **argv, const struct prefs *prefs);

#endif
