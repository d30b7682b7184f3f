/* See pairing_program.h. The server sends a question to the process beside the server:
 * "LENGTH SECONDS", an LF and the file. The process sends an answer: "LENGTH WHY", an
 * LF and the output of the program. After success WHY is empty. */
#include "server/helper/pairing_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/system/fd.h"
#include "server/helper/helper.h"

enum { FILE_BYTES_MAX = 256 * 1024, ANSWER_BYTES_MAX = 16 * 1024, HEAD_BYTES = 160 };

/* --- The process beside the server --- */

static bool read_all(int fd, char *out, size_t len)
{
    while (len > 0) {
        ssize_t got = read(fd, out, len);

        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            out += got;
            len -= (size_t)got;
        }
    }
    return true;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t put = write(fd, bytes, len);

        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0) {
            bytes += put;
            len -= (size_t)put;
        }
    }
    return true;
}

static bool read_head(int fd, char head[HEAD_BYTES])
{
    for (size_t i = 0; i < HEAD_BYTES; i++) {
        if (!read_all(fd, head + i, 1))
            return false;
        if (head[i] == '\n') {
            head[i] = '\0';
            return true;
        }
    }
    return false;
}

/* A run of the program. */
struct run {
    int in, out; /* our ends of the program's input and output; -1: not open */
    pid_t pid;
    const char *file;
    size_t left;
    int64_t until_ms;
    char answer[ANSWER_BYTES_MAX + 1];
    size_t len;
};

static bool start(struct run *run, const struct helper_command *command)
{
    int in[2], out[2];

    if (!fd_pipe(in, FD_WAITS))
        return false;
    if (!fd_pipe(out, FD_WAITS)) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    run->in = in[1];
    run->out = out[0];
    fcntl(run->in, F_SETFL, O_NONBLOCK); /* the program may never read it all */
    run->pid = helper_start(command, in[0], out[1]);
    return run->pid > 0;
}

static void give(struct run *run)
{
    ssize_t put = write(run->in, run->file, run->left);

    if (put > 0) {
        run->file += put;
        run->left -= (size_t)put;
    }
    if (run->left > 0 && (put >= 0 || errno == EAGAIN || errno == EINTR))
        return;
    close(run->in); /* all is written, or the program reads no more */
    run->in = -1;
}

/* Reads a part of the answer. Returns false if the answer has ended or is too long. */
static bool take(struct run *run)
{
    ssize_t got = read(run->out, run->answer + run->len, sizeof run->answer - run->len);

    if (got > 0)
        run->len += (size_t)got;
    return got > 0 && run->len <= ANSWER_BYTES_MAX;
}

/* Writes the file to the program and reads its answer. Returns NULL, or why there is no
 * answer. */
static const char *talk(struct run *run)
{
    for (;;) {
        int64_t left_ms = run->until_ms - mono_now_ms();
        struct pollfd end[2] = {{.fd = run->out, .events = POLLIN},
                                {.fd = run->in, .events = POLLOUT}};

        if (left_ms <= 0)
            return "it takes too long";
        if (poll(end, 2, (int)left_ms) < 0)
            continue;
        if (end[1].revents != 0)
            give(run);
        if (end[0].revents != 0 && !take(run))
            return run->len > ANSWER_BYTES_MAX ? "it writes too much" : NULL;
    }
}

/* Runs the program for one question and sends its answer to the server. Returns false
 * if the server has ended. */
static bool answer(int server, const struct helper_command *command, const char *file,
                   size_t len, int seconds)
{
    struct run run = {.in = -1,
                      .out = -1,
                      .file = file,
                      .left = len,
                      .until_ms = mono_now_ms() + seconds * INT64_C(1000)};
    const char *why = start(&run, command) ? talk(&run) : "it does not start";
    char head[HEAD_BYTES], status_words[40];
    int status = 0;

    close(run.in);
    close(run.out);
    if (run.pid > 0)
        status =
            helper_end(run.pid, why == NULL ? (int)(run.until_ms - mono_now_ms()) : 0);
    if (why == NULL && status != 0) {
        snprintf(status_words, sizeof status_words, "it ended with status %d", status);
        why = status_words;
    }
    if (why != NULL)
        run.len = 0;
    snprintf(head, sizeof head, "%zu %s\n", run.len, why != NULL ? why : "");
    return write_all(server, head, strlen(head)) &&
           write_all(server, run.answer, run.len);
}

static void serve(int server, const struct helper_command *command)
{
    char head[HEAD_BYTES];
    bool goes_on = true;

    while (goes_on && read_head(server, head)) {
        unsigned long len = 0;
        int seconds = 0;
        char *file;

        if (sscanf(head, "%lu %d", &len, &seconds) != 2 || len > FILE_BYTES_MAX)
            return;
        file = mem_new(len + 1);
        goes_on =
            read_all(server, file, len) && answer(server, command, file, len, seconds);
        free(file);
    }
}

/* --- In the server --- */

struct question {
    pairing_program_fn *answer; /* NULL: nobody waits for the answer any more */
    void *arg;
    struct question *prev, *next;
};

struct pairing_program {
    int fd; /* the server's end of the socket; -1: `io` owns it */
    struct bufferevent *io;
    bool is_lost;
    struct question *questions; /* the oldest first */
};

struct pairing_program *pairing_program_fork(const char *command)
{
    struct pairing_program *program;
    int fd = helper_fork(command, serve);

    if (fd < 0)
        return NULL;
    program = mem_new(sizeof *program);
    program->fd = fd;
    return program;
}

void pairing_program_free(struct pairing_program *program)
{
    if (program == NULL)
        return;
    while (program->questions != NULL) {
        struct question *first = program->questions;

        DL_DELETE(program->questions, first);
        free(first);
    }
    if (program->io != NULL)
        bufferevent_free(program->io);
    else
        close(program->fd);
    free(program);
}

static void finish_first(struct pairing_program *program, const char *pairs,
                         const char *why)
{
    struct question *first = program->questions;

    DL_DELETE(program->questions, first);
    if (first->answer != NULL)
        first->answer(first->arg, pairs, why);
    free(first);
}

static void lose(struct pairing_program *program)
{
    log_warn("pairing why=\"its helper process has ended\"");
    program->is_lost = true;
    bufferevent_disable(program->io, EV_READ | EV_WRITE);
    while (program->questions != NULL)
        finish_first(program, NULL, "its helper process has ended");
}

/* Takes one whole answer from the input and calls back with it. Returns false if no
 * whole answer has arrived yet. */
static bool take_answer(struct pairing_program *program)
{
    struct evbuffer *in = bufferevent_get_input(program->io);
    struct evbuffer_ptr end = evbuffer_search(in, "\n", 1, NULL);
    char head[HEAD_BYTES] = "";
    size_t len;
    char *why, *pairs;

    if (end.pos < 0 || program->questions == NULL || (size_t)end.pos >= sizeof head)
        return false;
    evbuffer_copyout(in, head, (size_t)end.pos);
    len = strtoul(head, &why, 10);
    if (len > ANSWER_BYTES_MAX || evbuffer_get_length(in) < (size_t)end.pos + 1 + len)
        return false;
    evbuffer_drain(in, (size_t)end.pos + 1);
    pairs = mem_new(len + 1);
    evbuffer_remove(in, pairs, len);
    if (why[0] == ' ' && why[1] != '\0')
        finish_first(program, NULL, why + 1);
    else if (strlen(pairs) < len)
        finish_first(program, NULL, "it writes no text");
    else
        finish_first(program, pairs, NULL);
    free(pairs);
    return true;
}

static void on_read(struct bufferevent *io, void *arg)
{
    (void)io;
    while (take_answer(arg))
        ;
}

static void on_event(struct bufferevent *io, short what, void *arg)
{
    (void)io;
    if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) != 0)
        lose(arg);
}

void pairing_program_listen(struct pairing_program *program, struct event_base *base)
{
    program->io = bufferevent_socket_new(base, program->fd, BEV_OPT_CLOSE_ON_FREE);
    if (program->io == NULL)
        log_die("pairing no memory");
    program->fd = -1;
    bufferevent_setcb(program->io, on_read, NULL, on_event, program);
    bufferevent_enable(program->io, EV_READ | EV_WRITE);
}

void pairing_program_ask(struct pairing_program *program, const char *file, size_t len,
                         int seconds, pairing_program_fn *done, void *arg)
{
    const char *why = program->is_lost       ? "its helper process has ended"
                      : len > FILE_BYTES_MAX ? "the file for it is too long"
                                             : NULL;
    struct question *question;

    if (why != NULL) {
        done(arg, NULL, why);
        return;
    }
    question = mem_new(sizeof *question);
    question->answer = done;
    question->arg = arg;
    DL_APPEND(program->questions, question);
    evbuffer_add_printf(bufferevent_get_output(program->io), "%zu %d\n", len, seconds);
    bufferevent_write(program->io, file, len);
}

void pairing_program_forget(struct pairing_program *program)
{
    struct question *question;

    DL_FOREACH (program->questions, question)
        question->answer = NULL;
}
