/* Tests of common/base/utf8: texts that may be shown, the width of a text, valid names,
 * and escaped bytes in a log. */
#include <string.h>

#include <utf8proc.h>

#include "common/base/base.h"
#include "common/base/utf8.h"
#include "tests/unit/unit.h"

#define HANGUL "\xed\x95\x9c\xea\xb8\x80" /* two syllables */
#define HANGUL_APART                                                                   \
    "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"                                             \
    "\xe1\x84\x80\xe1\x85\xb3\xe1\x86\xaf" /* the same syllables as six single
                                            * letters */

static bool shows(const char *text)
{
    return utf8_is_showable(text, strlen(text));
}

UNIT_TEST(ordinary_text_is_showable)
{
    assert_true(shows(""));
    assert_true(shows("! game 3 0 start red=hong : 1/2 {~} \"x\""));
    assert_true(shows(HANGUL));
    assert_true(shows(HANGUL_APART));
    assert_true(shows("\xe6\xbc\xa2\xe6\xa5\x9a"));      /* hanja */
    assert_true(shows("caf\xc3\xa9 cafe\xcc\x81"));      /* e with an accent, first as
                                                          * one character, then as a
                                                          * letter and a mark */
    assert_true(shows("\xe2\x99\x9a \xf0\x9f\x98\x80")); /* a chess king, an emoji */
}

#define MARK "\xcc\x81"
UNIT_TEST(a_letter_has_at_most_four_marks)
{
    assert_true(shows("e" MARK MARK MARK MARK "e" MARK MARK MARK MARK));
    assert_false(shows("e" MARK MARK MARK MARK MARK));
    assert_false(shows(HANGUL MARK MARK MARK MARK MARK));
}

UNIT_TEST(a_mark_or_a_space_is_not_seen_by_itself)
{
    static const char *const seen[] = {"a", HANGUL, HANGUL_APART,  "e\xcc\x81",
                                       "2", "-",    "\xe2\x99\x9a"};
    static const char *const unseen[] = {
        "",          "\xcc\x81\xcc\x81", /* marks alone */
        "\xcc\x81z", "\xe0\xa4\x83",     /* a mark that takes a column */
        " a",        "\xe3\x80\x80",     /* the ideographic space */
        "\xff",
    };

    for (size_t i = 0; i < ARRAY_LEN(seen); i++)
        assert_true(utf8_begins_visibly(seen[i]));
    for (size_t i = 0; i < ARRAY_LEN(unseen); i++)
        assert_false(utf8_begins_visibly(unseen[i]));
}

UNIT_TEST(invalid_utf8_is_not_showable)
{
    static const char *const bad[] = {
        "\x80",
        "\xc3",
        "\xc3 ",
        "\xe2\x82",
        "\xc0\xaf",
        "\xe0\x80\xaf",
        "\xed\xa0\x80",
        "\xf4\x90\x80\x80",
        "\xf8\x88\x80\x80",
        "\xff",
        "ok\xfe",
    };

    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(shows(bad[i]));
    assert_false(utf8_is_showable("a\0b", 3));
    assert_false(utf8_is_showable("\xed\x95\x9c", 2)); /* the length cuts the
                                                        * character */
}

/* Ranges of refused code points: name, first, last. */
static const struct {
    const char *name;
    utf8proc_int32_t from, to;
} never[] = {
    {"C0 controls", 0x0000, 0x001f},
    {"delete and C1 controls", 0x007f, 0x009f},
    {"soft hyphen", 0x00ad, 0x00ad},
    {"grapheme joiner", 0x034f, 0x034f},
    {"Arabic letter mark", 0x061c, 0x061c},
    {"Hangul fillers", 0x115f, 0x1160},
    {"Khmer fillers", 0x17b4, 0x17b5},
    {"Mongolian selectors", 0x180b, 0x180f},
    {"zero width and bidi", 0x200b, 0x200f},
    {"line and paragraph, bidi", 0x2028, 0x202e},
    {"invisible operators", 0x2060, 0x206f},
    {"Braille blank", 0x2800, 0x2800},
    {"Hangul filler", 0x3164, 0x3164},
    {"surrogates", 0xd800, 0xdfff},
    {"private use", 0xe000, 0xf8ff},
    {"variation selectors", 0xfe00, 0xfe0f},
    {"byte order mark", 0xfeff, 0xfeff},
    {"halfwidth filler", 0xffa0, 0xffa0},
    {"annotations", 0xfff9, 0xfffb},
    {"non-characters", 0xfffe, 0xffff},
    {"tags and selectors", 0xe0000, 0xe0fff},
    {"private planes", 0xf0000, 0x10ffff},
};

/* Tries every code point. A code point is refused if it is invisible, or if a terminal
 * could take it for a command. Most other code points are accepted. */
UNIT_TEST(no_code_point_that_hides_or_commands_shows)
{
    int shown = 0;

    for (utf8proc_int32_t c = 0; c <= 0x10ffff; c++) {
        utf8proc_uint8_t bytes[4];
        utf8proc_ssize_t len = utf8proc_encode_char(c, bytes);
        bool is_shown = utf8_is_showable((const char *)bytes, (size_t)len);

        shown += is_shown;
        for (size_t i = 0; is_shown && i < ARRAY_LEN(never); i++)
            if (c >= never[i].from && c <= never[i].to)
                fail_msg("U+%04X shows: %s", (unsigned)c, never[i].name);
    }
    assert_in_range(shown, 140000, 200000);
}

UNIT_TEST(width_is_in_columns)
{
    assert_int_equal(utf8_width(""), 0);
    assert_int_equal(utf8_width("abc"), 3);
    assert_int_equal(utf8_width(HANGUL), 4);
    assert_int_equal(utf8_width("\xe6\xbc\xa2"), 2);
    assert_int_equal(utf8_width("e\xcc\x81"), 1);
    assert_int_equal(utf8_width("a" HANGUL "b"), 6);
}

UNIT_TEST(names_have_one_script_and_a_length)
{
    static const char *const good[] = {"ab",     "Hong",
                                       "a_b-c9", "0123456789abcdef",
                                       HANGUL,   (HANGUL HANGUL HANGUL HANGUL)};
    static const char *const bad[] = {
        "",
        "a",
        "0123456789abcdefg",
        "a b",
        "a.b",
        "a\"b",
        "-ab",
        "caf\xc3\xa9",
        "\xd0\xb0\xd0\xb1", /* Cyrillic that looks like Latin */
        "\xed\x95\x9c",     /* one syllable */
        HANGUL HANGUL HANGUL HANGUL "\xed\x95\x9c",
        "a" HANGUL,
        HANGUL "1",
        "\xe6\xbc\xa2\xe6\xa5\x9a",
        "a\xe2\x80\x8b"
        "b",
        "\xff\xff",
    };
    char name[NAME_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        assert_true(utf8_name(name, good[i]));
        assert_string_equal(name, good[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_so(!utf8_name(name, bad[i]), "a name: '%s'", bad[i]);
        assert_string_equal(name, "");
    }
}

UNIT_TEST(reserved_names_are_refused_in_any_case)
{
    static const char *const kept[] = {"server", "SERVER", "Admin",  "red",
                                       "Blue",   "none",   "janggid"};
    char name[NAME_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        assert_false(utf8_name(name, kept[i]));
    assert_true(utf8_name(name, "servers"));
    assert_false(utf8_is_reserved_name("servers"));
    for (size_t i = 0; utf8_reserved_name(i) != NULL; i++)
        assert_true(utf8_is_reserved_name(utf8_reserved_name(i)));
}

/* utf8_name() accepts a name that looks like a reserved one, because old accounts may
 * have it. utf8_is_reserved_name() refuses it for new accounts. */
UNIT_TEST(a_name_like_a_reserved_one_is_refused)
{
    static const char *const kept[] = {
        "h0st",      "B1ue",    "adm1n", "Admin-Kim", "0wner",   "R00T",
        "m0derat0r", "mod",     "host_", "staff1",    "owner_",  "_server",
        "mod-2",     "5upport", "5taff", "adrnin7",   "host--9", "0perator_",
        "1staff",    "1admin",  "0_mod", "staffl",    "5erver1", "_5taff"};
    static const char *const free_names[] = {"hong", "red7", "hostess", "modern", "p5"};
    char name[NAME_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
        assert_true(utf8_is_reserved_name(kept[i]));
        assert_true(utf8_name(name, kept[i]));
    }
    for (size_t i = 0; i < ARRAY_LEN(free_names); i++)
        assert_false(utf8_is_reserved_name(free_names[i]));
    assert_true(utf8_is_staff_name("Root"));
    assert_true(utf8_is_staff_name("시스템"));
    assert_true(utf8_is_staff_name("관리자"));
    assert_false(utf8_is_staff_name("r00t"));
    assert_false(utf8_is_staff_name("admin"));
    assert_false(utf8_is_staff_name(""));
    utf8_look_of_name(name, "Il1O0-x5");
    assert_string_equal(name, "iiioo_xs");
    utf8_look_of_name(name, "cornerVVr");
    assert_string_equal(name, "comerwr");
}

UNIT_TEST(a_name_is_the_same_however_it_was_typed)
{
    char one[NAME_BYTES], other[NAME_BYTES];

    assert_true(utf8_name(one, HANGUL_APART));
    assert_string_equal(one, HANGUL);
    utf8_fold_name(one, "HoNG_9");
    utf8_fold_name(other, "hong_9");
    assert_string_equal(one, other);
    utf8_fold_name(one, HANGUL);
    assert_string_equal(one, HANGUL);
    utf8_fold_name(one, HANGUL_APART);
    assert_string_equal(one, HANGUL);
}

UNIT_TEST(an_invalid_name_folds_to_an_empty_text)
{
    char folded[NAME_BYTES], typed[1001];

    memset(typed, 'a', 1000);
    typed[1000] = '\0';
    utf8_fold_name(folded, typed);
    assert_string_equal(folded, "");
    utf8_fold_name(folded, "\xff");
    assert_string_equal(folded, "");
}

UNIT_TEST(a_name_too_long_by_far_is_refused)
{
    char name[NAME_BYTES], typed[1001];

    memset(typed, 'a', 1000);
    typed[1000] = '\0';
    assert_false(utf8_name(name, typed));
}

UNIT_TEST(a_log_shows_every_byte)
{
    char out[64];

    utf8_escape(out, sizeof out, "plain " HANGUL);
    assert_string_equal(out, "plain " HANGUL);
    utf8_escape(out, sizeof out, "a\nb\x1b[2J\x7f");
    assert_string_equal(out, "a\\x0ab\\x1b[2J\\x7f");
    utf8_escape(out, sizeof out, "\xff\xe2\x80\xae\\");
    assert_string_equal(out, "\\xff\\xe2\\x80\\xae\\x5c");
    utf8_escape(out, sizeof out, "\xe2\x82"); /* a character whose last byte is
                                               * missing */
    assert_string_equal(out, "\\xe2\\x82");
}

UNIT_TEST(an_escape_is_never_cut)
{
    char out[8];

    for (size_t size = 1; size <= sizeof out; size++) {
        utf8_escape(out, size, "\x01\x02\x03");
        assert_int_equal(strlen(out) % 4, 0);
        assert_true(strlen(out) < size);
        utf8_escape(out, size, HANGUL HANGUL);
        assert_int_equal(strlen(out) % 3, 0);
        assert_true(strlen(out) + 3 >= size - 1 || strlen(out) == 12);
    }
}

UNIT_MAIN(NULL, NULL)
