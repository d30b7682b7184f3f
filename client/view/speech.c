/* See speech.h. Sentences are short and begin with the most important word, so that a
 * listener can interrupt them. */
#include "client/view/speech.h"

#include <ctype.h>
#include <string.h>

#include "client/view/manner.h"
#include "client/view/render.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

/* --- Time --- */

static void tell_minutes(struct text *out, int minutes)
{
    text_addf(out, translate_count("%d minute", "%d minutes", minutes), minutes);
}

void speech_span(struct text *out, int64_t ms)
{
    int64_t seconds = mono_whole_s(ms);
    int hours = (int)(seconds / 3600), minutes = (int)(seconds / 60 % 60);

    if (hours > 0) {
        text_addf(out, translate_count("%d hour ", "%d hours ", hours), hours);
        tell_minutes(out, minutes);
    } else if (minutes > 0) {
        tell_minutes(out, minutes);
        if (seconds % 60 != 0)
            text_addf(out, C_("seconds", " %d"), (int)(seconds % 60));
    } else {
        text_addf(out, translate_count("%d second", "%d seconds", seconds),
                  (int)seconds);
    }
}

/* Adds the time left, " Blue 9 minutes 41.", and the overtime periods that follow it.
 * Adds nothing in an untimed game. */
static void tell_clock(struct text *out, const struct facts *facts, enum side side)
{
    int more = facts->more_periods[side];

    if (!facts->is_timed)
        return;
    text_addf(out, " %s ", term_side_title(side));
    speech_span(out, facts->left_ms[side]);
    if (more > 0)
        text_addf(out, translate_count(", %d more period", ", %d more periods", more),
                  more);
    text_add(out, ".");
}

/* --- Events --- */

static void tell_move(struct text *out, const struct game_last *last)
{
    char words[SENTENCE_BYTES];

    sentence_move(words, last);
    text_add(out, words);
}

/* Adds whether there is a check, whose turn it is, and the clock: " Check. Your move.
 * Blue 9 minutes 41." */
static void tell_turn(struct text *out, const struct facts *facts)
{
    enum game_phase phase = facts->game->game.phase;

    if (facts->turn == SIDE_NONE || phase == GAME_OVER)
        return;
    if (phase == GAME_SETUP) {
        text_addf(out, _(" %s to set up."), term_side_title(facts->turn));
        return;
    }
    if (facts_is_piece_check(facts))
        text_add(out, _(" Check."));
    if (facts_is_bare_kings(facts))
        text_add(out, _(" The kings are bare."));
    if (facts->is_our_turn)
        text_add(out, _(" Your move."));
    else
        text_addf(out, _(" %s to move."), term_side_title(facts->turn));
    tell_clock(out, facts, facts->turn);
}

static void tell_start(struct text *out, const struct model_game *game)
{
    char terms[WORDS_TERMS_BYTES];

    words_terms(terms, &game->game.clock.terms);
    text_addf(out, _("Game %lld. Red %s, blue %s. Time: %s. Rules: %s."),
              (long long)game->id, game->game.name[SIDE_RED],
              game->game.name[SIDE_BLUE], terms, ruleset_name(game->game.rules));
    words_tell_manners(out, &game->game);
    if (game->is_ours)
        text_addf(out, _(" You play %s."), term_side(game->side));
}

/* Adds " knight on B, bishop on C, bishop on G, knight on H." */
static void tell_lineup(struct text *out, enum lineup lineup)
{
    const char *name = lineup_name(lineup);

    for (int i = 0; i < 4; i++)
        text_addf(out, _(" %s on %c%s"), name[i] == 'N' ? _("knight") : _("bishop"),
                  "BCGH"[i], i < 3 ? "," : ".");
}

static void say_setup_choice(struct text *out, const struct model *model,
                             const struct model_game *game, int64_t now_ms)
{
    text_add(out, _("Choose how your knights and bishops stand."));
    if (game->setup_until_ms > now_ms) {
        text_add(out, _(" You have "));
        speech_span(out, game->setup_until_ms - now_ms);
        text_addf(out, _(", then setup %d is chosen for you."),
                  (int)game_usual_lineup(&game->game) + 1);
    }
    text_add(out, "\n");
    for (int i = 0; i < LINEUPS; i++) {
        text_addf(out, _("setup %d:"), i + 1);
        tell_lineup(out, (enum lineup)i);
        text_add(out, "\n");
    }
    render_setup_proposal(out, model, game);
}

static void tell_setup(struct text *out, enum side side, enum lineup lineup)
{
    text_addf(out, _("%s sets up:"), term_side_title(side));
    tell_lineup(out, lineup);
}

static void tell_takeback(struct text *out, const struct facts *facts)
{
    text_add(out, _("Taken back."));
    if (!facts->has_last)
        return;
    text_add(out, _(" The last move now: "));
    tell_move(out, &facts->last);
}

void speech_event(struct text *out, const struct facts *facts)
{
    const struct event *event = facts->event;

    switch (event->kind) {
    case EVENT_START:
        tell_start(out, facts->game);
        break;
    case EVENT_SETUP:
        tell_setup(out, event->side, event->lineup);
        break;
    case EVENT_MOVE:
        if (facts->has_last)
            tell_move(out, &facts->last);
        if (*words_after_pass(&facts->game->game) != '\0')
            text_addf(out, " %s", words_after_pass(&facts->game->game));
        break;
    case EVENT_TAKEBACK:
        tell_takeback(out, facts);
        break;
    case EVENT_ADJOURN:
        text_add(out, _("The game is adjourned."));
        break;
    case EVENT_CONTINUE:
        text_add(out, _("The game goes on."));
        break;
    case EVENT_END:
        text_add(out, _("The game is over. "));
        words_end(out, facts);
        break;
    }
    tell_turn(out, facts);
    text_add(out, "\n");
}

void speech_last(struct text *out, const struct model_game *game)
{
    struct game_last last;

    if (game_last(&game->game, &last))
        tell_move(out, &last);
    else
        text_add(out, _("No move has been made yet."));
    text_add(out, "\n");
}

/* --- Where pieces stand --- */

/* Adds the text `before`, then "knights B0 and G0" of one side; returns false, and adds
 * nothing, if the side has none. */
static bool tell_kind(struct text *out, const struct position *position, enum side side,
                      enum kind kind, const char *before)
{
    int points[BOARD_POINTS], count = 0;

    for (int point = 0; point < BOARD_POINTS; point++)
        if (position_kind(position, point) == kind &&
            position_side(position, point) == side)
            points[count++] = point;
    for (int i = 0; i < count; i++) {
        char name[POINT_BYTES];

        side_format_point(name, points[i]);
        if (i == 0)
            text_addf(out, count > 1 ? _("%s%ss %s") : "%s%s %s", before,
                      term_piece(kind, side), name);
        else
            text_addf(out, "%s %s", i == count - 1 ? _(" and") : ",", name);
    }
    return count > 0;
}

void speech_pieces(struct text *out, const struct position *position)
{
    static const enum kind order[] = {KIND_KING,   KIND_GUARD,  KIND_ROOK, KIND_CANNON,
                                      KIND_KNIGHT, KIND_BISHOP, KIND_PAWN};

    for (int side = 0; side < SIDES; side++) {
        bool has_some = false;

        text_addf(out, "%s: ", term_side_title((enum side)side));
        for (size_t i = 0; i < ARRAY_LEN(order); i++)
            has_some |= tell_kind(out, position, (enum side)side, order[i],
                                  has_some ? "; " : "");
        text_add(out, ".\n");
    }
}

void speech_where(struct text *out, const struct position *position, enum kind kind)
{
    bool has_some = false;

    for (int side = 0; side < SIDES; side++) {
        char before[16];
        struct text text = text_into(before, sizeof before);

        text_addf(&text, "%s%s ", has_some ? " " : "",
                  term_side_title((enum side)side));
        if (!tell_kind(out, position, (enum side)side, kind, before))
            continue;
        text_add(out, ".");
        has_some = true;
    }
    if (!has_some)
        text_addf(out, _("There is no %s on the board."), term_kind(kind));
    text_add(out, "\n");
}

/* Appends to `out` which pieces stand on `count` points. The first point is `first`.
 * Add `step` to a point to get the next point. */
static void tell_points(struct text *out, const struct position *position, int first,
                        int step, int count)
{
    bool has_some = false;

    for (int i = 0; i < count; i++) {
        int point = first + i * step;
        char name[POINT_BYTES];

        if (position_kind(position, point) == KIND_NONE)
            continue;
        side_format_point(name, point);
        text_addf(
            out, "%s %s %s %s", has_some ? "," : "", name,
            term_side(position_side(position, point)),
            term_piece(position_kind(position, point), position_side(position, point)));
        has_some = true;
    }
    text_add(out, has_some ? ".\n" : _(" empty.\n"));
}

bool speech_line(struct text *out, const struct position *position, const char *word)
{
    int letter = toupper((unsigned char)word[0]);

    if (letter == '\0' || word[1] != '\0')
        return false;
    if (letter >= 'A' && letter < 'A' + BOARD_FILES) {
        text_addf(out, _("File %c:"), letter);
        tell_points(out, position, point_at(letter - 'A', 0), BOARD_FILES, BOARD_ROWS);
        return true;
    }
    if (!isdigit(letter))
        return false;
    text_addf(out, _("Row %d:"), letter - '0');
    tell_points(out, position, point_at(0, letter - '0'), 1, BOARD_FILES);
    return true;
}

/* --- The whole game --- */

static void tell_state(struct text *out, const struct facts *facts)
{
    const struct model_game *game = facts->game;
    char words[SENTENCE_BYTES];

    text_addf(out, _("Game %lld, move %d."), (long long)game->id,
              game_number_of_ply(&game->game, game->game.plies + 1));
    if (game->game.phase == GAME_OVER) {
        sentence_outcome(words, game->game.outcome, game->game.reason);
        text_addf(out, _(" It is over. %s"), words);
    }
    tell_turn(out, facts);
    text_add(out, "\n");
}

void speech_describe(struct text *out, const struct facts *facts)
{
    const struct model_game *game = facts->game;

    tell_state(out, facts);
    speech_pieces(out, &game->game.position);
    if (game->game.plies > 0) {
        text_add(out, _("Last: "));
        speech_last(out, game);
    }
}

/* Adds the pieces that `side` has captured, by name: "rook" for "R". */
static void tell_taken(struct text *out, const struct model_game *game, enum side side)
{
    static const char letters[] = "-rnbgkcp";
    char taken[MODEL_TAKEN_BYTES];

    model_taken(game, side, taken);
    if (taken[0] == '\0') {
        text_add(out, _(" Has taken nothing."));
        return;
    }
    text_add(out, _(" Has taken"));
    for (const char *at = taken; *at != '\0'; at++) {
        const char *found = strchr(letters, tolower((unsigned char)*at));

        if (found != NULL)
            text_addf(out, "%s %s", at > taken ? "," : "",
                      term_piece((enum kind)(found - letters), side_other(side)));
    }
    text_add(out, ".");
}

static void tell_player(struct text *out, const struct facts *facts, enum side side)
{
    const struct model_game *game = facts->game;

    text_addf(out, _("%s is %s%s."), term_side_title(side), game->game.name[side],
              game->is_away[side] ? _(", disconnected") : "");
    tell_clock(out, facts, side);
    tell_taken(out, game, side);
    text_add(out, "\n");
}

void speech_opponent(struct text *out, const struct facts *facts)
{
    const struct model_game *game = facts->game;

    for (int side = 0; side < SIDES; side++)
        if (!game->is_ours || game->side != (enum side)side)
            tell_player(out, facts, (enum side)side);
}

/* --- The manner --- */

/* Adds the text `words` without its mark "-- ". */
static void say_words(struct text *out, const char *words, int columns)
{
    render_wrapped(out, words + (strncmp(words, "-- ", 3) == 0 ? 3 : 0), columns);
}

static void say_event(struct text *out, const struct manner_scene *scene,
                      const struct facts *facts)
{
    char words[RENDER_LINE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (facts->game != scene->model->current)
        text_addf(&text, _("Game %lld: "), (long long)facts->game->id);
    if (scene->columns > 0 && facts->event->kind == EVENT_ADJOURN &&
        model_is_first_seen(facts->game)) {
        tell_start(&text, facts->game);
        text_add(&text, "\n");
    }
    speech_event(&text, facts);
    say_words(out, words, scene->columns);
    if (facts->event->kind == EVENT_END && scene->columns > 0 &&
        scene->after_end != NULL)
        say_words(out, scene->after_end, scene->columns);
}

static void say_board(struct text *out, const struct manner_scene *scene,
                      const struct facts *facts)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);

    speech_describe(&text, facts);
    say_words(out, words, scene->columns);
}

const struct manner speech_manner = {
    .name = "speech",
    .is_spoken = true,
    .event = say_event,
    .board = say_board,
    .setup_choice = say_setup_choice,
    .say = say_words,
};
