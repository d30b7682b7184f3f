/* Tests of marks. Marks are settings of players; for example, a mark says that its
 * owner ignores another player. Marks are stored with their owner, are limited in
 * number, and are removed with the owner's name. */
#include "tests/unit/account/accounts_fixture.h"

#include "server/account/marks.h"

static struct marks *marks;

static void open_more(void)
{
    marks = accounts_marks(accounts);
}

static void close_more(void)
{
}

static bool put(const char *owner, enum mark_kind kind, const char *subject,
                const char *value)
{
    return marks_put(marks, owner, kind, subject, value);
}

#define MARKS_TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

MARKS_TEST(a_mark_is_kept_by_owner_kind_and_subject)
{
    assert_true(put("hong", MARK_IGNORE, "park", ""));
    assert_true(put("hong", MARK_QUIET, "", "on"));
    assert_true(put("hong", MARK_QUIET, "", "off"));
    restart();
    assert_string_equal(marks_find(marks, "hong", MARK_QUIET, ""), "off");
    assert_non_null(marks_find(marks, "hong", MARK_IGNORE, "park"));
    assert_null(marks_find(marks, "hong", MARK_BLOCK, "park"));
    assert_null(marks_find(marks, "hong", MARK_IGNORE, "kim"));
    assert_null(marks_find(marks, "kim", MARK_IGNORE, "park"));
}

MARKS_TEST(ignored_and_blocked_are_avoided)
{
    assert_true(put("hong", MARK_IGNORE, "park", ""));
    assert_true(put("hong", MARK_BLOCK, "kim", ""));
    assert_true(put("hong", MARK_FOLLOW, "lee", ""));
    assert_true(marks_avoid(marks, "hong", "park"));
    assert_true(marks_avoid(marks, "hong", "kim"));
    assert_false(marks_avoid(marks, "hong", "lee"));
    assert_false(marks_avoid(marks, "park", "hong"));
}

MARKS_TEST(a_dropped_mark_stays_dropped)
{
    assert_true(put("hong", MARK_IGNORE, "park", ""));
    assert_true(put("hong", MARK_BLOCK, "park", ""));
    assert_true(marks_drop(marks, "hong", MARK_IGNORE, "park"));
    assert_false(marks_drop(marks, "hong", MARK_IGNORE, "park"));
    restart();
    assert_null(marks_find(marks, "hong", MARK_IGNORE, "park"));
    assert_non_null(marks_find(marks, "hong", MARK_BLOCK, "park"));
}

MARKS_TEST(who_follows_somebody_is_found_until_the_mark_is_dropped)
{
    for (int times = 0; times < 2; times++) {
        assert_null(marks_about(marks, MARK_FOLLOW, "park"));
        assert_true(put("hong", MARK_FOLLOW, "park", ""));
        assert_string_equal(marks_about(marks, MARK_FOLLOW, "park")->owner, "hong");
        assert_true(marks_drop(marks, "hong", MARK_FOLLOW, "park"));
    }
}

MARKS_TEST(an_owner_has_two_hundred_of_a_kind_and_the_server_any_number)
{
    char subject[16];

    for (int i = 0; i < MARKS_MAX; i++) {
        snprintf(subject, sizeof subject, "n%d", i);
        assert_true(put("hong", MARK_IGNORE, subject, ""));
        assert_true(put("", MARK_SECRET, subject, ""));
    }
    assert_false(put("hong", MARK_IGNORE, "one more", ""));
    assert_true(put("hong", MARK_IGNORE, "n7", "again"));
    assert_true(put("hong", MARK_BLOCK, "n7", ""));
    assert_true(put("hong", MARK_QUIET, "", "on"));
    assert_true(put("hong", MARK_LET, "3 park", ""));
    assert_true(put("kim", MARK_BLOCK, "n0", ""));
    assert_true(put("", MARK_SECRET, "one more", ""));
    assert_true(marks_drop(marks, "hong", MARK_IGNORE, "n0"));
    assert_true(put("hong", MARK_IGNORE, "one more", ""));
}

/* A mark MARK_LET admits a person to one private game. The marks of ended games must
 * neither use up the limits of other kinds of marks, nor prevent marks for the next
 * game. */
MARKS_TEST(guests_of_old_games_make_room)
{
    char subject[32];

    for (int game = 9; game <= 11; game++)
        for (int i = 0; i < MARKS_MAX; i++) {
            snprintf(subject, sizeof subject, "%d n%d", game, i);
            assert_true(put("hong", MARK_LET, subject, ""));
        }
    assert_false(put("hong", MARK_LET, "11 park", ""));
    assert_int_equal(marks_count(marks, "hong", MARK_LET), LETS_MAX);
    assert_null(marks_find(marks, "hong", MARK_LET, "9 n199"));
    assert_non_null(marks_find(marks, "hong", MARK_LET, "10 n0"));
    assert_true(put("hong", MARK_LET, "12 park", ""));
    assert_int_equal(marks_count(marks, "hong", MARK_LET), LETS_MAX);
    assert_non_null(marks_find(marks, "hong", MARK_LET, "12 park"));
    assert_non_null(marks_find(marks, "hong", MARK_LET, "11 n0"));
    restart();
    assert_int_equal(marks_count(marks, "hong", MARK_LET), LETS_MAX);
    assert_true(put("hong", MARK_IGNORE, "park", ""));
}

MARKS_TEST(too_long_a_text_is_refused)
{
    char words[MARK_TEXT_BYTES + 1];

    memset(words, 'x', MARK_TEXT_BYTES);
    words[MARK_TEXT_BYTES] = '\0';
    assert_false(put("hong", MARK_LET, words, ""));
    assert_false(put("hong", MARK_LET, "17 park", words));
    words[MARK_TEXT_BYTES - 1] = '\0';
    assert_true(put("hong", MARK_LET, words, words));
}

MARKS_TEST(a_new_owner_has_no_marks_of_the_old_one)
{
    assert_true(put("hong", MARK_IGNORE, "park", ""));
    assert_true(put("kim", MARK_IGNORE, "park", ""));
    marks_forget(marks, "hong");
    assert_null(marks_find(marks, "hong", MARK_IGNORE, "park"));
    assert_null(marks_of(marks, "hong"));
    assert_non_null(marks_of(marks, "kim"));
}

UNIT_MAIN(NULL, NULL)
