/* Tests of addresses and networks, as text and as values, and of the hash of tables. */
#include "server/base/prefix.h"

#include "common/base/table.h"
#include "tests/unit/unit.h"

UNIT_TEST(text_and_value_are_the_same)
{
    static const char *const texts[] = {"192.0.2.7",     "192.0.2.0/24", "0.0.0.0/0",
                                        "2001:db8::/32", "::1",          "10.0.0.0/9"};
    struct prefix prefix;
    char text[PREFIX_TEXT_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        assert_true(prefix_parse(texts[i], &prefix));
        prefix_format(text, &prefix);
        assert_string_equal(text, texts[i]);
    }
}

UNIT_TEST(an_invalid_network_is_refused)
{
    static const char *const texts[] = {"",           "192.0.2",        "192.0.2.1/24",
                                        "1.2.3.4/33", "2001:db8::/129", "hong",
                                        "1.2.3.4/",   "1.2.3.4/-1",     "::1/8x"};
    struct prefix prefix;

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        assert_false(prefix_parse(texts[i], &prefix));
}

static bool contains(const char *network, const char *inner)
{
    struct prefix a, b;

    assert_true(prefix_parse(network, &a));
    assert_true(prefix_parse(inner, &b));
    return prefix_contains(&a, &b);
}

UNIT_TEST(a_network_contains_its_addresses)
{
    assert_true(contains("192.0.2.0/24", "192.0.2.255"));
    assert_false(contains("192.0.2.0/24", "192.0.3.0"));
    assert_false(contains("192.0.2.0/24", "192.0.0.0/16"));
    assert_true(contains("0.0.0.0/0", "192.0.3.0"));
    assert_false(contains("0.0.0.0/0", "2001:db8::1"));
    assert_true(contains("2001:db8::/33", "2001:db8:7fff::1"));
    assert_false(contains("2001:db8::/33", "2001:db8:8000::1"));
}

#define FOUR "::1 ::2 ::3 ::4 "

UNIT_TEST(a_list_is_read_whole_or_not_at_all)
{
    struct prefix_list list;

    assert_true(prefix_list_parse("", &list));
    assert_int_equal(list.count, 0);
    assert_true(prefix_list_parse("192.0.2.0/24, ::1", &list));
    assert_int_equal(list.count, 2);
    assert_true(prefix_list_parse(FOUR FOUR FOUR FOUR, &list));
    assert_int_equal(list.count, PREFIX_LIST_MAX);
    assert_false(prefix_list_parse(FOUR FOUR FOUR FOUR "::5", &list));
    assert_false(prefix_list_parse("192.0.2.0/24,here", &list));
}

/* The hash is SipHash-1-3. The expected values come from the reference implementation
 * of SipHash. The key has the bytes 0, 1, ... 15. A text of n bytes has the bytes 0, 1,
 * ... n-1. */
UNIT_TEST(the_hash_of_tables_is_siphash)
{
    static const uint64_t expected[] = {0xabac0158050fc4dc, 0xc9f49bf37d57ca93,
                                        0x82cb9b024dc7d44d, 0x8bf80ab8e7ddf7fb};
    unsigned char key[TABLE_KEY_BYTES], text[64];

    for (unsigned char i = 0; i < sizeof key; i++)
        key[i] = i;
    for (unsigned char i = 0; i < sizeof text; i++)
        text[i] = i;
    for (size_t len = 0; len < ARRAY_LEN(expected); len++)
        assert_int_equal(table_hash_with(key, text, len), expected[len]);
}

UNIT_MAIN(NULL, NULL)
