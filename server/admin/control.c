/* See control.h. */
#include "server/admin/control.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/listener.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/net/wire.h"
#include "common/system/fd.h"
#include "common/system/peer.h"
#include "server/base/rest.h"

enum {
    TALKS_MAX = 32,
    BACKLOG = TALKS_MAX,
    ANSWER_MS = 10 * 60 * 1000, /* limit for an answer that waits for a full disk */
    ANSWER_BYTES_MAX = 64 * 1024 * 1024
};

struct talk {
    struct control *of;
    uint64_t id;
    struct wire *wire;
    bool is_asked, is_answered;
    bool awaits_end;
    struct talk *prev, *next;
};

struct control {
    struct event_base *base;
    struct wire_hub *hub; /* borrowed */
    struct sockaddr_un address;
    struct evconnlistener *listener;
    struct rest *rest;
    control_ask_fn *on_ask;
    void *arg;
    uint64_t last_id;
    int count;
    struct talk *talks;
};

bool control_address(struct sockaddr_un *out, const char *directory)
{
    struct text path;

    memset(out, 0, sizeof *out);
    out->sun_family = AF_UNIX;
    path = text_into(out->sun_path, sizeof out->sun_path);
    text_addf(&path, "%s/control", directory);
    return !path.is_cut;
}

/* --- Talks --- */

uint64_t control_id(const struct talk *talk)
{
    return talk->id;
}

struct talk *control_find(struct control *control, uint64_t id)
{
    struct talk *talk;

    DL_FOREACH (control->talks, talk)
        if (talk->id == id && !talk->is_answered)
            return talk;
    return NULL;
}

static void say(struct talk *talk, const char *mark, const char *format, va_list args)
{
    char words[PROTO_LINE_MAX + 1], line[PROTO_LINE_MAX + 8];
    int len;

    vsnprintf(words, sizeof words, format, args);
    len = snprintf(line, sizeof line, "%s %s\n", mark, words);
    wire_send(talk->wire, line, (size_t)len);
}

void control_sayf(struct talk *talk, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(talk, "|", format, args);
    va_end(args);
}

/* Call it after the last line of the answer. */
static void end_answer(struct talk *talk)
{
    talk->is_answered = true;
    wire_close(talk->wire);
    wire_hurry(talk->wire, ANSWER_MS);
}

void control_ok(struct talk *talk, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(talk, "OK", format, args);
    va_end(args);
    end_answer(talk);
}

void control_refuse(struct talk *talk, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(talk, "ERR", format, args);
    va_end(args);
    end_answer(talk);
}

void control_await_end(struct talk *talk)
{
    talk->awaits_end = true;
}

void control_refuse_waiting(struct control *control, const char *words)
{
    struct talk *talk;

    DL_FOREACH (control->talks, talk)
        if (talk->awaits_end && !talk->is_answered)
            control_refuse(talk, "%s", words);
}

/* --- Events of a talk --- */

/* Runs the request. Discards later lines. */
static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct talk *talk = owner;

    (void)len;
    (void)now_ms;
    if (talk->is_asked)
        return;
    talk->is_asked = true;
    talk->of->on_ask(talk->of->arg, talk, line);
}

static void on_bad_line(void *owner, enum wire_why why)
{
    struct talk *talk = owner;

    if (talk->is_asked)
        return;
    talk->is_asked = true;
    if (why == WIRE_LINE_TOO_LONG)
        control_refuse(talk, "the request is longer than %d bytes", CONTROL_LINE_MAX);
    else
        control_refuse(talk, "the request is not plain UTF-8 text");
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct talk *talk = owner;

    (void)why;
    (void)detail;
    DL_DELETE(talk->of->talks, talk);
    talk->of->count--;
    free(talk);
}

static const struct wire_calls wire_calls = {
    .on_line = on_line, .on_bad_line = on_bad_line, .on_end = on_end};

/* --- Callers --- */

/* True if the caller is root or the user that runs the server. The mode of the socket
 * keeps other users out already, but some file systems have no modes. */
static bool is_ours(evutil_socket_t fd)
{
    uid_t uid;

    if (!peer_uid(fd, &uid))
        return false;
    if (uid == 0 || uid == geteuid())
        return true;
    log_warn("control uid=%lld refused why=\"neither the server's user nor root\"",
             (long long)uid);
    return false;
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd,
                      struct sockaddr *from, int from_len, void *arg)
{
    struct control *control = arg;
    struct talk *talk;

    (void)listener;
    (void)from;
    (void)from_len;
    if (!is_ours(fd) || control->count == TALKS_MAX) {
        close(fd);
        return;
    }
    talk = mem_new(sizeof *talk);
    talk->of = control;
    talk->id = ++control->last_id;
    talk->wire = wire_accept(control->hub, NULL, fd, &wire_calls, talk);
    if (talk->wire == NULL) {
        free(talk);
        return;
    }
    wire_set_line_max(talk->wire, CONTROL_LINE_MAX);
    wire_set_queue_max(talk->wire, ANSWER_BYTES_MAX);
    DL_APPEND(control->talks, talk);
    control->count++;
}

static void on_accept_fault(struct evconnlistener *listener, void *arg)
{
    (void)listener;
    rest_begin(((struct control *)arg)->rest, errno);
}

/* --- Life --- */

/* Removes the socket of an earlier server, if there is one. Logs and returns false if
 * the path is not a socket, or cannot be removed. */
static bool clear_way(const char *path)
{
    struct stat st;

    if (lstat(path, &st) != 0)
        return true;
    if (S_ISSOCK(st.st_mode) && unlink(path) == 0)
        return true;
    log_warn("control path=%s why=\"%s\"", path,
             S_ISSOCK(st.st_mode) ? strerror(errno)
                                  : "a file that is not a socket is in its place");
    return false;
}

/* Makes the socket and listens on it. Sets the mode before listen(), so that no other
 * user can connect. Returns -1 after logging. */
static int open_socket(const struct sockaddr_un *address)
{
    int fd;

    if (!clear_way(address->sun_path))
        return -1;
    fd = fd_socket(AF_UNIX, FD_NONBLOCKING);
    if (fd >= 0 && bind(fd, (const struct sockaddr *)address, sizeof *address) == 0 &&
        chmod(address->sun_path, 0600) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    log_warn("control path=%s why=\"%s\"", address->sun_path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

struct control *control_open(struct event_base *base, struct wire_hub *hub,
                             const char *directory, control_ask_fn *on_ask, void *arg)
{
    struct control *control = mem_new(sizeof *control);
    int fd;

    control->base = base;
    control->hub = hub;
    control->on_ask = on_ask;
    control->arg = arg;
    if (!control_address(&control->address, directory)) {
        log_warn(
            "control path=%s/control why=\"longer than the %d bytes that the path "
            "of a socket may have; there is no janggid ctl; use a shorter --data\"",
            directory, CONTROL_PATH_MAX);
        free(control);
        return NULL;
    }
    fd = open_socket(&control->address);
    if (fd < 0) {
        free(control);
        return NULL;
    }
    control->listener = evconnlistener_new(
        base, on_accept, control, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
    if (control->listener == NULL)
        log_die("control no listener");
    control->rest = rest_new(base, control->listener, "control");
    evconnlistener_set_error_cb(control->listener, on_accept_fault);
    return control;
}

void control_close(struct control *control)
{
    if (control == NULL || control->listener == NULL)
        return;
    rest_free(control->rest);
    evconnlistener_free(control->listener);
    control->listener = NULL;
    unlink(control->address.sun_path);
}

/* Runs two turns of the loop: the first sends the last lines, and the second ends the
 * connections. */
void control_free(struct control *control)
{
    struct talk *talk;

    if (control == NULL)
        return;
    control_close(control);
    DL_FOREACH (control->talks, talk) {
        if (talk->is_answered)
            continue;
        if (talk->awaits_end)
            control_ok(talk, "the server has shut down");
        else
            control_refuse(talk, "the server has shut down; the request was not done");
    }
    event_base_loop(control->base, EVLOOP_NONBLOCK);
    DL_FOREACH (control->talks, talk)
        wire_drop(talk->wire, WIRE_CLOSED_HERE);
    event_base_loop(control->base, EVLOOP_NONBLOCK);
    free(control);
}
