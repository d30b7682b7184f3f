/* See store_patrol.h. */
#include "server/store/store_patrol.h"

#include "common/base/log.h"
#include "server/database/store_rows.h"
#include "server/sqlite/store_file.h"

static void ignore_event(void *arg, const struct store_event *event)
{
    (void)arg;
    (void)event;
}

static void check_row(struct store_patrol *patrol, struct store_db *db, sqlite3_stmt *s)
{
    struct store_game game;

    patrol->games++;
    if (!store_rows_read_game(db, s, &game)) {
        patrol->damaged++;
        log_warn("store game=%lld damaged=row : %s", (long long)game.id,
                 store_file_advice);
    }
    patrol->reading = (struct store_reading){.game = game.id};
}

/* Begins to check the next game, or ends the patrol. In a damaged tree the next game
 * may have a lower number: that ends the patrol too. */
static void begin_next(struct store_patrol *patrol, struct store_db *db)
{
    sqlite3_stmt *s = db->statement[STORE_NEXT_GAME];
    int64_t before = patrol->reading.game;
    int code;

    sqlite3_bind_int64(s, 1, before);
    code = sqlite3_step(s);
    if (code == SQLITE_ROW)
        check_row(patrol, db, s);
    else if (code != SQLITE_DONE && (code & 0xff) != SQLITE_CORRUPT)
        store_file_fail(db->file, store_rows_sql[STORE_NEXT_GAME]);
    sqlite3_reset(s);
    if (code == SQLITE_ROW && patrol->reading.game > before)
        return;
    patrol->is_done = true;
    patrol->damaged += code != SQLITE_DONE;
    log_info("store checked games=%d damaged=%d", patrol->games, patrol->damaged);
}

void store_patrol_step(struct store_patrol *patrol, struct store_db *db)
{
    if (patrol->is_done)
        return;
    if (patrol->games == 0 || patrol->reading.is_done)
        begin_next(patrol, db);
    if (patrol->is_done)
        return;
    store_fetch_game(db, &patrol->reading, STORE_PATROL_ROWS, ignore_event, NULL);
    patrol->damaged += patrol->reading.is_damaged;
}
