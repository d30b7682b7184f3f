/* What the wires of one loop do once per turn: send all that the turn has queued, tell
 * owners that their output has gone, tell owners that their wire has ended, free it.
 *
 * Two events drive it. turn_end is activated by whoever queues something, and libevent
 * runs it after everything else that is already active. next_turn is a timer of zero:
 * it runs after the sockets were asked again, so whoever goes on by it lets the others
 * have theirs first. What turn_end itself gives rise to waits for next_turn: a feed
 * that refills a wire as fast as it drains cannot hold the loop. */
#include "common/net/wire_parts.h"

#include <assert.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"

static bool has_work(const struct wire_hub *hub)
{
    return hub->dirty != NULL || hub->drained != NULL || hub->dead != NULL;
}

static void await_turn_end(struct wire_hub *hub)
{
    if (hub->is_turn_end_due)
        return;
    hub->is_turn_end_due = true;
    event_active(hub->turn_end, EV_TIMEOUT, 0);
}

static void await_next_turn(struct wire_hub *hub)
{
    static const struct timeval at_once = {0, 0};

    if (hub->is_next_turn_due)
        return;
    hub->is_next_turn_due = true;
    if (event_add(hub->next_turn, &at_once) != 0)
        die("wire no timer");
}

/* --- Lists --- */

static void delist(struct wire *wire)
{
    if (wire->list == NULL)
        return;
    DL_DELETE2(*wire->list, wire, list_prev, list_next);
    wire->list = NULL;
}

void wire_hub_enlist(struct wire *wire, struct wire **head)
{
    if (wire->list != head) {
        delist(wire);
        DL_APPEND2(*head, wire, list_prev, list_next);
        wire->list = head;
    }
    await_turn_end(wire->hub);
}

void wire_hub_set_behind(struct wire *wire, bool is_behind)
{
    struct wire_hub *hub = wire->hub;
    bool is_listed = wire->behind_prev != NULL; /* the test that utlist uses */

    if (is_behind && !is_listed) {
        DL_APPEND2(hub->behind, wire, behind_prev, behind_next);
        hub->behind_count++;
        await_next_turn(hub);
    } else if (!is_behind && is_listed) {
        DL_DELETE2(hub->behind, wire, behind_prev, behind_next);
        wire->behind_prev = NULL;
        hub->behind_count--;
    }
}

/* --- The turn --- */

static void free_wire(struct wire *wire)
{
    struct wire_hub *hub = wire->hub;

    SSL_free(wire->ssl);
    evutil_closesocket(wire->fd);
    wire_buffer_clear(&wire->records); /* the rest is freed at the end of the turn */
    free(wire->detail);
    free(wire);
    hub->count--;
}

/* Wires send without calling owners, so this list only gets shorter. */
static void on_turn_end(evutil_socket_t fd, short what, void *arg)
{
    struct wire_hub *hub = arg;
    struct wire *wire;

    (void)fd;
    (void)what;
    while ((wire = hub->dirty) != NULL) {
        delist(wire);
        wire_out_flush(wire);
    }
    while ((wire = hub->drained) != NULL) {
        delist(wire);
        wire->wants_drain = false;
        if (wire->calls->on_drain != NULL)
            wire->calls->on_drain(wire->owner);
    }
    while ((wire = hub->dead) != NULL) {
        delist(wire);
        wire->calls->on_end(wire->owner, wire->why, wire->detail);
        free_wire(wire);
    }
    hub->is_turn_end_due = false;
    if (has_work(hub))
        await_next_turn(hub);
}

/* Each listed wire gets one turn; those with input left come again after the sockets
 * have been polled. */
static void on_next_turn(evutil_socket_t fd, short what, void *arg)
{
    struct wire_hub *hub = arg;

    (void)fd;
    (void)what;
    hub->is_next_turn_due = false;
    for (int left = hub->behind_count; left > 0 && hub->behind != NULL; left--) {
        struct wire *wire = hub->behind;

        wire_hub_set_behind(wire, false);
        wire_in_catch_up(wire);
    }
    if (has_work(hub))
        await_turn_end(hub);
}

/* --- The hub itself --- */

static long answer_bio(BIO *bio, int question, long number, void *pointer)
{
    (void)bio;
    (void)number;
    (void)pointer;
    return question == BIO_CTRL_FLUSH; /* wire_out_push() sends */
}

static BIO_METHOD *make_method(void)
{
    BIO_METHOD *method =
        BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "wire");

    if (method == NULL || !BIO_meth_set_read(method, wire_in_read) ||
        !BIO_meth_set_write(method, wire_out_write) ||
        !BIO_meth_set_ctrl(method, answer_bio))
        die("wire no method");
    return method;
}

struct wire_hub *wire_hub_new(struct event_base *base, const struct wire_limits *limits)
{
    struct wire_hub *hub = mem_new(sizeof *hub);

    hub->base = base;
    hub->limits = *limits;
    hub->method = make_method();
    hub->turn_end = event_new(base, -1, 0, on_turn_end, hub);
    hub->next_turn = event_new(base, -1, 0, on_next_turn, hub);
    if (hub->turn_end == NULL || hub->next_turn == NULL)
        die("wire no event");
    return hub;
}

void wire_hub_free(struct wire_hub *hub)
{
    if (hub == NULL)
        return;
    assert(hub->count == 0);
    event_free(hub->turn_end);
    event_free(hub->next_turn);
    BIO_meth_free(hub->method);
    wire_buffer_clear(&hub->text);
    wire_buffer_clear(&hub->sealed);
    free(hub);
}

int wire_hub_count(const struct wire_hub *hub)
{
    return hub->count;
}
