/* Tests of client/view/manner: the same event, board, notice, answer, row, question and
 * refusal in each output format, byte for byte. */
#include "tests/unit/client/client_game.h"

#include "client/view/json.h"
#include "client/view/manner.h"
#include "client/view/speech.h"

enum { OUT_BYTES = 16384, COLUMNS = 80 };

static char printed[OUT_BYTES];

static struct text *fresh(void)
{
    static struct text text;

    text = text_into(printed, sizeof printed);
    return &text;
}

MODEL_TEST(the_settings_choose)
{
    struct prefs prefs = {.is_speech = false};

    assert_ptr_equal(manner_choose(&prefs), &render_manner);
    prefs.is_speech = true;
    assert_ptr_equal(manner_choose(&prefs), &speech_manner);
    prefs.is_json = true;
    assert_ptr_equal(manner_choose(&prefs), &json_manner);
}

/* Begins game 17, in which we play Blue, and feeds a move. Returns the facts of the
 * move; *news is what the model reports for it. */
static struct facts take_move(struct model_news *news)
{
    struct facts facts;

    feed_start("hong");
    *news = feed_event("! game 17 3 move 1 red A3-B3 red_ms=592000 "
                       "blue_ms=600000",
                       1000);
    facts_take_event(&facts, news, 1000);
    return facts;
}

static void check_event(const struct manner *manner, const struct facts *facts,
                        int columns, const char *wanted)
{
    struct manner_scene scene = {
        .model = &model, .columns = columns, .after_end = "the end\n"};

    manner->event(fresh(), &scene, facts);
    assert_string_equal(printed, wanted);
}

MODEL_TEST(an_event_in_each_manner)
{
    struct model_news news;
    struct facts facts = take_move(&news);

    check_event(&render_manner, &facts, COLUMNS, "-- 1. red A3-B3 (pawn); your move\n");
    check_event(&render_manner, &facts, 20, "-- 1. red A3-B3\n   (pawn); your move\n");
    check_event(&render_manner, &facts, 0, "-- 1. red A3-B3 (pawn); your move\n");
    check_event(&speech_manner, &facts, 0,
                "Red pawn A3 to B3. Your move. Blue 10 minutes.\n");
    check_event(&json_manner, &facts, 0,
                "{\"t\":\"move\",\"game\":17,\"event\":3,\"ply\":1,\"by\":\"red\","
                "\"move\":\"A3-B3\",\"piece\":\"pawn\",\"clock\":{\"blue\":600000,"
                "\"red\":592000},\"turn\":\"blue\"}\n");
    model.current = NULL;
    check_event(&render_manner, &facts, COLUMNS,
                "-- game 17: 1. red A3-B3 (pawn); your move\n"
                "-- your move in game 17: \"game 17\" goes there\n");
    check_event(&render_manner, &facts, 0,
                "-- game 17: 1. red A3-B3 (pawn); your move\n");
    check_event(&speech_manner, &facts, 0,
                "Game 17: Red pawn A3 to B3. Your move. Blue 10 minutes.\n");
}

MODEL_TEST(only_a_person_sees_the_commands_after_the_end)
{
    struct model_news news;
    struct facts facts = take_move(&news);

    news = feed_event("! game 17 4 end blue resignation by=red", 2000);
    facts_take_event(&facts, &news, 2000);
    check_event(&render_manner, &facts, COLUMNS,
                "Game 17 is over. Blue wins by resignation. You win!\nthe end\n");
    check_event(&speech_manner, &facts, COLUMNS,
                "The game is over. Blue wins by resignation. You win!\nthe end\n");
    check_event(&speech_manner, &facts, 0,
                "The game is over. Blue wins by resignation. You win!\n");
    check_event(&render_manner, &facts, 0,
                "Game 17 is over. Blue wins by resignation. You win!\n");
}

MODEL_TEST(a_board_is_art_or_sentences_or_an_object)
{
    struct model_news news;
    struct facts facts = take_move(&news);
    struct manner_scene scene = {.model = &model, .columns = COLUMNS};
    char board[OUT_BYTES];

    render_manner.board(fresh(), &scene, &facts);
    assert_non_null(strstr(printed, "+--+"));
    strcpy(board, printed);
    scene.wants_board = true;
    render_manner.event(fresh(), &scene, &facts);
    assert_string_equal(printed, board);
    speech_manner.board(fresh(), &scene, &facts);
    assert_memory_equal(printed, "Game 17, move 1. Your move.", 27);
    json_manner.board(fresh(), &scene, &facts);
    assert_memory_equal(printed, "{\"t\":\"board\",\"game\":17,", 23);
}

MODEL_TEST(a_pipe_hears_who_chooses_a_line_up)
{
    struct manner_scene scene = {.columns = COLUMNS, .head = "-- game 17:\n"};

    feed_game("kim", "! game 17 0 start red=kim blue=hong rules=martin time=10m");
    scene.model = &model;
    manner_setup_choice(&render_manner, fresh(), &scene, model_find(&model, 17));
    assert_memory_equal(printed, "-- game 17:\nChoose how", 22);
    manner_setup_choice(&speech_manner, fresh(), &scene, model_find(&model, 17));
    assert_memory_equal(printed, "game 17:\nChoose how", 19);
    scene.columns = 0;
    manner_setup_choice(&render_manner, fresh(), &scene, model_find(&model, 17));
    assert_string_equal(printed, "-- you choose a set-up\n");
    manner_setup_choice(&speech_manner, fresh(), &scene, model_find(&model, 17));
    assert_string_equal(printed, "you choose a set-up\n");
    assert_null(json_manner.setup_choice);
}

static void check_said(const struct manner *manner, int columns, const char *said,
                       const char *notice, const char *item, const char *question)
{
    const struct said words = {SAID_WORDS, "-- a\nb\n", .line = NULL},
                      bye = {SAID_NOTICE, "-- gone\n",
                             .line = parse_line("! bye why=idle")},
                      row = {SAID_ROW, "  kim\n", .verb = "who", .row = "player kim"},
                      sure = {SAID_QUESTION, "Sure?", .line = NULL};

    manner_say(manner, fresh(), &words, columns);
    assert_string_equal(printed, said);
    manner_say(manner, fresh(), &bye, columns);
    assert_string_equal(printed, notice);
    manner_say(manner, fresh(), &row, columns);
    assert_string_equal(printed, item);
    manner_say(manner, fresh(), &sure, columns);
    assert_string_equal(printed, question);
}

MODEL_TEST(lines_of_a_server_in_each_manner)
{
    check_said(&render_manner, COLUMNS, "-- a\nb\n", "-- gone\n", "  kim\n", "Sure?\n");
    check_said(&render_manner, 0, "-- a\nb\n", "-- gone\n", "  kim\n", "Sure?\n");
    check_said(&speech_manner, COLUMNS, "a\nb\n", "gone\n", "  kim\n", "Sure?\n");
    check_said(&speech_manner, 0, "a\nb\n", "gone\n", "  kim\n", "Sure?\n");
    check_said(&json_manner, 0,
               "{\"t\":\"say\",\"text\":\"a\"}\n{\"t\":\"say\",\"text\":\"b\"}\n",
               "{\"t\":\"notice\",\"kind\":\"bye\",\"words\":[],\"values\":{\"why\":"
               "\"idle\"},\"text\":\"gone\"}\n",
               "{\"t\":\"item\",\"of\":\"who\",\"line\":\"player kim\",\"words\":["
               "\"player\",\"kim\"],\"values\":{}}\n",
               "{\"t\":\"question\",\"text\":\"Sure?\"}\n");
    json_said(fresh(), &(struct said){SAID_REFUSAL, "No.\n", .line = NULL});
    assert_string_equal(printed, "{\"t\":\"refused\",\"text\":\"No.\"}\n");
}

UNIT_MAIN(NULL, NULL)
