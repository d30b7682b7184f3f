/* See host.h. */
#include "server/admin/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/listener.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "common/system/fd.h"
#include "common/system/peer.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/ticket.h"
#include "server/admin/drain.h"
#include "server/admin/metrics.h"
#include "server/admin/node.h"
#include "server/base/config.h"
#include "server/base/rest.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/net/announce.h"
#include "server/net/listener.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"

enum { HOSTS_MAX = 32 }; /* connections at a time */

struct host {
    struct event_base *base;
    struct world *world;
    struct drain *drain;
    const struct node *node; /* NULL: this server is not one of several nodes */
    struct sockaddr_un address;
    struct evconnlistener *listener; /* NULL: there is no control socket */
    struct rest *rest;
    int64_t began_ms;
    const char *disk;
};

/* --- status, metrics, health, top --- */

static bool status_run(struct call *call)
{
    const struct host *host = call->world->host;
    const struct world *world = call->world;
    const struct node *node = host->node;
    const struct drain *drain = host->drain;
    const struct rooms *rooms = world->rooms;
    struct session *to = call->from;
    char key[TLS_KEY_TEXT_BYTES];

    tls_key_format(key, world->key);
    session_rowf(to, "version=%s", JANGGI_VERSION);
    session_rowf(to, "listen=%s", listener_name(world->listener));
    session_rowf(to, "web=%s", world->config->web);
    session_rowf(to, "key=%s", key);
    session_rowf(to, "up_s=%lld", (long long)((call->now_ms - host->began_ms) / 1000));
    if (node != NULL) {
        session_rowf(to, "role=%s", node_is_leader(node) ? "leader" : "standby");
        session_rowf(to, "leader=%s",
                     node_is_leader(node) ? node_lease(node)->at : node_place(node));
        session_rowf(to, "epoch=%lld", (long long)node_lease(node)->epoch);
    }
    session_rowf(to, "connections=%d", sessions_count(world->sessions));
    if (rooms != NULL) {
        session_rowf(to, "players=%d",
                     sessions_count_in(world->sessions, SESSION_MEMBER));
        session_rowf(to, "guests=%d",
                     sessions_count_in(world->sessions, SESSION_GUEST));
        session_rowf(to, "games=%d", rooms_count(rooms, ROOM_LIVE));
        session_rowf(to, "games_by_correspondence=%d",
                     rooms_count(rooms, ROOM_CORRESPONDENCE));
        session_rowf(to, "games_adjourned=%d", rooms_count(rooms, ROOM_ADJOURNED));
        session_rowf(to, "games_frozen=%d", rooms_count(rooms, ROOM_FROZEN));
    }
    if (world->store != NULL) {
        struct store_counts counts = store_counts(world->store);

        if (node != NULL && counts.committed_ms != 0)
            session_rowf(to, "commit_age_ms=%lld",
                         (long long)(call->now_ms - counts.committed_ms));
        session_rowf(to, "events=%llu", (unsigned long long)counts.events);
        session_rowf(to, "commits=%llu", (unsigned long long)counts.commits);
        session_rowf(to, "slowest_commit_ms=%lld.%03lld",
                     (long long)(counts.commit_us_max / 1000),
                     (long long)(counts.commit_us_max % 1000));
        session_rowf(to, "disk=%s", host->disk);
    }
    if (drain_state(drain) == DRAIN_GAMES)
        session_rowf(to, "draining=games games_left=%d", drain_games_left(drain));
    else if (drain_state(drain) == DRAIN_TIMED)
        session_rowf(to, "draining=restart in_s=%lld",
                     (long long)drain_left_s(drain, call->now_ms));
    else
        session_rowf(to, "draining=%s",
                     drain_state(drain) == DRAIN_ENDING ? "ends-now" : "no");
    return session_ok(to, "status");
}

static const struct command cmd_status = {
    .usage = "status",
    .help = "show how the server is doing",
    .states = BY_HOST,
    .output = OUTPUT_FREE,
    .run = status_run,
};

static struct metrics_host metrics_of(const struct host *host)
{
    return (struct metrics_host){.up_ms = mono_now_ms() - host->began_ms,
                                 .disk = host->disk,
                                 .drain = drain_state(host->drain),
                                 .node = host->node};
}

char *host_probe(const struct host *host, bool is_health, bool *is_good)
{
    struct metrics_host figures = metrics_of(host);
    char why[METRICS_WHY_BYTES + 1];

    *is_good = !is_health || metrics_is_healthy(&figures, why);
    if (!is_health)
        return metrics_text(host->world, &figures);
    strcat(why, "\n");
    return mem_copy_text(why);
}

static bool health_run(struct call *call)
{
    struct metrics_host host = metrics_of(call->world->host);
    char why[METRICS_WHY_BYTES];

    if (metrics_is_healthy(&host, why))
        return session_ok(call->from, "health : good: %s", why);
    return session_err(call->from, REPLY_NOT_NOW, "why=health : %s", why);
}

static const struct command cmd_health = {
    .usage = "health",
    .help = "exit 0 if the server accepts players and moves, otherwise 1: for probes",
    .states = BY_HOST,
    .output = OUTPUT_FREE,
    .run = health_run,
};

static bool metrics_run(struct call *call)
{
    struct metrics_host host = metrics_of(call->world->host);
    char *text = metrics_text(call->world, &host);

    call_say_lines(call, text);
    free(text);
    return true;
}

static const struct command cmd_metrics = {
    .usage = "metrics",
    .help = "counters and states as Prometheus text",
    .states = BY_HOST,
    .output = OUTPUT_FREE,
    .run = metrics_run,
};

static bool top_run(struct call *call)
{
    metrics_say_top(call->from, call->world, call->now_ms);
    return session_ok(call->from, "top");
}

static const struct command cmd_costs = {
    .usage = "top",
    .help = "list the addresses and accounts with the most requests in the last minute",
    .states = BY_HOST,
    .output = OUTPUT_FREE,
    .run = top_run,
};

/* --- backup, prune --- */

/* Work of the store for a session, which may end before it is done. */
struct errand {
    struct world *world;
    uint64_t session;
    char *words; /* the argument, for the answer */
};

static void drop_errand(void *arg)
{
    free(((struct errand *)arg)->words);
}

static struct errand *errand_new(struct call *call, const char *words)
{
    struct errand *errand =
        store_arg_new(call->world->store, sizeof *errand, drop_errand);

    errand->world = call->world;
    errand->session = call->from->id;
    errand->words = mem_copy_text(words);
    session_hold(call->from);
    return errand;
}

static void errand_free(struct errand *errand)
{
    drop_errand(errand);
    store_arg_free(errand);
}

static void on_backed_up(void *arg, const char *why)
{
    struct errand *errand = arg;
    struct session *to = session_find_open(errand->world->sessions, errand->session);
    struct gate *gate = store_gate(errand->world->store);
    struct stat st = {0};

    gate_narrow(gate, GATE_FREE); /* it tells of a file of its own */
    if (why == NULL && stat(errand->words, &st) != 0)
        why = strerror(errno);
    if (why == NULL)
        log_info("backup file=\"%s\" bytes=%lld", errand->words, (long long)st.st_size);
    else
        log_warn("backup file=\"%s\" why=\"%s\"", errand->words, why);
    if (to != NULL && why == NULL)
        session_ok(to, "backup bytes=%lld : wrote %.3000s, %lld bytes",
                   (long long)st.st_size, errand->words, (long long)st.st_size);
    else if (to != NULL)
        session_err(to, REPLY_NOT_NOW, "why=file : %.3000s: %.500s", errand->words,
                    why);
    gate_widen(gate);
    errand_free(errand);
}

static bool backup_run(struct call *call)
{
    if (call->rest[0] != '/')
        return call_usage(call, "FILE is a path that begins with /");
    store_backup(call->world->store, call->rest, on_backed_up,
                 errand_new(call, call->rest));
    return true;
}

static const struct command cmd_backup = {
    .usage = "backup FILE",
    .help = "copy the database while the server runs; FILE must not exist",
    .args_max = PROTO_WORDS_MAX, /* a path may contain spaces */
    .states = BY_HOST,
    .output = OUTPUT_URGENT,
    .run = backup_run,
};

static void on_pruned(void *arg, int count)
{
    struct errand *errand = arg;
    struct session *to = session_find_open(errand->world->sessions, errand->session);

    log_info("prune game=%s count=%d", errand->words, count);
    if (to != NULL && count > 0)
        session_ok(to, "prune game=%s : game %s is deleted", errand->words,
                   errand->words);
    else if (to != NULL && count == STORE_PRUNED_UNKNOWN)
        session_ok(to,
                   "prune game=%s : game %s is deleted, if it was there: the database "
                   "was lost before it answered",
                   errand->words, errand->words);
    else if (to != NULL)
        session_err(to, REPLY_NOT_NOW,
                    "why=game : game %s is not on disk, is still running, or is the "
                    "newest game, which stays until another begins",
                    errand->words);
    errand_free(errand);
}

static bool prune_run(struct call *call)
{
    enum { DAYS_MAX = 36500 };
    struct world *world = call->world;
    const char *what = call->argv[1], *which = call->argv[2];
    struct account *account = accounts_find(world->accounts, which);
    char params[32];
    int64_t number;

    if (strcmp(what, "name") == 0) {
        if (account == NULL)
            return session_err(call->from, REPLY_NO_SUCH, ": unknown name: %.40s",
                               which);
        if (accounts_expire(world->accounts, account, INT64_MAX))
            return session_ok(call->from, "prune name=%s : the name %s is free now",
                              which, which);
        return session_err(
            call->from, REPLY_NOT_NOW,
            "why=in-use : %s is in use: it has finished a game, has a role, is "
            "online, or has an open offer",
            which);
    }
    if (strcmp(what, "reports") == 0 && text_to_int(which, 0, DAYS_MAX, &number)) {
        (void)house_shorten_reports(world->house, mono_wall_s() - number * DAY_S + 1);
        snprintf(params, sizeof params, "days=%d", (int)number);
        return call_record(
            call, &(struct house_act){.kind = "prune", .params = params},
            "prune days=%d : reports older than %d days have no words any more",
            (int)number, (int)number);
    }
    if (strcmp(what, "game") != 0 || !text_to_int(which, 1, INT64_MAX, &number))
        return call_usage(
            call, "prune takes the number of an ended game, a name, or a number "
                  "of days");
    if (room_find(world->rooms, number) != NULL)
        return session_err(
            call->from, REPLY_NOT_NOW,
            "why=in-memory : game %s is in memory; try again when it has ended "
            "and is no longer in memory (keep-s)",
            which);
    store_prune_game(world->store, number, on_pruned, errand_new(call, which));
    return true;
}

static const struct command cmd_prune = {
    .usage = "prune game NUMBER|name NAME|reports DAYS",
    .help = "delete an ended game, a name that has finished no game, or the words of "
            "reports older than DAYS days",
    .args_min = 2,
    .args_max = 2,
    .states = BY_HOST,
    .run = prune_run,
};

/* --- owner --- */

static bool owner_run(struct call *call)
{
    struct world *world = call->world;
    char code[TICKET_CODE_BYTES], words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);

    tickets_make(world->tickets, TICKET_OWNER, "", mono_wall_s(), code);
    house_record(world->house,
                 &(struct house_act){.actor = call->from->name, .kind = "owner"});
    announce_owner(&text, world, code, OWNER_MINUTES);
    return call_say_lines(call, words);
}

static const struct command cmd_make_owner = {
    .usage = "owner",
    .help = "print a link that makes the person who opens it an owner (it works once, "
            "within 15 minutes)",
    .states = BY_HOST,
    .run = owner_run,
};

/* --- drain, stay --- */

/* Unless its argument is wrong, `drain` is answered at the server's end, or when the
 * shutdown is cancelled. */
static bool drain_run(struct call *call)
{
    struct host *host = call->world->host;
    struct drain *drain = host->drain;
    const char *word = call->argc > 1 ? call->argv[1] : NULL;
    int64_t in_s = 0;

    if (word != NULL && !text_to_int(word, 0, DRAIN_MAX_S, &in_s))
        return call_usage(call, "drain takes seconds, 0 to 86400, or nothing");
    if (drain_state(drain) == DRAIN_ENDING) {
        session_sayf(call->from, "| The server is already shutting down.");
    } else if (word != NULL) {
        drain_in(drain, in_s, call->now_ms);
        session_sayf(call->from,
                     "| The server will shut down in %lld s; everybody was told.",
                     (long long)in_s);
    } else if (node_is_leader(host->node)) {
        drain_for_games(drain);
        session_sayf(call->from,
                     "| No new game can begin. The server will shut down when the "
                     "current games finish (%d now).",
                     drain_games_left(drain));
    } else {
        drain_for_games(drain);
        session_sayf(call->from,
                     "| The clients of this server are sent to the server with the "
                     "games; then this one ends.");
    }
    session_hold(call->from);
    call->from->awaits_end = true;
    return true;
}

static const struct command cmd_drain = {
    .usage = "drain [SECONDS]",
    .help = "shut down after SECONDS, or when the games are over, and wait for the end "
            "of the server",
    .states = BY_HOST,
    .output = OUTPUT_FREE,
    .run = drain_run,
};

static bool stay_run(struct call *call)
{
    if (!drain_stay(call->world->host->drain))
        return session_err(call->from, REPLY_NOT_NOW,
                           "why=stays : no shutdown is announced");
    for (struct session *s = sessions_first(call->world->sessions); s != NULL;
         s = sessions_next(s)) {
        if (s->state == SESSION_HOST && s->awaits_end)
            session_err(s, REPLY_NOT_NOW, "why=stays : the shutdown was cancelled");
        s->awaits_end = false;
    }
    return session_ok(call->from, "stay : the shutdown was cancelled");
}

static const struct command cmd_stay = {
    .usage = "stay",
    .help = "cancel a drain",
    .states = BY_HOST,
    .output = OUTPUT_FREE,
    .run = stay_run,
};

const struct command *const host_verbs[] = {
    &cmd_status, &cmd_make_owner, &cmd_health, &cmd_metrics, &cmd_costs,
    &cmd_backup, &cmd_prune,      &cmd_drain,  &cmd_stay,    NULL,
};

/* --- The control socket --- */

bool host_address(struct sockaddr_un *out, const char *directory)
{
    struct text path;

    memset(out, 0, sizeof *out);
    out->sun_family = AF_UNIX;
    path = text_into(out->sun_path, sizeof out->sun_path);
    text_addf(&path, "%s/control", directory);
    return !path.is_cut;
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd,
                      struct sockaddr *from, int from_len, void *arg)
{
    struct host *host = arg;
    struct sessions *sessions = host->world->sessions;
    uid_t uid;

    (void)listener;
    (void)from;
    (void)from_len;
    /* The mode of the socket keeps other users out already, but some file systems have
     * no modes. */
    if (!peer_uid(fd, &uid)) {
        close(fd);
    } else if (uid != 0 && uid != geteuid()) {
        log_warn("control uid=%lld refused why=\"neither the server's user nor root\"",
                 (long long)uid);
        close(fd);
    } else if (sessions_count_in(sessions, SESSION_HOST) >= HOSTS_MAX) {
        close(fd);
    } else {
        session_open_host(sessions, fd, HOUSE_OPERATOR);
    }
}

static void on_accept_fault(struct evconnlistener *listener, void *arg)
{
    (void)listener;
    rest_begin(((struct host *)arg)->rest, errno);
}

/* Makes the socket and listens on it. Sets the mode before listen(), so that no other
 * user can connect. Returns -1 after logging. */
static int open_socket(const struct sockaddr_un *address)
{
    const char *path = address->sun_path, *why = NULL;
    struct stat st;
    int fd = -1;

    if (lstat(path, &st) == 0 && !S_ISSOCK(st.st_mode))
        why = "a file that is not a socket is in its place";
    else if (unlink(path) != 0 && errno != ENOENT)
        why = strerror(errno);
    else if ((fd = fd_socket(AF_UNIX, FD_NONBLOCKING)) < 0 ||
             bind(fd, (const struct sockaddr *)address, sizeof *address) != 0 ||
             chmod(path, 0600) != 0 || listen(fd, HOSTS_MAX) != 0)
        why = strerror(errno);
    if (why == NULL)
        return fd;
    log_warn("control path=%s why=\"%s\"", path, why);
    if (fd >= 0)
        close(fd);
    return -1;
}

struct host *host_open(struct event_base *base, struct world *world,
                       struct drain *drain, const struct node *node)
{
    struct host *host = mem_new(sizeof *host);
    const char *directory = world->config->data;
    int fd;

    *host = (struct host){.base = base,
                          .world = world,
                          .drain = drain,
                          .node = node,
                          .began_ms = mono_now_ms(),
                          .disk = "good"};
    world->host = host;
    world->host_verbs = host_verbs;
    if (!host_address(&host->address, directory)) {
        log_warn(
            "control path=%s/control why=\"longer than the %d bytes that the path "
            "of a socket may have; there is no janggid ctl; use a shorter --data\"",
            directory, CONTROL_PATH_MAX);
        return host;
    }
    fd = open_socket(&host->address);
    if (fd < 0)
        return host;
    host->listener = evconnlistener_new(
        base, on_accept, host, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
    if (host->listener == NULL)
        log_die("control no listener");
    host->rest = rest_new(base, host->listener, "control");
    evconnlistener_set_error_cb(host->listener, on_accept_fault);
    return host;
}

void host_set_disk(struct host *host, const char *word)
{
    host->disk = word;
}

void host_close(struct host *host)
{
    if (host == NULL || host->listener == NULL)
        return;
    rest_free(host->rest);
    evconnlistener_free(host->listener);
    host->listener = NULL;
    unlink(host->address.sun_path);
}

/* Runs turns of the loop: the first sends the last lines, the second ends the
 * connections. */
void host_free(struct host *host)
{
    struct sessions *sessions;

    if (host == NULL)
        return;
    host_close(host);
    sessions = host->world->sessions;
    for (struct session *s = sessions_first(sessions); s != NULL;
         s = sessions_next(s)) {
        if (s->state != SESSION_HOST)
            continue;
        if (s->awaits_end)
            session_ok(s, "drain : the server has shut down");
        else if (s->is_held)
            session_err(
                s, REPLY_NOT_NOW,
                "why=shutdown : the server has shut down; the request was not done");
        session_close(s, "shutdown", "the server has shut down");
    }
    event_base_loop(host->base, EVLOOP_NONBLOCK);
    sessions_drop_all(sessions);
    event_base_loop(host->base, EVLOOP_NONBLOCK);
    host->world->host = NULL;
    free(host);
}
