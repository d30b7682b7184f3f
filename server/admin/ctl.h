/* "janggid ctl ..." and "janggid drain": sends a request to the server that runs on a
 * data directory, through its control socket, and prints the answer. */
#ifndef SERVER_ADMIN_CTL_H
#define SERVER_ADMIN_CTL_H

#include <stdbool.h>

struct config;

enum ctl_exit {
    CTL_DONE = 0,
    CTL_REFUSED = 1, /* refused or failed: standard error has the reason */
    CTL_USAGE = 2,
    CTL_NOBODY = 69,  /* no janggid is running on that directory */
    CTL_UNSTORED = 75 /* done, but the server's disk is full or away: the row waits */
};

/* Sends the request, which is `count` words, and prints the answer; with --json each row,
 * and the OK, as an object. Returns the exit status. */
int ctl_run(const struct config *config, int count, char **words);
/* Prints the requests, for --help; is_short: a line each. */
void ctl_print_help(bool is_short);

#endif
