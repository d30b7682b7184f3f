/* Tests of the lines that the readers of a game get: first its events, then its asides
 * (lines that are not in its log). A slow reader misses no event, and needs no queue of
 * its own. */
#include "tests/unit/server/visitors.h"

#include "server/admission/admission.h"
#include "server/base/prefix.h"
#include "server/room/feed.h"

static struct house {
    struct admission *admission;
    struct feed feed;
    int drawn;
} house;

static void on_change(void *arg, struct session *session)
{
}

static void on_drain(void *arg, struct session *session)
{
    feed_drained(session);
}

static void on_gone(void *arg, struct session *session)
{
    admission_leave(house.admission, session->usage.slot);
}

static const struct session_calls session_calls = {.on_line = on_line,
                                                   .on_login = on_change,
                                                   .on_leave = on_change,
                                                   .on_drain = on_drain,
                                                   .on_gone = on_gone};

static void draw(void *owner, struct session *session)
{
    house.drawn++;
    session_sayf(session, "| the board");
}

static bool wants(void *owner, const struct session *session, const char *line,
                  size_t len)
{
    return memmem(line, len, "unwanted", strlen("unwanted")) == NULL;
}

static const struct feed_calls feed_calls = {.draw = draw, .wants = wants};

static int house_begin(void **state)
{
    static const struct admission_settings budgets = {
        .has_quotas = true, .connections = 100, .per_address = 10, .work = {1000, 3}};
    struct session_settings settings = {.greeting = "* janggi/1",
                                        .login_ms = PATIENCE_MS};

    hub_begin(state);
    last_session = 0;
    house = (struct house){.admission = admission_new(&budgets)};
    settings.admission = house.admission;
    sessions = sessions_new(world.base, &settings, &session_calls, NULL);
    house.feed = (struct feed){.calls = &feed_calls};
    return 0;
}

static int house_end(void **state)
{
    if (sessions_count(sessions) != 0)
        return -1; /* the test has failed */
    feed_clear(&house.feed);
    sessions_free(sessions);
    admission_free(house.admission);
    return hub_end(state);
}

static void come_from(struct visitor *reader, enum cursor_role role, struct slot *slot)
{
    visit(reader, slot);
    session_set_state(reader->session, SESSION_MEMBER);
    reader->cursor = feed_follow(&house.feed, reader->session, role, 0);
}

/* Makes a reader whose connection has no slot, so that no
 * budget limits it. */
static void come(struct visitor *reader, enum cursor_role role)
{
    come_from(reader, role, NULL);
}

static void leave(struct visitor *reader)
{
    feed_unfollow(reader->cursor);
    go(reader);
}

static void say_aside(const char *line)
{
    feed_add_aside(&house.feed, line, strlen(line));
}

#define TEST(name) UNIT_TEST_WITH(name, house_begin, house_end)

/* A spectator's lines count against the budget of its own address. Lines above the
 * budget are sent later. */
TEST(a_watcher_has_a_budget)
{
    struct visitor hong = {0}, park = {0};
    struct prefix from;

    assert_true(prefix_parse("192.0.2.1", &from));
    come(&hong, CURSOR_PLAYER);
    come_from(&park, CURSOR_WATCHER,
              admission_enter(house.admission, &from, mono_now_ms()));
    for (int i = 0; i < 10; i++) {
        feed_add(&house.feed, 1, "move");
        feed_show(&house.feed, house.feed.lines);
    }
    assert_false(feed_has_unread(hong.cursor));
    assert_true(feed_has_unread(park.cursor));
    hear(&park, "! game 1 1 move\n");
    assert_false(has_heard(&park, "! game 1 2 move\n"));
    step_ms(2000);
    hear(&park, "! game 1 9 move\n");
    leave(&hong);
    leave(&park);
}

TEST(players_read_asides_after_the_last_event)
{
    struct visitor hong = {0}, park = {0};

    come(&hong, CURSOR_PLAYER);
    come(&park, CURSOR_WATCHER);
    say_aside("! whisper early\n");
    feed_add(&house.feed, 1, "move");
    feed_show(&house.feed, house.feed.lines);
    hear(&hong, "! game 1 0 move\n");
    assert_false(feed_has_unread(hong.cursor));
    feed_add(&house.feed, 1, "end");
    house.feed.has_open_asides = true;
    feed_show(&house.feed, house.feed.lines);
    assert_true(hear(&hong, "! game 1 1 end\n") < hear(&hong, "! whisper early\n"));
    say_aside("! whisper late\n");
    assert_true(hear(&hong, "! whisper early\n") < hear(&hong, "! whisper late\n"));
    hear(&park, "! game 1 1 end\n");
    assert_false(has_heard(&park, "! whisper"));
    assert_false(feed_has_unread(park.cursor));
    leave(&hong);
    leave(&park);
}

/* Gives the player more events and asides (lines that are not in the game's log) than a
 * session accepts at once. */
TEST(a_slow_player_gets_all_that_is_kept)
{
    struct visitor hong = {0};
    char line[1000];

    come(&hong, CURSOR_PLAYER);
    hong.session->wants_board = true;
    for (int i = 0; i < 2000; i++) {
        snprintf(line, sizeof line, "! whisper %d %0900d\n", i, 0);
        say_aside(line);
        assert_true(house.feed.aside_bytes <= FEED_ASIDES_BYTES);
    }
    for (int i = 0; i < 2000; i++)
        feed_add(&house.feed, 1, "move 1 red B0-C2");
    feed_add(&house.feed, 1, "end red checkmate");
    house.feed.has_open_asides = true;
    feed_show(&house.feed, house.feed.lines);
    assert_true(wire_unsent_bytes(hong.session->wire) <= (size_t)2 * 8192);
    assert_true(feed_has_unread(hong.cursor));
    assert_true(hear(&hong, "! game 1 2000 end ") < hear(&hong, "| the board\n"));
    assert_true(hear(&hong, "| the board\n") < hear(&hong, "! whisper 1992 "));
    assert_true(hear(&hong, "! whisper 1992 ") < hear(&hong, "! whisper 1999 "));
    assert_false(has_heard(&hong, "! whisper 1991 "));
    assert_false(feed_has_unread(hong.cursor));
    assert_int_equal(house.drawn, 1);
    leave(&hong);
}

/* A line that is dropped before a reader has reached it is skipped, not cut. */
TEST(a_dropped_line_is_dropped_whole)
{
    struct visitor hong = {0};
    char line[1000];

    come(&hong, CURSOR_PLAYER);
    house.feed.has_open_asides = true;
    feed_show(&house.feed, house.feed.lines);
    while (wire_unsent_bytes(hong.session->wire) <= 8192)
        session_sayf(hong.session, "| %0500d", 0);
    for (int i = 0; i < 30; i++) {
        snprintf(line, sizeof line, "! whisper %d %0900d\n", i, 0);
        say_aside(line);
    }
    hear(&hong, "! whisper 29 ");
    assert_true(hear(&hong, "\n! whisper 22 ") < hear(&hong, "\n! whisper 29 "));
    assert_false(has_heard(&hong, "! whisper 21 "));
    say_aside("! whisper last\n");
    hear(&hong, "\n! whisper last\n");
    leave(&hong);
}

UNIT_MAIN(world_begin, world_end)
