/* "janggi local" and "janggi computer": a game at one terminal, without a server,
 * between two people or against our own engine. Opens no connection. */
#ifndef CLIENT_LOCAL_LOCAL_H
#define CLIENT_LOCAL_LOCAL_H

#include "client/base/prefs.h"

/* Runs the game. argv[0] is "local" or "computer"; the options follow. prefs is
 * borrowed. Returns the exit status (exit.h). */
int local_run(int argc, char **argv, const struct prefs *prefs);

#endif
