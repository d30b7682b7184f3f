/* A new file that gets its name when it is whole: it is written as FILE.part, synced,
 * and renamed. It never replaces another file. */
#ifndef SERVER_STORE_STORE_PART_H
#define SERVER_STORE_STORE_PART_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/database/store_engine.h"

enum { STORE_PART_PATH_BYTES = 1024 };

struct store_part {
    char path[STORE_PART_PATH_BYTES];
    char part[STORE_PART_PATH_BYTES + 8]; /* its path while it is written: FILE.part */
    int fd;                               /* the open file, to sync it; -1: not open */
};

/* Creates the empty file path.part with mode 0600. Returns false with the error in
 * *why; store_part_drop() is then not needed. */
bool store_part_create(struct store_part *part, const char *path,
                       char why[STORE_WHY_BYTES]) MUST_USE;
/* Syncs the file and gives it its final name. Then syncs the directory, so that the
 * name survives a power failure. Returns false with errno set; then call
 * store_part_drop(). */
bool store_part_finish(struct store_part *part) MUST_USE;
/* Closes the file, and removes it if it does not have its final name yet. */
void store_part_drop(struct store_part *part);

/* Writes `words` into `why`. Appends what the errno `number` means, unless it is 0. */
void store_part_say(char why[STORE_WHY_BYTES], const char *words, int number);

#endif
