/* See store_db.h. Opens and writes; store_fetch.c reads. */
#include "server/database/store_db.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "server/database/store_file.h"
#include "server/database/store_journal.h"
#include "server/database/store_rows.h"
#include "server/database/store_schema.h"

/* In the order of the schema and of the sealed columns. */
#define GAME_COLUMNS                                                                   \
    "game.id, is_over, events, game.age_ms, ended_s, red, blue, red_shown, "           \
    "blue_shown, rules, time, result, reason, plies, game.seal"

/* Some aborted games that ended before ?1, and the ended game ?2. Keeps the newest
 * game, so that its number is not reused. */
#define PRUNED_GAMES                                                                   \
    "(SELECT id FROM game WHERE id = ?2 AND is_over = 1"                               \
    " AND id < (SELECT max(id) FROM game) UNION ALL SELECT id FROM"                    \
    " (SELECT id FROM game WHERE is_over = 1 AND result = 'none' AND ended_s < ?1"     \
    " AND reason GLOB 'aborted*' AND id < (SELECT max(id) FROM game)"                  \
    " ORDER BY ended_s LIMIT 128))"

const char *const store_sql[STORE_STATEMENTS] = {
    [STORE_BEGIN] = "BEGIN IMMEDIATE",
    [STORE_COMMIT] = "COMMIT",
    [STORE_ROLLBACK] = "ROLLBACK",
    [STORE_PUT_EVENT] = "INSERT INTO journal(id, game, number, text, wall_s, age_ms,"
                        " link) VALUES(?1,?2,?3,?4,?5,?6,?7)",
    [STORE_PUT_BATCH] = "INSERT INTO batch(last_id, last_game, running, age_ms, list,"
                        " seal) VALUES(?1,?2,?3,?4,?5,?6)",
    [STORE_LAST_EVENT] = "SELECT number, chain FROM event WHERE game = ?1"
                         " ORDER BY number DESC LIMIT 1",
    /* STORE_PARK_IDS rows at once cost a third of as many statements. */
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
        "UPDATE game SET events = ?2, age_ms = ?3, seal = ?4,"
        " is_over = 1, ended_s = ?5, red = ?6, blue = ?7, red_shown = ?8,"
        " blue_shown = ?9, rules = ?10, time = ?11, result = ?12,"
        " reason = ?13, plies = ?14 WHERE id = ?1 AND is_over = 0",
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

/* --- Opening --- */

static bool prepare(struct store_db *db)
{
    for (size_t i = 0; i < STORE_STATEMENTS; i++)
        if (sqlite3_prepare_v3(db->file, store_sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &db->statement[i], NULL) != SQLITE_OK)
            return false;
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

/* Small tables that logins depend on: a lost row would free its name. Other tables are
 * checked when they are read, and completely by "janggid verify". */
static bool check_tables(struct store_db *db)
{
    return store_file_check(db->file, "PRAGMA integrity_check(name)") &&
           store_file_check(db->file, "PRAGMA integrity_check(device)") &&
           store_file_check(db->file, "PRAGMA integrity_check(invite)") &&
           store_file_check(db->file, "PRAGMA integrity_check(age)") &&
           store_file_check(db->file, "PRAGMA integrity_check(act)") &&
           store_file_check(db->file, "PRAGMA integrity_check(mark)");
}

struct store_db *store_db_adopt(sqlite3 *file)
{
    struct store_db *db = mem_new(sizeof *db);

    db->sealer = store_sealer_new();
    db->tail = store_tail_new();
    db->file = file;
    if (prepare(db))
        return db;
    db->file = NULL;
    store_db_close(db); /* also accepts a half-built one */
    return NULL;
}

struct store_db *store_db_open(const char *directory)
{
    int version;
    sqlite3 *file = store_file_open(directory, STORE_SCHEMA, &version);
    struct store_db *db;

    if (file == NULL)
        return NULL;
    if (!store_schema_bring(file, version))
        goto fail;
    db = store_db_adopt(file);
    if (db == NULL) {
        log_warn("store damaged=tables why=\"%s\" : %s", sqlite3_errmsg(file),
                 store_file_advice);
        errno = EIO;
        goto fail;
    }
    sqlite3_wal_hook(file, on_log_grown, db);
    if (check_tables(db))
        return db;
    store_db_close(db);
    return NULL;

fail:
    sqlite3_close(file);
    return NULL;
}

void store_db_close(struct store_db *db)
{
    if (db == NULL)
        return;
    for (size_t i = 0; i < STORE_STATEMENTS; i++)
        sqlite3_finalize(db->statement[i]);
    sqlite3_close(db->file);
    store_tail_free(db->tail);
    store_sealer_free(db->sealer);
    free(db);
}

/* --- Running --- */

bool store_db_run(struct store_db *db, enum store_statement which)
{
    sqlite3_stmt *statement = db->statement[which];
    int code = sqlite3_step(statement);

    if (code != SQLITE_DONE) {
        if ((code & 0xff) == SQLITE_CONSTRAINT)
            die("store bug=\"%s\" why=\"%s\"", store_sql[which],
                sqlite3_errmsg(db->file));
        if (!store_file_is_full(db->file))
            store_file_fail(db->file, store_sql[which]);
    }
    sqlite3_reset(statement);
    if (code == SQLITE_DONE)
        return true;
    store_tail_rollback(db->tail);
    if (!sqlite3_get_autocommit(db->file) && !store_db_run(db, STORE_ROLLBACK))
        store_file_fail(db->file, store_sql[STORE_ROLLBACK]);
    return false;
}

void store_db_bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    assert(text != NULL);
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

void store_db_bind_seal(sqlite3_stmt *statement, int at, const struct store_seal *seal)
{
    sqlite3_bind_blob(statement, at, seal->bytes, STORE_SEAL_BYTES, SQLITE_STATIC);
}

/* --- Games --- */

bool store_db_begin(struct store_db *db)
{
    return store_db_run(db, STORE_BEGIN);
}

static void bind_summary(sqlite3_stmt *s, const struct store_game *game)
{
    const struct store_summary *summary = &game->summary;

    sqlite3_bind_int64(s, 5, game->ended_wall_s);
    store_db_bind_text(s, 6, summary->red);
    store_db_bind_text(s, 7, summary->blue);
    store_db_bind_text(s, 8, summary->red_shown);
    store_db_bind_text(s, 9, summary->blue_shown);
    store_db_bind_text(s, 10, summary->rules);
    store_db_bind_text(s, 11, summary->time);
    store_db_bind_text(s, 12, summary->result);
    store_db_bind_text(s, 13, summary->reason);
    sqlite3_bind_int(s, 14, summary->plies);
}

static bool put_unseen(struct store_db *db, const char *folded, int64_t game)
{
    store_db_bind_text(db->statement[STORE_PUT_UNSEEN], 1, folded);
    sqlite3_bind_int64(db->statement[STORE_PUT_UNSEEN], 2, game);
    return store_db_run(db, STORE_PUT_UNSEEN);
}

static bool put_row(struct store_db *db, enum store_statement which,
                    const struct store_game *game)
{
    sqlite3_stmt *s = db->statement[which];
    struct store_seal seal;

    store_seal_game(db->sealer, &seal, game);
    sqlite3_bind_int64(s, 1, game->id);
    sqlite3_bind_int(s, 2, game->events);
    sqlite3_bind_int64(s, 3, game->age_ms);
    store_db_bind_seal(s, 4, &seal);
    if (which == STORE_END_GAME)
        bind_summary(s, game);
    if (!store_db_run(db, which))
        return false;
    if (sqlite3_changes(db->file) != 1)
        die("store game=%lld bug=\"ended twice or never begun\"", (long long)game->id);
    return true;
}

bool store_db_grow_game(struct store_db *db, const struct store_game *game)
{
    return put_row(db, STORE_GROW_GAME, game);
}

static bool end_game(struct store_db *db, const struct store_batch *batch)
{
    struct store_game game = {.id = batch->game,
                              .is_over = true,
                              .events = batch->first + batch->count,
                              .age_ms = batch->age_ms,
                              .ended_wall_s = batch->wall_s,
                              .summary = batch->summary};

    db->tail->now.running--;
    return put_row(db, STORE_END_GAME, &game) &&
           put_unseen(db, game.summary.red, game.id) &&
           put_unseen(db, game.summary.blue, game.id);
}

/* The row is written at the start of a game, and again with its summary at the end. */
static bool put_game(struct store_db *db, const struct store_batch *batch)
{
    struct store_game game = {.id = batch->game,
                              .events = batch->first + batch->count,
                              .age_ms = batch->age_ms,
                              .summary = {"", "", "", "", "", "", "", "", 0}};

    if (batch->first == 0) {
        db->tail->now.running++;
        if (!put_row(db, STORE_PUT_GAME, &game))
            return false;
    }
    return !batch->has_summary || end_game(db, batch);
}

bool store_db_put_events(struct store_db *db, const struct store_batch *batch)
{
    struct store_end *end = store_journal_end(db, batch->game, batch->first);
    struct store_event event = {.game = batch->game,
                                .text = batch->texts,
                                .wall_s = batch->wall_s,
                                .age_ms = batch->age_ms};

    for (int i = 0; i < batch->count; i++) {
        event.number = batch->first + i;
        if (!store_journal_put(db, end, &event))
            return false;
        event.text += strlen(event.text) + 1;
    }
    return put_game(db, batch);
}

static bool prune(struct store_db *db, enum store_statement which, int64_t before_s,
                  int64_t game)
{
    sqlite3_bind_int64(db->statement[which], 1, before_s);
    sqlite3_bind_int64(db->statement[which], 2, game);
    return store_db_run(db, which);
}

/* The number of games to prune. Their rows in the journal must not be parked. */
static int list_pruned(struct store_db *db, int64_t before_s, int64_t game)
{
    sqlite3_stmt *s = db->statement[STORE_PRUNE_LIST];
    int games = 0, code;

    sqlite3_bind_int64(s, 1, before_s);
    sqlite3_bind_int64(s, 2, game);
    for (; (code = sqlite3_step(s)) == SQLITE_ROW; games++)
        store_tail_drop(db->tail,
                        store_tail_find(db->tail, sqlite3_column_int64(s, 0)));
    if (code != SQLITE_DONE)
        store_file_fail(db->file, store_sql[STORE_PRUNE_LIST]);
    sqlite3_reset(s);
    return games;
}

/* Deletes the games' rows last: they are needed to find the others. */
bool store_db_prune(struct store_db *db, int64_t before_wall_s, int64_t game,
                    int *pruned)
{
    *pruned = list_pruned(db, before_wall_s, game);
    return *pruned == 0 || (prune(db, STORE_PRUNE_EVENTS, before_wall_s, game) &&
                            prune(db, STORE_PRUNE_JOURNAL, before_wall_s, game) &&
                            prune(db, STORE_PRUNE_UNSEEN, before_wall_s, game) &&
                            prune(db, STORE_PRUNE_GAMES, before_wall_s, game));
}

/* --- Other rows --- */

bool store_db_put_name(struct store_db *db, const struct store_name *name)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_NAME];
    struct store_seal seal;

    store_seal_name(db->sealer, &seal, name);
    store_db_bind_text(s, 1, name->folded);
    store_db_bind_text(s, 2, name->shown);
    sqlite3_bind_int(s, 3, (int)name->proof);
    sqlite3_bind_blob(s, 4, name->digest, STORE_DIGEST_BYTES, SQLITE_STATIC);
    sqlite3_bind_int64(s, 5, name->seen_wall_s);
    store_db_bind_seal(s, 6, &seal);
    sqlite3_bind_int64(s, 7, name->first_game);
    sqlite3_bind_int64(s, 8, name->accepted.number);
    sqlite3_bind_int64(s, 9, name->accepted.game);
    sqlite3_bind_int(s, 10, name->accepted.is_offer);
    sqlite3_bind_int64(s, 11, name->number);
    sqlite3_bind_int64(s, 12, name->made_wall_s);
    sqlite3_bind_int(s, 13, name->is_fresh);
    return store_db_run(db, STORE_PUT_NAME);
}

bool store_db_drop_name(struct store_db *db, const char *folded)
{
    store_db_bind_text(db->statement[STORE_DROP_NAME], 1, folded);
    return store_db_run(db, STORE_DROP_NAME);
}

bool store_db_put_device(struct store_db *db, const struct store_device *device)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_DEVICE];
    struct store_seal seal;

    store_seal_device(db->sealer, &seal, device);
    store_db_bind_text(s, 1, device->folded);
    sqlite3_bind_blob(s, 2, device->digest, STORE_DIGEST_BYTES, SQLITE_STATIC);
    sqlite3_bind_int(s, 3, (int)device->proof);
    sqlite3_bind_int64(s, 4, device->since_wall_s);
    store_db_bind_seal(s, 5, &seal);
    return store_db_run(db, STORE_PUT_DEVICE);
}

bool store_db_drop_device(struct store_db *db, const char *folded,
                          const unsigned char *digest)
{
    sqlite3_stmt *s = db->statement[STORE_DROP_DEVICE];

    store_db_bind_text(s, 1, folded);
    sqlite3_bind_blob(s, 2, digest, STORE_DIGEST_BYTES, SQLITE_STATIC); /* or NULL */
    return store_db_run(db, STORE_DROP_DEVICE);
}

bool store_db_put_invite(struct store_db *db, const struct store_invite *invite)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_INVITE];
    struct store_seal seal;

    store_seal_invite(db->sealer, &seal, invite);
    store_db_bind_text(s, 1, invite->code);
    store_db_bind_text(s, 2, invite->terms);
    store_db_bind_text(s, 3, invite->maker);
    store_db_bind_text(s, 4, invite->first);
    sqlite3_bind_int64(s, 5, invite->made_wall_s);
    sqlite3_bind_int64(s, 6, invite->game);
    store_db_bind_seal(s, 7, &seal);
    return store_db_run(db, STORE_PUT_INVITE);
}

bool store_db_drop_invite(struct store_db *db, const char *code)
{
    store_db_bind_text(db->statement[STORE_DROP_INVITE], 1, code);
    return store_db_run(db, STORE_DROP_INVITE);
}

bool store_db_drop_unseen(struct store_db *db, const char *folded, int64_t game)
{
    store_db_bind_text(db->statement[STORE_DROP_UNSEEN], 1, folded);
    sqlite3_bind_int64(db->statement[STORE_DROP_UNSEEN], 2, game);
    return store_db_run(db, STORE_DROP_UNSEEN);
}

bool store_db_put_age(struct store_db *db, const struct store_age *age)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_AGE];
    struct store_seal seal;

    store_seal_age(db->sealer, &seal, age);
    sqlite3_bind_int64(s, 1, age->age_ms);
    store_db_bind_seal(s, 2, &seal);
    sqlite3_bind_int64(s, 3, age->number);
    return store_db_run(db, STORE_PUT_AGE);
}

/* The link that the act with that id continues. */
static struct store_seal act_before(struct store_db *db, int64_t id)
{
    sqlite3_stmt *s = db->statement[STORE_LAST_ACT];
    struct store_seal link = {0};
    int code;

    if (id == 1)
        return link;
    sqlite3_bind_int64(s, 1, id - 1);
    code = sqlite3_step(s);
    if (code == SQLITE_ROW && sqlite3_column_bytes(s, 0) == STORE_SEAL_BYTES)
        memcpy(link.bytes, sqlite3_column_blob(s, 0), STORE_SEAL_BYTES);
    else if (code == SQLITE_ROW || code == SQLITE_DONE)
        die("store act=%lld bug=\"the one before it is missing\"", (long long)id);
    else
        store_file_fail(db->file, store_sql[STORE_LAST_ACT]);
    sqlite3_reset(s);
    return link;
}

static bool write_act(struct store_db *db, enum store_statement which,
                      const struct store_act *act)
{
    sqlite3_stmt *s = db->statement[which];
    struct store_seal link = act_before(db, act->id);

    store_seal_act(db->sealer, &link, act);
    sqlite3_bind_int64(s, 1, act->id);
    sqlite3_bind_int64(s, 2, act->wall_s);
    store_db_bind_text(s, 3, act->actor);
    store_db_bind_text(s, 4, act->text);
    store_db_bind_seal(s, 5, &link);
    return store_db_run(db, which);
}

bool store_db_put_act(struct store_db *db, const struct store_act *act)
{
    return write_act(db, STORE_PUT_ACT, act);
}

bool store_db_replace_act(struct store_db *db, const struct store_act *act)
{
    return write_act(db, STORE_REPLACE_ACT, act);
}

bool store_db_put_mark(struct store_db *db, const struct store_mark *mark)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_MARK];
    struct store_seal seal;

    store_seal_mark(db->sealer, &seal, mark);
    store_db_bind_text(s, 1, mark->owner);
    store_db_bind_text(s, 2, mark->kind);
    store_db_bind_text(s, 3, mark->subject);
    store_db_bind_text(s, 4, mark->value);
    store_db_bind_seal(s, 5, &seal);
    return store_db_run(db, STORE_PUT_MARK);
}

bool store_db_drop_mark(struct store_db *db, const char *owner, const char *kind,
                        const char *subject)
{
    sqlite3_stmt *s = db->statement[STORE_DROP_MARK];

    store_db_bind_text(s, 1, owner);
    sqlite3_bind_text(s, 2, kind, -1, SQLITE_STATIC); /* or NULL */
    sqlite3_bind_text(s, 3, subject, -1, SQLITE_STATIC);
    return store_db_run(db, STORE_DROP_MARK);
}

/* --- Commits --- */

bool store_db_commit(struct store_db *db)
{
    if (!store_journal_put_batch(db) || !store_db_run(db, STORE_COMMIT))
        return false;
    store_tail_commit(db->tail);
    return true;
}

/* 0 if it cannot be read: then no limit applies, and the next write fails. */
static int64_t pragma(sqlite3 *file, const char *words)
{
    sqlite3_stmt *s = NULL;
    int64_t number = 0;

    if (sqlite3_prepare_v2(file, words, -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW)
        number = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return number;
}

int64_t store_db_bytes(const struct store_db *db)
{
    return (pragma(db->file, "PRAGMA page_count") -
            pragma(db->file, "PRAGMA freelist_count")) *
           pragma(db->file, "PRAGMA page_size");
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
