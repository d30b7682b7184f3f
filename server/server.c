/* See server.h. */
#include "server/server.h"

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
#include "common/base/program.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "server/account/accounts.h"
#include "server/admin/drain.h"
#include "server/admin/host.h"
#include "server/base/config.h"
#include "server/command/command.h"
#include "server/lobby/lobby.h"
#include "server/net/announce.h"
#include "server/net/identity.h"
#include "server/net/listener.h"
#include "server/net/session.h"
#include "server/room/feed.h"
#include "server/room/room.h"
#include "server/store/store.h"

enum { EXIT_SOCKET = 71, EXIT_KEY = 72, EXIT_DATABASE = 73, DAY_MS = 86400 * 1000 };

struct server {
    const struct config *config;
    struct event_base *base;
    struct event *on_signal[4]; /* INT, TERM, HUP, USR1 */
    char greeting[512];
    struct identity identity;
    struct listener *listener;
    struct drain *drain;
    struct host *host;
    struct world world;
};

/* --- Callbacks handed down --- */

static void on_accept(void *arg, evutil_socket_t fd, uint32_t address, bool is_too_many)
{
    struct server *server = arg;

    session_open(server->world.sessions, server->world.tls, fd, address, is_too_many);
}

static void on_line(void *arg, struct session *session, char *raw, size_t len,
                    int64_t now_ms)
{
    struct server *server = arg;

    (void)len;
    lobby_heard(server->world.lobby, session);
    command_run(&server->world, session, raw, now_ms);
}

static void on_drain(void *arg, struct session *session)
{
    struct server *server = arg;

    feed_drained(session);
    lobby_tell_open(server->world.lobby, session);
}

static void on_login(void *arg, struct session *session)
{
    struct server *server = arg;

    drain_greet(server->drain, session);
}

static void on_leave(void *arg, struct session *session)
{
    struct server *server = arg;

    lobby_leave(server->world.lobby, session);
}

static void on_gone(void *arg, struct session *session)
{
    struct server *server = arg;

    lobby_leave(server->world.lobby, session);
    listener_release(server->listener, session->address);
}

static const struct session_calls session_calls = {.on_line = on_line,
                                                   .on_login = on_login,
                                                   .on_leave = on_leave,
                                                   .on_drain = on_drain,
                                                   .on_gone = on_gone};

static void on_begun(void *arg, struct room *room)
{
    struct server *server = arg;

    lobby_game_begun(server->world.lobby, room);
}

static void on_over(void *arg, struct room *room)
{
    struct server *server = arg;

    lobby_game_over(server->world.lobby, room);
}

static void on_retry(void *arg, struct session *session, char *raw, int64_t now_ms)
{
    struct server *server = arg;

    command_run(&server->world, session, raw, now_ms);
}

static const struct room_calls room_calls = {
    .on_begun = on_begun, .on_over = on_over, .on_retry = on_retry};

static void on_trouble(void *arg, enum store_trouble trouble)
{
    static const char *const news[] = {
        [STORE_OK_AGAIN] = "! notice why=storage-back : the disk has room again, or "
                           "answers again; play goes on",
        [STORE_FULL] = "! notice why=storage-full : the server's disk is full; clocks "
                       "stand still until there is room",
        [STORE_SLOW] = "! notice why=storage-slow : the server's disk takes long; what "
                       "waits for it is charged to nobody",
    };
    static const char *const words[] = {
        [STORE_OK_AGAIN] = "good", [STORE_FULL] = "full", [STORE_SLOW] = "slow"};
    struct server *server = arg;

    if (trouble == STORE_FULL)
        rooms_hold(server->world.rooms, mono_now_ms());
    else if (trouble == STORE_OK_AGAIN)
        rooms_release(server->world.rooms, mono_now_ms());
    if (server->host != NULL)
        host_set_disk(server->host, words[trouble]);
    for (struct session *s = sessions_first(server->world.sessions); s != NULL;
         s = sessions_next(s))
        if (s->state == SESSION_MEMBER || s->state == SESSION_GUEST)
            session_sayf(s, "%s", news[trouble]);
}

/* --- Signals --- */

static void reload(struct server *server)
{
    if (identity_reload(&server->identity))
        server->world.tls = server->identity.tls;
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct server *server = arg;

    (void)what;
    log_info("signal=%d", (int)number);
    if (number == SIGHUP)
        reload(server);
    else if (number == SIGUSR1)
        drain_for_games(server->drain);
    else
        drain_now(server->drain);
}

static void watch_signals(struct server *server)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        server->on_signal[i] =
            evsignal_new(server->base, numbers[i], on_signal, server);
        if (server->on_signal[i] == NULL || event_add(server->on_signal[i], NULL) != 0)
            die("server no signal handler");
    }
}

/* --- Starting --- */

/* No core file, which would contain keys, and as many descriptors as the system
 * allows. */
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
        mkdir(copy, 0700); /* existing parents are fine; the last directory decides */
        *slash = '/';
    }
    if (mkdir(copy, 0700) == 0 || errno == EEXIST)
        return true;
    log_warn("data directory=%s why=\"%s\"", path, strerror(errno));
    return false;
}

static void on_stored_event(void *arg, const struct store_event *event)
{
    struct server *server = arg;

    if (!room_restore(server->world.rooms, event))
        log_debug("game=%lld event=%d dropped", (long long)event->game, event->number);
}

static void make_greeting(struct server *server)
{
    struct text text = text_into(server->greeting, sizeof server->greeting);

    text_addf(&text, "* janggi/1 server=\"%s\" rules=", server->config->name);
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        text_addf(&text, "%s%s", i == 0 ? "" : ",", ruleset_name(ruleset_at(i)));
    text_add(&text, " : welcome; type help");
}

static void open_rooms(struct server *server)
{
    const struct config *config = server->config;
    struct session_settings session = {.greeting = server->greeting,
                                       .login_ms = (int64_t)config->login_s * 1000,
                                       .lines_per_s = config->lines_per_s,
                                       .lines_burst = config->lines_burst,
                                       .chat_per_min = config->chat_per_min,
                                       .chat_burst = config->chat_burst};
    struct room_settings room = {.setup_ms = (int64_t)config->setup_s * 1000,
                                 .grace_ms = (int64_t)config->grace_s * 1000,
                                 .keep_ms = (int64_t)config->keep_s * 1000,
                                 .absence_ms = (int64_t)config->absence_s * 1000,
                                 .adjourned_ms =
                                     (int64_t)config->adjourned_days * DAY_MS};

    make_greeting(server);
    server->world.sessions =
        sessions_new(server->base, &session, &session_calls, server);
    server->world.rooms = rooms_new(server->base, server->world.store,
                                    server->world.sessions, &room, &room_calls, server);
}

/* Reads everything from disk. Logs why not. */
static bool open_data(struct server *server)
{
    const struct config *config = server->config;
    struct lobby_limits limits = {.seeks_max = config->seeks_max,
                                  .challenges_max = config->challenges_max,
                                  .invites_max = config->challenges_max,
                                  .games_max = config->games_max};
    struct world *world = &server->world;

    world->config = config;
    world->store = store_open(server->base, config->data);
    if (world->store == NULL)
        return false;
    store_on_trouble(world->store, on_trouble, server);
    open_rooms(server);
    world->accounts = accounts_open(world->store, config->names_max);
    if (world->accounts == NULL ||
        !store_load_running(world->store, on_stored_event, server))
        return false;
    world->lobby = lobby_new(world->store, world->sessions, world->accounts,
                             world->rooms, &limits);
    if (world->lobby == NULL)
        return false;
    store_keep_reserve(world->store, (int64_t)config->reserve_mb << 20);
    log_info("start games=%d", lobby_restore_games(world->lobby));
    return true;
}

static bool open_door(struct server *server)
{
    const struct config *config = server->config;
    struct listener_settings settings = {.connections_max = config->connections_max,
                                         .per_address_max = config->per_address_max,
                                         .accepts_per_s = config->accepts_per_s};

    server->listener =
        listener_open(server->base, config->listen, &settings, on_accept, server);
    server->world.listener = server->listener;
    return server->listener != NULL;
}

/* The code of the host's invitation: the last one while it can be used, otherwise a new
 * one. */
static const char *standing_code(struct server *server)
{
    struct terms terms = terms_default();
    struct invite *invite;

    if (!server->config->wants_invite)
        return NULL;
    invite = lobby_standing_invite(server->world.lobby);
    if (invite == NULL && time_terms_parse(server->config->invite_time, &terms.time))
        invite = lobby_invite(server->world.lobby, "", &terms, NULL, NULL);
    return invite != NULL ? invite->code : NULL;
}

static struct event_base *make_base(void)
{
    struct event_config *settings = event_config_new();
    struct event_base *base;

    if (settings == NULL ||
        event_config_set_flag(settings, EVENT_BASE_FLAG_PRECISE_TIMER) != 0)
        die("server no event loop");
    base = event_base_new_with_config(settings);
    event_config_free(settings);
    if (base == NULL)
        die("server no event loop");
    return base;
}

static void open_hosts_door(struct server *server)
{
    struct host_parts parts = {.base = server->base,
                               .config = server->config,
                               .world = &server->world,
                               .listener = server->listener,
                               .key = &server->identity.digest};

    server->drain = drain_new(server->base, &server->world, server->listener);
    parts.drain = server->drain;
    server->host = host_open(&parts);
}

static bool open_identity(struct server *server)
{
    if (!tls_begin() || !identity_open(&server->identity, server->config))
        return false;
    server->world.tls = server->identity.tls;
    return true;
}

static int start(struct server *server)
{
    if (!make_directory(server->config->data) || !open_identity(server))
        return EXIT_KEY;
    if (!open_data(server))
        return EXIT_DATABASE;
    if (!open_door(server))
        return EXIT_SOCKET;
    open_hosts_door(server);
    watch_signals(server);
    announce(server->config, server->listener, &server->identity.digest,
             standing_code(server), server->identity.is_new);
    log_info("start version=%s libevent=%s openssl=\"%s\"", JANGGI_VERSION,
             event_get_version(), OpenSSL_version(OPENSSL_VERSION));
    return 0;
}

/* Also takes a half-started server. Removes the control socket while the database is
 * still locked: afterwards another server may have made its own. */
static void stop(struct server *server)
{
    struct world *world = &server->world;

    host_close(server->host);
    store_close(world->store);
    if (world->rooms != NULL)
        rooms_free(world->rooms);
    lobby_free(world->lobby);
    accounts_close(world->accounts);
    if (world->sessions != NULL && sessions_count(world->sessions) == 0)
        sessions_free(world->sessions);
    listener_free(server->listener);
    identity_close(&server->identity);
    for (size_t i = 0; i < ARRAY_LEN(server->on_signal); i++)
        if (server->on_signal[i] != NULL)
            event_free(server->on_signal[i]);
    drain_free(server->drain);
    host_free(server->host);
    event_base_free(server->base);
}

int server_run(const struct config *config)
{
    struct server server = {.config = config};
    int status;

    set_up_process(config);
    server.base = make_base();
    status = start(&server);
    if (status == 0) {
        event_base_dispatch(server.base);
        log_info("stopped");
    }
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
