/* See target.h. */
#include "tests/measure/target.h"

#include <assert.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/net/tls.h"

enum { START_MS = 30000, STOP_MS = 10000, LOOK_US = 10000, WORDS_MAX = 64 };

const char *target_name(enum target_kind kind)
{
    static const char *const names[] = {"janggid", "redis TLS", "redis AOF"};

    static_assert(ARRAY_LEN(names) == TARGETS, "a target has no name");
    return names[kind];
}

static struct sockaddr_in local(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port)};

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/* Returns a port that is free now; 0: none was found. */
static int free_port(void)
{
    struct sockaddr_in address = local(0);
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0), port = 0;

    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, len) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &len) == 0)
        port = ntohs(address.sin_port);
    if (fd >= 0)
        close(fd);
    return port;
}

static bool answers(int port)
{
    struct sockaddr_in address = local(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    bool is_up =
        fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;

    if (fd >= 0)
        close(fd);
    return is_up;
}

/* Makes the command line of redis-server. TLS is configured as a user would configure
 * it: TLS 1.3 and a P-256 certificate. Protected mode is off. Otherwise redis-server
 * would refuse clients whose address is 127.x.y.z but not 127.0.0.1. */
static void make_redis_command(const struct target *target, const char *parent,
                               const char *const *under, char *argv[WORDS_MAX])
{
    static char port[8], cert[PROCESS_PATH_BYTES + 16], key[PROCESS_PATH_BYTES + 16];
    bool keeps = target->kind == TARGET_AOF;
    const char *const words[] = {"redis-server",
                                 "--port",
                                 "0",
                                 "--tls-port",
                                 port,
                                 "--protected-mode",
                                 "no",
                                 "--bind",
                                 "127.0.0.1",
                                 "--tls-cert-file",
                                 cert,
                                 "--tls-key-file",
                                 key,
                                 "--tls-ca-cert-file",
                                 cert,
                                 "--tls-auth-clients",
                                 "no",
                                 "--tls-protocols",
                                 "TLSv1.3",
                                 "--save",
                                 "",
                                 "--appendonly",
                                 keeps ? "yes" : "no",
                                 "--appendfsync",
                                 "always",
                                 "--maxclients",
                                 "15000",
                                 "--tcp-backlog",
                                 "1024",
                                 "--dir",
                                 target->directory,
                                 NULL};
    int count = 0;

    snprintf(port, sizeof port, "%d", target->port);
    snprintf(cert, sizeof cert, "%s/redis-cert.pem", parent);
    snprintf(key, sizeof key, "%s/redis-key.pem", parent);
    for (; under != NULL && *under != NULL; under++)
        argv[count++] = (char *)*under;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        argv[count++] = (char *)words[i];
}

static bool start_redis(struct target *target, const char *parent,
                        const char *const *under)
{
    char *argv[WORDS_MAX], log[PROCESS_PATH_BYTES + 16];
    int64_t by_ms = mono_now_ms() + START_MS;

    target->port = free_port();
    snprintf(log, sizeof log, "%s/redis.log", target->directory);
    make_redis_command(target, parent, under, argv);
    target->pid = process_start(argv, log, NULL);
    while (target->pid > 0 && mono_now_ms() < by_ms) {
        if (answers(target->port))
            return true;
        usleep(LOOK_US);
    }
    printf("# redis-server did not start; its log is %s\n", log);
    return false;
}

bool target_start(struct target *target, enum target_kind kind, const char *build,
                  const char *parent, const char *const *under)
{
    static int count;

    *target = (struct target){.kind = kind};
    if (snprintf(target->directory, sizeof target->directory, "%s/%d", parent,
                 ++count) >= (int)sizeof target->directory ||
        mkdir(target->directory, 0700) != 0)
        return false;
    if (kind != TARGET_JANGGID)
        return start_redis(target, parent, under);
    if (!janggid_init(&target->janggid, build, target->directory))
        return false;
    target->janggid.under = under;
    if (!janggid_start(&target->janggid))
        return false;
    target->pid = target->janggid.pid;
    target->port = target->janggid.port;
    return true;
}

void target_stop(struct target *target)
{
    if (target->pid > 0)
        process_end(target->pid, SIGKILL, STOP_MS, NULL);
    target->pid = 0;
    process_remove_scratch(target->directory);
}

SSL_CTX *target_client_ctx(const char *cert_path, const char *key_path)
{
    SSL_CTX *ctx = tls_client_ctx(cert_path, key_path, NULL);

    if (ctx == NULL || !SSL_CTX_set_ciphersuites(ctx, "TLS_AES_128_GCM_SHA256"))
        log_die("bench tls cert=%s", cert_path != NULL ? cert_path : "none");
    return ctx;
}
