/* Seals that make damage detectable: a short digest of all columns of a row. The seal
 * of an event, its link, also covers the event before it, so that a log is a chain: no
 * event can be changed, moved, or removed from the middle without a mismatch. The audit
 * log of the staff is such a chain as well. The digests have no key: they detect a
 * failing disk, not a forger. Pure, except that it uses OpenSSL. */
#ifndef SERVER_DATABASE_STORE_SEAL_H
#define SERVER_DATABASE_STORE_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_data.h"
#include "server/database/store_row.h"

/* A seal is the first bytes of a SHA-256. */
enum { STORE_SEAL_BYTES = 16 };
struct store_seal {
    unsigned char bytes[STORE_SEAL_BYTES];
};
bool store_seal_is_same(const struct store_seal *one, const struct store_seal *other);

/* The state of the journal. Each row of the table batch repeats it, and also lists the
 * events that the row's transaction has added. */
struct store_tally {
    int64_t last_id;   /* of the journal's last row */
    int64_t last_game; /* the highest number of a game, existing or deleted */
    int64_t running;   /* number of games that are not over */
    int64_t age_ms;    /* of the last event */
};

/* The state of the row of a game. */
enum store_row { STORE_ROW_MISSING, STORE_ROW_DAMAGED, STORE_ROW_SOUND };

/* One sealer is used by one thread at a time. */
struct store_sealer;
struct store_sealer *store_sealer_new(void) MUST_USE;
/* `sealer` may be NULL. */
void store_sealer_free(struct store_sealer *sealer);

/* Computes the seal of a row of that kind (store_row.h) into *seal. If the kind is a
 * chain, the caller must first set *seal to the seal of the previous row. For the first
 * row, the caller sets *seal to all zero. */
void store_seal_row(struct store_sealer *sealer, struct store_seal *seal,
                    enum store_kind kind, const void *row);
static inline void store_seal_event(struct store_sealer *sealer,
                                    struct store_seal *link,
                                    const struct store_event *event)
{
    store_seal_row(sealer, link, STORE_EVENT, event);
}
static inline void store_seal_game(struct store_sealer *sealer, struct store_seal *out,
                                   const struct store_game *game)
{
    store_seal_row(sealer, out, STORE_GAME, game);
}
/* Computes the seal of a row of the table batch of PostgreSQL. The list of the row has `size`
 * bytes. */
void store_seal_batch(struct store_sealer *sealer, struct store_seal *out,
                      const struct store_tally *tally, const void *list, size_t size);

#endif
