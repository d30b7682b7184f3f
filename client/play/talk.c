/* See talk.h. */
#include "client/play/talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/verb/answers.h"
#include "common/base/translate.h"
#include "common/game/move.h"

uint32_t talk_send(struct talk *talk, const char *line, int64_t game, bool is_quiet)
{
    uint32_t tag = visit_send(talk->visit, line, game, is_quiet);
    char verb[16];

    if (tag != 0 || is_quiet)
        return tag;
    snprintf(verb, sizeof verb, "%.*s", (int)strcspn(line, " "), line);
    if (answers_use(verb) == VERB_TALKS)
        console_say(talk->console, _("-- not connected: your message was not sent\n"));
    else
        console_sayf(talk->console, _("-- not connected: \"%.*s\" was not sent\n"),
                     (int)strcspn(line, " "), line);
    return 0;
}

uint32_t talk_sendf(struct talk *talk, int64_t game, bool is_quiet, const char *format,
                    ...)
{
    char line[PROTO_LINE_MAX + 1];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return talk_send(talk, line, game, is_quiet);
}

void talk_send_pending(struct talk *talk, const struct model_game *game)
{
    char move[MOVE_BYTES];

    move_format(move, game->pending.move);
    if (visit_is_ready(talk->visit))
        talk_sendf(talk, game->id, false, "move %lld %d %s", (long long)game->id,
                   game->pending.ply, move);
}

void talk_fail(struct talk *talk, int code, const char *format, ...)
{
    char words[512];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (console_is_editing(talk->console))
        console_sayf(talk->console, "janggi: %s\n", words);
    else
        fprintf(stderr, "janggi: %s\n", words);
    console_leave(talk->console, code);
}
