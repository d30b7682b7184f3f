/* Makes calls to the system fail. Loaded in front of the C library (LD_PRELOAD), it
 * passes on all calls except those that the environment names:
 *
 *   JANGGI_FAULT_CALL=K     write, sync, open, memory or accept
 *   JANGGI_FAULT_AT=N       the N-th call of that kind fails; 0 or unset: none
 *   JANGGI_FAULT_FOR_GOOD=1 all calls of that kind after the N-th fail too
 *   JANGGI_FAULT_ERRNO=E    EIO, ENOSPC, EMFILE, ENOMEM or EROFS
 *   JANGGI_FAULT_WHILE=F    every call of that kind fails while there is a file F
 *   JANGGI_FAULT_TALLY=F    the number of calls of each kind is kept in file F, which
 *                           has room for FAULT_KINDS 64-bit numbers
 *
 * Only writes to files count, not those to sockets or to the log. Truncating a file
 * and reserving space for it count as writes. Calls that the C library makes inside
 * fwrite() or fopen() are not seen. */
#include "tests/proof/fault/preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *const kinds[FAULT_KINDS] = {FAULT_KIND_NAMES};

/* The settings and counters of the whole process. The settings are made before
 * main(). */
static struct {
    bool is_ready;
    enum fault_kind kind;
    uint64_t at;
    bool is_for_good;
    int why;
    const char *flag;
    _Atomic uint64_t own[FAULT_KINDS], *count;
} fault = {.kind = (enum fault_kind)FAULT_KINDS};

/* Stores the address of a function of the C library. The bytes of the pointer are
 * copied, because a pointer to an object cannot be cast to a pointer to a function. */
#define FIND(into, name)                                                               \
    do {                                                                               \
        void *found = dlsym(RTLD_NEXT, name);                                          \
                                                                                       \
        memcpy(&(into), &found, sizeof found);                                         \
    } while (0)

/* --- Memory before there is any: dlsym() itself may ask --- */

enum { EARLY_BYTES = 65536 };
static _Alignas(16) char early[EARLY_BYTES];
static size_t early_used;

static void *take_early(size_t size)
{
    char *block = early + early_used;

    size = (size + 31) / 16 * 16;
    if (early_used + size > sizeof early)
        return NULL;
    memcpy(block, &size, sizeof size);
    early_used += size + 16;
    return block + 16;
}

static bool is_early(const void *block)
{
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static struct {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *block, size_t size);
    void (*free)(void *block);
    bool is_looking; /* dlsym() is being called */
} real;

static bool has_memory(void)
{
    if (real.free != NULL)
        return true;
    if (real.is_looking)
        return false;
    real.is_looking = true;
    FIND(real.malloc, "malloc");
    FIND(real.calloc, "calloc");
    FIND(real.realloc, "realloc");
    FIND(real.free, "free");
    real.is_looking = false;
    return real.free != NULL;
}

/* --- Whose turn it is --- */

static int number_of_errno(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } known[] = {
        {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EROFS", EROFS}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (name != NULL && strcmp(name, known[i].name) == 0)
            return known[i].number;
    return EIO;
}

static void map_tally(const char *path)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    void *place;

    if (fd < 0)
        return;
    place = mmap(NULL, sizeof fault.own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (place != MAP_FAILED)
        fault.count = place;
    close(fd);
}

__attribute__((constructor)) static void begin(void)
{
    const char *call = getenv("JANGGI_FAULT_CALL"), *at = getenv("JANGGI_FAULT_AT");
    const char *for_good = getenv("JANGGI_FAULT_FOR_GOOD");
    const char *tally = getenv("JANGGI_FAULT_TALLY");

    for (int i = 0; call != NULL && i < FAULT_KINDS; i++)
        if (strcmp(call, kinds[i]) == 0)
            fault.kind = (enum fault_kind)i;
    fault.at = at != NULL ? strtoull(at, NULL, 10) : 0;
    fault.is_for_good = for_good != NULL && strcmp(for_good, "1") == 0;
    fault.why = number_of_errno(getenv("JANGGI_FAULT_ERRNO"));
    fault.flag = getenv("JANGGI_FAULT_WHILE");
    fault.count = fault.own;
    if (tally != NULL)
        map_tally(tally);
    fault.is_ready = true;
}

/* Prints which call fails. Calls the kernel directly: write() is replaced in this file
 * by a function that can fail on purpose. */
static void say(uint64_t number)
{
    char line[80];
    int len = snprintf(line, sizeof line, "fault: %s %llu fails\n", kinds[fault.kind],
                       (unsigned long long)number);

    if (len > 0)
        (void)!syscall(SYS_write, STDERR_FILENO, line, (size_t)len);
}

static bool fails(enum fault_kind kind)
{
    uint64_t number;

    if (!fault.is_ready)
        return false;
    number = atomic_fetch_add(&fault.count[kind], 1) + 1;
    if (kind != fault.kind)
        return false;
    if (fault.flag != NULL && access(fault.flag, F_OK) == 0) {
        errno = fault.why;
        return true;
    }
    if (fault.at == 0 || number < fault.at || (number > fault.at && !fault.is_for_good))
        return false;
    if (number == fault.at)
        say(number);
    errno = fault.why;
    return true;
}

/* --- Memory --- */

void *malloc(size_t size)
{
    if (fails(FAULT_MEMORY))
        return NULL;
    return has_memory() ? real.malloc(size) : take_early(size);
}

/* Memory from take_early() needs no clearing: it has never been used, so it is zero. */
void *calloc(size_t count, size_t size)
{
    if (fails(FAULT_MEMORY))
        return NULL;
    return has_memory() ? real.calloc(count, size) : take_early(count * size);
}

void *realloc(void *block, size_t size)
{
    void *moved;
    size_t old;

    if (fails(FAULT_MEMORY))
        return NULL;
    if (block == NULL || !is_early(block))
        return has_memory() ? real.realloc(block, size) : NULL;
    memcpy(&old, (char *)block - 16, sizeof old);
    moved = malloc(size);
    if (moved != NULL)
        memcpy(moved, block, old < size ? old : size);
    return moved;
}

void free(void *block)
{
    if (block != NULL && !is_early(block) && has_memory())
        real.free(block);
}

/* --- Files --- */

/* True if fd is a regular file but not the log, which is standard error. */
static bool is_file(int fd)
{
    struct stat found;

    return fd > STDERR_FILENO && fstat(fd, &found) == 0 && S_ISREG(found.st_mode);
}

static bool fails_on(int fd)
{
    int why = errno;
    bool is_failing = is_file(fd) && fails(FAULT_WRITE);

    if (!is_failing)
        errno = why;
    return is_failing;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
    return fails_on(fd) ? -1 : syscall(SYS_write, fd, bytes, len);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    return fails_on(fd) ? -1 : syscall(SYS_writev, fd, parts, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t offset)
{
    return fails_on(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, len, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t len, off64_t offset)
{
    return fails_on(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, len, offset);
}

int ftruncate(int fd, off_t size)
{
    return fails_on(fd) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size)
{
    return fails_on(fd) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

/* Reserving space counts as a write. */
int fallocate(int fd, int mode, off_t offset, off_t len)
{
    return fails_on(fd) ? -1 : (int)syscall(SYS_fallocate, fd, mode, offset, len);
}

int fallocate64(int fd, int mode, off64_t offset, off64_t len)
{
    return fallocate(fd, mode, offset, len);
}

int posix_fallocate(int fd, off_t offset, off_t len)
{
    return fallocate(fd, 0, offset, len) == 0 ? 0 : errno;
}

int posix_fallocate64(int fd, off64_t offset, off64_t len)
{
    return posix_fallocate(fd, offset, len);
}

int fsync(int fd)
{
    return fails(FAULT_SYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return fails(FAULT_SYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

static int open_at(int directory, const char *path, int flags, va_list args)
{
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? (mode_t)va_arg(args, int) : 0;

    if (fails(FAULT_OPEN))
        return -1;
    return (int)syscall(SYS_openat, directory, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list args;
    int fd;

    va_start(args, flags);
    fd = open_at(AT_FDCWD, path, flags, args);
    va_end(args);
    return fd;
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    int fd;

    va_start(args, flags);
    fd = open_at(AT_FDCWD, path, flags, args);
    va_end(args);
    return fd;
}

int openat(int directory, const char *path, int flags, ...)
{
    va_list args;
    int fd;

    va_start(args, flags);
    fd = open_at(directory, path, flags, args);
    va_end(args);
    return fd;
}

/* --- Callers --- */

int accept4(int fd, struct sockaddr *from, socklen_t *len, int flags)
{
    if (fails(FAULT_ACCEPT))
        return -1;
    return (int)syscall(SYS_accept4, fd, from, len, flags);
}

int accept(int fd, struct sockaddr *from, socklen_t *len)
{
    return accept4(fd, from, len, 0);
}
