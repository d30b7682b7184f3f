/* A place in a record: the game up to that place, steps forwards and backwards, and a
 * private board that starts there. Knows nothing about screens. */
#ifndef CLIENT_REPLAY_PLACE_H
#define CLIENT_REPLAY_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "client/formats/records.h"
#include "client/view/model.h"
#include "common/base/text.h"

/* A record and a place in it. `at` is the number of events before the place; `model` is
 * the state after these events and after the moves tried on the private board. Owns its
 * model; borrows the record. */
struct place {
    const struct record *record;
    struct model model;
    int first; /* the lowest value of `at`: the place after the set-up */
    int at;
    int tried; /* moves on the private board; 0: the board of the record is shown */
    bool is_flipped;
};

void place_init(struct place *place, const struct record *record);
void place_clear(struct place *place);

struct model_game *place_game(const struct place *place);

/* Advances by one event and writes its news to *news. Returns false at the end. */
bool place_next(struct place *place, struct model_news *news);
/* Goes to the place `at` and closes the private board. */
void place_go(struct place *place, int at);
void place_flip(struct place *place);

/* Returns the last place at which exactly `plies` plies were made. If the game ended
 * there, returns the place before the end event. Returns -1 if there is no such
 * place. */
int place_find_ply(const struct place *place, int plies);

/* Returns how long the player thought about the move that is the next event, in
 * milliseconds; 1000 if the clocks do not show it; 0 if the next event is not a
 * move. */
int64_t place_took_ms(const struct place *place);

/* Makes `move` on the private board. Returns false with the reason in *fault. */
bool place_try(struct place *place, struct move move, struct fault *fault);

#endif
