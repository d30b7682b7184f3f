/* Tests of names: which proof (a token or a key) is valid for a name, when a name
 * expires, and when a name becomes permanent. */
#include "common/base/text.h"
#include "server/account/code.h"
#include "tests/unit/account/accounts_fixture.h"

#include "server/account/ticket.h"

static char token[TOKEN_BYTES];

static void open_more(void)
{
}

static void close_more(void)
{
}

static struct account *bind_now(const char *name, const unsigned char *key)
{
    return accounts_bind(accounts, name, key, token, mono_wall_s());
}

static enum accounts_verdict judge(const char *name, const unsigned char *key,
                                   const char *shown, int64_t now_wall_s)
{
    struct account *account;

    return accounts_judge(accounts, name, key, shown, now_wall_s, &account);
}

#define ACCOUNTS_TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

ACCOUNTS_TEST(thirty_days_count_from_the_last_moment_online)
{
    int64_t now_s = mono_wall_s();
    struct account *account = bind_now("hong", NULL);

    account->session = 7;
    assert_int_equal(judge("hong", NULL, NULL, now_s + 31 * DAY_S), ACCOUNTS_WRONG);
    account->session = 0;
    accounts_touch(accounts, account, now_s + 31 * DAY_S);
    assert_int_equal(judge("hong", NULL, NULL, now_s + 61 * DAY_S), ACCOUNTS_WRONG);
    assert_int_equal(judge("hong", NULL, token, now_s + 62 * DAY_S), ACCOUNTS_WELCOME);
    assert_int_equal(judge("hong", NULL, NULL, now_s + 62 * DAY_S), ACCOUNTS_NEW);
}

/* The server has run until then. */
static void run_deadlines(int64_t now_wall_s)
{
    if (now_wall_s > mono_wall_s())
        stepped_clock_step_ms((now_wall_s - mono_wall_s()) * 1000);
    while (deadlines_run(deadlines, now_wall_s) > 0)
        ;
}

/* The store notes each day of a long session on disk, so that after a crash the name
 * does not expire too early. */
ACCOUNTS_TEST(a_long_session_is_noted_every_day)
{
    int64_t now_s = mono_wall_s();

    bind_now("hong", NULL)->session = 7;
    bind_now("kim", NULL);
    for (int day = 1; day <= 40; day++)
        run_deadlines(now_s + (int64_t)day * DAY_S);
    assert_non_null(accounts_find(accounts, "hong"));
    assert_null(accounts_find(accounts, "kim"));
    restart();
    run_deadlines(now_s + 69 * DAY_S);
    assert_non_null(accounts_find(accounts, "hong"));
    run_deadlines(now_s + 71 * DAY_S);
    assert_null(accounts_find(accounts, "hong"));
}

/* Adds a further device by its code, as a login does. */
static void add_device(struct account *account, const unsigned char *key)
{
    struct tickets *tickets = accounts_tickets(accounts);
    char code[TICKET_CODE_BYTES];

    tickets_make(tickets, TICKET_DEVICE, account->folded, 0, code);
    assert_non_null(tickets_find(tickets, TICKET_DEVICE, account->folded, code, 1));
    assert_non_null(tickets_find(tickets, TICKET_DEVICE, account->folded, code, 1));
    accounts_add_device(accounts, account, key, token, mono_wall_s());
    assert_null(tickets_find(tickets, TICKET_DEVICE, account->folded, code, 1));
}

/* The answer to a login waits for the row of the account that `stamp` numbers. */
ACCOUNTS_TEST(a_change_of_the_proofs_stamps_the_account)
{
    unsigned char first[STORE_DIGEST_BYTES] = {1}, other[STORE_DIGEST_BYTES] = {2};
    const struct gate *gate = store_gate(store);
    struct account *account = bind_now("hong", first);

    assert_int_equal(judge("hong", first, NULL, mono_wall_s()), ACCOUNTS_WELCOME);
    assert_true(account->stamp > gate->durable);
    assert_int_equal(account->stamp, gate->newest);
    settle();
    bind_now("kim", NULL);
    assert_true(account->stamp <= gate->durable);
    add_device(account, other);
    assert_int_equal(account->stamp, gate->newest);
    bind_now("lee", NULL);
    assert_true(accounts_remove_proof(accounts, account, first));
    assert_int_equal(account->stamp, gate->newest);
    bind_now("park", NULL);
    accounts_replace_proofs(accounts, account, first, token, mono_wall_s());
    assert_int_equal(account->stamp, gate->newest);
    settle();
    restart();
    assert_true(accounts_find(accounts, "hong")->stamp <= store_gate(store)->durable);
}

ACCOUNTS_TEST(an_undelivered_token_frees_the_name)
{
    struct account *account = bind_now("hong", NULL);

    assert_int_equal(judge("hong", NULL, NULL, mono_wall_s()), ACCOUNTS_WRONG);
    accounts_unclaim(accounts, account);
    assert_int_equal(judge("hong", NULL, NULL, mono_wall_s()), ACCOUNTS_NEW);
    restart();
    assert_int_equal(judge("hong", NULL, NULL, mono_wall_s()), ACCOUNTS_NEW);
    assert_ptr_equal(bind_now("HONG", NULL), accounts_find(accounts, "hong"));
    assert_int_equal(judge("hong", NULL, NULL, mono_wall_s()), ACCOUNTS_WRONG);
}

ACCOUNTS_TEST(a_token_makes_no_name)
{
    assert_int_equal(judge("hong", NULL, "sesame", mono_wall_s()), ACCOUNTS_NOBODY);
    assert_int_equal(judge("hong", NULL, NULL, mono_wall_s()), ACCOUNTS_NEW);
    bind_now("hong", NULL);
    assert_int_equal(judge("hong", NULL, "sesame", mono_wall_s() + 31 * DAY_S),
                     ACCOUNTS_NOBODY);
}

ACCOUNTS_TEST(an_account_makes_few_sources_known_a_day)
{
    struct account *account = bind_now("hong", NULL);
    int64_t now_ms = 1000, day_ms = (int64_t)DAY_S * 1000;

    for (int day = 0; day < 3; day++, now_ms += day_ms) {
        for (int i = 0; i < ACCOUNT_SOURCES_MAX; i++)
            assert_true(account_spend_source(account, now_ms + i));
        assert_false(account_spend_source(account, now_ms + 8));
        assert_false(account_spend_source(account, now_ms + day_ms - 1));
    }
}

static void note_member(void *arg, const struct account *account)
{
    text_addf(arg, "%s ", account->folded);
}

static void check_members(const char *names)
{
    char found[80];
    struct text text = text_into(found, sizeof found);

    accounts_each_member(accounts, note_member, &text);
    assert_string_equal(found, names);
}

ACCOUNTS_TEST(members_are_listed_alone)
{
    static const char *const names[] = {"hong", "kim", "park"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        bind_now(names[i], NULL);
    check_members("");
    accounts_set_role(accounts, accounts_find(accounts, "kim"), ROLE_MEMBER);
    accounts_set_role(accounts, accounts_find(accounts, "hong"), ROLE_OWNER);
    accounts_set_role(accounts, accounts_find(accounts, "kim"), ROLE_MODERATOR);
    check_members("kim hong ");
    accounts_set_role(accounts, accounts_find(accounts, "kim"), ROLE_PLAYER);
    check_members("hong ");
    accounts_erase(accounts, accounts_find(accounts, "hong"));
    check_members("");
}

ACCOUNTS_TEST(a_name_in_use_does_not_expire)
{
    static const char *const names[] = {"hong", "kim",  "park", "lee", "jung",
                                        "kang", "yoon", "choi", "im"};
    int64_t then_s = mono_wall_s() + 31 * DAY_S;
    unsigned char key[STORE_DIGEST_BYTES] = {1};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        bind_now(names[i], i % 2 == 0 ? key : NULL);
    accounts_set_role(accounts, accounts_find(accounts, "kim"), ROLE_MEMBER);
    accounts_find(accounts, "park")->ban_ends_wall_s = INT64_MAX;
    if (!account_sit(accounts_find(accounts, "lee"), 3))
        fail();
    accounts_find(accounts, "jung")->session = 4;
    accounts_find(accounts, "kang")->rooms = 1;
    accounts_finish_game(accounts, accounts_find(accounts, "yoon"));
    run_deadlines(then_s);
    assert_null(accounts_find(accounts, "hong")); /* expired; it had a key */
    assert_null(accounts_find(accounts, "choi")); /* expired; it had a token */
    assert_null(accounts_find(accounts, "im"));
    for (size_t i = 1; i <= 6; i++)
        assert_non_null(accounts_find(accounts, names[i]));
    account_rise(accounts_find(accounts, "lee"), 3);
    run_deadlines(then_s + 1 * DAY_S);
    assert_null(accounts_find(accounts, "lee"));
    restart();
    assert_null(accounts_find(accounts, "hong"));
    assert_null(accounts_find(accounts, "lee"));
    run_deadlines(then_s + 400 * (int64_t)DAY_S);
    assert_non_null(accounts_find(accounts, "yoon"));
}

ACCOUNTS_TEST(a_calendar_that_was_ahead_frees_no_name)
{
    bind_now("hong", NULL);
    stepped_clock_step_wall_s(40 * DAY_S);
    run_deadlines(mono_wall_s());
    assert_int_equal(judge("hong", NULL, NULL, store_calendar_s(store)),
                     ACCOUNTS_WRONG);
    stepped_clock_step_ms(2 * 3600 * 1000);
    event_base_loop(base, EVLOOP_NONBLOCK); /* stores the calendar */
    restart();
    run_deadlines(mono_wall_s());
    assert_non_null(accounts_find(accounts, "hong"));
    stepped_clock_step_wall_s(-40 * DAY_S);
    run_deadlines(mono_wall_s() + 29 * DAY_S);
    assert_int_equal(judge("hong", NULL, NULL, store_calendar_s(store)),
                     ACCOUNTS_WRONG);
    run_deadlines(mono_wall_s() + 2 * DAY_S);
    assert_int_equal(judge("hong", NULL, NULL, store_calendar_s(store)), ACCOUNTS_NEW);
}

ACCOUNTS_TEST(a_calendar_that_was_behind_is_right_again_at_once)
{
    int64_t now_s = mono_wall_s();

    assert_int_equal(store_calendar_s(store), now_s);
    stepped_clock_step_wall_s(-10 * 365 * (int64_t)DAY_S);
    assert_int_equal(store_calendar_s(store), mono_wall_s());
    stepped_clock_step_ms(61 * 1000);
    event_base_loop(base, EVLOOP_NONBLOCK);
    restart();
    assert_int_equal(store_calendar_s(store), mono_wall_s());
    stepped_clock_step_wall_s(10 * 365 * (int64_t)DAY_S);
    stepped_clock_step_ms(1000);
    assert_in_range(store_calendar_s(store), now_s, mono_wall_s());
}

/* A new owner of a name gets neither the games nor the devices of an earlier owner. */
ACCOUNTS_TEST(an_owner_has_a_number_of_his_own)
{
    int64_t now_s = mono_wall_s(), number;
    struct account *account = bind_now("hong", NULL);

    number = accounts_number(accounts, account);
    assert_true(accounts_expire(accounts, account, now_s + 31 * DAY_S));
    restart();
    account = bind_now("hong", NULL);
    assert_true(accounts_number(accounts, account) > number);
    number = account->number;
    restart();
    account = accounts_find(accounts, "hong");
    assert_int_equal(account->number, number);
    assert_true(account->is_fresh);
    assert_false(accounts_expire(accounts, account, now_s + 29 * DAY_S));
}

/* A row of schema 4 has no account number. Only the host can remove its name. */
ACCOUNTS_TEST(a_name_of_an_older_server_never_expires)
{
    struct store_name row = {.folded = "hong", .shown = "Hong", .seen_wall_s = 1};
    struct account *account;

    store_put(store, STORE_NAME, &row);
    restart();
    assert_true(accounts_has_older(accounts));
    account = accounts_find(accounts, "hong");
    assert_int_equal(account->role, ROLE_MEMBER);
    assert_false(accounts_expire(accounts, account, mono_wall_s() + 10000 * DAY_S));
    run_deadlines(mono_wall_s() + 10000 * DAY_S);
    account = accounts_find(accounts, "hong");
    assert_non_null(account);
    assert_true(account_is_idle(account));
    accounts_erase(accounts, account);
    assert_null(accounts_find(accounts, "hong"));
    restart();
    assert_null(accounts_find(accounts, "hong"));
}

ACCOUNTS_TEST(a_new_name_looks_like_no_other)
{
    int64_t now_s = mono_wall_s();

    bind_now("Lee_10", NULL);
    assert_int_equal(judge("lee_10", NULL, NULL, now_s), ACCOUNTS_WRONG);
    assert_int_equal(judge("IEE_1O", NULL, NULL, now_s), ACCOUNTS_ALIKE);
    assert_int_equal(judge("1eelO", NULL, NULL, now_s), ACCOUNTS_NEW);
    run_deadlines(now_s + 31 * DAY_S);
    assert_int_equal(judge("IEE_1O", NULL, NULL, now_s + 31 * DAY_S), ACCOUNTS_NEW);
}

ACCOUNTS_TEST(a_device_opens_a_name)
{
    unsigned char first[STORE_DIGEST_BYTES] = {1}, other[STORE_DIGEST_BYTES] = {2};
    struct account *account = bind_now("hong", first);

    add_device(account, other);
    assert_int_equal(judge("hong", first, NULL, mono_wall_s()), ACCOUNTS_WELCOME);
    assert_int_equal(judge("hong", other, NULL, mono_wall_s()), ACCOUNTS_WELCOME);
    restart();
    assert_int_equal(judge("hong", other, NULL, mono_wall_s()), ACCOUNTS_WELCOME);
    assert_true(
        accounts_remove_proof(accounts, accounts_find(accounts, "hong"), first));
    assert_false(
        accounts_remove_proof(accounts, accounts_find(accounts, "hong"), other));
    restart();
    assert_int_equal(judge("hong", first, NULL, mono_wall_s()), ACCOUNTS_WRONG);
    assert_int_equal(judge("hong", other, NULL, mono_wall_s()), ACCOUNTS_WELCOME);
}

ACCOUNTS_TEST(a_new_owner_has_no_devices_of_the_old_one)
{
    struct account *account = bind_now("hong", NULL);
    char old[TOKEN_BYTES];

    add_device(account, NULL);
    strcpy(old, token);
    bind_now("hong", NULL);
    assert_int_equal(judge("hong", NULL, old, mono_wall_s()), ACCOUNTS_WRONG);
    restart();
    assert_int_equal(judge("hong", NULL, old, mono_wall_s()), ACCOUNTS_WRONG);
}

ACCOUNTS_TEST(a_name_has_nine_proofs_and_no_more)
{
    unsigned char key[STORE_DIGEST_BYTES] = {1};
    struct account *account = bind_now("hong", key);

    for (unsigned char i = 0; i < DEVICES_MAX; i++) {
        key[1] = (unsigned char)(i + 1);
        add_device(account, key);
    }
    assert_int_equal(account->proof_count, DEVICES_MAX + 1);
}

ACCOUNTS_TEST(a_code_lives_ten_minutes_and_any_wrong_tries)
{
    struct tickets *tickets = accounts_tickets(accounts);
    enum { LIFE_S = DEVICE_CODE_MINUTES * 60 };
    char code[TICKET_CODE_BYTES], second[TICKET_CODE_BYTES];

    tickets_make(tickets, TICKET_DEVICE, "hong", 0, code);
    assert_null(tickets_find(tickets, TICKET_DEVICE, "hong", code, LIFE_S));
    assert_non_null(tickets_find(tickets, TICKET_DEVICE, "hong", code, LIFE_S - 1));
    assert_null(tickets_find(tickets, TICKET_DEVICE, "kim", code, 1));
    assert_null(tickets_find(tickets, TICKET_ENTER, "", code, 1));
    tickets_make(tickets, TICKET_DEVICE, "hong", 0, second);
    assert_null(tickets_find(tickets, TICKET_DEVICE, "hong", code, 1));
    for (int i = 0; i < 10000; i++)
        assert_null(tickets_find(tickets, TICKET_DEVICE, "hong", "AAAA-AAAA", 1));
    assert_non_null(tickets_find(tickets, TICKET_DEVICE, "hong", second, 1));
}

ACCOUNTS_TEST(hangul_is_found_however_it_was_typed)
{
    struct account *account = bind_now("\xed\x95\x9c\xea\xb8\x80", NULL);

    assert_ptr_equal(accounts_find(accounts, "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"
                                             "\xe1\x84\x80\xe1\x85\xb3\xe1\x86\xaf"),
                     account);
}

/* A secret never begins with "-". In an earlier version, one secret in 64 began with
 * "-". In the command "janggi device LINK -x...", janggi read such a secret as an
 * unknown option. */
UNIT_TEST(a_secret_is_no_option_of_a_command)
{
    char secret[64];

    for (int i = 0; i < 5000; i++) {
        code_make_secret(secret, 16);
        assert_int_equal(strlen(secret), 22);
        assert_int_not_equal(secret[0], '-');
    }
}

UNIT_MAIN(NULL, NULL)
