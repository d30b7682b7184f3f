/* See program.h. Linux has /proc/self/exe, which is right even after the file was
 * replaced; on other systems, the file is searched for in PATH, as a shell does. */
#include "common/system/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/base/text.h"

#ifndef PORTABLE_ONLY
#define SELF "/proc/self/exe"
#ifdef __GLIBC__
#define HAS_MALLOC_TRIM
#include <malloc.h>
#endif
#if defined(__has_include)
#if __has_include(<sys/prctl.h>)
#define HAS_PRCTL
#include <sys/prctl.h>
#elif __has_include(<sys/procctl.h>)
#define HAS_PROCCTL
#include <sys/procctl.h>
#endif
#endif
#endif

/* The path of the program's file, set by program_begin(); "" before that, and when the
 * file was not found. Static, because a process runs one program. */
static char file[PATH_MAX];

static void take_if_program(const char *path)
{
    char whole[PATH_MAX];

    if (access(path, X_OK) == 0 && realpath(path, whole) != NULL)
        text_copy(file, sizeof file, whole);
}

/* Looks for the program `name` in PATH. An empty element of PATH means the working
 * directory. */
static void search_path(const char *name)
{
    const char *at = getenv("PATH");

    while (at != NULL && file[0] == '\0') {
        size_t len = strcspn(at, ":");
        char path[PATH_MAX];
        struct text text = text_into(path, sizeof path);

        text_addf(&text, "%.*s%s%s", (int)len, at, len > 0 ? "/" : "", name);
        if (!text.is_cut)
            take_if_program(path);
        at = at[len] == ':' ? at + len + 1 : NULL;
    }
}

void program_begin(const char *argv0)
{
    file[0] = '\0';
    if (argv0 == NULL || argv0[0] == '\0')
        return;
    if (strchr(argv0, '/') != NULL)
        take_if_program(argv0);
    else
        search_path(argv0);
}

static void find_file(char out[PATH_MAX])
{
#ifdef SELF
    ssize_t len = readlink(SELF, out, PATH_MAX - 1);

    if (len > 0) {
        out[len] = '\0';
        return;
    }
#endif
    text_copy(out, PATH_MAX, file);
}

bool program_folder(char out[PATH_MAX])
{
    char *slash;

    find_file(out);
    slash = strrchr(out, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

const char *program_to_run(void)
{
#ifdef SELF
    if (access(SELF, X_OK) == 0)
        return SELF;
#endif
    return file[0] != '\0' ? file : NULL;
}

void program_detach(int input, int output)
{
    enum { FILES_MAX = 1024 };
    int nowhere = open("/dev/null", O_RDWR);

    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    dup2(input != -1 ? input : nowhere, STDIN_FILENO);
    dup2(output != -1 ? output : nowhere, STDOUT_FILENO);
    dup2(output != -1 ? output : nowhere, STDERR_FILENO);
    for (int fd = STDERR_FILENO + 1; fd < FILES_MAX; fd++)
        close(fd);
}

void program_hide_memory(void)
{
    struct rlimit none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
#if defined(HAS_PRCTL)
    prctl(PR_SET_DUMPABLE, 0);
#elif defined(HAS_PROCCTL)
    int way = PROC_TRACE_CTL_DISABLE;

    (void)procctl(P_PID, getpid(), PROC_TRACE_CTL, &way);
#endif
}

void program_return_memory(void)
{
#ifdef HAS_MALLOC_TRIM
    (void)malloc_trim(0);
#endif
}
