/* "janggi id": shows the key that proves the player's name, and moves it to another
 * machine in a file encrypted with a passphrase. */
#ifndef CLIENT_TOOLS_ID_H
#define CLIENT_TOOLS_ID_H

#include "client/base/prefs.h"

/* argv[0] is "id", followed by its arguments. Returns the exit status. */
int id_run(int argc, char **argv, const struct prefs *prefs);

#endif
