/* See pg_fence.h. */
#include "server/postgres/pg_fence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/rand.h>

#include "common/base/log.h"

enum { EXIT_IOERR = 74, TRIES = 3 };

void pg_fence_init(struct pg_fence *fence, struct pg_link *link)
{
    *fence = (struct pg_fence){.link = link};
    if (RAND_bytes(fence->node, PG_NODE_BYTES) != 1)
        log_die("store no random bytes");
}

/* --- Rows --- */

static void add_row(const struct pg_fence *fence, struct pg_calls *calls, int64_t seq,
                    int64_t epoch, const struct store_totals *totals,
                    const struct pg_listed *listed, const struct store_seal *seal)
{
    pg_calls_add(calls, PG_PUT_BATCH);
    pg_calls_number(calls, seq);
    pg_calls_number(calls, epoch);
    pg_calls_bytes(calls, fence->node, PG_NODE_BYTES);
    pg_calls_number(calls, totals->last_game);
    pg_calls_number(calls, totals->age_ms);
    pg_calls_bytes(calls, seal->bytes, STORE_SEAL_BYTES);
    if (listed == NULL || listed->games.count == 0) {
        pg_calls_bytes(calls, NULL, 0);
        pg_calls_bytes(calls, NULL, 0);
        return;
    }
    pg_calls_array(calls, 'N', &listed->games);
    pg_calls_array(calls, 'N', &listed->numbers);
}

void pg_fence_add(const struct pg_fence *fence, struct pg_calls *calls,
                  const struct store_totals *totals, const struct pg_listed *listed,
                  const struct store_seal *seal)
{
    add_row(fence, calls, fence->seq + 1, fence->epoch, totals, listed, seal);
}

static void note(struct pg_fence *fence, bool is_now)
{
    if (fence->witness != NULL)
        pg_witness_note(fence->witness, fence->seq, fence->node, &fence->seal, is_now);
}

void pg_fence_advance(struct pg_fence *fence, const struct store_seal *seal)
{
    fence->seq++;
    fence->seal = *seal;
    note(fence, false);
}

void pg_fence_doubt(struct pg_fence *fence, const struct store_seal *seal)
{
    fence->is_open = false;
    fence->has_doubt = true;
    fence->doubt = *seal;
}

/* Tries to insert and commit an epoch row, the first row of a new epoch (pg_fence.h),
 * at the key `seq`. The seal of the row is all zero. */
static enum pg_outcome try_epoch(struct pg_fence *fence, int64_t seq,
                                 const struct store_totals *totals)
{
    const struct store_seal seal = {0};
    struct pg_calls calls = {0};
    enum pg_outcome outcome;

    pg_calls_add(&calls, PG_BEGIN);
    pg_calls_add(&calls, PG_LOCK_SOON);
    add_row(fence, &calls, seq, seq, totals, NULL, &seal);
    pg_calls_add(&calls, PG_COMMIT);
    outcome = pg_link_commit(fence->link, &calls);
    pg_calls_free(&calls);
    return outcome;
}

static void count_row(void *arg, const PGresult *result, int row)
{
    (void)result;
    (void)row;
    ++*(int *)arg;
}

/* Ends connections that have sent half of a commit. If a server vanishes or stops in
 * the middle of a commit, the key of its row stays locked as long as PostgreSQL waits
 * for the rest. Ending such a connection does no harm. It only makes a commit fail, and
 * each server expects such a failure, because another server can always insert the key
 * first. True: some connection was ended. */
static bool end_half_sent(struct pg_fence *fence)
{
    int count = 0;
    enum pg_outcome outcome =
        pg_link_call(fence->link, PG_END_HALF_SENT, 0, NULL, count_row, &count);

    if (count > 0)
        log_warn("store postgres=ended connections=%d why=\"a commit was half sent\"",
                 count);
    return outcome == PG_DONE && count > 0;
}

static bool is_locked(const struct pg_fence *fence)
{
    return strcmp(pg_link_error(fence->link), "55P03") == 0;
}

static enum pg_outcome put_epoch(struct pg_fence *fence, int64_t seq,
                                 const struct store_totals *totals)
{
    enum pg_outcome outcome = try_epoch(fence, seq, totals);

    if (outcome == PG_REFUSED && is_locked(fence) && end_half_sent(fence))
        outcome = try_epoch(fence, seq, totals);
    return outcome;
}

static bool is_taken(const struct pg_fence *fence)
{
    return strcmp(pg_link_error(fence->link), "23505") == 0;
}

/* --- The last row --- */

struct last {
    int64_t seq;
    struct store_totals totals;
    bool is_sound;
};

static void see_last(void *arg, const PGresult *result, int row)
{
    struct last *last = arg;

    last->is_sound = pg_link_number(result, row, 0, &last->seq) &&
                     pg_link_number(result, row, 1, &last->totals.last_game) &&
                     pg_link_number(result, row, 2, &last->totals.age_ms);
}

/* Finds the last row; its seq is 0 when there is no row. Do not trust it before a
 * commit of our own. */
static bool find_last(struct pg_fence *fence, struct last *last)
{
    *last = (struct last){.is_sound = true};
    return pg_link_call(fence->link, PG_LAST_BATCH, 0, NULL, see_last, last) ==
               PG_DONE &&
           last->is_sound;
}

/* --- Starting --- */

static bool refuse_second(void)
{
    log_warn("store why=\"another janggid uses this database\"");
    errno = EBUSY;
    return false;
}

static bool refuse_now(const struct pg_fence *fence)
{
    errno = pg_link_is_foreign(fence->link) ? EINVAL : EAGAIN;
    return false;
}

/* Puts the first epoch row. There is only one attempt: no row of our own can be in
 * doubt at the start, so a taken key means that another server is starting. */
static bool begin_log(struct pg_fence *fence, const struct last *last)
{
    enum pg_outcome outcome = put_epoch(fence, last->seq + 1, &last->totals);

    if (outcome == PG_REFUSED && is_taken(fence))
        return refuse_second();
    if (outcome == PG_REFUSED)
        pg_link_complain(fence->link, pg_link_error(fence->link));
    if (outcome != PG_DONE)
        return refuse_now(fence);
    fence->seq = fence->epoch = last->seq + 1;
    note(fence, true);
    fence->is_open = true;
    return true;
}

bool pg_fence_start(struct pg_fence *fence, struct store_tally *tally)
{
    struct last last;
    bool is_behind;

    if (!pg_link_open(fence->link) || !pg_link_is_safe(fence->link) ||
        !pg_witness_compare(fence->witness, fence->link, &is_behind) ||
        !find_last(fence, &last))
        return refuse_now(fence);
    errno = ESTALE;
    if (is_behind)
        return false;
    if (!begin_log(fence, &last))
        return false;
    *tally = (struct store_tally){.last_game = last.totals.last_game,
                                  .age_ms = last.totals.age_ms};
    log_info("store postgres=open epoch=%lld", (long long)fence->epoch);
    return true;
}

/* --- Taking an epoch again --- */

/* What a scan has found in the rows of batch, from our last known row up to the new
 * epoch row. The rows come in the order of their keys. */
struct scan {
    const struct pg_fence *fence;
    int64_t next;     /* the key of the next row */
    bool has_gap;     /* a row is missing, or damaged */
    bool is_lost;     /* our last known row is not what we wrote */
    bool is_foreign;  /* another server has written */
    bool has_doubted; /* the row in doubt was found */
};

static void see_row(void *arg, const PGresult *result, int row)
{
    struct scan *scan = arg;
    const struct pg_fence *fence = scan->fence;
    unsigned char node[PG_NODE_BYTES];
    struct store_seal seal;
    int64_t seq;

    if (pg_link_bytes(result, row, 1, node, sizeof node) &&
        memcmp(node, fence->node, sizeof node) != 0)
        scan->is_foreign = true; /* the other server may have deleted older rows, so a
                                  * gap is allowed */
    if (!pg_link_number(result, row, 0, &seq) || seq != scan->next ||
        !pg_link_bytes(result, row, 2, seal.bytes, sizeof seal.bytes)) {
        scan->has_gap = true;
        return;
    }
    scan->next++;
    if (scan->is_foreign)
        return;
    if (seq == fence->seq)
        scan->is_lost = !store_seal_is_same(&seal, &fence->seal);
    else if (fence->has_doubt && store_seal_is_same(&seal, &fence->doubt))
        scan->has_doubted = true;
}

NO_RETURN static void stop(struct pg_fence *fence, const char *why)
{
    note(fence, true); /* so that no later start takes this log */
    log_warn("store postgres=stop why=\"%s\" : stopping, unanswered", why);
    _exit(EXIT_IOERR);
}

/* Notes that another server has taken over. Everything that we have written is stored,
 * except perhaps the row in doubt. We write nothing more. Returns false. */
static bool give_up(struct pg_fence *fence)
{
    fence->is_lost = true;
    log_warn("store postgres=lost why=\"another janggid has taken over this "
             "database\"");
    return false;
}

static bool read_rows(struct pg_fence *fence, struct scan *scan)
{
    *scan = (struct scan){.fence = fence, .next = fence->seq};
    return pg_link_call(fence->link, PG_LOAD_BATCHES, 1, &fence->seq, see_row, scan) ==
           PG_DONE;
}

/* True if another server has taken an epoch. Then we must not write an epoch row,
 * because our row would end the epoch of that server. If the row of that server is not
 * durable yet, we may give up without need, but we lose nothing. */
static bool has_successor(struct pg_fence *fence)
{
    struct scan scan;

    return read_rows(fence, &scan) && scan.is_foreign;
}

/* Judges the rows after our last known one. Call it when our epoch row with the key
 * `epoch` has been committed. False: the connection, or the log, is lost. */
static bool judge(struct pg_fence *fence, int64_t epoch)
{
    struct scan scan;

    if (!read_rows(fence, &scan))
        return false;
    if (scan.is_foreign)
        return give_up(fence);
    if (scan.has_gap || scan.is_lost || scan.next <= epoch)
        stop(fence, "the database lacks what was acknowledged: it has lost data");
    if (fence->has_doubt)
        fence->is_stored = scan.has_doubted;
    return true;
}

/* Appends an epoch row after the last row of the table. That last row may be later than
 * our last known row: it may be the row in doubt, or an epoch row of ours whose outcome
 * we do not know. */
static bool append_epoch(struct pg_fence *fence, const struct store_totals *totals,
                         int64_t *epoch)
{
    struct last last;

    for (int i = 0; i < TRIES; i++) {
        if (has_successor(fence))
            return give_up(fence);
        if (!find_last(fence, &last))
            return false;
        if (last.seq < fence->seq)
            last.seq = fence->seq; /* judge() reports what is missing */
        *epoch = last.seq + 1;
        switch (put_epoch(fence, *epoch, totals)) {
        case PG_DONE:
            return true;
        case PG_DOUBTFUL:
            return false;
        case PG_REFUSED:
            break;
        }
        if (!is_taken(fence)) {
            pg_link_complain(fence->link, pg_link_error(fence->link));
            return false;
        }
    }
    return false;
}

bool pg_fence_take(struct pg_fence *fence, const struct store_totals *totals)
{
    const struct store_seal zero = {0};
    int64_t epoch;

    fence->is_open = false;
    if (fence->is_lost || !pg_link_open(fence->link) || !pg_link_is_safe(fence->link) ||
        !append_epoch(fence, totals, &epoch) || !judge(fence, epoch))
        return false;
    log_info("store postgres=open epoch=%lld doubt=%s", (long long)epoch,
             !fence->has_doubt  ? "none"
             : fence->is_stored ? "stored"
                                : "not-stored");
    fence->seq = fence->epoch = epoch;
    fence->seal = zero;
    fence->has_doubt = false;
    note(fence, true);
    fence->is_open = true;
    return true;
}
