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

/* Writes `text` to the file `fd`, then syncs and closes the file. Returns false with
 * errno set on failure. `fd` may be -1 from an open() that failed: then does nothing,
 * and returns false with errno as open() set it. */
bool disk_write_text(int fd, const char *text) MUST_USE;

/* Syncs the directory that contains `path`. The name of a new file survives a crash
 * only after this. Returns false with errno set on failure. */
bool disk_sync_directory_of(const char *path) MUST_USE;

/* Reserves `bytes` bytes of disk space for the empty file `fd`. Returns 0, or an errno
 * value on failure. */
int disk_allocate(int fd, int64_t bytes) MUST_USE;

#endif
