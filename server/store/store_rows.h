/* The database's statements and rows, for the files that know its tables: store_db.c
 * writes, store_read.c reads, store_audit.c checks, store_backup.c copies. */
#ifndef SERVER_STORE_STORE_ROWS_H
#define SERVER_STORE_STORE_ROWS_H

#include <sqlite3.h>

#include "common/base/base.h"
#include "server/store/store_db.h"
#include "server/store/store_seal.h"

enum store_statement {
    STORE_BEGIN,
    STORE_COMMIT,
    STORE_ROLLBACK,
    STORE_PUT_EVENT,
    STORE_LAST_LINK,
    STORE_PUT_GAME,
    STORE_GROW_GAME,
    STORE_END_GAME,
    STORE_PUT_NAME,
    STORE_PUT_DEVICE,
    STORE_DROP_DEVICE,
    STORE_PUT_INVITE,
    STORE_DROP_INVITE,
    STORE_PUT_UNSEEN,
    STORE_DROP_UNSEEN,
    STORE_PUT_AGE,
    STORE_LOAD_GAMES,
    STORE_NEXT_LOG,
    STORE_LOAD_NAMES,
    STORE_LOAD_DEVICES,
    STORE_LOAD_INVITES,
    STORE_LOAD_UNSEEN,
    STORE_LOAD_AGE,
    STORE_LAST_GAME,
    STORE_READ_GAME,
    STORE_READ_LOG,
    STORE_READ_HISTORY,
    STORE_READ_UNSEEN
};
enum { STORE_STATEMENTS = STORE_READ_UNSEEN + 1 };

struct store_db {
    sqlite3 *file;
    sqlite3_stmt *statement[STORE_STATEMENTS];
    struct store_sealer *sealer;
    int waiting_pages; /* in the write-ahead log, since the last checkpoint */
};

/* The words of a statement. */
extern const char *const store_sql[STORE_STATEMENTS];

/* file as a database, whose tables are today's; it is ours from then on. NULL: it is
 * not, as its last error says, and stays the caller's. */
struct store_db *store_db_adopt(sqlite3 *file) MUST_USE;

/* Rows of the LOAD statements, and of READ_GAME. The texts live until the next step.
 * False: the row is damaged. */
bool store_get_game(struct store_db *db, sqlite3_stmt *s, struct store_game *out);
bool store_get_name(struct store_db *db, sqlite3_stmt *s, struct store_name *out);
bool store_get_device(struct store_db *db, sqlite3_stmt *s, struct store_device *out);
bool store_get_invite(struct store_db *db, sqlite3_stmt *s, struct store_invite *out);
bool store_get_age(struct store_db *db, sqlite3_stmt *s, struct store_age *out);

/* The next row of LOAD_GAMES; game->id is the one before, INT64_MIN at first.
 * SQLITE_ROW, SQLITE_DONE, or what failed: in a damaged tree a search may lead back. */
int store_next_row(struct store_db *db, struct store_game *game,
                   bool *is_sound) MUST_USE;
/* The next game after *game of which there are events, whatever its row says, to *game.
 * SQLITE_ROW, SQLITE_DONE, or what failed. */
int store_next_log(struct store_db *db, int64_t *game) MUST_USE;
/* What is known of a game by its row. */
enum store_row store_find_row(struct store_db *db, int64_t game, int *events,
                              int *code);

/* Gives at most limit events of a log, and the one that cannot be believed. SQLITE_ROW:
 * there may be more. SQLITE_DONE: reading->is_done. Else what failed. */
int store_read_log(struct store_db *db, struct store_reading *reading, int limit,
                   store_event_fn *row, void *arg) MUST_USE;
/* The log ends here, and cannot be believed further. */
void store_give_damage(struct store_reading *reading, store_event_fn *row, void *arg);
/* If so, the host is told. */
void store_log_damage(const struct store_reading *reading);

/* text is borrowed until the statement is reset. */
void store_bind_text(sqlite3_stmt *statement, int at, const char *text);

#endif
