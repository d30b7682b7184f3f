/* Tests of invitations to the server, and of the one-time codes of the host: what they
 * permit, when they expire, and that a restart keeps them. */
#include "tests/unit/account/accounts_fixture.h"

#include "server/account/pass.h"
#include "server/lobby/door.h"

enum { NOW_S = 1000000, DAY_S = 86400, HOUR_S = 3600, MINUTE_S = 60 };

static struct doors *doors;
static struct passes *passes;

static void open_more(void)
{
    doors = doors_open(store, accounts);
    assert_non_null(doors);
    passes = passes_open(store);
    assert_non_null(passes);
}

static void close_more(void)
{
    passes_close(passes);
    doors_close(doors);
}

static struct account *bind_name(const char *name)
{
    char token[TOKEN_BYTES];

    return accounts_bind(accounts, name, NULL, token, NOW_S);
}

static struct door *make_door(int uses, int days, char code[CODE_BYTES])
{
    struct door *door = doors_make(doors, "Hong", uses, days, NOW_S);

    assert_non_null(door);
    strcpy(code, door->code);
    return door;
}

/* --- Doors --- */

static void a_door_admits_as_many_as_it_has_uses(void **state)
{
    char code[CODE_BYTES], spelled[CODE_BYTES];
    struct door *door = make_door(2, 1, code);

    doors_use(doors, door, bind_name("kim"));
    restart();
    for (size_t i = 0; i < sizeof code; i++)
        spelled[i] = (char)(code[i] >= 'A' && code[i] <= 'Z' ? code[i] + 32 : code[i]);
    door = doors_find(doors, spelled, NOW_S);
    assert_non_null(door);
    assert_int_equal(door->left, 1);
    assert_int_equal(door->uses, 2);
    assert_string_equal(door->maker, "Hong");
    doors_use(doors, door, bind_name("lee"));
    assert_null(doors_find(doors, code, NOW_S));
    restart();
    assert_null(doors_find(doors, code, NOW_S));
    assert_null(doors_find(doors, "AAAA-AAAA", NOW_S));
    assert_null(doors_find(doors, "", NOW_S));
}

static void a_door_is_shut_after_its_days(void **state)
{
    char code[CODE_BYTES];

    make_door(20, 2, code);
    assert_non_null(doors_find(doors, code, NOW_S + 2 * DAY_S - 1));
    assert_null(doors_find(doors, code, NOW_S + 2 * DAY_S));
    assert_non_null(doors_first(doors, NOW_S));
    assert_null(doors_first(doors, NOW_S + 2 * DAY_S));
    restart();
    assert_null(doors_first(doors, NOW_S));
}

static void a_use_can_be_given_back(void **state)
{
    char code[CODE_BYTES];
    struct door *door = make_door(1, 1, code);
    struct account *kim = bind_name("kim");

    doors_use(doors, door, kim);
    doors_give_back(doors, kim);
    doors_give_back(doors, kim);
    assert_int_equal(doors_find(doors, code, NOW_S)->left, 1);
    restart();
    assert_int_equal(doors_find(doors, code, NOW_S)->left, 1);
    assert_string_equal(accounts_find(accounts, "kim")->door, "");
}

/* A login that uses an invitation may end before it is completed. The invitation then
 * gets that use back, but only a limited number of times. After that, repeated logins
 * use the invitation up. */
static void only_so_many_uses_are_given_back(void **state)
{
    char code[CODE_BYTES];
    struct door *door = make_door(2, 1, code);
    struct account *kim = bind_name("kim");
    int admitted = 0;

    for (; (door = doors_find(doors, code, NOW_S)) != NULL && admitted < 100;
         admitted++) {
        doors_use(doors, door, kim);
        doors_give_back(doors, kim);
        assert_string_equal(kim->door, "");
    }
    assert_int_equal(admitted, DOOR_GIVES_BACK + 2);
}

static void the_door_of_a_person_can_be_shut(void **state)
{
    char code[CODE_BYTES], other[CODE_BYTES];
    struct account *kim = bind_name("kim");

    doors_use(doors, make_door(5, 1, code), kim);
    make_door(5, 1, other);
    restart();
    kim = accounts_find(accounts, "kim");
    assert_string_equal(kim->door, code);
    assert_true(doors_end_of(doors, kim));
    assert_false(doors_end_of(doors, kim));
    assert_null(doors_find(doors, code, NOW_S));
    assert_non_null(doors_find(doors, other, NOW_S));
    restart();
    assert_null(doors_find(doors, code, NOW_S));
    assert_non_null(doors_find(doors, other, NOW_S));
}

static void there_are_only_so_many_doors(void **state)
{
    char code[CODE_BYTES];

    for (int i = 0; i < DOORS_MAX; i++)
        make_door(1, 1 + (i > 0), code);
    assert_null(doors_make(doors, "Hong", 1, 1, NOW_S));
    assert_non_null(doors_make(doors, "Hong", 1, 1, NOW_S + DAY_S));
    assert_null(doors_make(doors, "Hong", 1, 1, NOW_S + DAY_S));
}

static void use_up(struct door *door)
{
    while (door->left > 0)
        doors_use(doors, door, bind_name("kim"));
}

static void a_used_up_door_is_known_until_it_expires(void **state)
{
    char code[CODE_BYTES], other[CODE_BYTES];

    use_up(make_door(1, 2, code));
    make_door(1, 2, other);
    restart();
    assert_true(doors_is_known(doors, code));
    assert_false(doors_is_known(doors, "AAAA-AAAA"));
    assert_string_equal(doors_first(doors, NOW_S)->code, other);
    assert_null(doors_next(doors_first(doors, NOW_S)));
    assert_null(doors_first(doors, NOW_S + 2 * DAY_S));
    assert_false(doors_is_known(doors, code));
}

static void only_so_many_used_up_doors_are_kept(void **state)
{
    char first[CODE_BYTES], second[CODE_BYTES], code[CODE_BYTES];

    use_up(make_door(1, 2, second));
    use_up(make_door(1, 1, first)); /* expires first */
    for (int i = 2; i < DOORS_USED_UP_MAX; i++)
        use_up(make_door(1, 2, code));
    restart();
    assert_true(doors_is_known(doors, first));
    make_door(1, 1, code);
    assert_false(doors_is_known(doors, first));
    assert_true(doors_is_known(doors, second));
}

/* --- Codes of the host --- */

static void an_owner_link_works_once_for_a_quarter_of_an_hour(void **state)
{
    char code[PASS_CODE_BYTES], second[PASS_CODE_BYTES];

    assert_false(passes_is_owner(passes, "", NOW_S));
    passes_make_owner(passes, code, NOW_S);
    assert_int_equal(strlen(code), PASS_CODE_BYTES - 1);
    assert_false(passes_is_owner(passes, code, NOW_S + 15 * MINUTE_S));
    assert_false(passes_is_owner(passes, "wrong", NOW_S));
    restart();
    assert_true(passes_is_owner(passes, code, NOW_S + 15 * MINUTE_S - 1));
    passes_use_owner(passes);
    passes_use_owner(passes);
    assert_false(passes_is_owner(passes, code, NOW_S));
    restart();
    assert_false(passes_is_owner(passes, code, NOW_S));
    passes_make_owner(passes, code, NOW_S);
    passes_make_owner(passes, second, NOW_S);
    assert_false(passes_is_owner(passes, code, NOW_S));
    assert_true(passes_is_owner(passes, second, NOW_S));
}

static void a_reset_is_for_one_name_and_a_day(void **state)
{
    char code[PASS_CODE_BYTES];

    passes_make_reset(passes, "kim", code, NOW_S);
    assert_false(passes_is_reset(passes, "lee", code, NOW_S));
    assert_false(passes_is_owner(passes, code, NOW_S));
    assert_false(passes_is_reset(passes, "kim", code, NOW_S + 24 * HOUR_S));
    restart();
    assert_true(passes_is_reset(passes, "kim", code, NOW_S + 24 * HOUR_S - 1));
    passes_use_reset(passes, "kim");
    assert_false(passes_is_reset(passes, "kim", code, NOW_S));
}

/* After the reset, the old key and the old device no longer prove the name. A restart
 * does not change this. */
static void a_reset_replaces_every_proof(void **state)
{
    static const unsigned char old_key[STORE_DIGEST_BYTES] = {1},
                               new_key[STORE_DIGEST_BYTES] = {2};
    char token[TOKEN_BYTES], device[TOKEN_BYTES];
    struct account *kim = accounts_bind(accounts, "kim", old_key, token, NOW_S);

    accounts_add_device(accounts, kim, NULL, device, NOW_S);
    accounts_replace_proofs(accounts, kim, new_key, token, NOW_S);
    restart();
    assert_int_equal(accounts_judge(accounts, "kim", old_key, NULL, NOW_S, &kim),
                     ACCOUNTS_WRONG);
    assert_int_equal(accounts_judge(accounts, "kim", NULL, device, NOW_S, &kim),
                     ACCOUNTS_WRONG);
    assert_int_equal(accounts_judge(accounts, "kim", new_key, NULL, NOW_S, &kim),
                     ACCOUNTS_WELCOME);
}

/* --- Older directories --- */

static void put_name(const char *folded, int64_t made_wall_s)
{
    struct store_name name = {.folded = folded,
                              .shown = folded,
                              .proof = STORE_PROOF_KEY,
                              .seen_wall_s = NOW_S,
                              .made_wall_s = made_wall_s};

    store_put_name(store, &name);
}

static void names_of_an_older_janggid_are_members(void **state)
{
    put_name("new", NOW_S);
    restart();
    assert_false(accounts_has_older(accounts));
    put_name("old", 0);
    restart();
    assert_true(accounts_has_older(accounts));
    assert_int_equal(accounts_find(accounts, "old")->role, ROLE_MEMBER);
    assert_int_equal(accounts_find(accounts, "new")->role, ROLE_PLAYER);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_door_admits_as_many_as_it_has_uses),
        TEST(a_door_is_shut_after_its_days),
        TEST(a_use_can_be_given_back),
        TEST(only_so_many_uses_are_given_back),
        TEST(the_door_of_a_person_can_be_shut),
        TEST(there_are_only_so_many_doors),
        TEST(a_used_up_door_is_known_until_it_expires),
        TEST(only_so_many_used_up_doors_are_kept),
        TEST(an_owner_link_works_once_for_a_quarter_of_an_hour),
        TEST(a_reset_is_for_one_name_and_a_day),
        TEST(a_reset_replaces_every_proof),
        TEST(names_of_an_older_janggid_are_members),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
