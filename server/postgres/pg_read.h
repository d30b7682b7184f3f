/* Reads the tables, and passes on only what is undamaged. A row must match its seal,
 * which is a digest of its columns. An event must match its link, which is a digest of
 * the event and of the previous link. */
#ifndef SERVER_POSTGRES_PG_READ_H
#define SERVER_POSTGRES_PG_READ_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/database/store_engine.h"
#include "server/postgres/pg_link.h"
#include "server/postgres/pg_tail.h"

/* A thread reads the tables through this object. It has a connection and a sealer; the
 * sealer computes the digests that show damage. */
struct pg_reader {
    struct pg_link *link;
    struct store_sealer *sealer;
};

/* --- At start. False after logging --- */

/* Fills *out and *tail from the database. *tail gets everything that the next
 * transaction continues: the last event of each running game, and the totals (struct
 * pg_totals). tally: as pg_fence_start() has set it. */
bool pg_read_survey(struct pg_reader *reader, const struct store_tally *tally,
                    struct pg_tail *tail, struct store_survey *out) MUST_USE;
bool pg_read_load(struct pg_reader *reader,
                  const struct store_visitor *visitor) MUST_USE;

/* --- Later. False: the connection is lost; some rows may have been passed on --- */

bool pg_read_game(struct pg_reader *reader, struct store_reading *reading, int limit,
                  store_event_fn *row, void *arg) MUST_USE;
bool pg_read_history(struct pg_reader *reader, const char *folded, int64_t first,
                     int limit, store_past_fn *row, void *arg) MUST_USE;
bool pg_read_unseen(struct pg_reader *reader, const char *folded, store_past_fn *row,
                    void *arg) MUST_USE;

/* Reads the row of a game; its texts are valid as long as the result. False:
 * damaged. */
bool pg_read_game_row(struct store_sealer *sealer, const PGresult *result, int row,
                      struct store_game *out) MUST_USE;

#endif
