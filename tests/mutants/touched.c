/* Records which functions a program has entered. Linked into programs that were
 * compiled with -finstrument-functions. Each program has a file in the directory
 * JANGGI_TOUCHED. When the program enters a function, it sets one byte of the file to
 * 1. The position of this byte in the file is the distance between the function and the
 * start of the program. The file is mapped into memory, so the bytes stay in the file
 * after kill -9. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MARKS_BYTES = 64 << 20, PATH_BYTES = 512 };

extern const char __executable_start[], etext[];

#define PLAIN __attribute__((no_instrument_function))
void __cyg_profile_func_enter(void *function, void *caller) PLAIN;
void __cyg_profile_func_exit(void *function, void *caller) PLAIN;

static unsigned char *marks;

__attribute__((constructor)) PLAIN static void begin(void)
{
    const char *directory = getenv("JANGGI_TOUCHED");
    char path[PATH_BYTES];
    void *place;
    int fd;

    if (directory == NULL)
        return;
    snprintf(path, sizeof path, "%s/%s", directory, program_invocation_short_name);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, MARKS_BYTES) != 0)
        return;
    place = mmap(NULL, MARKS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (place != MAP_FAILED)
        marks = place;
}

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    if (marks != NULL && (char *)function < etext)
        marks[(const char *)function - __executable_start] = 1;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
}
