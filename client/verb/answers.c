/* See answers.h. */
#include "client/verb/answers.h"

#include <stdio.h>
#include <string.h>

#include "client/base/link.h"
#include "client/view/told.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/tls.h"

enum { RETRY_MAX_S = 3600 };

/* The page about a verb of the server. Its lines are the usage, what the verb does, and
 * examples. */
static void help_answer(struct text *out, const struct verb_answer *answer)
{
    char *usage = answer->model->help, *help = strchr(usage, '\n'), *examples;

    if (help == NULL)
        return;
    *help++ = '\0';
    examples = strchr(help, '\n');
    if (examples != NULL)
        *examples++ = '\0';
    text_addf(out, _("Usage: %s\n  %s\n"), usage, _(help));
    if (examples == NULL || *examples == '\0')
        return;
    examples[strlen(examples) - 1] = '\0'; /* its last line end */
    text_add(out, _("Examples:\n"));
    for (const char *at = _(examples); *at != '\0'; at += *at == '\n') {
        size_t len = strcspn(at, "\n");

        text_addf(out, "  %.*s\n", (int)len, at);
        at += len;
    }
}

/* Sets the address of the server, its key, and a warning, for links to it. The texts stay
 * valid as long as the buffers. */
static void take_link(struct told *told, const struct verb_answer *answer,
                      char address[LINK_SERVER_BYTES], char key[TLS_KEY_TEXT_BYTES],
                      struct text *warning)
{
    const struct verb_server *server = answer->server;
    struct link to;
    enum link_reach reach = link_outside(&to, server->to, server->is_loopback,
                                         proto_line_value(answer->line, "public"),
                                         proto_line_value(answer->line, "addresses"));

    link_format_pasted(address, &to);
    tls_key_format(key, server->key);
    key[TLS_KEY_TEXT_SHORT] = '\0';
    link_add_warning(warning, &to, reach);
    told->server = address;
    told->server_key = key;
    told->warning = warning->at;
}

void answers_add(struct text *out, const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    int64_t count = proto_line_number(line, "count", -1), offer;
    int64_t shown = proto_line_number(line, "shown", count);
    char words[PROTO_LINE_MAX + 1024], address[LINK_SERVER_BYTES], warning[512];
    char key[TLS_KEY_TEXT_BYTES], kind[32];
    struct text text = text_into(words, sizeof words);
    struct text warned = text_into(warning, sizeof warning);
    struct told told = {
        .model = answer->model,
        .line = line,
        .game = model_find(answer->model, proto_line_number(line, "game", -1)),
        .about = answer->about};
    struct model_open open[MODEL_OPEN_MAX];
    int opens = model_list_open(answer->model, open);

    snprintf(kind, sizeof kind, "OK %.20s", line->words > 0 ? line->word[0] : "");
    if (strcmp(kind, "OK accept") == 0 &&
        text_to_int(answer->about, 1, INT64_MAX, &offer))
        for (int i = 0; i < opens; i++)
            if (open[i].offer->id == offer) {
                told.offer = open[i].offer;
                told.game = open[i].game;
            }
    if (answer->server != NULL)
        take_link(&told, answer, address, key, &warned);
    if (count > shown)
        text_addf(&text, _("%lld of %lld are shown"), (long long)shown,
                  (long long)count);
    else if (strcmp(kind, "OK help") == 0)
        help_answer(&text, answer);
    else if (told_say(&text, &told, kind) == NULL &&
             told_say(&text, &told, "OK") == NULL && count < 0)
        text_add(&text, line->human);
    if (text.len > 0 && words[text.len - 1] == '\n')
        text_add(out, words);
    else if (text.len > 0)
        text_addf(out, "-- %s\n", words);
}

bool answers_has_rows(const char *verb)
{
    return strcmp(verb, "help") != 0 && strcmp(verb, "rules") != 0 &&
           strcmp(verb, "record") != 0;
}

enum verb_use answers_use(const char *verb)
{
    static const char talk[] = "say tell whisper report";
    static const char look[] =
        "audit bans devices doors export games help history limits members pending "
        "ping rank record reload reports rules seeks top watch watchers who";

    return text_list_has(talk, ' ', verb)   ? VERB_TALKS
           : text_list_has(look, ' ', verb) ? VERB_LOOKS
                                            : VERB_ACTS;
}

bool answers_know(const char *verb)
{
    char kind[32];

    snprintf(kind, sizeof kind, "OK %.20s", verb);
    return told_knows(kind) || answers_use(verb) == VERB_LOOKS ||
           text_list_has("abort adjourn continue draw takeback", ' ', verb);
}

/* --- What the model learns --- */

/* Removes an offer, seek or challenge from the model if it was answered or withdrawn, or
 * if the server does not know it. */
static bool take_closed(const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    bool is_gone = line->mark == PROTO_OK ||
                   (line->words > 0 && strcmp(line->word[0], "no-such") == 0);
    int64_t id;

    if (is_gone && text_to_int(answer->about, 1, INT64_MAX, &id))
        model_close_offer(answer->model, id);
    return true;
}

/* A refused move is no longer pending, unless the code of the refusal is "slow-down" or
 * "later": then the move is sent again. */
static bool take_move(const struct verb_answer *answer)
{
    struct model_game *game = model_find(answer->model, answer->game);
    const char *code = answer->line->word[0];

    if (answer->line->mark == PROTO_OK || game == NULL ||
        game->pending.state != PENDING_SENT)
        return true;
    if (strcmp(code, "slow-down") == 0 || strcmp(code, "later") == 0) {
        game->pending.again_ms =
            answer->now_ms +
            model_number(answer->line, "retry", 1, RETRY_MAX_S, 1) * 1000;
        return true;
    }
    game->pending.state = PENDING_NONE;
    return false;
}

static bool take_seeks(const struct verb_answer *answer)
{
    if (answer->model->seeks != 1)
        answer->model->seek_id = 0;
    answer->model->seeks = 0;
    return true;
}

/* Follows the game that the answer to `watch` or `tv` has named. If we play in the
 * current game, the current game stays the same. */
static bool take_watched(const struct verb_answer *answer)
{
    struct model *model = answer->model;
    int64_t id = proto_line_number(answer->line, "game", answer->game);
    struct model_game *game;

    if (answer->line->mark != PROTO_OK || id < 0)
        return true;
    game = model_get(model, id);
    (void)model_follow(game, answer->line, answer->now_ms);
    if (model->current == NULL || !model_is_playing(model->current))
        model->current = game;
    return true;
}

static bool take_unwatch(const struct verb_answer *answer)
{
    struct model *model = answer->model;
    struct model_game *game =
        model_find(model, proto_line_number(answer->line, "game", -1));

    if (answer->line->mark != PROTO_OK || game == NULL)
        return true;
    game->is_left = true;
    if (model->current == game)
        model->current = NULL;
    return true;
}

bool answers_take(const char *verb, const struct verb_answer *answer)
{
    static const struct {
        const char *verb;
        bool (*take)(const struct verb_answer *answer);
    } takes[] = {{"accept", take_closed},   {"decline", take_closed},
                 {"withdraw", take_closed}, {"move", take_move},
                 {"seeks", take_seeks},     {"watch", take_watched},
                 {"tv", take_watched},      {"unwatch", take_unwatch}};

    for (size_t i = 0; i < ARRAY_LEN(takes); i++)
        if (strcmp(takes[i].verb, verb) == 0)
            return takes[i].take(answer);
    return true;
}
