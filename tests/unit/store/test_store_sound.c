/* Tests how the store checks data from the disk. It must accept sound data and report
 * damaged data. It uses three checks: the chain of hashes of a log, the seals (hashes)
 * of rows, and the count of events. */
#include "server/database/store_seal.h"
#include "tests/unit/store/store_fixture.h"

/* Stores three games: game 1 is running and has 4 events; game 2 is running; game 3 has
 * ended. */
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
    settle();
    store_close(store);
    store = NULL;
}

/* Changes the database with the SQL `words`; then loading must report `wanted`. */
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

static void sound_events_are_returned(void **state)
{
    damaged_so("SELECT 1", "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
                           "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2);
}

static void a_changed_text_freezes_its_game_from_there(void **state)
{
    damaged_so(
        "UPDATE journal SET text = 'setup red NBBN' WHERE game = 1 AND number = 1",
        "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2);
}

static void a_changed_time_freezes_its_game(void **state)
{
    damaged_so("UPDATE journal SET wall_s = wall_s + 1 WHERE game = 1 AND number = 1",
               "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2);
}

static void a_changed_age_freezes_its_game(void **state)
{
    damaged_so("UPDATE journal SET age_ms = age_ms + 1 WHERE game = 1 AND number = 1",
               "1 0 start red=hong blue=kim\n1 1 DAMAGED\n" GAME_2);
}

static void a_changed_link_freezes_its_game(void **state)
{
    damaged_so("UPDATE journal SET link = zeroblob(16) WHERE game = 1 AND number = 0",
               "1 0 DAMAGED\n" GAME_2);
}

static void an_event_missing_in_the_middle_freezes_its_game(void **state)
{
    damaged_so("DELETE FROM journal WHERE game = 1 AND number = 2",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n1 2 DAMAGED\n" GAME_2);
}

static void an_event_missing_at_the_end_freezes_its_game(void **state)
{
    damaged_so("DELETE FROM journal WHERE game = 1 AND number = 3",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 DAMAGED\n" GAME_2);
}

static void an_event_that_was_another_game_s_freezes_that_one(void **state)
{
    damaged_so("UPDATE journal SET game = 2, number = 1 WHERE game = 1 AND number = 3",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 DAMAGED\n" GAME_2);
}

static void a_log_under_another_number_is_no_game(void **state)
{
    damaged_so("UPDATE journal SET game = 9 WHERE game = 1", "1 0 DAMAGED\n" GAME_2);
    assert_int_equal(store_next_game(store), 4);
}

static void a_game_without_a_row_is_frozen(void **state)
{
    damaged_so("DELETE FROM game WHERE id = 2",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2 "2 1 DAMAGED\n");
}

/* A seal that does not match invalidates the whole row, also the column that says that
 * the game is over. */
static void a_running_game_that_seems_over_is_frozen(void **state)
{
    damaged_so("UPDATE game SET is_over = 1 WHERE id = 2",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2 "2 1 DAMAGED\n");
}

static void an_ended_game_that_seems_to_run_is_over(void **state)
{
    damaged_so("UPDATE game SET is_over = 0 WHERE id = 3",
               "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
               "1 2 setup blue NBNB\n1 3 move 1 red B0-C2\n" GAME_2);
}

/* After the greatest number there would be no number for the next game. */
static void a_number_that_no_game_can_have_is_refused(void **state)
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

static void an_ended_game_is_judged_when_it_is_read(void **state)
{
    play_three();
    execute(
        "UPDATE journal SET text = 'end blue checkmate' WHERE game = 3 AND number = 1");
    open_store();
    read_game(3);
    assert_string_equal(seen, "3 0 start red=hong blue=kim\n3 1 DAMAGED\n");
    assert_int_equal(read_count, 1);
}

static void an_ended_game_is_read_whole_without_its_row(void **state)
{
    play_three();
    execute("DELETE FROM game WHERE id = 3");
    open_store();
    read_game(3);
    assert_string_equal(seen, "3 0 start red=hong blue=kim\n3 1 end red checkmate\n");
}

static void a_long_log_is_judged_across_its_pieces(void **state)
{
    enum { LONG = 600, BAD = 300 };

    open_store();
    forget();
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

/* The negative control: an attacker who computes the digests can write valid rows. The
 * seals protect against a failing disk, not against a forger. */
static void a_forged_row_with_its_digests_is_believed(void **state)
{
    struct store_sealer *sealer = store_sealer_new();
    struct store_event event = {.game = 2, .text = "start red=a blue=c"};
    struct store_game game = {
        .id = 2, .events = 1, .summary = {"", "", "", "", "", "", "", "", 0}};
    struct store_seal link = {0}, seal;
    sqlite3_stmt *s;
    sqlite3 *file;

    play_three();
    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file,
                                        "UPDATE journal SET text = ?1, wall_s = ?2,"
                                        " age_ms = 0, link = ?3 WHERE game = 2",
                                        -1, &s, NULL),
                     SQLITE_OK);
    event.wall_s = mono_wall_s();
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

    snprintf(seen + len, sizeof seen - len, "%lld %s\n", (long long)past->game,
             past->summary.reason);
}

static void history_leaves_out_a_damaged_row(void **state)
{
    open_store();
    forget();
    for (int64_t game = 1; game <= 3; game++) {
        append(game, 0, "start red=hong blue=kim");
        append_end(game, 1, &summary);
    }
    settle();
    store_close(store);
    execute("UPDATE game SET reason = 'time' WHERE id = 2");
    open_store();
    forget();
    store_read_history(store, "hong", 0, 2, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_string_equal(seen, "3 checkmate\n1 checkmate\n");
    assert_int_equal(read_count, 2);
}

static void ignore_name(void *arg, const struct store_name *name)
{
}

static void ignore_invite(void *arg, const struct store_invite *invite)
{
}

static void put_rows(void)
{
    struct store_name hong = {.folded = "hong", .shown = "Hong", .seen_wall_s = 5};
    struct store_invite invite = {
        .code = "K7Q2-9F3M", .terms = "time=none", .maker = "hong", .first = ""};

    open_store();
    forget();
    store_put_name(store, &hong);
    store_put_invite(store, &invite);
    settle();
    assert_true(store_counts(store).commits > 0);
    reopen_store();
    assert_true(store_load_names(store, ignore_name, NULL));
    assert_true(store_load_invites(store, ignore_invite, NULL));
    store_close(store);
    store = NULL;
}

static void a_damaged_name_is_refused(void **state)
{
    put_rows();
    execute("UPDATE name SET digest = randomblob(32)");
    open_store();
    assert_false(store_load_names(store, ignore_name, NULL));
}

/* A change is noticed also in a column that was 0 and therefore not digested. */
static void each_column_of_a_name_is_sealed(void **state)
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
        assert_false(store_load_names(store, ignore_name, NULL));
        tear_down(state);
        set_up(state);
    }
}

static void a_damaged_invitation_is_refused(void **state)
{
    put_rows();
    execute("UPDATE invite SET terms = 'time=5m'");
    open_store();
    assert_false(store_load_invites(store, ignore_invite, NULL));
}

static void ignore_act(void *arg, const struct store_act *act)
{
}

static void ignore_mark(void *arg, const struct store_mark *mark)
{
}

/* A missing act (an action of the staff) is refused too: the seal of each act depends
 * on the act before it, and the ids have no gap. */
static void a_damaged_act_is_refused(void **state)
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
        assert_true(store_load_acts(store, ignore_act, NULL));
        store_close(store);
        execute(damages[i]);
        open_store();
        assert_false(store_load_acts(store, ignore_act, NULL));
        tear_down(state);
        set_up(state);
    }
}

static void a_damaged_mark_is_refused(void **state)
{
    static const char *const damages[] = {
        "UPDATE mark SET owner = 'kim'", "UPDATE mark SET kind = 'block'",
        "UPDATE mark SET subject = 'lee'", "UPDATE mark SET value = '1'"};
    static const struct store_mark mark = {"hong", "ignore", "kim", ""};

    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        open_store();
        store_put_mark(store, &mark);
        store_close(store);
        execute(damages[i]);
        open_store();
        assert_false(store_load_marks(store, ignore_mark, NULL));
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
static void rows_that_disappear_from_the_journal_are_missed(void **state)
{
    play_three();
    lose_last_rows("setup red NBNB", 3); /* loses the last event of game 1, and both
                                          * events of game 3 */
    open_store();
    forget();
    assert_true(store_load_running(store, see_event, NULL));
    assert_string_equal(seen, "1 0 start red=hong blue=kim\n1 1 setup red NBNB\n"
                              "1 2 setup blue NBNB\n1 3 DAMAGED\n" GAME_2);
    assert_int_equal(store_next_game(store), 4);
    read_game(3);
    assert_string_equal(seen, "3 0 DAMAGED\n");
}

static void a_running_game_that_disappears_is_found_by_its_events(void **state)
{
    open_store();
    forget();
    append(1, 0, "start red=hong blue=kim");
    append(2, 0, "start red=a blue=b");
    settle();
    store_close(store);
    execute("PRAGMA writable_schema = 1; DELETE FROM sqlite_master WHERE name ="
            " 'game_running'; PRAGMA writable_schema = 0; VACUUM;"
            "DELETE FROM game WHERE id = 2;"
            "CREATE INDEX game_running ON game(is_over) WHERE is_over = 0");
    open_store();
    forget();
    assert_true(store_load_running(store, see_event, NULL));
    assert_string_equal(seen, "1 0 start red=hong blue=kim\n" GAME_2 "2 1 DAMAGED\n");
}

/* If rows of the table batch are damaged or missing, all events are still there,
 * because the events in the journal are intact. */
static void a_batch_that_is_damaged_costs_no_event(void **state)
{
    static const char *const damages[] = {
        "UPDATE batch SET list = x'0100' WHERE last_id >= 4",
        "UPDATE batch SET seal = zeroblob(16) WHERE last_id = 5",
        "UPDATE batch SET running = 7 WHERE last_id = 6",
        "DELETE FROM batch WHERE last_id = 4",
        "DELETE FROM batch WHERE last_id >= 5",
        "DELETE FROM batch"};

    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        open_store();
        forget();
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
        forget();
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sound_events_are_returned),
        TEST(a_changed_text_freezes_its_game_from_there),
        TEST(a_changed_time_freezes_its_game),
        TEST(a_changed_age_freezes_its_game),
        TEST(a_changed_link_freezes_its_game),
        TEST(an_event_missing_in_the_middle_freezes_its_game),
        TEST(an_event_missing_at_the_end_freezes_its_game),
        TEST(an_event_that_was_another_game_s_freezes_that_one),
        TEST(a_log_under_another_number_is_no_game),
        TEST(a_game_without_a_row_is_frozen),
        TEST(a_running_game_that_seems_over_is_frozen),
        TEST(an_ended_game_that_seems_to_run_is_over),
        TEST(a_number_that_no_game_can_have_is_refused),
        TEST(an_ended_game_is_judged_when_it_is_read),
        TEST(an_ended_game_is_read_whole_without_its_row),
        TEST(a_long_log_is_judged_across_its_pieces),
        TEST(a_forged_row_with_its_digests_is_believed),
        TEST(history_leaves_out_a_damaged_row),
        TEST(a_damaged_name_is_refused),
        TEST(each_column_of_a_name_is_sealed),
        TEST(a_damaged_invitation_is_refused),
        TEST(a_damaged_act_is_refused),
        TEST(a_damaged_mark_is_refused),
        TEST(rows_that_disappear_from_the_journal_are_missed),
        TEST(a_running_game_that_disappears_is_found_by_its_events),
        TEST(a_batch_that_is_damaged_costs_no_event),
    };

    log_set_level(LOG_FATAL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
