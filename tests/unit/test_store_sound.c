/* What the store believes of what a disk gives back, and what it says of the rest: the
 * chain of a log, the seals of rows, the count of events, an older schema. */
#include <fcntl.h>

#include "server/store_seal.h"
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

/* --- Logs ------------------------------------------------------------------------ */

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
        .id = 2, .events = 1, .summary = {"", "", "", "", "", "", "", "", 0, {0}}
    };
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

/* --- Rows ------------------------------------------------------------------------- */

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

/* --- Age ----------------------------------------------------------------------------
 */

enum { WHILE_MS = 200 };

static void an_age_counts_only_while_a_server_runs(void **state)
{
    int64_t began_ms, before_ms, after_ms;

    (void)state;
    open_store();
    forget();
    began_ms = mono_now_ms();
    append(1, 0, "start");
    run_until(&done_count, 1);
    usleep(1000 * (useconds_t)WHILE_MS);
    before_ms = store_age_ms(store);
    assert_true(before_ms >= WHILE_MS);
    store_close(store);
    usleep(1000 * (useconds_t)WHILE_MS);
    open_store();
    after_ms = store_age_ms(store);
    assert_true(after_ms >= before_ms);
    assert_true(after_ms <= mono_now_ms() - began_ms - WHILE_MS);
}

static void append_and_tell_age(int report_fd)
{
    const char *text = "start";
    int64_t age_ms;

    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    usleep(1000 * (useconds_t)WHILE_MS);
    age_ms = store_age_ms(store);
    done_count = 0;
    store_append(store, store_next_game(store), 0, &text, 1, NULL, on_done, NULL);
    run_until(&done_count, 1);
    if (write(report_fd, &age_ms, sizeof age_ms) != (ssize_t)sizeof age_ms)
        _exit(98);
    pause();
}

static void after_a_crash_an_age_goes_on_from_the_last_event(void **state)
{
    int64_t last_ms = 0;

    (void)state;
    for (int round = 0; round < 3; round++) {
        int64_t age_ms;
        int from_child;
        pid_t child = fork_child(append_and_tell_age, &from_child);

        assert_int_equal(read(from_child, &age_ms, sizeof age_ms), sizeof age_ms);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        close(from_child);
        assert_true(age_ms >= last_ms + WHILE_MS);
        last_ms = age_ms;
    }
    open_store();
    assert_true(store_age_ms(store) >= last_ms);
}

static void a_damaged_age_is_that_of_the_last_event(void **state)
{
    (void)state;
    play_three();
    execute("UPDATE age SET age_ms = 1000000000");
    open_store();
    assert_true(store_age_ms(store) < 1000000);
}

/* --- What a player has not heard of
 * ------------------------------------------------------
 */

static int64_t last_mark;

static void see_unseen(void *arg, const struct store_past *past)
{
    assert_true(past->mark > last_mark);
    last_mark = past->mark;
    see_past(arg, past);
}

static void end_unseen(int64_t game, const char *red, const char *blue, bool by_red,
                       bool by_blue)
{
    struct store_summary s = summary;

    s.red = red;
    s.blue = blue;
    s.is_unseen[SIDE_RED] = by_red;
    s.is_unseen[SIDE_BLUE] = by_blue;
    append(game, 0, "start");
    append_end(game, 1, &s);
}

static void read_unseen(const char *folded)
{
    forget();
    last_mark = 0;
    store_read_unseen(store, folded, see_unseen, on_read, NULL);
    run_until(&read_done, 1);
}

static void see_folded(void *arg, const char *folded)
{
    size_t len = strlen(seen);

    (void)arg;
    snprintf(seen + len, sizeof seen - len, "%s\n", folded);
}

static void an_end_is_unseen_until_it_was_told(void **state)
{
    (void)state;
    open_store();
    end_unseen(7, "hong", "kim", true, false);
    end_unseen(3, "park", "hong", false, true);
    end_unseen(4, "hong", "kim", false, false);
    end_unseen(5, "kim", "hong", true, true);
    read_unseen("hong");
    assert_string_equal(seen, "7 checkmate\n3 checkmate\n5 checkmate\n");
    reopen_store();
    forget();
    assert_true(store_load_unseen(store, see_folded, NULL));
    assert_string_equal(seen, "hong\nkim\n");
    read_unseen("kim");
    assert_string_equal(seen, "5 checkmate\n");
    read_unseen("park");
    assert_int_equal(read_count, 0);
}

/* Also when the last row goes, whose number might be given out again. */
static void an_end_between_telling_and_dropping_is_not_lost(void **state)
{
    (void)state;
    open_store();
    end_unseen(1, "hong", "kim", true, false);
    end_unseen(2, "hong", "kim", true, true);
    read_unseen("hong");
    assert_int_equal(read_count, 2);
    end_unseen(3, "hong", "kim", true, false);
    store_drop_unseen(store, "hong", last_mark);
    read_unseen("hong");
    assert_string_equal(seen, "3 checkmate\n");
    store_drop_unseen(store, "hong", last_mark);
    end_unseen(4, "hong", "kim", true, false);
    store_drop_unseen(store, "hong", last_mark); /* told twice */
    read_unseen("hong");
    assert_string_equal(seen, "4 checkmate\n");
    read_unseen("kim");
    assert_string_equal(seen, "2 checkmate\n");
}

static void many_unseen_ends_come_in_pieces(void **state)
{
    (void)state;
    open_store();
    for (int64_t game = 1; game <= STORE_UNSEEN_MAX + 5; game++)
        end_unseen(game, "hong", "kim", true, false);
    read_unseen("hong");
    assert_int_equal(read_count, STORE_UNSEEN_MAX);
    store_drop_unseen(store, "hong", last_mark);
    read_unseen("hong");
    assert_int_equal(read_count, 5);
}

/* --- Schema 1
 * --------------------------------------------------------------------------
 */

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
        reports(child, from_child, &status);
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
        TEST(a_damaged_invitation_is_refused),
        TEST(a_row_that_an_index_has_lost_is_refused),
        TEST(an_age_counts_only_while_a_server_runs),
        TEST(after_a_crash_an_age_goes_on_from_the_last_event),
        TEST(a_damaged_age_is_that_of_the_last_event),
        TEST(an_end_is_unseen_until_it_was_told),
        TEST(an_end_between_telling_and_dropping_is_not_lost),
        TEST(many_unseen_ends_come_in_pieces),
        TEST(an_older_database_is_brought_up_to_date),
        TEST(a_crash_while_it_is_brought_up_to_date_loses_nothing),
    };

    log_set_level(LOG_FATAL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
