/* See meant.h. */
#include "server/command/meant.h"

#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/room/feed.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"

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
                    wanted == GAME_SEATED ? "you have no game here"
                                          : "you are not watching a game; name one");
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

    room_fold(room);
    for (int side = 0; side < SIDES; side++)
        seat[side] =
            accounts_find_player(world->accounts, room->game.name[side], room->id);
    room_restored(room, room->game.phase == GAME_OVER ? seat : NULL);
}

/* Runs the commands again that waited for the game. */
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

void meant_fetch(struct world *world, struct session *session, int64_t game,
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

/* False when the caller may not read the room; has answered. */
static bool may_read(struct call *call, const struct room *room)
{
    struct readable what = privacy_readable_room(room);

    if (presence_side_of(room, call->from) != SIDE_NONE)
        return true;
    if (privacy_may_read(call->world->rooms, &what, call->from, call->code))
        return true;
    if (what.is_private)
        call_no_game(call->from, room->id);
    else if (privacy_bars_watcher(&what, call->from))
        session_err(call->from, REPLY_NOT_NOW, "why=watchers game=%lld : %s",
                    (long long)room->id,
                    what.watchers == WATCHERS_MEMBERS
                        ? "only members may watch this game"
                        : "nobody may watch this game before its end");
    else
        session_err(call->from, REPLY_NOT_NOW,
                    "why=blocked game=%lld : a player of game %lld does not let you "
                    "watch",
                    (long long)room->id, (long long)room->id);
    return false;
}

/* Looks first at some games that the session follows: nearly every command is about one
 * of them. */
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

struct room *meant_game(struct call *call, enum game_wanted wanted)
{
    struct room *room = call->game >= 0 ? find_game(call) : only_game(call, wanted);

    if (room == NULL && call->game >= 0)
        meant_fetch(call->world, call->from, call->game, call->raw, call->fetch);
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
