/* See process.h. */
#include "tests/lib/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
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
#include "common/base/text.h"

enum { START_MS = 30000, STOP_MS = 20000, LOOK_US = 2000 };

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

/* schedstat counts nanoseconds; stat counts ticks, usually of 10 ms. */
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
            continue; /* it has just ended */
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

        if (setrlimit(RLIMIT_NOFILE, &more) == 0) /* root may */
            return;
    }
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* --- janggid --- */

bool janggid_init(struct janggid *server, const char *build, const char *directory)
{
    *server = (struct janggid){.port = 0};
    if (snprintf(server->program, sizeof server->program, "%s/janggid", build) >=
            (int)sizeof server->program ||
        snprintf(server->data, sizeof server->data, "%s/data", directory) >=
            (int)sizeof server->data ||
        snprintf(server->log, sizeof server->log, "%s/janggid.log", directory) >=
            (int)sizeof server->log)
        return false;
    return true;
}

/* Port and key stand in two lines of what it prints first. */
static bool read_lines(struct janggid *server, const char *text)
{
    const char *where = strstr(text, "\nlistening on "), *key = strstr(text, "\nkey ");
    const char *colon = where != NULL ? strstr(where, "127.0.0.1:") : NULL;

    if (colon == NULL || key == NULL || strchr(key + 1, '\n') == NULL)
        return false;
    server->port = atoi(strchr(colon, ':') + 1);
    return sscanf(key, "\nkey %63s", server->key) == 1 && server->port != 0;
}

static bool read_greeting(struct janggid *server, int output)
{
    char text[4096] = "\n";
    size_t len = 1;
    struct pollfd wait = {.fd = output, .events = POLLIN};

    while (len + 1 < sizeof text && poll(&wait, 1, START_MS) > 0) {
        ssize_t got = read(output, text + len, sizeof text - 1 - len);

        if (got <= 0)
            return false;
        len += (size_t)got;
        text[len] = '\0';
        if (read_lines(server, text))
            return true;
    }
    return false;
}

/* Limits that a crowd from one machine would run into; then what the test wants. */
static void make_command(const struct janggid *server, const char *listen,
                         char *argv[JANGGID_WORDS_MAX])
{
    static const char *const wide[] = {"--accepts-per-s",
                                       "0",
                                       "--per-address",
                                       "100000",
                                       "--lines-per-s",
                                       "0",
                                       "--connections",
                                       "30000",
                                       "--watch",
                                       "100000",
                                       "--chat-per-min",
                                       "6000",
                                       "--chat-burst",
                                       "1000",
                                       NULL};
    const char *const *lists[] = {server->has_usual_limits ? NULL : wide,
                                  server->words};
    const char *first[] = {server->program, "--data", server->data, "--listen", listen};
    int count = 0;

    for (size_t i = 0; i < ARRAY_LEN(first); i++)
        argv[count++] = (char *)first[i];
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        for (const char *const *word = lists[i];
             word != NULL && *word != NULL && count < JANGGID_WORDS_MAX - 1; word++)
            argv[count++] = (char *)*word;
    argv[count] = NULL;
}

static bool spawn(struct janggid *server, int *output)
{
    char listen[40], *argv[JANGGID_WORDS_MAX];

    snprintf(listen, sizeof listen, "127.0.0.1:%d", server->port);
    make_command(server, listen, argv);
    server->began_ms = mono_now_ms();
    server->pid = process_start(argv, server->log, output);
    if (server->pid < 0)
        server->pid = 0;
    return server->pid != 0;
}

bool janggid_start(struct janggid *server)
{
    bool is_up;
    int output;

    if (!spawn(server, &output))
        return false;
    is_up = read_greeting(server, output);
    close(output);
    if (!is_up) {
        if (!server->is_quiet)
            printf("# %s did not start; its log is %s\n", server->program, server->log);
        janggid_kill(server);
        return false;
    }
    server->start_took_ms = mono_now_ms() - server->began_ms;
    return true;
}

void janggid_kill_in_start(struct janggid *server, int64_t after_us)
{
    int output;

    if (!spawn(server, &output))
        return;
    usleep((useconds_t)after_us);
    janggid_kill(server);
    close(output);
}

static void note_end(struct janggid *server, int status)
{
    server->uptime_ms = janggid_uptime_ms(server);
    server->pid = 0;
    server->status = status;
}

bool janggid_is_up(struct janggid *server)
{
    int status;

    if (server->pid == 0)
        return false;
    if (waitpid(server->pid, &status, WNOHANG) == 0)
        return true;
    if (!server->is_quiet)
        printf("# janggid ended by itself: status %d, signal %d; its log is %s\n",
               status >> 8, status & 127, server->log);
    note_end(server, status);
    return false;
}

void janggid_kill(struct janggid *server)
{
    int status = server->status;

    if (server->pid != 0)
        status = process_end(server->pid, SIGKILL, STOP_MS, NULL);
    note_end(server, status);
}

bool janggid_stop(struct janggid *server, struct event_base *base)
{
    int status =
        server->pid != 0 ? process_end(server->pid, SIGTERM, STOP_MS, base) : -1;

    note_end(server, status);
    if (status != 0 && !server->is_quiet)
        printf("# janggid ended with status %d, signal %d\n", status >> 8,
               status & 127);
    return status == 0;
}

int64_t janggid_uptime_ms(const struct janggid *server)
{
    return server->uptime_ms +
           (server->pid != 0 ? mono_now_ms() - server->began_ms : 0);
}

/* --- A place for files --- */

void process_make_scratch(char out[JANGGID_PATH_BYTES], const char *name)
{
    const char *parent = getenv("TMPDIR");

    if (parent == NULL || parent[0] == '\0')
        parent = "/tmp";
    if (snprintf(out, JANGGID_PATH_BYTES, "%s/janggi-%s-XXXXXX", parent, name) >=
            JANGGID_PATH_BYTES ||
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
