/* How a player wants to have a game shown: what stands on the board, and in which
 * manner things are told. Words for settings, no code. */
#ifndef CLIENT_BASE_LOOK_H
#define CLIENT_BASE_LOOK_H

enum look_pieces {
    LOOK_LETTERS, /* Martin's figure, plain ASCII */
    LOOK_HANJA,   /* as Korean sets are cut: two columns each */
    LOOK_HANGUL
};

/* When a game on the screen shows its board by itself. What it does not show as a board
 * is one line. */
enum look_board {
    LOOK_BOARD_AUTO, /* after each move; against a computer when a person is to move */
    LOOK_BOARD_EACH, /* after each move */
    LOOK_BOARD_MINE, /* when it is the player's turn */
    LOOK_BOARD_OFF   /* never: the player asks for it */
};

#endif
