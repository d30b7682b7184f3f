/* See store_schema.h.
 *
 * Version 0.1.0 of janggid made schema 3. Since then:
 *   4: the first game of the present owner of a name, what a player accepted last,
 *      and the highest number that was used
 *   5: the journal, the audit log of the staff, marks of accounts, the number and
 *      the age of an account, and whether the account has finished a game
 *   6: ratings */
#include "server/database/store_schema.h"

#include <assert.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "server/database/store_rows.h"
#include "server/database/store_seal.h"
#include "server/sqlite/store_file.h"

/* Table game: until the game has ended, the columns from ended_s on (but not the seal)
 * are 0 or "". Table age: its one row says how long servers have run with this
 * database. Since schema 4, this row also has the highest number that
 * store_next_number() may have returned. Table unseen: a row names a player who may not
 * have seen the end of a game. The rows are read in the order of their ids. */
static const char schema_3[] =
    "CREATE TABLE game(id INTEGER PRIMARY KEY, is_over INTEGER NOT NULL,"
    " events INTEGER NOT NULL, age_ms INTEGER NOT NULL, ended_s INTEGER NOT NULL,"
    " red TEXT NOT NULL, blue TEXT NOT NULL, red_shown TEXT NOT NULL,"
    " blue_shown TEXT NOT NULL, rules TEXT NOT NULL, time TEXT NOT NULL,"
    " result TEXT NOT NULL, reason TEXT NOT NULL, plies INTEGER NOT NULL,"
    " seal BLOB NOT NULL);"
    "CREATE INDEX game_red ON game(red, ended_s) WHERE is_over = 1;"
    "CREATE INDEX game_blue ON game(blue, ended_s) WHERE is_over = 1;"
    "CREATE TABLE event(game INTEGER NOT NULL, number INTEGER NOT NULL,"
    " text TEXT NOT NULL, wall_s INTEGER NOT NULL, age_ms INTEGER NOT NULL,"
    " chain BLOB NOT NULL, PRIMARY KEY(game, number)) WITHOUT ROWID;"
    "CREATE TABLE name(folded TEXT NOT NULL PRIMARY KEY, shown TEXT NOT NULL,"
    " proof INTEGER NOT NULL, digest BLOB NOT NULL, seen_s INTEGER NOT NULL,"
    " seal BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE invite(code TEXT NOT NULL PRIMARY KEY, terms TEXT NOT NULL,"
    " maker TEXT NOT NULL, first TEXT NOT NULL, made_s INTEGER NOT NULL,"
    " game INTEGER NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE unseen(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,"
    " game INTEGER NOT NULL);"
    "CREATE INDEX unseen_name ON unseen(name, id);"
    "CREATE TABLE age(id INTEGER PRIMARY KEY, age_ms INTEGER NOT NULL,"
    " seal BLOB NOT NULL);"
    "CREATE TABLE device(folded TEXT NOT NULL, digest BLOB NOT NULL,"
    " proof INTEGER NOT NULL, since_s INTEGER NOT NULL, seal BLOB NOT NULL,"
    " PRIMARY KEY(folded, digest)) WITHOUT ROWID;";

/* Added by schema 4. A row of an older schema has 0 in these columns, and its seal
 * remains valid. */
static const char schema_4[] =
    "ALTER TABLE name ADD COLUMN first_game INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE name ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE name ADD COLUMN accepted_game INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE name ADD COLUMN accepted_offer INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE age ADD COLUMN number INTEGER NOT NULL DEFAULT 0;";

/* Added by schema 5. Schema 4 wrote all events to the table event. Schema 5 writes an
 * event to the journal, and moves the event to the table event later. The events of
 * schema 4 are in the table event already, so the update leaves them there. The seal of
 * an act also covers the act before it. */
static const char schema_5[] =
    "CREATE TABLE act(id INTEGER PRIMARY KEY, wall_s INTEGER NOT NULL,"
    " actor TEXT NOT NULL, text TEXT NOT NULL, seal BLOB NOT NULL);"
    "CREATE TABLE mark(owner TEXT NOT NULL, kind TEXT NOT NULL,"
    " subject TEXT NOT NULL, value TEXT NOT NULL, seal BLOB NOT NULL,"
    " PRIMARY KEY(owner, kind, subject)) WITHOUT ROWID;"
    "ALTER TABLE name ADD COLUMN number INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE name ADD COLUMN made_s INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE name ADD COLUMN is_fresh INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX game_aborted ON game(ended_s) WHERE is_over = 1 AND result = 'none';"
    "CREATE TABLE journal(id INTEGER PRIMARY KEY, game INTEGER NOT NULL,"
    " number INTEGER NOT NULL, text TEXT NOT NULL, wall_s INTEGER NOT NULL,"
    " age_ms INTEGER NOT NULL, link BLOB NOT NULL);"
    "CREATE TABLE batch(last_id INTEGER PRIMARY KEY, last_game INTEGER NOT NULL,"
    " running INTEGER NOT NULL, age_ms INTEGER NOT NULL, list BLOB NOT NULL,"
    " seal BLOB NOT NULL);"
    "CREATE INDEX game_running ON game(is_over) WHERE is_over = 0;";

/* Added by schema 6. The columns red and blue are numbers of accounts; the column why
 * is "" when the game counts. */
static const char schema_6[] =
    "CREATE TABLE rating(seq INTEGER PRIMARY KEY, wall_s INTEGER NOT NULL,"
    " pool TEXT NOT NULL, game INTEGER NOT NULL, red INTEGER NOT NULL,"
    " blue INTEGER NOT NULL, score INTEGER NOT NULL, timeout INTEGER NOT NULL,"
    " why TEXT NOT NULL, red_rating INTEGER NOT NULL, red_rd INTEGER NOT NULL,"
    " red_volatility INTEGER NOT NULL, blue_rating INTEGER NOT NULL,"
    " blue_rd INTEGER NOT NULL, blue_volatility INTEGER NOT NULL, seal BLOB NOT NULL);";

/* --- The first batch --- */

/* The first batch, which lists no events. `from` selects the rows of all games. */
struct first_batch {
    sqlite3_stmt *from;
    struct store_sealer *sealer;
    struct store_tally tally;
};

/* Adds the game in the current row to the tally. Ignores its age if the row is
 * damaged. */
static void count_game(struct first_batch *batch)
{
    sqlite3_stmt *s = batch->from;
    struct store_tally *tally = &batch->tally;
    int64_t id = sqlite3_column_int64(s, 0), age_ms = sqlite3_column_int64(s, 3);
    struct store_game game;

    if (id > tally->last_game)
        tally->last_game = id;
    tally->running += sqlite3_column_int64(s, 1) == 0;
    if (store_rows_read_sealed_game(batch->sealer, s, &game) && age_ms > tally->age_ms)
        tally->age_ms = age_ms;
}

static bool put_first_batch(sqlite3 *file, const struct first_batch *batch)
{
    const struct store_tally *tally = &batch->tally;
    struct store_seal seal;
    sqlite3_stmt *s = NULL;
    bool is_put = false;

    store_seal_batch(batch->sealer, &seal, tally, NULL, 0);
    if (sqlite3_prepare_v2(file,
                           "INSERT OR REPLACE INTO batch VALUES(0,?1,?2,?3,x'',?4)", -1,
                           &s, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, tally->last_game);
        sqlite3_bind_int64(s, 2, tally->running);
        sqlite3_bind_int64(s, 3, tally->age_ms);
        sqlite3_bind_blob(s, 4, seal.bytes, STORE_SEAL_BYTES, SQLITE_STATIC);
        is_put = sqlite3_step(s) == SQLITE_DONE;
    }
    sqlite3_finalize(s);
    return is_put;
}

bool store_schema_begin_batches(sqlite3 *file, const struct store_tally *least)
{
    struct first_batch batch = {
        .sealer = store_sealer_new(),
        .tally = {.last_game = least->last_game, .age_ms = least->age_ms}};
    int code;
    bool is_good;

    code = sqlite3_prepare_v2(file,
                              "SELECT id, is_over, events, age_ms, ended_s, red, blue,"
                              " red_shown, blue_shown, rules, time, result, reason,"
                              " plies, seal FROM game",
                              -1, &batch.from, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(batch.from)) == SQLITE_ROW) {
        count_game(&batch);
        code = SQLITE_OK;
    }
    sqlite3_finalize(batch.from);
    is_good = code == SQLITE_DONE && put_first_batch(file, &batch);
    if (!is_good)
        store_file_refuse(file, "the first batch");
    store_sealer_free(batch.sealer);
    return is_good;
}

static bool set_version(sqlite3 *file)
{
    char words[100];
    struct text text = text_into(words, sizeof words);

    text_addf(&text, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
              STORE_FILE_APPLICATION, STORE_SCHEMA);
    return store_file_run(file, words);
}

bool store_schema_is_known(int version)
{
    return version == 0 || version == STORE_SCHEMA_0_1_0 || version == STORE_SCHEMA;
}

bool store_schema_bring(sqlite3 *file, int version)
{
    const struct store_tally none = {0};

    assert(store_schema_is_known(version));
    if (version == STORE_SCHEMA)
        return true;
    if (version > 0)
        log_info("store schema=%d becomes=%d", version, STORE_SCHEMA);
    return store_file_run(file, "BEGIN EXCLUSIVE") &&
           (version > 0 || store_file_run(file, schema_3)) &&
           store_file_run(file, schema_4) && store_file_run(file, schema_5) &&
           store_schema_begin_batches(file, &none) && store_file_run(file, schema_6) &&
           set_version(file) && store_file_run(file, "COMMIT") &&
           store_file_settle(file);
}
