/* Tests of three kinds of write-ahead logs: logs as SQLite leaves them, logs that a
 * power failure has cut, and logs that a bad disk has damaged. Only logs of the third
 * kind may be reported as damaged. */
#include <fcntl.h>
#include <stdint.h>

#include "server/store/store_file.h"
#include "tests/unit/store/store_fixture.h"

enum {
    HEADER = 32,
    FRAME = 24 + 4096,
    SECTOR = 512,
    LOG_MAX = 4 << 20,
    FRAMES_MAX = LOG_MAX / FRAME,
    ROUNDS = 200
};

static unsigned char whole[LOG_MAX], bytes[LOG_MAX];
static size_t size;
/* commit[]: the numbers of the frames that end a transaction and have the current salt.
 * The first frame of the log has number 0. */
static int commit[FRAMES_MAX], commits;

static const char *log_path(void)
{
    static char path[140];

    snprintf(path, sizeof path, "%s-wal", db_path());
    return path;
}

static enum store_wal_state judge(const unsigned char *log, size_t log_size)
{
    int fd = open(log_path(), O_WRONLY | O_CREAT | O_TRUNC, 0600), frame;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, log, log_size), log_size);
    close(fd);
    return store_wal_judge(log_path(), &frame);
}

/* --- Real logs --- */

static void run(sqlite3 *file, const char *words)
{
    if (sqlite3_exec(file, words, NULL, NULL, NULL) != SQLITE_OK)
        _exit(97);
}

static sqlite3 *open_raw(void)
{
    sqlite3 *file;

    if (sqlite3_open(db_path(), &file) != SQLITE_OK)
        _exit(97);
    run(file, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;"
              "PRAGMA wal_autocheckpoint = 0;"
              "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);"
              "CREATE TABLE u(a INTEGER PRIMARY KEY, b TEXT)");
    return file;
}

/* Runs `count` small transactions of two or more pages each. */
static void write_some(sqlite3 *file, int count)
{
    for (int i = 0; i < count; i++)
        run(file, "BEGIN; INSERT INTO t(b) VALUES(hex(randomblob(300)));"
                  "INSERT INTO u(b) VALUES(hex(randomblob(700))); COMMIT");
}

static void plain_log(int report_fd)
{
    write_some(open_raw(), 24);
    _exit(0);
}

/* Makes a log with 24 small transactions. A checkpoint then copies all of them into the
 * database, so SQLite restarts the log: the next 8 transactions are written over the
 * first old frames. The other old frames remain behind them. */
static void restarted_log(int report_fd)
{
    sqlite3 *file = open_raw();

    write_some(file, 24);
    run(file, "PRAGMA wal_checkpoint");
    write_some(file, 8);
    _exit(0);
}

/* Makes a log with a long transaction that was rolled back. Two short transactions have
 * then overwritten the first frames of the long transaction. Its other frames are still
 * at the end of the log. */
static void log_with_leavings(int report_fd)
{
    sqlite3 *file = open_raw();

    write_some(file, 8);
    run(file, "PRAGMA cache_size = 5; BEGIN;"
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
              " WHERE i < 100) INSERT INTO t(b) SELECT hex(randomblob(700)) FROM n;"
              "ROLLBACK");
    write_some(file, 2);
    _exit(0);
}

static uint32_t number_at(size_t at)
{
    return (uint32_t)whole[at] << 24 | (uint32_t)whole[at + 1] << 16 |
           (uint32_t)whole[at + 2] << 8 | whole[at + 3];
}

static void find_commits(void)
{
    commits = 0;
    for (size_t at = HEADER; at + FRAME <= size; at += FRAME)
        if (number_at(at + 4) != 0 && memcmp(whole + at + 8, whole + 16, 8) == 0)
            commit[commits++] = (int)((at - HEADER) / FRAME);
}

static void make_log(void (*child)(int))
{
    ssize_t got;
    int fd;

    unlink(db_path());
    unlink(log_path());
    dies_with(child, 0);
    fd = open(log_path(), O_RDONLY);
    assert_true(fd >= 0);
    got = read(fd, whole, sizeof whole);
    close(fd);
    assert_true(got > HEADER && got < LOG_MAX);
    size = (size_t)got;
    find_commits();
    assert_true(commits > 3);
}

static size_t end_of(int frame)
{
    return HEADER + (size_t)(frame + 1) * FRAME;
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

/* --- What is judged --- */

TEST(a_log_as_it_was_left_is_whole)
{
    make_log(plain_log);
    assert_int_equal(judge(whole, size), STORE_WAL_WHOLE);
    make_log(restarted_log);
    assert_int_equal(judge(whole, size), STORE_WAL_TORN); /* ends with older frames */
    make_log(log_with_leavings);
    assert_int_equal(judge(whole, size), STORE_WAL_TORN);
}

TEST(no_log_and_an_empty_one_are_whole)
{
    int frame;

    assert_int_equal(store_wal_judge(log_path(), &frame), STORE_WAL_WHOLE);
    assert_int_equal(judge(whole, 0), STORE_WAL_WHOLE);
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(judge(bytes, 32), STORE_WAL_WHOLE);
    assert_int_equal(judge(bytes, 100000), STORE_WAL_TORN);
}

/* Damages each part of each frame, one part at a time. Leaves out the last two
 * transactions, and all frames after them. */
static void flip_everywhere(void)
{
    static const int places[] = {0, 3, 7, 8, 12, 16, 23, 24, 2000, FRAME - 1};

    for (int frame = 0; frame <= commit[commits - 3]; frame++)
        for (size_t i = 0; i < ARRAY_LEN(places); i++) {
            memcpy(bytes, whole, size);
            bytes[HEADER + (size_t)frame * FRAME + (size_t)places[i]] ^=
                (unsigned char)(1 << ((size_t)frame + i) % 8);
            assert_int_equal(judge(bytes, size), STORE_WAL_DAMAGED);
        }
}

TEST(a_flipped_bit_in_synced_data_is_damage)
{
    make_log(plain_log);
    flip_everywhere();
    make_log(restarted_log);
    flip_everywhere();
    make_log(log_with_leavings);
    flip_everywhere();
}

static unsigned seed = 1;

static unsigned any(unsigned below)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

/* Changes one transaction, as if some of its sectors were not written: fills these
 * sectors with zeros, random bytes or old content. commit[last] is the last frame of
 * the transaction. The frames after it remain. */
static void tear(int last)
{
    size_t from = last == 0 ? HEADER : end_of(commit[last - 1]);
    size_t to = end_of(commit[last]);
    unsigned kind = any(3);

    for (size_t at = from / SECTOR * SECTOR; at < to; at += SECTOR) {
        size_t lo = at < from ? from : at, hi = at + SECTOR > to ? to : at + SECTOR;

        if (any(3) != 0)
            continue;
        for (size_t i = lo; i < hi; i++)
            bytes[i] = kind == 0   ? 0
                       : kind == 1 ? (unsigned char)any(256)
                                   : whole[HEADER + i % 50000];
    }
}

static void never_damage(void)
{
    int torn = 0;

    for (int round = 0; round < ROUNDS; round++) {
        int last = any(4) == 0 ? 0 : commits - 1 - (int)any(3);
        /* Only the last transaction may be followed by old frames. If tear() changes an
         * earlier transaction, the log is cut off behind it: newer frames would be a
         * proof of damage. */
        size_t end = last == commits - 1 ? size : end_of(commit[last]);
        enum store_wal_state found;

        memcpy(bytes, whole, size);
        tear(last);
        found = judge(bytes, end);
        assert_int_not_equal(found, STORE_WAL_DAMAGED);
        assert_int_not_equal(found, STORE_WAL_FAILED);
        torn += found == STORE_WAL_TORN;
    }
    assert_true(torn > ROUNDS / 2);
}

TEST(a_torn_last_transaction_is_no_damage)
{
    make_log(plain_log);
    never_damage();
    make_log(restarted_log);
    never_damage();
    make_log(log_with_leavings);
    never_damage();
}

TEST(a_log_that_ends_anywhere_is_no_damage)
{
    make_log(plain_log);
    for (size_t end = 0; end < size; end += 509)
        assert_int_not_equal(judge(whole, end), STORE_WAL_DAMAGED);
}

TEST(a_flipped_bit_in_the_header_is_damage)
{
    make_log(plain_log);
    for (int bit = 0; bit < HEADER * 8; bit++) {
        memcpy(bytes, whole, size);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_int_equal(judge(bytes, size), STORE_WAL_DAMAGED);
    }
}

/* --- What the store does with it --- */

static void append_fifty(int report_fd)
{
    store = store_open(base, directory);
    for (int i = 0; i < 50; i++) {
        append(1, i, "move 1 red B0-C2");
        settle();
    }
    _exit(0);
}

static void flip_in_log(size_t at)
{
    unsigned char byte;
    int fd = open(log_path(), O_RDWR);

    assert_int_equal(pread(fd, &byte, 1, (off_t)at), 1);
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
    close(fd);
}

TEST(a_damaged_log_is_refused_and_left_as_it_is)
{
    struct stat before, after;

    forget();
    make_log(append_fifty);
    assert_int_equal(stat(log_path(), &before), 0);
    flip_in_log(end_of(commit[20]) + 1000);
    errno = 0;
    assert_null(store_open(base, directory));
    assert_int_not_equal(errno, 0);
    assert_int_not_equal(errno, EBUSY);
    assert_int_equal(stat(log_path(), &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    flip_in_log(end_of(commit[20]) + 1000); /* the disk works again */
    open_store();
    assert_true(store_load_running(store, see_event, NULL));
    assert_int_equal(seen_rows, 50);
}

TEST(a_log_without_its_database_is_refused)
{
    forget();
    make_log(append_fifty);
    unlink(db_path());
    assert_null(store_open(base, directory));
}

/* Power failures during the first start: a database without a page, and a log with only
 * a header. Nothing was stored yet; the next start makes a new database. */
TEST(a_log_without_a_frame_needs_no_database)
{
    forget();
    make_log(append_fifty);
    assert_int_equal(truncate(db_path(), 0), 0);
    assert_int_equal(truncate(log_path(), HEADER + 1), 0);
    assert_null(store_open(base, directory));
    assert_int_equal(truncate(log_path(), HEADER), 0);
    open_store();
    assert_true(store_load_running(store, see_event, NULL));
    assert_int_equal(seen_rows, 0);
}

UNIT_MAIN(unit_be_quiet, NULL)
