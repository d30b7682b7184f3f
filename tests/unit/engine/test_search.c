/* Tests of the search. In every position, the search must find legal moves and keep its
 * limits. If the search reports a forced end, the test tries all lines to confirm this
 * end. The search must also avoid the traps of the rules. */
#include "tests/unit/client/jsonl.h"

#include <stdlib.h>
#include <string.h>

#include "client/engine/eval.h"
#include "client/engine/search.h"
#include "client/engine/see.h"
#include "client/engine/stack.h"
#include "client/engine/timeman.h"
#include "client/uci/variant.h"
#include "tests/unit/random_play.h"
#include "tests/unit/read_position.h"

static const char *const rulesets[] = {"martin", "courier", "vchess", "kja"};

static struct search *search;
static struct search_report report;

static struct search_task task_of(const char *rules, const char *text)
{
    struct search_task task = {.rules = variant_find(rules), .level = 10};
    char why[SENTENCE_BYTES];

    assert_non_null(task.rules);
    assert_so(read_position(text, &task.position, why), "%s: %s", text, why);
    return task;
}

static void run(const struct search_task *task)
{
    search_forget(search);
    search_run(search, task, NULL, NULL, &report);
}

static const char *move_text(struct move move)
{
    static char text[MOVE_BYTES];

    move_format(text, move);
    return text;
}

static bool is_legal(const struct search_task *task, struct move move)
{
    return rules_judge(task->rules, &task->position, move).code == FAULT_NONE;
}

/* --- Any position --- */

static void take_random_position(const struct ruleset *rules, struct position *out)
{
    struct move_list list;
    struct undo undo;

    random_start(rules, out);
    for (unsigned plies = random_below(60); plies > 0; plies--) {
        rules_legal_moves(rules, out, &list);
        if (list.count == 0)
            return;
        rules_make(rules, out, list.move[random_below((unsigned)list.count)], &undo);
    }
}

UNIT_TEST(a_thousand_positions_have_a_legal_move_within_the_limit)
{
    enum { POSITIONS = 1000, NODES = 400 };
    int without = 0;

    for (int i = 0; i < POSITIONS; i++) {
        struct search_task task = {.rules = ruleset_find(rulesets[i % 4]),
                                   .limits = {.nodes = NODES},
                                   .level = 1 + i / 4 % SEARCH_LEVEL_MAX,
                                   .seed = (uint64_t)i};
        struct search_task before;
        struct move_list list;

        take_random_position(task.rules, &task.position);
        memcpy(&before, &task, sizeof task);
        search_run(search, &task, NULL, NULL, &report);
        rules_legal_moves(task.rules, &task.position, &list);
        assert_int_equal(report.has_move, list.count > 0);
        if (report.has_move)
            assert_true(is_legal(&task, report.move));
        without += !report.has_move;
        assert_true(report.nodes <= NODES);
        assert_memory_equal(&before, &task, sizeof task);
    }
    assert_true(without < POSITIONS / 4);
}

UNIT_TEST(a_line_it_expects_is_legal_from_end_to_end)
{
    for (int i = 0; i < 100; i++) {
        struct search_task task = {.rules = ruleset_find(rulesets[i % 4]),
                                   .limits = {.depth = 5},
                                   .level = 10};

        take_random_position(task.rules, &task.position);
        run(&task);
        for (int ply = 0; report.has_move && ply < report.line_plies; ply++) {
            struct undo undo;

            assert_true(is_legal(&task, report.line[ply]));
            rules_make(task.rules, &task.position, report.line[ply], &undo);
        }
    }
}

UNIT_TEST(the_same_task_has_the_same_answer)
{
    for (int i = 0; i < 40; i++) {
        struct search_task task = {.rules = ruleset_find(rulesets[i % 4]),
                                   .limits = {.nodes = 3000},
                                   .level = 1 + i / 4,
                                   .seed = 7};
        struct search_report first;

        take_random_position(task.rules, &task.position);
        run(&task);
        first = report;
        search_free(search);
        search = search_new(1);
        run(&task);
        assert_memory_equal(&first.move, &report.move, sizeof first.move);
        assert_int_equal(first.score, report.score);
        assert_int_equal(first.nodes, report.nodes);
    }
}

/* --- Limits --- */

/* A clock that advances by ten milliseconds at each reading. */
static int64_t slow_clock(void *arg)
{
    int64_t *now_ms = arg;

    return *now_ms += 10;
}

static int64_t stop_at_third(void *arg)
{
    int *calls = arg;

    return ++*calls >= 3 ? SEARCH_STOP_MS : 0;
}

static struct search_task start_task(void)
{
    struct search_task task = {.rules = ruleset_find("martin"), .level = 10};

    position_set_up(&task.position, LINEUP_NBBN, LINEUP_NBBN, SIDE_RED);
    return task;
}

UNIT_TEST(the_search_stops_on_request)
{
    struct search_task task = start_task();
    int calls = 0;

    task.limits.spent_ms = stop_at_third;
    task.limits.arg = &calls;
    run(&task);
    assert_int_equal(calls, 3);
    assert_true(report.nodes < 3000);
    assert_true(is_legal(&task, report.move));
}

UNIT_TEST(the_search_stops_in_time)
{
    struct search_task task = start_task();
    int64_t now_ms = 0;

    task.limits.spent_ms = slow_clock;
    task.limits.arg = &now_ms;
    task.limits.hard_ms = 100;
    run(&task);
    assert_int_equal(now_ms, 100);
    now_ms = 0;
    task.limits.hard_ms = 100000;
    task.limits.soft_ms = 50;
    run(&task);
    assert_true(now_ms >= 50 && now_ms < 1000);
}

UNIT_TEST(the_search_reaches_the_requested_depth)
{
    struct search_task task = start_task();

    for (int depth = 1; depth <= 6; depth++) {
        task.limits.depth = depth;
        run(&task);
        assert_int_equal(report.depth, depth);
    }
}

/* --- Ends that must be seen --- */

static bool wins_by_force(const struct ruleset *rules, struct position *position,
                          int plies);

/* Returns the outcome of a game that has reached `position`; OUTCOME_NONE: the game
 * continues. was_bare: the kings were bare before the last ply. */
static enum outcome outcome_at(const struct ruleset *rules,
                               const struct position *position, bool was_bare)
{
    struct history_view history = {
        .was_bare = was_bare, .occurrences = 1, .perpetual = SIDE_NONE};
    enum outcome outcome;

    return rules_ending(rules, position, &history, &outcome) == REASON_NONE
               ? OUTCOME_NONE
               : outcome;
}

/* True if the side that has just moved has won, or wins by force within `plies`
 * plies. */
static bool is_winning(const struct ruleset *rules, struct position *position,
                       bool was_bare, int plies)
{
    enum outcome win = position->side == SIDE_RED ? OUTCOME_BLUE : OUTCOME_RED;
    enum outcome outcome = outcome_at(rules, position, was_bare);
    bool is_bare = rules_kings_are_bare(position), is_won = plies > 0;
    struct move_list replies;

    if (outcome != OUTCOME_NONE)
        return outcome == win;
    rules_legal_moves(rules, position, &replies);
    for (int i = 0; i < replies.count && is_won; i++) {
        struct undo undo;

        rules_make(rules, position, replies.move[i], &undo);
        outcome = outcome_at(rules, position, is_bare);
        is_won = outcome == win || (outcome == OUTCOME_NONE && plies > 1 &&
                                    wins_by_force(rules, position, plies - 1));
        rules_unmake(position, replies.move[i], &undo);
    }
    return is_won;
}

/* Tries all lines. True if the side to move wins by force within `plies` plies. */
static bool wins_by_force(const struct ruleset *rules, struct position *position,
                          int plies)
{
    bool was_bare = rules_kings_are_bare(position), is_won = false;
    struct move_list list;

    rules_legal_moves(rules, position, &list);
    for (int i = 0; i < list.count && !is_won; i++) {
        struct undo undo;

        rules_make(rules, position, list.move[i], &undo);
        is_won = is_winning(rules, position, was_bare, plies - 1);
        rules_unmake(position, list.move[i], &undo);
    }
    return is_won;
}

static void check_mate(const json_t *row)
{
    int plies = (int)json_integer_value(json_object_get(row, "plies"));
    struct search_task task = task_of(jsonl_text(row, "rules"), jsonl_text(row, "fen"));
    bool was_bare = rules_kings_are_bare(&task.position);
    struct position position = task.position;
    struct undo undo;

    task.limits.depth = plies + 4; /* 4 plies more than the win needs, so that late
                                    * moves are searched less deeply */
    run(&task);
    search_run(search, &task, NULL, NULL, &report); /* now with a filled transposition
                                                     * table */
    assert_so(report.end_plies == plies, "%s %s: an end in %d plies is seen, not in %d",
              jsonl_text(row, "rules"), jsonl_text(row, "fen"), report.end_plies,
              plies);
    rules_make(task.rules, &position, report.move, &undo);
    if (!is_winning(task.rules, &position, was_bare, plies - 1))
        fail_msg("%s %s: %s does not win", jsonl_text(row, "rules"),
                 jsonl_text(row, "fen"), move_text(report.move));
}

UNIT_TEST(mates_in_one_two_and_three_are_found)
{
    assert_int_equal(jsonl_each("tests/data/mates.jsonl", check_mate), 72);
}

/* Tries all lines in positions with few pieces. The search must report a win within
 * three plies if there is one, and only then. */
UNIT_TEST(ends_it_sees_are_those_that_all_lines_of_play_show)
{
    int seen = 0;

    for (int i = 0; i < 400; i++) {
        struct search_task task = {.rules = ruleset_find(rulesets[i % 4]),
                                   .limits = {.depth = 5},
                                   .level = 10};
        int plies = 1;

        while (!random_sparse(task.rules, 6, &task.position) ||
               task.position.quiet > 80)
            continue;
        run(&task);
        while (plies <= 3 && !wins_by_force(task.rules, &task.position, plies))
            plies++;
        if (plies !=
            (report.end_plies > 0 && report.end_plies < 4 ? report.end_plies : 4)) {
            char text[POSITION_BYTES];

            position_format(text, &task.position);
            fail_msg("%s %s: the end is in %d plies, not in %d", rulesets[i % 4], text,
                     plies, report.end_plies);
        }
        seen += plies <= 3;
    }
    assert_true(seen > 20);
}

/* --- Pieces --- */

/* Checks the move that the search finds. wanted: "=" and the expected move, or "!" and
 * a move that it must not play. */
static void check_move(const char *rules, const char *text, const char *wanted)
{
    struct search_task task = task_of(rules, text);
    const char *played;

    task.limits.nodes = 20000;
    run(&task);
    played = move_text(report.move);
    if ((strcmp(played, wanted + 1) == 0) != (wanted[0] == '='))
        fail_msg("%s %s: %s, but %s", rules, text, played, wanted);
}

UNIT_TEST(an_undefended_piece_is_taken)
{
    for (int i = 0; i < 4; i++) {
        check_move(rulesets[i], "9/4k4/9/4p4/9/R6c1/9/9/4K4/9 r - 0 0 1", "=A4-H4");
        check_move(rulesets[i], "9/4k4/9/4p4/r8/9/4P4/9/9/C4K3 b - 0 0 1", "=A5-A0");
    }
}

UNIT_TEST(a_rook_is_not_given_for_a_pawn)
{
    for (int i = 0; i < 4; i++)
        check_move(rulesets[i], "7r1/4k4/9/4p4/9/R6p1/9/9/4K4/9 r - 0 0 1", "!A4-H4");
}

UNIT_TEST(exchanges_are_counted_to_their_end)
{
    struct position position;
    struct move takes = {(int8_t)side_parse_point("A4"),
                         (int8_t)side_parse_point("H4")};

    assert_true(
        position_parse("7r1/4k4/9/9/9/R6p1/9/9/4K4/9 r - 0 0 1", &position, NULL));
    assert_int_equal(see(&position, takes), 200 - 1300);
    assert_true(
        position_parse("7r1/4k4/9/9/9/R6p1/9/9/4K4/7R1 r - 0 0 1", &position, NULL));
    assert_int_equal(see(&position, takes), 200);
    assert_true(
        position_parse("9/4k4/9/9/9/R6p1/9/9/4K4/9 r - 0 0 1", &position, NULL));
    assert_int_equal(see(&position, takes), 200);
    /* the cannon on H9 recaptures a rook, but never a cannon */
    assert_true(
        position_parse("7c1/4k4/7n1/9/9/R6r1/9/9/4K4/9 r - 0 0 1", &position, NULL));
    assert_int_equal(see(&position, takes), 1300 - 1300);
    assert_true(
        position_parse("7c1/4k4/7n1/9/9/C2n3r1/9/9/4K4/9 r - 0 0 1", &position, NULL));
    assert_int_equal(see(&position, takes), 1300);
}

/* --- Traps of the rules --- */

UNIT_TEST(a_side_ahead_on_points_passes)
{
    const char *rich = "9/4k4/9/r2p5/9/9/9/9/3K5/9 b - 1 10 20";
    const char *poor = "9/4k4/9/3p5/9/9/9/9/3K5/R8 b - 1 10 20";

    check_move("kja", rich, "=pass");
    assert_int_equal(report.end_plies, 1);
    check_move("kja", poor, "!pass");
    check_move("janggimodern", rich, "=pass");
    check_move("vchess", rich, "!pass"); /* there a second pass is a draw */
    assert_true(report.score > 0);
    check_move("vchess", poor, "=pass");
    assert_int_equal(report.score, 0);
}

UNIT_TEST(a_side_leaves_the_kings_bare_if_it_gains)
{
    check_move("kja", "9/4k4/9/r8/9/9/9/9/4K4/9 b - 0 10 20", "=pass");
    assert_int_equal(report.end_plies, 1);
    check_move("kja", "9/4k4/9/9/9/9/9/9/4K4/R8 b - 0 10 20", "!pass");
    check_move("janggitraditional", "9/4k4/9/9/9/9/9/9/4K4/R8 b - 0 10 20", "=pass");
    assert_int_equal(report.score, 0);
}

/* If the piece between the kings captures the cannon, the kings face each other (they
 * are "bare"). In martin, the capturing side can then no longer win. In janggimodern,
 * bare kings have no effect, so the side simply wins a cannon. */
UNIT_TEST(a_side_does_not_bare_the_kings_to_win_a_cannon)
{
    check_move("martin", "9/4k4/9/p8/9/4R2c1/9/9/4K4/R8 r - 0 0 1", "!E4-H4");
    assert_true(report.score > 1000);
    check_move("janggimodern", "9/4k4/9/p8/9/4R2c1/9/9/4K4/9 r - 0 0 1", "=E4-H4");
}

/* --- The past --- */

static void begin(struct game *game, const char *rules, const char *text)
{
    struct search_task task = task_of(rules, text);
    const struct event event = {.kind = EVENT_START,
                                .rules = task.rules,
                                .terms = {.is_untimed = true},
                                .has_position = true,
                                .position = task.position};

    game_init(game);
    assert_true(game_apply(game, &event, 0));
}

static bool play(struct game *game, struct move move)
{
    struct game_news news;

    if (game_judge_move(game, (enum side)game->position.side, move, 0, &news).code !=
        FAULT_NONE)
        return false;
    return game_apply(game, &news.event[0], 0);
}

/* Plays the moves in `words`: five characters each, such as A3-B3, with spaces between
 * them. */
static void play_all(struct game *game, const char *words)
{
    for (const char *at = words; *at != '\0'; at += strcspn(at, " ")) {
        char text[6] = "";
        struct move move;

        at += *at == ' ';
        memcpy(text, at, 5);
        assert_true(move_parse(text, &move, NULL));
        assert_true(play(game, move));
    }
}

/* Begins a game at the position `text`, plays the moves in `words`, and returns the
 * move that the search finds then. */
static struct move find_after(struct game *game, const char *rules, const char *text,
                              const char *words)
{
    struct search_task task;

    begin(game, rules, text);
    play_all(game, words);
    search_take_game(&task, game);
    task.limits.nodes = 20000;
    run(&task);
    return report.move;
}

UNIT_TEST(a_losing_side_repeats_and_a_winning_side_does_not)
{
    struct move home = {(int8_t)side_parse_point("D0"), (int8_t)side_parse_point("D1")};
    struct game game;

    assert_true(move_is_same(
        home, find_after(&game, "courier", "r7r/5k3/9/9/9/9/9/9/3K5/9 b - 0 0 1",
                         "A9-A8 D1-D0 A8-A9 D0-D1 A9-A8 D1-D0 A8-A9")));
    assert_int_equal(report.score, 0);
    assert_true(play(&game, home));
    assert_int_equal(game.due_reason, REASON_REPETITION);
    game_clear(&game);

    assert_false(move_is_same(
        home, find_after(&game, "courier", "9/5k3/9/9/9/9/9/9/3K5/R7R b - 0 0 1",
                         "F8-F9 D1-D0 F9-F8 D0-D1 F8-F9 D1-D0 F9-F8")));
    assert_true(report.score > 1000);
    assert_true(play(&game, home));
    assert_int_equal(game.due_reason, REASON_REPETITION);
    game_clear(&game);
}

UNIT_TEST(check_is_not_given_without_end)
{
    struct move check = {(int8_t)side_parse_point("E5"),
                         (int8_t)side_parse_point("D5")};
    struct game game;

    assert_false(move_is_same(
        check, find_after(&game, "kja", "3k5/9/9/9/3R5/9/9/9/9/5K3 b - 0 0 1",
                          "D9-E9 D5-E5 E9-D9 E5-D5 D9-E9 D5-E5 E9-D9")));
    assert_true(report.score > 0);
    assert_true(play(&game, check));
    assert_int_equal(game.due_reason, REASON_PERPETUAL_CHECK);
    assert_int_equal(game.due_outcome, OUTCOME_BLUE);
    game_clear(&game);
}

/* stack_is_over() sees an end exactly where the game ends, whatever was played
 * before. */
UNIT_TEST(ends_on_the_line_are_those_of_the_game)
{
    struct stack *stack = calloc(1, sizeof *stack);
    struct tt *tt = tt_new(1);
    int ends = 0, repetitions = 0;

    assert_non_null(stack);
    for (int i = 0; i < 3000; i++) {
        struct search_task task;
        struct position position;
        struct move_list list;
        struct game game;
        char text[POSITION_BYTES];
        int score = 1;
        bool is_over;

        while (!random_sparse(ruleset_find(rulesets[i % 4]), 3, &position))
            continue;
        position_format(text, &position);
        begin(&game, rulesets[i % 4], text);
        while (game_turn(&game) != SIDE_NONE) {
            struct move move;

            rules_legal_moves(game.rules, &game.position, &list);
            move = list.move[random_below((unsigned)list.count)];
            search_take_game(&task, &game);
            stack_init(stack, &task, tt);
            stack_make(stack, move);
            is_over = stack_is_over(stack, &score);
            stack_unmake(stack);
            assert_memory_equal(&stack->position, &game.position, sizeof game.position);
            assert_true(play(&game, move));
            if (is_over != (game.due_reason != REASON_NONE))
                fail_msg("%s %s", rulesets[i % 4], reason_name(game.due_reason));
            repetitions += game.due_reason == REASON_REPETITION ||
                           game.due_reason == REASON_PERPETUAL_CHECK;
        }
        if (game.plies > 0) {
            bool is_draw = game.due_outcome == OUTCOME_DRAW;
            bool is_won = game.due_outcome ==
                          (game.position.side == SIDE_RED ? OUTCOME_RED : OUTCOME_BLUE);

            assert_int_equal(score, is_draw ? 0 : is_won ? EVAL_WIN - 1 : 1 - EVAL_WIN);
            ends++;
        }
        game_clear(&game);
    }
    tt_free(tt);
    free(stack);
    assert_true(ends > 2000 && repetitions > 50);
}

/* --- Judgement, levels, time --- */

/* Turns the board by 180 degrees and swaps the colours. */
static void turn_round(const struct position *position, struct position *out)
{
    *out = (struct position){.side = (uint8_t)side_other((enum side)position->side),
                             .quiet = position->quiet,
                             .move_number = position->move_number};
    for (int point = 0; point < BOARD_POINTS; point++)
        if (position_kind(position, point) != KIND_NONE)
            position_put(out, BOARD_POINTS - 1 - point,
                         piece_code(position_kind(position, point),
                                    side_other(position_side(position, point))));
    out->key = position_key(out);
}

static int evaluate(const struct ruleset *rules, const struct position *position)
{
    struct nnue_accumulator accumulator;

    nnue_look(&accumulator, position);
    return eval_position(rules, position, &accumulator);
}

UNIT_TEST(both_sides_are_judged_alike)
{
    for (int i = 0; i < 500; i++) {
        const struct ruleset *rules = ruleset_find("courier");
        struct position position, turned;

        take_random_position(rules, &position);
        turn_round(&position, &turned);
        assert_int_equal(evaluate(rules, &position), evaluate(rules, &turned));
    }
}

/* The random games contain captures, other moves and passes. */
UNIT_TEST(the_accumulator_follows_each_move)
{
    struct nnue_accumulator followed[2], fresh;
    int captures = 0, passes = 0;

    for (int game = 0; game < 40; game++) {
        const struct ruleset *rules = ruleset_find(rulesets[game % 4]);
        struct position position;
        struct move_list list;
        struct undo undo;

        random_start(rules, &position);
        nnue_look(&followed[0], &position);
        for (int ply = 0; ply < 100; ply++) {
            struct move move;

            rules_legal_moves(rules, &position, &list);
            if (list.count == 0)
                break;
            move = list.move[random_below((unsigned)list.count)];
            passes += move_is_pass(move);
            captures += !move_is_pass(move) && position.at[move.to] != 0;
            nnue_follow(&followed[(ply + 1) % 2], &followed[ply % 2], &position, move);
            rules_make(rules, &position, move, &undo);
            nnue_look(&fresh, &position);
            assert_memory_equal(&followed[(ply + 1) % 2], &fresh, sizeof fresh);
        }
    }
    assert_true(captures > 100 && passes > 10);
}

/* Plays a game: the engine with `level` against random moves. Returns 1 if the engine
 * wins, 0 for a draw, -1 if the engine loses. */
static int play_against_random(const char *rules, int level, enum side side,
                               uint64_t nodes)
{
    struct search_task task;
    struct game game;
    struct move_list list;
    struct position start;
    char text[POSITION_BYTES];
    int result = 0;

    position_set_up(&start, LINEUP_NBBN, LINEUP_NBBN,
                    ruleset_first_mover(ruleset_find(rules)));
    position_format(text, &start);
    begin(&game, rules, text);
    while (game_turn(&game) != SIDE_NONE) {
        search_take_game(&task, &game);
        task.limits.nodes = nodes;
        task.level = level;
        rules_legal_moves(game.rules, &game.position, &list);
        report.move = list.move[random_below((unsigned)list.count)];
        if (game_turn(&game) == side)
            search_run(search, &task, NULL, NULL, &report);
        assert_true(play(&game, report.move));
    }
    if (game.due_outcome != OUTCOME_DRAW)
        result = (game.due_outcome == OUTCOME_RED) == (side == SIDE_RED) ? 1 : -1;
    game_clear(&game);
    return result;
}

UNIT_TEST(even_a_low_level_beats_a_random_mover)
{
    for (int i = 0; i < 8; i++) {
        search_forget(search);
        assert_int_equal(play_against_random(rulesets[i % 4], i < 4 ? 10 : 1,
                                             (enum side)(i % 2), 2000),
                         1);
    }
}

UNIT_TEST(only_lower_levels_play_at_random)
{
    struct search_task task = start_task();
    struct move first = {0, 0};
    int others[2] = {0, 0};

    task.limits.depth = 4;
    for (int i = 0; i < 20; i++) {
        task.level = i % 2 == 0 ? 1 : 10;
        task.seed = (uint64_t)(i * 7919 + 1);
        run(&task);
        if (i < 2)
            first = report.move;
        if (i % 2 == 1 && i > 1)
            others[1] += !move_is_same(report.move, first);
        if (i % 2 == 0)
            others[0] += !move_is_same(report.move, first);
    }
    assert_true(others[0] > 2);
    assert_int_equal(others[1], 0);
}

UNIT_TEST(time_is_shared_so_that_no_flag_falls)
{
    static const struct timeman_clock clocks[] = {
        {.left_ms = 600000},
        {.left_ms = 600000, .increment_ms = 5000},
        {.left_ms = 1000},
        {.left_ms = 300, .increment_ms = 5000},
        {.left_ms = 100},
        {.left_ms = 60000, .moves = 1},
        {.period_ms = 30000},
        {.period_ms = 800},
        {.left_ms = 100, .period_ms = 30000},
        {.period_ms = INT64_C(86400000)},
    };

    for (size_t i = 0; i < ARRAY_LEN(clocks); i++) {
        struct search_limits limits = {.depth = 3};

        timeman_allot(&limits, &clocks[i]);
        assert_int_equal(limits.depth, 3);
        assert_true(limits.soft_ms > 0 && limits.soft_ms <= limits.hard_ms);
        assert_true(limits.hard_ms < clocks[i].left_ms + clocks[i].period_ms);
        assert_true(limits.hard_ms <= 60000);
    }
}

static int begin_all(void **state)
{
    search = search_new(1);
    return 0;
}

static int end_all(void **state)
{
    search_free(search);
    search_free(NULL);
    return 0;
}

UNIT_MAIN(begin_all, end_all)
