/* Tests of the journal: rows of ended games are removed from its front, rows of running
 * games move to its end, and nothing of that changes a log. Also tests deleted games and
 * games whose player is renamed. */
#include "server/store/store_audit.h"
#include "server/store/store_db.h"
#include "tests/unit/store/store_fixture.h"

enum { LONG = 500, LONG_GAMES = 15, RUNNING = 1, MIXED = 2, FIRST_LONG = 3 };

static struct store_db *db;

static void open_db(void)
{
    const struct store_place place = {.directory = directory};
    struct store_survey survey;

    db = store_db_open(&place);
    assert_non_null(db);
    assert_true(store_db_survey(db, &survey));
}

static void close_db(void)
{
    store_db_close(db);
    db = NULL;
}

static void commit(struct store_batch batch)
{
    struct store_write write = {.kind = STORE_WRITE_EVENTS, .events = batch};

    write.events.wall_s = mono_wall_s();
    assert_true(store_db_begin(db, false));
    assert_true(store_db_put(db, &write));
    assert_true(store_db_commit(db));
}

static void put(int64_t game, int number, const char *text)
{
    commit(
        (struct store_batch){.game = game, .first = number, .count = 1, .texts = text});
}

/* Stores a game of LONG events, the last of which is the end. */
static void put_long(int64_t game)
{
    static char texts[LONG * 16], log[LONG * 16];
    char *at = texts, *line = log;

    for (int i = 0; i < LONG; i++) {
        char *text = at;

        at += snprintf(at, 16, i < LONG - 1 ? "event %d" : "end x", i) + 1;
        line += sprintf(line, "%s\n", text);
    }
    commit((struct store_batch){.game = game,
                                .count = LONG,
                                .texts = texts,
                                .has_summary = true,
                                .summary = summary,
                                .log = log});
}

/* Stores a running game, a game that continues later, and ended games. */
static void fill_journal(void)
{
    open_db();
    put(RUNNING, 0, "start red=hong blue=kim");
    put(MIXED, 0, "start red=a blue=b");
    put(RUNNING, 1, "setup red NBNB");
    for (int i = 0; i < LONG_GAMES; i++)
        put_long(FIRST_LONG + i);
}

static void trim_all(void)
{
    for (int steps = 0; store_db_has_chores(db, true); steps++) {
        assert_true(steps < 1000);
        assert_true(store_db_chores(db, true));
    }
}

static void read_game(int64_t game)
{
    forget();
    store_read_game(store, game, see_event, on_read, NULL);
    run_until(&read_done, 1);
}

static void running_is(const char *wanted)
{
    open_store();
    assert_true(store_load_running(store, see_event, NULL));
    assert_string_equal(seen, wanted);
}

#define RUNNING_LOG "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

TEST(a_trim_changes_no_log)
{
    fill_journal();
    assert_true(store_db_has_chores(db, true));
    trim_all();
    put(RUNNING, 2, "setup blue NBNB");
    put(MIXED, 1, "setup red NBNB");
    close_db();
    assert_in_range(number_of("SELECT count(*) FROM journal"), 4, 6000);
    assert_int_equal(
        number_of("SELECT min(seq) = first_seq AND max(seq) = last_seq AND"
                  " max(seq) - min(seq) + 1 = count(*) FROM journal, head"),
        1);
    running_is(RUNNING_LOG "1 2 setup blue NBNB\n2 0 start red=a blue=b\n"
                           "2 1 setup red NBNB\n");
    for (int game = FIRST_LONG; game < FIRST_LONG + LONG_GAMES; game += 7) {
        read_game(game);
        assert_int_equal(read_count, LONG);
        assert_non_null(strstr(seen, " 499 end x\n"));
    }
    assert_int_equal(store_next_game(store), FIRST_LONG + LONG_GAMES);
}

/* Event 2 stays where it is when the earlier ones move behind it. */
TEST(a_game_of_which_a_part_was_moved_keeps_its_order)
{
    fill_journal();
    put(RUNNING, 2, "setup blue NBNB");
    close_db();
    open_db(); /* with nothing added since, a step handles only the front */
    assert_true(store_db_chores(db, true));
    close_db();
    assert_int_equal(
        number_of("SELECT number FROM journal WHERE game = 1 ORDER BY seq LIMIT 1"), 2);
    running_is(RUNNING_LOG "1 2 setup blue NBNB\n2 0 start red=a blue=b\n");
}

/* A write may end the process at any time: all logs are there, each row once. */
static void trim_and_die(int report_fd)
{
    use_shim();
    open_db();
    trim_all();
    _exit(1);
}

TEST(a_crash_while_it_is_trimmed_loses_nothing)
{
    char command[600];
    int steps = 0;

    fill_journal();
    close_db();
    snprintf(command, sizeof command, "cp %s %s/copy.db", db_path(), directory);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "cp %s/copy.db %s; rm -f %s-wal", directory,
             db_path(), db_path());
    for (bool is_through = false; !is_through; steps++, write_dies_at += 1 + steps) {
        int from_child, status;
        pid_t child;

        if (steps == 0)
            write_dies_at = 1;
        assert_int_equal(system(command), 0);
        child = fork_child(trim_and_die, &from_child);
        reports(child, from_child, 0, &status);
        is_through = WEXITSTATUS(status) == 1;
        running_is(RUNNING_LOG "2 0 start red=a blue=b\n");
        read_game(FIRST_LONG);
        assert_int_equal(read_count, LONG);
        close_store();
    }
    write_dies_at = 1 << 30;
    assert_true(steps > 5);
}

/* A trim would hide that an event is missing: the journal stays as it is. */
TEST(a_damaged_journal_is_not_trimmed)
{
    int64_t rows;

    fill_journal();
    close_db();
    execute("DELETE FROM journal WHERE game = 1 AND number = 1");
    rows = number_of("SELECT count(*) FROM journal");
    open_db();
    assert_false(store_db_has_chores(db, true));
    close_db();
    running_is("1 0 start red=hong blue=kim\n1 1 DAMAGED\n2 0 start red=a blue=b\n"
               "2 1 DAMAGED\n");
    close_store();
    assert_int_equal(number_of("SELECT count(*) FROM journal"), rows);
    /* found by the trim itself */
    open_db();
    db->is_damaged = false;
    trim_all();
    assert_true(db->is_damaged);
    close_db();
    assert_int_equal(number_of("SELECT count(*) FROM journal"), rows);
}

static void on_damage(void *arg, const char *what, const char *which, const char *why)
{
    assert_string_equal(what, "head");
    ++*(int *)arg;
}

static void on_event(void *arg, const struct store_event *event)
{
}

static void on_game(void *arg, const struct store_game *row, enum store_row row_state)
{
}

static void on_row(void *arg, enum store_kind kind, const void *row)
{
}

static int audit(void)
{
    static const struct store_audit_calls calls = {on_event, on_game, on_row,
                                                   on_damage};
    char why[STORE_WHY_BYTES];
    struct store_audit *audit = store_audit_open(db_path(), why);
    int damages = 0;

    assert_non_null(audit);
    assert_true(store_audit_run(audit, &calls, &damages));
    store_audit_close(audit);
    return damages;
}

TEST(a_lost_game_is_noticed)
{
    fill_journal();
    close_db();
    assert_int_equal(audit(), 0);
    execute("DELETE FROM game WHERE id = 7");
    assert_int_equal(audit(), 1);
}

TEST(a_deleted_game_stays_deleted)
{
    fill_journal();
    close_db();
    open_store();
    store_prune_game(store, FIRST_LONG, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 1);
    forget();
    store_prune_game(store, RUNNING, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 0);
    close_store();
    running_is(RUNNING_LOG "2 0 start red=a blue=b\n");
    read_game(FIRST_LONG);
    assert_int_equal(read_count, 0);
    assert_string_equal(seen, "");
    close_store();
    assert_int_equal(audit(), 0);
}

/* A name is in no row and in no log after it was replaced, also of rows that wait to be
 * trimmed; those of other players and earlier games keep theirs. */
TEST(a_renamed_player_is_in_no_game)
{
    struct store_summary other = summary;
    int damaged;

    open_store();
    for (int game = 1; game <= 4; game++) {
        append(game, 0,
               game != 3 ? "start red=HONG blue=kim rules=martin time=10m+5s"
                         : "start red=hongi blue=kim rules=hong");
        other.red = other.red_shown = game != 3 ? "hong" : "hongi";
        append_end(game, 1, &other);
    }
    append(5, 0, "start red=lee blue=kim");
    reopen_store();
    assert_int_equal(store_rename(store, "hong", "player-9", 2, &damaged), 2);
    assert_int_equal(damaged, 0);
    read_game(2);
    assert_string_equal(seen,
                        "2 0 start red=player-9 blue=kim rules=martin time=10m+5s\n"
                        "2 1 end red checkmate\n");
    read_game(1);
    assert_non_null(strstr(seen, "HONG"));
    close_store();
    assert_int_equal(number_of("SELECT count(*) FROM game WHERE red = 'hong'"
                               " OR log GLOB '*red=HONG*'"),
                     1);
    assert_int_equal(number_of("SELECT count(*) FROM journal WHERE text LIKE '%hong%'"),
                     0);
    assert_int_equal(audit(), 0);
    running_is("5 0 start red=lee blue=kim\n");
}

UNIT_MAIN(unit_be_quiet, NULL)
