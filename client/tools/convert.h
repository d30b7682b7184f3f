/* "janggi convert": converts a game from one format to another. It can also download
 * games and convert them one by one. To convert a file, it opens no connection. */
#ifndef CLIENT_TOOLS_CONVERT_H
#define CLIENT_TOOLS_CONVERT_H

#include "client/base/prefs.h"

enum convert_exit { CONVERT_DONE = 0, CONVERT_FAILED = 1, CONVERT_USAGE = 2 };

/* argv[0] is "convert", followed by the options and the file, or a server and the
 * numbers of games. prefs is borrowed. Returns the exit status. */
int convert_run(int argc, char **argv, const struct prefs *prefs);

#endif
