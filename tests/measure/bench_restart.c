/* Measures the time from a server's start until it accepts connections, with many games
 * on disk. Also measures the server's memory at that moment. The games are written
 * through the server's own store, so the database has the current schema. But the store
 * syncs each commit, which would take too long for a million ended games. Therefore
 * most of these games are written directly to the database, with the same rows and
 * seals that the store would have written. Every start follows a kill -9.
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
#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/game/event.h"
#include "common/game/game.h"
#include "server/account/ratings.h"
#include "server/store/store.h"
#include "server/store/store_db.h"
#include "server/store/store_row.h"
#include "tests/bot/random_game.h"
#include "tests/lib/janggid.h"
#include "tests/lib/options.h"
#include "tests/lib/process.h"

enum { BOOKS = 20, AT_ONCE = 200, ROUNDS_MAX = 9, NAME_BYTES = 24, LINE_BYTES = 512 };
enum { PLIES_MOST = 1000 };
enum {
    MANY_THROUGH_STORE = 3000
}; /* number of ended games written last, through the store, to fill its journal */
enum { THINK_MS = 4000, EVENTS_BESIDES = 4 }; /* besides moves: start, line-ups, end */

/* The events of one game except event 0, which contains the players' names. */
struct text {
    struct random_game book;
    char (*event)[EVENT_BYTES];
    int events;
};

struct bench {
    const char *build;
    int games, plies, rounds;
    int many; /* number of ended games in measure_many(); 0: measure_many() is not
               * called */
    bool is_many_only;
    bool is_rated; /* a rating is written for each ended game that is written
                    * directly */
    int names; /* players' numbers are below this; INT_MAX: each game has new players */
    char directory[PROCESS_PATH_BYTES];
    int named; /* number of players whose names are on disk */
    struct event_base *base;
    struct store *store;
    struct text text[BOOKS];
    int failed;
};

/* The measurements of one start. */
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
        log_die("bench an event does not follow");
    event_format(text->event[text->events++], &news->event[0]);
}

/* Makes the events of a random game with clocks, in which each move takes four
 * seconds. */
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
        log_die("bench no start: %s", start);
    take(text, &game, &news);
    while (game.phase == GAME_SETUP) {
        enum side side = game_turn(&game);

        fault = game_judge_setup(&game, side, text->book.lineup[side], &news);
        if (fault.code != FAULT_NONE)
            log_die("bench a line-up of the book is refused");
        take(text, &game, &news);
    }
    for (int ply = 0; ply < plies; ply++) {
        game_go(&game, 0);
        fault = game_judge_move(&game, game_turn(&game), text->book.move[ply], THINK_MS,
                                &news);
        if (fault.code != FAULT_NONE)
            log_die("bench a move of the book is refused");
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

static void put_name(struct bench *bench, const char *name, int number)
{
    struct store_name row = {.folded = name,
                             .shown = name,
                             .proof = STORE_PROOF_TOKEN,
                             .seen_wall_s = mono_wall_s()};

    memcpy(row.digest, &number, sizeof number);
    store_put(bench->store, STORE_NAME, &row);
}

/* A game as it is written to disk. */
struct written {
    const char *event[PLIES_MOST + EVENTS_BESIDES];
    int events;
    char red[NAME_BYTES], blue[NAME_BYTES], start[EVENT_BYTES];
    struct store_summary summary;
};

static void write_out(const struct bench *bench, int64_t game, bool is_ended,
                      struct written *out)
{
    const struct text *text = &bench->text[game % BOOKS];
    const char *winner = bench->plies % 2 == 0 ? "blue" : "red";

    snprintf(out->red, sizeof out->red, "red%d", (int)game % bench->names);
    snprintf(out->blue, sizeof out->blue, "blue%d", (int)game % bench->names);
    start_text(out->start, out->red, out->blue);
    out->event[0] = out->start;
    for (int i = 1; i < text->events; i++)
        out->event[i] = text->event[i];
    out->events = text->events;
    if (is_ended)
        out->event[out->events++] =
            bench->plies % 2 == 0 ? "end blue resignation" : "end red resignation";
    out->summary = (struct store_summary){.red = out->red,
                                          .blue = out->blue,
                                          .red_shown = out->red,
                                          .blue_shown = out->blue,
                                          .rules = "martin",
                                          .time = "10m+5s",
                                          .result = winner,
                                          .reason = "resignation",
                                          .plies = bench->plies};
}

static void put_game(struct bench *bench, int64_t game, bool is_ended)
{
    struct written written;

    write_out(bench, game, is_ended, &written);
    if (bench->named < bench->names) {
        put_name(bench, written.red, (int)game * 2);
        put_name(bench, written.blue, (int)game * 2 + 1);
        bench->named++;
    }
    store_append(bench->store, game, 0, written.event, written.events,
                 is_ended ? &(struct store_ending){written.summary, ""} : NULL);
}

static void open_store(struct bench *bench, const char *data)
{
    bench->store = store_open(bench->base, data);
    if (bench->store == NULL)
        log_die("bench no store in %s", data);
}

static void close_store(struct bench *bench)
{
    store_close(bench->store);
    bench->store = NULL;
}

static void fill(struct bench *bench, const char *data, int running, int ended)
{
    const struct gate *gate;
    int64_t next;

    open_store(bench, data);
    next = store_next_game(bench->store);
    gate = store_gate(bench->store);
    for (int i = 0; i < running + ended; i++) {
        put_game(bench, next + i, i >= running);
        while (gate->newest - gate->durable >= AT_ONCE)
            event_base_loop(bench->base, EVLOOP_ONCE);
    }
    close_store(bench);
}

/* --- On disk, directly --- */

/* A database that is written without syncs. */
struct direct {
    struct store_db *db;
    struct ratings *ratings;
};

static void run_sql(sqlite3 *file, const char *words)
{
    if (sqlite3_exec(file, words, NULL, NULL, NULL) != SQLITE_OK)
        log_die("bench %s: %s", words, sqlite3_errmsg(file));
}

/* Opens the database as the server does, and turns the syncs off. */
static void direct_open(struct direct *direct, const char *data)
{
    struct store_survey survey;

    direct->db = store_db_open(&(struct store_place){.directory = data});
    if (direct->db == NULL || !store_db_survey(direct->db, &survey))
        log_die("bench no store in %s", data);
    run_sql(direct->db->file, "PRAGMA synchronous = OFF; PRAGMA cache_size = -400000");
    direct->ratings = ratings_new();
}

static void direct_close(struct direct *direct, const struct store_head *head)
{
    if (!store_db_put_row(direct->db, STORE_HEAD, head, NULL))
        log_die("bench the disk is full");
    run_sql(direct->db->file, "COMMIT");
    ratings_free(direct->ratings);
    store_db_close(direct->db);
}

static void direct_put(struct direct *direct, enum store_kind kind, const void *row)
{
    if (!store_db_put_row(direct->db, kind, row, NULL))
        log_die("bench the disk is full");
}

/* Writes an ended game with its log. */
static void direct_put_game(struct direct *direct, struct store_game *game,
                            const struct written *written)
{
    static char log[(PLIES_MOST + EVENTS_BESIDES) * EVENT_BYTES];
    char *at = log;

    for (int i = 0; i < written->events; i++)
        at = stpcpy(stpcpy(at, written->event[i]), "\n");
    game->log = log;
    direct_put(direct, STORE_GAME, game);
}

/* Writes the rating of a game. The players of the games are chosen so that the same two
 * players do not meet often. If two players meet often on one day, their later games do
 * not count for the ratings. */
static void direct_rate(struct direct *direct, const struct bench *bench,
                        const struct store_game *game)
{
    int64_t red = game->id % bench->names,
            blue = (game->id / bench->names + game->id) % bench->names;
    struct store_rating rating = {.wall_s = game->ended_wall_s,
                                  .pool = "martin",
                                  .game = game->id,
                                  .account = {2 * red + 1, 2 * blue + 2},
                                  .score =
                                      strcmp(game->summary.result, "red") == 0 ? 2 : 0};

    rating.why = ratings_judge(direct->ratings, &rating);
    ratings_add(direct->ratings, &rating);
    direct_put(direct, STORE_RATING, &rating);
}

static void fill_names(struct bench *bench, const char *data)
{
    char name[NAME_BYTES];

    open_store(bench, data);
    for (; bench->named < bench->names; bench->named++) {
        snprintf(name, sizeof name, "red%d", bench->named);
        put_name(bench, name, 2 * bench->named);
        snprintf(name, sizeof name, "blue%d", bench->named);
        put_name(bench, name, 2 * bench->named + 1);
    }
    close_store(bench);
}

/* Writes ended games 1 to `count`. Each game ended a second after the one before. */
static void fill_directly(struct bench *bench, const char *data, int count)
{
    struct direct direct;
    struct written written;
    int64_t began_ms = mono_now_ms(), first_wall_s = mono_wall_s() - count;

    direct_open(&direct, data);
    run_sql(direct.db->file, "BEGIN");
    for (int id = 1; id <= count; id++) {
        struct store_game game = {
            .id = id, .is_over = true, .ended_wall_s = first_wall_s + id};

        write_out(bench, id, true, &written);
        game.events = written.events;
        game.summary = written.summary;
        direct_put_game(&direct, &game, &written);
        if (bench->is_rated)
            direct_rate(&direct, bench, &game);
    }
    direct_close(&direct, &(struct store_head){.first_seq = direct.db->first_seq,
                                               .last_seq = direct.db->tail.now.last_seq,
                                               .last_game = count,
                                               .games = count});
    printf("# %d ended games were written in %lld s\n", count,
           (long long)(mono_now_ms() - began_ms) / 1000);
    fflush(stdout);
}

/* --- Starts --- */

/* Returns the number of games that the server logged at its start ("... start
 * games=10000"), or -1. */
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

/* Asks the system to drop the database file from its cache. */
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

/* Measures a server that has been in use for years: ended games must not slow its
 * start. */
static void measure_many(struct bench *bench)
{
    char directory[PROCESS_PATH_BYTES + 8];
    struct janggid server;

    snprintf(directory, sizeof directory, "%s/many", bench->directory);
    mkdir(directory, 0700);
    if (!janggid_init(&server, bench->build, directory))
        log_die("bench the path is too long");
    server.has_usual_limits = true;
    bench->names = bench->games;
    bench->named = 0;
    fill_names(bench, server.data);
    if (bench->many > MANY_THROUGH_STORE)
        fill_directly(bench, server.data, bench->many - MANY_THROUGH_STORE);
    fill(bench, server.data, 0,
         bench->many > MANY_THROUGH_STORE ? MANY_THROUGH_STORE : bench->many);
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
            log_die("bench the path is too long");
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
        {"many-only", .flag = &bench.is_many_only, .help = "no other rows"},
        {"rated", .flag = &bench.is_rated, .help = "rate the ended games of that row"},
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
    if (!bench.is_many_only)
        measure_all(&bench);
    if (bench.many > 0)
        measure_many(&bench);
    for (int i = 0; i < BOOKS; i++)
        clear_text(&bench.text[i]);
    event_base_free(bench.base);
    process_remove_scratch(bench.directory);
    return bench.failed == 0 ? 0 : 1;
}
