/* See process.h. */
#include "tests/lib/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/mono.h"

enum { LOOK_US = 2000 };

/* --- Children --- */

NO_RETURN static void become(char *const argv[], const char *log_path, int output)
{
    int log = open(log_path, O_WRONLY | O_CREAT | O_APPEND, 0600);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (log >= 0) {
        dup2(log, STDERR_FILENO);
        dup2(output >= 0 ? output : log, STDOUT_FILENO);
        execvp(argv[0], argv);
    }
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

pid_t process_start(char *const argv[], const char *log_path, int *output)
{
    int ends[2] = {-1, -1};
    pid_t pid;

    if (output != NULL && pipe2(ends, O_CLOEXEC) != 0) {
        perror("# pipe");
        return -1;
    }
    fflush(stdout);
    pid = fork();
    if (pid == 0)
        become(argv, log_path, ends[1]);
    if (pid < 0)
        perror("# fork");
    if (output != NULL) {
        close(ends[1]);
        *output = ends[0];
    }
    return pid;
}

int process_end(pid_t pid, int signal_number, int64_t timeout_ms,
                struct event_base *base)
{
    int64_t by_ms = mono_now_ms() + timeout_ms;
    int status = 0;

    kill(pid, signal_number);
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (mono_now_ms() > by_ms)
            kill(pid, SIGKILL);
        if (base != NULL)
            event_base_loop(base, EVLOOP_NONBLOCK);
        usleep(LOOK_US);
    }
    return status;
}

/* --- What the system knows about them --- */

/* Returns the CPU time of a thread, or -1. schedstat counts nanoseconds; where it is
 * missing, stat counts ticks, usually of 10 ms. */
static int64_t thread_ns(pid_t pid, const char *thread)
{
    char path[64], line[512], *after;
    long long ns = -1, user, system;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/task/%.16s/schedstat", (int)pid, thread);
    file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%lld", &ns) != 1)
            ns = -1;
        fclose(file);
        if (ns > 0)
            return ns;
    }
    snprintf(path, sizeof path, "/proc/%d/task/%.16s/stat", (int)pid, thread);
    file = fopen(path, "r");
    if (file == NULL)
        return -1;
    after = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    fclose(file);
    if (after == NULL || sscanf(after,
                                ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u"
                                " %lld %lld",
                                &user, &system) != 2)
        return -1;
    return (user + system) * (1000000000LL / sysconf(_SC_CLK_TCK));
}

bool process_cpu(pid_t pid, struct process_cpu *out)
{
    char path[64];
    struct dirent *entry;
    DIR *threads;

    *out = (struct process_cpu){0};
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = opendir(path);
    if (threads == NULL)
        return false;
    while ((entry = readdir(threads)) != NULL) {
        int64_t ns;

        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        ns = thread_ns(pid, entry->d_name);
        if (ns < 0)
            continue; /* the thread has just ended */
        out->all_ns += ns;
        if (atoi(entry->d_name) == (int)pid)
            out->first_thread_ns = ns;
    }
    closedir(threads);
    return out->all_ns > 0;
}

int64_t process_memory(pid_t pid, const char *field)
{
    char path[64], line[256];
    size_t len = strlen(field);
    int64_t bytes = -1;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    file = fopen(path, "r");
    if (file == NULL)
        return -1;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, field, len) == 0 && line[len] == ':')
            bytes = strtoll(line + len + 1, NULL, 10) * 1024;
    fclose(file);
    return bytes;
}

void process_allow_preload(const char *options)
{
    const char *before = getenv("ASAN_OPTIONS");
    char all[512];

    snprintf(all, sizeof all, "%s:verify_asan_link_order=0:%s",
             before != NULL ? before : "", options);
    setenv("ASAN_OPTIONS", all, 1);
}

void process_raise_files(int wanted)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    if (files.rlim_max < (rlim_t)wanted) {
        struct rlimit more = {(rlim_t)wanted, (rlim_t)wanted};

        if (setrlimit(RLIMIT_NOFILE, &more) == 0) /* only root may raise the hard
                                                   * limit */
            return;
    }
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* --- A place for files --- */

void process_make_scratch(char out[PROCESS_PATH_BYTES], const char *name)
{
    const char *parent = getenv("TMPDIR");

    if (parent == NULL || parent[0] == '\0')
        parent = "/tmp";
    if (snprintf(out, PROCESS_PATH_BYTES, "%s/janggi-%s-XXXXXX", parent, name) >=
            PROCESS_PATH_BYTES ||
        mkdtemp(out) == NULL) {
        fprintf(stderr, "%s: %s\n", out, strerror(errno));
        exit(1);
    }
}

static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

void process_remove_scratch(const char *directory)
{
    nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
