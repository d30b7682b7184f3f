/* Accepts connections and resets each of them at once. A server cannot refuse a
 * connection with less work. So attack.py compares the CPU time of janggid with the CPU
 * time of this program. Prints its port. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 4096 };

static int open_port(void)
{
    static const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t len = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    if (fd < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0 ||
        bind(fd, (struct sockaddr *)&at, len) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &len) != 0)
        return -1;
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    return fd;
}

int main(void)
{
    struct pollfd door = {.fd = open_port(), .events = POLLIN};
    int caller;

    while (door.fd >= 0 && poll(&door, 1, -1) > 0)
        while ((caller = accept(door.fd, NULL, NULL)) >= 0)
            close(caller);
    return 1;
}
