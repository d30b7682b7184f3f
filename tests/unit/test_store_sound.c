/* What the store believes of what a disk gives back, and what it says of the rest: the
 * chain of a log, the seals of rows, the count of events. */
#include "server/store/store_seal.h"
#include "tests/unit/store_fixture.h"

/* Game 1 runs and has 4 events; game 2 runs; game 3 is over. */
static void play_three(void)
{
    open_store();
    forget();
    append(1, 0, "start red=hong blue=kim");
    append(2, 0, "start red=a blue=b");
    append(1, 1, "setup red NBNB");
    append(1, 2, "setup blue NBNB");
    append(1, 3, "move 1 red B0-C2");
    append(3, 0, "start red=hong blue=kim");
    append_end(3, 1, &summary);
    run_until(&done_count, 7);
    store_close(store);
    store = NULL;
}

/* After words have been done to the database, loading sees wanted. */
static void damaged_so(const char *words, const char *wanted)
{
    play_three();
    execute(words);
    open_store();
    forget();
    assert_true(store_load_running(store, see_event, NULL));
    assert_string_equal(seen, wanted);
}

#define GAME_2 "2 0 start red=a blue=b\n"

/* --- Logs --- */

static void what_is_sound_is_given(void **state)
{
    (void)state;
    damaged_so("SELECT 1", "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
                           "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2);
}

static void a_changed_text_freezes_its_game_from_there(void **state)
{
    (void)state;
    damaged_so("UPDATE event SET text = 'setup red NBBN' WHERE game = 1 AND number = 1",
               "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2);
}

static void a_changed_time_freezes_its_game(void **state)
{
    (void)state;
    damaged_so("UPDATE event SET wall_s = wall_s + 1 WHERE game = 1 AND number = 1",
               "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2);
}

static void a_changed_age_freezes_its_game(void **state)
{
    (void)state;
    damaged_so("UPDATE event SET age_ms = age_ms + 1 WHERE game = 1 AND number = 1",
               "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2);
}

static void a_changed_link_freezes_its_game(void **state)
{
    (void)state;
    damaged_so("UPDATE event SET chain = zeroblob(16) WHERE game = 1 AND number = 0",
               "1 0 DAMAGED\n" GAME_2);
}

static void an_event_missing_in_the_middle_freezes_its_game(void **state)
{
    (void)state;
    damaged_so("DELETE FROM event WHERE game = 1 AND number = 2",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n1 2 DAMAGED\n" GAME_2);
}

static void an_event_missing_at_the_end_freezes_its_game(void **state)
{
    (void)state;
    damaged_so("DELETE FROM event WHERE game = 1 AND number = 3",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 DAMAGED\n" GAME_2);
}

static void an_event_too_many_freezes_its_game(void **state)
{
    (void)state;
    damaged_so("UPDATE event SET game = 2, number = 1 WHERE game = 1 AND number = 3",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 DAMAGED\n" GAME_2 "2 1 DAMAGED\n");
}

static void a_log_under_another_number_is_no_game(void **state)
{
    (void)state;
    damaged_so("UPDATE event SET game = 9 WHERE game = 1",
               "1 0 DAMAGED\n" GAME_2 "9 0 DAMAGED\n");
    assert_int_equal(store_next_game(store), 10);
}

static void a_game_without_a_row_is_frozen(void **state)
{
    (void)state;
    damaged_so("DELETE FROM game WHERE id = 2",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2 "2 1 DAMAGED\n");
}

/* A seal that does not fit makes all of its row doubtful: also that it is over. */
static void a_running_game_that_seems_over_is_frozen(void **state)
{
    (void)state;
    damaged_so("UPDATE game SET is_over = 1 WHERE id = 2",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2 "2 1 DAMAGED\n");
}

static void an_ended_game_that_seems_to_run_is_over(void **state)
{
    (void)state;
    damaged_so("UPDATE game SET is_over = 0 WHERE id = 3",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2);
}

static void read_game(int64_t game)
{
    forget();
    store_read_game(store, game, see_event, on_read, NULL);
    run_until(&read_done, 1);
}

static void an_ended_game_is_judged_when_it_is_read(void **state)
{
    (void)state;
    play_three();
    execute(
        "UPDATE event SET text = 'end blue checkmate' WHERE game = 3 AND number = 1");
    open_store();
    read_game(3);
    assert_string_equal(seen, "3 0 start red=hong blue=kim\n3 1 DAMAGED\n");
    assert_int_equal(read_count, 1);
}

static void an_ended_game_is_read_whole_without_its_row(void **state)
{
    (void)state;
    play_three();
    execute("DELETE FROM game WHERE id = 3");
    open_store();
    read_game(3);
    assert_string_equal(seen, "3 0 start red=hong blue=kim\n3 1 end red checkmate\n");
}

static void a_long_log_is_judged_across_its_pieces(void **state)
{
    enum { LONG = 600, BAD = 300 };

    (void)state;
    open_store();
    forget();
    for (int i = 0; i < LONG; i++)
        append(1, i, "x");
    run_until(&done_count, LONG);
    read_game(1);
    assert_int_equal(seen_rows, LONG);
    store_close(store);
    execute("UPDATE event SET text = 'y' WHERE game = 1 AND number = 300");
    open_store();
    read_game(1);
    assert_int_equal(read_count, BAD);
    assert_int_equal(seen_rows, BAD + 1);
    assert_non_null(strstr(seen, "1 300 DAMAGED"));
}

/* The control: whoever can compute a digest can write what is believed. It guards
 * against a disk, and the tests above would not see a forger either. */
static void a_forged_row_with_its_digests_is_believed(void **state)
{
    struct store_sealer *sealer = store_sealer_new();
    struct store_event event = {.game = 2, .text = "start red=a blue=c"};
    struct store_game game = {
        .id = 2, .events = 1, .summary = {"", "", "", "", "", "", "", "", 0}};
    struct store_seal link = {0}, seal;
    sqlite3_stmt *s;
    sqlite3 *file;

    (void)state;
    play_three();
    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file,
                                        "UPDATE event SET text = ?1, wall_s = ?2,"
                                        " age_ms = 0, chain = ?3 WHERE game = 2",
                                        -1, &s, NULL),
                     SQLITE_OK);
    event.wall_s = wall_now_s();
    store_seal_event(sealer, &link, &event);
    sqlite3_bind_text(s, 1, event.text, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, event.wall_s);
    sqlite3_bind_blob(s, 3, link.bytes, STORE_SEAL_BYTES, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    store_seal_game(sealer, &seal, &game);
    assert_int_equal(
        sqlite3_prepare_v2(file, "UPDATE game SET age_ms = 0, seal = ?1 WHERE id = 2",
                           -1, &s, NULL),
        SQLITE_OK);
    sqlite3_bind_blob(s, 1, seal.bytes, STORE_SEAL_BYTES, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    sqlite3_close(file);
    store_sealer_free(sealer);
    open_store();
    forget();
    assert_true(store_load_running(store, see_event, NULL));
    assert_non_null(strstr(seen, "2 0 start red=a blue=c\n"));
    assert_null(strstr(seen, "DAMAGED"));
}

/* --- Rows --- */

static void see_past(void *arg, const struct store_past *past)
{
    size_t len = strlen(seen);

    (void)arg;
    snprintf(seen + len, sizeof seen - len, "%lld %s\n", (long long)past->game,
             past->summary.reason);
}

static void history_leaves_out_a_damaged_row(void **state)
{
    (void)state;
    open_store();
    forget();
    for (int64_t game = 1; game <= 3; game++) {
        append(game, 0, "start red=hong blue=kim");
        append_end(game, 1, &summary);
    }
    run_until(&done_count, 6);
    store_close(store);
    execute("UPDATE game SET reason = 'time' WHERE id = 2");
    open_store();
    forget();
    store_read_history(store, "hong", 2, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_string_equal(seen, "3 checkmate\n1 checkmate\n");
    assert_int_equal(read_count, 2);
}

static void ignore_name(void *arg, const struct store_name *name)
{
    (void)arg;
    (void)name;
}

static void ignore_invite(void *arg, const struct store_invite *invite)
{
    (void)arg;
    (void)invite;
}

static void put_rows(void)
{
    struct store_name hong = {.folded = "hong", .shown = "Hong", .seen_wall_s = 5};
    struct store_invite invite = {
        .code = "K7Q2-9F3M", .terms = "time=none", .maker = "hong", .first = ""};

    open_store();
    forget();
    store_put_name(store, &hong, on_done, NULL);
    store_put_invite(store, &invite, on_done, NULL);
    run_until(&done_count, 2);
    assert_true(store_counts(store).commits > 0);
    reopen_store();
    assert_true(store_load_names(store, ignore_name, NULL));
    assert_true(store_load_invites(store, ignore_invite, NULL));
    store_close(store);
    store = NULL;
}

static void a_damaged_name_is_refused(void **state)
{
    (void)state;
    put_rows();
    execute("UPDATE name SET digest = randomblob(32)");
    open_store();
    assert_false(store_load_names(store, ignore_name, NULL));
}

/* Also one that was 0 and therefore not digested. */
static void each_column_of_a_name_is_sealed(void **state)
{
    static const char *const damages[] = {
        "UPDATE name SET first_game = 1", "UPDATE name SET accepted = 1",
        "UPDATE name SET accepted_game = 1", "UPDATE name SET accepted_offer = 1"};

    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        put_rows();
        execute(damages[i]);
        open_store();
        assert_false(store_load_names(store, ignore_name, NULL));
        tear_down(state);
        set_up(state);
    }
}

static void a_damaged_invitation_is_refused(void **state)
{
    (void)state;
    put_rows();
    execute("UPDATE invite SET terms = 'time=5m'");
    open_store();
    assert_false(store_load_invites(store, ignore_invite, NULL));
}

static void a_row_that_an_index_has_lost_is_refused(void **state)
{
    (void)state;
    play_three();
    execute("PRAGMA writable_schema = 1;"
            "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master"
            " WHERE name = 'game_blue') WHERE name = 'game_red'");
    errno = 0;
    assert_null(store_open(base, directory));
    assert_int_not_equal(errno, 0);
    assert_int_not_equal(errno, EBUSY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_sound_is_given),
        TEST(a_changed_text_freezes_its_game_from_there),
        TEST(a_changed_time_freezes_its_game),
        TEST(a_changed_age_freezes_its_game),
        TEST(a_changed_link_freezes_its_game),
        TEST(an_event_missing_in_the_middle_freezes_its_game),
        TEST(an_event_missing_at_the_end_freezes_its_game),
        TEST(an_event_too_many_freezes_its_game),
        TEST(a_log_under_another_number_is_no_game),
        TEST(a_game_without_a_row_is_frozen),
        TEST(a_running_game_that_seems_over_is_frozen),
        TEST(an_ended_game_that_seems_to_run_is_over),
        TEST(an_ended_game_is_judged_when_it_is_read),
        TEST(an_ended_game_is_read_whole_without_its_row),
        TEST(a_long_log_is_judged_across_its_pieces),
        TEST(a_forged_row_with_its_digests_is_believed),
        TEST(history_leaves_out_a_damaged_row),
        TEST(a_damaged_name_is_refused),
        TEST(each_column_of_a_name_is_sealed),
        TEST(a_damaged_invitation_is_refused),
        TEST(a_row_that_an_index_has_lost_is_refused),
    };

    log_set_level(LOG_FATAL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
