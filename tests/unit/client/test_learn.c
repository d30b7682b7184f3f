/* Tests of client/learn and of client/view/primer: every task of the tour can be
 * solved. A move that the rules forbid is reported as wrong, and leaves the board
 * unchanged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/learn/learn_course.h"
#include "client/learn/learn_lessons.h"
#include "client/view/figure.h"
#include "client/view/primer.h"
#include "common/base/utf8.h"
#include "common/game/rules.h"
#include "tests/unit/client/lines.h"
#include "tests/unit/read_position.h"
#include "tests/unit/unit.h"

static struct text words_into(char *words, size_t size)
{
    return text_into(words, size);
}

/* Returns how many sequences of legal moves solve the task. Adds to *tries how many
 * were tried. */
static int solutions(const struct learn_course *course, int *tries)
{
    struct move_list legal;
    int found = 0;

    rules_legal_moves(ruleset_at(0), &course->position, &legal);
    for (int i = 0; i < legal.count; i++) {
        struct learn_course next = *course;
        char words[512];
        struct text text = words_into(words, sizeof words);
        int at;
        enum learn_verdict verdict =
            learn_course_try_move(&next, legal.move[i], KIND_NONE, &text, &at);

        assert_true(text.len > 0);
        ++*tries;
        if (verdict == LEARN_RIGHT)
            found++;
        else if (verdict == LEARN_ON)
            found += solutions(&next, tries);
    }
    return found;
}

static bool is_about_a_move(const struct learn_course *course)
{
    return learn_course_task(course)->goal != LEARN_POINT &&
           learn_course_task(course)->goal != LEARN_LINEUP;
}

UNIT_TEST(every_task_can_be_solved)
{
    struct learn_course course;
    int tasks = 0;

    learn_course_begin(&course, 0);
    do {
        char why[SENTENCE_BYTES];
        int tries = 0, found;

        tasks++;
        assert_so(position_is_ok(ruleset_at(0), &course.position, why),
                  "%s task %d: %s", learn_course_lesson(&course)->title, course.task,
                  why);
        if (!is_about_a_move(&course))
            continue;
        found = solutions(&course, &tries);
        assert_so(found != 0, "%s task %d has no solution",
                  learn_course_lesson(&course)->title, course.task);
        if (found == tries && learn_course_task(&course)->goal != LEARN_ESCAPE &&
            learn_course_task(&course)->goal != LEARN_PASS)
            fail_msg("%s task %d takes any move", learn_course_lesson(&course)->title,
                     course.task);
    } while (learn_course_next(&course));
    assert_true(learn_course_is_done(&course));
    assert_int_equal(tasks, 29);
}

/* Every move that the rules forbid is refused with a reason and changes nothing. */
UNIT_TEST(an_illegal_answer_is_refused)
{
    struct learn_course course;
    int refused = 0;

    learn_course_begin(&course, 0);
    do {
        struct position before = course.position;

        for (int from = 0; from < BOARD_POINTS; from++)
            for (int to = 0; to < BOARD_POINTS; to++) {
                struct move move = {(int8_t)from, (int8_t)to};
                char words[512];
                struct text text = words_into(words, sizeof words);
                int at;

                if (is_about_a_move(&course) &&
                    rules_judge(ruleset_at(0), &before, move).code == FAULT_NONE)
                    continue;
                assert_int_equal(
                    learn_course_try_move(&course, move, KIND_NONE, &text, &at),
                    LEARN_WRONG);
                assert_true(text.len > 0 && !text.is_cut);
                assert_memory_equal(&before, &course.position, sizeof before);
                refused++;
            }
    } while (learn_course_next(&course));
    assert_true(refused > 200000);
}

UNIT_TEST(the_error_is_explained)
{
    static const struct {
        const char *lesson, *move, *words;
        int at;
    } rows[] = {
        {"the cannon", "e2e3",
         "That move is not legal: a cannon needs one piece to jump, and nothing stands "
         "between E2 and "
         "E3.\n",
         POINT_NONE},
        {"the cannon", "rE2-E6",
         "That move is not legal: the piece on E2 is a cannon, not a rook.\n", 22},
        {"the knight", "b0d1",
         "That move is not legal: the bishop on C0 blocks the knight's step.\n", 2},
        {"the rook", "a0a7",
         "That move is not legal: the pawn on A6 is in the rook's way to A7.\n", 54},
        {"the king", "e1e2",
         "This move is legal, but it does not solve the task. The board was reset.\n",
         POINT_NONE},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct learn_course course = {0};
        char words[512];
        struct text text = words_into(words, sizeof words);
        enum kind claimed;
        struct move move;
        int at, lesson = 0;

        while (strcmp(learn_lesson_at(lesson)->title, rows[i].lesson) != 0)
            lesson++;
        learn_course_begin(&course, lesson);
        assert_true(move_parse(rows[i].move, &move, &claimed));
        assert_int_equal(learn_course_try_move(&course, move, claimed, &text, &at),
                         LEARN_WRONG);
        assert_string_equal(words, rows[i].words);
        assert_int_equal(at, rows[i].at);
    }
}

UNIT_TEST(points_and_line_ups_are_asked_for)
{
    struct learn_course course;
    char words[512];

    learn_course_begin(&course, 0);
    for (int i = 0; i < learn_course_lesson(&course)->count; i++) {
        int right = 0;

        for (int point = 0; point < BOARD_POINTS; point++) {
            struct text text = words_into(words, sizeof words);

            right += learn_course_try_point(&course, point, &text) == LEARN_RIGHT;
            assert_true(text.len > 0);
        }
        assert_int_equal(right, 1);
        learn_course_next(&course);
    }
    learn_course_begin(&course, learn_lessons() - 1);
    for (int lineup = 0; lineup < LINEUPS; lineup++) {
        struct text text = words_into(words, sizeof words);

        assert_int_equal(learn_course_try_lineup(&course, (enum lineup)lineup, &text),
                         lineup == LINEUP_NBNB ? LEARN_RIGHT : LEARN_WRONG);
    }
}

UNIT_TEST(a_learner_can_go_on_and_back)
{
    struct learn_course course, there;
    int steps = 0;

    learn_course_begin(&course, 0);
    assert_false(learn_course_back(&course));
    while (there = course, learn_course_next(&course)) {
        struct learn_course again = course;

        steps++;
        assert_true(learn_course_back(&again));
        assert_int_equal(again.lesson, there.lesson);
        assert_int_equal(again.task, there.task);
    }
    assert_int_equal(steps, 28);
    assert_false(learn_course_next(&course));
}

UNIT_TEST(all_words_fit_into_a_terminal)
{
    char words[4096];

    for (int i = 0; i < learn_lessons(); i++) {
        const struct learn_lesson *lesson = learn_lesson_at(i);

        for (int t = 0; t < lesson->count; t++) {
            snprintf(words, sizeof words, "%s\n%s\n%s\n", lesson->tasks[t].words,
                     lesson->tasks[t].hint, lesson->tasks[t].done);
            check_lines(words, 78, lesson->title);
        }
        if (lesson->words != NULL)
            check_lines(lesson->words, 78, lesson->title);
    }
    for (int kind = KIND_ROOK; kind < KINDS; kind++) {
        struct text text = words_into(words, sizeof words);

        primer_page(&text, (enum kind)kind, LOOK_LETTERS, false, kind % 2 == 0);
        assert_false(text.is_cut);
        check_lines(words, 78, kind_name((enum kind)kind));
    }
}

/* The example on each page is a legal move, and so is each move that the page calls
 * legal. */
UNIT_TEST(pages_of_pieces_agree_with_the_rules)
{
    for (int kind = KIND_ROOK; kind < KINDS; kind++) {
        const struct primer *primer = primer_get((enum kind)kind);
        char four[5] = "", why[SENTENCE_BYTES];
        struct position position;
        struct move_list moves;
        struct move move;
        int from, targets = 0;

        assert_true(read_position(primer->position, &position, why));
        if (!position_is_ok(ruleset_at(0), &position, why))
            fail_msg("%s: %s", kind_name((enum kind)kind), why);
        from = side_parse_point(primer->from);
        rules_legal_moves(ruleset_at(0), &position, &moves);
        assert_int_equal(position_kind(&position, from), kind);
        for (int i = 0; i < moves.count; i++)
            if (!move_is_pass(moves.move[i]) && moves.move[i].from == from)
                targets++;
        assert_true(targets >= 3);
        memcpy(four, primer->example, 4);
        assert_true(move_parse(four, &move, NULL));
        assert_int_equal(move.from, from);
        assert_int_equal(rules_judge(ruleset_at(0), &position, move).code, FAULT_NONE);
    }
}

/* A page is found by any name of its piece, or by the name of its topic. */
UNIT_TEST(pages_have_many_names)
{
    static const struct {
        const char *word, *begin;
    } rows[] = {
        {"Cannons", "The cannon (catapult; in Korean po)\n"},
        {"chariot", "The rook (chariot, car, tank; in Korean cha)\n"},
        {"general", "The king (general, emperor; in Korean jang, wang)\n"},
        {"象", "The bishop (prime minister, elephant, minister; in Korean sang)\n"},
        {"names", "The pieces and what others call them."},
        {"xiangqi", "Xiangqi and Korean chess"},
    };
    char words[4096];

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct text text = words_into(words, sizeof words);

        assert_true(primer_tell(&text, rows[i].word, LOOK_LETTERS, false, false));
        assert_false(text.is_cut);
        if (strncmp(words, rows[i].begin, strlen(rows[i].begin)) != 0)
            fail_msg("%s: %s", rows[i].word, words);
    }
    for (size_t i = 0; i < 2; i++) {
        struct text text = words_into(words, sizeof words);

        assert_false(
            primer_tell(&text, i == 0 ? "queen" : "", LOOK_LETTERS, false, false));
        assert_int_equal(text.len, 0);
    }
}

/* --- Figures --- */

static void draw(char *out, size_t size, struct figure figure)
{
    struct text text = text_into(out, size);

    figure_rows(&text, &figure, 0, BOARD_ROWS - 1);
    assert_false(text.is_cut);
}

UNIT_TEST(hanja_stand_in_their_columns)
{
    static const char wanted[] = "  9 [車][馬][象][士]-+--[士][象][馬][車]\n"
                                 "  .  |   |   |   | \\ | / |   |   |   |\n"
                                 "  8  +---+---+---+--[楚]-+---+---+---+\n"
                                 "  .  |   |   |   | / | \\ |   |   |   |\n"
                                 "  7  +--[包]-+---+---+---+---+--[包]-+\n"
                                 "  .  |   |   |   |   |   |   |   |   |\n"
                                 "  6 [卒]-+--[卒]-+--[卒]-+--[卒]-+--[卒]\n"
                                 "  .  |   |   |   |   |   |   |   |   |\n"
                                 "  5  +---+---+---+---+---+---+---+---+\n"
                                 "  .  |   |   |   |   |   |   |   |   |\n"
                                 "  4  *---+---+---+---+---+---+---+---+\n"
                                 "  .  |   |   |   |   |   |   |   |   |\n"
                                 "  3 (兵)-+--(兵)-+--(兵)-+--(兵)-+--(兵)\n"
                                 "  .  |   |   |   |   |   |   |   |   |\n"
                                 "  2  +--(包)-+---+---+---+---+--(包)-+\n"
                                 "  .  |   |   |   | \\ | / |   |   |   |\n"
                                 "  1  +---+---+---+--(漢)-+---+---+---+\n"
                                 "  .  |   |   |   | / | \\ |   |   |   |\n"
                                 "  0 (車)(馬)(象)(士)-+--(士)(象)(馬)(車)\n"
                                 "  .  A   B   C   D   E   F   G   H   I\n";
    struct position position;
    bool marks[BOARD_POINTS] = {[36] = true};
    char board[4096];

    position_set_up(&position, LINEUP_NBBN, LINEUP_NBBN, SIDE_RED);
    draw(board, sizeof board,
         (struct figure){.position = &position,
                         .marks = marks,
                         .last = move_pass(),
                         .pieces = LOOK_HANJA});
    assert_string_equal(board, wanted);
}

/* Draws random positions with the three sets of pieces, from both sides, with marks.
 * Each line has the reported width. With colours, each line has the same text and the
 * same width. */
UNIT_TEST(all_figures_have_the_width_they_say)
{
    struct position position;

    position_set_up(&position, LINEUP_NBNB, LINEUP_BNNB, SIDE_RED);
    srand(1);
    for (int ply = 0; ply < 300; ply++) {
        bool marks[BOARD_POINTS];
        struct move_list legal;
        struct figure figure = {.position = &position,
                                .marks = marks,
                                .last = move_pass(),
                                .pieces = (enum look_pieces)(ply % 3),
                                .is_flipped = rand() % 2 == 0};
        struct undo undo;

        for (int i = 0; i < BOARD_POINTS; i++)
            marks[i] = rand() % 4 == 0;
        rules_legal_moves(ruleset_at(0), &position, &legal);
        if (legal.count == 0)
            break;
        figure.last = legal.move[rand() % legal.count];
        rules_make(ruleset_at(0), &position, figure.last, &undo);
        for (int line = 0; line < DIAGRAM_LINES; line++) {
            char plain[256], colored[2048];
            struct text text = text_into(plain, sizeof plain);
            int columns = figure_line(&text, &figure, line);

            assert_int_equal(utf8_width(plain), columns);
            assert_true(columns <= figure_columns(figure.pieces));
            figure.has_color = true;
            text = text_into(colored, sizeof colored);
            assert_int_equal(figure_line(&text, &figure, line), columns);
            figure.has_color = false;
            strip_colors(colored);
            assert_string_equal(colored, plain);
        }
    }
}

UNIT_MAIN(NULL, NULL)
