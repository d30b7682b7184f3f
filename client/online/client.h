/* One visit to one server, from connecting to leaving: connects keyboard, network,
 * model and screen. */
#ifndef CLIENT_ONLINE_CLIENT_H
#define CLIENT_ONLINE_CLIENT_H

#include "client/base/exit.h"
#include "client/base/link.h"
#include "client/base/prefs.h"

/* Runs until the player or the server ends the visit. `set` may change prefs. */
int client_run(struct prefs *prefs, const struct link *to);

#endif
