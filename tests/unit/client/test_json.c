/* Tests of client/view/json: the output for scripts, byte for byte. No bytes from a
 * server can break a line. Every line is parsed again with jansson. */
#include "tests/unit/client/client_game.h"

#include <jansson.h>

#include "client/view/facts.h"
#include "client/view/json.h"
#include "client/view/model.h"

static char object[JSON_BYTES];
static struct facts facts;

static struct text *fresh(void)
{
    static struct text text;

    text = text_into(object, sizeof object);
    return &text;
}

/* Returns the object that was written, which must be one complete line. The caller
 * frees it. */
static json_t *read_back(void)
{
    json_error_t error;
    json_t *read = json_loads(object, JSON_REJECT_DUPLICATES, &error);

    assert_so(read != NULL, "%s: %s", error.text, object);
    assert_int_equal(strcspn(object, "\n"), strlen(object) - 1);
    return read;
}

static void say(struct said said)
{
    json_said(fresh(), &said);
}

static void check_event(const char *line, const char *wanted)
{
    feed_facts(&facts, line);
    json_manner.event(fresh(), NULL, &facts);
    assert_string_equal(object, wanted);
    json_decref(read_back());
}

MODEL_TEST(events_have_their_fields)
{
    snprintf(model.name, sizeof model.name, "hong");
    check_event("! game 17 0 start red=kim blue=hong rules=kja time=20m+3x40s",
                "{\"t\":\"start\",\"game\":17,\"event\":0,\"red\":\"kim\",\"blue\":"
                "\"hong\",\"rules\":\"kja\",\"time\":\"20m+3x40s\",\"you\":\"blue\","
                "\"clock\":{\"blue\":1200000,\"red\":1200000},\"periods\":{\"blue\":3,"
                "\"red\":3},\"turn\":\"red\"}\n");
    model_clear(&model);
    check_event("! game 1 0 start red=kim blue=hong rules=kja time=none "
                "position=\"4k4/9/9/R8/9/9/9/8r/9/5K2N r - 0 0 1\"",
                "{\"t\":\"start\",\"game\":1,\"event\":0,\"red\":\"kim\",\"blue\":"
                "\"hong\",\"rules\":\"kja\",\"time\":\"none\",\"turn\":\"red\"}\n");
    check_event("! game 1 1 move 1 red A6-A9",
                "{\"t\":\"move\",\"game\":1,\"event\":1,\"ply\":1,\"by\":\"red\","
                "\"move\":\"A6-A9\",\"piece\":\"rook\",\"check\":\"piece\",\"turn\":"
                "\"blue\"}\n");
    check_event("! game 1 2 takeback 0",
                "{\"t\":\"takeback\",\"game\":1,\"event\":2,\"ply\":0,\"turn\":\"red\"}"
                "\n");
    check_event("! game 1 3 move 1 red pass",
                "{\"t\":\"move\",\"game\":1,\"event\":3,\"ply\":1,\"by\":\"red\","
                "\"move\":\"pass\",\"turn\":\"blue\"}\n");
    check_event("! game 1 4 move 2 blue I2-I0",
                "{\"t\":\"move\",\"game\":1,\"event\":4,\"ply\":2,\"by\":\"blue\","
                "\"move\":\"I2xI0\",\"piece\":\"rook\",\"took\":\"knight\",\"check\":"
                "\"piece\",\"turn\":\"red\"}\n");
    facts_take_game(&facts, model_find(&model, 1), 0);
    json_manner.board(fresh(), NULL, &facts);
    assert_string_equal(
        object,
        "{\"t\":\"board\",\"game\":1,\"red\":\"kim\",\"blue\":\"hong\","
        "\"rules\":\"kja\",\"time\":\"none\",\"ply\":2,\"position\":\"4k4/9/9/"
        "R8/9/9/9/9/9/5K2r r - 0 0 2\",\"check\":\"piece\",\"turn\":\"red\"}\n");
    check_event("! game 1 5 end blue resignation",
                "{\"t\":\"end\",\"game\":1,\"event\":5,\"outcome\":\"blue\",\"reason\":"
                "\"resignation\",\"text\":\"Blue wins by resignation.\",\"check\":"
                "\"piece\"}\n");
}

MODEL_TEST(lines_keep_words_values_and_talk)
{
    say((struct said){SAID_NOTICE, "-- kim offers a draw\n",
                      .line = parse_line("! offer 14 game=17 kind=draw by=kim")});
    assert_string_equal(object,
                        "{\"t\":\"notice\",\"kind\":\"offer\",\"game\":17,\"words\":["
                        "\"14\"],\"values\":{\"game\":\"17\",\"kind\":\"draw\",\"by\":"
                        "\"kim\"},\"text\":\"kim offers a draw\"}\n");
    say((struct said){SAID_ANSWER, "-- not played: blocked\n", .verb = "move",
                      .line =
                          parse_line("ERR illegal why=leg-blocked at=C0 : blocked")});
    assert_string_equal(object,
                        "{\"t\":\"answer\",\"to\":\"move\",\"ok\":false,\"code\":"
                        "\"illegal\",\"words\":[],\"values\":{\"why\":\"leg-blocked\","
                        "\"at\":\"C0\"},\"human\":\"blocked\",\"text\":\"not played: "
                        "blocked\"}\n");
    say((struct said){SAID_ANSWER, "", .verb = "seek",
                      .line = parse_line("OK seek id=3 id=4")});
    assert_string_equal(object, "{\"t\":\"answer\",\"to\":\"seek\",\"ok\":true,"
                                "\"words\":[],\"values\":{\"id\":\"3\"},\"text\":\"\"}"
                                "\n");
    say((struct said){SAID_ROW, .verb = "seeks", .row = "seek 1 by=hong"});
    assert_string_equal(object, "{\"t\":\"item\",\"of\":\"seeks\",\"line\":\"seek 1 "
                                "by=hong\",\"words\":[\"seek\",\"1\"],\"values\":{"
                                "\"by\":\"hong\"}}\n");
    say((struct said){SAID_QUESTION, "Your name: ", .line = NULL});
    assert_string_equal(object, "{\"t\":\"question\",\"text\":\"Your name: \"}\n");
}

/* All byte values, repeated, are put in each place where a server or a player can put
 * text. */
MODEL_TEST(no_bytes_break_a_line)
{
    char words[512], line[600];

    srand(7);
    for (int i = 0; i < 20000; i++) {
        const struct proto_line *parsed;
        size_t len = (size_t)(rand() % 200);
        json_t *read;

        for (size_t at = 0; at < len; at++)
            words[at] = (char)(rand() % 3 == 0 ? "\"\\\n\t =:\x01\x1b"[rand() % 9]
                                               : 1 + rand() % 127);
        words[len] = '\0';
        say((struct said){SAID_WORDS, words, .line = NULL});
        for (const char *at = object; *at != '\0'; at += strcspn(at, "\n") + 1) {
            read =
                json_loads(at, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, NULL);
            assert_string_equal(json_string_value(json_object_get(read, "t")), "say");
            json_decref(read);
        }
        snprintf(line, sizeof line, "! say game=1 by=kim : %s", words);
        parsed = parse_line(line);
        say((struct said){SAID_NOTICE, words, .line = parsed});
        read = read_back();
        assert_string_equal(json_string_value(json_object_get(read, "t")), "notice");
        if (strpbrk(words, "\r\n") == NULL && parsed->human[0] != '\0')
            assert_string_equal(json_string_value(json_object_get(read, "human")),
                                parsed->human);
        json_decref(read);
        say((struct said){SAID_ROW, .verb = words, .row = words});
        json_decref(read_back());
    }
}

/* The longest line of a server still makes a complete object. */
MODEL_TEST(the_longest_line_fits)
{
    static char line[PROTO_LINE_MAX + 1];

    memset(line, '"', PROTO_LINE_MAX);
    memcpy(line, "! a ", 4);
    say((struct said){SAID_NOTICE, line, .line = parse_line(line)});
    json_decref(read_back());
    memset(line, '\\', PROTO_LINE_MAX);
    say((struct said){SAID_ROW, .verb = "games", .row = line});
    json_decref(read_back());
}

UNIT_MAIN(NULL, NULL)
