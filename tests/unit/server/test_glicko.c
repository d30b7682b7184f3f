/* Compares the arithmetic of ratings with the example of the Glicko-2 paper, and tests
 * the limits of ratings and the ranks that ratings give. */
#include "server/account/glicko.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

enum { RANDOM_GAMES = 200000 };

static void is_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9f is not %.9f", value, expected);
}

static const struct glicko_real player = {1500, 200, 0.06};
static const struct glicko_result results[] = {
    {{1400, 30, 0.06}, 1}, {{1550, 100, 0.06}, 0}, {{1700, 300, 0.06}, 0}};

/* The paper rounds intermediate values and prints 1464.06 and 151.52. */
UNIT_TEST(the_example_of_the_paper)
{
    struct glicko_real after = glicko_update(player, results, ARRAY_LEN(results), 1);

    is_near(after.rating, 1464.050670539, 1e-8);
    is_near(after.rd, 151.516524124, 1e-8);
    is_near(after.volatility, 0.059995984401, 1e-11);
}

UNIT_TEST(the_example_game_by_game)
{
    struct glicko_real after = player;

    for (size_t i = 0; i < ARRAY_LEN(results); i++)
        after = glicko_update(after, &results[i], 1, 0);
    is_near(after.rating, 1464.219038680, 1e-8);
    is_near(after.rd, 151.253745631, 1e-8);
}

static struct glicko any_rating(void)
{
    return (struct glicko){.rating = 40000 + rand() % 260000,
                           .rd = 4500 + rand() % 30501,
                           .volatility = 20000 + rand() % 80001};
}

static void is_within_limits(struct glicko rating)
{
    assert_true(rating.rating >= GLICKO_RATING_MIN);
    assert_in_range(rating.rd, GLICKO_RD_MIN, GLICKO_RD_MAX);
    assert_in_range(rating.volatility, 1, GLICKO_VOLATILITY_MAX);
}

UNIT_TEST(a_win_never_lowers_a_rating)
{
    srand(1);
    for (int i = 0; i < RANDOM_GAMES; i++) {
        const struct glicko before[SIDES] = {any_rating(), any_rating()};
        enum glicko_score score = (enum glicko_score)(rand() % 3);
        struct glicko after[SIDES] = {before[SIDE_RED], before[SIDE_BLUE]};

        glicko_play(after, score);
        for (int side = 0; side < SIDES; side++)
            is_within_limits(after[side]);
        if (score == GLICKO_RED_WON) {
            assert_true(after[SIDE_RED].rating >= before[SIDE_RED].rating);
            assert_true(after[SIDE_BLUE].rating <= before[SIDE_BLUE].rating);
        } else if (score == GLICKO_RED_LOST) {
            assert_true(after[SIDE_RED].rating <= before[SIDE_RED].rating);
            assert_true(after[SIDE_BLUE].rating >= before[SIDE_BLUE].rating);
        }
    }
}

UNIT_TEST(a_game_is_the_same_from_both_sides)
{
    srand(2);
    for (int i = 0; i < 1000; i++) {
        struct glicko one[SIDES] = {any_rating(), any_rating()};
        struct glicko other[SIDES] = {one[SIDE_BLUE], one[SIDE_RED]};

        glicko_play(one, GLICKO_RED_WON);
        glicko_play(other, GLICKO_RED_LOST);
        assert_memory_equal(&one[SIDE_RED], &other[SIDE_BLUE], sizeof one[0]);
        assert_memory_equal(&one[SIDE_BLUE], &other[SIDE_RED], sizeof one[0]);
    }
}

UNIT_TEST(a_deviation_grows_with_time)
{
    struct glicko rating = {150000, 6000, 60000};

    assert_in_range(glicko_age(rating, 365 * DAY_S).rd, 10950, 11050);
    assert_int_equal(glicko_age(rating, 0).rd, 6000);
    assert_int_equal(glicko_age(rating, -1000 * DAY_S).rd, 6000);
    assert_int_equal(glicko_age(rating, INT64_MAX).rd, GLICKO_RD_MAX);
    assert_int_equal(glicko_age(rating, 365 * DAY_S).rating, rating.rating);
}

static int games_until(int rd, int64_t gap_s)
{
    struct glicko rating[SIDES] = {glicko_start(), {150000, 6000, 60000}};
    int games = 0;

    while (rating[SIDE_RED].rd >= rd && games < 1000) {
        rating[SIDE_RED] = glicko_age(rating[SIDE_RED], gap_s);
        rating[SIDE_BLUE] = (struct glicko){rating[SIDE_RED].rating, 6000, 60000};
        glicko_play(rating, games++ % 2 == 0 ? GLICKO_RED_WON : GLICKO_RED_LOST);
    }
    return games;
}

UNIT_TEST(a_rating_becomes_firm)
{
    assert_in_range(games_until(GLICKO_RD_FIRM, 0), 8, 13);
    assert_in_range(games_until(GLICKO_RD_LISTED, 0), 18, 27);
}

UNIT_TEST(ranks_are_steps)
{
    static const struct {
        int points;
        const char *rank;
    } table[] = {{400, "18k"}, {799, "18k"}, {849, "18k"}, {850, "17k"}, {1500, "4k"},
                 {1512, "4k"}, {1549, "4k"}, {1550, "3k"}, {1649, "2k"}, {1650, "1k"},
                 {1699, "1k"}, {1700, "1d"}, {1799, "1d"}, {1800, "2d"}, {1822, "2d"},
                 {2499, "8d"}, {2500, "9d"}, {3000, "9d"}, {10000, "9d"}};

    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        char rank[GLICKO_RANK_BYTES];

        glicko_rank(rank, table[i].points);
        assert_string_equal(rank, table[i].rank);
    }
}

UNIT_MAIN(NULL, NULL)
