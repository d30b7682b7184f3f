/* Verbs of an interrupted game: adjourn, continue, claim. */
#include <string.h>

#include "common/base/translate.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/command/meant.h"
#include "server/verb/verbs.h"

/* --- adjourn, continue --- */

static bool adjourn_run(struct call *call, struct room *room)
{
    if (!room_may_adjourn(room))
        return act_refuse_by_terms(call, room, "adjourn");
    return act_may_grow(call, room) && act_offer(call, room, OFFER_ADJOURN, 0);
}

const struct command cmd_adjourn = {
    .name = "adjourn",
    .usage = "adjourn [GAME]",
    .group = GROUP_PLAY,
    .help =
        N_("ask to stop the game and its clocks until both players type \"continue\""),
    .examples =
        N_("adjourn     needs no agreement when your opponent has been away too long\n"
           "A game of an evening cannot be adjourned."),
    .may_cost_chat = true,
    .output = OUTPUT_GAME,
    .run_in = adjourn_run,
};

/* Except in a game by correspondence, the clock of an absent player must not start. */
static bool continue_run(struct call *call, struct room *room)
{
    enum side other = side_other(presence_side_of(room, call->from));

    if (room->game.is_adjourned && !presence_is_here(room, other) &&
        !room_is_correspondence(room))
        return session_err(call->from, REPLY_NOT_NOW,
                           "why=away#continue game=%lld name=%s", (long long)room->id,
                           room->game.name[other]);
    return act_offer(call, room, OFFER_CONTINUE, 0);
}

const struct command cmd_continue = {
    .name = "continue",
    .usage = "continue [GAME]",
    .group = GROUP_PLAY,
    .help = N_("ask to continue an adjourned game, or agree to it"),
    .examples = "continue\n"
                "continue 17",
    .may_cost_chat = true,
    .output = OUTPUT_GAME,
    .run_in = continue_run,
};

/* --- claim --- */

/* True if the opponent has been absent long enough for the caller to claim a win or a
 * draw. False: the answer was sent. */
static bool is_claim_open(struct call *call, const struct room *room)
{
    enum side side = presence_side_of(room, call->from);
    const char *other = room->game.name[side_other(side)];
    int64_t left_ms;

    switch (presence_judge_claim(room, side, call->now_ms, &left_ms)) {
    case CLAIM_PRESENT:
        session_err(call->from, REPLY_NOT_NOW, "why=present game=%lld name=%s",
                    (long long)room->id, other);
        return false;
    case CLAIM_EARLY:
        session_err(call->from, REPLY_NOT_NOW,
                    "why=too-early game=%lld left_ms=%lld name=%s", (long long)room->id,
                    (long long)left_ms, other);
        return false;
    case CLAIM_NEVER:
        session_err(call->from, REPLY_NOT_NOW, "why=correspondence game=%lld",
                    (long long)room->id);
        return false;
    case CLAIM_BARRED:
        act_refuse_by_terms(call, room, "claims");
        return false;
    default:
        return true;
    }
}

static bool claim_run(struct call *call)
{
    const char *what = call->argv[1];
    bool wants_win = strcmp(what, "win") == 0;
    enum outcome outcome = OUTCOME_DRAW;
    struct game_news news;
    struct asker asker;
    struct fault fault;
    struct room *room;
    enum side side;

    if (!wants_win && strcmp(what, "draw") != 0)
        return call_usage(call, "you claim a win or a draw");
    room = meant_game(call, GAME_SEATED);
    if (room == NULL)
        return false;
    side = presence_side_of(room, call->from);
    if (wants_win)
        outcome = rules_outcome_of_loss(room->game.rules, &room->game.position,
                                        side_other(side));
    fault = game_judge_absence(&room->game, side, wants_win, &news);
    asker = act_asker(call, room, "claim");
    if (act_is_repeated(call, room, "claim", outcome, REASON_ABSENCE))
        return false;
    if (fault.code != FAULT_NONE)
        return call_refuse(call, room, fault);
    return is_claim_open(call, room) &&
           act_finish(call, room, room_enter(room, fault, &news, &asker, call->now_ms));
}

const struct command cmd_claim = {
    .name = "claim",
    .usage = "claim [GAME] win|draw",
    .help = "end a game because your opponent has been away too long",
    .output = OUTPUT_GAME,
    .run = claim_run,
};
