/* Verbs about other players, online or not: tell, messages, notify, follow; and tv,
 * which shows the best game. */
#include <string.h>

#include "client/verb/verb.h"
#include "client/view/words.h"
#include "common/base/translate.h"

/* --- tell --- */

static void tell_answer(struct text *out, const struct verb_answer *answer)
{
    const char *name = words_value(answer->line, "name", "?");

    if (proto_line_number(answer->line, "kept", 0) == 1)
        text_addf(out, _("%s is not here; your words are kept as a message"), name);
    else
        text_addf(out, _("told %s"), name);
}

const struct verb verb_tell = {
    .name = "tell",
    .alias = "message",
    .args = {{.kind = ARG_PLAYER}, {.kind = ARG_TEXT}},
    .help = N_("tell a player something, or leave a message"),
    .more =
        N_("tell park shall we play at eight?\n"
           "If park is not here, your words are kept as a message; \"limits\" says\n"
           "for how long (message_days)."),
    .see = "messages, say, ignore",
    .use = VERB_TALKS,
    .answer = tell_answer,
};

/* --- messages --- */

static void messages_answer(struct text *out, const struct verb_answer *answer)
{
    const char *from = words_value(answer->line, "from", "");
    int64_t count = proto_line_number(answer->line, "count", -1);

    if (proto_line_value(answer->line, "cleared") != NULL)
        text_add(out, _("your messages are removed"));
    else if (count >= 0)
        return; /* the list itself was already shown */
    else if (strcmp(from, "all") == 0)
        text_add(out, _("everybody may send you messages"));
    else if (strcmp(from, "none") == 0)
        text_add(out, _("nobody may send you messages"));
    else
        text_add(out, _("players with whom you have finished a game may send you "
                        "messages"));
}

const struct verb verb_messages = {
    .name = "messages",
    .args = {{.kind = ARG_CHOICE,
              .need = ARG_OPTIONAL,
              .label = "clear|all|played|none"}},
    .help = N_("list your messages, or say who may send you messages"),
    .more = N_("messages          lists them\n"
               "messages clear    removes them\n"
               "messages played   from players of your finished games (the default)\n"
               "messages all      from everybody\n"
               "messages none     from nobody"),
    .see = "tell, ignore",
    .has_rows = true,
    .if_none = N_("you have no messages"),
    .if_some = N_("\"messages clear\" removes them"),
    .answer = messages_answer,
};

/* --- notify, follow --- */

const struct verb verb_notify = {
    .name = "notify",
    .group = VERB_FIND,
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL},
             {.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "off"}},
    .help = N_("be notified when a player logs in"),
    .more =
        N_("notify park       tells you when park logs in, at most every five minutes\n"
           "notify park off   no longer tells you\n"
           "notify            lists the players"),
    .see = "follow, tell",
    .has_rows = true,
    .if_none = N_("there is nobody on your list"),
    .told = N_("you will be notified when %s logs in"),
    .told_off = N_("you will no longer be notified when %s logs in"),
    .keys = {"name"},
};

const struct verb verb_follow = {
    .name = "follow",
    .group = VERB_WATCH,
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL},
             {.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "off"}},
    .help = N_("watch a player's next public games as they begin"),
    .more = N_("follow park\n"
               "follow park off   stops following park\n"
               "follow            lists the players"),
    .see = "notify, watch",
    .has_rows = true,
    .if_none = N_("you follow nobody"),
    .told = N_("you will watch the next public games of %s"),
    .told_off = N_("you no longer follow %s"),
    .keys = {"name"},
};

/* --- tv --- */

static void tv_answer(struct text *out, const struct verb_answer *answer)
{
    const char *game = proto_line_value(answer->line, "game");

    if (game != NULL)
        text_addf(out, _("you watch game %s, the best one now"), game);
    else if (proto_line_value(answer->line, "off") != NULL)
        text_add(out, _("no further game will be shown automatically"));
    else
        text_add(
            out,
            _("there is no game to show now; the next one is shown when it begins"));
}

static bool tv_take(const struct verb_answer *answer)
{
    int64_t id = proto_line_number(answer->line, "game", -1);

    if (answer->line->mark == PROTO_OK && id >= 0)
        verb_follow_game(answer, id);
    return true;
}

const struct verb verb_tv = {
    .name = "tv",
    .group = VERB_WATCH,
    .args = {{.kind = ARG_CHOICE,
              .need = ARG_OPTIONAL,
              .label = "kja|martin|classic|days|off"}},
    .help = N_("watch the best game, and the next one after its end"),
    .more = N_("tv          the best of all games with clocks\n"
               "tv kja      the best of that pool of ratings (see \"top\")\n"
               "tv off      stop showing games"),
    .see = "watch, follow, top",
    .answer = tv_answer,
    .take = tv_take,
};
