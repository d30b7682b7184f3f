/* See store_part.h. */
#include "server/store/store_part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/system/disk.h"

void store_part_say(char why[STORE_WHY_BYTES], const char *words, int number)
{
    struct text text = text_into(why, STORE_WHY_BYTES);

    text_add(&text, words);
    if (number != 0)
        text_addf(&text, ": %s", strerror(number));
}

static bool name_files(struct store_part *part, const char *path,
                       char why[STORE_WHY_BYTES])
{
    struct text name = text_into(part->part, sizeof part->part);
    struct stat found;

    text_addf(&name, "%s.part", path);
    if (!text_copy(part->path, sizeof part->path, path) || name.is_cut)
        store_part_say(why, "the path is too long", 0);
    else if (lstat(path, &found) == 0)
        store_part_say(why, "file exists; choose another name", 0);
    else
        return true;
    return false;
}

bool store_part_create(struct store_part *part, const char *path,
                       char why[STORE_WHY_BYTES])
{
    part->fd = -1;
    if (!name_files(part, path, why))
        return false;
    part->fd =
        open(part->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (part->fd >= 0)
        return true;
    if (errno == EEXIST)
        store_part_say(
            why,
            "FILE.part exists: another backup is being made, or one was interrupted",
            0);
    else
        store_part_say(why, "the file cannot be created", errno);
    return false;
}

/* Gives the file its final name. Never replaces another file: link() fails if that name
 * exists. Where the file system has no links, checks the name and uses rename(). */
static bool give_name(const struct store_part *part)
{
    struct stat found;

    if (link(part->part, part->path) == 0)
        return unlink(part->part) == 0;
    if (errno == EEXIST)
        return false;
    errno = EEXIST;
    return lstat(part->path, &found) != 0 && rename(part->part, part->path) == 0;
}

bool store_part_finish(struct store_part *part)
{
    return disk_sync(part->fd) && give_name(part) && disk_sync_directory_of(part->path);
}

void store_part_drop(struct store_part *part)
{
    if (part->fd < 0)
        return;
    close(part->fd);
    unlink(part->part); /* does nothing if the file has its final name */
    part->fd = -1;
}
