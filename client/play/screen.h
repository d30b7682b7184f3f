/* Decides which events and which game are shown. */
#ifndef CLIENT_PLAY_SCREEN_H
#define CLIENT_PLAY_SCREEN_H

#include <stdint.h>

#include "client/play/talk.h"

void screen_open(struct talk *talk);
void screen_close(struct talk *talk);
/* Shows an event that was just folded in. After the end of our game, the line that says
 * what can be done now waits a moment, because whispers and other news of that game may
 * follow. */
void screen_event(struct talk *talk, const struct model_news *news, int64_t now_ms);
/* Shows that line now, if it waits. Call it before showing anything that is not news of
 * that game. */
void screen_say_after_end(struct talk *talk);
/* Shows the line-ups to choose from. */
void screen_setup_choice(struct talk *talk, const struct model_game *game);
/* Reports who chooses a line-up in a game that is watched. */
void screen_setup_of_others(struct talk *talk, const struct model_game *game);

#endif
