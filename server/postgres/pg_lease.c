/* See pg_lease.h. */
#include "server/postgres/pg_lease.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/postgres/pg_link.h"
#include "server/postgres/pg_witness.h"

enum {
    OWNER_BYTES = 16,
    WAIT_MS = 2500,  /* longest wait for an answer; shorter than LEASE_MS */
    LEASE_MS = 3000, /* how long a lease holds without a renewal. The leader renews it
                      * each second (store_lease.c), so it may miss two renewals */
    LOOK_COLUMNS = 5
};

struct pg_lease {
    struct pg_link_settings settings;
    atomic_llong no_end_ms; /* always 0: see end_ms in pg_link.h */
    struct pg_link *link;
    struct pg_witness *witness;
    char at[STORE_AT_BYTES];
    unsigned char key[STORE_KEY_BYTES];
    unsigned char me[OWNER_BYTES];   /* random; identifies this run of this server */
    unsigned char seen[OWNER_BYTES]; /* the owner that was seen last */
    int64_t seen_stamp;              /* and its stamp; -1: none since the last outage */
    int64_t seen_ms;                 /* since when the row has not changed */
    bool is_ours;                    /* the lease was ours at the last look */
};

/* --- Opening and closing --- */

void *pg_lease_open(const struct store_place *place)
{
    struct pg_lease *lease = mem_new(sizeof *lease);

    lease->settings =
        (struct pg_link_settings){.url = mem_copy_text(place->url),
                                  .is_sync_outside = place->is_sync_outside,
                                  .role = "lease",
                                  .wait_ms = WAIT_MS,
                                  .end_ms = &lease->no_end_ms};
    lease->seen_stamp = -1;
    memcpy(lease->key, place->key, sizeof lease->key);
    if (RAND_bytes(lease->me, OWNER_BYTES) != 1)
        log_die("store no random bytes");
    lease->link = pg_link_new(&lease->settings);
    lease->witness = pg_witness_open(place);
    if (lease->link != NULL && lease->witness != NULL &&
        text_copy(lease->at, sizeof lease->at, place->at))
        return lease;
    pg_lease_close(lease);
    errno = EINVAL;
    return NULL;
}

void pg_lease_close(void *arg)
{
    struct pg_lease *lease = arg;

    if (lease == NULL)
        return;
    pg_link_free(lease->link);
    pg_witness_close(lease->witness);
    free((char *)lease->settings.url);
    free(lease);
}

/* --- Looking --- */

static const unsigned char nobody[OWNER_BYTES]; /* the owner after the lease was given
                                                 * back */

struct look {
    struct pg_lease *lease;
    struct store_lease *out;
    bool is_sound;
};

static void see_lease(void *arg, const PGresult *result, int row)
{
    struct look *look = arg;
    struct pg_lease *lease = look->lease;
    struct store_lease *out = look->out;
    unsigned char key[STORE_KEY_BYTES];
    int64_t stamp = -1;
    const char *at;

    if (PQnfields(result) != LOOK_COLUMNS)
        return;
    look->is_sound = pg_link_bytes(result, row, 0, lease->seen, OWNER_BYTES) &&
                     pg_link_text(result, row, 1, &at) &&
                     text_copy(out->at, sizeof out->at, at) &&
                     pg_link_number(result, row, 2, &stamp) &&
                     pg_link_number(result, row, 3, &out->epoch);
    if (stamp != lease->seen_stamp)
        lease->seen_ms = mono_now_ms();
    lease->seen_stamp = stamp;
    if (memcmp(lease->seen, lease->me, OWNER_BYTES) == 0)
        out->state = STORE_LEASE_OURS;
    else if (memcmp(lease->seen, nobody, OWNER_BYTES) == 0 ||
             mono_now_ms() - lease->seen_ms >= LEASE_MS)
        out->state = STORE_LEASE_FREE;
    else
        out->state = STORE_LEASE_OTHERS;
    out->has_other_key = pg_link_bytes(result, row, 4, key, sizeof key) &&
                         memcmp(key, lease->key, sizeof key) != 0;
}

/* Adds a transaction that changes the row of the lease. The caller adds a query of the
 * row after it, and sends both in one round trip. */
static void add_change(struct pg_calls *calls, enum pg_statement statement,
                       const struct pg_lease *lease)
{
    pg_calls_add(calls, PG_BEGIN);
    pg_calls_add(calls, PG_WAIT_FOR_NONE);
    pg_calls_add(calls, statement);
    pg_calls_bytes(calls, lease->me, OWNER_BYTES);
    if (statement == PG_LEASE_RENEW)
        pg_witness_tell(calls);
    if (statement == PG_LEASE_TAKE) {
        pg_calls_text(calls, lease->at);
        pg_calls_bytes(calls, lease->seen, OWNER_BYTES);
        pg_calls_number(calls, lease->seen_stamp);
        pg_calls_bytes(calls, lease->key, STORE_KEY_BYTES);
    }
    pg_calls_add(calls, PG_COMMIT);
}

/* Reads the row of the lease. statement: a change to make before the row is read;
 * PG_LEASE_LOOK: no change. */
static bool look(struct pg_lease *lease, enum pg_statement statement,
                 struct store_lease *out)
{
    struct look look = {.lease = lease, .out = out};
    struct pg_calls calls = {0};
    bool is_done;

    if (statement != PG_LEASE_LOOK)
        add_change(&calls, statement, lease);
    pg_calls_add(&calls, PG_LEASE_LOOK);
    is_done = pg_link_run(lease->link, &calls, see_lease, &look) == PG_DONE;
    pg_calls_free(&calls);
    lease->is_ours = is_done && out->state == STORE_LEASE_OURS;
    return is_done && look.is_sound;
}

/* Reads the lease, and then gives it back, renews it, takes it or leaves it alone, as
 * `wish` says. A log that is behind the witness is not taken. Returns false if PostgreSQL does not answer, or if a later version wrote
 * the row in another form. */
static bool look_as_wished(struct pg_lease *lease, enum store_lease_wish wish,
                           struct store_lease *out)
{
    bool was_ours = lease->is_ours, is_behind;

    if (wish == STORE_LEASE_NOT)
        return look(lease, was_ours ? PG_LEASE_GIVE : PG_LEASE_LOOK, out);
    if (!look(lease, was_ours ? PG_LEASE_RENEW : PG_LEASE_LOOK, out))
        return false;
    if (out->state == STORE_LEASE_OURS)
        return true;
    if (!pg_witness_compare(lease->witness, lease->link, &is_behind))
        return false;
    if (wish == STORE_LEASE_TAKE && out->state == STORE_LEASE_FREE && !is_behind &&
        !look(lease, PG_LEASE_TAKE, out))
        return false;
    out->is_behind = is_behind;
    return true;
}

/* After an outage the time without a renewal begins anew, so that the previous leader
 * can return first. */
bool pg_lease_look(void *arg, enum store_lease_wish wish, struct store_lease *out)
{
    struct pg_lease *lease = arg;
    bool is_seen;

    *out = (struct store_lease){.state = STORE_LEASE_FREE};
    is_seen = pg_link_open(lease->link) && look_as_wished(lease, wish, out);
    if (is_seen) {
        pg_link_note_success(lease->link);
    } else {
        lease->seen_stamp = -1;
        errno = pg_link_is_foreign(lease->link) ? EINVAL : EAGAIN;
    }
    return is_seen;
}
