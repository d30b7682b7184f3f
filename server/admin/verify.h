/* "janggid verify": replays the log of each game through the rules, checks the log's
 * chain, compares the row that lists show for the game with the log, and reports damage.
 * Changes nothing. */
#ifndef SERVER_ADMIN_VERIFY_H
#define SERVER_ADMIN_VERIFY_H

struct config;
struct store_audit;

enum verify_exit {
    VERIFY_SOUND = 0,
    VERIFY_DAMAGED = 1,
    VERIFY_CANNOT = 73 /* the database cannot be opened, or a server uses it */
};

/* words: the path of a database file. Without a path, verifies the log in PostgreSQL that
 * --store names, otherwise the file of the data directory. Prints a line for each damage
 * and a summary. Returns the exit status. */
int verify_database(const struct config *config, int count, char **words);

/* Like verify_database(), for a database that is open. path: for messages. */
int verify_audit(struct store_audit *audit, const char *path);

#endif
