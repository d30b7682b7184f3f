/* See sandbox.h. */
#include "server/base/sandbox.h"

#include "common/base/base.h"
#include "common/base/log.h"

/* A sanitizer needs further system calls, so a build with one has no sandbox. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER
#endif

#if defined(HAVE_SECCOMP) && !defined(PORTABLE_ONLY) && !defined(HAS_SANITIZER)

#include <errno.h>
#include <linux/netlink.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <seccomp.h>

/* The calls that remain allowed, grouped by subject. Calls that this machine does not
 * have are skipped. The filter sees numbers, but it does not see the memory that a
 * pointer points to. So the filter cannot limit which files are opened, removed or
 * renamed. Other means limit this: the rights of the user, and ProtectSystem and
 * ReadWritePaths in the systemd unit. */
static const char *const calls[] = {
    /* files */
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev",
    "lseek", "_llseek", "open", "openat", "close", "fstat", "fstat64", "stat", "stat64",
    "lstat", "lstat64", "newfstatat", "fstatat64", "statx", "statfs", "statfs64",
    "fstatfs", "fstatfs64", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getcwd", "getdents", "getdents64", "mkdir", "mkdirat", "unlink",
    "unlinkat", "rename", "renameat", "renameat2", "link", "linkat", "ftruncate",
    "ftruncate64", "fallocate", "fadvise64", "fsync", "fdatasync", "sync_file_range",
    "chmod", "fchmod", "fchmodat", "fchown", "fchown32", "umask", "utimensat", "flock",
    "fcntl", "fcntl64", "dup", "dup2", "dup3",
    /* the loop and sockets */
    "pipe", "pipe2", "eventfd", "eventfd2", "epoll_create", "epoll_create1",
    "epoll_ctl", "epoll_ctl_old", "epoll_wait", "epoll_pwait", "epoll_pwait2", "poll",
    "ppoll", "ppoll_time64", "select", "_newselect", "pselect6", "pselect6_time64",
    "timerfd_create", "timerfd_settime", "timerfd_settime64", "timerfd_gettime",
    "accept", "accept4", "bind", "connect", "getsockname", "getpeername", "getsockopt",
    "setsockopt", "send", "sendto", "sendmsg", "sendmmsg", "recv", "recvfrom",
    "recvmsg", "recvmmsg", "shutdown",
    /* memory, threads, signals */
    "brk", "munmap", "mremap", "madvise", "mlock", "munlock", "futex", "futex_time64",
    "futex_waitv", "set_robust_list", "get_robust_list", "rseq", "membarrier",
    "sched_yield", "sched_getaffinity", "exit", "exit_group", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "sigreturn", "rt_sigsuspend", "rt_sigtimedwait",
    "sigaltstack", "restart_syscall",
    /* the process and time */
    "getpid", "getppid", "gettid", "getuid", "getuid32", "geteuid", "geteuid32",
    "getgid", "getgid32", "getegid", "getegid32", "getrlimit", "ugetrlimit",
    "getrusage", "times", "sysinfo", "uname", "prctl", "getrandom", "clock_gettime",
    "clock_gettime64", "clock_getres", "clock_getres_time64", "clock_nanosleep",
    "clock_nanosleep_time64", "nanosleep", "gettimeofday", "time"};

static bool is_missing(int call)
{
    return call == __NR_SCMP_ERROR || call < 0;
}

static int allow_calls(scmp_filter_ctx filter)
{
    int status = 0;

    for (size_t i = 0; status == 0 && i < ARRAY_LEN(calls); i++) {
        int call = seccomp_syscall_resolve_name(calls[i]);

        if (!is_missing(call))
            status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
    }
    return status;
}

/* Allows a call if its argument number `at` fits. If `how` is SCMP_CMP_EQ, the argument
 * must be equal to `bits`. If `how` is SCMP_CMP_MASKED_EQ, (argument & bits) must be
 * equal to `value`. */
static int allow_if(scmp_filter_ctx filter, const char *name, unsigned int at,
                    enum scmp_compare how, scmp_datum_t bits, scmp_datum_t value)
{
    struct scmp_arg_cmp condition = {
        .arg = at, .op = how, .datum_a = bits, .datum_b = value};
    int call = seccomp_syscall_resolve_name(name);

    return is_missing(call)
               ? 0
               : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &condition);
}

/* Allows some harmless requests of ioctl() about terminals, files and sockets. TIOCSTI
 * is not among them: it types into a terminal, and the shell that started the server
 * would obey. */
static int allow_ioctls(scmp_filter_ctx filter)
{
    static const unsigned long requests[] = {TCGETS,  TIOCGWINSZ, FIONREAD,
                                             FIONBIO, FIOCLEX,    FIONCLEX};
    /* The requests 0x8900 to 0x89ff: SIOCGIFINDEX and others. */
    enum { SOCKETS = 0x8900, ANY_OF = 0xff };
    int status = allow_if(filter, "ioctl", 1, SCMP_CMP_MASKED_EQ, ~(scmp_datum_t)ANY_OF,
                          SOCKETS);

    for (size_t i = 0; status == 0 && i < ARRAY_LEN(requests); i++)
        status = allow_if(filter, "ioctl", 1, SCMP_CMP_EQ, requests[i], 0);
    return status;
}

/* Allows a socket to be made if argument 0 is `family`, and the bits in `mask` of
 * argument number `at` are `value`. */
static int allow_socket(scmp_filter_ctx filter, int family, unsigned int at,
                        scmp_datum_t mask, scmp_datum_t value)
{
    struct scmp_arg_cmp conditions[] = {
        {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = (scmp_datum_t)family},
        {.arg = at, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value}};
    int call = seccomp_syscall_resolve_name("socket");

    return is_missing(call)
               ? 0
               : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 2, conditions);
}

/* Allows TCP and UDP, and the kernel socket that getifaddrs() uses. No Unix socket can
 * be opened, so the daemons of this machine (D-Bus, containers) are out of reach. The
 * control socket, the listening socket and the socket for a web proxy are open already.
 * The address that connect() gets cannot be checked here, because it is behind a
 * pointer. */
static int allow_sockets(scmp_filter_ctx filter)
{
    static const int families[] = {AF_INET, AF_INET6},
                     types[] = {SOCK_STREAM, SOCK_DGRAM};
    enum { TYPE = 0xf }; /* masks out the flags SOCK_CLOEXEC and SOCK_NONBLOCK */
    int status = allow_socket(filter, AF_NETLINK, 2, ~(scmp_datum_t)0, NETLINK_ROUTE);

    for (size_t i = 0; status == 0 && i < ARRAY_LEN(families) * ARRAY_LEN(types); i++)
        status =
            allow_socket(filter, families[i / 2], 1, TYPE, (scmp_datum_t)types[i % 2]);
    return status == 0 ? allow_if(filter, "socketpair", 0, SCMP_CMP_EQ, AF_UNIX, 0)
                       : status;
}

/* Allows memory that is not executable, new threads (but no new processes), signals to
 * the process itself, and changes of its own limits. */
static int allow_some(scmp_filter_ctx filter)
{
    static const char *const maps[] = {"mmap", "mmap2", "mprotect"};
    int status = 0;

    for (size_t i = 0; status == 0 && i < ARRAY_LEN(maps); i++)
        status = allow_if(filter, maps[i], 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    if (status == 0)
        status = allow_if(filter, "prlimit64", 0, SCMP_CMP_EQ, 0, 0);
    if (status == 0)
        status = allow_if(filter, "clone", 0, SCMP_CMP_MASKED_EQ, CLONE_THREAD,
                          CLONE_THREAD);
    if (status == 0)
        status = allow_if(filter, "tgkill", 0, SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0);
    return status;
}

/* Calls that are not allowed fail with ENOSYS, so that the C library uses the older call
 * where it has one (clone for clone3). */
bool sandbox_enter(void)
{
    static int (*const steps[])(scmp_filter_ctx filter) = {
        allow_calls, allow_ioctls, allow_sockets, allow_some, seccomp_load};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    int status =
        filter == NULL ? -ENOMEM : seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);

    for (size_t i = 0; status == 0 && i < ARRAY_LEN(steps); i++)
        status = steps[i](filter);
    seccomp_release(filter);
    if (status == 0)
        log_info("sandbox calls=%zu", ARRAY_LEN(calls));
    else
        log_warn("sandbox why=\"%s\"", strerror(-status));
    return status == 0;
}

#else

bool sandbox_enter(void)
{
    log_debug("sandbox why=\"this build has none\"");
    return false;
}

#endif
