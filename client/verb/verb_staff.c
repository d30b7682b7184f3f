/* Verbs of members and staff of a server. Their arguments are sent as typed: the server
 * checks the permissions and the syntax. */
#include <string.h>

#include "client/base/link.h"
#include "client/verb/verb.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/net/tls.h"

static void answer_role(struct text *out, const struct verb_answer *answer)
{
    text_addf(out, _("the role of %s is now: %s"),
              words_value(answer->line, "name", "?"),
              words_role(words_value(answer->line, "role", "?")));
}

const struct verb verb_kick = {
    .name = "kick",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_PLAYER}, {.kind = ARG_TEXT, .label = "REASON"}},
    .help = N_("disconnect somebody; their seats in games are kept"),
    .more = N_("kick kim please calm down"),
    .see = "mute, ban",
    .told = N_("%s was disconnected; the seats in games are kept"),
    .keys = {"name"},
};

const struct verb verb_ban = {
    .name = "ban",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_WORD, .label = "NAME|key:ID|addr:PREFIX"},
             {.kind = ARG_TEXT, .label = "[for=7d] REASON"}},
    .help = N_("keep somebody, a key or a network out of this server"),
    .more = N_("ban kim insults             for 7 days\n"
               "ban kim for=12h insults     for 12 hours\n"
               "ban kim for=ever insults    for good"),
    .see = "bans, unban, kick",
    .told = N_("%s is banned; \"bans\" says until when"),
    .keys = {"target"},
};

const struct verb verb_unban = {
    .name = "unban",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_WORD, .label = "NAME|key:ID|addr:PREFIX"}},
    .help = N_("end a ban"),
    .more = "unban kim",
    .see = "bans, ban",
    .told = N_("%s is no longer banned"),
    .keys = {"target"},
};

const struct verb verb_bans = {
    .name = "bans",
    .group = VERB_STAFF,
    .help = N_("who is banned, until when, and why"),
    .see = "ban, unban",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("nobody is banned"),
};

const struct verb verb_mute = {
    .name = "mute",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_PLAYER}, {.kind = ARG_TEXT, .label = "[for=10m] REASON"}},
    .help = N_("keep a player from talking and challenging for a while"),
    .more = N_("mute kim please stop           for 10 minutes\n"
               "mute kim for=2h please stop"),
    .see = "unmute, kick, ban",
    .told = N_("%s cannot talk or challenge for a while"),
    .keys = {"name"},
};

const struct verb verb_unmute = {
    .name = "unmute",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_PLAYER}},
    .help = N_("let a muted player talk again"),
    .more = "unmute kim",
    .see = "mute",
    .told = N_("%s may talk again"),
    .keys = {"name"},
};

const struct verb verb_end = {
    .name = "end",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_WORD, .label = "GAME"},
             {.kind = ARG_CHOICE, .label = "red|blue|draw|none"},
             {.kind = ARG_TEXT, .label = "REASON"}},
    .help = N_("end a game with the result that you give, by decision of the host"),
    .more = N_("end 3 blue hong has left the evening"),
    .see = "games, audit",
    .told = N_("game %s is over"),
    .keys = {"game"},
};

const struct verb verb_annul = {
    .name = "annul",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_WORD, .label = "GAME"},
             {.kind = ARG_TEXT, .label = "REASON"}},
    .help = N_("take a game out of the ratings"),
    .more = N_("annul 3 one person played both sides"),
    .see = "rank, end, audit",
    .told = N_("game %s no longer counts for ratings"),
    .keys = {"game"},
};

const struct verb verb_role = {
    .name = "role",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_PLAYER},
             {.kind = ARG_CHOICE, .label = "moderator|member|player|owner"}},
    .help = N_("give somebody a role on this server"),
    .more = "role kim member",
    .see = "members",
    .answer = answer_role,
};

static void answer_owner(struct text *out, const struct verb_answer *answer)
{
    (void)answer;
    text_add(out, _("You are an owner of this server. \"door 4\" makes a link for your "
                    "friends.\n"));
}

const struct verb verb_owner = {
    .name = "owner",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_WORD, .label = N_("CODE")}},
    .help = N_("become an owner of this server, with the code of an owner link"),
    .see = "role, members",
    .is_secret = true,
    .answer = answer_owner,
};

const struct verb verb_members = {
    .name = "members",
    .group = VERB_STAFF,
    .help = N_("members and staff of this server"),
    .see = "role, who",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("there are no members yet"),
};

const struct verb verb_notice = {
    .name = "notice",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_TEXT, .label = "TEXT"}},
    .help = N_("tell everybody on this server something"),
    .more = N_("notice tea is ready"),
    .see = "motd",
    .told = N_("sent; recipients: %s"),
    .keys = {"told"},
};

const struct verb verb_motd = {
    .name = "motd",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_TEXT, .label = "TEXT"}},
    .help = N_("set the text that everybody reads after login"),
    .more = N_("motd we play on Fridays\n"
               "motd -                     no text"),
    .see = "notice, name",
    .told = N_("everybody will read that after login"),
};

const struct verb verb_name = {
    .name = "name",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_TEXT, .label = "TEXT"}},
    .help = N_("set the name of this server"),
    .more = N_("name Hong's board"),
    .see = "motd",
    .told = N_("new connections will see that name"),
};

const struct verb verb_reload = {
    .name = "reload",
    .group = VERB_STAFF,
    .help = N_("let this server read its configuration file again"),
    .see = "name",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("no option has changed"),
};

const struct verb verb_audit = {
    .name = "audit",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL}},
    .help = N_("what the staff did: everything, or only what concerns one person"),
    .more = "audit\n"
            "audit kim",
    .see = "reports, bans",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("there is nothing to list"),
};

const struct verb verb_reports = {
    .name = "reports",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL}},
    .help = N_("list what players have reported"),
    .see = "audit",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("there is nothing to list"),
};

const struct verb verb_export = {
    .name = "export",
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL}},
    .help = N_("all that this server keeps about you; owners may name another player"),
    .more = "export\n"
            "export kim",
    .see = "history, record",
    .use = VERB_LOOKS,
    .has_rows = true,
};

static void answer_doors(struct text *out, const struct verb_answer *answer)
{
    const char *removed = proto_line_value(answer->line, "removed");

    if (removed != NULL)
        text_addf(out,
                  _("invitation %s no longer admits anybody; the members who came in "
                    "with it stay"),
                  removed);
    else if (proto_line_number(answer->line, "count", 0) == 0)
        text_add(out, _("no invitations to this server are open"));
}

const struct verb verb_doors = {
    .name = "doors",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_TEXT, .need = ARG_OPTIONAL, .label = "all|remove CODE"}},
    .help = N_("the invitations to this server that are open"),
    .more = N_("doors\n"
               "doors all           the used-up ones too\n"
               "doors remove K7Q2   that invitation no longer admits anybody"),
    .see = "invite, members",
    .use = VERB_LOOKS,
    .has_rows = true,
    .answer = answer_doors,
};

static const char access_words[] = N_("access: %s, guests: %s, watching: %s");

const struct verb verb_access = {
    .name = "access",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_TEXT, .need = ARG_OPTIONAL, .label = "SETTING ..."}},
    .help = N_("who may enter this server"),
    .more = N_("access                        shows the present settings\n"
               "access invited                members, and people with an invitation\n"
               "access open watching=members  everybody, but only members watch"),
    .see = "guests, watching, doors",
    .told = access_words,
    .keys = {"access", "guests", "watching"},
};

const struct verb verb_guests = {
    .name = "guests",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "play|watch|none"}},
    .help = N_("what people without a name may do on this server"),
    .more = "guests\n"
            "guests none",
    .see = "access",
    .told = access_words,
    .keys = {"access", "guests", "watching"},
};

const struct verb verb_watching = {
    .name = "watching",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "all|members"}},
    .help = N_("who may watch games on this server"),
    .more = "watching\n"
            "watching members",
    .see = "access",
    .told = access_words,
    .keys = {"access", "guests", "watching"},
};

static void answer_reset(struct text *out, const struct verb_answer *answer)
{
    const char *name = words_value(answer->line, "name", "?");
    struct verb_link link;
    const char *code = verb_take_code(&link, answer, out);

    if (code == NULL)
        return;
    text_addf(out,
              _("The person who types this within %s hours becomes %s, with a new key; "
                "all earlier keys become invalid. Before you send it, make sure that "
                "the person who asked for it is %s:\n"
                "  janggi -n %s device janggi://%s/watch/%.*s %s\n"),
              words_value(answer->line, "hours", "?"), name, name, name, link.where,
              TLS_KEY_TEXT_SHORT, link.key, code);
}

const struct verb verb_reset = {
    .name = "reset",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_PLAYER}},
    .help = N_("a code for somebody who has lost the key of a name"),
    .more = "reset kim",
    .see = "members, ban",
    .answer = answer_reset,
};
