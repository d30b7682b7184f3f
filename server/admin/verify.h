/* "janggid verify": replays the events in the log of each game under the rules, and
 * checks their seals. (The seal of an event is a digest that also covers the previous
 * event.) Compares the log with the game's summary, which is the entry of the game in
 * lists. Reports damage. Changes nothing. */
#ifndef SERVER_ADMIN_VERIFY_H
#define SERVER_ADMIN_VERIFY_H

struct config;
struct store_audit;

enum verify_exit {
    VERIFY_SOUND = 0,
    VERIFY_DAMAGED = 1,
    VERIFY_CANNOT = 73 /* the database cannot be opened, or a server uses it */
};

/* Verifies a database. If count is not 0, verifies the database file words[0]. If count
 * is 0 and --store is given, verifies the log in PostgreSQL that --store names.
 * Otherwise verifies the file in the data directory. Prints a line for each damaged
 * place, and a summary. Returns the exit status. */
int verify_database(const struct config *config, int count, char **words);

/* Like verify_database(), but verifies a database that is open. `path` is only for
 * messages. */
int verify_audit(struct store_audit *audit, const char *path);

#endif
