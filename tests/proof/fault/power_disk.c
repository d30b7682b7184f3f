/* See power_disk.h. */
#include "tests/proof/fault/power_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"

enum { SECTOR = 512 };
enum mode { MODE_NOTHING, MODE_SOME, MODE_TORN, MODE_EARLY, MODE_LATE, MODE_ALL };
enum { MODES = MODE_ALL + 1 };
static const char *const mode_names[MODES] = {"nothing", "some", "torn",
                                              "early",   "late", "all"};

/* One write or truncation. */
struct change {
    struct change *prev, *next;
    bool is_truncation;
    int64_t offset; /* of a write: where it begins; of a truncation: the new size */
    size_t len, old_len;
    int64_t old_size;
    unsigned char *bytes, *old;
};

/* One file under one name. A program may remove a file and make a new file with the
 * same name. Until the directory is synced, each of these files has a struct of its
 * own. */
struct disk_file {
    struct disk_file *prev, *next;
    char *path;
    bool is_born; /* its name was created since its directory's last sync */
    bool is_dead; /* its name was removed since then */
    struct change *changes;
    unsigned char *corpse; /* content of a removed file */
    size_t corpse_len;
};

/* One process has one disk. */
static struct {
    pthread_mutex_t lock;
    struct disk_file *files; /* oldest first */
    int64_t count, at;
    uint64_t random;
    enum mode mode;
    bool is_lying;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint32_t dice(uint32_t below)
{
    uint64_t z = (disk.random += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

static int64_t number_of(const char *name)
{
    const char *text = getenv(name);

    return text != NULL ? strtoll(text, NULL, 10) : 0;
}

void disk_init(void)
{
    const char *mode = getenv("JANGGI_POWER_MODE");

    disk.at = number_of("JANGGI_POWER_AT");
    disk.random = (uint64_t)number_of("JANGGI_POWER_SEED");
    disk.is_lying = number_of("JANGGI_POWER_LIES") != 0;
    disk.mode = (enum mode)dice(MODES);
    for (int i = 0; mode != NULL && i < MODES; i++)
        if (strcmp(mode, mode_names[i]) == 0)
            disk.mode = (enum mode)i;
}

/* --- Raw files --- */

/* Aborts because the harness itself has failed: the checker must not take that for a
 * power failure. */
NO_RETURN static void give_up(const char *path)
{
    log_warn("power path=%s why=\"%s\"", path, strerror(errno));
    abort();
}

static void put(int fd, const char *path, const unsigned char *bytes, size_t len,
                int64_t offset)
{
    while (len > 0) {
        ssize_t done = pwrite(fd, bytes, len, offset);

        if (done <= 0)
            give_up(path);
        bytes += done;
        offset += done;
        len -= (size_t)done;
    }
}

static void set_size(int fd, const char *path, int64_t size)
{
    if (ftruncate(fd, size) != 0)
        give_up(path);
}

/* --- The power goes --- */

/* Undoes the changes since the last sync, newest first. */
static void roll_back(const struct disk_file *file, int fd)
{
    const struct change *change = file->changes != NULL ? file->changes->prev : NULL;

    while (change != NULL) {
        put(fd, file->path, change->old, change->old_len, change->offset);
        set_size(fd, file->path, change->old_size);
        change = change != file->changes ? change->prev : NULL;
    }
}

/* Keeps random sectors of a write. The file size after the write is kept or not, at
 * random. */
static void put_sectors(const struct disk_file *file, int fd,
                        const struct change *change)
{
    int64_t end = change->offset + (int64_t)change->len, at = change->offset, next;

    for (; at < end; at = next) {
        next = at - at % SECTOR + SECTOR;
        if (next > end)
            next = end;
        if (dice(2) == 0)
            put(fd, file->path, change->bytes + (at - change->offset),
                (size_t)(next - at), at);
    }
    if (dice(2) == 0 && lseek(fd, 0, SEEK_END) < end)
        set_size(fd, file->path, end);
}

enum fate { FATE_LOST, FATE_TORN, FATE_KEPT };

static enum fate fate_of(const struct change *change, int number, int turn)
{
    switch (disk.mode) {
    case MODE_NOTHING:
        return FATE_LOST;
    case MODE_SOME:
        return dice(2) == 0 ? FATE_LOST : FATE_KEPT;
    case MODE_TORN:
        return FATE_TORN;
    case MODE_EARLY:
        return number < turn ? FATE_KEPT : number == turn ? FATE_TORN : FATE_LOST;
    case MODE_LATE: /* the file system keeps the order of truncations: none is lost */
        return number > turn || change->is_truncation ? FATE_KEPT
               : number == turn                       ? FATE_TORN
                                                      : FATE_LOST;
    default:
        return FATE_KEPT;
    }
}

/* Repeats some of the changes since the last sync. If a truncation is not repeated, the
 * changes after this truncation are not repeated either. */
static void play_again(const struct disk_file *file, int fd)
{
    const struct change *change;
    int count = 0, number = 0, turn;

    DL_COUNT(file->changes, change, count);
    turn = (int)dice((uint32_t)count + 1);
    DL_FOREACH (file->changes, change) {
        enum fate fate = fate_of(change, number++, turn);

        if (change->is_truncation && fate != FATE_KEPT && dice(2) == 0)
            return;
        if (change->is_truncation && fate == FATE_LOST)
            return;
        if (change->is_truncation)
            set_size(fd, file->path, change->offset);
        else if (fate == FATE_KEPT)
            put(fd, file->path, change->bytes, change->len, change->offset);
        else if (fate == FATE_TORN)
            put_sectors(file, fd, change);
    }
}

/* Gives the file the content that is found after the failure. Makes the file again if
 * it was removed. */
static void settle(const struct disk_file *file)
{
    int fd = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0)
        give_up(file->path);
    if (file->is_dead) {
        set_size(fd, file->path, 0);
        put(fd, file->path, file->corpse, file->corpse_len, 0);
    }
    roll_back(file, fd);
    play_again(file, fd);
    close(fd);
}

static bool is_same_name(const struct disk_file *a, const struct disk_file *b)
{
    return strcmp(a->path, b->path) == 0;
}

/* Chooses the file that a name refers to after the power failure: the one synced under
 * that name, a later one, or none. */
static void settle_name(struct disk_file *first)
{
    struct disk_file *file, *chosen = first->is_born ? NULL : first;
    bool is_anything = disk.mode != MODE_NOTHING;

    for (file = first; file != NULL && is_anything; file = file->next) {
        if (!is_same_name(file, first))
            continue;
        if (file->is_born && disk.mode != MODE_ALL && dice(2) == 0)
            break;
        chosen = file;
        if (!file->is_dead || (disk.mode != MODE_ALL && dice(2) == 0))
            break;
        chosen = NULL;
    }
    if (chosen == NULL)
        unlink(first->path); /* if the file never existed, unlink() fails; this is
                              * harmless */
    else
        settle(chosen);
}

static bool has_earlier(const struct disk_file *file)
{
    const struct disk_file *other;

    DL_FOREACH (disk.files, other) {
        if (other == file)
            return false;
        if (is_same_name(other, file))
            return true;
    }
    return false;
}

NO_RETURN static void cut(const char *what, const char *path)
{
    struct disk_file *file;

    log_info("power off at=%lld while=%s file=%s mode=%s", (long long)disk.count, what,
             strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path,
             mode_names[disk.mode]);
    DL_FOREACH (disk.files, file)
        if (!has_earlier(file))
            settle_name(file);
    _exit(POWER_STATUS);
}

/* Counts a change or a sync. True: the power fails now. To be called under the lock. */
static bool is_time(void)
{
    return ++disk.count == disk.at;
}

/* --- What happens until then --- */

static void *copy(const void *bytes, size_t len)
{
    void *block = mem_resize(NULL, len > 0 ? len : 1, 1);

    if (len > 0)
        memcpy(block, bytes, len);
    return block;
}

static void change_free(struct change *change)
{
    free(change->bytes);
    free(change->old);
    free(change);
}

static void forget_changes(struct disk_file *file)
{
    struct change *change, *next;

    DL_FOREACH_SAFE (file->changes, change, next) {
        DL_DELETE(file->changes, change);
        change_free(change);
    }
}

static struct disk_file *find_living(const char *path)
{
    struct disk_file *file;

    DL_FOREACH (disk.files, file)
        if (!file->is_dead && strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

struct disk_file *disk_open(const char *path, bool is_new)
{
    struct disk_file *file;

    pthread_mutex_lock(&disk.lock);
    file = find_living(path);
    if (file == NULL) {
        file = mem_new(sizeof *file);
        file->path = mem_copy_text(path);
        file->is_born = is_new;
        DL_APPEND(disk.files, file);
    }
    if (is_new && is_time())
        cut("create", path);
    pthread_mutex_unlock(&disk.lock);
    return file;
}

static void add_change(struct disk_file *file, const struct change *change)
{
    struct change *kept = copy(change, sizeof *change);

    DL_APPEND(file->changes, kept);
    if (is_time())
        cut(change->is_truncation ? "truncate" : "write", file->path);
}

void disk_write(struct disk_file *file, int64_t offset, const void *bytes, size_t len,
                const void *old, size_t old_len, int64_t size)
{
    struct change change = {.offset = offset,
                            .len = len,
                            .old_len = old_len,
                            .old_size = size,
                            .bytes = copy(bytes, len),
                            .old = copy(old, old_len)};

    pthread_mutex_lock(&disk.lock);
    add_change(file, &change);
    pthread_mutex_unlock(&disk.lock);
}

void disk_truncate(struct disk_file *file, int64_t to, const void *old, size_t old_len,
                   int64_t size)
{
    struct change change = {.is_truncation = true,
                            .offset = to,
                            .old_len = old_len,
                            .old_size = size,
                            .old = copy(old, old_len)};

    pthread_mutex_lock(&disk.lock);
    add_change(file, &change);
    pthread_mutex_unlock(&disk.lock);
}

void disk_remove(const char *path, const void *bytes, size_t len)
{
    struct disk_file *file = disk_open(path, false);

    pthread_mutex_lock(&disk.lock);
    if (is_time())
        cut("remove", path);
    file->is_dead = true;
    file->corpse = copy(bytes, len);
    file->corpse_len = len;
    pthread_mutex_unlock(&disk.lock);
}

/* When the power fails at a sync, half of the failures happen when the sync is complete
 * but has not returned. */
void disk_sync_begins(struct disk_file *file)
{
    pthread_mutex_lock(&disk.lock);
    if (is_time()) {
        if (!disk.is_lying && dice(2) == 0)
            forget_changes(file);
        cut("sync", file->path);
    }
    pthread_mutex_unlock(&disk.lock);
}

static void settle_names(void)
{
    struct disk_file *file, *next;

    DL_FOREACH_SAFE (disk.files, file, next) {
        file->is_born = false;
        if (!file->is_dead)
            continue;
        DL_DELETE(disk.files, file);
        forget_changes(file);
        free(file->corpse);
        free(file->path);
        free(file);
    }
}

void disk_synced(struct disk_file *file, bool has_directory)
{
    pthread_mutex_lock(&disk.lock);
    if (!disk.is_lying)
        forget_changes(file);
    if (!disk.is_lying && has_directory)
        settle_names();
    pthread_mutex_unlock(&disk.lock);
}

void disk_directory_synced(void)
{
    pthread_mutex_lock(&disk.lock);
    if (!disk.is_lying)
        settle_names();
    pthread_mutex_unlock(&disk.lock);
}
