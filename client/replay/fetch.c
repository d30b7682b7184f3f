/* See fetch.h. */
#include "client/replay/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/base/link.h"
#include "client/online/question.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum { LINK_BYTES = 512 };

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

static bool download(struct records_file *out, const struct prefs *prefs,
                     const struct records_wish *wish, const struct options *words,
                     const char *where, int64_t game)
{
    char why[LINK_WHY_BYTES], command[32];
    struct link to;
    struct question question = {.prefs = prefs, .to = &to, .command = command};

    if (!link_parse(where, &to, why))
        return options_complain(words, why, "");
    snprintf(command, sizeof command, "record %lld", (long long)game);
    if (question_ask(&question) == CLIENT_EXIT_OK && question.rows.len > 0)
        return records_take(out, _("the record"), question.rows.at, question.rows.len,
                            wish);
    free(question.rows.at);
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
