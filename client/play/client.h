/* One visit to one server, from connecting to leaving: joins keyboard, network, model
 * and screen. */
#ifndef CLIENT_PLAY_CLIENT_H
#define CLIENT_PLAY_CLIENT_H

#include "client/base/link.h"
#include "client/base/prefs.h"

/* What the program ends with. */
enum client_exit {
    CLIENT_EXIT_OK = 0,
    CLIENT_EXIT_ERROR = 1,
    CLIENT_EXIT_USAGE = 2,
    CLIENT_EXIT_LOST = 3, /* cannot reach the server, or lost it */
    CLIENT_EXIT_TRUST =
        4, /* its key is not the one expected, or nobody could be asked */
    CLIENT_EXIT_REFUSED = 5, /* invitation, login, full */
    CLIENT_EXIT_MOVE = 6,    /* a move in a script was refused */
    CLIENT_EXIT_INTERRUPT = 130
};

/* Runs until the player or the server ends it. prefs may be changed by `set`. */
int client_run(struct prefs *prefs, const struct link *to);

#endif
