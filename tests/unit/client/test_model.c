/* Tests of client/view/model, which applies the server's events. */
#include "tests/unit/client/client_game.h"

#include "client/view/model.h"
#include "client/view/words.h"

MODEL_TEST(a_seat_is_found_by_its_name)
{
    feed_start("KIM");
    assert_int_equal(model.current->side, SIDE_RED);
    assert_true(model_is_our_turn(model.current));
    assert_false(model_is_flipped(model.current));
    feed_start("hong");
    assert_int_equal(model.current->side, SIDE_BLUE);
    assert_false(model_is_our_turn(model.current));
    assert_true(model_is_flipped(model.current));
    feed_start("guest3");
    assert_int_equal(model.current->side, SIDE_NONE);
    assert_false(model_is_playing(model.current));
}

MODEL_TEST(events_are_taken_once_and_in_order)
{
    feed_start("kim");
    assert_int_equal(feed_event("! game 17 2 setup blue NBBN", 1).took, MODEL_OLD);
    assert_int_equal(
        feed_event("! game 17 4 move 2 blue E6-D6 red_ms=1 blue_ms=1", 1).took,
        MODEL_GAP);
    assert_int_equal(model.current->next_event, 3);
    assert_int_equal(feed_event("! game 17 3 dance wildly", 1).took, MODEL_SKIPPED);
    assert_int_equal(model.current->next_event, 4);
    assert_int_equal(
        feed_event("! game 17 4 move 1 red A0-A9 red_ms=1 blue_ms=1", 1).took,
        MODEL_BROKEN);
    assert_true(model.current->is_broken);
}

MODEL_TEST(lines_that_are_no_events_are_left_alone)
{
    static const char *const lines[] = {
        "",           "! game",       "! game 3",           "! game 3 x move",
        "! game x 0", "! clock 3 4 ", "! game 3 -1 move 1", "OK game 3 0 start",
    };
    const char *text;
    int64_t id;
    int number;

    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_false(proto_cut_event(lines[i], &id, &number, &text));
    assert_true(proto_cut_event("! game 3 41 move 7 red pass", &id, &number, &text));
    assert_int_equal(id, 3);
    assert_int_equal(number, 41);
    assert_string_equal(text, "move 7 red pass");
}

/* Checks the time that a side has, and returns the number of its periods. */
static int shows(enum side side, int64_t now_ms, int64_t wanted_ms)
{
    int periods;

    assert_int_equal(clock_shown_ms(&model.current->clock, side, now_ms, &periods),
                     wanted_ms);
    return periods;
}

MODEL_TEST(clocks_run_on_our_own_time)
{
    feed_start("kim");
    shows(SIDE_RED, 3000, 598000);
    shows(SIDE_BLUE, 3000, 600000);
    feed_moves();
    shows(SIDE_RED, 14000, 602000);
    shows(SIDE_BLUE, 14000, 599500);
    feed_notice("! clock game=17 red_ms=500000 blue_ms=400000 running=-", 20000);
    shows(SIDE_BLUE, 25000, 400000);
}

/* Feeds a game in which Red's turn begins with 30 s of main time and 3 periods of 40
 * s. */
static void feed_byoyomi(void)
{
    static const char *const lines[] = {
        "! game 17 3 move 1 red A3-B3 red_ms=30000 blue_ms=1200000 red_periods=3 "
        "blue_periods=3",
        "! game 17 4 move 2 blue E6-D6 red_ms=30000 blue_ms=1200000 red_periods=3 "
        "blue_periods=3",
    };

    feed_game("", "! game 17 0 start red=kim blue=hong rules=martin time=20m+3x40s");
    feed_line_ups("NBNB", "NBBN", 0);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_int_equal(feed_event(lines[i], 0).took, MODEL_NEW);
}

static void check_red(int64_t now_ms, int64_t shown_ms, int periods)
{
    assert_int_equal(shows(SIDE_RED, now_ms, shown_ms), periods);
}

MODEL_TEST(the_server_tells_whether_a_side_is_in_a_period)
{
    static const char words[] = "! clock game=17 red_ms=30000 blue_ms=1200000 "
                                "red_periods=3 blue_periods=3 %srunning=red";
    char line[160];

    feed_byoyomi();
    snprintf(line, sizeof line, words, "in_period=red ");
    feed_notice(line, 100000); /* the server reports this after Red has thought for 40
                                * s */
    check_red(100000, 30000, 3);
    check_red(129999, 1, 3);
    check_red(130000, 40000, 2);
    check_red(209999, 1, 1);
    check_red(210000, 0, 0);
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, words, i == 0 ? "in_period=- " : "");
        feed_notice(line, 100000);
        check_red(129999, 1, 3);
        check_red(130000, 40000, 3);
    }
}

static void check_red_words(int64_t now_ms, const char *words)
{
    char clock[WORDS_CLOCK_BYTES];

    words_clock(clock, model.current, SIDE_RED, now_ms);
    assert_string_equal(clock, words);
}

/* The text of a clock shows after the "+" how many periods still follow. While main
 * time is left, all periods still follow. During a period, this period is not
 * counted. */
MODEL_TEST(a_clock_has_the_periods_that_follow)
{
    static const char words[] = "! clock game=17 red_ms=30000 blue_ms=1200000 "
                                "red_periods=3 blue_periods=3 in_period=- running=red";

    feed_byoyomi();
    feed_notice(words, 100000);
    check_red_words(100000, "0:30 +3x40s");
    check_red_words(140000, "0:30 +2x40s");
    check_red_words(220000, "0:30");
    check_red_words(250000, "0:00");
}

/* A server of version 0.1.0 does not say who is in a period, but the last event shows
 * it. */
MODEL_TEST(a_side_without_main_time_is_in_a_period)
{
    feed_byoyomi();
    feed_event("! game 17 5 move 3 red B2-B6 red_ms=0 blue_ms=1200000 red_periods=2 "
               "blue_periods=3",
               100000);
    feed_event("! game 17 6 move 4 blue D6-E6 red_ms=0 blue_ms=1200000 red_periods=2 "
               "blue_periods=3",
               110000);
    check_red(115000, 35000, 2);
    feed_notice("! clock game=17 red_ms=5000 blue_ms=1200000 red_periods=2 "
                "blue_periods=3 running=red",
                120000);
    check_red(120000, 5000, 2);
    check_red(126000, 39000, 1);
    feed_notice("! clock game=17 red_ms=5000 blue_ms=1200000 red_periods=2 "
                "blue_periods=3 running=-",
                120000);
    check_red(126000, 5000, 2);
}

MODEL_TEST(a_stopped_server_charges_no_player)
{
    feed_start("kim");
    feed_notice("! bye why=login", 2000);
    shows(SIDE_RED, 3000, 598000);
    feed_notice("! bye why=restart", 3000);
    shows(SIDE_RED, 9000, 598000);
}

MODEL_TEST(an_adjourned_game_waits_for_no_player)
{
    int64_t left_ms;

    feed_start("kim");
    feed_notice("! presence game=17 side=red here=0 claim_ms=5000", 1000);
    feed_notice("! presence game=17 side=blue here=0 claim_ms=5000", 1000);
    assert_true(model_claim_left(model.current, 2000, &left_ms));
    assert_int_equal(left_ms, 4000);
    feed_event("! game 17 3 adjourn red_ms=590000 blue_ms=600000", 7000);
    assert_false(model_claim_left(model.current, 8000, &left_ms));
}

MODEL_TEST(a_told_clock_waits_for_its_event)
{
    static const char line[] =
        "OK resume game=17 next=3 events=6 red_ms=602000 blue_ms=500000 running=blue";
    feed_start("kim");
    model_take_clock(model.current, parse_line(line), 100000);
    feed_moves(); /* all events arrive at the same time, as after a reconnection */
    shows(SIDE_BLUE, 101000, 499000);
    shows(SIDE_RED, 101000, 602000);
}

MODEL_TEST(the_last_move_is_known_in_words)
{
    struct game_last last;
    char taken[MODEL_TAKEN_BYTES];

    feed_start("kim");
    assert_false(game_last(&model.current->game, &last));
    feed_moves();
    assert_true(game_last(&model.current->game, &last));
    assert_int_equal(last.side, SIDE_RED);
    assert_int_equal(last.number, 2);
    assert_int_equal(last.mover, KIND_CANNON);
    assert_int_equal(last.taken, KIND_NONE);
    model_taken(model.current, SIDE_RED, taken);
    assert_string_equal(taken, "");
}

MODEL_TEST(a_move_on_its_way_is_settled_by_its_event)
{
    feed_start("kim");
    model.current->pending = (struct model_pending){.state = PENDING_SENT, .ply = 1};
    feed_moves();
    assert_int_equal(model.current->pending.state, PENDING_NONE);
}

/* If the players agreed on the line-ups before the game, the server sends the events of
 * the line-ups without waiting for a command. */
MODEL_TEST(agreed_line_ups_are_nobodys_turn)
{
    static const char *const lines[] = {
        "! game 3 0 start red=kim blue=hong rules=martin time=10m setup=NBNB/NBBN",
        "! game 3 1 setup red NBNB",
        "! game 3 2 setup blue NBBN",
    };

    snprintf(model.name, sizeof model.name, "kim");
    for (int i = 0; i < 3; i++) {
        struct model_news news = feed_event(lines[i], 1000);

        assert_int_equal(news.took, MODEL_NEW);
        assert_int_equal(model_is_our_turn(news.game), i == 2);
    }
}

/* After a lost connection, only the log of the game shows what became of a sent move.
 * The move was played if the log has it, and not played if the log has another move. */
MODEL_TEST(a_lost_move_is_found_in_the_log)
{
    static const char line[] =
        "! game 17 3 move 1 red A3-B3 red_ms=601000 blue_ms=600000";
    struct move other = {0, 9}, move;

    assert_true(move_parse("a3b3", &move, NULL));
    feed_start("kim");
    model.current->pending =
        (struct model_pending){.state = PENDING_SENT, .ply = 1, .move = move};
    model_lose_connection(&model);
    assert_int_equal(model.current->pending.state, PENDING_LOST);
    assert_true(feed_event(line, 5000).is_found);
    assert_int_equal(model.current->pending.state, PENDING_NONE);
    feed_start("kim");
    model.current->pending =
        (struct model_pending){.state = PENDING_SENT, .ply = 1, .move = other};
    model_lose_connection(&model);
    assert_false(feed_event(line, 5000).is_found);
    assert_int_equal(model.current->pending.state, PENDING_LOST);
}

/* A server may send any number of games, but the model keeps only a limited number of
 * them. The games that the player plays are always kept. */
MODEL_TEST(no_server_fills_the_memory)
{
    char line[96];
    int count = 0;

    feed_start("kim");
    for (int id = 100; id < 5000; id++) {
        snprintf(line, sizeof line,
                 "! game %d 0 start red=lee blue=hong rules=martin time=5m", id);
        feed_event(line, 1);
        snprintf(line, sizeof line, "! game %d 7 end red time", id + 100000);
        feed_event(line, 1);
    }
    for (const struct model_game *game = model.games; game != NULL; game = game->next)
        count++;
    assert_int_equal(count, MODEL_GAMES_MAX);
    assert_int_equal(model.game_count, MODEL_GAMES_MAX);
    assert_ptr_equal(model_find(&model, 17), model.current);
    assert_non_null(model_find(&model, 4999));
}

MODEL_TEST(offers_come_and_go)
{
    const struct model_offer *offer;

    feed_start("kim");
    feed_notice("! offer 14 game=17 kind=draw by=hong", 1);
    feed_notice("! offer 15 game=17 kind=abort by=kim", 1);
    offer = model_offer_to_us(&model, model.current);
    assert_non_null(offer);
    assert_int_equal(offer->id, 14);
    assert_ptr_equal(model_find_offer(&model, 15, &offer), model.current);
    feed_notice("! gone 14 why=withdrawn", 1);
    assert_null(model_offer_to_us(&model, model.current));
    feed_notice("! offer 16 game=17 kind=draw by=hong", 1);
    feed_moves();
    assert_null(model_offer_to_us(&model, model.current));
    feed_notice("! challenge 20 by=hong time=5m rules=martin side=any", 1);
    assert_int_equal(model.challenges.count, 1);
    feed_notice("! gone 20 why=withdrawn", 1);
    assert_int_equal(model.challenges.count, 0);
}

static void check_open(int count, int64_t first)
{
    struct model_open open[MODEL_OPEN_MAX];

    assert_int_equal(model_list_open(&model, open), count);
    if (count > 0)
        assert_int_equal(open[0].offer->id, first);
}

/* An offer that we answer is closed, even if no notice about it arrives. */
MODEL_TEST(offers_that_we_may_accept_are_listed)
{
    feed_start("kim");
    check_open(0, 0);
    feed_notice("! challenge 20 by=lee time=5m rules=martin side=any", 1);
    feed_notice("! challenge 21 by=park time=5m rules=kja side=any", 1);
    feed_notice("! offer 22 game=17 kind=draw by=kim", 1);
    check_open(2, 20);
    model_close_offer(&model, 20); /* declined: the server answers "OK decline id=20" */
    check_open(1, 21);
    feed_notice("! offer 23 game=17 kind=takeback to=0 by=hong", 1);
    check_open(2, 23);
    feed_event("! game 17 3 end red resignation", 1);
    check_open(1, 21);
    model_close_offer(&model, 21);
    feed_notice("! offer 24 game=17 kind=rematch by=hong", 1);
    check_open(1, 24);
    feed_notice("! rematch game=17 new=18", 1);
    check_open(0, 0);
    for (int i = 0; i < 100; i++) { /* more than the model keeps */
        char line[96];

        snprintf(line, sizeof line, "! challenge %d by=lee time=5m rules=martin",
                 30 + i);
        feed_notice(line, 1);
    }
    check_open(MODEL_OFFERS_MAX, 130 - MODEL_OFFERS_MAX);
}

MODEL_TEST(a_game_of_the_announced_round_is_known)
{
    feed_start("kim");
    assert_false(model.current->is_of_round);
    feed_notice("! evening 4 round=2 board=3 red=lee blue=kim in_s=60 : x", 1);
    feed_notice("! evening 4 round=2 open=1 : x", 1);
    feed_event("! game 18 0 start red=lee blue=kim rules=martin time=none", 2);
    feed_event("! game 19 0 start red=kim blue=lee rules=martin time=none", 2);
    assert_true(model_find(&model, 18)->is_of_round);
    assert_false(model_find(&model, 19)->is_of_round);
}

MODEL_TEST(watchers_are_listed_once)
{
    feed_start("kim");
    feed_notice("! watcher game=17 name=park here=1", 1);
    feed_notice("! watcher game=17 name=park here=1", 1);
    feed_notice("! watcher game=17 name=lee here=1", 1);
    feed_notice("! watcher game=17 name=park here=0", 1);
    feed_notice("! watcher game=17 name=nobody here=0", 1);
    assert_int_equal(model.current->watchers, 1);
    assert_string_equal(model.current->watcher[0], "lee");
    for (int i = 0; i < 100; i++) {
        char line[64];

        snprintf(line, sizeof line, "! watcher game=17 name=w%d here=1", i);
        feed_notice(line, 1);
    }
    assert_int_equal(model.current->watchers, MODEL_WATCHERS_MAX);
    assert_int_equal(model.current->unnamed_watchers, 101 - MODEL_WATCHERS_MAX);
}

static void check_watchers(int named, int unnamed)
{
    assert_int_equal(model.current->watchers, named);
    assert_int_equal(model.current->unnamed_watchers, unnamed);
}

MODEL_TEST(a_sum_of_watchers_keeps_the_names_that_are_certain)
{
    feed_start("kim");
    feed_notice("! watcher game=17 name=park here=1", 1);
    feed_notice("! watchers game=17 count=4 came=3 left=0", 1);
    check_watchers(1, 3);
    feed_notice("! watcher game=17 name=stranger here=0", 1);
    check_watchers(1, 2);
    feed_notice("! watchers game=17 count=3 came=1 left=1", 1);
    check_watchers(0, 3);
    feed_notice("! watchers game=17 count=-1 came=0 left=9", 1);
    feed_notice("! watchers game=17 count=4294967296 came=0 left=9", 1);
    check_watchers(0, 3);
    feed_notice("! watchers game=17", 1);
    check_watchers(0, 0);
    feed_notice("! watchers game=99 count=3", 1);
}

UNIT_MAIN(NULL, NULL)
