/* Where a replay stands in its record, and how that looks: boards and words of the
 * client, without a connection. replay.c has the loop and what is typed. */
#ifndef CLIENT_REPLAY_REPLAY_SHOW_H
#define CLIENT_REPLAY_REPLAY_SHOW_H

#include <stdbool.h>
#include <stdint.h>

#include "client/formats/records.h"
#include "client/view/model.h"
#include "common/base/text.h"

/* A record with a place in it. The place is a number of events; those before it are
 * folded into model. On a private board, the moves that are tried are folded in after
 * them. Owns its model; borrows the record. */
struct replay_place {
    const struct record *record;
    struct model model;
    int first; /* the place after the set-up, before which nobody goes */
    int at;
    int tried; /* moves on the private board; 0: the board is the record's */
    bool is_flipped;
};

void replay_place_init(struct replay_place *place, const struct record *record);
void replay_place_clear(struct replay_place *place);

struct model_game *replay_game(const struct replay_place *place);

/* One event on; what it was goes to *news. False: there is none. */
bool replay_next(struct replay_place *place, struct model_news *news);
/* To that place; the private board is put away. */
void replay_go(struct replay_place *place, int at);
void replay_flip(struct replay_place *place);

/* The last place at which plies moves stood on the board, before the end of the game if
 * it can be; -1: at none. */
int replay_find_ply(const struct replay_place *place, int plies);

/* How long the move of the next event took, by the clocks, in milliseconds; a second
 * where they do not tell, and 0 of what is no move. */
int64_t replay_took_ms(const struct replay_place *place);

/* Makes move on the private board. False: *fault says why not. */
bool replay_try(struct replay_place *place, struct move move, struct fault *fault);

#endif
