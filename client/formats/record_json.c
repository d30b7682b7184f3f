/* See record_json.h. */
#include "client/formats/record_json.h"

#include <assert.h>
#include <string.h>

#include "client/formats/notation.h"
#include "common/base/text.h"
#include "common/game/event.h"
#include "common/record/record_text.h"

/* --- Parts of JSON --- */

/* Writes `words` as a JSON string. The buffer is large enough for the text of an event,
 * which is the longest text that is written. */
static void add_string(struct record_text *text, const char *words)
{
    char string[TEXT_JSON_BYTES(EVENT_BYTES)];
    struct text out = text_into(string, sizeof string);

    text_add_json(&out, words, strlen(words));
    assert(!out.is_cut);
    record_text_add(text, string);
}

static void add_key(struct record_text *text, const char *key)
{
    record_text_addf(text, "\"%s\": ", key);
}

/* Writes a member of the object; "" becomes null. */
static void add_words(struct record_text *text, const char *key, const char *words)
{
    add_key(text, key);
    if (words[0] != '\0')
        add_string(text, words);
    else
        record_text_add(text, "null");
    record_text_add(text, ",\n ");
}

static void add_number(struct record_text *text, const char *key, int64_t number)
{
    record_text_addf(text, ", \"%s\": %lld", key, (long long)number);
}

/* --- The head --- */

static void add_head(struct record_text *text, const struct record *record,
                     const struct game *game)
{
    char time[TIME_TERMS_BYTES];

    record_text_add(text, "{\"format\": \"janggi-record\", \"version\": 1,\n ");
    add_words(text, "server", record->server);
    if (record->game >= 0)
        record_text_addf(text, "\"game\": %lld,\n ", (long long)record->game);
    else
        add_words(text, "game", "");
    add_words(text, "ended", record->ended);
    add_words(text, "rules", ruleset_name(game->rules));
    time_terms_format(time, &game->clock.terms);
    add_words(text, "time", time);
    add_words(text, "red", game->name[SIDE_RED]);
    add_words(text, "blue", game->name[SIDE_BLUE]);
}

/* Writes the position and its FEN, or null if play has not begun. */
static void add_position(struct record_text *text, const char *key, const char *fen_key,
                         const struct game *game, const struct position *position)
{
    char words[POSITION_BYTES] = "", fen[NOTATION_FEN_BYTES] = "";

    if (record_has_play(game)) {
        position_format(words, position);
        notation_fen_format(fen, position);
    }
    add_words(text, key, words);
    add_words(text, fen_key, fen);
}

/* --- Moves --- */

static void add_times(struct record_text *text, const struct game *game, int ply)
{
    struct time_left red = record_left(game, ply, SIDE_RED);
    struct time_left blue = record_left(game, ply, SIDE_BLUE);

    if (game->clock.terms.is_untimed)
        return;
    add_number(text, "red_ms", red.main_ms);
    add_number(text, "blue_ms", blue.main_ms);
    if (game->clock.terms.periods == 0)
        return;
    add_number(text, "red_periods", red.periods);
    add_number(text, "blue_periods", blue.periods);
}

static void add_kind(struct record_text *text, const char *key, enum kind kind)
{
    if (kind == KIND_NONE)
        record_text_addf(text, ", \"%s\": null", key);
    else
        record_text_addf(text, ", \"%s\": \"%s\"", key, kind_name(kind));
}

/* Writes move number `ply` (counted from 1) and then plays it in *position, which must
 * be the position before the move. */
static void add_move(struct record_text *text, const struct game *game, int ply,
                     struct position *position)
{
    struct move move = game->ply[ply - 1].move;
    char words[MOVE_BYTES], uci[NOTATION_BYTES] = "";
    bool is_pass = move_is_pass(move);
    struct undo undo;

    move_format(words, move);
    (void)!notation_format_move(uci, NOTATION_UCI, move, position, NULL);
    record_text_addf(text,
                     "{\"ply\": %d, \"side\": \"%s\", \"move\": \"%s\", "
                     "\"uci\": \"%s\"",
                     ply, side_name((enum side)position->side), words, uci);
    add_kind(text, "piece", is_pass ? KIND_NONE : position_kind(position, move.from));
    add_kind(text, "took", is_pass ? KIND_NONE : position_kind(position, move.to));
    rules_make(game->rules, position, move, &undo);
    record_text_addf(text, ", \"check\": \"%s\"", check_name(rules_check(position)));
    add_times(text, game, ply);
    record_text_add(text, "}");
}

char *record_json_write(const struct record *record, const struct game *game)
{
    struct record_text text = {.at = NULL};
    struct position start = game_start(game);
    bool is_over = game->phase == GAME_OVER;

    add_head(&text, record, game);
    add_key(&text, "setup");
    if (!game->has_lineup[SIDE_RED] || !game->has_lineup[SIDE_BLUE])
        record_text_add(&text, "null,\n ");
    else
        record_text_addf(&text, "{\"red\": \"%s\", \"blue\": \"%s\"},\n ",
                         lineup_name(game->lineup[SIDE_RED]),
                         lineup_name(game->lineup[SIDE_BLUE]));
    add_position(&text, "start", "start_fen", game, &start);
    add_key(&text, "moves");
    record_text_add(&text, "[");
    for (int ply = 1; ply <= game->plies; ply++) {
        record_text_add(&text, ply > 1 ? ",\n  " : "\n  ");
        add_move(&text, game, ply, &start);
    }
    record_text_add(&text, "],\n ");
    add_words(&text, "outcome", is_over ? outcome_name(game->outcome) : "");
    add_words(&text, "reason", is_over ? reason_name(game->reason) : "");
    add_words(&text, "ended_by",
              is_over && game->ended_by != SIDE_NONE ? side_name(game->ended_by) : "");
    add_position(&text, "position", "fen", game, &game->position);
    add_key(&text, "events");
    record_text_add(&text, "[");
    for (int i = 0; i < record->events; i++) {
        record_text_add(&text, i > 0 ? ",\n  " : "\n  ");
        add_string(&text, record->event[i]);
    }
    record_text_add(&text, "]}\n");
    return record_text_take(&text);
}
