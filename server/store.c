/* See store.h. Two threads meet here: the loop's side copies what it wants into a job
 * and queues it; the store's thread does it and gives the job back with what came of
 * it.
 *
 * The thread takes everything that is queued, makes one transaction of all that writes,
 * and gives those jobs back once it is on disk; then it does one of those that read,
 * and looks again. So writers share a sync, readers never hold them up for long, and a
 * read sees every write that was queued before it, unless the disk is full. */
#include "server/store.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/log.h"
#include "common/mem.h"
#include "common/mono.h"
#include "server/bell.h"
#include "server/store_db.h"
#include "server/store_job.h"

enum {
    RETRY_MS = 1000,         /* between two tries on a full disk */
    CHUNK_ROWS = 256,        /* of a long game, read at a time */
    CHECKPOINT_PAGES = 1000, /* in the log: bring them home when there is time, */
    CHECKPOINT_MUST = 8000,  /* and in any case (32 MB) */
    SLOW_US = 2000000        /* a commit that the host should know of */
};

struct store {
    /* The loop's. */
    struct event_base *base;
    struct event *on_bell;
    bool is_begun; /* a job was queued: nobody else may touch the database now */
    int64_t next_game;
    bool is_together; /* jobs are collected in together */
    struct store_job *together;
    struct store_counts counts;
    void (*trouble)(void *arg, bool is_stuck);
    void *trouble_arg;

    /* Between both, under the lock. */
    pthread_mutex_t lock;
    struct store_job *inbox;  /* to do */
    struct store_job *outbox; /* done */
    struct store_counts counted;
    bool is_closing;
    struct bell to_thread, to_loop; /* rung when a list ceases to be empty */

    /* The thread's. */
    pthread_t thread;
    bool is_running;
    struct store_db *db;
    struct store_job *writes, *reads; /* taken from the inbox, not done yet */
    bool is_stuck;                    /* the disk is full: writes wait */
    int64_t retry_at_ms;              /* when stuck, or after a failed checkpoint */
};

/* --- The thread: writing ------------------------------------------------------ */

static bool write_job(struct store_db *db, const struct store_job *job)
{
    switch (job->kind) {
    case STORE_JOB_EVENTS:
        return store_db_put_events(db, job->events.game, job->events.first,
                                   job->events.texts, job->events.count,
                                   job->events.wall_s) &&
               (!job->events.has_summary ||
                store_db_put_end(db, job->events.game, &job->events.summary,
                                 job->events.wall_s));
    case STORE_JOB_NAME:
        return store_db_put_name(db, &job->name);
    case STORE_JOB_INVITE:
        return store_db_put_invite(db, &job->invite);
    case STORE_JOB_DROP_INVITE:
        return store_db_drop_invite(db, job->invite.code);
    default:
        die("store bug=\"a job that writes nothing\"");
    }
}

/* All or none. False: the disk is full. A log whose pages are home is written from its
 * start again, so after a failure that may be all the room that is needed. */
static bool commit_all(struct store *store)
{
    struct store_db *db = store->db;
    const struct store_job *job;

    if (store->is_stuck && !store_db_checkpoint(db))
        log_debug("store disk=full");
    if (!store_db_begin(db))
        return false;
    DL_FOREACH (store->writes, job)
        if (!write_job(db, job))
            return false;
    return store_db_commit(db);
}

/* Gives a list of jobs back to the loop. */
static void give_back(struct store *store, struct store_job *jobs)
{
    bool was_empty;

    pthread_mutex_lock(&store->lock);
    was_empty = store->outbox == NULL;
    DL_CONCAT(store->outbox, jobs);
    pthread_mutex_unlock(&store->lock);
    if (was_empty)
        bell_ring(&store->to_loop);
}

static void count_commit(struct store *store, int64_t took_us)
{
    struct store_counts news = {.commits = 1};
    const struct store_job *job;

    DL_FOREACH (store->writes, job) {
        news.batches++;
        if (job->kind == STORE_JOB_EVENTS)
            news.events += (uint64_t)job->events.count;
    }
    pthread_mutex_lock(&store->lock);
    store->counted.commits++;
    store->counted.batches += news.batches;
    store->counted.events += news.events;
    if (took_us > store->counted.commit_us_max)
        store->counted.commit_us_max = took_us;
    pthread_mutex_unlock(&store->lock);
    if (took_us > SLOW_US)
        log_warn("store slow commit_ms=%lld", (long long)(took_us / 1000));
}

static void set_stuck(struct store *store, bool is_stuck)
{
    struct store_job *news = NULL;

    if (store->is_stuck == is_stuck)
        return;
    store->is_stuck = is_stuck;
    log_warn("store disk=%s", is_stuck ? "full" : "writable");
    DL_APPEND(news, store_job_trouble(is_stuck));
    give_back(store, news);
}

static void write_all(struct store *store)
{
    int64_t began_us = mono_now_us();

    if (!commit_all(store)) {
        store->retry_at_ms = mono_now_ms() + RETRY_MS;
        set_stuck(store, true);
        return;
    }
    count_commit(store, mono_now_us() - began_us);
    set_stuck(store, false);
    give_back(store, store->writes);
    store->writes = NULL;
}

/* --- The thread: reading and keeping house -------------------------------------- */

static void read_one(struct store *store)
{
    struct store_job *job = store->reads, *alone = NULL;

    DL_DELETE(store->reads, job);
    if (job->kind == STORE_JOB_GAME)
        store_db_read_game(store->db, job->query.game, job->query.first,
                           job->query.limit, store_job_add_event, job);
    else
        store_db_read_history(store->db, job->query.folded, job->query.limit,
                              store_job_add_past, job);
    DL_APPEND(alone, job);
    give_back(store, alone);
}

/* Bringing pages home costs tens of milliseconds that a mover would have to wait for,
 * so it is done when nobody waits, unless the log has grown too long. */
static void checkpoint(struct store *store)
{
    int pages = store_db_waiting_pages(store->db);
    bool is_idle = store->writes == NULL && store->reads == NULL;

    if (pages < CHECKPOINT_PAGES || (!is_idle && pages < CHECKPOINT_MUST) ||
        mono_now_ms() < store->retry_at_ms)
        return;
    if (!store_db_checkpoint(store->db))
        store->retry_at_ms = mono_now_ms() + RETRY_MS;
}

static void take_inbox(struct store *store)
{
    struct store_job *jobs, *job, *next;

    pthread_mutex_lock(&store->lock);
    jobs = store->inbox;
    store->inbox = NULL;
    pthread_mutex_unlock(&store->lock);
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
    return store->writes != NULL &&
           (!store->is_stuck || mono_now_ms() >= store->retry_at_ms);
}

/* Sleeps until the bell rings, or until it is time to try the full disk again. */
static void sleep_until_work(struct store *store)
{
    struct pollfd bell = {.fd = store->to_thread.heard_fd, .events = POLLIN};
    int64_t wait_ms = -1;

    if (store->is_stuck) {
        wait_ms = store->retry_at_ms - mono_now_ms();
        wait_ms = wait_ms < 0 ? 0 : wait_ms;
    }
    if (poll(&bell, 1, (int)wait_ms) > 0)
        bell_quiet(&store->to_thread);
}

static bool is_closing(struct store *store)
{
    bool answer;

    pthread_mutex_lock(&store->lock);
    answer = store->is_closing;
    pthread_mutex_unlock(&store->lock);
    return answer;
}

/* Closing is seen before the inbox is taken, so whatever was queued before it is done.
 * A full disk is tried once more and then given up: nobody was told that those were
 * kept.
 */
static void *work(void *arg)
{
    struct store *store = arg;

    for (;;) {
        bool is_last = is_closing(store);

        take_inbox(store);
        if (can_write(store) || (is_last && store->writes != NULL))
            write_all(store);
        if (store->reads != NULL && !is_last)
            read_one(store);
        if (is_last)
            return NULL;
        checkpoint(store);
        if (!can_write(store) && store->reads == NULL)
            sleep_until_work(store);
    }
}

/* --- The loop's side: answers ---------------------------------------------------- */

/* Hands a list of jobs to the thread: it takes all of them or none. */
static void hand_over(struct store *store, struct store_job *jobs)
{
    bool was_empty;

    pthread_mutex_lock(&store->lock);
    was_empty = store->inbox == NULL;
    DL_CONCAT(store->inbox, jobs);
    pthread_mutex_unlock(&store->lock);
    if (was_empty)
        bell_ring(&store->to_thread);
}

static void queue(struct store *store, struct store_job *job)
{
    struct store_job *alone = NULL;

    store->is_begun = true;
    if (store->is_together) {
        DL_APPEND(store->together, job);
        return;
    }
    DL_APPEND(alone, job);
    hand_over(store, alone);
}

void store_begin_together(struct store *store)
{
    assert(!store->is_together);
    store->is_together = true;
}

void store_end_together(struct store *store)
{
    struct store_job *jobs = store->together;

    assert(store->is_together);
    store->is_together = false;
    store->together = NULL;
    if (jobs != NULL)
        hand_over(store, jobs);
}

static void answer_write(struct store_job *job)
{
    if (job->done != NULL)
        job->done(job->arg);
    store_job_free(job);
}

/* A game that filled its chunk is asked for again from there. */
static void answer_game(struct store *store, struct store_job *job)
{
    struct store_row *row;
    bool is_more = job->row_count == job->query.limit;

    DL_FOREACH (job->rows, row)
        job->event_row(job->arg, row->game, row->number, row->text, row->wall_s);
    job->query.first += job->row_count;
    store_job_free_rows(job);
    if (is_more) {
        queue(store, job);
        return;
    }
    job->read(job->arg, job->query.first);
    store_job_free(job);
}

static void answer_history(struct store_job *job)
{
    struct store_row *row;

    DL_FOREACH (job->rows, row)
        job->past_row(job->arg, &row->past);
    job->read(job->arg, job->row_count);
    store_job_free(job);
}

static void answer_trouble(struct store *store, struct store_job *job)
{
    if (store->trouble != NULL)
        store->trouble(store->trouble_arg, job->is_stuck);
    store_job_free(job);
}

static void answer(struct store *store, struct store_job *job)
{
    if (job->kind == STORE_JOB_GAME)
        answer_game(store, job);
    else if (job->kind == STORE_JOB_HISTORY)
        answer_history(job);
    else if (job->kind == STORE_JOB_TROUBLE)
        answer_trouble(store, job);
    else
        answer_write(job);
}

static void on_bell(evutil_socket_t fd, short what, void *arg)
{
    struct store *store = arg;
    struct store_job *jobs, *job, *next;

    (void)fd;
    (void)what;
    bell_quiet(&store->to_loop);
    pthread_mutex_lock(&store->lock);
    jobs = store->outbox;
    store->outbox = NULL;
    store->counts = store->counted;
    pthread_mutex_unlock(&store->lock);
    DL_FOREACH_SAFE (jobs, job, next) {
        DL_DELETE(jobs, job);
        answer(store, job);
    }
}

/* --- The loop's side: requests ---------------------------------------------------- */

void store_append(struct store *store, int64_t game, int first,
                  const char *const text[], int count,
                  const struct store_summary *summary, store_done_fn *done, void *arg)
{
    struct store_job *job =
        store_job_events(game, first, text, count, summary, wall_now_s());

    if (game >= store->next_game)
        store->next_game = game + 1;
    job->done = done;
    job->arg = arg;
    queue(store, job);
}

void store_put_name(struct store *store, const struct store_name *name,
                    store_done_fn *done, void *arg)
{
    struct store_job *job = store_job_name(name);

    job->done = done;
    job->arg = arg;
    queue(store, job);
}

void store_put_invite(struct store *store, const struct store_invite *invite,
                      store_done_fn *done, void *arg)
{
    struct store_job *job = store_job_invite(invite);

    job->done = done;
    job->arg = arg;
    queue(store, job);
}

void store_drop_invite(struct store *store, const char *code)
{
    queue(store, store_job_drop_invite(code));
}

void store_read_game(struct store *store, int64_t game, store_event_fn *row,
                     store_read_fn *done, void *arg)
{
    struct store_job *job = store_job_game(game, CHUNK_ROWS);

    job->event_row = row;
    job->read = done;
    job->arg = arg;
    queue(store, job);
}

void store_read_history(struct store *store, const char *folded, int limit,
                        store_past_fn *row, store_read_fn *done, void *arg)
{
    struct store_job *job = store_job_history(folded, limit);

    job->past_row = row;
    job->read = done;
    job->arg = arg;
    queue(store, job);
}

void store_on_trouble(struct store *store, void (*trouble)(void *arg, bool is_stuck),
                      void *arg)
{
    store->trouble = trouble;
    store->trouble_arg = arg;
}

struct store_counts store_counts(const struct store *store)
{
    return store->counts;
}

/* --- At start, on the caller's thread: the store's own one still sleeps -------------
 */

bool store_load_running(struct store *store, store_event_fn *row, void *arg)
{
    assert(!store->is_begun);
    return store_db_load_running(store->db, row, arg);
}

bool store_load_names(struct store *store, store_name_fn *row, void *arg)
{
    assert(!store->is_begun);
    return store_db_load_names(store->db, row, arg);
}

bool store_load_invites(struct store *store, store_invite_fn *row, void *arg)
{
    assert(!store->is_begun);
    return store_db_load_invites(store->db, row, arg);
}

int64_t store_next_game(const struct store *store)
{
    return store->next_game;
}

/* --- Life ----------------------------------------------------------------------------
 */

/* Signals are the loop's: the new thread inherits that all are blocked. */
static bool start_thread(struct store *store)
{
    sigset_t all, before;
    int code;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&store->thread, NULL, work, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    store->is_running = code == 0;
    if (code != 0)
        log_warn("store thread why=\"%s\"", strerror(code));
    return code == 0;
}

static bool listen_to_thread(struct store *store)
{
    if (!bell_open(&store->to_thread) || !bell_open(&store->to_loop))
        return false;
    store->on_bell = event_new(store->base, store->to_loop.heard_fd,
                               EV_READ | EV_PERSIST, on_bell, store);
    return store->on_bell != NULL && event_add(store->on_bell, NULL) == 0;
}

struct store *store_open(struct event_base *base, const char *directory)
{
    struct store *store = mem_new(sizeof *store);
    int why;

    signal(SIGXFSZ, SIG_IGN); /* a limit of file size is a full disk, not a death */
    store->base = base;
    store->to_thread = store->to_loop = (struct bell){-1, -1};
    pthread_mutex_init(&store->lock, NULL);
    store->db = store_db_open(directory);
    if (store->db == NULL || !store_db_last_game(store->db, &store->next_game))
        goto fail;
    store->next_game++;
    if (listen_to_thread(store) && start_thread(store))
        return store;

fail:
    why = errno;
    store_close(store);
    errno = why;
    return NULL;
}

static void stop_thread(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    store->is_closing = true;
    pthread_mutex_unlock(&store->lock);
    bell_ring(&store->to_thread);
    pthread_join(store->thread, NULL);
}

/* Jobs that nobody is told of any more. */
static int discard(struct store_job *jobs)
{
    struct store_job *job, *next;
    int count = 0;

    DL_FOREACH_SAFE (jobs, job, next) {
        store_job_free(job);
        count++;
    }
    return count;
}

void store_close(struct store *store)
{
    int unwritten;

    if (store == NULL)
        return;
    if (store->is_running)
        stop_thread(store);
    unwritten = discard(store->writes);
    if (unwritten > 0)
        log_warn("store disk=full unwritten=%d : none of them was answered", unwritten);
    discard(store->reads);
    discard(store->outbox);
    if (store->on_bell != NULL)
        event_free(store->on_bell);
    bell_close(&store->to_thread);
    bell_close(&store->to_loop);
    store_db_close(store->db);
    pthread_mutex_destroy(&store->lock);
    free(store);
}
