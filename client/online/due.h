/* The tasks `janggi due` and `janggi wait`: show the games that wait for the player.
 * They ask the server without logging in, so that another client of the same player, on
 * any machine, keeps its connection. */
#ifndef CLIENT_ONLINE_DUE_H
#define CLIENT_ONLINE_DUE_H

#include "client/base/prefs.h"

/* What due_run() returns when no game waits. */
enum { DUE_NONE = 1 };

/* Prints the games that wait. words: a link or HOST[:PORT]; empty: the server of prefs.
 * Returns CLIENT_EXIT_OK if there are any games, DUE_NONE if there are none, or the
 * exit code of an error, which was printed. */
int due_run(const struct prefs *prefs, int count, char **words);

/* words: [LINK|HOST[:PORT]] [SECONDS]. Asks the server at once, and again every SECONDS
 * (default: DUE_EVERY_S). As soon as a game waits, prints the games that wait and
 * returns CLIENT_EXIT_OK. If the first attempt fails, returns the exit code of this
 * failure. If a later attempt fails because the server is not reached, is full,
 * restarts or says slow-down, tries again after SECONDS. After any other failure, such
 * as a ban, returns the exit code of the failure. */
enum { DUE_EVERY_S = 30 };
int due_wait(const struct prefs *prefs, int count, char **words);

#endif
