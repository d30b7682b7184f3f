/* Tests of the VFS of the database, which gathers small writes to the log into larger
 * writes. Tests how often the VFS writes to the log, what a transaction reads after it
 * has written more than GATHERED_BYTES, and a full disk. */
#include <sys/resource.h>

#include "server/sqlite/store_file.h"
#include "server/sqlite/store_vfs.h"
#include "tests/unit/store/store_fixture.h"

/* Runs statements. Returns SQLite's code. */
static int run(sqlite3 *file, const char *words)
{
    return sqlite3_exec(file, words, NULL, NULL, NULL);
}

static int64_t number_in(sqlite3 *file, const char *words)
{
    sqlite3_stmt *s;
    int64_t number;

    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    number = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return number;
}

/* Opens the database with the VFS named `vfs`. NULL: SQLite's own VFS. */
static sqlite3 *open_with(const char *vfs)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3 *file;

    assert_int_equal(sqlite3_open_v2(db_path(), &file, flags, vfs), SQLITE_OK);
    assert_int_equal(run(file,
                         "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;"
                         "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;"
                         "PRAGMA cache_size = 10;"
                         "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);"
                         "CREATE TABLE u(a INTEGER PRIMARY KEY, b TEXT)"),
                     SQLITE_OK);
    return file;
}

/* Copies the present files: a crash would leave the same files. Runs the query on the
 * copy, with SQLite's own VFS. Returns the resulting number. */
static int64_t recovered(const char *words)
{
    char command[600], copy[80];
    sqlite3 *file;
    int64_t number;

    snprintf(copy, sizeof copy, "%s/copy.db", directory);
    snprintf(command, sizeof command, "cp %s %s && cp %s-wal %s-wal", db_path(), copy,
             db_path(), copy);
    assert_int_equal(system(command), 0);
    assert_int_equal(sqlite3_open(copy, &file), SQLITE_OK);
    number = number_in(file, words);
    assert_int_equal(sqlite3_close(file), SQLITE_OK);
    return number;
}

enum {
    FIRST_STATUS = 100, /* greater than the status of a child in which an assertion
                         * fails */
    MANY = 4            /* four or more writes: two frames, each with a header and a
                         * page */
};

/* Makes a commit that changes a page of each table. Exits with FIRST_STATUS plus the
 * number of writes of the commit. If there are more than MANY writes, the number is
 * MANY. */
static void commit_with(const char *vfs)
{
    sqlite3 *file = open_with(vfs);
    int before = write_calls;

    assert_int_equal(
        run(file, "BEGIN; INSERT INTO t(b) VALUES('x'); INSERT INTO u(b) VALUES('y');"
                  "COMMIT"),
        SQLITE_OK);
    before = write_calls - before;
    _exit(FIRST_STATUS + (before < MANY ? before : MANY));
}

static void commit_gathered(int report_fd)
{
    use_shim();
    commit_with(store_vfs_name());
}

static void commit_as_sqlite_does(int report_fd)
{
    use_shim();
    commit_with(NULL);
}

/* If the file system does not promise SQLITE_IOCAP_POWERSAFE_OVERWRITE, SQLite writes
 * the last frame several times, to fill a sector. The VFS then gathers nothing. */
static void commit_on_a_plain_disk(int report_fd)
{
    shim_lacks = SQLITE_IOCAP_POWERSAFE_OVERWRITE;
    use_shim();
    commit_with(store_vfs_name());
}

static void a_commit_is_one_write(void **state)
{
    dies_with(commit_gathered, FIRST_STATUS + 1);
    unlink(db_path());
    dies_with(commit_as_sqlite_does, FIRST_STATUS + MANY);
    unlink(db_path());
    dies_with(commit_on_a_plain_disk, FIRST_STATUS + MANY);
}

static void a_long_transaction_reads_what_it_wrote(void **state)
{
    sqlite3 *file = open_with(store_vfs_name());

    assert_int_equal(
        run(file,
            "BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
            "WHERE i < 2000) INSERT INTO t SELECT i, hex(randomblob(500)) FROM n"),
        SQLITE_OK);
    assert_int_equal(number_in(file, "SELECT sum(length(b)) FROM t"), 2000 * 1000);
    assert_int_equal(run(file, "UPDATE t SET b = a WHERE a % 3 = 0; COMMIT"),
                     SQLITE_OK);
    assert_int_equal(number_in(file, "SELECT count(*) FROM t WHERE b = a"), 666);
    assert_int_equal(recovered("SELECT count(*) FROM t WHERE b = a"), 666);
    assert_int_equal(sqlite3_close(file), SQLITE_OK);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The gathered frames do not fit on the disk. The sync reports this, and the next
 * transaction overwrites them. */
static void a_full_disk_rolls_back(void **state)
{
    sqlite3 *file = open_with(store_vfs_name());
    char log[140];
    struct stat found;

    signal(SIGXFSZ, SIG_IGN);
    snprintf(log, sizeof log, "%s-wal", db_path());
    assert_int_equal(run(file, "INSERT INTO t VALUES(1, 'kept')"), SQLITE_OK);
    assert_int_equal(stat(log, &found), 0);
    limit_files((rlim_t)found.st_size + 5000);
    assert_int_not_equal(
        run(file,
            "BEGIN; INSERT INTO t VALUES(2, 'lost'); INSERT INTO u VALUES(2, 'x');"
            "COMMIT"),
        SQLITE_OK);
    assert_true(store_file_is_full(file));
    limit_files(RLIM_INFINITY);
    run(file, "ROLLBACK"); /* SQLite may have rolled back already */
    assert_int_equal(number_in(file, "SELECT count(*) FROM t"), 1);
    assert_int_equal(recovered("SELECT count(*) FROM t"), 1);
    assert_int_equal(run(file, "INSERT INTO t VALUES(3, 'kept')"), SQLITE_OK);
    assert_int_equal(number_in(file, "SELECT sum(a) FROM t"), 4);
    assert_int_equal(recovered("SELECT sum(a) FROM t"), 4);
    assert_int_equal(sqlite3_close(file), SQLITE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_commit_is_one_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_transaction_reads_what_it_wrote, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_rolls_back, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
