/* Makes a file durable, and reserves disk space for one. Systems differ in both. */
#ifndef COMMON_SYSTEM_DISK_H
#define COMMON_SYSTEM_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

/* Syncs fd: its data is then on the disk, not only in the disk's cache. False with
 * errno. */
bool disk_sync(int fd) MUST_USE;

/* Writes text to the file fd, syncs and closes it. False with errno, also for the fd -1
 * of an open() that failed. */
bool disk_write_text(int fd, const char *text) MUST_USE;

/* Syncs the directory that contains path: only then does a new name survive a crash.
 * False with errno. */
bool disk_sync_directory_of(const char *path) MUST_USE;

/* Allocates this many bytes on the disk for the empty file fd. Returns 0 or an
 * errno. */
int disk_allocate(int fd, int64_t bytes) MUST_USE;

#endif
