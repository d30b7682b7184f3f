/* A game that is read back from the disk, event by event through the rules core. One
 * whose log is damaged is frozen: what is sound of it can be read, and nothing more can
 * happen in it. */
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "server/room/room_parts.h"

enum { READ_BACK_MAX = 256 };

static bool fold(struct room *room, const struct store_event *row)
{
    struct event event;

    if (!row->is_sound || row->number != room->game.events ||
        event_parse(row->text, &event) != EVENT_OK ||
        !game_apply(&room->game, &event, 0))
        return false;
    feed_add(&room->feed, room->id, row->text);
    room->last_age_ms = row->age_ms;
    if (event.kind == EVENT_START)
        room_allow_absence(room, &event.terms);
    return true;
}

bool room_restore(struct rooms *rooms, const struct store_event *row)
{
    bool is_first = row->number == 0;
    struct room *room =
        is_first ? room_new(rooms, row->game) : room_find(rooms, row->game);

    if (room == NULL || room->is_frozen)
        return room != NULL;
    room->is_settled = false; /* until all of it is here */
    if (fold(room, row))
        return true;
    log_warn("game=%lld event=%d why=%s kept=on-disk", (long long)row->game,
             row->number, row->is_sound ? "does-not-follow" : "damaged");
    room->is_frozen = !is_first;
    if (is_first)
        room_free(room); /* nothing of it is known, not even who plays */
    return !is_first;
}

/* How long ago the last event was, by the store's age, which stands still while no
 * server runs. */
static int64_t since_last_event_ms(const struct room *room)
{
    int64_t ms = store_age_ms(room->of->store) - room->last_age_ms;

    return ms > 0 ? ms : 0;
}

/* By correspondence there is no pause: the side to move has been charged since the last
 * event, and is charged on. */
static void restore_correspondence(struct room *room, int64_t now_ms)
{
    int64_t began_ms = now_ms - since_last_event_ms(room);

    if (room->game.phase == GAME_SETUP)
        room->due_ms = began_ms + room_setup_ms(room);
    else
        game_go(&room->game, began_ms);
}

static void restore_times(struct room *room, int64_t now_ms)
{
    const struct game *game = &room->game;
    const struct room_settings *settings = &room->of->settings;

    if (room_is_past(room)) {
        room->due_ms = now_ms + settings->keep_ms;
    } else if (room->is_frozen || game->clock.terms.is_untimed || game->is_adjourned) {
        return;
    } else if (time_terms_is_correspondence(&game->clock.terms)) {
        restore_correspondence(room, now_ms);
    } else if (game->phase == GAME_SETUP) {
        room->due_ms = now_ms + room_setup_ms(room);
    } else {
        room->due_ms = now_ms + settings->grace_ms;
        room->is_paused = true;
    }
}

/* --- Games that are over --- */

void room_forget_past(struct room *room)
{
    if (!room->is_read_back)
        return;
    DL_DELETE(room->of->read_back, room);
    room->of->read_back_count--;
}

/* Whoever asks for one old game after the other shall not fill the memory: the oldest
 * that everybody has read goes before its time. */
static void add_past(struct room *room)
{
    struct rooms *rooms = room->of;
    struct room *oldest, *next;

    DL_FOREACH_SAFE (rooms->read_back, oldest, next) {
        if (rooms->read_back_count < READ_BACK_MAX)
            break;
        if (!room_has_unread(oldest))
            room_free(oldest);
    }
    room->is_read_back = true;
    DL_APPEND(rooms->read_back, room);
    rooms->read_back_count++;
}

void room_restored(struct room *room, struct account *const seat[SIDES])
{
    int64_t now_ms = mono_now_ms();

    if (seat != NULL)
        memcpy(room->seat, seat, sizeof room->seat);
    room->is_settled = true;
    room_show(room);
    restore_times(room, now_ms);
    room_arm_timer(room, now_ms);
    if (room_is_past(room))
        add_past(room);
    room_retry_waiters(room, now_ms);
}
