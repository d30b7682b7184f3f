/* See store_rows.h. */
#include "server/database/store_rows.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "common/base/log.h"
#include "server/sqlite/store_file.h"

/* The columns of the table game, in the order in which the schema defines them. The
 * seal covers them in the same order. */
#define GAME_COLUMNS                                                                   \
    "game.id, is_over, events, game.age_ms, ended_s, red, blue, red_shown, "           \
    "blue_shown, rules, time, result, reason, plies, game.seal"

/* Selects some aborted games that ended before ?1, and the game ?2 if it has ended; but
 * never the newest game, so that its number is not reused. */
#define PRUNED_GAMES                                                                   \
    "(SELECT id FROM game WHERE id = ?2 AND is_over = 1"                               \
    " AND id < (SELECT max(id) FROM game) UNION ALL SELECT id FROM"                    \
    " (SELECT id FROM game WHERE is_over = 1 AND result = 'none' AND ended_s < ?1"     \
    " AND reason GLOB 'aborted*' AND id < (SELECT max(id) FROM game)"                  \
    " ORDER BY ended_s LIMIT 128))"

/* OR FAIL saves time. Without it, SQLite prepares to undo this one statement if the
 * statement fails. We do not need that: after a failure we undo the whole
 * transaction. */
#define INSERT_EVENTS                                                                  \
    "INSERT OR FAIL INTO journal(id, game, number, text, wall_s, age_ms, link) VALUES"
#define EVENT "(?,?,?,?,?,?,?)"

const char *const store_rows_sql[STORE_STATEMENTS] = {
    [STORE_BEGIN] = "BEGIN IMMEDIATE",
    [STORE_COMMIT] = "COMMIT",
    [STORE_ROLLBACK] = "ROLLBACK",
    [STORE_PUT_EVENT] = INSERT_EVENTS EVENT,
    [STORE_PUT_EVENTS] = INSERT_EVENTS EVENT "," EVENT "," EVENT "," EVENT "," EVENT
                                             "," EVENT "," EVENT "," EVENT,
    [STORE_PUT_BATCH] = "INSERT INTO batch(last_id, last_game, running, age_ms, list,"
                        " seal) VALUES(?1,?2,?3,?4,?5,?6)",
    [STORE_LAST_EVENT] = "SELECT number, chain FROM event WHERE game = ?1"
                         " ORDER BY number DESC LIMIT 1",
    /* One statement for STORE_PARK_IDS rows takes a third of the time of STORE_PARK_IDS
     * statements for one row each. */
    [STORE_PARK_EVENTS] = "INSERT OR IGNORE INTO event SELECT game, number, text,"
                          " wall_s, age_ms, link FROM journal WHERE id IN (?1,?2,?3,"
                          "?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,"
                          "?20,?21,?22,?23,?24,?25,?26,?27,?28,?29,?30,?31,?32)",
    [STORE_TRIM_JOURNAL] = "DELETE FROM journal WHERE id < ?1",
    [STORE_TRIM_BATCH] = "DELETE FROM batch WHERE last_id < ?1"
                         " AND last_id < (SELECT max(last_id) FROM batch)",
    [STORE_PUT_GAME] = "INSERT INTO game VALUES(?1,0,?2,?3,0,'','','','','','','','',0,"
                       "?4)",
    [STORE_GROW_GAME] = "UPDATE game SET events = ?2, age_ms = ?3, seal = ?4"
                        " WHERE id = ?1 AND is_over = 0",
    [STORE_END_GAME] =
        /* Inserts the row if it was lost. */
    "INSERT INTO game VALUES(?1,1,?2,?3,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?4)"
    " ON CONFLICT(id) DO UPDATE SET events = ?2, age_ms = ?3, seal = ?4,"
    " is_over = 1, ended_s = ?5, red = ?6, blue = ?7, red_shown = ?8,"
    " blue_shown = ?9, rules = ?10, time = ?11, result = ?12,"
    " reason = ?13, plies = ?14 WHERE is_over = 0",
    [STORE_PRUNE_LIST] = "SELECT id FROM game WHERE id IN " PRUNED_GAMES,
    [STORE_PRUNE_EVENTS] = "DELETE FROM event WHERE game IN " PRUNED_GAMES,
    [STORE_PRUNE_JOURNAL] = "DELETE FROM journal WHERE game IN " PRUNED_GAMES,
    [STORE_PRUNE_UNSEEN] = "DELETE FROM unseen WHERE game IN " PRUNED_GAMES,
    [STORE_PRUNE_GAMES] = "DELETE FROM game WHERE id IN " PRUNED_GAMES,
    [STORE_PUT_NAME] = "INSERT OR REPLACE INTO name(folded, shown, proof, digest,"
                       " seen_s, seal, first_game, accepted, accepted_game,"
                       " accepted_offer, number, made_s, is_fresh)"
                       " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)",
    [STORE_DROP_NAME] = "DELETE FROM name WHERE folded = ?1",
    [STORE_PUT_DEVICE] = "INSERT OR REPLACE INTO device(folded, digest, proof,"
                         " since_s, seal) VALUES(?1,?2,?3,?4,?5)",
    [STORE_DROP_DEVICE] = "DELETE FROM device WHERE folded = ?1"
                          " AND (?2 IS NULL OR digest = ?2)",
    [STORE_PUT_INVITE] = "INSERT OR REPLACE INTO invite(code, terms, maker, first,"
                         " made_s, game, seal) VALUES(?1,?2,?3,?4,?5,?6,?7)",
    [STORE_DROP_INVITE] = "DELETE FROM invite WHERE code = ?1",
    [STORE_PUT_UNSEEN] = "INSERT INTO unseen(name, game) VALUES(?1,?2)",
    [STORE_DROP_UNSEEN] = "DELETE FROM unseen WHERE name = ?1"
                          " AND (?2 = 0 OR game = ?2)",
    [STORE_PUT_AGE] = "INSERT OR REPLACE INTO age(id, age_ms, seal, number)"
                      " VALUES(1,?1,?2,?3)",
    [STORE_PUT_ACT] = "INSERT INTO act(id, wall_s, actor, text, seal)"
                      " VALUES(?1,?2,?3,?4,?5)",
    [STORE_LAST_ACT] = "SELECT seal FROM act WHERE id = ?1",
    [STORE_PUT_MARK] = "INSERT OR REPLACE INTO mark(owner, kind, subject, value, seal)"
                       " VALUES(?1,?2,?3,?4,?5)",
    [STORE_DROP_MARK] =
        "DELETE FROM mark WHERE owner = ?1 AND (?2 IS NULL OR kind = ?2)"
        " AND (?3 IS NULL OR subject = ?3)",
    [STORE_PUT_RATING] = "INSERT INTO rating(seq, wall_s, pool, game, red, blue, score,"
                         " timeout, why, red_rating, red_rd, red_volatility,"
                         " blue_rating, blue_rd, blue_volatility, seal)"
                         " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,"
                         "?16)",
    [STORE_LOAD_JOURNAL] = "SELECT id, game, number, link FROM journal ORDER BY id",
    [STORE_LOAD_BATCHES] = "SELECT last_id, last_game, running, age_ms, list, seal"
                           " FROM batch ORDER BY last_id",
    [STORE_LOAD_RUNNING] = "SELECT id FROM game INDEXED BY game_running"
                           " WHERE is_over = 0 AND id > ?1 ORDER BY id LIMIT 1",
    [STORE_COUNT_RUNNING] = "SELECT count(*) FROM game NOT INDEXED WHERE is_over = 0",
    [STORE_COUNT_INDEX] = "SELECT count(*) FROM game INDEXED BY game_running"
                          " WHERE is_over = 0",
    [STORE_LOAD_GAMES] = "SELECT " GAME_COLUMNS " FROM game ORDER BY id",
    [STORE_NEXT_GAME] = "SELECT " GAME_COLUMNS " FROM game WHERE id > ?1"
                        " ORDER BY id LIMIT 1",
    [STORE_NEXT_LOG] = "SELECT min(game) FROM event WHERE game > ?1",
    [STORE_LOAD_NAMES] = "SELECT folded, shown, proof, digest, seen_s, seal,"
                         " first_game, accepted, accepted_game, accepted_offer,"
                         " number, made_s, is_fresh FROM name",
    [STORE_LOAD_DEVICES] = "SELECT folded, digest, proof, since_s, seal FROM device",
    [STORE_LOAD_INVITES] = "SELECT code, terms, maker, first, made_s, game, seal"
                           " FROM invite",
    [STORE_LOAD_UNSEEN] = "SELECT min(name) FROM unseen WHERE name > ?1",
    [STORE_LOAD_AGE] = "SELECT age_ms, seal, number FROM age",
    [STORE_COUNT_ACTS] = "SELECT coalesce(max(id), 0) FROM act",
    [STORE_LOAD_ACTS] = "SELECT id, wall_s, actor, text, seal FROM act ORDER BY id",
    [STORE_LOAD_MARKS] = "SELECT owner, kind, subject, value, seal FROM mark"
                         " ORDER BY owner, kind, subject",
    [STORE_LOAD_RATINGS] = "SELECT seq, wall_s, pool, game, red, blue, score, timeout,"
                           " why, red_rating, red_rd, red_volatility, blue_rating,"
                           " blue_rd, blue_volatility, seal FROM rating ORDER BY seq",
    [STORE_LAST_GAME] = "SELECT max(coalesce((SELECT max(id) FROM game), 0),"
                        " coalesce((SELECT max(game) FROM event), 0))",
    [STORE_READ_GAME] = "SELECT " GAME_COLUMNS " FROM game WHERE id = ?1",
    [STORE_READ_LOG] = "SELECT number, text, wall_s, age_ms, chain FROM event"
                       " WHERE game = ?1 AND number >= ?2 ORDER BY number",
    [STORE_READ_EVENT] = "SELECT number, text, wall_s, age_ms, link, game FROM journal"
                         " WHERE id = ?1",
    [STORE_READ_HISTORY] =
        "SELECT " GAME_COLUMNS " FROM game WHERE is_over = 1"
        " AND red = ?1 AND id >= ?2 UNION ALL SELECT " GAME_COLUMNS " FROM game"
        " WHERE is_over = 1 AND blue = ?1 AND red <> ?1 AND id >= ?2"
        " ORDER BY ended_s DESC, id DESC",
    [STORE_READ_UNSEEN] = "SELECT " GAME_COLUMNS " FROM unseen JOIN game"
                          " ON game.id = unseen.game WHERE unseen.name = ?1"
                          " AND is_over = 1 AND (red = ?1 OR blue = ?1)"
                          " ORDER BY unseen.id",
    [STORE_REPLACE_ACT] = "UPDATE act SET wall_s = ?2, actor = ?3, text = ?4, seal = ?5"
                          " WHERE id = ?1",
    [STORE_RENAME_GAME] = "UPDATE game SET red = ?2, blue = ?3, red_shown = ?4,"
                          " blue_shown = ?5, seal = ?6 WHERE id = ?1",
    [STORE_RELINK_PARKED] = "UPDATE event SET text = ?2, chain = ?3 WHERE game = ?1"
                            " AND number = ?4",
    [STORE_RELINK_JOURNAL] = "UPDATE journal SET text = ?2, link = ?3 WHERE id = ?1",
    [STORE_FIND_STARTS] = "SELECT id, game FROM journal WHERE number = 0",
    [STORE_RENAME_START] = "UPDATE journal SET text = ?2 WHERE id = ?1",
};

/* --- Running --- */

bool store_rows_run(struct store_db *db, enum store_statement which)
{
    sqlite3_stmt *statement = db->statement[which];
    int code = sqlite3_step(statement);

    if (code != SQLITE_DONE) {
        if ((code & 0xff) == SQLITE_CONSTRAINT)
            log_die("store bug=\"%s\" why=\"%s\"", store_rows_sql[which],
                    sqlite3_errmsg(db->file));
        if (!store_file_is_full(db->file))
            store_file_fail(db->file, store_rows_sql[which]);
    }
    sqlite3_reset(statement);
    if (code == SQLITE_DONE)
        return true;
    store_tail_rollback(db->tail);
    if (!sqlite3_get_autocommit(db->file) && !store_rows_run(db, STORE_ROLLBACK))
        store_file_fail(db->file, store_rows_sql[STORE_ROLLBACK]);
    return false;
}

void store_rows_bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    assert(text != NULL);
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

void store_rows_bind_seal(sqlite3_stmt *statement, int at,
                          const struct store_seal *seal)
{
    /* cppcheck-suppress ctunullpointer ; it is NULL only for a key, which has no seal */
    sqlite3_bind_blob(statement, at, seal->bytes, STORE_SEAL_BYTES, SQLITE_STATIC);
}

/* --- Writing --- */

/* Binds a column of the row to the parameter `at`. A text may be NULL. */
static void bind_column(sqlite3_stmt *s, int at, const struct store_column *column,
                        const void *row, const struct store_seal *seal)
{
    if (column->type == 't')
        sqlite3_bind_text(s, at, *store_row_text(column, row), -1, SQLITE_STATIC);
    else if (column->type == 'b')
        sqlite3_bind_blob(s, at, store_row_at(column, row), STORE_DIGEST_BYTES,
                          SQLITE_STATIC);
    else if (column->type == 's')
        store_rows_bind_seal(s, at, seal);
    else
        sqlite3_bind_int64(s, at, store_row_number(column, row));
}

void store_rows_bind(sqlite3_stmt *s, enum store_kind kind, const void *row,
                     const struct store_seal *seal)
{
    const struct store_column *column = store_row_layouts[kind].column;

    for (int i = 0; column[i].type != '\0'; i++)
        bind_column(s, i + 1, &column[i], row, seal);
}

bool store_rows_put(struct store_db *db, enum store_statement which,
                    enum store_kind kind, const void *row, struct store_seal *seal)
{
    store_seal_row(db->sealer, seal, kind, row);
    store_rows_bind(db->statement[which], kind, row, seal);
    return store_rows_run(db, which);
}

bool store_rows_drop(struct store_db *db, enum store_statement which,
                     enum store_kind kind, const void *row, bool is_all)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    int keys = is_all ? 1 : layout->keys;

    sqlite3_clear_bindings(db->statement[which]);
    for (int i = 0; i < keys; i++)
        bind_column(db->statement[which], i + 1, &layout->column[i], row, NULL);
    return store_rows_run(db, which);
}

static void bind_summary(sqlite3_stmt *s, const struct store_game *game)
{
    struct store_summary summary = game->summary;
    const char **texts[STORE_SUMMARY_TEXTS];

    store_data_summary_texts(&summary, texts);
    sqlite3_bind_int64(s, 5, game->ended_wall_s);
    for (int i = 0; i < STORE_SUMMARY_TEXTS; i++)
        store_rows_bind_text(s, 6 + i, *texts[i]);
    sqlite3_bind_int(s, 14, summary.plies);
}

bool store_rows_put_game(struct store_db *db, enum store_statement which,
                         const struct store_game *game)
{
    sqlite3_stmt *s = db->statement[which];
    struct store_seal seal;

    store_seal_game(db->sealer, &seal, game);
    sqlite3_bind_int64(s, 1, game->id);
    sqlite3_bind_int(s, 2, game->events);
    sqlite3_bind_int64(s, 3, game->age_ms);
    store_rows_bind_seal(s, 4, &seal);
    if (which == STORE_END_GAME)
        bind_summary(s, game);
    if (!store_rows_run(db, which))
        return false;
    if (sqlite3_changes(db->file) != 1)
        log_die("store game=%lld bug=\"ended twice\"", (long long)game->id);
    return true;
}

/* --- Reading --- */

/* Reads a text. False: the value is not a text, or has a NUL in it. */
static bool get_text(sqlite3_stmt *s, int column, const char **out)
{
    const unsigned char *text = sqlite3_column_text(s, column);

    *out = text != NULL ? (const char *)text : "";
    return sqlite3_column_type(s, column) == SQLITE_TEXT &&
           strlen(*out) == (size_t)sqlite3_column_bytes(s, column);
}

static bool get_int(sqlite3_stmt *s, int column, int *out)
{
    int64_t number = sqlite3_column_int64(s, column);

    *out = (int)number;
    return sqlite3_column_type(s, column) == SQLITE_INTEGER && number >= 0 &&
           number <= INT_MAX;
}

/* True when the column contains that seal. */
static bool is_sealed(sqlite3_stmt *s, int column, const struct store_seal *seal)
{
    struct store_seal found;

    if (sqlite3_column_bytes(s, column) != STORE_SEAL_BYTES)
        return false;
    memcpy(found.bytes, sqlite3_column_blob(s, column), STORE_SEAL_BYTES);
    return store_seal_is_same(&found, seal);
}

bool store_rows_read_sealed_game(struct store_sealer *sealer, sqlite3_stmt *s,
                                 struct store_game *out)
{
    struct store_summary *summary = &out->summary;
    const char **texts[STORE_SUMMARY_TEXTS];
    struct store_seal seal;
    bool is_sound;
    int is_over;

    *out = (struct store_game){.id = sqlite3_column_int64(s, 0),
                               .age_ms = sqlite3_column_int64(s, 3),
                               .ended_wall_s = sqlite3_column_int64(s, 4)};
    is_sound = get_int(s, 1, &is_over) && is_over <= 1 && get_int(s, 2, &out->events) &&
               get_int(s, 13, &summary->plies);
    out->is_over = is_over == 1;
    store_data_summary_texts(summary, texts);
    for (int i = 0; i < STORE_SUMMARY_TEXTS; i++)
        is_sound = get_text(s, 5 + i, texts[i]) && is_sound;
    store_seal_game(sealer, &seal, out);
    return is_sound && is_sealed(s, 14, &seal);
}

bool store_rows_read_game(struct store_db *db, sqlite3_stmt *s, struct store_game *out)
{
    return store_rows_read_sealed_game(db->sealer, s, out);
}

enum store_row store_rows_find_game(struct store_db *db, int64_t id,
                                    struct store_game *out, int *code)
{
    sqlite3_stmt *s = db->statement[STORE_READ_GAME];
    enum store_row state = STORE_ROW_MISSING;

    *out = (struct store_game){.id = id};
    sqlite3_bind_int64(s, 1, id);
    *code = sqlite3_step(s);
    if (*code == SQLITE_ROW)
        state = store_rows_read_game(db, s, out) ? STORE_ROW_SOUND : STORE_ROW_DAMAGED;
    sqlite3_reset(s);
    out->summary = (struct store_summary){.red = ""};
    return state;
}

/* Reads a column into the row. False: the value does not fit its type. */
static bool get_column(sqlite3_stmt *s, int at, const struct store_column *column,
                       void *row)
{
    if (column->type == 't')
        return get_text(s, at, store_row_text(column, row));
    if (column->type != 'b')
        return (column->type == 'n' || sqlite3_column_type(s, at) == SQLITE_INTEGER) &&
               store_row_set(column, row, sqlite3_column_int64(s, at));
    if (sqlite3_column_bytes(s, at) != STORE_DIGEST_BYTES)
        return false;
    memcpy(store_row_at(column, row), sqlite3_column_blob(s, at), STORE_DIGEST_BYTES);
    return true;
}

bool store_rows_read(struct store_db *db, sqlite3_stmt *s, enum store_kind kind,
                     void *row, struct store_seal *seal)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    int64_t before = store_row_number(layout->column, row);
    bool is_good = true;
    int seal_at = 0;

    for (int i = 0; layout->column[i].type != '\0'; i++)
        if (layout->column[i].type == 's')
            seal_at = i;
        else
            is_good = get_column(s, i, &layout->column[i], row) && is_good;
    if (!is_good ||
        (layout->is_numbered && store_row_number(layout->column, row) != before + 1))
        return false;
    store_seal_row(db->sealer, seal, kind, row);
    return is_sealed(s, seal_at, seal);
}

bool store_rows_read_event(struct store_db *db, sqlite3_stmt *s,
                           struct store_event *out, struct store_seal *link)
{
    int number = out->number;

    *out = (struct store_event){.game = out->game,
                                .number = number,
                                .wall_s = sqlite3_column_int64(s, 2),
                                .age_ms = sqlite3_column_int64(s, 3),
                                .is_sound = true};
    if (sqlite3_column_int64(s, 0) != number || !get_text(s, 1, &out->text))
        return false;
    store_seal_event(db->sealer, link, out);
    return is_sealed(s, 4, link);
}
