/* Tests of what a person at a terminal sees, and what the client sends to the server.
 * The test takes the place of the keyboard and the screen (edit.c), of the network
 * (net.c) and of isatty(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/learn/learn.h"
#include "client/online/client.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/game/event.h"
#include "tests/clock/stepped_clock.h"
#include "tests/fuzz/played.h"
#include "tests/unit/unit.h"

enum { KEPT_BYTES = 16 * 1024 };

/* --- The keyboard and the screen, played --- */

static bool has_typed;
static char printed[KEPT_BYTES];
static int bells;

static void keep(char kept[KEPT_BYTES], const char *words)
{
    struct text text = text_into(kept + strlen(kept), KEPT_BYTES - strlen(kept));

    text_add(&text, words);
    assert_false(text.is_cut);
}

bool edit_print(struct edit *edit, const char *text, size_t len)
{
    keep(printed, text);
    return true;
}

void edit_prompt(struct edit *edit, const char *prompt)
{
}

void edit_bell(struct edit *edit)
{
    bells++;
}

void edit_title(struct edit *edit, const char *title)
{
}

bool edit_drop_typed(struct edit *edit)
{
    return has_typed;
}

int64_t edit_begun_ms(const struct edit *edit)
{
    return mono_now_ms();
}

const char *edit_word(const struct edit *edit)
{
    return "";
}

void edit_remember(struct edit *edit, const char *line)
{
}

static void type(const char *line)
{
    edit_calls->on_line(edit_owner, line);
}

/* --- The network, played --- */

static char sent[KEPT_BYTES]; /* "#1 login kim", an LF and so on */

void net_wait_next(struct net *peer, int64_t wait_ms)
{
}

bool net_set_place(struct net *peer, const char *place)
{
    return true;
}

bool net_is_loopback(const struct net *peer)
{
    return true;
}

void net_send(struct net *peer, const char *line)
{
    keep(sent, line);
    keep(sent, "\n");
}

/* --- The server, played --- */

static void give(const char *line)
{
    char copy[PROTO_LINE_MAX + 1];

    snprintf(copy, sizeof copy, "%s", line);
    net_calls->on_line(net_owner, copy, strlen(copy), mono_now_ms());
}

static bool has_sent(const char *command)
{
    char line[256];

    snprintf(line, sizeof line, " %s\n", command);
    return strstr(sent, line) != NULL;
}

/* Answers the last command that begins with `command`. */
static void answer(const char *command, const char *words)
{
    char begin[64], line[256];
    const char *found = NULL;

    snprintf(begin, sizeof begin, " %s", command);
    for (const char *at = sent; (at = strstr(at, begin)) != NULL; at++)
        found = at;
    assert_so(found != NULL, "no %s in:\n%s", command, sent);
    while (found > sent && found[-1] != '\n')
        found--;
    snprintf(line, sizeof line, "%.*s %s", (int)strcspn(found, " "), found, words);
    give(line);
}

static void log_in(const char *words)
{
    struct tls_key key = {{0}};

    is_up = true;
    net_calls->on_up(net_owner, TRUST_KNOWN, &key);
    give("* janggi/1 a server");
    answer("login", words);
}

static void lose_connection(void)
{
    struct net_down down = {.end = NET_LOST,
                            .words = "connection interrupted",
                            .retry_ms = 1000,
                            .attempt = 1};

    is_up = false;
    sent[0] = '\0';
    net_calls->on_down(net_owner, &down);
}

/* --- The client --- */

static struct prefs prefs;
static struct client client;

static void set_prefs(void)
{
    prefs = (struct prefs){
        .reconnects = true, .has_bell = true, .color = COLOR_NEVER, .name = "hong"};
    snprintf(prefs.names_path, sizeof prefs.names_path, "/dev/null/no/names");
    snprintf(prefs.known_path, sizeof prefs.known_path, "/dev/null/no/keys");
    setenv("TERM", "xterm", true);
    is_terminal = true;
}

static void open_client(const struct link *to)
{
    set_prefs();
    client_open(&client, &prefs, to);
    client_open_visit(&client, NULL);
    visit_start(client.visit);
}

static const struct link lobby = {
    .kind = LINK_LOBBY, .host = "localhost", .port = "9032"};

static void open_lobby(void)
{
    open_client(&lobby);
    log_in("OK login name=hong proof=key");
    sent[0] = printed[0] = '\0';
}

static int set_up(void **state)
{
    stepped_clock_stop();
    printed[0] = sent[0] = '\0';
    bells = 0;
    has_typed = is_up = false;
    return 0;
}

static int release_clock(void **state)
{
    stepped_clock_release();
    return 0;
}

static int close_client(void **state)
{
    client_close(&client);
    return release_clock(state);
}

static void begin_game(void)
{
    give("! game 17 0 start red=hong blue=kim rules=martin time=1m");
    give("! game 17 1 setup red NBNB");
    give("! game 17 2 setup blue NBBN");
}

/* Steps the clock, a second at a time, and lets the timers run. */
static void wait_s(int seconds)
{
    for (; seconds > 0; seconds--) {
        stepped_clock_step_ms(1000);
        event_base_loop(console_base(client.console), EVLOOP_NONBLOCK);
    }
}

#define CLIENT(name) UNIT_TEST_WITH(name, set_up, close_client)

CLIENT(missing_events_are_asked_for)
{
    open_lobby();
    begin_game();
    assert_false(has_sent("resume 17 3"));
    give("! game 17 4 move 2 blue E6-D6 red_ms=60000 blue_ms=60000");
    assert_true(has_sent("resume 17 3"));
}

CLIENT(a_refusal_of_one_word_is_shown)
{
    open_lobby();
    type("who");
    answer("who", "ERR not-now : the list is being made");
    assert_non_null(strstr(printed, "the list is being made"));
}

CLIENT(a_seek_is_sent_again_after_a_loss)
{
    open_lobby();
    type("seek 10 5");
    answer("seek", "OK seek id=4");
    lose_connection();
    log_in("OK login name=hong proof=key");
    assert_true(has_sent("seek 10 5"));
}

CLIENT(the_bell_rings_when_time_is_short)
{
    int before;

    open_lobby();
    begin_game();
    wait_s(2);
    before = bells;
    wait_s(60);
    assert_int_equal(bells, before + 1);
}

/* No server of ours sends such an event. The client must not end because of it. */
CLIENT(an_event_that_is_too_long_is_not_saved)
{
    char path[UNIT_PATH_BYTES + 16], directory[UNIT_PATH_BYTES], words[128],
        line[EVENT_BYTES + 32] = "! game 17 3 ";
    size_t len = strlen(line);

    assert_true(unit_make_directory(directory));
    snprintf(path, sizeof path, "%s/game", directory);
    open_lobby();
    begin_game();
    snprintf(words, sizeof words, "save 17 %s", path);
    type(words);
    assert_true(has_sent("resume 17 0"));
    begin_game();
    memset(line + len, 'x', EVENT_BYTES);
    give(line);
    answer("resume 17 0", "OK resume game=17 next=0 events=4 red_ms=60000 "
                          "blue_ms=60000 running=red");
    assert_int_not_equal(access(path, F_OK), 0);
    rmdir(directory);
}

CLIENT(a_refused_second_save_leaves_the_first_alone)
{
    char path[UNIT_PATH_BYTES + 16], directory[UNIT_PATH_BYTES], words[128];

    assert_true(unit_make_directory(directory));
    snprintf(path, sizeof path, "%s/game", directory);
    open_lobby();
    begin_game();
    snprintf(words, sizeof words, "save 17 %s", path);
    type(words);
    type("save 17");
    assert_non_null(strstr(printed, "wait until that is done"));
    answer("resume 17 0", "OK resume game=17 next=0 events=3 red_ms=60000 "
                          "blue_ms=60000 running=red");
    begin_game();
    assert_int_equal(unlink(path), 0);
    rmdir(directory);
}

/* Watches game 18, in which Red chooses a line-up. */
static void watch_game(void)
{
    type("watch 18");
    answer("watch 18", "OK watch game=18 events=1");
    give("! game 18 0 start red=lee blue=kim rules=martin time=10m");
}

CLIENT(a_set_up_in_another_game_is_shown_with_its_number)
{
    open_lobby();
    begin_game();
    watch_game();
    assert_non_null(strstr(printed, "-- game 18: lee (red) chooses"));
}

CLIENT(a_set_up_in_the_watched_game_is_shown_without_a_number)
{
    open_lobby();
    watch_game();
    assert_non_null(strstr(printed, "-- lee (red) chooses"));
}

CLIENT(a_private_game_is_watched_by_its_code_after_a_loss)
{
    static const struct link to = {.kind = LINK_WATCH,
                                   .host = "localhost",
                                   .port = "9032",
                                   .code = "17-K7Q29F3MW4XHT6PB"};

    open_client(&to);
    log_in("OK login name=guest7 proof=none");
    assert_true(has_sent("watch 17 code=17-K7Q29F3MW4XHT6PB"));
    lose_connection(); /* before the answer */
    log_in("OK login name=guest8 proof=none");
    assert_true(has_sent("resume 17 0 code=17-K7Q29F3MW4XHT6PB"));
}

/* --- The console --- */

CLIENT(only_two_interrupts_in_a_row_end_the_client)
{
    open_lobby();
    stepped_clock_step_ms(60000);
    edit_calls->on_interrupt(edit_owner);
    assert_non_null(strstr(printed, "Ctrl-C once more"));
    stepped_clock_step_ms(2500);
    edit_calls->on_interrupt(edit_owner);
    assert_false(console_is_leaving(client.console));
    stepped_clock_step_ms(1500);
    edit_calls->on_interrupt(edit_owner);
    assert_true(console_is_leaving(client.console));
}

CLIENT(a_question_clears_what_was_typed_and_says_so)
{
    open_lobby();
    console_ask(client.console, QUESTION_MOVE, "Really? ");
    assert_null(strstr(printed, "it was cleared"));
    has_typed = true;
    console_ask(client.console, QUESTION_MOVE, "Really? ");
    assert_non_null(strstr(printed, "it was cleared"));
}

/* --- The tour --- */

UNIT_TEST_WITH(the_tour_shows_the_board_again, set_up, release_clock)
{
    static const char row[] = "+-[K]-+";
    char *argv[] = {"learn", "2", NULL};
    const char *at = printed;
    int boards = 0;

    set_prefs();
    prefs.script = "board";
    assert_int_equal(learn_run(2, argv, &prefs), 0);
    for (; (at = strstr(at, row)) != NULL; at++)
        boards++;
    assert_int_equal(boards, 2);
}

UNIT_MAIN(unit_be_quiet, NULL)
