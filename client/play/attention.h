/* Gets the attention of a player who looks elsewhere, with the bell and the window's
 * title. Both can be turned off, and are used only on a terminal. */
#ifndef CLIENT_PLAY_ATTENTION_H
#define CLIENT_PLAY_ATTENTION_H

#include <stdint.h>

#include "client/play/talk.h"

/* Rings the bell, if it is enabled. */
void attention_ring(struct talk *talk);
/* Rings the bell when the player has little time left. */
void attention_look_at_clocks(struct talk *talk, int64_t now_ms);
/* Sets the title for the current state, if titles are enabled. */
void attention_title(struct talk *talk);

#endif
