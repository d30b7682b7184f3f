/* Tests of our own record format: its content, that reading and writing preserve it,
 * and that each error is reported with its line. */
#include <stdlib.h>
#include <string.h>

#include "common/record/record.h"
#include "tests/unit/unit.h"

#define KEY "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE"

static const char whole[] = "janggi-record 1\n"
                            "server=" KEY " game=17 ended=2026-11-21T19:06:24Z\n"
                            "0 start red=hong blue=kim rules=martin time=10m+5s\n"
                            "1 setup red NBNB\n"
                            "2 setup blue NBBN\n"
                            "3 move 1 red A3-B3 red_ms=600000 blue_ms=600000\n"
                            "4 move 2 blue A6-B6 red_ms=600000 blue_ms=598000\n"
                            "5 takeback 1 red_ms=600000 blue_ms=600000\n"
                            "6 end blue resignation\n"
                            "key=MFkw\n"
                            "signature=QUJD\n";

static const char local[] = "janggi-record 1\n"
                            "0 start red=a blue=b rules=kja time=none\n"
                            "1 setup red BNNB\n";

static void read_ok(struct record *out, const char *text)
{
    char why[RECORD_WHY_BYTES] = "";

    assert_so(record_read(out, text, strlen(text), why), "%s", why);
}

static void comes_out_the_same(const char *text)
{
    struct record record;
    char *again;

    read_ok(&record, text);
    again = record_write(&record);
    assert_string_equal(again, text);
    free(again);
    record_clear(&record);
}

UNIT_TEST(records_come_out_as_they_went_in)
{
    comes_out_the_same(whole);
    comes_out_the_same(local);
}

UNIT_TEST(every_part_of_a_record_is_parsed)
{
    char why[RECORD_WHY_BYTES];
    struct record record;
    struct game game;

    read_ok(&record, whole);
    assert_string_equal(record.server, KEY);
    assert_int_equal(record.game, 17);
    assert_string_equal(record.ended, "2026-11-21T19:06:24Z");
    assert_int_equal(record.events, 7);
    assert_string_equal(record.event[1], "setup red NBNB");
    assert_string_equal(record.public_key, "MFkw");
    assert_string_equal(record.signature, "QUJD");
    assert_int_equal(record.signed_bytes, strlen(whole) - strlen("signature=QUJD\n"));
    game_init(&game);
    assert_true(record_fold(&record, &game, why));
    assert_int_equal(game.phase, GAME_OVER);
    assert_int_equal(game.plies, 1);
    game_clear(&game);
    record_clear(&record);
}

UNIT_TEST(an_unsigned_record_has_the_bytes_to_sign)
{
    struct record record;

    read_ok(&record, local);
    assert_int_equal(record.game, -1);
    assert_string_equal(record.server, "");
    assert_string_equal(record.signature, "");
    assert_int_equal(record.signed_bytes, strlen(local));
    record_clear(&record);
}

UNIT_TEST(a_record_is_made_of_events)
{
    struct record record;
    char *text;

    record_init(&record);
    record_add(&record, "start red=a blue=b rules=kja time=none");
    record_add_event(
        &record,
        &(struct event){.kind = EVENT_SETUP, .side = SIDE_RED, .lineup = LINEUP_BNNB});
    text = record_write(&record);
    assert_string_equal(text, local);
    free(text);
    record_clear(&record);
}

UNIT_TEST(additions_of_later_versions_are_skipped)
{
    static const char later[] = "janggi-record 1\n"
                                "event=Cup game=3 place=Seoul\n"
                                "0 start red=a blue=b rules=kja time=none colour=x\n"
                                "1 weather fine\n"
                                "2 setup red BNNB\n";
    char why[RECORD_WHY_BYTES];
    struct record record;
    struct game game;

    read_ok(&record, later);
    assert_int_equal(record.game, 3);
    assert_int_equal(record.events, 3);
    game_init(&game);
    assert_true(record_fold(&record, &game, why));
    assert_int_equal(game.events, 2);
    game_clear(&game);
    record_clear(&record);
}

/* --- What is wrong --- */

#define FIRST "janggi-record 1\n"
#define START "0 start red=a blue=b rules=martin time=none\n"
#define BEGUN FIRST START "1 setup red NBBN\n2 setup blue NBBN\n"

static const struct {
    const char *text;
    const char *why; /* the beginning of the message */
} wrong[] = {
    {"", "line 1: a record begins"},
    {"janggi-record 2\n", "line 1: a record begins"},
    {"janggi-record 1", "line 1: a record begins"},
    {"janggi-record 1\r\n" START, "line 1: a record begins"},
    {FIRST, "line 1: the record ends without any ev"},
    {FIRST "0 start red=a blue=b rules=martin time=none",
     "line 2: the file ends within"},
    {FIRST "0 start red=a blue=b rules=martin time=none\r\n",
     "line 2: the line ends with CR LF"},
    {FIRST "game=x\n" START, "line 2: game= is not a number"},
    {FIRST "game=-2\n" START, "line 2: game= is not a number"},
    {FIRST "server=abc\n" START, "line 2: server= is not a key"},
    {FIRST "ended=2026-13-21T19:06:24Z\n" START, "line 2: ended= is not a time"},
    {FIRST "ended=yesterday\n" START, "line 2: ended= is not a time"},
    {FIRST "ended=2026-11-21 19:06:24Z\n" START, "line 2: ended= is not a time"},
    {FIRST "ended=2026-11-2xT19:06:24Z\n" START, "line 2: ended= is not a time"},
    {FIRST "start red=a\n" START, "line 2: neither a word like game=17"},
    {FIRST "\n" START, "line 2: neither a word like game=17"},
    {FIRST "1 setup red NBBN\n", "line 2: expected event 0 here"},
    {FIRST "0\n", "line 2: the number of an event must be followed"},
    {FIRST "0 start red=a\n", "line 2: this is not an event"},
    {FIRST "0 setup red NBBN\n", "line 2: this event is not possible"},
    {FIRST START "2 setup red NBBN\n", "line 3: expected event 1 here"},
    {FIRST START "game=17\n", "line 3: expected event 1 or the key here"},
    {FIRST START "\n", "line 3: expected event 1 or the key here"},
    {BEGUN "3 move 1 red B0-D1\n",
     "line 5: B0-D1 is not legal: the bishop on C0 blocks the knight's step"},
    {BEGUN "3 move 1 blue A6-B6\n", "line 5: it is red's turn"},
    {BEGUN "3 move 2 red A3-B3\n", "line 5: the number of this ply must be 1"},
    {BEGUN "3 move 1 red A3-B3 red_ms=1 blue_ms=1\n",
     "line 5: the times of this event do not fit the times of the event"},
    {BEGUN "3 end red resignation\n4 end red resignation\n",
     "line 6: the game had ended before this event"},
    {BEGUN "key=M\nsignature=QUJD\n\n", "line 7: nothing may follow the signature"},
    {BEGUN "key=M\nsignature=Q U\n", "line 6: this is not base64url"},
    {BEGUN "key=M\nsignature=\n", "line 6: this is not base64url"},
    {BEGUN "key=\nsignature=Q\n", "line 5: this is not base64url"},
    {BEGUN "key=M\n3 end none aborted\n", "line 6: expected the signature here"},
    {BEGUN "key=M\n", "line 6: expected the signature here"},
    {BEGUN "key=M\nsignature=Q\r\n", "line 6: the line ends with CR LF"},
    {BEGUN "signature=QUJD\n", "line 5: expected event 3 or the key here"},
};

UNIT_TEST(an_error_is_reported_with_its_line)
{
    struct record record, before;

    memset(&record, 7, sizeof record);
    before = record;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        char why[RECORD_WHY_BYTES] = "";

        if (record_read(&record, wrong[i].text, strlen(wrong[i].text), why))
            fail_msg("taken: %s", wrong[i].text);
        assert_so(strncmp(why, wrong[i].why, strlen(wrong[i].why)) == 0,
                  "\"%s\" and not \"%s\" is said of: %s", why, wrong[i].why,
                  wrong[i].text);
        assert_memory_equal(&record, &before, sizeof before);
    }
}

UNIT_TEST(a_nul_byte_does_not_end_a_text)
{
    static const char text[] = FIRST "0 start red=a blue=b\0 rules=martin time=none\n";
    char why[RECORD_WHY_BYTES];
    struct record record;

    assert_false(record_read(&record, text, sizeof text - 1, why));
    assert_string_equal(why, "line 2: there is a NUL byte in the line");
}

/* If a record is cut within a line, the record is invalid. If a record is cut after a
 * whole line, the record is valid, but its game may be unfinished. Two exceptions are
 * invalid: a record without any event, and a record with a key but without a
 * signature. */
UNIT_TEST(a_cut_record_is_noticed)
{
    for (size_t len = strlen(FIRST) + 1; len < strlen(whole); len++) {
        char why[RECORD_WHY_BYTES];
        struct record record;
        bool is_line = whole[len - 1] == '\n';

        if (record_read(&record, whole, len, why)) {
            assert_true(is_line);
            record_clear(&record);
        } else {
            assert_true(!is_line || strstr(why, "without any event") != NULL ||
                        strstr(why, "expected the signature here") != NULL);
        }
    }
}

UNIT_MAIN(NULL, NULL)
