/* See shared.h. */
#include "server/command/shared.h"

#include <stdarg.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "common/net/proto.h"

struct shared {
    char *lines;
    size_t len, room;
    int count;
    bool is_made;
    int64_t made_ms;
};

struct shared_lists {
    int64_t max_age_ms;
    struct shared list[SHARED_KINDS];
};

struct shared_lists *shared_lists_new(int64_t max_age_ms)
{
    struct shared_lists *lists = mem_new(sizeof *lists);

    lists->max_age_ms = max_age_ms;
    return lists;
}

void shared_lists_free(struct shared_lists *lists)
{
    if (lists == NULL)
        return;
    for (int kind = 0; kind < SHARED_KINDS; kind++)
        free(lists->list[kind].lines);
    free(lists);
}

static void make_room(struct shared *list)
{
    size_t wanted = list->len + PROTO_LINE_MAX + 1;

    if (wanted <= list->room)
        return;
    list->room = 2 * wanted;
    list->lines = mem_resize(list->lines, list->room, 1);
}

void shared_addf(struct shared *list, const char *format, ...)
{
    va_list args;

    make_room(list);
    va_start(args, format);
    list->len +=
        proto_format_line(list->lines + list->len, PROTO_LINE_MAX + 1, format, args);
    va_end(args);
}

static void make_again(struct shared *list, struct call *call, shared_make_fn *make)
{
    list->len = 0;
    list->count = make(call->world, list);
    list->made_ms = call->now_ms;
    list->is_made = true;
}

int shared_send(struct call *call, enum shared_kind kind, shared_make_fn *make)
{
    struct shared_lists *lists = call->world->lists;
    struct shared *list = &lists->list[kind];
    bool is_old = !list->is_made || call->now_ms - list->made_ms >= lists->max_age_ms;
    bool is_wanted = (call->from->acted & 1u << kind) != 0;

    if (!is_old && is_wanted)
        allowance_charge(&call->from->allowance, SHARED_COST, call->now_ms);
    if (is_old || is_wanted)
        make_again(list, call, make);
    call->from->acted &= ~(1u << kind);
    if (list->len > 0)
        session_send(call->from, list->lines, list->len);
    return list->count;
}
