/* "janggid verify": replays every log of a database through the rules, checks its
 * chain, compares the rows for lists with it, and reports damage. Changes nothing. */
#ifndef SERVER_ADMIN_VERIFY_H
#define SERVER_ADMIN_VERIFY_H

struct config;
struct store_audit;

enum verify_exit {
    VERIFY_SOUND = 0,
    VERIFY_DAMAGED = 1,
    VERIFY_CANNOT = 73 /* it cannot be opened, or a server uses it */
};

/* words: the path of a database file, or none for the log in PostgreSQL that --store
 * names, or else for the file of the data directory. Prints a line for each damage and a
 * summary. Returns the exit status. */
int verify_database(const struct config *config, int count, char **words);

/* The same for a database that is open. path: for messages. */
int verify_audit(struct store_audit *audit, const char *path);

#endif
