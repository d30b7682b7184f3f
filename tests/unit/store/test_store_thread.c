/* Tests of the store's thread with an engine that fails on purpose: when a transaction
 * counts as the repetition of an earlier one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/store/store_thread.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

enum { PATIENCE_MS = 60000 }; /* reached only by a failing test */

/* --- An engine without a log. Only the store's thread uses it while that runs --- */

static int failing_chores, failing_commits; /* how many of the next calls fail */
static char begun[32]; /* for each transaction: n (new) or a (repeated); then -, if the
                * transaction was empty */
static bool has_put;

static void note(char letter)
{
    size_t length = strlen(begun);

    assert_true(length + 1 < sizeof begun);
    begun[length] = letter;
}

static bool fake_begin(void *log, bool is_again)
{
    has_put = false;
    note(is_again ? 'a' : 'n');
    return true;
}

static bool fake_put(void *log, struct store_write *write)
{
    has_put = true;
    return true;
}

static bool fake_commit(void *log)
{
    if (!has_put)
        note('-');
    return failing_commits == 0 || failing_commits-- == 0;
}

static bool fake_read(void *log, const char *folded, int64_t first, int limit,
                      store_past_fn *row, void *arg)
{
    return true;
}

static int64_t fake_bytes(void *log)
{
    return 0;
}

static bool fake_has_chores(void *log, bool is_idle)
{
    return failing_chores > 0;
}

static bool fake_chores(void *log, bool is_idle)
{
    failing_chores--;
    return false;
}

static const struct store_engine engine = {.outage = STORE_AWAY,
                                           .begin = fake_begin,
                                           .put = fake_put,
                                           .commit = fake_commit,
                                           .read_pasts = fake_read,
                                           .bytes = fake_bytes,
                                           .has_chores = fake_has_chores,
                                           .chores = fake_chores};

/* --- The loop's side --- */

static struct store *store;

static int set_up(void **state)
{
    memset(begun, 0, sizeof begun);
    failing_chores = failing_commits = 0;
    store = mem_new(sizeof *store);
    store->engine = &engine;
    store->to_thread = store->to_loop = (struct wakeup){-1, -1};
    pthread_mutex_init(&store->lock, NULL);
    assert_true(wakeup_open(&store->to_thread) && wakeup_open(&store->to_loop));
    assert_true(store_thread_start(store));
    return 0;
}

static int tear_down(void **state)
{
    struct store_job *job, *next;

    if (store->is_running)
        store_thread_stop(store);
    DL_FOREACH_SAFE (store->outbox, job, next)
        store_job_free(job);
    wakeup_close(&store->to_thread);
    wakeup_close(&store->to_loop);
    pthread_mutex_destroy(&store->lock);
    free(store);
    return 0;
}

static void send(struct store_job *job)
{
    pthread_mutex_lock(&store->lock);
    DL_APPEND(store->inbox, job);
    pthread_mutex_unlock(&store->lock);
    wakeup_signal(&store->to_thread);
}

static bool has_written(void)
{
    struct store_job *job, *next;
    bool answer = false;

    pthread_mutex_lock(&store->lock);
    DL_FOREACH_SAFE (store->outbox, job, next) {
        answer = answer || job->kind == STORE_JOB_WRITE;
        DL_DELETE(store->outbox, job);
        store_job_free(job);
    }
    pthread_mutex_unlock(&store->lock);
    return answer;
}

static bool is_in(enum store_trouble trouble)
{
    bool answer;

    pthread_mutex_lock(&store->lock);
    answer = store->found == trouble;
    pthread_mutex_unlock(&store->lock);
    return answer;
}

#define WAIT_FOR(condition)                                                            \
    for (int64_t end_ms = stepped_clock_real_ms() + PATIENCE_MS; !(condition);         \
         usleep(200))                                                                  \
    assert_true(stepped_clock_real_ms() < end_ms)

static void send_write(void)
{
    struct store_job *job = store_job_new(STORE_JOB_WRITE, 0);

    job->write.kind = STORE_WRITE_DROP;
    send(job);
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

/* --- Tests --- */

/* The first write must not count as a repetition of an earlier transaction. Otherwise,
 * if the earlier transaction turns out to be stored, the engine would think that this
 * write is stored. */
TEST(the_first_write_of_an_outage_repeats_nothing)
{
    failing_chores = 1;
    send(store_job_new(STORE_JOB_PASTS, 1));
    WAIT_FOR(is_in(STORE_AWAY));
    send_write();
    WAIT_FOR(has_written());
    assert_string_equal(begun, "n");
}

TEST(a_batch_that_failed_is_repeated)
{
    failing_commits = 2;
    send_write();
    WAIT_FOR(has_written());
    send_write();
    WAIT_FOR(has_written());
    assert_string_equal(begun, "naan");
}

TEST(an_outage_without_writes_repeats_nothing)
{
    failing_chores = failing_commits = 1;
    send(store_job_new(STORE_JOB_PASTS, 1));
    WAIT_FOR(is_in(STORE_AWAY));
    WAIT_FOR(is_in(STORE_OK_AGAIN));
    send_write();
    WAIT_FOR(has_written());
    assert_string_equal(begun, "n-n-n");
}

UNIT_MAIN(NULL, NULL)
