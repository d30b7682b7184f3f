/* Tests of the grammar of lines, from a client and from a server. */
#include <string.h>

#include "common/base/text.h"
#include "common/net/proto.h"
#include "tests/unit/unit.h"

/* Static buffers for a line and its copy, so that a sanitizer detects a read past their
 * end. */
static char room[PROTO_LINE_MAX + 1], typed[PROTO_LINE_MAX + 1];

static struct proto_command command_of(const char *line)
{
    struct proto_command command;

    assert_true(text_copy(room, sizeof room, line));
    assert_true(proto_parse_command(room, typed, sizeof typed, &command));
    return command;
}

static bool is_refused(const char *line)
{
    struct proto_command command;

    assert_true(text_copy(room, sizeof room, line));
    return !proto_parse_command(room, typed, sizeof typed, &command);
}

static struct proto_line line_of(const char *text)
{
    struct proto_line line;

    assert_true(text_copy(room, sizeof room, text));
    proto_parse_line(room, &line);
    return line;
}

/* --- What a client sends --- */

UNIT_TEST(a_command_is_cut_into_words)
{
    struct proto_command command = command_of("seek time=10m+5s rules=martin");

    assert_string_equal(command.tag, "");
    assert_int_equal(command.words, 3);
    assert_string_equal(command.word[0], "seek");
    assert_string_equal(command.word[2], "rules=martin");
    assert_string_equal(command.word[1], "time=10m+5s");
}

UNIT_TEST(several_spaces_are_one)
{
    struct proto_command command = command_of("  accept    12  ");

    assert_int_equal(command.words, 2);
    assert_string_equal(command.word[0], "accept");
    assert_string_equal(command.word[1], "12");
}

UNIT_TEST(an_empty_line_has_no_words)
{
    assert_int_equal(command_of("").words, 0);
    assert_int_equal(command_of("   ").words, 0);
    assert_string_equal(command_of("").rest, "");
}

UNIT_TEST(a_tag_comes_off_the_front)
{
    struct proto_command command = command_of("#7 ping");

    assert_string_equal(command.tag, "#7");
    assert_int_equal(command.words, 1);
    assert_string_equal(command.word[0], "ping");
    assert_string_equal(command_of("#aZ_-0123456789a ping").tag, "#aZ_-0123456789a");
    assert_int_equal(command_of("#7").words, 0);
}

UNIT_TEST(an_invalid_tag_is_refused)
{
    assert_true(is_refused("# ping"));
    assert_true(is_refused("#"));
    assert_true(is_refused("#0123456789abcdef ping")); /* 16 characters are too many */
    assert_true(is_refused("#a.b ping"));
    assert_true(is_refused("##7 ping"));
    assert_true(is_refused("#\xed\x95\x9c ping"));
}

UNIT_TEST(a_word_with_a_hash_inside_is_a_word)
{
    assert_string_equal(command_of("say #7 is mine").word[1], "#7");
}

UNIT_TEST(the_rest_is_kept_as_typed)
{
    struct proto_command command = command_of(" #7 say  well   played =) ");

    assert_string_equal(command.rest, "well   played =) ");
    assert_string_equal(typed, "#7 say  well   played =) ");
    assert_string_equal(command_of("ping").rest, "");
    assert_string_equal(command_of("ping ").rest, "");
}

UNIT_TEST(a_long_text_is_no_fault)
{
    char text[PROTO_LINE_MAX + 1];
    struct text line = text_into(text, sizeof text);
    struct proto_command command;

    text_add(&line, "say");
    for (int i = 1; i < 100; i++)
        text_addf(&line, " w%d", i);
    command = command_of(text);
    assert_int_equal(command.words, PROTO_WORDS_MAX);
    assert_string_equal(command.rest, text + 4);
    assert_int_equal(strncmp(command.word[PROTO_WORDS_MAX - 1], "w47 w48 ", 8), 0);
}

UNIT_TEST(a_room_too_small_is_refused)
{
    struct proto_command command;
    char line[] = "say hello", small[9];

    assert_false(proto_parse_command(line, small, sizeof small, &command));
}

UNIT_TEST(a_typed_move_is_left_as_it_is)
{
    struct proto_command command = command_of("nB0 C2");

    assert_string_equal(command.word[0], "nB0");
    assert_string_equal(typed, "nB0 C2");
}

/* --- What a server sends --- */

UNIT_TEST(an_answer_has_its_mark_words_and_values)
{
    struct proto_line line = line_of("#7 OK move game=3 ply=-1 move=B0-C2");

    assert_string_equal(line.tag, "#7");
    assert_int_equal(line.mark, PROTO_OK);
    assert_int_equal(line.words, 4);
    assert_string_equal(line.word[0], "move");
    assert_string_equal(proto_line_value(&line, "move"), "B0-C2");
    assert_int_equal(proto_line_number(&line, "game", 0), 3);
    assert_int_equal(proto_line_number(&line, "ply", 0), -1);
    assert_int_equal(proto_line_number(&line, "move", 77), 77);
    assert_int_equal(proto_line_number(&line, "games", 78), 78);
    assert_null(proto_line_value(&line, "pl"));
    assert_string_equal(line.human, "");
}

UNIT_TEST(a_refusal_has_words_for_people)
{
    struct proto_line line =
        line_of("ERR illegal why=leg-blocked at=C0 : the bishop : on C0");

    assert_int_equal(line.mark, PROTO_ERR);
    assert_int_equal(line.words, 3);
    assert_string_equal(line.human, "the bishop : on C0");
    assert_string_equal(proto_line_value(&line, "at"), "C0");
}

UNIT_TEST(quotes_come_off_values)
{
    struct proto_line line = line_of(
        "* janggi/1 server=\"Minho's : board\" rules=martin,kja empty=\"\" : welcome");

    assert_int_equal(line.mark, PROTO_GREETING);
    assert_int_equal(line.words, 4);
    assert_string_equal(line.word[0], "janggi/1");
    assert_string_equal(proto_line_value(&line, "server"), "Minho's : board");
    assert_string_equal(proto_line_value(&line, "rules"), "martin,kja");
    assert_string_equal(proto_line_value(&line, "empty"), "");
    assert_string_equal(line.human, "welcome");
    line = line_of("! game 3 0 start red=hong blue=kim position=\"a b c\"");
    assert_int_equal(line.mark, PROTO_NEWS);
    assert_int_equal(line.words, 7);
    assert_string_equal(proto_line_value(&line, "position"), "a b c");
}

UNIT_TEST(quotes_elsewhere_are_only_characters)
{
    struct proto_line line = line_of("OK x \"a b=c\"d e=f=\"g");

    assert_int_equal(line.mark, PROTO_OK);
    assert_int_equal(line.words, 4);
    assert_string_equal(line.word[1], "\"a");
    assert_string_equal(proto_line_value(&line, "b"), "c\"d");
    assert_string_equal(proto_line_value(&line, "e"), "f=\"g");
}

UNIT_TEST(a_text_line_is_kept_exactly)
{
    struct proto_line line = line_of("|   9 [r][n]   :  x=\"");

    assert_int_equal(line.mark, PROTO_TEXT);
    assert_int_equal(line.words, 0);
    assert_string_equal(line.human, "  9 [r][n]   :  x=\"");
    assert_string_equal(line_of("|").human, "");
    assert_string_equal(line_of("| ").human, "");
    assert_int_equal(line_of("|").mark, PROTO_TEXT);
}

UNIT_TEST(the_human_part_may_stand_alone_or_be_empty)
{
    assert_string_equal(line_of("! notice : back : at six").human, "back : at six");
    assert_string_equal(line_of("! say game=3 by=hong :").human, "");
    assert_string_equal(line_of("! say game=3 by=hong :   x ").human, "  x ");
    assert_int_equal(line_of("OK at=:x y:").words, 2);
}

UNIT_TEST(an_unreadable_line_is_strange)
{
    static const char *const lines[] = {
        "",         "OKAY x",      "ok x",       " OK x",  "hello",   "|x",
        "!game 3",  "#7 ! game",   "#7 | x",     "#7 * x", "# OK x",  "#7",
        "OK a=\"b", "OK a=\"b\"c", "OK a=\"b c", "? x",    "#7 #8 OK"};

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct proto_line line = line_of(lines[i]);

        if (line.mark != PROTO_STRANGE)
            print_error("read as mark %d: %s\n", (int)line.mark, lines[i]);
        assert_int_equal(line.mark, PROTO_STRANGE);
        assert_int_equal(line.words, 0);
        assert_string_equal(line.human, "");
    }
}

UNIT_TEST(more_words_than_fit_are_strange)
{
    char text[PROTO_LINE_MAX + 1];
    struct text line = text_into(text, sizeof text);

    text_add(&line, "OK");
    for (int i = 0; i < PROTO_WORDS_MAX; i++)
        text_addf(&line, " w%d", i);
    assert_int_equal(line_of(text).words, PROTO_WORDS_MAX);
    text_add(&line, " : words for people do not count");
    assert_int_equal(line_of(text).mark, PROTO_OK);
    text_into(text, sizeof text);
    line = text_into(text, sizeof text);
    text_add(&line, "OK");
    for (int i = 0; i <= PROTO_WORDS_MAX; i++)
        text_addf(&line, " w%d", i);
    assert_int_equal(line_of(text).mark, PROTO_STRANGE);
}

/* Damages one byte of a valid line, or ends the line early. The parser must not read
 * outside the line; a sanitizer would report this. The words that the parser finds must
 * lie within the line. */
UNIT_TEST(damaged_lines_do_no_harm)
{
    static const char good[] = "#7 OK x a=\"b : c\" d=e \"f\" : g \"h\"";
    static const char bytes[] = " \"=:#|!*O";

    for (size_t at = 0; at < sizeof good; at++)
        for (size_t with = 0; with < sizeof bytes; with++) {
            char text[sizeof good];
            struct proto_line line;

            memcpy(text, good, sizeof good);
            text[at] = bytes[with]; /* the last byte of bytes[] is NUL, which ends the
                                     * line early */
            text[sizeof good - 1] = '\0';
            proto_parse_line(text, &line);
            for (int i = 0; i < line.words; i++)
                assert_true(line.word[i] >= text && line.word[i] < text + sizeof text);
        }
}

UNIT_TEST(every_reply_has_its_code)
{
    assert_string_equal(reply_code(REPLY_OK), "ok");
    assert_string_equal(reply_code(REPLY_NOT_NOW), "not-now");
    assert_string_equal(reply_code(REPLY_SLOW_DOWN), "slow-down");
    assert_string_equal(reply_code(REPLY_NO_SUCH), "no-such");
    assert_string_equal(reply_code(REPLY_STALE), "stale");
    assert_string_equal(reply_code(REPLY_LIMIT), "limit");
}

UNIT_MAIN(NULL, NULL)
