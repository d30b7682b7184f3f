/* Tests of whole games without a network: cases from RULES.md, games of another engine,
 * and the events of the log. */
#include "tests/unit/client/jsonl.h"

#include <string.h>

#include "common/game/game.h"
#include "common/words/sentence.h"
#include "tests/unit/random_play.h"

static struct game game;      /* the game of the test that runs */
static struct game_news news; /* the events of the last judgement */

static int tear_down(void **state)
{
    game_clear(&game);
    return 0;
}

#define GAME_TEST(name) UNIT_TEST_WITH(name, NULL, tear_down)

/* --- Games from texts --- */

static void apply(const char *text)
{
    struct event event;

    if (event_parse(text, &event) != EVENT_OK || !game_apply(&game, &event, 0))
        fail_msg("does not follow: %s", text);
}

static bool is_refused(const char *text)
{
    struct game copy = game;
    struct event event;
    bool is_applied;

    assert_int_equal(event_parse(text, &event), EVENT_OK);
    is_applied = game_apply(&copy, &event, 0);
    if (!is_applied)
        assert_memory_equal(&copy, &game, sizeof copy);
    return !is_applied;
}

static void refuses(const char *text)
{
    assert_so(is_refused(text), "follows: %s", text);
}

static void start(const char *text)
{
    game_clear(&game);
    apply(text);
}

/* Starts a game. The players have not yet chosen their line-ups. */
static void begin(const char *rules, const char *time)
{
    char text[EVENT_BYTES];

    snprintf(text, sizeof text, "start red=hong blue=kim rules=%s time=%s", rules,
             time);
    start(text);
}

/* Starts a game and sets it up as in FIG 1; play has then begun. */
static void begin_play(const char *rules, const char *time)
{
    begin(rules, time);
    apply("setup red NBBN");
    apply("setup blue NBBN");
}

static void begin_at(const char *rules, const char *position)
{
    char text[EVENT_BYTES];

    snprintf(text, sizeof text,
             "start red=hong blue=kim rules=%s time=none position=\"%s\"", rules,
             position);
    start(text);
}

/* Applies each judged event to *to, after writing it as text and parsing the text. */
static void take(struct game *to, const struct game_news *judged, int64_t now_ms)
{
    for (int i = 0; i < judged->count; i++) {
        char text[EVENT_BYTES];
        struct event event;

        event_format(text, &judged->event[i]);
        assert_int_equal(event_parse(text, &event), EVENT_OK);
        assert_true(game_apply(to, &event, now_ms));
    }
}

static void check_left(const struct time_left *a, const struct time_left *b)
{
    for (int side = 0; side < SIDES; side++) {
        assert_int_equal(a[side].main_ms, b[side].main_ms);
        assert_int_equal(a[side].periods, b[side].periods);
    }
}

/* Checks that the last judgement found no fault, and applies its events to `game`. */
static void take_right(struct fault fault, int64_t now_ms)
{
    assert_int_equal(fault.code, FAULT_NONE);
    take(&game, &news, now_ms);
}

#define judged(fault, wanted) assert_int_equal((fault).code, (wanted))

static void ended(enum outcome outcome, enum reason reason)
{
    assert_int_equal(game.phase, GAME_OVER);
    assert_int_equal(game.outcome, outcome);
    assert_int_equal(game.reason, reason);
}

/* Judges the move. If the move is legal, applies it. If the move ends the game, applies
 * the end event too. Returns the fault. */
static enum fault_code make(const char *word, int64_t now_ms)
{
    struct move move;
    struct fault fault;

    assert_true(move_parse(word, &move, NULL));
    fault = game_judge_move(&game, game_turn(&game), move, now_ms, &news);
    if (fault.code == FAULT_NONE)
        take(&game, &news, now_ms);
    return fault.code;
}

static void make_all(const json_t *moves)
{
    const json_t *word;
    size_t i;

    json_array_foreach(moves, i, word)
    {
        enum fault_code code = make(json_string_value(word), 0);

        assert_so(code == FAULT_NONE, "move %zu, %s: %s", i + 1,
                  json_string_value(word), fault_name(code));
    }
}

/* If the rules end a game in its start position, adds the end event. */
static void end_if_due(void)
{
    if (game_judge_due(&game, &news))
        take(&game, &news, 0);
}

static enum outcome outcome_of(const char *letter)
{
    if (strcmp(letter, "r") == 0)
        return OUTCOME_RED;
    if (strcmp(letter, "b") == 0)
        return OUTCOME_BLUE;
    return strcmp(letter, "draw") == 0 ? OUTCOME_DRAW : OUTCOME_NONE;
}

/* --- Argued cases --- */

static const char *case_id;

static bool is_legal(const char *word)
{
    struct move move;

    assert_true(move_parse(word, &move, NULL));
    return rules_judge(game.rules, &game.position, move).code == FAULT_NONE;
}

static void expect_words(const json_t *words, bool is_wanted)
{
    const json_t *word;
    size_t i;

    json_array_foreach(words, i,
                       word) if (is_legal(json_string_value(word)) != is_wanted)
        fail_msg("%s: %s", case_id, json_string_value(word));
}

static void expect_from(const char *from, const json_t *targets)
{
    struct move_list list;
    const json_t *target;
    int count = 0;
    size_t i;

    rules_legal_moves(game.rules, &game.position, &list);
    for (int k = 0; k < list.count; k++)
        count += list.move[k].from == side_parse_point(from);
    if ((size_t)count != json_array_size(targets))
        fail_msg("%s: %d targets from %s", case_id, count, from);
    json_array_foreach(targets, i, target)
    {
        char word[MOVE_BYTES];

        snprintf(word, sizeof word, "%.2s-%.2s", from, json_string_value(target));
        assert_so(is_legal(word), "%s: %s", case_id, word);
    }
}

static void expect_moves(json_t *expect)
{
    json_t *legal = json_object_get(expect, "legal"), *targets;
    json_t *count = json_object_get(expect, "count");
    struct move_list list;
    const char *from;

    rules_legal_moves(game.rules, &game.position, &list);
    if (legal != NULL && (size_t)list.count != json_array_size(legal))
        fail_msg("%s: %d moves", case_id, list.count);
    if (count != NULL && list.count != json_integer_value(count))
        fail_msg("%s: %d moves", case_id, list.count);
    expect_words(legal, true);
    expect_words(json_object_get(expect, "includes"), true);
    expect_words(json_object_get(expect, "illegal"), false);
    json_object_foreach(json_object_get(expect, "legal_from"), from, targets)
        expect_from(from, targets);
}

static void expect_state(const json_t *expect)
{
    const char *check = jsonl_text(expect, "check"),
               *status = jsonl_text(expect, "status");
    const json_t *points = json_object_get(expect, "points");
    char text[POSITION_BYTES];

    position_format(text, &game.position);
    if (*check != '\0' && strcmp(check, check_name(rules_check(&game.position))) != 0)
        fail_msg("%s: check", case_id);
    if (json_object_get(expect, "fen") != NULL)
        assert_string_equal(text, jsonl_text(expect, "fen"));
    for (int side = 0; points != NULL && side < SIDES; side++) {
        double wanted =
            json_number_value(json_object_get(points, side == 0 ? "r" : "b"));

        assert_int_equal(
            rules_points_halves(game.rules, &game.position, (enum side)side),
            (int)(2 * wanted));
    }
    if (*status == '\0')
        return;
    if ((strcmp(status, "over") == 0) != (game.phase == GAME_OVER))
        fail_msg("%s: not %s", case_id, status);
    if (game.phase != GAME_OVER)
        return;
    assert_int_equal(game.outcome, outcome_of(jsonl_text(expect, "result")));
    assert_string_equal(reason_name(game.reason), jsonl_text(expect, "reason"));
}

static void check_scenario(const json_t *row)
{
    const char *setup = jsonl_text(row, "setup"), *rules = jsonl_text(row, "ruleset");
    char text[EVENT_BYTES];

    case_id = jsonl_text(row, "id");
    if (*setup == '\0') {
        begin_at(rules, jsonl_text(row, "fen"));
    } else {
        begin(rules, "none");
        snprintf(text, sizeof text, "setup red %.4s", setup);
        apply(text);
        snprintf(text, sizeof text, "setup blue %.4s", setup + 5);
        apply(text);
    }
    assert_int_equal(game.position.side,
                     jsonl_text(row, "side")[0] == 'r' ? SIDE_RED : SIDE_BLUE);
    make_all(json_object_get(row, "moves"));
    end_if_due();
    expect_moves(json_object_get(row, "expect"));
    expect_state(json_object_get(row, "expect"));
}

GAME_TEST(argued_cases_come_out_as_argued)
{
    assert_int_equal(jsonl_each("tests/data/scenarios.jsonl", check_scenario), 82);
}

static void check_game(const json_t *row)
{
    begin_at(jsonl_text(row, "ruleset"), jsonl_text(row, "fen"));
    make_all(json_object_get(row, "moves"));
    assert_so(game.phase == GAME_OVER &&
                  game.outcome == outcome_of(jsonl_text(row, "result")) &&
                  strcmp(reason_name(game.reason), jsonl_text(row, "reason")) == 0,
              "%s: %s %s", jsonl_text(row, "id"), outcome_name(game.outcome),
              reason_name(game.reason));
}

GAME_TEST(whole_games_end_as_another_engine_says)
{
    assert_int_equal(jsonl_each("tests/data/games.jsonl", check_game), 61);
}

/* --- Set-up --- */

GAME_TEST(red_chooses_first_in_every_ruleset)
{
    for (size_t i = 0; ruleset_at(i) != NULL; i++) {
        begin(ruleset_name(ruleset_at(i)), "5m");
        assert_int_equal(game.phase, GAME_SETUP);
        assert_int_equal(game_turn(&game), SIDE_RED);
        refuses("setup blue NBBN");
        judged(game_judge_setup(&game, SIDE_BLUE, LINEUP_NBBN, &news), FAULT_NOT_SETUP);
        assert_int_equal(make("a3a4", 0), FAULT_NOT_STARTED);
        refuses("move 1 red A3-A4 red_ms=300000 blue_ms=300000");
        apply("setup red BNBN");
        refuses("setup red NBBN");
        assert_int_equal(game_turn(&game), SIDE_BLUE);
        take_right(game_judge_setup(&game, SIDE_BLUE, LINEUP_NBNB, &news), 0);
        assert_int_equal(game.phase, GAME_PLAY);
        assert_int_equal(game_turn(&game), ruleset_first_mover(ruleset_at(i)));
        assert_int_equal(game.lineup[SIDE_BLUE], LINEUP_NBNB);
        assert_int_equal(game.first, ruleset_first_mover(ruleset_at(i)));
        judged(game_judge_setup(&game, SIDE_RED, LINEUP_NBNB, &news), FAULT_NOT_SETUP);
    }
}

GAME_TEST(an_agreed_line_up_is_the_only_one)
{
    start("start red=hong blue=kim rules=martin time=none setup=BNNB/NBNB");
    refuses("setup red NBBN");
    apply("setup red BNNB");
    refuses("setup blue BNNB");
    apply("setup blue NBNB");
    assert_int_equal(game.phase, GAME_PLAY);
}

/* Both line-ups are judged together. Red's event comes first, as in every set-up. */
GAME_TEST(sealed_line_ups_are_two_events)
{
    const enum lineup lineups[SIDES] = {LINEUP_BNNB, LINEUP_NBNB};

    start("start red=hong blue=kim rules=kja time=none");
    assert_false(game_is_sealed(&game));
    judged(game_judge_setups(&game, lineups, &news), FAULT_NOT_SETUP);
    start("start red=hong blue=kim rules=kja time=none sealed=yes");
    assert_true(game_is_sealed(&game));
    judged(game_judge_setups(&game, lineups, &news), FAULT_NONE);
    assert_int_equal(news.count, 2);
    assert_int_equal(news.event[0].side, SIDE_RED);
    take(&game, &news, 0);
    assert_int_equal(game.phase, GAME_PLAY);
    assert_int_equal(game.lineup[SIDE_RED], LINEUP_BNNB);
    assert_int_equal(game.lineup[SIDE_BLUE], LINEUP_NBNB);
    assert_false(game_is_sealed(&game));
    judged(game_judge_setups(&game, lineups, &news), FAULT_NOT_SETUP);
}

GAME_TEST(a_start_must_be_possible)
{
    game_init(&game);
    assert_int_equal(game_turn(&game), SIDE_NONE);
    assert_int_equal(make("pass", 0), FAULT_NOT_STARTED);
    refuses("setup red NBBN");
    refuses("end none aborted");
    refuses("start red=a blue=b rules=martin time=none "
            "position=\"4k4/9/9/9/9/9/9/9/9/4K4 r - 0 0 1\"");
    apply("start red=a blue=b rules=courier time=none "
          "position=\"4k4/9/9/9/9/9/9/9/9/4K4 r - 0 0 1\"");
    assert_int_equal(game.phase, GAME_PLAY);
    refuses("start red=a blue=b rules=courier time=none");
    game_clear(&game);
}

/* --- Moves and times --- */

GAME_TEST(moves_must_follow)
{
    static const char *const wrong[] = {
        "move 2 red A3-A4 red_ms=60000 blue_ms=60000",
        "move 1 blue A6-A5 red_ms=60000 blue_ms=60000",
        "move 1 red A3-A5 red_ms=60000 blue_ms=60000",
        "move 1 red pass red_ms=60000 blue_ms=60000",
        "move 1 red A3-A4",
        "move 1 red A3-A4 red_ms=65001 blue_ms=60000",
        "move 1 red A3-A4 red_ms=60000 blue_ms=60001",
        "move 1 red A3-A4 red_ms=60000 blue_ms=59999",
        "move 1 red A3-A4 red_ms=60000 blue_ms=60000 red_periods=1 blue_periods=0",
        "takeback 0 red_ms=60000 blue_ms=60000",
        "end red checkmate",
        "end red agreement",
        "end draw resignation",
        "end red aborted",
        "end red time", /* Red, the side to move, cannot win on time */
        "end red resignation by=red",
        "end blue time by=blue",
        "end draw agreement by=red",
        "setup red NBBN",
    };

    begin_play("martin", "1m+5s");
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        refuses(wrong[i]);
    apply("move 1 red A3-A4 red_ms=65000 blue_ms=60000");
    assert_int_equal(game.plies, 1);
    assert_int_equal(game.events, 4);
    refuses("move 1 red A3-A4 red_ms=65000 blue_ms=60000");
    begin_play("martin", "none");
    refuses("move 1 red A3-A4 red_ms=0 blue_ms=0");
    apply("move 1 red A3-A4");
    refuses("takeback 0 red_ms=0 blue_ms=0");
    refuses("end red time");
}

GAME_TEST(periods_never_grow)
{
    begin_play("martin", "1m+3x40s");
    refuses("move 1 red A3-A4 red_ms=0 blue_ms=60000 red_periods=4 blue_periods=3");
    refuses("move 1 red A3-A4 red_ms=5 blue_ms=60000 red_periods=2 blue_periods=3");
    apply("move 1 red A3-A4 red_ms=0 blue_ms=60000 red_periods=2 blue_periods=3");
    apply("move 2 blue A6-A5 red_ms=0 blue_ms=60000 red_periods=2 blue_periods=3");
    refuses("move 3 red C3-C4 red_ms=0 blue_ms=60000 red_periods=3 blue_periods=3");
    refuses("move 3 red C3-C4 red_ms=1 blue_ms=60000 red_periods=2 blue_periods=3");
}

GAME_TEST(a_move_is_charged_and_a_flag_falls)
{
    begin_play("martin", "10s+2s");
    game_go(&game, 1000);
    assert_false(game_judge_flag(&game, 5000, &news));
    judged(game_judge_move(&game, SIDE_BLUE, move_pass(), 4000, &news),
           FAULT_NOT_YOUR_TURN);
    assert_int_equal(make("a3a4", 4000), FAULT_NONE);
    assert_int_equal(game.clock.left[SIDE_RED].main_ms, 9000);
    assert_int_equal(game.clock.running, SIDE_NONE);
    assert_false(game_judge_flag(&game, 999999, &news));
    game_go(&game, 4500);
    assert_int_equal(clock_flag_at_ms(&game.clock), 14500);
    assert_int_equal(make("a6a5", 14500), FAULT_TIME);
    assert_true(game_judge_flag(&game, 14500, &news));
    take(&game, &news, 14400); /* the clock of a reader may be behind the server's
                                * clock */
    ended(OUTCOME_RED, REASON_TIME);
    assert_int_equal(game.clock.left[SIDE_BLUE].main_ms, 0);
}

static int lag_of(const char *word, int64_t now_ms, int64_t *left_ms)
{
    enum side side = game_turn(&game);
    struct move move;

    assert_true(move_parse(word, &move, NULL));
    judged(game_judge_move(&game, side, move, now_ms, &news), FAULT_NONE);
    *left_ms = news.event[0].left[side].main_ms;
    return news.event[0].lag_ms;
}

GAME_TEST(lag_is_in_the_move_unless_the_terms_bar_it)
{
    int64_t left_ms;

    begin_play("martin", "10s");
    game_allow_lag(&game, 250); /* no clock runs yet, so this changes nothing */
    game_go(&game, 1000);
    assert_int_equal(lag_of("a3a4", 2000, &left_ms), 0);
    assert_int_equal(left_ms, 9000);
    game_allow_lag(&game, 250);
    assert_int_equal(lag_of("a3a4", 2000, &left_ms), 250);
    assert_int_equal(left_ms, 9250);
    assert_int_equal(make("a3a4", 2000), FAULT_NONE);
    assert_int_equal(game.clock.left[SIDE_RED].main_ms, 9250);
    game_go(&game, 3000);
    assert_int_equal(lag_of("a6a5", 4000, &left_ms), 0);
    game.manners.bars_lag = true;
    game_allow_lag(&game, 250);
    assert_int_equal(lag_of("a6a5", 4000, &left_ms), 0);
    assert_int_equal(left_ms, 9000);
    begin_play("martin", "3d");
    game_go(&game, 0);
    game_allow_lag(&game, 250);
    assert_int_equal(lag_of("a3a4", 4000, &left_ms), 0);
}

GAME_TEST(the_clock_runs_in_play_only)
{
    begin("martin", "10s");
    game_go(&game, 0);
    assert_int_equal(game.clock.running, SIDE_NONE);
    begin_play("martin", "none");
    game_go(&game, 0);
    assert_int_equal(game.clock.running, SIDE_NONE);
    assert_false(game_judge_flag(&game, 999999, &news));
    begin_play("martin", "10s");
    game_go(&game, 0);
    take_right(game_judge_resign(&game, SIDE_BLUE, &news), 3000);
    assert_int_equal(game.clock.left[SIDE_RED].main_ms, 7000);
    game_go(&game, 4000);
    assert_int_equal(game.clock.running, SIDE_NONE);
}

/* --- Take-back --- */

GAME_TEST(a_takeback_restores_everything)
{
    static const char *const moves[] = {"a3a4", "a6a5", "a4a5", "a9a5", "a0a5"};
    struct position first, again;
    struct game before;
    int64_t now_ms = 0;

    begin_play("martin", "1m+1s");
    first = game.position;
    for (size_t i = 0; i < ARRAY_LEN(moves); i++) {
        if (i == 2)
            before = game;
        game_go(&game, now_ms);
        assert_int_equal(make(moves[i], now_ms += 3000), FAULT_NONE);
    }
    game_go(&game, now_ms);
    again = game_start(&game);
    assert_memory_equal(&again, &first, sizeof first);
    judged(game_judge_takeback(&game, 5, &news), FAULT_NO_SUCH_PLY);
    judged(game_judge_takeback(&game, -1, &news), FAULT_NO_SUCH_PLY);
    refuses("takeback 2 red_ms=1 blue_ms=1");
    take_right(game_judge_takeback(&game, 2, &news), now_ms);
    assert_int_equal(game.plies, 2);
    assert_memory_equal(&game.position, &before.position, sizeof game.position);
    check_left(game.clock.left, before.clock.left);
    assert_int_equal(game.clock.running, SIDE_NONE);
    assert_int_equal(make("c3c4", now_ms), FAULT_NONE);
    take_right(game_judge_takeback(&game, 0, &news), now_ms);
    assert_memory_equal(&game.position, &first, sizeof game.position);
    assert_int_equal(game.clock.left[SIDE_RED].main_ms, 60000);
}

/* When a move is taken back, the position after it no longer counts as having
 * occurred. */
GAME_TEST(a_takeback_takes_the_repetition_back)
{
    static const char *const circle[] = {"A4-A3", "I6-I7", "A3-A4", "I7-I6"};

    begin_at("martin", "3k5/9/9/8r/9/R8/9/9/9/4K4 r - 0 0 1");
    for (int i = 0; i < 7; i++)
        assert_int_equal(make(circle[i % 4], 0), FAULT_NONE);
    take_right(game_judge_takeback(&game, 2, &news), 0);
    for (int i = 2; i < 7; i++)
        assert_int_equal(make(circle[i % 4], 0), FAULT_NONE);
    assert_int_equal(game.phase, GAME_PLAY);
    assert_int_equal(make(circle[3], 0), FAULT_NONE);
    assert_int_equal(game.phase, GAME_OVER);
    assert_int_equal(game.reason, REASON_REPETITION);
    judged(game_judge_takeback(&game, 2, &news), FAULT_OVER);
}

/* --- Adjourned --- */

GAME_TEST(no_move_is_accepted_while_adjourned)
{
    struct game before;

    begin_play("martin", "1m+1s");
    game_go(&game, 0);
    judged(game_judge_continue(&game, &news), FAULT_NOT_ADJOURNED);
    refuses("continue");
    assert_int_equal(make("a3a4", 1000), FAULT_NONE);
    game_go(&game, 1000);
    before = game;
    take_right(game_judge_adjourn(&game, 3500, &news), 9999);
    assert_true(game.is_adjourned);
    assert_int_equal(game_turn(&game), SIDE_NONE);
    assert_int_equal(game.clock.left[SIDE_BLUE].main_ms, 57500);
    assert_int_equal(game.clock.left[SIDE_RED].main_ms,
                     before.clock.left[SIDE_RED].main_ms);
    game_go(&game, 4000);
    assert_int_equal(game.clock.running, SIDE_NONE);
    assert_false(game_judge_flag(&game, 99999999, &news));
    assert_int_equal(make("a6a5", 5000), FAULT_ADJOURNED);
    judged(game_judge_takeback(&game, 0, &news), FAULT_ADJOURNED);
    judged(game_judge_adjourn(&game, 5000, &news), FAULT_ADJOURNED);
    refuses("move 2 blue A6-A5 red_ms=60000 blue_ms=58500");
    refuses("takeback 0 red_ms=60000 blue_ms=60000");
    refuses("adjourn red_ms=60000 blue_ms=57500");
    refuses("end red time");
    take_right(game_judge_continue(&game, &news), 0);
    assert_int_equal(game_turn(&game), SIDE_BLUE);
    assert_int_equal(game.clock.running, SIDE_NONE);
    game_go(&game, 50000);
    assert_int_equal(clock_flag_at_ms(&game.clock), 50000 + 57500);
    assert_int_equal(make("a6a5", 50500), FAULT_NONE);
    assert_int_equal(game.clock.left[SIDE_BLUE].main_ms, 58000);
}

GAME_TEST(an_adjournment_must_fit_the_game)
{
    static const char *const wrong[] = {
        "adjourn",
        "adjourn red_ms=60001 blue_ms=60000 red_periods=3 blue_periods=3",
        "adjourn red_ms=60000 blue_ms=59999 red_periods=3 blue_periods=3",
        "adjourn red_ms=60000 blue_ms=60000 red_periods=2 blue_periods=3",
        "adjourn red_ms=60000 blue_ms=60000 red_periods=3 blue_periods=3 used_ms=1",
        "adjourn red_ms=0 blue_ms=60000 red_periods=3 blue_periods=3 used_ms=40000",
        "adjourn red_ms=0 blue_ms=60000 red_periods=4 blue_periods=3 used_ms=1",
    };

    begin("martin", "1m+3x40s");
    judged(game_judge_adjourn(&game, 0, &news), FAULT_NOT_STARTED);
    judged(game_judge_continue(&game, &news), FAULT_NOT_STARTED);
    refuses("adjourn red_ms=60000 blue_ms=60000 red_periods=3 blue_periods=3");
    apply("setup red NBBN");
    apply("setup blue NBBN");
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        refuses(wrong[i]);
    apply("adjourn red_ms=0 blue_ms=60000 red_periods=3 blue_periods=3 used_ms=9000");
    apply("continue");
    refuses("adjourn red_ms=0 blue_ms=60000 red_periods=3 blue_periods=3 used_ms=8999");
    apply("adjourn red_ms=0 blue_ms=60000 red_periods=2 blue_periods=3 used_ms=5");
    begin_play("martin", "none");
    refuses("adjourn red_ms=0 blue_ms=0");
    take_right(game_judge_adjourn(&game, 77, &news), 77);
    assert_true(game.is_adjourned);
}

/* After the adjournment the period continues with its remaining time; the next move has
 * a full period again. */
GAME_TEST(a_period_is_adjourned_to_the_millisecond)
{
    begin_play("martin", "1s+3x40s");
    game_go(&game, 0);
    judged(game_judge_adjourn(&game, 121000, &news), FAULT_TIME);
    judged(game_judge_adjourn(&game, 120999, &news), FAULT_NONE);
    take_right(game_judge_adjourn(&game, 53500, &news), 0);
    assert_int_equal(game.clock.used_ms[SIDE_RED], 12500);
    take_right(game_judge_continue(&game, &news), 0);
    game_go(&game, 1000000);
    assert_int_equal(clock_flag_at_ms(&game.clock), 1000000 + 27500 + 40000);
    assert_int_equal(make("a3a4", 1000000 + 27500), FAULT_NONE);
    assert_int_equal(game.clock.left[SIDE_RED].periods, 1);
    assert_int_equal(game.clock.used_ms[SIDE_RED], 0);
}

/* A takeback restores the clocks as they were when the position arose, not as they were
 * at the adjournment. */
GAME_TEST(a_takeback_reaches_behind_an_adjournment)
{
    static const char *const terms[] = {"1m+1s", "1s+3x10s", "2d"};

    for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
        struct time_left had[SIDES];

        begin_play("martin", terms[i]);
        game_go(&game, 0);
        assert_int_equal(make("a3a4", 5000), FAULT_NONE);
        memcpy(had, game.clock.left, sizeof had);
        for (int again = 0; again < 2; again++) {
            game_go(&game, 5000);
            take_right(game_judge_adjourn(&game, 12000, &news), 12000);
            take_right(game_judge_continue(&game, &news), 12000);
            game_go(&game, 20000);
            assert_int_equal(make("a6a5", 21000), FAULT_NONE);
            take_right(game_judge_takeback(&game, 1, &news), 21000);
            check_left(game.clock.left, had);
            assert_int_equal(game.clock.used_ms[SIDE_BLUE], 0);
        }
    }
}

GAME_TEST(an_adjourned_game_may_end)
{
    begin_play("martin", "1m");
    take_right(game_judge_adjourn(&game, 0, &news), 0);
    judged(game_judge_absence(&game, SIDE_RED, true, &news), FAULT_ADJOURNED);
    refuses("end red absence");
    assert_false(is_refused("end none aborted"));
    assert_false(is_refused("end draw agreement"));
    assert_false(is_refused("end draw absence"));
    judged(game_judge_draw(&game, &news), FAULT_NONE);
    judged(game_judge_abort(&game, SIDE_NONE, &news), FAULT_NONE);
    judged(game_judge_absence(&game, SIDE_RED, false, &news), FAULT_NONE);
    take_right(game_judge_resign(&game, SIDE_BLUE, &news), 0);
    assert_int_equal(game.outcome, OUTCOME_RED);
    assert_false(game.is_adjourned);
    judged(game_judge_continue(&game, &news), FAULT_OVER);
    judged(game_judge_adjourn(&game, 0, &news), FAULT_OVER);
}

/* Rule M5 of RULES.md also decides the result when a player is absent. */
GAME_TEST(absence_has_the_result_of_a_loss)
{
    begin_at("martin", "3k5/9/9/9/4p4/9/9/9/9/4K4 r b 0 0 1");
    refuses("end blue absence");
    judged(game_judge_absence(&game, SIDE_BLUE, true, &news), FAULT_NONE);
    assert_int_equal(news.event[0].outcome, OUTCOME_DRAW);
    judged(game_judge_absence(&game, SIDE_RED, false, &news), FAULT_NONE);
    assert_int_equal(news.event[0].outcome, OUTCOME_DRAW);
    take_right(game_judge_absence(&game, SIDE_RED, true, &news), 0);
    ended(OUTCOME_RED, REASON_ABSENCE);
    judged(game_judge_absence(&game, SIDE_RED, true, &news), FAULT_OVER);
    begin("martin", "none");
    refuses("end draw absence");
    judged(game_judge_absence(&game, SIDE_RED, false, &news), FAULT_NOT_STARTED);
}

/* The end agrees with the table of the evening, and says who did not come. */
GAME_TEST(a_game_may_be_missed)
{
    begin("martin", "1m");
    take_right(game_judge_missed(&game, SIDE_BLUE, &news), 0);
    ended(OUTCOME_BLUE, REASON_ABSENCE);
    assert_int_equal(game.ended_by, SIDE_BLUE);
    judged(game_judge_missed(&game, SIDE_RED, &news), FAULT_OVER);
    begin_play("martin", "1m");
    take_right(game_judge_missed(&game, SIDE_NONE, &news), 0);
    assert_int_equal(game.outcome, OUTCOME_NONE);
    begin_play("martin", "1m");
    assert_int_equal(make("a3a4", 0), FAULT_NONE);
    assert_int_equal(make("a6a5", 0), FAULT_NONE);
    refuses("end none absence");
}

GAME_TEST(a_ply_is_of_the_side_whose_turn_it_was)
{
    begin_at("martin", "4k4/9/9/9/9/9/9/9/9/3K5 b - 0 0 1");
    assert_int_equal(game_side_of_ply(&game, 1), SIDE_BLUE);
    assert_int_equal(game_side_of_ply(&game, 2), SIDE_RED);
    assert_int_equal(game_side_of_ply(&game, 7), SIDE_BLUE);
}

/* --- Ends --- */

GAME_TEST(only_the_end_that_is_due_may_follow)
{
    begin_at("martin", "4k4/8R/9/9/R8/4P4/9/9/9/4K4 r - 0 0 1");
    apply("move 1 red A5-A9");
    assert_int_equal(game.phase, GAME_PLAY);
    assert_int_equal(game.due_reason, REASON_CHECKMATE);
    assert_int_equal(game_turn(&game), SIDE_NONE);
    refuses("end red resignation");
    refuses("end none aborted");
    refuses("end draw checkmate");
    refuses("takeback 0");
    refuses("move 2 blue E9-E8");
    judged(game_judge_resign(&game, SIDE_BLUE, &news), FAULT_OVER);
    judged(game_judge_draw(&game, &news), FAULT_OVER);
    judged(game_judge_abort(&game, SIDE_NONE, &news), FAULT_OVER);
    apply("end red checkmate");
    assert_int_equal(game.phase, GAME_OVER);
    refuses("end red checkmate");
    assert_int_equal(make("e9e8", 0), FAULT_OVER);
    assert_false(game_judge_due(&game, &news));
}

GAME_TEST(ends_by_people_fit_their_phase)
{
    begin("martin", "none");
    refuses("end draw agreement");
    refuses("end red time");
    assert_false(is_refused("end none aborted"));
    judged(game_judge_draw(&game, &news), FAULT_NOT_STARTED);
    judged(game_judge_takeback(&game, 0, &news), FAULT_NOT_STARTED);
    judged(game_judge_abort(&game, SIDE_NONE, &news), FAULT_NONE);
    take_right(game_judge_resign(&game, SIDE_RED, &news), 0);
    assert_int_equal(game.outcome, OUTCOME_BLUE);
    judged(game_judge_setup(&game, SIDE_RED, LINEUP_NBBN, &news), FAULT_OVER);
    begin_play("kja", "none");
    take_right(game_judge_draw(&game, &news), 0);
    ended(OUTCOME_DRAW, REASON_AGREEMENT);
    begin_play("kja", "none");
    take_right(game_judge_abort(&game, SIDE_NONE, &news), 0);
    assert_int_equal(game.outcome, OUTCOME_NONE);
    assert_int_equal(game.phase, GAME_OVER);
}

/* Rule M5 of RULES.md: a side cannot lose to an opponent who has bared the kings. */
GAME_TEST(a_forfeited_opponent_gets_a_draw_at_most)
{
    begin_at("martin", "3k5/9/9/9/4p4/9/9/9/9/4K4 r b 0 0 1");
    assert_false(is_refused("end red resignation"));
    refuses("end blue resignation");
    take_right(game_judge_resign(&game, SIDE_RED, &news), 0);
    ended(OUTCOME_DRAW, REASON_RESIGNATION);
    assert_int_equal(game.ended_by, SIDE_RED); /* the outcome, a draw, does not say who
                                                * resigned */
}

static void check_ended_by(const char *end, enum side by, const char *reason)
{
    char words[GAME_REASON_BYTES];

    begin_play("martin", "1m");
    assert_int_equal(game.ended_by, SIDE_NONE);
    apply(end);
    game_format_reason(words, &game);
    assert_int_equal(game.ended_by, by);
    assert_string_equal(words, reason);
}

GAME_TEST(an_end_says_whose_act_it_was)
{
    check_ended_by("end blue resignation by=red", SIDE_RED, "resignation by=red");
    check_ended_by("end blue time by=red", SIDE_RED, "time by=red");
    check_ended_by("end draw absence by=blue", SIDE_BLUE, "absence by=blue");
    check_ended_by("end none aborted by=blue", SIDE_BLUE, "aborted by=blue");
    check_ended_by("end none aborted", SIDE_NONE, "aborted");
    check_ended_by("end blue resignation", SIDE_NONE, "resignation"); /* an old log does
                                                                       * not say who
                                                                       * resigned */
    begin_play("martin", "1m");
    game_go(&game, 0);
    assert_true(game_judge_flag(&game, 60001, &news));
    assert_int_equal(news.event[0].side, SIDE_RED);
    judged(game_judge_absence(&game, SIDE_BLUE, false, &news), FAULT_NONE);
    assert_int_equal(news.event[0].side, SIDE_BLUE);
    judged(game_judge_draw(&game, &news), FAULT_NONE);
    assert_int_equal(news.event[0].side, SIDE_NONE);
}

GAME_TEST(the_host_ends_a_game_in_any_phase_with_any_outcome)
{
    for (int outcome = OUTCOME_NONE; outcome <= OUTCOME_DRAW; outcome++) {
        if (outcome == OUTCOME_RED)
            begin("martin", "1m");
        else
            begin_play("martin", "1m");
        judged(game_judge_host(&game, (enum outcome)outcome, &news), FAULT_NONE);
        assert_true(game_apply(&game, &news.event[0], 0));
        ended((enum outcome)outcome, REASON_HOST);
        judged(game_judge_host(&game, OUTCOME_DRAW, &news), FAULT_OVER);
    }
}

GAME_TEST(a_game_may_start_at_its_end)
{
    begin_at("martin", "R3k4/8R/9/9/9/4P4/9/9/9/4K4 b - 0 0 1");
    assert_int_equal(game.due_reason, REASON_CHECKMATE);
    assert_int_equal(make("e9e8", 0), FAULT_OVER);
    apply("end red checkmate");
    begin_at("courier", "4k4/9/9/9/9/9/9/9/9/3K5 r - 2 0 1");
    apply("end draw double_pass");
}

GAME_TEST(every_end_has_its_sentence)
{
    static const struct {
        enum outcome outcome;
        enum reason reason;
        const char *words;
    } rows[] = {
        {OUTCOME_RED, REASON_CHECKMATE, "Red wins by checkmate."},
        {OUTCOME_BLUE, REASON_TIME, "Blue wins on time."},
        {OUTCOME_DRAW, REASON_DOUBLE_PASS, "Draw: both sides passed."},
        {OUTCOME_NONE, REASON_ABORTED, "The game was aborted."},
        {OUTCOME_NONE, REASON_HOST,
         "The game ended without a result by decision of the host."},
        {OUTCOME_RED, REASON_HOST, "Red wins by decision of the host."},
        {OUTCOME_NONE, REASON_ABSENCE,
         "The game ended without a result: neither player came."},
    };
    char words[SENTENCE_BYTES];
    enum outcome outcome;
    enum reason reason;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        sentence_outcome(words, rows[i].outcome, rows[i].reason);
        assert_string_equal(words, rows[i].words);
    }
    for (int i = REASON_CHECKMATE; i < REASONS; i++) {
        assert_true(reason_parse(reason_name((enum reason)i), &reason));
        assert_int_equal(reason, i);
        outcome = i == REASON_CHECKMATE || i == REASON_PERPETUAL_CHECK ? OUTCOME_RED
                                                                       : OUTCOME_DRAW;
        sentence_outcome(words, outcome, (enum reason)i);
        assert_true(strlen(words) > strlen("Red wins."));
    }
    for (int i = OUTCOME_NONE; i <= OUTCOME_DRAW; i++) {
        assert_true(outcome_parse(outcome_name((enum outcome)i), &outcome));
        assert_int_equal(outcome, i);
    }
    assert_false(outcome_parse("Red", &outcome));
    assert_false(reason_parse("none", &reason));
    assert_null(ruleset_find("go"));
    assert_null(ruleset_at(4));
}

/* --- Random games --- */

/* Checks that a and b are equal in everything that a reader of the game can see. */
static void check_same(const struct game *a, const struct game *b)
{
    assert_int_equal(a->phase, b->phase);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->plies, b->plies);
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->reason, b->reason);
    assert_memory_equal(&a->position, &b->position, sizeof a->position);
    check_left(a->clock.left, b->clock.left);
    assert_memory_equal(a->clock.used_ms, b->clock.used_ms, sizeof a->clock.used_ms);
    assert_int_equal(a->is_adjourned, b->is_adjourned);
    assert_int_equal(a->due_reason, b->due_reason);
    check_left(a->left_at_ply, b->left_at_ply);
    for (int i = 0; i < a->plies; i++) {
        assert_true(move_is_same(a->ply[i].move, b->ply[i].move));
        assert_int_equal(a->ply[i].gave_check, b->ply[i].gave_check);
        check_left(a->ply[i].left_before, b->ply[i].left_before);
    }
}

/* Applies the events in `news` as a server does: a move that was judged is not judged
 * again. */
static void take_judged(int64_t now_ms)
{
    for (int i = 0; i < news.count; i++)
        if (news.event[i].kind == EVENT_MOVE)
            game_apply_move(&game, &news);
        else
            assert_true(game_apply(&game, &news.event[i], now_ms));
}

/* Adjourns the game at now_ms and continues it. Applies the same events to the copy,
 * and checks that the copy is then equal to the game. */
static void pause_game(struct game *copy, int64_t now_ms)
{
    if (game_judge_adjourn(&game, now_ms, &news).code != FAULT_NONE)
        return; /* the side to move has no time left */
    take(&game, &news, now_ms);
    take(copy, &news, 0);
    check_same(&game, copy);
    take_right(game_judge_continue(&game, &news), now_ms);
    take(copy, &news, 0);
    game_go(&game, now_ms);
}

/* Plays a random game, with some takebacks and adjournments. Writes every event as text
 * and applies the text to a copy, which must stay the same as the game. */
static void play_twice(const struct ruleset *rules)
{
    static const char *const terms[] = {"none", "1m+5s", "10s+2x30s", "1d"};
    const char *time = terms[random_below(ARRAY_LEN(terms))];
    int64_t now_ms = 0;
    struct game copy;

    begin_play(ruleset_name(rules), time);
    copy = game;
    game_init(&game);
    begin_play(ruleset_name(rules), time);
    while (game.phase != GAME_OVER) {
        struct move_list list;

        game_go(&game, now_ms);
        now_ms += random_below(6000);
        rules_legal_moves(rules, &game.position, &list);
        if (random_below(30) == 0)
            pause_game(&copy, now_ms);
        if (game.plies > 4 && random_below(40) == 0)
            judged(game_judge_takeback(&game, (int)random_below(4), &news), FAULT_NONE);
        else if (!game_judge_flag(&game, now_ms, &news))
            assert_int_equal(
                game_judge_move(&game, game_turn(&game),
                                list.move[random_below((unsigned)list.count)], now_ms,
                                &news)
                    .code,
                FAULT_NONE);
        take_judged(now_ms);
        take(&copy, &news, 0);
        check_same(&game, &copy);
    }
    game_clear(&copy);
}

GAME_TEST(a_log_is_read_to_the_same_game)
{
    for (int i = 0; i < 60; i++)
        play_twice(ruleset_at((size_t)i % 4));
}

UNIT_MAIN(NULL, NULL)
