/* See store_journal.h. */
#include "server/database/store_journal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "server/database/store_rows.h"
#include "server/sqlite/store_file.h"

enum {
    EVENTS_MAX = 100000, /* more events than any game has */
    PARK_ROWS = 512,     /* a step moves at least this number of old rows to the table
                          * event: see step_rows() */
    TRIM_ROWS = 2048     /* a step removes at least this number of unneeded rows: see
                          * step_rows() */
};

/* --- The list of a batch: game, number, game, number ... each as bytes of 7 bits, the
 * lowest first, all but the last with bit 7 --- */

enum { NUMBER_BYTES = 10 };

static unsigned char *add_number(unsigned char *at, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        *at++ = (unsigned char)(number | 0x80);
    *at++ = (unsigned char)number;
    return at;
}

/* Reads the next number of a list. False: there is no valid one. */
static bool get_number(const unsigned char **at, const unsigned char *end,
                       uint64_t *out)
{
    int shift = 0;

    for (*out = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = *(*at)++;

        *out |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

static bool get_listed(const unsigned char **at, const unsigned char *end,
                       struct store_listed *out)
{
    uint64_t game, number;

    if (!get_number(at, end, &game) || !get_number(at, end, &number) ||
        game > INT64_MAX || number > INT_MAX)
        return false;
    *out = (struct store_listed){.game = (int64_t)game, .number = (int)number};
    return true;
}

/* Counts the entries of a list; -1: the bytes are not a list. */
static int64_t count_listed(const unsigned char *at, const unsigned char *end)
{
    struct store_listed listed;
    int64_t count = 0;

    for (; at < end; count++)
        if (!get_listed(&at, end, &listed))
            return -1;
    return count;
}

/* --- The ends of logs --- */

/* Sets *parked to the number of events that the game has in the table event, and *link
 * to the link (digest) of the last of them. Returns SQLITE_DONE or an error. */
static int find_parked(struct store_db *db, int64_t game, int *parked,
                       struct store_seal *link)
{
    sqlite3_stmt *s = db->statement[STORE_LAST_EVENT];
    int code;

    *parked = 0;
    *link = (struct store_seal){0};
    sqlite3_bind_int64(s, 1, game);
    code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        int64_t number = sqlite3_column_int64(s, 0);

        *parked = number >= 0 && number < EVENTS_MAX ? (int)number + 1 : EVENTS_MAX;
        if (sqlite3_column_bytes(s, 1) == STORE_SEAL_BYTES)
            memcpy(link->bytes, sqlite3_column_blob(s, 1), STORE_SEAL_BYTES);
        code = SQLITE_DONE;
    }
    sqlite3_reset(s);
    return code;
}

/* Compares end->events, the number of events that were found, with the number of events
 * in the row of the game. If the number in the row is higher, adds entries for the
 * missing events, so that a new event does not get the number of a missing event. */
static void count_missing(struct store_db *db, struct store_end *end)
{
    const struct store_seal link = {0};
    struct store_game row;
    int code, events;
    enum store_row state = store_rows_find_game(db, end->game, &row, &code);

    if (code != SQLITE_ROW && code != SQLITE_DONE)
        store_file_fail(db->file, store_rows_sql[STORE_READ_GAME]);
    events = state == STORE_ROW_SOUND && row.events < EVENTS_MAX ? row.events : 1;
    while (end->events < events)
        store_tail_found(db->tail, end, 0, &link);
}

struct store_end *store_journal_end(struct store_db *db, int64_t game, int number)
{
    struct store_end *end = store_tail_find(db->tail, game);
    struct store_seal link = {0};
    int parked = 0;

    if (end == NULL) {
        if (number != 0 && find_parked(db, game, &parked, &link) != SQLITE_DONE)
            store_file_fail(db->file, store_rows_sql[STORE_LAST_EVENT]);
        end = store_tail_add(db->tail, game, parked, &link);
    }
    if (number == STORE_AFTER_DAMAGE)
        count_missing(db, end);
    else if (end->events != number)
        log_die("store game=%lld event=%d bug=\"the one before it is number %d\"",
                (long long)game, number, end->events - 1);
    return end;
}

/* --- Writing --- */

static void bind_waiting(sqlite3_stmt *s, int at, const struct store_waiting *row)
{
    sqlite3_bind_int64(s, at, row->id);
    sqlite3_bind_int64(s, at + 1, row->event.game);
    sqlite3_bind_int(s, at + 2, row->event.number);
    store_rows_bind_text(s, at + 3, row->event.text);
    sqlite3_bind_int64(s, at + 4, row->event.wall_s);
    sqlite3_bind_int64(s, at + 5, row->event.age_ms);
    store_rows_bind_seal(s, at + 6, &row->link);
}

static bool insert_many(struct store_db *db)
{
    for (int i = 0; i < STORE_PUT_ROWS; i++)
        bind_waiting(db->statement[STORE_PUT_EVENTS], 1 + i * STORE_EVENT_COLUMNS,
                     &db->tail->waiting[i]);
    db->tail->waiting_count = 0;
    return store_rows_run(db, STORE_PUT_EVENTS);
}

bool store_journal_put(struct store_db *db, struct store_end *end,
                       const struct store_event *event)
{
    struct store_tail *tail = db->tail;
    struct store_waiting *row = &tail->waiting[tail->waiting_count++];

    row->event = *event;
    row->link = end->link;
    store_seal_event(db->sealer, &row->link, event);
    store_tail_append(tail, end, &row->link);
    row->id = tail->now.last_id;
    if (event->age_ms > tail->now.age_ms)
        tail->now.age_ms = event->age_ms;
    return tail->waiting_count < STORE_PUT_ROWS || insert_many(db);
}

bool store_journal_insert(struct store_db *db)
{
    struct store_tail *tail = db->tail;
    int count = tail->waiting_count;

    tail->waiting_count = 0;
    for (int i = 0; i < count; i++) {
        bind_waiting(db->statement[STORE_PUT_EVENT], 1, &tail->waiting[i]);
        if (!store_rows_run(db, STORE_PUT_EVENT))
            return false;
    }
    return true;
}

static bool put_list(struct store_db *db, const unsigned char *list, size_t size)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_BATCH];
    const struct store_tally *tally = &db->tail->now;
    struct store_seal seal;

    store_seal_batch(db->sealer, &seal, tally, list, size);
    sqlite3_bind_int64(s, 1, tally->last_id);
    sqlite3_bind_int64(s, 2, tally->last_game);
    sqlite3_bind_int64(s, 3, tally->running);
    sqlite3_bind_int64(s, 4, tally->age_ms);
    sqlite3_bind_blob(s, 5, list, (int)size, SQLITE_STATIC);
    store_rows_bind_seal(s, 6, &seal);
    return store_rows_run(db, STORE_PUT_BATCH);
}

bool store_journal_put_batch(struct store_db *db)
{
    const struct store_tail *tail = db->tail;
    unsigned char *list, *at;
    bool is_put;

    if (tail->listed_count == 0)
        return true;
    if (!store_journal_insert(db))
        return false;
    list = at = mem_resize(NULL, (size_t)tail->listed_count, 2 * NUMBER_BYTES);
    for (int i = 0; i < tail->listed_count; i++) {
        at = add_number(at, (uint64_t)tail->listed[i].game);
        at = add_number(at, (uint64_t)tail->listed[i].number);
    }
    is_put = put_list(db, list, (size_t)(at - list));
    free(list);
    return is_put;
}

/* --- Reading both tables --- */

struct scan {
    struct store_db *db;
    sqlite3_stmt *batches, *rows;
    int code; /* SQLITE_DONE, or the last error of either statement */
    bool has_row;
    int64_t row_id;  /* id of the current row of `rows` */
    int64_t last_id; /* last_id of the batch before the current one; -1: there is
                      * none */
    store_journal_damage_fn *damage;
    void *arg;
};

static void next_row(struct scan *scan)
{
    int64_t before = scan->row_id;
    int code = sqlite3_step(scan->rows);

    scan->has_row = code == SQLITE_ROW;
    if (!scan->has_row) {
        scan->code = code == SQLITE_DONE ? scan->code : code;
        return;
    }
    scan->row_id = sqlite3_column_int64(scan->rows, 0);
    if (scan->row_id > before)
        return;
    scan->has_row = false; /* in a damaged tree the next row may have a lower id */
    scan->code = SQLITE_CORRUPT;
}

static struct store_end *end_of(struct scan *scan, int64_t game)
{
    struct store_end *end = store_tail_find(scan->db->tail, game);
    struct store_seal link;
    int parked, code;

    if (end != NULL)
        return end;
    code = find_parked(scan->db, game, &parked, &link);
    if (code != SQLITE_DONE)
        scan->code = code;
    return store_tail_add(scan->db->tail, game, parked, &link);
}

/* Adds to the tail an event that the list of a batch names. `id` is the id of its row;
 * 0: the row is missing. If earlier events of its game were in no list, adds them as
 * missing too. */
static void found(struct scan *scan, const struct store_listed *listed, int64_t id)
{
    struct store_end *end = end_of(scan, listed->game);
    struct store_seal link = {0};

    if (listed->number < end->events || listed->number - end->events > EVENTS_MAX)
        return; /* this event was found already, or its number is impossible */
    while (end->events < listed->number)
        store_tail_found(scan->db->tail, end, 0, &link);
    if (id != 0 && sqlite3_column_bytes(scan->rows, 3) == STORE_SEAL_BYTES)
        memcpy(link.bytes, sqlite3_column_blob(scan->rows, 3), STORE_SEAL_BYTES);
    store_tail_found(scan->db->tail, end, id, &link);
}

static struct store_listed row_event(const struct scan *scan)
{
    int64_t number = sqlite3_column_int64(scan->rows, 2);

    return (struct store_listed){.game = sqlite3_column_int64(scan->rows, 1),
                                 .number = number >= 0 && number < INT_MAX ? (int)number
                                                                           : INT_MAX};
}

/* Adds the events in some rows of the journal to the tail: the rows below `id` that are
 * not in the list of a batch. Such rows exist if a batch is damaged or missing. Their
 * events are still used, because the link (digest) of an event shows whether the event
 * is intact. If an event is lost as well, the loss can remain undetected. In all other
 * cases a lost event is detected. */
static void pass_unlisted(struct scan *scan, int64_t id)
{
    struct store_tally *tally = &scan->db->tail->now;

    for (; scan->has_row && scan->row_id < id; next_row(scan)) {
        struct store_listed event = row_event(scan);

        found(scan, &event, scan->row_id);
        if (event.game > tally->last_game)
            tally->last_game = event.game;
    }
}

static void check_listed(struct scan *scan, const struct store_listed *listed,
                         int64_t id)
{
    bool is_it = false;

    pass_unlisted(scan, id);
    if (scan->has_row && scan->row_id == id) {
        struct store_listed event = row_event(scan);

        is_it = event.game == listed->game && event.number == listed->number;
    }
    found(scan, listed, is_it ? id : 0);
    if (scan->has_row && scan->row_id == id)
        next_row(scan);
}

static bool get_batch(struct scan *scan, struct store_tally *tally)
{
    sqlite3_stmt *s = scan->batches;
    struct store_seal seal;

    *tally = (struct store_tally){.last_id = sqlite3_column_int64(s, 0),
                                  .last_game = sqlite3_column_int64(s, 1),
                                  .running = sqlite3_column_int64(s, 2),
                                  .age_ms = sqlite3_column_int64(s, 3)};
    store_seal_batch(scan->db->sealer, &seal, tally, sqlite3_column_blob(s, 4),
                     (size_t)sqlite3_column_bytes(s, 4));
    return sqlite3_column_bytes(s, 5) == STORE_SEAL_BYTES &&
           memcmp(sqlite3_column_blob(s, 5), seal.bytes, STORE_SEAL_BYTES) == 0;
}

static void read_batch(struct scan *scan, const struct store_tally *tally)
{
    const unsigned char *at = sqlite3_column_blob(scan->batches, 4);
    const unsigned char *end = at + sqlite3_column_bytes(scan->batches, 4);
    int64_t count = count_listed(at, end), id = tally->last_id - count + 1;
    struct store_listed listed;

    if (count < 0 || (scan->last_id >= 0 && id != scan->last_id + 1))
        scan->damage(scan->arg, tally->last_id,
                     count < 0 ? "its list cannot be read"
                               : "the batch before it is missing");
    if (count > 0)
        pass_unlisted(scan, id);
    for (; count > 0 && get_listed(&at, end, &listed); id++)
        check_listed(scan, &listed, id);
    scan->db->tail->now = *tally;
}

static void read_batches(struct scan *scan)
{
    struct store_tally tally;
    int code;

    while ((code = sqlite3_step(scan->batches)) == SQLITE_ROW) {
        if (get_batch(scan, &tally)) {
            read_batch(scan, &tally);
        } else {
            scan->damage(scan->arg, tally.last_id, "its row does not fit its seal");
            scan->db->tail->now.running = -1;
        }
        scan->last_id = tally.last_id;
    }
    if (code != SQLITE_DONE)
        scan->code = code;
}

/* True when the game was pruned: all its rows are deleted. The rows of the table `batch`
 * (the journal) still list its events, until the journal is trimmed. */
static bool is_pruned(struct scan *scan, const struct store_end *end)
{
    struct store_game row;
    int code;

    if (end->parked != 0)
        return false;
    for (int i = 0; i < end->events; i++)
        if (end->id[i] != 0)
            return false;
    if (store_rows_find_game(scan->db, end->game, &row, &code) != STORE_ROW_MISSING)
        return false;
    if (code != SQLITE_DONE)
        scan->code = code;
    return code == SQLITE_DONE;
}

/* Removes from the tail the games whose events are all in the table event, or
 * deleted. */
static void forget_gone(struct scan *scan)
{
    struct store_tail *tail = scan->db->tail;
    struct store_end *end, *next;

    HASH_ITER (hh, tail->by_game, end, next)
        if (end->events == end->parked || is_pruned(scan, end))
            store_tail_forget(tail, end);
}

int store_journal_scan(struct store_db *db, store_journal_damage_fn *damage, void *arg)
{
    struct scan scan = {.db = db,
                        .batches = db->statement[STORE_LOAD_BATCHES],
                        .rows = db->statement[STORE_LOAD_JOURNAL],
                        .code = SQLITE_DONE,
                        .last_id = -1,
                        .damage = damage,
                        .arg = arg};

    next_row(&scan);
    db->tail->first_row = scan.has_row ? scan.row_id : 1;
    read_batches(&scan);
    if (scan.last_id < 0)
        damage(arg, 0, "there is none");
    if (scan.has_row)
        damage(arg, scan.row_id, "it is missing");
    pass_unlisted(&scan, INT64_MAX);
    if (scan.row_id > db->tail->now.last_id)
        db->tail->now.last_id = scan.row_id;
    if (scan.last_id > db->tail->now.last_id)
        db->tail->now.last_id = scan.last_id;
    db->tail->kept = db->tail->now;
    forget_gone(&scan);
    sqlite3_reset(scan.batches);
    sqlite3_reset(scan.rows);
    return scan.code;
}

/* --- Parking --- */

bool store_journal_is_long(const struct store_db *db, bool is_idle)
{
    int64_t kept = store_tail_kept_rows();
    int64_t rows = db->tail->now.last_id - db->tail->first_row + 1;

    return rows >= kept + (is_idle ? kept / 16 : kept / 2);
}

bool store_journal_count_parked(struct store_db *db, int64_t id, int events)
{
    sqlite3_stmt *s = db->statement[STORE_READ_GAME];
    struct store_game game;
    bool is_sound;
    int code;

    sqlite3_bind_int64(s, 1, id);
    code = sqlite3_step(s);
    is_sound = code == SQLITE_ROW && store_rows_read_game(db, s, &game);
    if (is_sound && !game.is_over) {
        game.events = events;
        is_sound = store_rows_put_game(db, STORE_GROW_GAME, &game);
        sqlite3_reset(s);
        return is_sound;
    }
    sqlite3_reset(s);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        store_file_fail(db->file, store_rows_sql[STORE_READ_GAME]);
    return true;
}

static bool park_game(struct store_db *db, const struct store_end *end)
{
    sqlite3_stmt *s = db->statement[STORE_PARK_EVENTS];
    int count = end->events - end->parked;

    for (int first = 0; first < count; first += STORE_PARK_IDS) {
        for (int i = 0; i < STORE_PARK_IDS; i++)
            if (first + i < count)
                sqlite3_bind_int64(s, i + 1, end->id[first + i]);
            else
                sqlite3_bind_null(s, i + 1);
        if (!store_rows_run(db, STORE_PARK_EVENTS))
            return false;
    }
    return store_journal_count_parked(db, end->game, end->events);
}

/* Parks games (moves their events to the table event), the oldest first, until `most`
 * rows are moved or no game is old enough. *last: the last game that was parked; NULL:
 * none. */
static bool park_games(struct store_db *db, int64_t most, struct store_end **last)
{
    int64_t rows = 0;

    *last = NULL;
    for (struct store_end *end = db->tail->oldest; end != NULL && rows < most;
         end = end->next) {
        if (end->id[0] > db->tail->now.last_id - store_tail_kept_rows())
            break;
        if (!park_game(db, end))
            return false;
        rows += end->events - end->parked;
        *last = end;
    }
    return true;
}

static void forget_games(struct store_tail *tail, const struct store_end *last)
{
    bool is_last = last == NULL;

    while (!is_last) {
        is_last = tail->oldest == last;
        store_tail_forget(tail, tail->oldest);
    }
}

/* Removes the rows below `id` from the tables journal and batch. */
static bool trim(struct store_db *db, int64_t id)
{
    sqlite3_bind_int64(db->statement[STORE_TRIM_JOURNAL], 1, id);
    sqlite3_bind_int64(db->statement[STORE_TRIM_BATCH], 1, id);
    return store_rows_run(db, STORE_TRIM_JOURNAL) &&
           store_rows_run(db, STORE_TRIM_BATCH);
}

/* Returns how many rows a step handles. This is twice the number of rows that were
 * added since the last step, but not less than `least`. So the journal becomes shorter
 * even with large transactions. */
static int64_t step_rows(const struct store_tail *tail, int64_t least)
{
    int64_t added = tail->parked_at != 0 ? tail->now.last_id - tail->parked_at : 0;

    return 2 * added > least ? 2 * added : least;
}

bool store_journal_park(struct store_db *db)
{
    int64_t most = step_rows(db->tail, PARK_ROWS);
    int64_t first = db->tail->first_row + step_rows(db->tail, TRIM_ROWS);
    struct store_end *last;

    if (store_tail_first_id(db->tail) < first)
        first = store_tail_first_id(db->tail);
    if (!store_rows_run(db, STORE_BEGIN) || !trim(db, first) ||
        !park_games(db, most, &last) || !store_rows_run(db, STORE_COMMIT))
        return false;
    db->tail->first_row = first;
    db->tail->parked_at = db->tail->now.last_id;
    forget_games(db->tail, last);
    return true;
}
