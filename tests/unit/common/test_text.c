/* Tests of bounded copies, numbers, base64url, and the builder of texts. */
#include <stdio.h>
#include <string.h>

#include "common/base/base.h"
#include "common/base/text.h"
#include "tests/unit/unit.h"

UNIT_TEST(a_copy_fits_or_is_refused)
{
    char room[6] = "before";

    assert_true(text_copy(room, sizeof room, "12345"));
    assert_string_equal(room, "12345");
    assert_false(text_copy(room, sizeof room, "123456"));
    assert_string_equal(room, "");
    assert_true(text_copy(room, 1, ""));
    assert_string_equal(room, "");
    room[0] = 'x';
    assert_false(text_copy(room, 0, ""));
    assert_int_equal(room[0], 'x');
}

UNIT_TEST(a_number_is_whole_and_within_its_bounds)
{
    static const struct {
        const char *text;
        int64_t lo, hi;
        bool is_number;
        int64_t value;
    } cases[] = {
        {"0", 0, 9, true, 0},
        {"-0", 0, 9, true, 0},
        {"007", 0, 9, true, 7},
        {"9", 0, 9, true, 9},
        {"10", 0, 9, false, 0},
        {"-1", 0, 9, false, 0},
        {"-5", -5, -5, true, -5},
        {"", 0, 9, false, 0},
        {"-", -9, 9, false, 0},
        {"+1", 0, 9, false, 0},
        {" 1", 0, 9, false, 0},
        {"1 ", 0, 9, false, 0},
        {"1x", 0, 9, false, 0},
        {"0x1", 0, 9, false, 0},
        {"--1", -9, 9, false, 0},
        {"\xd9\xa3", 0, 9, false, 0},
        {"9223372036854775807", INT64_MIN, INT64_MAX, true, INT64_MAX},
        {"9223372036854775808", INT64_MIN, INT64_MAX, false, 0},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, true, INT64_MIN},
        {"-9223372036854775809", INT64_MIN, INT64_MAX, false, 0},
        {"99999999999999999999", INT64_MIN, INT64_MAX, false, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t value = 4711;
        bool is_number = text_to_int(cases[i].text, cases[i].lo, cases[i].hi, &value);

        if (is_number != cases[i].is_number)
            print_error("'%s'\n", cases[i].text);
        assert_int_equal(is_number, cases[i].is_number);
        assert_true(value == (is_number ? cases[i].value : 4711));
    }
}

UNIT_TEST(only_ascii_letters_become_small)
{
    char text[] = "@AZ[`az{ \xc3\x84\xed\x95\x9c";

    text_lower(text);
    assert_string_equal(text, "@az[`az{ \xc3\x84\xed\x95\x9c");
}

UNIT_TEST(a_word_of_a_list_is_whole)
{
    assert_true(text_list_has("kja", ',', "kja"));
    assert_true(text_list_has("5m+3s,10m", ',', "5m+3s"));
    assert_true(text_list_has("5m+3s,10m", ',', "10m"));
    assert_false(text_list_has("5m+3s,10m", ',', "10"));
    assert_false(text_list_has("5m+3s,10m", ',', "0m"));
    assert_false(text_list_has("exit bye", ',', "exit"));
    assert_false(text_list_has("", ',', "red"));
}

/* Uses the test vectors of RFC 4648 section 10, without their padding. The last case
 * tests "-" and "_", the two characters in which base64url differs from base64. */
UNIT_TEST(base64url_is_as_the_rfc_has_it)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"f", "Zg"},
        {"fo", "Zm8"},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg"},
        {"fooba", "Zm9vYmE"},
        {"foobar", "Zm9vYmFy"},
        {"\xfb\xff\xbf", "-_-_"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[16];
        size_t len = strlen(cases[i][0]);

        memset(out, 'x', sizeof out);
        text_base64url(out, (const unsigned char *)cases[i][0], len);
        assert_string_equal(out, cases[i][1]);
        assert_int_equal(TEXT_BASE64_BYTES(len), strlen(out) + 1);
    }
}

UNIT_TEST(a_text_grows_to_the_end_of_its_room)
{
    char room[8];
    struct text text = text_into(room, sizeof room);

    assert_string_equal(room, "");
    text_add(&text, "abc");
    text_addf(&text, "%d", 1234);
    assert_string_equal(room, "abc1234");
    assert_int_equal(text.len, 7);
    assert_false(text.is_cut);
    text_add(&text, "");
    assert_false(text.is_cut);
    text_add(&text, "x");
    assert_true(text.is_cut);
    assert_string_equal(room, "abc1234");
}

static void is_written_as_printf_writes_it(int64_t number)
{
    char room[32], expected[32];
    struct text text = text_into(room, sizeof room);

    text_add_int(&text, number);
    snprintf(expected, sizeof expected, "%lld", (long long)number);
    assert_string_equal(room, expected);
    assert_int_equal(text.len, strlen(expected));
}

UNIT_TEST(numbers_are_written_as_printf_writes_them)
{
    int64_t power = 1;

    for (int i = 0; i < 18; i++, power *= 10)
        for (int64_t number = power - 1; number <= power + 1; number++) {
            is_written_as_printf_writes_it(number);
            is_written_as_printf_writes_it(-number);
        }
    for (int64_t number = 0; number < 10000; number++)
        is_written_as_printf_writes_it(number);
    is_written_as_printf_writes_it(INT64_MAX);
    is_written_as_printf_writes_it(INT64_MIN);
}

UNIT_TEST(a_number_that_does_not_fit_is_left_out_whole)
{
    char room[4];
    struct text text = text_into(room, sizeof room);

    text_add_bytes(&text, "abc", 1);
    text_add_int(&text, -12);
    assert_true(text.is_cut);
    assert_string_equal(room, "a");
}

UNIT_TEST(a_text_that_does_not_fit_is_left_out_whole)
{
    char room[8];
    struct text text = text_into(room, sizeof room);

    text_add(&text, "abc");
    text_add(&text, "defgh");
    assert_true(text.is_cut);
    assert_string_equal(room, "abc");
    assert_int_equal(text.len, 3);
    text_add(&text, "d"); /* would fit, but after a cut nothing is added, so that
                           * the text has no gap */
    assert_string_equal(room, "abc");
}

UNIT_TEST(a_format_that_does_not_fit_is_cut_between_characters)
{
    char room[12];
    struct text text = text_into(room, sizeof room);

    text_addf(&text, "-- %s\n", "한글한글");
    assert_true(text.is_cut);
    assert_string_equal(room, "-- 한...\n");
    assert_int_equal(text.len, strlen(room));
    text_add(&text, "x");
    assert_string_equal(room, "-- 한...\n");
    text = text_into(room, sizeof room);
    text_add(&text, "0123456789");
    text_addf(&text, "%s", "ab");
    assert_string_equal(room, "01234567...");
    text = text_into(room, 3);
    text_addf(&text, "%s", "abc");
    assert_string_equal(room, "..");
    text = text_into(room, sizeof room);
    text_addf(&text, "%s", "0123456789a");
    assert_false(text.is_cut);
}

UNIT_TEST(a_swapped_letter_is_one_error)
{
    assert_int_equal(text_distance("move", "move"), 0);
    assert_int_equal(text_distance("", "abc"), 3);
    assert_int_equal(text_distance("mvoe", "move"), 1);
    assert_int_equal(text_distance("mov", "move"), 1);
    assert_int_equal(text_distance("resing", "resign"), 1);
    assert_int_equal(text_distance("hint", "seek"), 4);
    assert_int_equal(text_distance("a", "abcdefghijklmnopqrstuvwxyz"),
                     TEXT_DISTANCE_MAX);
}

UNIT_TEST(the_smallest_rooms_are_no_trouble)
{
    char room[2] = "x";
    struct text text = text_into(room, 1);

    assert_string_equal(room, "");
    text_add(&text, "a");
    assert_true(text.is_cut);
    assert_string_equal(room, "");
}

UNIT_MAIN(NULL, NULL)
