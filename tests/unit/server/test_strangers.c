/* Tests of server/admission/strangers: how many lines strangers are allowed to send to one
 * player, and how the strangers share that number. */
#include "server/admission/strangers.h"
#include "tests/unit/unit.h"

enum { START_MS = 5000000, QUIET = 1000 /* a source that speaks seldom */ };

static int spend_all(struct strangers *strangers, int sources, int64_t now_ms)
{
    int heard = 0;

    for (int i = 0; i < sources; i++)
        heard += strangers_spend(strangers, (uint64_t)i, now_ms);
    return heard;
}

static void one_source_may_talk_without_a_rival(void **state)
{
    struct strangers strangers = {.count = 0};

    for (int i = 0; i < STRANGERS_BURST - STRANGERS_LEFT; i++)
        assert_true(strangers_spend(&strangers, 1, START_MS));
    assert_false(strangers_spend(&strangers, 1, START_MS));
    for (int s = 1; s < 100; s++)
        assert_true(strangers_spend(&strangers, 1, START_MS + s * INT64_C(1000)));
}

/* Each loud source tries to send a line ten times a second for ten minutes. The quiet
 * source tries every 40 s. If it is refused, it tries again 5 s later. */
static void a_few_loud_sources_leave_room_for_a_quiet_one(void **state)
{
    enum { LOUD = 8, STEP_MS = 100, ASKS = 6000, PAUSE = 400, RETRY = 50, TRIES = 3 };
    struct strangers strangers = {.count = 0};
    int heard = 0, next = PAUSE, tries = 0;

    for (int i = 0; i < ASKS; i++) {
        int64_t now_ms = START_MS + (int64_t)i * STEP_MS;
        bool is_heard;

        heard += spend_all(&strangers, LOUD, now_ms);
        if (i != next)
            continue;
        is_heard = strangers_spend(&strangers, QUIET, now_ms);
        tries = is_heard ? 0 : tries + 1;
        next += is_heard ? PAUSE : RETRY;
        heard += is_heard;
        assert_true(tries < TRIES);
    }
    assert_in_range(heard, ASKS / 10 - STRANGERS_BURST, ASKS / 10 + STRANGERS_BURST);
}

static void everybody_is_heard_once_before_one_is_heard_again(void **state)
{
    struct strangers strangers = {.count = 0};

    for (int i = 0; i < STRANGERS_BURST - STRANGERS_LEFT; i++)
        assert_true(strangers_spend(&strangers, 1, START_MS));
    for (uint64_t source = 2; source < 2 + STRANGERS_LEFT; source++)
        assert_true(strangers_spend(&strangers, source, START_MS));
    assert_false(strangers_spend(&strangers, QUIET, START_MS));
    for (int s = 1; s < STRANGERS_NEW_S; s++) {
        int64_t now_ms = START_MS + s * INT64_C(1000);

        assert_int_equal(strangers_spend(&strangers, 1, now_ms), s > STRANGERS_LEFT);
    }
}

static void the_oldest_source_is_forgotten(void **state)
{
    struct strangers strangers = {.count = 0};
    int64_t now_ms = START_MS;

    for (uint64_t source = 0; source < 2 * STRANGERS_KEPT; source++, now_ms += 1000)
        assert_true(strangers_spend(&strangers, source, now_ms));
    assert_int_equal(strangers.count, STRANGERS_KEPT);
    for (int i = 0; i < STRANGERS_KEPT; i++)
        assert_true(strangers.kept[i].source >= STRANGERS_KEPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_source_may_talk_without_a_rival),
        cmocka_unit_test(a_few_loud_sources_leave_room_for_a_quiet_one),
        cmocka_unit_test(everybody_is_heard_once_before_one_is_heard_again),
        cmocka_unit_test(the_oldest_source_is_forgotten),
    };

    return cmocka_run_group_tests_name("strangers", tests, NULL, NULL);
}
