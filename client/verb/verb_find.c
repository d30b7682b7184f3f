/* Verbs for finding a game, watching, and requesting lists from the server. */
#include <stdio.h>
#include <string.h>

#include "client/verb/verb.h"
#include "client/view/primer.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/words/guide.h"

/* --- A game to come --- */

static void seek_answer(struct text *out, const struct verb_answer *answer)
{
    const char *id = words_value(answer->line, "id", "?");
    const char *fits = proto_line_value(answer->line, "fits");
    char terms[VERB_TERMS_BYTES];

    verb_terms(terms, answer->line);
    if (fits != NULL)
        text_addf(out,
                  _("seek %s%s is open; seek %s offers the same game: \"accept %s\" "
                    "begins it"),
                  id, terms, fits, fits);
    else
        text_addf(out,
                  _("seek %s%s is open: others see it in \"seeks\"; \"withdraw %s\" "
                    "takes it back"),
                  id, terms, id);
}

const struct verb verb_seek = {
    .name = "seek",
    .group = VERB_FIND,
    .args = {{.kind = ARG_TERMS, .need = ARG_OPTIONAL}},
    .help = N_("offer a game to everybody here"),
    .more = N_(
        "seek              10 minutes, plus 5 seconds for each move\n"
        "seek 5            5 minutes each\n"
        "seek 20m+3x40s    20 minutes, then 3 periods of 40 seconds\n"
        "seek 3d           by correspondence: three days for each move\n"
        "seek none red     without clocks; you play red\n"
        "seek 10 side=rank the player of the higher rank plays red\n"
        "seek 10 private   only people whom you allow with \"let\" may watch\n"
        "seek 10 rated=yes               the result changes your rating (see "
        "\"rank\")\n"
        "seek 10 range=200               an opponent at most 200 rating points away\n"
        "seek 10 takebacks=no talk=no    no takebacks, and no talk\n"
        "seek 10 watchers=members        only members may watch (none: nobody)\n"
        "seek 10 delay=6                 watchers see each move 6 plies later\n"
        "seek 10 claim=60s               \"claim\" after 60 s of absence (none: "
        "never)\n"
        "seek 10 lag=no                  clocks also count the network delay\n"
        "seek 10 sealed=yes              both choose their line-up at the same time\n"
        "seek 10 setup=NBNB/NBBN         the line-ups of red and blue\n"
        "seek 10 setup=NBNB/NBNB handicap=red:r   red begins without a rook\n"
        "seek 10 position=4k4/9/9/9/9/9/9/9/4R4/4K4_r   from a position"),
    .see = "play, seeks, match, invite, withdraw, let",
    .answer = seek_answer,
};

static void play_answer(struct text *out, const struct verb_answer *answer)
{
    const char *id = proto_line_value(answer->line, "id");
    char terms[VERB_TERMS_BYTES];

    if (id == NULL)
        return; /* the game's first event follows and is shown */
    text_addf(out,
              _("you wait for an opponent%s, for %s minutes at most; \"withdraw %s\" "
                "ends the wait"),
              verb_terms(terms, answer->line),
              words_value(answer->line, "minutes", "?"), id);
}

const struct verb verb_play_now = {
    .name = "play",
    .group = VERB_FIND,
    .brief = N_("the next game"),
    .args = {{.kind = ARG_TERMS,
              .need = ARG_OPTIONAL,
              .label = N_("[TIME] [RULES] [bots]"),
              .is_wish = true}},
    .help = N_("play the next game that fits, now or when somebody comes"),
    .more = N_("play                    10 minutes, plus 5 seconds for each move\n"
               "play blitz              5m+3s\n"
               "play club kja           20m+3x40s, with the rules of kja\n"
               "play bots               also against a program\n"
               "play 10+5 rated         the result changes your rating (see "
               "\"rank\")\n"
               "play 10+5 range=200     your opponent's rating is at most 200 from "
               "yours\n"
               "blitz is 5m+3s, rapid 10m+5s, club 20m+3x40s, days 3d"),
    .see = "seek, seeks, withdraw",
    .answer = play_answer,
};

static void match_run(struct verb_call *call)
{
    call->action->kind = ACTION_SEND;
    text_addf(&call->line, "challenge %s%s", call->args.text[ARG_PLAYER],
              call->args.terms);
}

static void match_answer(struct text *out, const struct verb_answer *answer)
{
    const char *id = proto_line_value(answer->line, "id");
    char terms[VERB_TERMS_BYTES];

    if (id == NULL)
        verb_answer_offer(out, answer);
    else
        text_addf(out,
                  _("challenge %s%s was sent to %s; \"withdraw %s\" takes it back"), id,
                  verb_terms(terms, answer->line), answer->about, id);
}

const struct verb verb_match = {
    .name = "match",
    .alias = "challenge",
    .group = VERB_FIND,
    .shown = N_("match NAME"),
    .brief = N_("ask one player"),
    .args = {{.kind = ARG_PLAYER}, {.kind = ARG_TERMS, .need = ARG_OPTIONAL}},
    .help = N_("ask one player for a game"),
    .more = N_("match kim 10 5\nmatch kim 5m blue"),
    .see = "who, seek",
    .run = match_run,
    .answer = match_answer,
};

static bool has_term(const char *terms, const char *key)
{
    char wanted[16];

    snprintf(wanted, sizeof wanted, " %s=", key);
    return strstr(terms, wanted) != NULL;
}

/* Sends "invite door" or "invite". The first makes an invitation to the server, with a
 * number of uses and of days. The second makes an invitation to a game, with the terms
 * of the game. Refuses terms that belong to the other kind of invitation. */
static void invite_run(struct verb_call *call)
{
    const char *terms = call->args.terms;
    bool is_door = args_has(&call->args, ARG_CHOICE);
    bool is_game = has_term(terms, "time") || has_term(terms, "side") ||
                   has_term(terms, "rules") || has_term(terms, "private");

    if (is_door && is_game) {
        verb_refuse(call,
                    _("\"invite door\" makes a link to the server, not to a game; "
                      "it takes only uses=NUMBER and days=NUMBER. \"door 5\" makes one "
                      "for five people."));
        return;
    }
    if (!is_door && (has_term(terms, "uses") || has_term(terms, "days"))) {
        verb_refuse(call, _("uses= and days= are only for \"invite door\"."));
        return;
    }
    call->action->kind = ACTION_SEND;
    text_addf(&call->line, "invite%s%s", is_door ? " door" : "", terms);
}

const struct verb verb_invite = {
    .name = "invite",
    .group = VERB_FIND,
    .brief = N_("a link for a friend"),
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "door"},
             {.kind = ARG_TERMS, .need = ARG_OPTIONAL, .has_counts = true}},
    .help = N_("make a link for a friend; the first who opens it plays against you"),
    .more = N_("invite\n"
               "invite 10 5 red\n"
               "invite door       for staff: a link by which people become members"),
    .see = "join, seek, door",
    .run = invite_run,
    .answer = verb_answer_invite,
};

static void door_run(struct verb_call *call)
{
    call->action->kind = ACTION_SEND;
    text_add(&call->line, "invite door");
    if (args_has(&call->args, ARG_NUMBER))
        text_addf(&call->line, " uses=%lld", (long long)call->args.number[ARG_NUMBER]);
}

const struct verb verb_door = {
    .name = "door",
    .group = VERB_STAFF,
    .args = {{.kind = ARG_NUMBER,
              .need = ARG_OPTIONAL,
              .label = N_("NUMBER"),
              .low = 1,
              .high = 1000}},
    .help = N_("for staff: make a link by which NUMBER people can become members"),
    .more = N_("door              a link for 20 people, valid for 7 days\n"
               "door 3            a link for three"),
    .see = "invite",
    .run = door_run,
    .answer = verb_answer_invite,
};

/* --- computer --- */

enum { LEVEL_USUAL = 5, LEVEL_MOST = 10 };

static void computer_run(struct verb_call *call)
{
    call->action->kind = ACTION_COMPUTER;
    call->action->number =
        args_has(&call->args, ARG_NUMBER) ? call->args.number[ARG_NUMBER] : LEVEL_USUAL;
}

const struct verb verb_computer = {
    .name = "computer",
    .group = VERB_FIND,
    .shown = "computer 3",
    .brief = N_("play the computer"),
    .args = {{.kind = ARG_NUMBER,
              .need = ARG_OPTIONAL,
              .label = N_("LEVEL"),
              .low = 1,
              .high = LEVEL_MOST}},
    .help = N_("play against the computer, here at this server"),
    .more = N_("computer 3    at level 3 of 10; without a number, at level 5"),
    .see = "seek, invite",
    .run = computer_run,
};

/* --- accept, decline, withdraw --- */

/* Refuses because several offers are open, and lists them: the player must choose
 * one. */
static void ask_which(struct verb_call *call, const struct model_open *open, int count)
{
    char words[2048];
    struct text text = text_into(words, sizeof words);

    for (int i = 0; i < count; i++) {
        text_addf(&text, "\n  %s %-4lld ", call->verb->name,
                  (long long)open[i].offer->id);
        words_open(&text, &open[i]);
    }
    verb_refuse(call, _("Which one? Nothing was done.%s"), words);
}

/* Accepts or declines the offer whose number was typed. If no number was typed, and
 * exactly one offer is open, accepts or declines that offer. Otherwise refuses. */
static void answer_offer(struct verb_call *call)
{
    struct model_open open[MODEL_OPEN_MAX];
    int count = model_list_open(call->model, open);
    bool is_reply = words_is_yes(call->word) || words_is_no(call->word);
    int64_t id = args_has(&call->args, ARG_OFFER) ? call->args.number[ARG_OFFER]
                 : count == 1                     ? open[0].offer->id
                                                  : 0;
    const struct model_game *game = call->model->current;

    if (id == 0 && count == 0 && !is_reply && call->verb == &verb_accept &&
        (game == NULL || !model_is_playing(game)))
        id = call->model->seek_id;

    if (is_reply && call->view->is_private) {
        verb_refuse(call, _("There is nothing to answer."));
    } else if (id != 0) {
        call->action->kind = ACTION_SEND;
        text_addf(&call->line, "%s %lld", call->verb->name, (long long)id);
    } else if (count > 1) {
        ask_which(call, open, count);
    } else if (is_reply) {
        verb_refuse(call, _("There is nothing to answer."));
    } else {
        verb_refuse(call,
                    _("Nothing is offered to you. \"seeks\" lists games on offer."));
    }
}

/* Describes the offer that was accepted. answer->about is the number of that offer. */
static void accept_answer(struct text *out, const struct verb_answer *answer)
{
    struct model_open open[MODEL_OPEN_MAX];
    int count = model_list_open(answer->model, open);
    int64_t id;

    for (int i = 0; i < count && text_to_int(answer->about, 1, INT64_MAX, &id); i++)
        if (open[i].offer->id == id)
            words_taken(out, &open[i]);
}

const struct verb verb_accept = {
    .name = "accept",
    .alias = "a yes y 예 네", /* the words of words_is_yes() */
    .group = VERB_PLAY,
    .brief = N_("what is offered"),
    .args = {{.kind = ARG_OFFER, .need = ARG_OPTIONAL}},
    .help = N_("take what was offered: a draw, a takeback, a challenge, a seek"),
    .more =
        N_("accept       what is offered to you, or the only game that \"seeks\" has "
           "listed\n"
           "accept 12"),
    .see = "decline, seeks",
    .run = answer_offer,
    .answer = accept_answer,
    .take = verb_take_closed,
};

const struct verb verb_decline = {
    .name = "decline",
    .alias = "no n 아니요 아니오", /* the words of words_is_no() */
    .group = VERB_PLAY,
    .args = {{.kind = ARG_OFFER, .need = ARG_OPTIONAL}},
    .help = N_("refuse what was offered"),
    .more = "decline\n"
            "decline 12",
    .see = "accept",
    .run = answer_offer,
    .take = verb_take_closed,
};

/* Withdraws an offer by its number, or an invitation by its code, which contains a
 * dash. */
static void withdraw_run(struct verb_call *call)
{
    const char *code = call->args.text[ARG_WORD];

    if (args_has(&call->args, ARG_OFFER) ? code == NULL
                                         : code != NULL && strchr(code, '-') != NULL)
        verb_send(call);
    else
        verb_refuse(call, _("\"withdraw\" takes one number or one code; \"pending\" "
                            "lists them. Nothing was done."));
}

static void withdraw_answer(struct text *out, const struct verb_answer *answer)
{
    const char *code = words_value(answer->line, "code", "?");

    text_addf(out, _("%s was withdrawn"), words_value(answer->line, "id", code));
}

const struct verb verb_withdraw = {
    .name = "withdraw",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_OFFER, .need = ARG_OPTIONAL},
             {.kind = ARG_WORD, .need = ARG_OPTIONAL, .label = N_("CODE")}},
    .help = N_("take back a seek, a challenge, an offer or an invitation of yours"),
    .more = "withdraw 12\n"
            "withdraw K7Q2-9F3M",
    .see = "pending, seeks",
    .run = withdraw_run,
    .answer = withdraw_answer,
    .take = verb_take_closed,
};

/* --- Lists --- */

const struct verb verb_pending = {
    .name = "pending",
    .group = VERB_PLAY,
    .brief = N_("what is still open"),
    .help = N_("the open requests and offers: yours, and those made to you"),
    .see = "accept, decline, withdraw, seeks",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("no requests or offers are open"),
    .if_some = N_("\"accept NUMBER\" or \"decline NUMBER\" answers one; \"withdraw "
                  "NUMBER\" takes back yours"),
};

static void seeks_answer(struct text *out, const struct verb_answer *answer)
{
    const char *news = proto_line_value(answer->line, "news");

    if (news != NULL)
        text_add(out, strcmp(news, "on") == 0
                          ? _("you are told of new seeks, except during a game with "
                              "clocks; \"seeks off\" stops that")
                          : _("you are no longer told of new seeks"));
}

static bool seeks_take(const struct verb_answer *answer)
{
    if (answer->model->seeks != 1)
        answer->model->seek_id = 0;
    answer->model->seeks = 0;
    return true;
}

const struct verb verb_seeks = {
    .name = "seeks",
    .shown = "seeks [on]",
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "on|off"}},
    .alias = "sought",
    .group = VERB_FIND,
    .brief = N_("games on offer"),
    .help = N_("games on offer; accept NUMBER begins one of them"),
    .more = N_("seeks\n"
               "accept 12\n"
               "seeks on     get news of new ones"),
    .see = "seek, accept",
    .answer = seeks_answer,
    .take = seeks_take,
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("nothing is on offer; \"seek\" offers a game"),
    .if_some = N_("\"accept NUMBER\" begins one of these games"),
};

static void games_run(struct verb_call *call)
{
    call->action->kind = ACTION_SEND;
    text_add(&call->line, args_has(&call->args, ARG_CHOICE) ? "games mine" : "games");
}

static void games_answer(struct text *out, const struct verb_answer *answer)
{
    bool is_mine = strcmp(answer->about, "mine") == 0;

    if (proto_line_number(answer->line, "count", 0) == 0)
        text_add(out, is_mine ? _("you have no running game")
                              : _("no public game is being played now"));
    else
        text_add(out, is_mine ? _("\"game NUMBER\" goes to one")
                              : _("\"watch NUMBER\" shows one"));
}

const struct verb verb_games = {
    .name = "games",
    .group = VERB_FIND,
    .shown = "games [mine]",
    .brief = N_("running games"),
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "mine"}},
    .help = N_("games being played; watch NUMBER shows one"),
    .more =
        N_("games mine    your own, also adjourned ones and those by correspondence"),
    .see = "watch, game, history",
    .run = games_run,
    .answer = games_answer,
    .use = VERB_LOOKS,
    .has_rows = true,
};

static void watchers_run(struct verb_call *call)
{
    int64_t id;

    if (!verb_take_game(call, &id))
        return;
    call->action->kind = ACTION_SEND;
    text_addf(&call->line, "watchers %lld", (long long)id);
}

const struct verb verb_watchers = {
    .name = "watchers",
    .alias = "allobservers",
    .group = VERB_WATCH,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("who watches a game"),
    .more = "watchers\n"
            "watchers 3",
    .see = "watch, who, whisper",
    .run = watchers_run,
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("nobody watches that game"),
};

const struct verb verb_who = {
    .name = "who",
    .alias = "players",
    .group = VERB_FIND,
    .help = N_("who is here"),
    .more = "who\n"
            "match kim 10 5",
    .see = "match",
    .use = VERB_LOOKS,
    .has_rows = true,
};

const struct verb verb_history = {
    .name = "history",
    .group = VERB_FIND,
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL}},
    .help = N_("games that have ended"),
    .more = "history\n"
            "history kim",
    .see = "games, record, save",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("no game has ended"),
};

const struct verb verb_rank = {
    .name = "rank",
    .group = VERB_FIND,
    .args = {{.kind = ARG_PLAYER, .need = ARG_OPTIONAL}},
    .help = N_("the ratings of a player, or yours"),
    .more = N_(
        "rank kim\n"
        "A rating is firm after about 11 games; until then it is shown as 1512?.\n"
        "A rank is a name for a firm rating, from 18k (lowest) to 1k, then 1d to 9d."),
    .see = "top, who, history",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("no rated game yet; \"seek 10 5 rated=yes\" offers one"),
};

const struct verb verb_top = {
    .name = "top",
    .group = VERB_FIND,
    .args = {{.kind = ARG_CHOICE,
              .need = ARG_OPTIONAL,
              .label = "kja|martin|classic|days"}},
    .help = N_("the players with the highest ratings"),
    .more = N_("top kja\ntop days    games by correspondence"),
    .see = "rank, who",
    .use = VERB_LOOKS,
    .has_rows = true,
    .if_none = N_("nobody has played enough rated games yet"),
};

static void join_answer(struct text *out, const struct verb_answer *answer)
{
    if (proto_line_value(answer->line, "waiting") != NULL)
        text_add(out, _("you have a seat; the game begins when your opponent comes"));
    else
        verb_answer_human(out, answer);
}

const struct verb verb_join = {
    .name = "join",
    .group = VERB_FIND,
    .args = {{.kind = ARG_WORD, .label = N_("CODE")}},
    .help = N_("take the seat that an invitation offers"),
    .more = "join K7Q2-9F3M",
    .see = "invite",
    .is_secret = true,
    .answer = join_answer,
};

/* Returns the ruleset of the current game; without a game, the default ruleset. */
static const struct ruleset *find_usual_rules(const struct model *model)
{
    const struct model_game *game = model->current;

    return game != NULL && game->game.phase != GAME_EMPTY ? game->game.rules
                                                          : ruleset_at(0);
}

/* Shows the client's own text about a ruleset, in the current language. An unknown
 * ruleset may belong to a later version of the server, so its name is sent to the
 * server. */
static void rules_run(struct verb_call *call)
{
    const char *word = call->args.text[ARG_TOPIC];
    const struct ruleset *rules =
        word == NULL ? find_usual_rules(call->model) : ruleset_find(word);

    call->action->kind = ACTION_SAY;
    if (rules != NULL)
        guide_page(rules, primer_add_line, &call->words);
    else if (!primer_tell(&call->words, word, call->view->pieces, call->view->has_color,
                          call->view->is_spoken))
        verb_send(call);
}

const struct verb verb_rules = {
    .name = "rules",
    .shown = "rules [names]",
    .brief = N_("how to play"),
    .args = {{.kind = ARG_TOPIC,
              .need = ARG_OPTIONAL,
              .label = N_("RULESET|PIECE|names|xiangqi")}},
    .help = N_("how to play: the rules of a ruleset, or what one piece does"),
    .more = N_("rules\n"
               "rules kja\n"
               "rules chariot  what the rook does: every name of a piece works\n"
               "rules names    what the pieces are called in other languages\n"
               "rules xiangqi  for players of Chinese chess"),
    .see = "legal, show",
    .run = rules_run,
    .use = VERB_LOOKS,
    .answer = verb_answer_nothing,
};

const struct verb verb_limits = {
    .name = "limits",
    .help = N_("the server's limits"),
    .see = "rules, ping",
    .use = VERB_LOOKS,
    .answer = verb_answer_nothing,
};

const struct verb verb_ping = {
    .name = "ping",
    .help = N_("check that the server answers"),
    .see = "limits",
    .use = VERB_LOOKS,
    .answer = verb_answer_nothing,
};

/* --- Watching --- */

static void watch_run(struct verb_call *call)
{
    call->action->kind = ACTION_SEND;
    call->action->number = call->args.number[ARG_GAME];
    text_addf(&call->line, "watch %s", call->args.text[ARG_GAME]);
    if (args_has(&call->args, ARG_WORD))
        text_addf(&call->line, " code=%s", call->args.text[ARG_WORD]);
}

/* If the game is over and its players have begun a rematch, says which game that is. */
static void watch_answer(struct text *out, const struct verb_answer *answer)
{
    const char *rematch = words_value(answer->line, "rematch", NULL);

    if (rematch != NULL)
        text_addf(out,
                  _("game %s is over; its players play again: \"watch %s\" shows the "
                    "new game"),
                  words_value(answer->line, "game", "?"), rematch);
}

static bool watch_take(const struct verb_answer *answer)
{
    if (answer->line->mark == PROTO_OK)
        verb_follow_game(answer, answer->game);
    return true;
}

const struct verb verb_watch = {
    .name = "watch",
    .alias = "observe 관전",
    .group = VERB_WATCH,
    .shown = "watch 3",
    .brief = N_("see game 3"),
    .args = {{.kind = ARG_GAME},
             {.kind = ARG_WORD, .need = ARG_OPTIONAL, .label = N_("CODE")}},
    .help = N_("see a game from its beginning, then live"),
    .more =
        N_("watch 3\n"
           "watch 17 17-K7Q29F3MW4XHT6PB   a private game, with the code of its link"),
    .see = "games, unwatch, whisper, watchlink",
    .run = watch_run,
    .use = VERB_LOOKS,
    .answer = watch_answer,
    .take = watch_take,
};

static void unwatch_run(struct verb_call *call)
{
    struct model_game *game = verb_game(call);

    if (game == NULL)
        return;
    call->action->kind = ACTION_SEND;
    text_addf(&call->line, "unwatch %lld", (long long)game->id);
}

static bool unwatch_take(const struct verb_answer *answer)
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

const struct verb verb_unwatch = {
    .name = "unwatch",
    .alias = "unobserve",
    .group = VERB_WATCH,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("stop watching a game"),
    .more = "unwatch\n"
            "unwatch 3",
    .see = "watch",
    .run = unwatch_run,
    .told = N_("you no longer watch game %s"),
    .keys = {"game"},
    .take = unwatch_take,
};

static void whisper_run(struct verb_call *call)
{
    struct model_game *game = verb_game(call);

    if (game == NULL)
        return;
    call->action->kind = ACTION_SEND;
    text_addf(&call->line, "whisper game=%lld %s", (long long)game->id,
              call->args.text[ARG_TEXT]);
}

const struct verb verb_whisper = {
    .name = "whisper",
    .alias = "kibitz",
    .group = VERB_WATCH,
    .shown = N_("whisper TEXT"),
    .brief = N_("to the watchers"),
    .args = {{.kind = ARG_TEXT}},
    .help = N_("tell the other watchers something; players see it after the end"),
    .more = "whisper what a move",
    .see = "say",
    .run = whisper_run,
    .use = VERB_TALKS,
    .answer = verb_answer_nothing,
};
