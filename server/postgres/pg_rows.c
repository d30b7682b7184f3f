/* See pg_rows.h. */
#include "server/postgres/pg_rows.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "common/game/event.h"
#include "server/postgres/pg_fence.h"

enum {
    SINCE_MAX = 6, /* of the columns in store_row.h, these are in the tables */
    CHECK_BYTES = 1500,
    CHUNK_ROWS = 10000,   /* a chunk with this number of rows is sent */
    CHUNK_BYTES = 4000000 /* a chunk of at least this size is sent */
};

#define GAME_COLUMNS                                                                   \
    "game.id, is_over, events, game.age_ms, ended_s, red, blue, red_shown, "           \
    "blue_shown, rules, time, result, reason, plies, game.seal"
enum { GAME_COLUMN_COUNT = 15 };
#define EVENT_COLUMNS "event.game, number, wall_s, event.age_ms, text, link"
enum { EVENT_COLUMN_COUNT = 6 };

/* For each game, the number of the last event that the game must have. The numbers come
 * from the lists in the rows of batch. Without these lists, the loss of the last event
 * of a running game would not be noticed, and a new event would get the same number. A
 * row lists the games of its commit. If a commit is the first one of a server, or trims
 * the table, its row lists all running games. The columns `games` and `numbers` are
 * NULL if the row does not list any game. */
#define LISTED                                                                         \
    "(SELECT listed.game, max(listed.number) AS number FROM batch,"                    \
    " LATERAL unnest(games, numbers) AS listed(game, number) GROUP BY listed.game)"

/* --- The tables --- */

/* batch has a row for each commit, without gaps in seq, lease has one row: see
 * pg_fence.h. */
static const char own_tables[] =
    "CREATE TABLE schema(version bigint NOT NULL);"
    "CREATE TABLE batch(seq bigint PRIMARY KEY, epoch bigint NOT NULL,"
    " node bytea NOT NULL, last_game bigint NOT NULL, age_ms bigint NOT NULL,"
    " seal bytea NOT NULL, games bigint[], numbers bigint[]);"
    "CREATE TABLE event(game bigint, number bigint, text text NOT NULL,"
    " wall_s bigint NOT NULL, age_ms bigint NOT NULL, link bytea NOT NULL,"
    " PRIMARY KEY(game, number));"
    "CREATE TABLE lease(id bigint PRIMARY KEY CHECK (id = 1), owner bytea NOT NULL,"
    " at text NOT NULL, until timestamptz NOT NULL, key bytea, seq bigint, node bytea,"
    " seal bytea);"
    "INSERT INTO lease VALUES(1, decode(repeat('00', 16), 'hex'), '', 'epoch');";

static const char *table_name(enum store_kind kind)
{
    return kind == STORE_EVENT ? "event" : store_row_layouts[kind].name;
}

static bool is_stored(const struct store_column *column)
{
    return strchr("oaq", column->type) == NULL && column->since <= SINCE_MAX;
}

/* Keys are compared byte by byte, whatever the language of the database is. */
static void add_table(struct text *sql, const struct store_layout *layout)
{
    const struct store_column *c = layout->column;

    text_addf(sql, "CREATE TABLE %s(", layout->name);
    for (; c->type != '\0'; c++)
        if (c->since <= SINCE_MAX)
            text_addf(sql, "%s %s NOT NULL, ", c->name,
                      c->type == 'a'                     ? "bigserial"
                      : c->type == 't'                   ? "text COLLATE \"C\""
                      : c->type == 'b' || c->type == 's' ? "bytea"
                                                         : "bigint");
    for (int i = 0; i == 0 || i < layout->keys; i++)
        text_addf(sql, "%s%s", i == 0 ? "PRIMARY KEY(" : ", ", layout->column[i].name);
    text_addf(sql, "));%s", layout->indexes != NULL ? layout->indexes : "");
}

void pg_rows_make_sql(char out[PG_ROWS_MAKE_BYTES])
{
    struct text sql = text_into(out, PG_ROWS_MAKE_BYTES);

    text_addf(&sql, "DO $$BEGIN CREATE SCHEMA IF NOT EXISTS janggid;%s", own_tables);
    for (int kind = 0; kind < STORE_KINDS; kind++)
        if (kind != STORE_EVENT && kind != STORE_HEAD)
            add_table(&sql, &store_row_layouts[kind]);
    text_addf(&sql,
              "CREATE INDEX game_running ON game(id) WHERE is_over = 0;"
              "CREATE INDEX unseen_game ON unseen(game);"
              "INSERT INTO schema VALUES(%d); END$$",
              PG_ROWS_SCHEMA);
    assert(!sql.is_cut);
}

/* --- Statements --- */

static char statements[STORE_KINDS][STORE_SQLS][STORE_SQL_BYTES];

static void make_statements(void)
{
    for (int kind = STORE_NAME; kind < STORE_KINDS; kind++)
        for (int which = 0; which < STORE_SQLS; which++)
            if (!store_row_sql(statements[kind][which], (enum store_kind)kind,
                               (enum store_sql)which))
                statements[kind][which][0] = '\0';
    strcpy(statements[STORE_GAME][STORE_SQL_PUT],
           "INSERT INTO game(id, is_over, events, age_ms, ended_s, red, blue,"
           " red_shown, blue_shown, rules, time, result, reason, plies, seal)"
           " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)");
    strcpy(statements[STORE_GAME][STORE_SQL_LOAD],
           "SELECT " GAME_COLUMNS " FROM game ORDER BY id");
    strcpy(statements[STORE_EVENT][STORE_SQL_PUT],
           "INSERT INTO event(game, number, wall_s, age_ms, text, link)"
           " VALUES($1,$2,$3,$4,$5,$6)");
    strcpy(statements[STORE_EVENT][STORE_SQL_LOAD],
           "SELECT " EVENT_COLUMNS " FROM event ORDER BY game, number");
}

const char *pg_rows_sql(enum store_kind kind, enum store_sql which)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_statements);
    assert(statements[kind][which][0] != '\0');
    return statements[kind][which];
}

/* --- Rows --- */

void pg_rows_add_column(struct pg_calls *calls, const struct store_column *column,
                        const void *row)
{
    if (column->type == 't')
        pg_calls_text(calls, *store_row_text(column, row));
    else if (column->type == 'b')
        pg_calls_bytes(calls, store_row_at(column, row), STORE_DIGEST_BYTES);
    else
        pg_calls_number(calls, store_row_number(column, row));
}

void pg_rows_put(struct pg_calls *calls, enum store_kind kind, const void *row,
                 const struct store_seal *seal)
{
    pg_calls_add(calls, pg_rows_sql(kind, STORE_SQL_PUT));
    for (const struct store_column *c = store_row_layouts[kind].column; c->type != '\0';
         c++)
        if (c->type == 's')
            pg_calls_bytes(calls, seal->bytes, sizeof seal->bytes);
        else if (is_stored(c))
            pg_rows_add_column(calls, c, row);
}

bool pg_rows_get(const PGresult *row, int at, enum store_kind kind, void *out,
                 struct store_seal *seal)
{
    bool is_good = true;
    int64_t number;

    for (const struct store_column *c = store_row_layouts[kind].column; c->type != '\0';
         c++) {
        bool is_read = !is_stored(c);

        if (is_read)
            continue;
        if (c->type == 's')
            is_read = pg_link_bytes(row, at, seal->bytes, sizeof seal->bytes);
        else if (c->type == 't')
            is_read = pg_link_text(row, at, store_row_text(c, out));
        else if (c->type == 'b')
            is_read = pg_link_bytes(row, at, store_row_at(c, out), STORE_DIGEST_BYTES);
        else
            is_read = pg_link_number(row, at, &number) && store_row_set(c, out, number);
        is_good = is_good && is_read;
        at++;
    }
    return is_good;
}

static const char advice[] = "restore the database from its archive";

/* What the rows of a query are read into. */
struct load {
    struct store_sealer *sealer;
    enum store_kind kind;
    store_row_fn *row;
    store_event_fn *event;
    store_past_fn *past;
    void *arg;
    bool is_damaged;
    union store_record last; /* the last row */
    struct store_seal seal;  /* its seal */

    /* The log of the game whose events are being read. */
    struct store_tail *tail;
    int64_t game;           /* 0: none */
    int next;               /* number of the next event */
    struct store_seal link; /* of the event before it */
    bool has_end;           /* the last event was the end */
    bool is_cut;            /* the log is damaged from event `next` on */
    int ends; /* the highest number of an event that it has, or must have */
    struct store_seal last_link; /* of that one, as stored */

    /* The row of that game. */
    enum store_row state;
    bool is_over;
    int events; /* number of events that the game must have; a running game can have
                 * more */
};

/* Reads a row, from column `at` on, into *out. If rows of this kind are numbered 1, 2, 3
 * ..., *out must contain the previous row before the call (all zero before the first
 * row). If the seal also covers the previous row (is_chain in store_row.h), *seal must be
 * that of the previous row, and becomes that of this one. False: the row is damaged. */
static bool read_row(struct load *load, const PGresult *row, int at,
                     enum store_kind kind, void *out, struct store_seal *seal)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    int64_t before = store_row_number(layout->column, out);
    struct store_seal found;

    if (!pg_rows_get(row, at, kind, out, &found) ||
        (layout->is_numbered && store_row_number(layout->column, out) != before + 1))
        return false;
    if (layout->letter == '\0')
        return true;
    store_seal_row(load->sealer, seal, kind, out);
    return store_seal_is_same(seal, &found);
}

/* --- At start --- */

/* Passes a sound row on. If rows of this kind are numbered, the rows after a damaged row
 * are not passed on. */
static void load_row(void *arg, const PGresult *row)
{
    struct load *load = arg;
    const char *key;

    if (load->is_damaged && store_row_layouts[load->kind].is_numbered)
        return;
    if (read_row(load, row, 0, load->kind, &load->last, &load->seal)) {
        load->row(load->arg, &load->last);
        return;
    }
    log_warn("store damaged=%s row=\"%s\" : %s", store_row_layouts[load->kind].word,
             pg_link_text(row, 0, &key) ? key : "", advice);
    load->is_damaged = true;
}

bool pg_rows_load(struct pg_reader *reader, enum store_kind kind, store_row_fn *row,
                  void *arg)
{
    struct load load = {.sealer = reader->sealer, .kind = kind, .row = row, .arg = arg};

    memset(&load.last, 0, sizeof load.last);
    return pg_link_ask(reader->link, pg_rows_sql(kind, STORE_SQL_LOAD), NULL, load_row,
                       &load) == PG_DONE &&
           !load.is_damaged;
}

static void take_age(void *arg, const void *row)
{
    *(struct store_age *)arg = *(const struct store_age *)row;
}

bool pg_rows_survey(struct pg_reader *reader, struct store_tail *tail,
                    struct store_survey *out)
{
    struct store_totals *kept = &tail->kept;
    static const char sql[] =
        "SELECT greatest((SELECT max(id) FROM game), (SELECT max(game) FROM event), 0),"
        " coalesce((SELECT max(id) FROM act), 0)";
    int64_t last[2];

    *out = (struct store_survey){.last_game = kept->last_game};
    if (!pg_link_ask_numbers(reader->link, sql, last, ARRAY_LEN(last)) ||
        !pg_rows_load(reader, STORE_AGE, take_age, &out->age))
        return false;
    if (out->last_game < last[0])
        out->last_game = last[0];
    out->last_act = last[1];
    if (out->age.age_ms < kept->age_ms)
        out->age.age_ms = kept->age_ms;
    kept->last_game = out->last_game;
    tail->now = *kept;
    return true;
}

/* --- Logs --- */

static void give_damage(struct load *load)
{
    struct store_event event = {.game = load->game, .number = load->next, .text = ""};

    load->is_cut = true;
    log_warn("store game=%lld damaged-from-event=%d : %s", (long long)load->game,
             load->next, advice);
    load->event(load->arg, &event);
}

/* Passes the event in the row on, if it continues the events before it. Otherwise passes
 * an event with an empty text, which reports the damage. */
static void load_event(struct load *load, const PGresult *row)
{
    struct store_event event = {.is_sound = true};
    struct store_seal link = load->link;

    if (load->is_cut)
        return;
    if (!read_row(load, row, 0, STORE_EVENT, &event, &link) ||
        event.game != load->game || event.number != load->next) {
        give_damage(load);
        return;
    }
    load->event(load->arg, &event);
    load->has_end = strncmp(event.text, "end ", 4) == 0;
    load->link = link;
    load->next++;
}

/* New events of the last game follow what it has, and what it must have. */
static void keep_end(struct load *load)
{
    if (load->game != 0 && load->ends >= 0)
        store_tail_add(load->tail, load->game, load->ends + 1, &load->last_link);
}

static void load_running(void *arg, const PGresult *row)
{
    struct load *load = arg;
    int64_t game;

    if (!pg_link_number(row, 0, &game))
        return;
    if (game != load->game) {
        keep_end(load);
        load->game = game;
        load->next = 0;
        load->link = (struct store_seal){0};
        load->is_cut = false;
        load->ends = -1;
    }
    if (pg_link_int(row, 1, &load->ends)) {
        if (!pg_link_bytes(row, 5, load->last_link.bytes, STORE_SEAL_BYTES))
            load->last_link = (struct store_seal){0};
    } else if (PQgetisnull(row, 0, 1) == 0) {
        load->is_damaged = true;
    }
    load_event(load, row);
}

bool pg_rows_load_running(struct pg_reader *reader, struct store_tail *tail,
                          store_event_fn *row, void *arg)
{
    /* A game without events also gives a row, with NULL as the event. If the last listed
     * event of a game is missing, the query adds a row for this event, without a text.
     * Both rows count as damaged events. */
    static const char sql[] =
        "SELECT game.id, number, wall_s, event.age_ms, text, link FROM game"
        " LEFT JOIN event ON event.game = game.id WHERE is_over = 0"
        " UNION ALL SELECT id, number, NULL, NULL, NULL, NULL"
        " FROM game JOIN " LISTED " AS listed ON listed.game = id"
        " WHERE is_over = 0 AND NOT EXISTS (SELECT 1 FROM event"
        " WHERE event.game = id AND event.number = listed.number) ORDER BY 1, 2";
    struct load load = {
        .sealer = reader->sealer, .event = row, .arg = arg, .tail = tail};

    if (pg_link_ask(reader->link, sql, NULL, load_running, &load) != PG_DONE)
        return false;
    keep_end(&load);
    if (load.is_damaged)
        log_warn("store damaged=database table=event : %s", advice);
    return !load.is_damaged;
}

/* --- Reading later --- */

/* Runs the calls, and then a transaction that writes no row: only after this commit can
 * the rows be trusted. The reason: if the wait for a standby was cancelled, a row of
 * another connection is visible although the standby does not have the row yet. */
static bool read_all(struct pg_reader *reader, struct pg_calls *calls, pg_row_fn *row,
                     struct load *load)
{
    bool is_read = pg_link_open(reader->link) &&
                   pg_link_run(reader->link, calls, row, load) == PG_DONE &&
                   pg_link_commit_own(reader->link) == PG_DONE;

    pg_calls_free(calls);
    return is_read;
}

/* Reads the row of the game, or an event of it. A game that is not listed in the table
 * batch must have at least its first event. */
static void see_game(void *arg, const PGresult *row)
{
    struct load *load = arg;
    struct store_game game = {.log = ""};
    int number;

    if (PQnfields(row) == EVENT_COLUMN_COUNT) {
        load_event(load, row);
        return;
    }
    load->state = read_row(load, row, 0, STORE_GAME, &game, &load->seal)
                      ? STORE_ROW_SOUND
                      : STORE_ROW_DAMAGED;
    load->is_over = game.is_over;
    load->events = game.is_over                                   ? game.events
                   : pg_link_int(row, GAME_COLUMN_COUNT, &number) ? number + 1
                                                                  : 1;
}

bool pg_rows_read_game(void *arg, int64_t game, store_event_fn *row, void *row_arg,
                       int *count)
{
    /* Of a running game, reads all of batch, but a running game is read from disk only if
     * it is damaged. */
    static const char find_sql[] =
        "SELECT " GAME_COLUMNS ", CASE WHEN is_over = 0 THEN"
        " (SELECT max(listed.number) FROM batch,"
        " LATERAL unnest(games, numbers) AS listed(game, number)"
        " WHERE listed.game = $1) END FROM game WHERE id = $1";
    static const char log_sql[] =
        "SELECT " EVENT_COLUMNS " FROM event WHERE game = $1 ORDER BY number";
    struct pg_reader *reader = arg;
    struct load load = {.sealer = reader->sealer,
                        .event = row,
                        .arg = row_arg,
                        .game = game,
                        .state = STORE_ROW_MISSING};
    struct pg_calls calls = {0};
    bool is_whole;

    pg_calls_add(&calls, find_sql);
    pg_calls_number(&calls, game);
    pg_calls_add(&calls, log_sql);
    pg_calls_number(&calls, game);
    if (!read_all(reader, &calls, see_game, &load))
        return false;
    /* If the row of the game is damaged or missing, the number of its events is not known.
     * Then the game is complete if its last event ends it. */
    if (load.state == STORE_ROW_SOUND)
        is_whole = load.is_over ? load.next == load.events : load.next >= load.events;
    else
        is_whole = load.has_end || (load.state == STORE_ROW_MISSING && load.next == 0);
    if (!load.is_cut && !is_whole)
        give_damage(&load);
    *count = load.next;
    return true;
}

/* Reads the row of a game, and after it that of its first event, which says whether it is
 * private. If the event cannot be read, the game counts as private. */
static void see_past(void *arg, const PGresult *row)
{
    struct load *load = arg;
    struct store_game game = {.log = ""};
    struct store_event event = {.game = 0};
    struct store_seal link = {0};
    struct store_past past = {.is_private = true};
    struct event start;

    if (!read_row(load, row, 0, STORE_GAME, &game, &load->seal)) {
        log_warn("store game=%lld damaged=row : %s", (long long)game.id, advice);
        return;
    }
    if (read_row(load, row, GAME_COLUMN_COUNT, STORE_EVENT, &event, &link) &&
        event.game == game.id && event.number == 0 &&
        event_parse(event.text, &start) == EVENT_OK)
        past.is_private = start.manners.is_private;
    past.game = game.id;
    past.ended_wall_s = game.ended_wall_s;
    past.summary = game.summary;
    load->past(load->arg, &past);
}

/* Selects games, and the first event of each. */
#define PASTS(games, order)                                                            \
    "SELECT " GAME_COLUMNS ", " EVENT_COLUMNS " FROM (" games " ORDER BY " order       \
    " LIMIT $2) AS game LEFT JOIN event ON event.game = game.id AND number = 0"        \
    " ORDER BY " order

bool pg_rows_read_pasts(void *arg, const char *folded, int64_t first, int limit,
                        store_past_fn *row, void *row_arg)
{
    static const char history_sql[] =
        PASTS("SELECT * FROM game WHERE is_over = 1 AND (red = $1 OR blue = $1)"
              " AND id >= $3",
              "ended_s DESC, id DESC");
    static const char unseen_sql[] =
        PASTS("SELECT game.*, unseen.id AS place FROM unseen JOIN game"
              " ON game.id = unseen.game WHERE unseen.name = $1 AND is_over = 1"
              " AND (red = $1 OR blue = $1)",
              "place");
    struct pg_reader *reader = arg;
    struct load load = {.sealer = reader->sealer, .past = row, .arg = row_arg};
    struct pg_calls calls = {0};

    pg_calls_add(&calls, first == STORE_FIRST_UNSEEN ? unseen_sql : history_sql);
    pg_calls_text(&calls, folded);
    pg_calls_number(&calls, limit);
    if (first != STORE_FIRST_UNSEEN)
        pg_calls_number(&calls, first);
    return read_all(reader, &calls, see_past, &load);
}

/* --- Copies --- */

struct copy {
    struct pg_link *link;
    enum store_kind kind; /* of the table that is being copied */
    store_copy_fn *row;
    store_end_fn *end;
    void *arg;
    bool is_unknown; /* the database has a table or column that the copy would lack */
    bool is_damaged; /* a value has another type */
    bool is_stopped; /* the function row() has stopped the copy */
    struct pg_calls calls; /* the rows of `kind` that are not sent yet */
    int why;               /* the errno if the copy stops now */
};

static bool open_link(struct copy *copy, const struct store_place *place,
                      enum pg_role role)
{
    copy->link = pg_link_new(place, role, NULL);
    copy->why = copy->link != NULL ? EAGAIN : EINVAL;
    return copy->link != NULL && pg_link_open(copy->link);
}

/* Runs a statement. False: the connection is lost, or it was refused and this was logged. */
static bool run(struct copy *copy, const char *sql, pg_row_fn *row)
{
    return pg_link_ask(copy->link, sql, NULL, row, copy) == PG_DONE;
}

/* Ends the copy. Returns is_good; if not, errno says why. */
static bool close_copy(struct copy *copy, bool is_good)
{
    pg_calls_free(&copy->calls);
    pg_link_free(copy->link);
    errno = copy->why;
    return is_good;
}

static bool is_known(const char *table, const char *column)
{
    static const char *const own[] = {"batch", "lease", "schema"}; /* never copied */

    if (text_find_word(own, ARRAY_LEN(own), table) >= 0)
        return true;
    for (int kind = 0; kind < STORE_KINDS; kind++)
        for (const struct store_column *c = store_row_layouts[kind].column;
             c->type != '\0'; c++)
            if (strcmp(table, table_name((enum store_kind)kind)) == 0 &&
                strcmp(column, c->name) == 0)
                return true;
    return false;
}

static void see_column(void *arg, const PGresult *row)
{
    struct copy *copy = arg;
    const char *table, *column;

    if (copy->is_unknown || !pg_link_text(row, 0, &table) ||
        !pg_link_text(row, 1, &column) || is_known(table, column))
        return;
    copy->is_unknown = true;
    log_warn(
        "store postgres=copy why=\"this janggid does not copy the column %s of the "
        "table %s\"",
        column, table);
}

static bool check_columns(struct copy *copy)
{
    if (!run(copy,
             "SELECT relname::text, attname::text FROM pg_class JOIN pg_attribute"
             " ON attrelid = pg_class.oid WHERE relnamespace = 'janggid'::regnamespace"
             " AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped",
             see_column))
        return false;
    if (copy->is_unknown)
        copy->why = ENOTSUP;
    return !copy->is_unknown;
}

/* --- Out --- */

static void see_row(void *arg, const PGresult *row)
{
    struct copy *copy = arg;
    union store_record record;
    struct store_seal seal;

    memset(&record, 0, sizeof record);
    if (copy->kind == STORE_GAME)
        record.game.log = "";
    if (!pg_rows_get(row, 0, copy->kind, &record, &seal))
        copy->is_damaged = true;
    if (!copy->is_damaged && !copy->is_stopped)
        copy->is_stopped = !copy->row(copy->arg, copy->kind, &record, &seal);
}

static bool find_last(struct copy *copy, struct store_head *head)
{
    struct store_totals totals;
    int64_t seq;

    if (!pg_fence_find_last(copy->link, &seq, &totals))
        return false;
    *head = (struct store_head){.last_game = totals.last_game, .age_ms = totals.age_ms};
    if (seq > 0)
        return true;
    log_warn("store postgres=copy why=\"this database holds no log of janggid\"");
    copy->why = ENOENT;
    return false;
}

static void see_listed(void *arg, const PGresult *row)
{
    struct copy *copy = arg;
    int64_t game;
    int number;

    if (pg_link_number(row, 0, &game) && pg_link_int(row, 1, &number))
        copy->end(copy->arg, game, number + 1);
    else
        copy->is_damaged = true;
}

static bool read_tables(struct copy *copy, struct store_head *head)
{
    /* Without sorting, PostgreSQL reads a table by its index, and the first row comes at
     * once, however long the table is. */
    if (!run(copy, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", NULL) ||
        !run(copy, "SET LOCAL enable_sort = off", NULL) || !check_columns(copy) ||
        !find_last(copy, head))
        return false;
    for (int kind = 0; kind < STORE_KINDS; kind++) {
        copy->kind = (enum store_kind)kind;
        if (kind != STORE_HEAD &&
            !run(copy, pg_rows_sql(copy->kind, STORE_SQL_LOAD), see_row))
            return false;
        if (copy->is_damaged)
            log_warn("store postgres=copy why=\"a row of the table %s cannot be read\"",
                     table_name(copy->kind));
        if (copy->is_stopped || copy->is_damaged) {
            copy->why = copy->is_stopped ? ECANCELED : EIO;
            return false;
        }
    }
    if (!run(copy,
             "SELECT id, number FROM game JOIN " LISTED
             " AS listed ON listed.game = id WHERE is_over = 0",
             see_listed))
        return false;
    if (copy->is_damaged) {
        log_warn(
            "store postgres=copy why=\"a list of the table batch cannot be read\"");
        copy->why = EIO;
        return false;
    }
    /* If the second commit succeeds, all rows that were read are durable. */
    return run(copy, PG_COMMIT, NULL) && pg_link_commit_own(copy->link) == PG_DONE;
}

bool pg_rows_copy_out(const struct store_place *place, struct store_head *head,
                      store_copy_fn *row, store_end_fn *end, void *arg)
{
    struct copy copy = {.row = row, .end = end, .arg = arg};

    return close_copy(&copy,
                      open_link(&copy, place, PG_READER) && read_tables(&copy, head));
}

/* --- In --- */

static bool send_chunk(struct copy *copy)
{
    enum pg_outcome outcome = pg_link_run(copy->link, &copy->calls, NULL, NULL);

    pg_calls_clear(&copy->calls);
    copy->why = outcome == PG_REFUSED ? EIO : EAGAIN;
    if (outcome == PG_REFUSED)
        log_warn("store postgres=copy why=\"rows of the table %s are refused\" "
                 "sqlstate=%s",
                 table_name(copy->kind), pg_link_refusal(copy->link)->sqlstate);
    return outcome == PG_DONE;
}

static bool put_row(void *arg, enum store_kind kind, const void *row,
                    const struct store_seal *seal)
{
    struct copy *copy = arg;
    const struct pg_calls *calls = &copy->calls;

    if ((kind != copy->kind || calls->count == CHUNK_ROWS ||
         calls->used >= CHUNK_BYTES) &&
        !send_chunk(copy))
        return false;
    copy->kind = kind;
    copy->why = ECANCELED;
    pg_rows_put(&copy->calls, kind, row, seal);
    return true;
}

/* Checks that the database has no data. Once a server has opened it, it is not empty,
 * even without a game, because the table batch has rows. */
static bool check_empty(struct copy *copy)
{
    char sql[CHECK_BYTES];
    struct text text = text_into(sql, sizeof sql);
    int64_t is_full;

    text_add(&text, "SELECT (EXISTS (SELECT 1 FROM batch)");
    for (int kind = 0; kind < STORE_KINDS; kind++)
        if (kind != STORE_HEAD)
            text_addf(&text, " OR EXISTS (SELECT 1 FROM %s)",
                      table_name((enum store_kind)kind));
    text_add(&text, ")::int::bigint");
    if (!pg_link_ask_numbers(copy->link, sql, &is_full, 1))
        return false;
    if (is_full == 0)
        return true;
    log_warn("store postgres=copy why=\"this database holds a log already\" : load "
             "into a new one");
    copy->why = EEXIST;
    return false;
}

/* Writes the first row of batch, then commits. */
static bool commit(struct copy *copy, const struct store_head *head)
{
    const struct store_totals totals = {.last_game = head->last_game,
                                        .age_ms = head->age_ms};
    const struct store_seal seal = {0};
    struct pg_fence fence;
    enum pg_outcome outcome;

    pg_fence_init(&fence, copy->link);
    fence.epoch = 1;
    pg_fence_add(&fence, &copy->calls, &totals, NULL, NULL, &seal);
    pg_calls_add(&copy->calls, PG_COMMIT);
    outcome = pg_link_commit(copy->link, &copy->calls);
    copy->why = EAGAIN;
    if (outcome == PG_REFUSED)
        log_warn("store postgres=copy why=\"the commit is refused\" sqlstate=%s",
                 pg_link_refusal(copy->link)->sqlstate);
    else if (outcome == PG_DOUBTFUL)
        log_warn(
            "store postgres=copy why=\"it is unknown whether the log is stored\" : "
            "load again, which refuses a database that holds one");
    return outcome == PG_DONE;
}

/* The lock prevents a server from opening this database during the copy, because each
 * start inserts a row into batch. */
static bool write_tables(struct copy *copy, const struct store_head *head,
                         store_rows_fn *rows, void *arg)
{
    if (!run(copy, PG_BEGIN, NULL) || !run(copy, PG_LOCK_SOON, NULL) ||
        !run(copy, "LOCK TABLE batch IN EXCLUSIVE MODE", NULL) ||
        !check_columns(copy) || !check_empty(copy))
        return false;
    copy->why = ECANCELED;
    return rows(arg, put_row, copy) && send_chunk(copy) && commit(copy, head);
}

bool pg_rows_copy_in(const struct store_place *place, const struct store_head *head,
                     store_rows_fn *rows, void *arg)
{
    struct copy copy = {.row = NULL};

    return close_copy(&copy, open_link(&copy, place, PG_WRITER) &&
                                 write_tables(&copy, head, rows, arg));
}
