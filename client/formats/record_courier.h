/* A game as the moves that one would enter at Game Courier, the preset for Korean Chess:
 *
 *   1. swap b1 c1; P a4-a5
 *   1... n b10-c8
 *   2. pass
 *
 * Each side swaps its knights and bishops (horses and elephants) before its own first
 * move. The number is that of the move of the side that moves first. Names, clocks and
 * the result have no place there. Written only; pure but for memory. */
#ifndef CLIENT_FORMATS_RECORD_COURIER_H
#define CLIENT_FORMATS_RECORD_COURIER_H

#include "common/base/base.h"
#include "common/game/game.h"

/* The text, the caller's to free; NULL when the game does not begin from a set-up, so
 * that Game Courier has no way to begin it. game: at least set up. */
char *record_courier_write(const struct game *game) MUST_USE;

#endif
