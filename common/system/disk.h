/* Makes sure that files survive a crash, and reserves disk space for them. Each system
 * has its own calls for both. */
#ifndef COMMON_SYSTEM_DISK_H
#define COMMON_SYSTEM_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

/* Writes the data of `fd` from all caches to the disk. Returns false with errno set on
 * failure. */
bool disk_sync(int fd) MUST_USE;

/* Writes `text` to the file `fd`, then syncs and closes the file. On failure, returns
 * false with errno set. If open() has failed, the caller may pass its result -1 as
 * `fd`: then this function only returns false and keeps the errno of open(). */
bool disk_write_text(int fd, const char *text) MUST_USE;

/* Syncs the directory that contains `path`. The name of a new file survives a crash
 * only after this. Returns false with errno set on failure. */
bool disk_sync_directory_of(const char *path) MUST_USE;

/* Reserves `bytes` bytes of disk space for the empty file `fd`. Returns 0, or an errno
 * value on failure. */
int disk_allocate(int fd, int64_t bytes) MUST_USE;

#endif
