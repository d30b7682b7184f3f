/* Tests of client/base/link: links that people type and paste. */
#include <string.h>

#include "client/base/link.h"
#include "tests/unit/unit.h"

#define KEY   "pRQ2JBqOTijcq8-XQipTIXIsUc3QeoeVg_PXzYsQJkA"
#define SHORT "pRQ2JBqOTijcq8-XQipTIX"

UNIT_TEST(good_words_are_read)
{
    static const struct {
        const char *text;
        enum link_kind kind;
        const char *server, *code, *key;
    } rows[] = {
        {"play.example.org", LINK_LOBBY, "play.example.org:9032", "", ""},
        {"play.example.org:9", LINK_LOBBY, "play.example.org:9", "", ""},
        {"192.168.1.20:65535", LINK_LOBBY, "192.168.1.20:65535", "", ""},
        {"::1", LINK_LOBBY, "[::1]:9032", "", ""},
        {"[::1]", LINK_LOBBY, "[::1]:9032", "", ""},
        {"[fe80::1%eth0]:77", LINK_LOBBY, "[fe80::1%eth0]:77", "", ""},
        {"%5B::1%5D", LINK_LOBBY, "[::1]:9032", "", ""},
        {"%5bfe80::1%eth0%5d:77", LINK_LOBBY, "[fe80::1%eth0]:77", "", ""},
        {"janggi://%5B::1%5D:1/watch/" SHORT, LINK_WATCH, "[::1]:1", "", SHORT},
        {"JANGGI://h:1", LINK_LOBBY, "h:1", "", ""},
        {"janggi://h/", LINK_LOBBY, "h:9032", "", ""},
        {"janggi://h:1/join/K7Q2-9F3M/" SHORT, LINK_JOIN, "h:1", "K7Q2-9F3M", SHORT},
        {"janggi://h:1/join/K7Q2-9F3M/" KEY "/", LINK_JOIN, "h:1", "K7Q2-9F3M", KEY},
        {"janggi://h:1/join/K7Q2-9F3M", LINK_JOIN, "h:1", "K7Q2-9F3M", ""},
        {"janggi://[::1]:1/watch/" SHORT, LINK_WATCH, "[::1]:1", "", SHORT},
        {"janggi://h:1/watch/17-K7Q29F3MW4XHT6PB/" SHORT, LINK_WATCH, "h:1",
         "17-K7Q29F3MW4XHT6PB", SHORT},
        {"janggi://h:1/watch/17-K7Q29F3MW4XHT6PB", LINK_WATCH, "h:1",
         "17-K7Q29F3MW4XHT6PB", ""},
        {"janggi://h:1/watch/1-aaaaaaaaaaaaaaaaaaaa", LINK_WATCH, "h:1", "",
         "1-aaaaaaaaaaaaaaaaaaaa"},
        {"janggi://h:1/enter/K7Q2-9F3M/" SHORT, LINK_ENTER, "h:1", "K7Q2-9F3M", SHORT},
        {"janggi://h/owner/x_Y-7/" SHORT, LINK_OWNER, "h:9032", "x_Y-7", SHORT},
        {"janggi://h/watch", LINK_WATCH, "h:9032", "", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char why[LINK_WHY_BYTES] = "", server[LINK_SERVER_BYTES];
        struct link link;

        assert_so(link_parse(rows[i].text, &link, why), "%s: %s", rows[i].text, why);
        link_format_server(server, &link);
        assert_int_equal(link.kind, rows[i].kind);
        assert_string_equal(server, rows[i].server);
        assert_string_equal(link.code, rows[i].code);
        assert_string_equal(link.key, rows[i].key);
    }
}

UNIT_TEST(bad_words_are_refused_with_a_reason)
{
    static const char *const rows[] = {
        "",
        ":9032",
        "h:0",
        "h:65536",
        "h:x",
        "h:",
        "[::1",
        "[::1]x",
        "%5B::1",
        "%5B::1]",
        "%5B%5D",
        "%5B",
        "%5B::1%5Dx",
        "two words",
        "-x",
        "janggi://",
        "janggi:///join/A/" SHORT,
        "janggi://h/joins/A/" SHORT,
        "janggi://h/join//" SHORT,
        "janggi://h/join/A_B/" SHORT,
        "janggi://h/join/A/short",
        "janggi://h/join/A/" KEY "x",
        "janggi://h/join/A/" SHORT "?x",
        "janggi://h/watch/" SHORT "/more",
        "janggi://h\x1b[2J/watch/" SHORT,
        "https://h:9032/join#K7Q2-9F3M",
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char why[LINK_WHY_BYTES] = "";
        struct link link;

        assert_so(!link_parse(rows[i], &link, why), "\"%s\" was read", rows[i]);
        assert_true(strlen(why) > 10);
    }
}

UNIT_TEST(a_link_for_a_browser_is_named)
{
    char why[LINK_WHY_BYTES];
    struct link link;

    assert_false(link_parse("https://h:9032/join#K7Q2-9F3M", &link, why));
    assert_non_null(strstr(why, "a link for a browser"));
}

UNIT_TEST(the_usual_port_is_not_typed)
{
    char typed[LINK_SERVER_BYTES], why[LINK_WHY_BYTES];
    struct link link;

    assert_true(link_parse("h:9032", &link, why));
    link_format_typed(typed, &link);
    assert_string_equal(typed, "h");
    assert_true(link_parse("h:9033", &link, why));
    link_format_typed(typed, &link);
    assert_string_equal(typed, "h:9033");
}

/* link_format_pasted() writes a server address without the brackets of an IPv6 address.
 * Parsing the result gives the same host and port. */
UNIT_TEST(a_pasted_server_needs_no_quotes)
{
    static const char *const rows[] = {"h:9", "[::1]:9032", "[fe80::1%eth0]:77"};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char pasted[LINK_SERVER_BYTES], again[LINK_SERVER_BYTES], why[LINK_WHY_BYTES];
        struct link link;

        assert_true(link_parse(rows[i], &link, why));
        link_format_pasted(pasted, &link);
        assert_null(strpbrk(pasted, "[]"));
        assert_true(link_parse(pasted, &link, why));
        link_format_server(again, &link);
        assert_string_equal(again, rows[i]);
    }
}

/* --- Links for another machine --- */

struct outside {
    const char *to;
    bool is_loopback;
    const char *public_name, *addresses, *server;
    enum link_reach reach;
};

UNIT_TEST(a_link_for_others_has_an_address_that_they_can_reach)
{
    static const struct outside rows[] = {
        {"127.0.0.1:9032", true, "board.example:9032", "10.0.0.1:9032",
         "board.example:9032", LINK_REACH_ANY},
        {"192.168.1.20:9033", false, "board.example:19033", NULL, "board.example:19033",
         LINK_REACH_ANY},
        {"127.0.0.1:9032", true, NULL, "203.0.113.9:9032,10.0.0.1:9032",
         "203.0.113.9:9032", LINK_REACH_ANY},
        {"localhost:9032", true, NULL, "192.168.1.20:9032,[2001:db8::7]:9032",
         "192.168.1.20:9032", LINK_REACH_NETWORK},
        {"[::1]:9032", true, NULL, "[fd00::7]:9032", "[fd00::7]:9032",
         LINK_REACH_NETWORK},
        {"[::1]:9032", true, NULL, "[2001:db8::7]:9032", "[2001:db8::7]:9032",
         LINK_REACH_ANY},
        {"127.0.0.1:9032", true, NULL, NULL, "127.0.0.1:9032", LINK_REACH_HERE},
        {"127.0.0.1:9032", true, "", "", "127.0.0.1:9032", LINK_REACH_HERE},
        {"127.0.0.1:9032", true, "no host", "janggi://x/watch", "127.0.0.1:9032",
         LINK_REACH_HERE},
        {"192.168.1.20:9032", false, NULL, NULL, "192.168.1.20:9032",
         LINK_REACH_NETWORK},
        {"board.example:9032", false, NULL, NULL, "board.example:9032", LINK_REACH_ANY},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char server[LINK_SERVER_BYTES], why[LINK_WHY_BYTES], words[512] = "";
        struct text text = text_into(words, sizeof words);
        struct link to, outside;
        enum link_reach reach;

        assert_true(link_parse(rows[i].to, &to, why));
        reach = link_outside(&outside, &to, rows[i].is_loopback, rows[i].public_name,
                             rows[i].addresses);
        link_format_server(server, &outside);
        assert_string_equal(server, rows[i].server);
        assert_int_equal(reach, rows[i].reach);
        link_add_warning(&text, &outside, reach);
        assert_int_equal(words[0] == '\0', reach == LINK_REACH_ANY);
        assert_true(words[0] == '\0' ||
                    strncmp(words, outside.host, strlen(outside.host)) == 0);
    }
}

UNIT_TEST(the_advice_names_the_address_and_the_way_out)
{
    char words[512] = "";
    struct text text = text_into(words, sizeof words);
    struct link home = {.host = "192.168.1.20", .port = "9033"};
    struct link here = {.host = "127.0.0.1", .port = "9033"};

    link_add_warning(&text, &home, LINK_REACH_NETWORK);
    assert_string_equal(
        words,
        "192.168.1.20 is a private address, which works only in its own network.\n"
        "For other networks the host starts the server with --public-name NAME\n"
        "(or make play PUBLIC=NAME) and forwards port 9033.\n");
    text = text_into(words, sizeof words);
    link_add_warning(&text, &here, LINK_REACH_HERE);
    assert_string_equal(
        words,
        "127.0.0.1 is this machine: the line works here only, because the server "
        "knows\nno other address of its own. The host can give the server "
        "a name with\n--public-name NAME (or make play PUBLIC=NAME).\n");
}

UNIT_MAIN(NULL, NULL)
