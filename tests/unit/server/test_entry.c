/* Tests of tickets: what they permit, when they expire, that a restart keeps them, and
 * that only their digests are kept. */
#include "tests/unit/account/accounts_fixture.h"

#include "server/account/ticket.h"

enum { NOW_S = 1000000, HOUR_S = 3600, MINUTE_S = 60 };

static struct tickets *tickets;
static char code[TICKET_CODE_BYTES], other[TICKET_CODE_BYTES];

static void open_more(void)
{
    tickets = accounts_tickets(accounts);
}

static void close_more(void)
{
}

static struct account *bind_name(const char *name)
{
    char token[TOKEN_BYTES];

    return accounts_bind(accounts, name, NULL, token, NOW_S);
}

static struct ticket *make_enter(int uses, int days, char out[TICKET_CODE_BYTES])
{
    struct ticket *ticket = tickets_make_enter(tickets, "Hong", uses, days, NOW_S, out);

    assert_non_null(ticket);
    return ticket;
}

static struct ticket *find_enter(const char *typed)
{
    return tickets_find(tickets, TICKET_ENTER, "", typed, NOW_S);
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

/* --- To enter --- */

TEST(a_ticket_admits_as_many_as_it_has_uses)
{
    char spelled[TICKET_CODE_BYTES] = "";
    struct ticket *ticket = make_enter(2, 1, code);

    tickets_use(tickets, ticket, bind_name("kim"));
    restart();
    for (size_t i = 0; i < strlen(code); i++)
        spelled[i] = (char)(code[i] >= 'A' && code[i] <= 'Z' ? code[i] + 32 : code[i]);
    ticket = find_enter(spelled);
    assert_non_null(ticket);
    assert_int_equal(ticket->left, 1);
    assert_int_equal(ticket->uses, 2);
    assert_string_equal(ticket->maker, "Hong");
    tickets_use(tickets, ticket, bind_name("lee"));
    assert_null(find_enter(code));
    restart();
    assert_null(find_enter(code));
    assert_null(find_enter("AAAA-AAAA"));
    assert_null(find_enter(""));
}

TEST(a_ticket_ends_after_its_days)
{
    make_enter(20, 2, code);
    assert_non_null(
        tickets_find(tickets, TICKET_ENTER, "", code, NOW_S + 2 * DAY_S - 1));
    assert_null(tickets_find(tickets, TICKET_ENTER, "", code, NOW_S + 2 * DAY_S));
    assert_non_null(tickets_first(tickets, NOW_S));
    assert_null(tickets_first(tickets, NOW_S + 2 * DAY_S));
    restart();
    assert_null(tickets_first(tickets, NOW_S));
}

TEST(a_use_can_be_given_back)
{
    struct account *kim = bind_name("kim");

    tickets_use(tickets, make_enter(1, 1, code), kim);
    tickets_give_back(tickets, kim);
    tickets_give_back(tickets, kim);
    assert_int_equal(find_enter(code)->left, 1);
    restart();
    assert_int_equal(find_enter(code)->left, 1);
    assert_string_equal(accounts_find(accounts, "kim")->door, "");
}

/* A login that uses a ticket may end before it is completed. The ticket then gets that
 * use back, but only a limited number of times. After that, repeated logins use the
 * ticket up. */
TEST(only_so_many_uses_are_given_back)
{
    struct ticket *ticket = make_enter(2, 1, code);
    struct account *kim = bind_name("kim");
    int admitted = 0;

    for (; (ticket = find_enter(code)) != NULL && admitted < 100; admitted++) {
        tickets_use(tickets, ticket, kim);
        tickets_give_back(tickets, kim);
        assert_string_equal(kim->door, "");
    }
    assert_int_equal(admitted, TICKET_GIVES_BACK + 2);
}

TEST(the_ticket_of_a_person_can_be_removed)
{
    struct account *kim = bind_name("kim");

    tickets_use(tickets, make_enter(5, 1, code), kim);
    make_enter(5, 1, other);
    restart();
    kim = accounts_find(accounts, "kim");
    assert_ptr_equal(tickets_of(tickets, kim), find_enter(code));
    tickets_remove_of(tickets, kim);
    tickets_remove_of(tickets, kim);
    assert_null(find_enter(code));
    assert_non_null(find_enter(other));
    restart();
    assert_null(find_enter(code));
    assert_non_null(find_enter(other));
}

TEST(there_are_only_so_many)
{
    for (int i = 0; i < TICKETS_MAX; i++)
        make_enter(1, 1 + (i > 0), code);
    assert_null(tickets_make_enter(tickets, "Hong", 1, 1, NOW_S, code));
    assert_non_null(tickets_make_enter(tickets, "Hong", 1, 1, NOW_S + DAY_S, code));
    assert_null(tickets_make_enter(tickets, "Hong", 1, 1, NOW_S + DAY_S, code));
}

static void use_up(struct ticket *ticket)
{
    while (ticket->left > 0)
        tickets_use(tickets, ticket, bind_name("kim"));
}

TEST(a_used_up_one_is_known_until_it_expires)
{
    use_up(make_enter(1, 2, code));
    make_enter(1, 2, other);
    restart();
    assert_non_null(tickets_find_enter(tickets, code));
    assert_null(tickets_find_enter(tickets, "AAAA-AAAA"));
    assert_null(tickets_first(tickets, NOW_S + 2 * DAY_S));
    assert_null(tickets_find_enter(tickets, code));
}

TEST(only_so_many_used_up_ones_are_kept)
{
    char first[TICKET_CODE_BYTES], second[TICKET_CODE_BYTES];

    use_up(make_enter(1, 2, second));
    use_up(make_enter(1, 1, first)); /* expires first */
    for (int i = 2; i < TICKETS_USED_UP_MAX; i++)
        use_up(make_enter(1, 2, code));
    restart();
    assert_non_null(tickets_find_enter(tickets, first));
    make_enter(1, 1, code);
    assert_null(tickets_find_enter(tickets, first));
    assert_non_null(tickets_find_enter(tickets, second));
}

/* The beginning names a ticket in lists; a person cannot enter with it. */
TEST(the_beginning_of_a_code_finds_but_does_not_open)
{
    struct ticket *ticket = make_enter(1, 1, code);

    assert_memory_equal(code, ticket->begin, 4);
    assert_ptr_equal(tickets_find_enter(tickets, ticket->begin), ticket);
    assert_null(find_enter(ticket->begin));
}

static void see_no_code(void *arg, const void *row)
{
    const struct store_mark *mark = row;
    (*(int *)arg)++;
    assert_null(strstr(mark->subject, code));
    assert_null(strstr(mark->value, code));
    assert_null(strstr(mark->subject, other));
    assert_null(strstr(mark->value, other));
}

TEST(the_disk_has_no_code)
{
    int marks = 0;

    tickets_use(tickets, make_enter(2, 1, code), bind_name("kim"));
    tickets_make(tickets, TICKET_OWNER, "", NOW_S, other);
    restart();
    assert_true(store_load(store, STORE_MARK, see_no_code, &marks));
    assert_true(marks >= 3);
}

/* Version 0.1.0 kept the code itself. */
TEST(a_row_of_an_older_janggid_is_read_and_replaced)
{
    struct ticket *ticket;
    int marks = 0;

    bind_name("kim");
    store_put(store, STORE_MARK,
              &(struct store_mark){.owner = "",
                                   .kind = "door",
                                   .subject = "K7Q2-9F3M",
                                   .value = "2 5 1086400 Hong"});
    store_put(store, STORE_MARK,
              &(struct store_mark){
                  .owner = "kim", .kind = "door", .subject = "K7Q2-9F3M", .value = ""});
    restart();
    ticket = find_enter("k7q29f3m");
    assert_non_null(ticket);
    assert_ptr_equal(tickets_of(tickets, accounts_find(accounts, "kim")), ticket);
    assert_string_equal(ticket->begin, "K7Q2");
    tickets_use(tickets, ticket, bind_name("lee"));
    tickets_give_back(tickets, accounts_find(accounts, "kim"));
    restart();
    strcpy(code, "K7Q2-9F3M");
    strcpy(other, code);
    assert_true(store_load(store, STORE_MARK, see_no_code, &marks));
    ticket = find_enter(code);
    assert_int_equal(ticket->left, 2);
    assert_string_equal(ticket->maker, "Hong");
    tickets_remove(tickets, ticket);
    restart();
    assert_null(tickets_find_enter(tickets, code));
}

/* --- Of the host --- */

static bool is_owner(const char *typed, int64_t now_s)
{
    return tickets_find(tickets, TICKET_OWNER, "", typed, now_s) != NULL;
}

TEST(an_owner_link_works_once_for_a_quarter_of_an_hour)
{
    assert_false(is_owner("", NOW_S));
    tickets_make(tickets, TICKET_OWNER, "", NOW_S, code);
    assert_int_equal(strlen(code), TICKET_CODE_BYTES - 1);
    assert_false(is_owner(code, NOW_S + 15 * MINUTE_S));
    assert_false(is_owner("wrong", NOW_S));
    restart();
    assert_true(is_owner(code, NOW_S + 15 * MINUTE_S - 1));
    tickets_use(tickets, tickets_find(tickets, TICKET_OWNER, "", code, NOW_S), NULL);
    assert_false(is_owner(code, NOW_S));
    restart();
    assert_false(is_owner(code, NOW_S));
    tickets_make(tickets, TICKET_OWNER, "", NOW_S, code);
    tickets_make(tickets, TICKET_OWNER, "", NOW_S, other);
    assert_false(is_owner(code, NOW_S));
    restart();
    assert_false(is_owner(code, NOW_S));
    assert_true(is_owner(other, NOW_S));
}

static bool is_reset(const char *target, int64_t now_s)
{
    return tickets_find(tickets, TICKET_RESET, target, code, now_s) != NULL;
}

TEST(a_reset_is_for_one_name_and_a_day)
{
    bind_name("kim");
    tickets_make(tickets, TICKET_RESET, "kim", NOW_S, code);
    assert_false(is_reset("lee", NOW_S));
    assert_false(is_owner(code, NOW_S));
    assert_false(is_reset("kim", NOW_S + 24 * HOUR_S));
    restart();
    assert_true(is_reset("kim", NOW_S + 24 * HOUR_S - 1));
    bind_name("kim"); /* a later owner of the name */
    assert_false(is_reset("kim", NOW_S));
    tickets_make(tickets, TICKET_RESET, "kim", NOW_S, code);
    tickets_void(tickets, TICKET_RESET, "kim");
    assert_false(is_reset("kim", NOW_S));
    restart();
    assert_false(is_reset("kim", NOW_S));
}

/* After the reset, the old key and the old device no longer prove the name. A restart
 * does not change this. */
TEST(a_reset_replaces_every_proof)
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

    store_put(store, STORE_NAME, &name);
}

TEST(names_of_an_older_janggid_are_members)
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

UNIT_MAIN(NULL, NULL)
