/* The SQL statements of the database, and functions that write and read its rows. A row
 * gets its seal when it is written, and the seal is checked when the row is read. Only
 * for the files that know the tables of the database. */
#ifndef SERVER_DATABASE_STORE_ROWS_H
#define SERVER_DATABASE_STORE_ROWS_H

#include <sqlite3.h>

#include "common/base/base.h"
#include "server/database/store_data.h"
#include "server/database/store_seal.h"
#include "server/database/store_tail.h"

enum store_statement {
    STORE_BEGIN,
    STORE_COMMIT,
    STORE_ROLLBACK,
    STORE_PUT_EVENT,
    STORE_PUT_EVENTS,
    STORE_PUT_BATCH,
    STORE_LAST_EVENT,
    STORE_PARK_EVENTS,
    STORE_TRIM_JOURNAL,
    STORE_TRIM_BATCH,
    STORE_PUT_GAME,
    STORE_GROW_GAME,
    STORE_END_GAME,
    STORE_PRUNE_LIST,
    STORE_PRUNE_EVENTS,
    STORE_PRUNE_JOURNAL,
    STORE_PRUNE_UNSEEN,
    STORE_PRUNE_GAMES,
    STORE_PUT_NAME,
    STORE_DROP_NAME,
    STORE_PUT_DEVICE,
    STORE_DROP_DEVICE,
    STORE_PUT_INVITE,
    STORE_DROP_INVITE,
    STORE_PUT_UNSEEN,
    STORE_DROP_UNSEEN,
    STORE_PUT_AGE,
    STORE_PUT_ACT,
    STORE_LAST_ACT,
    STORE_PUT_MARK,
    STORE_DROP_MARK,
    STORE_PUT_RATING,
    STORE_LOAD_JOURNAL,
    STORE_LOAD_BATCHES,
    STORE_LOAD_RUNNING,
    STORE_COUNT_RUNNING,
    STORE_COUNT_INDEX,
    STORE_LOAD_GAMES,
    STORE_NEXT_GAME,
    STORE_NEXT_LOG,
    STORE_LOAD_NAMES,
    STORE_LOAD_DEVICES,
    STORE_LOAD_INVITES,
    STORE_LOAD_UNSEEN,
    STORE_LOAD_AGE,
    STORE_COUNT_ACTS,
    STORE_LOAD_ACTS,
    STORE_LOAD_MARKS,
    STORE_LOAD_RATINGS,
    STORE_LAST_GAME,
    STORE_READ_GAME,
    STORE_READ_LOG,
    STORE_READ_EVENT,
    STORE_READ_HISTORY,
    STORE_READ_UNSEEN,
    STORE_REPLACE_ACT,
    STORE_RENAME_GAME,
    STORE_RELINK_PARKED,
    STORE_RELINK_JOURNAL,
    STORE_FIND_STARTS,
    STORE_RENAME_START
};
enum { STORE_STATEMENTS = STORE_RENAME_START + 1 };

/* Number of parameters of STORE_PUT_EVENT; STORE_PUT_EVENTS has STORE_PUT_ROWS times as
 * many. */
enum { STORE_EVENT_COLUMNS = 7 };
/* Number of row ids that one run of STORE_PARK_EVENTS takes; unused ones are NULL. */
enum { STORE_PARK_IDS = 32 };

struct store_db {
    sqlite3 *file;
    sqlite3_stmt *statement[STORE_STATEMENTS];
    struct store_sealer *sealer;
    struct store_tail *tail;
    bool is_doubtful;  /* the index of running games has more or fewer games than the
                        * last batch says */
    int waiting_pages; /* pages in the write-ahead log since the last checkpoint */
    int erasures;      /* number of erasures in this run. After an erasure, read links
                        * (digests) again */
};

/* The SQL of each statement. */
extern const char *const store_rows_sql[STORE_STATEMENTS];

/* Runs a statement that returns no rows. False: the disk is full, and the transaction
 * is rolled back. Any other failure ends the process. */
bool store_rows_run(struct store_db *db, enum store_statement which) MUST_USE;
/* Writes the row of a game with STORE_PUT_GAME when the game starts, STORE_GROW_GAME
 * after more events, or STORE_END_GAME, with its summary, at the end. False: as for
 * store_rows_run(). */
bool store_rows_put_game(struct store_db *db, enum store_statement which,
                         const struct store_game *game) MUST_USE;

/* Writes a row of that kind (store_row.h), and sets *seal to the seal of the row. If
 * the kind is a chain, the caller must first set *seal to the seal of the previous row.
 * False: as for store_rows_run(). */
bool store_rows_put(struct store_db *db, enum store_statement which,
                    enum store_kind kind, const void *row,
                    struct store_seal *seal) MUST_USE;
/* Binds the parameters of a statement that writes such a row, without running it.
 * Borrows `row` and `seal` until the statement is reset. */
void store_rows_bind(sqlite3_stmt *s, enum store_kind kind, const void *row,
                     const struct store_seal *seal);
/* Removes the rows that have the key in `row`. The first text of the key must not be
 * NULL. If another text of the key is NULL, its column is not compared. If is_all, only
 * the first column of the key is compared. */
bool store_rows_drop(struct store_db *db, enum store_statement which,
                     enum store_kind kind, const void *row, bool is_all) MUST_USE;

/* Binds `seal` to the parameter `at`. Borrows it until the statement is reset. */
void store_rows_bind_seal(sqlite3_stmt *statement, int at,
                          const struct store_seal *seal);
/* Binds `text` to the parameter `at`. Borrows it until the statement is reset. */
void store_rows_bind_text(sqlite3_stmt *statement, int at, const char *text);

/* --- Reading --- */

/* Reads the current row of a statement that selects all columns of games. The texts are
 * valid until the next step. False: the row is damaged. */
bool store_rows_read_game(struct store_db *db, sqlite3_stmt *s, struct store_game *out);
/* Like store_rows_read_game(), for a caller without a struct store_db. */
bool store_rows_read_sealed_game(struct store_sealer *sealer, sqlite3_stmt *s,
                                 struct store_game *out);
/* Searches for the row of a game, and returns the state of the row. *out gets the row
 * without the summary. *code gets SQLITE_ROW, SQLITE_DONE (there is no row) or an
 * error. */
enum store_row store_rows_find_game(struct store_db *db, int64_t game,
                                    struct store_game *out, int *code);
/* Reads a row of that kind (store_row.h) into `row`, and sets *seal to the seal of the
 * row. If the kind is numbered, the caller must first set `row` to the previous row. If
 * the kind is a chain, the caller must first set *seal to the seal of the previous row.
 * For the first row, the caller sets both to all zero. False: the row is damaged, or a
 * row before it is missing. */
bool store_rows_read(struct store_db *db, sqlite3_stmt *s, enum store_kind kind,
                     void *row, struct store_seal *seal);
/* Reads an event. Before the call, out->game and out->number must be the game and the
 * number of the expected event, and *link must be the link (digest) of the event before
 * it. The call replaces *link by the link of the event that was read. False: the row
 * contains another event, or is damaged. */
bool store_rows_read_event(struct store_db *db, sqlite3_stmt *s,
                           struct store_event *out, struct store_seal *link);

#endif
