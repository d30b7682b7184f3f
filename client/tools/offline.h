/* "janggi rules ...": the referee without a server, for players, writers of bots, and
 * tests. Reads its words and standard input, writes standard output, opens nothing. */
#ifndef CLIENT_TOOLS_OFFLINE_H
#define CLIENT_TOOLS_OFFLINE_H

/* argv[0] is "rules", the words after it follow. Returns the exit status: 0, 1 (cannot
 * write), 2 (bad input, said in one line) or 6 (an illegal move). */
int offline_rules(int argc, char **argv);

#endif
