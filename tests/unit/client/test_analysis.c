/* Tests of the analysis of a game. It must find planted mistakes. In a game without
 * mistakes, it must not report a mistake. It must be possible to parse its reports. */
#include "tests/unit/client/jsonl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/analyse/analyst.h"
#include "client/analyse/report.h"
#include "client/base/loop.h"
#include "client/engine/eval.h"
#include "client/formats/record_gib.h"
#include "client/formats/record_pgn.h"
#include "common/record/record.h"
#include "tests/unit/read_position.h"

enum { NODES = 5000 };

/* A game that is being made, with its record. */
static struct game game;
static struct record record;
static struct search *search;
static struct analysis analysis; /* of `game`, or of the game that make_swings()
                                  * makes */

static void add(const struct event *event)
{
    char text[EVENT_BYTES];

    event_format(text, event);
    record_add(&record, text);
    assert_true(game_apply(&game, event, 0));
}

static void add_news(struct fault fault, const struct game_news *news)
{
    assert_int_equal(fault.code, FAULT_NONE);
    for (int i = 0; i < news->count; i++)
        add(&news->event[i]);
}

/* Begins a game at `position`. NULL: the game begins with its set-up. */
static void begin_at(const char *rules, const struct position *position)
{
    struct event event = {.kind = EVENT_START,
                          .rules = ruleset_find(rules),
                          .terms = {.is_untimed = true},
                          .name = {"hong", "kim"},
                          .has_position = position != NULL};

    if (position != NULL)
        event.position = *position;

    record_clear(&record);
    game_clear(&game);
    record_init(&record);
    game_init(&game);
    add(&event);
}

static void begin(const char *rules)
{
    struct game_news news;

    begin_at(rules, NULL);
    while (game.phase == GAME_SETUP)
        add_news(game_judge_setup(&game, game_turn(&game), LINEUP_NBNB, &news), &news);
}

static void play(struct move move)
{
    struct game_news news;

    add_news(game_judge_move(&game, (enum side)game.position.side, move, 0, &news),
             &news);
}

static void ask(const struct game *about, struct search_report *report)
{
    struct search_task task;

    search_take_game(&task, about);
    task.limits.nodes = NODES;
    search_run(search, &task, NULL, NULL, report);
    assert_true(report->has_move);
}

static void play_well(int plies)
{
    struct search_report report;

    for (; plies > 0 && game.phase == GAME_PLAY; plies--) {
        ask(&game, &report);
        play(report.move);
    }
}

/* Finds the move after which the opponent's score is highest. Returns that score. */
static int find_worst(struct move *worst)
{
    struct search_report report;
    struct move_list list;
    int most = INT32_MIN;

    rules_legal_moves(game.rules, &game.position, &list);
    for (int i = 0; i < list.count; i++) {
        struct search_task task = {.rules = game.rules,
                                   .position = game.position,
                                   .level = SEARCH_LEVEL_MAX,
                                   .limits = {.nodes = 300}};
        struct undo undo;

        rules_make(game.rules, &task.position, list.move[i], &undo);
        search_run(search, &task, NULL, NULL, &report);
        if (report.has_move && report.score > most) {
            most = report.score;
            *worst = list.move[i];
        }
    }
    return most;
}

static void play_worst(void)
{
    struct move worst;

    (void)find_worst(&worst);
    play(worst);
}

/* Plays good moves until the player has a move that loses at least six points, and
 * plays that move. */
static void play_blunder(void)
{
    struct move worst;

    while (find_worst(&worst) < 6 * EVAL_POINT) {
        play_well(1);
        assert_int_equal(game.phase, GAME_PLAY);
    }
    play(worst);
}

/* Runs all searches that the analysis asks for. */
static void analyse(void)
{
    struct search_task task;
    struct search_report report;
    int place;

    search_forget(search);
    analysis_clear(&analysis);
    analysis_init(&analysis, &game, NODES);
    while ((place = analysis_next(&analysis, &task)) >= 0) {
        search_run(search, &task, NULL, NULL, &report);
        analysis_take(&analysis, place, &report, task.limits.nodes);
    }
    assert_int_equal(analysis_done(&analysis), analysis.plies + 1);
}

/* --- Mistakes --- */

UNIT_TEST(a_planted_blunder_is_found_in_every_ruleset)
{
    static const char *const rules[] = {"martin", "courier", "vchess", "kja"};

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct analysis_move move;
        int ply;

        begin(rules[i]);
        search_forget(search); /* the search's table is valid for one ruleset only */
        play_well(11);
        play_blunder();
        ply = game.plies;
        play_well(6);
        analyse();
        assert_true(analysis_judge(&analysis, ply, &move));
        assert_int_equal(move.mark, ANALYSIS_BLUNDER);
        assert_true(move.has_better);
        assert_true(move.points_lost > 4);
        assert_int_equal(move.side, analysis.position[ply - 1].side);
        assert_true(analysis_player(&analysis, move.side).accuracy <
                    analysis_player(&analysis, side_other(move.side)).accuracy);
    }
}

static bool begin_mate(const json_t *row, int plies)
{
    struct position position;
    char why[SENTENCE_BYTES];

    if (json_integer_value(json_object_get(row, "plies")) != plies)
        return false;
    assert_so(read_position(jsonl_text(row, "fen"), &position, why), "%s", why);
    begin_at(jsonl_text(row, "rules"), &position);
    return true;
}

static int perfect, missed;

static void check_perfect(const json_t *row)
{
    if (perfect >= 20 || !begin_mate(row, 3))
        return;
    search_forget(search);
    play_well(3);
    analyse();
    assert_true(analysis.has_ended_by_rules);
    assert_true(analysis.place[3].chance == (game.outcome == OUTCOME_RED ? 1 : 0));
    for (int ply = 1; ply <= analysis.plies; ply++) {
        struct analysis_move move;

        assert_true(analysis_judge(&analysis, ply, &move));
        if (move.mark != ANALYSIS_UNMARKED)
            fail_msg("%s: ply %d", jsonl_text(row, "fen"), ply);
        assert_true(move.has_better || move.line_plies == 0);
    }
    for (int side = 0; side < SIDES; side++)
        assert_true(analysis_player(&analysis, (enum side)side).accuracy > 99.9);
    perfect++;
}

UNIT_TEST(a_game_without_a_mistake_has_no_mark)
{
    perfect = 0;
    jsonl_each("tests/data/mates.jsonl", check_perfect);
    assert_int_equal(perfect, 20);
}

UNIT_TEST(a_game_that_the_rules_drew_ends_with_even_chances)
{
    begin("kja");
    game.phase = GAME_OVER;
    game.outcome = OUTCOME_DRAW;
    game.reason = REASON_DOUBLE_PASS;
    analysis_clear(&analysis);
    analysis_init(&analysis, &game, NODES);
    assert_true(analysis.place[0].chance == 0.5);
    assert_true(analysis.place[0].points == 0);
}

/* In a position in which a move wins immediately, plays the worst move. If that move
 * does not win either, the analysis must mark it as a missed win. */
static void check_missed(const json_t *row)
{
    struct analysis_move move;

    if (missed >= 20 || !begin_mate(row, 1))
        return;
    play_worst();
    analyse();
    assert_true(analysis_judge(&analysis, 1, &move));
    if (analysis.place[1].end_plies == 0) { /* the game is not won after the worst
                                             * move */
        assert_int_equal(move.missed_plies, 1);
        assert_int_not_equal(move.mark, ANALYSIS_UNMARKED);
        missed++;
    }
}

UNIT_TEST(a_missed_mate_is_marked)
{
    missed = 0;
    jsonl_each("tests/data/mates.jsonl", check_missed);
    assert_true(missed > 0);
}

/* While searches are missing, positions whose value is unknown are not judged. */
UNIT_TEST(unknown_positions_are_not_judged)
{
    struct analysis_move move;
    char *text;

    begin("kja");
    play_well(4);
    analysis_clear(&analysis);
    analysis_init(&analysis, &game, 0);
    for (int ply = 1; ply <= 4; ply++)
        assert_false(analysis_judge(&analysis, ply, &move));
    assert_int_equal(analysis_player(&analysis, SIDE_RED).moves, 0);
    text = report_write_text(&analysis);
    assert_non_null(strstr(text, "0 of 5 positions"));
    assert_null(strstr(text, "No mistake"));
    free(text);
    text = report_write_json(&analysis);
    assert_non_null(strstr(text, "\"moves\": []}"));
    free(text);
}

/* --- What is written --- */

UNIT_TEST(the_same_nodes_write_the_same_bytes)
{
    char *first, *second;

    begin("martin");
    play_well(12);
    analyse();
    first = report_write_json(&analysis);
    analyse();
    second = report_write_json(&analysis);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void check_same_game(const struct record *read)
{
    char *before = record_write(&record), *after = record_write(read);

    assert_string_equal(before, after);
    free(before);
    free(after);
}

UNIT_TEST(annotated_records_are_read_back)
{
    struct record_import import = {.number = 1};
    struct record_note *notes;
    struct record read;
    char *text;

    begin("kja");
    play_well(9);
    play_blunder();
    play_well(3);
    analyse();
    notes = report_make_notes(&analysis);
    text = record_gib_write(&record, &game, notes);
    assert_non_null(strstr(text, "{W "));
    assert_true(record_gib_read(&read, text, &import));
    check_same_game(&read);
    record_clear(&read);
    free(text);
    text = record_pgn_write(&record, &game, notes);
    assert_non_null(strstr(text, " $4 {[%eval "));
    assert_non_null(strstr(text, ", best "));
    assert_true(record_pgn_read(&read, text, &import));
    check_same_game(&read);
    record_clear(&read);
    assert_null(import.notes.at);
    free(text);
    free(notes);
}

static json_int_t moves_of(const json_t *json, const char *side)
{
    return json_integer_value(json_object_get(json_object_get(json, side), "moves"));
}

UNIT_TEST(the_graph_falls_where_the_blunder_is)
{
    char *text, *speech, *svg;
    json_error_t why;
    json_t *json;

    begin("kja");
    play_well(9);
    play_blunder();
    play_well(8);
    analyse();
    text = report_write_text(&analysis);
    assert_non_null(strstr(text, "  10 red"));
    assert_non_null(strstr(text, " ?? "));
    assert_non_null(strstr(text, "?? blunder; "));
    speech = report_write_speech(&analysis);
    assert_non_null(strstr(speech, "Move 10, red "));
    assert_null(strchr(speech, '|'));
    svg = report_write_svg(&analysis);
    assert_true(strlen(svg) <= REPORT_SVG_BYTES);
    assert_non_null(strstr(svg, "<title>10. "));
    assert_non_null(strstr(svg, ">Red 100 %</text>"));
    free(svg);
    svg = report_write_json(&analysis);
    json = json_loads(svg, 0, &why);
    assert_non_null(json);
    assert_int_equal(json_array_size(json_object_get(json, "moves")), 19);
    assert_int_equal(moves_of(json, "red"), 9);
    assert_int_equal(moves_of(json, "blue"), 9);
    json_decref(json);
    free(svg);
    free(speech);
    free(text);
}

/* Makes an analysis of a game of `plies` plies. Each ply turns a won game into a lost
 * one and overlooks a win in three moves. */
static void make_swings(int plies)
{
    analysis_clear(&analysis);
    analysis = (struct analysis){
        .rules = ruleset_find("kja"),
        .plies = plies,
        .place = calloc((size_t)plies + 1, sizeof *analysis.place),
        .position = calloc((size_t)plies + 1, sizeof *analysis.position),
        .past = calloc((size_t)plies + 1, sizeof *analysis.past),
        .move = calloc((size_t)plies + 1, sizeof *analysis.move)};

    for (int i = 0; i <= plies; i++) {
        bool is_red = i % 2 == 0;

        analysis.place[i] =
            (struct analysis_place){.nodes = ANALYSIS_NODES_AGAIN,
                                    .points = is_red ? 20 : -20,
                                    .chance = is_red,
                                    .end_plies = is_red ? 5 : -5,
                                    .line_plies = 5,
                                    .line = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}};
        analysis.position[i].side = is_red ? SIDE_RED : SIDE_BLUE;
        analysis.move[i] = (struct move){88, 89};
    }
}

UNIT_TEST(every_line_fits_into_80_columns)
{
    char *text;

    make_swings(3000);
    analysis.place[1500].nodes = ANALYSIS_NODES_FIRST;
    text = report_write_text(&analysis);
    assert_non_null(strstr(text, ", wins in 3\n"));
    assert_non_null(strstr(text, "Only 3000 of 3001 positions"));
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        assert_so(strcspn(line, "\n") <= 80, "%.100s", line);
    free(text);
}

UNIT_TEST(the_graph_has_the_numbers_of_the_moves)
{
    static const struct row {
        int plies;
        const char *axis;
    } rows[] = {
        {1, "\n     0\n"},
        {20, "\n     0               16\n"},
        {63, "\n     0               16              32              48\n"},
        {127, "\n     0               32              64              96\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *text;

        make_swings(rows[i].plies);
        text = report_write_text(&analysis);
        assert_so(strstr(text, rows[i].axis) != NULL, "%s", text);
        free(text);
    }
}

/* A row of the graph is 20 percent high. */
UNIT_TEST(the_graph_shows_quarters_of_a_row)
{
    static const double chances[] = {0.55, 0.54, 0.45, 0.44, 0.60};
    char *text;

    make_swings(ARRAY_LEN(chances) - 1);
    for (size_t i = 0; i < ARRAY_LEN(chances); i++)
        analysis.place[i].chance = chances[i];
    text = report_write_text(&analysis);
    assert_so(strstr(text, "\n 40 |#.. #\n") != NULL, "%s", text);
    free(text);
}

/* The picture of a very long game is not larger than REPORT_SVG_BYTES. The line of the
 * graph ends at the last position of the game, and each dot is on this line. */
UNIT_TEST(a_long_game_has_a_small_picture)
{
    char *svg, *line;
    int dots = 0;

    make_swings(2999);
    svg = report_write_svg(&analysis);
    line = strstr(svg, "points=\"");
    assert_true(strlen(svg) <= REPORT_SVG_BYTES);
    assert_non_null(line);
    assert_non_null(strstr(line, " 640,200 \"/>"));
    for (const char *dot = svg; (dot = strstr(dot, "<circle ")) != NULL; dot++) {
        char point[32];
        int x, y;

        assert_int_equal(sscanf(dot, "<circle cx=\"%d\" cy=\"%d\"", &x, &y), 2);
        snprintf(point, sizeof point, "%d,%d ", x, y);
        assert_non_null(strstr(line, point));
        dots++;
    }
    assert_int_equal(dots, 16);
    free(svg);
}

/* --- The thread --- */

struct run {
    struct event_base *base;
    struct analyst *analyst;
    int searched;
    int stop_at;
    bool is_done;
};

static void on_progress(void *owner)
{
    struct run *run = owner;

    if (++run->searched == run->stop_at)
        analyst_stop(run->analyst);
}

static void on_done(void *owner)
{
    struct run *run = owner;

    assert_false(run->is_done);
    run->is_done = true;
    event_base_loopbreak(run->base);
}

static void run_analyst(struct run *run, const struct analyst_wish *wish)
{
    static const struct analyst_calls calls = {on_progress, on_done};

    run->base = loop_new();
    run->analyst = analyst_new(run->base, &game, wish, &calls, run);
    assert_non_null(run->analyst);
    event_base_dispatch(run->base);
    assert_true(run->is_done);
}

static void end_run(struct run *run)
{
    analyst_free(run->analyst);
    event_base_free(run->base);
}

UNIT_TEST(an_analysis_ends_when_all_is_known)
{
    const struct analyst_wish wish = {.nodes = 500};
    struct run run = {.stop_at = -1};

    begin("kja");
    play_well(6);
    run_analyst(&run, &wish);
    assert_int_equal(run.searched, 7);
    assert_int_equal(analyst_left_s(run.analyst), -1);
    end_run(&run);
}

/* The remaining searches would take longer than the time limit of the test. */
UNIT_TEST(an_analysis_stops_on_request_with_its_results)
{
    const struct analyst_wish wish = {.nodes = UINT64_C(1) << 60};
    const struct analyst_wish timed = {.seconds = 3600};
    struct run run = {.stop_at = 4};

    begin("kja");
    play_well(6);
    run_analyst(&run, &timed);
    assert_int_equal(run.searched, 4);
    assert_true(analyst_analysis(run.analyst)->place[3].nodes > 0);
    assert_true(analyst_analysis(run.analyst)->place[4].nodes == 0);
    end_run(&run);

    run = (struct run){.base = loop_new()};
    run.analyst =
        analyst_new(run.base, &game, &wish,
                    &(const struct analyst_calls){on_progress, on_done}, &run);
    analyst_stop(run.analyst);
    event_base_dispatch(run.base);
    assert_true(run.is_done);
    assert_int_equal(run.searched, 0);
    end_run(&run);
}

static int begin_all(void **state)
{
    game_init(&game);
    record_init(&record);
    search = search_new(4);
    return 0;
}

static int end_all(void **state)
{
    analysis_clear(&analysis);
    record_clear(&record);
    game_clear(&game);
    search_free(search);
    return 0;
}

UNIT_MAIN(begin_all, end_all)
