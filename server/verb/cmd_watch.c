/* Verbs for following a game: watch, unwatch, resume, whisper, moves, board, clock, state;
 * for the players of a private one: let, unlet, watchlink; and record, an ended game as
 * signed text. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/base/config.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/command/meant.h"
#include "server/command/signed_record.h"
#include "server/lobby/tv.h"
#include "server/room/notice.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* --- watch, resume, unwatch --- */

/* Makes room for one more game: the session stops reading the oldest games that are
 * over. Running games that the session plays itself do not count. False: there is no
 * room, because the session watches `max` running games. */
static bool make_room(struct session *session, int max)
{
    struct cursor *cursor, *next;
    int surplus = 1 - max;

    DL_FOREACH2 (session->cursors, cursor, session_next) {
        /* cppcheck-suppress uninitvar ; DL_FOREACH2 sets cursor */
        const struct room *room = cursor->feed->owner;

        surplus += room->game.phase == GAME_OVER ||
                   presence_side_of(room, session) == SIDE_NONE;
    }
    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next) {
        struct room *room = cursor->feed->owner;

        if (surplus <= 0)
            break;
        if (room->game.phase != GAME_OVER)
            continue;
        rooms_tell_closed(cursor);
        presence_leave(room, session);
        surplus--;
    }
    return surplus <= 0;
}

/* If the game in `room` is over, returns its rematch: the newest running game that
 * began later, has the same two players and may be read by the session. NULL: there is
 * no such game, or the game in `room` is not over. */
static const struct room *find_rematch(const struct room *room,
                                       const struct session *session)
{
    const struct account *red = room->seat[SIDE_RED], *blue = room->seat[SIDE_BLUE];
    const struct room *newest = NULL;

    if (room->game.phase != GAME_OVER || red == NULL || blue == NULL)
        return NULL;
    for (int i = 0; i < red->open[QUOTA_GAME]; i++) {
        const struct room *other = room_find(room->of, red->game[i]);
        struct readable what;

        if (other == NULL || other->kind == ROOM_HIDDEN ||
            (other->seat[SIDE_RED] != blue && other->seat[SIDE_BLUE] != blue) ||
            other->id < room->id || (newest != NULL && other->id < newest->id))
            continue;
        what = privacy_readable_room(other);
        if (privacy_may_read(room->of, &what, session, NULL))
            newest = other;
    }
    return newest;
}

static bool follow(struct call *call, struct room *room, const char *verb, int number)
{
    int max = call->world->config->watch_max;
    const struct room *rematch = find_rematch(room, call->from);
    char clock[CLOCK_WORDS_BYTES] = "", again[32] = "";
    const struct cursor *cursor;
    uint64_t newest = GATE_FREE;

    DL_FOREACH2 (call->from->cursors, cursor, session_next)
        if (cursor->feed->stamp > newest)
            newest = cursor->feed->stamp;
    if (call->from->cursor_count >= max && newest > room->feed.stamp)
        session_narrow(call->from, newest); /* make_room() depends on all of them */
    if (feed_find(&room->feed, call->from) == NULL && !make_room(call->from, max))
        return call_err_limit(call, "watch", max);
    notice_clock_words(room_game_for(room, call->from), call->now_ms, clock);
    if (rematch != NULL) {
        snprintf(again, sizeof again, " rematch=%lld", (long long)rematch->id);
        session_narrow(call->from,
                       rematch->feed.stamp); /* it began after the end of room */
    }
    presence_watch(room, call->from, number);
    if (privacy_is_code(room->of, room->id, call->code))
        feed_find(&room->feed, call->from)->has_code = true;
    session_ok(call->from, "%s game=%lld next=%d events=%d%s%s", verb,
               (long long)room->id, number, room_events_for(room, call->from), clock,
               again);
    feed_pump(feed_find(&room->feed, call->from));
    return true;
}

static bool watch_run(struct call *call)
{
    struct room *room;

    call->code = call_take(call, "code=");
    if (call->argc > 1)
        return call_usage(call,
                          "after GAME only code= may follow, the code of a watch link");
    room = meant_game(call, GAME_READ);
    return room != NULL && follow(call, room, "watch", 0);
}

const struct command cmd_watch = {
    .usage = "watch GAME [code=CODE]",
    .group = GROUP_WATCH,
    .brief = N_("see game 3"),
    .help = N_("see a game from its beginning, then live"),
    .examples =
        N_("watch 3\n"
           "watch 17 17-K7Q29F3MW4XHT6PB   a private game, with the code of its link"),
    .cost = 2,
    .states = BY_READERS,
    .output = OUTPUT_GAME,
    .run = watch_run,
};

/* Refuses a client that says it has seen events that are not on disk. Logs that,
 * because the host must find out which events were lost: for each room, only the first
 * refusal of a player and the first of a spectator, because any spectator can cause
 * one. */
static bool resume_run(struct call *call)
{
    struct room *room;
    int64_t number;
    bool is_player;
    int events;

    call->code = call_take(call, "code=");
    if (call->argc != 2 || !text_to_int(call->argv[1], 0, INT64_MAX, &number))
        return call_usage(call, "EVENT is a number, from 0");
    room = meant_game(call, GAME_READ);
    if (room == NULL)
        return false;
    events = room_events_for(room, call->from);
    if (number <= events)
        return follow(call, room, "resume", (int)number);
    is_player = presence_side_of(room, call->from) != SIDE_NONE;
    if (!room->is_ahead[is_player])
        log_warn("game=%lld events=%d resume=%lld name=%s why=more-seen-than-kept",
                 (long long)room->id, events, (long long)number, call->from->name);
    room->is_ahead[is_player] = true;
    return session_err(call->from, REPLY_NO_SUCH, "#events game=%lld events=%d",
                       (long long)room->id, events);
}

const struct command cmd_resume = {
    .usage = "resume GAME EVENT [code=CODE]",
    .group = GROUP_PROGRAM,
    .help = "see a game from that event on, then live",
    .cost = 2,
    .states = BY_READERS,
    .output = OUTPUT_GAME,
    .run = resume_run,
};

static bool unwatch_run(struct call *call, struct room *room)
{
    if (presence_side_of(room, call->from) != SIDE_NONE &&
        room->game.phase != GAME_OVER)
        return call_err_game(call, REPLY_NOT_NOW, "why=seated#plays", room->id);
    if (feed_find(&room->feed, call->from) == NULL)
        return call_err_game(call, REPLY_NO_SUCH, "#watch", room->id);
    presence_leave(room, call->from);
    tv_leave_game(call->world->tv, call->from, room);
    return session_ok(call->from, "unwatch game=%lld", (long long)room->id);
}

const struct command cmd_unwatch = {
    .usage = "unwatch [GAME]",
    .group = GROUP_WATCH,
    .help = N_("stop watching a game"),
    .examples = "unwatch\n"
                "unwatch 3",
    .states = BY_READERS,
    .output = OUTPUT_GAME,
    .run_in = unwatch_run,
};

/* --- whisper --- */

static bool whisper_run(struct call *call, struct room *room)
{
    if (!call_has_text(call))
        return false;
    if (room->game.phase != GAME_OVER &&
        presence_side_of(room, call->from) != SIDE_NONE)
        return session_err(call->from, REPLY_NOT_NOW, "why=seated#whisper");
    if (feed_find(&room->feed, call->from) == NULL) {
        /* an ended game soon leaves memory, and then nobody watches it any more */
        if (room->game.phase == GAME_OVER)
            call_err_game(call, REPLY_NOT_NOW, "why=not-watching#over", room->id);
        else
            call_err_game(call, REPLY_NOT_NOW, "why=not-watching", room->id);
        return false;
    }
    if (!call_spend_chat(call, "lines"))
        return false;
    usage_charge_told(&call->from->usage, notice_whisper(room, call->from, call->rest),
                      call->now_ms);
    return session_ok(call->from, "whisper game=%lld", (long long)room->id);
}

const struct command cmd_whisper = {
    .usage = "whisper [game=GAME] TEXT",
    .group = GROUP_WATCH,
    .brief = N_("to the watchers"),
    .help = N_("tell the other watchers something; players see it after the end"),
    .examples = "whisper what a move",
    .may_cost_chat = true,
    .states = BY_READERS,
    .is_talk = true,
    .output = OUTPUT_GAME,
    .run_in = whisper_run,
};

/* --- moves, board, clock, state --- */

/* Answers with all legal moves; or, if the argument is a point, with the points that
 * the piece on it can reach. */
static bool moves_run(struct call *call)
{
    const struct game *game;
    struct room *room;
    struct move_list legal = {.count = 0};
    int from = POINT_NONE;
    char list[PROTO_LINE_MAX / 2], name[MOVE_BYTES], of[24] = "list";
    struct text text = text_into(list, sizeof list);

    if (call->argc > 1) {
        from =
            strlen(call->argv[1]) == 2 ? side_parse_point(call->argv[1]) : POINT_NONE;
        if (from == POINT_NONE)
            return call_usage(call, "a point is a letter A-I and a digit");
    }
    room = meant_game(call, GAME_READ);
    if (room == NULL)
        return false;
    game = room_game_for(room, call->from);
    if (game->phase == GAME_PLAY)
        rules_legal_moves(game->rules, &game->position, &legal);
    if (from != POINT_NONE) {
        side_format_point(name, from);
        snprintf(of, sizeof of, "from=%s to", name);
    }
    for (int i = 0; i < legal.count; i++) {
        const struct move move = legal.move[i];

        if (from != POINT_NONE && (move_is_pass(move) || move.from != from))
            continue;
        if (from != POINT_NONE)
            side_format_point(name, move.to);
        else
            move_format(name, move);
        text_addf(&text, "%s%s", text.len > 0 ? "," : "", name);
    }
    return session_ok(call->from, "moves game=%lld %s=%s", (long long)room->id, of,
                      text.len > 0 ? list : "-");
}

const struct command cmd_moves = {
    .usage = "moves [GAME] [POINT]",
    .help = "list the legal moves, of one piece or of all",
    .states = BY_READERS,
    .output = OUTPUT_GAME,
    .run = moves_run,
};

static bool board_run(struct call *call, struct room *room)
{
    notice_draw(room, call->from, call->now_ms);
    return session_ok(call->from, "board game=%lld", (long long)room->id);
}

const struct command cmd_board = {
    .usage = "board [GAME]",
    .help = "show the board",
    .states = BY_READERS,
    .output = OUTPUT_GAME,
    .run_in = board_run,
};

static bool clock_run(struct call *call, struct room *room)
{
    char clock[CLOCK_WORDS_BYTES] = "";

    notice_clock_words(room_game_for(room, call->from), call->now_ms, clock);
    return session_ok(call->from, "clock game=%lld%s", (long long)room->id, clock);
}

const struct command cmd_clock = {
    .usage = "clock [GAME]",
    .help = "show both clocks",
    .states = BY_READERS,
    .output = OUTPUT_GAME,
    .run_in = clock_run,
};

static bool state_run(struct call *call, struct room *room)
{
    const struct game *game;
    char clock[CLOCK_WORDS_BYTES] = "", time[TIME_TERMS_BYTES], last[MOVE_BYTES] = "-";
    char position[POSITION_BYTES], end[ROW_WORDS_BYTES], points[POINTS_BYTES];
    char manners[MANNERS_BYTES], reason[GAME_REASON_BYTES];

    game = room_game_for(room, call->from);
    notice_clock_words(game, call->now_ms, clock);
    time_terms_format(time, &game->clock.terms);
    manners_format(manners, &game->manners);
    position_format(position, &game->position);
    rules_points_format(points, game->rules, &game->position);
    if (game->plies > 0)
        move_format(last, game->ply[game->plies - 1].move);
    if (room->game.phase == GAME_OVER) {
        game_format_reason(reason, &room->game);
        snprintf(end, sizeof end, "result=%s reason=%s",
                 outcome_name(room->game.outcome), reason);
    } else {
        notice_away_words(room, call->now_ms, end);
    }
    return session_ok(
        call->from,
        "state game=%lld events=%d ply=%d phase=%s turn=%s check=%s last=%s red=%s "
        "blue=%s rules=%s time=%s%s points=%s position=\"%s\"%s %s",
        (long long)room->id, room_events_for(room, call->from), game->plies,
        room_phase_name_for(room, call->from), side_name(game_turn(game)),
        game->phase == GAME_SETUP ? "none" : check_name(rules_check(&game->position)),
        last, game->name[SIDE_RED], game->name[SIDE_BLUE], ruleset_name(game->rules),
        time, manners, points, position, clock, end);
}

const struct command cmd_state = {
    .usage = "state [GAME]",
    .group = GROUP_PROGRAM,
    .help = "show everything about a game in one line",
    .states = BY_READERS,
    .output = OUTPUT_GAME,
    .run_in = state_run,
};

/* Finds the private game that is meant, in which the caller plays or played. NULL: the
 * answer was sent, or the command waits. */
static struct room *private_game(struct call *call)
{
    struct room *room = meant_game(call, GAME_SEATED);

    if (room == NULL || room->game.manners.is_private)
        return room;
    call_err_game(call, REPLY_NOT_NOW, "why=public", room->id);
    return NULL;
}

/* --- let, unlet --- */

static bool list_let(struct call *call, const struct room *room)
{
    const struct account *me = call->from->account;
    int count = 0;

    for (const struct mark *m =
             marks_of(accounts_marks(call->world->accounts), me->folded);
         m != NULL; m = m->next) {
        const char *name =
            m->kind == MARK_LET ? privacy_name_of(m->subject, room->id) : NULL;
        const struct account *guest =
            name != NULL ? accounts_find(call->world->accounts, name) : NULL;

        if (guest == NULL || !privacy_is_let(call->world->rooms, room->id, me, guest))
            continue;
        session_sayf(call->from, "| let %s", guest->shown);
        count++;
    }
    return session_ok(call->from, "let game=%lld count=%d", (long long)room->id, count);
}

/* Finds the account that the argument names. NULL: the answer was sent. */
static struct account *find_guest(struct call *call, const struct room *room)
{
    struct account *guest = accounts_find(call->world->accounts, call->argv[1]);

    if (guest == NULL)
        call_err_game(call, REPLY_NO_SUCH, "#link", room->id);
    return guest;
}

static bool let_run(struct call *call)
{
    struct room *room = private_game(call);
    struct account *guest;
    struct session *session;

    if (room == NULL)
        return false;
    if (call->argc == 1)
        return list_let(call, room);
    guest = find_guest(call, room);
    if (guest == NULL || !call_spend_chat(call, "lets"))
        return false;
    if (!privacy_let(call->world->rooms, room->id, call->from->account, guest))
        return call_err_limit(call, "marks", MARKS_MAX);
    session_ok(call->from, "let game=%lld name=%s", (long long)room->id, guest->shown);
    /* Not if the guest ignores the caller or is quiet, or has got too many lines from
     * strangers: the caller can tell the guest in another way. */
    session = session_find(call->world->sessions, guest->session);
    if (session != NULL &&
        !privacy_ignores(accounts_marks(call->world->accounts), guest, call->from) &&
        !quiet_is_now(call->world->rooms, guest) && call_may_reach(call, session))
        session_sayf(session, "! let game=%lld by=%s : %s lets you watch game %lld",
                     (long long)room->id, call->from->name, call->from->name,
                     (long long)room->id);
    return true;
}

const struct command cmd_let = {
    .usage = "let [GAME] [NAME]",
    .group = GROUP_WATCH,
    .help = N_("let a player watch your private game"),
    .examples = N_("let park      park may watch your private game\n"
                   "let park 17   the same for game 17\n"
                   "let           lists the players whom you let watch"),
    .may_cost_chat = true,
    .cost = 2,
    .run = let_run,
};

static bool unlet_run(struct call *call)
{
    struct room *room = private_game(call);
    const struct account *guest;

    if (room == NULL)
        return false;
    guest = find_guest(call, room);
    if (guest == NULL)
        return false;
    if (privacy_unlet(call->world->rooms, room->id, call->from->account, guest)) {
        session_ok(call->from, "unlet game=%lld name=%s", (long long)room->id,
                   guest->shown);
        privacy_close(room);
        return false;
    }
    return session_err(call->from, REPLY_NO_SUCH, "#let name=%s game=%lld",
                       guest->shown, (long long)room->id);
}

const struct command cmd_unlet = {
    .usage = "unlet [GAME] NAME",
    .group = GROUP_WATCH,
    .help = N_("no longer let a player watch your private game"),
    .examples = "unlet park\n"
                "unlet park 17",
    .cost = 2,
    .run = unlet_run,
};

/* --- watchlink --- */

static bool watchlink_run(struct call *call)
{
    bool is_new = call->argc > 1 && strcmp(call->argv[1], "new") == 0;
    char words[PROTO_LINE_MAX / 2], code[WATCH_CODE_BYTES];
    struct text text = text_into(words, sizeof words);
    struct room *room;

    if (call->argc > 1 && !is_new)
        return call_usage(call, "only new may follow");
    room = private_game(call);
    if (room == NULL)
        return false;
    if (is_new && !call_spend_chat(call, "lets"))
        return false;
    if (is_new)
        privacy_revoke_code(room);
    privacy_watch_code(call->world->rooms, room->id, code);
    text_addf(&text, "watchlink game=%lld code=%s", (long long)room->id, code);
    call_add_places(&text, call);
    call_add_web(&text, call);
    text_addf(&text, " : anyone who types watch %lld code=%s sees the game",
              (long long)room->id, code);
    return session_ok_words(call->from, words);
}

const struct command cmd_watchlink = {
    .usage = "watchlink [GAME] [new]",
    .group = GROUP_WATCH,
    .help = N_("a link for people who may watch your private game"),
    .examples = N_("watchlink\n"
                   "watchlink 17\n"
                   "watchlink new   a new link; the old one stops working"),
    .may_cost_chat = true,
    .cost = 2,
    .run = watchlink_run,
};

static void on_text(struct world *world, struct session *session, int64_t game,
                    const char *text, bool is_signed)
{
    int lines = 0;

    (void)world;
    if (text == NULL) {
        session_err(session, REPLY_NOT_NOW, "why=frozen#log game=%lld",
                    (long long)game);
        return;
    }
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1, lines++)
        session_rowf(session, "%.*s", (int)(end - text), text);
    session_ok(session, "record game=%lld lines=%d%s", (long long)game, lines,
               is_signed ? "" : " : not signed: the key of this server cannot sign");
}

/* True if the session may read the game. This depends on the players in the start event. A
 * record without one does not contain names, so everybody may read it. False: the answer
 * was sent. */
static bool may_have_record(struct world *world, struct session *session, int64_t game,
                            bool is_found, const struct event *start)
{
    struct readable what;

    if (!is_found || start == NULL)
        return is_found || call_no_game(session, game);
    what = privacy_readable(game, start);
    if (!privacy_may_read(world->rooms, &what, session, NULL))
        return call_no_game(session, game);
    return entry_may_read(world, session, what);
}

static const char too_many[] = "records";

/* Returns true if the record of this game in memory is not sent now, for one of three
 * reasons. The game has no record yet: the answer was sent. The caller may not read the
 * game: the answer was sent; for a private game, the answer and the price are those for
 * a game that does not exist. The game is still being read: the command waits. */
static bool is_refused(struct call *call, struct room *room)
{
    long long game = (long long)room->id;
    struct readable what = privacy_readable_room(room);

    if (what.is_private &&
        !privacy_may_read(call->world->rooms, &what, call->from, NULL)) {
        if (call_spend_chat(call, too_many))
            call_no_game(call->from, room->id);
        return true;
    }
    if (room_wait(room, call->from, call->raw))
        return true;
    if (room->game.phase != GAME_OVER && !room->is_frozen)
        session_err(call->from, REPLY_NOT_NOW, "why=not-over#record game=%lld", game);
    return call->from->is_answered;
}

static bool record_run(struct call *call)
{
    struct room *room = room_find(call->world->rooms, call->game);

    if ((room != NULL && is_refused(call, room)) || !call_spend_chat(call, too_many))
        return false;
    signed_record_read(call->world, call->from, call->game, may_have_record, on_text);
    return true;
}

const struct command cmd_record = {
    .usage = "record GAME",
    .group = GROUP_FIND,
    .help = N_("show the signed record of a game that has ended"),
    .examples = "record 17",
    .may_cost_chat = true,
    .cost = 10,
    .states = BY_READERS,
    .run = record_run,
};
