/* See fetch.h. */
#include "client/replay/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/link.h"
#include "client/net/visit.h"
#include "client/view/notice.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/record/record_text.h"

/* No record is longer; a server that sends more is not trusted. */
enum { RECORD_BYTES_MAX = 4 << 20, LINK_BYTES = 512 };

struct fetch {
    int64_t game;
    struct visit *visit;
    bool is_done;
    struct record_text text;
};

/* Splits "LINK/17" into the link and the number of a game. Returns false if `text` does
 * not have this form. */
static bool cut_game(const char *text, char link[LINK_BYTES], int64_t *game)
{
    const char *slash = strrchr(text, '/');
    size_t len = slash != NULL ? (size_t)(slash - text) : 0;

    if (slash == NULL || strncmp(text, "janggi://", 9) != 0 || len < 10 ||
        len >= LINK_BYTES || !text_to_int(slash + 1, 1, INT64_MAX, game))
        return false;
    memcpy(link, text, len);
    link[len] = '\0';
    return true;
}

static void fail(struct fetch *fetch, const char *why)
{
    fprintf(stderr, "janggi: %s\n", why);
    visit_leave(fetch->visit);
}

/* --- The visit --- */

static void on_ready(void *owner, const struct proto_line *line, bool is_first)
{
    struct fetch *fetch = owner;

    (void)line;
    (void)is_first;
    (void)visit_sendf(fetch->visit, fetch->game, false, "record %lld",
                      (long long)fetch->game);
}

static void on_text(void *owner, const struct visit_request *request, const char *row)
{
    struct fetch *fetch = owner;

    (void)request;
    if (fetch->text.len + strlen(row) + 2 > RECORD_BYTES_MAX) {
        fail(fetch, _("the server sends too much data"));
        return;
    }
    record_text_add(&fetch->text, row);
    record_text_add(&fetch->text, "\n");
}

static void on_refused(void *owner, const struct proto_line *line)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    (void)owner;
    told_refusal(&text, line);
    fputs(words, stderr);
}

static void on_answer(void *owner, const struct visit_request *request,
                      const struct proto_line *line, int64_t now_ms)
{
    struct fetch *fetch = owner;

    (void)request;
    (void)now_ms;
    if (line->mark == PROTO_OK)
        fetch->is_done = fetch->text.len > 0;
    else
        on_refused(fetch, line);
    visit_leave(fetch->visit);
}

/* Reports the reason if the server says bye. */
static void on_notice(void *owner, const struct proto_line *line, int64_t now_ms)
{
    static const struct model no_games;
    char words[PROTO_LINE_MAX + 512];
    struct text text = text_into(words, sizeof words);

    (void)owner;
    (void)now_ms;
    if (notice_use(line) != NOTICE_BYE)
        return;
    notice_say(&text, &no_games, line, false);
    fputs(words, stderr);
}

static void on_bad_line(void *owner)
{
    fail(owner, _("the server sends characters that cannot be shown"));
}

static void on_end(void *owner, enum visit_end end)
{
    struct fetch *fetch = owner;
    char words[VISIT_WORDS_BYTES];

    visit_describe_end(words, fetch->visit, end);
    fputs(words, stderr);
    visit_leave(fetch->visit);
}

static bool download(struct records_file *out, const struct prefs *prefs,
                     const struct records_wish *wish, const struct options *words,
                     const char *where, int64_t game)
{
    static const struct visit_calls calls = {
        .on_refused = on_refused,
        .on_ready = on_ready,
        .on_notice = on_notice,
        .on_text = on_text,
        .on_answer = on_answer,
        .on_bad_line = on_bad_line,
        .on_end = on_end,
    };
    struct link to;
    struct visit_wish guest = {.prefs = prefs, .to = &to, .name = "", .is_guest = true};
    struct fetch fetch = {.game = game};
    char why[LINK_WHY_BYTES];

    if (!link_parse(where, &to, why))
        return options_complain(words, why, "");
    if (visit_run(&fetch.visit, &guest, &calls, &fetch) && fetch.is_done)
        return records_take(out, _("the record"), fetch.text.at, fetch.text.len, wish);
    free(fetch.text.at);
    return false;
}

bool fetch_game_at(struct records_file *out, const struct prefs *prefs,
                   const struct records_wish *wish, const struct options *words, int at)
{
    char **word = words->argv + words->rest, link[LINK_BYTES];
    int64_t game;

    if (at > 0) {
        if (!text_to_int(word[at], 1, INT64_MAX, &game))
            return options_complain(words, _("invalid game number"), word[at]);
        return download(out, prefs, wish, words, word[0], game);
    }
    if (cut_game(word[0], link, &game))
        return download(out, prefs, wish, words, link, game);
    return records_read(out, word[0], wish);
}

bool fetch_take_option(struct records_wish *wish, int code, const char *value)
{
    switch (code) {
    case FETCH_OPTION_FROM:
        return records_find_format(value, &wish->from);
    case FETCH_OPTION_GAME:
        return text_to_int32(value, 1, INT32_MAX, &wish->number);
    case 'r':
        wish->rules = ruleset_find(value);
        return wish->rules != NULL;
    default:
        return false;
    }
}

bool fetch_has_file(const struct options *words, int most)
{
    int count = words->argc - words->rest;

    return words->wants_help || (count > 0 && count <= most) ||
           options_complain(words, _("one FILE, or - for standard input"), "");
}

bool fetch_game(struct records_file *out, const struct prefs *prefs,
                const struct records_wish *wish, const struct options *words)
{
    return fetch_game_at(out, prefs, wish, words, words->argc - words->rest - 1);
}
