/* Tests of client/tools/rules_words: the words of a line of "janggi rules". */
#include "client/tools/rules_words.h"

#include "tests/unit/unit.h"

UNIT_TEST(words_come_one_after_the_other)
{
    struct words words = {.word = NULL};

    words_add(&words, " why\tfig1  ");
    words_add(&words, "b0c2");
    assert_int_equal(words.count, 3);
    assert_string_equal(words_next(&words), "why");
    assert_string_equal(words_peek(&words), "fig1");
    assert_string_equal(words_next(&words), "fig1");
    assert_string_equal(words_next(&words), "b0c2");
    words_clear(&words);
}

/* The list may have room for more words, and what is there is not a word. */
UNIT_TEST(after_the_last_word_there_is_none)
{
    struct words words = {.word = NULL};
    char other[] = "other";

    words_add(&words, "pass");
    assert_true(words.room > 1);
    words.word[1] = other;
    assert_string_equal(words_next(&words), "pass");
    assert_null(words_peek(&words));
    assert_null(words_next(&words));
    assert_null(words_next(&words));
    words_clear(&words);
}

UNIT_MAIN(NULL, NULL)
