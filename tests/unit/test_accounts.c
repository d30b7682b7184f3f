/* Names: what proof opens them, when they fall free, and when they count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/store/store.h"

enum { DAY_S = 86400 };

static char directory[64];
static struct event_base *base;
static struct store *store;
static struct accounts *accounts;
static int saved;
static char token[TOKEN_BYTES];

static void open_accounts(void)
{
    store = store_open(base, directory);
    assert_non_null(store);
    accounts = accounts_open(store, 1000);
    assert_non_null(accounts);
}

static void close_accounts(void)
{
    store_close(store);
    accounts_close(accounts);
}

static int set_up(void **state)
{
    (void)state;
    log_set_level(LOG_FATAL);
    strcpy(directory, "/tmp/test_accounts.XXXXXX");
    if (mkdtemp(directory) == NULL)
        return -1;
    base = event_base_new();
    open_accounts();
    return 0;
}

static int tear_down(void **state)
{
    char command[80];

    (void)state;
    close_accounts();
    event_base_free(base);
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static void on_saved(void *arg)
{
    (void)arg;
    saved++;
}

static void save_until(int wanted)
{
    int64_t until_ms = mono_now_ms() + 60000;

    while (saved < wanted && mono_now_ms() < until_ms)
        event_base_loop(base, EVLOOP_ONCE);
    assert_int_equal(saved, wanted);
}

static struct account *bind_now(const char *name, const unsigned char *key)
{
    struct account *account;

    saved = 0;
    account = accounts_bind(accounts, name, key, token, wall_now_s(), on_saved, NULL);
    return account;
}

static enum accounts_verdict judge(const char *name, const unsigned char *key,
                                   const char *shown, int64_t now_wall_s)
{
    struct account *account;

    return accounts_judge(accounts, name, key, shown, now_wall_s, &account);
}

static void seven_days_count_from_the_last_moment_online(void **state)
{
    int64_t now_s = wall_now_s();
    struct account *account = bind_now("hong", NULL);

    (void)state;
    save_until(1);
    account->session = 7;
    assert_int_equal(judge("hong", NULL, NULL, now_s + 8 * DAY_S), ACCOUNTS_WRONG);
    account->session = 0;
    accounts_touch(accounts, account, now_s + 8 * DAY_S);
    assert_int_equal(judge("hong", NULL, NULL, now_s + 9 * DAY_S), ACCOUNTS_WRONG);
    assert_int_equal(judge("hong", NULL, token, now_s + 16 * DAY_S), ACCOUNTS_WELCOME);
    assert_int_equal(judge("hong", NULL, NULL, now_s + 16 * DAY_S), ACCOUNTS_NEW);
}

/* The disk does not know who was online when the server fell. */
static void a_start_frees_no_name(void **state)
{
    int64_t now_s = wall_now_s();

    (void)state;
    saved = 0;
    accounts_bind(accounts, "hong", NULL, token, now_s - 30 * DAY_S, on_saved, NULL);
    save_until(1);
    close_accounts();
    open_accounts();
    assert_int_equal(judge("hong", NULL, NULL, now_s + 6 * DAY_S), ACCOUNTS_WRONG);
    assert_int_equal(judge("hong", NULL, NULL, now_s + 8 * DAY_S), ACCOUNTS_NEW);
}

static void a_proof_opens_nothing_before_it_is_on_disk(void **state)
{
    unsigned char key[STORE_DIGEST_BYTES] = {1}, other[STORE_DIGEST_BYTES] = {2};
    struct account *account = bind_now("hong", key);

    (void)state;
    assert_int_equal(judge("hong", key, NULL, wall_now_s()), ACCOUNTS_UNSAVED);
    assert_int_equal(judge("hong", other, NULL, wall_now_s()), ACCOUNTS_WRONG);
    accounts_confirm(accounts, account, on_saved, NULL);
    save_until(2);
    assert_int_equal(judge("hong", key, NULL, wall_now_s()), ACCOUNTS_WELCOME);
    assert_int_equal(judge("hong", other, NULL, wall_now_s()), ACCOUNTS_WRONG);
}

static void a_token_that_reached_nobody_frees_the_name(void **state)
{
    struct account *account = bind_now("hong", NULL);

    (void)state;
    save_until(1);
    assert_int_equal(judge("hong", NULL, NULL, wall_now_s()), ACCOUNTS_WRONG);
    accounts_unclaim(accounts, account);
    assert_int_equal(judge("hong", NULL, NULL, wall_now_s()), ACCOUNTS_NEW);
    close_accounts();
    open_accounts();
    assert_int_equal(judge("hong", NULL, NULL, wall_now_s()), ACCOUNTS_NEW);
    assert_ptr_equal(bind_now("HONG", NULL), accounts_find(accounts, "hong"));
    save_until(1);
    assert_int_equal(judge("hong", NULL, NULL, wall_now_s()), ACCOUNTS_WRONG);
}

static void a_token_makes_no_name(void **state)
{
    (void)state;
    assert_int_equal(judge("hong", NULL, "sesame", wall_now_s()), ACCOUNTS_NOBODY);
    assert_int_equal(judge("hong", NULL, NULL, wall_now_s()), ACCOUNTS_NEW);
    bind_now("hong", NULL);
    save_until(1);
    assert_int_equal(judge("hong", NULL, "sesame", wall_now_s() + 8 * DAY_S),
                     ACCOUNTS_NOBODY);
}

static void a_sweep_takes_what_is_free_and_nothing_else(void **state)
{
    static const char *const names[] = {"hong", "kim", "park", "lee"};
    int64_t then_s = wall_now_s() + 8 * DAY_S;
    unsigned char key[STORE_DIGEST_BYTES] = {1};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        bind_now(names[i], NULL);
        save_until(1);
    }
    bind_now("choi", key);
    save_until(1);
    bind_now("yoon", NULL); /* on its way */
    accounts_find(accounts, "kim")->is_wanted = true;
    if (!account_sit(accounts_find(accounts, "park"), 3))
        fail();
    accounts_find(accounts, "lee")->session = 4;
    accounts_sweep(accounts, then_s);
    assert_null(accounts_find(accounts, "hong"));
    assert_non_null(accounts_find(accounts, "kim"));
    assert_non_null(accounts_find(accounts, "park"));
    assert_non_null(accounts_find(accounts, "lee"));
    assert_non_null(accounts_find(accounts, "choi"));
    assert_non_null(accounts_find(accounts, "yoon"));
    accounts_sweep(accounts, then_s);
    assert_null(accounts_find(accounts, "kim")); /* nobody wants it any more */
    save_until(1);
}

/* A further device by its code, as a login does it. */
static void add_device(struct account *account, const unsigned char *key)
{
    char code[CODE_BYTES];

    assert_true(accounts_make_code(account, code, 0));
    assert_true(accounts_use_code(account, code, 1));
    assert_false(accounts_use_code(account, code, 1));
    accounts_add_device(accounts, account, key, token, wall_now_s(), on_saved, NULL);
}

static void a_device_opens_a_name_once_it_is_on_disk(void **state)
{
    unsigned char first[STORE_DIGEST_BYTES] = {1}, other[STORE_DIGEST_BYTES] = {2};
    struct account *account = bind_now("hong", first);

    (void)state;
    save_until(1);
    add_device(account, other);
    assert_int_equal(judge("hong", other, NULL, wall_now_s()), ACCOUNTS_UNSAVED);
    assert_int_equal(judge("hong", first, NULL, wall_now_s()), ACCOUNTS_WELCOME);
    save_until(2);
    assert_int_equal(judge("hong", other, NULL, wall_now_s()), ACCOUNTS_WELCOME);
    close_accounts();
    open_accounts();
    assert_int_equal(judge("hong", other, NULL, wall_now_s()), ACCOUNTS_WELCOME);
    assert_true(accounts_remove_proof(accounts, accounts_find(accounts, "hong"), first,
                                      on_saved, NULL));
    save_until(3);
    assert_false(accounts_remove_proof(accounts, accounts_find(accounts, "hong"), other,
                                       on_saved, NULL));
    close_accounts();
    open_accounts();
    assert_int_equal(judge("hong", first, NULL, wall_now_s()), ACCOUNTS_WRONG);
    assert_int_equal(judge("hong", other, NULL, wall_now_s()), ACCOUNTS_WELCOME);
}

static void a_name_with_a_key_among_its_devices_does_not_fall_free(void **state)
{
    unsigned char key[STORE_DIGEST_BYTES] = {1};
    struct account *account = bind_now("hong", NULL);
    int64_t then_s = wall_now_s() + 30 * DAY_S;

    (void)state;
    save_until(1);
    add_device(account, NULL);
    save_until(2);
    assert_int_equal(judge("hong", NULL, NULL, then_s), ACCOUNTS_NEW);
    add_device(account, key);
    save_until(3);
    assert_int_equal(judge("hong", NULL, NULL, then_s), ACCOUNTS_WRONG);
}

static void a_new_owner_has_no_devices_of_the_old_one(void **state)
{
    struct account *account = bind_now("hong", NULL);
    char old[TOKEN_BYTES];

    (void)state;
    save_until(1);
    add_device(account, NULL);
    save_until(2);
    strcpy(old, token);
    bind_now("hong", NULL);
    save_until(1);
    assert_int_equal(judge("hong", NULL, old, wall_now_s()), ACCOUNTS_WRONG);
    close_accounts();
    open_accounts();
    assert_int_equal(judge("hong", NULL, old, wall_now_s()), ACCOUNTS_WRONG);
}

static void a_name_has_nine_proofs_and_no_more(void **state)
{
    unsigned char key[STORE_DIGEST_BYTES] = {1};
    struct account *account = bind_now("hong", key);
    struct account_proof proof[DEVICES_MAX + 1];
    char code[CODE_BYTES];

    (void)state;
    save_until(1);
    for (unsigned char i = 0; i < DEVICES_MAX; i++) {
        key[1] = (unsigned char)(i + 1);
        add_device(account, key);
    }
    save_until(1 + DEVICES_MAX);
    assert_false(accounts_make_code(account, code, 0));
    assert_int_equal(account_proofs(account, proof), DEVICES_MAX + 1);
}

static void a_code_lives_ten_minutes_and_many_wrong_tries(void **state)
{
    unsigned char key[STORE_DIGEST_BYTES] = {1};
    struct account *account = bind_now("hong", key);
    int64_t life_ms = (int64_t)DEVICE_CODE_MINUTES * 60000;
    char code[CODE_BYTES];

    (void)state;
    save_until(1);
    assert_true(accounts_make_code(account, code, 0));
    assert_false(accounts_use_code(account, code, life_ms));
    assert_true(accounts_use_code(account, code, life_ms - 1));
    for (int wrong = DEVICE_CODE_TRIES - 1; wrong <= DEVICE_CODE_TRIES; wrong++) {
        assert_true(accounts_make_code(account, code, 0));
        for (int i = 0; i < wrong; i++)
            assert_false(accounts_use_code(account, "AAAA-AAAA", 1));
        assert_int_equal(accounts_use_code(account, code, 1),
                         wrong < DEVICE_CODE_TRIES);
    }
}

static void hangul_is_found_however_it_was_typed(void **state)
{
    struct account *account = bind_now("\xed\x95\x9c\xea\xb8\x80", NULL);

    (void)state;
    save_until(1);
    assert_ptr_equal(accounts_find(accounts, "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"
                                             "\xe1\x84\x80\xe1\x85\xb3\xe1\x86\xaf"),
                     account);
}

#define ACCOUNTS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ACCOUNTS_TEST(seven_days_count_from_the_last_moment_online),
        ACCOUNTS_TEST(a_start_frees_no_name),
        ACCOUNTS_TEST(a_proof_opens_nothing_before_it_is_on_disk),
        ACCOUNTS_TEST(a_token_that_reached_nobody_frees_the_name),
        ACCOUNTS_TEST(a_token_makes_no_name),
        ACCOUNTS_TEST(a_sweep_takes_what_is_free_and_nothing_else),
        ACCOUNTS_TEST(a_device_opens_a_name_once_it_is_on_disk),
        ACCOUNTS_TEST(a_name_with_a_key_among_its_devices_does_not_fall_free),
        ACCOUNTS_TEST(a_new_owner_has_no_devices_of_the_old_one),
        ACCOUNTS_TEST(a_name_has_nine_proofs_and_no_more),
        ACCOUNTS_TEST(a_code_lives_ten_minutes_and_many_wrong_tries),
        ACCOUNTS_TEST(hangul_is_found_however_it_was_typed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
