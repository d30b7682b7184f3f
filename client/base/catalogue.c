/* See catalogue.h. A .mo file begins with a header of seven numbers. Two tables follow:
 * first the table of the original texts, then the table of their translations. Both
 * tables have the sorted order of the original texts. An entry has the length and the
 * offset of a text that ends with a NUL. The numbers have the byte order of the machine
 * that made the file. The same machine built this program, so the numbers need no
 * conversion. */
#include "client/base/catalogue.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"

enum { CATALOGUE_BYTES_MAX = 1 << 20, HEAD_BYTES = 28, ENTRY_BYTES = 8 };
static const uint32_t magic = 0x950412de;

/* Offsets in the header, in bytes. */
enum { AT_MAGIC = 0, AT_COUNT = 8, AT_ORIGINALS = 12, AT_TRANSLATIONS = 16 };

struct catalogue {
    char *bytes;
    uint32_t size;
    uint32_t count;
    uint32_t originals; /* offsets of the two tables */
    uint32_t translations;
};

static uint32_t number_at(const struct catalogue *catalogue, uint32_t at)
{
    uint32_t number;

    memcpy(&number, catalogue->bytes + at, sizeof number);
    return number;
}

static const char *text_of(const struct catalogue *catalogue, uint32_t table,
                           uint32_t i)
{
    return catalogue->bytes +
           number_at(catalogue, table + i * ENTRY_BYTES + ENTRY_BYTES / 2);
}

/* --- Reading --- */

/* Returns true if every text of the table is inside the file and ends with a NUL. */
static bool is_table_sound(const struct catalogue *catalogue, uint32_t table)
{
    if (table > catalogue->size ||
        catalogue->count > (catalogue->size - table) / ENTRY_BYTES)
        return false;
    for (uint32_t i = 0; i < catalogue->count; i++) {
        uint32_t len = number_at(catalogue, table + i * ENTRY_BYTES);
        uint32_t at = number_at(catalogue, table + i * ENTRY_BYTES + ENTRY_BYTES / 2);

        if (at >= catalogue->size || len >= catalogue->size - at ||
            catalogue->bytes[at + len] != '\0')
            return false;
    }
    return true;
}

struct catalogue *catalogue_open(const char *path)
{
    struct catalogue *catalogue = mem_new(sizeof *catalogue);
    FILE *file = fopen(path, "rbe");
    const char *about = NULL;

    if (file != NULL) {
        catalogue->bytes = mem_new(CATALOGUE_BYTES_MAX);
        catalogue->size =
            (uint32_t)fread(catalogue->bytes, 1, CATALOGUE_BYTES_MAX, file);
        fclose(file);
    }
    if (catalogue->size >= HEAD_BYTES && catalogue->size < CATALOGUE_BYTES_MAX &&
        number_at(catalogue, AT_MAGIC) == magic) {
        catalogue->count = number_at(catalogue, AT_COUNT);
        catalogue->originals = number_at(catalogue, AT_ORIGINALS);
        catalogue->translations = number_at(catalogue, AT_TRANSLATIONS);
        /* the translation of the empty text is the headers */
        if (is_table_sound(catalogue, catalogue->originals) &&
            is_table_sound(catalogue, catalogue->translations))
            about = catalogue_find(catalogue, "");
    }
    /* we look up one plural form only */
    if (about != NULL && strstr(about, "nplurals=1;") != NULL)
        return catalogue;
    catalogue_close(catalogue);
    return NULL;
}

void catalogue_close(struct catalogue *catalogue)
{
    if (catalogue == NULL)
        return;
    free(catalogue->bytes);
    free(catalogue);
}

/* --- Looking up --- */

const char *catalogue_find(const struct catalogue *catalogue, const char *key)
{
    uint32_t from = 0, to = catalogue->count;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        int order = strcmp(key, text_of(catalogue, catalogue->originals, middle));

        if (order == 0)
            return text_of(catalogue, catalogue->translations, middle);
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return NULL;
}
