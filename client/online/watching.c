/* See watching.h. */
#include "client/online/watching.h"

#include <limits.h>
#include <string.h>

#include "client/view/row.h"
#include "common/base/mono.h"
#include "common/base/text.h"

/* A server that sends notices without end must not make the client ask without end. */
enum { ASKS_PER_S = 8 };

static bool may_ask(struct model_game *game, int64_t now_ms)
{
    if (now_ms - game->watchers_asked_ms >= 1000) {
        game->watchers_asked_ms = now_ms;
        game->watchers_asked = 0;
    }
    return ++game->watchers_asked <= ASKS_PER_S;
}

void watching_ask(struct watching *watching, struct model_game *game)
{
    struct talk *talk = watching->talk;

    if (game != NULL && model_is_playing(game) && console_is_screen(talk->console) &&
        may_ask(game, mono_now_ms()))
        (void)talk_sendf(talk, game->id, true, "watchers %lld", (long long)game->id);
}

static struct model_game *find_game(const struct watching *watching,
                                    const struct proto_line *line)
{
    return model_find(&watching->talk->model, proto_line_number(line, "game", -1));
}

void watching_take_notice(struct watching *watching, const struct proto_line *line)
{
    struct model_game *game = find_game(watching, line);

    if (game != NULL && line->words > 0 && strcmp(line->word[0], "watchers") == 0 &&
        game->unnamed_watchers > 0)
        watching_ask(watching, game);
}

void watching_take_row(struct watching *watching, const char *row)
{
    char copy[ROW_COPY_BYTES];
    struct proto_line line;

    row_parse(row, copy, &line);
    if (line.words > 1 && strcmp(line.word[0], "watcher") == 0 &&
        watching->names < MODEL_WATCHERS_MAX &&
        text_copy(watching->name[watching->names], NAME_BYTES, line.word[1]))
        watching->names++;
}

/* Replaces the list of `game` by the names that have arrived. */
static void replace(const struct watching *watching, struct model_game *game,
                    int64_t count)
{
    memcpy(game->watcher, watching->name, sizeof game->watcher);
    game->watchers = watching->names;
    game->unnamed_watchers = (int)count - watching->names;
}

/* Takes the end of the answer to "watchers". A watcher of a game gets no news of the
 * others, so only the list of our own game is kept. */
static void take_list(struct watching *watching, const struct proto_line *line)
{
    struct model_game *game = find_game(watching, line);
    int64_t count = proto_line_number(line, "count", -1);

    if (line->mark == PROTO_OK && game != NULL && game->is_ours &&
        count >= watching->names && count <= INT_MAX)
        replace(watching, game, count);
}

void watching_take_answer(struct watching *watching, const struct visit_request *asked,
                          const struct proto_line *line)
{
    if (strcmp(asked->verb, "watchers") == 0)
        take_list(watching, line);
    else if (line->mark == PROTO_OK && (strcmp(asked->verb, "unlet") == 0 ||
                                        strcmp(asked->verb, "watchlink") == 0))
        watching_ask(watching, find_game(watching, line));
    watching->names = 0;
}
