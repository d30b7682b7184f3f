/* See store_db.h. Opens and writes; store_fetch.c reads. */
#include "server/database/store_db.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "server/database/store_journal.h"
#include "server/database/store_rows.h"
#include "server/database/store_schema.h"
#include "server/sqlite/store_file.h"

/* --- Opening --- */

static bool prepare(struct store_db *db)
{
    for (size_t i = 0; i < STORE_STATEMENTS; i++)
        if (sqlite3_prepare_v3(db->file, store_rows_sql[i], -1,
                               SQLITE_PREPARE_PERSISTENT, &db->statement[i],
                               NULL) != SQLITE_OK)
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

/* Checks small tables that logins depend on. For example, if the row of a name were
 * lost, another player could take this name. Other tables are checked when they are
 * read. "janggid verify" checks all tables completely. */
static bool check_tables(struct store_db *db)
{
    return store_file_check(db->file, "PRAGMA integrity_check(name)") &&
           store_file_check(db->file, "PRAGMA integrity_check(device)") &&
           store_file_check(db->file, "PRAGMA integrity_check(invite)") &&
           store_file_check(db->file, "PRAGMA integrity_check(age)") &&
           store_file_check(db->file, "PRAGMA integrity_check(act)") &&
           store_file_check(db->file, "PRAGMA integrity_check(mark)") &&
           store_file_check(db->file, "PRAGMA integrity_check(rating)");
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
    store_db_close(db); /* this works for a partly filled struct too */
    return NULL;
}

static void refuse_tables(sqlite3 *file)
{
    if (sqlite3_errcode(file) == SQLITE_NOMEM) {
        store_file_refuse(file, "prepare");
        return;
    }
    log_warn("store damaged=tables why=\"%s\" : %s", sqlite3_errmsg(file),
             store_file_advice);
    errno = EIO;
}

struct store_db *store_db_open(const char *directory)
{
    int version, why;
    sqlite3 *file = store_file_open(directory, store_schema_is_known, &version);
    struct store_db *db;

    if (file == NULL)
        return NULL;
    if (!store_schema_bring(file, version))
        goto fail;
    db = store_db_adopt(file);
    if (db == NULL) {
        refuse_tables(file);
        goto fail;
    }
    sqlite3_wal_hook(file, on_log_grown, db);
    if (check_tables(db))
        return db;
    why = errno;
    store_db_close(db);
    errno = why;
    return NULL;

fail:
    why = errno;
    sqlite3_close(file);
    errno = why;
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

/* --- Games --- */

bool store_db_begin(struct store_db *db)
{
    return store_rows_run(db, STORE_BEGIN);
}

/* Records that the player has not seen the end of the game. folded "": the player is
 * not known, because the start of the game cannot be read. */
static bool put_unseen(struct store_db *db, const char *folded, int64_t game)
{
    if (folded[0] == '\0')
        return true;
    store_rows_bind_text(db->statement[STORE_PUT_UNSEEN], 1, folded);
    sqlite3_bind_int64(db->statement[STORE_PUT_UNSEEN], 2, game);
    return store_rows_run(db, STORE_PUT_UNSEEN);
}

static bool end_game(struct store_db *db, const struct store_batch *batch, int events)
{
    struct store_game game = {.id = batch->game,
                              .is_over = true,
                              .events = events,
                              .age_ms = batch->age_ms,
                              .ended_wall_s = batch->wall_s,
                              .summary = batch->summary};

    db->tail->now.running--;
    return store_rows_put_game(db, STORE_END_GAME, &game) &&
           put_unseen(db, game.summary.red, game.id) &&
           put_unseen(db, game.summary.blue, game.id);
}

/* Writes the row of the game, if `batch` starts the game or ends it. At the end the row
 * gets the summary. */
static bool put_game(struct store_db *db, const struct store_batch *batch, int events)
{
    struct store_game game = {.id = batch->game,
                              .events = events,
                              .age_ms = batch->age_ms,
                              .summary = {"", "", "", "", "", "", "", "", 0}};

    if (batch->first == 0) {
        db->tail->now.running++;
        if (!store_rows_put_game(db, STORE_PUT_GAME, &game))
            return false;
    }
    return !batch->has_summary || end_game(db, batch, events);
}

bool store_db_put_events(struct store_db *db, const struct store_batch *batch)
{
    struct store_end *end = store_journal_end(db, batch->game, batch->first);
    struct store_event event = {.game = batch->game,
                                .text = batch->texts,
                                .wall_s = batch->wall_s,
                                .age_ms = batch->age_ms};

    for (int i = 0; i < batch->count; i++) {
        event.number = end->events;
        if (!store_journal_put(db, end, &event))
            return false;
        event.text += strlen(event.text) + 1;
    }
    return put_game(db, batch, event.number + 1);
}

static bool prune(struct store_db *db, enum store_statement which, int64_t before_s,
                  int64_t game)
{
    sqlite3_bind_int64(db->statement[which], 1, before_s);
    sqlite3_bind_int64(db->statement[which], 2, game);
    return store_rows_run(db, which);
}

/* Returns the number of games that will be deleted. Takes them out of db->tail, so that
 * their events in the table journal are not copied to the table event later. */
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
        store_file_fail(db->file, store_rows_sql[STORE_PRUNE_LIST]);
    sqlite3_reset(s);
    return games;
}

/* Deletes the rows of the table game last. The other statements need these rows,
 * because they look in the table game to find which games are to be deleted. */
bool store_db_prune(struct store_db *db, int64_t before_wall_s, int64_t game,
                    int *pruned)
{
    *pruned = 0;
    if (!store_journal_insert(db))
        return false;
    *pruned = list_pruned(db, before_wall_s, game);
    return *pruned == 0 || (prune(db, STORE_PRUNE_EVENTS, before_wall_s, game) &&
                            prune(db, STORE_PRUNE_JOURNAL, before_wall_s, game) &&
                            prune(db, STORE_PRUNE_UNSEEN, before_wall_s, game) &&
                            prune(db, STORE_PRUNE_GAMES, before_wall_s, game));
}

/* --- Other rows --- */

bool store_db_drop_unseen(struct store_db *db, const char *folded, int64_t game)
{
    store_rows_bind_text(db->statement[STORE_DROP_UNSEEN], 1, folded);
    sqlite3_bind_int64(db->statement[STORE_DROP_UNSEEN], 2, game);
    return store_rows_run(db, STORE_DROP_UNSEEN);
}

/* Returns the seal (a digest) of the act before act `id`. This seal is needed to
 * compute the seal of act `id`. If `id` is the first act, returns all zero. */
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
        log_die("store act=%lld bug=\"the one before it is missing\"", (long long)id);
    else
        store_file_fail(db->file, store_rows_sql[STORE_LAST_ACT]);
    sqlite3_reset(s);
    return link;
}

bool store_db_put(struct store_db *db, enum store_kind kind, const void *row)
{
    static const enum store_statement puts[] = {
        [STORE_NAME] = STORE_PUT_NAME,     [STORE_DEVICE] = STORE_PUT_DEVICE,
        [STORE_INVITE] = STORE_PUT_INVITE, [STORE_AGE] = STORE_PUT_AGE,
        [STORE_ACT] = STORE_PUT_ACT,       [STORE_MARK] = STORE_PUT_MARK,
        [STORE_RATING] = STORE_PUT_RATING};
    struct store_seal seal = {0};

    if (kind == STORE_ACT)
        seal = act_before(db, ((const struct store_act *)row)->id);
    return store_rows_put(db, puts[kind], kind, row, &seal);
}

bool store_db_replace_act(struct store_db *db, const struct store_act *act)
{
    struct store_seal link = act_before(db, act->id);

    return store_rows_put(db, STORE_REPLACE_ACT, STORE_ACT, act, &link);
}

bool store_db_drop(struct store_db *db, enum store_kind kind, const void *row,
                   bool is_all)
{
    static const enum store_statement drops[STORE_KINDS] = {
        [STORE_NAME] = STORE_DROP_NAME,
        [STORE_DEVICE] = STORE_DROP_DEVICE,
        [STORE_INVITE] = STORE_DROP_INVITE,
        [STORE_MARK] = STORE_DROP_MARK};

    assert(drops[kind] != 0);
    return store_rows_drop(db, drops[kind], kind, row, is_all);
}

/* --- Commits --- */

bool store_db_commit(struct store_db *db)
{
    if (!store_journal_put_batch(db) || !store_rows_run(db, STORE_COMMIT))
        return false;
    store_tail_commit(db->tail);
    return true;
}

/* Returns the number that the PRAGMA `words` yields; 0 if it cannot be read. If the size
 * of the database cannot be read, the limit of its size does not apply. This is
 * harmless, because the next write fails anyway. */
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
