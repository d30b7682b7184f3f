/* See lookup.h. */
#include "client/play/lookup.h"

#include <limits.h>
#include <string.h>

#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* --- Watchers --- */

/* A server that sends notices without end must not make the client ask without end. */
enum { ASKS_PER_S = 8 };

void lookup_watchers(struct lookup *lookup, struct model_game *game)
{
    int64_t now_ms = mono_now_ms();

    if (game == NULL || !model_is_playing(game) ||
        !console_is_screen(lookup->talk->console))
        return;
    if (now_ms - game->watchers_asked_ms >= 1000) {
        game->watchers_asked_ms = now_ms;
        game->watchers_asked = 0;
    }
    if (++game->watchers_asked <= ASKS_PER_S)
        (void)talk_sendf(lookup->talk, game->id, true, "watchers %lld",
                         (long long)game->id);
}

static struct model_game *find_game(const struct lookup *lookup,
                                    const struct proto_line *line)
{
    return model_find(&lookup->talk->model, proto_line_number(line, "game", -1));
}

void lookup_take_notice(struct lookup *lookup, const struct proto_line *line)
{
    struct model_game *game = find_game(lookup, line);

    if (game != NULL && line->words > 0 && strcmp(line->word[0], "watchers") == 0 &&
        game->unnamed_watchers > 0)
        lookup_watchers(lookup, game); /* the notice has only numbers */
}

/* Takes the end of the answer to "watchers". A watcher of a game gets no news of the
 * others, so only the list of our own game is kept. */
static void take_watchers(struct lookup *lookup, const struct proto_line *line)
{
    struct model_game *game = find_game(lookup, line);
    int64_t count = proto_line_number(line, "count", -1);

    if (line->mark == PROTO_OK && game != NULL && game->is_ours &&
        count >= lookup->names && count <= INT_MAX) {
        memcpy(game->watcher, lookup->name, sizeof game->watcher);
        game->watchers = lookup->names;
        game->unnamed_watchers = (int)count - lookup->names;
    }
    lookup->names = 0;
}

/* --- Ratings --- */

enum { WAITING_MAX = 16 }; /* requests that wait for answers, until none is added */

void lookup_ratings(struct lookup *lookup, const struct model_game *game)
{
    int count = 0;

    for (const struct visit_request *r = visit_requests(lookup->talk->visit); r != NULL;
         r = r->next)
        if (++count == WAITING_MAX)
            return;
    for (int side = 0; side < SIDES; side++)
        (void)talk_sendf(lookup->talk, game->id, true, "rank %s",
                         game->game.name[side]);
}

/* Returns the side of the player of `game` (may be NULL) whose rating was asked for, or
 * SIDE_NONE. */
static enum side side_asked(const struct model_game *game,
                            const struct visit_request *asked)
{
    for (int side = 0; game != NULL && side < SIDES; side++)
        if (model_is_same_name(game->game.name[side], asked->about))
            return (enum side)side;
    return SIDE_NONE;
}

/* Red's rating was asked for first, Blue's second. So after the answer about Blue,
 * prints the ratings of the current game, as in "hong 1512 4k, kim 1488?": its board was
 * already shown without them. */
static void say_ratings(struct lookup *lookup, const struct visit_request *asked)
{
    struct talk *talk = lookup->talk;
    const struct model_game *game = model_find(&talk->model, asked->game);
    char words[256];
    struct text text = text_into(words, sizeof words);

    if (side_asked(game, asked) != SIDE_BLUE || game != talk->model.current ||
        game->game.phase != GAME_PLAY)
        return;
    for (int side = 0; side < SIDES; side++)
        if (game->rating[side][0] != '\0')
            text_addf(&text, "%s%s%s", text.len > 0 ? ", " : "", game->game.name[side],
                      game->rating[side]);
    if (text.len > 0)
        console_sayf(talk->console, _("-- ratings: %s\n"), words);
}

/* --- Rows and answers --- */

void lookup_take_row(struct lookup *lookup, const struct visit_request *asked,
                     const char *row)
{
    struct model_game *game = model_find(&lookup->talk->model, asked->game);
    char copy[TOLD_ROW_BYTES], rating[WORDS_RATING_BYTES];
    struct proto_line line;
    enum side side;

    told_parse_row(row, copy, &line);
    if (strcmp(asked->verb, "watchers") == 0) {
        if (line.words > 1 && strcmp(line.word[0], "watcher") == 0 &&
            lookup->names < MODEL_WATCHERS_MAX &&
            text_copy(lookup->name[lookup->names], NAME_BYTES, line.word[1]))
            lookup->names++;
    } else if (strcmp(asked->verb, "rank") == 0 && asked->is_quiet &&
               (side = side_asked(game, asked)) != SIDE_NONE &&
               strcmp(words_value(&line, "pool", ""), model_rating_pool(game)) == 0) {
        model_set_rating(game, side, words_rating(rating, &line, ""));
    }
}

void lookup_take_answer(struct lookup *lookup, const struct visit_request *asked,
                        const struct proto_line *line)
{
    const char *verb = asked->verb;

    if (strcmp(verb, "watchers") == 0)
        take_watchers(lookup, line);
    else if (strcmp(verb, "rank") == 0 && asked->is_quiet)
        say_ratings(lookup, asked);
    else if (line->mark == PROTO_OK &&
             (strcmp(verb, "unlet") == 0 || strcmp(verb, "watchlink") == 0))
        lookup_watchers(lookup, find_game(lookup, line)); /* may have sent some away */
}

/* --- Our own games --- */

void lookup_take_own_game(struct lookup *lookup, const struct proto_line *line)
{
    struct text rows = {
        .at = lookup->rows, .size = sizeof lookup->rows, .len = strlen(lookup->rows)};
    struct text turns = {.at = lookup->turns,
                         .size = sizeof lookup->turns,
                         .len = strlen(lookup->turns)};
    const struct model *model = &lookup->talk->model;
    const char *id = words_value(line, "game", "?");
    struct told told = {.model = model, .line = line};
    bool is_red = model_is_same_name(words_value(line, "red", ""), model->name);

    if (!lookup->is_listing)
        return;
    lookup->games++;
    text_add(&rows, "  ");
    (void)told_say(&rows, &told, "=own_game");
    text_add(&rows, "\n");
    if (strcmp(words_value(line, "turn", ""), is_red ? "red" : "blue") == 0)
        text_addf(&turns, "%s%s", turns.len > 0 ? ", " : "", id);
}

void lookup_say_own_games(struct lookup *lookup)
{
    struct console *console = lookup->talk->console;
    bool is_table = lookup->is_listing && lookup->games > 1;

    lookup->is_listing = false;
    if (!is_table)
        return; /* a single game is shown with its board instead */
    console_say(console, _("-- your games (\"game NUMBER\" goes to one):\n"));
    console_say(console, lookup->rows);
    if (lookup->turns[0] != '\0')
        console_sayf(console, _("-- it is your move in %s\n"), lookup->turns);
}
