/* What a disk shows after the power went. Every change of a file since its last sync is
 * remembered: what was there, what came. When the power goes the files are put into a
 * state that a real disk could show, and the process ends at once. Names count too: a
 * file that was made or removed since the last sync of its directory may be gone, or be
 * there again.
 *
 * The machine is modelled at its weakest that POSIX allows: what was not synced may be
 * there or not, in any order, a sector of 512 bytes at a time. Two things hold: bytes
 * that nobody wrote do not change, and what was written after a truncation is not there
 * without it.
 *
 * Knows no SQLite. Any thread; a lock of its own. The environment says when and how:
 *
 *   JANGGI_POWER_AT=N     at the N-th change or sync; 0 or unset: never
 *   JANGGI_POWER_SEED=N   what is kept is chosen by it
 *   JANGGI_POWER_MODE=M   nothing, some, torn, early, late or all
 *   JANGGI_POWER_LIES=1   a disk that says it has synced and has not */
#ifndef TESTS_PROOF_FAULT_POWER_DISK_H
#define TESTS_PROOF_FAULT_POWER_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

/* Exit status of a process whose power failed. */
enum { POWER_STATUS = 99 };

struct disk_file;

/* Reads the environment. Before any other call. */
void disk_init(void);

/* Opens a file by its path, which is copied; is_new: the opening created it. All that
 * have it open share one object. */
struct disk_file *disk_open(const char *path, bool is_new);

/* Call each of these before the change is made; it may not return. old: the present
 * bytes, as many as exist; size: of the file now. */
void disk_write(struct disk_file *file, int64_t offset, const void *bytes, size_t len,
                const void *old, size_t old_len, int64_t size);
/* old: the bytes that the truncation removes. */
void disk_truncate(struct disk_file *file, int64_t to, const void *old, size_t old_len,
                   int64_t size);
/* bytes: the whole file, in case it is restored. */
void disk_remove(const char *path, const void *bytes, size_t len);
void disk_sync_begins(struct disk_file *file);

/* The sync has returned. has_directory: its directory was synced too. */
void disk_synced(struct disk_file *file, bool has_directory);
void disk_directory_synced(void);

#endif
