/* Verbs of agreement: draw, takeback, abort. */
#include <limits.h>
#include <string.h>

#include "common/base/text.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/command/meant.h"
#include "server/evening/evenings.h"
#include "server/lobby/lobby.h"
#include "server/verb/verbs.h"

static bool draw_run(struct call *call, struct room *room)
{
    return !act_is_repeated(call, room, "draw", OUTCOME_DRAW, REASON_AGREEMENT) &&
           act_offer(call, room, OFFER_DRAW, 0);
}

const struct command cmd_draw = {
    .name = "draw",
    .usage = "draw [GAME]",
    .help = "offer a draw, or agree to one",
    .may_cost_chat = true,
    .output = OUTPUT_GAME,
    .run_in = draw_run,
};

static bool takeback_run(struct call *call)
{
    const struct offer *theirs;
    struct room *room;
    enum side side;
    int64_t ply = -1;
    int to;

    /* a PLY that the game has not reached is refused by the game */
    if (call->argc > 1 && (strncmp(call->argv[1], "to=", 3) != 0 ||
                           !text_to_int(call->argv[1] + 3, 0, INT64_MAX, &ply)))
        return call_usage(call, "to= is the number of a ply");
    to = ply > INT_MAX ? INT_MAX : (int)ply;
    room = meant_game(call, GAME_SEATED);
    if (room == NULL)
        return false;
    if (room->game.manners.bars_takebacks)
        return act_refuse_by_terms(call, room, "takebacks");
    side = presence_side_of(room, call->from);
    if (call->argc == 1) {
        /* before the side's last move; -1: it has made none, and the
                            * game refuses the takeback */
        to = room->game.plies;
        while (to > 0 && game_side_of_ply(&room->game, to) != side)
            to--;
        to--;
    }
    theirs = offer_find_kind(room, OFFER_TAKEBACK);
    if (theirs != NULL && theirs->to != to && theirs->by != side)
        return session_err(
            call->from, REPLY_NOT_NOW, "why=offered offer=%lld to=%d name=%s",
            (long long)theirs->id, theirs->to, room->game.name[theirs->by]);
    return act_may_grow(call, room) && act_offer(call, room, OFFER_TAKEBACK, to);
}

const struct command cmd_takeback = {
    .name = "takeback",
    .usage = "takeback [GAME] [to=PLY]",
    .help = "ask to take back your last move, or all after a ply",
    .may_cost_chat = true,
    .output = OUTPUT_GAME,
    .run = takeback_run,
};

static bool abort_run(struct call *call, struct room *room)
{
    if (act_is_repeated(call, room, "abort", OUTCOME_NONE, REASON_ABORTED))
        return false;
    if (room->game.manners.is_rated && room->game.phase != GAME_OVER &&
        room->game.plies >= SIDES)
        return act_refuse_by_terms(call, room, "rated");
    if (evenings_await(call->world->evenings, room->id)) {
        /* an abort would cost the opponent the round */
        return act_refuse_by_terms(call, room, "abort");
    }
    lobby_game_left(call->world->lobby, room, presence_side_of(room, call->from));
    return act_offer(call, room, OFFER_ABORT, 0);
}

const struct command cmd_abort = {
    .name = "abort",
    .usage = "abort [GAME]",
    .help = "end a game without a result: at once before both have moved, else by "
            "agreement, unless it is rated",
    .may_cost_chat = true,
    .output = OUTPUT_GAME,
    .run_in = abort_run,
};
