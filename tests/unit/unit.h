/* Includes cmocka.h, with the headers that must come before it, and makes a directory
 * for the files of a test. */
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

enum { UNIT_PATH_BYTES = 64 };

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

#endif
