/* Shared by the tests of the store: a store in a directory of its own, a stopped clock,
 * loaded rows as lines of text, and a child process that a test can kill. There is also
 * a special file system: a sync can fail or block, and a write can end the process.
 * Each program includes this file once. */
#ifndef TESTS_UNIT_STORE_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_STORE_FIXTURE_H

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>
#include <sqlite3.h>

#include "common/base/base.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "server/store/store.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

/* --- A store in a directory of its own --- */

static char directory[UNIT_PATH_BYTES];
static struct event_base *base;
static struct store *store;

/* `seen` collects the rows that the store loads or reads, one line each. */
static char seen[1 << 16];
static int seen_rows, read_done, read_count;
static int done_count; /* calls of a callback of the test */

static inline void forget(void)
{
    seen[0] = '\0';
    seen_rows = read_done = done_count = 0;
    read_count = -1;
}

static inline void open_store(void)
{
    store = store_open(base, directory);
    assert_non_null(store);
    forget();
}

static inline void close_store(void)
{
    store_close(store);
    store = NULL;
}

static inline void reopen_store(void)
{
    close_store();
    open_store();
}

static inline int set_up(void **state)
{
    assert_true(unit_make_directory(directory));
    stepped_clock_stop();
    base = event_base_new();
    return 0;
}

static inline int tear_down(void **state)
{
    static const char *const names[] = {
        "/janggid.db", "/janggid.db-wal", "/janggid.db-journal", "/janggid.db-shm",
        "/reserve",    "/copy.db",        "/copy.db.part"};
    char path[128];

    close_store();
    event_base_free(base);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        snprintf(path, sizeof path, "%s%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
    stepped_clock_release();
    return 0;
}

static inline off_t size_of_file(const char *name)
{
    struct stat found;
    char path[160];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &found) == 0 ? found.st_size : -1;
}

static const char *db_path(void)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/janggid.db", directory);
    return path;
}

enum { PATIENCE_MS = 60000 }; /* reached only by a failing test */

static bool is_child;

/* Fails the test because `condition` never came true. A child exits instead, because
 * after a failing assertion it would run the other tests. */
static void give_up(const char *condition)
{
    if (is_child)
        _exit(95);
    fail_msg("never came: %s", condition);
}

/* Waits for a condition that another thread or process makes true. The statement `step`
 * runs before each check of the condition. */
#define WAIT_UNTIL(step, condition)                                                    \
    do {                                                                               \
        int64_t until_ms_ = stepped_clock_real_ms() + PATIENCE_MS;                     \
        for (;;) {                                                                     \
            step;                                                                      \
            if (condition)                                                             \
                break;                                                                 \
            if (stepped_clock_real_ms() > until_ms_)                                   \
                give_up(#condition);                                                   \
            usleep(200);                                                               \
        }                                                                              \
    } while (0)

/* Runs the events that are ready in the loop now. */
static inline void turn(void)
{
    event_base_loop(base, EVLOOP_NONBLOCK);
}

/* Advances the clock by ms, and runs the events that are due. */
static inline void step_ms(int64_t ms)
{
    stepped_clock_step_ms(ms);
    turn();
}

/* Runs the loop until *counter is at least wanted. */
static inline void run_until(const int *counter, int wanted)
{
    WAIT_UNTIL(turn(), *counter >= wanted);
}

/* Runs the loop until every queued row is on disk. */
static inline void settle(void)
{
    WAIT_UNTIL(turn(), store_gate(store)->durable == store_gate(store)->newest);
}

/* Returns the number of rows that are on disk, of those that were queued since the store
 * was opened. */
static inline int count_durable(void)
{
    return (int)(store_gate(store)->durable - GATE_IN_ORDER);
}

enum { LOGS = 1000, LOG_BYTES = 1 << 16 };
/* The events that append() has written, one a line. */
static char *logs[LOGS];
static size_t log_rooms[LOGS];

static inline void append(int64_t game, int number, const char *text)
{
    if (game < LOGS) {
        size_t len = number != 0 && logs[game] != NULL ? strlen(logs[game]) : 0;
        size_t needed = len + strlen(text) + 2;

        /* under ASan a growing realloc() for each event takes minutes */
        if (needed > log_rooms[game]) {
            log_rooms[game] = 2 * needed;
            logs[game] = realloc(logs[game], log_rooms[game]);
        }
        sprintf(logs[game] + len, "%s\n", text);
    }
    store_append(store, game, number, &text, 1, NULL);
}

static const struct store_summary summary = {.red = "hong",
                                             .blue = "kim",
                                             .red_shown = "Hong",
                                             .blue_shown = "Kim",
                                             .rules = "martin",
                                             .time = "10m+5s",
                                             .result = "red",
                                             .reason = "checkmate",
                                             .plies = 57};

static inline void append_end(int64_t game, int number, const struct store_summary *s)
{
    const char *text = "end red checkmate";
    const struct store_ending ending = {
        .summary = *s,
        .before = game < LOGS && logs[game] != NULL && number != 0 ? logs[game] : ""};

    store_append(store, game, number, &text, 1, &ending);
}

static inline void see_event(void *arg, const struct store_event *event)
{
    size_t len = strlen(seen);

    if (event->is_sound)
        assert_in_range(mono_wall_s() - event->wall_s, 0, 100000);
    seen_rows++;
    if (len < sizeof seen - 100)
        snprintf(seen + len, sizeof seen - len, "%lld %d %s\n", (long long)event->game,
                 event->number, event->is_sound ? event->text : "DAMAGED");
}

static inline void on_read(void *arg, int count)
{
    read_done++;
    read_count = count;
}

/* Runs SQL on the database. The store must be closed. */
static inline void execute(const char *words)
{
    sqlite3 *file;

    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, words, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(file), SQLITE_OK);
}

/* The number in the first row of a query. */
static inline int64_t query_number(sqlite3 *file, const char *words)
{
    sqlite3_stmt *s = NULL;
    int64_t number;

    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    number = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return number;
}

/* The same of the database. The store must be closed. */
static inline int64_t number_of(const char *words)
{
    sqlite3 *file;
    int64_t number;

    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    number = query_number(file, words);
    sqlite3_close(file);
    return number;
}

/* --- Children --- */

/* Forks a child with a loop of its own. The child calls run() and exits; the parent
 * gets the child's pid, and in *from_child the pipe with the child's reports. */
static inline pid_t fork_child(void (*run)(int report_fd), int *from_child)
{
    int fd[2];
    pid_t child;

    assert_int_equal(pipe(fd), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        is_child = true;
        event_base_free(base);
        base = event_base_new();
        close(fd[0]);
        run(fd[1]);
        _exit(99);
    }
    close(fd[1]);
    *from_child = fd[0];
    return child;
}

/* Reads the ints 0, 1 ... that a child reports, at most `most` of them; returns how
 * many it has read. */
static inline int read_reports(int from_child, int most)
{
    int number, count = 0;

    while (count < most &&
           read(from_child, &number, sizeof number) == (ssize_t)sizeof number)
        assert_int_equal(number, count++);
    return count;
}

/* Waits for the end of the child. Returns how many ints it reported in total; `already`
 * of these were read before. Sets *status as waitpid() does. */
static inline int reports(pid_t child, int from_child, int already, int *status)
{
    int number, count = already;

    while (read(from_child, &number, sizeof number) == (ssize_t)sizeof number)
        assert_int_equal(number, count++);
    close(from_child);
    assert_int_equal(waitpid(child, status, 0), child);
    return count;
}

static inline void dies_with(void (*run)(int), int wanted)
{
    int from_child, status;
    pid_t child = fork_child(run, &from_child);

    reports(child, from_child, 0, &status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), wanted);
}

/* --- A file system in front of the real one --- */

static sqlite3_vfs shim;
static sqlite3_io_methods shim_methods, real_methods;
static int syncs, sync_fails_from = 1 << 30;
static int write_calls, writes, write_dies_at = 1 << 30; /* `writes` counts pages */
/* While sync_must_wait is set, each sync blocks, and sets sync_is_waiting. */
static bool sync_must_wait, sync_is_waiting;

static inline int shim_sync(sqlite3_file *file, int flags)
{
    int number = __atomic_add_fetch(&syncs, 1, __ATOMIC_SEQ_CST);

    if (number >= sync_fails_from)
        return SQLITE_IOERR_FSYNC;
    while (__atomic_load_n(&sync_must_wait, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&sync_is_waiting, true, __ATOMIC_SEQ_CST);
        usleep(200);
    }
    return real_methods.xSync(file, flags);
}

/* Waits until the sync of the queued rows has begun, and keeps it blocked. */
static inline void await_held_sync(void)
{
    WAIT_UNTIL(turn(), __atomic_load_n(&sync_is_waiting, __ATOMIC_SEQ_CST));
}

static inline void hold_sync(bool is_held)
{
    __atomic_store_n(&sync_is_waiting, false, __ATOMIC_SEQ_CST);
    __atomic_store_n(&sync_must_wait, is_held, __ATOMIC_SEQ_CST);
}

/* Writes page by page, because a kill or a power cut may come between any two pages. */
static inline int shim_write(sqlite3_file *file, const void *bytes, int size,
                             sqlite3_int64 at)
{
    enum { PAGE = 4096 };
    int code = SQLITE_OK;

    write_calls++;
    for (int done = 0, len; done < size && code == SQLITE_OK; done += len) {
        len = PAGE - (int)((at + done) % PAGE);
        if (len > size - done)
            len = size - done;
        if (++writes >= write_dies_at)
            _exit(0);
        code = real_methods.xWrite(file, (const char *)bytes + done, len, at + done);
    }
    return code;
}

static int shim_lacks; /* SQLITE_IOCAP_ bits that the file system does not promise */

static inline int shim_characteristics(sqlite3_file *file)
{
    return real_methods.xDeviceCharacteristics(file) & ~shim_lacks;
}

static inline int shim_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file,
                            int flags, int *flags_out)
{
    sqlite3_vfs *real = vfs->pAppData;
    int code = real->xOpen(real, name, file, flags, flags_out);

    if (code == SQLITE_OK && file->pMethods != NULL) {
        real_methods = *file->pMethods;
        shim_methods = real_methods;
        shim_methods.xSync = shim_sync;
        shim_methods.xWrite = shim_write;
        shim_methods.xDeviceCharacteristics = shim_characteristics;
        file->pMethods = &shim_methods;
    }
    return code;
}

static inline void use_shim(void)
{
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);

    shim = *real;
    shim.zName = "shim";
    shim.pAppData = real;
    shim.xOpen = shim_open;
    sqlite3_vfs_register(&shim, 1);
}

#endif
