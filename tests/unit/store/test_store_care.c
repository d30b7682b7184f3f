/* Tests of the maintenance of the store: a backup while games are written, reserved
 * space for a full disk, and a report of a slow disk. */
#include <sys/resource.h>
#ifdef __linux__
#include <sys/mount.h>
#endif

#include "server/store/store_copy.h"
#include "tests/unit/store/store_fixture.h"

/* --- Backup --- */

static const char *copy_path(void)
{
    static char path[140];

    snprintf(path, sizeof path, "%s/copy.db", directory);
    return path;
}

static int backups;
static char backup_why[300];

static void on_backup(void *arg, const char *why)
{
    backups++;
    snprintf(backup_why, sizeof backup_why, "%s", why != NULL ? why : "");
}

static void back_up(void)
{
    backups = 0;
    store_backup(store, copy_path(), on_backup, NULL);
}

/* Replaces the database with the copy, and opens it. */
static void open_copy(void)
{
    store_close(store);
    assert_int_equal(rename(copy_path(), db_path()), 0);
    open_store();
}

static int next_number;

/* Until the backup is done, 16 events wait for the disk. */
static void append_for_ever(void *arg)
{
    char text[200];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    while (backups == 0 && next_number < count_durable() + 16) {
        append(1, next_number, text);
        __atomic_add_fetch(&next_number, 1, __ATOMIC_SEQ_CST);
    }
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

TEST(a_backup_is_whole_and_private)
{
    struct stat found;

    open_store();
    append(1, 0, "start red=hong blue=kim");
    append(2, 0, "start red=a blue=b");
    append_end(2, 1, &summary);
    back_up();
    append(1, 1, "late");
    run_until(&backups, 1);
    assert_string_equal(backup_why, "");
    settle();
    assert_int_equal(stat(copy_path(), &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    open_copy();
    forget();
    assert_true(store_load_running(store, see_event, NULL));
    assert_true(strncmp(seen, "1 0 start red=hong blue=kim\n", 28) == 0);
    store_read_game(store, 2, see_event, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 2);
    assert_null(strstr(seen, "DAMAGED"));
}

/* While is_step_held is set, each step of a backup waits until another event has been
 * stored after the previous step. */
static int steps, number_at_step = -1;
static bool is_step_held;

enum store_backup_state __real_store_backup_step(struct store_backup *backup,
                                                 char why[STORE_WHY_BYTES]);
enum store_backup_state __wrap_store_backup_step(struct store_backup *backup,
                                                 char why[STORE_WHY_BYTES]);

enum store_backup_state __wrap_store_backup_step(struct store_backup *backup,
                                                 char why[STORE_WHY_BYTES])
{
    while (is_step_held &&
           __atomic_load_n(&next_number, __ATOMIC_SEQ_CST) == number_at_step)
        usleep(200);
    number_at_step = __atomic_load_n(&next_number, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&steps, 1, __ATOMIC_SEQ_CST);
    return __real_store_backup_step(backup, why);
}

/* The database has many more pages than one step copies, and events are written between
 * the steps. */
TEST(a_backup_is_made_while_games_are_written)
{
    int before;

    open_store();
    backups = next_number = 0;
    store_on_durable(store, append_for_ever, NULL);
    append_for_ever(NULL);
    run_until(&next_number, 15000);
    before = next_number;
    is_step_held = true;
    store_backup(store, copy_path(), on_backup, NULL);
    run_until(&backups, 1);
    is_step_held = false;
    assert_string_equal(backup_why, "");
    assert_true(__atomic_load_n(&steps, __ATOMIC_SEQ_CST) >= 5);
    open_copy();
    forget();
    assert_true(store_load_running(store, see_event, NULL));
    assert_in_range(seen_rows, before - 16, next_number);
    assert_null(strstr(seen, "DAMAGED"));
}

TEST(a_backup_replaces_no_file)
{
    FILE *file;

    open_store();
    file = fopen(copy_path(), "w");
    assert_non_null(file);
    fclose(file);
    back_up();
    run_until(&backups, 1);
    assert_non_null(strstr(backup_why, "exists"));
    unlink(copy_path());
    back_up();
    store_backup(store, copy_path(), on_backup, NULL);
    run_until(&backups, 2);
    assert_int_equal(access(copy_path(), F_OK), 0);
}

TEST(a_backup_that_cannot_be_made_says_why)
{
    open_store();
    backups = 0;
    store_backup(store, "/nonexistent/copy.db", on_backup, NULL);
    run_until(&backups, 1);
    assert_non_null(strstr(backup_why, "No such file"));
}

TEST(a_backup_without_room_leaves_no_file)
{
    struct rlimit no_limit, limit;

    open_store();
    for (int i = 0; i < 2000; i++)
        append(1, i, "move 1 red B0-C2 red_ms=600000 blue_ms=600000");
    settle();
    reopen_store();
    getrlimit(RLIMIT_FSIZE, &no_limit);
    limit = (struct rlimit){.rlim_cur = 65536, .rlim_max = no_limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    back_up();
    run_until(&backups, 1);
    setrlimit(RLIMIT_FSIZE, &no_limit);
    assert_string_not_equal(backup_why, "");
    assert_int_not_equal(access(copy_path(), F_OK), 0);
    append(1, 2000, "late");
    settle();
}

TEST(a_store_that_closes_takes_half_a_backup_away)
{
    char part[160];

    open_store();
    for (int i = 0; i < 20000; i++)
        append(1, i, "move 1 red B0-C2 red_ms=600000 blue_ms=600000");
    settle();
    back_up();
    WAIT_UNTIL(turn(), size_of_file("copy.db.part") > 0 || size_of_file("copy.db") > 0);
    close_store();
    snprintf(part, sizeof part, "%s.part", copy_path());
    assert_int_not_equal(access(part, F_OK), 0);
}

/* --- Reserve --- */

enum { RESERVE_BYTES = 1 << 20 };

static bool has_reserve(void)
{
    struct stat found;
    char path[160];

    snprintf(path, sizeof path, "%s/reserve", directory);
    return stat(path, &found) == 0 && found.st_size == RESERVE_BYTES &&
           found.st_blocks * 512 >= RESERVE_BYTES;
}

static void await_thread(void)
{
    read_done = 0;
    store_read_game(store, 99, see_event, on_read, NULL);
    run_until(&read_done, 1);
}

TEST(a_reserve_is_kept_and_given_up)
{
    open_store();
    store_keep_reserve(store, RESERVE_BYTES);
    await_thread();
    assert_true(has_reserve());
    reopen_store();
    store_keep_reserve(store, RESERVE_BYTES);
    await_thread();
    assert_true(has_reserve());
    store_keep_reserve(store, 0);
    await_thread();
    assert_false(has_reserve());
}

static int full_count, slow_count, again_count;

static void on_trouble(void *arg, enum store_trouble trouble)
{
    full_count += trouble == STORE_FULL;
    slow_count += trouble == STORE_SLOW;
    again_count += trouble == STORE_OK_AGAIN;
}

static void fill(int from, int count)
{
    char text[301];

    memset(text, 'x', 300);
    text[300] = '\0';
    for (int i = 0; i < count; i++)
        append(1, from + i, text);
}

/* A limit of the file size stands for a full disk here. It remains when the store
 * releases the reserve, so writes still fail. */
TEST(a_reserve_is_given_when_the_disk_is_full)
{
    struct rlimit no_limit, limit;

    open_store();
    full_count = 0;
    store_on_trouble(store, on_trouble, NULL);
    store_keep_reserve(store, RESERVE_BYTES);
    await_thread();
    getrlimit(RLIMIT_FSIZE, &no_limit);
    limit = (struct rlimit){.rlim_cur = 131072, .rlim_max = no_limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    fill(0, 1000);
    run_until(&full_count, 1);
    assert_false(has_reserve());
    setrlimit(RLIMIT_FSIZE, &no_limit);
    WAIT_UNTIL(step_ms(1000), count_durable() >= 1000);
}

#ifdef __linux__
TEST(on_a_real_full_disk_play_goes_on_from_the_reserve)
{
    if (mount("none", directory, "tmpfs", 0, "size=1536k") != 0) {
        print_message("needs root and mounts\n");
        skip();
    }
    open_store();
    full_count = again_count = 0;
    store_on_trouble(store, on_trouble, NULL);
    store_keep_reserve(store, RESERVE_BYTES);
    await_thread();
    assert_true(has_reserve());
    fill(0, 1500);
    settle(); /* more than half a megabyte */
    assert_false(has_reserve());
    assert_int_equal(full_count, 0);
    await_thread(); /* the store found no space for the reserve; it checks again in 10 s */
    assert_int_equal(mount("none", directory, "tmpfs", MS_REMOUNT, "size=16m"), 0);
    step_ms(9999);
    await_thread();
    assert_false(has_reserve());
    step_ms(1);
    WAIT_UNTIL(, has_reserve());
    close_store();
    assert_int_equal(umount(directory), 0);
}
#endif

/* --- A slow disk --- */

static void one_slow_sync(int report_fd)
{
    use_shim();
    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    store_on_trouble(store, on_trouble, NULL);
    append(1, 0, "start");
    settle();
    hold_sync(true);
    append(1, 1, "x");
    await_held_sync();
    step_ms(1500); /* the store checks for a slow write each 500 ms */
    if (slow_count != 0)
        _exit(1);
    step_ms(500);
    if (slow_count != 1 || count_durable() != 1)
        _exit(2);
    hold_sync(false);
    settle();
    WAIT_UNTIL(step_ms(500), again_count == 1);
    _exit(slow_count == 1 && full_count == 0 ? 0 : 3);
}

TEST(a_slow_write_is_reported_while_it_runs)
{
    forget();
    full_count = slow_count = again_count = 0;
    dies_with(one_slow_sync, 0);
}

static void quick_writes_are_not_told(int report_fd)
{
    store = store_open(base, directory);
    store_on_trouble(store, on_trouble, NULL);
    for (int i = 0; i < 100; i++)
        append(1, i, "x");
    settle();
    for (int i = 0; i < 10; i++)
        step_ms(500);
    _exit(slow_count == 0 && again_count == 0 ? 0 : 1);
}

TEST(a_quick_write_is_not_told)
{
    forget();
    full_count = slow_count = again_count = 0;
    dies_with(quick_writes_are_not_told, 0);
}

UNIT_MAIN(unit_be_quiet, NULL)
