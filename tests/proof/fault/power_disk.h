/* Models what a disk shows after a power failure. Every change of a file since its last
 * sync is remembered, with the bytes before and after the change. When the power fails,
 * the files are put into a state that a real disk could show, and the process ends at
 * once. The names are modelled too: a file that was made since the last sync of its
 * directory may be gone, and a file that was removed since then may be there again.
 *
 * The modelled disk is as weak as POSIX allows: each sector of 512 bytes that was
 * written and not synced may be there or not, whatever the order of the writes. But
 * bytes that were not written do not change. And a write after a truncation is there
 * only if the truncation is there too.
 *
 * This code does not depend on SQLite. Any thread may call it; it has its own lock.
 * Environment variables set when and how the power fails:
 *
 *   JANGGI_POWER_AT=N     at the N-th change or sync; 0 or unset: never
 *   JANGGI_POWER_SEED=N   seed of the random choice of what is kept
 *   JANGGI_POWER_MODE=M   which unsynced changes are kept: nothing, some, torn, early,
 *                         late or all; otherwise chosen by the seed
 *   JANGGI_POWER_LIES=1   the disk reports each sync as done, but does not sync */
#ifndef TESTS_PROOF_FAULT_POWER_DISK_H
#define TESTS_PROOF_FAULT_POWER_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

/* Exit status of a process whose power failed. */
enum { POWER_STATUS = 99 };

struct disk_file;

/* Reads the environment. Call it before all other functions. */
void disk_init(void);

/* Opens a file by its path, which is copied. is_new: the opening created it. All
 * openings of a path share one object. */
struct disk_file *disk_open(const char *path, bool is_new);

/* Call each of these functions before the change is made. The function does not return
 * if the power fails. old: the present bytes that the change will overwrite; at the end
 * of the file, old_len can be less than len. size: the present size of the file. */
void disk_write(struct disk_file *file, int64_t offset, const void *bytes, size_t len,
                const void *old, size_t old_len, int64_t size);
/* old: the bytes that the truncation removes. */
void disk_truncate(struct disk_file *file, int64_t to, const void *old, size_t old_len,
                   int64_t size);
/* bytes: the whole file, in case it is restored. */
void disk_remove(const char *path, const void *bytes, size_t len);
void disk_sync_begins(struct disk_file *file);

/* Reports that a sync has returned. has_directory: it synced the file's directory
 * too. */
void disk_synced(struct disk_file *file, bool has_directory);
void disk_directory_synced(void);

#endif
