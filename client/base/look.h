/* How a player wants to have a game shown: what stands on the board, and in which
 * manner things are told. Words for settings, no code. */
#ifndef CLIENT_BASE_LOOK_H
#define CLIENT_BASE_LOOK_H

enum look_pieces {
    LOOK_LETTERS, /* Martin's figure, plain ASCII */
    LOOK_HANJA,   /* as Korean sets are cut: two columns each */
    LOOK_HANGUL
};

#endif
