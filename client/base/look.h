/* How a player wants games to be shown: pieces, boards. Values of settings, no code. */
#ifndef CLIENT_BASE_LOOK_H
#define CLIENT_BASE_LOOK_H

enum look_pieces {
    LOOK_LETTERS, /* ASCII letters */
    LOOK_HANJA,   /* Chinese characters, as on Korean pieces: two columns each */
    LOOK_HANGUL
};

/* Selects the events after which the screen automatically shows the board. If the board
 * is not shown after a move, the screen describes the move in words. */
enum look_board {
    LOOK_BOARD_AUTO, /* after each move; against a computer only on the person's turn */
    LOOK_BOARD_EACH, /* after each move */
    LOOK_BOARD_MINE, /* on the player's turn */
    LOOK_BOARD_OFF   /* only on request */
};

#endif
