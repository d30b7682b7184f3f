/* Measures how many events a second the store takes. Each commit has 64 events, one for
 * each of 64 games. When a commit is on disk, the next one follows. The store is the
 * server's own, with SQLite, or with PostgreSQL if URL is given.
 *
 *   bench_append DIRECTORY SECONDS [URL]
 *
 * Prints "appends_per_s=N commits_per_s=N". */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/base.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/game/event.h"
#include "server/store/store.h"

enum { AT_ONCE = 64, PLIES = 60 };

struct bench {
    struct event_base *base;
    struct store *store;
    int64_t game[AT_ONCE];
    int events; /* number of events of each game so far */
    int64_t appended, commits;
};

static void begin_games(struct bench *bench)
{
    int64_t first = store_next_game(bench->store);

    for (int i = 0; i < AT_ONCE; i++)
        bench->game[i] = first + i;
    bench->events = 0;
}

/* Writes event `number` of a game to `out`, in the form in which a server stores it.
 * The moves need not be legal, because the store does not check the rules. */
static void write_event(int number, char out[EVENT_BYTES])
{
    static const char *const first[] = {
        "start red=hong blue=kim rules=martin time=10m+5s", "setup red NBNB",
        "setup blue BNNB"};

    if (number < (int)ARRAY_LEN(first))
        snprintf(out, EVENT_BYTES, "%s", first[number]);
    else if (number < PLIES)
        snprintf(out, EVENT_BYTES, "move %d %s A3-A4 red_ms=601234 blue_ms=602345",
                 number - 2, number % 2 == 1 ? "red" : "blue");
    else
        snprintf(out, EVENT_BYTES, "end red resignation by=blue");
}

static void append_to_each(struct bench *bench)
{
    static char before[PLIES * EVENT_BYTES];
    const struct store_ending ending = {.summary = {.red = "hong",
                                                    .blue = "kim",
                                                    .red_shown = "hong",
                                                    .blue_shown = "kim",
                                                    .rules = "martin",
                                                    .time = "10m+5s",
                                                    .result = "red",
                                                    .reason = "resignation by=blue",
                                                    .plies = PLIES},
                                        .before = before};
    struct text log = text_into(before, sizeof before);
    char text[EVENT_BYTES];
    const char *texts[] = {text};
    const struct gate *gate = store_gate(bench->store);
    bool is_end = bench->events == PLIES;

    for (int i = 0; is_end && i < PLIES; i++) {
        write_event(i, text);
        text_addf(&log, "%s\n", text);
    }
    write_event(bench->events, text);
    for (int i = 0; i < AT_ONCE; i++)
        store_append(bench->store, bench->game[i], bench->events, texts, 1,
                     is_end ? &ending : NULL);
    while (gate->durable < gate->newest)
        event_base_loop(bench->base, EVLOOP_ONCE);
    bench->events++;
    bench->appended += AT_ONCE;
    bench->commits++;
    if (is_end)
        begin_games(bench);
}

static struct store *open_store(struct event_base *base, const char *directory,
                                const char *url)
{
    const struct store_place place = {
        .directory = directory, .url = url, .at = "127.0.0.1:1"};

    return url == NULL ? store_open(base, directory) : store_open_at(base, &place);
}

int main(int argc, char **argv)
{
    struct bench bench = {.base = event_base_new()};
    int64_t began_ms, ends_ms;
    double seconds;

    if (argc < 3 || bench.base == NULL)
        return 2;
    log_set_level(LOG_WARN);
    bench.store = open_store(bench.base, argv[1], argc > 3 ? argv[3] : NULL);
    if (bench.store == NULL)
        log_die("bench no store in %s", argv[1]);
    begin_games(&bench);
    append_to_each(&bench);
    began_ms = mono_now_ms();
    ends_ms = began_ms + atoi(argv[2]) * 1000;
    bench.appended = bench.commits = 0;
    while (mono_now_ms() < ends_ms)
        append_to_each(&bench);
    seconds = (double)(mono_now_ms() - began_ms) / 1000;
    printf("appends_per_s=%.0f commits_per_s=%.0f\n", (double)bench.appended / seconds,
           (double)bench.commits / seconds);
    store_close(bench.store);
    event_base_free(bench.base);
    return 0;
}
