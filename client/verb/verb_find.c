/* Verbs of finding a game, watching, and asking the server for lists. */
#include <string.h>

#include "client/verb/verb.h"
#include "client/view/primer.h"
#include "common/base/translate.h"
#include "common/words/names.h"

/* --- Terms --- */

/* "10 5" as other chess servers have it: minutes, and seconds a move. Returns how many
 * words it took, 0 if the word at i is no number. */
static int add_numbers(struct verb_call *call, int i)
{
    int64_t minutes, seconds = 0;
    const char *next = verb_arg(call, i + 1);
    bool has_two;

    if (!text_to_int(verb_arg(call, i), 0, 1440, &minutes))
        return 0;
    has_two = next != NULL && text_to_int(next, 0, 600, &seconds);
    text_addf(&call->line, " time=%dm", (int)minutes);
    if (seconds > 0)
        text_addf(&call->line, "+%ds", (int)seconds);
    return has_two ? 2 : 1;
}

/* One word of the terms, whatever it is. False: it is none. */
static bool add_word(struct verb_call *call, const char *word)
{
    enum side side = names_find_side(word);
    struct time_terms terms;

    if (strchr(word, '=') != NULL)
        text_addf(&call->line, " %s", word);
    else if (strcmp(word, "any") == 0)
        text_add(&call->line, " side=any");
    else if (side != SIDE_NONE)
        text_addf(&call->line, " side=%s", side_name(side));
    else if (ruleset_find(word) != NULL)
        text_addf(&call->line, " rules=%s", word);
    else if (time_terms_parse(word, &terms))
        text_addf(&call->line, " time=%s", word);
    else
        return false;
    return true;
}

/* Adds the terms in the arguments from place i on. False after a refusal. */
static bool add_terms(struct verb_call *call, int i)
{
    while (i < call->typed.words) {
        int numbers = add_numbers(call, i);

        if (numbers == 0 && !add_word(call, call->typed.word[i])) {
            verb_refuse(call,
                        _("\"%s\" is no time (10 5, 10m+5s, 3d, none), no side (red, "
                          "blue) "
                          "and no rules (%s)."),
                        call->typed.word[i], ruleset_name(ruleset_at(0)));
            return false;
        }
        i += numbers > 0 ? numbers : 1;
    }
    return true;
}

static void seek_run(struct verb_call *call)
{
    text_add(&call->line, "seek");
    if (add_terms(call, 1))
        call->deed->kind = DEED_SEND;
}

const struct verb verb_seek = {
    .name = "seek",
    .usage = N_("seek [MINUTES [SECONDS]] [red|blue] [RULES]"),
    .help = N_("offer a game to everybody here"),
    .more = N_("seek              10 minutes and 5 seconds a move\n"
               "seek 5            5 minutes each\n"
               "seek 20m+3x40s    20 minutes, then 3 periods of 40 seconds\n"
               "seek 3d           by correspondence: three days for each move\n"
               "seek none red     without clocks; you play red"),
    .see = "seeks, match, invite, withdraw",
    .takes = TAKES_TERMS,
    .run = seek_run,
};

static void match_run(struct verb_call *call)
{
    const char *name = verb_arg(call, 1);

    if (name == NULL) {
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
        return;
    }
    text_addf(&call->line, "challenge %s", name);
    if (add_terms(call, 2))
        call->deed->kind = DEED_SEND;
}

const struct verb verb_match = {
    .name = "match",
    .alias = "challenge",
    .usage = N_("match NAME [MINUTES [SECONDS]] [red|blue] [RULES]"),
    .help = N_("ask one player for a game"),
    .more = N_("match kim 10 5\nmatch kim 5m blue"),
    .see = "who, seek",
    .takes = TAKES_OPPONENT,
    .run = match_run,
};

static void invite_run(struct verb_call *call)
{
    text_add(&call->line, "invite");
    if (add_terms(call, 1))
        call->deed->kind = DEED_SEND;
}

const struct verb verb_invite = {
    .name = "invite",
    .usage = N_("invite [MINUTES [SECONDS]] [red|blue] [RULES]"),
    .help = N_("make a link for a friend: whoever uses it first plays you"),
    .more = "invite\n"
            "invite 10 5 red",
    .see = "join, seek",
    .takes = TAKES_TERMS,
    .run = invite_run,
};

/* --- accept, decline, withdraw --- */

/* What accept or decline without a number is about; 0 for nothing. */
static int64_t find_open(const struct model *model)
{
    const struct model_offer *offer =
        model->current == NULL ? NULL : model_offer_to_us(model, model->current);

    for (struct model_game *game = model->games; game != NULL && offer == NULL;
         game = game->next)
        if (game->is_ours)
            offer = model_offer_to_us(model, game);
    return offer != NULL ? offer->id : model->challenge;
}

static void answer_offer(struct verb_call *call)
{
    const char *word = verb_arg(call, 1);
    int64_t id = word == NULL ? find_open(call->model) : 0;

    if (word != NULL && !text_to_int(word, 1, INT64_MAX, &id))
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
    else if (id == 0)
        verb_refuse(call,
                    _("Nothing is offered to you. \"seeks\" lists games on offer."));
    else {
        call->deed->kind = DEED_SEND;
        text_addf(&call->line, "%s %lld", call->verb->name, (long long)id);
    }
}

const struct verb verb_accept = {
    .name = "accept",
    .alias = "a play",
    .usage = N_("accept [NUMBER]"),
    .help = N_("take what was offered: a draw, a takeback, a challenge, a seek"),
    .more = "accept\n"
            "accept 12",
    .see = "decline, seeks",
    .takes = TAKES_OFFER,
    .run = answer_offer,
};

const struct verb verb_decline = {
    .name = "decline",
    .usage = N_("decline [NUMBER]"),
    .help = N_("refuse what was offered"),
    .more = "decline\n"
            "decline 12",
    .see = "accept",
    .takes = TAKES_OFFER,
    .run = answer_offer,
};

/* Sends the verb with what was typed behind it. */
static void send_as_typed(struct verb_call *call, const char *verb)
{
    call->deed->kind = DEED_SEND;
    text_add(&call->line, verb);
    if (call->typed.rest[0] != '\0')
        text_addf(&call->line, " %s", call->typed.rest);
}

static void send_with_word(struct verb_call *call)
{
    if (call->typed.words != 2)
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
    else
        send_as_typed(call, call->verb->name);
}

static void send_plain(struct verb_call *call)
{
    send_as_typed(call, call->verb->name);
}

const struct verb verb_withdraw = {
    .name = "withdraw",
    .usage = N_("withdraw NUMBER"),
    .help = N_("take back a seek, a challenge or an offer of yours"),
    .more = "withdraw 12",
    .see = "seeks",
    .takes = TAKES_OFFER,
    .run = send_with_word,
};

/* --- Lists --- */

const struct verb verb_seeks = {
    .name = "seeks",
    .alias = "sought",
    .usage = "seeks",
    .help = N_("games on offer; accept NUMBER plays one"),
    .more = "seeks\n"
            "accept 12",
    .see = "seek, accept",
    .run = send_plain,
};

const struct verb verb_games = {
    .name = "games",
    .usage = "games [mine]",
    .help = N_("games being played; watch NUMBER shows one"),
    .more =
        N_("games mine    your own, also adjourned ones and those by correspondence"),
    .see = "watch, game, history",
    .takes = TAKES_MINE,
    .run = send_plain,
};

const struct verb verb_who = {
    .name = "who",
    .alias = "players",
    .usage = "who",
    .help = N_("who is here"),
    .more = "who\n"
            "match kim 10 5",
    .see = "match",
    .run = send_plain,
};

const struct verb verb_history = {
    .name = "history",
    .usage = N_("history [NAME]"),
    .help = N_("games that have ended"),
    .more = "history\n"
            "history kim",
    .see = "games, record, save",
    .takes = TAKES_NAME,
    .run = send_plain,
};

const struct verb verb_join = {
    .name = "join",
    .usage = N_("join CODE"),
    .help = N_("take the seat behind an invitation"),
    .more = "join K7Q2-9F3M",
    .see = "invite",
    .run = send_with_word,
};

/* The client has the pages about pieces and the topics of the guide itself. */
static void rules_run(struct verb_call *call)
{
    const char *word = verb_arg(call, 1);

    if (word != NULL && primer_tell(&call->words, word, call->view->pieces,
                                    call->view->has_color, call->view->is_spoken))
        call->deed->kind = DEED_SAY;
    else
        send_plain(call);
}

const struct verb verb_rules = {
    .name = "rules",
    .usage = N_("rules [RULESET|PIECE|names|xiangqi]"),
    .help = N_("how to play: the rules of a ruleset, or what one piece does"),
    .more = N_("rules\n"
               "rules kja\n"
               "rules chariot  what the rook does: all names of a piece do\n"
               "rules names    what the pieces are called in other languages\n"
               "rules xiangqi  for players of Chinese chess"),
    .see = "legal, show",
    .takes = TAKES_RULES,
    .run = rules_run,
};

const struct verb verb_limits = {
    .name = "limits",
    .usage = "limits",
    .help = N_("the server's limits"),
    .more = "limits",
    .see = "rules, ping",
    .run = send_plain,
};

const struct verb verb_ping = {
    .name = "ping",
    .usage = "ping",
    .help = N_("ask the server for a sign of life"),
    .more = "ping",
    .see = "limits",
    .run = send_plain,
};

/* --- Watching --- */

const struct verb verb_watch = {
    .name = "watch",
    .alias = "observe",
    .usage = N_("watch NUMBER"),
    .help = N_("see a game from its beginning, then live"),
    .more = "watch 3",
    .see = "games, unwatch, whisper",
    .takes = TAKES_GAME,
    .run = send_with_word,
};

static void unwatch_run(struct verb_call *call)
{
    struct model_game *game = verb_game(call, 1);

    if (game == NULL)
        return;
    call->deed->kind = DEED_SEND;
    text_addf(&call->line, "unwatch %lld", (long long)game->id);
}

const struct verb verb_unwatch = {
    .name = "unwatch",
    .alias = "unobserve",
    .usage = N_("unwatch [GAME]"),
    .help = N_("see no more of a game"),
    .more = "unwatch\n"
            "unwatch 3",
    .see = "watch",
    .takes = TAKES_GAME,
    .run = unwatch_run,
};

static void whisper_run(struct verb_call *call)
{
    struct model_game *game;

    if (call->typed.rest[0] == '\0') {
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
        return;
    }
    call->typed.words = 1; /* what is said may begin with a number */
    game = verb_game(call, 1);
    if (game == NULL)
        return;
    call->deed->kind = DEED_SEND;
    text_addf(&call->line, "whisper game=%lld %s", (long long)game->id,
              call->typed.rest);
}

const struct verb verb_whisper = {
    .name = "whisper",
    .alias = "kibitz",
    .usage = N_("whisper TEXT"),
    .help = N_("tell the other watchers something; players see it after the end"),
    .more = "whisper what a move",
    .see = "say",
    .run = whisper_run,
};
