/* The database's statements and rows, for the files that know its tables: store_db.c
 * writes, store_fetch.c reads, store_audit.c checks, store_backup.c copies. */
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
    int waiting_pages; /* pages in the write-ahead log since the last checkpoint */
};

/* The SQL of each statement. */
extern const char *const store_sql[STORE_STATEMENTS];

/* Uses file as a database with the current schema, and takes it over. NULL: it failed
 * with file's last error, and the caller keeps it. */
struct store_db *store_db_adopt(sqlite3 *file) MUST_USE;

/* Borrows text until the statement is reset. */
void store_db_bind_text(sqlite3_stmt *statement, int at, const char *text);

#endif
