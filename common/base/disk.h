/* What makes a file durable, and what reserves room for one. Systems differ in both. */
#ifndef COMMON_BASE_DISK_H
#define COMMON_BASE_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

/* What was written to fd is on the disk, not only in the disk's cache. False with
 * errno. */
bool disk_sync(int fd) MUST_USE;

/* The same for the directory that contains path: a new name survives a crash only after
 * this. False with errno. */
bool disk_sync_directory_of(const char *path) MUST_USE;

/* Gives the empty file fd this many bytes of real room. 0 or an errno. */
int disk_allocate(int fd, int64_t bytes) MUST_USE;

#endif
