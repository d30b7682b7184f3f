/* "janggi uci": our engine as a program for graphical boards that speak UCI, on
 * standard input and output. Positions and moves have the format of Fairy-Stockfish
 * (notation.h). */
#ifndef CLIENT_UCI_UCI_H
#define CLIENT_UCI_UCI_H

/* Runs until "quit" or the end of the input. Returns the exit code. */
int uci_run(void);

#endif
