/* A place in a record: the game up to there, the way on and back, and the private board
 * that begins there. Knows no screen. */
#ifndef CLIENT_REPLAY_PLACE_H
#define CLIENT_REPLAY_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "client/formats/records.h"
#include "client/view/model.h"
#include "common/base/text.h"

/* A record with a place in it. The place is a number of events; those before it are
 * folded into model. On a private board, the moves that are tried are folded in after
 * them. Owns its model; borrows the record. */
struct place {
    const struct record *record;
    struct model model;
    int first; /* the place after the set-up, before which nobody goes */
    int at;
    int tried; /* moves on the private board; 0: the board is the record's */
    bool is_flipped;
};

void place_init(struct place *place, const struct record *record);
void place_clear(struct place *place);

struct model_game *place_game(const struct place *place);

/* One event on; what it was goes to *news. False: there is none. */
bool place_next(struct place *place, struct model_news *news);
/* To that place; the private board is put away. */
void place_go(struct place *place, int at);
void place_flip(struct place *place);

/* The last place at which plies moves stood on the board, before the end of the game if
 * it can be; -1: at none. */
int place_find_ply(const struct place *place, int plies);

/* How long the move of the next event took, by the clocks, in milliseconds; a second
 * where they do not tell, and 0 of what is no move. */
int64_t place_took_ms(const struct place *place);

/* Makes move on the private board. False: *fault says why not. */
bool place_try(struct place *place, struct move move, struct fault *fault);

#endif
