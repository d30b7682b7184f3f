/* The engine that keeps the log in PostgreSQL. The engine is a library. janggid loads
 * this library when it is started with --store postgres://... The promises of each
 * function are in server/store/store_engine.h, and pg_fence.h explains how this
 * engine keeps them. One transaction is one round trip. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/postgres/pg_fence.h"
#include "server/postgres/pg_rows.h"

enum {
    CHECK_MS = 1000,       /* time between two checks of an idle connection */
    BATCHES_KEPT = 100000, /* rows that a trim leaves in the table batch */
    TRIM_EVERY = 4096      /* commits between two trims */
};

struct pg_log {
    atomic_llong end_ms; /* the end of all waits of both connections; see pg_link.h */
    struct pg_reader reader; /* reads through the writer's link, at the start */
    struct pg_reader later;  /* has a connection of its own, for another thread */
    struct pg_fence fence;
    struct store_tail tail;
    bool has_running;      /* the tail has all running games */
    struct pg_calls calls; /* the calls of the open transaction */
    int64_t trimmed_seq;   /* fence.seq when batch was trimmed last; 0: not yet */
    int64_t checked_ms;
    int64_t bytes;
};

/* The only variable that the library exports. janggid finds it by its name. */
extern const struct store_engine store_postgres;

/* --- Opening and closing --- */

static void pg_close(void *arg)
{
    struct pg_log *log = arg;

    if (log == NULL)
        return;
    store_tail_clear(&log->tail);
    pg_calls_free(&log->calls);
    store_sealer_free(log->reader.sealer);
    store_sealer_free(log->later.sealer);
    pg_link_free(log->reader.link);
    pg_link_free(log->later.link);
    pg_fence_close(&log->fence);
    free(log);
}

static void pg_hurry(void *arg, int64_t ms)
{
    struct pg_log *log = arg;

    atomic_store(&log->end_ms, mono_now_ms() + ms);
}

static void *pg_open(const struct store_place *place)
{
    struct pg_log *log = mem_new(sizeof *log);
    int why;

    log->reader.sealer = store_sealer_new();
    log->later.sealer = store_sealer_new();
    log->reader.link = pg_link_new(place, PG_WRITER, &log->end_ms);
    if (log->reader.link == NULL)
        errno = EINVAL;
    if (log->reader.link != NULL) {
        log->later.link = pg_link_new(place, PG_READER, &log->end_ms);
        pg_fence_init(&log->fence, log->reader.link);
        if (pg_fence_start(&log->fence, place, &log->tail.kept))
            return log;
    }
    why = errno;
    pg_close(log);
    errno = why;
    return NULL;
}

/* --- At start --- */

static bool pg_survey(void *arg, struct store_survey *out)
{
    struct pg_log *log = arg;

    log->checked_ms = mono_now_ms();
    return pg_rows_survey(&log->reader, &log->tail, out);
}

static bool pg_load(void *arg, enum store_kind kind, store_row_fn *row, void *row_arg)
{
    return pg_rows_load(&((struct pg_log *)arg)->reader, kind, row, row_arg);
}

static bool pg_load_running(void *arg, store_event_fn *row, void *row_arg)
{
    struct pg_log *log = arg;

    log->has_running = pg_rows_load_running(&log->reader, &log->tail, row, row_arg);
    return log->has_running;
}

static bool pg_is_away(const void *arg)
{
    const struct pg_log *log = arg;

    return !pg_link_is_open(log->reader.link);
}

/* --- Writing --- */

/* Ends a game: replaces the row of a running game. Divides by 0 if there is none, so that
 * the transaction fails. */
static const char end_sql[] =
    "WITH ended AS (DELETE FROM game WHERE id = $1 AND is_over = 0 RETURNING id)"
    " SELECT 1 / (SELECT count(*) FROM ended)";

static bool put_row(void *arg, enum store_kind kind, const void *row,
                    const struct store_seal *seal)
{
    struct pg_log *log = arg;
    struct store_game game;
    struct store_seal own;

    if (kind == STORE_GAME) {
        game = *(const struct store_game *)row;
        game.log = ""; /* its events are in the table event */
        row = &game;
    }
    if (kind == STORE_GAME && game.is_over) {
        pg_calls_add(&log->calls, end_sql);
        pg_calls_number(&log->calls, game.id);
    }
    if (seal == NULL && store_row_layouts[kind].letter != '\0')
        store_seal_row(log->reader.sealer, &own, kind, row);
    pg_rows_put(&log->calls, kind, row, seal != NULL ? seal : &own);
    return true;
}

static bool drop(void *arg, enum store_kind kind, const void *row, int keys)
{
    struct pg_log *log = arg;
    const struct store_column *key = store_row_layouts[kind].column;

    pg_calls_add(&log->calls, pg_rows_sql(kind, STORE_SQL_DROP1 + (unsigned)keys - 1));
    key += key->type == 'a';
    for (int i = 0; i < keys; i++)
        pg_rows_add_column(&log->calls, &key[i], row);
    return true;
}

/* Deletes some aborted games that ended before $1, and the game $2 if it has ended; but
 * never the newest game, so that its number is not reused. */
static const char prune_sql[] =
    "WITH pruned AS MATERIALIZED (SELECT id FROM game WHERE id = $2 AND is_over = 1"
    " AND id < (SELECT max(id) FROM game) UNION ALL (SELECT id FROM game"
    " WHERE is_over = 1 AND result = 'none' AND ended_s < $1"
    " AND reason LIKE 'aborted%' AND id < (SELECT max(id) FROM game)"
    " ORDER BY ended_s, id LIMIT 128)),"
    " events AS (DELETE FROM event WHERE game IN (SELECT id FROM pruned)),"
    " ends AS (DELETE FROM unseen WHERE game IN (SELECT id FROM pruned))"
    " DELETE FROM game WHERE id IN (SELECT id FROM pruned)";

static bool prune(void *arg, struct store_pruning *pruning)
{
    struct pg_log *log = arg;

    pruning->pruned = log->fence.is_stored ? STORE_PRUNED_UNKNOWN : 0;
    pg_calls_add(&log->calls, prune_sql)->affected = &pruning->pruned;
    pg_calls_number(&log->calls, pruning->before_wall_s);
    pg_calls_number(&log->calls, pruning->game);
    return true;
}

static void see_seal(void *arg, const PGresult *row)
{
    struct store_act act;

    if (!pg_rows_get(row, 0, STORE_ACT, &act, arg))
        *(struct store_seal *)arg = (struct store_seal){0};
}

/* An act may be on disk, or put by the open transaction. The first one that is read from
 * disk is kept: if the transaction is repeated, it may have changed this act already. */
static bool find_act(void *arg, int64_t id, struct store_seal *out)
{
    struct pg_log *log = arg;
    struct store_totals *kept = &log->tail.kept;
    const char *sql = pg_rows_sql(STORE_ACT, STORE_SQL_FIND);
    const struct pg_call *put =
        pg_calls_find(&log->calls, pg_rows_sql(STORE_ACT, STORE_SQL_PUT), id);

    if (put != NULL) {
        memcpy(out->bytes, log->calls.bytes + put->at[put->count - 1],
               sizeof out->bytes);
    } else if (pg_link_ask(log->reader.link, sql, &id, see_seal, out) != PG_DONE) {
        log->fence.is_open = false;
        return false;
    } else if (kept->act.id == 0) {
        kept->act.id = id;
        kept->act.link = *out;
    }
    return true;
}

static bool pg_begin(void *arg, bool is_again)
{
    struct pg_log *log = arg;

    store_tail_rollback(&log->tail);
    pg_calls_clear(&log->calls);
    if (!is_again)
        log->fence.has_doubt = log->fence.is_stored = false;
    return log->fence.is_open || pg_fence_take(&log->fence, &log->tail.kept);
}

static bool pg_put(void *arg, struct store_write *write)
{
    static const struct store_writer writer = {.has_running = true,
                                               .put = put_row,
                                               .drop = drop,
                                               .prune = prune,
                                               .find_act = find_act};
    struct pg_log *log = arg;

    return store_tail_put(&log->tail, log->reader.sealer, &writer, log, write);
}

/* --- Commits --- */

/* A trim deletes the lists of older rows, so all running games must be known. */
static bool is_trim_due(const struct pg_log *log)
{
    return log->has_running && (log->trimmed_seq == 0 ||
                                log->fence.last.seq - log->trimmed_seq >= TRIM_EVERY);
}

/* Returns one of the two lists in the row of batch, as PostgreSQL's text of an array: the
 * games that the transaction has changed, or all running ones if it trims the table; or
 * the numbers of their last events. The caller frees it. NULL: no games. */
static char *list_ends(const struct pg_log *log, bool is_numbers)
{
    bool is_all = is_trim_due(log);
    const struct store_end *end = is_all ? log->tail.by_game : log->tail.touched;
    char *list = NULL;
    size_t size;
    FILE *out;

    if (end == NULL)
        return NULL;
    out = open_memstream(&list, &size);
    if (out == NULL)
        log_die("store no memory");
    for (char between = '{'; end != NULL; between = ',') {
        fprintf(out, "%c%lld", between,
                is_numbers ? (long long)end->events - 1 : (long long)end->game);
        end = is_all ? end->hh.next : end->touched;
    }
    fputc('}', out);
    if (fclose(out) != 0)
        log_die("store no memory");
    return list;
}

/* Adds the calls that begin and end the transaction. */
static void frame(struct pg_log *log, const struct store_seal *seal)
{
    struct pg_calls *calls = &log->calls;
    struct pg_call first[2];
    char *games = list_ends(log, false), *numbers = list_ends(log, true);

    if (is_trim_due(log)) {
        pg_calls_add(calls, "DELETE FROM batch WHERE seq < $1");
        pg_calls_number(calls, log->fence.last.seq - BATCHES_KEPT);
    }
    pg_calls_add(calls, PG_BEGIN);
    pg_fence_add(&log->fence, calls, &log->tail.now, games, numbers, seal);
    /* The insert into batch must come first: see pg_fence.h. */
    memcpy(first, &calls->call[calls->count - 2], sizeof first);
    memmove(calls->call + 2, calls->call,
            (size_t)(calls->count - 2) * sizeof *calls->call);
    memcpy(calls->call, first, sizeof first);
    pg_calls_add(calls, PG_COMMIT);
    free(games);
    free(numbers);
}

/* Ends the process if the tables refused a row of ours, which is a bug. A taken key of
 * the table batch is no bug: it means that there is another writer. */
static void check_refusal(struct pg_log *log)
{
    const char *error = pg_link_refusal(log->reader.link)->sqlstate;
    bool is_fence =
        strcmp(error, "23505") == 0 &&
        strcmp(pg_link_refusal(log->reader.link)->constraint, "batch_pkey") == 0;
    bool is_bug = strncmp(error, "22", 2) == 0 || strncmp(error, "23", 2) == 0 ||
                  strncmp(error, "42", 2) == 0;

    if (is_fence || !is_bug)
        return;
    log_warn("store postgres=stop sqlstate=%s bug=\"a row is refused\" : stopping, "
             "unanswered",
             error);
    _exit(EX_IOERR);
}

static bool pg_commit(void *arg)
{
    struct pg_log *log = arg;
    struct pg_fence *fence = &log->fence;
    struct store_seal seal;
    enum pg_outcome outcome;

    if (log->calls.count == 0) {
        store_tail_commit(&log->tail);
        return true;
    }
    store_seal_batch(log->reader.sealer, &seal, log->calls.bytes, log->calls.used);
    if (fence->is_stored) { /* the batch of unknown outcome, which is repeated */
        if (!store_seal_is_same(&seal, &fence->doubt))
            log_die(
                "store bug=\"a batch of unknown outcome was repeated with changes\"");
        fence->is_stored = false;
        store_tail_commit(&log->tail);
        return true;
    }
    frame(log, &seal);
    outcome = pg_link_commit(log->reader.link, &log->calls);
    if (outcome == PG_DONE) {
        if (is_trim_due(log))
            log->trimmed_seq = fence->last.seq;
        pg_fence_advance(fence, &seal);
        store_tail_commit(&log->tail);
        log->checked_ms = mono_now_ms();
        return true;
    }
    if (outcome == PG_REFUSED) {
        check_refusal(log);
        pg_link_complain(log->reader.link, pg_link_refusal(log->reader.link)->why);
    }
    pg_fence_doubt(fence, &seal);
    store_tail_rollback(&log->tail);
    return false;
}

static bool pg_is_lost(const void *arg)
{
    return ((const struct pg_log *)arg)->fence.is_lost;
}

/* --- Reading later, and care --- */

static void *pg_reader(void *arg)
{
    return &((struct pg_log *)arg)->later;
}

static int64_t pg_bytes(void *arg)
{
    struct pg_log *log = arg;

    if (log->fence.is_open &&
        !pg_link_ask_numbers(log->reader.link,
                             "SELECT pg_database_size(current_database())", &log->bytes,
                             1))
        log->fence.is_open = false;
    return log->bytes;
}

static bool pg_has_chores(void *arg, bool is_idle)
{
    struct pg_log *log = arg;

    return is_idle && mono_now_ms() - log->checked_ms >= CHECK_MS;
}

static bool pg_chores(void *arg, bool is_idle)
{
    struct pg_log *log = arg;

    (void)is_idle;
    log->checked_ms = mono_now_ms();
    return pg_fence_check(&log->fence);
}

const struct store_engine store_postgres = {.version = JANGGI_VERSION,
                                            .outage = STORE_AWAY,
                                            .chores_ms = CHECK_MS,
                                            .open = pg_open,
                                            .hurry = pg_hurry,
                                            .close = pg_close,
                                            .survey = pg_survey,
                                            .load = pg_load,
                                            .load_running = pg_load_running,
                                            .is_away = pg_is_away,
                                            .begin = pg_begin,
                                            .put = pg_put,
                                            .commit = pg_commit,
                                            .is_lost = pg_is_lost,
                                            .reader = pg_reader,
                                            .read_game = pg_rows_read_game,
                                            .read_pasts = pg_rows_read_pasts,
                                            .open_lease = pg_lease_open,
                                            .close_lease = pg_lease_close,
                                            .look = pg_lease_look,
                                            .bytes = pg_bytes,
                                            .has_chores = pg_has_chores,
                                            .chores = pg_chores,
                                            .copy_out = pg_rows_copy_out,
                                            .copy_in = pg_rows_copy_in};
