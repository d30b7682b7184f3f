/* Tests of the audit log of the staff. When an act (an action of the staff, such as a
 * ban) is recorded, it must be in effect, be on disk, and stay in effect after a
 * restart. */
#include "tests/unit/account/accounts_fixture.h"

#include "common/base/text.h"
#include "server/account/house.h"

static struct house *house;

static void open_more(void)
{
    house = house_open(store, accounts, NULL);
    assert_non_null(house);
}

static void close_more(void)
{
    house_close(house);
}

static struct account *bind_name(const char *name, const unsigned char *key)
{
    char token[TOKEN_BYTES];

    return accounts_bind(accounts, name, key, token, mono_wall_s());
}

static const unsigned char hongs_key[STORE_DIGEST_BYTES] = {1};

/* --- Acts --- */

static void see_act(void *arg, const struct house_act *act)
{
    text_addf(arg, "%s|%s|%s|%s|%s\n", act->actor, act->kind, act->target, act->params,
              act->words);
}

static const char *all_acts(void)
{
    static char bytes[2000];
    struct text text = text_into(bytes, sizeof bytes);

    house_each(house, see_act, &text);
    return bytes;
}

static void record(const char *kind, const char *target, const char *params,
                   const char *words)
{
    struct house_act act = {.actor = "Hong",
                            .kind = kind,
                            .target = target,
                            .params = params,
                            .words = words};

    house_record(house, &act);
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

TEST(an_act_is_read_back_part_by_part)
{
    static const char wanted[] = "Hong|kick|Kim||too loud : and rude\n"
                                 "Hong|ban|addr:10.0.0.0/8|until=7 x=y|why\n"
                                 "Hong|set|motd||a = b\n"
                                 "Hong|reload|||\n"
                                 "Hong|tick||n=1|\n"
                                 "Hong|report|Kim|game=3|one\ntwo\n";

    record("kick", "Kim", "", "too loud : and rude");
    record("ban", "addr:10.0.0.0/8", "until=7 x=y", "why");
    record("set", "motd", "", "a = b");
    record("reload", "", "", "");
    record("tick", "", "n=1", "");
    record("report", "Kim", "game=3", "one\ntwo");
    assert_string_equal(all_acts(), wanted);
    restart();
    assert_string_equal(all_acts(), wanted);
}

TEST(an_act_is_one_commit)
{
    struct house_act act = {.actor = "Hong",
                            .kind = "kick",
                            .target = "Kim",
                            .params = "",
                            .words = "loud"};
    const struct gate *gate = store_gate(store);

    house_record(house, &act);
    assert_true(gate->durable < gate->newest);
    settle();
    assert_int_equal(store_counts(store).commits, 1);
}

/* --- Roles --- */

static enum role role_of(const char *name)
{
    struct account *account = accounts_find(accounts, name);

    assert_non_null(account);
    return account->role;
}

TEST(a_role_holds_after_a_restart_until_another_is_given)
{
    house_give_role(house, bind_name("Hong", hongs_key), ROLE_OWNER, HOUSE_OPERATOR);
    house_give_role(house, bind_name("Kim", NULL), ROLE_MEMBER, "Hong");
    bind_name("Lee", NULL);
    restart();
    assert_int_equal(role_of("hong"), ROLE_OWNER);
    assert_int_equal(role_of("kim"), ROLE_MEMBER);
    assert_int_equal(role_of("lee"), ROLE_PLAYER);
    house_give_role(house, accounts_find(accounts, "kim"), ROLE_PLAYER, "Hong");
    restart();
    assert_int_equal(role_of("kim"), ROLE_PLAYER);
}

/* A member of the staff who logs in with the token of a further device, instead of the
 * key, has no staff role. */
TEST(a_role_of_staff_needs_the_key)
{
    struct account *hong = bind_name("Hong", hongs_key), *found;
    char token[TOKEN_BYTES];

    accounts_add_device(accounts, hong, NULL, token, mono_wall_s());
    house_give_role(house, hong, ROLE_MODERATOR, HOUSE_OPERATOR);
    restart();
    assert_int_equal(
        accounts_judge(accounts, "hong", NULL, token, mono_wall_s(), &found),
        ACCOUNTS_WELCOME);
    account_take_proof(found, account_find_proof(found, NULL, token));
    assert_int_equal(account_role(found), ROLE_MEMBER);
    assert_int_equal(
        accounts_judge(accounts, "hong", hongs_key, NULL, mono_wall_s(), &found),
        ACCOUNTS_WELCOME);
    assert_int_equal(account_role(found), ROLE_MEMBER); /* not logged in yet */
    account_take_proof(found, account_find_proof(found, hongs_key, NULL));
    assert_int_equal(account_role(found), ROLE_MODERATOR);
    assert_int_equal(account_role(NULL), ROLE_GUEST);
}

TEST(a_name_with_a_role_does_not_fall_free)
{
    enum { MONTH_S = 31 * 86400 };
    int64_t later_s = mono_wall_s() + MONTH_S;
    struct account *found;

    house_give_role(house, bind_name("Kim", NULL), ROLE_MEMBER, "Hong");
    bind_name("Lee", NULL);
    restart();
    assert_int_equal(accounts_judge(accounts, "kim", NULL, NULL, later_s, &found),
                     ACCOUNTS_WRONG);
    assert_int_equal(accounts_judge(accounts, "lee", NULL, NULL, later_s, &found),
                     ACCOUNTS_NEW);
}

/* --- A person who is erased --- */

static const struct house_person person = {
    .folded = "hong", .alias = "player-4", .since_wall_s = 50};

/* Erases hong from an act, which is an entry of the audit log. Returns the changed act
 * as "ACTOR TARGET PARAMS : WORDS", or "" if nothing changes. */
static const char *erase(const struct house_act *act)
{
    static char words[512];
    struct text out = text_into(words, sizeof words);
    struct house_act other;
    char *bytes;

    if (house_person_erase(act, &person, &other, &bytes))
        text_addf(&out, "%s %s %s : %s", other.actor, other.target, other.params,
                  other.words);
    free(bytes);
    return words;
}

TEST(an_erased_person_leaves_an_alias)
{
    struct house_act act = {.wall_s = 100,
                            .actor = "park",
                            .kind = "ban",
                            .target = "Hong",
                            .params = "until=9 near=192.0.2.0/24 keys=ID,ID",
                            .words = "hong, HONG and hongi; not hong-i, hong!"};

    assert_string_equal(erase(&act), "park player-4 until=9 : player-4, player-4 and "
                                     "hongi; not hong-i, player-4!");
    act = (struct house_act){100, "hong", "kick", "kim", "", "loud"};
    assert_string_equal(erase(&act), "player-4 kim  : loud");
    act = (struct house_act){
        100, "hong", "ban", "kim", "until=0 near=192.0.2.0/24 keys=ID", "cheats"};
    assert_string_equal(erase(&act),
                        "player-4 kim until=0 near=192.0.2.0/24 keys=ID : cheats");
    act = (struct house_act){100, "park", "kick", "kim", "", "insulted hong"};
    assert_string_equal(erase(&act), "park kim  : insulted player-4");
    act = (struct house_act){100, "park", "kick", "kim", "", "loud"};
    assert_string_equal(erase(&act), "");
}

TEST(acts_of_an_earlier_owner_stay)
{
    struct house_act act = {49, "park", "kick", "hong", "", "loud"};

    assert_string_equal(erase(&act), "");
}

TEST(a_report_keeps_no_word_of_an_erased_person)
{
    struct house_act act = {.wall_s = 100,
                            .actor = "kim",
                            .kind = HOUSE_REPORT,
                            .target = "hong",
                            .params = "lines=1",
                            .words = "hong is rude\n"
                                     "chat at_s=1 game=3 by=hong : go away"};

    assert_string_equal(erase(&act), "kim player-4 lines=0 : player-4 is rude");
    act.actor = "hong";
    act.target = "kim";
    assert_string_equal(erase(&act), "player-4 kim lines=0 : ");
}

TEST(a_hangul_name_is_found_before_a_particle)
{
    struct house_person other = {.folded = "홍길동", .alias = "player-5"};
    struct house_act act = {100, "park", "kick", "kim", "", "홍길동님을 욕함"}, out;
    char *bytes;

    assert_true(house_person_erase(&act, &other, &out, &bytes));
    assert_string_equal(out.words, "player-5님을 욕함");
    free(bytes);
}

/* When the acts of one person are erased, the bans and mutes of other people stay in
 * effect, in memory and on disk. */
TEST(an_erasure_leaves_other_acts_in_effect)
{
    struct house_person gone = {.folded = "kim", .alias = "player-9"};
    struct house_hold hold;

    record("mute", "kim", "until=0", "a");
    record("ban", "lee", "until=0", "b");
    record("set", "motd", "", "tea");
    house_erase(house, &gone);
    for (int i = 0; i < 2; i++) {
        assert_false(house_mutes(house, "kim", mono_wall_s(), &hold));
        assert_true(house_mutes(house, "player-9", mono_wall_s(), &hold));
        assert_true(house_bans(house, "lee", mono_wall_s(), &hold));
        assert_string_equal(hold.act->words, "b");
        assert_string_equal(house_setting(house, "motd"), "tea");
        restart();
    }
}

/* When the person who made a ban is erased, the ban keeps that person's rank. */
TEST(a_ban_keeps_the_rank_of_an_erased_actor)
{
    struct house_person gone = {.folded = "boss", .alias = "player-9"};
    struct house_act ban = {
        .actor = "Boss", .kind = "ban", .target = "key:ID", .params = "until=0"};
    struct house_hold hold;

    house_record(house, &ban);
    assert_false(house_bans_key(house, "ID", true, mono_wall_s(), &hold));
    record("role", "boss", "role=owner", "");
    assert_true(house_bans_key(house, "ID", true, mono_wall_s(), &hold));
    house_erase(house, &gone);
    for (int i = 0; i < 2; i++) {
        assert_true(house_bans_key(house, "ID", true, mono_wall_s(), &hold));
        assert_string_equal(hold.act->actor, "player-9");
        assert_int_equal(hold.rank, ROLE_OWNER);
        restart();
    }
}

/* When the text of an old report is deleted, the other acts (actions of the staff) stay
 * in effect, also after a restart. */
TEST(an_old_report_loses_its_words)
{
    struct house_hold hold;

    record("mute", "kim", "until=0", "loud");
    record(HOUSE_REPORT, "kim", "lines=1", "rude\nchat at_s=1 game=3 by=kim : go away");
    record("ban", "lee", "until=0", "b");
    assert_int_equal(house_shorten_reports(house, mono_wall_s() - 60), 0);
    assert_int_equal(house_shorten_reports(house, mono_wall_s() + 60), 1);
    assert_int_equal(house_shorten_reports(house, mono_wall_s() + 60), 0);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(all_acts(), "Hong|mute|kim|until=0|loud\n"
                                        "Hong|report|kim|lines=0|\n"
                                        "Hong|ban|lee|until=0|b\n");
        assert_true(house_mutes(house, "kim", mono_wall_s(), &hold));
        assert_true(house_bans(house, "lee", mono_wall_s(), &hold));
        restart();
    }
}

UNIT_MAIN(NULL, NULL)
