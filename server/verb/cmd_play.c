/* Verbs of a player in a game: setup, move, pass, resign, say; draw, takeback, abort; adjourn,
 * continue, claim. */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "server/base/config.h"
#include "server/command/command.h"
#include "server/command/meant.h"
#include "server/evening/evenings.h"
#include "server/lobby/lobby.h"
#include "server/room/notice.h"
#include "server/room/room.h"
#include "server/verb/verbs.h"

/* --- setup --- */

static bool setup_run(struct call *call)
{
    struct room *room;
    struct asker asker;
    enum lineup lineup;
    enum side side;
    size_t len;
    bool is_new;
    bool is_same = strcmp(call->argv[1], "same") == 0;

    if (!is_same && !lineup_parse(call->argv[1], &lineup))
        return call_usage(call, "a line-up names the pieces on files B, C, G and H");
    room = meant_game(call, GAME_SEATED);
    if (room == NULL)
        return false;
    if (!game_find_lineup(&room->game, call->argv[1], &lineup))
        return call_usage(call, "your opponent has no line-up yet");
    side = presence_side_of(room, call->from);
    is_new = room_awaits(room, side);
    if (room_seal(room, side, lineup)) {
        session_ok(call->from,
                   "setup game=%lld setup=%s sealed=1 : kept until %s has chosen",
                   (long long)room->id, lineup_name(lineup),
                   room->game.name[side_other(side)]);
        if (is_new)
            notice_sealed(room, side, NULL);
        return false;
    }
    asker = call_asker(call, room, "setup");
    len = strlen(asker.words);
    snprintf(asker.words + len, sizeof asker.words - len, " setup=%s",
             lineup_name(lineup));
    return call_finish(call, room,
                       room_setup(room, side, lineup, call->now_ms, &asker));
}

const struct command cmd_setup = {
    .usage = "setup [GAME] NBBN|BNBN|NBNB|BNNB|same",
    .help = "choose your line-up: the pieces on files B, C, G, H",
    .output = OUTPUT_GAME,
    .run = setup_run,
};

/* --- move, pass --- */

static void answer_words(struct asker *asker, const struct room *room, int ply,
                         struct move move)
{
    struct text words = text_into(asker->words, sizeof asker->words);
    char text[MOVE_BYTES];

    move_format(text, move);
    text_add(&words, "move game=");
    text_add_int(&words, room->id);
    text_add(&words, " ply=");
    text_add_int(&words, ply);
    text_add(&words, " move=");
    text_add(&words, text);
}

/* Plays a move and answers. guard: the number that the ply must have; NULL: any.
 * claimed: the kind of piece that the caller named. */
static bool play(struct call *call, struct room *room, const int64_t *guard,
                 struct move move, enum kind claimed)
{
    enum side side = presence_side_of(room, call->from);
    struct asker asker = {.session = call->from};
    const struct game *game = &room->game;
    char last[MOVE_BYTES] = "-";
    struct fault fault;

    if (call->world->config->has_quotas &&
        !account_spend_move(call->from->account, call->world->config->moves_per_s,
                            call->now_ms))
        return session_err(call->from, REPLY_SLOW_DOWN, "#moves retry=1");
    move = rules_read_move(game->rules, &game->position, side, move);
    if (guard != NULL && *guard >= 1 && *guard <= game->plies &&
        *guard > game->plies - SIDES && game_side_of_ply(game, (int)*guard) == side &&
        move_is_same(game->ply[*guard - 1].move, move)) {
        /* the side's latest move is repeated: the same OK again */
        answer_words(&asker, room, (int)*guard, move);
        return session_ok_words(call->from, asker.words);
    }
    if (guard != NULL && *guard != game->plies + 1) {
        if (game->plies > 0)
            move_format(last, game->ply[game->plies - 1].move);
        return session_err(call->from, REPLY_STALE, "game=%lld ply=%d last=%s",
                           (long long)room->id, game->plies + 1, last);
    }
    fault = rules_judge_claim(&game->position, move, claimed);
    answer_words(&asker, room, game->plies + 1, move);
    if (fault.code == FAULT_NONE)
        fault = room_move(room, side, move, call->now_ms, &asker);
    return call_finish(call, room, fault);
}

/* Reads PLY. This argument says which number the caller's move must have. PLY can be
 * given only after GAME. Sets *from to the index in argv of the argument after PLY. If
 * PLY was not given, returns false and sets *from to 1. */
static bool take_ply(const struct call *call, int64_t *ply, int *from)
{
    bool is_ply = call->game >= 0 && call->argc > 1 &&
                  text_to_int(call->argv[1], 0, INT64_MAX, ply);

    *from = is_ply ? 2 : 1;
    return is_ply;
}

static bool move_run(struct call *call)
{
    char words[64];
    struct text text = text_into(words, sizeof words);
    struct room *room;
    struct move move;
    enum kind claimed;
    int64_t ply;
    int from;
    bool is_guarded = take_ply(call, &ply, &from);

    for (int i = from; i < call->argc; i++) {
        text_add(&text, i == from ? "" : " ");
        text_add(&text, call->argv[i]);
    }
    if (text.is_cut || !move_parse(words, &move, &claimed))
        return call_usage(call, "a move is two points, like b0c2");
    room = meant_game(call, GAME_SEATED);
    return room != NULL && play(call, room, is_guarded ? &ply : NULL, move, claimed);
}

const struct command cmd_move = {
    .usage = "move [GAME [PLY]] B0-C2",
    .help = "play a move; b0c2 alone does the same",
    .args_max = 4,
    .output = OUTPUT_GAME,
    .run = move_run,
};

static bool pass_run(struct call *call)
{
    struct room *room;
    int64_t ply;
    int from;
    bool is_guarded = take_ply(call, &ply, &from);

    if (from < call->argc)
        return call_usage(call, "PLY is a number and follows GAME");
    room = meant_game(call, GAME_SEATED);
    return room != NULL &&
           play(call, room, is_guarded ? &ply : NULL, move_pass(), KIND_NONE);
}

const struct command cmd_pass = {
    .usage = "pass [GAME [PLY]]",
    .help = "make no move, where the rules allow it",
    .output = OUTPUT_GAME,
    .run = pass_run,
};

static bool resign_run(struct call *call, struct room *room)
{
    const struct evening_pair *pair;
    struct evening_entry *entry;
    enum side side = presence_side_of(room, call->from);
    struct game_news news;
    struct asker asker;

    if (call_is_repeated(
            call, room, "resign",
            rules_outcome_of_loss(room->game.rules, &room->game.position, side),
            REASON_RESIGNATION))
        return false;
    asker = call_asker(call, room, "resign");
    if (!evenings_find_game(call->world->evenings, room->id, &entry, &pair))
        lobby_game_left(call->world->lobby, room, side);
    return call_finish(call, room,
                       room_enter(room, game_judge_resign(&room->game, side, &news),
                                  &news, &asker, call->now_ms));
}

const struct command cmd_resign = {
    .usage = "resign [GAME]",
    .help = "give up the game",
    .output = OUTPUT_GAME,
    .run_in = resign_run,
};

/* --- say --- */

static bool say_run(struct call *call, struct room *room)
{
    if (!call_has_text(call))
        return false;
    if (room->game.manners.bars_talk)
        return call_err_game(call, REPLY_NOT_NOW, "why=terms#talk", room->id);
    if (!call_spend_chat(call, "lines"))
        return false;
    session_narrow(call->from, room_talk_stamp(room));
    notice_talk(room, call->from, call->rest);
    return session_ok(call->from, "say game=%lld", (long long)room->id);
}

const struct command cmd_say = {
    .usage = "say [game=GAME] TEXT",
    .help = "tell your opponent something",
    .may_cost_chat = true,
    .is_talk = true,
    .output = OUTPUT_GAME,
    .run_in = say_run,
};

static bool draw_run(struct call *call, struct room *room)
{
    return !call_is_repeated(call, room, "draw", OUTCOME_DRAW, REASON_AGREEMENT) &&
           call_offer(call, room, OFFER_DRAW, 0);
}

const struct command cmd_draw = {
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
        return call_err_game(call, REPLY_NOT_NOW, "why=terms#takebacks", room->id);
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
    return call_may_grow(call, room) && call_offer(call, room, OFFER_TAKEBACK, to);
}

const struct command cmd_takeback = {
    .usage = "takeback [GAME] [to=PLY]",
    .help = "ask to take back your last move, or all after a ply",
    .may_cost_chat = true,
    .output = OUTPUT_GAME,
    .run = takeback_run,
};

static bool abort_run(struct call *call, struct room *room)
{
    if (call_is_repeated(call, room, "abort", OUTCOME_NONE, REASON_ABORTED))
        return false;
    if (room->game.manners.is_rated && room->game.phase != GAME_OVER &&
        room->game.plies >= SIDES)
        return call_err_game(call, REPLY_NOT_NOW, "why=terms#rated", room->id);
    if (evenings_await(call->world->evenings, room->id)) {
        /* an abort would cost the opponent the round */
        return call_err_game(call, REPLY_NOT_NOW, "why=terms#abort", room->id);
    }
    lobby_game_left(call->world->lobby, room, presence_side_of(room, call->from));
    return call_offer(call, room, OFFER_ABORT, 0);
}

const struct command cmd_abort = {
    .usage = "abort [GAME]",
    .help = "end a game without a result: at once before both have moved, else by "
            "agreement, unless it is rated",
    .may_cost_chat = true,
    .output = OUTPUT_GAME,
    .run_in = abort_run,
};

/* --- adjourn, continue --- */

static bool adjourn_run(struct call *call, struct room *room)
{
    if (!room_may_adjourn(room))
        return call_err_game(call, REPLY_NOT_NOW, "why=terms#adjourn", room->id);
    return call_may_grow(call, room) && call_offer(call, room, OFFER_ADJOURN, 0);
}

const struct command cmd_adjourn = {
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
    return call_offer(call, room, OFFER_CONTINUE, 0);
}

const struct command cmd_continue = {
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
        return session_err(call->from, REPLY_NOT_NOW, "why=present game=%lld name=%s",
                           (long long)room->id, other);
    case CLAIM_EARLY:
        return session_err(call->from, REPLY_NOT_NOW,
                           "why=too-early game=%lld left_ms=%lld name=%s",
                           (long long)room->id, (long long)left_ms, other);
    case CLAIM_NEVER:
        return call_err_game(call, REPLY_NOT_NOW, "why=correspondence", room->id);
    case CLAIM_BARRED:
        return call_err_game(call, REPLY_NOT_NOW, "why=terms#claims", room->id);
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
    asker = call_asker(call, room, "claim");
    if (call_is_repeated(call, room, "claim", outcome, REASON_ABSENCE))
        return false;
    if (fault.code != FAULT_NONE)
        return call_refuse(call, room, fault);
    return is_claim_open(call, room) &&
           call_finish(call, room,
                       room_enter(room, fault, &news, &asker, call->now_ms));
}

const struct command cmd_claim = {
    .usage = "claim [GAME] win|draw",
    .help = "end a game because your opponent has been away too long",
    .output = OUTPUT_GAME,
    .run = claim_run,
};
