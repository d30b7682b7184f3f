/* Tests of client/bot/bot_play: what a bot sends after a line of the server. The test
 * takes the place of visit.c and of bot_engine.c. */
#include <stdio.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/exit.h"
#include "client/base/loop.h"
#include "client/bot/bot_play.h"
#include "client/net/visit.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/game/move.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

/* --- The engine, played: it moves a soldier forward --- */

static const struct bot_engine_calls *engine_calls;
static void *bot; /* the owner of the callbacks */
static bool is_thinking;

static void on_started(evutil_socket_t fd, short what, void *arg)
{
    engine_calls->on_idle(bot);
}

struct bot_engine *bot_engine_new(struct event_base *base,
                                  const struct bot_engine_wish *wish,
                                  const struct bot_engine_calls *calls, void *owner)
{
    static int place;
    static const struct timeval at_once;

    engine_calls = calls;
    bot = owner;
    is_thinking = false;
    assert_int_equal(event_base_once(base, -1, EV_TIMEOUT, on_started, NULL, &at_once),
                     0);
    return (struct bot_engine *)&place;
}

void bot_engine_free(struct bot_engine *engine)
{
}

static const char *known; /* the only ruleset of the engine; NULL: it has all */

bool bot_engine_knows(const struct bot_engine *engine, const struct ruleset *rules)
{
    return known == NULL || strcmp(ruleset_name(rules), known) == 0;
}

bool bot_engine_is_busy(const struct bot_engine *engine)
{
    return is_thinking;
}

void bot_engine_think(struct bot_engine *engine, const struct game *game, bool is_new,
                      int64_t now_ms)
{
    is_thinking = true;
}

void bot_engine_drop(struct bot_engine *engine)
{
    is_thinking = false;
}

static void find_move(void)
{
    struct search_report report = {.has_move = true};

    assert_true(is_thinking);
    assert_true(move_parse("A3-A4", &report.move, NULL));
    is_thinking = false;
    engine_calls->on_move(bot, &report);
}

/* --- The visit, played --- */

static const struct visit_calls *calls;
static struct event_base *visit_base;
static bool is_ready;
static char sent[512]; /* all commands since assert_sent(), in order */
static void (*script)(void);

SSL_CTX *visit_tls(const struct prefs *prefs, bool is_guest)
{
    static int place;

    return (SSL_CTX *)&place;
}

struct visit *visit_new(struct event_base *base, SSL_CTX *tls,
                        const struct visit_wish *wish,
                        const struct visit_calls *visit_calls, void *owner)
{
    static int place;

    calls = visit_calls;
    visit_base = base;
    is_ready = false;
    return (struct visit *)&place;
}

void visit_free(struct visit *visit)
{
}

void visit_start(struct visit *visit)
{
    static const struct proto_line ok = {.mark = PROTO_OK};

    calls->on_resume(bot, "");
    is_ready = true;
    calls->on_ready(bot, &ok, true);
    calls->on_heard(bot);
    sent[0] = '\0';
    script();
    event_base_loopbreak(visit_base);
}

void visit_leave(struct visit *visit)
{
    is_ready = false;
    event_base_loopbreak(visit_base);
}

bool visit_is_ready(const struct visit *visit)
{
    return is_ready;
}

const char *visit_name(const struct visit *visit)
{
    return "hong";
}

const struct visit_loss *visit_loss(const struct visit *visit)
{
    static const struct visit_loss loss;

    return &loss;
}

int visit_exit_code(enum visit_end end)
{
    return CLIENT_EXIT_LOST;
}

void visit_describe_end(char out[VISIT_WORDS_BYTES], const struct visit *visit,
                        enum visit_end end)
{
    out[0] = '\0';
}

uint32_t visit_sendf(struct visit *visit, int64_t game, bool is_quiet,
                     const char *format, ...)
{
    struct text text = text_into(sent, sizeof sent);
    char line[128];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text.len = strlen(sent);
    text_addf(&text, "%s;", line);
    assert_false(text.is_cut);
    return 1;
}

void visit_resume(struct visit *visit, int64_t game, int next, const char *code)
{
    (void)visit_sendf(visit, game, true, "resume %d %d", (int)game, next);
}

const struct visit_request *visit_requests(const struct visit *visit)
{
    return NULL;
}

bool visit_next_game(const char **games, int64_t *game)
{
    return false;
}

/* --- The server, played --- */

/* Compares with all that the bot has sent since the last call. */
static void assert_sent(const char *lines)
{
    assert_string_equal(sent, lines);
    sent[0] = '\0';
}

static void give_event(int number, const char *event)
{
    calls->on_event(bot, 1, number, event, mono_now_ms());
    calls->on_heard(bot);
}

static void give_notice(const char *text)
{
    char copy[PROTO_LINE_MAX];
    struct proto_line line;

    snprintf(copy, sizeof copy, "%s", text);
    proto_parse_line(copy, &line);
    assert_int_equal(line.mark, PROTO_NEWS);
    calls->on_notice(bot, &line, mono_now_ms());
    calls->on_heard(bot);
}

/* Gives the answer to the command `verb` about game 1. */
static void answer(const char *verb, const char *text)
{
    struct visit_request asked = {.game = 1};
    char copy[PROTO_LINE_MAX];
    struct proto_line line;

    snprintf(asked.verb, sizeof asked.verb, "%s", verb);
    snprintf(copy, sizeof copy, "%s", text);
    proto_parse_line(copy, &line);
    calls->on_answer(bot, &asked, &line, mono_now_ms());
    calls->on_heard(bot);
}

/* Begins game 1, in which the bot is Red and sends the first move. */
static void begin(void)
{
    give_event(0, "start red=hong blue=kim rules=martin time=10m+5s");
    give_event(1, "setup red NBNB");
    give_event(2, "setup blue NBBN");
    sent[0] = '\0';
    find_move();
    assert_sent("move 1 1 A3-A4;");
}

/* Runs a bot for one game. `steps` is what the server does after the login. Returns the
 * exit status: CLIENT_EXIT_ERROR if the bot does not leave by itself. */
static int play(void (*steps)(void))
{
    struct bot_play_wish wish = {.name = "hong", .games_max = 2, .games_left = 1};

    bot_terms_init(&wish.terms);
    script = steps;
    return bot_play_run(&wish);
}

/* --- Tests --- */

static void make_offers(void)
{
    begin();
    give_notice("! offer 5 kind=undo game=1 by=hong");
    assert_sent("");
    give_notice("! offer 6 kind=undo game=1 by=kim");
    assert_sent("accept 6;");
}

UNIT_TEST(a_bot_answers_only_offers_of_its_opponent)
{
    assert_int_equal(play(make_offers), CLIENT_EXIT_ERROR);
}

static void challenge_it(void)
{
    give_notice("! challenge 7 by=kim time=5m rules=martin");
    assert_sent("decline 7;");
    give_notice("! challenge 8 by=kim time=5m rules=kja");
    assert_sent("accept 8;");
}

UNIT_TEST(a_bot_plays_only_rulesets_of_its_engine)
{
    known = "kja";
    assert_int_equal(play(challenge_it), CLIENT_EXIT_ERROR);
    known = "none";
    assert_int_equal(play(challenge_it), CLIENT_EXIT_USAGE);
    known = NULL;
}

static void leave_the_bot_alone(void)
{
    begin();
    give_notice("! claim game=1 side=red");
    assert_sent("");
    give_notice("! claim game=1 side=blue");
    assert_sent("claim 1 win;");
}

UNIT_TEST(a_bot_claims_a_game_whose_opponent_is_away)
{
    assert_int_equal(play(leave_the_bot_alone), CLIENT_EXIT_ERROR);
}

static void refuse_its_move(void)
{
    begin();
    answer("move", "ERR illegal why=check : your general is in check");
    assert_sent("resume 1 3;");
}

UNIT_TEST(after_an_illegal_move_a_bot_asks_for_the_game)
{
    assert_int_equal(play(refuse_its_move), CLIENT_EXIT_ERROR);
}

static void lose_the_game(void)
{
    begin();
    answer("resume", "ERR slow-down retry=1 : too many commands");
    assert_true(is_ready);
    answer("resume", "ERR no-such game=1 events=2 : no such event");
    assert_true(is_ready);
    answer("resume", "ERR no-such game=1 : no such game");
    assert_false(is_ready);
}

UNIT_TEST(a_game_that_the_server_has_no_more_is_over)
{
    assert_int_equal(play(lose_the_game), CLIENT_EXIT_OK);
}

/* The server's disk may be slow: the answer comes 7 s after the move, and the event
 * later. */
static void answer_late(void)
{
    begin();
    stepped_clock_step_ms(7000);
    answer("move", "OK move game=1 ply=1 move=A3-A4");
    stepped_clock_step_ms(7000);
    calls->on_tick(bot, mono_now_ms());
    assert_sent("");
    stepped_clock_step_ms(2000);
    calls->on_tick(bot, mono_now_ms());
    assert_sent("move 1 1 A3-A4;");
}

UNIT_TEST(a_bot_waits_eight_seconds_for_an_event_after_the_answer)
{
    stepped_clock_stop();
    assert_int_equal(play(answer_late), CLIENT_EXIT_ERROR);
    stepped_clock_release();
}

static void skip_events(void)
{
    begin();
    give_event(5, "move 3 red B2-B6 red_ms=602000 blue_ms=601500");
    assert_sent("resume 1 3;");
    give_event(6, "move 4 blue E6-D6 red_ms=602000 blue_ms=601500");
    assert_sent("");
}

UNIT_TEST(a_bot_asks_once_for_missing_events)
{
    assert_int_equal(play(skip_events), CLIENT_EXIT_ERROR);
}

UNIT_MAIN(NULL, NULL)
