/* Tests of three things that the store keeps: the total time for which servers have run
 * on a directory; the numbers that it gives out, each only once; and for each player
 * the ended games whose end the player may not have seen. */
#include "tests/unit/store/store_fixture.h"

static void see_past(void *arg, const struct store_past *past)
{
    size_t len = strlen(seen);

    snprintf(seen + len, sizeof seen - len, "%lld %s\n", (long long)past->game,
             past->summary.reason);
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

/* --- Age --- */

TEST(an_age_counts_only_while_a_server_runs)
{
    open_store();
    assert_int_equal(store_age_ms(store), 0);
    forget();
    append(1, 0, "start");
    settle();
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
    store_append(store, store_next_game(store), 0, &text, 1, NULL);
    settle();
    stepped_clock_step_ms(50); /* these 50 ms are not on disk */
    if (write(report_fd, &age_ms, sizeof age_ms) != (ssize_t)sizeof age_ms)
        _exit(98);
    pause();
}

TEST(after_a_crash_an_age_goes_on_from_the_last_event)
{
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

TEST(a_damaged_age_is_that_of_the_last_event)
{
    open_store();
    append(1, 0, "start");
    settle();
    store_close(store);
    execute("UPDATE age SET age_ms = 1000000000");
    open_store();
    assert_int_equal(store_age_ms(store), 0);
}

/* --- Numbers --- */

static void give_numbers(int count, int64_t *last)
{
    for (int i = 0; i < count; i++) {
        int64_t number = store_next_number(store);

        assert_int_equal(number, *last + 1);
        *last = number;
    }
}

TEST(numbers_go_on_after_an_orderly_end)
{
    int64_t last = 0;

    open_store();
    give_numbers(7, &last);
    reopen_store();
    give_numbers(1000, &last);
    reopen_store();
    give_numbers(1, &last);
}

static void give_one_number(int report_fd)
{
    int64_t number;

    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    number = store_next_number(store);
    if (write(report_fd, &number, sizeof number) != (ssize_t)sizeof number)
        _exit(98);
    pause();
}

/* The child gets a number and reports the number at once, without waiting for a write.
 * Then the parent kills the child. */
TEST(a_number_is_never_given_twice_however_the_process_ends)
{
    int64_t last = 0;

    for (int round = 0; round < 5; round++) {
        int64_t number;
        int from_child;
        pid_t child = fork_child(give_one_number, &from_child);

        assert_int_equal(read(from_child, &number, sizeof number), sizeof number);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        close(from_child);
        assert_true(number > last);
        last = number;
    }
}

/* --- Ends that a player may not have seen --- */

static void end_game(int64_t game, const char *red, const char *blue)
{
    struct store_summary s = summary;

    s.red = red;
    s.blue = blue;
    append(game, 0, "start");
    append_end(game, 1, &s);
}

static void read_unseen(const char *folded)
{
    forget();
    store_read_unseen(store, folded, see_past, on_read, NULL);
    run_until(&read_done, 1);
}

static void see_folded(void *arg, const void *row)
{
    const char *folded = ((const struct store_unseen *)row)->folded;
    size_t len = strlen(seen);

    snprintf(seen + len, sizeof seen - len, "%s\n", folded);
}

TEST(an_end_is_unseen_by_both_until_it_is_dropped)
{
    open_store();
    end_game(7, "hong", "kim");
    end_game(3, "park", "hong");
    end_game(5, "kim", "hong");
    read_unseen("hong");
    assert_string_equal(seen, "7 checkmate\n3 checkmate\n5 checkmate\n");
    store_drop(store, STORE_UNSEEN, &(struct store_unseen){"hong", 3}, 2);
    store_drop(store, STORE_UNSEEN, &(struct store_unseen){"park", 3}, 2);
    store_drop(store, STORE_UNSEEN, &(struct store_unseen){"hong", 3},
               2); /* to drop it twice is no error */
    reopen_store();
    assert_true(store_load(store, STORE_UNSEEN, see_folded, NULL));
    assert_string_equal(seen, "hong\nkim\nkim\nhong\n");
    read_unseen("hong");
    assert_string_equal(seen, "7 checkmate\n5 checkmate\n");
    read_unseen("kim");
    assert_string_equal(seen, "7 checkmate\n5 checkmate\n");
    read_unseen("park");
    assert_int_equal(read_count, 0);
}

TEST(all_ends_of_a_name_are_dropped_at_once)
{
    open_store();
    end_game(1, "hong", "kim");
    end_game(2, "hong", "kim");
    store_drop(store, STORE_UNSEEN, &(struct store_unseen){"hong", 0}, 1);
    read_unseen("hong");
    assert_int_equal(read_count, 0);
    read_unseen("kim");
    assert_int_equal(read_count, 2);
}

static void end_and_die(int report_fd)
{
    int number = 0;

    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    end_game(1, "hong", "kim");
    settle();
    if (write(report_fd, &number, sizeof number) != (ssize_t)sizeof number)
        _exit(98);
    pause();
}

TEST(an_end_on_disk_is_unseen_after_kill_9)
{
    int from_child, status, number;
    pid_t child = fork_child(end_and_die, &from_child);

    assert_int_equal(read(from_child, &number, sizeof number), sizeof number);
    kill(child, SIGKILL);
    reports(child, from_child, 1, &status);
    open_store();
    read_unseen("hong");
    assert_string_equal(seen, "1 checkmate\n");
    read_unseen("kim");
    assert_string_equal(seen, "1 checkmate\n");
}

TEST(many_unseen_ends_come_in_pieces)
{
    open_store();
    for (int64_t game = 1; game <= STORE_UNSEEN_MAX + 5; game++)
        end_game(game, "hong", "kim");
    read_unseen("hong");
    assert_int_equal(read_count, STORE_UNSEEN_MAX);
    for (int64_t game = 1; game <= STORE_UNSEEN_MAX; game++)
        store_drop(store, STORE_UNSEEN, &(struct store_unseen){"hong", game}, 2);
    read_unseen("hong");
    assert_int_equal(read_count, 5);
}

UNIT_MAIN(unit_be_quiet, NULL)
