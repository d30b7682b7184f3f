/* See rooms.h. */
#include "server/room/rooms.h"

#include <stdlib.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "server/base/timer.h"
#include "server/net/session.h"
#include "server/room/chatlog.h"
#include "server/room/feed.h"
#include "server/store/store.h"

enum { READ_BACK_MAX = 256 };

/* --- The registry --- */

struct rooms *rooms_new(struct event_base *base, struct store *store,
                        struct sessions *sessions, struct accounts *accounts,
                        const struct room_settings *settings,
                        const struct room_calls *calls, void *arg)
{
    struct rooms *rooms = mem_new(sizeof *rooms);

    *rooms = (struct rooms){.base = base,
                            .store = store,
                            .gate = store_gate(store),
                            .sessions = sessions,
                            .accounts = accounts,
                            .chatlogs = chatlogs_new(),
                            .settings = *settings,
                            .calls = calls,
                            .arg = arg};
    return rooms;
}

void rooms_free(struct rooms *rooms)
{
    struct room *room, *next;

    if (rooms == NULL)
        return;
    HASH_ITER (hh, rooms->by_id, room, next)
        rooms_remove(room);
    if (rooms->alarm != NULL)
        event_free(rooms->alarm);
    if (rooms->fold_timer != NULL)
        event_free(rooms->fold_timer);
    chatlogs_free(rooms->chatlogs);
    free(rooms->unreadable);
    free(rooms);
}

struct room *rooms_peek(const struct rooms *rooms, int64_t id)
{
    struct room *room;

    HASH_FIND(hh, rooms->by_id, &id, sizeof id, room);
    return room;
}

struct room *rooms_first(struct rooms *rooms)
{
    return rooms->by_id;
}

struct room *rooms_next(struct room *room)
{
    return room->hh.next;
}

struct room *rooms_first_shown(const struct rooms *rooms, bool is_private)
{
    return rooms->shown[is_private];
}

struct room *rooms_next_shown(const struct room *room)
{
    return room->shown_next;
}

int rooms_count(const struct rooms *rooms, enum room_kind kind)
{
    return rooms->count[kind];
}

int rooms_count_shown(const struct rooms *rooms, bool is_private)
{
    return rooms->shown_count[is_private];
}

bool room_is_settled(const struct room *room)
{
    return room->state == ROOM_READY &&
           room->unsettled_prev == NULL; /* utlist.h sets it
                                                                       * for each room in
                                                                       * the list */
}

uint64_t room_talk_stamp(const struct room *room)
{
    return room->opened <= room->of->gate->durable ? GATE_FREE : room->opened;
}

bool rooms_were_held(const struct rooms *rooms, int64_t then_ms)
{
    return rooms->is_held || (rooms->released_ms != 0 && rooms->released_ms >= then_ms);
}

bool room_is_correspondence(const struct room *room)
{
    return time_terms_is_correspondence(&room->game.clock.terms);
}

bool room_may_adjourn(const struct room *room)
{
    const struct room_calls *calls = room->of->calls;

    return calls->may_adjourn == NULL || calls->may_adjourn(room->of->arg, room);
}

const struct game *room_watched_game(const struct room *room)
{
    return room->delay != NULL ? &room->delay->game : &room->game;
}

const struct game *room_game_for(const struct room *room, const struct session *session)
{
    return presence_side_of(room, session) == SIDE_NONE ? room_watched_game(room)
                                                        : &room->game;
}

int room_events_for(const struct room *room, const struct session *session)
{
    bool is_watcher = presence_side_of(room, session) == SIDE_NONE;

    return feed_count_for(&room->feed, is_watcher ? CURSOR_WATCHER : CURSOR_PLAYER);
}

const char *room_phase_name_for(const struct room *room, const struct session *session)
{
    const struct game *game = room_game_for(room, session);

    if (game == &room->game || room->is_frozen)
        return room_phase_name(room);
    return game->phase == GAME_SETUP ? "setup"
           : game->is_adjourned      ? "adjourned"
                                     : "play";
}

const char *room_phase_name(const struct room *room)
{
    if (room->is_frozen)
        return "frozen";
    if (room->game.is_adjourned)
        return "adjourned";
    return room->game.phase == GAME_SETUP  ? "setup"
           : room->game.phase == GAME_PLAY ? "play"
                                           : "over";
}

/* --- Lists --- */

/* Inserts the room in the order of the ids. A game gets the next id when it starts, so
 * its place is nearly always at the end of the list. Only games that were running at a
 * restart of the server may come in another order. */
void rooms_set_kind(struct room *room, enum room_kind kind)
{
    struct rooms *rooms = room->of;
    bool is_private = room->game.manners.is_private;
    struct room **head = &rooms->shown[is_private];
    struct room *before = *head != NULL ? (*head)->shown_prev : NULL;

    rooms->count[room->kind]--;
    rooms->count[kind]++;
    rooms->shown_count[is_private] += kind != ROOM_HIDDEN;
    rooms->shown_count[is_private] -= room->kind != ROOM_HIDDEN;
    if (room->kind == ROOM_HIDDEN && kind != ROOM_HIDDEN) {
        while (before != NULL && before->id > room->id)
            before = before == *head ? NULL : before->shown_prev;
        if (before == NULL)
            DL_PREPEND2(*head, room, shown_prev, shown_next);
        else
            DL_APPEND_ELEM2(*head, before, room, shown_prev, shown_next);
    } else if (room->kind != ROOM_HIDDEN && kind == ROOM_HIDDEN) {
        DL_DELETE2(*head, room, shown_prev, shown_next);
    }
    room->kind = kind;
}

void rooms_take_seat(struct room *room, enum side side, struct account *account)
{
    if (room->seat[side] != NULL)
        room->seat[side]->rooms--;
    room->seat[side] = account;
    if (account != NULL)
        account->rooms++;
}

/* --- Games that are not folded yet --- */

/* --- Games that are over --- */

/* A spectator may not read now if the spectator's network has used up its budget. Such
 * a spectator does not keep a room in memory. */
bool room_has_unread(const struct room *room)
{
    const struct cursor *cursor;

    DL_FOREACH (room->feed.players, cursor)
        if (feed_has_unread(cursor))
            return true;
    DL_FOREACH (room->feed.watchers, cursor)
        if (feed_has_unread(cursor) && usage_may_watch(&cursor->session->usage))
            return true;
    return false;
}

void rooms_tell_closed(const struct cursor *cursor)
{
    const struct room *room = cursor->feed->owner;

    if (feed_has_unread(cursor))
        session_sayf(cursor->session,
                     "! closed game=%lld why=slow : game %lld is over and has left the "
                     "server's memory; watch it again to read the rest",
                     (long long)room->id, (long long)room->id);
}

void rooms_evict(struct room *room)
{
    const struct cursor *cursor;

    DL_FOREACH (room->feed.players, cursor)
        rooms_tell_closed(cursor);
    DL_FOREACH (room->feed.watchers, cursor)
        rooms_tell_closed(cursor);
    rooms_remove(room);
}

/* Returns roughly how much memory the room takes. */
static int64_t room_bytes(const struct room *room)
{
    const struct feed *feed = &room->feed;
    size_t plies = (size_t)room->game.plies * sizeof room->game.ply[0];

    return (int64_t)(sizeof *room + feed->room + feed->aside_bytes + plies) +
           (int64_t)feed->line_room * (int64_t)sizeof feed->line[0];
}

/* Evicts, of the LOOKS oldest rooms, the oldest that all readers have read to the end.
 * If there is no such room, evicts the oldest. So the number of rooms stays limited,
 * even if readers are slow. */
void rooms_add_read_back(struct room *room)
{
    enum { LOOKS = 4 };
    struct rooms *rooms = room->of;

    while (rooms->read_back_count >= READ_BACK_MAX ||
           rooms->read_back_bytes > rooms->settings.ended_bytes) {
        struct room *least = rooms->read_back;

        for (int i = 0; i < LOOKS && least != NULL && room_has_unread(least); i++)
            least = i + 1 < LOOKS ? least->next : NULL;
        rooms_evict(least != NULL ? least : rooms->read_back);
    }
    room->is_read_back = true;
    room->read_back_bytes = room_bytes(room);
    DL_APPEND(rooms->read_back, room);
    rooms->read_back_count++;
    rooms->read_back_bytes += room->read_back_bytes;
}

static void forget_ended(struct room *room)
{
    if (room->ended_bytes == 0)
        return;
    DL_DELETE2(room->of->ended, room, ended_prev, ended_next);
    room->of->ended_bytes -= room->ended_bytes;
    room->ended_bytes = 0;
}

static void list_ended(struct room *room, int64_t bytes)
{
    DL_APPEND2(room->of->ended, room, ended_prev, ended_next);
    room->ended_bytes = bytes;
    room->of->ended_bytes += bytes;
}

/* While the memory of the ended rooms is above the limit, looks at the oldest ended
 * room. If all readers have read to the end, evicts the room. Otherwise moves the room
 * to the end of the list. Looks at no more than LOOKS rooms, and evicts the last of
 * these in any case. So the work for each room that ends is bounded. */
void rooms_add_ended(struct room *room)
{
    enum { LOOKS = 4 };
    struct rooms *rooms = room->of;

    list_ended(room, room_bytes(room));
    for (int i = 1; i <= LOOKS && rooms->ended_bytes > rooms->settings.ended_bytes &&
                    rooms->ended != room && room_is_settled(rooms->ended);
         i++) {
        struct room *oldest = rooms->ended;
        int64_t bytes = oldest->ended_bytes;

        if (i == LOOKS || !room_has_unread(oldest)) {
            rooms_evict(oldest);
            continue;
        }
        forget_ended(oldest);
        list_ended(oldest, bytes);
    }
}

/* --- The end of a room --- */

void rooms_remove(struct room *room)
{
    struct cursor *cursor, *next;
    struct waiter *waiter, *next_waiter;

    for (int side = 0; side < SIDES; side++)
        rooms_take_seat(room, (enum side)side, NULL);
    HASH_DEL(room->of->by_id, room);
    rooms_set_kind(room, ROOM_HIDDEN);
    forget_ended(room);
    room->of->count[ROOM_HIDDEN]--;
    if (room->state == ROOM_ASLEEP)
        DL_DELETE(room->of->asleep, room);
    if (room->state >= ROOM_FOLDING)
        DL_DELETE(room->of->folding, room);
    if (room->is_read_back) {
        DL_DELETE(room->of->read_back, room);
        room->of->read_back_count--;
        room->of->read_back_bytes -= room->read_back_bytes;
    }
    if (room->unsettled_prev != NULL)
        DL_DELETE2(room->of->unsettled, room, unsettled_prev, unsettled_next);
    DL_FOREACH_SAFE (room->feed.players, cursor, next)
        feed_unfollow(cursor);
    DL_FOREACH_SAFE (room->feed.watchers, cursor, next)
        feed_unfollow(cursor);
    DL_FOREACH_SAFE (room->waiters, waiter, next_waiter) {
        free(waiter->raw);
        free(waiter);
    }
    feed_clear(&room->feed);
    game_clear(&room->game);
    delay_free(room->delay);
    event_free(room->timer);
    free(room->offer);
    free(room);
}
