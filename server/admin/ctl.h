/* "janggid ctl ..." and "janggid drain": asks the server that runs on a data directory
 * something, through its control socket, and prints the answer. */
#ifndef SERVER_ADMIN_CTL_H
#define SERVER_ADMIN_CTL_H

struct config;

enum ctl_exit {
    CTL_DONE = 0,
    CTL_REFUSED = 1, /* or it failed: the line on standard error says why */
    CTL_USAGE = 2,
    CTL_NOBODY = 69 /* no janggid runs on that directory */
};

/* words: what to ask. Returns the exit status. */
int ctl_run(const struct config *config, int count, char **words);
/* "janggid drain" is "janggid ctl drain"; words are those behind it. */
int ctl_run_drain(const struct config *config, int count, char **words);
/* What can be asked, for --help. */
void ctl_print_help(void);

#endif
