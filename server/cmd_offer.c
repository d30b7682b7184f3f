/* Verbs of players who agree on something: draw, takeback, abort, rematch. */
#include <string.h>

#include "common/text.h"
#include "server/act.h"
#include "server/command.h"
#include "server/lobby.h"
#include "server/verbs.h"

static void draw_run(struct call *call)
{
    struct room *room = call_game(call, GAME_SEATED);

    if (room != NULL)
        act_offer(call, room, OFFER_DRAW, 0);
}

const struct command cmd_draw = {
    .name = "draw",
    .usage = "draw [GAME]",
    .help = "offer a draw, or agree to one",
    .args_max = 1,
    .states = BY_MEMBERS,
    .run = draw_run,
};

/* The plies that remain when the side's last move is taken back; -1 if it has made
 * none. */
static int before_last_move_of(const struct game *game, enum side side)
{
    for (int ply = game->plies; ply > 0; ply--)
        if (game_side_of_ply(game, ply) == side)
            return ply - 1;
    return -1;
}

/* The plies that are to remain; -1 after an answer. */
static int64_t takeback_to(struct call *call, const struct room *room)
{
    int64_t to = before_last_move_of(&room->game, room_side_of(room, call->from));

    if (room->game.phase != GAME_PLAY || room->game.is_adjourned)
        return 0; /* the game will say so itself */
    if (call->argc > 1 &&
        (strncmp(call->argv[1], "to=", 3) != 0 ||
         !text_to_int(call->argv[1] + 3, 0, room->game.plies - 1, &to))) {
        call_usage(call, "to= is the number of a ply before the last");
        return -1;
    }
    if (to < 0)
        call_usage(call, "there is nothing of yours to take back; to=PLY names a ply");
    return to;
}

static void takeback_run(struct call *call)
{
    struct room *room = call_game(call, GAME_SEATED);
    const struct offer *theirs;
    int64_t to;

    if (room == NULL)
        return;
    to = takeback_to(call, room);
    if (to < 0)
        return;
    theirs = &room->offer[OFFER_TAKEBACK - 1];
    if (theirs->kind == OFFER_TAKEBACK && theirs->to != to &&
        theirs->by != room_side_of(room, call->from))
        session_err(call->from, REPLY_NOT_NOW,
                    "why=offered offer=%lld to=%d : %s asks to go back to ply %d: "
                    "accept %lld or "
                    "decline %lld first",
                    (long long)theirs->id, theirs->to, room->game.name[theirs->by],
                    theirs->to, (long long)theirs->id, (long long)theirs->id);
    else if (!act_is_too_long(call, room))
        act_offer(call, room, OFFER_TAKEBACK, (int)to);
}

const struct command cmd_takeback = {
    .name = "takeback",
    .usage = "takeback [GAME] [to=PLY]",
    .help = "ask to take back your last move, or all after a ply",
    .args_max = 2,
    .args_after_game = 1,
    .states = BY_MEMBERS,
    .run = takeback_run,
};

static void abort_run(struct call *call)
{
    struct room *room = call_game(call, GAME_SEATED);

    if (room != NULL)
        act_offer(call, room, OFFER_ABORT, 0);
}

const struct command cmd_abort = {
    .name = "abort",
    .usage = "abort [GAME]",
    .help = "end a game without a result: at once before both have moved, else by "
            "agreement",
    .args_max = 1,
    .states = BY_MEMBERS,
    .run = abort_run,
};

/* Another game is asked for, or the opponent's wish is taken up. */
static void ask_rematch(struct call *call, struct room *room)
{
    enum side side = room_side_of(room, call->from), other = side_other(side);
    struct offer *theirs = &room->offer[OFFER_REMATCH - 1];
    int64_t game;

    if ((theirs->kind == OFFER_NONE || theirs->by == side) &&
        !room_is_attended(room, other))
        session_err(call->from, REPLY_NOT_NOW,
                    "why=away game=%lld : %s has left game %lld; challenge asks anew",
                    (long long)room->id, room->game.name[other], (long long)room->id);
    else if (theirs->kind == OFFER_NONE || theirs->by == side)
        act_offer(call, room, OFFER_REMATCH, 0);
    else if (lobby_rematch(call->world->lobby, room, theirs, "rematch", call->from->id,
                           &game) == LOBBY_STARTED)
        session_hold(call->from);
    else
        session_err(call->from, REPLY_LIMIT,
                    "what=games max=%d : one of you, or the server, has as many games "
                    "as can be",
                    ACCOUNT_GAMES_MAX);
}

static void rematch_run(struct call *call)
{
    struct room *room = call_game(call, GAME_SEATED);

    if (room == NULL)
        return;
    if (room->game.phase != GAME_OVER) {
        session_err(call->from, REPLY_NOT_NOW,
                    "why=not-over game=%lld : game %lld goes on", (long long)room->id,
                    (long long)room->id);
        return;
    }
    if (!call_is_draining(call))
        ask_rematch(call, room);
}

const struct command cmd_rematch = {
    .name = "rematch",
    .usage = "rematch [GAME]",
    .help = "after the end, ask for another game with sides changed",
    .args_max = 1,
    .states = BY_MEMBERS,
    .run = rematch_run,
};
