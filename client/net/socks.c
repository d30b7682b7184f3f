/* See socks.h. Three steps: connect the socket, agree on the method (no
 * authentication), send the request. The bytes after the proxy's last answer come from
 * the server. This code does not read these bytes; the owner of the socket reads
 * them. */
#include "client/net/socks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "common/base/error_words.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/translate.h"
#include "common/system/peer.h"

enum {
    SOCKS_VERSION = 5,
    SOCKS_NO_PASSWORD = 0,
    SOCKS_CONNECT = 1,
    SOCKS_IPV4 = 1,
    SOCKS_NAME = 3,
    SOCKS_IPV6 = 4,
    NAME_MAX_BYTES = 255,
    REQUEST_MAX = 4 + 1 + NAME_MAX_BYTES + 2,
    DEADLINE_MS = 60000 /* longest wait for the proxy: a connection through Tor may take
                         * 30 seconds */
};

enum socks_state {
    SOCKS_CONNECTING, /* waits until the socket is writable */
    SOCKS_GREETED,    /* waits for 2 bytes: version, method */
    SOCKS_ASKED,      /* waits for 4 bytes: version, reply, 0, address type */
    SOCKS_NAMED,      /* waits for the length of a host name */
    SOCKS_ENDING      /* waits for the rest of the reply: the proxy's own address and
                       * port */
};

struct socks {
    struct event *ready;
    int fd;
    enum socks_state state;
    unsigned char request[REQUEST_MAX];
    size_t request_len;
    unsigned char in[NAME_MAX_BYTES + 2];
    size_t in_len, wanted; /* number of bytes received in this state, and number
                            * expected */
    socks_fn *done;
    void *arg;
};

static const char *const refusals[] = {
    [1] = N_("the proxy failed"),
    [2] = N_("the proxy does not allow it"),
    [3] = N_("the proxy cannot reach that network"),
    [4] = N_("the proxy cannot reach that server"),
    [5] = N_("the server refused the proxy's connection"),
    [6] = N_("the proxy's attempt took too long"),
    [7] = N_("the proxy does not support this request"),
    [8] = N_("the proxy does not support this kind of address"),
};

static void on_ready(evutil_socket_t fd, short what, void *arg);

/* Frees the object and reports the result. why: the reason of a failure; NULL:
 * success. */
static void finish(struct socks *socks, const char *why)
{
    socks_fn *done = socks->done;
    void *arg = socks->arg;
    int fd = socks->fd;

    socks->fd = -1;
    socks_cancel(socks);
    if (why != NULL)
        close(fd);
    done(arg, why == NULL ? fd : -1, why == NULL ? "" : why);
}

static void await(struct socks *socks, short what)
{
    struct event_base *base = event_get_base(socks->ready);

    event_del(socks->ready);
    if (event_assign(socks->ready, base, socks->fd, what, on_ready, socks) != 0)
        log_die("socks: cannot add an event");
    loop_add(socks->ready, DEADLINE_MS);
}

/* Enters `state` and waits for the proxy's next reply of `bytes` bytes. */
static void expect(struct socks *socks, enum socks_state state, size_t bytes)
{
    socks->state = state;
    socks->wanted = bytes;
    socks->in_len = 0;
    await(socks, EV_READ);
}

static void add(struct socks *socks, const void *bytes, size_t len)
{
    memcpy(socks->request + socks->request_len, bytes, len);
    socks->request_len += len;
}

/* Appends the address of the server to the request: a host name for the proxy to
 * resolve, or a binary IP address. Returns false if the name is too long. */
static bool write_request(struct socks *socks, const char *host, const char *port)
{
    unsigned char head[] = {SOCKS_VERSION, SOCKS_CONNECT, 0, SOCKS_NAME};
    unsigned char length = (unsigned char)strlen(host);
    uint16_t number = htons((uint16_t)strtoul(port, NULL, 10));
    struct in6_addr six;
    struct in_addr four;

    if (strlen(host) > NAME_MAX_BYTES)
        return false;
    if (inet_pton(AF_INET, host, &four) == 1)
        head[3] = SOCKS_IPV4;
    else if (inet_pton(AF_INET6, host, &six) == 1)
        head[3] = SOCKS_IPV6;
    add(socks, head, sizeof head);
    if (head[3] == SOCKS_IPV4) {
        add(socks, &four, sizeof four);
    } else if (head[3] == SOCKS_IPV6) {
        add(socks, &six, sizeof six);
    } else {
        add(socks, &length, 1);
        add(socks, host, length);
    }
    add(socks, &number, sizeof number);
    return true;
}

/* Returns true if all `len` bytes were sent at once. They fit, because the buffer of
 * the socket is empty. */
static bool send_whole(struct socks *socks, const void *bytes, size_t len)
{
    return peer_send(socks->fd, bytes, len) == (ssize_t)len;
}

static void on_connected(struct socks *socks)
{
    static const unsigned char greeting[] = {SOCKS_VERSION, 1, SOCKS_NO_PASSWORD};
    int why = 0;
    socklen_t size = sizeof why;

    if (getsockopt(socks->fd, SOL_SOCKET, SO_ERROR, &why, &size) != 0)
        why = errno;
    if (why != 0)
        finish(socks, why == ECONNREFUSED
                          ? _("no proxy answers there: connection refused")
                          : error_words(why));
    else if (!send_whole(socks, greeting, sizeof greeting))
        finish(socks, error_words(errno));
    else
        expect(socks, SOCKS_GREETED, 2);
}

static void on_answer(struct socks *socks)
{
    static const char no_proxy[] =
        N_("the program at that address is not a SOCKS 5 proxy");
    unsigned char answer = socks->in[1], form = socks->in[3];

    switch (socks->state) {
    case SOCKS_GREETED:
        if (socks->in[0] != SOCKS_VERSION)
            finish(socks, _(no_proxy));
        else if (answer != SOCKS_NO_PASSWORD)
            finish(socks, _("the proxy requires a password"));
        else if (!send_whole(socks, socks->request, socks->request_len))
            finish(socks, error_words(errno));
        else
            expect(socks, SOCKS_ASKED, 4);
        break;
    case SOCKS_ASKED:
        if (answer != 0)
            finish(socks, _(refusals[answer < ARRAY_LEN(refusals) ? answer : 1]));
        else if (form == SOCKS_NAME)
            expect(socks, SOCKS_NAMED, 1);
        else if (form == SOCKS_IPV4 || form == SOCKS_IPV6)
            expect(socks, SOCKS_ENDING, (form == SOCKS_IPV4 ? 4 : 16) + 2);
        else
            finish(socks, _(no_proxy));
        break;
    case SOCKS_NAMED:
        expect(socks, SOCKS_ENDING, (size_t)socks->in[0] + 2);
        break;
    default:
        finish(socks, NULL);
        break;
    }
}

static void on_ready(evutil_socket_t fd, short what, void *arg)
{
    struct socks *socks = arg;
    ssize_t got;

    if (what & EV_TIMEOUT) {
        finish(socks, _("the proxy did not answer"));
        return;
    }
    if (socks->state == SOCKS_CONNECTING) {
        on_connected(socks);
        return;
    }
    got = recv(fd, socks->in + socks->in_len, socks->wanted - socks->in_len, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        await(socks, EV_READ);
        return;
    }
    if (got <= 0) {
        finish(socks,
               got < 0 ? error_words(errno) : _("the proxy closed the connection"));
        return;
    }
    socks->in_len += (size_t)got;
    if (socks->in_len < socks->wanted)
        await(socks, EV_READ);
    else
        on_answer(socks);
}

struct socks *socks_start(struct event_base *base, int fd, const char *host,
                          const char *port, socks_fn *done, void *arg)
{
    struct socks *socks = mem_new(sizeof *socks);

    socks->fd = fd;
    socks->done = done;
    socks->arg = arg;
    socks->ready = loop_event(base, fd, EV_WRITE, on_ready, socks);
    if (!write_request(socks, host, port))
        log_die("socks: a host longer than a link may have");
    await(socks, EV_WRITE);
    return socks;
}

void socks_cancel(struct socks *socks)
{
    if (socks == NULL)
        return;
    event_free(socks->ready);
    if (socks->fd >= 0)
        close(socks->fd);
    free(socks);
}
