/* The sources from which somebody has logged in during the last day. They are kept in a
 * file across restarts, as digests with a secret key, so that addresses do not appear
 * in the file as such. */
#ifndef SERVER_ADMISSION_REGULARS_H
#define SERVER_ADMISSION_REGULARS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/base/prefix.h"

enum { REGULARS_MAX = 65536, REGULARS_S = 86400 };

struct regulars;

struct regulars *regulars_new(void) MUST_USE;
/* `regulars` may be NULL. */
void regulars_free(struct regulars *regulars);

/* Records a login from that source. Above REGULARS_MAX sources the oldest entry is
 * evicted. */
void regulars_note(struct regulars *regulars, const struct prefix *from,
                   int64_t now_ms);
bool regulars_has(const struct regulars *regulars, const struct prefix *from,
                  int64_t now_ms);
int regulars_count(const struct regulars *regulars);

/* Reads the file that regulars_save() wrote. A missing file is no error. A file that
 * cannot be opened is logged and ignored; a damaged or truncated one is read as far as
 * possible. now_ms and now_wall_s are the same moment on two clocks. */
void regulars_load(struct regulars *regulars, const char *path, int64_t now_ms,
                   int64_t now_wall_s);
/* Writes the known sources to the file, in place of its old contents. Returns false
 * after logging why it cannot. */
bool regulars_save(const struct regulars *regulars, const char *path, int64_t now_ms,
                   int64_t now_wall_s);

#endif
