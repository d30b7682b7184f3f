/* Tests of GIB and PGN as other programs write them: their peculiarities and ambiguous
 * cases. Each error is reported with its line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/formats/record_gib.h"
#include "client/formats/record_pgn.h"
#include "client/formats/records.h"
#include "common/base/mem.h"
#include "tests/unit/unit.h"

typedef bool reader(struct record *out, const char *text, struct record_import *import);

/* The result of reading a text. `record` is the record as text; if reading failed, it
 * is "", and `why` has the reason. */
struct told {
    char *record;
    char *notes;
    char why[RECORD_WHY_BYTES];
};

static struct told read_game(reader *read, const char *text, int number,
                             const char *rules)
{
    struct record_import import = {.number = number, .rules = ruleset_find(rules)};
    struct told told;
    struct record record;

    if (read(&record, text, &import)) {
        told.record = record_write(&record);
        record_clear(&record);
    } else {
        told.record = calloc(1, 1);
    }
    told.notes = record_text_take(&import.notes);
    memcpy(told.why, import.why, sizeof told.why);
    return told;
}

static void told_clear(struct told *told)
{
    free(told->record);
    free(told->notes);
}

/* Reads the text. The record must contain `part`, and the notes must be equal to
 * `notes`. */
static void becomes(reader *read, const char *text, const char *part, const char *notes)
{
    struct told told = read_game(read, text, 1, "");

    assert_so(strstr(told.record, part) != NULL,
              "%s is not in \"%s\" (%s), read from\n%s", part, told.record, told.why,
              text);
    assert_so(strcmp(told.notes, notes) == 0, "noted: %s of\n%s", told.notes, text);
    told_clear(&told);
}

#define NAMES  "[초대국자 \"hong\"]\n[한대국자 \"kim\"]\n"
#define LINEUP "[초차림 \"마상상마\"]\n[한차림 \"마상상마\"]\n"
#define KJA    "[Rules \"kja\"]\n"
#define GIB    NAMES LINEUP KJA

#define FIRST "3 move 1 blue A6-B6\n"
#define OTHER "4 move 2 red A3-B3\n"

/* --- GIB --- */

UNIT_TEST(moves_in_every_spelling)
{
    static const char *const games[] = {
        GIB "\n1. 79졸78 2. 49병48\n",
        GIB "\n1. 79卒78 2. 49兵48\n",
        GIB "\n1. 79楚卒78 2. 49漢兵48\n",
        GIB "\n1. 楚79卒78 2. 漢49兵48\n",
        GIB "\n1.79졸78 2.49병48\n",
        GIB "\n1. 7978 2. 49-48\n",
        GIB "\n1. 79졸78장군 2. 49병48졸멍군\n",
        GIB "\n<0> 1. 79졸78 <0> 2. 49병48 <1>\n",
        GIB "\n1. 79졸78 {a word\non two lines} 2. 49병48\n",
        GIB "\n1. 79졸78\n\n2. 49병48\n",
        GIB "{comment first}\n   1.   79졸78\n 2. 49병48",
    };

    for (size_t i = 0; i < ARRAY_LEN(games); i++)
        becomes(record_gib_read, games[i], FIRST OTHER, "");
}

UNIT_TEST(a_pass_in_every_spelling)
{
    static const char pass[] = "3 move 1 blue pass\n" OTHER;

    becomes(record_gib_read, GIB "1. 한수쉼 2. 49병48\n", pass, "");
    becomes(record_gib_read, GIB "1. 한수쉬기 2. 49병48\n", pass, "");
}

/* Both set-ups are written from left to right as Blue sees them. */
UNIT_TEST(set_ups_are_those_of_the_board)
{
    becomes(record_gib_read,
            NAMES KJA "[초차림 \"상마상마\"]\n[한차림 \"마상마상\"]\n1. 79졸78\n",
            "1 setup red BNBN\n2 setup blue NBNB\n", "");
    becomes(record_gib_read,
            NAMES KJA "[초포진 \"상마마상\"]\n[한포진 \"마상상마\"]\n1. 79졸78\n",
            "1 setup red NBBN\n2 setup blue BNNB\n", "");
}

/* The text of the set-up can be read in two ways, as each side sees the board. Red's
 * knight leaves H0, where it stands only if the set-up is read as Red sees it. */
UNIT_TEST(a_set_up_as_red_sees_it_is_found_out)
{
    becomes(record_gib_read,
            NAMES KJA "[초차림 \"상마상마\"]\n[한차림 \"상마상마\"]\n1. 79졸78 "
                      "2. 12馬33\n",
            "1 setup red BNBN\n2 setup blue NBNB\n" FIRST "4 move 2 red H0-G2\n",
            "line 1: reading Red's set-up (한차림) from Red's view; otherwise the "
            "moves are not legal\n");
}

#define BOARD                                                                                                \
    "車象馬士1士象馬車/4將4/1包5包1/兵1兵1兵1兵1兵/9/9/졸1졸1졸1졸1졸/1포5포1/4장4/" \
    "차상마사1사상마1"

UNIT_TEST(a_handicap_is_a_position)
{
    static const char start[] =
        "position=\"1nbg1gnbr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/"
        "1C5C1/4K4/RNBG1GNBR ";

    becomes(record_gib_read, NAMES KJA "[판 \"" BOARD "\"]\n1. 79졸78\n", start, "");
    becomes(record_gib_read, NAMES KJA "[판 \"" BOARD " 초 접장기\"]\n1. 41병42\n",
            start, "");
}

/* The side that owns the first moved piece begins. Without a move, Red begins in a
 * handicap game. */
UNIT_TEST(the_first_move_shows_the_side_that_begins)
{
    becomes(record_gib_read, NAMES KJA "[판 \"" BOARD "\"]\n1. 49병48 2. 79졸78\n",
            "RNBG1GNBR r - 0 0 1\"\n1 move 1 red A3-B3\n", "");
    becomes(record_gib_read, NAMES KJA "[판 \"" BOARD "\"]\n1. 한수쉼 2. 79졸78\n",
            "RNBG1GNBR r - 0 0 1\"\n1 move 1 red pass\n2 move 2 blue A6-B6\n", "");
    becomes(record_gib_read, NAMES KJA "[판 \"" BOARD " 한 접장기\"]\n",
            "RNBG1GNBR r - 0 0 1\"\n", "");
    becomes(record_gib_read, NAMES KJA "[판 \"" BOARD "\"]\n",
            "RNBG1GNBR b - 0 0 1\"\n", "");
}

/* A file may list the rows of a board from Blue's end. The position is then the
 * same. */
UNIT_TEST(a_board_may_stand_on_its_head)
{
    becomes(record_gib_read, NAMES KJA "[판 \"4장4/9/9/9/9/9/9/9/9/3將1車3\"]\n",
            "position=\"4k4/9/9/9/9/9/9/9/9/3R1K3 b - 0 0 1\"", "");
}

UNIT_TEST(results_in_every_spelling)
{
    static const char untold[] =
        "line 6: the moves do not show why the game ended; assuming resignation\n";
    static const struct {
        const char *words;
        const char *end;
        bool is_noted;
    } cases[] = {
        {"초 완승", "4 end blue resignation\n", false},
        {"한 기권승", "4 end red resignation\n", false},
        {"楚 완승", "4 end blue resignation\n", false},
        {"漢 완승", "4 end red resignation\n", false},
        {"무승부", "4 end draw agreement\n", false},
        {"초 시간승", "4 end blue resignation\n", true},
        {"한 점수승", "4 end red resignation\n", true},
        {"한 판정승", "4 end red resignation\n", true},
        {"미상", FIRST, false},
        {"", FIRST, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[512];

        snprintf(text, sizeof text, GIB "[대국결과 \"%s\"]\n1. 79졸78\n",
                 cases[i].words);
        becomes(record_gib_read, text, cases[i].end, cases[i].is_noted ? untold : "");
    }
}

UNIT_TEST(names_become_names)
{
    static const char text[] = "[초대국자 \"홍 길동 9단\"]\n"
                               "[한대국자 \"가나다라마바사아자차카타\"]\n" LINEUP KJA;

    becomes(record_gib_read, text,
            "0 start red=가나다라마바사아자차 blue=홍_길동_9단 rules=kja time=none\n",
            "");
    becomes(record_gib_read, "[초대국자 \"\"]\n" LINEUP KJA, "red=? blue=? ", "");
}

UNIT_TEST(a_game_can_be_chosen_from_several)
{
    static const char text[] = GIB "\n1. 79졸78\n\n" GIB "\n1. 71졸72\n\n" GIB "\n";
    struct told told = read_game(record_gib_read, text, 2, "");

    assert_non_null(strstr(told.record, "3 move 1 blue I6-H6\n"));
    assert_null(strstr(told.record, "\n4 "));
    assert_string_equal(told.notes, "the file contains 3 games; this is number 2\n");
    told_clear(&told);
    told = read_game(record_gib_read, text, 4, "");
    assert_string_equal(told.why, "the file contains 3 games in GIB");
    told_clear(&told);
}

UNIT_TEST(rules_are_named_or_chosen)
{
    static const char note[] =
        "line 1: the file names no known ruleset; assuming kja (see --rules)\n";
    struct told told;

    becomes(record_gib_read, NAMES LINEUP "1. 79졸78\n", "rules=kja", note);
    becomes(record_gib_read, NAMES LINEUP "[Rules \"courier\"]\n1. 41병42\n",
            "rules=courier", "");
    becomes(record_gib_read, "[Rules \"chess\"]\n" NAMES LINEUP "1. 79졸78\n",
            "rules=kja",
            "line 1: unknown value of Rules; ignored\n"
            "line 1: the file names no known ruleset; assuming kja (see --rules)\n");
    told = read_game(record_gib_read, NAMES LINEUP "1. 41병42\n", 1, "martin");
    assert_non_null(strstr(told.record, "rules=martin"));
    assert_string_equal(told.notes, "");
    told_clear(&told);
}

UNIT_TEST(a_count_that_is_wrong_is_noted)
{
    becomes(record_gib_read, GIB "[총수 \"3\"]\n1. 79졸78\n", FIRST,
            "line 1: the file states 3 moves but contains 1\n");
}

/* --- Clocks --- */

UNIT_TEST(clocks_are_taken_if_they_follow)
{
    static const char untimed[] =
        "line 1: the clocks are incomplete or inconsistent; the record is untimed\n";

    becomes(record_gib_read,
            GIB "[Time \"10m+5s\"]\n1. 79졸78 {[%clk 0:10:01]} 2. 49병48 {[%clk "
                "0:09:58.25]}\n",
            "time=10m+5s\n1 setup red NBBN\n2 setup blue NBBN\n"
            "3 move 1 blue A6-B6 red_ms=600000 blue_ms=601000\n"
            "4 move 2 red A3-B3 red_ms=598250 blue_ms=601000\n",
            "");
    becomes(record_gib_read, GIB "[Time \"10m+5s\"]\n1. 79졸78 {[%clk 0:11:00]}\n",
            "time=none", untimed);
    becomes(record_gib_read, GIB "[Time \"10m+5s\"]\n1. 79졸78 {[%clk soon]}\n",
            "time=10m+5s", "");
    becomes(record_gib_read,
            GIB "[Time \"10m+5s\"]\n1. 79졸78 {[%clk 0:10:01]} 2. 49병48\n",
            "time=none", untimed);
}

/* As Kakao's program writes them: a time, and no clocks. */
UNIT_TEST(an_end_on_time_is_kept_without_clocks)
{
    static const char *const times[][2] = {
        {"5분", "time=5m "},
        {"1시간 30분", "time=90m "},
        {"20분 30초 3회", "time=20m+3x30s "},
        {"30초 3회", "time=0s+3x30s "},
    };

    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        char text[400], start[40];

        snprintf(text, sizeof text, "%s[제한시간 \"%s\"]\n1. 79졸78\n", GIB,
                 times[i][0]);
        snprintf(start, sizeof start, "%.*s", (int)strlen(times[i][1]) - 1,
                 times[i][1]);
        becomes(record_gib_read, text, start, "");
    }
    becomes(record_gib_read,
            GIB "[제한시간 \"5분\"]\n[대국결과 \"한 시간승\"]\n1. 79졸78 2. 49병48\n",
            "end red time", "");
    becomes(record_gib_read, GIB "[제한시간 \"없음\"]\n1. 79졸78\n", "time=none", "");
}

/* --- Where the rules and the file differ --- */

#define FEN(board, side) "[FEN \"" board " " side " - - 0 1\"]\n[Rules \"kja\"]\n"

UNIT_TEST(text_after_the_end_is_left_out)
{
    becomes(record_pgn_read,
            FEN("4k4/9/9/9/9/9/9/R8/9/3K5", "w") "1. Ke1 pass 2. Ra1 *\n",
            "2 move 2 red pass\n3 end blue bikjang\n",
            "line 3: by the rules of kja the game ended (bikjang) before move 3; the "
            "later moves are ignored\n");
}

UNIT_TEST(another_result_than_the_rules_have_is_noted)
{
    becomes(record_pgn_read,
            FEN("4k4/9/9/9/9/9/9/R8/9/3K5", "w") "1. Ke1 pass 1/2-1/2\n",
            "3 end blue bikjang\n",
            "line 3: the file has a different result; by the rules of kja: blue, "
            "bikjang\n");
}

/* --- PGN --- */

#define PGN "[White \"hong\"]\n[Black \"kim\"]\n[Variant \"Janggi\"]\n" KJA "\n"

UNIT_TEST(pgn_in_every_spelling)
{
    static const char *const games[] = {
        PGN "1. Pih4 Pih7 *\n",
        PGN "1. Pi4h4 Pi7-h7 *\n",
        PGN "1.Pih4 Pih7\n",
        PGN "1. i4h4 i7h7 *\n",
        PGN "1. Pih4! $1 {a {word} 1... Pih7?! *\n",
        PGN "1. Pih4 (1. Pab4 (1. Pcb4 {x)}) Pcb7) Pih7 *\n",
        PGN "1. Pih4 ; to the end of the line\n% and this line\n1... Pih7 *\n",
        "1. Pih4 Pih7",
    };

    for (size_t i = 0; i < ARRAY_LEN(games); i++) {
        struct told told = read_game(record_pgn_read, games[i], 1, "kja");

        if (strstr(told.record, FIRST OTHER) == NULL)
            fail_msg("%s\n%s\nof\n%s", told.why, told.record, games[i]);
        told_clear(&told);
    }
}

UNIT_TEST(pgn_tags_are_understood)
{
    static const char text[] =
        "[Event \"PyChess rated game\"]\n[Date \"2021.01.15\"]\n[White \"hong\"]\n"
        "[Black \"kim\"]\n[Result \"1-0\"]\n[TimeControl \"600+5\"]\n"
        "[Variant \"Janggi\"]\n"
        "[FEN \"rnba1anbr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RBNA1ABNR w - - "
        "0 1\"]\n[SetUp \"1\"]\n" KJA "\n"
        "1. Pih4 {[%clk 0:09:59]} 1... Ke9 {[%clk 0:10:05]} 1-0\n";

    becomes(record_pgn_read, text,
            "0 start red=kim blue=hong rules=kja time=10m+5s\n1 setup red BNBN\n"
            "2 setup blue NBNB\n3 move 1 blue A6-B6 red_ms=600000 blue_ms=599000\n"
            "4 move 2 red pass red_ms=605000 blue_ms=599000\n5 end blue resignation\n",
            "");
}

UNIT_TEST(a_pgn_game_can_be_chosen_from_several)
{
    static const char text[] = PGN "1. Pih4 *\n\n" PGN "1. Pab4 1-0\n\n" PGN "*\n";
    struct told told = read_game(record_pgn_read, text, 2, "");

    assert_non_null(
        strstr(told.record, "3 move 1 blue I6-H6\n4 end blue resignation\n"));
    assert_string_equal(told.notes, "the file contains 3 games; this is number 2\n");
    told_clear(&told);
}

/* --- What is wrong --- */

static const struct {
    reader *read;
    const char *text;
    const char *why;
} wrong[] = {
    {record_gib_read, "", "the file contains 0 games in GIB"},
    {record_gib_read, NAMES KJA "1. 79졸78\n", "line 1: the game gives neither"},
    {record_gib_read, "[초차림 \"마상\"]\n", "line 1: not a set-up like"},
    {record_gib_read, "[초차림 마상\n", "line 1: expected tags like"},
    {record_gib_read, "[판 \"차/마\"]\n", "line 1: not a board like"},
    {record_gib_read, "[판 \"55555\"]\n", "line 1: not a board like"},
    {record_gib_read, GIB "1. 79졸78\n2. xyz\n", "line 7: move 2 is not like 79졸78"},
    {record_gib_read, GIB "1. 79졸7\n", "line 6: move 1 is not like 79졸78"},
    {record_gib_read, GIB "1. 한수42\n", "line 6: move 1 is not like 79졸78"},
    {record_gib_read, GIB "1. 79졸788\n", "line 6: move 1 is not like 79졸78"},
    {record_gib_read, GIB "1. 70졸78\n", "line 6: move 1: not a move like"},
    {record_gib_read, GIB "1. 79馬78\n", "line 6: move 1: a different piece is on A6"},
    {record_gib_read, GIB "1. 79楚78\n", "line 6: move 1: a different piece is on A6"},
    {record_gib_read, GIB "1. 55졸54\n", "line 6: move 1: no piece stands on E4"},
    {record_gib_read, GIB "1. 49병48\n", "line 6: A3-B3 is not legal: "},
    {record_gib_read, GIB "\n1. 79졸78\n2. 41병61\n", "line 8: I3-I5 is not legal: "},
    {record_gib_read, KJA "[판 \"4將4/4車4/9/9/9/9/9/9/9/4장4\"]\n1. 25車35\n",
     "line 2: the position: "},
    {record_pgn_read, "", "the file contains 0 games in PGN"},
    {record_pgn_read, "[White hong]\n", "line 1: expected tags like"},
    {record_pgn_read, "[White \"hong\n", "line 1: expected tags like"},
    {record_pgn_read, "[Variant \"Chess\"]\n",
     "line 1: this is a game of another variant"},
    {record_pgn_read, "[Variant \"\"]\n", "line 1: this is a game of another variant"},
    {record_pgn_read, "[FEN \"x\"]\n", "line 1: at character 1 of the FEN"},
    {record_pgn_read, PGN "1. Pih4 (Pa7\n", "line 6: missing ) for this ("},
    {record_pgn_read, PGN "1. Pih4\nHh1\n", "line 7: move 2: no such move is legal"},
    {record_pgn_read, PGN "1. Ph4\n", "line 6: move 1: more than one piece"},
    {record_pgn_read, PGN "1. e4\n", "line 6: move 1: not a move like Hc3"},
    {record_pgn_read, PGN "1. Q\n", "line 6: move 1: not a move like Hc3"},
    {record_pgn_read, PGN "1. Pi4h44\n", "line 6: move 1: not a move like Hc3"},
    {record_pgn_read, PGN "1. a1a5\n", "line 6: I9-I5 is not legal"},
    {record_pgn_read, PGN ")\n", "line 6: move 1: not a move like Hc3"},
};

UNIT_TEST(an_error_is_reported_with_its_line)
{
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct told told = read_game(wrong[i].read, wrong[i].text, 1, "");

        if (told.record[0] != '\0')
            fail_msg("taken: %s\nas %s", wrong[i].text, told.record);
        assert_so(strncmp(told.why, wrong[i].why, strlen(wrong[i].why)) == 0,
                  "\"%s\" and not \"%s\" is said of: %s", told.why, wrong[i].why,
                  wrong[i].text);
        told_clear(&told);
    }
}

/* Reads a file of that name, which is no record. Standard error gets `wanted`. A name in an
 * archive may be anybody's, and cannot control the terminal. */
static void is_refused(const char *name, const char *wanted)
{
    const struct records_wish wish = {.number = 1};
    int before = dup(STDERR_FILENO);
    FILE *file = tmpfile();
    struct records_file out;
    char said[512] = "";
    bool is_read;

    assert_true(before >= 0 && file != NULL);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    is_read = records_take(&out, name, mem_copy_text("hello\n"), 6, &wish);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    assert_false(is_read);
    rewind(file);
    (void)!fread(said, 1, sizeof said - 1, file);
    assert_string_equal(said, wanted);
    fclose(file);
}

UNIT_TEST(a_refusal_names_the_file)
{
    is_refused("evening.gib",
               "janggi: evening.gib: not a record, GIB or PGN; to force a "
               "format: --from gib\n");
    is_refused("-", "janggi: standard input: not a record, GIB or PGN; to force a "
                    "format: --from gib\n");
    is_refused("\033[2Ja",
               "janggi: \\x1b[2Ja: not a record, GIB or PGN; to force a format: "
               "--from gib\n");
}

UNIT_MAIN(NULL, NULL)
