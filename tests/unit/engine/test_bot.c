/* Tests of client/bot/bot_terms: the games that a bot accepts. */

#include "client/bot/bot_terms.h"
#include "tests/unit/unit.h"

static struct bot_terms terms;
static char why[BOT_WHY_BYTES];

static struct time_terms time_of(const char *text)
{
    struct time_terms time;

    assert_true(time_terms_parse(text, &time));
    return time;
}

UNIT_TEST(all_rulesets_are_played_unless_some_are_named)
{
    bot_terms_init(&terms);
    assert_int_equal(terms.rules_count, 4);
    assert_true(bot_terms_take_rules(&terms, "kja,martin"));
    assert_int_equal(terms.rules_count, 2);
    assert_true(bot_terms_fit(&terms, "kja", "10m", why));
    assert_true(bot_terms_fit(&terms, "martin", "10m", why));
    assert_false(bot_terms_fit(&terms, "vchess", "10m", why));
    assert_string_equal(why, "it does not play these rules: vchess");
    assert_false(bot_terms_fit(&terms, "kj", "10m", why));
}

UNIT_TEST(a_list_with_an_unknown_ruleset_is_refused)
{
    static const char *const wrong[] = {"",
                                        ",",
                                        "kja,",
                                        "chess",
                                        "kja,,martin",
                                        "kja martin",
                                        "averyveryveryverylongnameofaruleset",
                                        "kja,kja,kja,kja,kja,kja,kja,kja,kja"};

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_false(bot_terms_take_rules(&terms, wrong[i]));
}

UNIT_TEST(time_has_its_bounds)
{
    static const struct {
        const char *time;
        bool is_taken;
    } cases[] = {
        {"5m", true},       {"20m", true},      {"4m59s", false},    {"299s", false},
        {"1201s", false},   {"0m+8s", true},    {"0m+7s", false},    {"10m+15s", true},
        {"10m+16s", false}, {"1m+3x10s", true}, {"1m+1x30s", false}, {"none", false},
        {"3d", false},      {"rubbish", false}, {"", false},
    };

    bot_terms_init(&terms);
    terms.shortest = time_of("5m");
    terms.longest = time_of("20m");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        why[0] = '\0';
        if (bot_terms_fit(&terms, "kja", cases[i].time, why) != cases[i].is_taken)
            fail_msg("%s", cases[i].time);
        assert_true(cases[i].is_taken || why[0] != '\0');
    }
}

UNIT_TEST(untimed_games_are_accepted_on_request)
{
    bot_terms_init(&terms);
    assert_false(bot_terms_fit(&terms, "kja", "none", why));
    terms.takes_untimed = true;
    assert_true(bot_terms_fit(&terms, "kja", "none", why));
}

UNIT_MAIN(NULL, NULL)
