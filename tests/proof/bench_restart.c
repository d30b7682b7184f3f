/* The time from a server's start until it accepts connections, with many games on
 * disk, and its memory then. The database is written through the server's own store,
 * event by event as a server would have written it, so it has the current schema.
 * Every start follows a kill -9.
 *
 * Prints a table, and fails only if a server does not start or some games are
 * missing. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/game/event.h"
#include "common/game/game.h"
#include "server/store/store.h"
#include "tests/bot/random_game.h"
#include "tests/lib/janggid.h"
#include "tests/lib/options.h"
#include "tests/lib/process.h"

enum { BOOKS = 20, AT_ONCE = 200, ROUNDS_MAX = 9, NAME_BYTES = 24, LINE_BYTES = 512 };
enum { PLIES_MOST = 1000 };
enum { THINK_MS = 4000, EVENTS_BESIDES = 4 }; /* start, two line-ups, end */

/* The events of one game, except the first, which has names. */
struct text {
    struct random_game book;
    char (*event)[EVENT_BYTES];
    int events;
};

struct bench {
    const char *build;
    int games, plies, rounds;
    int many;  /* ended games of the last row; 0: omit it */
    int names; /* players are numbered below this; INT_MAX: every game has its own */
    char directory[PROCESS_PATH_BYTES];
    struct event_base *base;
    struct store *store;
    struct text text[BOOKS];
    int written; /* games that are on disk */
    int failed;
};

/* One start. */
struct figures {
    int64_t took_ms, cpu_ms, rss, anonymous;
};

/* --- Games --- */

static void start_text(char out[EVENT_BYTES], const char *red, const char *blue)
{
    snprintf(out, EVENT_BYTES, "start red=%s blue=%s rules=martin time=10m+5s", red,
             blue);
}

static void take(struct text *text, struct game *game, const struct game_news *news)
{
    if (news->count != 1 || !game_apply(game, &news->event[0], 0))
        die("bench an event does not follow");
    event_format(text->event[text->events++], &news->event[0]);
}

/* A game of the book with clocks: each move takes four seconds. */
static void make_text(struct text *text, uint64_t seed, int plies)
{
    char start[EVENT_BYTES];
    struct game_news news = {.count = 1};
    struct fault fault;
    struct game game;

    random_game_init(&text->book, seed, plies);
    text->event = mem_resize(NULL, (size_t)(plies + EVENTS_BESIDES), EVENT_BYTES);
    game_init(&game);
    start_text(start, "a1", "b1");
    if (event_parse(start, &news.event[0]) != EVENT_OK)
        die("bench no start: %s", start);
    take(text, &game, &news);
    while (game.phase == GAME_SETUP) {
        enum side side = game_turn(&game);

        fault = game_judge_setup(&game, side, text->book.lineup[side], &news);
        if (fault.code != FAULT_NONE)
            die("bench a line-up of the book is refused");
        take(text, &game, &news);
    }
    for (int ply = 0; ply < plies; ply++) {
        game_go(&game, 0);
        fault = game_judge_move(&game, game_turn(&game), text->book.move[ply], THINK_MS,
                                &news);
        if (fault.code != FAULT_NONE)
            die("bench a move of the book is refused");
        take(text, &game, &news);
    }
    game_clear(&game);
}

static void clear_text(struct text *text)
{
    random_game_clear(&text->book);
    free(text->event);
}

/* --- On disk --- */

static void on_written(void *arg)
{
    struct bench *bench = arg;

    bench->written++;
}

static void put_name(struct bench *bench, const char *name, int number)
{
    struct store_name row = {.folded = name,
                             .shown = name,
                             .proof = STORE_PROOF_TOKEN,
                             .seen_wall_s = wall_now_s()};

    memcpy(row.digest, &number, sizeof number);
    store_put_name(bench->store, &row, NULL, NULL);
}

static void put_game(struct bench *bench, int64_t game, bool is_ended)
{
    const struct text *text = &bench->text[game % BOOKS];
    const char *events[PLIES_MOST + EVENTS_BESIDES];
    char red[NAME_BYTES], blue[NAME_BYTES], start[EVENT_BYTES];
    struct store_summary summary = {.red = red,
                                    .blue = blue,
                                    .red_shown = red,
                                    .blue_shown = blue,
                                    .rules = "martin",
                                    .time = "10m+5s",
                                    .result = "blue",
                                    .reason = "resignation",
                                    .plies = bench->plies};
    int count = text->events;

    snprintf(red, sizeof red, "red%d", (int)game % bench->names);
    snprintf(blue, sizeof blue, "blue%d", (int)game % bench->names);
    if (game <= bench->names) {
        put_name(bench, red, (int)game * 2);
        put_name(bench, blue, (int)game * 2 + 1);
    }
    start_text(start, red, blue);
    events[0] = start;
    for (int i = 1; i < count; i++)
        events[i] = text->event[i];
    if (is_ended)
        events[count++] =
            bench->plies % 2 == 0 ? "end blue resignation" : "end red resignation";
    summary.result = bench->plies % 2 == 0 ? "blue" : "red";
    store_append(bench->store, game, 0, events, count, is_ended ? &summary : NULL,
                 on_written, bench);
}

static void fill(struct bench *bench, const char *data, int running, int ended)
{
    int64_t next;

    bench->store = store_open(bench->base, data);
    if (bench->store == NULL)
        die("bench no store in %s", data);
    next = store_next_game(bench->store);
    bench->written = 0;
    for (int i = 0; i < running + ended; i++) {
        put_game(bench, next + i, i >= running);
        while (i + 1 - bench->written >= AT_ONCE)
            event_base_loop(bench->base, EVLOOP_ONCE);
    }
    store_close(bench->store);
    bench->store = NULL;
}

/* --- Starts --- */

/* The count that the server reports after reading: "... start games=10000". -1:
 * none. */
static int games_in_log(const char *path)
{
    FILE *log = fopen(path, "r");
    char line[LINE_BYTES];
    int games = -1;

    while (log != NULL && fgets(line, sizeof line, log) != NULL) {
        const char *at = strstr(line, "start games=");

        if (at != NULL)
            games = atoi(at + strlen("start games="));
    }
    if (log != NULL)
        fclose(log);
    return games;
}

/* Asks the system to drop the file from its cache. */
static void forget_pages(const char *data)
{
    char path[PROCESS_PATH_BYTES + 16];
    int fd;

    snprintf(path, sizeof path, "%s/janggid.db", data);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
        printf("# the system keeps the file in its cache\n");
    if (fd >= 0)
        close(fd);
}

static int64_t file_bytes(const char *data)
{
    char path[PROCESS_PATH_BYTES + 16];
    struct stat found;

    snprintf(path, sizeof path, "%s/janggid.db", data);
    return stat(path, &found) == 0 ? (int64_t)found.st_size : -1;
}

static bool measure_start(struct janggid *server, int running, struct figures *out)
{
    struct process_cpu cpu;

    if (!janggid_start(server))
        return false;
    *out = (struct figures){
        .took_ms = server->start_took_ms,
        .cpu_ms = process_cpu(server->pid, &cpu) ? cpu.all_ns / 1000000 : -1,
        .rss = process_memory(server->pid, "VmRSS"),
        .anonymous = process_memory(server->pid, "RssAnon")};
    janggid_kill(server);
    if (games_in_log(server->log) == running)
        return true;
    printf("# the server has %d games, not %d\n", games_in_log(server->log), running);
    return false;
}

static int by_time(const void *a, const void *b)
{
    const struct figures *x = a, *y = b;

    return (x->took_ms > y->took_ms) - (x->took_ms < y->took_ms);
}

static void print_row(const struct bench *bench, const char *name, const char *data,
                      struct figures *figures)
{
    const struct figures *middle = &figures[bench->rounds / 2];

    qsort(figures, (size_t)bench->rounds, sizeof *figures, by_time);
    printf("%-34s %8.1f %8lld %8lld %8lld %8lld %9.1f %9.1f\n", name,
           (double)file_bytes(data) / 1048576.0, (long long)figures[0].took_ms,
           (long long)middle->took_ms, (long long)figures[bench->rounds - 1].took_ms,
           (long long)middle->cpu_ms, (double)middle->rss / 1048576.0,
           (double)middle->anonymous / 1048576.0);
    fflush(stdout);
}

static void measure(struct bench *bench, const char *name, struct janggid *server,
                    int running, bool is_cold)
{
    struct figures figures[ROUNDS_MAX];

    for (int i = 0; i < bench->rounds; i++) {
        if (is_cold)
            forget_pages(server->data);
        if (!measure_start(server, running, &figures[i])) {
            printf("not ok bench-restart %s\n", name);
            bench->failed++;
            return;
        }
    }
    print_row(bench, name, server->data, figures);
}

/* --- All of it --- */

/* A server that has been in use for years: ended games must not slow its start. */
static void measure_many(struct bench *bench)
{
    char directory[PROCESS_PATH_BYTES + 8];
    struct janggid server;

    snprintf(directory, sizeof directory, "%s/many", bench->directory);
    mkdir(directory, 0700);
    if (!janggid_init(&server, bench->build, directory))
        die("bench the path is too long");
    server.has_usual_limits = true;
    bench->names = bench->games;
    fill(bench, server.data, 0, bench->many);
    measure(bench, "many ended", &server, 0, false);
    fill(bench, server.data, bench->games / 10, 0);
    measure(bench, "many ended, a tenth running", &server, bench->games / 10, false);
    fill(bench, server.data, bench->games - bench->games / 10, 0);
    measure(bench, "many ended, and running", &server, bench->games, false);
    measure(bench, "many, file not cached", &server, bench->games, true);
    process_remove_scratch(directory);
}

static void measure_all(struct bench *bench)
{
    static const struct {
        bool has_running, has_ended;
        const char *name;
    } rows[] = {
        {false, false, "no games"},
        {true, false, "running"},
        {false, true, "ended"},
        {true, true, "running, and as many ended"},
    };
    char directory[PROCESS_PATH_BYTES + 8], name[64];

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int running = rows[i].has_running ? bench->games : 0;
        struct janggid server;

        snprintf(directory, sizeof directory, "%s/%zu", bench->directory, i);
        mkdir(directory, 0700);
        if (!janggid_init(&server, bench->build, directory))
            die("bench the path is too long");
        server.has_usual_limits = true;
        if (i > 0)
            fill(bench, server.data, running, rows[i].has_ended ? bench->games : 0);
        measure(bench, rows[i].name, &server, running, false);
        snprintf(name, sizeof name, "%s, file not cached", rows[i].name);
        if (i > 0)
            measure(bench, name, &server, running, true);
        process_remove_scratch(directory);
    }
}

int main(int argc, char **argv)
{
    struct bench bench = {
        .build = "build", .games = 10000, .plies = 56, .rounds = 3, .names = INT_MAX};
    const struct options_row options[] = {
        {"build", .text = &bench.build, .help = "directory of the programs"},
        {"games", .number = &bench.games, .least = 1, .help = "games on disk"},
        {"plies", .number = &bench.plies, .least = 1, .help = "plies of each"},
        {"many", .number = &bench.many,
         .help = "ended games beside them, in a last row"},
        {"rounds", .number = &bench.rounds, .least = 1, .help = "starts of each kind"}};

    if (!options_read(options, ARRAY_LEN(options), argc, argv) ||
        bench.plies > PLIES_MOST || bench.rounds > ROUNDS_MAX)
        return 2;
    log_set_level(LOG_WARN);
    process_make_scratch(bench.directory, "restart");
    bench.base = event_base_new();
    for (int i = 0; i < BOOKS; i++)
        make_text(&bench.text[i], (uint64_t)i + 1, bench.plies);
    printf("%d games of %d moves each; %d starts of each kind; start to listening:\n",
           bench.games, bench.plies, bench.rounds);
    printf("%-34s %8s %8s %8s %8s %8s %9s %9s\n", "", "file MiB", "least ms", "median",
           "most ms", "CPU ms", "RSS MiB", "anon MiB");
    measure_all(&bench);
    if (bench.many > 0)
        measure_many(&bench);
    for (int i = 0; i < BOOKS; i++)
        clear_text(&bench.text[i]);
    event_base_free(bench.base);
    process_remove_scratch(bench.directory);
    return bench.failed == 0 ? 0 : 1;
}
