/* See store_db.h. Opens and writes; store_fetch.c reads. */
#include "server/database/store_db.h"

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

/* Checks small tables that logins depend on: a lost row would free its name. Other
 * tables are checked when they are read, and completely by "janggid verify". */
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

/* --- Games --- */

bool store_db_begin(struct store_db *db)
{
    return store_rows_run(db, STORE_BEGIN);
}

/* A game whose start cannot be read has no names. */
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

/* The row is written at the start of a game, and again with its summary at the end. */
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

/* Returns the number of games to prune. Their rows in the journal must not be parked. */
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

/* Deletes the games' rows last: they are needed to find the others. */
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

bool store_db_put_name(struct store_db *db, const struct store_name *name)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_NAME];
    struct store_seal seal;

    store_seal_name(db->sealer, &seal, name);
    store_rows_bind_text(s, 1, name->folded);
    store_rows_bind_text(s, 2, name->shown);
    sqlite3_bind_int(s, 3, (int)name->proof);
    sqlite3_bind_blob(s, 4, name->digest, STORE_DIGEST_BYTES, SQLITE_STATIC);
    sqlite3_bind_int64(s, 5, name->seen_wall_s);
    store_rows_bind_seal(s, 6, &seal);
    sqlite3_bind_int64(s, 7, name->first_game);
    sqlite3_bind_int64(s, 8, name->accepted.number);
    sqlite3_bind_int64(s, 9, name->accepted.game);
    sqlite3_bind_int(s, 10, name->accepted.is_offer);
    sqlite3_bind_int64(s, 11, name->number);
    sqlite3_bind_int64(s, 12, name->made_wall_s);
    sqlite3_bind_int(s, 13, name->is_fresh);
    return store_rows_run(db, STORE_PUT_NAME);
}

bool store_db_drop_name(struct store_db *db, const char *folded)
{
    store_rows_bind_text(db->statement[STORE_DROP_NAME], 1, folded);
    return store_rows_run(db, STORE_DROP_NAME);
}

bool store_db_put_device(struct store_db *db, const struct store_device *device)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_DEVICE];
    struct store_seal seal;

    store_seal_device(db->sealer, &seal, device);
    store_rows_bind_text(s, 1, device->folded);
    sqlite3_bind_blob(s, 2, device->digest, STORE_DIGEST_BYTES, SQLITE_STATIC);
    sqlite3_bind_int(s, 3, (int)device->proof);
    sqlite3_bind_int64(s, 4, device->since_wall_s);
    store_rows_bind_seal(s, 5, &seal);
    return store_rows_run(db, STORE_PUT_DEVICE);
}

bool store_db_drop_device(struct store_db *db, const char *folded,
                          const unsigned char *digest)
{
    sqlite3_stmt *s = db->statement[STORE_DROP_DEVICE];

    store_rows_bind_text(s, 1, folded);
    sqlite3_bind_blob(s, 2, digest, STORE_DIGEST_BYTES, SQLITE_STATIC); /* or NULL */
    return store_rows_run(db, STORE_DROP_DEVICE);
}

bool store_db_put_invite(struct store_db *db, const struct store_invite *invite)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_INVITE];
    struct store_seal seal;

    store_seal_invite(db->sealer, &seal, invite);
    store_rows_bind_text(s, 1, invite->code);
    store_rows_bind_text(s, 2, invite->terms);
    store_rows_bind_text(s, 3, invite->maker);
    store_rows_bind_text(s, 4, invite->first);
    sqlite3_bind_int64(s, 5, invite->made_wall_s);
    sqlite3_bind_int64(s, 6, invite->game);
    store_rows_bind_seal(s, 7, &seal);
    return store_rows_run(db, STORE_PUT_INVITE);
}

bool store_db_drop_invite(struct store_db *db, const char *code)
{
    store_rows_bind_text(db->statement[STORE_DROP_INVITE], 1, code);
    return store_rows_run(db, STORE_DROP_INVITE);
}

bool store_db_drop_unseen(struct store_db *db, const char *folded, int64_t game)
{
    store_rows_bind_text(db->statement[STORE_DROP_UNSEEN], 1, folded);
    sqlite3_bind_int64(db->statement[STORE_DROP_UNSEEN], 2, game);
    return store_rows_run(db, STORE_DROP_UNSEEN);
}

bool store_db_put_age(struct store_db *db, const struct store_age *age)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_AGE];
    struct store_seal seal;

    store_seal_age(db->sealer, &seal, age);
    sqlite3_bind_int64(s, 1, age->age_ms);
    store_rows_bind_seal(s, 2, &seal);
    sqlite3_bind_int64(s, 3, age->number);
    return store_rows_run(db, STORE_PUT_AGE);
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
        log_die("store act=%lld bug=\"the one before it is missing\"", (long long)id);
    else
        store_file_fail(db->file, store_rows_sql[STORE_LAST_ACT]);
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
    store_rows_bind_text(s, 3, act->actor);
    store_rows_bind_text(s, 4, act->text);
    store_rows_bind_seal(s, 5, &link);
    return store_rows_run(db, which);
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
    store_rows_bind_text(s, 1, mark->owner);
    store_rows_bind_text(s, 2, mark->kind);
    store_rows_bind_text(s, 3, mark->subject);
    store_rows_bind_text(s, 4, mark->value);
    store_rows_bind_seal(s, 5, &seal);
    return store_rows_run(db, STORE_PUT_MARK);
}

bool store_db_drop_mark(struct store_db *db, const char *owner, const char *kind,
                        const char *subject)
{
    sqlite3_stmt *s = db->statement[STORE_DROP_MARK];

    store_rows_bind_text(s, 1, owner);
    sqlite3_bind_text(s, 2, kind, -1, SQLITE_STATIC); /* or NULL */
    sqlite3_bind_text(s, 3, subject, -1, SQLITE_STATIC);
    return store_rows_run(db, STORE_DROP_MARK);
}

bool store_db_put_rating(struct store_db *db, const struct store_rating *rating)
{
    sqlite3_stmt *s = db->statement[STORE_PUT_RATING];
    struct store_seal seal;

    store_seal_rating(db->sealer, &seal, rating);
    sqlite3_bind_int64(s, 1, rating->seq);
    sqlite3_bind_int64(s, 2, rating->wall_s);
    store_rows_bind_text(s, 3, rating->pool);
    sqlite3_bind_int64(s, 4, rating->game);
    sqlite3_bind_int(s, 7, rating->score);
    sqlite3_bind_int(s, 8, rating->is_timeout);
    store_rows_bind_text(s, 9, rating->why);
    for (int side = 0; side < 2; side++) {
        sqlite3_bind_int64(s, 5 + side, rating->account[side]);
        sqlite3_bind_int(s, 10 + 3 * side, rating->after[side].rating);
        sqlite3_bind_int(s, 11 + 3 * side, rating->after[side].rd);
        sqlite3_bind_int(s, 12 + 3 * side, rating->after[side].volatility);
    }
    store_rows_bind_seal(s, 16, &seal);
    return store_rows_run(db, STORE_PUT_RATING);
}

/* --- Commits --- */

bool store_db_commit(struct store_db *db)
{
    if (!store_journal_put_batch(db) || !store_rows_run(db, STORE_COMMIT))
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
