/* See store_tail.h. */
#include "server/database/store_tail.h"

#include <assert.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"

struct store_tail *store_tail_new(void)
{
    return mem_new(sizeof(struct store_tail));
}

void store_tail_free(struct store_tail *tail)
{
    struct store_end *end, *next;

    if (tail == NULL)
        return;
    HASH_ITER (hh, tail->by_game, end, next)
        store_tail_forget(tail, end);
    free(tail->listed);
    free(tail);
}

/* --- Games --- */

struct store_end *store_tail_find(const struct store_tail *tail, int64_t game)
{
    struct store_end *end;

    HASH_FIND(hh, tail->by_game, &game, sizeof game, end);
    return end;
}

struct store_end *store_tail_add(struct store_tail *tail, int64_t game, int parked,
                                 const struct store_seal *link)
{
    struct store_end *end = mem_new(sizeof *end);

    end->game = game;
    end->parked = end->events = end->kept_events = parked;
    end->link = end->kept_link = *link;
    HASH_ADD(hh, tail->by_game, game, sizeof end->game, end);
    return end;
}

void store_tail_forget(struct store_tail *tail, struct store_end *end)
{
    if (end->events > end->parked)
        DL_DELETE(tail->oldest, end);
    /* uthash's macros mislead the analyzer: a table that contains end is not empty.
     * NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    HASH_DEL(tail->by_game, end);
    free(end->id);
    free(end);
}

/* Appends a row id to the ids of the game. Ids only increase. So a game that gets its
 * first id is added at the end of the list of games. */
static void add_id(struct store_tail *tail, struct store_end *end, int64_t id)
{
    int count = end->events - end->parked;

    if (count == 0)
        DL_APPEND(tail->oldest, end);
    end->id = mem_grow(end->id, count, &end->room, 4, sizeof *end->id);
    end->id[count] = id;
    end->events++;
}

void store_tail_found(struct store_tail *tail, struct store_end *end, int64_t id,
                      const struct store_seal *link)
{
    add_id(tail, end, id);
    end->link = end->kept_link = *link;
    end->kept_events = end->events;
}

int store_tail_kept_rows(void)
{
    return 100000;
}

int64_t store_tail_first_id(const struct store_tail *tail)
{
    const struct store_end *end = tail->oldest;

    if (end == NULL)
        return tail->now.last_id + 1;
    return end->id[0] != 0 ? end->id[0] : tail->first_row;
}

/* --- The open transaction --- */

static void touch(struct store_tail *tail, struct store_end *end)
{
    if (end->is_touched)
        return;
    end->is_touched = true;
    end->touched = tail->touched;
    tail->touched = end;
}

static void list(struct store_tail *tail, int64_t game, int number)
{
    tail->listed = mem_grow(tail->listed, tail->listed_count, &tail->listed_room, 64,
                            sizeof *tail->listed);
    tail->listed[tail->listed_count++] =
        (struct store_listed){.game = game, .number = number};
}

void store_tail_append(struct store_tail *tail, struct store_end *end,
                       const struct store_seal *link)
{
    touch(tail, end);
    list(tail, end->game, end->events);
    add_id(tail, end, ++tail->now.last_id);
    end->link = *link;
    if (end->game > tail->now.last_game)
        tail->now.last_game = end->game;
}

void store_tail_relink(struct store_tail *tail, struct store_end *end,
                       const struct store_seal *link)
{
    touch(tail, end);
    end->link = *link;
}

void store_tail_drop(struct store_tail *tail, struct store_end *end)
{
    if (end == NULL)
        return;
    touch(tail, end);
    end->is_dropped = true;
}

static void keep(struct store_tail *tail, struct store_end *end)
{
    end->is_touched = false;
    end->kept_events = end->events;
    end->kept_link = end->link;
    if (end->is_dropped)
        store_tail_forget(tail, end);
}

static void restore(struct store_tail *tail, struct store_end *end)
{
    bool had_ids = end->events > end->parked;

    end->is_touched = end->is_dropped = false;
    end->events = end->kept_events;
    end->link = end->kept_link;
    if (end->events > end->parked)
        return;
    if (had_ids)
        DL_DELETE(tail->oldest, end);
    store_tail_forget(tail, end);
}

static void settle(struct store_tail *tail,
                   void (*one)(struct store_tail *tail, struct store_end *end))
{
    struct store_end *end, *next;

    for (end = tail->touched; end != NULL; end = next) {
        next = end->touched;
        one(tail, end);
    }
    tail->touched = NULL;
    tail->listed_count = tail->waiting_count = 0;
}

void store_tail_commit(struct store_tail *tail)
{
    settle(tail, keep);
    tail->kept = tail->now;
}

void store_tail_rollback(struct store_tail *tail)
{
    settle(tail, restore);
    tail->now = tail->kept;
}
