/* The compiler reads this before every file of `make portable-check`. It removes names
 * that only Linux or only glibc has. A direct use of one does not compile, and the
 * files that choose between two ways (common/system/fd.c, disk.c, peer.c, program.c)
 * choose the portable one. The headers of the system and of the libraries come first:
 * they may use these names. */
#define PORTABLE_ONLY

#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "common/base/table.h" /* uthash with its keyed hash */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/util.h>
#include <ini.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <sqlite3.h>
#include <utf8proc.h>
#include <utlist.h>

#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

/* The function of macOS and the BSDs in place of SO_PEERCRED; defined in
 * tests/portable/bsd.c. */
#ifdef __linux__
int getpeereid(int fd, uid_t *uid, gid_t *gid);
#endif

/* Some of the names that are poisoned below are macros on Linux. */
#undef BOOT_TIME
#undef CLOCK_BOOTTIME
#undef CLOCK_MONOTONIC_COARSE
#undef CLOCK_MONOTONIC_RAW
#undef CLOCK_REALTIME_COARSE
#undef HOST_NAME_MAX
#undef LOGIN_NAME_MAX
#undef MAP_ANONYMOUS
#undef MAP_POPULATE
#undef MSG_MORE
#undef O_DIRECT
#undef O_PATH
#undef O_TMPFILE
#undef POLLRDHUP
#undef SCM_CREDENTIALS
#undef SOCK_CLOEXEC
#undef SOCK_NONBLOCK
#undef SOL_TCP
#undef SO_BINDTODEVICE
#undef SO_PEERCRED
#undef TCP_CORK
#undef TCP_DEFER_ACCEPT
#undef TCP_KEEPCNT
#undef TCP_KEEPIDLE
#undef TCP_KEEPINTVL
#undef TCP_QUICKACK
#undef TCP_USER_TIMEOUT
#undef TEMP_FAILURE_RETRY
#undef __GLIBC__
#undef __linux__
#undef canonicalize_file_name
#undef fallocate
#undef mempcpy
#undef posix_fallocate
#undef strdupa
#undef strndupa

/* Descriptors and sockets. */
#pragma GCC poison pipe2 accept4 dup3 close_range closefrom eventfd eventfd_read       \
    eventfd_write
#pragma GCC poison epoll_create epoll_create1 epoll_ctl epoll_wait signalfd            \
    timerfd_create
#pragma GCC poison inotify_init inotify_init1 memfd_create recvmmsg sendmmsg sendfile  \
    splice
#pragma GCC poison ppoll SOCK_CLOEXEC SOCK_NONBLOCK MSG_MORE SO_PEERCRED
#pragma GCC poison SCM_CREDENTIALS ucred SO_BINDTODEVICE POLLRDHUP SOL_TCP             \
    TCP_USER_TIMEOUT
#pragma GCC poison TCP_KEEPIDLE TCP_KEEPINTVL TCP_KEEPCNT TCP_QUICKACK TCP_CORK        \
    TCP_DEFER_ACCEPT
/* The disk. fsync() is not poisoned because common/system/disk.c needs it;
 * tests/portable/check.sh looks for it elsewhere. */
#pragma GCC poison fallocate fallocate64 posix_fallocate posix_fallocate64 fdatasync
#pragma GCC poison sync_file_range syncfs renameat2 O_TMPFILE O_PATH O_DIRECT
/* Processes and threads. */
#pragma GCC poison prctl gettid tgkill sched_getaffinity sched_setaffinity             \
    pthread_setname_np
#pragma GCC poison pthread_getname_np pthread_tryjoin_np program_invocation_name
#pragma GCC poison program_invocation_short_name execvpe unshare getauxval
/* Memory, randomness and time. */
#pragma GCC poison explicit_bzero getrandom getentropy reallocarray malloc_usable_size
#pragma GCC poison malloc_trim mallinfo mallinfo2 mallopt mremap MAP_ANONYMOUS         \
    MAP_POPULATE
#pragma GCC poison CLOCK_BOOTTIME CLOCK_MONOTONIC_RAW CLOCK_MONOTONIC_COARSE           \
    CLOCK_REALTIME_COARSE
/* Text and files. */
#pragma GCC poison mempcpy memrchr rawmemchr strchrnul strdupa strndupa strverscmp
#pragma GCC poison canonicalize_file_name get_current_dir_name secure_getenv euidaccess
#pragma GCC poison qsort_r error_at_line strerrorname_np strerrordesc_np sigabbrev_np
#pragma GCC poison fopencookie argp_parse versionsort TEMP_FAILURE_RETRY HOST_NAME_MAX
#pragma GCC poison LOGIN_NAME_MAX
/* If code has two implementations, it may test which names the headers define, and
 * choose one of the two. Code must not test the name of the system. */
#pragma GCC poison __linux__ __GLIBC__ __APPLE__ __FreeBSD__ __NetBSD__ __OpenBSD__
