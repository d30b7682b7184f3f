/* Allocates memory. The functions never return NULL: when memory is exhausted, they
 * write a message and abort the process. */
#ifndef COMMON_BASE_MEM_H
#define COMMON_BASE_MEM_H

#include <stddef.h>

#include "common/base/base.h"

/* Returns size bytes, all zero. The caller owns them and calls free(). */
void *mem_new(size_t size) MUST_USE;

/* Resizes the block `old`, which may be NULL, to count elements of size bytes. Added
 * bytes are not cleared. Returns the block, which may have moved. */
void *mem_resize(void *old, size_t count, size_t size) MUST_USE;

/* Makes room for one more element in an array of `count` elements of `size` bytes.
 * Returns the array, which may have moved. old: the array; NULL before the first
 * element. *room: the number of elements for which there is memory. It becomes `first`
 * for a new array, and doubles when the array is full. */
void *mem_grow(void *old, int count, int *room, int first, size_t size) MUST_USE;

/* Returns a copy of text, which the caller frees. */
char *mem_copy_text(const char *text) MUST_USE;

#endif
