/* "janggi convert": converts a game from one format to another. Opens no connection. */
#ifndef CLIENT_TOOLS_CONVERT_H
#define CLIENT_TOOLS_CONVERT_H

enum convert_exit { CONVERT_DONE = 0, CONVERT_FAILED = 1, CONVERT_USAGE = 2 };

/* argv[0] is "convert", followed by the options and the file. Returns the exit
 * status. */
int convert_run(int argc, char **argv);

#endif
