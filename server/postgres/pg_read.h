/* Reads the tables, and passes on only what is undamaged. A row must match its seal,
 * which is a digest of its columns. An event must match its link, which is a digest of
 * the event and of the previous link. */
#ifndef SERVER_POSTGRES_PG_READ_H
#define SERVER_POSTGRES_PG_READ_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/postgres/pg_link.h"
#include "server/store/store_engine.h"
#include "server/store/store_tail.h"

/* The tables have the columns of store_row.h up to this schema of SQLite. */
enum { PG_SINCE_MAX = 6 };

/* A thread reads the tables through this object. It has a connection and a sealer; the
 * sealer computes the digests that show damage. */
struct pg_reader {
    struct pg_link *link;
    struct store_sealer *sealer;
};

/* --- At start. False after logging --- */

/* Fills *out and *tail from the database. *tail gets everything that the next
 * transaction continues: the last event of each running game, and the totals (struct
 * store_totals). tally: as pg_fence_start() has set it. */
bool pg_read_survey(struct pg_reader *reader, const struct store_tally *tally,
                    struct store_tail *tail, struct store_survey *out) MUST_USE;
bool pg_read_load(struct pg_reader *reader, enum store_kind kind, store_row_fn *row,
                  void *arg) MUST_USE;
bool pg_read_running(struct pg_reader *reader, store_event_fn *row, void *arg) MUST_USE;

/* --- Later. False: the connection is lost; some rows may have been passed on --- */

bool pg_read_game(struct pg_reader *reader, int64_t game, store_event_fn *row,
                  void *arg, int *count) MUST_USE;
bool pg_read_history(struct pg_reader *reader, const char *folded, int64_t first,
                     int limit, store_past_fn *row, void *arg) MUST_USE;
bool pg_read_unseen(struct pg_reader *reader, const char *folded, store_past_fn *row,
                    void *arg) MUST_USE;

/* Reads the columns of a row of that kind, as store_row.h lists them (but log, seq, a and
 * o). *seal: as stored. False: a value does not fit the type of its column. */
bool pg_read_columns(const PGresult *result, int row, enum store_kind kind, void *out,
                     struct store_seal *seal) MUST_USE;
/* Reads the row of a game; its texts are valid as long as the result. False:
 * damaged. */
bool pg_read_game_row(struct store_sealer *sealer, const PGresult *result, int row,
                      struct store_game *out) MUST_USE;

#endif
