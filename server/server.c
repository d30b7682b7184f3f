/* See server.h. */
#include "server/server.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>
#include <openssl/ssl.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "common/system/program.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/ticket.h"
#include "server/admin/drain.h"
#include "server/admin/host.h"
#include "server/admin/node.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/base/guard.h"
#include "server/base/prefix.h"
#include "server/base/sandbox.h"
#include "server/base/timer.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/data.h"
#include "server/evening/evening_run.h"
#include "server/lobby/lobby.h"
#include "server/lobby/reminders.h"
#include "server/lobby/tv.h"
#include "server/net/announce.h"
#include "server/net/identity.h"
#include "server/net/listener.h"
#include "server/net/portmap.h"
#include "server/net/session.h"
#include "server/room/feed.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"
#include "server/web/pages.h"
#include "server/web/web.h"
#include "server/web/web_listener.h"

enum {
    EXIT_BUG = 70,
    EXIT_SOCKET = 71,
    EXIT_KEY = 72,
    EXIT_DATABASE = 73,
    EXIT_TEMPFAIL = 75,
    EXIT_UNSAFE = 77,
    EXIT_CONFIG = 78
};

struct server {
    struct config *config;
    struct event_base *base;
    bool is_up;                 /* true while the server runs; false during its start
                                 * and its stop */
    struct event *on_signal[4]; /* HUP, USR1, INT, TERM */
    size_t signals;
    struct identity identity;
    struct listener *listener;
    struct portmap *portmap; /* NULL: no router is asked */
    struct web *web;         /* NULL: browsers are not served */
    struct web_listener *web_listener;
    struct drain *drain;
    struct host *host;
    struct notifier *notifier; /* the host's program that notifies absent players;
                                      * NULL: none */
    struct world world;
    struct data data;
    struct node *node; /* NULL: this server is not one of several nodes */
    int status;        /* the exit status when a node ends by itself; otherwise 0 */
};

enum { LISTS_MAX_AGE_MS = 1000 };

/* --- Callbacks handed down --- */

static void on_accept(void *arg, evutil_socket_t fd, struct slot *slot)
{
    struct server *server = arg;

    session_open(server->world.sessions, server->world.tls, fd, slot);
}

static void on_line(void *arg, struct session *session, char *raw, int64_t now_ms)
{
    struct server *server = arg;

    if (session->state != SESSION_HOST)
        lobby_heard(server->world.lobby, session);
    verbs_run(&server->world, session, raw, now_ms);
}

static void on_request(void *arg, struct session *session, const char *line,
                       enum wire_why why, int64_t now_ms)
{
    struct server *server = arg;

    web_take_line(server->web, session, line, why, now_ms);
}

static void on_page(void *arg, struct session *session, char *path, int64_t now_ms)
{
    struct server *server = arg;

    if (node_is_leader(server->node)) {
        gate_widen(store_gate(server->world.store));
        pages_run(&server->world, session, path, now_ms);
    } else {
        web_send_elsewhere(session, node_place(server->node), now_ms);
    }
}

/* Skips sessions that are closing, because the lobby may not exist any more. */
static void on_drain(void *arg, struct session *session)
{
    struct server *server = arg;

    if (session->state == SESSION_LEAVING || session->state == SESSION_HOST)
        return;
    cmd_login_heard(session);
    feed_drained(session);
    lobby_tell_open(server->world.lobby, session);
}

static void on_login(void *arg, struct session *session)
{
    struct server *server = arg;
    const char *motd = house_setting(server->world.house, "motd");

    gate_widen(store_gate(server->world.store)); /* it tells of more than the account */
    if (motd != NULL && motd[0] != '\0')
        session_notice(session, "why=motd : %s", motd);
    drain_greet(server->drain, session);
    evening_run_greet(server->world.evening_run, session);
}

static void on_leave(void *arg, struct session *session)
{
    struct server *server = arg;

    if (server->world.tv != NULL)
        tv_stop(server->world.tv, session);
    if (server->world.lobby != NULL)
        lobby_leave(server->world.lobby, session);
}

static void on_gone(void *arg, struct session *session)
{
    struct server *server = arg;

    web_forget(session);
    on_leave(arg, session);
    cmd_login_gone(&server->world, session);
    admission_leave(server->world.admission, session->usage.slot);
}

static bool is_playing(void *arg, const struct session *session)
{
    (void)arg;
    return session->account != NULL && session->account->open[QUOTA_GAME] > 0;
}

static char *on_probe(void *arg, bool is_health, bool *is_good)
{
    struct server *server = arg;

    return host_probe(server->host, is_health, is_good);
}

static const struct session_calls session_calls = {.on_line = on_line,
                                                   .on_request = on_request,
                                                   .is_playing = is_playing,
                                                   .on_login = on_login,
                                                   .on_leave = on_leave,
                                                   .on_drain = on_drain,
                                                   .on_gone = on_gone};

static void on_disk(void *arg, const char *state)
{
    struct server *server = arg;

    if (server->host != NULL)
        host_set_disk(server->host, state);
}

static void on_lost(void *arg)
{
    struct server *server = arg;

    node_lose(server->node);
}

static const struct data_calls data_calls = {.on_disk = on_disk, .on_lost = on_lost};

/* --- Settings of the parts --- */

/* Returns the rate of that many units in span_ms; 0: no limit. */
static struct rate rate_of(int units, int span_ms, int burst)
{
    return (struct rate){units == 0 ? 0 : span_ms / units, burst};
}

static struct admission_settings admission_settings(const struct config *config)
{
    struct admission_settings settings = {
        .has_quotas = config->has_quotas,
        .connections = config->connections_max,
        .per_address = config->per_address_max,
        .handshakes = rate_of(config->accepts_per_s, 1000, config->accepts_per_s),
        .work = rate_of(config->work_per_s, 1000, config->work_burst)};

    (void)prefix_list_parse(config->trusted, &settings.trusted);
    return settings;
}

/* A standby closes each session with the address of the leader. */
static struct session_settings session_settings(const struct server *server)
{
    const struct config *config = server->config;

    return (struct session_settings){
        .greeting = server->data.greeting,
        .farewell = node_is_leader(server->node) ? NULL : node_farewell(server->node),
        .admission = server->world.admission,
        .login_ms = (int64_t)config->login_s * 1000,
        .has_web = config_web(config) != CONFIG_WEB_OFF,
        .guest_idle_ms =
            (config->has_quotas ? config->guest_idle_s : 0) * INT64_C(1000),
        .slow_reader_ms = (int64_t)config->slow_reader_s * 1000,
        .chat = rate_of(config->chat_per_min, 60000, config->chat_burst)};
}

/* --- One of several nodes (node.h) --- */

static void change_sessions(struct server *server)
{
    struct session_settings settings = session_settings(server);

    sessions_change(server->world.sessions, &settings);
}

/* Ends the process without another word to the log. Lines that wait for it get no
 * answer, because this node cannot know whether they are stored. */
static void end_node(struct server *server, int status, const char *words)
{
    server->status = status;
    sessions_set_gate(server->world.sessions, NULL);
    sessions_close_all(server->world.sessions, node_farewell(server->node), words);
    data_close(&server->data, store_abandon);
    drain_now(server->drain);
}

/* Reading the log blocks the loop; meanwhile new connections wait in the queue of the
 * listening socket. */
static void on_node_leads(void *arg)
{
    struct server *server = arg;

    if (data_open(&server->data))
        change_sessions(server);
    else
        end_node(server, server->data.is_away ? EXIT_TEMPFAIL : EXIT_DATABASE,
                 "this node cannot read the games");
}

static void on_node_lost(void *arg)
{
    end_node(arg, EXIT_TEMPFAIL, "another node has taken over; the games go on there");
}

static const struct node_calls node_calls = {.on_lead = on_node_leads,
                                             .on_lost = on_node_lost};

/* Joins the nodes that share the log. The listener must be open, because the address at
 * which clients reach this node is stored with the log. Returns 0 or an exit status. */
static int join_nodes(struct server *server)
{
    struct store_place place = store_place_of(server->config);
    char at[STORE_AT_BYTES];
    struct text text = text_into(at, sizeof at);

    if (server->config->node[0] != '\0')
        text_add(&text, server->config->node);
    else
        announce_server(&text, &server->world);
    place.at = at;
    static_assert((int)STORE_KEY_BYTES == (int)TLS_DIGEST_BYTES,
                  "the key has another size");
    place.key = server->identity.digest.digest;
    server->node = node_open(server->base, &place, &node_calls, server);
    if (server->node == NULL)
        return errno == EAGAIN ? EXIT_TEMPFAIL : EXIT_DATABASE;
    change_sessions(server);
    return 0;
}

/* A leader gives the log to another node once everything is stored. */
static bool on_shutdown(void *arg, const char **why)
{
    struct server *server = arg;

    if (server->node == NULL)
        return true;
    if (node_is_leader(server->node))
        return store_is_idle(server->world.store) && node_hand_over(server->node, why);
    node_retire(server->node);
    if (node_place(server->node)[0] != '\0')
        *why = node_farewell(server->node);
    return true;
}

static const char *leader_at(void *arg)
{
    const struct server *server = arg;

    return server->node != NULL ? node_place(server->node) : "";
}

/* --- The process --- */

/* Forbids core files, which would contain keys, and allows as many descriptors as the
 * system permits. */
static void set_up_process(const struct config *config)
{
    struct rlimit files;

    umask(077);
    program_hide_memory();
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < (rlim_t)config->connections_max + 32)
        log_warn("start descriptors=%llu connections=%d why=fewer-than-allowed",
                 (unsigned long long)files.rlim_cur, config->connections_max);
}

static bool make_directory(const char *path)
{
    char copy[CONFIG_TEXT_BYTES];

    if (!text_copy(copy, sizeof copy, path))
        return false;
    for (char *slash = strchr(copy + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(copy, 0700); /* a parent may exist; only the last mkdir() is checked */
        *slash = '/';
    }
    if ((mkdir(copy, 0700) == 0 || errno == EEXIST) && access(path, W_OK | X_OK) == 0)
        return true;
    if (!log_advise("janggid cannot write in %s: choose another directory with --data "
                    "DIR, or make this one yours.",
                    path))
        log_warn("data directory=%s why=\"%s\"", path, strerror(errno));
    return false;
}

/* --- Reload and signals --- */

/* Passes the settings to the modules that keep copies of them; the others read
 * *config. */
static void apply(struct server *server)
{
    const struct config *config = server->config;
    struct admission_settings admission = admission_settings(config);

    admission_change(server->world.admission, &admission);
    change_sessions(server);
    log_set_level(config->is_verbose ? LOG_DEBUG : LOG_INFO);
    if (!node_is_leader(server->node))
        return;
    data_change(&server->data);
    entry_close_guests(&server->world);
    entry_close_watchers(&server->world);
}

/* The argument of on_change(), which is called for each changed option. on_change()
 * logs the change and calls `see`. */
struct reload {
    struct server *server;
    world_change_fn *see; /* may be NULL */
    void *see_arg;
};

static void on_change(void *arg, const char *name, bool is_taken)
{
    const struct reload *reload = arg;
    const struct config *config = reload->server->config;
    const char *word = strcmp(name, "access") == 0     ? config->access
                       : strcmp(name, "guests") == 0   ? config->guests
                       : strcmp(name, "watching") == 0 ? config->watching
                                                       : "";

    log_info("reload option=%s state=%s", name, is_taken ? "changed" : "restart");
    /* "": the option has left the file, and the setting keeps its value */
    if (word[0] != '\0' && !access_set(&reload->server->world.access, name, word))
        log_die("server setting=%s", name); /* config.c has checked the word */
    if (reload->see != NULL)
        reload->see(reload->see_arg, name, is_taken);
}

/* Takes over a new certificate for browsers. */
static void take_web_cert(struct server *server)
{
    struct text origin =
        text_into(server->world.web_origin, sizeof server->world.web_origin);

    server->world.is_web_named =
        announce_origin(&origin, &server->world, server->identity.web);
    web_set_cert(server->web, server->identity.web);
}

static char *on_reload(void *arg, world_change_fn *see, void *see_arg)
{
    struct reload reload = {.server = arg, .see = see, .see_arg = see_arg};
    struct server *server = arg;
    struct config next;
    char *errors = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&errors, &size);
    bool is_good;

    if (out == NULL)
        log_die("server no memory for errors");
    if (identity_reload(&server->identity)) {
        server->world.tls = server->identity.tls;
        if (server->web != NULL)
            take_web_cert(server);
    }
    is_good = config_read_again(server->config, &next, out);
    if (fclose(out) != 0)
        log_die("server no memory for errors");
    if (!is_good) {
        for (const char *line = errors, *end; (end = strchr(line, '\n')) != NULL;
             line = end + 1)
            log_warn("reload why=\"%.*s\"", (int)(end - line), line);
        return errors;
    }
    free(errors);
    config_take(server->config, &next, on_change, &reload);
    apply(server);
    return NULL;
}

static void on_named(void *arg)
{
    struct server *server = arg;

    data_make_greeting(&server->data);
}

static const struct world_calls world_calls = {.on_named = on_named,
                                               .on_reload = on_reload,
                                               .on_shutdown = on_shutdown,
                                               .leader_at = leader_at};

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct server *server = arg;

    (void)what;
    if (!server->is_up)
        return;
    log_info("signal=%d", (int)number);
    if (number == SIGHUP)
        free(on_reload(server, NULL, NULL));
    else if (number == SIGUSR1)
        drain_for_games(server->drain);
    else
        drain_now(server->drain);
}

static void watch_signal(struct server *server, int number)
{
    struct event *signal = evsignal_new(server->base, number, on_signal, server);

    if (signal == NULL || event_add(signal, NULL) != 0)
        log_die("server no signal handler");
    server->on_signal[server->signals++] = signal;
}

/* --- Opening the parts --- */

static void on_proxied(void *arg, evutil_socket_t fd)
{
    struct server *server = arg;

    session_open_proxied(server->world.sessions, fd);
}

/* Opens the part for browsers, if it is on, and the listener for proxies, if one is
 * configured. Returns false after logging why. */
static bool open_web(struct server *server)
{
    struct web_settings settings = {.admission = server->world.admission,
                                    .origin = server->config->web_origin,
                                    .public_name = server->config->public_name,
                                    .on_page = on_page,
                                    .on_probe = on_probe,
                                    .arg = server};

    if (config_web(server->config) == CONFIG_WEB_OFF)
        return true;
    server->web = web_new(&settings);
    server->world.has_page = web_has_page();
    take_web_cert(server);
    if (server->config->web_listen[0] == '\0')
        return true;
    server->web_listener =
        web_listener_open(server->base, server->config->web_listen, on_proxied, server);
    return server->web_listener != NULL;
}

static bool open_door(struct server *server)
{
    const struct config *config = server->config;
    struct listener_settings settings = {.listen = config->listen};

    (void)prefix_list_parse(config->proxy_from, &settings.proxy);
    server->listener = listener_open(server->base, &settings, server->world.admission,
                                     on_accept, server);
    server->world.listener = server->listener;
    return server->listener != NULL;
}

/* Opens the database, then the listener. If the server is one of several nodes, opens
 * the listener first, because this node writes the listener's address into the lease.
 * The lease decides which node has the games. The listener is paused until this node
 * knows whether it has the games. Returns 0 or an exit status. */
static int open_log_and_door(struct server *server)
{
    bool is_shared = server->config->store[0] != '\0';
    int status;

    if (is_shared) {
        if (!open_door(server))
            return EXIT_SOCKET;
        listener_pause(server->listener, true);
        status = join_nodes(server);
        if (status != 0)
            return status;
    }
    if (node_is_leader(server->node) && !data_open(&server->data))
        return server->data.is_away ? EXIT_TEMPFAIL : EXIT_DATABASE;
    if (!is_shared)
        return open_door(server) ? 0 : EXIT_SOCKET;
    listener_pause(server->listener, false);
    return 0;
}

/* If the host has configured a program that notifies absent players, starts it. Returns
 * 0 or an exit status, which says that a new start may help if the system did not have
 * enough resources. */
static int open_notifier(struct server *server)
{
    const char *path = server->config->notify_program;

    if (path[0] == '\0')
        return 0;
    server->notifier = notifier_start(server->base, path);
    server->data.notifier = server->notifier;
    if (server->notifier != NULL)
        return 0;
    return errno == EAGAIN || errno == ENOMEM || errno == EMFILE || errno == ENFILE
               ? EXIT_TEMPFAIL
               : EXIT_CONFIG;
}

/* --- What the host reads --- */

/* Returns the code of the host's invitation. If the last invitation can still be used,
 * returns its code. Otherwise makes a new invitation. Returns NULL if the host does not
 * want an invitation, if the invitation cannot be made, or if this node is a
 * standby (node.h). */
static const char *standing_code(struct server *server)
{
    struct terms terms = terms_default();
    struct invite *invite;
    int max;

    if (!server->config->wants_invite || !node_is_leader(server->node))
        return NULL;
    invite = invites_find_standing(lobby_invites(server->world.lobby));
    if (invite == NULL && time_terms_parse(server->config->invite_time, &terms.time))
        invite = invites_open(lobby_invites(server->world.lobby), NULL, &terms, &max);
    return invite != NULL ? invite->code : NULL;
}

static void on_portmap(void *arg, const struct portmap_news *news)
{
    struct server *server = arg;
    char words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);
    struct text outside =
        text_into(server->world.outside, sizeof server->world.outside);

    log_info("portmap result=%d way=%s address=%s port=%d", news->result, news->way,
             news->address, news->port);
    if (news->result == PORTMAP_OPEN) {
        text_addf(&outside, "%s:%d", news->address, news->port);
        announce_outside(&text, &server->world, standing_code(server));
    } else {
        announce_no_outside(&text, news, listener_port(server->listener));
    }
    printf("\n%s", words);
    fflush(stdout);
}

/* Asks the router to forward the port, if the host wants that. Does so only for a
 * server that other machines may reach and that has no public address or name of its
 * own. */
static void ask_router(struct server *server)
{
    const struct config *config = server->config;
    bool is_wanted = config->map_port[0] != '\0' ? strcmp(config->map_port, "auto") == 0
                                                 : config->wants_invite;

    if (is_wanted && announce_is_private(&server->world))
        server->portmap = portmap_start(server->base, listener_port(server->listener),
                                        config->map_port_s, on_portmap, server);
}

static void see_owner(void *arg, const struct account *account)
{
    bool *has_owner = arg;

    *has_owner = *has_owner || account->role == ROLE_OWNER;
}

/* If the server is open to everybody, prints a warning. Prints the owner link while the
 * server has no owner, and only to a terminal, because a system journal would keep
 * it. */
static void announce_access(struct server *server)
{
    char words[ANNOUNCE_BYTES], code[TICKET_CODE_BYTES];
    struct text text = text_into(words, sizeof words);
    bool is_given = server->config->access[0] != '\0', has_owner = false;

    if (!node_is_leader(server->node))
        return;
    if (server->world.access.door == ACCESS_OPEN)
        printf("access open: %s%s\n", access_door_words(ACCESS_OPEN),
               is_given
                   ? ""
                   : ", because an older janggid on this directory was open; --access "
                     "invited admits only members and people with an invitation");
    accounts_each_member(server->world.accounts, see_owner, &has_owner);
    if (!has_owner && isatty(STDOUT_FILENO)) {
        tickets_make(server->world.tickets, TICKET_OWNER, "", mono_wall_s(), code);
        announce_owner(&text, &server->world, code, OWNER_MINUTES);
        printf("\n%s", words);
    }
    fflush(stdout);
}

/* --- Start and end --- */

/* Starts all parts. Returns 0 or an exit status. A SIGHUP or SIGUSR1 that comes during
 * the start is handled after it. SIGTERM and Ctrl-C end the process during the start:
 * nothing has been acknowledged yet. */
static int start(struct server *server)
{
    const struct config *config = server->config;
    struct world *world = &server->world;
    struct admission_settings admission;
    struct session_settings session;
    int status;

    signal(SIGPIPE, SIG_IGN);
    watch_signal(server, SIGHUP);
    watch_signal(server, SIGUSR1);
    if (!make_directory(config->data))
        return EXIT_KEY;
    if (!guard_data(config->data))
        return EXIT_UNSAFE;
    if (!tls_begin() || !identity_open(&server->identity, config))
        return EXIT_KEY;
    world->tls = server->identity.tls;
    world->key = &server->identity.digest;
    admission = admission_settings(config);
    world->admission = admission_new(&admission);
    world->lists = shared_lists_new(config->has_quotas ? LISTS_MAX_AGE_MS : 0);
    session = session_settings(server);
    world->sessions = sessions_new(server->base, &session, &session_calls, server);
    status = open_notifier(server);
    if (status == 0)
        status = open_log_and_door(server);
    if (status != 0)
        return status;
    if (!open_web(server))
        return EXIT_SOCKET;
    server->drain = drain_new(server->base, world, server->listener);
    server->host = host_open(server->base, world, server->drain, server->node);
    watch_signal(server, SIGINT);
    watch_signal(server, SIGTERM);
    announce(world, standing_code(server), server->identity.is_new);
    announce_access(server);
    ask_router(server);
    if (config->has_sandbox)
        sandbox_enter();
    log_info("start version=%s libevent=%s openssl=\"%s\"", JANGGI_VERSION,
             event_get_version(), OpenSSL_version(OPENSSL_VERSION));
    server->is_up = true;
    return 0;
}

/* Stops all parts, also those of a server whose start has failed. Removes the control
 * socket while the database is still locked: once it is unlocked, another server may
 * have made a socket of its own. */
static void stop(struct server *server)
{
    struct world *world = &server->world;

    portmap_stop(server->portmap);
    host_close(server->host);
    sessions_drop_all(world->sessions); /* a peer that does not close its end would
                                         * delay the end of the server */
    event_base_loop(server->base, EVLOOP_NONBLOCK);
    data_close(&server->data, store_close);
    notifier_stop(server->notifier);
    listener_free(server->listener);
    shared_lists_free(world->lists);
    web_listener_free(server->web_listener);
    web_free(server->web);
    identity_close(&server->identity);
    while (server->signals > 0)
        event_free(server->on_signal[--server->signals]);
    drain_free(server->drain);
    node_close(server->node); /* host_free() runs the loop */
    host_free(server->host);
    if (world->sessions != NULL && sessions_count(world->sessions) == 0)
        sessions_free(world->sessions);
    if (world->admission != NULL && admission_is_empty(world->admission))
        admission_free(world->admission);
    event_base_free(server->base);
}

static void on_libevent_words(int severity, const char *words)
{
    if (severity >= EVENT_LOG_WARN)
        log_warn("libevent why=\"%s\"", words);
}

static void on_libevent_fault(int fault)
{
    log_die("libevent fault=%d", fault);
}

static struct event_base *make_base(void)
{
    struct event_base *base;

    event_set_log_callback(on_libevent_words);
    event_set_fatal_callback(on_libevent_fault);
    base = event_base_new();
    if (base == NULL || event_base_priority_init(base, 2) != 0)
        log_die("server cannot create the event loop");
    return base;
}

int server_run(struct config *config)
{
    struct server server = {.config = config};
    int status;

    if (!guard_user(config->allows_root))
        return EXIT_UNSAFE;
    set_up_process(config);
    server.base = make_base();
    server.world.config = config;
    server.world.calls = &world_calls;
    server.world.calls_arg = &server;
    server.data = (struct data){.base = server.base,
                                .world = &server.world,
                                .calls = &data_calls,
                                .arg = &server};
    status = start(&server);
    if (status == 0 && event_base_dispatch(server.base) < 0) {
        log_warn("server loop failed");
        status = EXIT_BUG;
    } else if (status == 0) {
        log_info("stopped");
        status = server.status;
    }
    server.is_up = false;
    stop(&server);
    return status;
}

int server_check(const struct config *config)
{
    struct identity identity;
    bool is_good = identity_peek(&identity, config);

    identity_close(&identity);
    config_print(config, stdout);
    return is_good ? 0 : EXIT_KEY;
}

int server_print_key(const struct config *config)
{
    struct identity identity;
    char text[TLS_KEY_TEXT_BYTES];

    if (!identity_peek(&identity, config))
        return EXIT_KEY;
    if (identity.tls == NULL) {
        fprintf(stderr,
                "janggid: there is no key at %s yet; the first start makes it\n",
                identity.key);
        return EXIT_KEY;
    }
    tls_key_format(text, &identity.digest);
    printf("%s\n", text);
    identity_close(&identity);
    return 0;
}
