/* See history.h. */
#include "tests/bot/history.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"

enum { ROOM_FIRST = 64, EVENTS_MAX = 100000 };

static void make_room(char ***list, int *room, int wanted)
{
    int old = *room;

    if (wanted <= old)
        return;
    *room = old == 0 ? ROOM_FIRST : old * 2;
    if (*room < wanted)
        *room = wanted;
    *list = mem_resize(*list, (size_t)*room, sizeof **list);
    memset(*list + old, 0, (size_t)(*room - old) * sizeof **list);
}

static void free_list(char **list, int count)
{
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

void history_init(struct history *history, int64_t game)
{
    *history = (struct history){.game = game};
}

void history_clear(struct history *history)
{
    free_list(history->event, history->events);
    free_list(history->ack, history->acks);
    free(history->clock);
    *history = (struct history){0};
}

bool history_add_event(struct history *history, int number, const char *text)
{
    if (number < 0 || number >= EVENTS_MAX)
        return false;
    make_room(&history->event, &history->event_room, number + 1);
    if (number >= history->events)
        history->events = number + 1;
    if (history->event[number] != NULL)
        return strcmp(history->event[number], text) == 0;
    history->event[number] = mem_copy_text(text);
    return true;
}

void history_add_ack(struct history *history, const char *words)
{
    make_room(&history->ack, &history->ack_room, history->acks + 1);
    history->ack[history->acks++] = mem_copy_text(words);
}

void history_add_clock(struct history *history, const struct history_clock *clock)
{
    if (history->clocks == history->clock_room) {
        history->clock_room = history->clock_room == 0 ? 4 : history->clock_room * 2;
        history->clock = mem_resize(history->clock, (size_t)history->clock_room,
                                    sizeof *history->clock);
    }
    history->clock[history->clocks++] = *clock;
}

/* --- Whole logs --- */

void history_log_init(struct history_log *log, int64_t game)
{
    *log = (struct history_log){.game = game};
}

void history_log_clear(struct history_log *log)
{
    free_list(log->text, log->count);
    *log = (struct history_log){0};
}

void history_log_add(struct history_log *log, const char *text)
{
    make_room(&log->text, &log->room, log->count + 1);
    log->text[log->count++] = mem_copy_text(text);
}

void history_log_copy(struct history_log *to, const struct history_log *from)
{
    history_log_init(to, from->game);
    for (int i = 0; i < from->count; i++)
        history_log_add(to, from->text[i]);
}
