/* Tests of client/view/speech: the spoken text, word for word. */
#include "tests/unit/client/client_game.h"

#include "client/view/model.h"
#include "client/view/speech.h"

static struct facts facts;
static char words[2048];

static struct text *fresh(void)
{
    static struct text text;

    text = text_into(words, sizeof words);
    return &text;
}

static void check_event(const char *line, const char *wanted)
{
    feed_facts(&facts, line);
    speech_event(fresh(), &facts);
    assert_string_equal(words, wanted);
}

MODEL_TEST(events_are_sentences)
{
    snprintf(model.name, sizeof model.name, "hong");
    check_event(
        "! game 17 0 start red=kim blue=hong rules=martin time=10m+5s",
        "Game 17. Red kim, blue hong. Time: 10 min + 5 s. Rules: martin. You play "
        "blue. Red to set up.\n");
    check_event(
        "! game 17 1 setup red NBNB",
        "Red sets up: knight on B, bishop on C, knight on G, bishop on H. Blue to "
        "set up.\n");
    check_event(
        "! game 17 2 setup blue NBBN",
        "Blue sets up: knight on B, bishop on C, bishop on G, knight on H. Red to "
        "move. Red 10 minutes.\n");
    check_event("! game 17 3 move 1 red G0-F2 red_ms=592000 blue_ms=600000",
                "Red knight G0 to F2. Your move. Blue 10 minutes.\n");
    check_event("! game 17 4 move 2 blue A6-B6 red_ms=592000 blue_ms=581000",
                "Blue pawn A6 to B6. Red to move. Red 9 minutes 52.\n");
    check_event("! game 17 5 move 3 red A0-A1 red_ms=61000 blue_ms=581000",
                "Red rook A0 to A1. Your move. Blue 9 minutes 41.\n");
    check_event("! game 17 6 move 4 blue A9-A3 red_ms=61000 blue_ms=1000",
                "Blue rook A9 takes pawn A3. Red to move. Red 1 minute 1.\n");
    check_event("! game 17 7 takeback 3 red_ms=61000 blue_ms=581000",
                "Taken back. The last move now: Red rook A0 to A1. Your move. Blue 9 "
                "minutes 41.\n");
    check_event("! game 17 8 end blue resignation",
                "The game is over. Blue wins by resignation. You win!\n");
}

MODEL_TEST(check_and_passes_are_said)
{
    check_event(
        "! game 1 0 start red=kim blue=hong rules=kja time=none "
        "position=\"4k4/9/9/R8/9/9/9/9/5K3/9 b - 0 0 1\"",
        "Game 1. Red kim, blue hong. Time: untimed. Rules: kja. It starts from a "
        "custom position. Blue to move.\n");
    check_event("! game 1 1 move 1 blue pass",
                "Blue passes. A second pass ends the game by points. Red to move.\n");
    check_event("! game 1 2 move 2 red A6-A9",
                "Red rook A6 to A9. Check. Blue to move.\n");
}

MODEL_TEST(two_passes_end_the_game)
{
    check_event(
        "! game 1 0 start red=kim blue=hong rules=courier time=none "
        "position=\"4k4/9/9/R8/9/9/9/9/5K3/9 b - 0 0 1\"",
        "Game 1. Red kim, blue hong. Time: untimed. Rules: courier. It starts from a "
        "custom position. Blue to move.\n");
    check_event("! game 1 1 move 1 blue pass",
                "Blue passes. A second pass ends the game: a draw. Red to move.\n");
    check_event("! game 1 2 move 2 red pass", "Red passes.\n");
    check_event("! game 1 3 end draw double_pass",
                "The game is over. Draw: both sides passed.\n");
    model_clear(&model);
    check_event(
        "! game 2 0 start red=kim blue=hong rules=kja time=none "
        "position=\"4k4/9/9/R8/9/9/9/9/5K3/9 b - 0 0 1\"",
        "Game 2. Red kim, blue hong. Time: untimed. Rules: kja. It starts from a "
        "custom position. Blue to move.\n");
    check_event("! game 2 1 move 1 blue pass",
                "Blue passes. A second pass ends the game by points. Red to move.\n");
    check_event("! game 2 2 move 2 red pass", "Red passes.\n");
    check_event(
        "! game 2 3 end red double_pass",
        "The game is over. Red wins: both sides passed. Points, red/blue: 14.5/0.\n");
}

MODEL_TEST(the_board_can_be_asked)
{
    const struct position *position;

    feed_start("hong");
    feed_moves();
    position = &model.current->game.position;
    speech_where(fresh(), position, KIND_CANNON);
    assert_string_equal(words, "Red cannons H2 and B6. Blue cannons B7 and H7.\n");
    speech_where(fresh(), position, KIND_KING);
    assert_string_equal(words, "Red king E1. Blue king E8.\n");
    assert_true(speech_line(fresh(), position, "b"));
    assert_string_equal(words, "File B: B0 red knight, B3 red pawn, B6 red cannon, B7 "
                               "blue cannon, B9 blue knight.\n");
    assert_true(speech_line(fresh(), position, "5"));
    assert_string_equal(words, "Row 5: empty.\n");
    assert_false(speech_line(fresh(), position, "J"));
    assert_false(speech_line(fresh(), position, "b0"));
    assert_false(speech_line(fresh(), position, ""));
    speech_last(fresh(), model.current);
    assert_string_equal(words, "Red cannon B2 to B6.\n");
    facts_take_game(&facts, model.current, 13500);
    speech_opponent(fresh(), &facts);
    assert_string_equal(words, "Red is kim. Red 10 minutes 2. Has taken nothing.\n");
    facts_take_game(&facts, model.current, 13500);
    speech_describe(fresh(), &facts);
    assert_string_equal(words,
                        "Game 17, move 2. Your move. Blue 10 minutes.\n"
                        "Red: king E1; guards D0 and F0; rooks A0 and I0; cannons H2 "
                        "and B6; knights B0 "
                        "and G0; bishops C0 and H0; pawns B3, C3, E3, G3 and I3.\n"
                        "Blue: king E8; guards D9 and F9; rooks A9 and I9; cannons B7 "
                        "and H7; knights B9 "
                        "and H9; bishops C9 and G9; pawns A6, C6, D6, G6 and I6.\n"
                        "Last: Red cannon B2 to B6.\n");
}

MODEL_TEST(spans_are_said_in_their_units)
{
    static const struct {
        int64_t ms;
        const char *wanted;
    } rows[] = {
        {0, "0 seconds"},
        {1, "1 second"},
        {30000, "30 seconds"},
        {60000, "1 minute"},
        {581000, "9 minutes 41"},
        {3600000, "1 hour 0 minutes"},
        {7380000, "2 hours 3 minutes"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        speech_span(fresh(), rows[i].ms);
        assert_string_equal(words, rows[i].wanted);
    }
}

/* The spoken text names the captured pieces. A spectator hears the pieces that each
 * side has captured. */
MODEL_TEST(captures_are_named)
{
    feed_event("! game 1 0 start red=kim blue=hong rules=kja time=none "
               "position=\"4k4/9/9/R7p/9/9/9/8r/9/5K2N r - 0 0 1\"",
               0);
    feed_event("! game 1 1 move 1 red A6-I6", 0);
    feed_event("! game 1 2 move 2 blue I2-I0", 0);
    feed_notice("! presence game=1 side=red here=0", 0);
    facts_take_game(&facts, model_find(&model, 1), 12000);
    speech_opponent(fresh(), &facts);
    assert_string_equal(words, "Red is kim, disconnected. Has taken pawn.\n"
                               "Blue is hong. Has taken knight.\n");
}

UNIT_MAIN(NULL, NULL)
