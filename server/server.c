/* See server.h. */
#include "server/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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
#include "server/account/pass.h"
#include "server/admin/drain.h"
#include "server/admin/host.h"
#include "server/admin/node.h"
#include "server/admin/transfer.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/base/deadline.h"
#include "server/base/guard.h"
#include "server/base/prefix.h"
#include "server/base/sandbox.h"
#include "server/command/entry.h"
#include "server/command/shared.h"
#include "server/evening/evening_run.h"
#include "server/evening/evenings.h"
#include "server/helper/notifier.h"
#include "server/helper/pairing_program.h"
#include "server/lobby/contacts.h"
#include "server/lobby/door.h"
#include "server/lobby/lobby.h"
#include "server/lobby/tv.h"
#include "server/net/announce.h"
#include "server/net/branch.h"
#include "server/net/identity.h"
#include "server/net/link.h"
#include "server/net/listener.h"
#include "server/net/portmap.h"
#include "server/net/relay.h"
#include "server/net/session.h"
#include "server/rating/ratings.h"
#include "server/room/feed.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"
#include "server/web/pages.h"
#include "server/web/web.h"
#include "server/web/web_listener.h"
#include "server/web/web_request.h"

enum {
    EXIT_SOCKET = 71,
    EXIT_KEY = 72,
    EXIT_DATABASE = 73,
    EXIT_TEMPFAIL = 75,
    EXIT_UNSAFE = 77,
    EXIT_CONFIG = 78,
    HOUR_MS = 3600 * 1000,
    DAY_MS = 86400 * 1000
};

struct server {
    struct config *config;
    struct event_base *base;
    struct event *on_signal[4]; /* INT, TERM, HUP, USR1 */
    char greeting[512];
    struct event *save_timer;
    struct identity identity;
    struct listener *listener;
    struct portmap *portmap; /* NULL: no router is asked */
    struct web *web;         /* NULL: no browsers */
    struct web_listener *web_listener;
    struct drain *drain;
    struct host *host;
    struct notifier *notifier;       /* NULL: none */
    struct node *node;               /* NULL: this server is not one of several nodes;
                                      * the same for the next two */
    struct links *links;             /* of doors, while this node is the house */
    struct relay *relay;             /* to the house, while it is a door */
    struct pairing_program *pairing; /* of the host; NULL: none */
    struct deadlines *deadlines;
    struct world world;
    bool is_store_away; /* why the start failed: it may succeed later */
};

enum { LISTS_MAX_AGE_MS = 1000, SAVE_EVERY_S = 600 };

/* --- Callbacks handed down --- */

static void on_accept(void *arg, evutil_socket_t fd, struct pass *pass)
{
    struct server *server = arg;

    session_open(server->world.sessions, server->world.tls, fd, pass);
}

static void on_line(void *arg, struct session *session, char *raw, size_t len,
                    int64_t now_ms)
{
    struct server *server = arg;

    (void)len;
    lobby_heard(server->world.lobby, session);
    verbs_run(&server->world, session, raw, now_ms);
}

static void on_request(void *arg, struct session *session, const char *line,
                       enum wire_why why, int64_t now_ms)
{
    struct server *server = arg;

    web_take_line(server->web, session, line, why, now_ms);
}

/* False: there is no link to the house. */
static bool is_asked_at_house(struct server *server, struct session *session)
{
    char line[WEB_LINE_BYTES];

    if (session->is_page)
        return false;
    web_request_format(line, session->request);
    return relay_ask(server->relay, session, line);
}

static void on_page(void *arg, struct session *session, char *path, int64_t now_ms)
{
    struct server *server = arg;

    if (node_is_house(server->node))
        pages_run(&server->world, session, path, now_ms);
    else if (!is_asked_at_house(server, session))
        web_send_unanswered(session, false, now_ms);
}

static void on_unanswered(void *arg, struct session *session, bool is_refused)
{
    (void)arg;
    web_send_unanswered(session, is_refused, mono_now_ms());
}

/* A peer that shows our own key is another node. */
static bool on_peer(void *arg, struct wire *wire)
{
    struct server *server = arg;
    const struct tls_key *key = wire_peer_key(wire);

    if (server->links == NULL || !node_is_house(server->node) ||
        memcmp(key->digest, server->identity.digest.digest, sizeof key->digest) != 0)
        return false;
    links_take(server->links, wire);
    return true;
}

static bool on_visit(void *arg, struct session *session)
{
    struct server *server = arg;

    return server->relay != NULL && relay_take(server->relay, session);
}

static void on_relayed_line(void *arg, struct session *session, char *line, size_t len,
                            enum wire_why why)
{
    struct server *server = arg;

    (void)len;
    relay_take_line(server->relay, session, line, why);
}

/* A client of a door has reached the house. */
static bool on_branch(void *arg, struct branches *branches,
                      const struct branch_client *client, int64_t now_ms)
{
    struct server *server = arg;
    struct admission *admission = server->world.admission;
    struct pass *pass;

    if (client->is_page && server->web == NULL)
        return false;
    pass = client->is_back ? admission_return(admission, &client->from, now_ms)
                           : admission_enter(admission, &client->from, now_ms);
    if (pass == NULL)
        return false;
    if (session_open_branch(server->world.sessions, branches, client, pass))
        return true;
    admission_leave(admission, pass);
    return false;
}

/* A client of a door reads too slowly for the mirror that it shares. */
static void on_late(void *arg, void *owner, int64_t game, int event)
{
    struct server *server = arg;
    struct session *session = owner;
    struct room *room = NULL;
    struct cursor *cursor = NULL;

    if (session->state < SESSION_RELAYED && server->world.rooms != NULL)
        room = room_find(server->world.rooms, game);
    if (room != NULL)
        cursor = feed_find(&room->feed, session);
    if (cursor != NULL && cursor->role == CURSOR_WATCHER)
        feed_rewind(cursor, event);
}

/* A door reports how a caller has used it. */
static void on_use_of_door(void *arg, const struct prefix *from, const char *use,
                           int64_t now_ms)
{
    struct server *server = arg;

    admission_note_use(server->world.admission, from, use, now_ms);
}

static void tell_link_ban(void *arg, const struct prefix *network, int64_t for_ms)
{
    link_refuse(arg, LINK_BAN, network, for_ms);
}

static void tell_link_deny(void *arg, const struct prefix *network, int64_t for_ms)
{
    link_refuse(arg, LINK_DENY, network, for_ms);
}

static void on_link(void *arg, struct link *link, int64_t now_ms)
{
    static const struct admission_calls calls = {.on_ban = tell_link_ban,
                                                 .on_deny = tell_link_deny};
    struct server *server = arg;

    admission_each_refused(server->world.admission, now_ms, &calls, link);
}

static const struct link_calls link_calls = {.on_begin = on_link,
                                             .on_open = on_branch,
                                             .on_late = on_late,
                                             .on_use = on_use_of_door};

/* The house tells its doors whom it refuses. */
static void tell_doors_ban(void *arg, const struct prefix *network, int64_t for_ms)
{
    struct server *server = arg;

    if (node_is_house(server->node))
        links_refuse(server->links, LINK_BAN, network, for_ms);
}

static void tell_doors_deny(void *arg, const struct prefix *network, int64_t for_ms)
{
    struct server *server = arg;

    if (node_is_house(server->node))
        links_refuse(server->links, LINK_DENY, network, for_ms);
}

/* A door tells the house what happens here. */
static void tell_house(void *arg, const struct prefix *from, const char *use)
{
    struct server *server = arg;

    if (!node_is_house(server->node))
        relay_note_use(server->relay, from, use);
}

static const struct admission_calls admission_calls = {
    .on_ban = tell_doors_ban, .on_deny = tell_doors_deny, .on_use = tell_house};

/* Sessions that are closing outlive the lobby of a house that has become a door. */
static void on_drain(void *arg, struct session *session)
{
    struct server *server = arg;

    if (session->relayed != NULL)
        relay_drained(session);
    if (session->relayed != NULL || session->state >= SESSION_RELAYED)
        return;
    feed_drained(session);
    lobby_tell_open(server->world.lobby, session);
}

static void on_login(void *arg, struct session *session)
{
    struct server *server = arg;
    const char *motd = house_setting(server->world.house, "motd");

    if (motd != NULL && motd[0] != '\0')
        session_sayf(session, "! notice why=motd : %s", motd);
    drain_greet(server->drain, session);
    evening_run_greet(server->world.evening_run, session);
}

static void on_leave(void *arg, struct session *session)
{
    struct server *server = arg;

    relay_forget(session);
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
    admission_leave(server->world.admission, session->pass);
}

static bool is_playing(void *arg, const struct session *session)
{
    (void)arg;
    return session->account != NULL && session->account->games > 0;
}

static const struct session_calls session_calls = {.on_peer = on_peer,
                                                   .on_visit = on_visit,
                                                   .on_relayed_line = on_relayed_line,
                                                   .on_line = on_line,
                                                   .on_request = on_request,
                                                   .is_playing = is_playing,
                                                   .on_login = on_login,
                                                   .on_leave = on_leave,
                                                   .on_drain = on_drain,
                                                   .on_gone = on_gone};

static void on_begun(void *arg, struct room *room)
{
    struct server *server = arg;

    lobby_game_begun(server->world.lobby, room);
    cmd_people_begin(&server->world, room);
}

static void on_ending(void *arg, struct room *room)
{
    struct server *server = arg;

    lobby_game_ending(server->world.lobby, room);
    evening_run_game_ending(server->world.evening_run, room);
}

static void on_over(void *arg, struct room *room)
{
    struct server *server = arg;

    lobby_game_over(server->world.lobby, room);
    tv_note_over(server->world.tv, room);
    evening_run_game_over(server->world.evening_run, room);
}

static void on_retry(void *arg, struct session *session, char *raw, int64_t now_ms)
{
    struct server *server = arg;

    if (session->state == SESSION_REQUEST)
        pages_run(&server->world, session, raw, now_ms);
    else
        verbs_run(&server->world, session, raw, now_ms);
}

static const struct room_calls room_calls = {.on_begun = on_begun,
                                             .on_ending = on_ending,
                                             .on_over = on_over,
                                             .on_retry = on_retry};

static void on_trouble(void *arg, enum store_trouble trouble)
{
    static const char *const news[] = {
        [STORE_OK_AGAIN] =
            "! notice why=storage-back : moves can be stored again; play "
            "goes on",
        [STORE_FULL] = "! notice why=storage-full : the server's disk is full; moves "
                       "wait, and clocks stop, until there is room",
        [STORE_SLOW] = "! notice why=storage-slow : the server's disk is slow; a move "
                       "may take a while, and clocks stop meanwhile",
        [STORE_AWAY] = "! notice why=storage-away : the server's database cannot be "
                       "reached; moves wait, and clocks stop, until it answers",
    };
    static const char *const words[] = {[STORE_OK_AGAIN] = "good",
                                        [STORE_FULL] = "full",
                                        [STORE_SLOW] = "slow",
                                        [STORE_AWAY] = "away"};
    struct server *server = arg;

    if (trouble == STORE_LOST) {
        rooms_hold(server->world.rooms, mono_now_ms());
        node_lose(server->node);
        return;
    }
    if (trouble == STORE_FULL || trouble == STORE_AWAY)
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

/* --- Starting --- */

/* Allows no core file, which would contain keys, and as many descriptors as the system
 * does. */
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

    if (room_restore(server->world.rooms, event))
        return;
    if (event->number == 0)
        room_note_unreadable(server->world.rooms, event->game);
    else
        log_debug("game=%lld event=%d dropped", (long long)event->game, event->number);
}

/* The name that its staff gave the server has priority over the option. */
static void make_greeting(struct server *server)
{
    struct text text = text_into(server->greeting, sizeof server->greeting);
    const char *name = house_setting(server->world.house, "name");

    text_addf(&text, "* janggi/1 server=\"%s\" rules=",
              name != NULL ? name : server->config->name);
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        text_addf(&text, "%s%s", i == 0 ? "" : ",", ruleset_name(ruleset_at(i)));
    text_add(&text, " : welcome; type help");
}

/* Writes the path of the file of known sources. False: its path is too long. */
static bool regulars_path(const struct server *server, char path[CONFIG_TEXT_BYTES])
{
    struct text text = text_into(path, CONFIG_TEXT_BYTES);

    text_addf(&text, "%s/regulars", server->config->data);
    return !text.is_cut;
}

static void save_regulars(const struct server *server)
{
    char path[CONFIG_TEXT_BYTES];

    if (regulars_path(server, path))
        admission_save(server->world.admission, path, mono_now_ms(), mono_wall_s());
}

static void on_save(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    save_regulars(arg);
}

static void save_regulars_now_and_then(struct server *server)
{
    static const struct timeval every = {.tv_sec = SAVE_EVERY_S};

    server->save_timer = event_new(server->base, -1, EV_PERSIST, on_save, server);
    if (server->save_timer == NULL || event_add(server->save_timer, &every) != 0)
        log_die("server no timer");
}

static void on_named(void *arg)
{
    make_greeting(arg);
}

/* --- Settings --- */

static struct admission_settings admission_settings(const struct config *config)
{
    struct admission_settings settings = {.has_quotas = config->has_quotas,
                                          .connections = config->connections_max,
                                          .handshakes_per_s = config->accepts_per_s,
                                          .connects_per_s = config->connects_per_s,
                                          .connects_burst = config->connects_burst,
                                          .open = config->per_address_max,
                                          .unnamed = config->unnamed_max,
                                          .work_per_s = config->work_per_s,
                                          .work_burst = config->work_burst};

    settings.trusted_count =
        prefix_parse_list(config->trusted, settings.trusted, PREFIX_LIST_MAX);
    return settings;
}

static void open_admission(struct server *server)
{
    const struct config *config = server->config;
    struct admission_settings settings = admission_settings(config);
    char path[CONFIG_TEXT_BYTES];

    server->world.admission = admission_new(&settings);
    server->world.lists = shared_lists_new(config->has_quotas ? LISTS_MAX_AGE_MS : 0);
    if (regulars_path(server, path))
        admission_load(server->world.admission, path, mono_now_ms(), mono_wall_s());
    save_regulars_now_and_then(server);
}

static struct session_settings session_settings(const struct server *server)
{
    const struct config *config = server->config;

    return (struct session_settings){
        .greeting = server->greeting,
        .farewell = node_is_house(server->node) ? NULL : node_farewell(server->node),
        .admission = server->world.admission,
        .login_ms = (int64_t)config->login_s * 1000,
        .guest_idle_ms =
            (config->has_quotas ? config->guest_idle_s : 0) * INT64_C(1000),
        .slow_reader_ms = (int64_t)config->slow_reader_s * 1000,
        .lines_per_s = config->lines_per_s,
        .lines_burst = config->lines_burst,
        .chat_per_min = config->chat_per_min,
        .chat_burst = config->chat_burst};
}

static void open_rooms(struct server *server)
{
    const struct config *config = server->config;
    struct room_settings room = {
        .setup_ms = (int64_t)config->setup_s * 1000,
        .grace_ms = (int64_t)config->grace_s * 1000,
        .keep_ms = (int64_t)config->keep_s * 1000,
        .absence_ms = (int64_t)config->absence_s * 1000,
        .aborted_keep_ms = config->has_quotas ? 0 : (int64_t)config->keep_s * 1000,
        .unmoved_ms = config->has_quotas ? (int64_t)config->unmoved_hours * HOUR_MS : 0,
        .ended_bytes = (int64_t)config->ended_mb << 20,
        .lag_ms = config->lag_max_ms,
        .adjourned_ms = (int64_t)config->adjourned_days * DAY_MS};

    server->world.rooms =
        rooms_new(server->base, server->world.store, server->world.sessions,
                  server->world.accounts, &room, &room_calls, server);
}

static void open_sessions(struct server *server)
{
    struct session_settings settings = session_settings(server);

    server->world.sessions =
        sessions_new(server->base, &settings, &session_calls, server);
}

/* Before schema 5 had acts for it, `janggid ctl access` wrote marks. */
static void on_access_mark(void *arg, const struct store_mark *mark)
{
    struct server *server = arg;

    if (mark->owner[0] == '\0' && strcmp(mark->kind, "access") == 0 &&
        !access_set(&server->world.access, mark->subject, mark->value))
        log_warn("setting=%s value=%s why=unknown", mark->subject, mark->value);
}

/* The setting of the verb access is in force until an option says something else. A new
 * server needs invitations; a server with names from an older janggid stays open. */
static bool set_access(struct server *server)
{
    const struct config *config = server->config;
    const char *const words[][2] = {{"access", config->access},
                                    {"guests", config->guests},
                                    {"watching", config->watching}};
    struct access *access = &server->world.access;
    bool is_older = accounts_has_older(server->world.accounts);
    char text[ACCESS_BYTES];

    *access = (struct access){.door = is_older ? ACCESS_OPEN : ACCESS_INVITED,
                              .guests = GUESTS_WATCH};
    if (!store_load_marks(server->world.store, on_access_mark, server))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        const char *word = house_setting(server->world.house, words[i][0]);

        if (word != NULL && !access_set(access, words[i][0], word))
            log_warn("setting=%s value=%s why=unknown", words[i][0], word);
    }
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (words[i][1][0] != '\0' && !access_set(access, words[i][0], words[i][1]))
            log_die("server setting=%s", words[i][0]); /* checked by config.c */
    access_format(text, access);
    log_info("start %s : %s", text, access_door_words(access->door));
    return true;
}

static struct network_limits network_limits(const struct config *config)
{
    struct network_limits limits = {.names_per_hour = config->names_per_hour,
                                    .names_per_day = config->names_per_day,
                                    .names_per_site = config->names_per_site,
                                    .reports_per_day = config->reports_per_day};

    limits.trusted_count =
        prefix_parse_list(config->trusted, limits.trusted, PREFIX_LIST_MAX);
    return limits;
}

/* The default limit of the database: its present size plus half of the free space. */
static int64_t storage_max(const struct server *server)
{
    const struct config *config = server->config;
    int64_t used = store_counts(server->world.store).bytes;
    struct statvfs disk;

    if (config_bytes(config->db_max) > 0)
        return config_bytes(config->db_max);
    if (config->store[0] != '\0')
        return 0; /* the disk of another machine */
    if (statvfs(config->data, &disk) != 0)
        return 0;
    return used + (int64_t)disk.f_bavail * (int64_t)disk.f_frsize / 2;
}

static struct lobby_limits lobby_limits(const struct config *config)
{
    struct lobby_limits limits = {.seeks_max = config->seeks_max,
                                  .challenges_max = config->challenges_max,
                                  .invites_max = config->invites_max,
                                  .seats_max = config->games_each,
                                  .games_max = config->games_max,
                                  .may_be_near = config->rates_same_address};

    if (config->has_quotas) {
        limits.games_per_min = config->games_per_min;
        limits.network_seeks_max = config->network_seeks;
        limits.network_invites_max = config->network_invites;
        limits.network_seats_max = config->network_seats;
    }
    return limits;
}

static struct lobby *open_lobby(struct server *server)
{
    const struct config *config = server->config;
    const struct world *world = &server->world;
    struct lobby_parts parts = {.store = world->store,
                                .sessions = world->sessions,
                                .accounts = world->accounts,
                                .rooms = world->rooms,
                                .ratings = world->ratings,
                                .deadlines = server->deadlines};
    struct lobby_limits limits = lobby_limits(config);

    if (config->has_quotas)
        limits.bytes_max = storage_max(server);
    return lobby_new(&parts, &limits);
}

static bool open_house(struct world *world)
{
    world->house = house_open(world->store, world->accounts);
    world->passes = passes_open(world->store);
    world->doors = doors_open(world->store, world->accounts);
    return world->house != NULL && world->passes != NULL && world->doors != NULL;
}

/* Passes the valid bans of networks to admission, which keeps them only in memory. */
static void on_ban(void *arg, const struct house_hold *hold)
{
    struct server *server = arg;
    int64_t left_s = hold->until_wall_s - mono_wall_s(), now_ms = mono_now_ms();
    struct prefix network;

    if (strncmp(hold->act->target, "addr:", 5) == 0 &&
        prefix_parse(hold->act->target + 5, &network))
        admission_ban(server->world.admission, &network,
                      hold->until_wall_s == INT64_MAX ? INT64_MAX
                                                      : now_ms + left_s * 1000,
                      now_ms);
}

static struct accounts_settings accounts_settings(const struct config *config)
{
    struct accounts_settings names = {.names_max = config->names_max,
                                      .name_days = config->name_days};

    if (config->has_quotas) {
        names.network = network_limits(config);
        names.reports_per_hour = config->reports_per_hour;
    }
    return names;
}

/* --- Reload and signals --- */

/* A setting that is no longer in the file keeps its value. */
static void apply_access(struct server *server, const char *setting, const char *word)
{
    if (word[0] != '\0' && !access_set(&server->world.access, setting, word))
        log_die("server setting=%s", setting); /* checked by config.c */
}

/* Passes the settings to the modules that keep copies of them; the others read
 * *config. */
static void apply(struct server *server)
{
    const struct config *config = server->config;
    struct admission_settings admission = admission_settings(config);
    struct session_settings session = session_settings(server);
    struct accounts_settings names = accounts_settings(config);
    struct lobby_limits limits = lobby_limits(config);

    admission_change(server->world.admission, &admission);
    sessions_change(server->world.sessions, &session);
    log_set_level(config->is_verbose ? LOG_DEBUG : LOG_INFO);
    if (!node_is_house(server->node))
        return;
    accounts_change(server->world.accounts, &names);
    lobby_change_limits(server->world.lobby, &limits);
    make_greeting(server);
    entry_close_guests(&server->world);
}

/* Reports each option that differs to the log, and to the caller's function if there is
 * one. */
struct reload {
    struct server *server;
    world_change_fn *see; /* may be NULL */
    void *see_arg;
};

static void on_change(void *arg, const char *name, bool is_taken)
{
    const struct reload *reload = arg;
    const struct config *config = reload->server->config;

    log_info("reload option=%s state=%s", name, is_taken ? "changed" : "restart");
    if (strcmp(name, "access") == 0)
        apply_access(reload->server, name, config->access);
    else if (strcmp(name, "guests") == 0)
        apply_access(reload->server, name, config->guests);
    else if (strcmp(name, "watching") == 0)
        apply_access(reload->server, name, config->watching);
    if (reload->see != NULL)
        reload->see(reload->see_arg, name, is_taken);
}

static void log_errors(const char *errors)
{
    for (const char *end; (end = strchr(errors, '\n')) != NULL; errors = end + 1)
        log_warn("reload why=\"%.*s\"", (int)(end - errors), errors);
}

static void reload_identity(struct server *server)
{
    if (!identity_reload(&server->identity))
        return;
    server->world.tls = server->identity.tls;
    if (server->web != NULL)
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
    reload_identity(server);
    is_good = config_read_again(server->config, &next, out);
    if (fclose(out) != 0)
        log_die("server no memory for errors");
    if (!is_good) {
        log_errors(errors);
        return errors;
    }
    free(errors);
    config_take(server->config, &next, on_change, &reload);
    apply(server);
    return NULL;
}

/* A page stores a name for its own address only, so it cannot follow to another
 * address: it connects to the same address again, and is relayed. */
static void send_browsers_back(struct server *server)
{
    struct session *next;

    for (struct session *s = sessions_first(server->world.sessions); s != NULL;
         s = next) {
        next = sessions_next(s);
        if (s->is_web && s->state > SESSION_REQUEST && s->state != SESSION_LEAVING)
            session_close(s, "restart", "connect again; the games go on");
    }
}

/* A node that is the house gives the log to another one, when everything is stored; a door
 * sends its clients to the house. */
static bool on_shutdown(void *arg, const char **why)
{
    struct server *server = arg;

    if (server->node == NULL)
        return true;
    if (!node_is_house(server->node)) {
        if (node_place(server->node)[0] != '\0')
            *why = node_farewell(server->node);
        relay_dismiss(server->relay, *why);
        return true;
    }
    if (!store_is_idle(server->world.store) || !node_hand_over(server->node, why))
        return false;
    send_browsers_back(server);
    return true;
}

static const struct world_calls world_calls = {
    .on_named = on_named, .on_reload = on_reload, .on_shutdown = on_shutdown};

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct server *server = arg;

    (void)what;
    log_info("signal=%d", (int)number);
    if (number == SIGHUP)
        free(on_reload(server, NULL, NULL));
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
            log_die("server no signal handler");
    }
}

/* NULL after logging why. A database server that cannot be used now may be usable soon:
 * it is restarting, or has not noticed yet that our predecessor is gone. */
static struct store *open_store(struct server *server)
{
    const struct config *config = server->config;
    const struct store_place place = transfer_place(config);
    struct store *store;

    if (config->store[0] == '\0')
        return store_open(server->base, config->data);
    store = store_open_at(server->base, &place);
    server->is_store_away = store == NULL && (errno == EAGAIN || errno == EBUSY);
    return store;
}

/* Returns false after logging which evening is damaged. */
static bool open_evenings(struct server *server)
{
    struct world *world = &server->world;
    struct evening_run_parts parts = {.store = world->store,
                                      .sessions = world->sessions,
                                      .accounts = world->accounts,
                                      .rooms = world->rooms,
                                      .lobby = world->lobby,
                                      .ratings = world->ratings,
                                      .deadlines = server->deadlines,
                                      .pairing = server->pairing,
                                      .pairing_s = &server->config->pairing_s};

    world->evenings = evenings_open(world->store);
    if (world->evenings == NULL)
        return false;
    parts.evenings = world->evenings;
    world->evening_run = evening_run_new(&parts);
    return true;
}

static void on_stored_rating(void *arg, const struct store_rating *row)
{
    struct server *server = arg;
    const char *wrong = ratings_take(server->world.ratings, row);

    if (wrong != NULL)
        log_warn("rating=%lld game=%lld why=\"%s\"", (long long)row->seq,
                 (long long)row->game, wrong);
}

static void open_contacts(struct server *server)
{
    struct world *world = &server->world;

    world->contacts =
        contacts_new(&(struct contacts_parts){.store = world->store,
                                              .accounts = world->accounts,
                                              .rooms = world->rooms,
                                              .deadlines = server->deadlines,
                                              .notifier = server->notifier});
}

/* Reads accounts, ratings, games and invitations from the log. */
static bool load_data(struct server *server)
{
    const struct config *config = server->config;
    struct accounts_settings names = accounts_settings(config);
    struct world *world = &server->world;

    server->deadlines = deadlines_new(server->base);
    world->accounts = accounts_open(world->store, server->deadlines, &names);
    if (world->accounts == NULL)
        return false;
    world->ratings = ratings_new();
    if (!store_load_ratings(world->store, on_stored_rating, server) ||
        !open_house(world) || !set_access(server))
        return false;
    house_each_ban(world->house, mono_wall_s(), on_ban, server);
    make_greeting(server);
    open_rooms(server);
    if (!store_load_running(world->store, on_stored_event, server))
        return false;
    world->lobby = open_lobby(server);
    if (world->lobby == NULL)
        return false;
    world->tv = tv_new(server->deadlines, world->rooms, world->ratings, &world->access);
    open_contacts(server);
    if (!open_evenings(server))
        return false;
    privacy_init(world->accounts);
    if (config->has_quotas)
        store_keep_aborted(world->store, (int64_t)config->aborted_hours * 3600);
    store_keep_reserve(world->store, (int64_t)config->reserve_mb << 20);
    log_info("start games=%d", lobby_restore_games(world->lobby));
    evening_run_restore(world->evening_run);
    return true;
}

/* Opens the log and reads it. Returns false after logging why it cannot. */
static bool open_data(struct server *server)
{
    struct store *store = open_store(server);

    server->world.store = store;
    if (store == NULL)
        return false;
    store_on_trouble(store, on_trouble, server);
    if (load_data(server))
        return true;
    server->is_store_away = store_is_away(store);
    return false;
}

/* Also takes what open_data() left half-open. */
static void close_data(struct server *server, void (*close_store)(struct store *store))
{
    struct world *world = &server->world;

    close_store(world->store);
    contacts_free(world->contacts);
    tv_free(world->tv);
    rooms_free(world->rooms);
    evening_run_free(world->evening_run);
    evenings_close(world->evenings);
    lobby_free(world->lobby);
    ratings_free(world->ratings);
    doors_close(world->doors);
    passes_close(world->passes);
    house_close(world->house);
    accounts_close(world->accounts);
    deadlines_free(server->deadlines);
    server->deadlines = NULL;
    world->store = NULL;
    world->evening_run = NULL;
    world->ratings = NULL;
    world->evenings = NULL;
    world->rooms = NULL;
    world->lobby = NULL;
    world->tv = NULL;
    world->contacts = NULL;
    world->doors = NULL;
    world->passes = NULL;
    world->house = NULL;
    world->accounts = NULL;
}

/* --- Of several nodes, the house and the doors --- */

static void change_sessions(struct server *server)
{
    struct session_settings settings = session_settings(server);

    sessions_change(server->world.sessions, &settings);
}

/* Clients that came while this node was a door stay relayed: to the node itself. */
static void relay_to_self(struct server *server)
{
    char own[LISTENER_NAME_BYTES], place[LISTENER_NAME_BYTES + 16];
    bool is_v6;

    listener_name(server->listener, own);
    is_v6 = own[0] == '[';
    if (strncmp(own, "[::]:", 5) == 0 || strncmp(own, "0.0.0.0:", 8) == 0)
        snprintf(place, sizeof place, "%s:%d", is_v6 ? "[::1]" : "127.0.0.1",
                 listener_port(server->listener));
    else
        snprintf(place, sizeof place, "%s", own);
    relay_set_own(server->relay, place);
}

/* Reading the log blocks the loop; callers wait in the system's queue. */
static bool on_house(void *arg)
{
    struct server *server = arg;

    admission_forget_refused(server->world.admission); /* the log has the bans */
    if (!open_data(server)) {
        close_data(server, store_abandon);
        return false;
    }
    change_sessions(server);
    host_set_disk(server->host, "good");
    relay_to_self(server);
    return true;
}

/* Closes the sessions without an answer to what waits for the log, because we cannot
 * know whether it is stored. */
static void on_door(void *arg)
{
    struct server *server = arg;

    change_sessions(server);
    send_browsers_back(server);
    sessions_close_all(server->world.sessions, node_farewell(server->node),
                       "another node has taken over; the games go on there");
    links_drop(server->links);
    host_forget_errands(server->host);
    close_data(server, store_abandon);
    relay_set_place(server->relay, node_place(server->node));
}

static void on_moved(void *arg)
{
    struct server *server = arg;

    change_sessions(server);
    relay_set_place(server->relay, node_place(server->node));
}

static const struct node_calls node_calls = {
    .on_house = on_house, .on_door = on_door, .on_moved = on_moved};

/* Writes the address to which clients are told to connect. */
static void name_node(const struct server *server, char at[STORE_AT_BYTES])
{
    struct text text = text_into(at, STORE_AT_BYTES);

    if (server->config->node[0] != '\0')
        text_add(&text, server->config->node);
    else
        announce_server(&text, server->config, server->listener);
}

static bool open_node(struct server *server)
{
    struct store_place place = transfer_place(server->config);
    char at[STORE_AT_BYTES];

    name_node(server, at);
    place.at = at;
    server->node = node_open(server->base, &place, &node_calls, server);
    server->is_store_away = server->node == NULL && errno == EAGAIN;
    if (server->node == NULL)
        return false;
    server->links = links_new(server->base, &link_calls, server);
    server->relay = relay_new(server->base, server->world.admission, &server->identity,
                              on_unanswered, server);
    admission_set_calls(server->world.admission, &admission_calls, server);
    return true;
}

static void on_proxied(void *arg, evutil_socket_t fd)
{
    struct server *server = arg;

    session_open_proxied(server->world.sessions, fd);
}

/* Opens the listener for proxies. Returns false after logging why. */
static bool open_web(struct server *server)
{
    struct web_settings settings = {.admission = server->world.admission,
                                    .origin = server->config->web_origin,
                                    .public_name = server->config->public_name,
                                    .on_page = on_page,
                                    .arg = server};

    if (config_web(server->config) == CONFIG_WEB_OFF)
        return true;
    server->web = web_new(&settings);
    web_set_cert(server->web, server->identity.web);
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

    settings.proxy_count =
        prefix_parse_list(config->proxy_from, settings.proxy, PREFIX_LIST_MAX);
    server->listener = listener_open(server->base, &settings, server->world.admission,
                                     on_accept, server);
    server->world.listener = server->listener;
    return server->listener != NULL;
}

/* The code of the host's invitation: the last one while it can be used, otherwise a new
 * one. */
static const char *standing_code(struct server *server)
{
    struct terms terms = terms_default();
    struct invite *invite;

    if (!server->config->wants_invite || !node_is_house(server->node))
        return NULL;
    invite = lobby_standing_invite(server->world.lobby);
    if (invite == NULL && time_terms_parse(server->config->invite_time, &terms.time))
        invite = lobby_invite(server->world.lobby, NULL, &terms, NULL, NULL);
    return invite != NULL ? invite->code : NULL;
}

static struct event_base *make_base(void)
{
    struct event_base *base = event_base_new();

    if (base == NULL)
        log_die("server no event loop");
    return base;
}

static void open_hosts_door(struct server *server)
{
    struct host_parts parts = {.base = server->base,
                               .config = server->config,
                               .world = &server->world,
                               .node = server->node,
                               .links = server->links,
                               .relay = server->relay,
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

/* --- The router --- */

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
        announce_outside(&text, server->world.outside, &server->identity.digest,
                         standing_code(server));
    } else {
        announce_no_outside(&text, news, listener_port(server->listener));
    }
    printf("\n%s", words);
    fflush(stdout);
}

/* A router is asked only for a server that others may reach and that has no public
 * address or name of its own. */
static void ask_router(struct server *server)
{
    const struct config *config = server->config;
    bool is_wanted = config->map_port[0] != '\0' ? strcmp(config->map_port, "auto") == 0
                                                 : config->wants_invite;

    if (is_wanted && announce_is_private(config, server->listener))
        server->portmap = portmap_start(server->base, listener_port(server->listener),
                                        config->map_port_s, on_portmap, server);
}

/* Prints the owner link only to a terminal, because a system journal would keep it. */
static void announce_first_owner(struct server *server)
{
    char words[ANNOUNCE_BYTES], code[PASS_CODE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!server->identity.is_new || !isatty(STDOUT_FILENO))
        return;
    passes_make_owner(server->world.passes, code, mono_wall_s(), NULL, NULL);
    announce_owner(&text, server->config, server->listener, &server->identity.digest,
                   code, PASS_OWNER_MINUTES);
    printf("\n%s", words);
}

/* Says so if the server is open to everybody. */
static void announce_access(struct server *server)
{
    bool is_given = server->config->access[0] != '\0';

    if (!node_is_house(server->node))
        return;
    if (server->world.access.door == ACCESS_OPEN)
        printf("access open: %s%s\n", access_door_words(ACCESS_OPEN),
               is_given
                   ? ""
                   : ", because an older janggid on this directory was open; --access "
                     "invited admits only members and people with an invitation");
    announce_first_owner(server);
    fflush(stdout);
}

static void open_common(struct server *server)
{
    server->world.config = server->config;
    server->world.calls = &world_calls;
    server->world.calls_arg = server;
    open_admission(server);
    open_sessions(server);
}

/* Opens the log, then the listener. One of several nodes opens its listener first,
 * because the lease contains its address; callers wait meanwhile. */
static int open_log_and_door(struct server *server)
{
    bool is_shared = server->config->store[0] != '\0';

    if (is_shared) {
        if (!open_door(server))
            return EXIT_SOCKET;
        listener_pause(server->listener, true);
        if (!open_node(server))
            return server->is_store_away ? EXIT_TEMPFAIL : EXIT_DATABASE;
    }
    if ((!is_shared || node_begin(server->node)) && !open_data(server))
        return server->is_store_away ? EXIT_TEMPFAIL : EXIT_DATABASE;
    if (!is_shared)
        return open_door(server) ? 0 : EXIT_SOCKET;
    on_moved(server);
    listener_pause(server->listener, false);
    return 0;
}

/* Returns false after logging why the host's program cannot be started. */
static bool open_notifier(struct server *server)
{
    const char *path = server->config->notify_program;

    if (path[0] != '\0')
        server->notifier = notifier_start(server->base, path);
    return path[0] == '\0' || server->notifier != NULL;
}

static int start(struct server *server)
{
    int status;

    if (!make_directory(server->config->data))
        return EXIT_KEY;
    if (!guard_data(server->config->data))
        return EXIT_UNSAFE;
    if (!open_identity(server))
        return EXIT_KEY;
    open_common(server);
    if (!open_notifier(server))
        return EXIT_CONFIG;
    status = open_log_and_door(server);
    if (status != 0)
        return status;
    if (!open_web(server))
        return EXIT_SOCKET;
    open_hosts_door(server);
    watch_signals(server);
    announce(server->config, server->listener, &server->identity.digest,
             standing_code(server), server->identity.is_new);
    announce_access(server);
    ask_router(server);
    if (server->config->has_sandbox)
        sandbox_enter();
    log_info("start version=%s libevent=%s openssl=\"%s\"", JANGGI_VERSION,
             event_get_version(), OpenSSL_version(OPENSSL_VERSION));
    return 0;
}

/* The loop must run for connections to end. */
static void run_loop(const struct server *server, int times)
{
    for (int i = 0; i < times; i++)
        event_base_loop(server->base, EVLOOP_NONBLOCK);
}

/* Peers that do not close their end do not hold up the server's. */
static void close_sessions(struct server *server)
{
    sessions_drop_all(server->world.sessions);
    run_loop(server, 1);
}

static void close_links(struct server *server)
{
    if (server->links == NULL)
        return;
    admission_set_calls(server->world.admission, NULL, NULL);
    relay_stop(server->relay);
    links_drop(server->links);
    run_loop(server, 2); /* links end, then their branches */
    if (relay_counts(server->relay).clients == 0)
        relay_free(server->relay);
    if (links_count(server->links) == 0)
        links_free(server->links);
}

/* Also takes a half-started server. Removes the control socket while the database is
 * still locked: afterwards another server may have made its own. */
static void stop(struct server *server)
{
    struct world *world = &server->world;

    portmap_stop(server->portmap);
    host_close(server->host);
    close_sessions(server);
    close_data(server, store_close);
    notifier_stop(server->notifier);
    close_links(server);
    if (world->sessions != NULL && sessions_count(world->sessions) == 0)
        sessions_free(world->sessions);
    listener_free(server->listener);
    if (server->save_timer != NULL)
        event_free(server->save_timer);
    shared_lists_free(world->lists);
    if (world->admission != NULL)
        save_regulars(server);
    web_listener_free(server->web_listener);
    web_free(server->web);
    if (world->admission != NULL && admission_is_empty(world->admission))
        admission_free(world->admission);
    identity_close(&server->identity);
    for (size_t i = 0; i < ARRAY_LEN(server->on_signal); i++)
        if (server->on_signal[i] != NULL)
            event_free(server->on_signal[i]);
    drain_free(server->drain);
    host_free(server->host);
    node_close(server->node);
    pairing_program_free(server->pairing);
    event_base_free(server->base);
}

/* Call it before there are threads, keys in memory, and a sandbox. */
static bool fork_helpers(struct server *server)
{
    const struct config *config = server->config;

    if (config->pairing[0] != '\0')
        server->pairing = pairing_program_fork(config->pairing);
    return config->pairing[0] == '\0' || server->pairing != NULL;
}

static void listen_to_helpers(struct server *server)
{
    if (server->pairing != NULL)
        pairing_program_listen(server->pairing, server->base);
}

int server_run(struct config *config)
{
    struct server server = {.config = config};
    int status;

    if (!guard_user(config->allows_root))
        return EXIT_UNSAFE;
    if (!fork_helpers(&server))
        return EXIT_SOCKET;
    set_up_process(config);
    server.base = make_base();
    listen_to_helpers(&server);
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
