/* Tests of common/base/translate, client/base/catalogue and client/base/language:
 * look-ups, the choice of the language from the environment, and damaged files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/catalogue.h"
#include "client/base/language.h"
#include "common/base/translate.h"
#include "tests/unit/unit.h"

/* --- A catalogue as msgfmt makes it --- */

struct entry {
    const char *original; /* singular and plural, if there are both, with a NUL between
                           * them */
    size_t len;
    const char *translation;
};
#define ENTRY(original, translation)                                                   \
    {                                                                                  \
        original, sizeof(original) - 1, translation                                    \
    }

/* The entries are sorted by bytes, as in a file of msgfmt. */
static const struct entry entries[] = {
    ENTRY("", "Plural-Forms: nplurals=1; plural=0;\n"),
    ENTRY("%d move\0%d moves", "%d수"),
    ENTRY("empty", ""),
    ENTRY("pawn", "졸"),
    ENTRY("red\004pawn", "병"),
};

static char path[] = "/tmp/janggi-language-XXXXXX";
static unsigned char file[1024];
static size_t file_size;

static void put_number(size_t at, size_t number)
{
    uint32_t value = (uint32_t)number;

    memcpy(file + at, &value, sizeof value);
}

static void put_text(size_t table, size_t i, const char *text, size_t len)
{
    put_number(table + i * 8, len);
    put_number(table + i * 8 + 4, file_size);
    memcpy(file + file_size, text, len + 1);
    file_size += len + 1;
}

static void make_file(const char *about)
{
    size_t count = ARRAY_LEN(entries), translations = 28 + count * 8;

    memset(file, 0, sizeof file);
    put_number(0, 0x950412de);
    put_number(8, count);
    put_number(12, 28);
    put_number(16, translations);
    file_size = translations + count * 8;
    for (size_t i = 0; i < count; i++) {
        const char *translation = i == 0 ? about : entries[i].translation;

        put_text(28, i, entries[i].original, entries[i].len);
        put_text(translations, i, translation, strlen(translation));
    }
}

static struct catalogue *open_first(size_t size)
{
    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(file, 1, size, out), size);
    fclose(out);
    return catalogue_open(path);
}

UNIT_TEST(an_existing_message_is_found)
{
    struct catalogue *catalogue;

    make_file(entries[0].translation);
    catalogue = open_first(file_size);
    assert_non_null(catalogue);
    assert_string_equal(catalogue_find(catalogue, "pawn"), "졸");
    assert_string_equal(catalogue_find(catalogue, "red\004pawn"), "병");
    assert_string_equal(catalogue_find(catalogue, "%d move"), "%d수");
    assert_null(catalogue_find(catalogue, "%d moves"));
    assert_null(catalogue_find(catalogue, "king"));
    assert_null(catalogue_find(catalogue, "zebra"));
    catalogue_close(catalogue);
}

UNIT_TEST(a_language_with_more_plurals_is_refused)
{
    make_file("Plural-Forms: nplurals=2; plural=(n != 1);\n");
    assert_null(open_first(file_size));
    assert_null(catalogue_open("/nonexistent/janggi.mo"));
}

UNIT_TEST(a_torn_file_is_refused)
{
    make_file(entries[0].translation);
    for (size_t size = 0; size < file_size; size++)
        assert_null(open_first(size));
}

/* Sets each number of the header and of the tables to wrong values. If the file can
 * still be opened, searches it, so that a sanitizer reports any read outside the
 * file. */
UNIT_TEST(wrong_numbers_in_a_catalogue_do_no_harm)
{
    static const uint32_t lies[] = {1, 27, 0x7fffffff, 0xfffffff8, 0xffffffff};
    size_t tables = 28 + 2 * ARRAY_LEN(entries) * 8;

    for (size_t at = 0; at < tables; at += 4)
        for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
            struct catalogue *catalogue;

            make_file(entries[0].translation);
            put_number(at, lies[i]);
            catalogue = open_first(file_size);
            if (catalogue != NULL) {
                const char *found = catalogue_find(catalogue, "pawn");

                assert_true(found == NULL || strlen(found) < sizeof file);
            }
            catalogue_close(catalogue);
        }
}

/* --- Words --- */

static const char *find_pawn(const char *key)
{
    if (strcmp(key, "red\004pawn") == 0)
        return "병";
    return strcmp(key, "pawn") == 0 || strcmp(key, "%d pawn") == 0 ? "졸" : NULL;
}

UNIT_TEST(words_are_translated_while_there_is_a_translation)
{
    translate_by(find_pawn);
    assert_string_equal(_("pawn"), "졸");
    assert_string_equal(C_("red", "pawn"), "병");
    assert_string_equal(C_("blue", "pawn"), "pawn");
    assert_string_equal(translate_count("%d pawn", "%d pawns", 2), "졸");
    assert_string_equal(translate_count("%d rook", "%d rooks", 2), "%d rooks");
    translate_by(NULL);
    assert_string_equal(_("pawn"), "pawn");
    assert_string_equal(translate_count("%d pawn", "%d pawns", 1), "%d pawn");
}

/* --- Which language --- */

static enum language asked(const char *language, const char *all, const char *messages,
                           const char *lang)
{
    setenv("LANGUAGE", language, 1);
    setenv("LC_ALL", all, 1);
    setenv("LC_MESSAGES", messages, 1);
    setenv("LANG", lang, 1);
    return language_of_environment();
}

UNIT_TEST(the_environment_chooses_as_gettext_does)
{
    assert_int_equal(asked("", "", "", ""), LANGUAGE_ENGLISH);
    assert_int_equal(asked("", "", "", "ko_KR.UTF-8"), LANGUAGE_KOREAN);
    assert_int_equal(asked("", "", "", "ko"), LANGUAGE_KOREAN);
    assert_int_equal(asked("", "", "", "ko_KR.utf8@x"), LANGUAGE_KOREAN);
    assert_int_equal(asked("", "", "", "kok_IN.UTF-8"), LANGUAGE_ENGLISH);
    assert_int_equal(asked("", "", "", "ko_KR.eucKR"), LANGUAGE_ENGLISH);
    assert_int_equal(asked("", "", "ko_KR.UTF-8", "en_GB.UTF-8"), LANGUAGE_KOREAN);
    assert_int_equal(asked("", "en_GB.UTF-8", "ko_KR.UTF-8", ""), LANGUAGE_ENGLISH);
    assert_int_equal(asked("ko", "", "", "C.UTF-8"), LANGUAGE_KOREAN);
    assert_int_equal(asked("fr:ko:en", "", "", "en_GB.UTF-8"), LANGUAGE_KOREAN);
    assert_int_equal(asked("en:ko", "", "", "ko_KR.UTF-8"), LANGUAGE_ENGLISH);
    assert_int_equal(asked("ko", "C", "", "ko_KR.UTF-8"), LANGUAGE_ENGLISH);
    assert_int_equal(asked("ko", "", "", "POSIX"), LANGUAGE_ENGLISH);
    assert_int_equal(asked("fr::", "", "", "de_DE.UTF-8"), LANGUAGE_ENGLISH);
}

UNIT_TEST(words_for_languages_are_read)
{
    enum language language = LANGUAGE_ENGLISH;

    assert_true(language_parse("ko", &language));
    assert_int_equal(language, LANGUAGE_KOREAN);
    assert_true(language_parse("auto", &language));
    assert_int_equal(language, LANGUAGE_AUTO);
    assert_false(language_parse("korean", &language));
    assert_false(language_parse("", &language));
}

int main(void)
{
    int fd = mkstemp(path), failed;

    if (fd < 0)
        return 1;
    close(fd);
    failed = unit_run(NULL, NULL);
    unlink(path);
    return failed;
}
