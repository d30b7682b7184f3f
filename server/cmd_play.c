/* Verbs of a player in a game: setup, move, pass, resign, draw, takeback, abort,
 * rematch, say. */
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "server/command.h"
#include "server/lobby.h"
#include "server/notice.h"
#include "server/room.h"
#include "server/verbs.h"

/* Beyond so many events nothing is taken back: a log does not grow for ever. */
enum { EVENTS_FOR_TAKEBACK = 20000 };

/* The end of every act: refused at once, or held until it is on disk. */
static void finish(struct call *call, const struct room *room, struct fault fault)
{
    if (fault.code == FAULT_NONE)
        session_hold(call->from);
    else
        call_refuse(call, room, fault);
}

static struct asker asker_of(const struct call *call, const struct room *room,
                             const char *verb)
{
    struct asker asker = {.session = call->from->id};

    snprintf(asker.words, sizeof asker.words, "%s game=%lld", verb,
             (long long)room->id);
    return asker;
}

/* --- setup ---------------------------------------------------------------------------
 */

static void setup_run(struct call *call)
{
    /* "setup 2" is a line-up and "setup 3 NBNB" names a game. */
    struct room *room;
    struct asker asker;
    enum lineup lineup;
    const char *last = call->argv[call->argc - 1];
    size_t len;

    if (!lineup_parse(last, &lineup)) {
        call_usage(call, "a line-up names the pieces on files B, C, G and H");
        return;
    }
    call->argc--;
    room = call_game(call, GAME_SEATED);
    if (room == NULL)
        return;
    asker = asker_of(call, room, "setup");
    len = strlen(asker.words);
    snprintf(asker.words + len, sizeof asker.words - len, " setup=%s",
             lineup_name(lineup));
    finish(
        call, room,
        room_setup(room, room_side_of(room, call->from), lineup, call->now_ms, &asker));
}

const struct command cmd_setup = {
    .name = "setup",
    .usage = "setup [GAME] NBBN|BNBN|NBNB|BNNB",
    .help = "choose your line-up: the pieces on files B, C, G, H",
    .args_min = 1,
    .args_max = 2,
    .states = BY_MEMBERS,
    .run = setup_run,
};

/* --- move, pass
 * ------------------------------------------------------------------------ */

static void answer_words(struct asker *asker, const struct room *room, int ply,
                         struct move move)
{
    char text[MOVE_BYTES];

    move_format(text, move);
    snprintf(asker->words, sizeof asker->words, "move game=%lld ply=%d move=%s",
             (long long)room->id, ply, text);
}

/* Who made ply number ply (from 1). */
static enum side side_of_ply(const struct game *game, int ply)
{
    enum side first = ruleset_first_mover(game->rules);

    return ply % 2 == 1 ? first : side_other(first);
}

/* A guarded move that this side has made already, as its latest: the same OK again. */
static bool is_repeat(const struct room *room, enum side side, int64_t ply,
                      struct move move)
{
    const struct game *game = &room->game;

    return ply >= 1 && ply <= game->plies && ply > game->plies - SIDES &&
           side_of_ply(game, (int)ply) == side &&
           move_is_same(game->ply[ply - 1].move, move);
}

static void refuse_stale(struct call *call, const struct room *room)
{
    const struct game *game = &room->game;
    char last[MOVE_BYTES] = "-";

    if (game->plies > 0)
        move_format(last, game->ply[game->plies - 1].move);
    session_err(call->from, REPLY_STALE,
                "game=%lld ply=%d last=%s : the next ply is %d", (long long)room->id,
                game->plies + 1, last, game->plies + 1);
}

/* "nB0-C2" claims that a knight stands on B0. */
static struct fault check_letter(const struct room *room, struct move move,
                                 enum kind claimed)
{
    enum kind kind =
        move_is_pass(move) ? KIND_NONE : position_kind(&room->game.position, move.from);

    if (claimed == KIND_NONE || kind == KIND_NONE || claimed == kind)
        return (struct fault){.code = FAULT_NONE, .at = POINT_NONE};
    return (struct fault){
        .code = FAULT_WRONG_PIECE, .kind = claimed, .at = move.from, .by = kind};
}

/* guard: the number that the ply must have, or NULL. */
static void play(struct call *call, struct room *room, const int64_t *guard,
                 struct move move, enum kind claimed)
{
    enum side side = room_side_of(room, call->from);
    struct asker asker = {.session = call->from->id};
    struct fault fault;

    if (guard != NULL && is_repeat(room, side, *guard, move)) {
        answer_words(&asker, room, (int)*guard, move);
        session_ok(call->from, "%s", asker.words);
        return;
    }
    if (guard != NULL && *guard != room->game.plies + 1) {
        refuse_stale(call, room);
        return;
    }
    fault = check_letter(room, move, claimed);
    answer_words(&asker, room, room->game.plies + 1, move);
    if (fault.code == FAULT_NONE)
        fault = room_move(room, side, move, call->now_ms, &asker);
    finish(call, room, fault);
}

/* Takes a ply's number off the front, if one stands there. */
static bool take_ply(struct call *call, int64_t *ply)
{
    if (call->argc < 2 || !text_to_int(call->argv[1], 0, INT64_MAX, ply))
        return false;
    for (int i = 1; i + 1 < call->argc; i++)
        call->argv[i] = call->argv[i + 1];
    call->argc--;
    return true;
}

static void move_run(struct call *call)
{
    char words[64];
    struct text text = text_into(words, sizeof words);
    struct room *room;
    struct move move;
    enum kind claimed;
    int64_t ply;
    bool is_guarded;

    if (call->argc == 2 && text_to_int(call->argv[1], 0, INT64_MAX, &ply)) {
        call_usage(call, "a move is two points, like b0c2");
        return;
    }
    room = call_game(call, GAME_SEATED);
    if (room == NULL)
        return;
    is_guarded = take_ply(call, &ply);
    for (int i = 1; i < call->argc; i++)
        text_addf(&text, "%s%s", i == 1 ? "" : " ", call->argv[i]);
    if (text.is_cut || !move_parse(words, &move, &claimed))
        call_usage(call, "a move is two points, like b0c2");
    else
        play(call, room, is_guarded ? &ply : NULL, move, claimed);
}

const struct command cmd_move = {
    .name = "move",
    .usage = "move [GAME [PLY]] B0-C2",
    .help = "play a move; b0c2 alone does the same",
    .args_min = 1,
    .args_max = 5,
    .args_after_game = 4,
    .states = BY_MEMBERS,
    .run = move_run,
};

static void pass_run(struct call *call)
{
    struct room *room = call_game(call, GAME_SEATED);
    int64_t ply;
    bool is_guarded;

    if (room == NULL)
        return;
    is_guarded = take_ply(call, &ply);
    if (call->argc > 1)
        call_usage(call, "a ply is a number");
    else
        play(call, room, is_guarded ? &ply : NULL, move_pass(), KIND_NONE);
}

const struct command cmd_pass = {
    .name = "pass",
    .usage = "pass [GAME [PLY]]",
    .help = "move nothing, where the rules allow it",
    .args_max = 2,
    .args_after_game = 1,
    .states = BY_MEMBERS,
    .run = pass_run,
};

static void resign_run(struct call *call)
{
    struct room *room = call_game(call, GAME_SEATED);
    struct asker asker;

    if (room == NULL)
        return;
    asker = asker_of(call, room, "resign");
    finish(call, room,
           room_resign(room, room_side_of(room, call->from), call->now_ms, &asker));
}

const struct command cmd_resign = {
    .name = "resign",
    .usage = "resign [GAME]",
    .help = "give the game up",
    .args_max = 1,
    .states = BY_MEMBERS,
    .run = resign_run,
};

/* --- draw, takeback, abort, rematch
 * ----------------------------------------------------- */

static void offer_in(struct call *call, struct room *room, enum offer_kind kind, int to)
{
    enum side side = room_side_of(room, call->from);
    struct asker asker = asker_of(call, room, offer_kind_name(kind));
    char to_words[24] = "";
    int64_t id;
    struct fault fault =
        room_offer(room, side, kind, to, lobby_next_offer(call->world->lobby),
                   call->now_ms, &asker, &id);

    if (fault.code != FAULT_NONE || id == 0) {
        finish(call, room, fault);
        return;
    }
    if (kind == OFFER_TAKEBACK)
        snprintf(to_words, sizeof to_words, " to=%d", to);
    session_ok(call->from, "%s offer=%lld%s : %s was asked", asker.words, (long long)id,
               to_words, room->game.name[side_other(side)]);
}

static void draw_run(struct call *call)
{
    struct room *room = call_game(call, GAME_SEATED);

    if (room != NULL)
        offer_in(call, room, OFFER_DRAW, 0);
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
        if (side_of_ply(game, ply) == side)
            return ply - 1;
    return -1;
}

/* The plies that are to remain; -1 after an answer. */
static int64_t takeback_to(struct call *call, const struct room *room)
{
    int64_t to = before_last_move_of(&room->game, room_side_of(room, call->from));

    if (room->game.phase != GAME_PLAY)
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
    else if (room->game.events >= EVENTS_FOR_TAKEBACK)
        session_err(call->from, REPLY_LIMIT,
                    "what=takebacks max=%d : this game is long enough",
                    EVENTS_FOR_TAKEBACK);
    else
        offer_in(call, room, OFFER_TAKEBACK, (int)to);
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
        offer_in(call, room, OFFER_ABORT, 0);
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

static void rematch_run(struct call *call)
{
    struct room *room = call_game(call, GAME_SEATED);
    struct offer *theirs;
    int64_t game;

    if (room == NULL)
        return;
    if (room->game.phase != GAME_OVER) {
        session_err(call->from, REPLY_NOT_NOW,
                    "why=not-over game=%lld : game %lld goes on", (long long)room->id,
                    (long long)room->id);
        return;
    }
    if (call_is_draining(call))
        return;
    theirs = &room->offer[OFFER_REMATCH - 1];
    if (theirs->kind == OFFER_NONE || theirs->by == room_side_of(room, call->from))
        offer_in(call, room, OFFER_REMATCH, 0);
    else if (lobby_rematch(call->world->lobby, room, theirs, "rematch", call->from->id,
                           &game) == LOBBY_STARTED)
        session_hold(call->from);
    else
        session_err(call->from, REPLY_LIMIT,
                    "what=games max=%d : one of you, or the server, has as many games "
                    "as can be",
                    ACCOUNT_GAMES_MAX);
}

const struct command cmd_rematch = {
    .name = "rematch",
    .usage = "rematch [GAME]",
    .help = "after the end, ask for another game with sides changed",
    .args_max = 1,
    .states = BY_MEMBERS,
    .run = rematch_run,
};

/* --- say
 * ------------------------------------------------------------------------------------
 */

static void say_run(struct call *call)
{
    struct room *room = call_game_for_text(call, GAME_SEATED);

    if (room == NULL)
        return;
    if (!call_has_text(call))
        return;
    if (!session_spend_chat(call->from, call->now_ms)) {
        session_err(call->from, REPLY_SLOW_DOWN, "retry=5 : one thing at a time");
        return;
    }
    notice_tell(room, TO_PLAYERS, "! say game=%lld by=%s : %s", (long long)room->id,
                call->from->name, call->rest);
    session_ok(call->from, "say game=%lld", (long long)room->id);
}

const struct command cmd_say = {
    .name = "say",
    .usage = "say [GAME] TEXT",
    .help = "tell your opponent something",
    .args_min = 1,
    .args_max = PROTO_WORDS_MAX,
    .args_after_game = PROTO_WORDS_MAX,
    .states = BY_MEMBERS,
    .run = say_run,
};
