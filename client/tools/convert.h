/* "janggi convert": a game from one format into another. Opens no connection. */
#ifndef CLIENT_TOOLS_CONVERT_H
#define CLIENT_TOOLS_CONVERT_H

enum convert_exit { CONVERT_DONE = 0, CONVERT_FAILED = 1, CONVERT_USAGE = 2 };

/* argv[0] is "convert"; the options and the file follow. Returns the exit status. */
int convert_run(int argc, char **argv);

#endif
