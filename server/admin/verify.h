/* "janggid verify": reads every log of a database through the rules core and its chain,
 * compares what lists show with it, and says what is damaged. Changes nothing. */
#ifndef SERVER_ADMIN_VERIFY_H
#define SERVER_ADMIN_VERIFY_H

#include "common/base/base.h"

struct config;

enum verify_exit {
    VERIFY_SOUND = 0,
    VERIFY_DAMAGED = 1,
    VERIFY_CANNOT = 73 /* it cannot be opened, or a server runs on it */
};

/* words: the path of a database file, or none for that of the data directory. Prints a
 * line for each damage and one that adds up. Returns the exit status. */
int verify_database(const struct config *config, int count, char **words);

#endif
