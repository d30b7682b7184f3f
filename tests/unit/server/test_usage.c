/* Tests of what a client uses: lines, output of watched games, chat.
 * Clients of one source share its budget. A player in a game also has a small budget
 * that other clients cannot use. */
#include "server/net/usage.h"

#include <event2/event.h>

#include "common/base/mono.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

enum { CHAT_BURST = 3, WORK_BURST = 5 };
enum { SEAT_LINES = 40 }; /* lines that a player can send at once; see usage.c */

struct client {
    struct usage usage;
    int told; /* calls of on_budget */
};

/* Each test has two clients of one source and a client without a slot. The clock stands still. */
static struct event_base *base;
static struct admission *admission;
static struct usages *all;
static struct client hong, park, local;

static void on_budget(void *owner)
{
    ((struct client *)owner)->told++;
}

static void open_client(struct client *client, const char *from)
{
    struct slot *slot = NULL;
    struct prefix address;

    if (from != NULL) {
        assert_true(prefix_parse(from, &address));
        slot = admission_enter(admission, &address, mono_now_ms());
        assert_non_null(slot);
    }
    client->told = 0;
    usage_open(&client->usage, all, slot, client);
}

static void close_client(struct client *client)
{
    admission_leave(admission, client->usage.slot);
    usage_close(&client->usage);
}

static void step(int64_t ms)
{
    stepped_clock_step_ms(ms);
    assert_int_not_equal(event_base_loop(base, EVLOOP_NONBLOCK), -1);
}

static int begin(void **state)
{
    static const struct admission_settings settings = {.has_quotas = true,
                                                       .connections = 10,
                                                       .per_address = 10,
                                                       .work = {1000, WORK_BURST}};

    stepped_clock_stop();
    base = event_base_new();
    admission = admission_new(&settings);
    all = usages_new(base, (struct rate){1000, CHAT_BURST}, admission, on_budget);
    open_client(&hong, "192.0.2.1");
    open_client(&park, "192.0.2.1");
    open_client(&local, NULL);
    step(1000); /* their connections are paid */
    return 0;
}

static int end(void **state)
{
    close_client(&hong);
    close_client(&park);
    close_client(&local);
    usages_free(all);
    admission_free(admission);
    event_base_free(base);
    stepped_clock_release();
    return 0;
}

static int64_t take(struct client *client)
{
    return usage_take_line(&client->usage, mono_now_ms());
}

static int64_t wait_of(const struct client *client)
{
    return admission_line_wait_ms(admission, client->usage.slot, mono_now_ms());
}

static uint64_t cost_of(struct client *client)
{
    return usage_read(&client->usage, mono_now_ms()).milli / 1000;
}

#define TEST(name) UNIT_TEST_WITH(name, begin, end)

/* --- Lines --- */

TEST(a_source_sends_a_burst_and_then_at_its_rate)
{
    for (int i = 0; i < WORK_BURST; i++)
        assert_int_equal(take(i % 2 == 0 ? &hong : &park), 0);
    assert_int_equal(wait_of(&park), 1000);
    assert_int_equal(wait_of(&local), 0);
    step(999);
    assert_int_equal(wait_of(&hong), 1);
    step(1);
    assert_int_equal(take(&hong), 0);
    assert_int_equal(wait_of(&park), 1000);
}

TEST(a_line_that_is_too_early_is_charged_too)
{
    for (int i = 0; i < WORK_BURST; i++)
        assert_int_equal(take(&hong), 0);
    assert_int_equal(take(&hong), 1000);
    assert_int_equal(wait_of(&hong), 2000);
    assert_int_equal(cost_of(&hong), WORK_BURST + 1);
}

TEST(without_a_slot_there_is_no_limit)
{
    for (int i = 0; i < 10000; i++)
        assert_int_equal(take(&local), 0);
    assert_int_equal(usage_read(&local.usage, mono_now_ms()).lines, 10000);
}

/* Hong and Park share the budget of their source. Hong uses it up. */
TEST(a_player_has_a_budget_that_neighbours_cannot_use)
{
    usage_charge(&hong.usage, 3 * WORK_BURST, mono_now_ms());
    for (int i = 0; i < SEAT_LINES; i++) {
        assert_true(take(&park) > 0);
        assert_true(usage_spend_seat(&park.usage, mono_now_ms()));
    }
    assert_false(usage_spend_seat(&park.usage, mono_now_ms()));
    step(1000);
    assert_true(usage_spend_seat(&park.usage, mono_now_ms()));
    assert_true(wait_of(&park) > 0);
}

/* --- Costs --- */

TEST(output_for_commands_is_charged_once)
{
    usage_note_output(&local.usage, 3000, true);
    usage_note_output(&local.usage, 1096, true);
    usage_note_output(&local.usage, 5000, false);
    assert_int_equal(cost_of(&local), 0);
    usage_charge_output(&local.usage, mono_now_ms());
    assert_int_equal(cost_of(&local), 4);
    usage_charge_output(&local.usage, mono_now_ms());
    assert_int_equal(cost_of(&local), 4);
}

TEST(output_is_metered)
{
    usage_note_output(&local.usage, 3000, true);
    usage_note_output(&local.usage, 5000, false);
    usage_charge_output(&local.usage, mono_now_ms());
    assert_int_equal(usage_read(&local.usage, mono_now_ms()).bytes, 8000);
}

TEST(a_line_charges_the_output_before_it)
{
    usage_note_output(&hong.usage, 4096, true);
    assert_int_equal(take(&hong), 0);
    assert_int_equal(cost_of(&hong), 5);
    assert_true(take(&park) > 0);
}

TEST(an_expensive_command_costs_more_lines)
{
    usage_charge(&hong.usage, 3, mono_now_ms());
    usage_charge_told(&hong.usage, 2047, mono_now_ms());
    assert_int_equal(cost_of(&hong), 4);
    assert_int_equal(wait_of(&park), 0);
    usage_charge_told(&hong.usage, 1024, mono_now_ms());
    assert_true(wait_of(&park) > 0);
}

/* --- Watched games --- */

static bool may_watch(struct client *client)
{
    return usage_may_watch(&client->usage);
}

/* Charges the client for output of watched games until its source has no budget. */
static void watch_all(struct client *client)
{
    int sends = 0;

    while (may_watch(client)) {
        usage_charge_watching(&client->usage, 0);
        assert_true(++sends <= WORK_BURST);
    }
    assert_int_equal(sends, WORK_BURST);
}

TEST(a_watcher_is_told_when_the_source_has_budget)
{
    watch_all(&hong);
    assert_false(may_watch(&park));
    assert_false(may_watch(&hong));
    step(999);
    assert_int_equal(hong.told + park.told, 0);
    step(101);
    assert_int_equal(hong.told, 1);
    assert_int_equal(park.told, 1);
    assert_true(may_watch(&hong));
    step(10000);
    assert_int_equal(hong.told, 1);
}

TEST(watching_costs_a_line_and_one_for_each_kilobyte)
{
    usage_charge_watching(&hong.usage, 2048);
    assert_int_equal(cost_of(&hong), 3);
    assert_true(may_watch(&park));
    usage_charge_watching(&hong.usage, 1024);
    assert_false(may_watch(&park));
    assert_int_equal(cost_of(&park), 0);
}

TEST(without_a_slot_nobody_waits)
{
    for (int i = 0; i < 1000; i++) {
        usage_charge_watching(&local.usage, 1024);
        assert_true(may_watch(&local));
    }
    step(10000);
    assert_int_equal(local.told, 0);
}

TEST(who_has_gone_is_not_told)
{
    watch_all(&hong);
    assert_false(may_watch(&park));
    usage_close(&hong.usage);
    step(10000);
    assert_int_equal(hong.told, 0);
    assert_int_equal(park.told, 1);
}

/* --- Chat and strangers --- */

static bool chats(struct client *client, struct budget *account)
{
    if (!usage_has_chat(&client->usage, account, mono_now_ms()))
        return false;
    usage_charge_chat(&client->usage, account, account == NULL, mono_now_ms());
    return true;
}

TEST(a_client_without_an_account_has_a_budget_of_chat)
{
    for (int i = 0; i < CHAT_BURST; i++)
        assert_true(chats(&hong, NULL));
    assert_false(chats(&hong, NULL));
    assert_true(chats(&park, NULL));
    step(1000);
    assert_true(chats(&hong, NULL));
}

/* The budget for the chat of a player belongs to the account. So the player has the
 * same budget after connecting again. */
TEST(the_chat_of_a_player_is_charged_to_the_account)
{
    struct budget account = {0};

    for (int i = 0; i < CHAT_BURST; i++)
        assert_true(chats(&hong, &account));
    assert_false(chats(&park, &account));
    assert_true(chats(&hong, NULL));
}

TEST(comings_have_a_budget_of_their_own)
{
    while (chats(&local, NULL))
        ;
    for (int i = 0; i < CHAT_BURST; i++)
        assert_true(usage_spend_coming(&local.usage, mono_now_ms()));
    assert_false(usage_spend_coming(&local.usage, mono_now_ms()));
}

static bool hears(struct client *client, uint64_t source)
{
    return usage_spend_stranger(&client->usage, source, mono_now_ms());
}

/* The loud one, who was heard last, cannot take all lines. */
TEST(each_client_hears_few_lines_of_strangers)
{
    enum { OF_ONE = 3, OF_ALL = 5 };

    for (int i = 0; i < OF_ONE; i++)
        assert_true(hears(&hong, 1));
    assert_false(hears(&hong, 1));
    for (uint64_t source = 2; source < 2 + OF_ALL - OF_ONE; source++)
        assert_true(hears(&hong, source));
    assert_false(hears(&hong, 9));
    assert_true(hears(&park, 1));
    step(1000);
    assert_false(hears(&hong, 3));
    assert_true(hears(&hong, 9));
}

TEST(a_loud_stranger_is_heard_once_a_second)
{
    int heard = 0;

    for (int i = 0; i < 600; i++) {
        heard += hears(&hong, 1);
        step(100);
    }
    assert_in_range(heard, 60, 65);
}

UNIT_MAIN(NULL, NULL)
