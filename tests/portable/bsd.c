/* Functions that macOS and the BSDs have, but Linux does not have. `make
 * portable-check` needs them, because poison.h removes Linux's own functions. This file
 * is compiled without poison.h. */
#ifdef __linux__
#define _GNU_SOURCE
#include <sys/socket.h>
#include <sys/types.h>

int getpeereid(int fd, uid_t *uid, gid_t *gid);

int getpeereid(int fd, uid_t *uid, gid_t *gid)
{
    struct ucred peer;
    socklen_t len = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
        return -1;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}
#endif
