/* See store_thread.h. The store's thread takes all queued jobs, and runs all write jobs
 * in one transaction. When the transaction is on disk, the thread returns the write
 * jobs. Then it runs one read job, and checks the queue again. So the write jobs share
 * a sync, and a read job does not delay them for long. A read sees every write that was
 * queued before it, unless the disk is full. */
#include "server/store/store_thread.h"

#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/system/thread.h"
#include "common/system/wakeup.h"
#include "server/store/store_copy.h"

enum {
    RETRY_MS = 1000,     /* time between two attempts while the disk is full */
    AWAY_RETRY_MS = 200, /* time between two attempts while a database server is away;
                          * it may be back any moment */
    SLOW_US = 2000000,   /* a commit this slow is logged */
    CLOSE_MS = 10000     /* when the server ends: the longest time spent on writing what
                          * is still queued */
};

/* --- Jobs: one allocation, the struct followed by its texts --- */

static struct store_job *job_new(enum store_job_kind kind, size_t text_bytes)
{
    struct store_job *job = mem_new(sizeof *job + text_bytes);

    job->kind = kind;
    return job;
}

static struct store_job *job_writing(enum store_write_kind kind, size_t text_bytes)
{
    struct store_job *job = job_new(STORE_JOB_WRITE, text_bytes);

    job->write.kind = kind;
    return job;
}

static struct store_job *job_about(enum store_job_kind kind, const char *folded)
{
    struct store_job *job = job_new(kind, strlen(folded) + 1);
    char *at = job->bytes;

    job->query.folded = text_pack(&at, folded);
    return job;
}

struct store_job *store_job_events(int64_t game, int first, const char *const text[],
                                   int count, const struct store_ending *ending,
                                   int64_t wall_s, int64_t age_ms)
{
    struct store_game row = {.summary = ending != NULL ? ending->summary
                                                       : (struct store_summary){0}};
    size_t texts = 0, log = 0;
    struct store_job *job;
    char *at;

    assert(count > 0 && (first >= 0 || first == STORE_AFTER_DAMAGE));
    for (int i = 0; i < count; i++)
        texts += strlen(text[i]) + 1;
    if (ending != NULL)
        log = strlen(ending->before) + sizeof STORE_LOG_DAMAGED + texts + 1 +
              store_row_bytes(STORE_GAME, &row);
    job = job_writing(STORE_WRITE_EVENTS, texts + log);
    at = job->bytes;
    job->write.events = (struct store_batch){.game = game,
                                             .first = first,
                                             .count = count,
                                             .wall_s = wall_s,
                                             .age_ms = age_ms,
                                             .texts = at,
                                             .has_summary = ending != NULL};
    for (int i = 0; i < count; i++)
        text_pack(&at, text[i]);
    if (ending == NULL)
        return job;
    store_row_pack(STORE_GAME, &row, &at);
    job->write.events.summary = row.summary;
    job->write.events.log = at;
    at = stpcpy(at, ending->before);
    if (first == STORE_AFTER_DAMAGE)
        at = stpcpy(at, STORE_LOG_DAMAGED "\n");
    for (int i = 0; i < count; i++)
        at = stpcpy(stpcpy(at, text[i]), "\n");
    return job;
}

struct store_job *store_job_row(enum store_write_kind what, enum store_kind kind,
                                const void *row, int keys)
{
    struct store_job *job = job_writing(what, store_row_bytes(kind, row));
    char *at = job->bytes;

    job->write.row.kind = kind;
    job->write.row.keys = keys;
    memcpy(&job->write.row.of, row, store_row_layouts[kind].size);
    store_row_pack(kind, &job->write.row.of, &at);
    return job;
}

struct store_job *store_job_prune(int64_t before_wall_s, int64_t game)
{
    struct store_job *job = job_writing(STORE_WRITE_PRUNE, 0);

    job->write.prune.before_wall_s = before_wall_s;
    job->write.prune.game = game;
    return job;
}

struct store_job *store_job_trouble(enum store_trouble trouble)
{
    struct store_job *job = job_new(STORE_JOB_TROUBLE, 0);

    job->trouble = trouble;
    return job;
}

struct store_job *store_job_game(int64_t game)
{
    struct store_job *job = job_new(STORE_JOB_GAME, 0);

    job->query.game = game;
    return job;
}

struct store_job *store_job_history(const char *folded, int64_t first, int limit)
{
    struct store_job *job = job_about(STORE_JOB_HISTORY, folded);

    job->query.game = first;
    job->query.limit = limit;
    return job;
}

struct store_job *store_job_unseen(const char *folded)
{
    return job_about(STORE_JOB_UNSEEN, folded);
}

struct store_job *store_job_backup(const char *path)
{
    struct store_job *job = job_new(STORE_JOB_BACKUP, strlen(path) + 1);
    char *at = job->bytes;

    job->backup.path = text_pack(&at, path);
    return job;
}

struct store_job *store_job_reserve(int64_t bytes)
{
    struct store_job *job = job_new(STORE_JOB_RESERVE, 0);

    job->reserve_bytes = bytes;
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

/* --- Rows --- */

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
    char *at = row->bytes;

    row->event = *event;
    row->event.text = text_pack(&at, event->text);
}

static void add_past(void *arg, const struct store_past *past)
{
    struct store_found *row = add_row(arg, store_data_summary_bytes(past->summary));
    char *at = row->bytes;

    row->past = *past;
    store_data_pack_summary(&row->past.summary, &at);
}

/* Returns a list of jobs to the loop. */
static void give_back(struct store *store, struct store_job *jobs)
{
    bool was_empty;

    if (jobs == NULL)
        return;
    pthread_mutex_lock(&store->lock);
    was_empty = store->outbox == NULL;
    DL_CONCAT(store->outbox, jobs);
    pthread_mutex_unlock(&store->lock);
    if (was_empty)
        wakeup_signal(&store->to_loop);
}

static void give_one_back(struct store *store, struct store_job *job)
{
    struct store_job *alone = NULL;

    DL_APPEND(alone, job);
    give_back(store, alone);
}

/* --- The reader: a second thread, for an engine that reads on a connection of its own, so that
 * a long history does not delay a commit --- */

struct store_reader {
    struct store *store;
    void *log; /* the engine's reader */
    pthread_t thread;
    struct wakeup wakeup;

    /* Shared, under the lock. */
    pthread_mutex_t lock;
    struct store_job *inbox;
    bool is_closing;
};

/* Runs a reading job on the caller's thread. False: an outage; the job is unchanged. */
static bool read_rows(const struct store_engine *engine, void *log,
                      struct store_job *job)
{
    int count = 0;
    bool is_read = job->kind == STORE_JOB_GAME
                       ? engine->read_game(log, job->query.game, add_event, job, &count)
                   : job->kind == STORE_JOB_HISTORY
                       ? engine->read_history(log, job->query.folded, job->query.game,
                                              job->query.limit, add_past, job)
                       : engine->read_unseen(log, job->query.folded, add_past, job);

    if (!is_read)
        free_rows(job);
    else if (job->kind == STORE_JOB_GAME)
        job->row_count = count;
    return is_read;
}

static struct store_job *take_for_reader(struct store_reader *reader, bool *is_closing)
{
    struct store_job *job;

    pthread_mutex_lock(&reader->lock);
    job = reader->inbox;
    *is_closing = reader->is_closing;
    if (job != NULL && !*is_closing)
        DL_DELETE(reader->inbox, job);
    pthread_mutex_unlock(&reader->lock);
    return *is_closing ? NULL : job;
}

static void put_back(struct store_reader *reader, struct store_job *job)
{
    pthread_mutex_lock(&reader->lock);
    DL_PREPEND(reader->inbox, job);
    pthread_mutex_unlock(&reader->lock);
}

static void sleep_reader(struct store_reader *reader, int ms)
{
    struct pollfd wakeup = {.fd = reader->wakeup.read_fd, .events = POLLIN};

    if (poll(&wakeup, 1, ms) > 0)
        wakeup_clear(&reader->wakeup);
}

static void *work_reader(void *arg)
{
    struct store_reader *reader = arg;
    bool is_closing;

    for (;;) {
        struct store_job *job = take_for_reader(reader, &is_closing);

        if (is_closing)
            return NULL;
        if (job == NULL) {
            sleep_reader(reader, -1);
        } else if (read_rows(reader->store->engine, reader->log, job)) {
            give_one_back(reader->store, job);
        } else {
            put_back(reader, job);
            sleep_reader(reader, RETRY_MS);
        }
    }
}

static void free_reader(struct store_reader *reader)
{
    struct store_job *job, *next;

    DL_FOREACH_SAFE (reader->inbox, job, next)
        store_job_free(job);
    reader->store->engine->close_reader(reader->log);
    wakeup_close(&reader->wakeup);
    pthread_mutex_destroy(&reader->lock);
    free(reader);
}

/* Returns NULL after logging. */
static struct store_reader *start_reader(struct store *store)
{
    struct store_reader *reader = mem_new(sizeof *reader);
    int code;

    reader->store = store;
    reader->wakeup = (struct wakeup){-1, -1};
    pthread_mutex_init(&reader->lock, NULL);
    reader->log = store->engine->open_reader(store->log);
    if (wakeup_open(&reader->wakeup)) {
        code = thread_start(&reader->thread, work_reader, reader);
        if (code == 0)
            return reader;
        log_warn("store thread why=\"%s\"", strerror(code));
    }
    free_reader(reader);
    return NULL;
}

static void stop_reader(struct store_reader *reader)
{
    if (reader == NULL)
        return;
    pthread_mutex_lock(&reader->lock);
    reader->is_closing = true;
    pthread_mutex_unlock(&reader->lock);
    wakeup_signal(&reader->wakeup);
    pthread_join(reader->thread, NULL);
    free_reader(reader);
}

static void add_to_reader(struct store_reader *reader, struct store_job *job)
{
    pthread_mutex_lock(&reader->lock);
    DL_APPEND(reader->inbox, job);
    pthread_mutex_unlock(&reader->lock);
    wakeup_signal(&reader->wakeup);
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

static void count_commit(struct store *store, int64_t took_us)
{
    struct store_counts news = {.commits = 1};
    const struct store_job *job;

    DL_FOREACH (store->batch, job) {
        news.batches++;
        if (job->write.kind == STORE_WRITE_EVENTS)
            news.events += (uint64_t)job->write.events.count;
    }
    pthread_mutex_lock(&store->lock);
    store->counted.commits++;
    store->counted.batches += news.batches;
    store->counted.events += news.events;
    store->counted.commit_us_sum += took_us;
    store->counted.committed_ms = mono_now_ms();
    if (took_us > store->counted.commit_us_max)
        store->counted.commit_us_max = took_us;
    pthread_mutex_unlock(&store->lock);
    if (took_us > SLOW_US)
        log_warn("store slow commit_ms=%lld", (long long)(took_us / 1000));
}

/* Measures the size of the database only once in about 64 commits (EVERY). The limit
 * for the size need not be exact. */
static void measure(struct store *store)
{
    enum { EVERY = 64 };
    int64_t bytes;

    if (store->measure_in-- > 0)
        return;
    store->measure_in = EVERY;
    bytes = store->engine->bytes(store->log);
    pthread_mutex_lock(&store->lock);
    store->counted.bytes = bytes;
    pthread_mutex_unlock(&store->lock);
}

static bool is_lost(const struct store *store)
{
    return store->engine->is_lost != NULL && store->engine->is_lost(store->log);
}

/* Records that an outage has begun or ended. Returns a job that tells the loop about
 * the change, for give_back(). Returns NULL if nothing has changed. */
static struct store_job *set_stuck(struct store *store, bool is_stuck)
{
    enum store_trouble outage = is_lost(store) ? STORE_LOST : store->engine->outage;
    struct store_job *news = NULL;

    if (store->is_stuck == is_stuck && (outage != STORE_LOST || store->is_lost))
        return NULL;
    store->is_lost = outage == STORE_LOST;
    store->is_stuck = is_stuck;
    if (outage == STORE_FULL)
        log_warn("store disk=%s", is_stuck ? "full" : "writable");
    DL_APPEND(news, store_job_trouble(is_stuck ? outage : STORE_OK_AGAIN));
    return news;
}

/* Frees the disk space of the reserve. Returns false if there was no reserve. */
static bool give_room(struct store *store)
{
    if (!store_reserve_release(&store->reserve))
        return false;
    log_warn(
        "store disk=full reserve=given bytes=%lld : play goes on for a while; make "
        "room",
        (long long)store->reserve.bytes);
    return true;
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
    struct store_job *done;

    if (!commit_all(store) && !(give_room(store) && commit_all(store))) {
        store->is_batch_tried = store->batch != NULL;
        retry_later(store);
        give_back(store, set_stuck(store, true));
        return false;
    }
    if (store->batch != NULL) {
        atomic_store(&store->gate.synced, store->batch->prev->number);
        count_commit(store, mono_now_us() - began_us);
        measure(store);
    }
    done = set_stuck(store, false);
    DL_CONCAT(done, store->batch);
    give_back(store, done);
    store->batch = NULL;
    store->is_batch_tried = false;
    return true;
}

/* Adds waiting writes to the batch. If the outcome of the batch may be unknown, the
 * batch stays as it is. If the disk was full, the batch was rolled back. Then all
 * waiting writes are added, so that the outage ends only when there is room for all of
 * them. */
static void fill_batch(struct store *store)
{
    if (store->batch != NULL && store->engine->outage != STORE_FULL)
        return;
    DL_CONCAT(store->batch, store->writes);
    store->writes = NULL;
}

static void write_all(struct store *store)
{
    do {
        fill_batch(store);
    } while (write_batch(store) && store->writes != NULL);
}

/* --- Reading and keeping house --- */

static void begin_backup(struct store *store, struct store_job *job)
{
    if (store->backup != NULL) {
        text_copy(job->backup.why, sizeof job->backup.why,
                  "another backup is being made");
        give_one_back(store, job);
        return;
    }
    store->backup =
        store->engine->backup(store->log, job->backup.path, job->backup.why);
    if (store->backup != NULL)
        store->backup_job = job;
    else
        give_one_back(store, job);
}

static void go_on_with_backup(struct store *store)
{
    struct store_job *job = store->backup_job;
    enum store_backup_state state = store_backup_step(store->backup, job->backup.why);

    if (state == STORE_BACKUP_GOES_ON)
        return;
    job->backup.is_done = state == STORE_BACKUP_DONE;
    store_backup_free(store->backup);
    store->backup = NULL;
    store->backup_job = NULL;
    give_one_back(store, job);
}

static void read_one(struct store *store)
{
    struct store_job *job = store->reads;

    DL_DELETE(store->reads, job);
    if (job->kind == STORE_JOB_BACKUP) {
        begin_backup(store, job);
        return;
    }
    if (job->kind == STORE_JOB_RESERVE) {
        store_reserve_keep(&store->reserve, store->directory, job->reserve_bytes);
    } else if (store->reader != NULL) {
        add_to_reader(store->reader, job);
        return;
    } else if (!read_rows(store->engine, store->log, job)) {
        log_die("store bug=\"a reader of its own is missing\"");
    }
    give_one_back(store, job);
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
            give_back(store, set_stuck(store, true));
    }
    if (!store->is_stuck)
        store_reserve_renew(&store->reserve, mono_now_ms());
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
        if (store_job_is_read(job))
            DL_APPEND(store->reads, job);
        else
            DL_APPEND(store->writes, job);
    }
}

static bool can_write(const struct store *store)
{
    return (has_writes(store) || store->is_stuck) &&
           (!store->is_stuck || mono_now_ms() >= store->retry_at_ms);
}

/* Returns how many milliseconds the thread may sleep; -1: until it is woken. */
static int sleep_ms(const struct store *store, int64_t now_ms)
{
    int64_t due_ms =
        store->is_stuck ? store->retry_at_ms : store_reserve_due_ms(&store->reserve);
    int chores_ms = store->engine->chores_ms;

    if (chores_ms > 0 && store->has_begun && due_ms > now_ms + chores_ms)
        due_ms = now_ms + chores_ms;
    if (due_ms == INT64_MAX)
        return -1;
    return due_ms > now_ms ? (int)(due_ms - now_ms) : 0;
}

static void sleep_until_work(struct store *store)
{
    struct pollfd wakeup = {.fd = store->to_thread.read_fd, .events = POLLIN};

    if (poll(&wakeup, 1, sleep_ms(store, mono_now_ms())) > 0)
        wakeup_clear(&store->to_thread);
}

/* Returns true if the store is closing. *is_abandoned: the thread must not write a last
 * batch. */
static bool is_closing(struct store *store, bool *is_abandoned)
{
    bool answer;

    pthread_mutex_lock(&store->lock);
    answer = store->is_closing;
    *is_abandoned = store->is_abandoned;
    pthread_mutex_unlock(&store->lock);
    return answer;
}

/* Records that the thread begins a step of work (is_busy) or ends it, so that the loop
 * can see how long the step takes. */
static void set_busy(struct store *store, bool is_busy)
{
    pthread_mutex_lock(&store->lock);
    store->busy_since_ms = is_busy ? mono_now_ms() : 0;
    pthread_mutex_unlock(&store->lock);
}

static void step(struct store *store, void (*do_it)(struct store *store))
{
    set_busy(store, true);
    do_it(store);
    set_busy(store, false);
}

/* The main function of the thread. It reads is_closing before it takes the inbox, so
 * that nothing that was queued before the close is overlooked. At the close it tries
 * once to write what is queued, even during an outage. If that fails, it drops the
 * writes; no client has got an answer for them. */
static void *work(void *arg)
{
    struct store *store = arg;

    for (;;) {
        bool is_abandoned, is_last = is_closing(store, &is_abandoned);

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

bool store_thread_start(struct store *store)
{
    int code;

    if (store->engine->open_reader != NULL) {
        store->reader = start_reader(store);
        if (store->reader == NULL)
            return false;
    }
    code = thread_start(&store->thread, work, store);

    store->is_running = code == 0;
    if (code != 0)
        log_warn("store thread why=\"%s\"", strerror(code));
    return code == 0;
}

void store_thread_stop(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    store->is_closing = true;
    pthread_mutex_unlock(&store->lock);
    if (store->engine->hurry != NULL)
        store->engine->hurry(store->log, store->is_abandoned ? 0 : CLOSE_MS);
    wakeup_signal(&store->to_thread);
    pthread_join(store->thread, NULL);
    stop_reader(store->reader);
    store->reader = NULL;
}
