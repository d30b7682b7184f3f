/* See errand.h. */
#include "client/play/errand.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/view/told.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum { LOOK_AGAIN_MS = 3000 };

static bool is_for(const struct errand *errand, enum link_kind kind)
{
    return !errand->is_done && errand->talk->to->kind == kind;
}

bool errand_is_done(const struct errand *errand)
{
    return !is_for(errand, LINK_JOIN) && !is_for(errand, LINK_WATCH);
}

static void look_for_game(struct errand *errand)
{
    errand->look_at_ms = 0;
    errand->running_count = 0;
    talk_send(errand->talk, "games", -1, true);
}

void errand_begin(struct errand *errand)
{
    const char *code = errand->talk->to->code;
    struct model_game *game;

    if (is_for(errand, LINK_JOIN)) {
        talk_sendf(errand->talk, -1, false, "join %s", code);
    } else if (is_for(errand, LINK_WATCH) && code[0] != '\0') {
        /* A private game, which is in no list. The code begins with its number, and is
         * needed again after a reconnection. */
        game = model_get(&errand->talk->model, strtoll(code, NULL, 10));
        errand->is_done = true;
        text_copy(game->code, sizeof game->code, code);
        talk_sendf(errand->talk, game->id, true, "watch %lld code=%s",
                   (long long)game->id, code);
    } else if (is_for(errand, LINK_WATCH)) {
        look_for_game(errand);
    }
}

/* --- To join --- */

void errand_take_join(struct errand *errand, const struct proto_line *line)
{
    int64_t id = proto_line_number(line, "game", -1);

    errand->is_done = true; /* the server keeps our place in the game, even if the
                             * opponent has not come yet */
    if (id < 0 || model_find(&errand->talk->model, id) != NULL)
        return;
    /* If the game began earlier, its events must be requested. If it begins now, some
     * events arrive twice, which is harmless. */
    model_get(&errand->talk->model, id)->is_asked = true;
    talk_sendf(errand->talk, id, true, "resume %lld 0", (long long)id);
}

/* True if the game of the invitation has both its players. */
static bool is_used(const struct proto_line *line)
{
    const char *why = proto_line_value(line, "why");

    return why != NULL && strcmp(why, "used") == 0;
}

bool errand_goes_on(struct errand *errand, const struct proto_line *line)
{
    if (!errand->talk->is_own_server || !is_for(errand, LINK_JOIN))
        return false;
    errand->is_done = true;
    if (!is_used(line))
        return false;
    console_say(errand->talk->console,
                _("-- both seats of that game are taken; \"invite\", \"seek\" or "
                  "\"computer\" begins another game\n"));
    return true;
}

void errand_refuse_join(struct errand *errand, const struct proto_line *line)
{
    const struct model_game *game;

    if (!is_for(errand, LINK_JOIN))
        return;
    errand->is_done = true;
    for (game = errand->talk->model.games; game != NULL; game = game->next)
        if (game->is_ours || game->is_asked)
            return;
    talk_fail(errand->talk, CLIENT_EXIT_REFUSED,
              is_used(line)
                  ? _("both seats of the game of %s are taken; ask for a new "
                      "invitation, or for a link to watch")
                  : _("the invitation %s is unknown or expired; ask for a new one"),
              errand->talk->to->code);
}

/* --- To watch --- */

/* Stores the number of the game in one line of the list of games. Ignores the line if
 * ERRAND_WATCH_MAX numbers are already stored. */
void errand_note_game(struct errand *errand, const char *line)
{
    char copy[TOLD_ROW_BYTES];
    struct proto_line row;
    int64_t id;

    told_parse_row(line, copy, &row);
    if (row.words > 1 && strcmp(row.word[0], "game") == 0 &&
        text_to_int(row.word[1], 0, INT64_MAX, &id) &&
        errand->running_count < ERRAND_WATCH_MAX)
        errand->running[errand->running_count++] = id;
}

/* Handles the complete list of games: watches the only game, lists several, or searches
 * again later if there is none. */
void errand_take_games(struct errand *errand)
{
    if (!is_for(errand, LINK_WATCH))
        return;
    if (errand->running_count == 0) {
        if (!errand->is_looking)
            console_say(
                errand->talk->console,
                _("-- no game is being played yet; waiting for one to begin\n"));
        errand->is_looking = true;
        errand->look_at_ms = mono_now_ms() + LOOK_AGAIN_MS;
        return;
    }
    errand->is_done = true;
    if (errand->running_count == 1) {
        talk_sendf(errand->talk, errand->running[0], true, "watch %lld",
                   (long long)errand->running[0]);
        return;
    }
    console_say(errand->talk->console,
                _("-- several games are being played; \"watch NUMBER\" shows one:\n"));
    talk_send(errand->talk, "games", -1, false);
}

void errand_look_again(struct errand *errand, int64_t now_ms)
{
    struct visit *visit = errand->talk->visit;

    if (is_for(errand, LINK_WATCH) && errand->look_at_ms != 0 &&
        now_ms >= errand->look_at_ms && visit_is_ready(visit) &&
        visit_requests(visit) == NULL)
        look_for_game(errand);
}
