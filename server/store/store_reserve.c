/* See store_reserve.h. */
#include "server/store/store_reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "common/system/disk.h"

enum { LOOK_MS = 10000 };

static bool make(struct store_reserve *reserve)
{
    int fd = open(reserve->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                  0600);
    int why = fd < 0 ? errno : disk_allocate(fd, reserve->bytes);

    if (fd >= 0)
        close(fd);
    reserve->is_there = why == 0;
    if (why == 0) {
        reserve->is_missed = false;
        return true;
    }
    unlink(reserve->path);
    if (!reserve->is_missed)
        log_warn("store reserve=none bytes=%lld why=\"%s\" : made once there is room",
                 (long long)reserve->bytes, strerror(why));
    reserve->is_missed = true;
    return false;
}

static bool find_path(struct store_reserve *reserve, const char *directory)
{
    struct text path = text_into(reserve->path, sizeof reserve->path);

    text_addf(&path, "%s/reserve", directory);
    return !path.is_cut;
}

bool store_reserve_remove(const char *directory)
{
    struct store_reserve left;

    return find_path(&left, directory) && unlink(left.path) == 0;
}

void store_reserve_keep(struct store_reserve *reserve, const char *directory,
                        int64_t bytes)
{
    struct stat found;

    reserve->bytes = find_path(reserve, directory) ? bytes : 0;
    if (reserve->bytes == 0)
        store_reserve_release(reserve);
    else if (lstat(reserve->path, &found) == 0 && S_ISREG(found.st_mode) &&
             found.st_size == bytes && (int64_t)found.st_blocks * 512 >= bytes)
        reserve->is_there = true; /* whole, from an earlier run */
    else
        make(reserve);
}

bool store_reserve_release(struct store_reserve *reserve)
{
    if (reserve->path[0] == '\0' || unlink(reserve->path) != 0)
        return false;
    reserve->is_there = false;
    reserve->look_at_ms = 0;
    return true;
}

void store_reserve_renew(struct store_reserve *reserve, int64_t now_ms)
{
    char directory[STORE_RESERVE_PATH_BYTES];
    struct statvfs found;

    if (now_ms < store_reserve_due_ms(reserve))
        return;
    reserve->look_at_ms = now_ms + LOOK_MS;
    text_copy(directory, sizeof directory, reserve->path);
    *strrchr(directory, '/') = '\0';
    if (statvfs(directory, &found) == 0 &&
        (int64_t)found.f_bavail >= 2 * reserve->bytes / (int64_t)found.f_frsize &&
        make(reserve))
        log_info("store reserve=made bytes=%lld", (long long)reserve->bytes);
}

int64_t store_reserve_due_ms(const struct store_reserve *reserve)
{
    return reserve->bytes > 0 && !reserve->is_there ? reserve->look_at_ms : INT64_MAX;
}
