/* "janggi uci" runs our engine for another program, such as a graphical board. The two
 * programs exchange UCI commands on standard input and output. Positions and moves have
 * the format of Fairy-Stockfish (notation.h). */
#ifndef CLIENT_UCI_UCI_H
#define CLIENT_UCI_UCI_H

/* Runs until "quit" or the end of the input. Returns the exit code. */
int uci_run(void);

#endif
