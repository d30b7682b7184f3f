/* Tests of client/view/render and client/view/words: the screen, byte for byte. The
 * screen is never larger than 80x24. */
#include "tests/unit/client/client_game.h"

#include "client/view/figure.h"
#include "client/view/model.h"
#include "client/view/notice.h"
#include "client/view/render.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "tests/unit/client/lines.h"

static struct facts facts;
static char screen[RENDER_SCREEN_BYTES];
static enum look_pieces pieces;

static const char *draw(int64_t now_ms, bool has_color)
{
    struct render_view view = {
        .now_ms = now_ms, .has_color = has_color, .pieces = pieces};
    struct text text = text_into(screen, sizeof screen);

    render_screen(&text, &model, model.current, &view);
    assert_false(text.is_cut);
    return screen;
}

MODEL_TEST(the_screen_is_the_figure_with_a_panel)
{
    feed_start("hong");
    feed_moves();
    feed_notice("! watcher game=17 name=park here=1", 1);
    feed_notice("! offer 14 game=17 kind=draw by=kim", 1);
    assert_string_equal(
        draw(13500, false),
        "     0 (R)(B)(N)(G)-+-(G)(B)(N)(R)    Game 17   red kim  vs  blue hong\n"
        "     .  |  |  |  | \\|/ |  |  |  |     10 min + 5 s, rules: martin\n"
        "     1  +--+--+--+-[K]-+--+--+--+\n"
        "     .  |  |  |  | /|\\ |  |  |  |     Red   kim    10:02\n"
        "     2  +-(C)-+--+--+--+--+--+--+     Blue  hong   10:00\n"
        "     .  |  |  |  |  |  |  |  |  |\n"
        "     3 (P)-+-(P)-+-(P)-+-(P)(P)-+     Move 2, blue to play.   YOUR MOVE\n"
        "     .  |  |  |  |  |  |  |  |  |     Last: red B2-B6 (cannon)\n"
        "     4  +--+--+--+--+--+--+--+--+\n"
        "     .  |  |  |  |  |  |  |  |  |       1. A3-B3     E6-D6\n"
        "     5  +--+--+--+--+--+--+--+--+       2. B2-B6\n"
        "     .  |  |  |  |  |  |  |  |  |\n"
        "     6 [p]-+-[p]-+--+-[p][p](C)[p]    kim proposes: draw\n"
        "     .  |  |  |  |  |  |  |  |  |\n"
        "     7  +-[c]-+--+--+--+--+-[c]-+     Watching: 1 (park)\n"
        "     .  |  |  |  | \\|/ |  |  |  |\n"
        "     8  +--+--+--+-[k]-+--+--+--+\n"
        "     .  |  |  |  | /|\\ |  |  |  |\n"
        "     9 [r][n][b][g]-+-[g][b][n][r]\n"
        "     .  I  H  G  F  E  D  C  B  A\n");
    model.current->is_turned = true;
    assert_string_equal(
        draw(13500, false),
        "     9 [r][n][b][g]-+-[g][b][n][r]    Game 17   red kim  vs  blue hong\n"
        "     .  |  |  |  | \\|/ |  |  |  |     10 min + 5 s, rules: martin\n"
        "     8  +--+--+--+-[k]-+--+--+--+\n"
        "     .  |  |  |  | /|\\ |  |  |  |     Red   kim    10:02\n"
        "     7  +-[c]-+--+--+--+--+-[c]-+     Blue  hong   10:00\n"
        "     .  |  |  |  |  |  |  |  |  |\n"
        "     6 [p](C)[p][p]-+--+-[p]-+-[p]    Move 2, blue to play.   YOUR MOVE\n"
        "     .  |  |  |  |  |  |  |  |  |     Last: red B2-B6 (cannon)\n"
        "     5  +--+--+--+--+--+--+--+--+\n"
        "     .  |  |  |  |  |  |  |  |  |       1. A3-B3     E6-D6\n"
        "     4  +--+--+--+--+--+--+--+--+       2. B2-B6\n"
        "     .  |  |  |  |  |  |  |  |  |\n"
        "     3  +-(P)(P)-+-(P)-+-(P)-+-(P)    kim proposes: draw\n"
        "     .  |  |  |  |  |  |  |  |  |\n"
        "     2  +--+--+--+--+--+--+-(C)-+     Watching: 1 (park)\n"
        "     .  |  |  |  | \\|/ |  |  |  |\n"
        "     1  +--+--+--+-[K]-+--+--+--+\n"
        "     .  |  |  |  | /|\\ |  |  |  |\n"
        "     0 (R)(N)(B)(G)-+-(G)(N)(B)(R)\n"
        "     .  A  B  C  D  E  F  G  H  I\n");
}

MODEL_TEST(hanja_leave_room_for_the_panel)
{
    feed_start("hong");
    feed_moves();
    pieces = LOOK_HANJA;
    assert_string_equal(
        draw(13500, false),
        "  0 (車)(象)(馬)(士)-+--(士)(象)(馬)(車)  Game 17   red kim  vs  blue hong\n"
        "  .  |   |   |   | \\ | / |   |   |   |    10 min + 5 s, rules: martin\n"
        "  1  +---+---+---+--(漢)-+---+---+---+\n"
        "  .  |   |   |   | / | \\ |   |   |   |    Red   kim    10:02\n"
        "  2  +--(包)-+---+---+---+---+---+---+    Blue  hong   10:00\n"
        "  .  |   |   |   |   |   |   |   |   |\n"
        "  3 (兵)-+--(兵)-+--(兵)-+--(兵)(兵)-+    Move 2, blue to play. YOUR MOVE\n"
        "  .  |   |   |   |   |   |   |   |   |    Last: red B2-B6 (cannon)\n"
        "  4  +---+---+---+---+---+---+---+---+\n"
        "  .  |   |   |   |   |   |   |   |   |      1. A3-B3     E6-D6\n"
        "  5  +---+---+---+---+---+---+---+---+      2. B2-B6\n"
        "  .  |   |   |   |   |   |   |   |   |\n"
        "  6 [卒]-+--[卒]-+---+--[卒][卒](包)[卒]\n"
        "  .  |   |   |   |   |   |   |   |   |\n"
        "  7  +--[包]-+---+---+---+---+--[包]-+\n"
        "  .  |   |   |   | \\ | / |   |   |   |\n"
        "  8  +---+---+---+--[楚]-+---+---+---+\n"
        "  .  |   |   |   | / | \\ |   |   |   |\n"
        "  9 [車][馬][象][士]-+--[士][象][馬][車]\n"
        "  .  I   H   G   F   E   D   C   B   A\n");
    pieces = LOOK_LETTERS;
}

/* The ratings are shown after the names if the names and ratings of both players fit in
 * the space before the clocks. */
MODEL_TEST(ratings_stand_beside_the_names)
{
    const char *drawn;

    feed_start("hong");
    feed_moves();
    feed_notice("! rating game=17 pool=martin red=1512 red_by=+12 red_rank=4k "
                "blue=1488? blue_by=-12",
                13500);
    drawn = draw(13500, false);
    assert_non_null(strstr(drawn, "Red   kim 1512 4k   10:02\n"));
    assert_non_null(strstr(drawn, "Blue  hong 1488?    10:00\n"));
    feed_notice("! rating game=17 counted=no why=pair", 13500);
    assert_non_null(strstr(draw(13500, false), "kim 1512 4k"));
    feed_game("sixteen-letters-",
              "! game 17 0 start red=sixteen-letters- blue=kim rules=martin time=5m");
    feed_line_ups("NBBN", "NBBN", 0);
    model_set_rating(model.current, SIDE_BLUE, " 1488?");
    assert_non_null(strstr(draw(0, false), "Blue  kim 1488?"));
    model_set_rating(model.current, SIDE_RED, " 1512 18k");
    drawn = draw(0, false);
    assert_non_null(strstr(drawn, "Red   sixteen-letters-    5:00\n"));
    assert_non_null(strstr(drawn, "Blue  kim                 5:00\n"));
    assert_string_equal(model_rating_pool(model.current), "martin");
    model_clear(&model);
    feed_event("! game 1 0 start red=a1 blue=b2 rules=courier time=5m", 0);
    feed_event("! game 2 0 start red=a1 blue=b2 rules=kja time=3d", 0);
    assert_string_equal(model_rating_pool(model_find(&model, 1)), "classic");
    assert_string_equal(model_rating_pool(model_find(&model, 2)), "days");
}

MODEL_TEST(points_are_shown_where_they_decide)
{
    static const struct {
        const char *rules, *points;
    } cases[] = {{"kja", "Points, red/blue: 73.5/72\n"}, {"martin", NULL}};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char start[RENDER_LINE_BYTES];

        snprintf(start, sizeof start,
                 "! game 17 0 start red=a1 blue=b2 rules=%s time=5m", cases[i].rules);
        feed_game("", start);
        feed_line_ups("NBBN", "NBBN", 0);
        if (cases[i].points != NULL)
            assert_non_null(strstr(draw(0, false), cases[i].points));
        else
            assert_null(strstr(draw(0, false), "Points"));
    }
}

MODEL_TEST(the_first_figure_is_byte_for_byte)
{
    FILE *file = fopen("tests/data/figure1.txt", "r");
    char line[64];
    const char *at;

    assert_non_null(file);
    feed_game("", "! game 1 0 start red=a1 blue=b2 rules=martin time=none");
    feed_line_ups("NBBN", "NBBN", 0);
    at = draw(0, false);
    for (int i = 0; i < DIAGRAM_LINES; i++) {
        size_t len;

        assert_non_null(fgets(line, sizeof line, file));
        len = strcspn(line, "\n");
        assert_memory_equal(at, line, len);
        at = strchr(at, '\n') + 1;
    }
    fclose(file);
}

static void check_size(const char *text)
{
    assert_int_equal(check_lines(text, RENDER_COLUMNS, "screen"), DIAGRAM_LINES);
}

static void play_at_random(unsigned seed)
{
    struct model_game *game = model.current;
    char line[128], move[MOVE_BYTES], plain[RENDER_SCREEN_BYTES];

    srand(seed);
    for (int ply = 1; ply <= 150 && game_turn(&game->game) != SIDE_NONE; ply++) {
        struct move_list legal;

        rules_legal_moves(game->game.rules, &game->game.position, &legal);
        assert_true(legal.count > 0);
        move_format(move, legal.move[rand() % legal.count]);
        snprintf(line, sizeof line,
                 "! game 17 %d move %d %s %s red_ms=86400000 blue_ms=86400000 "
                 "red_periods=3 blue_periods=3",
                 game->next_event, ply, side_name(game_turn(&game->game)), move);
        assert_int_equal(feed_event(line, 0).took, MODEL_NEW);
        snprintf(plain, sizeof plain, "%s", draw(0, false));
        check_size(plain);
        draw(0, true);
        strip_colors(screen);
        assert_string_equal(screen, plain);
        pieces = LOOK_HANJA;
        check_size(draw(0, false));
        pieces = LOOK_LETTERS;
    }
}

MODEL_TEST(the_screen_never_grows)
{
    static const char *const names[][2] = {
        {"kim", "hong"},
        {"sixteen-letters-", "another-of-them-"},
        {"\xea\xb0\x80\xea\xb0\x80\xea\xb0\x80\xea\xb0\x80\xea\xb0\x80\xea\xb0\x80\xea"
         "\xb0\x80\xea\xb0\x80",
         "hong"},
    };

    for (unsigned i = 0; i < 12; i++) {
        char line[256];

        snprintf(line, sizeof line,
                 "! game 17 0 start red=%s blue=%s rules=martin time=24h+3x40s",
                 names[i % 3][0], names[i % 3][1]);
        feed_game(names[i % 3][i % 2], line);
        feed_line_ups("BNNB", "NBNB", 0);
        for (int w = 0; w < 20; w++) {
            snprintf(line, sizeof line, "! watcher game=17 name=watcher-no-%d here=1",
                     w);
            feed_notice(line, 0);
        }
        feed_notice("! presence game=17 side=red here=0", 0);
        feed_notice("! rating game=17 red=1512? blue=1488 blue_rank=18k", 0);
        play_at_random(i);
        model_clear(&model);
    }
}

static void check_prompt(int64_t now_ms, const char *wanted)
{
    struct render_view plain = {.now_ms = now_ms};
    char prompt[RENDER_PROMPT_BYTES];
    struct text text = text_into(prompt, sizeof prompt);

    render_prompt(&text, &model, &plain);
    assert_string_equal(prompt, wanted);
}

/* After the end of the current game, the prompt names another game of ours that goes on:
 * one in which it is our turn, if there is one. */
MODEL_TEST(the_prompt_after_an_end_names_the_next_game)
{
    feed_start("hong");
    feed_event("! game 18 0 start red=lee blue=hong rules=martin time=3d", 0);
    feed_event("! game 17 3 end blue resignation by=red", 1000);
    check_prompt(1000, "janggi> "); /* a game by correspondence can wait */
    feed_event("! game 19 0 start red=hong blue=lee rules=martin time=none", 0);
    check_prompt(1000, "[game 19: you choose a set-up] janggi> ");
    feed_event("! game 20 0 start red=park blue=hong rules=martin time=5m", 0);
    feed_notice("! setup game=20 side=red left_ms=60000", 0);
    feed_event("! game 19 1 setup red NBNB", 0);
    check_prompt(1000, "[game 20: red's turn, 0:59] janggi> ");
    feed_event("! game 20 1 setup red NBNB", 0);
    feed_notice("! setup game=20 side=blue left_ms=60000", 0);
    check_prompt(2000, "[game 20: you choose a set-up, 0:58] janggi> ");
    model.current = model_find(&model, 20);
    check_prompt(2000, "[0:58] 1 blue> ");
}

/* The prompt of a private board says that moves are tried or replayed. A player of the
 * game also sees the clocks there. */
MODEL_TEST(prompts_show_the_tried_moves)
{
    struct render_view view = {.now_ms = 5000, .is_private = true, .at = 3, .tried = 2};
    char prompt[RENDER_PROMPT_BYTES];
    struct text text = text_into(prompt, sizeof prompt);

    feed_start("kim");
    render_prompt(&text, &model, &view);
    assert_non_null(strstr(prompt, "] try 2> "));
    feed_start("park");
    text = text_into(prompt, sizeof prompt);
    render_prompt(&text, &model, &view);
    assert_string_equal(prompt, "17 try 2> ");
    view.tried = 0;
    text = text_into(prompt, sizeof prompt);
    feed_moves();
    render_prompt(&text, &model, &view);
    assert_string_equal(prompt, "17 replay 3/3> ");
}

/* The private board of an untimed game shows no clocks, not even 0:00. */
MODEL_TEST(a_private_board_has_the_clocks_of_its_game)
{
    struct render_view view = {.now_ms = 5000, .is_private = true, .at = 1, .tried = 1};
    char prompt[RENDER_PROMPT_BYTES];
    struct text words = text_into(screen, sizeof screen);
    struct text text = text_into(prompt, sizeof prompt);

    feed_game("hong", "! game 1 0 start red=hong blue=b2 rules=martin time=none");
    feed_line_ups("NBBN", "NBBN", 0);
    feed_event("! game 1 3 move 1 red A3-B3", 0);
    render_prompt(&text, &model, &view);
    assert_string_equal(prompt, "try 1> ");
    render_screen(&words, &model, model.current, &view);
    assert_null(strstr(screen, "0:00"));
}

MODEL_TEST(prompts_say_where_we_are)
{
    check_prompt(0, "janggi> ");
    feed_start("hong");
    feed_moves();
    check_prompt(13500, "[10:00, red 10:02] 2 blue> ");
    model.current->is_ours = false;
    check_prompt(13500, "17 watch> ");
    model.current->game.phase = GAME_OVER;
    check_prompt(13500, "janggi> ");
}

/* The prompt shows whether it is our turn or the opponent's, and the clock of the side
 * to move. */
MODEL_TEST(prompts_say_whose_turn_it_is)
{
    feed_game("hong", "! game 17 0 start red=kim blue=hong rules=martin time=10m+5s");
    feed_notice("! setup game=17 side=red left_ms=60000", 0);
    check_prompt(15000, "[red 0:45] 1 blue (red's turn)> ");
    feed_event("! game 17 1 setup red NBNB", 20000);
    feed_notice("! setup game=17 side=blue left_ms=60000", 20000);
    check_prompt(30000, "[0:50] 1 blue> ");
    feed_event("! game 17 2 setup blue NBBN", 40000);
    check_prompt(52000, "[10:00, red 9:48] 1 blue (red's turn)> ");
    feed_event("! game 17 3 move 1 red A3-B3 red_ms=590000 blue_ms=600000", 55000);
    check_prompt(57000, "[9:58, red 9:50] 1 blue> ");
    feed_game("", "! game 1 0 start red=a1 blue=b2 rules=martin time=none");
    feed_line_ups("NBBN", "NBBN", 0);
    model.current->is_ours = true;
    model.current->side = SIDE_BLUE;
    check_prompt(0, "1 blue (red's turn)> ");
}

static void check_board(enum look_board board, bool wanted)
{
    if (render_wants_board(model.current, board) != wanted)
        fail_msg("the setting %d after ply %d", board, model.current->game.plies);
}

MODEL_TEST(a_board_is_shown_as_it_was_set)
{
    feed_start("hong"); /* hong plays Blue */
    check_board(LOOK_BOARD_EACH, true);
    check_board(LOOK_BOARD_MINE, false);
    check_board(LOOK_BOARD_OFF, false);
    feed_moves();
    check_board(LOOK_BOARD_EACH, true);
    check_board(LOOK_BOARD_MINE, true);
    check_board(LOOK_BOARD_OFF, false);
    model.current->is_ours = false;
    model.current->side = SIDE_NONE;
    check_board(LOOK_BOARD_MINE, true);
    feed_event("! game 17 6 end red resignation", 0);
    check_board(LOOK_BOARD_MINE, true);
    check_board(LOOK_BOARD_OFF, false);
}

/* The move that ends a game prints no board, because the end event prints it. */
MODEL_TEST(the_last_board_is_shown_once)
{
    FILE *file = fopen("tests/data/mate_game.txt", "r");
    char line[256], event[300];

    assert_non_null(file);
    for (int i = 0; fgets(line, sizeof line, file) != NULL; i++) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "end ", 4) == 0)
            check_board(LOOK_BOARD_EACH, false);
        snprintf(event, sizeof event, "! game 1 %d %s", i, line);
        assert_int_equal(feed_event(event, 0).took, MODEL_NEW);
        model.current = model_find(&model, 1);
    }
    check_board(LOOK_BOARD_EACH, true);
    fclose(file);
}

/* A game that ended during its set-up never had a board. A game that began from a
 * position has a board without a set-up. */
MODEL_TEST(an_impossible_board_is_not_shown)
{
    struct render_view view = {0};
    struct text text = text_into(screen, sizeof screen);

    feed_game("", "! game 1 0 start red=a1 blue=b2 rules=martin time=none");
    feed_event("! game 1 1 end none aborted by=red", 0);
    check_board(LOOK_BOARD_EACH, false);
    render_screen(&text, &model, model.current, &view);
    assert_string_equal(screen, "There is no board before both sides have set up.\n");
    feed_game("", "! game 2 0 start red=a1 blue=b2 rules=kja time=none "
                  "position=\"3k5/9/4R4/9/9/9/9/9/4K4/9 b - 0 0 1\"");
    feed_event("! game 2 1 end red resignation by=blue", 0);
    check_board(LOOK_BOARD_EACH, true);
}

MODEL_TEST(the_moves_of_a_piece_are_below_its_board)
{
    struct render_view view = {.has_color = false};
    struct text text = text_into(screen, sizeof screen);

    feed_start("kim");
    render_show(&text, model.current, point_at(1, 0), &view);
    assert_non_null(strstr(screen, "A  B  C  D  E  F  G  H  I\nknight B0: A2 C2\n"));
    text = text_into(screen, sizeof screen);
    render_show(&text, model.current, point_at(2, 0), &view);
    assert_non_null(strstr(screen, "I\nIt has no legal move.\n"));
}

static void check_wrapped(const char *words, int columns, const char *wanted)
{
    char wrapped[RENDER_SCREEN_BYTES];
    struct text text = text_into(wrapped, sizeof wrapped);

    render_wrapped(&text, words, columns);
    assert_string_equal(wrapped, wanted);
}

MODEL_TEST(wide_lines_are_broken_between_words)
{
    check_wrapped("a line of words\nanother\n", 15, "a line of words\nanother\n");
    check_wrapped("a line of words\n", 14, "a line of\n   words\n");
    check_wrapped("a line of some words\n", 10, "a line of\n   some\n   words\n");
    check_wrapped("  one-word-that-is-long\n", 10, "  one-word-that-is-long\n");
    check_wrapped("홍길동 홍길동\n", 13, "홍길동 홍길동\n");
    check_wrapped("홍길동 홍길동\n", 12, "홍길동\n   홍길동\n");
}

/* 80 columns: the time that a claim needs is never cut. 60 columns: the panel is above
 * the board. */
MODEL_TEST(the_panel_fits_a_narrow_terminal)
{
    struct render_view view = {.now_ms = 1000};
    struct text text = text_into(screen, sizeof screen);

    feed_game("hong",
              "! game 17 0 start red=nineteen9 blue=hong rules=martin time=10m");
    feed_line_ups("BNNB", "NBNB", 0);
    feed_notice("! presence game=17 side=red here=0 claim_ms=161000", 1000);
    render_screen(&text, &model, model.current, &view);
    assert_non_null(strstr(screen, "You may \"claim\" in 2:41.\n"));
    view.columns = 60;
    text = text_into(screen, sizeof screen);
    render_screen(&text, &model, model.current, &view);
    (void)check_lines(screen, 60, "a narrow screen");
    assert_non_null(strstr(screen, "nineteen9 is away.\nYou may \"claim\" in 2:41.\n"));
    assert_non_null(strstr(screen, "\n     0 (R)"));
    view.columns = 72;
    text = text_into(screen, sizeof screen);
    render_screen(&text, &model, model.current, &view);
    assert_int_equal(check_lines(screen, 72, "a screen"), DIAGRAM_LINES);
}

/* The server may have stopped the clocks while nobody can reach it. */
MODEL_TEST(the_time_for_a_line_up_is_unknown_while_offline)
{
    feed_game("hong", "! game 17 0 start red=hong blue=kim rules=martin time=10m");
    feed_notice("! setup game=17 side=red left_ms=60000", 1000);
    check_prompt(1000, "[1:00] 1 red> ");
    model_lose_connection(&model);
    check_prompt(1000, "1 red> ");
}

/* Escape codes have no width: a board of 34 columns with 16 coloured pieces in a row is
 * not wrapped on a terminal of 80 columns. */
MODEL_TEST(colours_do_not_break_a_board)
{
    struct render_view view = {.has_color = true};
    struct text text = text_into(screen, sizeof screen);
    char board[RENDER_SCREEN_BYTES];

    feed_start("kim");
    render_show(&text, model.current, point_at(0, 0), &view);
    assert_non_null(strstr(screen, "\033[1;31m(R)\033[0m"));
    text_copy(board, sizeof board, screen);
    check_wrapped(board, 80, board);
    check_wrapped(board, DIAGRAM_COLUMNS, board);
}

/* --- Words --- */

static void check_words(bool has_board, const char *event, const char *wanted)
{
    char words[512];
    struct text text = text_into(words, sizeof words);

    feed_facts(&facts, event);
    words_event(&text, &model, &facts, has_board);
    assert_string_equal(words, wanted);
}

MODEL_TEST(an_event_is_one_line)
{
    snprintf(model.name, sizeof model.name, "hong");
    check_words(false, "! game 17 0 start red=kim blue=hong rules=martin time=10m+5s",
                "Game 17: red kim, blue hong. 10 min + 5 s, rules: martin. You play "
                "blue.\n");
    check_words(false, "! game 17 1 setup red NBNB",
                "-- game 17: kim (red) sets up NBNB\n");
    model.current = model_find(&model, 17);
    check_words(false, "! game 17 2 setup blue NBBN", "-- hong (blue) sets up NBBN\n");
    check_words(false, "! game 17 3 move 1 red A3-B3 red_ms=592000 blue_ms=600000",
                "-- 1. red A3-B3 (pawn); your move\n");
    check_words(false, "! game 17 4 move 2 blue A6-B6 red_ms=592000 blue_ms=475000",
                "-- 1. blue A6-B6 (pawn)\n");
    check_words(false, "! game 17 5 move 3 red A0-A9 red_ms=492000 blue_ms=475000",
                "-- 2. red A0xA9 (rook takes rook); your move\n");
    check_words(false, "! game 17 6 takeback 2 red_ms=592000 blue_ms=475000",
                "-- taken back to the position after move 1 of blue\n");
    check_words(true, "! game 17 7 move 3 red B3-A3 red_ms=592000 blue_ms=475000", "");
    check_words(false, "! game 17 8 end blue resignation",
                "Game 17 is over. Blue wins by resignation. You win!\n");
}

static void check_notice(const char *line, const char *wanted)
{
    const struct proto_line *parsed = parse_line(line);
    char words[512];
    struct text text = text_into(words, sizeof words);

    notice_say(&text, &model, parsed, false);
    assert_string_equal(words, wanted);
    notice_take(&model, parsed, 0);
}

/* When the opponent is absent, the prompt and the board show how long it takes until
 * the player may claim the game. They also show an adjournment. The prompt also counts
 * down to a restart of the server. */
MODEL_TEST(the_prompt_shows_what_the_player_waits_for)
{
    struct render_view plain = {.now_ms = 1000};
    struct text text = text_into(screen, sizeof screen);

    feed_start("hong");
    feed_notice("! presence game=17 side=red here=0 claim_ms=161000", 1000);
    check_prompt(1000,
                 "(kim away, claim in 2:41) [10:00, red 10:00] 1 blue (red's turn)> ");
    check_prompt(162000,
                 "(kim away, claim now) [10:00, red 7:19] 1 blue (red's turn)> ");
    render_screen(&text, &model, model.current, &plain);
    assert_non_null(strstr(screen, "kim is away.\n"));
    feed_notice("! claim game=17 side=red adjourn=no", 1000);
    text = text_into(screen, sizeof screen);
    render_screen(&text, &model, model.current, &plain);
    assert_non_null(strstr(screen, "  claim win, claim draw\n"));
    feed_notice("! notice why=restart in_s=60 : soon", 1000);
    feed_notice("! presence game=17 side=red here=1", 1000);
    check_prompt(2000, "(restart in 0:59) [10:00, red 9:59] 1 blue (red's turn)> ");
    feed_notice("! notice why=stays : no", 3000);
    feed_event("! game 17 3 adjourn red_ms=600000 blue_ms=600000", 4000);
    check_prompt(5000, "[adjourned] 1 blue> ");
    text = text_into(screen, sizeof screen);
    render_screen(&text, &model, model.current, &plain);
    assert_non_null(strstr(screen, "Adjourned; \"continue\" asks to go on.\n"));
}

MODEL_TEST(correspondence_is_counted_in_days)
{
    struct render_view plain = {.now_ms = 1000};
    struct text text = text_into(screen, sizeof screen);

    feed_game("kim", "! game 3 0 start red=kim blue=hong rules=martin time=3d");
    feed_line_ups("NBNB", "NBNB", 1000);
    check_prompt(1000 + 5 * 3600 * 1000, "[2 d 19 h, blue 3 d 0 h] 1 red> ");
    render_screen(&text, &model, model.current, &plain);
    assert_non_null(strstr(screen, "3 days a move, rules: martin\n"));
}

/* Notices, and the words in which hong (blue in game 17) reads them. */
static const char *const notices[][2] = {
    {"! offer 14 game=17 kind=draw by=kim",
     "-- kim offers a draw: \"draw\" or \"decline\"\n"},
    {"! gone 14 why=withdrawn", "-- kim's offer (draw) was withdrawn\n"},
    {"! offer 15 game=17 kind=takeback by=kim to=2",
     "-- kim asks to go back to ply 2: red makes move 2 again, with red 10:01 "
     "and blue 10:02 on the clocks: \"accept\" or \"decline\"\n"},
    {"! gone 15 why=accepted", ""},
    {"! offer 16 game=17 kind=draw by=hong", ""},
    {"! gone 16 why=declined", "-- your offer (draw) was declined\n"},
    {"! offer 16 game=17 kind=rematch by=kim",
     "-- kim asks for a rematch: \"rematch\" or \"decline\"\n"},
    {"! gone 16 why=playing kind=rematch by=kim",
     "-- kim's offer (rematch) was withdrawn, because another game has "
     "begun\n"},
    {"! gone 12 why=accepted kind=seek by=hong", ""},
    {"! gone 13 why=withdrawn kind=challenge by=hong", ""},
    {"! gone 13 why=playing kind=challenge by=hong",
     "-- your challenge 13 was withdrawn, because you have begun a game\n"},
    {"! gone 13 why=playing kind=challenge by=kim",
     "-- kim has begun another game; the challenge to you was withdrawn\n"},
    {"! gone 13 why=declined kind=challenge by=kim",
     "-- you have declined kim's challenge\n"},
    {"! gone K7Q2-9F3M why=playing kind=invite by=hong",
     "-- your invitation K7Q2-9F3M was withdrawn, because you have begun a "
     "game\n"},
    {"! gone K7Q2-9F3M why=playing kind=invite",
     "-- you no longer wait for an opponent in invitation K7Q2-9F3M, because you "
     "have begun a game\n"},
    {"! whisper game=17 by=park ply=2 : what a move",
     "-- park whispered after blue's move 1: what a move\n"},
    {"! whisper game=17 by=park ply=0 : hello",
     "-- park whispered before the first move: hello\n"},
    {"! whisper game=17 by=park ply=999 : hello", "-- park whispers: hello\n"},
    /* what only the client knows is not taken from the line */
    {"! whisper by=park after=1 : hello", "-- park whispers: hello\n"},
    {"! challenge 13 by=kim time=5m rules=martin side=any",
     "-- kim challenges you (time 5m, rules martin) and plays either side: \"accept "
     "13\" or \"decline 13\"\n"},
    {"! challenge 13 by=kim time=5m rules=martin side=any private=yes talk=no",
     "-- kim challenges you (time 5m, rules martin) and plays either side, private, no "
     "talk: \"accept 13\" or \"decline 13\"\n"},
    {"! challenge 13 by=kim time=5m rules=martin side=red setup=NBNB/NBBN "
     "position=\"4k4/9 r\"",
     "-- kim challenges you (time 5m, rules martin) and plays red, line-ups red NBNB, "
     "blue NBBN, from a custom position: \"accept 13\" or \"decline 13\"\n"},
    {"! challenge 13 by=kim time=5m rules=kja side=red watchers=none delay=1 claim=60s",
     "-- kim challenges you (time 5m, rules kja) and plays red, nobody may watch, "
     "watchers are 1 ply behind, a claim "
     "after 60 s of absence: \"accept 13\" or \"decline 13\"\n"},
    {"! challenge 13 by=kim time=5m rules=kja side=red setup=NBNB/NBBN handicap=red:rn",
     "-- kim challenges you (time 5m, rules kja) and plays red, line-ups red NBNB, "
     "blue NBBN, red without rook, knight (a lead of 18 points for blue): "
     "\"accept 13\" or \"decline 13\"\n"},
    {"! seek 12 by=kim time=5m rules=martin side=any private=yes takebacks=no talk=no",
     "-- kim looks for an opponent (time 5m, rules martin) and plays either side, "
     "private, no takebacks, no talk: \"accept 12\"\n"},
    {"! presence game=17 side=red here=0", "-- kim (red) is away; the clock goes on\n"},
    {"! presence game=17 side=red here=0 claim_ms=161000",
     "-- kim (red) is away; the clock goes on; you may \"claim\" in 2:41\n"},
    {"! presence game=17 side=red here=1", "-- kim (red) is here\n"},
    {"! claim game=17 side=red",
     "-- kim has been away too long: wait longer, or type \"claim win\", "
     "\"claim draw\" or \"adjourn\"\n"},
    {"! claim game=17 side=red adjourn=no",
     "-- kim has been away too long: wait longer, or type \"claim win\" or \"claim "
     "draw\"\n"},
    {"! claim game=17 side=blue", ""},
    {"! offer 18 game=17 kind=adjourn by=kim",
     "-- kim asks to adjourn (clocks stand still until both type "
     "\"continue\"): \"adjourn\" or \"decline\"\n"},
    {"! mine game=3 red=hong blue=kim rules=martin time=3d phase=play ply=12 "
     "turn=red side=red here=red left_ms=183600000",
     "-- your game 3: red against kim, 3d, ply 12, YOUR MOVE, 2 d 3 h left\n"},
    {"! over game=3 red=hong blue=kim rules=martin time=3d plies=57 result=red "
     "reason=time ended_s=1795000000",
     "-- game 3 against kim ended while you were away: Red wins on time. You "
     "played red; \"save 3\" keeps it\n"},
    {"! evening 1 round=2 open=3", "-- evening 1, round 2: games still running: 3; "
                                   "\"evening 1\" shows the table\n"},
    {"! frozen game=3 events=41",
     "-- game 3 is damaged on the server's disk from event 41 on: you can "
     "look at it but not play it; ask the host\n"},
    {"! watcher game=17 name=park here=1", "-- park is watching\n"},
    {"! closed game=3 why=slow",
     "-- game 3 is over; \"watch 3\" shows the rest of it\n"},
    {"! closed game=3", "-- you may no longer watch game 3\n"},
    {"! watchers game=17 count=12 came=3 left=1", "-- watchers: 12 (3 came, 1 left)\n"},
    {"! say game=17 by=kim : hello : you", "-- kim says: hello : you\n"},
    {"! something new=1 : in a later version", ""},
    {"! bye why=shutdown", "-- the server is shutting down; your games are kept\n"},
    {"! notice why=restart in_s=60",
     "-- the server restarts in 60 s; after that the games go on, with their clocks "
     "unchanged\n"},
    {"! notice why=later : new words", "-- the host says: new words\n"},
};

MODEL_TEST(notices_are_sentences)
{
    feed_start("hong");
    feed_moves();
    for (size_t i = 0; i < ARRAY_LEN(notices); i++)
        check_notice(notices[i][0], notices[i][1]);
}

static void check_end(const char *our_name, const char *end, const char *wanted)
{
    char line[128], words[512];
    struct text text = text_into(words, sizeof words);
    struct model_news news;

    feed_start(our_name);
    snprintf(line, sizeof line, "! game 17 3 %s", end);
    news = feed_event(line, 1000);
    facts_take_event(&facts, &news, 1000);
    words_event(&text, &model, &facts, true);
    assert_memory_equal(words, wanted, strlen(wanted));
}

MODEL_TEST(the_end_names_the_player_who_aborted)
{
    check_end("hong", "end none aborted by=red",
              "Game 17 is over. kim aborted the game.\n");
    check_end("kim", "end none aborted by=red",
              "Game 17 is over. You aborted the game.\n");
    check_end("kim", "end none aborted", "Game 17 is over. The game was aborted.\n");
    check_end("kim", "end red resignation by=blue",
              "Game 17 is over. Red wins by resignation. You win!\n");
}

static void check_listed(const char *our_name, const char *line, const char *wanted)
{
    char words[512];
    struct text text = text_into(words, sizeof words);

    snprintf(model.name, sizeof model.name, "%s", our_name);
    told_row(&text, &model, line);
    assert_string_equal(words, wanted);
}

/* Checks the words for a row of history: red=hong blue=kim, 57 plies, ended on
 * 2026-11-19. */
static void check_past(const char *our_name, const char *end, const char *wanted)
{
    char line[256], words[256];

    snprintf(line, sizeof line,
             "game 17 red=hong blue=kim rules=martin time=10m+5s plies=57 %s "
             "ended_s=1795046400",
             end);
    snprintf(words, sizeof words, "  17 2026-11-19 %s\n", wanted);
    check_listed(our_name, line, words);
}

MODEL_TEST(history_is_written_from_the_readers_side)
{
    setenv("TZ", "UTC", 1);
    check_past("hong", "result=red reason=resignation by=blue",
               "won      red against kim, 29 moves, 10m+5s, martin: kim resigned");
    check_past("kim", "result=red reason=resignation by=blue",
               "lost     blue against hong, 29 moves, 10m+5s, martin: you resigned");
    check_past("park", "result=red reason=resignation by=blue",
               "red won  red hong, blue kim, 29 moves, 10m+5s, martin: kim resigned");
    check_past("kim", "result=draw reason=resignation by=blue",
               "draw     blue against hong, 29 moves, 10m+5s, martin: you resigned");
    check_past(
        "hong", "result=draw reason=absence by=red",
        "draw     red against kim, 29 moves, 10m+5s, martin: kim was away too long");
    check_past("kim", "result=none reason=aborted",
               "aborted  blue against hong, 29 moves, 10m+5s, martin: agreed");
    check_past(
        "hong", "result=blue reason=bikjang",
        "lost     red against kim, 29 moves, 10m+5s, martin: the kings were left bare");
    /* from an older server, which does not send by= */
    check_past(
        "hong", "result=blue reason=time",
        "lost     red against kim, 29 moves, 10m+5s, martin: you ran out of time");
    check_past("hong", "result=draw reason=time",
               "draw     red against kim, 29 moves, 10m+5s, martin: time");
    check_listed(
        "kim",
        "game 3 red=hong blue=kim rules=kja time=none plies=1 result=none "
        "reason=aborted by=red ended_s=1795046400",
        "   3 2026-11-19 aborted  blue against hong, 1 move, untimed, kja: by hong\n");
    check_listed(
        "kim",
        "game 3 red=hong blue=kim rules=kja time=none plies=0 result=none "
        "reason=aborted ended_s=1795046400",
        "   3 2026-11-19 aborted  blue against hong, 0 moves, untimed, kja: before "
        "both had moved\n");
    check_listed(
        "kim",
        "rank pool=kja rating=1512 rd=62 firm=yes rank=4k won=22 drawn=0 lost=19 "
        "best=1544",
        "  kja      1512  4k, 22 won, 0 drawn, 19 lost, best 1544\n");
}

/* Without a name, the player of a game at one terminal is called "you". */
MODEL_TEST(you_set_up_and_others_set_up)
{
    feed_game("you", "! game 1 0 start red=you blue=computer-5 rules=martin time=none");
    check_words(true, "! game 1 1 setup red NBNB", "-- you (red) set up NBNB\n");
    check_words(true, "! game 1 2 setup blue NBBN",
                "-- computer-5 (blue) sets up NBBN\n");
    feed_game("kim", "! game 1 0 start red=kim blue=you rules=martin time=none");
    check_words(true, "! game 1 1 setup red NBNB", "-- kim (red) sets up NBNB\n");
    check_words(true, "! game 1 2 setup blue NBBN", "-- you (blue) sets up NBBN\n");
}

/* In the set-up it is somebody's turn, but no piece can move. */
MODEL_TEST(no_piece_moves_in_the_set_up)
{
    char words[512];
    struct text text = text_into(words, sizeof words);

    feed_game("kim", "! game 1 0 start red=kim blue=hong rules=martin time=none");
    render_legal(&text, model.current, POINT_NONE);
    assert_string_equal(words, "No piece can move before both sides have set up.\n");
}

MODEL_TEST(refusals_are_sentences)
{
    static const char *const rows[][2] = {
        {"ERR illegal why=leg-blocked at=C0 : the bishop on C0 blocks the knight's "
         "step",
         "-- not played: the bishop on C0 blocks the knight's step\n"},
        {"ERR illegal why=no-such-ply : the game has no such move to go back to",
         "-- not done: the game has no such move to go back to\n"},
        {"ERR not-now why=over", "-- not done: not-now, over\n"},
        {"ERR slow-down retry=3 : too many lines",
         "-- not done: too many lines (try again in 3 s)\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char words[512];
        struct text text = text_into(words, sizeof words);

        told_refusal(&text, parse_line(rows[i][0]));
        assert_string_equal(words, rows[i][1]);
    }
}

/* Takes the place of a catalogue that translates every text: returns the text with "~"
 * in front. */
static const char *mark_text(const char *key)
{
    static char marked[4][512];
    static int at;

    at = (at + 1) % 4; /* one text may be put into another */
    snprintf(marked[at], sizeof marked[at], "~%s", key);
    return marked[at];
}

MODEL_TEST(limits_have_texts_of_their_own_in_another_language)
{
    static const char *const rows[][2] = {
        {"new-names max=5 in_s=3000 : in English",
         "~too many new names from your network; try again "
         "in 3000 s, or log in with a name that you have"},
        {"places max=10000 : in English", "~the server is full; try again in a while"},
        {"places max=5000 for=guests : no place for a guest now: all are taken, or too "
         "many connections come from your network; log in with a name, or try again in "
         "a "
         "while",
         "~no place for a guest now: all are taken, or too many connections come from "
         "your network; log in with a name, or try again in a while"},
        {"unread max=3 name=kim : in English",
         "~kim has not read your last messages yet"},
        {"unread max=3 : no value for the sentence",
         "~a limit is reached; \"limits\" lists them"},
        {"what-comes-later max=1 : in English",
         "~a limit is reached; \"limits\" lists them"},
    };

    translate_by(mark_text);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char copy[512], words[512], wanted[512];
        struct text text = text_into(words, sizeof words);

        snprintf(copy, sizeof copy, "ERR limit what=%s", rows[i][0]);
        snprintf(wanted, sizeof wanted, "~-- not done: %s\n", rows[i][1]);
        told_refusal(&text, parse_line(copy));
        assert_string_equal(words, wanted);
    }
    translate_by(NULL);
}

UNIT_MAIN(NULL, NULL)
