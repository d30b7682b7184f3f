/* See store_db.h. */
#include "server/store/store_db.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/game/event.h"
#include "server/store/store_file.h"
#include "server/store/store_schema.h"

enum {
    CHECKPOINT_PAGES =
        1000, /* pages in the write-ahead log at which a checkpoint is made
                              * if idle */
    CHECKPOINT_MUST = 8000, /* ... even if busy (32 MB) */
    RUBBISH_BUSY = 65536,   /* rows of ended games in the journal at which it is trimmed
                              * even if busy, besides twice those of running games */
    TRIM_ROWS = 512 /* rows that a step of trimming handles, and twice what was added
                     * since the last one */
};

/* Selects some aborted games that ended before ?1, and the game ?2; but never the newest
 * game, ?3, so that its number is not reused. */
#define PRUNED_GAMES                                                                   \
    "(SELECT id FROM game WHERE id = ?2 AND id < ?3 UNION ALL SELECT id FROM"          \
    " (SELECT id FROM game WHERE is_over = 1 AND result = 'none' AND ended_s < ?1"     \
    " AND reason GLOB 'aborted*' AND id < ?3 ORDER BY ended_s LIMIT 128))"
#define EVENT_COLUMNS "seq, game, number, wall_s, age_ms, text, link"

static const char *const other_sql[STORE_STATEMENTS] = {
    [STORE_BEGIN] = "BEGIN IMMEDIATE",
    [STORE_COMMIT] = "COMMIT",
    [STORE_ROLLBACK] = "ROLLBACK",
    [STORE_LIST_JOURNAL] = "SELECT seq, game FROM journal WHERE seq < ?1 ORDER BY seq",
    [STORE_TRIM_JOURNAL] = "DELETE FROM journal WHERE seq < ?1",
    [STORE_READ_RUNNING] = "SELECT " EVENT_COLUMNS " FROM journal WHERE seq >= ?1"
                           " AND game = ?2 ORDER BY number, seq",
    [STORE_LIST_HISTORY] =
        "SELECT id FROM (SELECT id, ended_s FROM game WHERE is_over = 1 AND red = ?1"
        " AND id >= ?2 UNION ALL SELECT id, ended_s FROM game WHERE is_over = 1"
        " AND blue = ?1 AND red <> ?1 AND id >= ?2) ORDER BY ended_s DESC, id DESC",
    [STORE_LIST_UNSEEN] = "SELECT game FROM unseen WHERE name = ?1 ORDER BY id",
    [STORE_PRUNE_UNSEEN] = "DELETE FROM unseen WHERE game IN " PRUNED_GAMES,
    [STORE_PRUNE_GAMES] = "DELETE FROM game WHERE id IN " PRUNED_GAMES,
};

/* --- Opening --- */

struct store_db *store_db_adopt(sqlite3 *file)
{
    struct store_db *db = mem_new(sizeof *db);
    char sql[STORE_SQL_BYTES];
    bool is_good = true;

    db->sealer = store_sealer_new();
    db->file = file;
    for (int kind = 0; kind < STORE_KINDS; kind++)
        for (int which = STORE_SQL_PUT; which < STORE_SQLS; which++)
            is_good =
                is_good &&
                (!store_row_sql(sql, (enum store_kind)kind, (enum store_sql)which) ||
                 sqlite3_prepare_v3(file, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                    &db->of[kind][which], NULL) == SQLITE_OK);
    for (int i = 0; is_good && i < STORE_STATEMENTS; i++)
        is_good = sqlite3_prepare_v3(file, other_sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                                     &db->other[i], NULL) == SQLITE_OK;
    if (is_good)
        return db;
    db->file = NULL;
    store_db_close(db);
    return NULL;
}

static int on_log_grown(void *arg, sqlite3 *file, const char *name, int pages)
{
    (void)file;
    (void)name;
    ((struct store_db *)arg)->waiting_pages = pages;
    return SQLITE_OK;
}

/* Checks the small tables that are read at the start. For example, if the row of a name
 * were lost, another player could take this name. "janggid verify" checks all tables. */
static bool check_tables(struct store_db *db)
{
    bool is_sound = true;

    for (int kind = STORE_HEAD; kind < STORE_KINDS && is_sound; kind++) {
        char sql[80];

        snprintf(sql, sizeof sql, "PRAGMA integrity_check(%s)",
                 store_row_layouts[kind].name);
        is_sound = kind == STORE_UNSEEN || store_file_demand(db->file, sql, "ok");
        if (!is_sound && errno == EIO)
            log_warn("store damaged=%s : %s", store_row_layouts[kind].name,
                     store_file_advice);
    }
    return is_sound;
}

void *store_db_open(const struct store_place *place)
{
    int version, why;
    sqlite3 *file = store_file_open(place->directory, &version);
    struct store_db *db = NULL;

    if (file == NULL)
        return NULL;
    if (store_schema_bring(file, version)) {
        db = store_db_adopt(file);
        if (db != NULL) {
            sqlite3_wal_hook(file, on_log_grown, db);
            if (check_tables(db))
                return db;
        } else if (sqlite3_errcode(file) == SQLITE_NOMEM) {
            store_file_refuse(file, "prepare");
        } else {
            log_warn("store damaged=tables why=\"%s\" : %s", sqlite3_errmsg(file),
                     store_file_advice);
            errno = EIO;
        }
    }
    why = errno;
    if (db != NULL)
        store_db_close(db);
    else
        sqlite3_close(file);
    errno = why;
    return NULL;
}

/* --- Rows --- */

/* Undoes the transaction, if one is open. */
static void undo(struct store_db *db)
{
    sqlite3_stmt *s = db->other[STORE_ROLLBACK];

    store_tail_rollback(&db->tail);
    if (!sqlite3_get_autocommit(db->file) && sqlite3_step(s) != SQLITE_DONE)
        store_file_fail(db->file, other_sql[STORE_ROLLBACK]);
    sqlite3_reset(s);
}

/* Runs a statement without result rows. False: the disk is full, and the transaction is
 * undone. */
static bool run(struct store_db *db, sqlite3_stmt *s)
{
    int code = sqlite3_step(s);

    if (code != SQLITE_DONE) {
        if ((code & 0xff) == SQLITE_CONSTRAINT)
            log_die("store bug=\"%s\" why=\"%s\"", sqlite3_sql(s),
                    sqlite3_errmsg(db->file));
        if (!store_file_is_full(db->file))
            store_file_fail(db->file, sqlite3_sql(s));
    }
    sqlite3_reset(s);
    if (code != SQLITE_DONE)
        undo(db);
    return code == SQLITE_DONE;
}

static void bind_column(sqlite3_stmt *s, int at, const struct store_column *c,
                        const void *row)
{
    if (c->type == 't')
        sqlite3_bind_text(s, at, *store_row_text(c, row), -1, SQLITE_STATIC);
    else if (c->type == 'b')
        sqlite3_bind_blob(s, at, store_row_at(c, row), STORE_DIGEST_BYTES,
                          SQLITE_STATIC);
    else
        sqlite3_bind_int64(s, at, store_row_number(c, row));
}

bool store_db_put_row(void *arg, enum store_kind kind, const void *row,
                      const struct store_seal *seal)
{
    struct store_db *db = arg;
    const struct store_layout *layout = &store_row_layouts[kind];
    sqlite3_stmt *s = db->of[kind][STORE_SQL_PUT];
    struct store_seal own;
    int at = 0;

    if (seal == NULL && layout->letter != '\0')
        store_seal_row(db->sealer, &own, kind, row);
    for (const struct store_column *c = layout->column; c->type != '\0'; c++)
        if (c->type == 's')
            sqlite3_bind_blob(s, ++at, seal != NULL ? seal->bytes : own.bytes,
                              STORE_SEAL_BYTES, SQLITE_STATIC);
        else if (c->type != 'o' && c->type != 'a')
            bind_column(s, ++at, c, row);
    return run(db, s);
}

/* Reads a column into the row. False: the value does not fit its type. */
static bool get_column(sqlite3_stmt *s, int at, const struct store_column *c, void *row)
{
    if (c->type == 't') {
        const char *text = (const char *)sqlite3_column_text(s, at);

        *store_row_text(c, row) = text != NULL ? text : "";
        return sqlite3_column_type(s, at) == SQLITE_TEXT && text != NULL &&
               strlen(text) == (size_t)sqlite3_column_bytes(s, at);
    }
    if (c->type != 'b')
        return sqlite3_column_type(s, at) == SQLITE_INTEGER &&
               store_row_set(c, row, sqlite3_column_int64(s, at));
    if (sqlite3_column_bytes(s, at) != STORE_DIGEST_BYTES)
        return false;
    memcpy(store_row_at(c, row), sqlite3_column_blob(s, at), STORE_DIGEST_BYTES);
    return true;
}

/* Reads all columns into the row, and its stored seal. False: one does not fit its type. */
static bool get_row(sqlite3_stmt *s, enum store_kind kind, void *row,
                    struct store_seal *seal)
{
    bool is_good = true;
    int at = 0;

    for (const struct store_column *c = store_row_layouts[kind].column; c->type != '\0';
         c++)
        if (c->type == 's') {
            if (sqlite3_column_bytes(s, at) == STORE_SEAL_BYTES)
                memcpy(seal->bytes, sqlite3_column_blob(s, at), STORE_SEAL_BYTES);
            else
                is_good = false;
            at++;
        } else if (c->type != 'o' && c->type != 'a') {
            is_good = get_column(s, at++, c, row) && is_good;
        }
    return is_good;
}

bool store_db_read_row(struct store_db *db, sqlite3_stmt *s, enum store_kind kind,
                       void *row, struct store_seal *seal)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    int64_t before = store_row_number(layout->column, row);
    struct store_seal stored;

    if (!get_row(s, kind, row, &stored) ||
        (layout->is_numbered && store_row_number(layout->column, row) != before + 1))
        return false;
    if (layout->letter == '\0')
        return true;
    store_seal_row(db->sealer, seal, kind, row);
    return store_seal_is_same(seal, &stored);
}

bool store_db_load(void *arg, enum store_kind kind, store_row_fn *row, void *row_arg)
{
    struct store_db *db = arg;
    sqlite3_stmt *s = db->of[kind][STORE_SQL_LOAD];
    struct store_seal seal = {0};
    union store_record record;
    int code;

    memset(&record, 0, sizeof record);
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        if (!store_db_read_row(db, s, kind, &record, &seal)) {
            const unsigned char *key = sqlite3_column_text(s, 0);

            log_warn("store damaged=%s row=\"%s\" : %s", store_row_layouts[kind].word,
                     key != NULL ? (const char *)key : "", store_file_advice);
            sqlite3_reset(s);
            return false;
        }
        row(row_arg, &record);
    }
    if (code != SQLITE_DONE)
        store_file_refuse(db->file, sqlite3_sql(s));
    sqlite3_reset(s);
    return code == SQLITE_DONE;
}

/* Steps to the row with that number as its key. The caller resets the statement. */
static int find(struct store_db *db, enum store_kind kind, int64_t key,
                sqlite3_stmt **out)
{
    *out = db->of[kind][STORE_SQL_FIND];
    sqlite3_bind_int64(*out, 1, key);
    return sqlite3_step(*out);
}

/* --- The journal at the start --- */

/* An event of a game that is in the journal. */
struct store_running_row {
    struct store_event event;
    struct store_seal link; /* as stored */
    char text[];
};

/* A game that is in the journal. */
struct store_running {
    int64_t game;
    struct store_running_row **row;
    int count, room;
    int sound; /* its first events are sound: rows [0, sound) */
    bool is_damaged;
    struct store_seal link; /* of the last sound event */
    UT_hash_handle hh;
};

static void drop_found(struct store_db *db, struct store_running *found)
{
    HASH_DEL(db->found, found);
    for (int i = 0; i < found->count; i++)
        free(found->row[i]);
    free(found->row);
    free(found);
}

static void free_found(struct store_db *db)
{
    while (db->found != NULL)
        drop_found(db, db->found);
}

/* Keeps the event to which the statement has stepped. False: it cannot be read. */
static bool keep_found(struct store_db *db, sqlite3_stmt *s)
{
    struct store_event event = {.is_sound = true};
    struct store_running *found;
    struct store_running_row *row;
    struct store_seal link;

    /* one that does not fit its type stays 0 or "", and so does not fit the link */
    (void)!get_row(s, STORE_EVENT, &event, &link);
    if (event.game <= 0 || event.number < 0 || event.number == INT_MAX ||
        sqlite3_column_bytes(s, 6) != STORE_SEAL_BYTES)
        return false;
    HASH_FIND(hh, db->found, &event.game, sizeof event.game, found);
    if (found == NULL) {
        found = mem_new(sizeof *found);
        found->game = event.game;
        HASH_ADD(hh, db->found, game, sizeof found->game, found);
    }
    row = mem_new(sizeof *row + strlen(event.text) + 1);
    row->event = event;
    row->event.text = strcpy(row->text, event.text);
    row->link = link;
    found->row =
        mem_grow(found->row, found->count, &found->room, 16, sizeof *found->row);
    found->row[found->count++] = row;
    return true;
}

static int by_number(const void *one, const void *other)
{
    const struct store_event *a = &(*(struct store_running_row *const *)one)->event;
    const struct store_event *b = &(*(struct store_running_row *const *)other)->event;

    return a->number != b->number ? (a->number > b->number) - (a->number < b->number)
                                  : (a->seq > b->seq) - (a->seq < b->seq);
}

/* What the journal may have lost. */
struct losses {
    int64_t missing; /* the last row that is missing or cannot be read; 0: none */
    struct bad_row { /* rows that do not fit the game that they name */
        int64_t seq, game;
        int number;
    } * bad;
    int count, room;
};

static void add_bad(struct losses *losses, const struct store_event *event)
{
    losses->bad =
        mem_grow(losses->bad, losses->count, &losses->room, 16, sizeof *losses->bad);
    losses->bad[losses->count++] =
        (struct bad_row){event->seq, event->game, event->number};
}

/* Checks the chain of the game's events. Returns false if the game is over. */
static bool judge_found(struct store_db *db, struct store_running *found,
                        struct losses *losses, int *code)
{
    struct store_seal link = {0};
    int expected = 0;
    sqlite3_stmt *s;

    qsort(found->row, (size_t)found->count, sizeof *found->row, by_number);
    for (int i = 0; i < found->count; i++) {
        struct store_running_row *row = found->row[i];

        found->link = link;
        if (row->event.number == expected && !found->is_damaged)
            store_seal_event(db->sealer, &link, &row->event);
        if (row->event.number != expected ||
            (!found->is_damaged && !store_seal_is_same(&link, &row->link))) {
            found->is_damaged = true;
            add_bad(losses, &row->event);
        }
        if (row->event.number >= expected)
            expected = row->event.number + 1;
        if (!found->is_damaged) {
            found->sound++;
            found->link = link;
        }
    }
    /* The end of a damaged game fits no chain; of a game that the host has removed there is
     * no row. */
    if (strncmp(found->row[found->count - 1]->event.text, "end ", 4) == 0)
        return false;
    *code = find(db, STORE_GAME, found->game, &s);
    sqlite3_reset(s);
    return *code != SQLITE_ROW; /* a row: its end is damaged here */
}

/* Adds a running game to the tail. It is damaged if it may have lost its last event: to a
 * row that is missing, or to one that has its number and names another game. */
static void add_running(struct store_db *db, struct store_running *found,
                        const struct losses *losses)
{
    const struct store_event *last = &found->row[found->count - 1]->event;
    bool is_doubtful = last->seq < losses->missing;
    struct store_end *end;

    for (int i = 0; i < losses->count; i++)
        is_doubtful = is_doubtful || (losses->bad[i].game != found->game &&
                                      losses->bad[i].number == last->number + 1 &&
                                      losses->bad[i].seq > last->seq);
    found->is_damaged = found->is_damaged || is_doubtful;
    end = store_tail_add(&db->tail, found->game, last->number + 1 + is_doubtful,
                         &found->link);
    end->first_seq = INT64_MAX;
    for (int i = 0; i < found->count; i++)
        if (found->row[i]->event.seq < end->first_seq)
            end->first_seq = found->row[i]->event.seq;
    db->tail.now.live += end->events;
}

static void take_head(void *arg, const void *row)
{
    *(struct store_head *)arg = *(const struct store_head *)row;
}

int store_db_scan(struct store_db *db, store_damage_fn *damage, void *arg)
{
    sqlite3_stmt *s = db->of[STORE_EVENT][STORE_SQL_LOAD];
    struct store_head head = {.last_seq = -1};
    struct store_totals *now = &db->tail.now;
    struct losses losses = {.missing = 0};
    int64_t before, seq;
    struct store_running *found, *next;
    char which[24];
    int code, lost = 0, found_code = SQLITE_DONE;

    if (!store_db_load(db, STORE_HEAD, take_head, &head) || head.last_seq < 0) {
        damage(arg, "head", "", "its row is missing or does not fit its seal");
        head = (struct store_head){.last_seq = -1};
        code = store_file_number(db->file, "SELECT count(*) FROM game", &head.games);
        if (code != SQLITE_ROW)
            return code;
    }
    *now = (struct store_totals){.last_game = head.last_game,
                                 .games = head.games,
                                 .age_ms = head.age_ms,
                                 .last_seq = head.last_seq};
    db->first_seq = head.first_seq;
    before = head.first_seq - 1;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        seq = sqlite3_column_int64(s, 0);
        if (head.last_seq < 0 && before < 0)
            db->first_seq = seq;
        else if (seq <= before) {
            code = SQLITE_CORRUPT;
            break;
        }
        if ((head.last_seq >= 0 || before >= 0) && seq != before + 1) {
            lost += (int)(seq - before - 1);
            losses.missing = seq - 1;
        }
        if (!keep_found(db, s)) {
            lost++;
            losses.missing = seq;
        }
        before = seq;
    }
    sqlite3_reset(s);
    if (code != SQLITE_DONE)
        return code;
    if (head.last_seq >= 0 && before < head.last_seq) {
        lost += (int)(head.last_seq - before);
        losses.missing = head.last_seq;
    }
    if (lost > 0) {
        snprintf(which, sizeof which, "%lld", (long long)losses.missing);
        damage(arg, "journal", which, "rows up to this one are missing");
        db->is_damaged = true;
    }
    if (head.last_seq >= 0 && before > head.last_seq)
        damage(arg, "head", "", "the journal has rows that it does not know");
    if (before > now->last_seq)
        now->last_seq = before;
    HASH_ITER (hh, db->found, found, next) {
        bool is_running = judge_found(db, found, &losses, &found_code);

        if (found_code != SQLITE_DONE && found_code != SQLITE_ROW)
            code = found_code;
        if (found->game > now->last_game)
            now->last_game = found->game;
        if (!is_running)
            drop_found(db, found);
    }
    for (found = db->found; found != NULL; found = found->hh.next)
        add_running(db, found, &losses);
    free(losses.bad);
    db->tail.kept = *now;
    db->trimmed_at = now->last_seq;
    return code;
}

static void tell_damage(void *arg, const char *what, const char *which, const char *why)
{
    (void)arg;
    log_warn("store damaged=%s row=\"%s\" why=\"%s\" : %s", what, which, why,
             store_file_advice);
}

static void take_age(void *arg, const void *row)
{
    const struct store_age *age = row;
    struct store_age *out = arg;

    out->number = age->number;
    if (age->age_ms > out->age_ms)
        out->age_ms = age->age_ms;
}

bool store_db_survey(void *arg, struct store_survey *out)
{
    struct store_db *db = arg;
    int64_t last_game = 0;
    int code = store_db_scan(db, tell_damage, NULL);

    if (code != SQLITE_DONE) {
        store_file_refuse(db->file, "journal");
        return false;
    }
    *out = (struct store_survey){.age.age_ms = db->tail.now.age_ms};
    if (!store_db_load(db, STORE_AGE, take_age, &out->age))
        log_warn("store damaged=age : the latest event's is taken");
    if (store_file_number(db->file, "SELECT coalesce(max(id), 0) FROM act",
                          &out->last_act) != SQLITE_ROW ||
        store_file_number(db->file, "SELECT coalesce(max(id), 0) FROM game",
                          &last_game) != SQLITE_ROW) {
        store_file_refuse(db->file, "survey");
        return false;
    }
    if (last_game < 0 || last_game == INT64_MAX) {
        log_warn("store damaged=game row=%lld : %s", (long long)last_game,
                 store_file_advice);
        errno = EIO;
        return false;
    }
    if (last_game > db->tail.now.last_game)
        db->tail.now.last_game = db->tail.kept.last_game = last_game;
    out->last_game = db->tail.now.last_game;
    return true;
}

static int by_game(const struct store_running *one, const struct store_running *other)
{
    return (one->game > other->game) - (one->game < other->game);
}

static void tell_damaged_game(int64_t game, int number)
{
    log_warn("store game=%lld damaged-from-event=%d : %s", (long long)game, number,
             store_file_advice);
}

static void give_damage(int64_t game, int number, store_event_fn *row, void *arg)
{
    const struct store_event event = {.game = game, .number = number, .text = ""};

    row(arg, &event);
}

void store_db_each_running(struct store_db *db, store_event_fn *row,
                           void (*end)(void *arg, int64_t game), void *arg,
                           void *end_arg)
{
    HASH_SORT(db->found, by_game);
    for (struct store_running *found = db->found; found != NULL;
         found = found->hh.next) {
        for (int i = 0; i < found->sound; i++)
            row(arg, &found->row[i]->event);
        if (found->is_damaged)
            give_damage(found->game, found->sound, row, arg);
        if (found->is_damaged && end == NULL)
            tell_damaged_game(found->game, found->sound);
        if (end != NULL)
            end(end_arg, found->game);
    }
}

bool store_db_load_running(void *arg, store_event_fn *row, void *row_arg)
{
    store_db_each_running(arg, row, NULL, row_arg, NULL);
    free_found(arg);
    return true;
}

void store_db_close(void *arg)
{
    struct store_db *db = arg;

    if (db == NULL)
        return;
    for (int kind = 0; kind < STORE_KINDS; kind++)
        for (int which = 0; which < STORE_SQLS; which++)
            sqlite3_finalize(db->of[kind][which]);
    for (int i = 0; i < STORE_STATEMENTS; i++)
        sqlite3_finalize(db->other[i]);
    free_found(db);
    store_tail_clear(&db->tail);
    sqlite3_close(db->file);
    store_sealer_free(db->sealer);
    free(db);
}

/* --- Writing --- */

/* Begins a transaction. If the last one failed, tries a checkpoint first: SQLite then
 * overwrites the write-ahead log from its start, which may give all the space needed. */
bool store_db_begin(void *arg, bool is_again)
{
    struct store_db *db = arg;

    if (is_again && store_file_checkpoint(db->file))
        db->waiting_pages = 0;
    return run(db, db->other[STORE_BEGIN]);
}

static bool put_head(struct store_db *db, int64_t first_seq)
{
    const struct store_totals *now = &db->tail.now;
    const struct store_head head = {.first_seq = first_seq,
                                    .last_seq = now->last_seq,
                                    .last_game = now->last_game,
                                    .games = now->games,
                                    .age_ms = now->age_ms};

    return store_db_put_row(db, STORE_HEAD, &head, NULL);
}

/* Deletes the rows of the table game last: the other statement looks there. */
static bool prune(void *arg, struct store_pruning *pruning)
{
    struct store_db *db = arg;
    static const enum store_statement which[] = {STORE_PRUNE_UNSEEN, STORE_PRUNE_GAMES};

    for (size_t i = 0; i < ARRAY_LEN(which); i++) {
        sqlite3_bind_int64(db->other[which[i]], 1, pruning->before_wall_s);
        sqlite3_bind_int64(db->other[which[i]], 2, pruning->game);
        sqlite3_bind_int64(db->other[which[i]], 3, db->tail.now.last_game);
        if (!run(db, db->other[which[i]]))
            return false;
    }
    pruning->pruned = sqlite3_changes(db->file);
    db->tail.now.games -= pruning->pruned;
    return pruning->pruned == 0 || put_head(db, db->first_seq);
}

static bool find_act(void *arg, int64_t id, struct store_seal *out)
{
    struct store_db *db = arg;
    sqlite3_stmt *s;
    int code = find(db, STORE_ACT, id, &s);

    if (code == SQLITE_ROW && sqlite3_column_bytes(s, 4) == STORE_SEAL_BYTES)
        memcpy(out->bytes, sqlite3_column_blob(s, 4), STORE_SEAL_BYTES);
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        store_file_fail(db->file, sqlite3_sql(s));
    sqlite3_reset(s);
    return true;
}

static bool drop(void *arg, enum store_kind kind, const void *row, int keys)
{
    struct store_db *db = arg;
    sqlite3_stmt *s = db->of[kind][STORE_SQL_DROP1 + keys - 1];
    const struct store_column *c = store_row_layouts[kind].column;

    c += c->type == 'a';
    for (int i = 0; i < keys; i++)
        bind_column(s, i + 1, &c[i], row);
    return run(db, s);
}

bool store_db_put(void *arg, struct store_write *write)
{
    static const struct store_writer writer = {
        .put = store_db_put_row, .drop = drop, .prune = prune, .find_act = find_act};
    struct store_db *db = arg;

    return store_tail_put(&db->tail, db->sealer, &writer, db, write);
}

bool store_db_commit(void *arg)
{
    struct store_db *db = arg;

    if ((db->tail.now.last_seq != db->tail.kept.last_seq &&
         !put_head(db, db->first_seq)) ||
        !run(db, db->other[STORE_COMMIT]))
        return false;
    store_tail_commit(&db->tail);
    return true;
}

/* --- Reading later. An unreadable page counts as damage of the game and does not end the
 * process, because no write was in progress --- */

int store_db_give_log(const struct store_game *game, bool is_sound, store_event_fn *row,
                      void *arg)
{
    char *log = mem_copy_text(is_sound ? game->log : ""), *at = log, *end;
    struct store_event event = {.game = game->id,
                                .wall_s = game->ended_wall_s,
                                .age_ms = game->age_ms,
                                .is_sound = true};
    bool is_whole = is_sound;

    for (; is_whole && (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        event.text = at;
        is_whole = strcmp(at, STORE_LOG_DAMAGED) != 0;
        if (is_whole) {
            row(arg, &event);
            event.number++;
        }
    }
    free(log);
    if (!is_whole || event.number != game->events)
        give_damage(game->id, event.number, row, arg);
    return event.number;
}

bool store_db_read_game(void *arg, int64_t id, store_event_fn *row, void *row_arg,
                        int *count)
{
    struct store_db *db = arg;
    const struct store_end *end = store_tail_find(&db->tail, id);
    struct store_game game = {.id = id};
    struct store_seal link = {0}, seal;
    struct store_event event;
    sqlite3_stmt *s;
    int code = find(db, STORE_GAME, id, &s);
    bool is_damaged = false;

    *count = 0;
    if (code == SQLITE_ROW) {
        bool is_sound = store_db_read_row(db, s, STORE_GAME, &game, &seal);

        game.id = id;
        *count = store_db_give_log(&game, is_sound, row, row_arg);
        is_damaged = !is_sound || *count != game.events;
    } else if (code == SQLITE_DONE && end != NULL) {
        sqlite3_reset(s);
        s = db->other[STORE_READ_RUNNING];
        sqlite3_bind_int64(s, 1, end->first_seq);
        sqlite3_bind_int64(s, 2, id);
        memset(&event, 0, sizeof event);
        while ((code = sqlite3_step(s)) == SQLITE_ROW &&
               store_db_read_row(db, s, STORE_EVENT, &event, &link) &&
               event.number == *count) {
            event.is_sound = true;
            row(row_arg, &event);
            ++*count;
        }
        is_damaged = *count != end->events;
        if (is_damaged)
            give_damage(id, *count, row, row_arg);
    }
    if ((code & 0xff) == SQLITE_CORRUPT)
        give_damage(id, *count, row, row_arg);
    else if (code != SQLITE_DONE && code != SQLITE_ROW)
        store_file_fail(db->file, sqlite3_sql(s));
    sqlite3_reset(s);
    if (is_damaged || (code & 0xff) == SQLITE_CORRUPT)
        tell_damaged_game(id, *count);
    return true;
}

bool store_db_read_pasts(void *arg, const char *folded, int64_t first, int limit,
                         store_past_fn *row, void *row_arg)
{
    struct store_db *db = arg;
    bool is_unseen = first == STORE_FIRST_UNSEEN;
    sqlite3_stmt *list = db->other[is_unseen ? STORE_LIST_UNSEEN : STORE_LIST_HISTORY];
    struct store_game game;
    struct store_seal seal;
    int code = SQLITE_DONE;

    sqlite3_bind_text(list, 1, folded, -1, SQLITE_STATIC);
    if (!is_unseen)
        sqlite3_bind_int64(list, 2, first);
    while (limit > 0 && (code = sqlite3_step(list)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(list, 0);
        struct store_past past = {.game = id, .is_private = true};
        struct event start;
        char text[EVENT_BYTES];
        sqlite3_stmt *s;

        code = find(db, STORE_GAME, id, &s);
        if (code == SQLITE_ROW && store_db_read_row(db, s, STORE_GAME, &game, &seal) &&
            game.id == id) {
            struct text line = text_into(text, sizeof text);

            text_addf(&line, "%.*s", (int)strcspn(game.log, "\n"), game.log);
            if (!line.is_cut && event_parse(text, &start) == EVENT_OK)
                past.is_private = start.manners.is_private;
            past.ended_wall_s = game.ended_wall_s;
            past.summary = game.summary;
            /* a row of `unseen` has no seal, so it may name another game */
            if (!is_unseen || strcmp(folded, past.summary.red) == 0 ||
                strcmp(folded, past.summary.blue) == 0) {
                row(row_arg, &past);
                limit--;
            }
        } else if (code == SQLITE_ROW) {
            log_warn("store game=%lld damaged=row : %s", (long long)id,
                     store_file_advice);
        } else if (code != SQLITE_DONE) {
            store_file_fail(db->file, sqlite3_sql(s));
        }
        sqlite3_reset(s);
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        store_file_fail(db->file, sqlite3_sql(list));
    sqlite3_reset(list);
    return true;
}

/* --- Care --- */

int64_t store_db_bytes(void *arg)
{
    static const char sql[] =
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count,"
        " pragma_freelist_count, pragma_page_size";
    struct store_db *db = arg;
    int64_t bytes = 0;

    (void)!store_file_number(db->file, sql, &bytes);
    return bytes;
}

static bool is_journal_long(const struct store_db *db, bool is_idle)
{
    const struct store_totals *now = &db->tail.now;
    int64_t rubbish = now->last_seq - db->first_seq + 1 - now->live;

    return !db->is_damaged && rubbish >= (is_idle ? now->live + store_tail_kept_rows()
                                                  : 2 * now->live + RUBBISH_BUSY);
}

/* True when the write-ahead log is so long that it is time for a checkpoint, which takes
 * tens of milliseconds. */
static bool is_log_long(const struct store_db *db, bool is_idle)
{
    return db->waiting_pages >= (is_idle ? CHECKPOINT_PAGES : CHECKPOINT_MUST);
}

bool store_db_has_chores(void *arg, bool is_idle)
{
    return is_journal_long(arg, is_idle) || is_log_long(arg, is_idle);
}

/* Writes a row of the journal again at its end, with its link as it is. *is_good is false
 * when the disk is full. Returns false if the row is damaged. */
static bool move_row(struct store_db *db, int64_t seq, bool *is_good)
{
    struct store_event event = {0};
    struct store_seal link = {0};
    sqlite3_stmt *s;
    int code = find(db, STORE_EVENT, seq, &s);
    bool is_whole = code == SQLITE_ROW && get_row(s, STORE_EVENT, &event, &link);

    if (code != SQLITE_ROW && code != SQLITE_DONE && (code & 0xff) != SQLITE_CORRUPT)
        store_file_fail(db->file, sqlite3_sql(s));
    event.seq = ++db->tail.now.last_seq;
    *is_good = !is_whole || store_db_put_row(db, STORE_EVENT, &event, &link);
    sqlite3_reset(s);
    return is_whole;
}

/* Removes the first rows of the journal, in a transaction of its own. Moves those of
 * running games to its end. False: the disk is full. */
static bool trim(struct store_db *db)
{
    struct store_totals *now = &db->tail.now;
    int64_t most = TRIM_ROWS + 2 * (now->last_seq - db->trimmed_at);
    int64_t until = db->first_seq + most, seq = db->first_seq;
    sqlite3_stmt *list = db->other[STORE_LIST_JOURNAL];
    int code = SQLITE_DONE;
    bool is_good = true, is_sound = true;

    if (until > now->last_seq + 1)
        until = now->last_seq + 1;
    if (!run(db, db->other[STORE_BEGIN]))
        return false;
    sqlite3_bind_int64(list, 1, until);
    for (; is_good && is_sound && (code = sqlite3_step(list)) == SQLITE_ROW; seq++) {
        is_sound = sqlite3_column_int64(list, 0) == seq;
        if (is_sound &&
            store_tail_find(&db->tail, sqlite3_column_int64(list, 1)) != NULL)
            is_sound = move_row(db, seq, &is_good);
    }
    sqlite3_reset(list);
    if (!is_good)
        return false;
    if (!is_sound || (code & 0xff) == SQLITE_CORRUPT ||
        (code == SQLITE_DONE && seq != until)) {
        tell_damage(NULL, "journal", "", "rows are missing or damaged");
        db->is_damaged = true;
        undo(db);
        return true;
    }
    if (code != SQLITE_DONE)
        store_file_fail(db->file, sqlite3_sql(list));
    sqlite3_bind_int64(db->other[STORE_TRIM_JOURNAL], 1, until);
    if (!run(db, db->other[STORE_TRIM_JOURNAL]) || !put_head(db, until) ||
        !run(db, db->other[STORE_COMMIT]))
        return false;
    store_tail_commit(&db->tail);
    db->first_seq = until;
    db->trimmed_at = now->last_seq;
    for (struct store_end *end = db->tail.by_game; end != NULL; end = end->hh.next)
        if (end->first_seq < until)
            end->first_seq = until;
    return true;
}

bool store_db_chores(void *arg, bool is_idle)
{
    struct store_db *db = arg;

    if (is_journal_long(db, is_idle) && !trim(db))
        return false;
    if (!is_log_long(db, is_idle))
        return true;
    if (!store_file_checkpoint(db->file))
        return false;
    db->waiting_pages = 0;
    return true;
}

/* --- Erasing a name --- */

/* Copies a start event of `len` bytes to `out`, with the alias in place of the name. */
static void rename_start(char out[EVENT_BYTES], const char *start, size_t len,
                         const char *folded, const char *alias)
{
    char copy[EVENT_BYTES], name[NAME_BYTES], *at = copy, *word;
    struct text text = text_into(out, EVENT_BYTES),
                whole = text_into(copy, EVENT_BYTES);

    text_addf(&whole, "%.*s", (int)len, start);
    while ((word = strsep(&at, " ")) != NULL) {
        char *value = strchr(word, '=');
        bool is_player =
            strncmp(word, "red=", 4) == 0 || strncmp(word, "blue=", 5) == 0;

        text_add(&text, text.len > 0 ? " " : "");
        if (is_player)
            utf8_fold_name(name, value + 1);
        if (is_player && strcmp(name, folded) == 0)
            text_addf(&text, "%.*s%s", (int)(value + 1 - word), word, alias);
        else
            text_add(&text, word);
    }
}

int store_db_rename(void *arg, const char *folded, const char *alias,
                    int64_t first_game, int *damaged)
{
    struct store_db *db = arg;
    sqlite3_stmt *list = db->other[STORE_LIST_HISTORY], *s;
    int64_t *ids = NULL;
    int count = 0, room = 0, code;
    bool is_good = run(db, db->other[STORE_BEGIN]);

    *damaged = 0;
    sqlite3_bind_text(list, 1, folded, -1, SQLITE_STATIC);
    sqlite3_bind_int64(list, 2, first_game);
    while ((code = sqlite3_step(list)) == SQLITE_ROW) {
        ids = mem_grow(ids, count, &room, 64, sizeof *ids);
        ids[count++] = sqlite3_column_int64(list, 0);
    }
    sqlite3_reset(list);
    if (code != SQLITE_DONE)
        store_file_fail(db->file, sqlite3_sql(list));
    for (int i = 0; is_good && i < count; i++) {
        struct store_game game;
        struct store_seal seal;
        bool is_sound = find(db, STORE_GAME, ids[i], &s) == SQLITE_ROW &&
                        store_db_read_row(db, s, STORE_GAME, &game, &seal);
        char *bytes = NULL, *at, start[EVENT_BYTES], *log;
        struct text text;
        size_t len;

        if (is_sound) {
            at = bytes = mem_new(store_row_bytes(STORE_GAME, &game) + 1);
            store_row_pack(STORE_GAME, &game, &at);
        }
        sqlite3_reset(s);
        *damaged += !is_sound || strstr(game.log, "\n" STORE_LOG_DAMAGED "\n") != NULL;
        if (!is_sound)
            continue;
        if (strcmp(game.summary.red, folded) == 0)
            game.summary.red = game.summary.red_shown = alias;
        if (strcmp(game.summary.blue, folded) == 0)
            game.summary.blue = game.summary.blue_shown = alias;
        len = strcspn(game.log, "\n");
        log = mem_new(strlen(game.log) + EVENT_BYTES);
        text = text_into(log, strlen(game.log) + EVENT_BYTES);
        rename_start(start, game.log, len, folded, alias);
        text_add(&text, start);
        text_add(&text, game.log + len);
        game.log = log;
        is_good = store_db_put_row(db, STORE_GAME, &game, NULL);
        free(log);
        free(bytes);
    }
    free(ids);
    if (!is_good || !run(db, db->other[STORE_COMMIT]))
        return -1;
    /* the journal has these games too, until it is trimmed */
    while (!db->is_damaged &&
           db->tail.now.last_seq - db->first_seq + 1 > db->tail.now.live)
        if (!trim(db))
            return -1;
    return count;
}
