/* Allocation that cannot return NULL: out of memory ends the program here and nowhere
 * else. */
#ifndef COMMON_BASE_MEM_H
#define COMMON_BASE_MEM_H

#include <stddef.h>

#include "common/base/base.h"

/* size bytes, all zero. The caller owns them and gives them back with free(). */
void *mem_new(size_t size) MUST_USE;

/* The block at old (or NULL) made count * size bytes long; what is new is not cleared.
 */
void *mem_resize(void *old, size_t count, size_t size) MUST_USE;

/* A copy of text that the caller owns. */
char *mem_copy_text(const char *text) MUST_USE;

#endif
