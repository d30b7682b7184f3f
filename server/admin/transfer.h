/* "janggid dump" copies the whole log from PostgreSQL to an SQLite file. "janggid load"
 * copies it from such a file to PostgreSQL. */
#ifndef SERVER_ADMIN_TRANSFER_H
#define SERVER_ADMIN_TRANSFER_H

struct config;

enum transfer_exit {
    TRANSFER_DONE = 0,
    TRANSFER_DAMAGED = 1, /* load: the file is damaged */
    TRANSFER_USAGE = 2,
    TRANSFER_CANNOT = 73,  /* a file or a database cannot be used as it is */
    TRANSFER_FAILED = 74,  /* reading or writing failed */
    TRANSFER_NOT_NOW = 75, /* the database cannot be reached, or is in use */
    TRANSFER_STOPPED = 130 /* Ctrl-C */
};

/* These functions copy the log; words[0] is the path of the file. They print a summary,
 * or why they fail, and return the exit status. A copy that failed leaves nothing
 * behind. */
int transfer_dump(const struct config *config, int count, char **words);
int transfer_load(const struct config *config, int count, char **words);

#endif
