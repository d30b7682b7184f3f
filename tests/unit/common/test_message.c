/* Tests of common/words/message. */
#include <stdio.h>
#include <string.h>

#include "common/base/translate.h"
#include "common/words/message.h"
#include "tests/unit/unit.h"

static const char *value_of(const void *of, const char *key)
{
    const char *const *values = of;

    for (int i = 0; values[i] != NULL; i += 2)
        if (strcmp(values[i], key) == 0)
            return values[i + 1];
    return NULL;
}

static void check_filled(const char *words, const char *key, const char *value,
                         const char *wanted)
{
    const char *const pairs[] = {key, value, NULL};
    struct message_values values = {pairs, value_of, NULL};
    char filled[128];
    struct text text = text_into(filled, sizeof filled);

    assert_true(message_fill(&text, words, &values));
    assert_string_equal(filled, wanted);
}

UNIT_TEST(values_are_filled_in)
{
    const char *const none[] = {NULL};
    struct message_values values = {none, value_of, NULL};
    char filled[128];
    struct text text = text_into(filled, sizeof filled);

    check_filled("no value", "name", "kim", "no value");
    check_filled("{name} and {name}", "name", "kim", "kim and kim");
    check_filled("in {left_ms} s", "left_ms", "1001", "in 2 s");
    check_filled("{left_ms}", "left_ms", "soon", "soon");
    text_add(&text, "-- ");
    assert_false(message_fill(&text, "for {name}", &values));
    assert_string_equal(filled, "-- ");
}

UNIT_TEST(words_are_chosen_by_conditions)
{
    static const char *const words =
        "[state=over?over|left>1?{left} left|left?last|none]";

    check_filled(words, "state", "over", "over");
    check_filled(words, "state", "open", "none");
    check_filled(words, "left", "2", "2 left");
    check_filled(words, "left", "1", "last");
    check_filled(words, "left", "", "none");
    check_filled("a[state=over&left?b] c", "state", "over", "a c");
    check_filled("{left} [left?{left#day|days}|none]", "left", "1", "1 day");
    check_filled("{left} [left?{left#day|days}|none]", "left", "7", "7 days");
}

UNIT_TEST(values_fill_columns)
{
    check_filled("{name:6}|", "name", "kim", "kim   |");
    check_filled("{name:-6}|", "name", "한", "    한|");
    check_filled("{name:2}|", "name", "kim", "kim|");
}

UNIT_TEST(a_sentence_is_found_by_its_condition)
{
    static const struct message sentences[] = {
        {"seek?by=kim", "yours"}, {"seek?by", "of {by}"}, {"seek", ""}, {"see", "no"}};
    const char *pairs[] = {"by", "lee", NULL};
    struct message_values values = {pairs, value_of, NULL};
    size_t count = ARRAY_LEN(sentences);

    assert_string_equal(message_choose(sentences, count, "seek", &values), "of {by}");
    pairs[1] = "kim";
    assert_string_equal(message_choose(sentences, count, "seek", &values), "yours");
    pairs[0] = "to";
    assert_string_equal(message_choose(sentences, count, "seek", &values), "");
    assert_null(message_choose(sentences, count, "seeks", &values));
    assert_null(message_choose(sentences, count, "seek?by", &values));
}

UNIT_TEST(korean_particles_fit_the_value)
{
    check_filled("{name}이(가)", "name", "철수", "철수가");
    check_filled("{name}이(가)", "name", "길동", "길동이");
    check_filled("{name}을(를) 봅니다", "name", "kim", "kim을 봅니다");
    check_filled("{name}은(는)", "name", "lee", "lee는");
    check_filled("{name}와(과)", "name", "한", "한과");
    check_filled("{game}(으)로", "game", "1", "1로");
    check_filled("{game}(으)로", "game", "3", "3으로");
    check_filled("{game}(으)로", "game", "2", "2로");
    check_filled("{name}(으)로", "name", "물", "물로");
    check_filled("{name} 이(가)", "name", "한", "한 이(가)");
}

/* Takes the place of a catalogue that translates every text. */
static const char *mark_text(const char *key)
{
    static char marked[512];

    snprintf(marked, sizeof marked, "~%s", key);
    return marked;
}

/* wanted NULL: the words of the server are shown. */
static void check_said(const char *code, const char *why, const char *human,
                       const char *wanted)
{
    const char *const pairs[] = {"game", "3",   "name", "kim", "words",
                                 human,  "why", why,    NULL};
    struct message_values values = {pairs, value_of, NULL};
    char said[128];
    struct text text = text_into(said, sizeof said);
    bool is_said = message_say(&text, code, human, &values);

    assert_int_equal(is_said, wanted != NULL);
    assert_string_equal(said, wanted != NULL ? wanted : "");
}

UNIT_TEST(sentences_with_one_reason_are_told_apart)
{
    translate_by(mark_text);
    check_said("not-now", "away", "kim is not here", "~kim is not here");
    check_said("not-now", "away", "kim has left game 3; challenge asks again",
               "~kim has left game 3; challenge asks again");
    check_said("not-now", "away", "of a later server", "~kim is not here");
    check_said("not-now", "present", "", "~kim is here");
    check_said("limit", "later", "of a later server",
               "~a limit is reached; \"limits\" lists them");
    check_said("not-now", "later", "of a later server", NULL);
    check_said("not-now", "offered", "without its values", NULL);
    translate_by(NULL);
}

UNIT_TEST(english_is_shown_as_it_was_sent)
{
    check_said("not-now", "away", "kim is not here", NULL);
    check_said("not-now", "away", "of a later server", NULL);
    check_said("not-now", "away", "", "kim is not here");
    check_said("bye", "kicked", "noise", "the host has disconnected you: noise");
    check_said("notice", "later", "hello", "the host says: hello");
}

UNIT_MAIN(NULL, NULL)
