/* See pg_tail.h. */
#include "server/postgres/pg_tail.h"

#include <stdlib.h>

#include "common/base/log.h"
#include "common/base/mem.h"

static struct pg_end *find(const struct pg_tail *tail, int64_t game)
{
    struct pg_end *end;

    HASH_FIND(hh, tail->by_game, &game, sizeof game, end);
    return end;
}

static struct pg_end *add(struct pg_tail *tail, int64_t game)
{
    struct pg_end *end = mem_new(sizeof *end);

    end->game = game;
    HASH_ADD(hh, tail->by_game, game, sizeof end->game, end);
    return end;
}

static void drop(struct pg_tail *tail, struct pg_end *end)
{
    HASH_DEL(tail->by_game, end);
    free(end);
}

void pg_tail_add(struct pg_tail *tail, int64_t game, int events,
                 const struct store_seal *link)
{
    struct pg_end *end = add(tail, game);

    end->events = end->kept_events = events;
    end->link = end->kept_link = *link;
}

struct pg_end *pg_tail_change(struct pg_tail *tail, int64_t game, int number)
{
    bool is_damaged = number == STORE_AFTER_DAMAGE;
    struct pg_end *end = find(tail, game);

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

static void keep(struct pg_tail *tail, struct pg_end *end)
{
    end->is_touched = false;
    end->kept_events = end->events;
    end->kept_link = end->link;
    if (end->is_over)
        drop(tail, end);
}

static void restore(struct pg_tail *tail, struct pg_end *end)
{
    end->is_touched = end->is_over = false;
    end->events = end->kept_events;
    end->link = end->kept_link;
    if (end->events == 0)
        drop(tail, end);
}

static void settle(struct pg_tail *tail,
                   void (*one)(struct pg_tail *tail, struct pg_end *end))
{
    struct pg_end *end, *next;

    for (end = tail->touched; end != NULL; end = next) {
        next = end->touched;
        one(tail, end);
    }
    tail->touched = NULL;
}

void pg_tail_commit(struct pg_tail *tail)
{
    settle(tail, keep);
    tail->kept = tail->now;
}

void pg_tail_rollback(struct pg_tail *tail)
{
    settle(tail, restore);
    tail->now = tail->kept;
}

void pg_tail_clear(struct pg_tail *tail)
{
    struct pg_end *end, *next;

    HASH_ITER (hh, tail->by_game, end, next)
        drop(tail, end);
    *tail = (struct pg_tail){0};
}
