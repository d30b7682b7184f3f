/* Tests with databases that older versions have written. */
#include <fcntl.h>

#include "server/database/store_schema.h"
#include "server/store/store_audit.h"
#include "tests/unit/store/store_fixture.h"

/* --- Databases of older schemas --- */

/* A database that an older janggid has written, and its content. */
struct older {
    const char *path;
    int schema, running_events, names, devices, invites;
    int64_t next_game;
    const char *unseen; /* players who may not have seen the end of a game, by their
                         * folded names */
};
static const struct older schema_3 = {.path = "tests/data/schema3.db",
                                      .schema = 3,
                                      .running_events = 2,
                                      .names = 3,
                                      .devices = 1,
                                      .invites = 1,
                                      .next_game = 5,
                                      .unseen = "hong\nkim\n"};

static void copy_older(const struct older *older)
{
    char bytes[4096];
    int in = open(older->path, O_RDONLY);
    int out = open(db_path(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t size;

    assert_true(in >= 0 && out >= 0);
    while ((size = read(in, bytes, sizeof bytes)) > 0)
        assert_int_equal(write(out, bytes, (size_t)size), size);
    close(in);
    close(out);
}

/* Computes one digest of the texts of all rows of a query. */
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

/* Compares the migrated database with the older one. Each query is valid in the older
 * schema too. */
static void is_as_before(const struct older *older)
{
    static const struct {
        int since;
        const char *words;
    } queries[] = {
        {1, "SELECT game, number, text, wall_s FROM event ORDER BY game, number"},
        {1, "SELECT id, is_over, coalesce(red, ''), coalesce(blue, ''),"
            " coalesce(red_shown, ''), coalesce(blue_shown, ''), coalesce(rules, ''),"
            " coalesce(time, ''), coalesce(result, ''), coalesce(reason, ''),"
            " coalesce(plies, 0), coalesce(ended_s, 0) FROM game ORDER BY id"},
        {1, "SELECT folded, shown, proof, hex(digest), seen_s FROM name"
            " ORDER BY folded"},
        {1, "SELECT code, terms, maker, first, made_s, game FROM invite ORDER BY code"},
        {2, "SELECT game, number, hex(chain), age_ms FROM event ORDER BY game, number"},
        {2, "SELECT id, events, age_ms, hex(seal) FROM game ORDER BY id"},
        {2, "SELECT folded, hex(seal) FROM name ORDER BY folded"},
        {2, "SELECT id, name, game FROM unseen ORDER BY id"},
        {3, "SELECT folded, hex(digest), proof, since_s, hex(seal) FROM device"
            " ORDER BY folded"},
        {5, "SELECT id, game, number, text, wall_s, age_ms, hex(link) FROM journal"
            " ORDER BY id"},
        {5, "SELECT last_id, last_game, running, hex(list), hex(seal) FROM batch"
            " WHERE last_id <= (SELECT max(id) FROM journal) ORDER BY last_id"},
        {5, "SELECT owner, kind, subject, value, hex(seal) FROM mark ORDER BY 1, 2, 3"},
        {5, "SELECT folded, number, made_s, is_fresh FROM name ORDER BY folded"}};

    for (size_t i = 0; i < ARRAY_LEN(queries); i++)
        if (queries[i].since <= older->schema)
            assert_true(digest_of(db_path(), queries[i].words) ==
                        digest_of(older->path, queries[i].words));
}

static void count_row(void *arg, const struct store_event *event)
{
    assert_true(event->is_sound);
    seen_rows++;
}

/* Counts a name, and checks that its row tells nothing about its owner: older schemas
 * do not distinguish the owners of a name. */
static void count_name(void *arg, const struct store_name *name)
{
    assert_int_equal(name->first_game, 0);
    assert_int_equal(name->accepted.number, 0);
    assert_int_equal(name->number, 0);
    assert_int_equal(name->made_wall_s, 0);
    assert_false(name->is_fresh); /* so the name does not expire */
    ++*(int *)arg;
}

static void count_device(void *arg, const struct store_device *device)
{
    ++*(int *)arg;
}

static void count_invite(void *arg, const struct store_invite *invite)
{
    ++*(int *)arg;
}

static void see_folded(void *arg, const char *folded)
{
    size_t len = strlen(seen);

    snprintf(seen + len, sizeof seen - len, "%s\n", folded);
}

static void is_brought_up_to_date(const struct older *older)
{
    int names = 0, devices = 0, invites = 0;

    open_store();
    forget();
    assert_true(store_load_running(store, count_row, NULL));
    assert_int_equal(seen_rows, older->running_events);
    assert_true(store_load_names(store, count_name, &names));
    assert_true(store_load_devices(store, count_device, &devices));
    assert_true(store_load_invites(store, count_invite, &invites));
    assert_int_equal(names, older->names);
    assert_int_equal(devices, older->devices);
    assert_int_equal(invites, older->invites);
    assert_true(store_load_unseen(store, see_folded, NULL));
    assert_string_equal(seen, older->unseen);
    assert_int_equal(store_next_game(store), older->next_game);
    store_close(store);
    store = NULL;
    is_as_before(older);
}

static void keep_name(void *arg, const struct store_name *name)
{
    if (strcmp(name->folded, "hong") == 0)
        *(struct store_accept *)arg = name->accepted;
}

/* The migrated database also accepts new data. */
static void schema_3_is_brought_up_to_date(void **state)
{
    struct store_name hong = {.folded = "hong",
                              .shown = "hong",
                              .accepted = {.number = 14, .game = 3, .is_offer = true}};
    struct store_accept accepted;

    copy_older(&schema_3);
    is_brought_up_to_date(&schema_3);
    open_store();
    store_put_name(store, &hong);
    assert_int_equal(store_next_number(store), 1);
    reopen_store();
    assert_int_equal(store_next_number(store), 2);
    reopen_store();
    assert_true(store_load_names(store, keep_name, &accepted));
    assert_int_equal(accepted.number, 14);
    assert_int_equal(accepted.game, 3);
    assert_true(accepted.is_offer);
}

/* Schemas 1, 2, 4 and 5 were never released; 7 is newer than this program. */
static void other_schemas_are_refused(void **state)
{
    for (int schema = 1; schema <= STORE_SCHEMA + 1; schema++) {
        char words[40];

        if (store_schema_is_known(schema))
            continue;
        copy_older(&schema_3);
        snprintf(words, sizeof words, "PRAGMA user_version = %d", schema);
        execute(words);
        assert_null(store_open(base, directory));
        assert_true(size_of_file("janggid.db-wal") <= 0); /* left unchanged */
    }
}

static void see_rating(void *arg, const struct store_rating *rating)
{
    ++*(int *)arg;
}

static void a_damaged_rating_is_not_read(void **state)
{
    const struct store_rating rating = {
        .seq = 1, .pool = "kja", .game = 1, .account = {1, 2}, .why = ""};
    int ratings = 0;

    open_store();
    store_put_rating(store, &rating);
    store_close(store);
    store = NULL;
    execute("UPDATE rating SET blue = 3");
    open_store();
    assert_false(store_load_ratings(store, see_rating, &ratings));
    assert_int_equal(ratings, 0);
}

/* The number of the newest game is not given to another game, even if the newest game
 * was deleted after the migration. */
static void a_number_from_before_is_not_given_again(void **state)
{
    copy_older(&schema_3);
    is_brought_up_to_date(&schema_3);
    execute("DELETE FROM event WHERE game = (SELECT max(id) FROM game)");
    execute("DELETE FROM game WHERE id = (SELECT max(id) FROM game)");
    open_store();
    forget();
    assert_true(store_load_running(store, count_row, NULL));
    assert_int_equal(store_next_game(store), schema_3.next_game);
}

/* --- A crash meanwhile --- */

static void open_and_end(int report_fd)
{
    use_shim();
    store = store_open(base, directory);
    _exit(store != NULL ? 1 : 2);
}

/* Checks that the database has the old schema or the new one, and is not partly
 * migrated. */
static void is_of_one_schema(const struct older *older)
{
    static const char words[] =
        "SELECT (SELECT count(*) FROM sqlite_master WHERE name LIKE '%\\_1' ESCAPE "
        "'\\'),"
        " (SELECT count(*) FROM pragma_table_info('name') WHERE name = 'first_game') ="
        " (SELECT count(*) FROM pragma_table_info('age') WHERE name = 'number') AND"
        " (SELECT count(*) FROM sqlite_master WHERE name = 'act') ="
        " (SELECT count(*) FROM sqlite_master WHERE name = 'mark'),"
        " user_version FROM pragma_user_version";
    sqlite3_stmt *s;
    sqlite3 *file;

    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(s, 0), 0);
    assert_int_equal(sqlite3_column_int(s, 1), 1);
    assert_true(sqlite3_column_int(s, 2) == older->schema ||
                sqlite3_column_int(s, 2) == STORE_SCHEMA);
    sqlite3_finalize(s);
    sqlite3_close(file);
}

/* Migrates the database in one child after another. The first child ends at its first
 * write, the second child at its second write, and so on, until a child completes the
 * migration. Returns how many children did not complete the migration. */
static int die_at_each_write(const struct older *older)
{
    bool is_through = false;
    int deaths = 0;

    for (write_dies_at = 1; !is_through; write_dies_at++) {
        int from_child, status;
        pid_t child;

        copy_older(older);
        child = fork_child(open_and_end, &from_child);
        reports(child, from_child, 0, &status);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
        is_through = WEXITSTATUS(status) == 1;
        deaths += !is_through;
        is_of_one_schema(older);
        is_as_before(older);
        is_brought_up_to_date(older);
    }
    write_dies_at = 1 << 30;
    return deaths;
}

static void a_crash_while_schema_3_is_brought_up_to_date_loses_nothing(void **state)
{
    assert_true(die_at_each_write(&schema_3) > 3);
}

/* --- The list of tables, for copies --- */

static void every_column_is_in_the_list(void **state)
{
    sqlite3 *file;
    sqlite3_stmt *s;
    int columns = 0;

    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &file), SQLITE_OK);
    assert_true(store_schema_bring(file, 0));
    assert_int_equal(
        sqlite3_prepare_v2(file,
                           "SELECT m.name, c.name FROM sqlite_master AS m,"
                           " pragma_table_info(m.name) AS c WHERE m.type = 'table'",
                           -1, &s, NULL),
        SQLITE_OK);
    for (; sqlite3_step(s) == SQLITE_ROW; columns++)
        if (!store_data_has_column((const char *)sqlite3_column_text(s, 0),
                                   (const char *)sqlite3_column_text(s, 1), true))
            fail_msg("%s.%s is not copied", sqlite3_column_text(s, 0),
                     sqlite3_column_text(s, 1));
    assert_in_range(columns, 60, 1000);
    sqlite3_finalize(s);
    sqlite3_close(file);
}

static int count_words(const char *list)
{
    int words = list[0] != '\0';

    for (; *list != '\0'; list++)
        words += *list == ',';
    return words;
}

static void the_list_agrees_with_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < store_data_tables_count; i++) {
        const struct store_table *t = &store_data_tables[i];

        if (t->columns == NULL)
            continue;
        assert_int_equal(count_words(t->columns), strlen(t->types));
        assert_in_range(strlen(t->types), 1, STORE_COLUMNS_MAX);
        if (t->sqlite_columns != NULL)
            assert_int_equal(count_words(t->sqlite_columns), strlen(t->types));
    }
    assert_true(store_data_has_column("event", "chain", true));
    assert_false(store_data_has_column("event", "chain", false));
    assert_false(store_data_has_column("event", "tex", true));
    assert_false(store_data_has_column("tournament", "id", true));
}

/* In schema 3, rows have seals and the events of a log have a chain of hashes. verify
 * must not say that the database has no such check data. */
static void verify_says_which_version_can_judge_an_older_database(void **state)
{
    char why[STORE_WHY_BYTES];

    copy_older(&schema_3);
    assert_null(store_audit_open(db_path(), why));
    assert_non_null(
        strstr(why, "an older janggid made it; verify it with that version"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(schema_3_is_brought_up_to_date),
        TEST(other_schemas_are_refused),
        TEST(a_damaged_rating_is_not_read),
        TEST(a_number_from_before_is_not_given_again),
        TEST(a_crash_while_schema_3_is_brought_up_to_date_loses_nothing),
        TEST(verify_says_which_version_can_judge_an_older_database),
        TEST(every_column_is_in_the_list),
        TEST(the_list_agrees_with_itself),
    };

    log_set_level(LOG_FATAL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
