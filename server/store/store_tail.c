/* See store_tail.h. */
#include "server/store/store_tail.h"

#include <stdlib.h>

#include "common/base/log.h"
#include "common/base/mem.h"

struct store_end *store_tail_find(const struct store_tail *tail, int64_t game)
{
    struct store_end *end;

    HASH_FIND(hh, tail->by_game, &game, sizeof game, end);
    return end;
}

static struct store_end *add(struct store_tail *tail, int64_t game)
{
    struct store_end *end = mem_new(sizeof *end);

    end->game = game;
    HASH_ADD(hh, tail->by_game, game, sizeof end->game, end);
    return end;
}

static void drop(struct store_tail *tail, struct store_end *end)
{
    HASH_DEL(tail->by_game, end);
    free(end);
}

struct store_end *store_tail_add(struct store_tail *tail, int64_t game, int events,
                                 const struct store_seal *link)
{
    struct store_end *end = add(tail, game);

    end->events = end->kept_events = events;
    end->link = end->kept_link = *link;
    return end;
}

struct store_end *store_tail_change(struct store_tail *tail, int64_t game, int number)
{
    bool is_damaged = number == STORE_AFTER_DAMAGE;
    struct store_end *end = store_tail_find(tail, game);

    if (end == NULL && (number == 0 || is_damaged))
        end = add(tail, game);
    if (is_damaged && end->events == 0)
        end->events = 1; /* no new event must get the number of the lost first event */
    if (end == NULL || (end->events != number && !is_damaged))
        log_die("store game=%lld event=%d bug=\"the one before it is number %d\"",
                (long long)game, number, end != NULL ? end->events - 1 : -1);
    if (!end->is_touched) {
        end->is_touched = true;
        end->touched = tail->touched;
        tail->touched = end;
    }
    if (game > tail->now.last_game)
        tail->now.last_game = game;
    return end;
}

int store_tail_kept_rows(void)
{
    return 4096;
}

static void settle(struct store_tail *tail, bool is_committed)
{
    struct store_end *end, *next;

    for (end = tail->touched; end != NULL; end = next) {
        next = end->touched;
        end->is_touched = false;
        if (is_committed) {
            end->kept_events = end->events;
            end->kept_link = end->link;
        } else {
            end->is_over = false;
            end->events = end->kept_events;
            end->link = end->kept_link;
        }
        if (end->is_over || end->events == 0)
            drop(tail, end);
    }
    tail->touched = NULL;
}

void store_tail_commit(struct store_tail *tail)
{
    settle(tail, true);
    tail->kept = tail->now;
}

void store_tail_rollback(struct store_tail *tail)
{
    settle(tail, false);
    tail->now = tail->kept;
}

void store_tail_clear(struct store_tail *tail)
{
    struct store_end *end, *next;

    HASH_ITER (hh, tail->by_game, end, next)
        drop(tail, end);
    *tail = (struct store_tail){0};
}
