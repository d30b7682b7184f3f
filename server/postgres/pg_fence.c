/* See pg_fence.h. */
#include "server/postgres/pg_fence.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <openssl/rand.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"

enum {
    TRIES = 3,       /* to put an epoch row */
    WRITE_MS = 1000, /* time between two writes of the witness */
    LINE_BYTES = 160,
    OWNER_BYTES = 16,
    LEASE_MS = 3000 /* how long a lease holds without a renewal. The leader renews it
                     * each second (store_lease.c), so it may miss two renewals */
};

/* --- The witness: a file of the node --- */

/* What the writer of this process has noted last; the lease tells the standbys. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pg_batch newest;

struct witness {
    int fd; /* open all the time: the disk may be away later, or the sandbox closed */
    bool is_loss_accepted, is_refused, is_dirty;
    struct pg_batch row;
    int64_t written_ms;
};

/* One line of a fixed length, so that it is overwritten in one piece. log: where a log that
 * was refused ends; -1: it was not. */
static void write_row(struct witness *witness, int64_t log)
{
    const struct pg_batch *row = &witness->row;
    char line[LINE_BYTES + 1];
    struct text text = text_into(line, sizeof line);

    text_addf(&text, "batch=%lld node=", (long long)row->seq);
    for (int i = 0; i < PG_NODE_BYTES; i++)
        text_addf(&text, "%02x", row->node[i]);
    text_add(&text, " seal=");
    for (int i = 0; i < STORE_SEAL_BYTES; i++)
        text_addf(&text, "%02x", row->seal.bytes[i]);
    text_addf(&text, " log=%lld", (long long)log);
    while (strlen(line) < LINE_BYTES - 1)
        text_add(&text, " ");
    text_add(&text, "\n");
    if (pwrite(witness->fd, line, LINE_BYTES, 0) != LINE_BYTES)
        log_warn("store witness why=\"%s\"", strerror(errno));
    witness->is_dirty = false;
    witness->is_refused = log >= 0;
    witness->written_ms = mono_now_ms();
}

static void close_witness(struct witness *witness)
{
    if (witness == NULL)
        return;
    if (witness->is_dirty)
        write_row(witness, -1);
    if (witness->fd >= 0)
        close(witness->fd);
    free(witness);
}

static bool read_hex(const char *hex, unsigned char *out, int count)
{
    for (int i = 0; i < count; i++) {
        unsigned byte;

        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return false;
        out[i] = (unsigned char)byte;
    }
    return true;
}

/* Reads the file, or makes it. NULL after logging; errno is EINVAL. */
static struct witness *open_witness(const struct store_place *place)
{
    struct witness *witness = mem_new(sizeof *witness);
    char path[4096], line[LINE_BYTES + 1] = "", node[33], seal[33];
    struct text text = text_into(path, sizeof path);
    long long seq, log;
    ssize_t size = -1;

    text_addf(&text, "%s/witness", place->directory);
    witness->is_loss_accepted = place->is_loss_accepted;
    witness->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (witness->fd >= 0)
        size = pread(witness->fd, line, LINE_BYTES, 0);
    if (size < 0) {
        log_warn("store path=%s why=\"%s\"", path, strerror(errno));
        close_witness(witness);
        errno = EINVAL;
        return NULL;
    }
    if (size == 0)
        return witness;
    if (sscanf(line, "batch=%lld node=%32s seal=%32s log=%lld", &seq, node, seal,
               &log) == 4 &&
        strlen(node) + strlen(seal) == 64 &&
        read_hex(node, witness->row.node, PG_NODE_BYTES) &&
        read_hex(seal, witness->row.seal.bytes, STORE_SEAL_BYTES)) {
        witness->row.seq = seq;
        witness->is_refused = log >= 0;
    } else {
        log_warn("store path=%s why=\"damaged; it is made anew\"", path);
    }
    return witness;
}

/* Notes an acknowledged row of batch. is_now: it is written at once; otherwise at most
 * once in a second. */
static void note_row(struct witness *witness, const struct pg_batch *row, bool is_now)
{
    pthread_mutex_lock(&lock);
    newest = *row;
    pthread_mutex_unlock(&lock);
    witness->is_dirty |= row->seq != witness->row.seq;
    witness->row = *row;
    if (witness->is_dirty &&
        (is_now || mono_now_ms() - witness->written_ms >= WRITE_MS))
        write_row(witness, -1);
}

struct comparison {
    const struct pg_batch *witness;
    bool is_behind;
    int64_t last; /* where the log ends */
    struct pg_batch acknowledged;
};

static bool read_batch(const PGresult *row, int node, struct pg_batch *out)
{
    return pg_link_bytes(row, node, out->node, sizeof out->node) &&
           pg_link_bytes(row, node + 1, out->seal.bytes, sizeof out->seal.bytes);
}

/* The last key, the first one, node and seal of the row that the witness knows, the row
 * that the leader has told. */
static const char compare_sql[] =
    "SELECT last.seq, (SELECT min(seq) FROM batch), same.node, same.seal,"
    " lease.seq, lease.node, lease.seal FROM lease,"
    " (SELECT seq FROM batch ORDER BY seq DESC LIMIT 1) AS last"
    " LEFT JOIN batch AS same ON same.seq = $1";

static void see_batches(void *arg, const PGresult *row)
{
    struct comparison *c = arg;
    struct pg_batch same;
    int64_t first;

    if (!pg_link_number(row, 0, &c->last) || !pg_link_number(row, 1, &first))
        return;
    c->is_behind = c->last < c->witness->seq;
    if (c->witness->seq >= first && !c->is_behind) /* older rows are deleted */
        c->is_behind = !read_batch(row, 2, &same) ||
                       memcmp(same.node, c->witness->node, sizeof same.node) != 0 ||
                       !store_seal_is_same(&same.seal, &c->witness->seal);
    if (pg_link_number(row, 4, &c->acknowledged.seq) &&
        !read_batch(row, 5, &c->acknowledged))
        c->acknowledged.seq = 0;
}

/* Compares the log with the witness, and sets *is_behind if the log lacks that row, which
 * is logged, and noted for `ctl health`; never with --accept-loss. A witness that the log
 * has advances to the row that the leader tells with the lease. False: the connection is
 * lost. */
static bool compare_witness(struct witness *witness, struct pg_link *link,
                            bool *is_behind)
{
    struct comparison c = {.witness = &witness->row, .is_behind = witness->row.seq > 0};

    if (pg_link_ask(link, compare_sql, &witness->row.seq, see_batches, &c) != PG_DONE)
        return false;
    *is_behind = c.is_behind && !witness->is_loss_accepted;
    if (*is_behind && !witness->is_refused) {
        log_warn(
            "store batch=%lld log=%lld why=\"the log lacks what was acknowledged: it "
            "has lost data\" : restore it, or start once with --accept-loss",
            (long long)witness->row.seq, (long long)c.last);
        write_row(witness, c.last);
    }
    if (*is_behind)
        return true;
    if (c.is_behind)
        log_warn("store batch=%lld log=%lld why=\"lost data are given up: "
                 "--accept-loss\"",
                 (long long)witness->row.seq, (long long)c.last);
    if (c.acknowledged.seq > witness->row.seq || c.is_behind)
        note_row(witness, &c.acknowledged, c.is_behind);
    if (witness->is_refused)
        write_row(witness, -1);
    return true;
}

/* --- The rows of the fence --- */

void pg_fence_init(struct pg_fence *fence, struct pg_link *link)
{
    *fence = (struct pg_fence){.link = link};
    if (RAND_bytes(fence->last.node, PG_NODE_BYTES) != 1)
        log_die("store no random bytes");
}

void pg_fence_close(struct pg_fence *fence)
{
    close_witness(fence->witness);
}

void pg_fence_add(const struct pg_fence *fence, struct pg_calls *calls,
                  const struct store_totals *totals, const char *games,
                  const char *numbers, const struct store_seal *seal)
{
    pg_calls_add(calls, "INSERT INTO batch(seq, epoch, node, last_game, age_ms, seal,"
                        " games, numbers) VALUES($1,$2,$3,$4,$5,$6,$7::text::bigint[],"
                        " $8::text::bigint[])");
    pg_calls_number(calls, fence->last.seq + 1);
    pg_calls_number(calls, fence->epoch);
    pg_calls_bytes(calls, fence->last.node, PG_NODE_BYTES);
    pg_calls_number(calls, totals->last_game);
    pg_calls_number(calls, totals->age_ms);
    pg_calls_bytes(calls, seal->bytes, STORE_SEAL_BYTES);
    pg_calls_text(calls, games);
    pg_calls_text(calls, numbers);
}

void pg_fence_advance(struct pg_fence *fence, const struct store_seal *seal)
{
    fence->last.seq++;
    fence->last.seal = *seal;
    note_row(fence->witness, &fence->last, false);
}

void pg_fence_doubt(struct pg_fence *fence, const struct store_seal *seal)
{
    fence->is_open = false;
    fence->has_doubt = true;
    fence->doubt = *seal;
}

bool pg_fence_check(struct pg_fence *fence)
{
    if (!fence->is_open)
        return false;
    note_row(fence->witness, &fence->last, false);
    fence->is_open = pg_link_is_safe(fence->link);
    if (fence->is_open)
        pg_link_note_success(fence->link);
    return fence->is_open;
}

static void count_row(void *arg, const PGresult *row)
{
    (void)row;
    ++*(int *)arg;
}

/* Ends connections that have sent half of a commit. If a server vanishes or stops in
 * the middle of a commit, the key of its row stays locked as long as PostgreSQL waits
 * for the rest. Ending such a connection does no harm. It only makes a commit fail, and
 * each server expects such a failure, because another server can always insert the key
 * first. True: some connection was ended.
 *
 * If a backend is active and waits for its client, the backend has received only a
 * part of a commit. A backend is idle, not active, after it has run all statements
 * up to a pipeline sync. It is also idle between two transactions. */
static bool end_half_sent(struct pg_fence *fence)
{
    int count = 0;
    enum pg_outcome outcome = pg_link_ask(
        fence->link,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND usename = current_user"
        " AND pid <> pg_backend_pid() AND application_name = 'janggid writer'"
        " AND state = 'active' AND wait_event = 'ClientRead' AND backend_xid IS NOT "
        "NULL"
        " AND xact_start < clock_timestamp() - interval '2 s'",
        NULL, count_row, &count);

    if (count > 0)
        log_warn("store postgres=ended connections=%d why=\"a commit was half sent\"",
                 count);
    return outcome == PG_DONE && count > 0;
}

/* Tries to insert and commit an epoch row, the first row of a new epoch (pg_fence.h),
 * at the key `seq`. The seal of the row is all zero. */
static enum pg_outcome put_epoch(struct pg_fence *fence, int64_t seq,
                                 const struct store_totals *totals)
{
    const struct store_seal zero = {0};
    struct pg_fence next = *fence;
    enum pg_outcome outcome = PG_REFUSED;
    bool is_locked = true;

    next.last.seq = seq - 1;
    next.epoch = seq;
    for (int i = 0; i < 2 && outcome == PG_REFUSED && is_locked; i++) {
        struct pg_calls calls = {0};

        if (i > 0 && !end_half_sent(fence))
            break;
        pg_calls_add(&calls, PG_BEGIN);
        pg_calls_add(&calls, PG_LOCK_SOON);
        pg_fence_add(&next, &calls, totals, NULL, NULL, &zero);
        pg_calls_add(&calls, PG_COMMIT);
        outcome = pg_link_commit(fence->link, &calls);
        pg_calls_free(&calls);
        is_locked = strcmp(pg_link_refusal(fence->link)->sqlstate, "55P03") == 0;
    }
    return outcome;
}

static bool is_taken(const struct pg_fence *fence)
{
    return strcmp(pg_link_refusal(fence->link)->sqlstate, "23505") == 0;
}

bool pg_fence_find_last(struct pg_link *link, int64_t *seq, struct store_totals *totals)
{
    int64_t last[3];

    if (!pg_link_ask_numbers(
            link,
            "SELECT coalesce(batch.seq, 0), coalesce(last_game, 0), coalesce(age_ms, 0)"
            " FROM schema LEFT JOIN batch ON batch.seq = (SELECT max(seq) FROM batch)",
            last, ARRAY_LEN(last)))
        return false;
    *seq = last[0];
    *totals = (struct store_totals){.last_game = last[1], .age_ms = last[2]};
    return true;
}

/* Begins the epoch whose row was committed. */
static void begin_epoch(struct pg_fence *fence, int64_t epoch)
{
    fence->last.seq = fence->epoch = epoch;
    fence->last.seal = (struct store_seal){0};
    note_row(fence->witness, &fence->last, true);
    fence->is_open = true;
}

/* There is only one attempt to put the epoch row: no row of our own can be in doubt at
 * the start, so a taken key means that another server is starting. */
bool pg_fence_start(struct pg_fence *fence, const struct store_place *place,
                    struct store_totals *totals)
{
    struct pg_link *link = fence->link;
    enum pg_outcome outcome = PG_DOUBTFUL;
    bool is_behind = false;
    int64_t seq = 0;

    fence->witness = open_witness(place);
    if (fence->witness == NULL)
        return false;
    if (pg_link_open(link) && pg_link_is_safe(link) &&
        compare_witness(fence->witness, link, &is_behind) && !is_behind &&
        pg_fence_find_last(link, &seq, totals))
        outcome = put_epoch(fence, seq + 1, totals);
    if (outcome == PG_DONE) {
        begin_epoch(fence, seq + 1);
        log_info("store postgres=open epoch=%lld", (long long)fence->epoch);
        return true;
    }
    if (outcome == PG_REFUSED && is_taken(fence)) {
        log_warn("store why=\"another janggid uses this database\"");
        errno = EBUSY;
        return false;
    }
    if (outcome == PG_REFUSED)
        pg_link_complain(link, pg_link_refusal(link)->why);
    errno = is_behind ? ESTALE : pg_link_is_foreign(link) ? EINVAL : EAGAIN;
    return false;
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

static void scan_row(void *arg, const PGresult *row)
{
    struct scan *scan = arg;
    const struct pg_fence *fence = scan->fence;
    unsigned char node[PG_NODE_BYTES];
    struct store_seal seal;
    int64_t seq;

    if (pg_link_bytes(row, 1, node, sizeof node) &&
        memcmp(node, fence->last.node, sizeof node) != 0)
        scan->is_foreign = true; /* the other server may have deleted older rows, so a
                                  * gap is allowed */
    if (!pg_link_number(row, 0, &seq) || seq != scan->next ||
        !pg_link_bytes(row, 2, seal.bytes, sizeof seal.bytes)) {
        scan->has_gap = true;
        return;
    }
    scan->next++;
    if (scan->is_foreign)
        return;
    if (seq == fence->last.seq)
        scan->is_lost = !store_seal_is_same(&seal, &fence->last.seal);
    else if (fence->has_doubt && store_seal_is_same(&seal, &fence->doubt))
        scan->has_doubted = true;
}

NO_RETURN static void stop(struct pg_fence *fence, const char *why)
{
    note_row(fence->witness, &fence->last,
             true); /* so that no later start takes this log */
    log_warn("store postgres=stop why=\"%s\" : stopping, unanswered", why);
    _exit(EX_IOERR);
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
    *scan = (struct scan){.fence = fence, .next = fence->last.seq};
    return pg_link_ask(fence->link,
                       "SELECT seq, node, seal FROM batch WHERE seq >= $1 ORDER BY seq",
                       &fence->last.seq, scan_row, scan) == PG_DONE;
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
    struct store_totals unused;
    enum pg_outcome outcome;
    struct scan scan;
    int64_t last;

    for (int i = 0; i < TRIES; i++) {
        /* If another server has taken an epoch, our row would end it. If the row of that
         * server is not durable yet, we may give up without need, but we lose nothing. */
        if (read_rows(fence, &scan) && scan.is_foreign)
            return give_up(fence);
        if (!pg_fence_find_last(fence->link, &last, &unused))
            return false;
        if (last < fence->last.seq)
            last = fence->last.seq; /* judge() reports what is missing */
        *epoch = last + 1;
        outcome = put_epoch(fence, *epoch, totals);
        if (outcome != PG_REFUSED)
            return outcome == PG_DONE;
        if (!is_taken(fence)) {
            pg_link_complain(fence->link, pg_link_refusal(fence->link)->why);
            return false;
        }
    }
    return false;
}

bool pg_fence_take(struct pg_fence *fence, const struct store_totals *totals)
{
    int64_t epoch;

    fence->is_open = false;
    if (fence->is_lost || !pg_link_open(fence->link) || !pg_link_is_safe(fence->link) ||
        !append_epoch(fence, totals, &epoch) || !judge(fence, epoch))
        return false;
    log_info("store postgres=open epoch=%lld doubt=%s", (long long)epoch,
             !fence->has_doubt  ? "none"
             : fence->is_stored ? "stored"
                                : "not-stored");
    fence->has_doubt = false;
    begin_epoch(fence, epoch);
    return true;
}

/* --- The lease --- */

struct pg_lease {
    struct pg_link *link;
    struct witness *witness;
    char at[STORE_AT_BYTES];
    unsigned char key[STORE_KEY_BYTES];
    unsigned char me[OWNER_BYTES];   /* random; identifies this run of this server */
    unsigned char seen[OWNER_BYTES]; /* the owner that was seen last */
    int64_t seen_stamp;              /* and its stamp; -1: none since the last outage */
    int64_t seen_ms;                 /* since when the row has not changed */
    bool is_ours;                    /* the lease was ours at the last look */
};

void pg_lease_close(void *arg)
{
    struct pg_lease *lease = arg;

    if (lease == NULL)
        return;
    pg_link_free(lease->link);
    close_witness(lease->witness);
    free(lease);
}

void *pg_lease_open(const struct store_place *place)
{
    struct pg_lease *lease = mem_new(sizeof *lease);

    lease->seen_stamp = -1;
    memcpy(lease->key, place->key, sizeof lease->key);
    if (RAND_bytes(lease->me, OWNER_BYTES) != 1)
        log_die("store no random bytes");
    lease->link = pg_link_new(place, PG_LEASE, NULL);
    lease->witness = open_witness(place);
    if (lease->link != NULL && lease->witness != NULL &&
        text_copy(lease->at, sizeof lease->at, place->at))
        return lease;
    pg_lease_close(lease);
    errno = EINVAL;
    return NULL;
}

/* The stamp of the lease; see pg_fence.h. */
#define NEW_STAMP "clock_timestamp() + interval '3 s'"
#define STAMP     "(extract(epoch FROM until) * 1000000)::bigint"

static const unsigned char nobody[OWNER_BYTES]; /* the owner after the lease was given
                                                 * back */

struct look {
    struct pg_lease *lease;
    struct store_lease *out;
    bool is_sound;
};

static void see_lease(void *arg, const PGresult *row)
{
    struct look *look = arg;
    struct pg_lease *lease = look->lease;
    struct store_lease *out = look->out;
    unsigned char key[STORE_KEY_BYTES];
    int64_t stamp = -1;
    const char *at;

    look->is_sound =
        pg_link_bytes(row, 0, lease->seen, OWNER_BYTES) && pg_link_text(row, 1, &at) &&
        text_copy(out->at, sizeof out->at, at) && pg_link_number(row, 2, &stamp) &&
        pg_link_number(row, 3, &out->epoch);
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
    out->has_other_key = pg_link_bytes(row, 4, key, sizeof key) &&
                         memcmp(key, lease->key, sizeof key) != 0;
}

/* What is done to the row before it is read, in the same round trip. */
enum change { CHANGE_NOTHING, CHANGE_RENEW, CHANGE_TAKE, CHANGE_GIVE };

static void add_change(struct pg_calls *calls, enum change change,
                       const struct pg_lease *lease)
{
    static const char *const sql[] = {
        [CHANGE_RENEW] = "UPDATE lease SET until = " NEW_STAMP
                         ", seq = $2, node = $3, seal = $4 WHERE owner = $1",
        [CHANGE_TAKE] = "UPDATE lease SET owner = $1, at = $2, until = " NEW_STAMP
                        ", key = $5 WHERE owner = $3 AND " STAMP " = $4",
        [CHANGE_GIVE] = "UPDATE lease SET owner = decode(repeat('00', 16), 'hex'),"
                        " until = clock_timestamp() WHERE owner = $1"};

    pg_calls_add(calls, PG_BEGIN);
    pg_calls_add(calls, "SET LOCAL synchronous_commit = local"); /* no standby needed */
    pg_calls_add(calls, sql[change]);
    pg_calls_bytes(calls, lease->me, OWNER_BYTES);
    if (change == CHANGE_RENEW) {
        pthread_mutex_lock(&lock);
        pg_calls_number(calls, newest.seq);
        pg_calls_bytes(calls, newest.node, PG_NODE_BYTES);
        pg_calls_bytes(calls, newest.seal.bytes, STORE_SEAL_BYTES);
        pthread_mutex_unlock(&lock);
    }
    if (change == CHANGE_TAKE) {
        pg_calls_text(calls, lease->at);
        pg_calls_bytes(calls, lease->seen, OWNER_BYTES);
        pg_calls_number(calls, lease->seen_stamp);
        pg_calls_bytes(calls, lease->key, STORE_KEY_BYTES);
    }
    pg_calls_add(calls, PG_COMMIT);
}

static bool look(struct pg_lease *lease, enum change change, struct store_lease *out)
{
    static const char sql[] =
        "SELECT owner, at, " STAMP
        ", coalesce((SELECT epoch FROM batch ORDER BY seq DESC LIMIT 1), 0), key"
        " FROM lease";
    struct look look = {.lease = lease, .out = out};
    struct pg_calls calls = {0};
    bool is_done;

    if (change != CHANGE_NOTHING)
        add_change(&calls, change, lease);
    pg_calls_add(&calls, sql);
    is_done = pg_link_run(lease->link, &calls, see_lease, &look) == PG_DONE;
    pg_calls_free(&calls);
    lease->is_ours = is_done && out->state == STORE_LEASE_OURS;
    return is_done && look.is_sound;
}

/* Reads the lease, and then gives it back, renews it, takes it or leaves it alone, as
 * `wish` says. A log that is behind the witness is not taken. Returns false if PostgreSQL
 * does not answer, or if a later version wrote the row in another form. */
static bool look_as_wished(struct pg_lease *lease, enum store_lease_wish wish,
                           struct store_lease *out)
{
    bool was_ours = lease->is_ours, is_behind;

    if (wish == STORE_LEASE_NOT)
        return look(lease, was_ours ? CHANGE_GIVE : CHANGE_NOTHING, out);
    if (!look(lease, was_ours ? CHANGE_RENEW : CHANGE_NOTHING, out))
        return false;
    if (out->state == STORE_LEASE_OURS)
        return true;
    if (!compare_witness(lease->witness, lease->link, &is_behind))
        return false;
    if (wish == STORE_LEASE_TAKE && out->state == STORE_LEASE_FREE && !is_behind &&
        !look(lease, CHANGE_TAKE, out))
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
