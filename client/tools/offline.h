/* "janggi rules ...": applies the rules without a server, for players, authors of bots,
 * and tests. Reads its arguments and standard input, writes to standard output, and
 * opens no file. */
#ifndef CLIENT_TOOLS_OFFLINE_H
#define CLIENT_TOOLS_OFFLINE_H

/* argv[0] is "rules", followed by its arguments. Returns the exit status: 0, 1 (write
 * error), 2 (bad input) or 6 (illegal move). For 2 and 6 the reason was printed in one
 * line. */
int offline_rules(int argc, char **argv);

#endif
