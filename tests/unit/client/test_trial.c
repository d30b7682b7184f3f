/* Tests of client/session/trial: a private board beside a game. */
#include "tests/unit/client/client_game.h"

#include "client/session/trial.h"
#include "client/view/model.h"
#include "common/record/record.h"

static struct trial trial;

static int set_up(void **state)
{
    feed_start("kim");
    return 0;
}

static int tear_down(void **state)
{
    trial_end(&trial);
    model_clear(&model);
    return 0;
}

static enum fault_code try_move(const char *words)
{
    struct fault fault = {.code = FAULT_NONE};
    struct move move;
    enum kind claimed;

    assert_true(move_parse(words, &move, &claimed));
    if (trial_move(&trial, model.current, move, &fault))
        assert_int_equal(fault.code, FAULT_NONE);
    else
        assert_int_not_equal(fault.code, FAULT_NONE);
    return fault.code;
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

TEST(moves_are_made_for_both_and_the_game_stays)
{
    struct position before = model.current->game.position;

    assert_int_equal(try_move("a3b3"), FAULT_NONE);
    assert_int_equal(try_move("e6d6"), FAULT_NONE);
    assert_int_equal(trial.tried, 2);
    assert_int_equal(trial.board.game.plies, 2);
    assert_memory_equal(&before, &model.current->game.position, sizeof before);
    assert_int_equal(model.current->game.plies, 0);
    assert_int_equal(model.current->pending.state, PENDING_NONE);
}

TEST(the_private_board_begins_at_the_present_position)
{
    feed_moves();
    assert_int_equal(try_move("a6b6"), FAULT_NONE);
    assert_int_equal(trial.board.game.plies, 4);
    assert_int_equal(trial.board.side, SIDE_RED);
    /* the board has the clocks of the game, which continue to run */
    assert_memory_equal(&trial.board.clock, &model.current->clock,
                        sizeof trial.board.clock);
    assert_false(trial.board.game.clock.terms.is_untimed);
}

/* The game can be seen again from any of its plies, and moves can be tried from
 * there. */
TEST(a_game_is_seen_again)
{
    feed_moves();
    assert_true(trial_replay(&trial, model.current, 0));
    assert_true(trial_is_of(&trial, model.current));
    assert_int_equal(trial.board.game.plies, 0);
    assert_true(trial_replay(&trial, model.current, 1));
    assert_int_equal(trial.at, 1);
    assert_int_equal(try_move("a6b6"), FAULT_NONE);
    assert_int_equal(trial.tried, 1);
    assert_int_equal(trial.board.game.plies, 2);
    assert_int_equal(try_move("a6b6"), FAULT_NO_PIECE);
    assert_true(trial.is_on);
    assert_true(trial_replay(&trial, model.current, 3));
    assert_int_equal(trial.tried, 0);
    assert_memory_equal(&trial.board.game.position, &model.current->game.position,
                        sizeof(struct position));
    assert_false(trial_replay(&trial, model.current, 4));
    assert_false(trial.is_on);
}

/* While a game continues, the private board shows the present clocks of the game. After
 * the end, it shows the clocks as they were at the shown ply. */
TEST(an_ended_game_is_seen_with_the_clocks_of_each_move)
{
    feed_moves();
    assert_true(trial_replay(&trial, model.current, 0));
    assert_memory_equal(&trial.board.clock, &model.current->clock,
                        sizeof trial.board.clock);
    assert_int_equal(feed_event("! game 17 6 end blue resignation", 2).took, MODEL_NEW);
    for (int ply = 0; ply <= 3; ply++) {
        assert_true(trial_replay(&trial, model.current, ply));
        assert_int_equal(trial.board.clock.running, SIDE_NONE);
        for (int side = 0; side < SIDES; side++)
            assert_int_equal(
                trial.board.clock.left[side].main_ms,
                record_left(&model.current->game, ply, (enum side)side).main_ms);
    }
    assert_true(trial_replay(&trial, model.current, 0));
    assert_int_equal(trial.board.clock.left[SIDE_RED].main_ms, 600000);
    assert_int_equal(trial.board.clock.left[SIDE_BLUE].main_ms, 600000);
}

/* An untimed game has no clocks on the private board either. */
TEST(without_clocks_no_times_are_written)
{
    feed_game("", "! game 18 0 start red=kim blue=hong rules=martin time=none");
    feed_line_ups("NBNB", "NBNB", 1);
    assert_int_equal(try_move("a3b3"), FAULT_NONE);
    assert_true(trial.board.clock.terms.is_untimed);
}

TEST(a_refused_move_changes_nothing)
{
    assert_int_not_equal(try_move("a0a9"), FAULT_NONE);
    assert_false(trial.is_on);
    assert_int_equal(try_move("a3b3"), FAULT_NONE);
    assert_int_not_equal(try_move("a3b3"), FAULT_NONE);
    assert_true(trial.is_on);
    assert_int_equal(trial.tried, 1);
    assert_int_equal(try_move("e6d6"), FAULT_NONE);
}

TEST(a_game_that_goes_on_is_copied_again)
{
    assert_int_equal(try_move("c3c4"), FAULT_NONE);
    feed_moves();
    assert_int_equal(try_move("a6b6"), FAULT_NONE);
    assert_int_equal(trial.tried, 1);
    assert_int_equal(trial.board.game.plies, 4);
}

TEST(before_the_start_no_move_can_be_tried)
{
    struct fault fault;
    struct move move;
    enum kind claimed;

    feed_game("", "! game 9 0 start red=kim blue=hong rules=martin time=none");
    assert_true(move_parse("a3b3", &move, &claimed));
    assert_false(trial_move(&trial, model.current, move, &fault));
    assert_int_equal(fault.code, FAULT_NOT_STARTED);
}

TEST(a_resigned_game_goes_on_in_private)
{
    feed_moves();
    feed_event("! game 17 6 end red resignation", 1);
    assert_int_equal(model.current->game.phase, GAME_OVER);
    assert_int_equal(try_move("a6b6"), FAULT_NONE);
}

UNIT_MAIN(NULL, NULL)
