/* Tests of the chat that the server keeps for the case that one player reports another:
 * it keeps only chat between two people, and only a limited amount. */
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "server/room/chatlog.h"
#include "tests/unit/unit.h"

enum { HONG = 1, KIM = 2 };

static struct chatlogs *logs;
static char seen[4096];
static int lines;

static int set_up(void **state)
{
    logs = chatlogs_new();
    return 0;
}

static int tear_down(void **state)
{
    chatlogs_free(logs);
    return 0;
}

static void add(int64_t player, int64_t game, const char *by, const char *words)
{
    struct chat_line line = {.game = game, .wall_s = 5, .text = words};

    text_copy(line.by, sizeof line.by, by);
    chatlogs_add(logs, player, &line);
}

static void see(void *arg, const struct chat_line *line)
{
    struct text *out = arg;

    text_addf(out, "%lld %s %s;", (long long)line->game, line->by, line->text);
    lines++;
}

static const char *between(int64_t player, const char *name, const char *other)
{
    struct text out = text_into(seen, sizeof seen);

    lines = 0;
    chatlogs_between(logs, player, name, other, see, &out);
    return seen;
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

TEST(lines_of_other_players_are_left_out)
{
    add(HONG, 3, "hong", "hello");
    add(HONG, 3, "kim", "go away");
    add(HONG, 3, "park", "be kind");
    add(HONG, 4, "hong", "to park alone");
    assert_string_equal(between(HONG, "hong", "kim"), "3 hong hello;3 kim go away;");
    assert_string_equal(between(HONG, "hong", "lee"), "");
    assert_string_equal(between(KIM, "kim", "hong"), "");
}

TEST(a_log_keeps_the_latest_lines)
{
    char words[32];

    for (int i = 0; i < 3 * CHATLOG_LINES; i++) {
        snprintf(words, sizeof words, "line %d", i);
        add(HONG, 3, "kim", words);
    }
    assert_null(strstr(between(HONG, "hong", "kim"), "line 23;"));
    assert_non_null(strstr(seen, "line 24;"));
    assert_non_null(strstr(seen, "line 35;"));
    assert_int_equal(lines, CHATLOG_LINES);
}

TEST(a_log_has_a_size)
{
    char words[1001];

    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    for (int i = 0; i < CHATLOG_LINES; i++)
        add(HONG, 3, "kim", words);
    between(HONG, "hong", "kim");
    assert_int_equal(lines, CHATLOG_BYTES / (int)sizeof words);
}

TEST(the_player_silent_longest_is_forgotten)
{
    add(HONG, 3, "kim", "first");
    add(KIM, 3, "hong", "second");
    for (int i = 10; i < 10 + CHATLOG_PLAYERS - 2; i++)
        add(i, 4, "kim", "more");
    add(HONG, 3, "kim", "again");
    add(9, 4, "kim", "one too many");
    assert_string_equal(between(KIM, "kim", "hong"), "");
    assert_string_equal(between(HONG, "hong", "kim"), "3 kim first;3 kim again;");
}

UNIT_MAIN(NULL, NULL)
