/* See node.h. */
#include "server/admin/node.h"

#include <errno.h>
#include <stdlib.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/base/timer.h"

enum {
    SUCCESSOR_MS = 1500 /* how long node_hand_over() waits for a new leader, at most */
};

struct node {
    struct store_leaser *leaser;
    const struct node_calls *calls;
    void *arg;
    bool is_leader, is_ending;
    int64_t given_back_ms; /* when this node gave the lease back; set if is_ending */
    char farewell[STORE_AT_BYTES + 32];
    struct event *lost; /* active: node_lose() was called */
};

/* --- Where the leader is --- */

const struct store_lease *node_lease(const struct node *node)
{
    return store_lease_now(node->leaser);
}

const char *node_place(const struct node *node)
{
    const struct store_lease *lease = node_lease(node);

    return lease->state == STORE_LEASE_OTHERS ? lease->at : "";
}

static void note_leader(struct node *node)
{
    struct text text = text_into(node->farewell, sizeof node->farewell);

    text_add(&text, "elsewhere");
    if (node_place(node)[0] != '\0')
        text_addf(&text, " at=%s", node_place(node));
}

bool node_is_leader(const struct node *node)
{
    return node == NULL || node->is_leader;
}

const char *node_farewell(const struct node *node)
{
    return node->farewell;
}

/* --- Becoming the leader, and ending --- */

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
    bool has_successor = node_place(node)[0] != '\0';

    node_retire(node);
    if (has_successor)
        *why = node->farewell;
    return has_successor || mono_now_ms() - node->given_back_ms > SUCCESSOR_MS;
}

static void on_lost(evutil_socket_t fd, short what, void *arg)
{
    struct node *node = arg;

    (void)fd;
    (void)what;
    if (!node->is_leader || node->is_ending)
        return;
    log_warn("node role=lost leader=%s", node_place(node));
    node_retire(node);
    node->is_leader = false;
    node->calls->on_lost(node->arg);
}

void node_lose(struct node *node)
{
    event_active(node->lost, EV_TIMEOUT, 0);
}

static void on_change(void *arg)
{
    struct node *node = arg;
    enum store_lease_state state = node_lease(node)->state;

    note_leader(node);
    if (node->is_leader && state == STORE_LEASE_OTHERS)
        node_lose(node);
    if (node->is_leader || node->is_ending || state != STORE_LEASE_OURS)
        return;
    log_info("node role=leader at=%s", node_lease(node)->at);
    node->is_leader = true;
    node->calls->on_lead(node->arg);
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
    node->leaser = store_lease_open(base, place, on_change, node);
    if (node->leaser == NULL) {
        why = errno;
        node_close(node);
        errno = why;
        return NULL;
    }
    node->is_leader = node_lease(node)->state == STORE_LEASE_OURS;
    note_leader(node);
    log_info("node role=%s at=%s leader=%s", node->is_leader ? "leader" : "standby",
             place->at, node_lease(node)->at);
    return node;
}

void node_close(struct node *node)
{
    if (node == NULL)
        return;
    store_lease_close(node->leaser);
    event_free(node->lost);
    free(node);
}
