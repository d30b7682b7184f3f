/* See cluster.h. */
#include "server/cluster.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/wire.h"
#include "server/admin/host.h"
#include "server/admin/node.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/data.h"
#include "server/net/announce.h"
#include "server/net/branch.h"
#include "server/net/identity.h"
#include "server/net/link.h"
#include "server/net/listener.h"
#include "server/net/relay.h"
#include "server/room/readers.h"
#include "server/settings.h"
#include "server/store/store.h"
#include "server/web/web.h"
#include "server/web/web_request.h"

/* --- Sessions --- */

bool cluster_is_house(const struct cluster *cluster)
{
    return node_is_house(cluster->node);
}

struct session_settings cluster_session_settings(const struct cluster *cluster)
{
    struct session_settings settings = settings_sessions(cluster->config);

    settings.greeting = cluster->data->greeting;
    settings.farewell = cluster_is_house(cluster) ? NULL : node_farewell(cluster->node);
    settings.admission = cluster->world->admission;
    return settings;
}

static void change_sessions(struct cluster *cluster)
{
    struct session_settings settings = cluster_session_settings(cluster);

    sessions_change(cluster->world->sessions, &settings);
}

/* --- Links of doors to this house --- */

bool cluster_take_peer(struct cluster *cluster, struct wire *wire)
{
    const struct tls_key *key = wire_peer_key(wire);

    if (cluster->links == NULL || !cluster_is_house(cluster) ||
        memcmp(key->digest, cluster->identity->digest.digest, sizeof key->digest) != 0)
        return false;
    links_take(cluster->links, wire);
    return true;
}

/* Opens a session at this house for a client of a door. False: the client gets none. */
static bool on_branch(void *arg, struct branches *branches,
                      const struct branch_client *client, int64_t now_ms)
{
    struct cluster *cluster = arg;
    struct admission *admission = cluster->world->admission;
    struct pass *pass;

    if (client->is_page && !cluster->has_web)
        return false;
    pass = client->is_back ? admission_return(admission, &client->from, now_ms)
                           : admission_enter(admission, &client->from, now_ms);
    if (pass == NULL)
        return false;
    if (session_open_branch(cluster->world->sessions, branches, client, pass))
        return true;
    admission_leave(admission, pass);
    return false;
}

/* Called when a client of a door reads too slowly for the mirror (branch.h) that it
 * shares with other clients of the door. From event number `event` on, the client gets
 * its own copies of the events. */
static void on_late(void *arg, void *owner, int64_t game, int event)
{
    struct cluster *cluster = arg;
    struct session *session = owner;

    if (session->state < SESSION_RELAYED && cluster->world->rooms != NULL)
        readers_fall_behind(cluster->world->rooms, session, game, event);
}

/* Called when a door reports what one of its callers did (`use`). Charges the caller's
 * address `from` for it. */
static void on_use_of_door(void *arg, const struct prefix *from, const char *use,
                           int64_t now_ms)
{
    struct cluster *cluster = arg;

    admission_note_use(cluster->world->admission, from, use, now_ms);
}

static void tell_link(void *arg, enum admission_refusal kind,
                      const struct prefix *network, int64_t for_ms)
{
    link_refuse(arg, kind, network, for_ms);
}

static void on_link(void *arg, struct link *link, int64_t now_ms)
{
    struct cluster *cluster = arg;

    admission_each_refused(cluster->world->admission, now_ms, tell_link, link);
}

static const struct link_calls link_calls = {.on_begin = on_link,
                                             .on_open = on_branch,
                                             .on_late = on_late,
                                             .on_use = on_use_of_door};

/* --- What the nodes tell each other of callers --- */

/* If this node is the house, tells the doors which network they must refuse, and for
 * how long. */
static void tell_doors(void *arg, enum admission_refusal kind,
                       const struct prefix *network, int64_t for_ms)
{
    struct cluster *cluster = arg;

    if (cluster_is_house(cluster))
        links_refuse(cluster->links, kind, network, for_ms);
}

/* On a door: tells the house what a caller of this node, from the address `from`, has
 * done (`use`). The house charges the address for it. */
static void tell_house(void *arg, const struct prefix *from, const char *use)
{
    struct cluster *cluster = arg;

    if (!cluster_is_house(cluster))
        relay_note_use(cluster->relay, from, use);
}

static const struct admission_calls admission_calls = {.on_refuse = tell_doors,
                                                       .on_use = tell_house};

/* --- The link of this door to the house --- */

bool cluster_ask_page(struct cluster *cluster, struct session *session)
{
    char line[WEB_LINE_BYTES], header[WEB_LINE_BYTES];

    if (session->is_page)
        return false;
    web_request_format(line, session->request);
    snprintf(header, sizeof header, "Accept-Language: %s", session->request->language);
    return relay_ask(cluster->relay, session, line, header);
}

static void on_unanswered(void *arg, struct session *session, bool is_refused)
{
    (void)arg;
    web_send_unanswered(session, is_refused, mono_now_ms());
}

/* Makes the relay connect to this node itself. Called when this node has become the
 * house: the clients that connected while it was a door stay on the relay. */
static void relay_to_self(struct cluster *cluster)
{
    const char *own = listener_name(cluster->world->listener);
    char place[LISTENER_NAME_BYTES + 16];
    bool is_v6 = own[0] == '[';

    if (strncmp(own, "[::]:", 5) == 0 || strncmp(own, "0.0.0.0:", 8) == 0)
        snprintf(place, sizeof place, "%s:%d", is_v6 ? "[::1]" : "127.0.0.1",
                 listener_port(cluster->world->listener));
    else
        snprintf(place, sizeof place, "%s", own);
    relay_set_own(cluster->relay, place);
}

/* --- House and door --- */

/* Closes the sessions of browsers, which then connect to this node again and are
 * relayed by it. A browser keeps a login for one server address only, so its page
 * cannot move to another node. */
static void send_browsers_back(struct cluster *cluster)
{
    struct session *next;

    for (struct session *s = sessions_first(cluster->world->sessions); s != NULL;
         s = next) {
        next = sessions_next(s);
        if (s->is_web && s->state > SESSION_REQUEST && s->state != SESSION_LEAVING)
            session_close(s, "restart", "connect again; the games go on");
    }
}

/* Opens the log, because this node becomes the house. Reading the log blocks the loop;
 * meanwhile new connections wait in the queue of the listening socket. */
static bool on_house(void *arg)
{
    struct cluster *cluster = arg;

    admission_forget_refused(cluster->world->admission); /* data_open() reads the bans
                                                          * from the log */
    if (!data_open(cluster->data)) {
        data_close(cluster->data, store_abandon);
        return false;
    }
    change_sessions(cluster);
    host_set_disk(cluster->host, "good");
    relay_to_self(cluster);
    return true;
}

/* Closes the sessions, because this node becomes a door. Lines that wait for the log
 * get no answer, because this node cannot know whether they are stored. */
static void on_door(void *arg)
{
    struct cluster *cluster = arg;

    change_sessions(cluster);
    send_browsers_back(cluster);
    sessions_close_all(cluster->world->sessions, node_farewell(cluster->node),
                       "another node has taken over; the games go on there");
    links_drop(cluster->links);
    host_forget_errands(cluster->host);
    data_close(cluster->data, store_abandon);
    relay_set_place(cluster->relay, node_place(cluster->node));
}

void cluster_take_place(struct cluster *cluster)
{
    change_sessions(cluster);
    relay_set_place(cluster->relay, node_place(cluster->node));
}

static void on_moved(void *arg)
{
    cluster_take_place(arg);
}

static const struct node_calls node_calls = {
    .on_house = on_house, .on_door = on_door, .on_moved = on_moved};

/* --- Opening --- */

/* Writes the address at which clients can reach this node. */
static void name_node(const struct cluster *cluster, char at[STORE_AT_BYTES])
{
    struct text text = text_into(at, STORE_AT_BYTES);

    if (cluster->config->node[0] != '\0')
        text_add(&text, cluster->config->node);
    else
        announce_server(&text, cluster->config, cluster->world->listener);
}

bool cluster_open(struct cluster *cluster)
{
    struct store_place place = store_place_of(cluster->config);
    char at[STORE_AT_BYTES];

    name_node(cluster, at);
    place.at = at;
    cluster->node = node_open(cluster->base, &place, &node_calls, cluster);
    cluster->is_away = cluster->node == NULL && errno == EAGAIN;
    if (cluster->node == NULL)
        return false;
    cluster->links = links_new(cluster->base, &link_calls, cluster);
    cluster->world->links = cluster->links;
    cluster->relay = relay_new(cluster->base, cluster->world->admission,
                               cluster->identity, on_unanswered, cluster);
    admission_set_calls(cluster->world->admission, &admission_calls, cluster);
    return true;
}

bool cluster_begin(struct cluster *cluster)
{
    return node_begin(cluster->node);
}

/* --- Closing --- */

bool cluster_shut_down(struct cluster *cluster, const char **why)
{
    if (cluster->node == NULL)
        return true;
    if (!cluster_is_house(cluster)) {
        node_retire(cluster->node);
        if (node_place(cluster->node)[0] != '\0')
            *why = node_farewell(cluster->node);
        relay_dismiss(cluster->relay, *why);
        return true;
    }
    if (!store_is_idle(cluster->world->store) || !node_hand_over(cluster->node, why))
        return false;
    send_browsers_back(cluster);
    return true;
}

void cluster_lose(struct cluster *cluster)
{
    node_lose(cluster->node);
}

void cluster_close_links(struct cluster *cluster)
{
    if (cluster->links == NULL)
        return;
    admission_set_calls(cluster->world->admission, NULL, NULL);
    relay_stop(cluster->relay);
    links_drop(cluster->links);
    for (int i = 0; i < 2; i++) /* the first turn ends the links; the second turn ends
                                 * the sessions of clients that came over the links */
        event_base_loop(cluster->base, EVLOOP_NONBLOCK);
    if (relay_counts(cluster->relay).clients == 0)
        relay_free(cluster->relay);
    cluster->world->links = NULL;
    if (links_count(cluster->links) == 0)
        links_free(cluster->links);
}

void cluster_close(struct cluster *cluster)
{
    node_close(cluster->node);
}
