/* See mem.h. Writes the message about exhausted memory without log.h, because logging
 * could need memory too. */
#include "common/base/mem.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static NO_RETURN void out_of_memory(void)
{
    static const char words[] = "out of memory\n";

    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        abort();
    abort();
}

void *mem_new(size_t size)
{
    void *block = calloc(1, size);

    if (block == NULL)
        out_of_memory();
    return block;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    void *block;

    if (size != 0 && count > SIZE_MAX / size)
        out_of_memory();
    block = realloc(old, count * size);
    if (block == NULL && count * size != 0)
        out_of_memory();
    return block;
}

void *mem_grow(void *old, int count, int *room, int first, size_t size)
{
    assert(first > 0 && size > 0);
    if (count < *room)
        return old;
    *room = *room == 0 ? first : 2 * *room;
    return mem_resize(old, (size_t)*room, size);
}

char *mem_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(mem_resize(NULL, size, 1), text, size);
}
