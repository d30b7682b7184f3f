/* See complete.h. */
#include "client/verb/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/base/prefs.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/text.h"
#include "common/game/rules.h"
#include "common/words/guide.h"

/* --- What the server has mentioned --- */

/* Returns the index of the word; -1: it is not in the list. */
static int known_at(const struct known_words *list, const char *word)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->word[i], word) == 0)
            return i;
    return -1;
}

/* Does nothing if `at` is -1. */
static void remove_at(struct known_words *list, int at)
{
    if (at < 0)
        return;
    list->count--;
    memmove(list->word + at, list->word + at + 1,
            (size_t)(list->count - at) * sizeof list->word[at]);
}

static void note(struct known_words *list, const char *word)
{
    int at = known_at(list, word);

    if (at >= 0)
        remove_at(list, at);
    else if (list->count == KNOWN_MAX)
        remove_at(list, 0);
    text_copy(list->word[list->count++], NAME_BYTES, word);
}

static void note_number(struct known_words *list, const char *word)
{
    char canonical[NAME_BYTES];
    int64_t number;

    if (word == NULL || !text_to_int(word, 0, INT64_MAX, &number))
        return;
    snprintf(canonical, sizeof canonical, "%lld", (long long)number);
    note(list, canonical);
}

/* Adds `word` to the known names if it is a valid name: a server can send any text. */
static void note_name(struct known *known, const char *word)
{
    char name[NAME_BYTES];

    if (word != NULL && utf8_name(name, word))
        note(&known->names, name);
}

void known_note(struct known *known, const struct proto_line *line)
{
    static const char *const names[] = {"by", "to", "from", "name", "red", "blue"};
    const char *kind = line->words > 0 ? line->word[0] : "";

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        note_name(known, proto_line_value(line, names[i]));
    note_number(&known->games, proto_line_value(line, "game"));
    if (line->words < 2)
        return;
    if (strcmp(kind, "game") == 0)
        note_number(&known->games, line->word[1]);
    else if (strcmp(kind, "player") == 0)
        note_name(known, line->word[1]);
    else if (strcmp(kind, "gone") == 0)
        remove_at(&known->offers, known_at(&known->offers, line->word[1]));
    else if (strcmp(kind, "seek") == 0 || strcmp(kind, "challenge") == 0 ||
             strcmp(kind, "offer") == 0)
        note_number(&known->offers, line->word[1]);
}

void known_note_row(struct known *known, const char *row)
{
    char copy[TOLD_ROW_BYTES];
    struct proto_line parsed;

    told_parse_row(row, copy, &parsed);
    known_note(known, &parsed);
}

/* --- Completion --- */

/* One completion: the typed line and the list of words that may follow. */
struct place {
    struct complete *out;
    const struct verb_book *book;
    const struct model *model;
    const struct known *known;
    const struct verb *verb;
    const struct arg *arg; /* the rule that is now used to complete `word`; NULL: there
                            * is no verb */
    const char *done;      /* the complete words after the verb */
    const char *word;      /* the word being typed */
    int from;              /* the point that was typed before `word`; POINT_NONE:
                            * none */
};

/* Adds a word, unless the list has it. */
static void add(const struct place *place, const char *word)
{
    struct complete *out = place->out;

    for (int i = 0; i < out->count; i++)
        if (strcmp(out->word[i], word) == 0)
            return;
    if (out->count < COMPLETE_MAX &&
        text_copy(out->word[out->count], COMPLETE_WORD_BYTES, word))
        out->count++;
}

/* --- Moves --- */

/* Adds the legal moves of the current game, to which typed moves apply: for an argument that
 * is a point, the points of pieces that can move; after a point, the targets of the piece
 * there. In lower case, which is easiest to type, unless `word` begins with a capital. */
static void add_moves(const struct place *place)
{
    const struct model_game *game = place->model->current;
    bool is_whole = place->from == POINT_NONE &&
                    (place->arg == NULL || place->arg->kind == ARG_MOVE);
    bool is_capital = isupper((unsigned char)place->word[0]);
    struct move_list legal;

    if (game == NULL || game->is_broken || game->game.phase != GAME_PLAY ||
        game_turn(&game->game) == SIDE_NONE)
        return;
    rules_legal_moves(game->game.rules, &game->game.position, &legal);
    for (int i = 0; i < legal.count; i++) {
        struct move move = legal.move[i];
        int point = place->from == POINT_NONE ? move.from : move.to;
        char name[MOVE_BYTES];

        if (move_is_pass(move) ||
            (place->from != POINT_NONE && move.from != place->from))
            continue;
        if (is_whole)
            move_format(name, move);
        else
            side_format_point(name, point);
        if (!is_capital)
            text_lower(name);
        if (is_whole && !is_capital && strchr(place->word, '-') == NULL)
            memmove(name + 2, name + 3, strlen(name + 3) + 1); /* "b0c2" */
        add(place, name);
    }
}

static bool is_like_point(const char *word)
{
    return strlen(word) >= 2 && strchr("abcdefghiABCDEFGHI", word[0]) != NULL &&
           isdigit((unsigned char)word[1]);
}

/* --- By the verb --- */

static void add_verbs(const struct place *place)
{
    const char *name;

    for (size_t i = 0; (name = verbs_name_at(place->book, place->model, i)) != NULL;
         i++)
        add(place, name);
    if (model_find_verb(place->model, "challenge") != NULL)
        add(place, "match"); /* its name at other chess servers */
}

/* Adds a player's name, unless it is our own. */
static void add_name(const struct place *place, const char *name)
{
    if (name[0] != '\0' && !model_is_same_name(name, place->model->name))
        add(place, name);
}

static void add_names(const struct place *place)
{
    for (const struct model_game *game = place->model->games; game != NULL;
         game = game->next)
        for (int side = 0; side < SIDES; side++)
            add_name(place, game->game.name[side]);
    for (int i = 0; place->known != NULL && i < place->known->names.count; i++)
        add_name(place, place->known->names.word[i]);
}

static void add_rulesets(const struct place *place)
{
    add(place, ruleset_name(words_usual_rules()));
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        add(place, ruleset_name(ruleset_at(i)));
}

static void add_terms(const struct place *place)
{
    static const char *const words[] = {"red", "blue", "any", "none", "10m+5s", "3d"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        add(place, words[i]);
    add_rulesets(place);
}

static void add_games(const struct place *place)
{
    for (const struct model_game *game = place->model->games; game != NULL;
         game = game->next) {
        char number[24];

        snprintf(number, sizeof number, "%lld", (long long)game->id);
        add(place, number);
    }
    for (int i = 0; place->known != NULL && i < place->known->games.count; i++)
        add(place, place->known->games.word[i]);
}

static void add_offers(const struct place *place)
{
    for (int i = 0; place->known != NULL && i < place->known->offers.count; i++)
        add(place, place->known->offers.word[i]);
}

/* Adds the words of the argument's label, such as "win|draw". An argument without a
 * label is a line-up: adds the numbers 1 to 4. */
static void add_choice(const struct place *place)
{
    const char *words = place->arg->label != NULL ? place->arg->label : "1|2|3|4";
    char one[COMPLETE_WORD_BYTES];

    for (; *words != '\0'; words += *words == '|') {
        size_t len = strcspn(words, "|");

        snprintf(one, sizeof one, "%.*s", (int)len, words);
        add(place, one);
        words += len;
    }
}

/* Adds the values of the setting whose name is in `done`. */
static void add_values(const struct place *place)
{
    char name[COMPLETE_WORD_BYTES];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(place->done, " "), place->done);
    for (size_t i = 0; prefs_value(name, i) != NULL; i++)
        add(place, prefs_value(name, i));
}

static void add_settings(const struct place *place)
{
    for (size_t i = 0; prefs_name(i) != NULL; i++)
        add(place, prefs_name(i));
}

static void add_pieces(const struct place *place)
{
    for (int kind = KIND_ROOK; kind < KINDS; kind++)
        add(place, kind_name((enum kind)kind));
}

static void add_topics(const struct place *place)
{
    if (strcmp(place->verb->name, "rules") == 0)
        add_rulesets(place);
    else
        add_verbs(place);
    add_pieces(place);
    for (size_t i = 0; guide_topic_at(i) != NULL; i++)
        add(place, guide_topic_at(i));
}

/* The functions that add words, by the kind of the argument; NULL: it cannot be
 * completed. */
static void (*const adders[ARG_KINDS])(const struct place *place) = {
    [ARG_TOPIC] = add_topics,     [ARG_PLAYER] = add_names,  [ARG_GAME] = add_games,
    [ARG_OFFER] = add_offers,     [ARG_POINT] = add_moves,   [ARG_MOVE] = add_moves,
    [ARG_PIECE] = add_pieces,     [ARG_CHOICE] = add_choice, [ARG_LINEUP] = add_choice,
    [ARG_SETTING] = add_settings, [ARG_VALUE] = add_values,
};

/* Adds what may follow a verb of the server, by the words in its usage: GAME, NAME, ID,
 * time=, and words that are typed as they are, such as "on|off". A name comes first, the
 * terms of a game after it. */
static void add_by_usage(const struct place *place, const char *usage)
{
    char word[COMPLETE_WORD_BYTES];
    bool is_first = place->done[0] == '\0';

    usage += strcspn(usage, " ");
    if (is_first && strncmp(usage, " NAME", 5) == 0) {
        add_names(place);
        return;
    }
    while (*usage != '\0') {
        size_t len;

        usage += strspn(usage, " []|.");
        len = strcspn(usage, " []|.");
        snprintf(word, sizeof word, "%.*s", (int)len, usage);
        usage += len;
        if (strcmp(word, "NAME") == 0 && is_first)
            add_names(place);
        else if (strcmp(word, "GAME") == 0)
            add_games(place);
        else if (strcmp(word, "ID") == 0 && is_first)
            add_offers(place);
        else if (strncmp(word, "time=", 5) == 0 || strcmp(word, "TIME") == 0)
            add_terms(place);
        else if (word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyz") == len)
            add(place, word);
    }
}

void complete_gather(struct complete *out, const struct verb_book *book,
                     const struct model *model, const struct known *known,
                     const char *before, const char *word)
{
    const char *at = before + strspn(before, " ");
    size_t len = strcspn(at, " ");
    struct place place = {.out = out,
                          .book = book,
                          .model = model,
                          .known = known,
                          .done = at + len + strspn(at + len, " "),
                          .word = word,
                          .from = POINT_NONE};
    char first[COMPLETE_WORD_BYTES];
    const char *name;
    const struct arg *args;

    out->count = 0;
    snprintf(first, sizeof first, "%.*s", (int)len, at);
    if (first[0] == '\0' && is_like_point(word)) {
        add_moves(&place);
        return;
    }
    if (first[0] == '\0') {
        add_verbs(&place);
        return;
    }
    if (is_like_point(first) && first[2] == '\0') {
        place.from = side_parse_point(first);
        add_moves(&place);
        return;
    }
    text_lower(first);
    name = verbs_find(book, model, first);
    place.verb = name != NULL ? verbs_get(book, name) : NULL;
    args = place.verb != NULL ? place.verb->args : NULL;
    for (int i = 0; args != NULL && i < ARGS_MAX && args[i].kind != ARG_NONE; i++) {
        place.arg = &args[i];
        if ((book->has_games || args[i].kind != ARG_GAME) &&
            adders[args[i].kind] != NULL &&
            args_may_follow(args, book->has_games, place.done, args[i].kind))
            adders[args[i].kind](&place);
    }
    if (place.verb == NULL && name != NULL && model_find_verb(model, name) != NULL)
        add_by_usage(&place, model_find_verb(model, name)->usage);
}

const char *complete_word(struct complete *complete, const struct verb_book *book,
                          const struct model *model, const struct known *known,
                          const char *before, const char *word, size_t i)
{
    if (i == 0)
        complete_gather(complete, book, model, known, before, word);
    return i < (size_t)complete->count ? complete->word[i] : NULL;
}
