/* For how long servers have run on a directory, and which ended games a player has not
 * heard of. */
#include "tests/unit/store_fixture.h"

static void see_past(void *arg, const struct store_past *past)
{
    size_t len = strlen(seen);

    (void)arg;
    snprintf(seen + len, sizeof seen - len, "%lld %s\n", (long long)past->game,
             past->summary.reason);
}

/* --- Age --- */

static void an_age_counts_only_while_a_server_runs(void **state)
{
    (void)state;
    open_store();
    assert_int_equal(store_age_ms(store), 0);
    forget();
    append(1, 0, "start");
    run_until(&done_count, 1);
    stepped_clock_step_ms(200);
    assert_int_equal(store_age_ms(store), 200);
    store_close(store);
    stepped_clock_step_ms(30000);
    open_store();
    assert_int_equal(store_age_ms(store), 200);
    stepped_clock_step_ms(7);
    assert_int_equal(store_age_ms(store), 207);
}

static void append_and_tell_age(int report_fd)
{
    const char *text = "start";
    int64_t age_ms;

    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    stepped_clock_step_ms(200);
    age_ms = store_age_ms(store);
    done_count = 0;
    store_append(store, store_next_game(store), 0, &text, 1, NULL, on_done, NULL);
    run_until(&done_count, 1);
    stepped_clock_step_ms(50); /* of this nothing is on disk */
    if (write(report_fd, &age_ms, sizeof age_ms) != (ssize_t)sizeof age_ms)
        _exit(98);
    pause();
}

static void after_a_crash_an_age_goes_on_from_the_last_event(void **state)
{
    (void)state;
    for (int round = 1; round <= 3; round++) {
        int64_t age_ms;
        int from_child;
        pid_t child = fork_child(append_and_tell_age, &from_child);

        assert_int_equal(read(from_child, &age_ms, sizeof age_ms), sizeof age_ms);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        close(from_child);
        assert_int_equal(age_ms, 200 * round);
    }
    open_store();
    assert_int_equal(store_age_ms(store), 600);
}

static void a_damaged_age_is_that_of_the_last_event(void **state)
{
    (void)state;
    open_store();
    forget();
    append(1, 0, "start");
    run_until(&done_count, 1);
    store_close(store);
    execute("UPDATE age SET age_ms = 1000000000");
    open_store();
    assert_int_equal(store_age_ms(store), 0);
}

/* --- What a player has not heard of --- */

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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_age_counts_only_while_a_server_runs),
        TEST(after_a_crash_an_age_goes_on_from_the_last_event),
        TEST(a_damaged_age_is_that_of_the_last_event),
        TEST(an_end_is_unseen_until_it_was_told),
        TEST(an_end_between_telling_and_dropping_is_not_lost),
        TEST(many_unseen_ends_come_in_pieces),
    };

    log_set_level(LOG_FATAL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
