/* Tests of client/verb/complete: completion with Tab, including
 * names that a server has mentioned. */
#include "tests/unit/client/client_game.h"

#include "client/verb/complete.h"

static struct complete words;
static struct known known;

static bool offers(const char *word)
{
    for (int i = 0; i < words.count; i++)
        if (strcmp(words.word[i], word) == 0)
            return true;
    return false;
}

static void gather(const char *before, const char *word)
{
    complete_gather(&words, &verbs_of_client, &model, &known, before, word);
}

static void hear(const char *line)
{
    known_note(&known, parse_line(line));
}

MODEL_TEST(a_point_brings_its_legal_moves)
{
    feed_start("kim");
    gather("", "a3");
    assert_true(offers("a3b3"));
    assert_true(offers("a3a4"));
    assert_false(offers("a3a5"));
    assert_false(offers("board"));
    gather("", "A3");
    assert_true(offers("A3-B3"));
    gather("", "a3-");
    assert_true(offers("a3-b3"));
    gather("a3 ", "");
    assert_int_equal(words.count, 2);
    assert_true(offers("b3"));
    assert_true(offers("a4"));
    gather("legal ", "");
    assert_true(offers("a3"));
    assert_false(offers("a4"));
    gather("move ", "a");
    assert_true(offers("a3b3"));
}

MODEL_TEST(verbs_come_first)
{
    feed_verbs();
    gather("", "");
    assert_true(offers("seek"));
    assert_true(offers("match"));
    assert_true(offers("quit"));
    gather("help ", "re");
    assert_true(offers("resign"));
    gather("nonsense ", "");
    assert_int_equal(words.count, 0);
    gather("quit ", "");
    assert_int_equal(words.count, 0);
}

MODEL_TEST(mentioned_names_are_offered)
{
    memset(&known, 0, sizeof known);
    feed_start("kim");
    hear("! challenge 20 by=lee time=5m rules=martin side=any");
    known_note_row(&known, "game 3 red=park blue=choi rules=martin time=5m phase=play");
    known_note_row(&known, "seek 12 by=kim time=5m");
    known_note_row(&known, "player yun games=-");
    gather("match ", "");
    assert_true(offers("lee") && offers("park") && offers("choi") && offers("yun"));
    assert_true(offers("hong")); /* our opponent */
    assert_false(offers("kim")); /* our own name */
    assert_false(offers("blue"));
    gather("match lee ", "");
    assert_true(offers("blue"));
    assert_false(offers("lee"));
    gather("claim ", "");
    assert_true(offers("win") && offers("17"));
    gather("claim win ", "");
    assert_true(offers("17"));
    assert_false(offers("win"));
    gather("draw no ", "");
    assert_int_equal(words.count, 0);
    gather("watch ", "");
    assert_true(offers("3") && offers("17"));
    gather("accept ", "");
    assert_true(offers("20") && offers("12"));
    hear("! gone 20 why=withdrawn");
    gather("acc ", "");
    assert_false(offers("20"));
}

MODEL_TEST(settings_have_their_values)
{
    gather("set ", "");
    assert_true(offers("bell") && offers("title"));
    gather("set bell ", "");
    assert_int_equal(words.count, 2);
    assert_true(offers("on") && offers("off"));
    gather("set name ", "");
    assert_int_equal(words.count, 0);
}

/* Names that a server mentions are stored for completion, but not invalid ones, and
 * only a limited number. */
MODEL_TEST(invalid_mentions_are_ignored)
{
    char line[96];

    memset(&known, 0, sizeof known);
    hear("! say game=1 by=resign!;quit : x");
    hear("! say game=1 by=-rf : x");
    hear("! watcher game=99999999999999999999 name=a here=1");
    feed_verbs();
    gather("match ", "");
    assert_int_equal(known.names.count, 0);
    for (int i = 0; i < 1000; i++) {
        snprintf(line, sizeof line, "! challenge %d by=player%d game=%d", i, i, i);
        hear(line);
    }
    assert_int_equal(known.names.count, KNOWN_MAX);
    assert_int_equal(known.games.count, KNOWN_MAX);
    assert_int_equal(known.offers.count, KNOWN_MAX);
    gather("match ", "");
    assert_true(offers("player999"));
    assert_in_range(words.count, KNOWN_MAX, COMPLETE_MAX);
}

/* When a new offer comes and the list of offers is full, one old offer is dropped. This
 * is the offer that was not mentioned for the longest time. The order stays right when
 * an ended offer is removed from the list. */
MODEL_TEST(the_longest_unmentioned_is_forgotten)
{
    char line[64];

    memset(&known, 0, sizeof known);
    for (int i = 0; i < KNOWN_MAX; i++) {
        snprintf(line, sizeof line, "! seek %d by=kim time=5m", 100 + i);
        hear(line);
    }
    hear("! seek 100 by=kim time=5m");
    hear("! gone 105 why=taken");
    hear("! seek 200 by=kim time=5m");
    hear("! seek 201 by=kim time=5m");
    gather("accept ", "");
    assert_int_equal(known.offers.count, KNOWN_MAX);
    assert_true(offers("100"));
    assert_false(offers("101"));
    assert_true(offers("102"));
    assert_false(offers("105"));
    assert_true(offers("147"));
    assert_true(offers("201"));
}

UNIT_MAIN(NULL, NULL)
