/* See disk.h. fsync() on macOS leaves the data in the disk's cache, so F_FULLFSYNC is
 * tried first where it exists. fallocate() exists only on Linux. posix_fallocate() is
 * optional in POSIX. If the system has neither of these two functions, disk_allocate()
 * reserves the space by writing bytes. */
#include "common/system/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/mem.h"

#ifndef PORTABLE_ONLY
#ifdef FALLOC_FL_KEEP_SIZE
#define HAS_FALLOCATE
#endif
#if defined(_POSIX_ADVISORY_INFO) && _POSIX_ADVISORY_INFO > 0
#define HAS_POSIX_FALLOCATE
#endif
#endif

enum { CHUNK_BYTES = 64 * 1024 };

bool disk_sync(int fd)
{
#ifdef F_FULLFSYNC
    if (fcntl(fd, F_FULLFSYNC) == 0)
        return true; /* some file systems refuse F_FULLFSYNC, so fsync() follows */
#endif
    return fsync(fd) == 0;
}

bool disk_write_text(int fd, const char *text)
{
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool is_written;
    int why = errno;

    if (file == NULL) {
        if (fd >= 0)
            close(fd);
        errno = why;
        return false;
    }
    is_written = fputs(text, file) >= 0 && fflush(file) == 0 && disk_sync(fd);
    return fclose(file) == 0 && is_written;
}

bool disk_sync_directory_of(const char *path)
{
    char *directory = mem_copy_text(path), *slash = strrchr(directory, '/');
    bool is_synced;
    int fd, why;

    if (slash != NULL)
        slash[slash == directory ? 1 : 0] = '\0';
    fd = open(slash != NULL ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    is_synced = fd >= 0 && disk_sync(fd);
    why = errno;
    if (fd >= 0)
        close(fd);
    free(directory);
    errno = why;
    return is_synced;
}

/* Writes data that cannot be compressed, so that a file system with compression must
 * store all of it. */
static int write_all(int fd, int64_t bytes)
{
    unsigned char chunk[CHUNK_BYTES];
    uint32_t seed = 1;

    while (bytes > 0) {
        size_t len = bytes < CHUNK_BYTES ? (size_t)bytes : CHUNK_BYTES;
        ssize_t done;

        for (size_t i = 0; i < len; i++) {
            seed = seed * 1664525u + 1013904223u;
            chunk[i] = (unsigned char)(seed >> 24);
        }
        done = write(fd, chunk, len);
        if (done < 0 && errno != EINTR)
            return errno;
        if (done > 0)
            bytes -= done;
    }
    return 0;
}

int disk_allocate(int fd, int64_t bytes)
{
#ifdef HAS_FALLOCATE
    if (fallocate(fd, 0, 0, (off_t)bytes) == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return errno;
#endif
#ifdef HAS_POSIX_FALLOCATE
    {
        int why = posix_fallocate(fd, 0, (off_t)bytes);

        if (why != EOPNOTSUPP && why != ENOSYS && why != EINVAL)
            return why;
    }
#endif
    return write_all(fd, bytes);
}
