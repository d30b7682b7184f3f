/* A negative control: a janggid that shows an event to the opponent and to watchers
 * before it is on disk, but sends the OK to the mover only afterwards. Linked in front
 * of the real store with
 *
 *     -Wl,--wrap=store_append
 *
 * Only rooms call store_append(), and each passes itself as `arg`. The real program
 * does not contain this file. */
#include <utlist.h>

#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"

void __real_store_append(struct store *store, int64_t game, int first,
                         const char *const text[], int count,
                         const struct store_summary *summary, store_done_fn *done,
                         void *arg);
void __wrap_store_append(struct store *store, int64_t game, int first,
                         const char *const text[], int count,
                         const struct store_summary *summary, store_done_fn *done,
                         void *arg);

static void pump_all_but(struct cursor *list, uint64_t asker)
{
    struct cursor *cursor;

    DL_FOREACH (list, cursor)
        if (cursor->session->id != asker)
            feed_pump(cursor);
}

void __wrap_store_append(struct store *store, int64_t game, int first,
                         const char *const text[], int count,
                         const struct store_summary *summary, store_done_fn *done,
                         void *arg)
{
    struct room *room = arg;

    if (first > 0) {
        room->feed.visible = room->feed.size;
        pump_all_but(room->feed.players, room->asker.session);
        pump_all_but(room->feed.watchers, room->asker.session);
    }
    __real_store_append(store, game, first, text, count, summary, done, arg);
}
