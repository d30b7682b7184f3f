/* See record_courier.h. */
#include "client/formats/record_courier.h"

#include "client/formats/notation.h"
#include "client/formats/record_draft.h"
#include "common/record/record_text.h"

/* Adds the number of a move: "1. " for the side that moves first, "1... " for the other
 * side. */
static void add_number(struct record_text *text, int ply)
{
    record_text_addf(text, "%d%s ", (ply + 1) / 2, ply % 2 == 1 ? "." : "...");
}

static void add_ply(struct record_text *text, const struct game *game, int ply,
                    const struct position *position, const char *swaps)
{
    char words[NOTATION_BYTES];

    if (!notation_format_move(words, NOTATION_COURIER, game->ply[ply - 1].move,
                              position, NULL))
        return; /* cannot happen: the move was played, so its piece is known */
    add_number(text, ply);
    record_text_addf(text, "%s%s%s\n", swaps, swaps[0] != '\0' ? "; " : "", words);
}

/* Writes the swaps of a side that has not moved yet. */
static void add_swaps_alone(struct record_text *text, int ply, const char *swaps)
{
    if (swaps[0] == '\0')
        return;
    add_number(text, ply);
    record_text_addf(text, "%s\n", swaps);
}

char *record_courier_write(const struct game *game)
{
    struct record_text text = {.at = NULL};
    struct position position = game_start(game);
    char swaps[SIDES][NOTATION_SWAPS_BYTES]; /* of the first mover, then of the other
                                              * side */
    enum lineup lineup[SIDES];
    struct undo undo;

    if (!record_draft_find_lineups(&position, game->rules, lineup))
        return NULL;
    for (int i = 0; i < SIDES; i++) {
        enum side side = game_side_of_ply(game, i + 1);

        notation_format_swaps(swaps[i], side, lineup[side]);
    }
    for (int ply = 1; ply <= game->plies; ply++) {
        add_ply(&text, game, ply, &position, ply <= SIDES ? swaps[ply - 1] : "");
        rules_make(game->rules, &position, game->ply[ply - 1].move, &undo);
    }
    for (int ply = game->plies + 1; ply <= SIDES; ply++)
        /* cppcheck-suppress negativeIndex ; game->plies is never negative */
        add_swaps_alone(&text, ply, swaps[ply - 1]);
    return record_text_take(&text);
}
