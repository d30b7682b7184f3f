/* See pg_copy.h. */
#include "server/postgres/pg_copy.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/postgres/pg_fence.h"
#include "server/postgres/pg_read.h"

enum {
    SQL_BYTES = 1500,
    CHUNK_ROWS = 10000,   /* a chunk with this number of rows is sent */
    CHUNK_BYTES = 4000000 /* a chunk of at least this size is sent */
};

/* Statements that only a copy uses. Their numbers follow the numbers of
 * pg_statement.h. */
enum {
    COPY_SNAPSHOT = PG_STATEMENTS,
    COPY_BY_INDEX,
    COPY_LOCK,
    COPY_COLUMNS,
    COPY_IS_FULL,
    COPY_ROWS
};

static const struct {
    int which;
    struct pg_statement_text text;
} statements[] = {
    {COPY_SNAPSHOT, {"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ""}},
    /* Forbids sorting. PostgreSQL then reads a table by its index, and the first row
     * comes at once, however long the table is. */
    {COPY_BY_INDEX, {"SET LOCAL enable_sort = off", ""}},
    /* Prevents a server from opening this database during the copy, because each start
     * inserts a row into batch. */
    {COPY_LOCK, {"LOCK TABLE batch IN EXCLUSIVE MODE", ""}},
    {COPY_COLUMNS,
     {"SELECT relname::text, attname::text FROM pg_class JOIN pg_attribute"
      " ON attrelid = pg_class.oid WHERE relnamespace = 'janggid'::regnamespace"
      " AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped",
      ""}},
};

struct copy {
    struct pg_link *link;
    atomic_llong end_ms;  /* always 0: no end; see pg_link.h */
    enum store_kind kind; /* of the table that is being copied */
    store_copy_fn *row;
    store_end_fn *end;
    void *arg;
    int64_t seen;    /* the result of the last query: how many rows it had, or the
                      * number in its only row */
    bool is_unknown; /* the database has a table or column that the copy would lack */
    bool is_damaged; /* a value has another type */
    bool is_stopped; /* the function row() has stopped the copy */
    struct store_tally tally;
};

/* --- Statements --- */

static bool open_link(struct copy *copy, const struct store_place *place,
                      const char *role)
{
    const struct pg_link_settings settings = {.url = place->url,
                                              .is_sync_outside = place->is_sync_outside,
                                              .role = role,
                                              .end_ms = &copy->end_ms};
    bool is_open;

    copy->link = pg_link_new(&settings);
    errno = EINVAL;
    if (copy->link == NULL)
        return false;
    is_open = pg_link_open(copy->link);
    for (size_t i = 0; is_open && i < ARRAY_LEN(statements); i++)
        is_open = pg_link_prepare(copy->link, (enum pg_statement)statements[i].which,
                                  &statements[i].text);
    errno = EAGAIN;
    return is_open;
}

/* Prepares a statement. False: the connection is lost, and errno is EAGAIN. */
static bool prepare(struct copy *copy, int which,
                    const struct pg_statement_text *statement)
{
    bool is_prepared = pg_link_prepare(copy->link, (enum pg_statement)which, statement);

    errno = EAGAIN;
    return is_prepared;
}

/* True if the outcome is PG_DONE. False: the connection is lost, or a call was refused
 * and this was logged; errno is EAGAIN. */
static bool is_done(const struct copy *copy, enum pg_outcome outcome)
{
    if (outcome == PG_REFUSED)
        pg_link_complain(copy->link, pg_link_error(copy->link));
    errno = EAGAIN;
    return outcome == PG_DONE;
}

/* Runs one call without parameters. False: as for is_done(). */
static bool run(struct copy *copy, int statement, pg_row_fn *row)
{
    return is_done(copy, pg_link_call(copy->link, (enum pg_statement)statement, 0, NULL,
                                      row, copy));
}

/* The table of the events has another name than in SQLite, and no numbers of rows. */
static const char *table_of(enum store_kind kind)
{
    return kind == STORE_EVENT ? "event" : store_row_layouts[kind].name;
}

/* Adds the columns that are copied; is_new: also those that are always the same. */
static void add_columns(struct text *sql, enum store_kind kind, bool is_new)
{
    const char *between = "";

    for (const struct store_column *c = store_row_layouts[kind].column; c->type != '\0';
         c++)
        if (strchr("aq", c->type) == NULL && c->since <= PG_SINCE_MAX &&
            (is_new || c->type != 'o')) {
            text_addf(sql, "%s%s", between, c->name);
            between = ", ";
        }
}

static bool is_known(const char *table, const char *column)
{
    static const char *const own[] = {"batch", "lease", "schema"}; /* never copied */

    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if (strcmp(table, own[i]) == 0)
            return true;
    for (int kind = 0; kind < STORE_KINDS; kind++)
        for (const struct store_column *c = store_row_layouts[kind].column;
             c->type != '\0'; c++)
            if (strcmp(table, table_of((enum store_kind)kind)) == 0 &&
                strcmp(column, c->name) == 0)
                return true;
    return false;
}

static void see_column(void *arg, const PGresult *result, int row)
{
    struct copy *copy = arg;
    const char *table, *column;

    if (copy->is_unknown || !pg_link_text(result, row, 0, &table) ||
        !pg_link_text(result, row, 1, &column) || is_known(table, column))
        return;
    copy->is_unknown = true;
    log_warn(
        "store postgres=copy why=\"this janggid does not copy the column %s of the "
        "table %s\"",
        column, table);
}

static bool check_columns(struct copy *copy)
{
    if (!run(copy, COPY_COLUMNS, see_column))
        return false;
    if (copy->is_unknown)
        errno = ENOTSUP;
    return !copy->is_unknown;
}

/* --- Out --- */

static void see_row(void *arg, const PGresult *result, int row)
{
    struct copy *copy = arg;
    union store_record record;
    struct store_seal seal;

    memset(&record, 0, sizeof record);
    if (copy->kind == STORE_GAME)
        record.game.log = "";
    if (!pg_read_columns(result, row, copy->kind, &record, &seal))
        copy->is_damaged = true;
    if (!copy->is_damaged && !copy->is_stopped)
        copy->is_stopped = !copy->row(copy->arg, copy->kind, &record, &seal);
}

static bool read_table(struct copy *copy, enum store_kind kind)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    char sql[SQL_BYTES];
    struct text text = text_into(sql, sizeof sql);
    const struct pg_statement_text statement = {sql, ""};

    copy->kind = kind;
    text_add(&text, "SELECT ");
    add_columns(&text, kind, false);
    text_addf(&text, " FROM %s ORDER BY ", table_of(kind));
    for (int i = 0; kind != STORE_EVENT && (i == 0 || i < layout->keys); i++)
        text_addf(&text, "%s%s", i > 0 ? ", " : "", layout->column[i].name);
    text_add(&text, kind == STORE_EVENT ? "game, number" : "");
    if (!prepare(copy, COPY_ROWS + (int)kind, &statement) ||
        !run(copy, COPY_ROWS + (int)kind, see_row))
        return false;
    if (copy->is_damaged)
        log_warn("store postgres=copy why=\"a row of the table %s cannot be read\"",
                 table_of(kind));
    errno = copy->is_stopped ? ECANCELED : copy->is_damaged ? EIO : EAGAIN;
    return !copy->is_stopped && !copy->is_damaged;
}

static void see_last(void *arg, const PGresult *result, int row)
{
    struct copy *copy = arg;

    copy->seen += pg_link_number(result, row, 1, &copy->tally.last_game) &&
                  pg_link_number(result, row, 2, &copy->tally.age_ms);
}

static bool find_last(struct copy *copy)
{
    if (!run(copy, PG_LAST_BATCH, see_last))
        return false;
    if (copy->seen == 1)
        return true;
    log_warn("store postgres=copy why=\"this database holds no log of janggid\"");
    errno = ENOENT;
    return false;
}

static void see_listed(void *arg, const PGresult *result, int row)
{
    struct copy *copy = arg;
    int64_t game;
    int number;

    if (pg_link_number(result, row, 0, &game) && pg_link_int(result, row, 1, &number) &&
        number < INT_MAX)
        copy->end(copy->arg, game, number + 1);
    else
        copy->is_damaged = true;
}

static bool read_listed(struct copy *copy)
{
    if (!run(copy, PG_LOAD_LISTED, see_listed))
        return false;
    if (copy->is_damaged)
        log_warn(
            "store postgres=copy why=\"a list of the table batch cannot be read\"");
    errno = EIO;
    return !copy->is_damaged;
}

static bool read_tables(struct copy *copy)
{
    if (!run(copy, COPY_SNAPSHOT, NULL) || !run(copy, COPY_BY_INDEX, NULL) ||
        !check_columns(copy) || !find_last(copy))
        return false;
    for (int kind = 0; kind < STORE_KINDS; kind++)
        if (kind != STORE_HEAD && !read_table(copy, (enum store_kind)kind))
            return false;
    /* pg_link_commit_own() makes a second commit. If it succeeds, all rows that were
     * read are durable. */
    return read_listed(copy) && run(copy, PG_COMMIT, NULL) &&
           is_done(copy, pg_link_commit_own(copy->link));
}

bool pg_copy_out(const struct store_place *place, struct store_tally *tally,
                 store_copy_fn *row, store_end_fn *end, void *arg)
{
    struct copy copy = {.row = row, .end = end, .arg = arg};
    bool is_read = open_link(&copy, place, "reader") && read_tables(&copy);
    int why = errno;

    *tally = copy.tally;
    pg_link_free(copy.link);
    errno = why;
    return is_read;
}

/* --- In --- */

/* Rows of one table, column by column. */
struct chunk {
    struct pg_array columns[STORE_COLUMNS_MAX];
    int rows;
    size_t bytes;
};

static void free_chunk(struct chunk *chunk)
{
    for (int i = 0; i < STORE_COLUMNS_MAX; i++)
        pg_array_free(&chunk->columns[i]);
}

/* Returns the letter of the column's array (struct pg_statement_text); 0: it is not
 * copied. */
static char array_of(const struct store_column *c)
{
    if (strchr("oaq", c->type) != NULL || c->since > PG_SINCE_MAX)
        return '\0';
    return c->type == 't' ? 'T' : c->type == 'b' || c->type == 's' ? 'B' : 'N';
}

static void add_row(struct chunk *chunk, enum store_kind kind, const void *row,
                    const struct store_seal *seal)
{
    struct pg_array *array = chunk->columns;

    for (const struct store_column *c = store_row_layouts[kind].column; c->type != '\0';
         c++) {
        char type = array_of(c);
        const char *text = type == 'T' ? *store_row_text(c, row) : "";

        if (type == '\0')
            continue;
        if (type == 'N')
            pg_array_number(array, store_row_number(c, row));
        else if (type == 'T')
            pg_array_bytes(array, text, strlen(text));
        else if (c->type == 's')
            pg_array_bytes(array, seal->bytes, sizeof seal->bytes);
        else
            pg_array_bytes(array, store_row_at(c, row), STORE_DIGEST_BYTES);
        chunk->bytes += strlen(text) + 8;
        array++;
    }
    chunk->rows++;
}

static bool send_chunk(struct copy *copy, struct chunk *chunk)
{
    struct pg_array *array = chunk->columns;
    struct pg_calls calls = {0};
    enum pg_outcome outcome;

    if (chunk->rows == 0)
        return true;
    pg_calls_add(&calls, (enum pg_statement)(COPY_ROWS + (int)copy->kind));
    for (const struct store_column *c = store_row_layouts[copy->kind].column;
         c->type != '\0'; c++)
        if (array_of(c) != '\0') {
            pg_calls_array(&calls, array_of(c), array);
            pg_array_clear(array++);
        }
    chunk->rows = 0;
    chunk->bytes = 0;
    outcome = pg_link_run(copy->link, &calls, NULL, NULL);
    pg_calls_free(&calls);
    errno = outcome == PG_REFUSED ? EIO : EAGAIN;
    if (outcome == PG_REFUSED)
        log_warn("store postgres=copy why=\"rows of the table %s are refused\" "
                 "sqlstate=%s",
                 table_of(copy->kind), pg_link_error(copy->link));
    return outcome == PG_DONE;
}

static bool prepare_insert(struct copy *copy)
{
    const struct store_column *c = store_row_layouts[copy->kind].column;
    char sql[SQL_BYTES], types[STORE_COLUMNS_MAX + 1] = "";
    struct text text = text_into(sql, sizeof sql);
    const struct pg_statement_text statement = {sql, types};
    int count = 0;

    text_addf(&text, "INSERT INTO %s(", table_of(copy->kind));
    add_columns(&text, copy->kind, true);
    text_addf(&text, ") SELECT %sof.* FROM unnest(", c->type == 'o' ? "1, " : "");
    for (; c->type != '\0'; c++)
        if (array_of(c) != '\0') {
            types[count++] = array_of(c);
            text_addf(&text, "%s$%d", count > 1 ? "," : "", count);
        }
    text_add(&text, ") AS of");
    return prepare(copy, COPY_ROWS + (int)copy->kind, &statement);
}

static bool write_table(struct copy *copy, enum store_kind kind, store_next_fn *next,
                        void *arg)
{
    union store_record record;
    struct store_seal seal;
    struct chunk chunk = {.rows = 0};
    enum store_next got = STORE_NEXT_END;
    bool is_good;

    copy->kind = kind;
    is_good = prepare_insert(copy);
    while (is_good && (got = next(arg, kind, &record, &seal)) == STORE_NEXT_ROW) {
        add_row(&chunk, kind, &record, &seal);
        if (chunk.rows == CHUNK_ROWS || chunk.bytes >= CHUNK_BYTES)
            is_good = send_chunk(copy, &chunk);
    }
    is_good = is_good && got == STORE_NEXT_END && send_chunk(copy, &chunk);
    if (got == STORE_NEXT_FAILED)
        errno = ECANCELED;
    free_chunk(&chunk);
    return is_good;
}

static void see_number(void *arg, const PGresult *result, int row)
{
    if (!pg_link_number(result, row, 0, &((struct copy *)arg)->seen))
        ((struct copy *)arg)->seen = -1;
}

/* Checks that the database has no data. Once a server has opened it, it is not empty,
 * even without a game, because the table batch has rows. */
static bool check_empty(struct copy *copy)
{
    char sql[SQL_BYTES];
    struct text text = text_into(sql, sizeof sql);
    const struct pg_statement_text statement = {sql, ""};

    text_add(&text, "SELECT (EXISTS (SELECT 1 FROM batch)");
    for (int kind = 0; kind < STORE_KINDS; kind++)
        if (kind != STORE_HEAD)
            text_addf(&text, " OR EXISTS (SELECT 1 FROM %s)",
                      table_of((enum store_kind)kind));
    text_add(&text, ")::int::bigint");
    copy->seen = 1;
    if (!prepare(copy, COPY_IS_FULL, &statement) ||
        !run(copy, COPY_IS_FULL, see_number))
        return false;
    if (copy->seen == 0)
        return true;
    log_warn("store postgres=copy why=\"this database holds a log already\" : load "
             "into a new one");
    errno = EEXIST;
    return false;
}

/* Writes the first row of batch, then commits. */
static bool commit(struct copy *copy, const struct store_tally *tally)
{
    const struct store_totals totals = {.last_game = tally->last_game,
                                        .age_ms = tally->age_ms};
    const struct store_seal seal = {0};
    struct pg_fence fence;
    struct pg_calls calls = {0};
    enum pg_outcome outcome;

    pg_fence_init(&fence, copy->link);
    fence.epoch = 1;
    pg_fence_add(&fence, &calls, &totals, NULL, &seal);
    pg_calls_add(&calls, PG_COMMIT);
    outcome = pg_link_commit(copy->link, &calls);
    pg_calls_free(&calls);
    errno = EAGAIN;
    if (outcome == PG_REFUSED)
        log_warn("store postgres=copy why=\"the commit is refused\" sqlstate=%s",
                 pg_link_error(copy->link));
    else if (outcome == PG_DOUBTFUL)
        log_warn(
            "store postgres=copy why=\"it is unknown whether the log is stored\" : "
            "load again, which refuses a database that holds one");
    return outcome == PG_DONE;
}

static bool write_tables(struct copy *copy, const struct store_tally *tally,
                         store_next_fn *next, void *arg)
{
    errno = EAGAIN;
    if (!run(copy, PG_BEGIN, NULL) || !run(copy, PG_LOCK_SOON, NULL) ||
        !run(copy, COPY_LOCK, NULL) || !check_columns(copy) || !check_empty(copy))
        return false;
    for (int kind = 0; kind < STORE_KINDS; kind++)
        if (kind != STORE_HEAD && !write_table(copy, (enum store_kind)kind, next, arg))
            return false;
    return commit(copy, tally);
}

bool pg_copy_in(const struct store_place *place, const struct store_tally *tally,
                store_next_fn *next, void *arg)
{
    struct copy copy = {.seen = 0};
    bool is_written =
        open_link(&copy, place, "writer") && write_tables(&copy, tally, next, arg);
    int why = errno;

    pg_link_free(copy.link);
    errno = why;
    return is_written;
}
