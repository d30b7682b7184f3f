/* Tests of moves and positions in the notations of other programs. Most expected texts
 * come from the engine and a Korean record. A text that is not a move or not a position
 * must be refused. */

#include "client/formats/notation.h"
#include "client/tools/rules_words.h"
#include "tests/unit/client/jsonl.h"
#include "tests/unit/read_position.h"
#include "tests/unit/unit.h"

static struct position start_of(enum side side)
{
    struct position position;

    position_set_up(&position, LINEUP_NBBN, LINEUP_NBBN, side);
    return position;
}

static struct move parsed(enum notation notation, const char *text,
                          const struct position *position)
{
    char why[NOTATION_WHY_BYTES] = "";
    struct move move;

    if (!notation_parse_move(notation, text, position, &move, why))
        fail_msg("%d: %s: %s", (int)notation, text, why);
    return move;
}

static void expect_written(enum notation notation, const char *martin,
                           const struct position *position, const char *text)
{
    char out[NOTATION_BYTES], why[NOTATION_WHY_BYTES];
    struct move move = parsed(NOTATION_MARTIN, martin, position);

    if (!notation_format_move(out, notation, move, position, why))
        fail_msg("%s: %s", martin, why);
    assert_string_equal(out, text);
    assert_true(move_is_same(parsed(notation, text, position), move));
}

static void expect_read(const char *courier, const struct position *position,
                        const char *martin)
{
    assert_true(move_is_same(parsed(NOTATION_COURIER, courier, position),
                             parsed(NOTATION_MARTIN, martin, position)));
}

UNIT_TEST(the_same_move_in_each_notation)
{
    const struct position red = start_of(SIDE_RED), blue = start_of(SIDE_BLUE);

    expect_written(NOTATION_MARTIN, "B0-C2", &red, "B0-C2");
    expect_read("N b1-c3", &red, "B0-C2");
    expect_written(NOTATION_UCI, "B0-C2", &red, "h10g8");
    expect_written(NOTATION_KOREAN, "B0-C2", &red, "18마37");
    expect_read("p a7-b7", &blue, "A6-B6");
    expect_written(NOTATION_UCI, "A6-B6", &blue, "i4h4");
    expect_written(NOTATION_KOREAN, "A6-B6", &blue, "79졸78");
    expect_written(NOTATION_KOREAN, "I3-I4", &red, "41병51");
    expect_read("r i10-i9", &blue, "I9-I8");
    expect_written(NOTATION_UCI, "I9-I8", &blue, "a1a2");
    expect_written(NOTATION_KOREAN, "I9-I8", &blue, "01차91");
    expect_read("F d1-d2", &red, "D0-D1");
    expect_read("E c1-e4", &red, "C0-E3");
    expect_read("g e9-d9", &blue, "E8-D8");
    expect_written(NOTATION_KOREAN, "E1-D1", &red, "25장26");
    expect_written(NOTATION_KOREAN, "G9-E6", &blue, "03상75");
    expect_written(NOTATION_KOREAN, "D9-D8", &blue, "06사96");
    expect_written(NOTATION_KOREAN, "B2-B5", &red, "38포68");
}

UNIT_TEST(without_a_position_only_points_are_written)
{
    expect_read("b1-c3", NULL, "B0-C2");
    expect_written(NOTATION_UCI, "B0-C2", NULL, "h10g8");
    expect_written(NOTATION_KOREAN, "A6-B6", NULL, "7978");
    expect_read("pass", NULL, "pass");
    expect_written(NOTATION_KOREAN, "pass", NULL, "한수쉼");
}

UNIT_TEST(a_pass_is_the_engines_king_on_its_point)
{
    const struct position red = start_of(SIDE_RED), blue = start_of(SIDE_BLUE);
    char out[NOTATION_BYTES], why[NOTATION_WHY_BYTES];
    struct move move;

    expect_written(NOTATION_UCI, "pass", &blue, "e2e2");
    expect_written(NOTATION_UCI, "pass", &red, "e9e9");
    expect_read("pass", &red, "pass");
    expect_written(NOTATION_KOREAN, "pass", &red, "한수쉼");
    assert_true(move_is_pass(parsed(NOTATION_UCI, "e2e2", NULL)));
    assert_false(notation_format_move(out, NOTATION_UCI, move_pass(), NULL, why));
    assert_false(notation_parse_move(NOTATION_UCI, "e9e9", &blue, &move, why));
    assert_string_equal(why, "the king of the side to move is not on E1");
    assert_false(notation_parse_move(NOTATION_UCI, "a1a1", NULL, &move, why));
}

UNIT_TEST(korean_records_are_read_in_their_many_forms)
{
    static const char *const same[] = {"7978",       "79-78",     "79졸78",
                                       "79卒78",     "楚79卒78",  "초79졸78",
                                       "79兵78장군", "79병78將軍"};
    const struct position blue = start_of(SIDE_BLUE);

    for (size_t i = 0; i < ARRAY_LEN(same); i++) {
        struct move move = parsed(NOTATION_KOREAN, same[i], &blue);

        assert_int_equal(move.from, point_at(0, 6));
        assert_int_equal(move.to, point_at(1, 6));
    }
    /* the second move of a published record: the knight goes from row 1, file 2 to row
     * 3, file 3. In the set-up of this record it begins on file 2, where a bishop often
     * stands */
    assert_int_equal(parsed(NOTATION_KOREAN, "12馬33", NULL).from, point_at(7, 0));
    assert_int_equal(parsed(NOTATION_KOREAN, "12馬33", NULL).to, point_at(6, 2));
    assert_true(move_is_pass(parsed(NOTATION_KOREAN, "한수쉼", &blue)));
}

UNIT_TEST(a_written_move_must_agree_with_the_position)
{
    static const struct {
        enum notation notation;
        const char *text, *why;
    } cases[] = {
        {NOTATION_COURIER, "R b1-c3", "a different piece is on B0"},
        {NOTATION_COURIER, "n b1-c3", "the piece on B0 belongs to the other side"},
        {NOTATION_COURIER, "b2-b3", "no piece stands on B1"},
        {NOTATION_UCI, "e5e6", "no piece stands on E5"},
        {NOTATION_KOREAN, "79마78", "a different piece is on A6"},
        {NOTATION_KOREAN, "漢79졸78", "the piece on A6 belongs to the other side"},
        {NOTATION_MARTIN, "rB0-C2", "a different piece is on B0"},
    };
    const struct position red = start_of(SIDE_RED);

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char why[NOTATION_WHY_BYTES];
        struct move move;

        assert_false(
            notation_parse_move(cases[i].notation, cases[i].text, &red, &move, why));
        assert_string_equal(why, cases[i].why);
        assert_false(
            notation_parse_move(cases[i].notation, cases[i].text, &red, &move, NULL));
    }
}

static void expect_refused(enum notation notation, const char *const *texts)
{
    for (; *texts != NULL; texts++) {
        char why[NOTATION_WHY_BYTES] = "";
        struct move move;

        if (notation_parse_move(notation, *texts, NULL, &move, why))
            fail_msg("taken: %d: %s", (int)notation, *texts);
        assert_true(why[0] != '\0');
    }
}

UNIT_TEST(text_that_is_not_a_move_is_refused)
{
    static const char *const martin[] = {"",     "B0",    "B0-C",     "J0-A1",
                                         "7978", "passe", "B0-C2-D4", NULL};
    static const char *const courier[] = {
        "",   "b1",      "b1-",    "b1c3",   "b0-c3", "b11-c3", "j1-a1",  "N",
        "N ", "X b1-c3", "Nb1-c3", "b1-c3 ", "pass ", "N pass", "b1-c3x", NULL};
    static const char *const uci[] = {"",       "h10",  "h10g", "h0g1",
                                      "h11g8",  "j1a1", "0000", "h10g8 ",
                                      "h10-g8", "pass", NULL};
    static const char *const korean[] = {"",         "7",          "79",      "797",
                                         "7970",     "7078",       "79--78",  "79졸",
                                         "79졸78졸", "졸7978",     "79 78",   "한수",
                                         "\x80\x80", "79\xec\xa1", "797\xff", NULL};

    expect_refused(NOTATION_MARTIN, martin);
    expect_refused(NOTATION_COURIER, courier);
    expect_refused(NOTATION_UCI, uci);
    expect_refused(NOTATION_KOREAN, korean);
}

UNIT_TEST(every_move_comes_back_from_every_notation)
{
    for (int notation = 0; notation < NOTATIONS; notation++)
        for (int from = 0; from < BOARD_POINTS; from++)
            for (int to = 0; to < BOARD_POINTS; to++) {
                struct move move = {(int8_t)from, (int8_t)to};
                char out[NOTATION_BYTES];

                if (from == to || notation == NOTATION_COURIER)
                    continue;
                assert_true(notation_format_move(out, (enum notation)notation, move,
                                                 NULL, NULL));
                assert_true(
                    move_is_same(parsed((enum notation)notation, out, NULL), move));
            }
}

UNIT_TEST(swaps_are_a_line_up)
{
    enum side side;
    enum wing wing;

    assert_true(notation_parse_swap("swap c10 b10", &side, &wing));
    assert_int_equal(side, SIDE_BLUE);
    assert_int_equal(wing, WING_LEFT);
    assert_true(notation_parse_swap("swap g1 h1", &side, &wing));
    assert_int_equal(side, SIDE_RED);
    assert_int_equal(wing, WING_RIGHT);
}

UNIT_TEST(other_swaps_are_refused)
{
    static const char *const texts[] = {
        "",           "swap",        "swap b1",      "swap b1 b1", "swap b1 c10",
        "swap b2 c2", "swap a1 b1",  "swap b1 h1",   "swap c1 g1", "swap b1  c1",
        "swap b1c1",  "swap b1 c1;", "swap b1 c1 ;", "swop b1 c1"};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        enum side side;
        enum wing wing;

        assert_so(!notation_parse_swap(texts[i], &side, &wing), "taken: %s", texts[i]);
    }
}

/* --- FEN --- */

static void expect_fen(const char *text, const char *fen)
{
    char out[NOTATION_FEN_BYTES], again[POSITION_BYTES], why[SENTENCE_BYTES];
    struct position position, back;

    assert_so(read_position(text, &position, why), "%s: %s", text, why);
    notation_fen_format(out, &position);
    assert_string_equal(out, fen);
    assert_so(notation_fen_parse(out, &back, why), "%s: %s", out, why);
    position_format(again, &back);
    assert_string_equal(again, text);
}

UNIT_TEST(an_engine_sees_the_board_turned)
{
    expect_fen("rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR b - 0 "
               "0 1",
               "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - "
               "0 1");
    expect_fen("rnbg1gnbr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR r - 0 "
               "7 12",
               "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RBNA1ABNR b - - "
               "7 12");
    expect_fen("3k5/9/9/8r/9/R8/9/9/9/4KG3 r - 0 3 9",
               "3ak4/9/9/9/8r/9/R8/9/9/5K3 b - - 3 9");
}

static void every_known_position_comes_back(const json_t *row)
{
    char fen[NOTATION_FEN_BYTES], again[POSITION_BYTES], why[SENTENCE_BYTES];
    struct position position, back;

    assert_true(read_position(jsonl_text(row, "fen"), &position, why));
    notation_fen_format(fen, &position);
    assert_so(notation_fen_parse(fen, &back, why), "%s: %s", fen, why);
    position_format(again, &back);
    assert_string_equal(again, jsonl_text(row, "fen"));
}

UNIT_TEST(positions_come_back_from_fen)
{
    assert_true(
        jsonl_each("tests/data/positions.jsonl", every_known_position_comes_back) > 0);
}

UNIT_TEST(an_invalid_fen_is_refused)
{
    static const char *const texts[] = {
        "",
        "rnba",
        "4k4 w - - 0 1",
        "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR",
        "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR r - - 0 1",
        "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0",
        "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1 x",
        "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1"
        "                                                                  ",
        "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR w - - 0 1",
        "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K5/RNBA1ABNR w - - 0 1",
        "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/K8/RNBA1ABNR w - - 0 1",
        "111111111/111111111/111111111/111111111/111111111/111111111/111111111/"
        "111111111/111111111/1111111111 w - - 0 1",
    };

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        char why[SENTENCE_BYTES] = "";
        struct position position;

        assert_so(!notation_fen_parse(texts[i], &position, why), "taken: %s", texts[i]);
        assert_true(why[0] != '\0');
        assert_false(notation_fen_parse(texts[i], &position, NULL));
    }
}

/* --- The words of a line of "janggi rules" --- */

UNIT_TEST(words_come_one_after_the_other)
{
    struct words words = {.word = NULL};

    words_add(&words, " why\tfig1  ");
    words_add(&words, "b0c2");
    assert_int_equal(words.count, 3);
    assert_string_equal(words_next(&words), "why");
    assert_string_equal(words_peek(&words), "fig1");
    assert_string_equal(words_next(&words), "fig1");
    assert_string_equal(words_next(&words), "b0c2");
    words_clear(&words);
}

/* The list may have room for more words, and what is there is not a word. */
UNIT_TEST(after_the_last_word_there_is_none)
{
    struct words words = {.word = NULL};
    char other[] = "other";

    words_add(&words, "pass");
    assert_true(words.room > 1);
    words.word[1] = other;
    assert_string_equal(words_next(&words), "pass");
    assert_null(words_peek(&words));
    assert_null(words_next(&words));
    assert_null(words_next(&words));
    words_clear(&words);
}

UNIT_MAIN(NULL, NULL)
