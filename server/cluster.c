/* See cluster.h. */
#include "server/cluster.h"

#include <assert.h>
#include <errno.h>

#include <event2/event.h>

#include "common/base/text.h"
#include "server/admin/drain.h"
#include "server/admin/node.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/data.h"
#include "server/net/announce.h"
#include "server/net/identity.h"
#include "server/settings.h"
#include "server/store/store.h"

enum { EXIT_DATABASE = 73, EXIT_TEMPFAIL = 75 };

/* --- Leader and standby --- */

bool cluster_is_leader(const struct cluster *cluster)
{
    return node_is_leader(cluster->node);
}

struct session_settings cluster_session_settings(const struct cluster *cluster)
{
    struct session_settings settings = settings_sessions(cluster->config);

    settings.greeting = cluster->data->greeting;
    settings.farewell =
        cluster_is_leader(cluster) ? NULL : node_farewell(cluster->node);
    settings.admission = cluster->world->admission;
    return settings;
}

static void change_sessions(struct cluster *cluster)
{
    struct session_settings settings = cluster_session_settings(cluster);

    sessions_change(cluster->world->sessions, &settings);
}

/* Ends the process without another word to the log. Lines that wait for it get no
 * answer, because this node cannot know whether they are stored. */
static void end(struct cluster *cluster, int status, const char *words)
{
    cluster->status = status;
    sessions_set_gate(cluster->world->sessions, NULL);
    sessions_close_all(cluster->world->sessions, node_farewell(cluster->node), words);
    data_close(cluster->data, store_abandon);
    drain_now(cluster->drain);
}

/* Reading the log blocks the loop; meanwhile new connections wait in the queue of the
 * listening socket. */
static void on_lead(void *arg)
{
    struct cluster *cluster = arg;

    if (data_open(cluster->data))
        change_sessions(cluster);
    else
        end(cluster, cluster->data->is_away ? EXIT_TEMPFAIL : EXIT_DATABASE,
            "this node cannot read the games");
}

static void on_lost(void *arg)
{
    end(arg, EXIT_TEMPFAIL, "another node has taken over; the games go on there");
}

static const struct node_calls node_calls = {.on_lead = on_lead, .on_lost = on_lost};

/* --- Opening and closing --- */

bool cluster_open(struct cluster *cluster)
{
    struct store_place place = store_place_of(cluster->config);
    char at[STORE_AT_BYTES];
    struct text text = text_into(at, sizeof at);

    if (cluster->config->node[0] != '\0')
        text_add(&text, cluster->config->node);
    else
        announce_server(&text, cluster->config, cluster->world->listener);
    place.at = at;
    static_assert((int)STORE_KEY_BYTES == (int)TLS_DIGEST_BYTES,
                  "the key has another size");
    place.key = cluster->identity->digest.digest;
    cluster->node = node_open(cluster->base, &place, &node_calls, cluster);
    cluster->is_away = cluster->node == NULL && errno == EAGAIN;
    if (cluster->node == NULL)
        return false;
    change_sessions(cluster);
    return true;
}

bool cluster_shut_down(struct cluster *cluster, const char **why)
{
    if (cluster->node == NULL)
        return true;
    if (cluster_is_leader(cluster))
        return store_is_idle(cluster->world->store) &&
               node_hand_over(cluster->node, why);
    node_retire(cluster->node);
    if (node_place(cluster->node)[0] != '\0')
        *why = node_farewell(cluster->node);
    return true;
}

void cluster_close(struct cluster *cluster)
{
    node_close(cluster->node);
}
