/* Decides which events and which game are shown, and gets the attention of a player who
 * looks elsewhere, with the bell and the window's title. Both can be turned off, and are
 * used only on a terminal. */
#ifndef CLIENT_PLAY_SCREEN_H
#define CLIENT_PLAY_SCREEN_H

#include <stdint.h>

#include "client/play/talk.h"

void screen_open(struct talk *talk);
void screen_close(struct talk *talk);
/* Shows an event that the model has just taken. If the event is the end of our game, a
 * line then tells the player which commands are possible now, and another line which
 * game of ours goes on (model_next_game()). On a screen, these lines are delayed,
 * because whispers and other news of the game may follow. */
void screen_event(struct talk *talk, const struct model_news *news, int64_t now_ms);
/* Shows the delayed line now, if there is one. To be called before showing anything
 * that is not news of the ended game. */
void screen_say_after_end(struct talk *talk);
/* Shows the line-ups that the player can choose from. */
void screen_setup_choice(struct talk *talk, const struct model_game *game);
/* For a game that we watch: reports which side is choosing its line-up. In a sealed
 * game (game_is_sealed()), reports for each side whether it has chosen. */
void screen_setup_of_others(struct talk *talk, const struct model_game *game);

/* Rings the bell, if it is enabled. */
void screen_ring(struct talk *talk);
/* Rings the bell when the player has little time left. */
void screen_look_at_clocks(struct talk *talk, int64_t now_ms);
/* Sets the title for the current state, if titles are enabled. */
void screen_title(struct talk *talk);

#endif
