/* See speech.h. Sentences are short and begin with the most important word, so that a
 * listener can interrupt them. */
#include "client/view/speech.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/view/manner.h"
#include "client/view/render.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

enum { TOLD_BYTES = 320 };

/* Adds a sentence, after a space if it is not the first. */
PRINTF_LIKE(2, 3)
static void tell(struct text *out, const char *format, ...)
{
    char words[TOLD_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (out->len > 0 && strchr(" \n", out->at[out->len - 1]) == NULL)
        text_add(out, " ");
    text_add(out, words);
}

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

/* Adds the time left, "Blue 9 minutes 41.", and the overtime periods that follow it.
 * Adds nothing in an untimed game. */
static void tell_clock(struct text *out, const struct facts *facts, enum side side)
{
    int more = facts->more_periods[side];
    char left[64];
    struct text span = text_into(left, sizeof left);

    if (!facts->is_timed)
        return;
    speech_span(&span, facts->left_ms[side]);
    if (more > 0)
        tell(out,
             translate_count("%s %s, %d more period.", "%s %s, %d more periods.", more),
             term_side_title(side), left, more);
    else
        tell(out, "%s %s.", term_side_title(side), left);
}

/* --- Events --- */

/* Adds whether there is a check, whose turn it is, and the clock: "Check. Your move.
 * Blue 9 minutes 41." */
static void tell_turn(struct text *out, const struct facts *facts)
{
    enum game_phase phase = facts->game->game.phase;

    if (facts->turn == SIDE_NONE || phase == GAME_OVER)
        return;
    if (phase == GAME_SETUP) {
        tell(out, _("%s to set up."), term_side_title(facts->turn));
        return;
    }
    if (facts_is_piece_check(facts))
        tell(out, "%s", _("Check."));
    if (facts_is_bare_kings(facts))
        tell(out, "%s", _("The kings are bare."));
    if (facts->is_our_turn)
        tell(out, "%s", _("Your move."));
    else
        tell(out, _("%s to move."), term_side_title(facts->turn));
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
        tell(out, _("You play %s."), term_side(game->side));
}

/* Writes "knight on B, bishop on C, bishop on G, knight on H". Returns out. */
static const char *lineup_words(char out[TOLD_BYTES], enum lineup lineup)
{
    const char *name = lineup_name(lineup), *word[4];

    for (int i = 0; i < 4; i++)
        word[i] = name[i] == 'N' ? _("knight") : _("bishop");
    snprintf(out, TOLD_BYTES, _("%s on B, %s on C, %s on G, %s on H"), word[0], word[1],
             word[2], word[3]);
    return out;
}

static void say_setup_choice(struct text *out, const struct model *model,
                             const struct model_game *game, int64_t now_ms)
{
    char words[TOLD_BYTES], left[64];
    struct text span = text_into(left, sizeof left);

    text_add(out, _("Choose how your knights and bishops stand."));
    if (game->setup_until_ms > now_ms) {
        speech_span(&span, game->setup_until_ms - now_ms);
        tell(out, _("You have %s, then setup %d is chosen for you."), left,
             (int)game_usual_lineup(&game->game) + 1);
    }
    text_add(out, "\n");
    for (int i = 0; i < LINEUPS; i++)
        text_addf(out, _("setup %d: %s.\n"), i + 1,
                  lineup_words(words, (enum lineup)i));
    render_setup_proposal(out, model, game);
}

void speech_event(struct text *out, const struct facts *facts)
{
    const struct event *event = facts->event;
    char words[TOLD_BYTES] = "";

    if (facts->has_last)
        sentence_move(words, &facts->last);
    switch (event->kind) {
    case EVENT_START:
        tell_start(out, facts->game);
        break;
    case EVENT_SETUP:
        tell(out, _("%s sets up: %s."), term_side_title(event->side),
             lineup_words(words, event->lineup));
        break;
    case EVENT_MOVE:
        tell(out, "%s", words);
        if (*words_after_pass(&facts->game->game) != '\0')
            tell(out, "%s", words_after_pass(&facts->game->game));
        break;
    case EVENT_TAKEBACK:
        tell(out, "%s", _("Taken back."));
        if (facts->has_last)
            tell(out, _("The last move now: %s"), words);
        break;
    case EVENT_ADJOURN:
        tell(out, "%s", _("The game is adjourned."));
        break;
    case EVENT_CONTINUE:
        tell(out, "%s", _("The game goes on."));
        break;
    case EVENT_END:
        tell(out, "%s ", _("The game is over."));
        words_end(out, facts);
        break;
    }
    tell_turn(out, facts);
    text_add(out, "\n");
}

void speech_last(struct text *out, const struct model_game *game)
{
    char words[SENTENCE_BYTES];
    struct game_last last;
    bool has_last = game_last(&game->game, &last);

    if (has_last)
        sentence_move(words, &last);
    text_addf(out, "%s\n", has_last ? words : _("No move has been made yet."));
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

bool speech_line(struct text *out, const struct position *position, const char *word)
{
    int letter = toupper((unsigned char)word[0]), file = letter - 'A',
        row = letter - '0';
    bool is_file = letter >= 'A' && file < BOARD_FILES;
    char words[TOLD_BYTES];
    struct text list = text_into(words, sizeof words);

    if (letter == '\0' || word[1] != '\0' || !(is_file || isdigit(letter)))
        return false;
    for (int i = 0; i < (is_file ? BOARD_ROWS : BOARD_FILES); i++) {
        int point = is_file ? point_at(file, i) : point_at(i, row);
        enum side side = position_side(position, point);
        char name[POINT_BYTES];

        side_format_point(name, point);
        if (side != SIDE_NONE)
            text_addf(&list, "%s%s %s %s", list.len > 0 ? ", " : "", name,
                      term_side(side),
                      term_piece(position_kind(position, point), side));
    }
    if (list.len == 0)
        text_add(&list, _("empty"));
    text_addf(out, is_file ? _("File %c: %s.\n") : _("Row %c: %s.\n"), letter, words);
    return true;
}

/* --- The whole game --- */

void speech_describe(struct text *out, const struct facts *facts)
{
    const struct model_game *game = facts->game;
    char words[SENTENCE_BYTES];

    tell(out, _("Game %lld, move %d."), (long long)game->id,
         game_number_of_ply(&game->game, game->game.plies + 1));
    if (game->game.phase == GAME_OVER) {
        sentence_outcome(words, game->game.outcome, game->game.reason);
        tell(out, _("It is over. %s"), words);
    }
    tell_turn(out, facts);
    text_add(out, "\n");
    speech_pieces(out, &game->game.position);
    if (facts->has_last) {
        sentence_move(words, &facts->last);
        tell(out, _("Last: %s"), words);
        text_add(out, "\n");
    }
}

/* Adds the name, the clock, and the pieces that the player has captured: "rook" for "R". */
static void tell_player(struct text *out, const struct facts *facts, enum side side)
{
    static const char letters[] = "-rnbgkcp";
    const struct model_game *game = facts->game;
    char taken[MODEL_TAKEN_BYTES], words[TOLD_BYTES];
    struct text list = text_into(words, sizeof words);

    tell(out, game->is_away[side] ? _("%s is %s, disconnected.") : _("%s is %s."),
         term_side_title(side), game->game.name[side]);
    tell_clock(out, facts, side);
    model_taken(game, side, taken);
    for (const char *at = taken; *at != '\0'; at++) {
        const char *found = strchr(letters, tolower((unsigned char)*at));

        if (found != NULL)
            text_addf(&list, "%s%s", list.len > 0 ? ", " : "",
                      term_piece((enum kind)(found - letters), side_other(side)));
    }
    if (list.len > 0)
        tell(out, _("Has taken %s."), words);
    else
        tell(out, "%s", _("Has taken nothing."));
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
