/* Verbs for finding a game, watching, and requesting lists from the server. */
#include <stdio.h>
#include <string.h>

#include "client/verb/verb.h"
#include "client/view/primer.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/words/guide.h"

/* --- A game to come --- */

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

const struct verb verb_accept = {
    .name = "accept",
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
};

const struct verb verb_decline = {
    .name = "decline",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_OFFER, .need = ARG_OPTIONAL}},
    .help = N_("refuse what was offered"),
    .more = "decline\n"
            "decline 12",
    .see = "accept",
    .run = answer_offer,
};

/* --- Lists --- */

/* Shows the client's own text about a ruleset, in the current language. An unknown
 * ruleset may belong to a later version of the server, so its name is sent to the
 * server. */
static void rules_run(struct verb_call *call)
{
    const struct model_game *game = call->model->current;
    const char *word = call->args.text[ARG_TOPIC];
    const struct ruleset *rules = word != NULL ? ruleset_find(word)
                                  : game != NULL && game->game.phase != GAME_EMPTY
                                      ? game->game.rules
                                      : words_usual_rules();

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

const struct verb verb_watch = {
    .name = "watch",
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
};
