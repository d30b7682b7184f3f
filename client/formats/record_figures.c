/* See record_figures.h. */
#include "client/formats/record_figures.h"

#include "common/game/board.h"
#include "common/record/record_text.h"
#include "common/words/diagram.h"
#include "common/words/sentence.h"

static void add_head(struct record_text *text, const struct record *record,
                     const struct game *game)
{
    char time[TIME_TERMS_BYTES];

    time_terms_format(time, &game->clock.terms);
    record_text_addf(text, "Red %s, Blue %s; rules %s, time %s", game->name[SIDE_RED],
                     game->name[SIDE_BLUE], ruleset_name(game->rules), time);
    if (record->game >= 0)
        record_text_addf(text, "; game %lld", (long long)record->game);
    if (record->ended[0] != '\0')
        record_text_addf(text, "; ended %s", record->ended);
    record_text_add(text, "\n\n");
}

static void add_figure(struct record_text *text, const struct position *position)
{
    char figure[DIAGRAM_BYTES];

    diagram_format(figure, position, false);
    record_text_add(text, figure);
}

/* Adds the time on the clock of `side`, as in "; red 9:58.123". */
static void add_clock(struct record_text *text, enum side side, struct time_left left)
{
    int64_t ms = left.main_ms;

    record_text_addf(text, "; %s %lld:%02d", side_name(side), (long long)(ms / 60000),
                     (int)(ms % 60000 / 1000));
    if (ms % 1000 != 0)
        record_text_addf(text, ".%03d", (int)(ms % 1000));
    if (left.periods > 0)
        record_text_addf(text, " and %d periods", left.periods);
}

/* Adds a line about the move, such as "3. red B0-C2 knight takes pawn; check; red 9:58;
 * blue 10:00", and the diagram after the move. Plays the move in *position. */
static void add_move(struct record_text *text, const struct game *game, int ply,
                     struct position *position)
{
    static const char *const checks[] = {"", "; check", "; the kings are bare",
                                         "; check, and the kings are bare"};
    struct move move = game->ply[ply - 1].move;
    char words[MOVE_BYTES];
    struct undo undo;

    move_format(words, move);
    record_text_addf(text, "\n%d. %s %s", ply, side_name((enum side)position->side),
                     words);
    if (!move_is_pass(move))
        record_text_addf(text, " %s", kind_name(position_kind(position, move.from)));
    if (!move_is_pass(move) && position_kind(position, move.to) != KIND_NONE)
        record_text_addf(text, " takes %s",
                         kind_name(position_kind(position, move.to)));
    rules_make(game->rules, position, move, &undo);
    record_text_add(text, checks[rules_check(position)]);
    for (int side = 0; side < SIDES && !game->clock.terms.is_untimed; side++)
        add_clock(text, (enum side)side, record_left(game, ply, (enum side)side));
    record_text_add(text, "\n\n");
    add_figure(text, position);
}

char *record_figures_write(const struct record *record, const struct game *game)
{
    struct record_text text = {.at = NULL};
    struct position position = game_start(game);
    char words[SENTENCE_BYTES];

    add_head(&text, record, game);
    add_figure(&text, &position);
    for (int ply = 1; ply <= game->plies; ply++)
        add_move(&text, game, ply, &position);
    sentence_outcome(words, game->outcome, game->reason);
    record_text_addf(&text, "\n%s\n", words);
    return record_text_take(&text);
}
