/* Tests how the store checks data from the disk. It must accept sound data and report
 * damaged data. It uses three checks: the chain of hashes of a log, the seals (hashes)
 * of rows, and the count of events. */
#include "server/store/store_row.h"
#include "tests/unit/store/store_fixture.h"

/* Stores three games: game 1 is running and has 4 events; game 2 is running; game 3 has
 * ended. */
static void play_three(void)
{
    open_store();
    append(1, 0, "start red=hong blue=kim");
    append(2, 0, "start red=a blue=b");
    append(1, 1, "setup red NBNB");
    append(1, 2, "setup blue NBNB");
    append(1, 3, "move 1 red B0-C2");
    append(3, 0, "start red=hong blue=kim");
    append_end(3, 1, &summary);
    settle();
    close_store();
}

/* Changes the database with the SQL `words`; then loading must report `wanted`. */
static void damaged_so(const char *words, const char *wanted)
{
    play_three();
    execute(words);
    open_store();
    assert_true(store_load_running(store, see_event, NULL));
    assert_string_equal(seen, wanted);
}

#define GAME_2 "2 0 start red=a blue=b\n"

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

/* --- Logs --- */

TEST(sound_events_are_returned)
{
    damaged_so("SELECT 1", "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
                           "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2);
}

/* Game 2 is as long as game 1 was, and has not moved since: the row may have been its. */
TEST(a_changed_text_freezes_its_game_from_there)
{
    damaged_so(
        "UPDATE journal SET text = 'setup red NBBN' WHERE game = 1 AND number = 1",
        "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2 "2 1 DAMAGED\n");
}

TEST(a_changed_time_freezes_its_game)
{
    damaged_so("UPDATE journal SET wall_s = wall_s + 1 WHERE game = 1 AND number = 1",
               "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2 "2 1 DAMAGED\n");
}

TEST(a_changed_age_freezes_its_game)
{
    damaged_so("UPDATE journal SET age_ms = age_ms + 1 WHERE game = 1 AND number = 1",
               "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2 "2 1 DAMAGED\n");
}

TEST(a_changed_link_freezes_its_game)
{
    damaged_so("UPDATE journal SET link = zeroblob(16) WHERE game = 1 AND number = 0",
               "1 0 DAMAGED\n" GAME_2);
}

TEST(an_event_missing_in_the_middle_freezes_its_game)
{
    damaged_so("DELETE FROM journal WHERE game = 1 AND number = 2",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n1 2 DAMAGED\n" GAME_2
               "2 1 DAMAGED\n");
}

/* Game 2 has not moved since, so the event may have been its own. */
TEST(an_event_missing_at_the_end_freezes_its_game)
{
    damaged_so("DELETE FROM journal WHERE game = 1 AND number = 3",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 DAMAGED\n" GAME_2 "2 1 DAMAGED\n");
}

/* The row may have been one of game 1, which has lost its last event. */
TEST(an_event_that_was_another_game_s_freezes_that_one)
{
    damaged_so("UPDATE journal SET game = 2 WHERE game = 1 AND number = 3",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 DAMAGED\n" GAME_2 "2 1 DAMAGED\n");
}

TEST(a_log_under_another_number_is_no_game)
{
    damaged_so("UPDATE journal SET game = 9 WHERE game = 1", GAME_2 "9 0 DAMAGED\n");
    assert_int_equal(store_next_game(store), 10);
}

/* After the greatest number there would be no number for the next game. */
TEST(a_number_that_no_game_can_have_is_refused)
{
    play_three();
    execute("UPDATE game SET id = 9223372036854775807 WHERE id = 3");
    assert_null(store_open(base, directory));
}

static void read_game(int64_t game)
{
    forget();
    store_read_game(store, game, see_event, on_read, NULL);
    run_until(&read_done, 1);
}

TEST(an_ended_game_is_judged_when_it_is_read)
{
    play_three();
    execute("UPDATE game SET log = replace(log, 'end red', 'end blue') WHERE id = 3");
    open_store();
    read_game(3);
    assert_string_equal(seen, "3 0 DAMAGED\n");
    assert_int_equal(read_count, 0);
}

TEST(a_long_log_is_judged_across_its_pieces)
{
    enum { LONG = 600, BAD = 300 };

    open_store();
    for (int i = 0; i < LONG; i++)
        append(1, i, "x");
    settle();
    read_game(1);
    assert_int_equal(seen_rows, LONG);
    store_close(store);
    execute("UPDATE journal SET text = 'y' WHERE game = 1 AND number = 300");
    open_store();
    read_game(1);
    assert_int_equal(read_count, BAD);
    assert_int_equal(seen_rows, BAD + 1);
    assert_non_null(strstr(seen, "1 300 DAMAGED"));
}

static void see_past(void *arg, const struct store_past *past)
{
    size_t len = strlen(seen);

    snprintf(seen + len, sizeof seen - len, "%lld %s\n", (long long)past->game,
             past->summary.reason);
}

TEST(history_leaves_out_a_damaged_row)
{
    open_store();
    for (int64_t game = 1; game <= 3; game++) {
        append(game, 0, "start red=hong blue=kim");
        append_end(game, 1, &summary);
    }
    settle();
    store_close(store);
    execute("UPDATE game SET reason = 'time' WHERE id = 2");
    open_store();
    store_read_history(store, "hong", 0, 2, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_string_equal(seen, "3 checkmate\n1 checkmate\n");
    assert_int_equal(read_count, 2);
}

static void ignore_name(void *arg, const void *row)
{
}

static void ignore_invite(void *arg, const void *row)
{
}

static void put_rows(void)
{
    struct store_name hong = {.folded = "hong", .shown = "Hong", .seen_wall_s = 5};
    struct store_invite invite = {
        .code = "K7Q2-9F3M", .terms = "time=none", .maker = "hong", .first = ""};

    open_store();
    store_put(store, STORE_NAME, &hong);
    store_put(store, STORE_INVITE, &invite);
    settle();
    assert_true(store_counts(store).commits > 0);
    reopen_store();
    assert_true(store_load(store, STORE_NAME, ignore_name, NULL));
    assert_true(store_load(store, STORE_INVITE, ignore_invite, NULL));
    close_store();
}

TEST(a_damaged_name_is_refused)
{
    put_rows();
    execute("UPDATE name SET digest = randomblob(32)");
    open_store();
    assert_false(store_load(store, STORE_NAME, ignore_name, NULL));
}

/* A change is noticed also in a column that was 0 and therefore not digested. */
TEST(each_column_of_a_name_is_sealed)
{
    static const char *const damages[] = {
        "UPDATE name SET first_game = 1",    "UPDATE name SET accepted = 1",
        "UPDATE name SET accepted_game = 1", "UPDATE name SET accepted_offer = 1",
        "UPDATE name SET number = 1",        "UPDATE name SET made_s = 1",
        "UPDATE name SET is_fresh = 1"};

    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        put_rows();
        execute(damages[i]);
        open_store();
        assert_false(store_load(store, STORE_NAME, ignore_name, NULL));
        tear_down(state);
        set_up(state);
    }
}

TEST(a_damaged_invitation_is_refused)
{
    put_rows();
    execute("UPDATE invite SET terms = 'time=5m'");
    open_store();
    assert_false(store_load(store, STORE_INVITE, ignore_invite, NULL));
}

static void ignore_act(void *arg, const void *row)
{
}

static void ignore_mark(void *arg, const void *row)
{
}

/* A missing act (an action of the staff) is refused too: the seal of each act depends
 * on the act before it, and the ids have no gap. */
TEST(a_damaged_act_is_refused)
{
    static const char *const damages[] = {
        "UPDATE act SET text = 'kick lee' WHERE id = 2",
        "UPDATE act SET actor = 'lee' WHERE id = 1",
        "UPDATE act SET wall_s = wall_s + 1 WHERE id = 3",
        "DELETE FROM act WHERE id = 2",
        "DELETE FROM act WHERE id = 1; UPDATE act SET id = id - 1",
        "UPDATE act SET seal = (SELECT seal FROM act WHERE id = 1) WHERE id = 3"};

    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        open_store();
        for (int act = 0; act < 3; act++)
            store_append_act(store, 7, "Hong", "kick kim");
        reopen_store();
        assert_true(store_load(store, STORE_ACT, ignore_act, NULL));
        store_close(store);
        execute(damages[i]);
        open_store();
        assert_false(store_load(store, STORE_ACT, ignore_act, NULL));
        tear_down(state);
        set_up(state);
    }
}

TEST(a_damaged_mark_is_refused)
{
    static const char *const damages[] = {
        "UPDATE mark SET owner = 'kim'", "UPDATE mark SET kind = 'block'",
        "UPDATE mark SET subject = 'lee'", "UPDATE mark SET value = '1'"};
    static const struct store_mark mark = {"hong", "ignore", "kim", ""};

    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        open_store();
        store_put(store, STORE_MARK, &mark);
        store_close(store);
        execute(damages[i]);
        open_store();
        assert_false(store_load(store, STORE_MARK, ignore_mark, NULL));
        tear_down(state);
        set_up(state);
    }
}

/* Lowers the number of cells in a leaf page by `count`, so that SQLite does not see the
 * last rows of the page. Takes the first leaf of the database file that contains
 * `bytes`. */
static void lose_last_rows(const char *bytes, int count)
{
    enum { PAGE = 4096, CELLS = 4 };
    static unsigned char file[4 << 20];
    FILE *db = fopen(db_path(), "r+b");
    size_t size = fread(file, 1, sizeof file, db), at;

    for (at = PAGE; at < size; at += PAGE)
        if ((file[at] == 0x0d || file[at] == 0x0a) && file[at + CELLS] > count &&
            memmem(file + at, PAGE, bytes, strlen(bytes)) != NULL)
            break;
    assert_true(at < size);
    file[at + CELLS] = (unsigned char)(file[at + CELLS] - count);
    fseek(db, (long)at + CELLS, SEEK_SET);
    assert_int_equal(fwrite(file + at + CELLS, 1, 1, db), 1);
    fclose(db);
}

/* SQLite returns the remaining rows and reports no error. */
TEST(rows_that_disappear_from_the_journal_are_missed)
{
    play_three();
    lose_last_rows("setup red NBNB", 3); /* loses the last event of game 1, and both
                                          * events of game 3 */
    open_store();
    assert_true(store_load_running(store, see_event, NULL));
    assert_string_equal(seen,
                        "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
                        "1 2 setup blue NBNB\n1 3 DAMAGED\n" GAME_2 "2 1 DAMAGED\n");
    assert_int_equal(store_next_game(store), 4);
    read_game(3);
    assert_string_equal(seen, "3 0 start red=hong blue=kim\n3 1 end red checkmate\n");
}

/* If the head is damaged or missing, all events are still there, because the events in the
 * journal are intact. */
TEST(a_head_that_is_damaged_costs_no_event)
{
    static const char *const damages[] = {"UPDATE head SET last_seq = 4",
                                          "UPDATE head SET seal = zeroblob(16)",
                                          "DELETE FROM head"};

    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        open_store();
        append(1, 0, "start red=hong blue=kim");
        append(2, 0, "start red=a blue=b");
        settle();
        append(1, 1, "setup red NBNB");
        settle();
        append(2, 1, "setup red NBNB");
        settle();
        append_end(1, 2, &summary);
        settle();
        append(3, 0, "start red=a blue=b");
        settle();
        store_close(store);
        execute(damages[i]);
        open_store();
        assert_true(store_load_running(store, see_event, NULL));
        assert_string_equal(seen, "2 0 start red=a blue=b\n2 1 setup red NBNB\n"
                                  "3 0 start red=a blue=b\n");
        assert_int_equal(store_next_game(store), 4);
        forget();
        append(2, 2, "setup blue NBNB");
        append(4, 0, "start red=a blue=b");
        settle();
        reopen_store();
        read_game(2);
        assert_int_equal(read_count, 3);
        assert_null(strstr(seen, "DAMAGED"));
        read_game(1);
        assert_int_equal(read_count, 3);
        tear_down(state);
        set_up(state);
    }
}

UNIT_MAIN(unit_be_quiet, NULL)
