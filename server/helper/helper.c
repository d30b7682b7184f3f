/* See helper.h. */
#include "server/helper/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/base.h"
#include "common/base/log.h"
#include "common/base/text.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE};

const char *helper_split(struct helper_command *out, const char *text)
{
    char *rest, *word;
    int count = 0;

    *out = (struct helper_command){0};
    rest = out->text;
    if (!text_copy(out->text, sizeof out->text, text))
        return "it is too long";
    while ((word = strsep(&rest, " ")) != NULL) {
        if (word[0] == '\0')
            continue;
        if (count == HELPER_WORDS_MAX)
            return "it has more than 15 arguments";
        out->word[count++] = word;
    }
    if (count == 0 || out->word[0][0] != '/')
        return "it must begin with the full path of a program, such as /usr/bin/env";
    return access(out->word[0], X_OK) == 0 ? NULL : "that program cannot be run";
}

static bool prepare(int fd)
{
    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

static void handle_signals(void (*handler)(int))
{
    for (size_t i = 0; i < ARRAY_LEN(signals); i++)
        signal(signals[i], handler);
}

/* Ignores the signals of the terminal and the system. They are for the server, and this
 * process ends when the server ends. Closes the server's standard output in this
 * process, because other programs may wait until that output is closed. */
static void become_helper(int server)
{
    enum { FILES_MAX = 1024 };

    handle_signals(SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    for (int fd = STDERR_FILENO + 1; fd < FILES_MAX; fd++)
        if (fd != server)
            close(fd);
    fcntl(server, F_SETFD, FD_CLOEXEC);
}

/* Logs why there is no process. Returns -1 and sets errno to `why`. */
static int refuse(const char *text, const char *words, int why)
{
    log_warn("helper command=\"%s\" why=\"%s\"", text, words);
    errno = why;
    return -1;
}

/* Forks, and returns what fork() returns. The new process calls serve() with end[1],
 * and never returns from here. */
static pid_t fork_process(const struct helper_command *command, helper_fn *serve,
                          const int end[2])
{
    pid_t pid = prepare(end[0]) ? fork() : -1;

    if (pid == 0) {
        become_helper(end[1]);
        serve(end[1], command);
        _exit(0);
    }
    return pid;
}

int helper_fork(const char *text, helper_fn *serve)
{
    struct helper_command command;
    const char *words = helper_split(&command, text);
    int end[2];

    if (words != NULL)
        return refuse(text, words, EINVAL);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0)
        return refuse(text, strerror(errno), errno);
    if (fork_process(&command, serve, end) < 0) {
        int why = errno;

        close(end[0]);
        close(end[1]);
        return refuse(text, strerror(why), why);
    }
    close(end[1]);
    signal(SIGCHLD, SIG_IGN); /* the system reaps the process: the server does not
                               * wait */
    return end[0];
}

NO_RETURN static void become_program(const struct helper_command *command, int in,
                                     int out)
{
    setpgid(0, 0);
    handle_signals(SIG_DFL);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execv(command->word[0], command->word);
    _exit(127);
}

pid_t helper_start(const struct helper_command *command, int in, int out)
{
    pid_t pid = fork();

    if (pid == 0)
        become_program(command, in, out);
    close(in);
    close(out);
    if (pid > 0)
        setpgid(pid, pid); /* the child does this too, but may be killed before that */
    return pid;
}

int helper_end(pid_t pid, int wait_ms)
{
    enum { STEP_MS = 10 };
    int status;
    pid_t ended = waitpid(pid, &status, WNOHANG);

    for (; ended == 0 && wait_ms > 0; wait_ms -= STEP_MS) {
        poll(NULL, 0, STEP_MS);
        ended = waitpid(pid, &status, WNOHANG);
    }
    kill(-pid, SIGKILL); /* the program and all processes that it has started */
    if (ended == 0)
        ended = waitpid(pid, &status, 0);
    if (ended != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
