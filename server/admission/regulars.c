/* See regulars.h. The file contains the key and then an entry for each source, the
 * oldest entry first. An entry is the digest of the source and the time of the last
 * login from the source, in seconds since 1970. Both are numbers of eight bytes,
 * little-endian. */
#include "server/admission/regulars.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/table.h"

enum { NUMBER_BYTES = 8 };

struct regular {
    uint64_t digest;
    int64_t at_ms;
    struct regular *prev, *next; /* by age, the oldest first */
    UT_hash_handle hh;
};

struct regulars {
    unsigned char key[TABLE_KEY_BYTES];
    struct regular *by_digest;
    struct regular *oldest;
};

struct regulars *regulars_new(void)
{
    struct regulars *regulars = mem_new(sizeof *regulars);

    if (RAND_bytes(regulars->key, sizeof regulars->key) != 1)
        log_die("regulars no randomness");
    return regulars;
}

static void forget(struct regulars *regulars, struct regular *source)
{
    DL_DELETE(regulars->oldest, source);
    HASH_DEL(regulars->by_digest, source);
    free(source);
}

void regulars_free(struct regulars *regulars)
{
    if (regulars == NULL)
        return;
    while (regulars->oldest != NULL)
        forget(regulars, regulars->oldest);
    free(regulars);
}

static struct regular *find(const struct regulars *regulars, uint64_t digest)
{
    struct regular *source;

    HASH_FIND(hh, regulars->by_digest, &digest, sizeof digest, source);
    return source;
}

static uint64_t digest_of(const struct regulars *regulars, const struct prefix *from)
{
    struct prefix source = prefix_network(from, 32, 64);

    return table_hash_with(regulars->key, &source, sizeof source);
}

static void note(struct regulars *regulars, uint64_t digest, int64_t at_ms)
{
    struct regular *source = find(regulars, digest);

    if (source != NULL)
        forget(regulars, source);
    else if (regulars_count(regulars) >= REGULARS_MAX)
        forget(regulars, regulars->oldest);
    source = mem_new(sizeof *source);
    source->digest = digest;
    source->at_ms = at_ms;
    HASH_ADD(hh, regulars->by_digest, digest, sizeof source->digest, source);
    DL_APPEND(regulars->oldest, source);
}

void regulars_note(struct regulars *regulars, const struct prefix *from, int64_t now_ms)
{
    note(regulars, digest_of(regulars, from), now_ms);
}

static bool is_recent(int64_t at_ms, int64_t now_ms)
{
    return now_ms - at_ms < (int64_t)REGULARS_S * 1000;
}

bool regulars_has(const struct regulars *regulars, const struct prefix *from,
                  int64_t now_ms)
{
    const struct regular *source = find(regulars, digest_of(regulars, from));

    return source != NULL && is_recent(source->at_ms, now_ms);
}

int regulars_count(const struct regulars *regulars)
{
    return (int)HASH_COUNT(regulars->by_digest);
}

/* --- The file --- */

static void write_number(FILE *file, uint64_t number)
{
    for (int i = 0; i < NUMBER_BYTES; i++)
        putc((int)(number >> (8 * i) & 0xff), file);
}

/* Reads a number. False: the file ends before the number, or within it. */
static bool read_number(FILE *file, uint64_t *out)
{
    unsigned char bytes[NUMBER_BYTES];

    *out = 0;
    if (fread(bytes, sizeof bytes, 1, file) != 1)
        return false;
    for (int i = 0; i < NUMBER_BYTES; i++)
        *out |= (uint64_t)bytes[i] << (8 * i);
    return true;
}

void regulars_load(struct regulars *regulars, const char *path, int64_t now_ms,
                   int64_t now_wall_s)
{
    FILE *file = fopen(path, "rb");
    unsigned char key[TABLE_KEY_BYTES];
    uint64_t digest, wall_s;

    if (file == NULL && errno != ENOENT)
        log_warn("regulars file=%s why=\"%s\"", path, strerror(errno));
    if (file == NULL)
        return;
    if (fread(key, sizeof key, 1, file) == 1) {
        memcpy(regulars->key, key, sizeof key);
        while (read_number(file, &digest) && read_number(file, &wall_s)) {
            int64_t age_s = now_wall_s - (int64_t)(wall_s & INT64_MAX);

            if (age_s >= 0 && age_s < REGULARS_S)
                note(regulars, digest, now_ms - age_s * 1000);
        }
    }
    fclose(file);
}

static void write_all(const struct regulars *regulars, FILE *file, int64_t now_ms,
                      int64_t now_wall_s)
{
    const struct regular *source;

    fwrite(regulars->key, sizeof regulars->key, 1, file);
    DL_FOREACH (regulars->oldest, source) {
        if (!is_recent(source->at_ms, now_ms))
            continue;
        write_number(file, source->digest);
        write_number(file, (uint64_t)(now_wall_s - (now_ms - source->at_ms) / 1000));
    }
}

bool regulars_save(const struct regulars *regulars, const char *path, int64_t now_ms,
                   int64_t now_wall_s)
{
    char fresh[PATH_MAX];
    FILE *file = NULL;
    bool is_good = false;

    if (snprintf(fresh, sizeof fresh, "%s.new", path) < (int)sizeof fresh)
        file = fopen(fresh, "wb");
    if (file != NULL) {
        write_all(regulars, file, now_ms, now_wall_s);
        is_good = ferror(file) == 0;
        is_good = fclose(file) == 0 && is_good && rename(fresh, path) == 0;
    }
    if (!is_good)
        log_warn("regulars file=%s why=\"%s\"", path, strerror(errno));
    return is_good;
}
