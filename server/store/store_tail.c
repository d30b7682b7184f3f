/* See store_tail.h. */
#include "server/store/store_tail.h"

#include <stdlib.h>
#include <string.h>

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

/* Returns the entry of a game, to which the event `number` is added, and marks it as
 * changed. */
static struct store_end *change(struct store_tail *tail, int64_t game, int number)
{
    bool is_damaged = number == STORE_AFTER_DAMAGE;
    struct store_end *end = store_tail_find(tail, game);

    if (end == NULL && (number == 0 || is_damaged))
        end = add(tail, game);
    if (is_damaged && end->events == 0)
        end->events = 1; /* no new event must get the number of the lost first event */
    if (end == NULL || (end->events != number && !is_damaged) || end->is_over)
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

static bool put_events(struct store_tail *tail, struct store_sealer *sealer,
                       const struct store_writer *writer, void *log,
                       const struct store_batch *batch)
{
    struct store_totals *now = &tail->now;
    struct store_end *end = change(tail, batch->game, batch->first);
    struct store_event event = {.game = batch->game,
                                .text = batch->texts,
                                .wall_s = batch->wall_s,
                                .age_ms = batch->age_ms};
    struct store_game game = {.id = batch->game,
                              .age_ms = batch->age_ms,
                              .summary = {"", "", "", "", "", "", "", "", 0},
                              .log = ""};

    if (end->events == 0)
        end->first_seq = now->last_seq + 1;
    if (batch->age_ms > now->age_ms)
        now->age_ms = batch->age_ms;
    for (int i = 0; i < batch->count; i++) {
        event.seq = ++now->last_seq;
        event.number = end->events++;
        now->live++;
        store_seal_event(sealer, &end->link, &event);
        if (!writer->put(log, STORE_EVENT, &event, &end->link))
            return false;
        event.text += strlen(event.text) + 1;
    }
    game.events = end->events;
    if (writer->has_running && batch->first == 0 &&
        !writer->put(log, STORE_GAME, &game, NULL))
        return false;
    if (!batch->has_summary)
        return true;
    end->is_over = true;
    now->live -= end->events;
    now->games++;
    game.is_over = true;
    game.ended_wall_s = batch->wall_s;
    game.summary = batch->summary;
    game.log = batch->log;
    if (!writer->put(log, STORE_GAME, &game, NULL))
        return false;
    for (int side = 0; side < 2; side++) {
        const struct store_unseen unseen = {.folded = side == 0 ? game.summary.red
                                                                : game.summary.blue,
                                            .game = game.id};

        /* "": the player is not known, because the game's start cannot be read */
        if (unseen.folded[0] != '\0' && !writer->put(log, STORE_UNSEEN, &unseen, NULL))
            return false;
    }
    return true;
}

/* Puts an entry of the audit log, a new one or a changed one. Its seal covers the one before
 * it. */
static bool put_act(struct store_tail *tail, struct store_sealer *sealer,
                    const struct store_writer *writer, void *log,
                    const struct store_act *act)
{
    static const struct store_seal none;
    struct store_totals *now = &tail->now;
    struct store_seal link = none;

    if (act->id == now->act.id + 1 && now->act.id > 0)
        link = now->act.link;
    else if (act->id > 1 && !writer->find_act(log, act->id - 1, &link))
        return false;
    if (act->id > 1 && store_seal_is_same(&link, &none))
        log_die("store act=%lld bug=\"the one before it is missing\"",
                (long long)act->id);
    store_seal_row(sealer, &link, STORE_ACT, act);
    now->act.id = act->id;
    now->act.link = link;
    return writer->put(log, STORE_ACT, act, &link);
}

bool store_tail_put(struct store_tail *tail, struct store_sealer *sealer,
                    const struct store_writer *writer, void *log,
                    struct store_write *write)
{
    switch (write->kind) {
    case STORE_WRITE_EVENTS:
        return put_events(tail, sealer, writer, log, &write->events);
    case STORE_WRITE_PRUNE:
        return writer->prune(log, &write->prune);
    case STORE_WRITE_PUT:
        if (write->row.kind == STORE_ACT)
            return put_act(tail, sealer, writer, log, &write->row.of.act);
        return writer->put(log, write->row.kind, &write->row.of, NULL);
    case STORE_WRITE_DROP:
        return writer->drop(log, write->row.kind, &write->row.of, write->row.keys);
    }
    log_die("store bug=\"a write of kind %d\"", (int)write->kind);
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
