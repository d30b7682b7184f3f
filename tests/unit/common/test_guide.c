/* Tests of the rules in plain words: the form of the page of every ruleset, and that
 * the pages agree with the rules core. */
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/board.h"
#include "common/game/position.h"
#include "common/words/guide.h"
#include "common/words/term.h"
#include "tests/unit/unit.h"

struct told {
    int lines;
    char all[8192]; /* the lines, joined by spaces */
    bool has_signs; /* hangul and hanja are allowed */
};

static void hear(void *context, const char *line)
{
    struct told *told = context;
    size_t used = strlen(told->all);

    assert_true(strlen(line) > 0);
    assert_in_range(text_columns(line, strlen(line)), 1, GUIDE_COLUMNS);
    for (const char *at = line; *at != '\0' && !told->has_signs; at++)
        assert_in_range(*at, ' ', '~');
    assert_true(line[strlen(line) - 1] != ' ');
    assert_true(snprintf(told->all + used, sizeof told->all - used, "%s ", line) <
                (int)(sizeof told->all - used));
    told->lines++;
}

static struct told page_of(const char *name)
{
    struct told told = {0};

    guide_page(ruleset_find(name), hear, &told);
    return told;
}

static bool tells(const struct told *told, const char *words)
{
    return strstr(told->all, words) != NULL;
}

UNIT_TEST(every_page_fits_a_screen)
{
    for (size_t i = 0; ruleset_at(i) != NULL; i++) {
        struct told told = page_of(ruleset_name(ruleset_at(i)));

        assert_in_range(told.lines, 10, GUIDE_LINES);
        assert_int_equal(strncmp(told.all, ruleset_name(ruleset_at(i)),
                                 strlen(ruleset_name(ruleset_at(i)))),
                         0);
    }
}

UNIT_TEST(the_table_fits_a_screen_and_names_all)
{
    struct told told = {0};

    guide_compare(hear, &told);
    assert_in_range(told.lines, 10, GUIDE_LINES);
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        assert_true(tells(&told, ruleset_name(ruleset_at(i))));
}

UNIT_TEST(martins_page_tells_his_rules)
{
    struct told told = page_of("martin");

    assert_true(tells(&told, "Then Red moves first."));
    assert_true(tells(&told, "can no longer win"));
    assert_true(tells(&told, "A king may not take a checking piece"));
    assert_true(tells(&told, "Pass: only when no other move is legal"));
    assert_true(tells(&told, "Draws: both sides have bared the kings;"));
    assert_true(tells(&told, "R rook (chariot) "));
    assert_true(tells(&told, "Red (Han, capitals)"));
    assert_false(tells(&told, "Points"));
    assert_false(tells(&told, "left bare for two plies"));
}

/* guide_rules() gives the lines of the whole page without its rows of pieces and
 * without its last line. */
UNIT_TEST(the_rules_are_the_page_without_the_pieces)
{
    for (size_t i = 0; ruleset_at(i) != NULL; i++) {
        struct told page = page_of(ruleset_name(ruleset_at(i))), rules = {0};
        const char *pieces = strstr(page.all, "R rook (chariot)");
        const char *others = strstr(page.all, "A move may not leave your own king in");
        const char *last = strstr(page.all, "See also");
        size_t head;

        guide_rules(ruleset_at(i), hear, &rules);
        assert_true(pieces != NULL && others > pieces && last > others);
        head = (size_t)(pieces - page.all);
        assert_memory_equal(rules.all, page.all, head);
        assert_int_equal(strlen(rules.all) - head, last - others);
        assert_memory_equal(rules.all + head, others, (size_t)(last - others));
    }
}

UNIT_TEST(the_tournament_page_counts)
{
    struct told told = page_of("kja");

    assert_true(tells(&told, "Then Blue moves first."));
    assert_true(
        tells(&told, "rook 13, cannon 7, knight 5, bishop 3, guard 3, pawn 2;"));
    assert_true(tells(&told, "Red, who moves second, has 1.5 more."));
    assert_true(tells(&told, "The points decide: kings left bare for two plies;"));
    assert_true(tells(&told, "loses if it alone gave check"));
    assert_false(tells(&told, "can no longer win"));
    assert_true(tells(&told, "Draws: by agreement."));
}

UNIT_TEST(the_others_draw_when_kings_stay_bare)
{
    static const char *const names[] = {"courier", "vchess"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct told told = page_of(names[i]);

        assert_true(tells(&told, "Draws: kings left bare for two plies;"));
        assert_true(tells(&told, "gives no check; the other side need not answer"));
        assert_true(tells(&told, "Pass: instead of any move"));
        assert_int_equal(i == 0, tells(&told, "swap b1 c1; swap g1 h1; P a4-a5"));
        assert_int_equal(i == 1, tells(&told, "e1e8, is a pass as well"));
        assert_int_equal(i == 1,
                         tells(&told, "which decide nothing: rook 13, cannon 7, "
                                      "knight 5, bishop 3, guard 3, pawn 2."));
    }
}

/* Topics are pages that do not belong to a ruleset. */
UNIT_TEST(the_topics_fit_a_screen)
{
    static const char *const words[] = {
        "R rook     cha, tcha    차 車  ju     kui        chariot, car, tank",
        "  Blue     jol, tjol    졸 卒  zu     tsut",
        "There is no river.",
        "moves sideways from the start",
        "one screen to move as well as to capture",
        "a double cannon is harmless",
        "There is no stalemate.",
        "painted lines of their fortress",
        "martin       Kings on one file with no piece between them are bare.",
        "vchess       Pass: instead of any move",
        "setup 3 NBNB",
        "B bishop   sang, syang  상 象  xiang  sheung     prime minister",
    };
    struct told all = {.has_signs = true};
    int topics = 0;

    for (; guide_topic_at((size_t)topics) != NULL; topics++) {
        struct told told = {.has_signs =
                                strcmp(guide_topic_at((size_t)topics), "names") == 0};

        assert_true(guide_topic(guide_topic_at((size_t)topics), hear, &told));
        assert_in_range(told.lines, 4, GUIDE_LINES);
        assert_true(guide_topic(guide_topic_at((size_t)topics), hear, &all));
    }
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        assert_so(tells(&all, words[i]), "no topic says: %s", words[i]);
    assert_int_equal(topics, 5);
    assert_false(guide_topic("chess", hear, &all));
    assert_false(guide_topic("martin", hear, &all));
}

/* The pages of the guide contain numbers. Checks that the rules core uses the same
 * numbers. */
UNIT_TEST(the_numbers_are_the_referees)
{
    const struct ruleset *rules = ruleset_at(0);
    struct history_view twice = {false, 2, SIDE_NONE}, thrice = {false, 3, SIDE_NONE};
    struct position position;
    enum outcome outcome;

    position_set_up(&position, LINEUP_NBBN, LINEUP_NBBN, SIDE_RED);
    assert_int_equal(rules_ending(rules, &position, &twice, &outcome), REASON_NONE);
    assert_int_equal(rules_ending(rules, &position, &thrice, &outcome),
                     REASON_REPETITION);
    position.quiet = 99;
    assert_int_equal(rules_ending(rules, &position, &twice, &outcome), REASON_NONE);
    position.quiet = 100;
    assert_int_equal(rules_ending(rules, &position, &twice, &outcome),
                     REASON_NO_CAPTURE);
    position.passes = 2;
    assert_int_equal(rules_ending(rules, &position, &twice, &outcome),
                     REASON_DOUBLE_PASS);
}

/* No two reasons for the end of a game have the same term. */
UNIT_TEST(each_result_has_its_term)
{
    for (int i = 0; i <= OUTCOME_DRAW; i++)
        assert_string_equal(term_outcome((enum outcome)i),
                            outcome_name((enum outcome)i));
    for (int i = 1; i < REASONS; i++) {
        assert_true(term_reason((enum reason)i)[0] != '\0');
        for (int j = 1; j < i; j++)
            assert_string_not_equal(term_reason((enum reason)i),
                                    term_reason((enum reason)j));
    }
}

UNIT_MAIN(NULL, NULL)
