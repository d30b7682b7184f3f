/* See store_job.h. A job or a row is one allocation: the struct, followed by its
 * texts. */
#include "server/store/store_job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/text.h"

static struct store_job *job_new(enum store_job_kind kind, size_t text_bytes)
{
    struct store_job *job = mem_new(sizeof *job + text_bytes);

    job->kind = kind;
    return job;
}

static struct store_job *job_writing(enum store_write_kind kind, size_t text_bytes)
{
    struct store_job *job = job_new(STORE_JOB_WRITE, text_bytes);

    job->write.kind = kind;
    return job;
}

static struct store_job *job_about(enum store_job_kind kind, const char *folded)
{
    struct store_job *job = job_new(kind, strlen(folded) + 1);
    char *at = job->bytes;

    job->query.folded = text_pack(&at, folded);
    return job;
}

struct store_job *store_job_events(int64_t game, int first, const char *const text[],
                                   int count, const struct store_ending *ending,
                                   int64_t wall_s, int64_t age_ms)
{
    struct store_game row = {.summary = ending != NULL ? ending->summary
                                                       : (struct store_summary){0}};
    size_t texts = 0, log = 0;
    struct store_job *job;
    char *at;

    assert(count > 0 && (first >= 0 || first == STORE_AFTER_DAMAGE));
    for (int i = 0; i < count; i++)
        texts += strlen(text[i]) + 1;
    if (ending != NULL)
        log = strlen(ending->before) + sizeof STORE_LOG_DAMAGED + texts + 1 +
              store_row_bytes(STORE_GAME, &row);
    job = job_writing(STORE_WRITE_EVENTS, texts + log);
    at = job->bytes;
    job->write.events = (struct store_batch){.game = game,
                                             .first = first,
                                             .count = count,
                                             .wall_s = wall_s,
                                             .age_ms = age_ms,
                                             .texts = at,
                                             .has_summary = ending != NULL};
    for (int i = 0; i < count; i++)
        text_pack(&at, text[i]);
    if (ending == NULL)
        return job;
    store_row_pack(STORE_GAME, &row, &at);
    job->write.events.summary = row.summary;
    job->write.events.log = at;
    at = stpcpy(at, ending->before);
    if (first == STORE_AFTER_DAMAGE)
        at = stpcpy(at, STORE_LOG_DAMAGED "\n");
    for (int i = 0; i < count; i++)
        at = stpcpy(stpcpy(at, text[i]), "\n");
    return job;
}

struct store_job *store_job_row(enum store_write_kind what, enum store_kind kind,
                                const void *row, int keys)
{
    struct store_job *job = job_writing(what, store_row_bytes(kind, row));
    char *at = job->bytes;

    job->write.row.kind = kind;
    job->write.row.keys = keys;
    memcpy(&job->write.row.of, row, store_row_layouts[kind].size);
    store_row_pack(kind, &job->write.row.of, &at);
    return job;
}

struct store_job *store_job_prune(int64_t before_wall_s, int64_t game)
{
    struct store_job *job = job_writing(STORE_WRITE_PRUNE, 0);

    job->write.prune.before_wall_s = before_wall_s;
    job->write.prune.game = game;
    return job;
}

struct store_job *store_job_trouble(enum store_trouble trouble)
{
    struct store_job *job = job_new(STORE_JOB_TROUBLE, 0);

    job->trouble = trouble;
    return job;
}

struct store_job *store_job_game(int64_t game)
{
    struct store_job *job = job_new(STORE_JOB_GAME, 0);

    job->query.game = game;
    return job;
}

struct store_job *store_job_history(const char *folded, int64_t first, int limit)
{
    struct store_job *job = job_about(STORE_JOB_HISTORY, folded);

    job->query.game = first;
    job->query.limit = limit;
    return job;
}

struct store_job *store_job_unseen(const char *folded)
{
    return job_about(STORE_JOB_UNSEEN, folded);
}

struct store_job *store_job_backup(const char *path)
{
    struct store_job *job = job_new(STORE_JOB_BACKUP, strlen(path) + 1);
    char *at = job->bytes;

    job->backup.path = text_pack(&at, path);
    return job;
}

struct store_job *store_job_reserve(int64_t bytes)
{
    struct store_job *job = job_new(STORE_JOB_RESERVE, 0);

    job->reserve_bytes = bytes;
    return job;
}

void store_job_free(struct store_job *job)
{
    store_job_free_rows(job);
    free(job);
}

/* --- Rows --- */

static struct store_found *add_row(struct store_job *job, size_t text_bytes)
{
    struct store_found *row = mem_new(sizeof *row + text_bytes);

    DL_APPEND(job->rows, row);
    job->row_count++;
    return row;
}

void store_job_add_event(void *arg, const struct store_event *event)
{
    struct store_found *row = add_row(arg, strlen(event->text) + 1);
    char *at = row->bytes;

    row->event = *event;
    row->event.text = text_pack(&at, event->text);
}

void store_job_add_past(void *arg, const struct store_past *past)
{
    struct store_found *row = add_row(arg, store_data_summary_bytes(past->summary));
    char *at = row->bytes;

    row->past = *past;
    store_data_pack_summary(&row->past.summary, &at);
}

void store_job_free_rows(struct store_job *job)
{
    struct store_found *row, *next;

    DL_FOREACH_SAFE (job->rows, row, next)
        free(row);
    job->rows = NULL;
    job->row_count = 0;
}
