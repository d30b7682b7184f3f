/* See peer.h. Linux reports the user of the other end in a struct ucred, which exists
 * where SCM_CREDENTIALS is defined. macOS and the BSDs have getpeereid(). Only Linux
 * reports the shortest round trip. The struct tcp_info of <linux/tcp.h> has a member
 * for this time. The struct tcp_info of glibc does not have this member. */
#include "common/system/peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#if !defined(PORTABLE_ONLY) && __has_include(<linux/tcp.h>)
#include <linux/tcp.h> /* instead of <netinet/tcp.h>: both define the same names */
#define HAS_SHORTEST_TRIP
#else
#include <netinet/tcp.h>
#endif

enum {
    KEEP_IDLE_S = 60, /* keepalive: the kernel probes a silent peer after this time */
    KEEP_EVERY_S = 15,
    KEEP_TRIES = 4,
    UNANSWERED_MS = 60 * 1000 /* the kernel closes the connection if sent bytes are not
                               * acknowledged in this time */
};

#ifndef PORTABLE_ONLY
#ifdef SCM_CREDENTIALS
#define HAS_UCRED
#endif
#ifdef POLLRDHUP
#define HUNG_UP POLLRDHUP
#endif
#endif

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* a system without the flag (macOS) has SO_NOSIGPIPE instead */
#endif

bool peer_uid(int fd, uid_t *uid)
{
#ifdef HAS_UCRED
    struct ucred peer;
    socklen_t len = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
        return false;
    *uid = peer.uid;
    return true;
#else
    gid_t gid;

    return getpeereid(fd, uid, &gid) == 0;
#endif
}

bool peer_has_gone(int fd)
{
#ifdef HUNG_UP
    struct pollfd look = {.fd = fd, .events = HUNG_UP};

    return poll(&look, 1, 0) > 0;
#else
    struct pollfd look = {.fd = fd, .events = POLLIN};
    ssize_t got;
    char byte;

    if (poll(&look, 1, 0) > 0 && (look.revents & (POLLHUP | POLLERR)) != 0)
        return true;
    got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 ||
           (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
#endif
}

void peer_keep_watch(int fd)
{
    static const struct {
        int level, name, value;
    } options[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},
        {SOL_SOCKET, SO_KEEPALIVE, 1},
#ifdef SO_NOSIGPIPE
        {SOL_SOCKET, SO_NOSIGPIPE, 1},
#endif
#ifndef PORTABLE_ONLY
#if defined(TCP_KEEPIDLE)
        {IPPROTO_TCP, TCP_KEEPIDLE, KEEP_IDLE_S},
#elif defined(TCP_KEEPALIVE) /* the name of TCP_KEEPIDLE on macOS */
        {IPPROTO_TCP, TCP_KEEPALIVE, KEEP_IDLE_S},
#endif
#ifdef TCP_KEEPINTVL
        {IPPROTO_TCP, TCP_KEEPINTVL, KEEP_EVERY_S},
#endif
#ifdef TCP_KEEPCNT
        {IPPROTO_TCP, TCP_KEEPCNT, KEEP_TRIES},
#endif
#if defined(TCP_USER_TIMEOUT)
        {IPPROTO_TCP, TCP_USER_TIMEOUT, UNANSWERED_MS},
#elif defined(TCP_RXT_CONNDROPTIME) /* macOS: like TCP_USER_TIMEOUT, in seconds */
        {IPPROTO_TCP, TCP_RXT_CONNDROPTIME, UNANSWERED_MS / 1000},
#endif
#endif
    };

    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        (void)setsockopt(fd, options[i].level, options[i].name, &options[i].value,
                         sizeof options[i].value);
}

int peer_round_trip_ms(int fd)
{
#ifdef HAS_SHORTEST_TRIP
    struct tcp_info info = {.tcpi_min_rtt =
                                UINT32_MAX}; /* the value that the kernel gives before
                                              * its first measurement */
    socklen_t len = sizeof info;

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) != 0 ||
        info.tcpi_min_rtt == UINT32_MAX)
        return 0;
    return (
        int)((info.tcpi_min_rtt < info.tcpi_rtt ? info.tcpi_min_rtt : info.tcpi_rtt) /
             1000);
#else
    (void)fd;
    return 0;
#endif
}

ssize_t peer_send(int fd, const void *bytes, size_t len)
{
    return send(fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
}
