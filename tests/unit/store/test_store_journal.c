/* Tests of the journal, and of the table to which old logs are moved (parked). Also
 * tests the trimming of the journal, and deleted games. */
#include "server/database/store_fetch.h"
#include "server/database/store_journal.h"
#include "server/database/store_rows.h"
#include "server/store/store_patrol.h"
#include "tests/unit/store/store_fixture.h"

enum { LONG = 500, LONG_GAMES = 230, RUNNING = 1, MIXED = 2, FIRST_LONG = 3 };

/* --- Without a thread: a step at a time --- */

static struct store_db *db;

static void open_db(void)
{
    int64_t last;
    struct store_age age;

    db = store_db_open(directory);
    assert_non_null(db);
    assert_true(store_fetch_survey(db, &last, &age));
}

static void close_db(void)
{
    store_db_close(db);
    db = NULL;
}

static void commit(const struct store_batch *batch)
{
    assert_true(store_rows_run(db, STORE_BEGIN));
    assert_true(store_db_put_events(db, batch));
    assert_true(store_db_commit(db));
}

static void put(int64_t game, int number, const char *text)
{
    struct store_batch batch = {.game = game,
                                .first = number,
                                .count = 1,
                                .wall_s = mono_wall_s(),
                                .texts = text};

    commit(&batch);
}

/* Stores a game of LONG events, the last of which is the end. */
static void put_long(int64_t game)
{
    static char texts[LONG * 16];
    struct store_batch batch = {.game = game,
                                .count = LONG,
                                .wall_s = mono_wall_s(),
                                .texts = texts,
                                .has_summary = true,
                                .summary = summary};
    char *at = texts;

    for (int i = 0; i < LONG - 1; i++)
        at += snprintf(at, 16, "event %d", i) + 1;
    strcpy(at, "end x");
    commit(&batch);
}

/* Stores games, the oldest first: a running game, a game that continues later, and
 * ended games. */
static void fill_journal(void)
{
    open_db();
    put(RUNNING, 0, "start red=hong blue=kim");
    put(MIXED, 0, "start red=a blue=b");
    put(RUNNING, 1, "setup red NBNB");
    for (int i = 0; i < LONG_GAMES; i++)
        put_long(FIRST_LONG + i);
}

static void park_all(void)
{
    for (int steps = 0; store_journal_is_long(db, true); steps++) {
        assert_true(steps < 1000);
        assert_true(store_journal_park(db));
    }
}

static int64_t number_of(const char *words)
{
    sqlite3_stmt *s = NULL;
    sqlite3 *file;
    int64_t number;

    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    number = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(file);
    return number;
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
    forget();
    assert_true(store_load_running(store, see_event, NULL));
    assert_string_equal(seen, wanted);
}

/* --- Parking --- */

#define RUNNING_LOG "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"

static void old_games_are_parked_and_the_rest_stays(void **state)
{
    fill_journal();
    assert_true(store_journal_is_long(db, true));
    park_all();
    close_db();
    assert_true(number_of("SELECT count(*) FROM event") >= 2 + 1 + 9 * LONG);
    assert_true(number_of("SELECT count(*) FROM journal") <= 100000 + 100000 / 16);
    assert_true(number_of("SELECT min(id) FROM journal") > 3);
    assert_true(number_of("SELECT count(*) FROM batch") <= 107000 / LONG + 2);
    running_is(RUNNING_LOG "2 0 start red=a blue=b\n");
    for (int64_t game = FIRST_LONG; game < FIRST_LONG + LONG_GAMES; game += 20) {
        read_game(game);
        assert_int_equal(read_count, LONG);
        assert_null(strstr(seen, "DAMAGED"));
    }
}

/* When a server starts, it finds the rows of a batch by the number of its last
 * event. */
static void a_batch_has_the_number_of_its_last_event(void **state)
{
    (void)state;
    open_db();
    put_long(FIRST_LONG);
    put(RUNNING, 0, "start red=hong blue=kim");
    close_db();
    assert_int_equal(number_of("SELECT max(id) FROM journal"), LONG + 1);
    assert_int_equal(number_of("SELECT count(*) FROM batch WHERE last_id = 500"), 1);
    assert_int_equal(number_of("SELECT max(last_id) FROM batch"), LONG + 1);
}

/* Four new games of 500 events are added before each step. The step parks rows (copies
 * them to the table of old events) and removes parked rows. It removes more rows than
 * were added, so the journal becomes shorter. */
static void parking_keeps_pace_with_large_transactions(void **state)
{
    int64_t rows, before;

    fill_journal();
    assert_true(store_journal_park(db));
    before = db->tail->now.last_id - store_tail_first_id(db->tail);
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 4; j++)
            put_long(FIRST_LONG + LONG_GAMES + 4 * i + j);
        assert_true(store_journal_park(db));
    }
    rows = db->tail->now.last_id - store_tail_first_id(db->tail);
    assert_true(rows < before);
    close_db();
}

static void a_parked_game_goes_on_in_the_journal(void **state)
{
    fill_journal();
    park_all();
    put(MIXED, 1, "setup red NBNB");
    put(MIXED, 2, "setup blue NBNB");
    close_db();
    running_is(RUNNING_LOG "2 0 start red=a blue=b\n2 1 setup red NBNB\n"
                           "2 2 setup blue NBNB\n");
    forget();
    append(MIXED, 3, "move 1 red B0-C2");
    append_end(RUNNING, 2, &summary);
    settle();
    reopen_store();
    read_game(RUNNING);
    assert_string_equal(seen, RUNNING_LOG "1 2 end red checkmate\n");
    read_game(MIXED);
    assert_int_equal(read_count, 4);
}

/* Tests the state after a kill between two steps. The first step parks rows: it copies
 * the rows to the table of old events. The second step removes these rows from the
 * journal. */
static void parked_rows_that_are_still_in_the_journal_are_ignored(void **state)
{
    fill_journal();
    assert_true(store_journal_park(db));
    close_db();
    assert_int_equal(number_of("SELECT count(*) FROM event WHERE game = 1"), 2);
    assert_int_equal(number_of("SELECT count(*) FROM journal WHERE game = 1"), 2);
    running_is(RUNNING_LOG "2 0 start red=a blue=b\n");
    read_game(FIRST_LONG);
    assert_int_equal(read_count, LONG);
}

static void a_parked_event_that_is_missing_freezes_its_game(void **state)
{
    fill_journal();
    park_all();
    close_db();
    execute("DELETE FROM event WHERE game = 1 AND number = 1;"
            "DELETE FROM event WHERE game = 3 AND number = 499");
    running_is("1 0 start red=hong blue=kim\n1 1 DAMAGED\n2 0 start red=a blue=b\n");
    read_game(FIRST_LONG);
    assert_int_equal(read_count, LONG - 1);
    assert_non_null(strstr(seen, "3 499 DAMAGED"));
}

/* At first, a row of the table batch lists the missing event. That row is removed when
 * the game is parked. From then on, only the row of the game shows the damage: its
 * column `events` says how many events the game must have. */
static void a_damaged_game_is_still_frozen_when_it_is_parked(void **state)
{
    fill_journal();
    close_db();
    execute("DELETE FROM journal WHERE game = 1 AND number = 1");
    open_db();
    park_all();
    close_db();
    assert_int_equal(number_of("SELECT events FROM game WHERE id = 1"), 2);
    running_is("1 0 start red=hong blue=kim\n1 1 DAMAGED\n2 0 start red=a blue=b\n");
}

/* --- The end of a damaged game --- */

static void end_damaged(int64_t game)
{
    struct store_batch batch = {.game = game,
                                .first = STORE_AFTER_DAMAGE,
                                .count = 1,
                                .wall_s = mono_wall_s(),
                                .texts = "end none host",
                                .has_summary = true,
                                .summary = summary};

    commit(&batch);
}

/* Checks that the log is still damaged at the same event, and that the game is not
 * running any more. */
static void check_ended(int events)
{
    char words[80];

    snprintf(words, sizeof words,
             "SELECT events = %d AND is_over FROM game WHERE id = 1", events);
    assert_int_equal(number_of(words), 1);
    running_is("2 0 start red=a blue=b\n");
    read_game(RUNNING);
    assert_string_equal(seen, "1 0 start red=hong blue=kim\n1 1 DAMAGED\n");
}

static void a_damaged_game_is_ended(void **state)
{
    open_db();
    put(RUNNING, 0, "start red=hong blue=kim");
    put(MIXED, 0, "start red=a blue=b");
    put(RUNNING, 1, "setup red NBNB");
    put(RUNNING, 2, "setup blue NBNB");
    close_db();
    execute("UPDATE journal SET text = 'x' WHERE game = 1 AND number = 1");
    open_db();
    end_damaged(RUNNING);
    close_db();
    check_ended(4);
}

/* The end event must not get the number of the missing event, because the log would
 * then seem to be whole. */
static void a_parked_game_without_its_last_event_is_ended(void **state)
{
    fill_journal();
    park_all();
    close_db();
    execute("DELETE FROM event WHERE game = 1 AND number = 1");
    open_db();
    end_damaged(RUNNING);
    close_db();
    check_ended(3);
}

static void a_game_whose_row_is_lost_is_ended(void **state)
{
    open_db();
    put(RUNNING, 0, "start red=hong blue=kim");
    put(MIXED, 0, "start red=a blue=b");
    put(RUNNING, 1, "setup red NBNB");
    close_db();
    execute("DELETE FROM game WHERE id = 1;"
            "UPDATE journal SET text = 'x' WHERE game = 1 AND number = 1");
    open_db();
    end_damaged(RUNNING);
    close_db();
    check_ended(3);
}

/* --- The patrol --- */

static struct store_patrol walk(void)
{
    struct store_patrol patrol = {0};

    open_db();
    for (int steps = 0; !patrol.is_done; steps++) {
        assert_true(steps < 100);
        store_patrol_step(&patrol, db);
    }
    close_db();
    return patrol;
}

static void a_patrol_passes_each_game_once(void **state)
{
    struct store_patrol patrol;

    patrol = walk();
    assert_int_equal(patrol.games, 0);
    open_db();
    put(1, 0, "start red=hong blue=kim");
    put_long(2);
    put(9, 0, "start red=a blue=b");
    close_db();
    patrol = walk();
    assert_int_equal(patrol.games, 3);
    assert_int_equal(patrol.damaged, 0);
    execute("UPDATE game SET reason = 'time' WHERE id = 2;"
            "UPDATE journal SET text = 'x' WHERE game = 9");
    patrol = walk();
    assert_int_equal(patrol.games, 3);
    assert_int_equal(patrol.damaged, 2);
}

/* --- Rollback --- */

static void a_transaction_that_is_undone_leaves_no_memory(void **state)
{
    struct store_batch batch = {.game = 1, .first = 1, .count = 1, .texts = "x"};

    open_db();
    put(1, 0, "start red=a blue=b");
    assert_true(store_rows_run(db, STORE_BEGIN));
    assert_true(store_db_put_events(db, &batch));
    batch.first = 0;
    batch.game = 2;
    assert_true(store_db_put_events(db, &batch));
    assert_true(store_rows_run(db, STORE_ROLLBACK));
    store_tail_rollback(db->tail);
    assert_int_equal(db->tail->now.last_id, 1);
    assert_int_equal(db->tail->now.running, 1);
    assert_null(store_tail_find(db->tail, 2));
    put(1, 1, "setup red NBNB");
    close_db();
    running_is("1 0 start red=a blue=b\n1 1 setup red NBNB\n");
}

/* --- Pruning --- */

static void end_aborted(int64_t game, int number)
{
    struct store_batch batch = {.game = game,
                                .first = number,
                                .count = 1,
                                .wall_s = 1,
                                .texts = "end none aborted by=red",
                                .has_summary = true,
                                .summary = summary};

    batch.summary.result = "none";
    batch.summary.reason = "aborted by=red";
    commit(&batch);
}

static void prune(int wanted)
{
    int pruned;

    assert_true(store_rows_run(db, STORE_BEGIN));
    assert_true(store_db_prune(db, 100, 0, &pruned));
    assert_true(store_db_commit(db));
    assert_int_equal(pruned, wanted);
}

static void a_pruned_game_leaves_the_journal_too(void **state)
{
    open_db();
    put(1, 0, "start red=a blue=b");
    put(2, 0, "start red=hong blue=kim");
    put(3, 0, "start red=hong blue=kim");
    end_aborted(2, 1);
    assert_non_null(store_tail_find(db->tail, 2));
    prune(1);
    assert_null(store_tail_find(db->tail, 2));
    prune(0);
    close_db();
    assert_int_equal(number_of("SELECT (SELECT count(*) FROM journal WHERE game = 2)"
                               " + (SELECT count(*) FROM unseen)"),
                     0);
    running_is("1 0 start red=a blue=b\n3 0 start red=hong blue=kim\n");
    read_game(2);
    assert_int_equal(read_count, 0);
}

/* After a game was pruned (deleted), the table batch still lists its events until the
 * journal is trimmed. */
static void a_pruned_game_is_not_damaged_after_a_restart(void **state)
{
    open_db();
    put(1, 0, "start red=a blue=b");
    put(2, 0, "start red=hong blue=kim");
    put(3, 0, "start red=hong blue=kim");
    end_aborted(2, 1);
    prune(1);
    close_db();
    open_db();
    assert_null(store_tail_find(db->tail, 2));
    assert_non_null(store_tail_find(db->tail, 3));
    close_db();
    open_store();
    read_game(2);
    assert_string_equal(seen, "");
    assert_int_equal(read_count, 0);
}

/* If the index of running games has more or fewer games than expected, a start reads
 * all games. */
static void a_doubtful_start_does_not_report_a_pruned_game(void **state)
{
    open_db();
    put(1, 0, "start red=a blue=b");
    put(2, 0, "start red=hong blue=kim");
    put(3, 0, "start red=hong blue=kim");
    end_aborted(2, 1);
    prune(1);
    close_db();
    execute("UPDATE game SET is_over = 1 WHERE id = 1");
    running_is("1 0 start red=a blue=b\n1 1 DAMAGED\n3 0 start red=hong blue=kim\n");
}

static void a_parked_game_is_pruned(void **state)
{
    fill_journal();
    end_aborted(MIXED, 1);
    park_all();
    prune(1);
    close_db();
    running_is(RUNNING_LOG);
    read_game(FIRST_LONG);
    assert_int_equal(read_count, LONG);
}

/* The last batch contains the number of the last game, so the store knows that number
 * even if the game was deleted. */
static void a_number_is_not_given_again_when_its_game_is_gone(void **state)
{
    open_db();
    put(7, 0, "start red=a blue=b");
    end_aborted(7, 1);
    close_db();
    execute("DELETE FROM game; DELETE FROM journal; DELETE FROM unseen");
    running_is("");
    assert_int_equal(store_next_game(store), 8);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(old_games_are_parked_and_the_rest_stays),
        TEST(a_batch_has_the_number_of_its_last_event),
        TEST(parking_keeps_pace_with_large_transactions),
        TEST(a_parked_game_goes_on_in_the_journal),
        TEST(parked_rows_that_are_still_in_the_journal_are_ignored),
        TEST(a_parked_event_that_is_missing_freezes_its_game),
        TEST(a_damaged_game_is_still_frozen_when_it_is_parked),
        TEST(a_damaged_game_is_ended),
        TEST(a_parked_game_without_its_last_event_is_ended),
        TEST(a_game_whose_row_is_lost_is_ended),
        TEST(a_patrol_passes_each_game_once),
        TEST(a_transaction_that_is_undone_leaves_no_memory),
        TEST(a_pruned_game_leaves_the_journal_too),
        TEST(a_pruned_game_is_not_damaged_after_a_restart),
        TEST(a_doubtful_start_does_not_report_a_pruned_game),
        TEST(a_parked_game_is_pruned),
        TEST(a_number_is_not_given_again_when_its_game_is_gone),
    };

    log_set_level(LOG_FATAL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
