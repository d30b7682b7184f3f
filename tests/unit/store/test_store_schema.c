/* Tests with databases that older versions have written. */
#include <fcntl.h>

#include "server/store/store_audit.h"
#include "server/store/store_schema.h"
#include "tests/unit/store/store_fixture.h"

/* --- Databases of older schemas --- */

/* A database that an older janggid has written, and its content. */
struct older {
    const char *path;
    int schema, running_events, names, devices, invites;
    int64_t next_game;
    const char *unseen; /* players who may not have seen the end of a game, by their
                         * folded names */
    const char *sound;  /* a condition in SQL: which games are not damaged */
};
static const struct older schema_3 = {.path = "tests/data/schema3.db",
                                      .schema = 3,
                                      .running_events = 2,
                                      .names = 3,
                                      .devices = 1,
                                      .invites = 1,
                                      .next_game = 5,
                                      .unseen = "kim\nhong\n",
                                      .sound = "game > 0"};
/* Game 1 has ended and is in both tables, 2 runs, 3 is adjourned, 4 runs and is damaged from
 * event 4 on, 5 has ended and is damaged from event 3 on, 6 has lost its last event. */
static const struct older schema_6 = {
    .path = "tests/data/schema6.db", .schema = 6, .sound = "game <= 3"};

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
static uint64_t digest_of(sqlite3 *file, const char *words)
{
    uint64_t digest = 14695981039346656037u;
    sqlite3_stmt *s;

    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            const unsigned char *text = sqlite3_column_text(s, i);

            for (; text != NULL && *text != '\0'; text++)
                digest = (digest ^ *text) * 1099511628211u;
            digest = (digest ^ 1) * 1099511628211u;
        }
    sqlite3_finalize(s);
    return digest;
}

/* The events of all games that are sound, by game and number. */
static uint64_t digest_of_events(sqlite3 *file, const char *sound)
{
    static const char *const words[] = {
        [STORE_SCHEMA_0_1_0] = "SELECT game, number, text FROM event WHERE %s"
                               " ORDER BY game, number",
        [STORE_SCHEMA_LAST] =
            "SELECT game, number, text FROM event WHERE %s UNION SELECT"
            " game, number, text FROM journal WHERE %s ORDER BY 1, 2",
        [STORE_SCHEMA] =
            "WITH RECURSIVE line(game, number, text, rest) AS (SELECT id, -1, '', log"
            " FROM game UNION ALL SELECT game, number + 1, substr(rest, 1, instr(rest,"
            " char(10)) - 1), substr(rest, instr(rest, char(10)) + 1) FROM line"
            " WHERE rest <> '') SELECT game, number, text FROM line WHERE number >= 0"
            " AND %s UNION SELECT game, number, text FROM journal WHERE %s ORDER BY 1, "
            "2"};
    char sql[800];

    snprintf(sql, sizeof sql, words[query_number(file, "PRAGMA user_version")], sound,
             sound);
    return digest_of(file, sql);
}

/* Compares the migrated database, or one that was not migrated, with the older one. */
static void is_as_before(const struct older *older)
{
    static const char *const queries[] = {
        "SELECT id, events, age_ms, ended_s, red, blue, red_shown, blue_shown, rules, "
        "time,"
        " result, reason, plies FROM game WHERE is_over = 1 ORDER BY id",
        "SELECT folded, shown, proof, hex(digest), seen_s, hex(seal) FROM name"
        " ORDER BY folded",
        "SELECT code, terms, maker, first, made_s, game FROM invite ORDER BY code",
        "SELECT id, name, game FROM unseen ORDER BY id",
        "SELECT folded, hex(digest), proof, since_s, hex(seal) FROM device"
        " ORDER BY folded, digest"};
    sqlite3 *now, *before;

    assert_int_equal(sqlite3_open(db_path(), &now), SQLITE_OK);
    assert_int_equal(sqlite3_open(older->path, &before), SQLITE_OK);
    for (size_t i = 0; i < ARRAY_LEN(queries); i++)
        assert_true(digest_of(now, queries[i]) == digest_of(before, queries[i]));
    assert_true(digest_of_events(now, older->sound) ==
                digest_of_events(before, older->sound));
    sqlite3_close(now);
    sqlite3_close(before);
}

static void count_row(void *arg, const struct store_event *event)
{
    assert_true(event->is_sound);
    seen_rows++;
}

/* Counts a name, and checks that its row tells nothing about its owner: older schemas
 * do not distinguish the owners of a name. */
static void count_name(void *arg, const void *row)
{
    const struct store_name *name = row;
    assert_int_equal(name->first_game, 0);
    assert_int_equal(name->accepted.number, 0);
    assert_int_equal(name->number, 0);
    assert_int_equal(name->made_wall_s, 0);
    assert_false(name->is_fresh); /* so the name does not expire */
    ++*(int *)arg;
}

static void count_device(void *arg, const void *row)
{
    ++*(int *)arg;
}

static void count_invite(void *arg, const void *row)
{
    ++*(int *)arg;
}

static void see_folded(void *arg, const void *row)
{
    const char *folded = ((const struct store_unseen *)row)->folded;
    size_t len = strlen(seen);

    snprintf(seen + len, sizeof seen - len, "%s\n", folded);
}

static void is_brought_up_to_date(const struct older *older)
{
    int names = 0, devices = 0, invites = 0;

    open_store();
    assert_true(store_load_running(store, count_row, NULL));
    assert_int_equal(seen_rows, older->running_events);
    assert_true(store_load(store, STORE_NAME, count_name, &names));
    assert_true(store_load(store, STORE_DEVICE, count_device, &devices));
    assert_true(store_load(store, STORE_INVITE, count_invite, &invites));
    assert_int_equal(names, older->names);
    assert_int_equal(devices, older->devices);
    assert_int_equal(invites, older->invites);
    assert_true(store_load(store, STORE_UNSEEN, see_folded, NULL));
    assert_string_equal(seen, older->unseen);
    assert_int_equal(store_next_game(store), older->next_game);
    close_store();
    is_as_before(older);
}

static void keep_name(void *arg, const void *row)
{
    const struct store_name *name = row;
    if (strcmp(name->folded, "hong") == 0)
        *(struct store_accept *)arg = name->accepted;
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

/* The migrated database also accepts new data. */
TEST(schema_3_is_brought_up_to_date)
{
    struct store_name hong = {.folded = "hong",
                              .shown = "hong",
                              .accepted = {.number = 14, .game = 3, .is_offer = true}};
    struct store_accept accepted;

    copy_older(&schema_3);
    is_brought_up_to_date(&schema_3);
    open_store();
    store_put(store, STORE_NAME, &hong);
    assert_int_equal(store_next_number(store), 1);
    reopen_store();
    assert_int_equal(store_next_number(store), 2);
    reopen_store();
    assert_true(store_load(store, STORE_NAME, keep_name, &accepted));
    assert_int_equal(accepted.number, 14);
    assert_int_equal(accepted.game, 3);
    assert_true(accepted.is_offer);
}

/* Schemas 1, 2, 4 and 5 were never released; 7 is newer than this program. */
TEST(other_schemas_are_refused)
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

static void see_rating(void *arg, const void *row)
{
    ++*(int *)arg;
}

TEST(a_damaged_rating_is_not_read)
{
    const struct store_rating rating = {
        .seq = 1, .pool = "kja", .game = 1, .account = {1, 2}, .why = ""};
    int ratings = 0;

    open_store();
    store_put(store, STORE_RATING, &rating);
    close_store();
    execute("UPDATE rating SET blue = 3");
    open_store();
    assert_false(store_load(store, STORE_RATING, see_rating, &ratings));
    assert_int_equal(ratings, 0);
}

/* The number of the newest game is not given to another game, even if the newest game
 * was deleted after the migration. */
TEST(a_number_from_before_is_not_given_again)
{
    copy_older(&schema_3);
    is_brought_up_to_date(&schema_3);
    execute("DELETE FROM game WHERE id = (SELECT max(id) FROM game)");
    open_store();
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

/* Migrates the database in one child after another. The first child ends at its first
 * write, the second child at its second write, and so on, until a child completes the
 * migration. Returns how many children did not complete the migration. */
static int die_at_each_write(const struct older *older,
                             void (*check)(const struct older *older))
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
        is_as_before(older);
        check(older);
    }
    write_dies_at = 1 << 30;
    return deaths;
}

TEST(a_crash_while_schema_3_is_brought_up_to_date_loses_nothing)
{
    assert_true(die_at_each_write(&schema_3, is_brought_up_to_date) > 3);
}

static void keep_game(void *arg, const struct store_event *event)
{
    char *out = arg;

    sprintf(out + strlen(out), "%lld.%d%s ", (long long)event->game, event->number,
            event->is_sound ? "" : "!");
}

/* The last event of each game in the text of keep_game(). */
static void ends_are(const char *all, const char *wanted)
{
    char ends[200] = "", *at = ends;

    for (const char *word = all, *next; *word != '\0'; word = next) {
        next = strchr(word, ' ') + 1;
        if (*next == '\0' || strtoll(next, NULL, 10) != strtoll(word, NULL, 10))
            at += sprintf(at, "%.*s", (int)(next - word), word);
    }
    assert_string_equal(ends, wanted);
}

static void schema_6_is_brought(const struct older *older)
{
    static char all[1 << 14];

    open_store();
    all[0] = '\0';
    assert_true(store_load_running(store, keep_game, all));
    ends_are(all, "2.10 3.7 4.4! 6.3! ");
    for (int game = 1; game <= 5; game += 4) {
        all[0] = '\0';
        read_done = 0;
        store_read_game(store, game, keep_game, on_read, all);
        run_until(&read_done, 1);
        ends_are(all, game == 1 ? "1.44 " : "5.3! ");
    }
    assert_int_equal(store_next_game(store), 7);
    append(2, 11, "move 9 red A3-A4");
    settle();
    reopen_store();
    all[0] = '\0';
    assert_true(store_load_running(store, keep_game, all));
    ends_are(all, "2.11 3.7 4.4! 6.3! ");
    close_store();
}

TEST(schema_6_is_brought_up_to_date)
{
    copy_older(&schema_6);
    open_store();
    close_store();
    is_as_before(&schema_6);
    assert_int_equal(number_of("PRAGMA user_version"), STORE_SCHEMA);
    schema_6_is_brought(&schema_6);
}

TEST(a_crash_while_schema_6_is_brought_up_to_date_loses_nothing)
{
    assert_true(die_at_each_write(&schema_6, schema_6_is_brought) > 3);
}

/* In schema 3, rows have seals and the events of a log have a chain of hashes. verify
 * must not say that the database has no such check data. */
TEST(verify_says_which_version_can_judge_an_older_database)
{
    char why[STORE_WHY_BYTES];

    copy_older(&schema_3);
    assert_null(store_audit_open(db_path(), why));
    assert_non_null(
        strstr(why, "an older janggid made it; verify it with that version"));
}

UNIT_MAIN(unit_be_quiet, NULL)
