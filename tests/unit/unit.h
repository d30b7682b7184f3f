/* Includes cmocka.h, with the headers that must come before it. Registers the tests of a
 * file where they are defined, and makes a directory for the files of a test. */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/base/log.h"

enum { UNIT_TESTS_MAX = 128, UNIT_PATH_BYTES = 64 };

static struct CMUnitTest
    unit_tests[UNIT_TESTS_MAX]; /* those of the file that includes this */
static size_t unit_tests_count;

/* UNIT_TEST_WITH(name, set_up, tear_down) { ... } is a test, which UNIT_MAIN runs. */
#define UNIT_TEST(name) UNIT_TEST_WITH(name, NULL, NULL)
#define UNIT_TEST_WITH(name, set_up, tear_down)                                        \
    static void name(void **state);                                                    \
    __attribute__((constructor)) static void unit_add_##name(void)                     \
    {                                                                                  \
        unit_tests[unit_tests_count++] =                                               \
            (struct CMUnitTest){#name, name, set_up, tear_down, NULL};                 \
    }                                                                                  \
    static void name(void **state)

#define UNIT_MAIN(group_set_up, group_tear_down)                                       \
    int main(void)                                                                     \
    {                                                                                  \
        return unit_run(group_set_up, group_tear_down);                                \
    }

/* Runs the tests of this file. Returns how many have failed. */
static inline int unit_run(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    return _cmocka_run_group_tests("tests", unit_tests, unit_tests_count, set_up,
                                   tear_down);
}

/* Fails the test if the condition does not hold, with a message as printf() takes it. */
#define assert_so(is_so, ...)                                                          \
    do {                                                                               \
        if (!(is_so))                                                                  \
            fail_msg(__VA_ARGS__);                                                     \
    } while (0)

/* A set-up of tests that cause warnings. */
static inline int unit_be_quiet(void **state)
{
    log_set_level(LOG_FATAL);
    return 0;
}

/* Makes a new directory in TMPDIR; in /tmp if TMPDIR is not set, or too long for `out`.
 * False: errno says why. */
static inline bool unit_make_directory(char out[UNIT_PATH_BYTES])
{
    const char *parent = getenv("TMPDIR");

    if (parent == NULL || snprintf(out, UNIT_PATH_BYTES, "%s/janggi-unit-XXXXXX",
                                   parent) >= UNIT_PATH_BYTES)
        snprintf(out, UNIT_PATH_BYTES, "/tmp/janggi-unit-XXXXXX");
    return mkdtemp(out) != NULL;
}

/* Returns 0, or what a tear-down returns that has failed. */
static inline int unit_remove_directory(const char *path)
{
    char command[UNIT_PATH_BYTES + 16];

    snprintf(command, sizeof command, "rm -r '%s'", path);
    return system(command);
}

#endif
