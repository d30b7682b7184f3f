/* What a door remembers of a client: which lines bring the client's session back at
 * another house, and which lines of that house are not for the client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/text.h"
#include "server/net/trail.h"

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

static void assert_goes_on(struct trail *trail, const char *wanted)
{
    struct said said;

    said.text = text_into(said.lines, sizeof said.lines);
    assert_true(trail_can_go_on(trail));
    trail_go_on(trail, note, &said);
    assert_string_equal(said.lines, wanted);
}

static void hear(struct trail *trail, const char *line)
{
    assert_int_equal(trail_note_received(trail, line), TRAIL_PASS);
}

static void drop(struct trail *trail, const char *line)
{
    assert_int_equal(trail_note_received(trail, line), TRAIL_DROP);
}

static struct trail *logged_in(void)
{
    struct trail *trail = trail_new();

    hear(trail, "* janggi/1 server=\"a\" rules=martin");
    trail_note_sent(trail, "#1 login hong");
    hear(trail, "#1 OK login name=hong token=abc proof=token games=- : keep it");
    return trail;
}

static void one_who_only_connected_is_greeted_once(void **state)
{
    struct trail *trail = trail_new();

    (void)state;
    hear(trail, "* janggi/1 server=\"a\" rules=martin");
    assert_goes_on(trail, "");
    assert_true(trail_is_returning(trail));
    drop(trail, "* janggi/1 server=\"a\" rules=martin");
    assert_false(trail_is_returning(trail));
    trail_free(trail);
}

static void one_who_was_not_greeted_yet_is_greeted_at_the_next_house(void **state)
{
    struct trail *trail = trail_new();

    (void)state;
    trail_note_sent(trail, "ping");
    assert_goes_on(trail, "ping\n");
    assert_false(trail_is_returning(trail));
    hear(trail, "* janggi/1 server=\"a\" rules=martin");
    hear(trail, "OK ping");
    trail_free(trail);
}

static void the_login_the_games_and_the_view_come_back(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    trail_note_sent(trail, "watch 3");
    hear(trail, "OK watch game=3 next=0 events=2");
    hear(trail, "! game 3 0 start red=a blue=b");
    hear(trail, "! game 3 1 setup red NBNB");
    trail_note_sent(trail, "watch 4");
    hear(trail, "OK watch game=4 next=0 events=0");
    trail_note_sent(trail, "unwatch 4");
    hear(trail, "OK unwatch game=4");
    hear(trail, "! game 5 7 end red resignation by=blue");
    hear(trail, "! game 6 0 start red=a blue=b");
    hear(trail, "! closed game=6 why=slow : game 6 is over");
    trail_note_sent(trail, "view board");
    hear(trail, "OK view view=board");
    trail_note_sent(trail, "seeks on");
    hear(trail, "OK seeks news=on");
    assert_goes_on(trail, "login hong token=abc\nresume game=3 2\nseeks on\n"
                          "view board\n");
    drop(trail, "* janggi/1 server=\"a\"");
    drop(trail, "OK login name=hong proof=token games=-");
    drop(trail, "! mine game=3 red=a");
    drop(trail, "! game 3 2 setup blue NBNB"); /* it comes again */
    hear(trail, "! clock game=3 red_ms=1 blue_ms=2 running=red");
    drop(trail, "OK resume game=3 next=2 events=3");
    hear(trail, "! game 3 2 setup blue NBNB");
    drop(trail, "| seek 12 by=kim");
    drop(trail, "OK seeks news=on");
    drop(trail, "OK view view=board");
    assert_false(trail_is_returning(trail));
    hear(trail, "! game 3 3 move 1 blue B9-C7");
    trail_free(trail);
}

static void a_guarded_move_is_said_again(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    trail_note_sent(trail, "");
    trail_note_sent(trail, "#9 move game=3 1 b0c2");
    assert_goes_on(trail, "login hong token=abc\n#9 move game=3 1 b0c2\n");
    assert_goes_on(trail, "login hong token=abc\n#9 move game=3 1 b0c2\n");
    drop(trail, "* janggi/1");
    drop(trail, "OK login name=hong proof=token games=3");
    hear(trail, "#9 OK move game=3 ply=1 move=B0-C2");
    trail_free(trail);
}

static void what_may_have_been_done_is_not_said_again(void **state)
{
    static const char *const lines[] = {"b0c2",   "move b0c2", "say hello",   "draw",
                                        "invite", "login kim", "move 3 b0c2", "#"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct trail *trail = logged_in();

        trail_note_sent(trail, lines[i]);
        assert_false(trail_can_go_on(trail));
        hear(trail, "ERR unknown");
        assert_true(trail_can_go_on(trail));
        trail_free(trail);
    }
}

static void what_the_lost_house_did_not_do_is_said_again(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    trail_note_sent(trail, "#1 say hello");
    trail_note_sent(trail, "#2 draw");
    drop(trail, "#1 ERR not-now why=shutdown : nothing was done");
    drop(trail, "#2 ERR not-now why=shutdown : nothing was done");
    assert_goes_on(trail, "login hong token=abc\n#1 say hello\n#2 draw\n");
    trail_free(trail);
}

static void what_was_said_again_may_have_been_done(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    trail_note_sent(trail, "#1 say hello");
    drop(trail, "#1 ERR not-now why=shutdown : nothing was done");
    assert_goes_on(trail, "login hong token=abc\n#1 say hello\n");
    assert_false(trail_can_go_on(trail)); /* that house is lost too */
    trail_free(trail);
}

static void a_seek_is_gone_with_its_house(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    trail_note_sent(trail, "seek time=3d");
    hear(trail, "OK seek id=1 time=3d");
    assert_false(trail_can_go_on(trail));
    hear(trail, "! game 2 0 start red=hongdo blue=kim rules=martin");
    assert_false(trail_can_go_on(trail)); /* it only watches that one */
    hear(trail, "! game 3 0 start red=kim blue=hong");
    assert_true(trail_can_go_on(trail));
    trail_free(trail);
}

static void a_house_that_refuses_ends_it(void **state)
{
    struct trail *trail = logged_in();
    struct said said;

    (void)state;
    said.text = text_into(said.lines, sizeof said.lines);
    trail_go_on(trail, note, &said);
    drop(trail, "* janggi/1");
    assert_int_equal(trail_note_received(trail, "ERR entry why=banned"), TRAIL_FAIL);
    trail_free(trail);
}

static void too_many_commands_are_only_counted(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    for (int i = 0; i < 100; i++)
        trail_note_sent(trail, "ping");
    assert_false(trail_can_go_on(trail));
    for (int i = 0; i < 100; i++)
        hear(trail, "OK ping");
    assert_goes_on(trail, "login hong token=abc\n");
    trail_free(trail);
}

static void a_guest_comes_back_under_another_name(void **state)
{
    struct trail *trail = trail_new();

    (void)state;
    trail_note_sent(trail, "login");
    hear(trail, "OK login name=guest4 proof=none games=-");
    assert_goes_on(trail, "login\n");
    drop(trail, "* janggi/1");
    drop(trail, "OK login name=guest9 proof=none games=-");
    assert_false(trail_is_returning(trail));
    trail_free(trail);
}

static void a_private_game_is_read_by_its_code_again(void **state)
{
    static const char code[] = "3-K7Q29F3MW4XHT6PB";
    struct trail *trail = logged_in();
    char line[80], wanted[160];

    (void)state;
    snprintf(line, sizeof line, "#3 watch 3 code=%s", code);
    trail_note_sent(trail, line);
    hear(trail, "#3 OK watch game=3 next=0 events=1");
    hear(trail, "! game 3 0 start red=a blue=b");
    snprintf(wanted, sizeof wanted, "login hong token=abc\nresume game=3 1 code=%s\n",
             code);
    for (int again = 0; again < 2; again++) {
        assert_goes_on(trail, wanted);
        drop(trail, "* janggi/1");
        drop(trail, "OK login name=hong proof=token games=-");
        drop(trail, "OK resume game=3 next=1 events=1");
    }
    trail_note_sent(trail, "resume 3 0"); /* admitted before */
    hear(trail, "OK resume game=3 next=0 events=1");
    snprintf(wanted, sizeof wanted, "login hong token=abc\nresume game=3 0 code=%s\n",
             code);
    assert_goes_on(trail, wanted);
    trail_free(trail);
}

/* It can go on again when it reads fewer. */
static void one_with_too_many_games_cannot_go_on(void **state)
{
    struct trail *trail = logged_in();
    char line[80];

    (void)state;
    for (int game = 1; game <= 140; game++) {
        snprintf(line, sizeof line, "! game %d 0 start red=a blue=b", game);
        hear(trail, line);
        assert_int_equal(trail_can_go_on(trail), game <= 128);
    }
    for (int game = 140; game > 120; game--) {
        snprintf(line, sizeof line, "! game %d 1 end red resignation by=blue", game);
        hear(trail, line);
        assert_int_equal(trail_can_go_on(trail), game <= 129);
    }
    trail_free(trail);
}

/* tv goes on after a move of the house: the present game from the client's event, and then
 * the next game. */
static void tv_goes_on(void **state)
{
    static const char *const ends[] = {"#8 tv off", "unwatch 9"};
    static const char *const answers[] = {"#8 OK tv off=1", "OK unwatch game=9"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        struct trail *trail = logged_in();

        trail_note_sent(trail, "#4 tv martin");
        hear(trail, "#4 OK tv waiting=1 : the next game is shown when it begins");
        assert_goes_on(trail, "login hong token=abc\ntv martin after=0\n");
        drop(trail, "* janggi/1");
        drop(trail, "OK login name=hong proof=token games=-");
        drop(trail, "OK tv waiting=1 : the next game is shown when it begins");
        hear(trail, "! tv game=8 next=0 events=1 : you watch game 8");
        hear(trail, "! game 8 0 start red=a blue=b");
        hear(trail, "! game 8 1 end red resignation by=blue");
        assert_goes_on(trail, "login hong token=abc\ntv martin after=8\n");
        drop(trail, "* janggi/1");
        drop(trail, "OK login name=hong proof=token games=-");
        drop(trail, "OK tv waiting=1 : the next game is shown when it begins");
        hear(trail, "! tv game=9 next=0 events=1 : you watch game 9");
        hear(trail, "! game 9 0 start red=a blue=b");
        for (int again = 0; again < 2; again++) {
            assert_goes_on(trail, "login hong token=abc\nresume game=9 1\n"
                                  "tv martin after=9\n");
            drop(trail, "* janggi/1");
            drop(trail, "OK login name=hong proof=token games=-");
            drop(trail, "OK resume game=9 next=1 events=1");
            drop(trail, "OK tv after=9 : you watch game 9 already");
        }
        trail_note_sent(trail, "unwatch 7");
        hear(trail, "OK unwatch game=7");
        trail_note_sent(trail, ends[i]);
        hear(trail, answers[i]);
        trail_note_sent(trail, "unwatch 9");
        hear(trail, "OK unwatch game=9");
        assert_goes_on(trail, "login hong token=abc\n");
        trail_free(trail);
    }
}

/* The house sends some events before the door tells it which ones the client lacks; then it
 * sends all that the client lacks. */
static void one_who_fell_behind_reads_each_event_once(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    hear(trail, "! game 3 7 move 5 red B0-C2");
    trail_note_late(trail, 3, 8);
    assert_true(trail_is_late(trail, 3));
    assert_false(trail_is_late(trail, 4));
    drop(trail, "! game 3 10 move 8 blue B9-C7");
    hear(trail, "! game 4 3 move 1 red B0-C2");
    drop(trail, "! game 3 11 end red resignation by=blue");
    hear(trail, "! game 3 8 move 6 blue B9-C7");
    assert_false(trail_is_late(trail, 3));
    hear(trail, "! game 3 9 move 7 red A3-B3");
    hear(trail, "! game 3 10 move 8 blue B9-C7");
    hear(trail, "! game 3 11 end red resignation by=blue");
    trail_free(trail);
}

static void one_who_fell_behind_may_read_from_elsewhere(void **state)
{
    static const char *const lines[] = {"resume 3 10", "login hong token=abc"};
    static const char *const answers[] = {"OK resume game=3 next=10 events=11",
                                          "OK login name=hong proof=token games=3"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct trail *trail = logged_in();

        hear(trail, "! game 3 7 move 5 red B0-C2");
        trail_note_late(trail, 3, 8);
        trail_note_sent(trail, lines[i]);
        hear(trail, answers[i]);
        hear(trail, "! game 3 10 move 8 blue B9-C7");
        trail_free(trail);
    }
}

static void one_who_fell_behind_goes_on_where_it_is(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    hear(trail, "! game 3 7 move 5 red B0-C2");
    trail_note_late(trail, 3, 8);
    drop(trail, "! game 3 10 move 8 blue B9-C7");
    assert_goes_on(trail, "login hong token=abc\nresume game=3 8\n");
    drop(trail, "* janggi/1");
    drop(trail, "OK login name=hong proof=token games=-");
    drop(trail, "OK resume game=3 next=8 events=11");
    hear(trail, "! game 3 8 move 6 blue B9-C7");
    trail_free(trail);
}

static void tv_without_an_answer_is_said_again(void **state)
{
    struct trail *trail = logged_in();

    (void)state;
    trail_note_sent(trail, "tv");
    assert_goes_on(trail, "login hong token=abc\ntv\n");
    drop(trail, "* janggi/1");
    drop(trail, "OK login name=hong proof=token games=-");
    hear(trail, "OK tv game=8 next=0 events=1");
    hear(trail, "! game 8 0 start red=a blue=b");
    assert_goes_on(trail, "login hong token=abc\nresume game=8 1\ntv after=8\n");
    trail_free(trail);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_who_only_connected_is_greeted_once),
        cmocka_unit_test(one_who_was_not_greeted_yet_is_greeted_at_the_next_house),
        cmocka_unit_test(the_login_the_games_and_the_view_come_back),
        cmocka_unit_test(a_guarded_move_is_said_again),
        cmocka_unit_test(what_may_have_been_done_is_not_said_again),
        cmocka_unit_test(what_the_lost_house_did_not_do_is_said_again),
        cmocka_unit_test(what_was_said_again_may_have_been_done),
        cmocka_unit_test(a_seek_is_gone_with_its_house),
        cmocka_unit_test(a_house_that_refuses_ends_it),
        cmocka_unit_test(too_many_commands_are_only_counted),
        cmocka_unit_test(a_guest_comes_back_under_another_name),
        cmocka_unit_test(a_private_game_is_read_by_its_code_again),
        cmocka_unit_test(one_with_too_many_games_cannot_go_on),
        cmocka_unit_test(tv_goes_on),
        cmocka_unit_test(tv_without_an_answer_is_said_again),
        cmocka_unit_test(one_who_fell_behind_reads_each_event_once),
        cmocka_unit_test(one_who_fell_behind_may_read_from_elsewhere),
        cmocka_unit_test(one_who_fell_behind_goes_on_where_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
