/* See janggid.h. */
#include "tests/lib/janggid.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/mono.h"
#include "common/base/text.h"

enum { START_MS = 120000, STOP_MS = 120000 };

/* Returns a free port, or 0. A socket stays bound to the port until this program ends,
 * so the system does not give the port to other programs. This socket never listens, so
 * the server can listen on the port. */
static int hold_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int held = socket(AF_INET, SOCK_STREAM, 0), on = 1;

    if (held < 0 || fcntl(held, F_SETFD, FD_CLOEXEC) != 0 ||
        setsockopt(held, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(held, (struct sockaddr *)&address, len) != 0 ||
        getsockname(held, (struct sockaddr *)&address, &len) != 0)
        return 0;
    return ntohs(address.sin_port);
}

bool janggid_init(struct janggid *server, const char *build, const char *directory)
{
    *server = (struct janggid){.port = hold_port()};
    if (snprintf(server->program, sizeof server->program, "%s/janggid", build) >=
            (int)sizeof server->program ||
        snprintf(server->data, sizeof server->data, "%s/data", directory) >=
            (int)sizeof server->data ||
        snprintf(server->log, sizeof server->log, "%s/janggid.log", directory) >=
            (int)sizeof server->log)
        return false;
    return true;
}

/* Reads the port and the key from the lines "listening on ..." and "key ..." of the
 * server's output. `text` must begin with an LF, because the function expects an LF
 * before each line. */
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

/* Makes the command line of the server. Its first options raise the limits that many
 * clients on one machine would reach. The test's own options follow and can change
 * them. */
static void make_command(const struct janggid *server, const char *listen,
                         char *argv[JANGGID_WORDS_MAX])
{
    static const char *const wide[] = {"--quotas",
                                       "off",
                                       "--limits",
                                       "accepts-per-s=0",
                                       "--per-address",
                                       "100000",
                                       "--connections",
                                       "30000",
                                       "--limits",
                                       "watch=100000",
                                       "--limits",
                                       "chat-per-min=6000",
                                       "--limits",
                                       "chat-burst=1000",
                                       NULL};
    const char *first[] = {server->program, "--allow-root", "--data",
                           server->data,    "--listen",     listen,
                           "--access",      "open",         NULL};
    const char *const *lists[] = {
        server->under, first, server->has_usual_limits ? NULL : wide, server->words};
    int count = 0;

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
