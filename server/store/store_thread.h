/* The store's thread, and the struct that it shares with store.c, which runs on the
 * loop. The comments say which side owns which member. */
#ifndef SERVER_STORE_STORE_THREAD_H
#define SERVER_STORE_STORE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/gate.h"
#include "common/system/wakeup.h"
#include "server/store/store.h"
#include "server/store/store_engine.h"

/* --- Jobs --- */

/* A job for the store's thread: copies of its arguments and, after a read, the rows that it
 * found. The loop makes it, the thread runs it, the loop answers and frees it. It has one
 * owner at a time. */
enum store_job_kind {
    STORE_JOB_WRITE,
    STORE_JOB_GAME,
    STORE_JOB_PASTS,
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
        int64_t reserve_bytes;
        struct {
            store_backup_fn *done;
            char why[STORE_WHY_BYTES]; /* "": it is made */
        } backup;                      /* its path is in `bytes` */
        struct {
            int limit;
            int64_t game;
        } query; /* the folded name is in `bytes` */
    };
    struct store_found *rows; /* the rows that were read */
    int row_count;            /* of a game: the number of its sound events */
    char bytes[];             /* the texts */
};

/* Makes a job with room for its texts, and all else zero. */
struct store_job *store_job_new(enum store_job_kind kind, size_t text_bytes) MUST_USE;
/* Frees the job and its rows. */
void store_job_free(struct store_job *job);

/* --- The thread --- */

/* A file beside the database that is removed when the disk is full, so that play continues.
 * All zero: there is none. */
#define STORE_RESERVE "reserve"
struct store_reserve {
    char path[1024];
    int64_t bytes;
    bool is_there;
    bool is_missed;     /* its absence was logged */
    int64_t look_at_ms; /* when the file is missing: time of the next check for space */
};

struct store {
    /* Used by the loop. */
    struct event_base *base;
    const struct store_engine *engine; /* set at open; both sides read it */
    struct event *on_wakeup;
    struct event *watch;  /* a timer that looks for a slow disk while jobs are queued */
    struct event *minute; /* a timer that stores the age */
    bool is_begun;        /* a job was queued: the database belongs to the thread */
    int64_t next_game;
    int64_t last_act; /* the id of the last act */
    int64_t age_at_open_ms, opened_ms;
    int64_t calendar_s, calendar_age_s, calendar_kept_s; /* see store_calendar_s() */
    bool is_age_queued;
    int64_t keep_aborted_s; /* 0: aborted games are kept for good */
    bool is_prune_queued;
    int64_t last_number;     /* the last number that store_next_number() returned */
    int64_t reserved_number; /* the highest number that may be returned: on disk, or
                              * queued to be written */
    int queued;              /* number of jobs without an answer */
    struct gate gate; /* numbers the jobs that write; the thread writes `synced` */
    store_durable_fn *durable; /* see store_on_durable() */
    void *durable_arg;
    bool is_watching;
    struct store_arg *args;    /* memory of store_arg_new() that was not freed yet */
    struct store_job *turn;    /* jobs of this turn of the loop */
    struct event *on_turn_end; /* active while turn is not empty */
    struct store_counts counts;
    enum store_trouble outage; /* the loop's copy of `found` */
    bool is_slow;
    int64_t seen_since_ms; /* busy_since_ms at the last look of the loop */
    int64_t slow_since_ms; /* if is_slow: start of the slow step */
    enum store_trouble told;
    store_trouble_fn *trouble;
    void *trouble_arg;

    /* Shared, under the lock. */
    pthread_mutex_t lock;
    struct store_job *inbox;  /* jobs to do */
    struct store_job *outbox; /* jobs done */
    struct store_job
        *reader_inbox; /* only the reader removes jobs, each when it is done */
    struct store_counts counted;
    enum store_trouble found; /* STORE_OK_AGAIN, or why writes wait */
    int64_t busy_since_ms;    /* start of the thread's current step; 0: it sleeps */
    bool is_closing;
    bool is_abandoned;                           /* nothing is written any more */
    struct wakeup to_thread, to_loop, to_reader; /* to_thread: the inbox is no longer
                                                  * empty; so do the others */

    /* Used by the thread. */
    pthread_t thread;
    bool is_running;
    bool has_begun; /* a job was taken: the database belongs to the thread */
    void *log;      /* the open log; its type is known to the engine */
    struct store_job *writes, *reads; /* taken from the inbox, not done yet */
    struct store_job *batch; /* writes of one transaction, kept until they are stored */
    bool is_batch_tried;     /* the last attempt to write the batch failed */
    int measure_in;          /* commits until the database's size is measured again */
    bool is_stuck;           /* an outage: writes wait */
    int64_t retry_at_ms;     /* time of the next attempt, if stuck or after a failed
                              * checkpoint */
    char *directory;
    struct store_reserve reserve;
    void *
        reader; /* the engine's, which a second thread uses, so that a long history does not
                   * delay a commit; NULL: this thread reads */
    pthread_t reader_thread;
    struct store_backup *backup; /* the backup in progress, for backup_job */
    struct store_job *backup_job;
};

/* Starts the thread, which owns the log from then on. Returns false after logging. */
bool store_thread_start(struct store *store) MUST_USE;
/* Lets the thread do the writes of the inbox, then stops the thread. In an outage, the
 * thread tries the writes once more, and drops them if they fail again. If the log was
 * abandoned, the thread drops the writes at once. */
void store_thread_stop(struct store *store);

#endif
