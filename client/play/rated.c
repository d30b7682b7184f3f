/* See rated.h. */
#include "client/play/rated.h"

#include <string.h>

#include "client/view/row.h"
#include "client/view/words.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum { WAITING_MAX = 16 };

/* Returns true if WAITING_MAX requests or more wait for their answers. No rating is
 * requested then. */
static bool has_many_waiting(const struct talk *talk)
{
    int count = 0;

    for (const struct visit_request *r = visit_requests(talk->visit);
         r != NULL && count < WAITING_MAX; r = r->next)
        count++;
    return count == WAITING_MAX;
}

void rated_ask(struct talk *talk, const struct model_game *game)
{
    if (has_many_waiting(talk))
        return;
    for (int side = 0; side < SIDES; side++)
        (void)talk_sendf(talk, game->id, true, "rank %s", game->game.name[side]);
}

/* `asked` requests the rating of one player of `game`. Returns the side of this player.
 * If the game is no longer known (`game` is NULL), returns SIDE_NONE. */
static enum side side_asked(const struct model_game *game,
                            const struct visit_request *asked)
{
    for (int side = 0; game != NULL && side < SIDES; side++)
        if (model_is_same_name(game->game.name[side], asked->about))
            return (enum side)side;
    return SIDE_NONE;
}

void rated_take_row(struct talk *talk, const struct visit_request *asked,
                    const char *row)
{
    struct model_game *game = model_find(&talk->model, asked->game);
    enum side side = side_asked(game, asked);
    char copy[ROW_COPY_BYTES], rating[WORDS_RATING_BYTES];
    struct proto_line line;

    row_parse(row, copy, &line);
    if (side != SIDE_NONE &&
        strcmp(words_value(&line, "pool", ""), model_rating_pool(game)) == 0)
        model_set_rating(game, side, words_rating(rating, &line, ""));
}

/* Adds the names of the players whose ratings are known, with the ratings, as in "hong
 * 1512 4k, kim 1488?". */
static void add_ratings(struct text *out, const struct model_game *game)
{
    const char *before = "";

    for (int side = 0; side < SIDES; side++)
        if (game->rating[side][0] != '\0') {
            text_addf(out, "%s%s%s", before, game->game.name[side], game->rating[side]);
            before = ", ";
        }
}

void rated_take_answer(struct talk *talk, const struct visit_request *asked)
{
    const struct model_game *game = model_find(&talk->model, asked->game);
    char words[256];
    struct text text = text_into(words, sizeof words);

    if (side_asked(game, asked) != SIDE_BLUE || game != talk->model.current ||
        game->game.phase != GAME_PLAY)
        return;
    add_ratings(&text, game);
    if (text.len > 0)
        console_sayf(talk->console, _("-- ratings: %s\n"), words);
}
