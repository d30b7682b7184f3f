/* See store.h. The loop's side of the store: copies the arguments of each call into a
 * job and queues it. store_thread.c runs the job on its thread and returns it with the
 * results. */
#include "server/store/store.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/system/program.h"
#include "server/base/config.h"
#include "server/base/timer.h"
#include "server/store/store_copy.h"
#include "server/store/store_db.h"
#include "server/store/store_thread.h"

enum {
    SLOW_MS = 2000,     /* a disk operation this slow is reported to the players */
    LOOK_MS = 500,      /* how often the loop looks for a slow operation */
    MINUTE_MS = 60000,  /* how often the age of the database is stored */
    HOUR_S = 3600,      /* how often the calendar is stored */
    CALENDAR_TIMES = 8, /* see store_calendar_s() */
    NUMBERS_AHEAD = 100 /* numbers that are reserved at a time; the next ones are
                         * reserved when half of them are used */
};

#define CALENDAR_MARK "calendar" /* the server's own mark; value: store_calendar_s() */

/* --- The engines --- */

/* The engine of a single server: a database file of SQLite in its data directory. */
static const struct store_engine store_sqlite = {.version = JANGGI_VERSION,
                                                 .outage = STORE_FULL,
                                                 .open = store_db_open,
                                                 .close = store_db_close,
                                                 .survey = store_db_survey,
                                                 .load = store_db_load,
                                                 .load_running = store_db_load_running,
                                                 .begin = store_db_begin,
                                                 .put = store_db_put,
                                                 .commit = store_db_commit,
                                                 .read_game = store_db_read_game,
                                                 .read_pasts = store_db_read_pasts,
                                                 .bytes = store_db_bytes,
                                                 .has_chores = store_db_has_chores,
                                                 .chores = store_db_chores,
                                                 .backup = store_backup_begin};

/* --- Trouble --- */

static void tell_trouble(struct store *store)
{
    enum store_trouble trouble = store->outage != STORE_OK_AGAIN ? store->outage
                                 : store->is_slow                ? STORE_SLOW
                                                                 : STORE_OK_AGAIN;

    if (trouble == store->told)
        return;
    store->told = trouble;
    if (store->trouble != NULL)
        store->trouble(store->trouble_arg, trouble);
}

/* Checks whether the current step of the thread is slow. A step counts as slow only if
 * the previous check has already seen the same step. Otherwise the disk may be fast,
 * and the step may be long only because this whole process was stopped for a time. */
static void look_for_slowness(struct store *store)
{
    int64_t since_ms;
    bool is_seen;

    pthread_mutex_lock(&store->lock);
    since_ms = store->busy_since_ms;
    pthread_mutex_unlock(&store->lock);
    is_seen = since_ms != 0 && since_ms == store->seen_since_ms;
    store->seen_since_ms = since_ms;
    if (is_seen && mono_now_ms() - since_ms >= SLOW_MS) {
        store->is_slow = true;
        store->slow_since_ms = since_ms;
    } else if (since_ms != store->slow_since_ms) {
        store->is_slow = false;
    }
    tell_trouble(store);
}

static void on_watch(evutil_socket_t fd, short what, void *arg)
{
    struct store *store = arg;

    (void)fd;
    (void)what;
    look_for_slowness(store);
    store->is_watching = store->queued > 0 || store->is_slow;
    if (store->is_watching)
        timer_start(store->watch, LOOK_MS);
}

/* --- Queue --- */

/* Passes the jobs of this turn of the loop to the thread, which takes all of them at
 * once. */
static void hand_over(struct store *store)
{
    bool was_empty;

    pthread_mutex_lock(&store->lock);
    was_empty = store->inbox == NULL;
    DL_CONCAT(store->inbox, store->turn);
    pthread_mutex_unlock(&store->lock);
    store->turn = NULL;
    if (was_empty)
        wakeup_signal(&store->to_thread);
}

static void on_turn_end(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    hand_over(arg);
}

/* Adds a job to the jobs of this turn of the loop. When the loop has handled everything
 * that was ready, all these jobs go to the thread together. So moves from different
 * sockets share a commit if they are handled in the same turn. For this, on_turn_end is
 * made active: libevent runs it after all events that are active already. */
static void queue(struct store *store, struct store_job *job)
{
    store->is_begun = true;
    store->queued++;
    if (job->kind == STORE_JOB_WRITE)
        job->number = gate_queue(&store->gate);
    if (!store->is_watching)
        timer_start(store->watch, LOOK_MS);
    store->is_watching = true;
    if (store->turn == NULL)
        event_active(store->on_turn_end, 0, 0);
    DL_APPEND(store->turn, job);
}

static void queue_row(struct store *store, enum store_write_kind what,
                      enum store_kind kind, const void *row, int keys)
{
    struct store_job *job = store_job_new(STORE_JOB_WRITE, store_row_bytes(kind, row));
    char *at = job->bytes;

    job->write.kind = what;
    job->write.row.kind = kind;
    job->write.row.keys = keys;
    memcpy(&job->write.row.of, row, store_row_layouts[kind].size);
    store_row_pack(kind, &job->write.row.of, &at);
    queue(store, job);
}

void store_put(struct store *store, enum store_kind kind, const void *row)
{
    queue_row(store, STORE_WRITE_PUT, kind, row, 0);
}

void store_drop(struct store *store, enum store_kind kind, const void *row, int keys)
{
    queue_row(store, STORE_WRITE_DROP, kind, row, keys);
}

static void queue_pruning(struct store *store, struct store_pruning prune,
                          store_read_fn *done, void *arg)
{
    struct store_job *job = store_job_new(STORE_JOB_WRITE, 0);

    job->write.kind = STORE_WRITE_PRUNE;
    job->write.prune = prune;
    job->read = done;
    job->arg = arg;
    queue(store, job);
}

void store_prune_game(struct store *store, int64_t game, store_read_fn *done, void *arg)
{
    queue_pruning(store, (struct store_pruning){.game = game}, done, arg);
}

static void prune_aborted(struct store *store)
{
    if (store->keep_aborted_s == 0 || store->is_prune_queued)
        return;
    store->is_prune_queued = true;
    queue_pruning(store,
                  (struct store_pruning){.before_wall_s = store_calendar_s(store) -
                                                          store->keep_aborted_s},
                  NULL, NULL);
}

void store_keep_aborted(struct store *store, int64_t seconds)
{
    store->keep_aborted_s = seconds;
    prune_aborted(store);
}

/* --- Answers of the thread --- */

static bool is_age(const struct store_job *job)
{
    return job->kind == STORE_JOB_WRITE && job->write.kind == STORE_WRITE_PUT &&
           job->write.row.kind == STORE_AGE;
}

static void answer(struct store *store, struct store_job *job)
{
    struct store_found *row;

    if (job->kind == STORE_JOB_BACKUP) {
        job->backup.done(job->arg, job->backup.why[0] == '\0' ? NULL : job->backup.why);
    } else if (job->kind == STORE_JOB_GAME || job->kind == STORE_JOB_PASTS) {
        DL_FOREACH (job->rows, row)
            if (job->kind == STORE_JOB_GAME)
                job->event_row(job->arg, &row->event);
            else
                job->past_row(job->arg, &row->past);
        job->read(job->arg, job->row_count);
    } else if (is_age(job)) {
        store->is_age_queued = false;
    } else if (job->kind == STORE_JOB_WRITE && job->write.kind == STORE_WRITE_PRUNE) {
        int pruned = job->write.prune.pruned;

        if (job->read != NULL) {
            job->read(job->arg, pruned);
        } else {
            store->is_prune_queued = false;
            if (pruned > 0)
                log_info("store pruned=%d kind=aborted", pruned);
            if (pruned != 0) /* there may be more */
                prune_aborted(store);
        }
    }
    store_job_free(job);
}

static void on_wakeup(evutil_socket_t fd, short what, void *arg)
{
    struct store *store = arg;
    struct store_job *jobs, *job, *next;
    uint64_t durable = store->gate.durable;

    (void)fd;
    (void)what;
    wakeup_clear(&store->to_loop);
    pthread_mutex_lock(&store->lock);
    jobs = store->outbox;
    store->outbox = NULL;
    store->counts = store->counted;
    store->outage = store->found;
    pthread_mutex_unlock(&store->lock);
    DL_FOREACH (jobs, job)
        if (job->kind == STORE_JOB_WRITE)
            store->gate.durable = job->number;
    tell_trouble(store);
    DL_FOREACH_SAFE (jobs, job, next) {
        DL_DELETE(jobs, job);
        store->queued--;
        answer(store, job);
    }
    if (store->gate.durable > durable && store->durable != NULL)
        store->durable(store->durable_arg);
    if (store->is_slow)
        look_for_slowness(store);
}

struct gate *store_gate(struct store *store)
{
    return &store->gate;
}

void store_on_durable(struct store *store, store_durable_fn *durable, void *arg)
{
    store->durable = durable;
    store->durable_arg = arg;
}

bool store_is_idle(const struct store *store)
{
    return store->queued == 0;
}

bool store_flush(struct store *store)
{
    while (store->gate.durable < store->gate.newest && store->outage == STORE_OK_AGAIN)
        event_base_loop(store->base, EVLOOP_ONCE);
    return store->gate.durable == store->gate.newest;
}

/* --- Arguments --- */

struct store_arg {
    struct store *of;
    void (*drop)(void *arg);
    struct store_arg *prev, *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

void *store_arg_new(struct store *store, size_t size, void (*drop)(void *arg))
{
    struct store_arg *memory = mem_new(sizeof *memory + size);

    memory->of = store;
    memory->drop = drop;
    DL_APPEND(store->args, memory);
    return memory->bytes;
}

void store_arg_free(void *arg)
{
    struct store_arg *memory =
        (struct store_arg *)((unsigned char *)arg - offsetof(struct store_arg, bytes));

    DL_DELETE(memory->of->args, memory);
    free(memory);
}

/* --- Requests --- */

void store_append(struct store *store, int64_t game, int first,
                  const char *const text[], int count,
                  const struct store_ending *ending)
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
    job = store_job_new(STORE_JOB_WRITE, texts + log);
    at = job->bytes;
    job->write.kind = STORE_WRITE_EVENTS;
    job->write.events = (struct store_batch){.game = game,
                                             .first = first,
                                             .count = count,
                                             .wall_s = mono_wall_s(),
                                             .age_ms = store_age_ms(store),
                                             .texts = at,
                                             .has_summary = ending != NULL};
    for (int i = 0; i < count; i++)
        text_pack(&at, text[i]);
    if (ending != NULL) {
        store_row_pack(STORE_GAME, &row, &at);
        job->write.events.summary = row.summary;
        job->write.events.log = at;
        at = stpcpy(at, ending->before);
        if (first == STORE_AFTER_DAMAGE)
            at = stpcpy(at, STORE_LOG_DAMAGED "\n");
        for (int i = 0; i < count; i++)
            at = stpcpy(stpcpy(at, text[i]), "\n");
    }
    if (game >= store->next_game)
        store->next_game = game + 1;
    queue(store, job);
}

void store_drop_name(struct store *store, const char *folded)
{
    store_drop(store, STORE_NAME, &(struct store_name){.folded = folded}, 1);
    store_drop(store, STORE_DEVICE, &(struct store_device){.folded = folded}, 1);
    store_drop(store, STORE_MARK, &(struct store_mark){.owner = folded}, 1);
    store_drop(store, STORE_UNSEEN, &(struct store_unseen){.folded = folded}, 1);
}

int64_t store_append_act(struct store *store, int64_t wall_s, const char *actor,
                         const char *text)
{
    struct store_act act = {
        .id = ++store->last_act, .wall_s = wall_s, .actor = actor, .text = text};

    store_put(store, STORE_ACT, &act);
    return act.id;
}

void store_read_game(struct store *store, int64_t game, store_event_fn *row,
                     store_read_fn *done, void *arg)
{
    struct store_job *job = store_job_new(STORE_JOB_GAME, 0);

    job->query.game = game;
    job->event_row = row;
    job->read = done;
    job->arg = arg;
    queue(store, job);
}

void store_read_history(struct store *store, const char *folded, int64_t first,
                        int limit, store_past_fn *row, store_read_fn *done, void *arg)
{
    struct store_job *job = store_job_new(STORE_JOB_PASTS, strlen(folded) + 1);

    strcpy(job->bytes, folded);
    job->query.game = first;
    job->query.limit = limit;
    job->past_row = row;
    job->read = done;
    job->arg = arg;
    queue(store, job);
}

void store_read_unseen(struct store *store, const char *folded, store_past_fn *row,
                       store_read_fn *done, void *arg)
{
    store_read_history(store, folded, STORE_FIRST_UNSEEN, STORE_UNSEEN_MAX, row, done,
                       arg);
}

void store_backup(struct store *store, const char *path, store_backup_fn *done,
                  void *arg)
{
    struct store_job *job = store_job_new(STORE_JOB_BACKUP, strlen(path) + 1);

    strcpy(job->bytes, path);
    job->backup.done = done;
    job->arg = arg;
    queue(store, job);
}

void store_keep_reserve(struct store *store, int64_t bytes)
{
    struct store_job *job;

    if (store->engine->outage != STORE_FULL)
        return;
    job = store_job_new(STORE_JOB_RESERVE, 0);
    job->reserve_bytes = bytes;
    queue(store, job);
}

void store_on_trouble(struct store *store, store_trouble_fn *trouble, void *arg)
{
    store->trouble = trouble;
    store->trouble_arg = arg;
}

struct store_counts store_counts(const struct store *store)
{
    return store->counts;
}

/* --- Age and numbers --- */

int64_t store_age_ms(const struct store *store)
{
    return store->age_at_open_ms + mono_now_ms() - store->opened_ms;
}

int64_t store_calendar_s(struct store *store)
{
    int64_t age_s = store_age_ms(store) / 1000, wall_s = mono_wall_s();
    int64_t step_s = CALENDAR_TIMES * (age_s - store->calendar_age_s);
    int64_t behind_s = wall_s - store->calendar_s;

    store->calendar_age_s = age_s;
    if (behind_s < 0)
        return wall_s; /* the clock went back, perhaps for a moment */
    store->calendar_s += step_s < behind_s ? step_s : behind_s;
    return store->calendar_s;
}

static void on_calendar_mark(void *arg, const void *row)
{
    const struct store_mark *mark = row;
    struct store *store = arg;
    int64_t kept_s;

    if (mark->owner[0] == '\0' && strcmp(mark->kind, CALENDAR_MARK) == 0 &&
        text_to_int(mark->value, 0, INT64_MAX, &kept_s))
        store->calendar_s = store->calendar_kept_s = kept_s;
}

static void keep_age(struct store *store, int64_t number)
{
    struct store_age age = {.age_ms = store_age_ms(store), .number = number};

    store->is_age_queued = true;
    store_put(store, STORE_AGE, &age);
}

/* Reserves more numbers when half of the reserved ones are used, so that the others
 * last until the reservation is on disk. */
int64_t store_next_number(struct store *store)
{
    store->last_number++;
    if (store->last_number + NUMBERS_AHEAD / 2 > store->reserved_number) {
        store->reserved_number = store->last_number + NUMBERS_AHEAD;
        keep_age(store, store->reserved_number);
    }
    return store->last_number;
}

/* Reserves numbers before the first client connects, so that even the first number does
 * not depend on an unfinished write. If the disk is full, nothing is reserved here, and
 * the first call of store_next_number() queues a reservation. */
static void reserve_numbers(struct store *store)
{
    struct store_age age = {.age_ms = store_age_ms(store),
                            .number = store->last_number + NUMBERS_AHEAD};
    struct store_write write = {.kind = STORE_WRITE_PUT,
                                .row = {.kind = STORE_AGE, .of.age = age}};

    store->reserved_number = store->last_number;
    if (store->engine->begin(store->log, false) &&
        store->engine->put(store->log, &write) && store->engine->commit(store->log))
        store->reserved_number = age.number;
}

static void on_minute(evutil_socket_t fd, short what, void *arg)
{
    char calendar[32];
    const struct store_mark mark = {
        .owner = "", .kind = CALENDAR_MARK, .subject = "", .value = calendar};
    struct store *store = arg;

    (void)fd;
    (void)what;
    if (!store->is_age_queued)
        keep_age(store, store->reserved_number);
    (void)store_calendar_s(store);
    if (store->calendar_s - store->calendar_kept_s >= HOUR_S) {
        snprintf(calendar, sizeof calendar, "%lld", (long long)store->calendar_s);
        store->calendar_kept_s = store->calendar_s;
        store_put(store, STORE_MARK, &mark);
    }
    prune_aborted(store);
}

/* --- At start, on the caller's thread: the store's own one still sleeps --- */

bool store_load_running(struct store *store, store_event_fn *row, void *arg)
{
    assert(!store->is_begun);
    return store->engine->load_running(store->log, row, arg);
}

bool store_load(struct store *store, enum store_kind kind, store_row_fn *row, void *arg)
{
    assert(!store->is_begun);
    return store->engine->load(store->log, kind, row, arg);
}

int store_rename(struct store *store, const char *folded, const char *alias,
                 int64_t first_game, int *damaged)
{
    int games;

    assert(!store->is_begun && store->engine == &store_sqlite);
    games = store_db_rename(store->log, folded, alias, first_game, damaged);
    if (games < 0)
        log_warn("store disk=full");
    return games;
}

int64_t store_next_game(const struct store *store)
{
    return store->next_game;
}

/* --- Life --- */

/* Returns false after logging. */
static bool begin(struct store *store)
{
    if (!wakeup_open(&store->to_thread) || !wakeup_open(&store->to_loop))
        return false;
    store->on_wakeup = event_new(store->base, store->to_loop.read_fd,
                                 EV_READ | EV_PERSIST, on_wakeup, store);
    if (store->on_wakeup == NULL || event_add(store->on_wakeup, NULL) != 0)
        return false;
    store->watch = timer_new(store->base, on_watch, store);
    store->minute = timer_repeat(store->base, MINUTE_MS, on_minute, store);
    store->on_turn_end = timer_new(store->base, on_turn_end, store);
    return store_thread_start(store);
}

static struct store *open_log(struct event_base *base,
                              const struct store_engine *engine,
                              const struct store_place *place)
{
    struct store *store = mem_new(sizeof *store);
    struct store_survey survey = {0};
    int why;

    signal(SIGXFSZ, SIG_IGN); /* exceeding the limit of file size is treated as a full
                               * disk; the signal must not end the process */
    gate_init(&store->gate);
    store->base = base;
    store->engine = engine;
    store->directory = mem_copy_text(place->directory);
    store->to_thread = store->to_loop = store->to_reader = (struct wakeup){-1, -1};
    pthread_mutex_init(&store->lock, NULL);
    store->log = engine->open(place);
    if (store->log == NULL)
        goto fail;
    errno = 0;
    if (!engine->survey(store->log, &survey)) {
        if (errno != ENOMEM)
            errno = store_is_away(store) ? EAGAIN : EIO;
        goto fail;
    }
    store->next_game = survey.last_game + 1;
    store->last_act = survey.last_act;
    store->counts.bytes = store->counted.bytes = engine->bytes(store->log);
    store->last_number = survey.age.number;
    store->age_at_open_ms = survey.age.age_ms;
    store->opened_ms = mono_now_ms();
    /* A new store, and one of an older janggid, begins with the wall clock. Also one whose
     * marks cannot be read; their readers say so. */
    store->calendar_s = mono_wall_s();
    store->calendar_age_s = store->age_at_open_ms / 1000;
    if (!engine->load(store->log, STORE_MARK, on_calendar_mark, store))
        store->calendar_s = mono_wall_s();
    reserve_numbers(store);
    if (begin(store))
        return store;
    errno = EAGAIN;

fail:
    why = errno;
    store_close(store);
    errno = why;
    return NULL;
}

bool store_is_away(const struct store *store)
{
    return store->engine->is_away != NULL && store->engine->is_away(store->log);
}

struct store *store_open(struct event_base *base, const char *directory)
{
    const struct store_place place = {.directory = directory};
    struct store *store = open_log(base, &store_sqlite, &place);
    char path[PATH_MAX];
    struct text text = text_into(path, sizeof path);

    if (store != NULL || errno != ENOSPC)
        return store;
    text_addf(&text, "%s/" STORE_RESERVE, directory);
    if (text.is_cut || unlink(path) != 0) {
        errno = ENOSPC;
        return NULL;
    }
    log_warn("store disk=full reserve=given : the start goes on; make room");
    return open_log(base, &store_sqlite, &place);
}

/* --- The engine for PostgreSQL --- */

const struct store_engine *store_load_postgres(void)
{
    static const char *const places[] = {"%s/janggid-postgres.so",
                                         "%s/../lib/janggid/janggid-postgres.so"};
    const struct store_engine *engine = NULL;
    char folder[PATH_MAX], path[PATH_MAX];
    bool is_found = false;
    void *library;

    if (program_folder(folder))
        for (size_t i = 0; i < ARRAY_LEN(places) && !is_found; i++) {
            struct text text = text_into(path, PATH_MAX);

            text_addf(&text, places[i], folder);
            is_found = !text.is_cut && access(path, R_OK) == 0;
        }
    errno = ENOENT;
    if (!is_found) {
        log_warn("store why=\"janggid-postgres.so is missing\" : install the package "
                 "janggid-postgres, or build with libpq-dev");
        return NULL;
    }
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
        engine = dlsym(library, "store_postgres");
    errno = EINVAL;
    if (engine == NULL)
        log_warn("store why=\"%s\"", dlerror());
    else if (strcmp(engine->version, JANGGI_VERSION) != 0)
        log_warn("store why=\"%s is of version %s, and this is %s\"", path,
                 engine->version, JANGGI_VERSION);
    else
        return engine;
    return NULL;
}

struct store_place store_place_of(const struct config *config)
{
    return (struct store_place){.directory = config->data,
                                .url = config->store,
                                .is_sync_outside =
                                    strcmp(config->store_sync, "outside") == 0,
                                .is_loss_accepted = config->accepts_loss};
}

struct store *store_open_at(struct event_base *base, const struct store_place *place)
{
    const struct store_engine *engine = store_load_postgres();

    return engine != NULL ? open_log(base, engine, place) : NULL;
}

/* --- The end --- */

/* Frees the jobs without calling their callbacks. Returns their number, not counting
 * those that write only the age of the database. */
static int discard(struct store_job *jobs)
{
    struct store_job *job, *next;
    int count = 0;

    DL_FOREACH_SAFE (jobs, job, next) {
        count += !is_age(job);
        store_job_free(job);
    }
    return count;
}

static void free_event(struct event *event)
{
    if (event != NULL)
        event_free(event);
}

void store_close(struct store *store)
{
    int unwritten;

    if (store == NULL)
        return;
    if (store->is_running) {
        keep_age(store, store->last_number);
        hand_over(store);
        store_thread_stop(store);
    }
    unwritten = discard(store->batch) + discard(store->writes);
    if (unwritten > 0)
        log_warn("store unwritten=%d : none of them was answered", unwritten);
    discard(store->reads);
    discard(store->reader_inbox);
    discard(store->outbox);
    while (store->args != NULL) {
        if (store->args->drop != NULL)
            store->args->drop(store->args->bytes);
        store_arg_free(store->args->bytes);
    }
    free_event(store->on_wakeup);
    free_event(store->watch);
    free_event(store->minute);
    free_event(store->on_turn_end);
    wakeup_close(&store->to_thread);
    wakeup_close(&store->to_loop);
    wakeup_close(&store->to_reader);
    store_backup_free(store->backup);
    if (store->backup_job != NULL)
        store_job_free(store->backup_job);
    store->engine->close(store->log);
    free(store->directory);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

void store_abandon(struct store *store)
{
    if (store == NULL)
        return;
    pthread_mutex_lock(&store->lock);
    store->is_abandoned = true;
    pthread_mutex_unlock(&store->lock);
    store_close(store);
}
