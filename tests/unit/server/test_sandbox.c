/* Tests of the sandbox of the server. A child of this program enters the sandbox,
 * because a process cannot leave it. */
#include "server/base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"

enum { NO_SANDBOX = 99 };

static void *run_thread(void *arg)
{
    return arg;
}

/* Makes the calls that the server needs. Returns the number of the first one that
 * failed; 0: none. */
static int try_what_is_needed(void)
{
    pthread_t thread;
    int pair[2], waiting = 1;
    struct ifaddrs *interfaces;
    struct rlimit limit;
    void *memory =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 1;
    if (open("/dev/null", O_RDWR | O_CLOEXEC) < 0)
        return 2;
    if (socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) < 0 ||
        socket(AF_INET, SOCK_DGRAM, 0) < 0 ||
        (socket(AF_INET6, SOCK_STREAM, 0) < 0 && errno != EAFNOSUPPORT))
        return 3;
    if (pthread_create(&thread, NULL, run_thread, NULL) != 0 ||
        pthread_join(thread, NULL) != 0)
        return 4;
    if (ioctl(pair[0], FIONREAD, &waiting) != 0 || waiting != 0)
        return 5;
    if (isatty(pair[0]) || errno == ENOSYS)
        return 6;
    if (getifaddrs(&interfaces) != 0)
        return 7;
    freeifaddrs(interfaces);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 8;
    return 0;
}

static int try_what_is_not(void)
{
    char *const words[] = {(char *)"true", NULL};
    struct rlimit limit;
    void *memory =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (execv("/bin/true", words) == 0 || errno != ENOSYS)
        return 11;
    if (fork() >= 0)
        return 12;
    if (kill(getppid(), 0) == 0)
        return 13;
    if (socket(AF_INET, SOCK_STREAM, 0) < 0 ||
        socket(40 /* AF_VSOCK */, SOCK_STREAM, 0) >= 0 || errno != ENOSYS)
        return 14;
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != ENOSYS)
        return 19;
    if (socket(AF_NETLINK, SOCK_RAW, 12 /* NETLINK_NETFILTER */) >= 0 ||
        errno != ENOSYS)
        return 20;
    if (socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) >= 0 || errno != ENOSYS)
        return 21;
    if (prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) == 0 || errno != ENOSYS)
        return 22;
    if (listen(0, 1) == 0 || errno != ENOSYS)
        return 23;
    if (mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0)
        return 15;
    if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
        MAP_FAILED)
        return 16;
    if (ioctl(0, TIOCSTI, "x") == 0 || errno != ENOSYS)
        return 18;
    if (chroot("/") == 0 || errno != ENOSYS)
        return 17;
    return 0;
}

/* Returns the exit status of a child that enters the sandbox and runs `what`. */
static int run_inside(int (*what)(void))
{
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(sandbox_enter() ? what() : NO_SANDBOX);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_SANDBOX)
        skip();
    return WEXITSTATUS(status);
}

UNIT_TEST(needed_system_calls_still_work)
{
    assert_int_equal(run_inside(try_what_is_needed), 0);
}

UNIT_TEST(unneeded_system_calls_are_refused)
{
    assert_int_equal(run_inside(try_what_is_not), 0);
}

/* Negative control: without a sandbox the same calls succeed. */
UNIT_TEST(without_the_sandbox_a_process_can_be_started)
{
    int status;
    pid_t child = fork();

    if (child == 0)
        execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 7);
}

UNIT_MAIN(NULL, NULL)
