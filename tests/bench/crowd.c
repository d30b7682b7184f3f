/* See crowd.h. */
#include "tests/bench/crowd.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <openssl/ssl.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/net/wire.h"
#include "tests/bench/load.h"

enum { AT_A_TIME = 32, PATIENCE_MS = 120000, LOOK_US = 20000 };

struct guest {
    struct guest *next;
    struct crowd *crowd;
    struct wire *wire;
};

struct crowd {
    struct event_base *base;
    struct wire_hub *hub;
    SSL_CTX *tls;
    enum target_kind kind;
    int port;
    unsigned number;
    bool stays;   /* those who are in stay */
    bool is_open; /* new ones come */
    int wanted, coming, present;
    int64_t served;
    struct guest *guests;
};

static void on_open(void *owner);
static void on_line(void *owner, char *line, size_t len, int64_t now_ms);
static void on_end(void *owner, enum wire_why why, const char *detail);
static const struct wire_calls calls = {
    .on_open = on_open, .on_line = on_line, .on_end = on_end};

/* As many are on their way as may be. */
static void invite(struct crowd *crowd)
{
    while (crowd->is_open && crowd->coming < AT_A_TIME &&
           (!crowd->stays || crowd->present + crowd->coming < crowd->wanted)) {
        struct guest *guest = mem_new(sizeof *guest);

        guest->crowd = crowd;
        guest->next = crowd->guests;
        crowd->guests = guest;
        crowd->coming++;
        guest->wire = load_connect(crowd->hub, crowd->tls, crowd->port, crowd->number++,
                                   &calls, guest);
    }
}

static void on_open(void *owner)
{
    struct guest *guest = owner;

    if (guest->crowd->kind == TARGET_REDIS)
        wire_send(guest->wire, "PING\r\n", 6);
}

/* For janggid the greeting is a sign that the handshake is done; who stays logs in. */
static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct guest *guest = owner;
    struct crowd *crowd = guest->crowd;

    (void)len;
    (void)now_ms;
    if (line[0] == '*' && crowd->stays) {
        wire_send(guest->wire, "login\n", 6);
        return;
    }
    if (line[0] != '*' && line[0] != '+' && line[0] != 'O')
        die("bench did not expect: %s", line);
    crowd->coming--;
    if (crowd->stays) {
        crowd->present++;
        invite(crowd);
    } else {
        crowd->served++;
        wire_drop(guest->wire, WIRE_CLOSED_HERE);
    }
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct guest *guest = owner;
    struct crowd *crowd = guest->crowd;

    if (why != WIRE_CLOSED_HERE)
        die("bench lost a guest: %s (%s)", wire_why_name(why), detail);
    guest->wire = NULL;
    if (!crowd->stays)
        invite(crowd);
}

struct crowd *crowd_new(struct event_base *base, const struct target *target)
{
    struct crowd *crowd = mem_new(sizeof *crowd);
    struct wire_limits limits = wire_limits_default();

    limits.handshake_ms = PATIENCE_MS;
    crowd->base = base;
    crowd->hub = wire_hub_new(base, &limits);
    crowd->tls = tls_client_ctx(NULL, NULL, NULL);
    crowd->kind = target->kind;
    crowd->port = target->port;
    return crowd;
}

static void run_for(struct crowd *crowd, int64_t us)
{
    struct timeval span = {.tv_sec = us / 1000000, .tv_usec = us % 1000000};

    event_base_loopexit(crowd->base, &span);
    event_base_dispatch(crowd->base);
}

int64_t crowd_come_and_go(struct crowd *crowd, double seconds)
{
    int64_t served;

    crowd->stays = false;
    crowd->is_open = true;
    crowd->served = 0;
    invite(crowd);
    run_for(crowd, (int64_t)(seconds * 1e6));
    served = crowd->served;
    crowd->is_open = false;
    while (wire_hub_count(crowd->hub) > 0)
        event_base_loop(crowd->base, EVLOOP_ONCE);
    return served;
}

void crowd_grow(struct crowd *crowd, int count)
{
    int64_t by_ms = mono_now_ms() + PATIENCE_MS;

    crowd->stays = true;
    crowd->is_open = true;
    crowd->wanted = count;
    invite(crowd);
    while (crowd->present < count && mono_now_ms() < by_ms)
        run_for(crowd, LOOK_US);
    crowd->is_open = false;
    if (crowd->present < count)
        die("bench only %d of %d came", crowd->present, count);
}

void crowd_free(struct crowd *crowd)
{
    struct guest *guest, *next;

    crowd->stays = true;
    crowd->is_open = false;
    for (guest = crowd->guests; guest != NULL; guest = guest->next)
        if (guest->wire != NULL)
            wire_drop(guest->wire, WIRE_CLOSED_HERE);
    while (wire_hub_count(crowd->hub) > 0)
        event_base_loop(crowd->base, EVLOOP_ONCE);
    for (guest = crowd->guests; guest != NULL; guest = next) {
        next = guest->next;
        free(guest);
    }
    wire_hub_free(crowd->hub);
    SSL_CTX_free(crowd->tls);
    free(crowd);
}
