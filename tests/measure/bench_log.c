/* Measures what the store would gain if it wrote a log file of its own instead of using
 * SQLite. The program appends the same events to two logs, and seals and syncs them in
 * the same way. One log is the server's database. The other log is a file of fixed
 * size. This file was filled with zeros beforehand, and is written by
 * pwritev2(RWF_DSYNC). The program does not archive old games and does not answer
 * queries. So it measures only the cost of appending.
 *
 *   bench_log DIRECTORY [SECONDS [ROUNDS]]
 *
 * SECONDS is the time of each measurement. If the file is full, the measurement ends
 * earlier. The measurements of the two logs alternate. After each measurement of the
 * file, the program reads the file again, and fails if an event is missing. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "common/base/base.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/game/event.h"
#include "server/store/store_db.h"
#include "server/store/store_engine.h"
#include "server/store/store_row.h"

enum {
    GAMES = 200,
    SIZES = 3,
    ROUNDS_MAX = 20,
    SEGMENT_BYTES = 64 << 20,
    RECORD_BYTES = 64 + EVENT_BYTES
};
static const int sizes[SIZES] = {1, 8, 64}; /* events of a commit */

struct game {
    int64_t id;
    int events;
    struct store_seal link; /* the seal (a hash) of the game's last event in the file */
};

/* --- A log of its own --- */

/* The head of a record in the file. The text of the record follows the head, without a
 * NUL. The `link` of an event is a hash that also covers the `link` of the event before
 * it. Each commit ends with a record for the whole batch: its `game` is 0, its `link`
 * is a hash of the links of all events in the batch, and its text consists of these
 * links. */
struct record {
    int64_t game;
    int number;
    uint32_t text_bytes;
    int64_t wall_s, age_ms;
    struct store_seal link;
};

struct own_log {
    int fd;
    off_t end;
    struct store_sealer *sealer;
    char *batch, *links;
    size_t batch_bytes, links_bytes;
    int64_t events; /* since the start of the file */
};

static void own_open(struct own_log *log, const char *directory)
{
    enum { STEP = 1 << 20 };
    char path[512], *zeros = mem_new(STEP);

    snprintf(path, sizeof path, "%s/log", directory);
    *log = (struct own_log){.fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600),
                            .sealer = store_sealer_new(),
                            .batch = mem_resize(NULL, 65, RECORD_BYTES),
                            .links = mem_resize(NULL, 64, sizeof(struct store_seal))};
    for (int at = 0; at < SEGMENT_BYTES; at += STEP)
        if (log->fd < 0 || pwrite(log->fd, zeros, STEP, at) != STEP)
            log_die("bench cannot write %s: %s", path, strerror(errno));
    if (fsync(log->fd) != 0)
        log_die("bench cannot sync %s", path);
    free(zeros);
}

static void own_close(struct own_log *log)
{
    close(log->fd);
    store_sealer_free(log->sealer);
    free(log->batch);
    free(log->links);
}

static void own_add(struct own_log *log, const struct record *record, const void *text)
{
    memcpy(log->batch + log->batch_bytes, record, sizeof *record);
    memcpy(log->batch + log->batch_bytes + sizeof *record, text, record->text_bytes);
    log->batch_bytes += sizeof *record + record->text_bytes;
}

static void own_put(struct own_log *log, struct game *game,
                    const struct store_event *event)
{
    struct record record = {.game = event->game,
                            .number = event->number,
                            .text_bytes = (uint32_t)strlen(event->text),
                            .wall_s = event->wall_s,
                            .age_ms = event->age_ms};

    store_seal_event(log->sealer, &game->link, event);
    record.link = game->link;
    own_add(log, &record, event->text);
    memcpy(log->links + log->links_bytes, &game->link, sizeof game->link);
    log->links_bytes += sizeof game->link;
    log->events++;
}

/* True if one more batch of at most 64 events fits. The bound is larger than
 * needed, because the events of this program are short. */
static bool own_has_room(const struct own_log *log)
{
    return log->end + 65 * RECORD_BYTES <= SEGMENT_BYTES;
}

/* Writes the bytes and syncs them. Returns the number of bytes that are on disk, or
 * -1. */
static ssize_t write_synced(int fd, const void *bytes, size_t len, off_t at)
{
#ifdef RWF_DSYNC
    struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = len};

    return pwritev2(fd, &part, 1, at, RWF_DSYNC);
#else
    ssize_t done = pwrite(fd, bytes, len, at);

    return fsync(fd) == 0 ? done : -1;
#endif
}

static void own_commit(struct own_log *log)
{
    struct record record = {.text_bytes = (uint32_t)log->links_bytes};

    store_seal_batch(log->sealer, &record.link, log->links, log->links_bytes);
    own_add(log, &record, log->links);
    if (write_synced(log->fd, log->batch, log->batch_bytes, log->end) !=
        (ssize_t)log->batch_bytes)
        log_die("bench cannot append: %s", strerror(errno));
    log->end += (off_t)log->batch_bytes;
    log->batch_bytes = log->links_bytes = 0;
}

/* Returns the number of events in the file. */
static int64_t own_count(const struct own_log *log)
{
    struct record record;
    int64_t events = 0;
    off_t at = 0;

    while (pread(log->fd, &record, sizeof record, at) == sizeof record &&
           (record.game != 0 || record.text_bytes > 0)) {
        events += record.game != 0;
        at += (off_t)(sizeof record + record.text_bytes);
    }
    return events;
}

/* --- Measuring --- */

struct bench {
    struct store_db *db;
    struct own_log own;
    struct game game[GAMES];
    int next;
};

struct cost {
    double cpu_us, wall_us; /* of one event */
};

static int64_t thread_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static const char *text_of(int number, char out[EVENT_BYTES])
{
    snprintf(out, EVENT_BYTES, "move %d %s A3-A4 red_ms=601234 blue_ms=602345", number,
             number % 2 == 1 ? "red" : "blue");
    return number == 0 ? "start red=hong blue=kim rules=martin time=10m+5s" : out;
}

/* Appends the next event of the next game to one of the two logs. */
static void put_next(struct bench *bench, bool is_own)
{
    struct game *game = &bench->game[bench->next++ % GAMES];
    char text[EVENT_BYTES];
    struct store_event event = {.game = game->id,
                                .number = game->events,
                                .text = text_of(game->events, text),
                                .wall_s = mono_wall_s(),
                                .age_ms = mono_now_ms()};
    struct store_write write = {.kind = STORE_WRITE_EVENTS,
                                .events = {.game = game->id,
                                           .first = game->events,
                                           .count = 1,
                                           .wall_s = event.wall_s,
                                           .age_ms = event.age_ms,
                                           .texts = event.text}};

    if (is_own)
        own_put(&bench->own, game, &event);
    else if (!store_db_put(bench->db, &write))
        log_die("bench the disk is full");
    game->events++;
}

static void commit_next(struct bench *bench, bool is_own, int events)
{
    if (!is_own && !store_db_begin(bench->db, false))
        log_die("bench no transaction");
    for (int i = 0; i < events; i++)
        put_next(bench, is_own);
    if (is_own)
        own_commit(&bench->own);
    else if (!store_db_commit(bench->db) || (store_db_has_chores(bench->db, false) &&
                                             !store_db_chores(bench->db, false)))
        log_die("bench no commit");
}

static void begin(struct bench *bench, const char *directory, bool is_own)
{
    *bench = (struct bench){0};
    if (is_own)
        own_open(&bench->own, directory);
    else
        bench->db = store_db_open(&(struct store_place){.directory = directory});
    if (!is_own &&
        (bench->db == NULL || !store_db_survey(bench->db, &(struct store_survey){0})))
        log_die("bench no database in %s", directory);
    for (int i = 0; i < GAMES; i++)
        bench->game[i].id = i + 1;
    commit_next(bench, is_own, 64);
    while (bench->next < GAMES)
        commit_next(bench, is_own, 1);
}

static void end(struct bench *bench, const char *directory, bool is_own)
{
    char path[512];

    if (is_own && own_count(&bench->own) != bench->own.events)
        log_die("bench the own log has %lld of %lld events",
                (long long)own_count(&bench->own), (long long)bench->own.events);
    if (is_own)
        own_close(&bench->own);
    else
        store_db_close(bench->db);
    snprintf(path, sizeof path, "%s/%s", directory, is_own ? "log" : "janggid.db");
    unlink(path);
}

static struct cost measure(const char *directory, bool is_own, int events, int seconds)
{
    struct bench bench;
    int64_t began_us, cpu_us, ends_us, count;

    begin(&bench, directory, is_own);
    count = -bench.next;
    cpu_us = -thread_us();
    began_us = mono_now_us();
    ends_us = began_us + (int64_t)seconds * 1000000;
    while (mono_now_us() < ends_us && (!is_own || own_has_room(&bench.own)))
        commit_next(&bench, is_own, events);
    count += bench.next;
    cpu_us += thread_us();
    ends_us = mono_now_us();
    end(&bench, directory, is_own);
    return (struct cost){.cpu_us = (double)cpu_us / (double)count,
                         .wall_us = (double)(ends_us - began_us) / (double)count};
}

static int compare(const void *one, const void *other)
{
    double a = ((const struct cost *)one)->cpu_us;
    double b = ((const struct cost *)other)->cpu_us;

    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    static struct cost cost[SIZES][2][ROUNDS_MAX];
    int seconds = argc > 2 ? atoi(argv[2]) : 2, rounds = argc > 3 ? atoi(argv[3]) : 4;

    if (argc < 2 || seconds < 1 || rounds < 1 || rounds > ROUNDS_MAX)
        return 2;
    log_set_level(LOG_WARN);
    for (int round = 0; round < rounds; round++)
        for (int size = 0; size < SIZES; size++)
            for (int is_own = 0; is_own < 2; is_own++)
                cost[size][is_own][round] =
                    measure(argv[1], is_own, sizes[size], seconds);
    printf("CPU us of an event, thread of the store, median of %d rounds\n", rounds);
    printf(
        "events a commit   own : SQLite    own log    SQLite   wall, own    SQLite\n");
    for (int size = 0; size < SIZES; size++) {
        struct cost sqlite, own;

        for (int is_own = 0; is_own < 2; is_own++)
            qsort(cost[size][is_own], (size_t)rounds, sizeof **cost[size], compare);
        sqlite = cost[size][0][rounds / 2];
        own = cost[size][1][rounds / 2];
        printf("%15d %14.2f %10.2f %9.2f %11.2f %9.2f\n", sizes[size],
               own.cpu_us / sqlite.cpu_us, own.cpu_us, sqlite.cpu_us, own.wall_us,
               sqlite.wall_us);
    }
    return 0;
}
