/* "janggi id": the key that proves the player's name; carrying it to another machine in
 * a file that a passphrase locks. */
#ifndef CLIENT_TOOLS_ID_H
#define CLIENT_TOOLS_ID_H

#include "client/base/prefs.h"

/* argv[0] is "id", the words after it follow. Returns the exit status. */
int id_run(int argc, char **argv, const struct prefs *prefs);

#endif
