/* See store_thread.h. The store's thread takes all queued jobs, and runs all write jobs
 * in one transaction. When the transaction is on disk, the thread returns the write
 * jobs. Then it runs one read job, and checks the queue again. So the write jobs share
 * a sync, and a read job does not delay them for long. A read sees every write that was
 * queued before it, unless the disk is full. */
#include "server/store/store_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/system/disk.h"
#include "common/system/thread.h"
#include "common/system/wakeup.h"
#include "server/store/store_copy.h"

enum {
    RETRY_MS = 1000,     /* time between two attempts while the disk is full */
    AWAY_RETRY_MS = 200, /* time between two attempts while a database server is away;
                          * it may be back any moment */
    LOOK_MS = 10000,     /* time between two looks for room for the reserve */
    SLOW_US = 2000000,   /* a commit this slow is logged */
    CLOSE_MS = 10000     /* when the server ends: the longest time spent on writing what
                          * is still queued */
};

/* --- Jobs --- */

struct store_job *store_job_new(enum store_job_kind kind, size_t text_bytes)
{
    struct store_job *job = mem_new(sizeof *job + text_bytes);

    job->kind = kind;
    return job;
}

static void free_rows(struct store_job *job)
{
    struct store_found *row, *next;

    DL_FOREACH_SAFE (job->rows, row, next)
        free(row);
    job->rows = NULL;
    job->row_count = 0;
}

void store_job_free(struct store_job *job)
{
    free_rows(job);
    free(job);
}

static struct store_found *add_row(struct store_job *job, size_t text_bytes)
{
    struct store_found *row = mem_new(sizeof *row + text_bytes);

    DL_APPEND(job->rows, row);
    job->row_count++;
    return row;
}

static void add_event(void *arg, const struct store_event *event)
{
    struct store_found *row = add_row(arg, strlen(event->text) + 1);

    row->event = *event;
    row->event.text = strcpy(row->bytes, event->text);
}

static void add_past(void *arg, const struct store_past *past)
{
    struct store_game game = {.summary = past->summary};
    struct store_found *row = add_row(arg, store_row_bytes(STORE_GAME, &game));
    char *at = row->bytes;

    store_row_pack(STORE_GAME, &game, &at);
    row->past = *past;
    row->past.summary = game.summary;
}

/* Runs a job that reads, on the caller's thread. False: an outage; the job is unchanged. */
static bool read_rows(const struct store_engine *engine, void *log,
                      struct store_job *job)
{
    int count = 0;
    bool is_read = job->kind == STORE_JOB_GAME
                       ? engine->read_game(log, job->query.game, add_event, job, &count)
                       : engine->read_pasts(log, job->bytes, job->query.game,
                                            job->query.limit, add_past, job);

    if (!is_read)
        free_rows(job);
    else if (job->kind == STORE_JOB_GAME)
        job->row_count = count;
    return is_read;
}

static void give_back(struct store *store, struct store_job *job)
{
    bool was_empty;

    pthread_mutex_lock(&store->lock);
    was_empty = store->outbox == NULL;
    DL_APPEND(store->outbox, job);
    pthread_mutex_unlock(&store->lock);
    if (was_empty)
        wakeup_signal(&store->to_loop);
}

/* The main function of the reader's thread. */
static void *work_reader(void *arg)
{
    struct store *store = arg;
    struct pollfd wakeup = {.fd = store->to_reader.read_fd, .events = POLLIN};

    for (;;) {
        struct store_job *job;
        bool is_closing;

        pthread_mutex_lock(&store->lock);
        job = store->reader_inbox;
        is_closing = store->is_closing;
        pthread_mutex_unlock(&store->lock);
        if (is_closing)
            return NULL;
        if (job != NULL && read_rows(store->engine, store->reader, job)) {
            pthread_mutex_lock(&store->lock);
            DL_DELETE(store->reader_inbox, job);
            pthread_mutex_unlock(&store->lock);
            give_back(store, job);
        } else if (poll(&wakeup, 1, job != NULL ? RETRY_MS : -1) > 0) {
            wakeup_clear(&store->to_reader);
        }
    }
}

/* --- The reserve --- */

static bool make_reserve(struct store_reserve *reserve)
{
    int fd = open(reserve->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                  0600);
    int why = fd < 0 ? errno : disk_allocate(fd, reserve->bytes);

    if (fd >= 0)
        close(fd);
    reserve->is_there = why == 0;
    if (why != 0) {
        unlink(reserve->path);
        if (!reserve->is_missed)
            log_warn(
                "store reserve=none bytes=%lld why=\"%s\" : made once there is room",
                (long long)reserve->bytes, strerror(why));
    }
    reserve->is_missed = why != 0;
    return why == 0;
}

static bool release_reserve(struct store_reserve *reserve)
{
    if (reserve->path[0] == '\0' || unlink(reserve->path) != 0)
        return false;
    reserve->is_there = false;
    reserve->look_at_ms = 0;
    return true;
}

static void keep_reserve(struct store_reserve *reserve, const char *directory,
                         int64_t bytes)
{
    struct text path = text_into(reserve->path, sizeof reserve->path);
    struct stat found;

    text_addf(&path, "%s/" STORE_RESERVE, directory);
    reserve->bytes = path.is_cut ? 0 : bytes;
    if (reserve->bytes == 0)
        release_reserve(reserve);
    else if (lstat(reserve->path, &found) == 0 && S_ISREG(found.st_mode) &&
             found.st_size == bytes && (int64_t)found.st_blocks * 512 >= bytes)
        reserve->is_there = true; /* whole, from an earlier run */
    else
        make_reserve(reserve);
}

/* Returns the time at which to call renew_reserve(); INT64_MAX: never. */
static int64_t reserve_due_ms(const struct store_reserve *reserve)
{
    return reserve->bytes > 0 && !reserve->is_there ? reserve->look_at_ms : INT64_MAX;
}

/* Makes the file again when twice its size is free. */
static void renew_reserve(struct store *store)
{
    struct store_reserve *reserve = &store->reserve;
    int64_t now_ms = mono_now_ms();
    struct statvfs found;

    if (now_ms < reserve_due_ms(reserve))
        return;
    reserve->look_at_ms = now_ms + LOOK_MS;
    if (statvfs(store->directory, &found) == 0 &&
        (int64_t)found.f_bavail >= 2 * reserve->bytes / (int64_t)found.f_frsize &&
        make_reserve(reserve))
        log_info("store reserve=made bytes=%lld", (long long)reserve->bytes);
}

/* Frees the disk space of the reserve. Returns false if there was no reserve. */
static bool give_room(struct store *store)
{
    if (!release_reserve(&store->reserve))
        return false;
    log_warn(
        "store disk=full reserve=given bytes=%lld : play goes on for a while; make "
        "room",
        (long long)store->reserve.bytes);
    return true;
}

/* --- Writing --- */

/* Writes the whole batch or nothing. Returns false in an outage. Then it may be unknown
 * whether the batch is stored, so the batch is written again later. */
static bool commit_all(struct store *store)
{
    const struct store_engine *engine = store->engine;
    struct store_job *job;

    if (!engine->begin(store->log, store->is_batch_tried))
        return false;
    DL_FOREACH (store->batch, job)
        if (!engine->put(store->log, &job->write))
            return false;
    return engine->commit(store->log);
}

/* Counts the commit of the batch. Measures the database at some commits only: the limit of its
 * size need not be exact. */
static void count_commit(struct store *store, int64_t took_us)
{
    enum { MEASURE_EVERY = 64 };
    bool is_measured = store->measure_in-- == 0;
    int64_t bytes = is_measured ? store->engine->bytes(store->log) : 0;
    struct store_counts *counted = &store->counted;
    const struct store_job *job;

    pthread_mutex_lock(&store->lock);
    counted->commits++;
    DL_FOREACH (store->batch, job) {
        counted->batches++;
        if (job->write.kind == STORE_WRITE_EVENTS)
            counted->events += (uint64_t)job->write.events.count;
    }
    counted->commit_us_sum += took_us;
    counted->committed_ms = mono_now_ms();
    if (took_us > counted->commit_us_max)
        counted->commit_us_max = took_us;
    if (is_measured)
        counted->bytes = bytes;
    pthread_mutex_unlock(&store->lock);
    if (is_measured)
        store->measure_in = MEASURE_EVERY;
    if (took_us > SLOW_US)
        log_warn("store slow commit_ms=%lld", (long long)(took_us / 1000));
}

/* Records whether writes wait, and reports it to the loop with the jobs. */
static void set_stuck(struct store *store, bool is_stuck, struct store_job *jobs)
{
    const struct store_engine *engine = store->engine;
    enum store_trouble found = engine->outage;

    if (!is_stuck)
        found = STORE_OK_AGAIN;
    else if (engine->is_lost != NULL && engine->is_lost(store->log))
        found = STORE_LOST;
    if (is_stuck != store->is_stuck && engine->outage == STORE_FULL)
        log_warn("store disk=%s", is_stuck ? "full" : "writable");
    store->is_stuck = is_stuck;
    pthread_mutex_lock(&store->lock);
    DL_CONCAT(store->outbox, jobs);
    store->found = found;
    pthread_mutex_unlock(&store->lock);
    wakeup_signal(&store->to_loop);
}

static void retry_later(struct store *store)
{
    int wait_ms = store->engine->outage == STORE_AWAY ? AWAY_RETRY_MS : RETRY_MS;

    store->retry_at_ms = mono_now_ms() + wait_ms;
    log_debug("store retry_ms=%d", wait_ms);
}

/* Writes the batch. Without a batch, finds out whether an outage has ended. Returns
 * false if there still is an outage. If an outage has ended, the loop gets this news
 * together with the batch. So when players get the news, they can already see the
 * written data. */
static bool write_batch(struct store *store)
{
    int64_t began_us = mono_now_us();
    struct store_job *done = store->batch;

    if (!commit_all(store) && !(give_room(store) && commit_all(store))) {
        store->is_batch_tried = done != NULL;
        retry_later(store);
        set_stuck(store, true, NULL);
        return false;
    }
    if (done != NULL) {
        atomic_store(&store->gate.synced, done->prev->number);
        count_commit(store, mono_now_us() - began_us);
    }
    store->batch = NULL;
    store->is_batch_tried = false;
    set_stuck(store, false, done);
    return true;
}

/* Adds the waiting writes to the batch and writes it, until nothing waits. If the outcome of
 * the batch may be unknown, it stays as it is. If the disk was full, it was rolled back; then
 * all waiting writes are added, so that the outage ends only when there is room for all of
 * them. */
static void write_all(struct store *store)
{
    do {
        if (store->batch == NULL || store->engine->outage == STORE_FULL) {
            DL_CONCAT(store->batch, store->writes);
            store->writes = NULL;
        }
    } while (write_batch(store) && store->writes != NULL);
}

/* --- Reading and keeping house --- */

static void go_on_with_backup(struct store *store)
{
    struct store_job *job = store->backup_job;
    enum store_backup_state state = store_backup_step(store->backup, job->backup.why);

    if (state == STORE_BACKUP_GOES_ON)
        return;
    store_backup_free(store->backup);
    store->backup = NULL;
    store->backup_job = NULL;
    give_back(store, job);
}

static void read_one(struct store *store)
{
    struct store_job *job = store->reads;

    DL_DELETE(store->reads, job);
    if (job->kind == STORE_JOB_RESERVE) {
        keep_reserve(&store->reserve, store->directory, job->reserve_bytes);
    } else if (job->kind == STORE_JOB_BACKUP) {
        if (store->backup != NULL)
            text_copy(job->backup.why, sizeof job->backup.why,
                      "another backup is being made");
        else if (store->engine->backup == NULL)
            text_copy(job->backup.why, sizeof job->backup.why,
                      "the log is in PostgreSQL; copy it with pg_basebackup, or with "
                      "janggid dump");
        else
            store->backup =
                store->engine->backup(store->log, job->bytes, job->backup.why);
        if (store->backup != NULL && job->backup.why[0] == '\0') {
            store->backup_job = job;
            return;
        }
    } else if (store->reader != NULL) {
        pthread_mutex_lock(&store->lock);
        DL_APPEND(store->reader_inbox, job);
        pthread_mutex_unlock(&store->lock);
        wakeup_signal(&store->to_reader);
        return;
    } else if (!read_rows(store->engine, store->log, job)) {
        log_die("store bug=\"a reader of its own is missing\"");
    }
    give_back(store, job);
}

/* True if a waiting job may read now. During an outage, a reader on a connection of its
 * own must wait, because it could read data that was not acknowledged. */
static bool can_read(const struct store *store)
{
    return store->reads != NULL && (store->reader == NULL || !store->is_stuck);
}

static bool has_writes(const struct store *store)
{
    return store->writes != NULL || store->batch != NULL;
}

static bool is_idle(const struct store *store)
{
    return !has_writes(store) && store->reads == NULL && store->backup == NULL;
}

static bool can_do_chores(const struct store *store)
{
    return store->has_begun && !store->is_stuck &&
           store->engine->has_chores(store->log, is_idle(store)) &&
           mono_now_ms() >= store->retry_at_ms;
}

/* Does the chores of the engine and renews the reserve. Does nothing before the first
 * job, because until then the loop uses the same connection to read its data at
 * startup. */
static void keep_house(struct store *store)
{
    if (!store->has_begun)
        return;
    if (can_do_chores(store) && !store->engine->chores(store->log, is_idle(store)) &&
        !give_room(store)) {
        retry_later(store);
        if (store->engine->outage == STORE_AWAY)
            set_stuck(store, true, NULL);
    }
    if (!store->is_stuck)
        renew_reserve(store);
}

static void take_inbox(struct store *store)
{
    struct store_job *jobs, *job, *next;

    pthread_mutex_lock(&store->lock);
    jobs = store->inbox;
    store->inbox = NULL;
    pthread_mutex_unlock(&store->lock);
    store->has_begun = store->has_begun || jobs != NULL;
    DL_FOREACH_SAFE (jobs, job, next) {
        DL_DELETE(jobs, job);
        if (job->kind == STORE_JOB_WRITE)
            DL_APPEND(store->writes, job);
        else
            DL_APPEND(store->reads, job);
    }
}

static bool can_write(const struct store *store)
{
    return (has_writes(store) || store->is_stuck) &&
           (!store->is_stuck || mono_now_ms() >= store->retry_at_ms);
}

static void sleep_until_work(struct store *store)
{
    struct pollfd wakeup = {.fd = store->to_thread.read_fd, .events = POLLIN};
    int64_t due_ms =
        store->is_stuck ? store->retry_at_ms : reserve_due_ms(&store->reserve);
    int64_t wait_ms = due_ms == INT64_MAX ? -1 : due_ms - mono_now_ms();
    int chores_ms = store->engine->chores_ms;

    if (wait_ms < 0 && due_ms != INT64_MAX)
        wait_ms = 0;
    if (chores_ms > 0 && store->has_begun && (wait_ms < 0 || wait_ms > chores_ms))
        wait_ms = chores_ms;
    if (poll(&wakeup, 1, (int)wait_ms) > 0)
        wakeup_clear(&store->to_thread);
}

/* Runs a step of work. The loop can see how long it takes. */
static void step(struct store *store, void (*do_it)(struct store *store))
{
    pthread_mutex_lock(&store->lock);
    store->busy_since_ms = mono_now_ms();
    pthread_mutex_unlock(&store->lock);
    do_it(store);
    pthread_mutex_lock(&store->lock);
    store->busy_since_ms = 0;
    pthread_mutex_unlock(&store->lock);
}

/* The main function of the thread. It reads is_closing before it takes the inbox, so
 * that nothing that was queued before the close is overlooked. At the close it tries
 * once to write what is queued, even during an outage. If that fails, it drops the
 * writes; no client has got an answer for them. */
static void *work(void *arg)
{
    struct store *store = arg;

    for (;;) {
        bool is_abandoned, is_last;

        pthread_mutex_lock(&store->lock);
        is_last = store->is_closing;
        is_abandoned = store->is_abandoned;
        pthread_mutex_unlock(&store->lock);
        take_inbox(store);
        if (!is_abandoned && (can_write(store) || (is_last && has_writes(store))))
            step(store, write_all);
        if (can_read(store) && !is_last)
            step(store, read_one);
        if (is_last)
            return NULL;
        if (store->backup != NULL)
            step(store, go_on_with_backup);
        step(store, keep_house);
        if (!can_write(store) && !can_read(store) && store->backup == NULL &&
            !can_do_chores(store))
            sleep_until_work(store);
    }
}

/* --- Life --- */

static void begin_closing(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    store->is_closing = true;
    pthread_mutex_unlock(&store->lock);
}

static void stop_reader(struct store *store)
{
    if (store->reader == NULL)
        return;
    wakeup_signal(&store->to_reader);
    pthread_join(store->reader_thread, NULL);
    store->reader = NULL;
}

bool store_thread_start(struct store *store)
{
    int code = 0;

    if (store->engine->reader != NULL) {
        if (!wakeup_open(&store->to_reader))
            return false;
        store->reader = store->engine->reader(store->log);
        code = thread_start(&store->reader_thread, work_reader, store);
        if (code != 0)
            store->reader = NULL;
    }
    if (code == 0)
        code = thread_start(&store->thread, work, store);
    store->is_running = code == 0;
    if (code == 0)
        return true;
    log_warn("store thread why=\"%s\"", strerror(code));
    begin_closing(store);
    stop_reader(store);
    return false;
}

void store_thread_stop(struct store *store)
{
    begin_closing(store);
    if (store->engine->hurry != NULL)
        store->engine->hurry(store->log, store->is_abandoned ? 0 : CLOSE_MS);
    wakeup_signal(&store->to_thread);
    pthread_join(store->thread, NULL);
    stop_reader(store);
}
