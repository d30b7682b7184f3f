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
 * it. */
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

struct sum {
    uint32_t a, b;
};

/* A frame, and whether its salt and checksum are right. */
struct frame {
    uint32_t page, commit; /* commit: not 0 for the last frame of a transaction */
    uint32_t salt[2];
    struct sum sum;
    bool fits; /* has the current salt, and its checksum continues the previous frame's
                * checksum */
    bool is_in_one_sector;
    unsigned char *bytes; /* the header and the page */
};

struct wal {
    int fd;
    bool is_big_endian; /* the checksums read the log as big-endian numbers */
    size_t page_bytes;
    uint32_t salt[2];
    int frames;
    unsigned char header[HEADER_BYTES];
    struct frame now, before;
};

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_number(unsigned char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (24 - 8 * i));
}

static uint32_t word_at(const struct wal *wal, const unsigned char *at)
{
    if (wal->is_big_endian)
        return number_at(at);
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static struct sum sum_on(const struct wal *wal, struct sum sum, const unsigned char *at,
                         size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        sum.a += word_at(wal, at + i) + sum.b;
        sum.b += word_at(wal, at + i + 4) + sum.a;
    }
    return sum;
}

static struct sum stored_sum(const unsigned char *at)
{
    return (struct sum){number_at(at), number_at(at + 4)};
}

static bool is_same_sum(struct sum one, struct sum other)
{
    return one.a == other.a && one.b == other.b;
}

/* --- Frames --- */

/* Moves wal->now to wal->before, and reads frame number n into wal->now. The first
 * frame has number 1. Returns false if the frame cannot be read. */
static bool read_frame(struct wal *wal, int n)
{
    size_t size = FRAME_BYTES + wal->page_bytes;
    off_t at = HEADER_BYTES + (off_t)size * (n - 1);
    struct frame old = wal->before;
    unsigned char *bytes = old.bytes;
    struct sum sum;

    wal->before = wal->now;
    if (pread(wal->fd, bytes, size, at) != (ssize_t)size)
        return false;
    wal->now = (struct frame){.page = number_at(bytes),
                              .commit = number_at(bytes + 4),
                              .salt = {number_at(bytes + 8), number_at(bytes + 12)},
                              .sum = stored_sum(bytes + 16),
                              .is_in_one_sector =
                                  at % SECTOR_BYTES + FRAME_BYTES <= SECTOR_BYTES,
                              .bytes = bytes};
    sum = sum_on(wal, wal->before.sum, bytes, 8);
    sum = sum_on(wal, sum, bytes + FRAME_BYTES, wal->page_bytes);
    wal->now.fits = wal->now.page != 0 && wal->now.salt[0] == wal->salt[0] &&
                    wal->now.salt[1] == wal->salt[1] && is_same_sum(sum, wal->now.sum);
    return true;
}

/* True if the header of the frame says that the frame ends a transaction, and this
 * header can be trusted. The header can be trusted if the whole frame is right. It can
 * also be trusted if it lies within one sector: then the header was written completely,
 * even if the page is damaged. */
static bool is_commit(const struct wal *wal, const struct frame *frame)
{
    return frame->commit != 0 && frame->salt[0] == wal->salt[0] &&
           frame->salt[1] == wal->salt[1] && (frame->fits || frame->is_in_one_sector);
}

static bool is_copy(const struct wal *wal)
{
    return wal->now.page == wal->before.page && wal->now.commit == wal->before.commit &&
           memcmp(wal->now.bytes + FRAME_BYTES, wal->before.bytes + FRAME_BYTES,
                  wal->page_bytes) == 0;
}

/* Searches the frames after the bad frame `first` for a frame that was written after a
 * commit. Such a frame proves damage. */
static enum store_wal_state judge_rest(struct wal *wal, int first)
{
    bool has_commit = false; /* a whole commit was found after frame `first` */

    for (int n = first + 1; n <= wal->frames; n++) {
        bool is_again;

        if (!read_frame(wal, n))
            return STORE_WAL_FAILED;
        is_again = is_copy(wal);
        if (wal->now.fits && !is_again &&
            (is_commit(wal, &wal->before) || (has_commit && wal->now.commit != 0)))
            return STORE_WAL_DAMAGED;
        has_commit = has_commit || (wal->now.fits && wal->now.commit != 0);
    }
    return STORE_WAL_TORN;
}

static enum store_wal_state judge_frames(struct wal *wal, int *frame)
{
    for (int n = 1; n <= wal->frames; n++) {
        if (!read_frame(wal, n))
            return STORE_WAL_FAILED;
        *frame = n;
        if (!wal->now.fits)
            return judge_rest(wal, n);
    }
    return STORE_WAL_WHOLE;
}

/* --- The header --- */

static void header_sum(const struct wal *wal, const unsigned char *header,
                       unsigned char out[8])
{
    struct sum sum = sum_on(wal, (struct sum){0, 0}, header, HEADER_BYTES - 8);

    put_number(out, sum.a);
    put_number(out + 4, sum.b);
}

static bool has_good_header(const struct wal *wal)
{
    unsigned char sum[8];

    header_sum(wal, wal->header, sum);
    return (number_at(wal->header) & ~1u) == MAGIC &&
           number_at(wal->header + 4) == FORMAT &&
           memcmp(sum, wal->header + HEADER_BYTES - 8, 8) == 0;
}

/* True when SQLite has not completely written a new header: the file begins with a part
 * of the new header, and the rest is still the old header. The frames belong to the old
 * header. In a new header, the counter and the first salt are higher by 1 than in the
 * old header. */
static bool is_header_in_making(const struct wal *wal)
{
    unsigned char old[HEADER_BYTES], sum[8];
    size_t made = HEADER_BYTES;

    memcpy(old, wal->header, sizeof old);
    put_number(old + 12, number_at(wal->header + 12) - 1);
    put_number(old + 16, wal->salt[0]);
    put_number(old + 20, wal->salt[1]);
    header_sum(wal, old, old + 24);
    header_sum(wal, wal->header, sum);
    while (made > 0 && wal->header[made - 1] == old[made - 1])
        made--;
    for (size_t i = 16; i < made; i++) {
        unsigned char salt[4];

        put_number(salt, wal->salt[0] + 1);
        if (i < 20 && wal->header[i] != salt[i - 16])
            return false;
        if (i >= 24 && wal->header[i] != sum[i - 24])
            return false;
    }
    return made >= 16;
}

/* True when the frames contain a whole commit, or cannot be read. */
static bool has_whole_commit(struct wal *wal)
{
    for (int n = 1; n <= wal->frames; n++)
        if (!read_frame(wal, n) || (wal->now.fits && wal->now.commit != 0))
            return true;
    return false;
}

/* SQLite treats a log without a header as empty. That is right if it contains no
 * transaction, or if the header was just being written: then a checkpoint had already
 * copied all frames. The byte order of the checksums is in the header too, so both
 * orders are tried. */
static enum store_wal_state judge_headless(struct wal *wal, int *frame)
{
    *frame = 1;
    if (wal->frames == 0)
        return STORE_WAL_WHOLE;
    if (!read_frame(wal, 1))
        return STORE_WAL_FAILED;
    memcpy(wal->salt, wal->now.salt, sizeof wal->salt);
    if (wal->now.page == 0 || is_header_in_making(wal))
        return STORE_WAL_TORN;
    if (wal->now.commit != 0 || has_whole_commit(wal))
        return STORE_WAL_DAMAGED;
    wal->is_big_endian = !wal->is_big_endian;
    return has_whole_commit(wal) ? STORE_WAL_DAMAGED : STORE_WAL_TORN;
}

/* Returns the page size from the header. If that size is invalid, returns the usual
 * page size of our databases. */
static size_t page_bytes(const struct wal *wal)
{
    uint32_t bytes = number_at(wal->header + 8);

    return bytes >= 512 && bytes <= 65536 && (bytes & (bytes - 1)) == 0 ? bytes
                                                                        : PAGE_USUAL;
}

static enum store_wal_state judge(struct wal *wal, off_t size, int *frame)
{
    enum store_wal_state state;

    wal->is_big_endian = (number_at(wal->header) & 1) != 0;
    wal->page_bytes = page_bytes(wal);
    wal->frames = (int)((size - HEADER_BYTES) / (off_t)(FRAME_BYTES + wal->page_bytes));
    wal->now.bytes = mem_new(FRAME_BYTES + wal->page_bytes);
    wal->before.bytes = mem_new(FRAME_BYTES + wal->page_bytes);
    wal->now.sum = stored_sum(wal->header + HEADER_BYTES - 8);
    wal->salt[0] = number_at(wal->header + 16);
    wal->salt[1] = number_at(wal->header + 20);
    state =
        has_good_header(wal) ? judge_frames(wal, frame) : judge_headless(wal, frame);
    free(wal->now.bytes);
    free(wal->before.bytes);
    return state;
}

enum store_wal_state store_wal_judge(const char *path, int *frame)
{
    enum store_wal_state state = STORE_WAL_FAILED;
    struct wal wal = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    struct stat found;

    *frame = 0;
    if (wal.fd < 0)
        return errno == ENOENT ? STORE_WAL_WHOLE : STORE_WAL_FAILED;
    if (fstat(wal.fd, &found) == 0 && found.st_size < HEADER_BYTES)
        state = STORE_WAL_WHOLE; /* too short for a header: no log was begun */
    else if (pread(wal.fd, wal.header, HEADER_BYTES, 0) == HEADER_BYTES)
        state = judge(&wal, found.st_size, frame);
    close(wal.fd);
    return state;
}
