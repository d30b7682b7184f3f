/* Databases that older versions have written. */
#include <fcntl.h>

#include "tests/unit/store_fixture.h"

/* --- Schema 1 --- */

/* A database that a janggid of schema 1 has written: five games, three of them running.
 */
static void copy_schema_1(void)
{
    char bytes[4096];
    int in = open("tests/data/schema1.db", O_RDONLY);
    int out = open(db_path(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t size;

    assert_true(in >= 0 && out >= 0);
    while ((size = read(in, bytes, sizeof bytes)) > 0)
        assert_int_equal(write(out, bytes, (size_t)size), size);
    close(in);
    close(out);
}

/* All rows of a query as text, one number as digest. */
static uint64_t digest_of(const char *path, const char *words)
{
    uint64_t digest = 14695981039346656037u;
    sqlite3_stmt *s;
    sqlite3 *file;

    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            const unsigned char *text = sqlite3_column_text(s, i);

            for (; text != NULL && *text != '\0'; text++)
                digest = (digest ^ *text) * 1099511628211u;
            digest = (digest ^ 1) * 1099511628211u;
        }
    sqlite3_finalize(s);
    sqlite3_close(file);
    return digest;
}

/* The words are those that both schemas understand. */
static void is_as_before(const char *now)
{
    static const char *const words[] = {
        "SELECT game, number, text, wall_s FROM event ORDER BY game, number",
        "SELECT id, is_over, coalesce(red, ''), coalesce(blue, ''),"
        " coalesce(red_shown, ''), coalesce(blue_shown, ''), coalesce(rules, ''),"
        " coalesce(time, ''), coalesce(result, ''), coalesce(reason, ''),"
        " coalesce(plies, 0), coalesce(ended_s, 0) FROM game ORDER BY id",
        "SELECT folded, shown, proof, hex(digest), seen_s FROM name ORDER BY folded",
        "SELECT code, terms, maker, first, made_s, game FROM invite ORDER BY code"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        assert_true(digest_of(now, words[i]) ==
                    digest_of("tests/data/schema1.db", words[i]));
}

static void count_row(void *arg, const struct store_event *event)
{
    (void)arg;
    assert_true(event->is_sound);
    seen_rows++;
}

static void count_name(void *arg, const struct store_name *name)
{
    (void)name;
    ++*(int *)arg;
}

static void count_invite(void *arg, const struct store_invite *invite)
{
    (void)invite;
    ++*(int *)arg;
}

static void is_brought_up_to_date(void)
{
    int names = 0, invites = 0;

    open_store();
    forget();
    assert_true(store_load_running(store, count_row, NULL));
    assert_int_equal(seen_rows, 24 + 6 + 3);
    assert_true(store_load_names(store, count_name, &names));
    assert_true(store_load_invites(store, count_invite, &invites));
    assert_int_equal(names, 3);
    assert_int_equal(invites, 2);
    assert_int_equal(store_next_game(store), 8);
    store_close(store);
    store = NULL;
    is_as_before(db_path());
}

static void an_older_database_is_brought_up_to_date(void **state)
{
    (void)state;
    copy_schema_1();
    is_brought_up_to_date();
    open_store();
    forget();
    append(7, 3, "move 1 red B0-C2");
    run_until(&done_count, 1);
    reopen_store();
    forget();
    assert_true(store_load_running(store, count_row, NULL));
    assert_int_equal(seen_rows, 24 + 6 + 4);
}

static void open_and_end(int report_fd)
{
    (void)report_fd;
    use_shim();
    store = store_open(base, directory);
    _exit(store != NULL ? 1 : 2);
}

/* Is it of the old schema or of the new one, and not of something in between? */
static void is_of_one_schema(void)
{
    static const char words[] =
        "SELECT count(*) FROM sqlite_master WHERE name LIKE '%\\_1' ESCAPE '\\'";
    sqlite3_stmt *s;
    sqlite3 *file;

    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(s, 0), 0);
    sqlite3_finalize(s);
    sqlite3_close(file);
}

/* It ends at its first write, at its second ... until it ends by itself. */
static void a_crash_while_it_is_brought_up_to_date_loses_nothing(void **state)
{
    bool is_through = false;
    int deaths = 0;

    (void)state;
    for (write_dies_at = 1; !is_through; write_dies_at++) {
        int from_child, status;
        pid_t child;

        copy_schema_1();
        child = fork_child(open_and_end, &from_child);
        reports(child, from_child, 0, &status);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
        is_through = WEXITSTATUS(status) == 1;
        deaths += !is_through;
        is_of_one_schema();
        is_as_before(db_path());
        is_brought_up_to_date();
    }
    assert_true(deaths > 10);
    write_dies_at = 1 << 30;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_older_database_is_brought_up_to_date),
        TEST(a_crash_while_it_is_brought_up_to_date_loses_nothing),
    };

    log_set_level(LOG_FATAL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
