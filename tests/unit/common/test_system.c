/* Tests of the code that differs between systems: descriptors, the other end of a
 * socket, the disk, the program itself, threads. Tests only the implementation that
 * this build has chosen. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/system/disk.h"
#include "common/system/fd.h"
#include "common/system/peer.h"
#include "common/system/program.h"
#include "common/system/thread.h"
#include "common/system/wakeup.h"
#include "tests/unit/unit.h"

/* --- Descriptors --- */

static bool is_closed_by_exec(int fd)
{
    return (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

static bool is_nonblocking(int fd)
{
    return (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
}

UNIT_TEST(a_pipe_waits_and_is_not_inherited)
{
    char byte = 0;
    int fd[2];

    assert_true(fd_pipe(fd, FD_WAITS));
    for (int i = 0; i < 2; i++) {
        assert_true(is_closed_by_exec(fd[i]));
        assert_false(is_nonblocking(fd[i]));
    }
    assert_int_equal(write(fd[1], "x", 1), 1);
    assert_int_equal(read(fd[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    close(fd[0]);
    close(fd[1]);
}

UNIT_TEST(a_wakeup_never_waits)
{
    struct wakeup wakeup;
    struct pollfd sleeper = {.events = POLLIN};

    assert_true(wakeup_open(&wakeup));
    sleeper.fd = wakeup.read_fd;
    assert_true(is_closed_by_exec(wakeup.read_fd));
    assert_true(is_closed_by_exec(wakeup.write_fd));
    wakeup_clear(&wakeup);
    assert_int_equal(poll(&sleeper, 1, 0), 0);
    /* Writes more bytes than a pipe holds: wakeup_signal() must not block. */
    for (int i = 0; i < 100 * 1000; i++)
        wakeup_signal(&wakeup);
    while (poll(&sleeper, 1, 0) == 1)
        wakeup_clear(&wakeup);
    wakeup_signal(&wakeup);
    assert_int_equal(poll(&sleeper, 1, 0), 1);
    wakeup_close(&wakeup);
    assert_int_equal(wakeup.read_fd, -1);
}

UNIT_TEST(sockets_are_not_inherited)
{
    int waits = fd_socket(AF_UNIX, FD_WAITS);
    int quick = fd_socket(AF_INET, FD_NONBLOCKING);

    assert_true(waits >= 0 && quick >= 0);
    assert_true(is_closed_by_exec(waits) && is_closed_by_exec(quick));
    assert_false(is_nonblocking(waits));
    assert_true(is_nonblocking(quick));
    close(waits);
    close(quick);
}

/* When no descriptor is free, each call fails and does not leave a descriptor open. */
UNIT_TEST(no_connection_is_lost_without_descriptors)
{
    struct rlimit before, few;
    int fd[2], first = dup(0);

    assert_true(first >= 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = (rlim_t)first + 1; /* `first` uses the last descriptor that this
                                       * limit allows */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    assert_false(fd_pipe(fd, FD_WAITS));
    assert_int_equal(errno, EMFILE);
    assert_int_equal(fd[0], -1);
    assert_false(fd_pipe(fd, FD_NONBLOCKING));
    assert_int_equal(fd[0], -1);
    assert_int_equal(fd_socket(AF_INET, FD_WAITS), -1);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    close(first);
}

/* --- The other end --- */

UNIT_TEST(the_other_end_is_this_user)
{
    uid_t uid = (uid_t)-1;
    int fd[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_true(peer_uid(fd[0], &uid));
    assert_int_equal(uid, geteuid());
    close(fd[0]);
    close(fd[1]);
    assert_false(peer_uid(fd[0], &uid));
}

UNIT_TEST(a_peer_that_has_gone_is_noticed)
{
    char byte;
    int fd[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_false(peer_has_gone(fd[0]));
    assert_int_equal(write(fd[1], "x", 1), 1);
    assert_false(peer_has_gone(fd[0]));
    assert_int_equal(read(fd[0], &byte, 1), 1);
    assert_int_equal(shutdown(fd[1], SHUT_WR), 0);
    assert_true(peer_has_gone(fd[0]));
    close(fd[1]);
    assert_true(peer_has_gone(fd[0]));
    close(fd[0]);
}

UNIT_TEST(writing_never_waits)
{
    static char bytes[4096];
    ssize_t done;
    int fd[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    peer_keep_watch(fd[0]); /* must also do no harm to a socket that is not TCP */
    do
        done = peer_send(fd[0], bytes, sizeof bytes);
    while (done > 0);
    assert_true(errno == EAGAIN || errno == EWOULDBLOCK);
    close(fd[1]);
    assert_int_equal(peer_send(fd[0], bytes, sizeof bytes), -1);
    assert_true(errno == EPIPE || errno == ECONNRESET);
    close(fd[0]);
}

/* --- The disk --- */

UNIT_TEST(reserved_space_exists_on_disk)
{
    enum { BYTES = 3 * 64 * 1024 + 17 };
    char path[] = "/tmp/janggi-room.XXXXXX";
    int fd = mkstemp(path);
    struct stat found;

    assert_true(fd >= 0);
    assert_int_equal(disk_allocate(fd, BYTES), 0);
    assert_true(disk_sync(fd));
    assert_true(disk_sync_directory_of(path));
    assert_int_equal(fstat(fd, &found), 0);
    assert_int_equal(found.st_size, BYTES);
    assert_true((int64_t)found.st_blocks * 512 >= BYTES);
    close(fd);
    unlink(path);
    assert_false(disk_sync(fd));
    assert_int_equal(errno, EBADF);
    assert_false(disk_sync_directory_of("/nowhere/at/all"));
    assert_true(disk_sync_directory_of("here"));
}

/* A limit on the size of files simulates a full disk. */
UNIT_TEST(a_full_disk_is_reported)
{
    char path[] = "/tmp/janggi-room.XXXXXX";
    int fd = mkstemp(path), why;
    struct rlimit before, small;

    assert_true(fd >= 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 64 * 1024;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    why = disk_allocate(fd, 256 * 1024);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(why, EFBIG);
    close(fd);
    unlink(path);
}

/* --- The program --- */

static const char *own_name;

/* Checks that program_folder() and program_to_run() find this program. */
static void assert_finds_itself(void)
{
    char folder[PATH_MAX], expected[PATH_MAX], *slash;
    const char *program = program_to_run();

    assert_non_null(realpath(own_name, expected));
    slash = strrchr(expected, '/');
    assert_non_null(slash);
    *slash = '\0';
    assert_true(program_folder(folder));
    assert_string_equal(folder, expected);
    assert_non_null(program);
    assert_int_equal(access(program, X_OK), 0);
}

UNIT_TEST(the_program_finds_its_file)
{
    char folder[PATH_MAX], path[PATH_MAX * 2];
    const char *base = strrchr(own_name, '/');

    program_begin(own_name);
    assert_finds_itself();
    assert_true(program_folder(folder));
    snprintf(path, sizeof path, "/nowhere::%s:/bin", folder);
    assert_int_equal(setenv("PATH", path, 1), 0);
    program_begin(base + 1);
    assert_finds_itself();
}

UNIT_TEST(memory_is_hidden)
{
    struct rlimit core;

    program_hide_memory();
    assert_int_equal(getrlimit(RLIMIT_CORE, &core), 0);
    assert_int_equal(core.rlim_cur, 0);
    assert_int_equal(core.rlim_max, 0);
}

/* --- Threads --- */

/* Runs in a new thread. Uses 1 MB of stack. Stores in *arg the set of signals that this
 * thread blocks. */
static void *use_stack(void *arg)
{
    volatile char room[1024 * 1024];
    sigset_t *blocked = arg;

    for (size_t i = 0; i < sizeof room; i += 1024)
        room[i] = 1;
    pthread_sigmask(SIG_SETMASK, NULL, blocked);
    return arg;
}

UNIT_TEST(a_thread_has_stack_and_no_signals)
{
    sigset_t blocked, ours;
    pthread_t thread;
    void *result;

    assert_int_equal(thread_start(&thread, use_stack, &blocked), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &blocked);
    assert_true(sigismember(&blocked, SIGTERM) == 1);
    assert_true(sigismember(&blocked, SIGCHLD) == 1);
    pthread_sigmask(SIG_SETMASK, NULL, &ours);
    assert_true(sigismember(&ours, SIGTERM) == 0);
}

int main(int argc, char **argv)
{
    own_name = argv[0];
    return unit_run(NULL, NULL);
}
