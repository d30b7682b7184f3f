/* Tests of client/console: scripts, questions and the exit status, without a
 * terminal. */
#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/console/console.h"
#include "tests/unit/unit.h"

enum { LINES_MOST = 64, LONG = 6000 };

static struct prefs prefs;
static struct console *console;
static char *line[LINES_MOST];
static int lines, answers, ends;
static bool is_busy, is_asking, is_refusing;

static void on_line(void *owner, const char *typed)
{
    assert_true(lines < LINES_MOST);
    line[lines] = malloc(strlen(typed) + 1);
    strcpy(line[lines++], typed);
    if (strcmp(typed, "wait") == 0)
        is_busy = true;
    if (is_asking)
        console_ask(console, 7, "");
    if (is_refusing)
        console_refuse(console, "");
    is_asking = false;
}

static void on_answer(void *owner, int id, const char *typed)
{
    assert_int_equal(id, 7);
    assert_string_equal(typed, "yes");
    answers++;
}

static void on_end(void *owner)
{
    ends++;
    console_finish(console);
}

static bool get_busy(void *owner)
{
    return is_busy;
}

static void begin(const char *script)
{
    static const struct console_calls calls = {.on_line = on_line,
                                               .on_answer = on_answer,
                                               .on_end = on_end,
                                               .is_busy = get_busy};

    prefs = (struct prefs){.script = script, .color = COLOR_NEVER};
    console = console_new(&prefs, NULL, &calls, NULL);
    assert_false(console_is_screen(console));
    console_start(console);
}

static int tear_down(void **state)
{
    console_free(console);
    while (lines > 0)
        free(line[--lines]);
    answers = ends = 0;
    is_busy = is_asking = is_refusing = false;
    return 0;
}

#define TEST(name) UNIT_TEST_WITH(name, NULL, tear_down)

TEST(a_script_is_done_command_by_command)
{
    begin("a; b;;c d");
    assert_int_equal(lines, 4);
    assert_string_equal(line[0], "a");
    assert_string_equal(line[1], " b");
    assert_string_equal(line[2], "");
    assert_string_equal(line[3], "c d");
    assert_int_equal(ends, 1);
    assert_int_equal(console_run(console), CLIENT_EXIT_OK);
}

TEST(no_command_is_cut)
{
    char script[LONG + 3];

    memset(script, 'x', LONG);
    strcpy(script + LONG, ";y");
    begin(script);
    assert_int_equal(lines, 2);
    assert_int_equal(strlen(line[0]), LONG);
    assert_string_equal(line[1], "y");
}

TEST(a_command_waits_for_the_one_before)
{
    begin("wait;b");
    assert_int_equal(lines, 1);
    console_go_on(console);
    assert_int_equal(lines, 1);
    is_busy = false;
    console_go_on(console);
    assert_int_equal(lines, 2);
    assert_int_equal(ends, 1);
    console_go_on(console);
    assert_int_equal(ends, 1);
}

TEST(the_next_line_answers_a_question)
{
    is_asking = true;
    begin("a;yes;b");
    assert_int_equal(lines, 2);
    assert_int_equal(answers, 1);
    assert_int_equal(console_question(console), 0);
}

TEST(a_refusal_in_a_script_is_the_exit_status)
{
    is_refusing = true;
    begin("a;b");
    assert_int_equal(lines, 2);
    assert_int_equal(console_run(console), CLIENT_EXIT_MOVE);
}

TEST(no_command_runs_after_leaving)
{
    begin("wait;b");
    console_leave(console, CLIENT_EXIT_LOST);
    console_leave(console, CLIENT_EXIT_OK);
    is_busy = false;
    console_go_on(console);
    assert_int_equal(lines, 1);
    assert_int_equal(ends, 0);
    assert_int_equal(console_run(console), CLIENT_EXIT_LOST);
}

UNIT_MAIN(NULL, NULL)
