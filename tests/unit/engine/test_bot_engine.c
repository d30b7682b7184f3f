/* Tests of client/bot/bot_engine: a shell script is the engine. */
#include "client/bot/bot_engine.h"

#include <signal.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "tests/unit/unit.h"

/* What the test waits for, and the score of the last search. */
struct watch {
    struct event_base *base;
    int score;
    bool has_moved, may_go, has_gone;
};

static void on_idle(void *owner)
{
    struct watch *watch = owner;

    event_base_loopbreak(watch->base);
}

static void on_move(void *owner, const struct search_report *report)
{
    struct watch *watch = owner;

    watch->score = report->score;
    watch->has_moved = true;
    event_base_loopbreak(watch->base);
}

static void on_gone(void *owner, const char *words)
{
    struct watch *watch = owner;

    assert_so(watch->may_go, "%s", words);
    assert_string_equal(words, "the engine has gone");
    watch->has_gone = true;
    event_base_loopbreak(watch->base);
}

static const struct bot_engine_calls calls = {on_idle, on_move, on_gone};

static void take(struct game *game, const char *text)
{
    struct event event;

    assert_int_equal(event_parse(text, &event), EVENT_OK);
    assert_true(game_apply(game, &event, 0));
}

/* Has an engine search a position. on_go: what the engine does, as a command of the
 * shell. */
static void run_engine(struct watch *watch, const char *on_go)
{
    char command[400];
    struct bot_engine_wish wish = {.command = command, .movetime_ms = 1};
    struct bot_engine *engine;
    struct game game;

    snprintf(command, sizeof command,
             "sh -c 'while read -r word rest; do case $word in uci) echo uciok ;; "
             "isready) echo readyok ;; go) %s ;; quit) exit ;; esac; done'",
             on_go);
    watch->base = loop_new();
    game_init(&game);
    take(&game, "start red=a blue=b rules=kja time=none setup=NBNB/NBNB");
    engine = bot_engine_new(watch->base, &wish, &calls, watch);
    assert_non_null(engine);
    event_base_dispatch(watch->base);
    bot_engine_think(engine, &game, true, 0);
    event_base_dispatch(watch->base);
    bot_engine_free(engine);
    event_base_free(watch->base);
    game_clear(&game);
}

/* Returns the score that the bot takes from an engine that says "score `words`". */
static int score_of(const char *words)
{
    struct watch watch = {.has_moved = false};
    char on_go[100];

    snprintf(on_go, sizeof on_go,
             "echo info depth 1 score %s nodes 1; echo bestmove a1a2", words);
    run_engine(&watch, on_go);
    assert_true(watch.has_moved);
    return watch.score;
}

UNIT_TEST(no_score_is_more_than_a_mate)
{
    static const struct {
        const char *words;
        int score;
    } rows[] = {
        {"cp 31", 62},         {"cp -31", -62},     {"cp 10000", 20000},
        {"cp 10001", 20000},   {"cp 20000", 20000}, {"cp -15000", -20000},
        {"cp 2000000", 20000}, {"mate 3", 20000},   {"mate -3", -20000},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (score_of(rows[i].words) != rows[i].score)
            fail_msg("%s: not %d", rows[i].words, rows[i].score);
}

/* Without the report the bot would wait for a move until its clock is over. */
UNIT_TEST(an_engine_that_ends_is_reported)
{
    struct watch watch = {.may_go = true};

    signal(SIGPIPE, SIG_IGN); /* as visit_new() does; "quit" may find no reader */
    run_engine(&watch, "exit");
    assert_true(watch.has_gone);
    assert_false(watch.has_moved);
}

UNIT_MAIN(NULL, NULL)
