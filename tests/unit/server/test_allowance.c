/* Tests of how much a client is allowed to use: lines, output of watched games, chat.
 * Clients of one source share its budget. A player in a game also has a small budget
 * that other clients cannot use. */
#include "server/net/allowance.h"

#include <event2/event.h>

#include "common/base/mono.h"
#include "server/admission/strangers.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

/* LINES_PER_S, LINES_BURST, LINE_MS and CHAT_BURST are limits of one client. WORK_BURST
 * and GUESTS_CHAT_BURST are limits of one source. */
enum { LINES_PER_S = 2, LINES_BURST = 3, LINE_MS = 500, CHAT_BURST = 3 };
enum { WORK_BURST = 5, GUESTS_CHAT_BURST = 2 };
enum { SEAT_LINES = 40 }; /* lines that a player can send at once; see allowance.c */

struct client {
    struct allowance allowance;
    int told; /* calls of on_budget */
};

/* Each test has two clients of one source and a client without a pass (an entry at the
 * admission, which names the source). The clock stands still. */
static struct event_base *base;
static struct admission *admission;
static struct allowances *all;
static struct client hong, park, local;

static void on_budget(void *owner)
{
    ((struct client *)owner)->told++;
}

static void open_client(struct client *client, const char *from)
{
    struct pass *pass = NULL;
    struct prefix address;

    if (from != NULL) {
        assert_true(prefix_parse(from, &address));
        pass = admission_enter(admission, &address, mono_now_ms());
        assert_non_null(pass);
    }
    client->told = 0;
    allowance_open(&client->allowance, all, pass, client);
}

static void close_client(struct client *client)
{
    admission_leave(admission, client->allowance.pass);
    allowance_close(&client->allowance);
}

static int begin(void **state)
{
    static const struct admission_settings settings = {.has_quotas = true,
                                                       .connections = 10,
                                                       .open = 10,
                                                       .unnamed = 10,
                                                       .work_per_s = 1,
                                                       .work_burst = WORK_BURST,
                                                       .chat_per_min = 60,
                                                       .chat_burst = GUESTS_CHAT_BURST};
    static const struct allowance_rates rates = {.chat_per_min = 60,
                                                 .chat_burst = CHAT_BURST};

    stepped_clock_stop();
    base = event_base_new();
    admission = admission_new(&settings);
    all = allowances_new(base, &rates, admission, on_budget);
    open_client(&hong, "192.0.2.1");
    open_client(&park, "192.0.2.1");
    open_client(&local, NULL);
    return 0;
}

static int end(void **state)
{
    close_client(&hong);
    close_client(&park);
    close_client(&local);
    allowances_free(all);
    admission_free(admission);
    event_base_free(base);
    stepped_clock_release();
    return 0;
}

static void step(int64_t ms)
{
    stepped_clock_step_ms(ms);
    assert_int_not_equal(event_base_loop(base, EVLOOP_NONBLOCK), -1);
}

static int64_t take(struct client *client, bool is_playing)
{
    return allowance_take_line(&client->allowance, is_playing, mono_now_ms());
}

static int64_t wait_of(const struct client *client, bool is_playing)
{
    return allowance_wait_ms(&client->allowance, is_playing, mono_now_ms());
}

static uint64_t cost_of(const struct client *client)
{
    return meter_cost(meter_read(&client->allowance.meter, mono_now_ms()));
}

/* --- Lines --- */

static void limit_lines(void)
{
    static const struct allowance_rates rates = {.lines_per_s = LINES_PER_S,
                                                 .lines_burst = LINES_BURST};

    allowances_change(all, &rates);
}

static void a_client_sends_a_burst_and_then_at_its_rate(void **state)
{
    limit_lines();
    for (int i = 0; i < LINES_BURST; i++)
        assert_int_equal(take(&local, false), 0);
    assert_int_equal(wait_of(&local, false), LINE_MS);
    step(LINE_MS - 1);
    assert_int_equal(wait_of(&local, false), 1);
    step(1);
    assert_int_equal(take(&local, false), 0);
    assert_int_equal(wait_of(&local, false), LINE_MS);
}

static void a_line_that_is_too_early_is_charged_too(void **state)
{
    limit_lines();
    for (int i = 0; i < LINES_BURST; i++)
        assert_int_equal(take(&local, true), 0);
    assert_int_equal(take(&local, true), LINE_MS);
    assert_int_equal(wait_of(&local, true), 2 * LINE_MS);
    assert_int_equal(cost_of(&local), LINES_BURST + 1);
}

static void without_a_rate_there_is_no_limit(void **state)
{
    for (int i = 0; i < 10000; i++)
        assert_int_equal(take(&local, false), 0);
    assert_int_equal(meter_read(&local.allowance.meter, mono_now_ms()).lines, 10000);
}

static void clients_of_a_source_share_its_budget(void **state)
{
    for (int i = 0; i < WORK_BURST; i++)
        assert_int_equal(take(&hong, false), 0);
    assert_true(wait_of(&park, false) > 0);
    assert_int_equal(wait_of(&local, false), 0);
    step(1000);
    assert_int_equal(wait_of(&park, false), 0);
}

/* Hong and Park share the budget of their source. Hong does not play, and uses up this
 * budget. */
static void a_player_has_a_budget_that_neighbours_cannot_use(void **state)
{
    int lines = 0;

    allowance_charge(&hong.allowance, WORK_BURST, mono_now_ms());
    assert_true(take(&hong, false) > 0);
    while (take(&park, true) == 0)
        lines++;
    assert_int_equal(lines, SEAT_LINES);
    assert_true(wait_of(&park, false) > wait_of(&park, true));
    step(1000);
    assert_int_equal(wait_of(&park, true), 0);
    assert_true(wait_of(&park, false) > 0);
}

/* A player's own budget does not raise the rate at which one client may send lines. */
static void a_player_has_the_rate_of_a_client(void **state)
{
    limit_lines();
    for (int i = 0; i < LINES_BURST; i++)
        assert_int_equal(take(&park, true), 0);
    assert_int_equal(take(&park, true), LINE_MS);
}

/* --- Costs --- */

static void output_for_commands_is_charged_once(void **state)
{
    allowance_note_output(&local.allowance, 3000, true);
    allowance_note_output(&local.allowance, 1096, true);
    allowance_note_output(&local.allowance, 5000, false);
    assert_int_equal(cost_of(&local), 0);
    allowance_charge_output(&local.allowance, mono_now_ms());
    assert_int_equal(cost_of(&local), 4);
    allowance_charge_output(&local.allowance, mono_now_ms());
    assert_int_equal(cost_of(&local), 4);
}

/* The meter counts output at the time of the latest line from any client. Here this is
 * the line of `hong`. The last line of `local` came three minutes earlier, and its time
 * is not used. */
static void output_is_metered(void **state)
{
    assert_int_equal(take(&local, false), 0);
    step(180000);
    assert_int_equal(take(&hong, false), 0);
    allowance_note_output(&local.allowance, 3000, true);
    allowance_note_output(&local.allowance, 5000, false);
    assert_int_equal(meter_read(&local.allowance.meter, mono_now_ms()).bytes, 8000);
}

static void a_line_does_not_charge_the_output(void **state)
{
    allowance_note_output(&local.allowance, 4096, true);
    assert_int_equal(take(&local, false), 0);
    assert_int_equal(cost_of(&local), 1);
}

static void an_expensive_command_costs_more_lines(void **state)
{
    allowance_charge(&hong.allowance, 3, mono_now_ms());
    allowance_charge_told(&hong.allowance, 2047, mono_now_ms());
    assert_int_equal(cost_of(&hong), 4);
    assert_int_equal(wait_of(&park, false), 0);
    allowance_charge_told(&hong.allowance, 1024, mono_now_ms());
    assert_true(wait_of(&park, false) > 0);
}

static void a_penalty_is_for_the_source(void **state)
{
    for (int i = 0; i < 100; i++) {
        allowance_penalize(&local.allowance, ADMISSION_WRONG_PROOF, mono_now_ms());
        allowance_penalize(&hong.allowance, ADMISSION_WRONG_PROOF, mono_now_ms());
    }
    assert_true(admission_proof_wait_ms(park.allowance.pass, mono_now_ms()) > 0);
}

/* A session that a proxy relays gets its pass (its entry at the admission) only after
 * its first lines. */
static void a_pass_may_come_later(void **state)
{
    allowance_charge(&hong.allowance, WORK_BURST, mono_now_ms());
    assert_int_equal(wait_of(&local, false), 0);
    allowance_set_pass(&local.allowance, park.allowance.pass);
    assert_true(wait_of(&local, false) > 0);
    allowance_set_pass(&local.allowance, NULL);
    assert_int_equal(wait_of(&local, false), 0);
}

/* --- Watched games --- */

static bool may_watch(struct client *client)
{
    return allowance_may_watch(&client->allowance);
}

/* Charges the client for output of watched games until its source has no budget. */
static void watch_all(struct client *client)
{
    int sends = 0;

    while (may_watch(client)) {
        allowance_charge_watching(&client->allowance, 0);
        assert_true(++sends <= WORK_BURST);
    }
    assert_int_equal(sends, WORK_BURST);
}

static void a_watcher_is_told_when_the_source_has_budget(void **state)
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

static void watching_costs_a_line_and_one_for_each_kilobyte(void **state)
{
    allowance_charge_watching(&hong.allowance, 2048);
    assert_int_equal(cost_of(&hong), 3);
    assert_true(may_watch(&park));
    allowance_charge_watching(&hong.allowance, 1024);
    assert_false(may_watch(&park));
    assert_int_equal(cost_of(&park), 0);
}

static void watching_does_not_use_up_the_own_budgets(void **state)
{
    watch_all(&hong);
    limit_lines();
    for (int i = 0; i < LINES_BURST; i++)
        assert_int_equal(take(&hong, true), 0);
}

static void without_a_pass_nobody_waits(void **state)
{
    for (int i = 0; i < 1000; i++) {
        allowance_charge_watching(&local.allowance, 1024);
        assert_true(may_watch(&local));
    }
    step(10000);
    assert_int_equal(local.told, 0);
}

static void who_has_gone_is_not_told(void **state)
{
    watch_all(&hong);
    assert_false(may_watch(&park));
    allowance_close(&hong.allowance);
    step(10000);
    assert_int_equal(hong.told, 0);
    assert_int_equal(park.told, 1);
}

/* --- Chat and strangers --- */

static bool chats(struct client *client, struct budget *account, bool is_guest)
{
    if (!allowance_has_chat(&client->allowance, account, is_guest, mono_now_ms()))
        return false;
    allowance_charge_chat(&client->allowance, account, is_guest, mono_now_ms());
    return true;
}

static void guests_of_a_source_share_a_budget_of_chat(void **state)
{
    for (int i = 0; i < GUESTS_CHAT_BURST; i++)
        assert_true(chats(&hong, NULL, true));
    assert_false(chats(&hong, NULL, true));
    assert_false(chats(&park, NULL, true));
    assert_true(chats(&park, NULL, false));
    step(1000);
    assert_true(chats(&park, NULL, true));
}

static void a_client_without_an_account_has_a_budget_of_chat(void **state)
{
    for (int i = 0; i < CHAT_BURST; i++)
        assert_true(chats(&local, NULL, true));
    assert_false(chats(&local, NULL, true));
    step(1000);
    assert_true(chats(&local, NULL, true));
}

/* The budget for the chat of a player belongs to the account. So the player has the
 * same budget after connecting again. The guests of a source have another budget, which
 * the player does not use. */
static void the_chat_of_a_player_is_charged_to_the_account(void **state)
{
    struct budget account = {0};

    for (int i = 0; i < CHAT_BURST; i++)
        assert_true(chats(&hong, &account, true));
    assert_false(chats(&park, &account, false));
    assert_true(chats(&hong, NULL, true));
}

static void comings_have_a_budget_of_their_own(void **state)
{
    while (chats(&local, NULL, true))
        ;
    for (int i = 0; i < CHAT_BURST; i++)
        assert_true(allowance_spend_coming(&local.allowance, mono_now_ms()));
    assert_false(allowance_spend_coming(&local.allowance, mono_now_ms()));
}

static void each_client_hears_few_lines_of_a_stranger(void **state)
{
    for (int i = 0; i < STRANGERS_BURST - STRANGERS_LEFT; i++)
        assert_true(allowance_spend_stranger(&hong.allowance, 1, mono_now_ms()));
    assert_false(allowance_spend_stranger(&hong.allowance, 1, mono_now_ms()));
    assert_true(allowance_spend_stranger(&park.allowance, 1, mono_now_ms()));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_client_sends_a_burst_and_then_at_its_rate),
        TEST(a_line_that_is_too_early_is_charged_too),
        TEST(without_a_rate_there_is_no_limit),
        TEST(clients_of_a_source_share_its_budget),
        TEST(a_player_has_a_budget_that_neighbours_cannot_use),
        TEST(a_player_has_the_rate_of_a_client),
        TEST(output_for_commands_is_charged_once),
        TEST(output_is_metered),
        TEST(a_line_does_not_charge_the_output),
        TEST(an_expensive_command_costs_more_lines),
        TEST(a_penalty_is_for_the_source),
        TEST(a_pass_may_come_later),
        TEST(a_watcher_is_told_when_the_source_has_budget),
        TEST(watching_costs_a_line_and_one_for_each_kilobyte),
        TEST(watching_does_not_use_up_the_own_budgets),
        TEST(without_a_pass_nobody_waits),
        TEST(who_has_gone_is_not_told),
        TEST(guests_of_a_source_share_a_budget_of_chat),
        TEST(a_client_without_an_account_has_a_budget_of_chat),
        TEST(the_chat_of_a_player_is_charged_to_the_account),
        TEST(comings_have_a_budget_of_their_own),
        TEST(each_client_hears_few_lines_of_a_stranger),
    };

    return cmocka_run_group_tests_name("allowance", tests, NULL, NULL);
}
