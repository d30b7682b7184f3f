/* The engine that keeps the log in PostgreSQL. The engine is a library. janggid loads
 * this library when it is started with --store postgres://... The promises of each
 * function are in server/store/store_engine.h, and pg_fence.h explains how this
 * engine keeps them. One transaction is one round trip. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/postgres/pg_copy.h"
#include "server/postgres/pg_fence.h"
#include "server/postgres/pg_lease.h"
#include "server/postgres/pg_read.h"
#include "server/store/store_engine.h"

enum {
    EXIT_IOERR = 74,
    CHECK_MS = 1000,       /* time between two checks of an idle connection */
    BATCHES_KEPT = 100000, /* rows that a trim leaves in the table batch */
    TRIM_EVERY = 4096,     /* commits between two trims */
    EVENT_COLUMNS = 6
};

struct pg_log {
    struct pg_link_settings settings;
    atomic_llong end_ms;     /* the end of all waits of both connections; see
                              * pg_link.h */
    struct pg_reader reader; /* reads through the writer's link, at the start */
    struct pg_fence fence;
    struct store_tail tail;
    struct store_tally tally; /* the totals in the last row of batch, as they were when
                               * the database was opened */
    struct pg_calls calls;    /* the calls of the open transaction */
    struct pg_array events[EVENT_COLUMNS]; /* events of the open transaction that are
                                            * not yet in `calls`: the parameters of
                                            * PG_PUT_EVENTS */
    int64_t replaced; /* id of the row of the audit log that the open transaction
                       * replaced last; 0: none */
    struct store_seal replaced_link;
    struct pg_listed listed; /* the lists that the open transaction writes into its
                              * row of batch */
    int64_t trimmed_seq;     /* fence.seq when batch was trimmed last; 0: not yet */
    int64_t checked_ms;
    int64_t bytes;
};

/* The only variable that the library exports. janggid finds it by its name. */
extern const struct store_engine store_postgres;

/* --- Opening and closing --- */

static void clear_events(struct pg_log *log)
{
    for (int i = 0; i < EVENT_COLUMNS; i++)
        pg_array_clear(&log->events[i]);
}

static void pg_close(void *arg)
{
    struct pg_log *log = arg;

    if (log == NULL)
        return;
    store_tail_clear(&log->tail);
    pg_calls_free(&log->calls);
    for (int i = 0; i < EVENT_COLUMNS; i++)
        pg_array_free(&log->events[i]);
    pg_array_free(&log->listed.games);
    pg_array_free(&log->listed.numbers);
    store_sealer_free(log->reader.sealer);
    pg_link_free(log->reader.link);
    pg_witness_close(log->fence.witness);
    free((char *)log->settings.url);
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

    log->settings = (struct pg_link_settings){.url = mem_copy_text(place->url),
                                              .is_sync_outside = place->is_sync_outside,
                                              .role = "writer",
                                              .end_ms = &log->end_ms};
    log->reader.sealer = store_sealer_new();
    log->reader.link = pg_link_new(&log->settings);
    if (log->reader.link == NULL)
        errno = EINVAL;
    if (log->reader.link != NULL) {
        pg_fence_init(&log->fence, log->reader.link);
        log->fence.witness = pg_witness_open(place);
        if (log->fence.witness != NULL && pg_fence_start(&log->fence, &log->tally))
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
    return pg_read_survey(&log->reader, &log->tally, &log->tail, out);
}

static bool pg_load(void *arg, enum store_kind kind, store_row_fn *row, void *row_arg)
{
    return pg_read_load(&((struct pg_log *)arg)->reader, kind, row, row_arg);
}

static bool pg_load_running(void *arg, store_event_fn *row, void *row_arg)
{
    return pg_read_running(&((struct pg_log *)arg)->reader, row, row_arg);
}

static bool pg_is_away(const void *arg)
{
    const struct pg_log *log = arg;

    return !pg_link_is_open(log->reader.link);
}

/* --- Events --- */

/* Adds the call that inserts the events in log->events, and clears log->events. Call it
 * before adding a call that depends on these events. */
static void flush_events(struct pg_log *log)
{
    if (log->events[0].count == 0)
        return;
    pg_calls_add(&log->calls, PG_PUT_EVENTS);
    for (int i = 0; i < EVENT_COLUMNS; i++)
        pg_calls_array(&log->calls, pg_statement_texts[PG_PUT_EVENTS].params[i],
                       &log->events[i]);
    clear_events(log);
}

static void put_event(struct pg_log *log, struct store_end *end,
                      const struct store_event *event)
{
    store_seal_event(log->reader.sealer, &end->link, event);
    end->events++;
    if (event->age_ms > log->tail.now.age_ms)
        log->tail.now.age_ms = event->age_ms;
    pg_array_number(&log->events[0], event->game);
    pg_array_number(&log->events[1], event->number);
    pg_array_bytes(&log->events[2], event->text, strlen(event->text));
    pg_array_number(&log->events[3], event->wall_s);
    pg_array_number(&log->events[4], event->age_ms);
    pg_array_bytes(&log->events[5], end->link.bytes, STORE_SEAL_BYTES);
}

static void put_seal(struct pg_log *log, const struct store_seal *seal)
{
    pg_calls_bytes(&log->calls, seal->bytes, STORE_SEAL_BYTES);
}

/* Adds the call that inserts a row into the table unseen: the player has not seen the
 * end of the game. folded: the player's name, normalized so that all its spellings are
 * equal. If it is "", does nothing: the player is not known, because the start of the
 * game cannot be read. */
static void put_unseen(struct pg_log *log, const char *folded, int64_t game)
{
    if (folded[0] == '\0')
        return;
    pg_calls_add(&log->calls, PG_PUT_UNSEEN);
    pg_calls_text(&log->calls, folded);
    pg_calls_number(&log->calls, game);
}

static void begin_game(struct pg_log *log, const struct store_batch *batch)
{
    struct store_game game = {.id = batch->game,
                              .events = batch->first + batch->count,
                              .age_ms = batch->age_ms,
                              .summary = {"", "", "", "", "", "", "", "", 0},
                              .log = ""};
    struct store_seal seal;

    store_seal_game(log->reader.sealer, &seal, &game);
    pg_calls_add(&log->calls, PG_PUT_GAME);
    pg_calls_number(&log->calls, game.id);
    pg_calls_number(&log->calls, game.events);
    pg_calls_number(&log->calls, game.age_ms);
    put_seal(log, &seal);
}

static void end_game(struct pg_log *log, const struct store_batch *batch, int events)
{
    struct store_summary s = batch->summary;
    const char **texts[STORE_SUMMARY_TEXTS];
    struct store_game game = {.id = batch->game,
                              .is_over = true,
                              .events = events,
                              .age_ms = batch->age_ms,
                              .ended_wall_s = batch->wall_s,
                              .summary = s,
                              .log = ""};
    struct store_seal seal;

    store_seal_game(log->reader.sealer, &seal, &game);
    pg_calls_add(&log->calls, PG_END_GAME);
    pg_calls_number(&log->calls, game.id);
    pg_calls_number(&log->calls, game.events);
    pg_calls_number(&log->calls, game.age_ms);
    put_seal(log, &seal);
    pg_calls_number(&log->calls, game.ended_wall_s);
    store_data_summary_texts(&s, texts);
    for (int i = 0; i < STORE_SUMMARY_TEXTS; i++)
        pg_calls_text(&log->calls, *texts[i]);
    pg_calls_number(&log->calls, s.plies);
    put_unseen(log, s.red, game.id);
    put_unseen(log, s.blue, game.id);
}

static void put_events(struct pg_log *log, const struct store_batch *batch)
{
    struct store_end *end = store_tail_change(&log->tail, batch->game, batch->first);
    struct store_event event = {.game = batch->game,
                                .text = batch->texts,
                                .wall_s = batch->wall_s,
                                .age_ms = batch->age_ms};

    for (int i = 0; i < batch->count; i++) {
        event.number = end->events;
        put_event(log, end, &event);
        event.text += strlen(event.text) + 1;
    }
    if (batch->first == 0)
        begin_game(log, batch);
    end->is_over = batch->has_summary;
    if (batch->has_summary)
        end_game(log, batch, end->events);
}

/* Adds the calls that remove games from the log: see PRUNED_GAMES in pg_statement.c.
 * The rows of the table game are deleted last, because all these statements search the
 * table game for the games to remove. */
static void put_pruning(struct pg_log *log, struct store_pruning *pruning)
{
    static const enum pg_statement statements[] = {PG_PRUNE_EVENTS, PG_PRUNE_UNSEEN,
                                                   PG_PRUNE_GAMES};

    pruning->pruned = log->fence.is_stored ? STORE_PRUNED_UNKNOWN : 0;
    flush_events(log);
    for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
        struct pg_call *call = pg_calls_add(&log->calls, statements[i]);

        call->affected = statements[i] == PG_PRUNE_GAMES ? &pruning->pruned : NULL;
        pg_calls_number(&log->calls, pruning->before_wall_s);
        pg_calls_number(&log->calls, pruning->game);
    }
}

/* --- Other rows --- */

static void put_column(struct pg_calls *calls, const struct store_column *column,
                       const void *row)
{
    if (column->type == 't')
        pg_calls_text(calls, *store_row_text(column, row)); /* the text may be NULL */
    else if (column->type == 'b')
        pg_calls_bytes(calls, store_row_at(column, row), STORE_DIGEST_BYTES);
    else
        pg_calls_number(calls, store_row_number(column, row));
}

/* Computes the seal of a row into *seal, and adds the call that writes the row with
 * this seal. A seal is a digest of the columns. Before the call, the caller must set
 * *seal as store_seal_row() says. */
static void put_sealed(struct pg_log *log, enum pg_statement statement,
                       enum store_kind kind, const void *row, struct store_seal *seal)
{
    const struct store_layout *layout = &store_row_layouts[kind];

    if (layout->letter != '\0')
        store_seal_row(log->reader.sealer, seal, kind, row);
    pg_calls_add(&log->calls, statement);
    for (const struct store_column *c = layout->column; c->type != '\0'; c++)
        if (c->type == 's')
            put_seal(log, seal);
        else if (c->type != 'o' && c->type != 'a')
            put_column(&log->calls, c, row);
}

static void put_row(struct pg_log *log, enum store_kind kind, const void *row)
{
    static const enum pg_statement puts[STORE_KINDS] = {
        [STORE_NAME] = PG_PUT_NAME,     [STORE_DEVICE] = PG_PUT_DEVICE,
        [STORE_INVITE] = PG_PUT_INVITE, [STORE_AGE] = PG_PUT_AGE,
        [STORE_MARK] = PG_PUT_MARK,     [STORE_RATING] = PG_PUT_RATING,
        [STORE_UNSEEN] = PG_PUT_UNSEEN};
    struct store_seal seal;

    assert(puts[kind] != 0);
    put_sealed(log, puts[kind], kind, row, &seal);
}

/* Adds the call that deletes the rows that have the same values as `row` in the first
 * `keys` columns of the key. */
static void drop_row(struct pg_log *log, enum store_kind kind, const void *row,
                     int keys)
{
    static const enum pg_statement drops[STORE_KINDS] = {
        [STORE_NAME] = PG_DROP_NAME,
        [STORE_DEVICE] = PG_DROP_DEVICE,
        [STORE_INVITE] = PG_DROP_INVITE,
        [STORE_MARK] = PG_DROP_MARK,
        [STORE_UNSEEN] = PG_DROP_UNSEEN};
    const struct store_column *c = store_row_layouts[kind].column;
    int params = (int)strlen(pg_statement_texts[drops[kind]].params);

    assert(drops[kind] != 0);
    pg_calls_add(&log->calls, drops[kind]);
    c += c->type == 'a';
    for (int i = 0; i < params; i++)
        if (i >= keys)
            pg_calls_bytes(&log->calls, NULL, 0);
        else
            put_column(&log->calls, &c[i], row);
}

/* --- The audit log --- */

static void append_act(struct pg_log *log, const struct store_act *act)
{
    if (act->id != log->tail.now.act.id + 1)
        log_die("store act=%lld bug=\"the one before it is missing\"",
                (long long)act->id);
    put_sealed(log, PG_PUT_ACT, STORE_ACT, act, &log->tail.now.act.link);
    log->tail.now.act.id = act->id;
}

static void see_link(void *arg, const PGresult *result, int row)
{
    struct store_seal *link = arg;

    if (!pg_link_bytes(result, row, 1, link->bytes, sizeof link->bytes))
        *link = (struct store_seal){0};
}

/* Sets *link to the link of the row `id` of the audit log: a digest of that row and of
 * the link before it. The row is on disk, or this transaction has replaced it. For id
 * 0, *link is all zero. False: the connection is lost. */
static bool find_act(struct pg_log *log, int64_t id, struct store_seal *link)
{
    *link = (struct store_seal){0};
    if (id == 0)
        return true;
    if (id == log->replaced) {
        *link = log->replaced_link;
        return true;
    }
    return pg_link_call(log->reader.link, PG_FIND_ACT, 1, &id, see_link, link) ==
           PG_DONE;
}

static bool replace_act(struct pg_log *log, const struct store_act *act)
{
    struct store_seal link;

    if (!find_act(log, act->id - 1, &link))
        return false;
    put_sealed(log, PG_REPLACE_ACT, STORE_ACT, act, &link);
    log->replaced = act->id;
    log->replaced_link = link;
    if (act->id == log->tail.now.act.id)
        log->tail.now.act.link = link;
    return true;
}

/* --- Transactions --- */

static bool pg_begin(void *arg, bool is_again)
{
    struct pg_log *log = arg;

    store_tail_rollback(&log->tail);
    pg_calls_clear(&log->calls);
    clear_events(log);
    log->replaced = 0;
    if (!is_again)
        log->fence.has_doubt = log->fence.is_stored = false;
    return log->fence.is_open || pg_fence_take(&log->fence, &log->tail.kept);
}

static bool pg_put(void *arg, struct store_write *write)
{
    struct pg_log *log = arg;

    switch (write->kind) {
    case STORE_WRITE_EVENTS:
        put_events(log, &write->events);
        return true;
    case STORE_WRITE_PRUNE:
        put_pruning(log, &write->prune);
        return true;
    case STORE_WRITE_PUT:
        if (write->row.kind != STORE_ACT) {
            put_row(log, write->row.kind, &write->row.of);
        } else if (write->row.of.act.id > log->tail.now.act.id) {
            append_act(log, &write->row.of.act);
        } else if (!replace_act(log, &write->row.of.act)) {
            log->fence.is_open = false;
            return false;
        }
        return true;
    case STORE_WRITE_DROP:
        drop_row(log, write->row.kind, &write->row.of, write->row.keys);
        return true;
    }
    log_die("store bug=\"a write of kind %d\"", (int)write->kind);
}

/* Moves the last `count` calls to the front, because the insert into batch must come
 * first: see pg_fence.h. */
static void move_to_front(struct pg_calls *calls, int count)
{
    for (int i = 0; i < count; i++) {
        struct pg_call last = calls->call[calls->count - 1];

        memmove(calls->call + 1, calls->call,
                (size_t)(calls->count - 1) * sizeof *calls->call);
        calls->call[0] = last;
    }
}

static bool is_trim_due(const struct pg_log *log)
{
    return log->trimmed_seq == 0 || log->fence.seq - log->trimmed_seq >= TRIM_EVERY;
}

static void list_end(struct pg_log *log, const struct store_end *end)
{
    pg_array_number(&log->listed.games, end->game);
    pg_array_number(&log->listed.numbers, end->events - 1);
}

/* Fills log->listed, the lists in the row of batch, with the games that the transaction
 * has changed. A transaction that trims the table batch deletes older lists, so it
 * lists all running games. */
static void list_ends(struct pg_log *log)
{
    const struct store_end *end;

    pg_array_clear(&log->listed.games);
    pg_array_clear(&log->listed.numbers);
    if (is_trim_due(log))
        for (end = log->tail.by_game; end != NULL; end = end->hh.next)
            list_end(log, end);
    else
        for (end = log->tail.touched; end != NULL; end = end->touched)
            list_end(log, end);
}

/* Adds the calls that begin and end the transaction. */
static void frame(struct pg_log *log, const struct store_seal *seal)
{
    struct pg_calls *calls = &log->calls;

    list_ends(log);
    if (is_trim_due(log)) {
        pg_calls_add(calls, PG_TRIM_BATCHES);
        pg_calls_number(calls, log->fence.seq - BATCHES_KEPT);
    }
    pg_calls_add(calls, PG_BEGIN);
    pg_fence_add(&log->fence, calls, &log->tail.now, &log->listed, seal);
    move_to_front(calls, 2);
    pg_calls_add(calls, PG_COMMIT);
}

/* Computes *seal, a digest of the number of calls of the transaction and of all their
 * parameters. */
static void seal_calls(struct pg_log *log, struct store_seal *seal)
{
    const struct store_tally tally = {.last_game = log->tail.now.last_game,
                                      .running = log->calls.count,
                                      .age_ms = log->tail.now.age_ms};

    store_seal_batch(log->reader.sealer, seal, &tally, log->calls.bytes,
                     log->calls.used);
}

/* Accepts the transaction without sending it. Call it when the batch of unknown outcome
 * has turned out to be stored: the transaction repeats this batch. Ends the process if
 * the transaction differs from the batch. */
static bool accept_stored(struct pg_log *log, const struct store_seal *seal)
{
    if (!store_seal_is_same(seal, &log->fence.doubt))
        log_die("store bug=\"a batch of unknown outcome was repeated with changes\"");
    log->fence.is_stored = false;
    store_tail_commit(&log->tail);
    return true;
}

static void keep_commit(struct pg_log *log, const struct store_seal *seal)
{
    if (is_trim_due(log))
        log->trimmed_seq = log->fence.seq;
    pg_fence_advance(&log->fence, seal);
    store_tail_commit(&log->tail);
    log->checked_ms = mono_now_ms();
}

/* Ends the process if the tables refused a row of ours, which is a bug. A taken key of
 * the table batch is no bug: it means that there is another writer. */
static void check_refusal(struct pg_log *log)
{
    const char *error = pg_link_error(log->reader.link);
    bool is_fence = strcmp(error, "23505") == 0 &&
                    strcmp(pg_link_constraint(log->reader.link), "batch_pkey") == 0;
    bool is_bug = strncmp(error, "22", 2) == 0 || strncmp(error, "23", 2) == 0 ||
                  strncmp(error, "42", 2) == 0;

    if (is_fence || !is_bug)
        return;
    log_warn("store postgres=stop sqlstate=%s bug=\"a row is refused\" : stopping, "
             "unanswered",
             error);
    _exit(EXIT_IOERR);
}

static bool pg_commit(void *arg)
{
    struct pg_log *log = arg;
    struct store_seal seal;

    flush_events(log);
    if (log->calls.count == 0) {
        store_tail_commit(&log->tail);
        return true;
    }
    seal_calls(log, &seal);
    if (log->fence.is_stored)
        return accept_stored(log, &seal);
    frame(log, &seal);
    switch (pg_link_commit(log->reader.link, &log->calls)) {
    case PG_DONE:
        keep_commit(log, &seal);
        return true;
    case PG_REFUSED:
        check_refusal(log);
        pg_link_complain(log->reader.link, pg_link_error(log->reader.link));
        break;
    case PG_DOUBTFUL:
        break;
    }
    pg_fence_doubt(&log->fence, &seal);
    store_tail_rollback(&log->tail);
    return false;
}

static bool pg_is_lost(const void *arg)
{
    return ((const struct pg_log *)arg)->fence.is_lost;
}

/* --- Reading later, on a connection of its own --- */

static void *pg_open_reader(void *arg)
{
    const struct pg_log *log = arg;
    struct pg_reader *reader = mem_new(sizeof *reader);
    struct pg_link_settings settings = log->settings;

    settings.role = "reader";
    reader->sealer = store_sealer_new();
    reader->link = pg_link_new(&settings);
    return reader;
}

static void pg_close_reader(void *arg)
{
    struct pg_reader *reader = arg;

    if (reader == NULL)
        return;
    pg_link_free(reader->link);
    store_sealer_free(reader->sealer);
    free(reader);
}

/* Commits a transaction that writes no row. Call it after rows were read: the rows can
 * be trusted only after this commit. The reason: if the wait for a standby was
 * cancelled, a row of another connection is visible although the standby does not have
 * the row yet. False: the rows cannot be trusted. */
static bool settle(struct pg_reader *reader)
{
    return pg_link_commit_own(reader->link) == PG_DONE;
}

static bool pg_read_one_game(void *arg, int64_t game, store_event_fn *row,
                             void *row_arg, int *count)
{
    struct pg_reader *reader = arg;

    return pg_link_open(reader->link) &&
           pg_read_game(reader, game, row, row_arg, count) && settle(reader);
}

static bool pg_read_past(void *arg, const char *folded, int64_t first, int limit,
                         store_past_fn *row, void *row_arg)
{
    struct pg_reader *reader = arg;

    return pg_link_open(reader->link) &&
           pg_read_history(reader, folded, first, limit, row, row_arg) &&
           settle(reader);
}

static bool pg_read_ends(void *arg, const char *folded, store_past_fn *row,
                         void *row_arg)
{
    struct pg_reader *reader = arg;

    return pg_link_open(reader->link) && pg_read_unseen(reader, folded, row, row_arg) &&
           settle(reader);
}

/* --- Care --- */

static void see_bytes(void *arg, const PGresult *result, int row)
{
    int64_t bytes;

    if (pg_link_number(result, row, 0, &bytes))
        *(int64_t *)arg = bytes;
}

static int64_t pg_bytes(void *arg)
{
    struct pg_log *log = arg;

    if (log->fence.is_open && pg_link_call(log->reader.link, PG_SIZE, 0, NULL,
                                           see_bytes, &log->bytes) != PG_DONE)
        log->fence.is_open = false;
    return log->bytes;
}

static bool pg_has_chores(void *arg, bool is_idle)
{
    struct pg_log *log = arg;

    return is_idle && mono_now_ms() - log->checked_ms >= CHECK_MS;
}

/* Makes an empty commit, so that an idle server notices when the primary is lost or is
 * no longer safe. */
static bool pg_chores(void *arg, bool is_idle)
{
    const struct pg_calls none = {0};
    struct pg_log *log = arg;

    (void)is_idle;
    log->checked_ms = mono_now_ms();
    if (log->fence.is_open)
        pg_witness_note(log->fence.witness, log->fence.seq, log->fence.node,
                        &log->fence.seal, false);
    if (log->fence.is_open && pg_link_commit(log->reader.link, &none) == PG_DONE)
        return true;
    log->fence.is_open = false;
    return false;
}

static struct store_backup *pg_backup(void *arg, const char *path,
                                      char why[STORE_WHY_BYTES])
{
    (void)arg;
    (void)path;
    if (!text_copy(why, STORE_WHY_BYTES,
                   "the log is in PostgreSQL; copy it with pg_basebackup, or with "
                   "janggid dump"))
        why[0] = '\0';
    return NULL;
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
                                            .open_reader = pg_open_reader,
                                            .close_reader = pg_close_reader,
                                            .read_game = pg_read_one_game,
                                            .read_history = pg_read_past,
                                            .read_unseen = pg_read_ends,
                                            .open_lease = pg_lease_open,
                                            .close_lease = pg_lease_close,
                                            .look = pg_lease_look,
                                            .bytes = pg_bytes,
                                            .has_chores = pg_has_chores,
                                            .chores = pg_chores,
                                            .backup = pg_backup,
                                            .copy_out = pg_copy_out,
                                            .copy_in = pg_copy_in};
