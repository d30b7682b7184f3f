/* See meant.h. */
#include "server/command/meant.h"

#include <stddef.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/base/prefix.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/room/feed.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"

/* Call it when GAME is omitted. Writes to out[] the running games that the caller may
 * mean. Returns their number, at most out_max. *latest: the game that ended last, or
 * NULL. If no game is running, the caller means *latest. */
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
        if (room->game.phase == GAME_OVER || room->is_frozen) {
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
        session_err(call->from, REPLY_NO_SUCH,
                    wanted == GAME_SEATED ? "#seated" : "#watching");
        return NULL;
    }
    for (int i = 0; i < count; i++)
        text_addf(&text, "%s%lld", i == 0 ? "" : ",", (long long)room[i]->id);
    session_err(call->from, REPLY_WHICH, "games=%s", list);
    return NULL;
}

/* --- Turns to read from disk --- */

enum { READS_MAX = 2 }; /* games that one source may read at a time */

struct read_source {
    struct prefix network;
    int running;
    struct read_turn *waiting;
    UT_hash_handle hh;
};

/* Returns the source (the address) of the session, and makes its entry if there is
 * none. NULL: no limit applies to the session. */
static struct read_source *find_source(struct world *world,
                                       const struct session *session)
{
    struct read_source *source;
    struct prefix network;

    if (session->usage.slot == NULL || !world->config->has_quotas)
        return NULL;
    network = prefix_network(slot_from(session->usage.slot), 32, 64);
    HASH_FIND(hh, world->read_sources, &network, sizeof network, source);
    if (source == NULL) {
        source = mem_new(sizeof *source);
        source->network = network;
        HASH_ADD(hh, world->read_sources, network, sizeof source->network, source);
    }
    return source;
}

/* Drops the waiting turns of sessions that have left, so that a source never has more
 * waiting turns than sessions. */
static void drop_left(const struct world *world, struct read_source *source)
{
    struct read_turn *turn, *next;

    DL_FOREACH_SAFE (source->waiting, turn, next)
        if (session_find_open(world->sessions, turn->session) == NULL) {
            DL_DELETE(source->waiting, turn);
            turn->drop(turn->owner);
        }
}

void read_turn_take(struct world *world, const struct session *session,
                    struct read_turn *turn)
{
    struct read_source *source = find_source(world, session);

    turn->session = session->id;
    turn->source = source;
    if (source != NULL && source->running == READS_MAX) {
        drop_left(world, source);
        DL_APPEND(source->waiting, turn);
        return;
    }
    if (source != NULL)
        source->running++;
    turn->start(turn->owner);
}

void read_turn_end(struct world *world, struct read_source *source)
{
    struct read_turn *turn;

    if (source == NULL)
        return;
    drop_left(world, source);
    turn = source->waiting;
    if (turn != NULL) { /* this one may begin, because another has ended */
        DL_DELETE(source->waiting, turn);
        turn->start(turn->owner);
    } else if (--source->running == 0) {
        HASH_DEL(world->read_sources, source);
        free(source);
    }
}

void read_turn_forget(struct world *world)
{
    struct read_source *source, *next;

    HASH_ITER (hh, world->read_sources, source, next) {
        HASH_DEL(world->read_sources, source);
        free(source);
    }
}

/* --- Ended games that are read from disk --- */

enum {
    AGAIN_MAX = 3,     /* how often a fetch reads its game again */
    FETCH_EVENTS = 25, /* reading this number of events costs as much as a line of the
                        * client */
    MISSING_LINES = 8  /* price of the answer "there is no such game" */
};

struct fetch {
    struct world *world;
    uint64_t session;
    int64_t game;
    bool is_here;   /* another fetch had read the game when this one began */
    bool is_broken; /* a room cannot be made, because the first event of the game is
                     * damaged */
    bool is_hidden; /* the session may not know that the game exists */
    char *raw, *code;
    const struct fetch_calls *calls;
    int again_left; /* how often it may read the game again */
    struct read_turn turn;
};

static void drop_fetch(void *arg)
{
    struct fetch *fetch = arg;

    free(fetch->raw);
    free(fetch->code);
}

static void free_fetch(void *arg)
{
    drop_fetch(arg);
    store_arg_free(arg);
}

/* True if `event`, the first of a game, shows that the session may not read the game. A
 * damaged event hides nothing, because the game cannot be read anyway. */
static bool is_hidden(const struct fetch *fetch, const struct store_event *event)
{
    const struct session *session =
        session_find(fetch->world->sessions, fetch->session);
    struct readable what;
    struct event start;

    if (!event->is_sound || event_parse(event->text, &start) != EVENT_OK)
        return false;
    what = privacy_readable(event->game, &start);
    return session == NULL ||
           !privacy_may_read(fetch->world->rooms, &what, session, fetch->code);
}

/* Restores the game in memory, event by event, unless it is hidden from the session, or
 * in memory already. */
static void on_fetched_event(void *arg, const struct store_event *event)
{
    struct fetch *fetch = arg;

    if (event->number == 0) {
        fetch->is_hidden = is_hidden(fetch, event);
        fetch->is_here = room_find(fetch->world->rooms, event->game) != NULL;
    }
    if (!fetch->is_here && !fetch->is_hidden && !fetch->is_broken)
        fetch->is_broken = !room_restore(fetch->world->rooms, event);
}

void meant_charge_missing(struct session *session)
{
    usage_charge(&session->usage, MISSING_LINES, mono_now_ms());
}

static void start(void *arg);

/* Charges the session for the `count` events that were read, and runs its command again:
 * now, or when all events of the game are applied. */
static void on_fetched(void *arg, int count)
{
    struct fetch *fetch = arg;
    struct world *world = fetch->world;
    struct gate *gate = store_gate(world->store);
    struct read_source *source = fetch->turn.source;
    struct room *room = fetch->is_hidden ? NULL : room_find(world->rooms, fetch->game);
    struct session *session;

    if (room != NULL && !fetch->is_here && room->state == ROOM_READING)
        room_restored(room);
    session = session_find_open(world->sessions, fetch->session);
    /* Another fetch had restored the game, so this one did not; but the room of the game
     * has left the memory since then. */
    if (session != NULL && room == NULL && fetch->is_here && !fetch->is_hidden &&
        fetch->again_left-- > 0) {
        start(fetch);
        return;
    }
    if (session != NULL && count > 0 && room != NULL) {
        usage_charge(&session->usage, count / FETCH_EVENTS, mono_now_ms());
        if (!room_wait(room, session, fetch->raw)) {
            session_release(session);
            fetch->calls->again(world, session, fetch->raw, mono_now_ms());
            gate_widen(gate);
        }
    } else if (session != NULL) {
        meant_charge_missing(session);
        if (world->has_outage)
            gate_narrow(gate, GATE_FREE);
        fetch->calls->absent(session, fetch->game);
        gate_widen(gate);
    }
    free_fetch(fetch);
    read_turn_end(world, source); /* another fetch of the source may begin */
}

static void start(void *arg)
{
    struct fetch *fetch = arg;

    fetch->is_here = fetch->is_hidden = fetch->is_broken = false;
    store_read_game(fetch->world->store, fetch->game, on_fetched_event, on_fetched,
                    fetch);
}

void meant_fetch(struct world *world, struct session *session, int64_t game,
                 const char *raw, const char *code, const struct fetch_calls *calls)
{
    struct fetch *fetch = store_arg_new(world->store, sizeof *fetch, drop_fetch);

    *fetch =
        (struct fetch){.world = world,
                       .session = session->id,
                       .game = game,
                       .raw = mem_copy_text(raw),
                       .code = code != NULL ? mem_copy_text(code) : NULL,
                       .calls = calls,
                       .again_left = AGAIN_MAX,
                       .turn = {.start = start, .drop = free_fetch, .owner = fetch}};
    session_hold(session);
    read_turn_take(world, session, &fetch->turn);
}

/* --- The game that is meant --- */

/* True if the caller may read the game of the room. False: has answered. */
static bool may_read(struct call *call, const struct room *room)
{
    struct readable what = privacy_readable_room(room);

    if (presence_side_of(room, call->from) != SIDE_NONE ||
        privacy_may_read(call->world->rooms, &what, call->from, call->code))
        return true;
    if (what.is_private) { /* charges as much as if there were none */
        meant_charge_missing(call->from);
        return call_no_game(call->from, room->id);
    }
    if (!privacy_bars_watcher(&what, call->from))
        return call_err_game(call, REPLY_NOT_NOW, "why=blocked", room->id);
    return session_err(call->from, REPLY_NOT_NOW,
                       what.watchers == WATCHERS_MEMBERS
                           ? "why=watchers#members game=%lld"
                           : "why=watchers#nobody game=%lld",
                       (long long)room->id);
}

/* Looks first at the games that the session has followed last: nearly every command is
 * about one of them. */
static struct room *find_game(const struct call *call)
{
    const struct cursor *first = call->from->cursors, *cursor = first;

    for (int looks = 4; looks > 0 && cursor != NULL; looks--) {
        struct room *room;

        cursor = cursor->session_prev; /* session_prev of the first cursor is the last
                                        * cursor */
        room = cursor->feed->owner;
        if (room->id == call->game)
            return room;
        if (cursor == first)
            break;
    }
    return room_find(call->world->rooms, call->game);
}

struct room *meant_game(struct call *call, enum game_wanted wanted)
{
    struct room *room = call->game >= 0 ? find_game(call) : only_game(call, wanted);

    if (room == NULL && call->game >= 0)
        meant_fetch(call->world, call->from, call->game, call->raw, call->code,
                    call->fetch);
    if (room == NULL || !may_read(call, room))
        return NULL;
    if (call->command->output == OUTPUT_GAME)
        session_narrow(call->from, room->feed.stamp);
    if (room_wait(room, call->from, call->raw))
        return NULL;
    if (wanted == GAME_READ &&
        !entry_may_read(call->world, call->from, privacy_readable_room(room)))
        return NULL;
    if (wanted == GAME_SEATED && presence_side_of(room, call->from) == SIDE_NONE) {
        call_err_game(call, REPLY_NOT_NOW, "why=not-seated", room->id);
        return NULL;
    }
    if (wanted == GAME_SEATED && room->is_frozen) {
        call_err_game(call, REPLY_NOT_NOW, "why=frozen", room->id);
        return NULL;
    }
    return room;
}
