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

enum {
    OWNER_BYTES = 16,
    WAIT_MS = 2500,   /* longest wait for an answer; shorter than LEASE_TIME
                       * (pg_statement.c) */
    RETURN_MS = 2000, /* after an outage: how long other nodes leave the lease to its
                       * last holder */
    LOOK_COLUMNS = 4
};

struct pg_lease {
    struct pg_link_settings settings;
    atomic_llong no_end_ms; /* always 0: see end_ms in pg_link.h */
    struct pg_link *link;
    char at[STORE_AT_BYTES];
    unsigned char me[OWNER_BYTES];   /* random; identifies this run of this server */
    unsigned char seen[OWNER_BYTES]; /* the owner that was seen last */
    bool is_ours;                    /* the lease was ours at the last look */
    bool was_away;                   /* the last look failed */
    int64_t patient_until_ms;        /* do not take the lease before this time */
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
    if (RAND_bytes(lease->me, OWNER_BYTES) != 1)
        log_die("store no random bytes");
    lease->link = pg_link_new(&lease->settings);
    if (lease->link != NULL && text_copy(lease->at, sizeof lease->at, place->at))
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
    free((char *)lease->settings.url);
    free(lease);
}

/* --- Looking --- */

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
    const char *at;

    if (PQnfields(result) != LOOK_COLUMNS)
        return;
    look->is_sound = pg_link_bytes(result, row, 0, lease->seen, OWNER_BYTES) &&
                     pg_link_text(result, row, 1, &at) &&
                     text_copy(out->at, sizeof out->at, at) &&
                     pg_link_number(result, row, 2, &out->left_ms) &&
                     pg_link_number(result, row, 3, &out->epoch);
    if (memcmp(lease->seen, lease->me, OWNER_BYTES) == 0)
        out->state = STORE_LEASE_OURS;
    else
        out->state = out->left_ms > 0 ? STORE_LEASE_OTHERS : STORE_LEASE_FREE;
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
    if (statement == PG_LEASE_TAKE) {
        pg_calls_text(calls, lease->at);
        pg_calls_bytes(calls, lease->seen, OWNER_BYTES);
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
 * `wish` says. Returns false if PostgreSQL does not answer, or if a later version wrote
 * the row in another form. */
static bool look_as_wished(struct pg_lease *lease, enum store_lease_wish wish,
                           struct store_lease *out)
{
    bool was_ours = lease->is_ours;

    if (wish == STORE_LEASE_NOT)
        return look(lease, was_ours ? PG_LEASE_GIVE : PG_LEASE_LOOK, out);
    if (!look(lease, was_ours ? PG_LEASE_RENEW : PG_LEASE_LOOK, out))
        return false;
    if (wish != STORE_LEASE_TAKE || out->state != STORE_LEASE_FREE ||
        mono_now_ms() < lease->patient_until_ms)
        return true;
    return look(lease, PG_LEASE_TAKE, out);
}

/* After an outage, first reads the lease, because it may already be ours: a commit
 * before the outage may have taken the lease without our knowledge. If the lease is not
 * ours, does not take it before RETURN_MS have passed, so that the previous leader can
 * return first. */
bool pg_lease_look(void *arg, enum store_lease_wish wish, struct store_lease *out)
{
    struct pg_lease *lease = arg;
    bool is_seen;

    *out = (struct store_lease){.state = STORE_LEASE_FREE};
    is_seen = pg_link_open(lease->link);
    if (is_seen && lease->was_away) {
        lease->patient_until_ms = mono_now_ms() + RETURN_MS;
        is_seen = look(lease, PG_LEASE_LOOK, out);
    }
    is_seen = is_seen && look_as_wished(lease, wish, out);
    lease->was_away = !is_seen;
    if (is_seen)
        pg_link_note_success(lease->link);
    else
        errno = pg_link_is_foreign(lease->link) ? EINVAL : EAGAIN;
    return is_seen;
}
