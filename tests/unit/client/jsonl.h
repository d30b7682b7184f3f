/* Reads the files in tests/data that have one JSON object on each line. The tests must
 * be run from the root of the tree. */
#ifndef TESTS_UNIT_CLIENT_JSONL_H
#define TESTS_UNIT_CLIENT_JSONL_H

#include <stdio.h>

#include <jansson.h>

#include "tests/unit/unit.h"

/* Calls `check` for each line. A missing or invalid file fails the test. Returns the
 * number of lines. */
static int jsonl_each(const char *path, void (*check)(const json_t *row))
{
    FILE *file = fopen(path, "r");
    json_t *row;
    int count = 0;

    assert_so(file != NULL, "%s: cannot be read; run the tests from the root", path);
    while ((row = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        check(row);
        json_decref(row);
        count++;
    }
    assert_so(getc(file) == EOF, "%s: broken after %d rows", path, count);
    fclose(file);
    return count;
}

static inline const char *jsonl_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));

    return text == NULL ? "" : text;
}

#endif
