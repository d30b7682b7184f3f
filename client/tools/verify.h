/* "janggi verify FILE": what a record of a game proves, and what it does not. Reads the
 * file and the keys of known servers; opens no connection. */
#ifndef CLIENT_TOOLS_VERIFY_H
#define CLIENT_TOOLS_VERIFY_H

enum verify_exit {
    VERIFY_PROVED = 0,
    VERIFY_WRONG = 1, /* something is wrong with the record; the line is said */
    VERIFY_USAGE = 2, /* the words, or a file that cannot be read */
    VERIFY_UNSIGNED = 3
};

/* argv[0] is "verify", the words after it follow; known_path is that of known_hosts.
 * Returns the exit status. */
int verify_record(int argc, char **argv, const char *known_path);

#endif
