/* Verbs for private games and for silencing other players: let, unlet, watchlink,
 * ignore, unignore, block, unblock, quiet, report. */
#include <string.h>

#include "client/base/link.h"
#include "client/verb/verb.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/net/tls.h"

/* --- Private games --- */

/* Sends a command about a game, such as "let game=17 park". */
static void send_about_game(struct verb_call *call)
{
    int64_t id;

    if (!verb_take_game(call, &id))
        return;
    call->action->kind = ACTION_SEND;
    text_addf(&call->line, "%s game=%lld", call->verb->name, (long long)id);
    if (args_has(&call->args, ARG_PLAYER))
        text_addf(&call->line, " %s", call->args.text[ARG_PLAYER]);
    if (args_has(&call->args, ARG_CHOICE))
        text_addf(&call->line, " %s", call->args.text[ARG_CHOICE]);
}

/* If the answer has a name, says that this player may now watch the game. An answer
 * without a name ends the list of all players who may watch. The player has already
 * seen the rows of this list, so this function adds words only if the list is empty. */
static void let_answer(struct text *out, const struct verb_answer *answer)
{
    const char *name = proto_line_value(answer->line, "name");
    const char *game = words_value(answer->line, "game", "?");

    if (name != NULL)
        text_addf(out, _("%s may watch game %s"), name, game);
    else if (proto_line_number(answer->line, "count", 0) == 0)
        text_addf(out, _("you let nobody watch game %s"), game);
}

const struct verb verb_let = {
    .name = "let",
    .group = VERB_WATCH,
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL},
             {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("let a player watch your private game"),
    .more = N_("let park      park may watch your private game\n"
               "let park 17   the same for game 17\n"
               "let           lists the players whom you let watch"),
    .see = "unlet, watchlink, seek",
    .run = send_about_game,
    .answer = let_answer,
};

const struct verb verb_unlet = {
    .name = "unlet",
    .group = VERB_WATCH,
    .args = {{.kind = ARG_PLAYER}, {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("no longer let a player watch your private game"),
    .more = "unlet park\n"
            "unlet park 17",
    .see = "let, block",
    .run = send_about_game,
    .told = N_("%s may no longer watch game %s"),
    .keys = {"name", "game"},
};

static void watchlink_answer(struct text *out, const struct verb_answer *answer)
{
    struct verb_link link;
    const char *code = verb_take_code(&link, answer, out);

    if (code == NULL)
        return;
    text_addf(
        out,
        _("Anyone with this line may watch your private game, and only that one:\n"
          "  janggi janggi://%s/watch/%s/%.*s\n"
          "A person who is already here types: watch %s %s\n"),
        link.where, code, TLS_KEY_TEXT_SHORT, link.key,
        words_value(answer->line, "game", "?"), code);
    verb_add_web_link(out, answer, "watch", code);
    link_add_warning(out, &link.to, link.reach);
}

const struct verb verb_watchlink = {
    .name = "watchlink",
    .group = VERB_WATCH,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL},
             {.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "new"}},
    .help = N_("a link for people who may watch your private game"),
    .more = N_("watchlink\n"
               "watchlink 17\n"
               "watchlink new   a new link; the old one stops working"),
    .see = "let, invite",
    .run = send_about_game,
    .answer = watchlink_answer,
};

/* --- Peace --- */

const struct verb verb_ignore = {
    .name = "ignore",
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL}},
    .help = N_("hide a player's challenges and messages from you"),
    .more = N_("ignore park    park stays ignored when you leave and come back\n"
               "ignore guest   all guests\n"
               "ignore         lists the players that you ignore"),
    .see = "unignore, block, quiet",
    .told = N_("you no longer receive challenges or messages from %s"),
    .told_none = N_("you ignore nobody"),
    .keys = {"name"},
};

const struct verb verb_unignore = {
    .name = "unignore",
    .args = {{.kind = ARG_PLAYER}},
    .help = N_("stop ignoring a player"),
    .more = "unignore park",
    .see = "ignore",
    .told = N_("you receive challenges and messages from %s again"),
    .keys = {"name"},
};

const struct verb verb_block = {
    .name = "block",
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL}},
    .help = N_("keep a player from watching your games"),
    .more = N_("block park    park stays blocked when you leave and come back\n"
               "block guest   all guests\n"
               "block         lists the players that you block"),
    .see = "unblock, ignore, let",
    .told = N_("%s may no longer watch your games"),
    .told_none = N_("you block nobody"),
    .keys = {"name"},
};

const struct verb verb_unblock = {
    .name = "unblock",
    .args = {{.kind = ARG_PLAYER}},
    .help = N_("let a player watch your games again"),
    .more = "unblock park",
    .see = "block",
    .told = N_("%s may watch your games again"),
    .keys = {"name"},
};

static void quiet_answer(struct text *out, const struct verb_answer *answer)
{
    const char *quiet = words_value(answer->line, "quiet", "?");

    if (strcmp(quiet, "on") == 0)
        text_add(out, _("you get no challenges"));
    else if (strcmp(quiet, "off") == 0)
        text_add(out, _("you get all challenges, also while you play"));
    else
        text_add(out, _("you get no challenges while you play a game with clocks"));
}

const struct verb verb_quiet = {
    .name = "quiet",
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "on|auto|off"}},
    .help = N_("choose when you receive challenges and news of watchers"),
    .more =
        N_("quiet on     you get no challenges\n"
           "quiet auto   you get none while you play a game with clocks (the default)\n"
           "quiet off    you get all challenges\n"
           "While you are quiet, you see the name of the first new watcher; those who\n"
           "come in the next 30 seconds are only counted."),
    .see = "ignore, match",
    .answer = quiet_answer,
};

/* --- Reports --- */

static void report_answer(struct text *out, const struct verb_answer *answer)
{
    const char *name = words_value(answer->line, "name", "?");
    int64_t lines = proto_line_number(answer->line, "lines", 0);

    if (lines > 0)
        text_addf(out,
                  _("the host has your report about %s; lines of your chat sent with "
                    "it: %lld"),
                  name, (long long)lines);
    else
        text_addf(out, _("the host has your report about %s"), name);
}

const struct verb verb_report = {
    .name = "report",
    .args = {{.kind = ARG_PLAYER},
             {.kind = ARG_TEXT, .need = ARG_OPTIONAL, .label = "TEXT"}},
    .help = N_("report a player to the host, with the last lines of chat between you"),
    .more = N_("report park insults me\n"
               "\"ignore park\" hides what park says"),
    .see = "ignore, block",
    .use = VERB_TALKS,
    .answer = report_answer,
};
