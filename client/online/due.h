/* The tasks `janggi due` and `janggi wait`: the games that wait for the player. They ask
 * the server without logging in, so that a client of the same player, here or elsewhere,
 * keeps its connection. */
#ifndef CLIENT_ONLINE_DUE_H
#define CLIENT_ONLINE_DUE_H

#include "client/base/prefs.h"

/* What due_run() returns when no game waits. */
enum { DUE_NONE = 1 };

/* words: a link or HOST[:PORT]; none: the server of prefs. Prints the games. Returns an
 * exit code: CLIENT_EXIT_OK if there are any, DUE_NONE, or that of an error, which was
 * printed. */
int due_run(const struct prefs *prefs, int count, char **words);

/* words: [LINK|HOST[:PORT]] [SECONDS]. Asks now and every SECONDS (default: DUE_EVERY_S)
 * until a game waits, prints it, and returns CLIENT_EXIT_OK. If the first attempt
 * fails, returns its exit code; later a server that is not reached, is full, restarts or
 * says slow-down is tried again, but not one whose host kicks or bans us. */
enum { DUE_EVERY_S = 30 };
int due_wait(const struct prefs *prefs, int count, char **words);

#endif
