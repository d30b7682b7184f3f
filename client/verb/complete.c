/* See complete.h. */
#include "client/verb/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/base/prefs.h"
#include "common/base/text.h"
#include "common/game/rules.h"
#include "common/words/guide.h"

static void add(struct complete *out, const char *word)
{
    if (out->count < COMPLETE_MAX &&
        text_copy(out->word[out->count], COMPLETE_WORD_BYTES, word))
        out->count++;
}

static void add_number(struct complete *out, int64_t number)
{
    char word[24];

    snprintf(word, sizeof word, "%lld", (long long)number);
    add(out, word);
}

/* --- Moves --- */

/* Adds a word in lower case, which is easiest to type, unless the typed word begins
 * with a capital. */
static void add_point(struct complete *out, int point, const char *word)
{
    char name[POINT_BYTES];

    side_format_point(name, point);
    if (!isupper((unsigned char)word[0]))
        text_lower(name);
    add(out, name);
}

static void add_move(struct complete *out, struct move move, const char *word)
{
    char name[MOVE_BYTES], close[MOVE_BYTES];

    move_format(name, move);
    if (isupper((unsigned char)word[0])) {
        add(out, name);
        return;
    }
    text_lower(name);
    snprintf(close, sizeof close, "%.2s%.2s", name, name + 3);
    add(out, strchr(word, '-') != NULL ? name : close);
}

/* Lists the legal moves of the side to move in the game that typed moves apply to.
 * Returns false if neither side is to move. */
static bool find_legal(const struct model *model, struct move_list *legal)
{
    const struct model_game *game = model->current;

    if (game == NULL || game->is_broken || game->game.phase != GAME_PLAY ||
        game_turn(&game->game) == SIDE_NONE)
        return false;
    rules_legal_moves(game->game.rules, &game->game.position, legal);
    return true;
}

static void add_moves(struct complete *out, const struct model *model, const char *word)
{
    struct move_list legal;

    if (!find_legal(model, &legal))
        return;
    for (int i = 0; i < legal.count; i++)
        if (!move_is_pass(legal.move[i]))
            add_move(out, legal.move[i], word);
}

/* Adds the targets of the piece on from; if from is POINT_NONE, the points of pieces
 * that can move. */
static void add_points(struct complete *out, const struct model *model, int from,
                       const char *word)
{
    bool is_added[BOARD_POINTS] = {false};
    struct move_list legal;

    if (!find_legal(model, &legal))
        return;
    for (int i = 0; i < legal.count; i++) {
        int point = from == POINT_NONE ? legal.move[i].from : legal.move[i].to;

        if (move_is_pass(legal.move[i]) || is_added[point] ||
            (from != POINT_NONE && legal.move[i].from != from))
            continue;
        is_added[point] = true;
        add_point(out, point, word);
    }
}

static bool is_like_point(const char *word)
{
    return strlen(word) >= 2 && strchr("abcdefghiABCDEFGHI", word[0]) != NULL &&
           isdigit((unsigned char)word[1]);
}

/* --- By the verb --- */

static void add_verbs(struct complete *out, const struct verb_book *book)
{
    for (size_t i = 0; verbs_at(book, i) != NULL; i++)
        add(out, verbs_at(book, i)->name);
}

/* Adds a player's name once, and never our own. */
static void add_name(struct complete *out, const struct model *model, const char *name)
{
    for (int i = 0; i < out->count; i++)
        if (strcmp(out->word[i], name) == 0)
            return;
    if (name[0] != '\0' && !model_is_same_name(name, model->name))
        add(out, name);
}

static void add_names(struct complete *out, const struct model *model,
                      const struct known *known)
{
    for (const struct model_game *game = model->games; game != NULL; game = game->next)
        for (int side = 0; side < SIDES; side++)
            add_name(out, model, game->game.name[side]);
    for (int i = 0; known != NULL && i < known->names; i++)
        add_name(out, model, known->name[i]);
}

static void add_terms(struct complete *out)
{
    static const char *const words[] = {"red", "blue", "any", "none", "10m+5s", "3d"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        add(out, words[i]);
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        add(out, ruleset_name(ruleset_at(i)));
}

static void add_games(struct complete *out, const struct model *model,
                      const struct known *known)
{
    for (const struct model_game *game = model->games; game != NULL; game = game->next)
        add_number(out, game->id);
    for (int i = 0; known != NULL && i < known->games.count; i++)
        if (model_find(model, known->games.number[i]) == NULL)
            add_number(out, known->games.number[i]);
}

static void add_offers(struct complete *out, const struct known *known)
{
    for (int i = 0; known != NULL && i < known->offers.count; i++)
        add_number(out, known->offers.number[i]);
}

/* Adds the words of a choice: "win|draw". */
static void add_choice(struct complete *out, const char *words)
{
    char one[COMPLETE_WORD_BYTES];

    for (; *words != '\0'; words += *words == '|') {
        size_t len = strcspn(words, "|");

        snprintf(one, sizeof one, "%.*s", (int)len, words);
        add(out, one);
        words += len;
    }
}

/* Adds the values of the setting whose name is the last word of done. */
static void add_values(struct complete *out, const char *done)
{
    char name[COMPLETE_WORD_BYTES];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(done, " "), done);
    for (size_t i = 0; prefs_value(name, i) != NULL; i++)
        add(out, prefs_value(name, i));
}

static void add_settings(struct complete *out)
{
    for (size_t i = 0; prefs_name(i) != NULL; i++)
        add(out, prefs_name(i));
}

static void add_rulesets(struct complete *out)
{
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        add(out, ruleset_name(ruleset_at(i)));
}

static void add_pieces(struct complete *out)
{
    for (int kind = KIND_ROOK; kind < KINDS; kind++)
        add(out, kind_name((enum kind)kind));
}

/* The line that is being completed. */
struct place {
    const struct verb_book *book;
    const struct model *model;
    const struct known *known;
    const struct verb *verb;
    const char *done; /* after the verb */
    const char *word; /* the word being typed */
};

static void add_topics(struct complete *out, const struct place *place)
{
    if (strcmp(place->verb->name, "rules") == 0)
        add_rulesets(out);
    else
        add_verbs(out, place->book);
    add_pieces(out);
    for (size_t i = 0; guide_topic_at(i) != NULL; i++)
        add(out, guide_topic_at(i));
}

static void add_argument(struct complete *out, const struct place *place,
                         const struct arg *arg)
{
    switch (arg->kind) {
    case ARG_TOPIC:
        add_topics(out, place);
        break;
    case ARG_PLAYER:
        add_names(out, place->model, place->known);
        break;
    case ARG_TERMS:
        add_terms(out);
        break;
    case ARG_GAME:
        add_games(out, place->model, place->known);
        break;
    case ARG_OFFER:
        add_offers(out, place->known);
        break;
    case ARG_POINT:
        add_points(out, place->model, POINT_NONE, place->word);
        break;
    case ARG_MOVE:
        add_moves(out, place->model, place->word);
        break;
    case ARG_PIECE:
        add_pieces(out);
        break;
    case ARG_CHOICE:
        add_choice(out, arg->label);
        break;
    case ARG_LINEUP:
        add_choice(out, arg->label != NULL ? arg->label : "1|2|3|4");
        break;
    case ARG_SETTING:
        add_settings(out);
        break;
    case ARG_VALUE:
        add_values(out, place->done);
        break;
    default:
        break; /* cannot be completed */
    }
}

static void add_arguments(struct complete *out, const struct place *place)
{
    const struct arg *args = place->verb->args;
    bool has_games = place->book->has_games;

    for (int i = 0; i < ARGS_MAX && args[i].kind != ARG_NONE; i++)
        if ((has_games || args[i].kind != ARG_GAME) &&
            args_may_follow(args, has_games, place->done, args[i].kind))
            add_argument(out, place, &args[i]);
}

void complete_gather(struct complete *out, const struct verb_book *book,
                     const struct model *model, const struct known *known,
                     const char *before, const char *word)
{
    const char *at = before + strspn(before, " ");
    size_t len = strcspn(at, " ");
    struct place place = {book, model, known, NULL, at + len + strspn(at + len, " "),
                          word};
    char first[COMPLETE_WORD_BYTES];

    out->count = 0;
    snprintf(first, sizeof first, "%.*s", (int)len, at);
    if (first[0] == '\0' && is_like_point(word)) {
        add_moves(out, model, word);
        return;
    }
    if (first[0] == '\0') {
        add_verbs(out, book);
        return;
    }
    if (is_like_point(first) && first[2] == '\0') {
        add_points(out, model, side_parse_point(first), word);
        return;
    }
    text_lower(first);
    place.verb = verbs_find(book, first);
    if (place.verb != NULL)
        add_arguments(out, &place);
}

const char *complete_word(struct complete *complete, const struct verb_book *book,
                          const struct model *model, const struct known *known,
                          const char *before, const char *word, size_t i)
{
    if (i == 0)
        complete_gather(complete, book, model, known, before, word);
    return i < (size_t)complete->count ? complete->word[i] : NULL;
}
