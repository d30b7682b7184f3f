/* See json.h. You may add a field, but never remove or change one: scripts depend on
 * the fields they know and skip the others. */
#include "client/view/json.h"

#include <stdio.h>
#include <string.h>

#include "client/view/told.h"
#include "client/view/words.h"
#include "common/game/board.h"
#include "common/words/sentence.h"

/* --- Parts of JSON --- */

static void put_string(struct text *out, const char *words)
{
    text_add_json(out, words, strlen(words));
}

static void put_words(struct text *out, const char *key, const char *words)
{
    text_addf(out, ",\"%s\":", key);
    put_string(out, words);
}

static void put_number(struct text *out, const char *key, int64_t number)
{
    text_addf(out, ",\"%s\":%lld", key, (long long)number);
}

/* Opens an object. */
static void put_type(struct text *out, const char *type)
{
    text_addf(out, "{\"t\":\"%s\"", type);
}

/* Adds the text for a person, without "-- " in front and without LF at the end. */
static void put_told(struct text *out, const char *words)
{
    size_t len;

    if (strncmp(words, "-- ", 3) == 0)
        words += 3;
    len = strlen(words);
    while (len > 0 && words[len - 1] == '\n')
        len--;
    text_add(out, ",\"text\":");
    text_add_json(out, words, len);
}

/* --- Games --- */

/* Adds the check, the clocks, and whose turn it is. */
static void put_state(struct text *out, const struct facts *facts)
{
    if (facts->check != CHECK_NONE)
        put_words(out, "check", check_name(facts->check));
    if (facts->is_timed)
        text_addf(out, ",\"clock\":{\"blue\":%lld,\"red\":%lld}",
                  (long long)facts->left_ms[SIDE_BLUE],
                  (long long)facts->left_ms[SIDE_RED]);
    if (facts->is_timed && facts->game->clock.terms.periods > 0)
        text_addf(out, ",\"periods\":{\"blue\":%d,\"red\":%d}",
                  facts->periods[SIDE_BLUE], facts->periods[SIDE_RED]);
    if (facts->turn != SIDE_NONE)
        put_words(out, "turn", side_name(facts->turn));
}

static void put_players(struct text *out, const struct model_game *game)
{
    char terms[TIME_TERMS_BYTES], manners[MANNERS_BYTES], *rest = manners;
    const char *key, *value;

    time_terms_format(terms, &game->game.clock.terms);
    put_words(out, "red", game->game.name[SIDE_RED]);
    put_words(out, "blue", game->game.name[SIDE_BLUE]);
    put_words(out, "rules", ruleset_name(game->game.rules));
    put_words(out, "time", terms);
    manners_format(manners, &game->game.manners);
    while (manner_words_next(&rest, &key, &value))
        put_words(out, key, value);
    if (game->is_ours)
        put_words(out, "you", side_name(game->side));
}

static void put_outcome(struct text *out, const struct game *game)
{
    char words[SENTENCE_BYTES];

    sentence_outcome(words, game->outcome, game->reason);
    put_words(out, "outcome", outcome_name(game->outcome));
    put_words(out, "reason", reason_name(game->reason));
    if (game->ended_by != SIDE_NONE)
        put_words(out, "by", side_name(game->ended_by));
    put_words(out, "text", words);
}

static void add_event(struct text *out, const struct manner_scene *scene,
                      const struct facts *facts)
{
    const struct model_game *game = facts->game;
    const struct event *event = facts->event;

    (void)scene;
    put_type(out, event_kind_name(event->kind));
    put_number(out, "game", game->id);
    put_number(out, "event", game->game.events - 1);
    if (event->kind == EVENT_START)
        put_players(out, game);
    if (event->kind == EVENT_SETUP) {
        put_words(out, "by", side_name(event->side));
        put_words(out, "lineup", lineup_name(event->lineup));
    }
    if (event->kind == EVENT_MOVE && facts->has_last) {
        put_number(out, "ply", game->game.plies);
        put_words(out, "by", side_name(facts->last.side));
        put_words(out, "move", facts->move);
        if (facts->last.mover != KIND_NONE)
            put_words(out, "piece", kind_name(facts->last.mover));
        if (facts->last.taken != KIND_NONE)
            put_words(out, "took", kind_name(facts->last.taken));
    }
    if (event->kind == EVENT_TAKEBACK)
        put_number(out, "ply", event->ply);
    if (event->kind == EVENT_END)
        put_outcome(out, &game->game);
    put_state(out, facts);
    text_add(out, "}\n");
}

static void add_board(struct text *out, const struct manner_scene *scene,
                      const struct facts *facts)
{
    const struct model_game *game = facts->game;
    char position[POSITION_BYTES];

    (void)scene;
    put_type(out, "board");
    put_number(out, "game", game->id);
    put_players(out, game);
    put_number(out, "ply", game->game.plies);
    if (game->game.phase == GAME_PLAY || game->game.phase == GAME_OVER) {
        position_format(position, &game->game.position);
        put_words(out, "position", position);
    }
    if (game->game.phase == GAME_OVER)
        put_outcome(out, &game->game);
    put_state(out, facts);
    text_add(out, "}\n");
}

/* --- Lines of the server --- */

/* Adds the words of the line that do not have the form key=value, from index
 * `first`. */
static void put_plain_words(struct text *out, const struct proto_line *line, int first)
{
    const char *between = "";

    text_add(out, ",\"words\":[");
    for (int i = first; i < line->words; i++)
        if (strchr(line->word[i], '=') == NULL) {
            text_add(out, between);
            put_string(out, line->word[i]);
            between = ",";
        }
    text_add(out, "]");
}

/* Adds the first pair of each key. The values are always strings, because a name may look like
 * a number. */
static void put_values(struct text *out, const struct proto_line *line)
{
    const char *between = "";

    text_add(out, ",\"values\":{");
    for (int i = 0; i < line->words; i++) {
        size_t len = strcspn(line->word[i], "=");
        bool is_repeated = false;

        for (int k = 0; k < i; k++)
            is_repeated |= strncmp(line->word[k], line->word[i], len + 1) == 0;
        if (line->word[i][len] != '=' || is_repeated)
            continue;
        text_add(out, between);
        text_add_json(out, line->word[i], len);
        text_add(out, ":");
        put_string(out, line->word[i] + len + 1);
        between = ",";
    }
    text_add(out, "}");
}

/* Adds the fields that notices and answers have in common, and closes the JSON object.
 * Leaves out the first word of the line, because the caller has added it. `words`: the
 * text for a person. */
static void put_rest(struct text *out, const struct proto_line *line, const char *words)
{
    int64_t game = proto_line_number(line, "game", -1);

    if (game >= 0)
        put_number(out, "game", game);
    put_plain_words(out, line, 1);
    put_values(out, line);
    if (line->human[0] != '\0')
        put_words(out, "human", line->human);
    put_told(out, words);
    text_add(out, "}\n");
}

void json_said(struct text *out, const struct said *said)
{
    const struct proto_line *line = said->line;
    char room[TOLD_ROW_BYTES], first[PROTO_LINE_MAX];
    struct proto_line row;
    const char *words = said->words;

    switch (said->kind) {
    case SAID_WORDS:
        for (size_t len; *words != '\0'; words += len + (words[len] == '\n')) {
            len = strcspn(words, "\n");
            if (len == 0)
                continue;
            snprintf(first, sizeof first, "%.*s", (int)len, words);
            put_type(out, "say");
            put_told(out, first);
            text_add(out, "}\n");
        }
        break;
    case SAID_NOTICE:
        put_type(out, "notice");
        put_words(out, "kind", line->words > 0 ? line->word[0] : "");
        put_rest(out, line, words);
        break;
    case SAID_ANSWER:
        put_type(out, "answer");
        put_words(out, "to", said->verb);
        text_addf(out, ",\"ok\":%s", line->mark == PROTO_OK ? "true" : "false");
        if (line->mark != PROTO_OK)
            put_words(out, "code", line->words > 0 ? line->word[0] : "");
        put_rest(out, line, words);
        break;
    case SAID_ROW:
        put_type(out, "item");
        put_words(out, "of", said->verb);
        put_words(out, "line", said->row);
        told_parse_row(said->row, room, &row);
        put_plain_words(out, &row, 0);
        put_values(out, &row);
        text_add(out, "}\n");
        break;
    default:
        put_type(out, said->kind == SAID_QUESTION ? "question" : "refused");
        put_told(out, words);
        text_add(out, "}\n");
        break;
    }
}

const struct manner json_manner = {
    .name = "json",
    .event = add_event,
    .board = add_board,
    .said = json_said,
};
