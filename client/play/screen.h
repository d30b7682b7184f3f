/* Decides which events and which game are shown. */
#ifndef CLIENT_PLAY_SCREEN_H
#define CLIENT_PLAY_SCREEN_H

#include <stdint.h>

#include "client/play/talk.h"

/* Shows an event that was just folded in. */
void screen_event(struct talk *talk, const struct model_news *news, int64_t now_ms);
/* Shows the line-ups to choose from. */
void screen_setup_choice(struct talk *talk, const struct model_game *game);
/* Reports who chooses a line-up in a game that is watched. */
void screen_setup_of_others(struct talk *talk, const struct model_game *game);

#endif
