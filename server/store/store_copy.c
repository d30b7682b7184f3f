/* See store_copy.h.
 *
 * Rows are copied without changes and with their seals, so damage stays visible. But
 * the rows that describe the table journal (store_journal.h) are not copied. They are
 * made anew for the new file. In this file, the table event has all events, and the
 * table journal is empty. */
#include "server/store/store_copy.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/database/store_journal.h"
#include "server/database/store_rows.h"
#include "server/database/store_schema.h"
#include "server/sqlite/store_file.h"
#include "server/store/store.h"
#include "server/store/store_part.h"

enum { SQL_BYTES = 1024 };

/* Set by a signal handler. */
static volatile sig_atomic_t is_stopped;

void store_copy_stop(void)
{
    is_stopped = 1;
}

struct copy {
    sqlite3 *file;
    sqlite3_stmt *statement; /* statement for table number `which`; NULL: none yet */
    size_t which;
    struct store_audit *audit; /* the audit of the file that is read */
    sqlite3_stmt *ends;        /* the statement that stores how many events a running
                                * game must have */
    bool has_failed;           /* `ends` has failed for some game */
    struct store_copied done;
    char *why;
};

static bool fail(struct copy *copy, const char *why)
{
    store_part_say(copy->why, why, 0);
    return false;
}

static bool fail_by_sqlite(struct copy *copy)
{
    return fail(copy, sqlite3_errmsg(copy->file));
}

static bool run(struct copy *copy, const char *sql)
{
    return sqlite3_exec(copy->file, sql, NULL, NULL, NULL) == SQLITE_OK ||
           fail_by_sqlite(copy);
}

static const char *columns_of(const struct store_table *table)
{
    return table->sqlite_columns != NULL ? table->sqlite_columns : table->columns;
}

static bool prepare(struct copy *copy, size_t which, const char *sql)
{
    sqlite3_finalize(copy->statement); /* takes NULL */
    copy->statement = NULL;
    copy->which = which;
    return sqlite3_prepare_v2(copy->file, sql, -1, &copy->statement, NULL) ==
               SQLITE_OK ||
           fail_by_sqlite(copy);
}

static void count_row(struct copy *copy, size_t which)
{
    const char *name = store_data_tables[which].name;

    copy->done.games += strcmp(name, "game") == 0;
    copy->done.events += strcmp(name, "event") == 0;
    copy->done.names += strcmp(name, "name") == 0;
}

/* --- Into a file --- */

static bool prepare_insert(struct copy *copy, size_t which)
{
    const struct store_table *table = &store_data_tables[which];
    char sql[SQL_BYTES];
    struct text text = text_into(sql, sizeof sql);

    text_addf(&text, "INSERT INTO %s(%s) VALUES(?1", table->name, columns_of(table));
    for (size_t i = 1; i < strlen(table->types); i++)
        text_addf(&text, ",?%zu", i + 1);
    text_add(&text, ")");
    return prepare(copy, which, sql);
}

static void bind_cell(sqlite3_stmt *s, int at, char type, const struct store_cell *cell)
{
    int size = cell->size <= INT_MAX ? (int)cell->size : INT_MAX;

    if (type == 'n')
        sqlite3_bind_int64(s, at, cell->number);
    else if (type == 't')
        sqlite3_bind_text(s, at, cell->bytes, size, SQLITE_STATIC);
    else
        sqlite3_bind_blob(s, at, size > 0 ? cell->bytes : "", size, SQLITE_STATIC);
}

static bool insert_row(void *arg, size_t which, const struct store_cell *cells)
{
    struct copy *copy = arg;
    const char *types = store_data_tables[which].types;

    if (is_stopped)
        return fail(copy, "interrupted");
    if ((copy->statement == NULL || copy->which != which) &&
        !prepare_insert(copy, which))
        return false;
    for (int i = 0; types[i] != '\0'; i++)
        bind_cell(copy->statement, i + 1, types[i], &cells[i]);
    if (sqlite3_step(copy->statement) != SQLITE_DONE)
        return fail_by_sqlite(copy);
    sqlite3_reset(copy->statement);
    count_row(copy, which);
    return true;
}

/* Finds the next running game after *game. Sets *game to its number, and *last to the
 * number of its last event. Returns SQLITE_ROW, SQLITE_DONE or an error. */
static int next_running(sqlite3_stmt *s, int64_t *game, int64_t *last)
{
    int code;

    sqlite3_reset(s);
    sqlite3_bind_int64(s, 1, *game);
    code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        *game = sqlite3_column_int64(s, 0);
        *last = sqlite3_column_int64(s, 1);
    }
    return code;
}

/* Stores for count_events() how many events a running game must have. */
static void keep_end(void *arg, int64_t game, int events)
{
    struct copy *copy = arg;

    sqlite3_bind_int64(copy->ends, 1, game);
    sqlite3_bind_int(copy->ends, 2, events - 1);
    sqlite3_step(copy->ends);
    if (sqlite3_reset(copy->ends) != SQLITE_OK)
        copy->has_failed = true;
}

static bool prepare_ends(struct copy *copy)
{
    return run(copy,
               "CREATE TEMP TABLE ends(game INTEGER PRIMARY KEY, last INTEGER)") &&
           (sqlite3_prepare_v2(copy->file, "INSERT INTO temp.ends VALUES(?1,?2)", -1,
                               &copy->ends, NULL) == SQLITE_OK ||
            fail_by_sqlite(copy));
}

/* For each running game, writes into the row of the game how many events of this game
 * must be in the table event. The tables of PostgreSQL do not have this number. */
static bool count_events(struct copy *copy, struct store_db *db)
{
    sqlite3_stmt *s = NULL;
    int64_t game = INT64_MIN, last;
    int code = sqlite3_prepare_v2(
        copy->file,
        "SELECT id, max(coalesce((SELECT max(number) FROM event WHERE game = id), 0),"
        " coalesce((SELECT last FROM temp.ends WHERE game = id), 0)) FROM game"
        " WHERE is_over = 0 AND id > ?1 ORDER BY id LIMIT 1",
        -1, &s, NULL);

    while (code == SQLITE_OK && (code = next_running(s, &game, &last)) == SQLITE_ROW)
        code = last < INT_MAX && store_journal_count_parked(db, game, (int)last + 1)
                   ? SQLITE_OK
                   : SQLITE_FULL;
    sqlite3_finalize(s);
    return code == SQLITE_DONE || fail(copy, sqlite3_errstr(code));
}

static bool name_application(struct copy *copy)
{
    char sql[64];
    struct text text = text_into(sql, sizeof sql);

    text_addf(&text, "PRAGMA application_id = %d", STORE_FILE_APPLICATION);
    return run(copy, sql);
}

/* Copies the log into an empty database. Only the last step marks the file as a
 * database of janggid, so programs do not use an incomplete copy. Returns the database.
 * NULL: the copy failed, and the caller closes the file. */
static struct store_db *fill(struct copy *copy, const struct store_place *place)
{
    const struct store_engine *engine = store_load_postgres();
    struct store_tally tally;
    struct store_db *db;
    bool is_copied;

    errno = EIO;
    if (engine == NULL || !store_schema_bring(copy->file, 0) || !prepare_ends(copy) ||
        !run(copy, "PRAGMA application_id = 0; BEGIN"))
        return NULL;
    is_copied = engine->copy_out(place, &tally, insert_row, keep_end, copy);
    sqlite3_finalize(copy->statement);
    sqlite3_finalize(copy->ends);
    copy->statement = copy->ends = NULL;
    if (!is_copied)
        return NULL;
    errno = EIO;
    if (copy->has_failed) {
        fail(copy, "not all of it can be kept");
        return NULL;
    }
    db = store_db_adopt(copy->file);
    if (db == NULL) {
        fail_by_sqlite(copy);
        return NULL;
    }
    if (count_events(copy, db) && store_schema_begin_batches(copy->file, &tally) &&
        run(copy, "COMMIT") && name_application(copy))
        return db;
    store_db_close(db);
    copy->file = NULL;
    return NULL;
}

/* Makes a database file at `path` ("": a temporary file) and copies the log at `place`
 * into it. Returns NULL after a failure, with errno set. */
static struct store_db *make(struct copy *copy, const struct store_place *place,
                             const char *path)
{
    struct store_db *db = NULL;
    int why;

    errno = EIO;
    if (sqlite3_open_v2(path, &copy->file,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                            SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        fail_by_sqlite(copy);
    else if (run(copy, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;"
                       "PRAGMA synchronous = OFF"))
        db = fill(copy, place);
    why = errno;
    if (db == NULL)
        sqlite3_close(copy->file); /* takes NULL */
    errno = why;
    return db;
}

bool store_copy_dump(const struct store_place *place, const char *path,
                     struct store_copied *out, char why[STORE_WHY_BYTES])
{
    struct copy copy = {.why = why};
    struct store_part part;
    struct store_db *db;
    bool is_done = false;
    int reason;

    why[0] = '\0';
    if (!store_part_create(&part, path, why)) {
        errno = EEXIST;
        return false;
    }
    db = make(&copy, place, part.part);
    reason = errno;
    store_db_close(db);
    if (db != NULL) {
        is_done = store_part_finish(&part);
        reason = EIO;
    }
    if (db != NULL && !is_done)
        store_part_say(why, "the file cannot be finished", errno);
    store_part_drop(&part);
    *out = copy.done;
    errno = reason;
    return is_done;
}

struct store_audit *store_copy_audit(const struct store_place *place,
                                     char why[STORE_WHY_BYTES])
{
    struct copy copy = {.why = why};
    struct store_db *db;

    why[0] = '\0';
    db = make(&copy, place, "");
    return db != NULL ? store_audit_adopt(db) : NULL;
}

/* --- Out of a file --- */

static bool prepare_select(struct copy *copy, size_t which)
{
    const struct store_table *table = &store_data_tables[which];
    char sql[SQL_BYTES];
    struct text text = text_into(sql, sizeof sql);

    text_addf(&text, "SELECT %s FROM %s ORDER BY %s", columns_of(table),
              table->sqlite_rows != NULL ? table->sqlite_rows : table->name,
              table->order);
    return prepare(copy, which, sql);
}

/* Reads one value. Returns false if SQLite has a value of another type there. */
static bool read_cell(sqlite3_stmt *s, int column, char type, struct store_cell *out)
{
    static const int types[] = {
        ['n'] = SQLITE_INTEGER, ['t'] = SQLITE_TEXT, ['b'] = SQLITE_BLOB};

    if (sqlite3_column_type(s, column) != types[(int)type])
        return false;
    out->number = type == 'n' ? sqlite3_column_int64(s, column) : 0;
    out->bytes = type == 't'   ? (const void *)sqlite3_column_text(s, column)
                 : type == 'b' ? sqlite3_column_blob(s, column)
                               : NULL;
    out->size = type == 'n' ? 0 : (size_t)sqlite3_column_bytes(s, column);
    return type != 't' || strlen(out->bytes) == out->size;
}

static enum store_next stop_reading(struct copy *copy, const char *why)
{
    store_part_say(copy->why, why, 0);
    return STORE_NEXT_FAILED;
}

static enum store_next next_row(void *arg, size_t which,
                                struct store_cell cells[STORE_COLUMNS_MAX])
{
    struct copy *copy = arg;
    const char *types = store_data_tables[which].types;
    int code;

    if (is_stopped)
        return stop_reading(copy, "interrupted");
    if ((copy->statement == NULL || copy->which != which) &&
        !prepare_select(copy, which))
        return STORE_NEXT_FAILED;
    code = sqlite3_step(copy->statement);
    if (code == SQLITE_DONE && !store_audit_is_certain(copy->audit))
        return stop_reading(copy, "a server was started on it meanwhile");
    if (code == SQLITE_DONE)
        return STORE_NEXT_END;
    if (code != SQLITE_ROW)
        return stop_reading(copy, sqlite3_errmsg(copy->file));
    for (int i = 0; types[i] != '\0'; i++)
        if (!read_cell(copy->statement, i, types[i], &cells[i]))
            return stop_reading(copy, "a row has a value of another type");
    count_row(copy, which);
    return STORE_NEXT_ROW;
}

/* Refuses a file with a table or a column that the copy would leave out. */
static bool check_columns(struct copy *copy)
{
    bool is_known = true;

    if (!prepare(copy, 0,
                 "SELECT m.name, c.name FROM sqlite_master AS m,"
                 " pragma_table_info(m.name) AS c WHERE m.type IN ('table', 'view')"))
        return false;
    while (is_known && sqlite3_step(copy->statement) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(copy->statement, 0);
        const char *column = (const char *)sqlite3_column_text(copy->statement, 1);

        is_known = table != NULL && column != NULL &&
                   store_data_has_column(table, column, true);
    }
    sqlite3_finalize(copy->statement);
    copy->statement = NULL;
    return is_known || fail(copy, "it has a table or a column that is not known");
}

bool store_copy_load(struct store_audit *audit, const struct store_place *place,
                     struct store_copied *out, char why[STORE_WHY_BYTES])
{
    struct store_db *db = store_audit_database(audit);
    const struct store_engine *engine = store_load_postgres();
    struct copy copy = {.file = db->file, .audit = audit, .why = why};
    bool is_done;
    int reason;

    why[0] = '\0';
    if (engine == NULL)
        return false;
    errno = EIO;
    is_done =
        check_columns(&copy) && engine->copy_in(place, &db->tail->now, next_row, &copy);
    reason = errno;
    sqlite3_finalize(copy.statement);
    *out = copy.done;
    errno = reason;
    return is_done;
}
