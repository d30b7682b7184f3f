/* The tables in PostgreSQL, and their rows. What store_row.h describes comes from there,
 * but two tables differ from those of SQLite: `event` has the events of all games, and a
 * running game has a row in `game` too. The rows have the same seals, so they can be
 * moved from one engine to the other.
 *
 * Only what is undamaged is passed on. A row must match its seal, which is a digest of its
 * columns. An event must match its link, which is a digest of the event and of the
 * previous link. */
#ifndef SERVER_POSTGRES_PG_ROWS_H
#define SERVER_POSTGRES_PG_ROWS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/postgres/pg_link.h"
#include "server/store/store_engine.h"
#include "server/store/store_row.h"
#include "server/store/store_tail.h"

/* The version in the table `schema`. Other versions are refused. */
enum { PG_ROWS_SCHEMA = 6, PG_ROWS_MAKE_BYTES = 6000 };

/* Writes a statement that makes the tables. */
void pg_rows_make_sql(char out[PG_ROWS_MAKE_BYTES]);
/* Returns a statement for a table; it is valid for good. Of the games and events, there are
 * only STORE_SQL_PUT and STORE_SQL_LOAD. */
const char *pg_rows_sql(enum store_kind kind, enum store_sql which);
/* Adds the parameter of a column. Its type is not s. */
void pg_rows_add_column(struct pg_calls *calls, const struct store_column *column,
                        const void *row);
/* Adds the call that inserts or replaces a row. */
void pg_rows_put(struct pg_calls *calls, enum store_kind kind, const void *row,
                 const struct store_seal *seal);
/* Reads the columns of a row, from column `at` on. *seal: as stored. False: a value does
 * not fit the type of its column. */
bool pg_rows_get(const PGresult *row, int at, enum store_kind kind, void *out,
                 struct store_seal *seal) MUST_USE;

/* A thread reads the tables through this object. It has a connection and a sealer; the
 * sealer computes the digests that show damage. */
struct pg_reader {
    struct pg_link *link;
    struct store_sealer *sealer;
};

/* --- At start. False after logging --- */

/* Fills *out, and the totals of *tail, whose kept ones are as pg_fence_start() has set them. */
bool pg_rows_survey(struct pg_reader *reader, struct store_tail *tail,
                    struct store_survey *out) MUST_USE;
bool pg_rows_load(struct pg_reader *reader, enum store_kind kind, store_row_fn *row,
                  void *arg) MUST_USE;
/* Also adds the last event of each running game to *tail. */
bool pg_rows_load_running(struct pg_reader *reader, struct store_tail *tail,
                          store_event_fn *row, void *arg) MUST_USE;

/* --- Later: the functions of struct store_engine, whose reader is a struct pg_reader.
 * They succeed only if a later commit on the same connection has returned, because that
 * commit shows that the rows are durable --- */

bool pg_rows_read_game(void *reader, int64_t game, store_event_fn *row, void *arg,
                       int *count) MUST_USE;
bool pg_rows_read_pasts(void *reader, const char *folded, int64_t first, int limit,
                        store_past_fn *row, void *arg) MUST_USE;

/* --- Copies: the functions of struct store_engine --- */

/* Reads one snapshot of all tables, and then commits as those above. */
bool pg_rows_copy_out(const struct store_place *place, struct store_head *head,
                      store_copy_fn *row, store_end_fn *end, void *arg) MUST_USE;
/* Writes everything in one transaction. The transaction locks the table batch, and
 * inserts the first row of this table. So a server cannot start on this database before
 * the copy has ended. A server that starts after the copy finds the copied log. */
bool pg_rows_copy_in(const struct store_place *place, const struct store_head *head,
                     store_rows_fn *rows, void *arg) MUST_USE;

#endif
