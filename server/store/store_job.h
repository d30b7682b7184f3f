/* A job for the store's thread: copies of its arguments and, after a read, the rows
 * that it found. The loop makes it (the thread makes only STORE_JOB_TROUBLE), the
 * thread runs it, the loop answers and frees it. It has one owner at a time. */
#ifndef SERVER_STORE_STORE_JOB_H
#define SERVER_STORE_STORE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_engine.h"
#include "server/store/store.h"

enum store_job_kind {
    STORE_JOB_WRITE,
    STORE_JOB_TROUBLE, /* sent by the thread: an outage has begun or ended */
    STORE_JOB_GAME,
    STORE_JOB_HISTORY,
    STORE_JOB_UNSEEN,
    STORE_JOB_BACKUP,
    STORE_JOB_RESERVE
};

/* A row of a game or of a history, in the job's list. */
struct store_found {
    struct store_found *prev, *next;
    struct store_event event;
    struct store_past past;
    char bytes[]; /* the texts */
};

struct store_job {
    struct store_job *prev, *next;
    enum store_job_kind kind;
    uint64_t number;     /* of a job that writes: see gate.h */
    store_read_fn *read; /* callback of a reading job, or of a job that prunes */
    store_event_fn *event_row;
    store_past_fn *past_row;
    void *arg;
    union {
        struct store_write write;
        enum store_trouble trouble;
        int64_t reserve_bytes;
        struct {
            const char *path;
            store_backup_fn *done;
            bool is_done;
            char why[STORE_WHY_BYTES];
        } backup;
        struct {
            const char *folded;
            int limit;
            int64_t game;
        } query;
    };
    struct store_found *rows; /* the rows that were read */
    int row_count;            /* of a game: the number of its sound events */
    char bytes[];             /* the texts */
};

/* Each of these functions makes a job. Members of the job for which there is no
 * argument are zero. */
struct store_job *store_job_events(int64_t game, int first, const char *const text[],
                                   int count, const struct store_ending *ending,
                                   int64_t wall_s, int64_t age_ms) MUST_USE;
/* `what` must be STORE_WRITE_PUT, or STORE_WRITE_DROP with a number of keys. */
struct store_job *store_job_row(enum store_write_kind what, enum store_kind kind,
                                const void *row, int keys) MUST_USE;
struct store_job *store_job_prune(int64_t before_wall_s, int64_t game) MUST_USE;
struct store_job *store_job_trouble(enum store_trouble trouble) MUST_USE;
struct store_job *store_job_game(int64_t game) MUST_USE;
struct store_job *store_job_history(const char *folded, int64_t first,
                                    int limit) MUST_USE;
struct store_job *store_job_unseen(const char *folded) MUST_USE;
struct store_job *store_job_backup(const char *path) MUST_USE;
struct store_job *store_job_reserve(int64_t bytes) MUST_USE;
/* Frees the job and its rows. */
void store_job_free(struct store_job *job);

/* True for a job that does not write. */
static inline bool store_job_is_read(const struct store_job *job)
{
    return job->kind >= STORE_JOB_GAME;
}

/* Both are callbacks for store_engine.h, and add a row to the job `arg`. */
void store_job_add_event(void *arg, const struct store_event *event);
void store_job_add_past(void *arg, const struct store_past *past);
void store_job_free_rows(struct store_job *job);

#endif
