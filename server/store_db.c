/* See store_db.h. */
#include "server/store_db.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "common/log.h"
#include "common/mem.h"
#include "server/store_file.h"

/* The columns from red on are empty until the game is over. */
static const char schema[] =
    "CREATE TABLE game(id INTEGER PRIMARY KEY, is_over INTEGER NOT NULL DEFAULT 0,"
    " red TEXT, blue TEXT, red_shown TEXT, blue_shown TEXT, rules TEXT, time TEXT,"
    " result TEXT, reason TEXT, plies INTEGER, ended_s INTEGER);"
    "CREATE INDEX game_running ON game(id) WHERE is_over = 0;"
    "CREATE INDEX game_red ON game(red, ended_s) WHERE is_over = 1;"
    "CREATE INDEX game_blue ON game(blue, ended_s) WHERE is_over = 1;"
    "CREATE TABLE event(game INTEGER NOT NULL, number INTEGER NOT NULL,"
    " text TEXT NOT NULL, wall_s INTEGER NOT NULL,"
    " PRIMARY KEY(game, number)) WITHOUT ROWID;"
    "CREATE TABLE name(folded TEXT NOT NULL PRIMARY KEY, shown TEXT NOT NULL,"
    " proof INTEGER NOT NULL, digest BLOB NOT NULL, seen_s INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE invite(code TEXT NOT NULL PRIMARY KEY, terms TEXT NOT NULL,"
    " maker TEXT NOT NULL, first TEXT NOT NULL, made_s INTEGER NOT NULL,"
    " game INTEGER NOT NULL) WITHOUT ROWID;";

#define PAST_COLUMNS                                                                   \
    "id, ended_s, red, blue, red_shown, blue_shown, rules, time, result, reason, "     \
    "plies"

enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    PUT_GAME,
    PUT_EVENT,
    PUT_END,
    PUT_NAME,
    PUT_INVITE,
    DROP_INVITE,
    LOAD_RUNNING,
    LOAD_NAMES,
    LOAD_INVITES,
    LAST_GAME,
    READ_GAME,
    READ_HISTORY
};
static const char *const sql[] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [PUT_GAME] = "INSERT INTO game(id) VALUES(?1)",
    [PUT_EVENT] = "INSERT INTO event(game, number, text, wall_s) VALUES(?1,?2,?3,?4)",
    [PUT_END] = "UPDATE game SET is_over = 1, ended_s = ?2, red = ?3, blue = ?4,"
                " red_shown = ?5, blue_shown = ?6, rules = ?7, time = ?8,"
                " result = ?9, reason = ?10, plies = ?11 WHERE id = ?1 AND is_over = 0",
    [PUT_NAME] = "INSERT OR REPLACE INTO name(folded, shown, proof, digest, seen_s)"
                 " VALUES(?1,?2,?3,?4,?5)",
    [PUT_INVITE] = "INSERT OR REPLACE INTO invite(code, terms, maker, first, made_s,"
                   " game) VALUES(?1,?2,?3,?4,?5,?6)",
    [DROP_INVITE] = "DELETE FROM invite WHERE code = ?1",
    [LOAD_RUNNING] = "SELECT event.game, number, text, wall_s FROM game"
                     " CROSS JOIN event ON event.game = game.id"
                     " WHERE is_over = 0 ORDER BY game.id, number",
    [LOAD_NAMES] = "SELECT folded, shown, proof, digest, seen_s FROM name",
    [LOAD_INVITES] = "SELECT code, terms, maker, first, made_s, game FROM invite",
    [LAST_GAME] = "SELECT coalesce(max(id), 0) FROM game",
    [READ_GAME] = "SELECT game, number, text, wall_s FROM event"
                  " WHERE game = ?1 AND number >= ?2 ORDER BY number LIMIT ?3",
    [READ_HISTORY] = "SELECT " PAST_COLUMNS " FROM game WHERE is_over = 1 AND red = ?1"
                     " UNION ALL SELECT " PAST_COLUMNS " FROM game"
                     " WHERE is_over = 1 AND blue = ?1 AND red <> ?1"
                     " ORDER BY ended_s DESC, id DESC LIMIT ?2",
};
enum { STATEMENTS = ARRAY_LEN(sql) };

struct store_db {
    sqlite3 *file;
    sqlite3_stmt *statement[STATEMENTS];
    int waiting_pages; /* in the write-ahead log, since the last checkpoint */
};

/* --- Opening --------------------------------------------------------------- */

static bool prepare(struct store_db *db)
{
    for (size_t i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v3(db->file, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &db->statement[i], NULL) != SQLITE_OK) {
            store_file_refuse(db->file, sql[i]);
            return false;
        }
    return true;
}

static int on_log_grown(void *arg, sqlite3 *file, const char *name, int pages)
{
    struct store_db *db = arg;

    (void)file;
    (void)name;
    db->waiting_pages = pages;
    return SQLITE_OK;
}

struct store_db *store_db_open(const char *directory)
{
    struct store_db *db = mem_new(sizeof *db);

    db->file = store_file_open(directory, schema);
    if (db->file == NULL || !prepare(db))
        goto fail;
    sqlite3_wal_hook(db->file, on_log_grown, db);
    return db;

fail:
    store_db_close(db); /* takes a half-built one as well */
    return NULL;
}

void store_db_close(struct store_db *db)
{
    if (db == NULL)
        return;
    for (size_t i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(db->statement[i]);
    sqlite3_close(db->file);
    free(db);
}

/* --- Running ---------------------------------------------------------------- */

/* Runs a statement that returns no rows. False: no room, and the transaction is gone.
 */
static bool run(struct store_db *db, enum statement which)
{
    sqlite3_stmt *statement = db->statement[which];
    int code = sqlite3_step(statement);

    if (code != SQLITE_DONE) {
        if ((code & 0xff) == SQLITE_CONSTRAINT)
            die("store bug=\"%s\" why=\"%s\"", sql[which], sqlite3_errmsg(db->file));
        if (!store_file_is_full(db->file))
            store_file_fail(db->file, sql[which]);
    }
    sqlite3_reset(statement);
    if (code == SQLITE_DONE)
        return true;
    if (!sqlite3_get_autocommit(db->file) && !run(db, ROLLBACK))
        store_file_fail(db->file, sql[ROLLBACK]);
    return false;
}

/* --- Reading --------------------------------------------------------------- */

static const char *column_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);

    return text != NULL ? (const char *)text : "";
}

static void give_event(sqlite3_stmt *s, store_event_fn *row, void *arg)
{
    row(arg, sqlite3_column_int64(s, 0), sqlite3_column_int(s, 1), column_text(s, 2),
        sqlite3_column_int64(s, 3));
}

/* After the last row of a statement of the start. */
static bool finish_load(struct store_db *db, enum statement which, int code)
{
    if (code != SQLITE_DONE)
        store_file_refuse(db->file, sql[which]);
    sqlite3_reset(db->statement[which]);
    return code == SQLITE_DONE;
}

bool store_db_load_running(struct store_db *db, store_event_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[LOAD_RUNNING];
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        give_event(s, row, arg);
    return finish_load(db, LOAD_RUNNING, code);
}

/* False: not a name that this program wrote. */
static bool give_name(sqlite3_stmt *s, store_name_fn *row, void *arg)
{
    struct store_name name = {.folded = column_text(s, 0),
                              .shown = column_text(s, 1),
                              .seen_wall_s = sqlite3_column_int64(s, 4)};
    int proof = sqlite3_column_int(s, 2);

    if ((proof != STORE_PROOF_KEY && proof != STORE_PROOF_TOKEN) ||
        sqlite3_column_bytes(s, 3) != STORE_DIGEST_BYTES)
        return false;
    name.proof = (enum store_proof)proof;
    memcpy(name.digest, sqlite3_column_blob(s, 3), STORE_DIGEST_BYTES);
    row(arg, &name);
    return true;
}

bool store_db_load_names(struct store_db *db, store_name_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[LOAD_NAMES];
    bool is_sound = true;
    int code;

    while (is_sound && (code = sqlite3_step(s)) == SQLITE_ROW)
        is_sound = give_name(s, row, arg);
    if (is_sound)
        return finish_load(db, LOAD_NAMES, code);
    log_warn("store name=%s why=\"the proof is damaged\"", column_text(s, 0));
    sqlite3_reset(s);
    return false;
}

bool store_db_load_invites(struct store_db *db, store_invite_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[LOAD_INVITES];
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        struct store_invite invite = {.code = column_text(s, 0),
                                      .terms = column_text(s, 1),
                                      .maker = column_text(s, 2),
                                      .first = column_text(s, 3),
                                      .made_wall_s = sqlite3_column_int64(s, 4),
                                      .game = sqlite3_column_int64(s, 5)};

        row(arg, &invite);
    }
    return finish_load(db, LOAD_INVITES, code);
}

bool store_db_last_game(struct store_db *db, int64_t *out)
{
    sqlite3_stmt *s = db->statement[LAST_GAME];
    int code = sqlite3_step(s);

    if (code == SQLITE_ROW) {
        *out = sqlite3_column_int64(s, 0);
        code = sqlite3_step(s);
    }
    return finish_load(db, LAST_GAME, code);
}

void store_db_read_game(struct store_db *db, int64_t game, int first, int limit,
                        store_event_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[READ_GAME];
    int code;

    sqlite3_bind_int64(s, 1, game);
    sqlite3_bind_int(s, 2, first);
    sqlite3_bind_int(s, 3, limit);
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        give_event(s, row, arg);
    if (code != SQLITE_DONE)
        store_file_fail(db->file, sql[READ_GAME]);
    sqlite3_reset(s);
}

static void give_past(sqlite3_stmt *s, store_past_fn *row, void *arg)
{
    struct store_past past = {
        .game = sqlite3_column_int64(s, 0),
        .ended_wall_s = sqlite3_column_int64(s, 1),
        .summary = {.red = column_text(s, 2),
                    .blue = column_text(s, 3),
                    .red_shown = column_text(s, 4),
                    .blue_shown = column_text(s, 5),
                    .rules = column_text(s, 6),
                    .time = column_text(s, 7),
                    .result = column_text(s, 8),
                    .reason = column_text(s, 9),
                    .plies = sqlite3_column_int(s, 10)}
    };

    row(arg, &past);
}

void store_db_read_history(struct store_db *db, const char *folded, int limit,
                           store_past_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[READ_HISTORY];
    int code;

    sqlite3_bind_text(s, 1, folded, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 2, limit);
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        give_past(s, row, arg);
    if (code != SQLITE_DONE)
        store_file_fail(db->file, sql[READ_HISTORY]);
    sqlite3_reset(s);
}

/* --- Writing --------------------------------------------------------------- */

static void bind(sqlite3_stmt *statement, int at, const char *text)
{
    assert(text != NULL);
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

bool store_db_begin(struct store_db *db)
{
    return run(db, BEGIN);
}

bool store_db_put_events(struct store_db *db, int64_t game, int first,
                         const char *texts, int count, int64_t wall_s)
{
    sqlite3_stmt *s = db->statement[PUT_EVENT];

    sqlite3_bind_int64(db->statement[PUT_GAME], 1, game);
    if (first == 0 && !run(db, PUT_GAME))
        return false;
    for (int i = 0; i < count; i++, texts += strlen(texts) + 1) {
        sqlite3_bind_int64(s, 1, game);
        sqlite3_bind_int(s, 2, first + i);
        bind(s, 3, texts);
        sqlite3_bind_int64(s, 4, wall_s);
        if (!run(db, PUT_EVENT))
            return false;
    }
    return true;
}

bool store_db_put_end(struct store_db *db, int64_t game,
                      const struct store_summary *summary, int64_t ended_s)
{
    sqlite3_stmt *s = db->statement[PUT_END];

    sqlite3_bind_int64(s, 1, game);
    sqlite3_bind_int64(s, 2, ended_s);
    bind(s, 3, summary->red);
    bind(s, 4, summary->blue);
    bind(s, 5, summary->red_shown);
    bind(s, 6, summary->blue_shown);
    bind(s, 7, summary->rules);
    bind(s, 8, summary->time);
    bind(s, 9, summary->result);
    bind(s, 10, summary->reason);
    sqlite3_bind_int(s, 11, summary->plies);
    if (!run(db, PUT_END))
        return false;
    if (sqlite3_changes(db->file) != 1)
        die("store game=%lld bug=\"ended twice or never begun\"", (long long)game);
    return true;
}

bool store_db_put_name(struct store_db *db, const struct store_name *name)
{
    sqlite3_stmt *s = db->statement[PUT_NAME];

    bind(s, 1, name->folded);
    bind(s, 2, name->shown);
    sqlite3_bind_int(s, 3, (int)name->proof);
    sqlite3_bind_blob(s, 4, name->digest, STORE_DIGEST_BYTES, SQLITE_STATIC);
    sqlite3_bind_int64(s, 5, name->seen_wall_s);
    return run(db, PUT_NAME);
}

bool store_db_put_invite(struct store_db *db, const struct store_invite *invite)
{
    sqlite3_stmt *s = db->statement[PUT_INVITE];

    bind(s, 1, invite->code);
    bind(s, 2, invite->terms);
    bind(s, 3, invite->maker);
    bind(s, 4, invite->first);
    sqlite3_bind_int64(s, 5, invite->made_wall_s);
    sqlite3_bind_int64(s, 6, invite->game);
    return run(db, PUT_INVITE);
}

bool store_db_drop_invite(struct store_db *db, const char *code)
{
    bind(db->statement[DROP_INVITE], 1, code);
    return run(db, DROP_INVITE);
}

bool store_db_commit(struct store_db *db)
{
    return run(db, COMMIT);
}

int store_db_waiting_pages(const struct store_db *db)
{
    return db->waiting_pages;
}

bool store_db_checkpoint(struct store_db *db)
{
    if (!store_file_checkpoint(db->file))
        return false;
    db->waiting_pages = 0;
    return true;
}
