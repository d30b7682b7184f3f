/* What makes damage visible: a short digest of all that a row says. That of an event
 * also covers the one before it, so that a log is a chain: no event can be changed,
 * dropped from the middle or moved without a link that does not fit. There is no key in
 * it: it guards against a failing disk, not against a forger. Pure but for OpenSSL. */
#ifndef SERVER_STORE_STORE_SEAL_H
#define SERVER_STORE_STORE_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/store/store.h"

/* The first bytes of a SHA-256. */
enum { STORE_SEAL_BYTES = 16 };
struct store_seal {
    unsigned char bytes[STORE_SEAL_BYTES];
};
bool store_seal_is_same(const struct store_seal *one, const struct store_seal *other);

/* The row of a game. The summary is empty until the game is over. */
struct store_game {
    int64_t id;
    bool is_over;
    int events;     /* number of events in its log */
    int64_t age_ms; /* of the last event */
    int64_t ended_wall_s;
    struct store_summary summary;
};

/* The store's own row. */
struct store_age {
    int64_t age_ms;
    int64_t number; /* store_next_number() has given no higher number */
};

/* What the row of a game says about it. */
enum store_row { STORE_ROW_MISSING, STORE_ROW_DAMAGED, STORE_ROW_SOUND };

/* One sealer is used by one thread at a time. */
struct store_sealer;
struct store_sealer *store_sealer_new(void) MUST_USE;
/* Takes NULL. */
void store_sealer_free(struct store_sealer *sealer);

/* *link: of the event before, all zero for the first; becomes this event's link. */
void store_seal_event(struct store_sealer *sealer, struct store_seal *link,
                      const struct store_event *event);

void store_seal_game(struct store_sealer *sealer, struct store_seal *out,
                     const struct store_game *game);
void store_seal_name(struct store_sealer *sealer, struct store_seal *out,
                     const struct store_name *name);
void store_seal_device(struct store_sealer *sealer, struct store_seal *out,
                       const struct store_device *device);
void store_seal_invite(struct store_sealer *sealer, struct store_seal *out,
                       const struct store_invite *invite);
void store_seal_age(struct store_sealer *sealer, struct store_seal *out,
                    const struct store_age *age);

#endif
