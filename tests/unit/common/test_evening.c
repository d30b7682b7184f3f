/* Club evenings: the fold, the pairings, the table and the files of TRF. Random evenings
 * are checked by rules of their own: who has met whom is counted here anew. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/evening/evening.h"
#include "common/evening/evening_draw.h"
#include "common/evening/evening_html.h"
#include "common/evening/evening_import.h"
#include "common/evening/evening_table.h"
#include "common/evening/evening_trf.h"
#include "tests/unit/unit.h"

static uint32_t random_state = 1;

static int random_below(int count)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)count);
}

static void say(struct evening *evening, const char *format, ...)
{
    char text[EVENING_EVENT_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!evening_apply(evening, text))
        fail_msg("not taken: %s", text);
}

static struct evening evening_of(const char *system, int players, int rounds)
{
    struct evening evening = {0};

    say(&evening,
        "new club maker=hong system=%s rounds=%d score=wins time=none "
        "rules=kja first=blue noshow_s=300 pairs=auto",
        system, rounds);
    for (int i = 1; i <= players; i++)
        say(&evening, "join %d p%d", i, i);
    return evening;
}

static void pair_next(struct evening *evening)
{
    char text[EVENING_EVENT_BYTES];
    struct evening_draw draw;

    assert_true(evening_draw_round(evening, NULL, &draw));
    assert_null(evening_draw_judge(evening, &draw, true));
    evening_draw_format(text, evening, &draw);
    say(evening, "%s", text);
}

/* --- The fold --- */

static void events_that_do_not_fit_are_refused(void **state)
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
    struct evening evening = evening_of("swiss", 3, 5), none = {0};
    int events = evening.events;

    assert_true(events == 4);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (evening_apply(&evening, bad[i]))
            fail_msg("taken: %s", bad[i]);
    assert_int_equal(evening.events, events);
    assert_false(evening_apply(&none, "join 1 hong"));
    assert_false(evening_apply(&none, "later x"));
    assert_false(evening_apply(&none, "new a system=arena"));
    assert_false(evening_apply(&none, "new a rounds=21"));
    assert_true(evening_apply(&evening, "later 7 of a later version"));
    evening_clear(&evening);
}

static void a_player_who_misses_is_counted(void **state)
{
    struct evening evening = evening_of("swiss", 4, 5);

    say(&evening, "round 1 1-2 3-4");
    say(&evening, "miss 1 1 first");
    say(&evening, "result 1 2 draw agreement");
    assert_int_equal(evening_halves(evening_board(&evening, 1, 1), false), 2);
    assert_int_equal(evening_player(&evening, 1)->missed, 1);
    say(&evening, "result 1 1 first resignation"); /* the maker decides otherwise */
    assert_int_equal(evening_player(&evening, 1)->missed_ever, 0);
    say(&evening, "miss 1 1 both");
    say(&evening, "leave 1 missed");
    assert_int_equal(evening_count_here(&evening), 3);
    say(&evening, "join 1 p1");
    assert_int_equal(evening_player(&evening, 1)->missed, 0);
    assert_int_equal(evening_player(&evening, 1)->missed_ever, 1);
    say(&evening, "end");
    assert_false(evening_apply(&evening, "join 5 late"));
    say(&evening, "adjust 2 -3 arrived_drunk");
    assert_int_equal(evening_player(&evening, 2)->adjusted_halves, -3);
    evening_clear(&evening);
}

static void the_score_7421_counts_how_a_game_ended(void **state)
{
    struct evening evening = {0};

    say(&evening, "new club maker=hong system=swiss score=7421 rounds=3");
    for (int i = 1; i <= 5; i++)
        say(&evening, "join %d p%d", i, i);
    say(&evening, "round 1 1-2 3-4 5-0");
    say(&evening, "result 1 1 first checkmate");
    say(&evening, "result 1 2 second double_pass");
    assert_int_equal(
        evening_table_halves(&evening, evening_board(&evening, 1, 1), true), 14);
    assert_int_equal(
        evening_table_halves(&evening, evening_board(&evening, 1, 1), false), 0);
    assert_int_equal(
        evening_table_halves(&evening, evening_board(&evening, 1, 2), false), 8);
    assert_int_equal(
        evening_table_halves(&evening, evening_board(&evening, 1, 2), true), 4);
    evening_clear(&evening);
}

/* --- The table --- */

static void ties_are_broken_in_order(void **state)
{
    struct evening evening = evening_of("rr", 4, 3);
    struct evening_place place[4];
    static const int order[] = {2, 1, 3, 4};

    say(&evening, "round 1 1-4 2-3");
    say(&evening, "result 1 1 first checkmate");
    say(&evening, "result 1 2 first checkmate");
    say(&evening, "round 2 4-3 1-2");
    say(&evening, "result 2 1 second time");
    say(&evening, "result 2 2 second time"); /* 2 defeats 1 */
    say(&evening, "round 3 2-4 3-1");
    say(&evening, "result 3 1 second bikjang");
    say(&evening, "result 3 2 second checkmate");
    evening_table(&evening, place);
    for (int i = 0; i < 4; i++)
        assert_int_equal(place[i].number, order[i]);
    assert_int_equal(place[0].score, 4);
    assert_int_equal(place[0].direct, 2);
    assert_int_equal(place[2].score, 2);
    /* 3 and 4 have a win each; 3 has defeated 4 */
    assert_int_equal(place[2].direct, 2);
    assert_int_equal(place[1].buchholz_cut, 4 + 2); /* 4, 2 and 2 less the lowest */
    assert_int_equal(place[1].sonneborn, 2 * 2 + 2 * 2);
    say(&evening, "adjust 1 1 fair_play");
    evening_table(&evening, place);
    assert_int_equal(place[0].number, 1);
    evening_clear(&evening);
}

static void a_no_show_is_behind_its_equals(void **state)
{
    struct evening evening = evening_of("swiss", 4, 2);
    struct evening_place place[4];

    say(&evening, "round 1 1-2 3-4");
    say(&evening, "miss 1 1 first");
    say(&evening, "result 1 2 first checkmate");
    say(&evening, "round 2 1-3 2-4");
    say(&evening, "result 2 1 first checkmate");
    say(&evening, "result 2 2 second checkmate");
    evening_table(&evening, place);
    for (int i = 0; i < 4; i++)
        assert_true(place[i].score == 2);
    assert_int_equal(place[3].number, 1);
    assert_int_equal(place[3].place, 4);
    evening_clear(&evening);
}

/* --- Pairings --- */

static void a_circle_meets_everybody_once_and_moves_first_fairly(void **state)
{
    for (int players = 2; players <= EVENING_CIRCLE_MAX; players++) {
        struct evening evening = evening_of("rr", players, 1);
        int met[EVENING_CIRCLE_MAX + 1][EVENING_CIRCLE_MAX + 1] = {{0}};
        int firsts[EVENING_CIRCLE_MAX + 1] = {0};
        struct evening_draw draw;

        while (evening_draw_round(&evening, NULL, &draw)) {
            pair_next(&evening);
            for (int i = 0; i < draw.pairs; i++) {
                int first = draw.pair[i].first, second = draw.pair[i].second;

                met[first][second]++;
                met[second][first]++;
                firsts[first] += second != 0;
                firsts[second] -= second != 0;
                if (second != 0)
                    say(&evening, "result %d %d first checkmate", evening.round, i + 1);
            }
        }
        assert_int_equal(evening.round, evening.rounds);
        assert_true(evening_is_complete(&evening));
        for (int i = 1; i <= players; i++) {
            for (int j = players % 2 == 0; j <= players; j++)
                assert_int_equal(met[i][j], i != j);
            assert_in_range(firsts[i] + 1, 0, 2);
        }
        evening_clear(&evening);
    }
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

/* Some leave, some come back, some come late. */
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

/* Every player who is here is paired once with another one whom the player has not met,
 * and the bye goes to one who has had none if there is such a player. */
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

/* The same table comes out of the file, but for reasons and what was adjusted. */
static void is_same_after_trf(const struct evening *evening)
{
    char *file = malloc(EVENING_TRF_BYTES);
    struct evening_trf again = {.players = 0};
    struct evening_trf_fault fault;
    struct evening_place place[EVENING_PLAYERS_MAX], other[EVENING_PLAYERS_MAX];

    assert_true(evening_trf_format(file, EVENING_TRF_BYTES, evening, NULL) > 0);
    if (!evening_trf_parse(&again, file, &fault))
        fail_msg("%d: %s:\n%s", fault.line, fault.words, file);
    evening_table(evening, place);
    evening_table(&again.evening, other);
    assert_int_equal(again.players, evening->players);
    for (int i = 0; i < again.players; i++) {
        assert_string_equal(again.evening.player[i].name, evening->player[i].name);
        assert_memory_equal(&place[i], &other[i], sizeof place[i]);
    }
    evening_trf_clear(&again);
    free(file);
}

/* A program of the Swiss system by other people takes the file: it adds up the results
 * and compares them with the points. */
static bool is_taken_by_other_program(const struct evening *evening)
{
    const char *program = getenv("BBPPAIRINGS");
    char path[] = "/tmp/test_evening.XXXXXX", command[400];
    char *file = malloc(EVENING_TRF_BYTES);
    size_t size = evening_trf_format(file, EVENING_TRF_BYTES, evening, NULL);
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

static void random_evenings_have_no_dead_end(void **state)
{
    bool is_compared = has_other_program();

    if (!is_compared)
        print_message("# bbpPairings is missing: the files of TRF are read back by our "
                      "own reader only\n");
    for (int n = 0; n < 360; n++) {
        int players = 5 + n % 60;
        struct evening evening = evening_of("swiss", players, rounds_for(players));

        while (evening.round < evening.rounds) {
            pair_next(&evening);
            is_legal(&evening);
            decide_all(&evening);
            come_and_leave(&evening);
            if (is_compared && n % 12 == 0 && evening.round < evening.rounds)
                assert_true(is_taken_by_other_program(&evening));
        }
        is_same_after_trf(&evening);
        evening_clear(&evening);
    }
}

static void a_small_evening_with_many_rounds_repeats_pairs(void **state)
{
    struct evening evening = evening_of("swiss", 3, 9);

    for (int round = 1; round <= 9; round++) {
        pair_next(&evening);
        decide_all(&evening);
    }
    assert_true(evening_is_complete(&evening));
    evening_clear(&evening);
}

/* --- Pairings from elsewhere --- */

static void pairings_from_elsewhere_are_checked(void **state)
{
    static const struct {
        const char *text;
        bool is_good;
    } lists[] = {{"2\n1 3\n2 4\n", true},        {"1-3 4-2", true},
                 {"2\n1 2\n3 4\n", false},       {"1\n1 3\n", false},
                 {"2\n1 3\n1 4\n", false},       {"3\n1 3\n2 4\n", false},
                 {"2\n1 9\n2 4\n", false},       {"", false},
                 {"2\n1 3\n2 x\n", false},       {"3\n1 3\n2 0\n4 0\n", false},
                 {"1-3 2-99999999999999", false}};
    struct evening evening = evening_of("swiss", 4, 3);
    struct evening_draw draw;

    say(&evening, "round 1 1-2 3-4");
    decide_all(&evening);
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        const char *why = evening_draw_parse(&evening, lists[i].text, &draw);

        if (why == NULL)
            why = evening_draw_judge(&evening, &draw, false);
        if ((why == NULL) != lists[i].is_good)
            fail_msg("%s: %s", lists[i].text, why != NULL ? why : "taken");
    }
    evening_clear(&evening);
}

static void a_file_has_the_columns_of_fide(void **state)
{
    /* columns 5 number, 15 name, 49 rating, 81 points, 86 rank, 92 first round */
    static const char wanted[] =
        "012 club\n062 3\n092 Individual: Swiss-System\n122 none\nXXR 3\nXXC white1\n"
        "001    1      hong                             "
        " 1500                             1.0    2     2 w 1  0000 - Z\n"
        "001    2      \xea\xb9\x80\xec\xb2\xa0\xec\x88\x98                            "
        "  "
        "                                  0.0    3     1 b 0\n"
        "001    3      lee                              "
        "                                  1.0    1  0000 - U\n";
    struct evening evening = {0};
    struct evening_trf again = {.players = 0};
    struct evening_trf_fault fault;
    static const int rating[] = {1500, 0, 0};
    char file[4096];

    say(&evening, "new club maker=hong system=swiss rounds=3 time=none");
    say(&evening, "join 1 hong");
    say(&evening, "join 2 \xea\xb9\x80\xec\xb2\xa0\xec\x88\x98");
    say(&evening, "join 3 lee");
    say(&evening, "round 1 1-2 3-0");
    say(&evening, "result 1 1 first checkmate");
    say(&evening, "leave 1");
    evening_trf_format(file, sizeof file, &evening, rating);
    assert_string_equal(file, wanted);
    assert_true(evening_trf_parse(&again, file, &fault));
    assert_int_equal(again.players, 3);
    assert_int_equal(again.line[2], 9);
    assert_false(again.evening.player[0].is_here);
    evening_clear(&evening);
    evening_trf_clear(&again);
}

/* --- Files from elsewhere --- */

/* Two lines of players: number, name, points and rounds. */
#define ROW(number, name, points, rounds)                                              \
    "001    " number "      " name "                                "                  \
    "                               " points "      " rounds "\n"

/* The file is that of hong, kim and lee, with one line in place of another. */
static void what_is_wrong_with_a_file_is_said(void **state)
{
    static const struct {
        const char *file;
        int line;
        const char *words;
    } files[] = {
        {"hello\n", 0, "no line of a player"},
        {"012 club\n001    x      hong\n", 2, "columns 5-8"},
        {"001    1      hong\r\n001    1      kim\r\n", 2,
         "player 1 is also in line 1"},
        {"001    1      hong\n001    3      kim\n", 0, "player 2 is missing"},
        {"001    1      hong\n001    2      Hong\n", 2,
         "players 1 and 2 have the same"},
        {"001    1\n", 1, "no name"},
        {"001    1      h\xf6ng\n", 1, "not UTF-8"},
        {"XXR 99\n001    1      hong\n", 1, "number of rounds, 1 to 20"},
        {ROW("1", "hong", "1.0", "    2 w 1") ROW("2", "kim ", "0.0", "    1 w 0"), 1,
         "must have w"},
        {ROW("1", "hong", "1.0", "    2 w 1") ROW("2", "kim ", "1.0", "    1 b 1"), 1,
         "results 1 and 1, which do not fit"},
        {ROW("1", "hong", "1.0", "    2 w 1") ROW("2", "kim ", "0.0", " 0000 - Z"), 1,
         "whose line says otherwise"},
        {ROW("1", "hong", "1.0", "    2 w  ") ROW("2", "kim ", "0.0", "    1 b  "), 1,
         "no result yet"},
        {ROW("1", "hong", "1.0", "    7 w 1") ROW("2", "kim ", "0.0", "    1 b 0"), 1,
         "number of another player"},
        {ROW("1", "hong", "0.0", "    2 w 1") ROW("2", "kim ", "0.0", "    1 b 0"), 1,
         "0 points, but the results make 1"},
        {ROW("1", "hong", "1.0", " 0000 - U") ROW("2", "kim ", "0.0", " 0000 - X"), 2,
         "without an opponent, X is unknown"},
        {ROW("1", "hong", "1.0", "    2 w 1               2 w 1")
             ROW("2", "kim ", "0.0", "    1 b 0               1 b 0"),
         0, "round 2 has no pairs"},
    };

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct evening_trf trf = {.players = 0};
        struct evening_trf_fault fault;

        if (evening_trf_parse(&trf, files[i].file, &fault))
            fail_msg("%s: was read", files[i].words);
        if (fault.line != files[i].line || strstr(fault.words, files[i].words) == NULL)
            fail_msg("%s: %d: %s", files[i].words, fault.line, fault.words);
    }
}

/* Other programs write players in any order, small letters, half points without a game,
 * and no colours for a game that was not played. */
static void a_file_of_another_program_is_read(void **state)
{
    static const char file[] =
        "\xef\xbb\xbf" ROW("2", "kim ", "0.5", " 0000 - h     1 b 0") "\n" ROW(
            "1", "hong", "2.0", "    3 w +     2 w w")
            ROW("3", "lee ", "1.0", "    1 - -  0000 - f  0000 - z");
    struct evening_trf trf = {.players = 0};
    struct evening_trf_fault fault;

    if (!evening_trf_parse(&trf, file, &fault))
        fail_msg("%d: %s", fault.line, fault.words);
    assert_int_equal(trf.evening.round, 2);
    assert_int_equal(trf.line[0], 3);
    assert_int_equal(trf.evening.player[1].adjusted_halves, 1);
    assert_int_equal(evening_pair_of(&trf.evening, 1, 3)->result,
                     EVENING_SECOND_MISSED);
    assert_int_equal(evening_pair_of(&trf.evening, 2, 3)->result, EVENING_BYE);
    assert_true(trf.evening.player[0].is_here && !trf.evening.player[2].is_here);
    evening_trf_clear(&trf);
}

/* --- Into an evening --- */

struct importer {
    struct evening *evening; /* the events are applied to it */
    const char *guest;       /* is not a member; or NULL */
    int events;
};

static void on_event(void *arg, const char *text)
{
    struct importer *importer = arg;

    say(importer->evening, "%s", text);
    importer->events++;
}

static bool may_play(void *arg, const char *name)
{
    const struct importer *importer = arg;

    return importer->guest == NULL || strcmp(name, importer->guest) != 0;
}

/* Writes the evening from as TRF, and imports its rounds into out. Returns the number of
 * events; -1: fault says why. */
static int import_into(struct evening *out, const struct evening *from,
                       const char *guest, struct evening_trf_fault *fault)
{
    struct importer importer = {.evening = out, .guest = guest};
    struct evening_import_calls calls = {
        .event = on_event, .may_play = may_play, .arg = &importer};
    char *file = malloc(EVENING_TRF_BYTES);
    bool is_good;

    evening_trf_format(file, EVENING_TRF_BYTES, from, NULL);
    is_good = evening_import(out, file, &calls, fault);
    free(file);
    return is_good ? importer.events : -1;
}

static struct evening played(const char *system, int players, int planned, int rounds)
{
    struct evening evening = evening_of(system, players, planned);

    while (evening.round < rounds) {
        pair_next(&evening);
        decide_all(&evening);
    }
    return evening;
}

static void an_evening_goes_on_from_the_rounds_of_another(void **state)
{
    struct evening from = played("swiss", 9, 5, 2), to = evening_of("swiss", 0, 5);
    struct evening_trf_fault fault;

    say(&to, "join 1 P3");   /* the same player in another spelling, */
    say(&to, "join 2 late"); /* and one who is not in the file */
    assert_true(import_into(&to, &from, "p5", &fault) > 0);
    assert_int_equal(to.players, 10);
    assert_int_equal(to.round, 2);
    assert_true(to.is_paused && to.phase == EVENING_PLAYING);
    for (int i = 1; i <= from.players; i++) {
        const char *name = evening_player(&from, i)->name;
        int number = evening_find(&to, name), half[2][EVENING_PLAYERS_MAX];

        evening_table_wins(&from, half[0]);
        evening_table_wins(&to, half[1]);
        assert_int_equal(half[1][number - 1], half[0][i - 1]);
        assert_int_equal(to.player[number - 1].is_here, strcmp(name, "p5") != 0);
    }
    pair_next(&from);
    decide_all(&from);
    assert_true(import_into(&to, &from, "p5", &fault) > 0); /* round 3 only */
    assert_int_equal(to.round, 3);
    assert_int_equal(import_into(&to, &from, "p5", &fault), 0);
    pair_next(&to);
    assert_false(to.is_paused);
    evening_clear(&from);
    evening_clear(&to);
}

static void a_file_that_contradicts_the_evening_is_refused(void **state)
{
    struct evening from = played("swiss", 6, 5, 2), to = played("swiss", 6, 5, 2);
    struct evening_trf_fault fault;

    say(&to, "result 1 1 none host");
    say(&from, "result 1 1 first host");
    assert_int_equal(import_into(&to, &from, NULL, &fault), -1);
    assert_non_null(strstr(fault.words, "another"));
    assert_true(fault.line > 0);
    evening_clear(&from);
    from = played("swiss", 6, 5, 1);
    assert_int_equal(import_into(&to, &from, NULL, &fault), -1);
    assert_non_null(strstr(fault.words, "has 1 rounds, and the evening 2"));
    evening_clear(&from);
    evening_clear(&to);
    from = played("swiss", 13, 5, 1);
    to = evening_of("rr", 0, 1);
    assert_int_equal(import_into(&to, &from, NULL, &fault), -1);
    assert_non_null(strstr(fault.words, "room for 12 players"));
    evening_clear(&from);
    evening_clear(&to);
}

static void a_round_robin_takes_its_own_rounds_only(void **state)
{
    struct evening from = played("rr", 5, 1, 3), to = evening_of("rr", 0, 1);
    struct evening_trf_fault fault;

    assert_true(import_into(&to, &from, NULL, &fault) > 0);
    assert_int_equal(to.round, 3);
    assert_int_equal(to.rounds, 5);
    evening_clear(&from);
    evening_clear(&to);
    from = evening_of("swiss", 4, 3);
    say(&from, "round 1 1-2 3-4"); /* the circle begins with 1-4 2-3 */
    decide_all(&from);
    to = evening_of("rr", 0, 1);
    assert_int_equal(import_into(&to, &from, NULL, &fault), -1);
    assert_non_null(strstr(fault.words, "not the one that this round robin draws"));
    evening_clear(&from);
    evening_clear(&to);
}

static void a_page_has_the_cross_table(void **state)
{
    struct evening evening = evening_of("swiss", 3, 3);
    char *page = malloc(EVENING_HTML_BYTES);

    say(&evening, "join 4 <b>&");
    say(&evening, "round 1 1-2 3-4");
    say(&evening, "result 1 1 first checkmate");
    say(&evening, "miss 1 2 second");
    evening_html_format(page, EVENING_HTML_BYTES, &evening);
    assert_non_null(strstr(page, "<td>2</td><th scope=\"row\">p1</th><td>3b1</td>"
                                 "<td>1</td><td>0</td><td>0.00</td></tr>"));
    assert_non_null(strstr(page, "&#60;b&#62;&#38;</th><td>1r-</td>"));
    assert_null(strstr(page, "<b>"));
    assert_non_null(strstr(page, "</body></html>\n"));
    evening_clear(&evening);
    evening = evening_of("swiss", EVENING_PLAYERS_MAX, EVENING_ROUNDS_MAX);
    while (evening.round < evening.rounds) {
        pair_next(&evening);
        decide_all(&evening);
    }
    evening_html_format(page, EVENING_HTML_BYTES, &evening);
    assert_non_null(strstr(page, "</body></html>\n"));
    is_same_after_trf(&evening);
    evening_clear(&evening);
    free(page);
}

static void a_damaged_file_is_refused(void **state)
{
    struct evening evening = evening_of("swiss", 9, 4);
    struct evening_trf again;
    struct evening_trf_fault fault;
    char *file = malloc(EVENING_TRF_BYTES);
    size_t size;

    while (evening.round < evening.rounds) {
        pair_next(&evening);
        decide_all(&evening);
    }
    size = evening_trf_format(file, EVENING_TRF_BYTES, &evening, NULL);
    for (int i = 0; i < 20000; i++) {
        size_t at = (size_t)random_below((int)size);
        char kept = file[at];

        file[at] = (char)(random_below(255) + 1);
        again = (struct evening_trf){.players = 0};
        if (evening_trf_parse(&again, file, &fault))
            evening_trf_clear(&again);
        else
            assert_true(fault.words[0] != '\0');
        file[at] = kept;
    }
    is_same_after_trf(&evening);
    evening_clear(&evening);
    free(file);
}

/* The stronger player always wins, so that in the end the first of the table have all met:
 * a search that goes far back. The server waits for it. */
static void the_last_round_of_a_long_swiss_is_drawn_in_a_moment(void **state)
{
    struct evening evening = evening_of("swiss", 101, 20);

    for (int round = 1; round <= 20; round++) {
        clock_t began = clock();

        pair_next(&evening);
        assert_true(clock() - began < 3 * CLOCKS_PER_SEC);
        for (int i = 0; i < evening.pairs; i++) {
            const struct evening_pair *pair = &evening.pair[i];

            if (pair->round == round && pair->second != 0)
                say(&evening, "result %d %d %s checkmate", round, pair->board,
                    pair->first < pair->second ? "first" : "second");
        }
    }
    evening_clear(&evening);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_that_do_not_fit_are_refused),
        cmocka_unit_test(a_player_who_misses_is_counted),
        cmocka_unit_test(the_score_7421_counts_how_a_game_ended),
        cmocka_unit_test(ties_are_broken_in_order),
        cmocka_unit_test(a_no_show_is_behind_its_equals),
        cmocka_unit_test(a_circle_meets_everybody_once_and_moves_first_fairly),
        cmocka_unit_test(random_evenings_have_no_dead_end),
        cmocka_unit_test(a_small_evening_with_many_rounds_repeats_pairs),
        cmocka_unit_test(the_last_round_of_a_long_swiss_is_drawn_in_a_moment),
        cmocka_unit_test(pairings_from_elsewhere_are_checked),
        cmocka_unit_test(a_file_has_the_columns_of_fide),
        cmocka_unit_test(what_is_wrong_with_a_file_is_said),
        cmocka_unit_test(a_file_of_another_program_is_read),
        cmocka_unit_test(an_evening_goes_on_from_the_rounds_of_another),
        cmocka_unit_test(a_file_that_contradicts_the_evening_is_refused),
        cmocka_unit_test(a_round_robin_takes_its_own_rounds_only),
        cmocka_unit_test(a_page_has_the_cross_table),
        cmocka_unit_test(a_damaged_file_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
