/* Allocation that never returns NULL: it ends the program when memory is exhausted. */
#ifndef COMMON_BASE_MEM_H
#define COMMON_BASE_MEM_H

#include <stddef.h>

#include "common/base/base.h"

/* Returns size bytes, all zero. The caller owns them and calls free(). */
void *mem_new(size_t size) MUST_USE;

/* Resizes the block at old (or NULL) to count elements of size bytes; added bytes are
 * not cleared. */
void *mem_resize(void *old, size_t count, size_t size) MUST_USE;

/* Makes room for one more element in an array. Returns the array, which may have moved.
 * old: the array, NULL before the first element. count: its elements, of `size` bytes.
 * *room: for how many there is room; doubled when the array is full, and `first` at
 * first. Ends the process without memory. */
void *mem_grow(void *old, int count, int *room, int first, size_t size) MUST_USE;

/* A copy of text that the caller owns. */
char *mem_copy_text(const char *text) MUST_USE;

#endif
