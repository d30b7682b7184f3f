/* "janggi verify FILE": reports what a record of a game proves and what it does not
 * prove. Reads the file and the list of known servers; opens no connection. */
#ifndef CLIENT_TOOLS_VERIFY_H
#define CLIENT_TOOLS_VERIFY_H

#include "client/base/prefs.h"

enum verify_exit {
    VERIFY_PROVED = 0,
    VERIFY_WRONG = 1, /* the record is invalid; the reason was printed */
    VERIFY_USAGE = 2, /* usage error, or the file cannot be read */
    VERIFY_UNSIGNED = 3,
    VERIFY_STRANGER = 4 /* signed, with a key that is neither named nor known here */
};

/* argv[0] is "verify", followed by its arguments. Returns the exit status. */
int verify_run(int argc, char **argv, const struct prefs *prefs);

#endif
