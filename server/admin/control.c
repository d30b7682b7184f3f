/* See control.h. */
#include "server/admin/control.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/system/fd.h"
#include "common/system/peer.h"
#include "server/base/rest.h"
#include "server/base/timer.h"

enum {
    TALKS_MAX = 32,
    BACKLOG = TALKS_MAX,
    ASK_S = 10 /* time limit for reading a request, and for sending its answer */
};

struct talk {
    struct control *of;
    uint64_t id;
    struct bufferevent *stream;
    struct event *deadline; /* a timer that frees the talk. It runs until the request is
                             * read. After end_answer(), it runs again until the answer
                             * is sent */
    bool is_asked, is_answered;
    bool awaits_end;
    struct talk *prev, *next;
};

struct control {
    struct event_base *base;
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

static void talk_free(struct talk *talk)
{
    DL_DELETE(talk->of->talks, talk);
    talk->of->count--;
    event_free(talk->deadline);
    bufferevent_free(talk->stream);
    free(talk);
}

static void give_time(struct talk *talk)
{
    timer_start(talk->deadline, ASK_S * INT64_C(1000));
}

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
    struct evbuffer *out = bufferevent_get_output(talk->stream);

    evbuffer_add_printf(out, "%s ", mark);
    evbuffer_add_vprintf(out, format, args);
    evbuffer_add(out, "\n", 1);
}

void control_sayf(struct talk *talk, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(talk, "|", format, args);
    va_end(args);
}

/* Call it after the last line of the answer. When the answer has been sent, or at the
 * deadline, the talk is freed. */
static void end_answer(struct talk *talk)
{
    talk->is_answered = true;
    give_time(talk);
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

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    talk_free(arg);
}

/* Reads the request, and runs it. Discards later input. */
static void on_read(struct bufferevent *stream, void *arg)
{
    struct talk *talk = arg;
    struct evbuffer *in = bufferevent_get_input(stream);
    char *line;

    if (!talk->is_asked) {
        line = evbuffer_readln(in, NULL, EVBUFFER_EOL_CRLF);
        if (line == NULL && evbuffer_get_length(in) <= CONTROL_LINE_MAX)
            return;
        talk->is_asked = true;
        if (line == NULL || strlen(line) > CONTROL_LINE_MAX) {
            control_refuse(talk, "the request is longer than %d bytes",
                           CONTROL_LINE_MAX);
        } else {
            event_del(talk->deadline);
            talk->of->on_ask(talk->of->arg, talk, line);
        }
        free(line);
    }
    evbuffer_drain(in, evbuffer_get_length(in));
}

static void on_written(struct bufferevent *stream, void *arg)
{
    struct talk *talk = arg;

    if (talk->is_answered && evbuffer_get_length(bufferevent_get_output(stream)) == 0)
        talk_free(talk);
}

static void on_gone(struct bufferevent *stream, short what, void *arg)
{
    (void)stream;
    (void)what;
    talk_free(arg);
}

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
    talk->stream = bufferevent_socket_new(control->base, fd, BEV_OPT_CLOSE_ON_FREE);
    if (talk->stream == NULL)
        log_die("control no memory for a talk");
    talk->deadline = timer_new(control->base, on_deadline, talk);
    DL_APPEND(control->talks, talk);
    control->count++;
    bufferevent_setcb(talk->stream, on_read, on_written, on_gone, talk);
    bufferevent_enable(talk->stream, EV_READ | EV_WRITE);
    give_time(talk);
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

struct control *control_open(struct event_base *base, const char *directory,
                             control_ask_fn *on_ask, void *arg)
{
    struct control *control = mem_new(sizeof *control);
    int fd;

    control->base = base;
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

/* Sends the last line of the answer, unless it was sent before. The loop has ended, so
 * the line must fit into the buffer of the socket itself. */
static void say_end(const struct talk *talk)
{
    static const char done[] = "OK the server has shut down\n";
    static const char undone[] =
        "ERR the server has shut down; the request was not done\n";
    const char *words = talk->awaits_end ? done : undone;

    if (!talk->is_answered &&
        peer_send(bufferevent_getfd(talk->stream), words, strlen(words)) < 0)
        log_debug("control talk=%llu why=\"%s\"", (unsigned long long)talk->id,
                  strerror(errno));
}

void control_free(struct control *control)
{
    if (control == NULL)
        return;
    control_close(control);
    while (control->talks != NULL) {
        say_end(control->talks);
        talk_free(control->talks);
    }
    free(control);
}
