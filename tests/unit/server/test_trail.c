/* Tests of what a door (a node that relays clients) remembers of a client. If the house
 * (the node that runs the games) is lost, the door uses this to continue the client's
 * session at another house. Some lines of the new house are not for the client. */
#include <stdio.h>

#include "common/base/text.h"
#include "server/net/trail.h"
#include "tests/unit/unit.h"

static struct trail *trail;

struct said {
    char lines[2048];
    struct text text;
};

static void note(void *arg, const char *line)
{
    struct said *said = arg;

    text_add(&said->text, line);
    text_add(&said->text, "\n");
}

static void assert_goes_on(const char *wanted)
{
    struct said said;

    said.text = text_into(said.lines, sizeof said.lines);
    assert_true(trail_can_go_on(trail));
    trail_go_on(trail, note, &said);
    assert_string_equal(said.lines, wanted);
}

static void hear(const char *line)
{
    assert_int_equal(trail_note_received(trail, line), TRAIL_PASS);
}

static void drop(const char *line)
{
    assert_int_equal(trail_note_received(trail, line), TRAIL_DROP);
}

static int begin(void **state)
{
    trail = trail_new();
    return 0;
}

static int log_in(void **state)
{
    trail = trail_new();
    hear("* janggi/1 server=\"a\" rules=martin");
    trail_note_sent(trail, "#1 login hong");
    hear("#1 OK login name=hong token=abc proof=token games=- : keep it");
    return 0;
}

static int end(void **state)
{
    trail_free(trail);
    return 0;
}

static void log_in_again(void)
{
    trail_free(trail);
    log_in(NULL);
}

/* Checks that two lines of the next house are dropped: the greeting, and the answer to
 * the login. The client must not see these lines. */
static void drop_login(void)
{
    drop("* janggi/1");
    drop("OK login name=hong proof=token games=-");
}

static void one_who_only_connected_is_greeted_once(void **state)
{
    hear("* janggi/1 server=\"a\" rules=martin");
    assert_goes_on("");
    assert_true(trail_is_returning(trail));
    drop("* janggi/1 server=\"a\" rules=martin");
    assert_false(trail_is_returning(trail));
}

static void one_who_was_not_greeted_yet_is_greeted_at_the_next_house(void **state)
{
    trail_note_sent(trail, "ping");
    assert_goes_on("ping\n");
    assert_false(trail_is_returning(trail));
    hear("* janggi/1 server=\"a\" rules=martin");
    hear("OK ping");
}

static void the_login_the_games_and_the_view_come_back(void **state)
{
    trail_note_sent(trail, "watch 3");
    hear("OK watch game=3 next=0 events=2");
    hear("! game 3 0 start red=a blue=b");
    hear("! game 3 1 setup red NBNB");
    trail_note_sent(trail, "watch 4");
    hear("OK watch game=4 next=0 events=0");
    trail_note_sent(trail, "unwatch 4");
    hear("OK unwatch game=4");
    hear("! game 5 7 end red resignation by=blue");
    hear("! game 6 0 start red=a blue=b");
    hear("! closed game=6 why=slow : game 6 is over");
    trail_note_sent(trail, "view board");
    hear("OK view view=board");
    trail_note_sent(trail, "seeks on");
    hear("OK seeks news=on");
    assert_goes_on("login hong token=abc\nresume game=3 2\nseeks on\n"
                   "view board\n");
    drop("* janggi/1 server=\"a\"");
    drop("OK login name=hong proof=token games=-");
    drop("! mine game=3 red=a");
    drop("! game 3 2 setup blue NBNB"); /* the house sends it again after "resume" */
    hear("! clock game=3 red_ms=1 blue_ms=2 running=red");
    drop("OK resume game=3 next=2 events=3");
    hear("! game 3 2 setup blue NBNB");
    drop("| seek 12 by=kim");
    drop("OK seeks news=on");
    drop("OK view view=board");
    assert_false(trail_is_returning(trail));
    hear("! game 3 3 move 1 blue B9-C7");
}

static void a_guarded_move_is_said_again(void **state)
{
    trail_note_sent(trail, "");
    trail_note_sent(trail, "#9 move game=3 1 b0c2");
    assert_goes_on("login hong token=abc\n#9 move game=3 1 b0c2\n");
    assert_goes_on("login hong token=abc\n#9 move game=3 1 b0c2\n");
    drop("* janggi/1");
    drop("OK login name=hong proof=token games=3");
    hear("#9 OK move game=3 ply=1 move=B0-C2");
}

static void what_may_have_been_done_is_not_said_again(void **state)
{
    static const char *const lines[] = {"b0c2",   "move b0c2", "say hello",   "draw",
                                        "invite", "login kim", "move 3 b0c2", "#"};

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        log_in_again();
        trail_note_sent(trail, lines[i]);
        assert_false(trail_can_go_on(trail));
        hear("ERR unknown");
        assert_true(trail_can_go_on(trail));
    }
}

static void what_the_lost_house_did_not_do_is_said_again(void **state)
{
    trail_note_sent(trail, "#1 say hello");
    trail_note_sent(trail, "#2 draw");
    drop("#1 ERR not-now why=shutdown : nothing was done");
    drop("#2 ERR not-now why=shutdown : nothing was done");
    assert_goes_on("login hong token=abc\n#1 say hello\n#2 draw\n");
}

static void what_was_said_again_may_have_been_done(void **state)
{
    trail_note_sent(trail, "#1 say hello");
    drop("#1 ERR not-now why=shutdown : nothing was done");
    assert_goes_on("login hong token=abc\n#1 say hello\n");
    assert_false(trail_can_go_on(trail)); /* the next house is lost too */
}

static void a_seek_is_gone_with_its_house(void **state)
{
    trail_note_sent(trail, "seek time=3d");
    hear("OK seek id=1 time=3d");
    assert_false(trail_can_go_on(trail));
    hear("! game 2 0 start red=hongdo blue=kim rules=martin");
    assert_false(trail_can_go_on(trail)); /* the client only watches game 2 */
    hear("! game 3 0 start red=kim blue=hong");
    assert_true(trail_can_go_on(trail));
}

static void a_house_that_refuses_ends_it(void **state)
{
    struct said said;

    said.text = text_into(said.lines, sizeof said.lines);
    trail_go_on(trail, note, &said);
    drop("* janggi/1");
    assert_int_equal(trail_note_received(trail, "ERR entry why=banned"), TRAIL_FAIL);
}

static void too_many_commands_are_only_counted(void **state)
{
    for (int i = 0; i < 100; i++)
        trail_note_sent(trail, "ping");
    assert_false(trail_can_go_on(trail));
    for (int i = 0; i < 100; i++)
        hear("OK ping");
    assert_goes_on("login hong token=abc\n");
}

static void a_guest_comes_back_under_another_name(void **state)
{
    trail_note_sent(trail, "login");
    hear("OK login name=guest4 proof=none games=-");
    assert_goes_on("login\n");
    drop("* janggi/1");
    drop("OK login name=guest9 proof=none games=-");
    assert_false(trail_is_returning(trail));
}

static void a_private_game_is_read_by_its_code_again(void **state)
{
    static const char code[] = "3-K7Q29F3MW4XHT6PB";
    char line[80], wanted[160];

    snprintf(line, sizeof line, "#3 watch 3 code=%s", code);
    trail_note_sent(trail, line);
    hear("#3 OK watch game=3 next=0 events=1");
    hear("! game 3 0 start red=a blue=b");
    snprintf(wanted, sizeof wanted, "login hong token=abc\nresume game=3 1 code=%s\n",
             code);
    for (int again = 0; again < 2; again++) {
        assert_goes_on(wanted);
        drop_login();
        drop("OK resume game=3 next=1 events=1");
    }
    trail_note_sent(trail, "resume 3 0"); /* needs no code: the client has already sent
                                           * the code of this game */
    hear("OK resume game=3 next=0 events=1");
    snprintf(wanted, sizeof wanted, "login hong token=abc\nresume game=3 0 code=%s\n",
             code);
    assert_goes_on(wanted);
}

/* The session of a client that reads more than 128 games cannot be brought back at
 * another house. It can be brought back again when some of the games have ended. */
static void one_with_too_many_games_cannot_go_on(void **state)
{
    char line[80];

    for (int game = 1; game <= 140; game++) {
        snprintf(line, sizeof line, "! game %d 0 start red=a blue=b", game);
        hear(line);
        assert_int_equal(trail_can_go_on(trail), game <= 128);
    }
    for (int game = 140; game > 120; game--) {
        snprintf(line, sizeof line, "! game %d 1 end red resignation by=blue", game);
        hear(line);
        assert_int_equal(trail_can_go_on(trail), game <= 129);
    }
}

/* The command "tv" shows one game after another. It goes on when the house has moved to
 * another node: the client gets the rest of the present game, and then the next
 * game. */
static void tv_goes_on(void **state)
{
    static const char *const ends[] = {"#8 tv off", "unwatch 9"};
    static const char *const answers[] = {"#8 OK tv off=1", "OK unwatch game=9"};

    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        log_in_again();
        trail_note_sent(trail, "#4 tv martin");
        hear("#4 OK tv waiting=1 : the next game is shown when it begins");
        assert_goes_on("login hong token=abc\ntv martin after=0\n");
        drop_login();
        drop("OK tv waiting=1 : the next game is shown when it begins");
        hear("! tv game=8 next=0 events=1 : you watch game 8");
        hear("! game 8 0 start red=a blue=b");
        hear("! game 8 1 end red resignation by=blue");
        assert_goes_on("login hong token=abc\ntv martin after=8\n");
        drop_login();
        drop("OK tv waiting=1 : the next game is shown when it begins");
        hear("! tv game=9 next=0 events=1 : you watch game 9");
        hear("! game 9 0 start red=a blue=b");
        for (int again = 0; again < 2; again++) {
            assert_goes_on("login hong token=abc\nresume game=9 1\n"
                           "tv martin after=9\n");
            drop_login();
            drop("OK resume game=9 next=1 events=1");
            drop("OK tv after=9 : you watch game 9 already");
        }
        trail_note_sent(trail, "unwatch 7");
        hear("OK unwatch game=7");
        trail_note_sent(trail, ends[i]);
        hear(answers[i]);
        trail_note_sent(trail, "unwatch 9");
        hear("OK unwatch game=9");
        assert_goes_on("login hong token=abc\n");
    }
}

/* The house sends some events before the door tells it which ones the client lacks;
 * then it sends all that the client lacks. */
static void one_who_fell_behind_reads_each_event_once(void **state)
{
    hear("! game 3 7 move 5 red B0-C2");
    trail_note_late(trail, 3, 8);
    assert_true(trail_is_late(trail, 3));
    assert_false(trail_is_late(trail, 4));
    drop("! game 3 10 move 8 blue B9-C7");
    hear("! game 4 3 move 1 red B0-C2");
    drop("! game 3 11 end red resignation by=blue");
    hear("! game 3 8 move 6 blue B9-C7");
    assert_false(trail_is_late(trail, 3));
    hear("! game 3 9 move 7 red A3-B3");
    hear("! game 3 10 move 8 blue B9-C7");
    hear("! game 3 11 end red resignation by=blue");
}

static void one_who_fell_behind_may_read_from_elsewhere(void **state)
{
    static const char *const lines[] = {"resume 3 10", "login hong token=abc"};
    static const char *const answers[] = {"OK resume game=3 next=10 events=11",
                                          "OK login name=hong proof=token games=3"};

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        log_in_again();
        hear("! game 3 7 move 5 red B0-C2");
        trail_note_late(trail, 3, 8);
        trail_note_sent(trail, lines[i]);
        hear(answers[i]);
        hear("! game 3 10 move 8 blue B9-C7");
    }
}

static void one_who_fell_behind_goes_on_where_it_is(void **state)
{
    hear("! game 3 7 move 5 red B0-C2");
    trail_note_late(trail, 3, 8);
    drop("! game 3 10 move 8 blue B9-C7");
    assert_goes_on("login hong token=abc\nresume game=3 8\n");
    drop_login();
    drop("OK resume game=3 next=8 events=11");
    hear("! game 3 8 move 6 blue B9-C7");
}

static void tv_without_an_answer_is_said_again(void **state)
{
    trail_note_sent(trail, "tv");
    assert_goes_on("login hong token=abc\ntv\n");
    drop_login();
    hear("OK tv game=8 next=0 events=1");
    hear("! game 8 0 start red=a blue=b");
    assert_goes_on("login hong token=abc\nresume game=8 1\ntv after=8\n");
}

#define TEST(name)       cmocka_unit_test_setup_teardown(name, log_in, end)
#define FRESH_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH_TEST(one_who_only_connected_is_greeted_once),
        FRESH_TEST(one_who_was_not_greeted_yet_is_greeted_at_the_next_house),
        TEST(the_login_the_games_and_the_view_come_back),
        TEST(a_guarded_move_is_said_again),
        TEST(what_may_have_been_done_is_not_said_again),
        TEST(what_the_lost_house_did_not_do_is_said_again),
        TEST(what_was_said_again_may_have_been_done),
        TEST(a_seek_is_gone_with_its_house),
        TEST(a_house_that_refuses_ends_it),
        TEST(too_many_commands_are_only_counted),
        FRESH_TEST(a_guest_comes_back_under_another_name),
        TEST(a_private_game_is_read_by_its_code_again),
        TEST(one_with_too_many_games_cannot_go_on),
        TEST(tv_goes_on),
        TEST(tv_without_an_answer_is_said_again),
        TEST(one_who_fell_behind_reads_each_event_once),
        TEST(one_who_fell_behind_may_read_from_elsewhere),
        TEST(one_who_fell_behind_goes_on_where_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
