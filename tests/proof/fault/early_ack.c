/* A janggid that acknowledges and shows events before they are on disk, and writes
 * them a little later. Linked in front of the real store with
 *
 *     -Wl,--wrap=store_open -Wl,--wrap=store_append
 *
 * it is a negative control of tests/proof/crash_kill9, which must detect it. The
 * real program does not contain this file. */
#include <stdlib.h>

#include <event2/event.h>

#include "common/base/mem.h"
#include "server/store/store.h"

enum { LATE_MS = 20, TEXTS_MAX = 8 };

/* Events that a caller of store_append() wrongly believes to be on disk. */
struct late {
    struct late *next;
    struct store *store;
    int64_t game;
    int first, count;
    char *text[TEXTS_MAX];
    bool has_summary;
    struct store_summary summary;
    store_done_fn *done;
    void *arg;
};

/* A program has one store; these are its loop and the waiting events, oldest first. */
static struct event_base *loop;
static struct late *oldest, *newest;

struct store *__real_store_open(struct event_base *base, const char *directory);
struct store *__wrap_store_open(struct event_base *base, const char *directory);
void __real_store_append(struct store *store, int64_t game, int first,
                         const char *const text[], int count,
                         const struct store_summary *summary, store_done_fn *done,
                         void *arg);
void __wrap_store_append(struct store *store, int64_t game, int first,
                         const char *const text[], int count,
                         const struct store_summary *summary, store_done_fn *done,
                         void *arg);

struct store *__wrap_store_open(struct event_base *base, const char *directory)
{
    loop = base;
    return __real_store_open(base, directory);
}

/* Reports events as stored, although the events are not on disk yet. */
static void on_soon(evutil_socket_t fd, short what, void *arg)
{
    struct late *late = arg;

    (void)fd;
    (void)what;
    if (late->done != NULL)
        late->done(late->arg);
}

static void free_late(struct late *late)
{
    struct store_summary *s = &late->summary;
    const char *const text[] = {s->red,   s->blue, s->red_shown, s->blue_shown,
                                s->rules, s->time, s->result,    s->reason};

    for (int i = 0; i < late->count; i++)
        free(late->text[i]);
    for (size_t i = 0; i < ARRAY_LEN(text); i++)
        free((char *)text[i]); /* copies of our own, or NULL */
    free(late);
}

static void on_late(evutil_socket_t fd, short what, void *arg)
{
    struct late *late = oldest;

    (void)fd;
    (void)what;
    (void)arg;
    oldest = late->next;
    if (oldest == NULL)
        newest = NULL;
    __real_store_append(late->store, late->game, late->first,
                        (const char *const *)late->text, late->count,
                        late->has_summary ? &late->summary : NULL, NULL, NULL);
    free_late(late);
}

static void copy_summary(struct late *late, const struct store_summary *summary)
{
    late->has_summary = summary != NULL;
    if (summary == NULL)
        return;
    late->summary =
        (struct store_summary){.red = mem_copy_text(summary->red),
                               .blue = mem_copy_text(summary->blue),
                               .red_shown = mem_copy_text(summary->red_shown),
                               .blue_shown = mem_copy_text(summary->blue_shown),
                               .rules = mem_copy_text(summary->rules),
                               .time = mem_copy_text(summary->time),
                               .result = mem_copy_text(summary->result),
                               .reason = mem_copy_text(summary->reason),
                               .plies = summary->plies};
}

void __wrap_store_append(struct store *store, int64_t game, int first,
                         const char *const text[], int count,
                         const struct store_summary *summary, store_done_fn *done,
                         void *arg)
{
    struct timeval soon = {0, 0}, later = {.tv_usec = LATE_MS * 1000};
    struct late *late = mem_new(sizeof *late);

    *late = (struct late){.store = store,
                          .game = game,
                          .first = first,
                          .count = count,
                          .done = done,
                          .arg = arg};
    for (int i = 0; i < count; i++)
        late->text[i] = mem_copy_text(text[i]);
    copy_summary(late, summary);
    if (newest != NULL)
        newest->next = late;
    else
        oldest = late;
    newest = late;
    event_base_once(loop, -1, EV_TIMEOUT, on_soon, late, &soon);
    event_base_once(loop, -1, EV_TIMEOUT, on_late, NULL, &later);
}
