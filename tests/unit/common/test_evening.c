/* Tests of club evenings: events, pairings, the table and TRF files. For random
 * evenings, the test itself counts who has met whom, and does not use the code under
 * test for that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/evening/evening.h"
#include "common/evening/evening_draw.h"
#include "common/evening/evening_export.h"
#include "common/evening/evening_table.h"
#include "tests/unit/unit.h"

static uint32_t random_state = 1;

static int random_below(int count)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)count);
}

/* Applies events, which "; " separates. */
static void say(struct evening *evening, const char *format, ...)
{
    char text[EVENING_EVENT_BYTES], *rest;
    va_list args;

    va_start(args, format);
    assert_in_range(vsnprintf(text, sizeof text, format, args), 1, sizeof text - 1);
    va_end(args);
    for (char *one = strtok_r(text, ";", &rest); one != NULL;
         one = strtok_r(NULL, ";", &rest))
        assert_so(evening_apply(evening, one + strspn(one, " ")), "not taken: %s", one);
}

static void begin(struct evening *evening, const char *system, int players, int rounds)
{
    evening_clear(evening);
    say(evening,
        "new club maker=hong system=%s rounds=%d score=wins time=none "
        "rules=kja first=blue noshow_s=300 pairs=auto",
        system, rounds);
    for (int i = 1; i <= players; i++)
        say(evening, "join %d p%d", i, i);
}

static void pair_next(struct evening *evening)
{
    char text[EVENING_EVENT_BYTES];
    struct evening_draw draw;

    assert_true(evening_draw_round(evening, NULL, &draw));
    assert_null(evening_draw_judge(evening, &draw));
    evening_draw_format(text, evening, &draw);
    say(evening, "%s", text);
}

static struct evening club, source, target; /* evenings of the test that runs */

static int tear_down(void **state)
{
    evening_clear(&club);
    evening_clear(&source);
    evening_clear(&target);
    return 0;
}

#define TEST(name) UNIT_TEST_WITH(name, NULL, tear_down)

/* --- The fold --- */

TEST(events_that_do_not_fit_are_refused)
{
    static const char *const bad[] = {"new again system=rr",
                                      "join 3 p3",
                                      "join 5 lee",
                                      "join 1 p1",
                                      "leave 4",
                                      "round 2 1-2",
                                      "round 1 1-1",
                                      "round 1 1-2 2-3",
                                      "round 1 1-4",
                                      "round 1",
                                      "round 1 12",
                                      "game 1 57",
                                      "result 1 1 first",
                                      "miss 1 1 first",
                                      "adjust 9 1 x",
                                      "adjust 1 x",
                                      "adjust 1 99999999999",
                                      "leave x",
                                      ""};
    struct evening none = {0};
    int events;

    begin(&club, "swiss", 3, 5);
    events = club.events;
    assert_true(events == 4);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_so(!evening_apply(&club, bad[i]), "taken: %s", bad[i]);
    assert_int_equal(club.events, events);
    assert_false(evening_apply(&none, "join 1 hong"));
    assert_false(evening_apply(&none, "later x"));
    assert_false(evening_apply(&none, "new a system=arena"));
    assert_false(evening_apply(&none, "new a rounds=21"));
    assert_true(evening_apply(&club, "later 7 of a later version"));
}

/* A player misses a round, and then joins again. If the result of that round is
 * corrected now, only missed_ever changes, which counts the missed rounds of the whole
 * evening. `missed` does not change. */
TEST(a_late_correction_leaves_later_misses)
{
    begin(&club, "swiss", 4, 5);
    say(&club, "round 1 1-2 3-4; miss 1 1 first; result 1 2 draw agreement; leave 1 "
               "missed; join 1 p1; round 2 1-3 2-4; miss 2 1 first");
    assert_int_equal(evening_player(&club, 1)->missed, 1);
    say(&club, "result 1 1 first resignation");
    assert_int_equal(evening_player(&club, 1)->missed, 1);
    assert_int_equal(evening_player(&club, 1)->missed_ever, 1);
    say(&club, "leave 4 left");
    say(&club, "join 4 p4"); /* the game of round 2 is not decided yet */
    say(&club, "miss 2 2 second");
    assert_int_equal(evening_player(&club, 4)->missed, 1);
}

TEST(a_player_who_misses_is_counted)
{
    begin(&club, "swiss", 4, 5);
    say(&club, "round 1 1-2 3-4; miss 1 1 first; result 1 2 draw agreement");
    assert_int_equal(evening_halves(evening_board(&club, 1, 1), false), 2);
    assert_int_equal(evening_player(&club, 1)->missed, 1);
    say(&club, "result 1 1 first resignation"); /* corrects the earlier result, a missed
                                                 * game */
    assert_int_equal(evening_player(&club, 1)->missed_ever, 0);
    say(&club, "miss 1 1 both; leave 1 missed");
    assert_int_equal(evening_count_here(&club), 3);
    say(&club, "join 1 p1");
    assert_int_equal(evening_player(&club, 1)->missed, 0);
    assert_int_equal(evening_player(&club, 1)->missed_ever, 1);
    say(&club, "end");
    assert_false(evening_apply(&club, "join 5 late"));
    say(&club, "adjust 2 -3 arrived_drunk");
    assert_int_equal(evening_player(&club, 2)->adjusted_halves, -3);
}

TEST(the_score_7421_counts_how_a_game_ended)
{
    say(&club, "new club maker=hong system=swiss score=7421 rounds=3");
    for (int i = 1; i <= 5; i++)
        say(&club, "join %d p%d", i, i);
    say(&club, "round 1 1-2 3-4 5-0; result 1 1 first checkmate; result 1 2 second "
               "double_pass");
    assert_int_equal(evening_table_halves(&club, evening_board(&club, 1, 1), true), 14);
    assert_int_equal(evening_table_halves(&club, evening_board(&club, 1, 1), false), 0);
    assert_int_equal(evening_table_halves(&club, evening_board(&club, 1, 2), false), 8);
    assert_int_equal(evening_table_halves(&club, evening_board(&club, 1, 2), true), 4);
}

/* --- The table --- */

TEST(ties_are_broken_in_order)
{
    struct evening_place place[4];
    static const int order[] = {2, 1, 3, 4};

    begin(&club, "rr", 4, 3);
    say(&club, "round 1 1-4 2-3; result 1 1 first checkmate; result 1 2 first "
               "checkmate; round 2 4-3 1-2; result 2 1 second time");
    say(&club, "result 2 2 second time"); /* player 2 defeats player 1 */
    say(&club,
        "round 3 2-4 3-1; result 3 1 second bikjang; result 3 2 second checkmate");
    evening_table(&club, place);
    for (int i = 0; i < 4; i++)
        assert_int_equal(place[i].number, order[i]);
    assert_int_equal(place[0].score, 4);
    assert_int_equal(place[0].direct, 2);
    assert_int_equal(place[2].score, 2);
    /* players 3 and 4 have one win each, and 3 has defeated 4 */
    assert_int_equal(place[2].direct, 2);
    assert_int_equal(place[1].buchholz_cut, 4 + 2); /* opponents' points 4, 2 and 2,
                                                     * without the lowest */
    assert_int_equal(place[1].sonneborn, 2 * 2 + 2 * 2);
    say(&club, "adjust 1 1 fair_play");
    evening_table(&club, place);
    assert_int_equal(place[0].number, 1);
}

TEST(a_no_show_is_behind_its_equals)
{
    struct evening_place place[4];

    begin(&club, "swiss", 4, 2);
    say(&club, "round 1 1-2 3-4; miss 1 1 first; result 1 2 first checkmate; round 2 "
               "1-3 2-4; result 2 1 first checkmate; result 2 2 second checkmate");
    evening_table(&club, place);
    for (int i = 0; i < 4; i++)
        assert_true(place[i].score == 2);
    assert_int_equal(place[3].number, 1);
    assert_int_equal(place[3].place, 4);
}

/* --- Pairings --- */

TEST(a_circle_meets_everybody_once_and_moves_first_fairly)
{
    for (int players = 2; players <= EVENING_CIRCLE_MAX; players++) {
        int met[EVENING_CIRCLE_MAX + 1][EVENING_CIRCLE_MAX + 1] = {{0}};
        int firsts[EVENING_CIRCLE_MAX + 1] = {0};
        struct evening_draw draw;

        begin(&club, "rr", players, 1);
        while (evening_draw_round(&club, NULL, &draw)) {
            pair_next(&club);
            for (int i = 0; i < draw.pairs; i++) {
                int first = draw.pair[i].first, second = draw.pair[i].second;

                met[first][second]++;
                met[second][first]++;
                firsts[first] += second != 0;
                firsts[second] -= second != 0;
                if (second != 0)
                    say(&club, "result %d %d first checkmate", club.round, i + 1);
            }
        }
        assert_int_equal(club.round, club.rounds);
        assert_true(evening_is_complete(&club));
        for (int i = 1; i <= players; i++) {
            for (int j = players % 2 == 0; j <= players; j++)
                assert_int_equal(met[i][j], i != j);
            assert_in_range(firsts[i] + 1, 0, 2);
        }
    }
}

TEST(one_player_gets_no_round)
{
    struct evening_draw draw;

    begin(&club, "rr", 4, 3);
    say(&club, "round 1 1-4 2-3; result 1 1 first checkmate; result 1 2 first "
               "checkmate; leave 2 left; leave 3 left");
    assert_true(evening_draw_round(&club, NULL, &draw));
    say(&club, "leave 4 left");
    assert_false(evening_draw_round(&club, NULL, &draw));
}

static void decide_all(struct evening *evening)
{
    static const char *const words[] = {
        "result %d %d first checkmate", "result %d %d second time",
        "result %d %d draw agreement",  "result %d %d first resignation",
        "result %d %d second bikjang",  "miss %d %d first"};

    for (int i = evening->pairs - 1; i >= 0; i--)
        if (evening->pair[i].round == evening->round && evening->pair[i].second != 0)
            say(evening, words[random_below(random_below(8) == 0 ? 6 : 5)],
                evening->round, evening->pair[i].board);
}

/* Pairs and decides rounds until `rounds` rounds have been played. */
static void play(struct evening *evening, int rounds)
{
    while (evening->round < rounds) {
        pair_next(evening);
        decide_all(evening);
    }
}

/* Lets random players leave and come back, and sometimes a new player join. */
static void come_and_leave(struct evening *evening)
{
    for (int i = 1; i <= evening->players; i++) {
        bool is_here = evening_player(evening, i)->is_here;

        if (is_here && evening_count_here(evening) > 5 && random_below(20) == 0)
            say(evening, "leave %d", i);
        else if (!is_here && random_below(4) == 0)
            say(evening, "join %d p%d", i, i);
    }
    if (evening->players < 64 && random_below(4) == 0)
        say(evening, "join %d p%d", evening->players + 1, evening->players + 1);
}

/* Checks the last round: every player who is here is paired once, no two players meet
 * again, and the bye goes to a player who has had no bye, if there is one. */
static void is_legal(const struct evening *evening)
{
    int paired[EVENING_PLAYERS_MAX + 1] = {0}, byes[EVENING_PLAYERS_MAX + 1] = {0};
    int fresh = 0;

    for (int i = 0; i < evening->pairs; i++) {
        const struct evening_pair *now = &evening->pair[i];

        if (now->second == 0)
            byes[now->first] += now->round < evening->round ? 1 : 100;
        if (now->round != evening->round)
            continue;
        paired[now->first]++;
        paired[now->second]++;
        for (int j = 0; j < i && now->second != 0; j++) {
            const struct evening_pair *past = &evening->pair[j];
            bool sat_down =
                past->result >= EVENING_FIRST_WON && past->result <= EVENING_DRAWN;

            if (sat_down &&
                ((past->first == now->first && past->second == now->second) ||
                 (past->first == now->second && past->second == now->first)))
                fail_msg("round %d: %d and %d meet again", now->round, now->first,
                         now->second);
        }
    }
    for (int i = 1; i <= evening->players; i++) {
        assert_int_equal(paired[i], evening_player(evening, i)->is_here);
        fresh += byes[i] == 0 && paired[i] > 0;
    }
    assert_int_equal(paired[0], evening_count_here(evening) % 2);
    for (int i = 1; i <= evening->players; i++)
        assert_true(byes[i] <= 100 || fresh == 0);
}

static int rounds_for(int players)
{
    int rounds = 2;

    for (int size = 4; size < players; size *= 2)
        rounds++;
    return players == 5 ? 2 : rounds;
}

/* True if bbpPairings accepts the TRF file of `evening`. bbpPairings is a Swiss pairing
 * program by other people. It adds up the results and compares the sums with the points
 * in the file. */
static bool is_taken_by_other_program(const struct evening *evening)
{
    const char *program = getenv("BBPPAIRINGS");
    char path[] = "/tmp/test_evening.XXXXXX", command[400];
    char *file = malloc(EVENING_TRF_BYTES);
    size_t size = evening_export_trf(file, EVENING_TRF_BYTES, evening, NULL);
    int fd = mkstemp(path), status;

    assert_true(fd >= 0 && write(fd, file, size) == (ssize_t)size);
    close(fd);
    snprintf(command, sizeof command, "%s --dutch %s -p /dev/null",
             program != NULL ? program : "bbpPairings", path);
    status = system(command);
    unlink(path);
    free(file);
    return status == 0;
}

static bool has_other_program(void)
{
    return getenv("BBPPAIRINGS") != NULL ||
           system("command -v bbpPairings >/dev/null") == 0;
}

TEST(random_evenings_have_no_dead_end)
{
    bool is_compared = has_other_program();

    if (!is_compared)
        print_message("# bbpPairings is missing: nobody reads the files of TRF\n");
    for (int n = 0; n < 360; n++) {
        int players = 5 + n % 60;

        begin(&club, "swiss", players, rounds_for(players));
        while (club.round < club.rounds) {
            pair_next(&club);
            is_legal(&club);
            decide_all(&club);
            come_and_leave(&club);
            if (is_compared && n % 12 == 0 && club.round < club.rounds)
                assert_true(is_taken_by_other_program(&club));
        }
    }
}

TEST(a_small_evening_with_many_rounds_repeats_pairs)
{
    begin(&club, "swiss", 3, 9);
    play(&club, 9);
    assert_true(evening_is_complete(&club));
}

/* --- Pairings from elsewhere --- */

TEST(pairings_by_hand_are_checked)
{
    static const struct {
        const char *text;
        bool is_good;
    } lists[] = {{"1-3 4-2", true},
                 {"1-2  3-4", true},
                 {"1-3", false},
                 {"1-3 1-4", false},
                 {"1-3 2-4 1-3", false},
                 {"1-9 2-4", false},
                 {"1-3 2-x", false},
                 {"1-3 2-0 4-0", false},
                 {"1-3 2", false},
                 {"1 3 2 4", false},
                 {"1-3 2-4-", false},
                 {"1--3 2-4", false},
                 {"0-0 1-3 2-4", false},
                 {"", false},
                 {"1-3 2-99999999999999", false}};
    struct evening_draw draw;

    begin(&club, "swiss", 4, 3);
    say(&club, "round 1 1-2 3-4");
    decide_all(&club);
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        const char *why = evening_draw_parse(&club, lists[i].text, &draw);

        if (why == NULL)
            why = evening_draw_judge(&club, &draw);
        if ((why == NULL) != lists[i].is_good)
            fail_msg("%s: %s", lists[i].text, why != NULL ? why : "taken");
    }
}

TEST(a_file_has_the_columns_of_fide)
{
    /* The first column of each field in the row of a player: number 5, name 15, rating
     * 49, points 81, rank 86, first round 92. */
    static const char wanted[] =
        "012 club\n062 3\n092 Individual: Swiss-System\n122 none\nXXR 3\nXXC white1\n"
        "001    1      hong                             "
        " 1500                             1.0    2     2 w 1  0000 - Z\n"
        "001    2      \xea\xb9\x80\xec\xb2\xa0\xec\x88\x98                            "
        "  "
        "                                  0.0    3     1 b 0\n"
        "001    3      lee                              "
        "                                  1.0    1  0000 - U\n";
    static const int rating[] = {1500, 0, 0};
    char file[4096];

    say(&club, "new club maker=hong system=swiss rounds=3 time=none; join 1 hong; join "
               "2 \xea\xb9\x80\xec\xb2\xa0\xec\x88\x98; join 3 lee; round 1 1-2 3-0; "
               "result 1 1 first checkmate; leave 1");
    evening_export_trf(file, sizeof file, &club, rating);
    assert_string_equal(file, wanted);
}

/* Readers compare the points of a file with the results in it. */
TEST(a_round_that_is_half_decided_gives_no_points_yet)
{
    char before[4096], file[4096];

    begin(&club, "swiss", 5, 3);
    pair_next(&club);
    decide_all(&club);
    evening_export_trf(before, sizeof before, &club, NULL);
    pair_next(&club);
    say(&club, "result 2 1 first checkmate");
    evening_export_trf(file, sizeof file, &club, NULL);
    assert_string_equal(file, before);
}

/* An evening of a series, and one whose rounds came from a file: what older servers
 * wrote is read. */
TEST(events_of_older_servers_are_read)
{
    say(&club,
        "new club maker=hong system=swiss rounds=3 time=none at_s=5 every_s=600");
    say(&club, "join 1 hong; join 2 kim; round 1 1-2; result 1 1 first host the file "
               "says so; pause");
    assert_true(club.is_paused && club.at_s == 5);
    pair_next(&club);
    assert_false(club.is_paused);
}

TEST(a_page_has_the_cross_table)
{
    char *page = malloc(EVENING_HTML_BYTES);

    begin(&club, "swiss", 3, 3);
    say(&club,
        "join 4 <b>&; round 1 1-2 3-4; result 1 1 first checkmate; miss 1 2 second");
    evening_export_html(page, EVENING_HTML_BYTES, &club);
    assert_non_null(strstr(page, "<td>2</td><th scope=\"row\">p1</th><td>3b1</td>"
                                 "<td>1</td><td>0</td><td>0.00</td></tr>"));
    assert_non_null(strstr(page, "&#60;b&#62;&#38;</th><td>1r-</td>"));
    assert_null(strstr(page, "<b>"));
    assert_non_null(strstr(page, "</body></html>\n"));
    begin(&club, "swiss", EVENING_PLAYERS_MAX, EVENING_ROUNDS_MAX);
    play(&club, club.rounds);
    evening_export_html(page, EVENING_HTML_BYTES, &club);
    assert_non_null(strstr(page, "</body></html>\n"));
    free(page);
}

/* The stronger player always wins, so the leaders have all met before the last round,
 * and the pairing search must backtrack far. It must still be fast, because the server
 * waits for it. */
TEST(the_last_round_of_a_long_swiss_is_drawn_in_a_moment)
{
    begin(&club, "swiss", 101, 20);
    for (int round = 1; round <= 20; round++) {
        clock_t began = clock();

        pair_next(&club);
        assert_true(clock() - began < 3 * CLOCKS_PER_SEC);
        for (int i = 0; i < club.pairs; i++) {
            const struct evening_pair *pair = &club.pair[i];

            if (pair->round == round && pair->second != 0)
                say(&club, "result %d %d %s checkmate", round, pair->board,
                    pair->first < pair->second ? "first" : "second");
        }
    }
}

UNIT_MAIN(NULL, NULL)
