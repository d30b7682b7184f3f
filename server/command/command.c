/* See command.h. */
#include "server/command/command.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/words/sentence.h"
#include "server/account/accounts.h"
#include "server/base/config.h"
#include "server/command/entry.h"
#include "server/room/feed.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"

bool command_is_for(const struct command *command, const struct session *session)
{
    return accounts_role(session->account) >= command->role;
}

void command_refuse_role(struct session *session, enum role role)
{
    session_err(session, REPLY_NOT_NOW,
                "why=role need=%s : that is for the %ss of this server",
                role_name(role), role_name(role));
}

/* --- For handlers --- */

void call_usage(struct call *call, const char *words)
{
    session_err(call->from, REPLY_ARGS, "usage=\"%s\" : %s; it is: %s",
                call->command->usage, words, call->command->usage);
}

enum reply call_reply_of(enum fault_code fault)
{
    switch (fault) {
    case FAULT_NOT_YOUR_TURN:
    case FAULT_NOT_STARTED:
    case FAULT_OVER:
    case FAULT_TIME:
    case FAULT_NOT_SETUP:
    case FAULT_ADJOURNED:
    case FAULT_NOT_ADJOURNED:
        return REPLY_NOT_NOW;
    default:
        return REPLY_ILLEGAL;
    }
}

static void refuse_over(struct call *call, const struct room *room, const char *words)
{
    char reason[GAME_REASON_BYTES];

    game_format_reason(reason, &room->game);
    session_err(call->from, REPLY_NOT_NOW, "why=%s game=%lld result=%s reason=%s : %s",
                fault_name(FAULT_OVER), (long long)room->id,
                outcome_name(room->game.outcome), reason, words);
}

void call_refuse(struct call *call, const struct room *room, struct fault fault)
{
    char words[SENTENCE_BYTES], at[16] = "", point[POINT_BYTES];
    enum side turn = game_turn(&room->game);

    sentence_fault(words, fault);
    if (fault.at != POINT_NONE) {
        point_format(point, fault.at);
        snprintf(at, sizeof at, " at=%s", point);
    }
    if (fault.code == FAULT_NOT_YOUR_TURN)
        snprintf(words, sizeof words, "it is %s's turn", side_name(turn));
    if (fault.code == FAULT_OVER)
        refuse_over(call, room, words);
    else if (call_reply_of(fault.code) == REPLY_NOT_NOW)
        session_err(call->from, REPLY_NOT_NOW, "why=%s game=%lld : %s",
                    fault_name(fault.code), (long long)room->id, words);
    else
        session_err(call->from, REPLY_ILLEGAL, "why=%s%s : %s", fault_name(fault.code),
                    at, words);
}

/* No game starts in the last minute: it would not finish its set-up. */
enum { LAST_GAME_MS = 60 * 1000 };

bool call_is_draining(struct call *call)
{
    int64_t left_ms = call->world->ends_ms - call->now_ms;
    int64_t left_s = left_ms > 0 ? (left_ms + 999) / 1000 : 0;

    if (call->world->is_draining)
        session_err(call->from, REPLY_NOT_NOW,
                    "why=draining : the server ends when the games that are being "
                    "played are over; no new game begins");
    else if (left_ms <= LAST_GAME_MS)
        session_err(
            call->from, REPLY_NOT_NOW,
            "why=restart in_s=%lld : the server restarts in %lld s; no new game "
            "begins until it is back",
            (long long)left_s, (long long)left_s);
    return call->world->is_draining || left_ms <= LAST_GAME_MS;
}

/* Counts the running games that may be meant when GAME is omitted. *latest: the latest
 * ended game, for when none is running. */
static int meant_games(const struct call *call, enum game_wanted wanted,
                       struct room *out[], int out_max, struct room **latest)
{
    struct cursor *cursor;
    int count = 0;

    *latest = NULL;
    DL_FOREACH2 (call->from->cursors, cursor, session_next) {
        struct room *room = cursor->feed->owner;

        if (wanted == GAME_SEATED && presence_side_of(room, call->from) == SIDE_NONE)
            continue;
        if (room->shown_phase == GAME_OVER || room->is_frozen) {
            if (*latest == NULL || room->ended_ms >= (*latest)->ended_ms)
                *latest = room;
        } else if (count < out_max) {
            out[count++] = room;
        }
    }
    return count;
}

static struct room *only_game(struct call *call, enum game_wanted wanted)
{
    struct room *room[ACCOUNT_GAMES_MAX], *latest;
    char list[ACCOUNT_GAMES_MAX * 21] = "";
    struct text text = text_into(list, sizeof list);
    int count = meant_games(call, wanted, room, ARRAY_LEN(room), &latest);

    if (count == 1)
        return room[0];
    if (count == 0 && latest != NULL)
        return latest;
    if (count == 0) {
        session_err(call->from, REPLY_NO_SUCH, ": %s",
                    wanted == GAME_SEATED ? "you are in no game"
                                          : "you see no game; name one");
        return NULL;
    }
    for (int i = 0; i < count; i++)
        text_addf(&text, "%s%lld", i == 0 ? "" : ",", (long long)room[i]->id);
    session_err(call->from, REPLY_WHICH,
                "games=%s : which game? Write game=%lld after the verb", list,
                (long long)room[0]->id);
    return NULL;
}

/* An ended game that is being read from disk. */
struct fetch {
    struct world *world;
    uint64_t session;
    int64_t game;
    bool is_here; /* another fetch has read it meanwhile */
    char *raw;
    const struct fetch_calls *calls;
};

static void on_fetched_event(void *arg, const struct store_event *event)
{
    struct fetch *fetch = arg;

    if (event->number == 0)
        fetch->is_here = room_find(fetch->world->rooms, event->game) != NULL;
    if (!fetch->is_here)
        fetch->is_here = !room_restore(fetch->world->rooms, event);
}

/* Seats the players, who may repeat the act that ended the game or ask for a rematch.
 * Not if the log is damaged before its end: the game would seem to be running. */
static void seat_players(const struct world *world, struct room *room)
{
    struct account *seat[SIDES];

    for (int side = 0; side < SIDES; side++)
        seat[side] =
            accounts_find_player(world->accounts, room->game.name[side], room->id);
    room_restored(room, room->game.phase == GAME_OVER ? seat : NULL);
}

/* Goes on with what needed the game. */
static void on_fetched(void *arg, int count)
{
    struct fetch *fetch = arg;
    struct session *session = session_find(fetch->world->sessions, fetch->session);
    struct room *room = room_find(fetch->world->rooms, fetch->game);

    if (room != NULL && !fetch->is_here)
        seat_players(fetch->world, room);
    if (session != NULL && session->state != SESSION_LEAVING) {
        if (count > 0 && room != NULL) {
            session_release(session);
            fetch->calls->again(fetch->world, session, fetch->raw, mono_now_ms());
        } else {
            fetch->calls->absent(session, fetch->game);
        }
    }
    free(fetch->raw);
    free(fetch);
}

void command_fetch_game(struct world *world, struct session *session, int64_t game,
                        const char *raw, const struct fetch_calls *calls)
{
    struct fetch *fetch = mem_new(sizeof *fetch);

    *fetch = (struct fetch){.world = world,
                            .session = session->id,
                            .game = game,
                            .raw = mem_copy_text(raw),
                            .calls = calls};
    session_hold(session);
    store_read_game(world->store, game, on_fetched_event, on_fetched, fetch);
}

void call_no_game(struct session *session, int64_t game)
{
    session_err(session, REPLY_NO_SUCH,
                "game=%lld : there is no game %lld here, or it is private",
                (long long)game, (long long)game);
}

/* False when the caller may not read the room; has answered. */
static bool may_read(struct call *call, const struct room *room)
{
    struct readable what = room_readable(room);

    if (presence_side_of(room, call->from) != SIDE_NONE)
        return true;
    if (room_may_read(call->world->rooms, &what, call->from, call->code))
        return true;
    if (what.is_private)
        call_no_game(call->from, room->id);
    else
        session_err(call->from, REPLY_NOT_NOW,
                    "why=blocked game=%lld : a player of game %lld does not let you "
                    "watch",
                    (long long)room->id, (long long)room->id);
    return false;
}

/* The games that the session has read longest are looked at first: nearly every command
 * names one of them. */
static struct room *find_game(const struct call *call)
{
    const struct cursor *cursor = call->from->cursors;

    for (int looks = 4; looks > 0 && cursor != NULL; looks--) {
        struct room *room = cursor->feed->owner;

        if (room->id == call->game)
            return room;
        cursor = cursor->session_next;
    }
    return room_find(call->world->rooms, call->game);
}

struct room *call_game(struct call *call, enum game_wanted wanted)
{
    struct room *room = call->game >= 0 ? find_game(call) : only_game(call, wanted);

    if (room == NULL && call->game >= 0)
        command_fetch_game(call->world, call->from, call->game, call->raw, call->fetch);
    if (room == NULL || !may_read(call, room))
        return NULL;
    if (room_wait(room, call->from, call->raw))
        return NULL;
    if (wanted == GAME_READ &&
        !entry_may_read(call->world, call->from, room->id, room->game.name))
        return NULL;
    if (wanted == GAME_SEATED && presence_side_of(room, call->from) == SIDE_NONE) {
        session_err(call->from, REPLY_NOT_NOW,
                    "why=not-seated game=%lld : you do not play in game %lld",
                    (long long)room->id, (long long)room->id);
        return NULL;
    }
    if (wanted == GAME_SEATED && room->is_frozen) {
        session_err(call->from, REPLY_NOT_NOW,
                    "why=frozen game=%lld : game %lld is damaged on the server's disk; "
                    "ask the host",
                    (long long)room->id, (long long)room->id);
        return NULL;
    }
    return room;
}

bool call_spend_chat(struct call *call, const char *words)
{
    int per_min = call->world->config->chat_per_min;

    assert(call->command->may_cost_chat);
    if (session_spend_chat(call->from, call->now_ms))
        return true;
    session_err(call->from, REPLY_SLOW_DOWN, "retry=%d : %s",
                (60 + per_min - 1) / per_min, words);
    return false;
}

bool call_has_text(struct call *call)
{
    size_t len = strlen(call->rest);

    if (len == 0)
        call_usage(call, "there is nothing to say");
    else if (len > CHAT_BYTES_MAX)
        session_err(call->from, REPLY_LIMIT,
                    "what=chat max=%d : that is too long to say at once",
                    CHAT_BYTES_MAX);
    return len > 0 && len <= CHAT_BYTES_MAX;
}
