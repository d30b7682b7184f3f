/* See node.h. */
#include "server/admin/node.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/base/timer.h"

enum {
    REST_S = 2, /* pause after a failure, before we try to take the lease again */
    SUCCESSOR_MS = 1500 /* how long node_hand_over() waits for a new house, at most */
};

struct node {
    struct store_leaser *leaser;
    const struct node_calls *calls;
    void *arg;
    char at[STORE_AT_BYTES];
    bool is_begun, is_house, is_ending;
    int64_t given_back_ms; /* when this node gave the lease back; set if is_ending */
    char farewell[STORE_AT_BYTES + 32];
    struct event *lost;   /* active: node_lose() was called */
    struct event *rested; /* a timer; pending: we leave the lease to the other nodes */
};

/* --- Where the house is --- */

const struct store_lease *node_lease(const struct node *node)
{
    return store_lease_now(node->leaser);
}

static bool has_other_house(const struct node *node)
{
    const struct store_lease *lease = node_lease(node);

    return lease->state == STORE_LEASE_OTHERS && lease->at[0] != '\0';
}

const char *node_place(const struct node *node)
{
    return has_other_house(node) ? node_lease(node)->at : "";
}

static void note_house(struct node *node)
{
    struct text text = text_into(node->farewell, sizeof node->farewell);

    text_add(&text, "elsewhere");
    if (has_other_house(node))
        text_addf(&text, " at=%s", node_lease(node)->at);
}

bool node_is_house(const struct node *node)
{
    return node == NULL || node->is_house;
}

const char *node_farewell(const struct node *node)
{
    return node->farewell;
}

/* --- Becoming the house, or a door --- */

/* Leaves the lease to the other nodes for REST_S. */
static void rest(struct node *node)
{
    store_lease_wish(node->leaser, STORE_LEASE_NOT);
    timer_start(node->rested, REST_S * INT64_C(1000));
}

static void on_rested(evutil_socket_t fd, short what, void *arg)
{
    struct node *node = arg;

    (void)fd;
    (void)what;
    if (!node->is_ending)
        store_lease_wish(node->leaser, STORE_LEASE_TAKE);
}

static void become_house(struct node *node)
{
    log_info("node role=house at=%s", node->at);
    node->is_house = true;
    if (node->calls->on_house(node->arg))
        return;
    node->is_house = false;
    rest(node);
}

static void become_door(struct node *node)
{
    node->is_house = false;
    note_house(node);
    log_warn("node role=door house=%s",
             has_other_house(node) ? node_lease(node)->at : "none");
    node->calls->on_door(node->arg);
}

static void on_change(void *arg)
{
    struct node *node = arg;
    enum store_lease_state state = node_lease(node)->state;

    note_house(node);
    if (!node->is_begun || node->is_ending)
        return;
    if (node->is_house && state == STORE_LEASE_OTHERS)
        become_door(node);
    else if (!node->is_house && state == STORE_LEASE_OURS &&
             !event_pending(node->rested, EV_TIMEOUT, NULL))
        become_house(node);
    else if (!node->is_house)
        node->calls->on_moved(node->arg);
}

static void on_lost(evutil_socket_t fd, short what, void *arg)
{
    struct node *node = arg;

    (void)fd;
    (void)what;
    if (!node->is_house || node->is_ending)
        return;
    rest(node);
    become_door(node);
}

void node_lose(struct node *node)
{
    event_active(node->lost, EV_TIMEOUT, 0);
}

void node_retire(struct node *node)
{
    if (node->is_ending)
        return;
    node->is_ending = true;
    node->given_back_ms = mono_now_ms();
    store_lease_wish(node->leaser, STORE_LEASE_NOT);
}

bool node_hand_over(struct node *node, const char **why)
{
    node_retire(node);
    if (has_other_house(node))
        *why = node->farewell;
    return has_other_house(node) || mono_now_ms() - node->given_back_ms > SUCCESSOR_MS;
}

/* --- Life --- */

struct node *node_open(struct event_base *base, const struct store_place *place,
                       const struct node_calls *calls, void *arg)
{
    struct node *node = mem_new(sizeof *node);
    int why;

    node->calls = calls;
    node->arg = arg;
    node->lost = timer_new(base, on_lost, node);
    node->rested = timer_new(base, on_rested, node);
    errno = EINVAL;
    if (text_copy(node->at, sizeof node->at, place->at))
        node->leaser = store_lease_open(base, place, on_change, node);
    if (node->leaser != NULL)
        return node;
    why = errno;
    node_close(node);
    errno = why;
    return NULL;
}

bool node_begin(struct node *node)
{
    node->is_begun = true;
    node->is_house = node_lease(node)->state == STORE_LEASE_OURS;
    note_house(node);
    log_info("node role=%s at=%s", node->is_house ? "house" : "door", node->at);
    return node->is_house;
}

void node_close(struct node *node)
{
    if (node == NULL)
        return;
    store_lease_close(node->leaser);
    event_free(node->lost);
    event_free(node->rested);
    free(node);
}
