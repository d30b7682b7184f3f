/* Shared by the fuzz targets. Each target is a function that accepts any bytes and must
 * return: libFuzzer calls it (make fuzz), and replay.c calls it with the files of
 * corpus/NAME (make test). */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts unless `holds` is true. `holds` must be true whatever the input is. */
static inline void fuzz_require(int holds)
{
    if (!holds)
        abort();
}

/* Copies the bytes to new memory and adds a NUL. The memory ends directly after this
 * NUL, so that a sanitizer detects a read beyond the end. The caller frees the
 * memory. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    fuzz_require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
