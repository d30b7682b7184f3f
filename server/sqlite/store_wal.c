/* See store_wal.h. Part 4 of https://sqlite.org/fileformat2.html describes the format.
 *
 * SQLite writes and syncs all frames of a transaction before it writes the first frame
 * of the next transaction. The last frame of a transaction is marked as its commit. If
 * a frame was written after a commit, everything up to this commit had been synced. A
 * mismatch before this commit is then damage. A power failure during the last
 * transaction is not damage, even if its commit is there and earlier frames are
 * missing. In this case, only frames of the following kinds can come after the commit.
 * They do not prove damage, and this file recognizes them:
 *
 *   - Frames from before the last restart of the log. They have another salt.
 *   - Frames of a transaction that was rolled back because the disk was full. They have
 *     the current salt, but not a whole commit. The first of these frames does not
 *     match the frame before it, because that frame was overwritten later. Each of the
 *     other frames matches the frame before it.
 *   - Copies of the commit, if SQLite repeats it to fill a sector. Each copy has the
 *     same page as the commit.
 *
 * Damage in the very last transaction cannot be detected, because frames do not follow
 * it. The header lies within one sector, which a disk writes completely or not at all,
 * and is synced before the first frame: a bad header before a frame is damage. */
#include "server/sqlite/store_wal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/mem.h"

enum {
    HEADER_BYTES = 32,
    FRAME_BYTES = 24, /* header before each page */
    FORMAT = 3007000,
    MAGIC = 0x377f0682, /* lowest bit set: checksums of big-endian numbers */
    SECTOR_BYTES = 512, /* a sector is written completely or not at all */
    PAGE_USUAL = 4096
};

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Continues the checksum sum[2] with `size` bytes. */
static void add_sum(uint32_t sum[2], bool is_big_endian, const unsigned char *at,
                    size_t size)
{
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word = number_at(at + i);

        sum[i / 4 % 2] +=
            (is_big_endian ? word : __builtin_bswap32(word)) + sum[1 - i / 4 % 2];
    }
}

static bool is_sum(const uint32_t sum[2], const unsigned char *stored)
{
    return sum[0] == number_at(stored) && sum[1] == number_at(stored + 4);
}

static enum store_wal_state judge(const unsigned char *log, size_t size, int *frame)
{
    bool is_big = (log[3] & 1) != 0, is_whole = true, has_commit = false;
    uint32_t sum[2] = {0, 0}, bytes = number_at(log + 8);
    size_t page = bytes >= 512 && bytes <= 65536 && (bytes & (bytes - 1)) == 0
                      ? bytes
                      : PAGE_USUAL;
    const unsigned char *stored = log + HEADER_BYTES - 8; /* the checksum before */
    bool is_commit = false; /* the frame before is the last one of a transaction, and
                             * its header can be trusted */
    int n = 1;

    add_sum(sum, is_big, log, HEADER_BYTES - 8);
    if ((number_at(log) & ~1u) != MAGIC || number_at(log + 4) != FORMAT ||
        !is_sum(sum, stored)) {
        *frame = 1;
        if (size < HEADER_BYTES + FRAME_BYTES)
            return STORE_WAL_WHOLE;
        return number_at(log + HEADER_BYTES) != 0 ? STORE_WAL_DAMAGED : STORE_WAL_TORN;
    }
    for (size_t at = HEADER_BYTES; at + FRAME_BYTES + page <= size;
         at += FRAME_BYTES + page, n++) {
        const unsigned char *now = log + at;
        bool is_ours = memcmp(now + 8, log + 16, 8) == 0, fits, is_again;

        sum[0] = number_at(stored);
        sum[1] = number_at(stored + 4);
        add_sum(sum, is_big, now, 8);
        add_sum(sum, is_big, now + FRAME_BYTES, page);
        fits = is_ours && number_at(now) != 0 && is_sum(sum, now + 16);
        is_again = n > 1 && memcmp(now, now - FRAME_BYTES - page, 8) == 0 &&
                   memcmp(now + FRAME_BYTES, now - page, page) == 0;
        if (is_whole)
            *frame = n;
        else if (fits && !is_again &&
                 (is_commit || (has_commit && number_at(now + 4) != 0)))
            return STORE_WAL_DAMAGED;
        else
            has_commit = has_commit || (fits && number_at(now + 4) != 0);
        is_whole = is_whole && fits;
        is_commit = number_at(now + 4) != 0 && is_ours &&
                    (fits || at % SECTOR_BYTES + FRAME_BYTES <= SECTOR_BYTES);
        stored = now + 16;
    }
    return is_whole ? STORE_WAL_WHOLE : STORE_WAL_TORN;
}

enum store_wal_state store_wal_judge(const char *path, int *frame)
{
    enum store_wal_state state = STORE_WAL_FAILED;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    unsigned char *log = NULL;
    struct stat found;

    *frame = 0;
    if (fd < 0)
        return errno == ENOENT ? STORE_WAL_WHOLE : STORE_WAL_FAILED;
    if (fstat(fd, &found) == 0 && found.st_size < HEADER_BYTES) {
        state = STORE_WAL_WHOLE; /* too short for a header: no log was begun */
    } else {
        size_t size = (size_t)found.st_size, done = 0;
        ssize_t got = 1;

        log = mem_resize(NULL, size, 1);
        for (; done < size && got > 0; done += got > 0 ? (size_t)got : 0)
            got = read(fd, log + done, size - done);
        if (done == size)
            state = judge(log, size, frame);
    }
    free(log);
    close(fd);
    return state;
}
