/* See pg_witness.h. */
#include "server/postgres/pg_witness.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"

enum { WRITE_MS = 1000, LINE_BYTES = 160 };

struct row {
    int64_t seq; /* 0: none */
    unsigned char node[PG_NODE_BYTES];
    struct store_seal seal;
};

/* What the writer of this process has noted last; the lease tells the standbys. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row newest;

struct pg_witness {
    int fd; /* open all the time: the disk may be away later, or the sandbox closed */
    bool is_loss_accepted, is_refused, is_dirty;
    struct row row;
    int64_t written_ms;
};

/* One line of a fixed length, so that it is overwritten in one piece. log: where a log that
 * was refused ends; -1: it was not. */
static void write_row(struct pg_witness *witness, int64_t log)
{
    const struct row *row = &witness->row;
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

struct pg_witness *pg_witness_open(const struct store_place *place)
{
    struct pg_witness *witness = mem_new(sizeof *witness);
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
        pg_witness_close(witness);
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

void pg_witness_close(struct pg_witness *witness)
{
    if (witness == NULL)
        return;
    if (witness->is_dirty)
        write_row(witness, -1);
    if (witness->fd >= 0)
        close(witness->fd);
    free(witness);
}

void pg_witness_note(struct pg_witness *witness, int64_t seq,
                     const unsigned char node[PG_NODE_BYTES],
                     const struct store_seal *seal, bool is_now)
{
    pthread_mutex_lock(&lock);
    newest.seq = seq;
    memcpy(newest.node, node, PG_NODE_BYTES);
    newest.seal = *seal;
    pthread_mutex_unlock(&lock);
    witness->is_dirty |= seq != witness->row.seq;
    witness->row.seq = seq;
    memcpy(witness->row.node, node, PG_NODE_BYTES);
    witness->row.seal = *seal;
    if (witness->is_dirty &&
        (is_now || mono_now_ms() - witness->written_ms >= WRITE_MS))
        write_row(witness, -1);
}

void pg_witness_tell(struct pg_calls *calls)
{
    struct row row;

    pthread_mutex_lock(&lock);
    row = newest;
    pthread_mutex_unlock(&lock);
    pg_calls_number(calls, row.seq);
    pg_calls_bytes(calls, row.node, PG_NODE_BYTES);
    pg_calls_bytes(calls, row.seal.bytes, STORE_SEAL_BYTES);
}

struct comparison {
    const struct row *witness;
    bool is_behind, is_damaged;
    int64_t last; /* where the log ends */
    struct row acknowledged;
};

static bool read_row(const PGresult *result, int row, int node, struct row *out)
{
    return pg_link_bytes(result, row, node, out->node, sizeof out->node) &&
           pg_link_bytes(result, row, node + 1, out->seal.bytes,
                         sizeof out->seal.bytes);
}

/* Columns of PG_WITNESS: the last key, the first one, node and seal of the row that the
 * witness knows, the row that the leader has told. */
static void see(void *arg, const PGresult *result, int row)
{
    struct comparison *c = arg;
    struct row same;
    int64_t first;

    if (!pg_link_number(result, row, 0, &c->last) ||
        !pg_link_number(result, row, 1, &first))
        return;
    c->is_behind = c->last < c->witness->seq;
    if (c->witness->seq >= first && !c->is_behind) /* older rows are deleted */
        c->is_behind = !read_row(result, row, 2, &same) ||
                       memcmp(same.node, c->witness->node, sizeof same.node) != 0 ||
                       !store_seal_is_same(&same.seal, &c->witness->seal);
    if (pg_link_number(result, row, 4, &c->acknowledged.seq) &&
        !read_row(result, row, 5, &c->acknowledged))
        c->acknowledged.seq = 0;
}

bool pg_witness_compare(struct pg_witness *witness, struct pg_link *link,
                        bool *is_behind)
{
    struct comparison c = {.witness = &witness->row, .is_behind = witness->row.seq > 0};

    if (pg_link_call(link, PG_WITNESS, 1, &witness->row.seq, see, &c) != PG_DONE)
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
        pg_witness_note(witness, c.acknowledged.seq, c.acknowledged.node,
                        &c.acknowledged.seal, c.is_behind);
    if (witness->is_refused)
        write_row(witness, -1);
    return true;
}
