/* "janggid erase NAME": takes everything that is kept about a person out of the data
 * directory of a server that does not run. The games stay, with "player-" and the number
 * of the account in place of the name. */
#ifndef SERVER_ADMIN_ERASE_H
#define SERVER_ADMIN_ERASE_H

struct config;

/* Erases the name words[0] and prints what was done, or why nothing was. Returns the exit
 * status: an enum transfer_exit (transfer.h). */
int erase_run(const struct config *config, int count, char **words);

#endif
