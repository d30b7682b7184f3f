/* Makes files durable, and reserves disk space for them. Systems differ in both. */
#ifndef COMMON_SYSTEM_DISK_H
#define COMMON_SYSTEM_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

/* Syncs fd: its data is then on the disk, not only in the disk's cache. False with
 * errno set. */
bool disk_sync(int fd) MUST_USE;

/* Writes text to the file fd, syncs and closes it. False with errno set. fd may be -1,
 * from an open() that failed: then returns false and leaves errno as open() set it. */
bool disk_write_text(int fd, const char *text) MUST_USE;

/* Syncs the directory that contains path. The name of a new file survives a crash only
 * after this. False with errno set. */
bool disk_sync_directory_of(const char *path) MUST_USE;

/* Reserves `bytes` bytes of disk space for the empty file fd. Returns 0 or an errno. */
int disk_allocate(int fd, int64_t bytes) MUST_USE;

#endif
