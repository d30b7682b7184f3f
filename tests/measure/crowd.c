/* See crowd.h. */
#include "tests/measure/crowd.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <openssl/ssl.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/net/wire.h"
#include "tests/lib/harness.h"
#include "tests/measure/load.h"

enum { AT_A_TIME = CROWD_KEYS, PATIENCE_MS = 120000, LOOK_US = 20000, LINE_BYTES = 80 };

struct guest {
    struct guest *next;
    struct crowd *crowd;
    struct wire *wire;
    int key; /* number of the key that it logs in with; -1: none */
    bool is_here;
};

struct crowd {
    struct event_base *base;
    struct wire_hub *hub;
    SSL_CTX *tls, *key_tls[CROWD_KEYS];
    bool has_keys, is_key_used[CROWD_KEYS];
    enum target_kind kind;
    int port;
    unsigned number;
    bool stays;   /* a guest stays after its login; false: it leaves at once */
    bool is_open; /* new guests are being connected */
    bool is_storm;
    int at_a_time, wanted, coming, present;
    int64_t served, events;
    char question[LINE_BYTES]; /* empty: nothing is asked */
    int last_event;
    int64_t answers;
    struct guest *guests;
};

static void on_open(void *owner);
static void on_line(void *owner, char *line, size_t len, int64_t now_ms);
static void on_end(void *owner, enum wire_why why, const char *detail);
static const struct wire_calls calls = {
    .on_open = on_open, .on_line = on_line, .on_end = on_end};

/* --- Coming --- */

static int take_key(struct crowd *crowd)
{
    for (int i = 0; crowd->has_keys && i < CROWD_KEYS; i++)
        if (!crowd->is_key_used[i]) {
            crowd->is_key_used[i] = true;
            return i;
        }
    return -1;
}

static void connect_guest(struct guest *guest)
{
    struct crowd *crowd = guest->crowd;
    SSL_CTX *tls = guest->key >= 0 ? crowd->key_tls[guest->key] : crowd->tls;

    crowd->coming++;
    guest->is_here = false;
    guest->wire =
        load_connect(crowd->hub, tls, crowd->port, crowd->number++, &calls, guest);
}

/* Connects new guests. Stops when crowd->coming has reached crowd->at_a_time. If guests
 * stay, also stops when `present` and `coming` together have reached crowd->wanted. */
static void invite(struct crowd *crowd)
{
    while (crowd->is_open && crowd->coming < crowd->at_a_time &&
           (!crowd->stays || crowd->present + crowd->coming < crowd->wanted)) {
        struct guest *guest = mem_new(sizeof *guest);

        guest->crowd = crowd;
        guest->next = crowd->guests;
        guest->key = take_key(crowd);
        crowd->guests = guest;
        connect_guest(guest);
    }
}

static void on_open(void *owner)
{
    struct guest *guest = owner;

    if (guest->crowd->kind != TARGET_JANGGID)
        wire_send(guest->wire, "PING\r\n", 6);
}

static void log_in(struct guest *guest)
{
    char line[LINE_BYTES];
    int len = guest->key < 0
                  ? snprintf(line, sizeof line, "login\n")
                  : snprintf(line, sizeof line, "login keyed%d\n", guest->key);

    wire_send(guest->wire, line, (size_t)len);
}

static void arrive(struct guest *guest)
{
    struct crowd *crowd = guest->crowd;

    crowd->coming--;
    guest->is_here = true;
    if (crowd->stays) {
        crowd->present++;
        invite(crowd);
    } else {
        crowd->served++;
        wire_drop(guest->wire, WIRE_CLOSED_HERE);
    }
}

/* --- Being there --- */

static void ask(struct guest *guest)
{
    const char *question = guest->crowd->question;

    if (question[0] != '\0')
        wire_send(guest->wire, question, strlen(question));
}

static void take_event(struct guest *guest, const char *line)
{
    struct crowd *crowd = guest->crowd;
    int number;

    crowd->events++;
    if (crowd->question[0] != '\0' && sscanf(line, "! game %*d %d", &number) == 1 &&
        number == crowd->last_event) {
        crowd->answers++;
        ask(guest);
    }
}

/* Handles a line of the server. The first line of janggid is its greeting. The greeting
 * shows that the handshake is done. If the guest stays or has a key, it now logs in,
 * and the answer to the login completes its arrival (arrive()). Otherwise the greeting
 * completes its arrival. After the arrival, all lines except events are ignored. */
static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct guest *guest = owner;

    (void)len;
    (void)now_ms;
    if (line[0] == '-' || strncmp(line, "ERR ", 4) == 0)
        log_die("bench did not expect: %s", line);
    if (strncmp(line, "! game ", 7) == 0)
        take_event(guest, line);
    else if (guest->is_here)
        return;
    else if (line[0] == '*' && (guest->crowd->stays || guest->key >= 0))
        log_in(guest);
    else if (line[0] == '*' || line[0] == '+' || line[0] == 'O')
        arrive(guest);
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct guest *guest = owner;
    struct crowd *crowd = guest->crowd;

    if (crowd->is_storm && why != WIRE_CLOSED_HERE && !guest->is_here) {
        crowd->coming--; /* the server's queue was full: tries again */
        connect_guest(guest);
        return;
    }
    if (why != WIRE_CLOSED_HERE)
        log_die("bench lost a guest: %s (%s)", wire_why_name(why), detail);
    guest->wire = NULL;
    if (guest->key >= 0)
        crowd->is_key_used[guest->key] = false;
    guest->key = -1;
    if (!crowd->stays)
        invite(crowd);
}

/* --- What a crowd does --- */

struct crowd *crowd_new(struct event_base *base, const struct target *target)
{
    struct crowd *crowd = mem_new(sizeof *crowd);
    struct wire_limits limits = wire_limits_default();

    limits.handshake_ms = PATIENCE_MS;
    crowd->base = base;
    crowd->at_a_time = AT_A_TIME;
    crowd->hub = wire_hub_new(base, &limits);
    crowd->tls = target_client_ctx(NULL, NULL);
    crowd->kind = target->kind;
    crowd->port = target->port;
    return crowd;
}

void crowd_use_keys(struct crowd *crowd, const char *directory)
{
    char cert[PROCESS_PATH_BYTES + 24], key[PROCESS_PATH_BYTES + 24];

    if (crowd->kind != TARGET_JANGGID)
        return;
    for (int i = 0; i < CROWD_KEYS; i++) {
        snprintf(cert, sizeof cert, "%s/cert-%d.pem", directory, i);
        snprintf(key, sizeof key, "%s/key-%d.pem", directory, i);
        crowd->key_tls[i] = target_client_ctx(cert, key);
    }
    crowd->has_keys = true;
}

int64_t crowd_come_and_go(struct crowd *crowd, double seconds)
{
    int64_t served;

    crowd->stays = false;
    crowd->is_open = true;
    crowd->served = 0;
    invite(crowd);
    harness_run_loop(crowd->base, (int64_t)(seconds * 1e6));
    served = crowd->served;
    crowd->is_open = false;
    while (wire_hub_count(crowd->hub) > 0)
        event_base_loop(crowd->base, EVLOOP_ONCE);
    return served;
}

static void await_present(struct crowd *crowd, int count)
{
    int64_t by_ms = mono_now_ms() + PATIENCE_MS;
    int before = crowd->present;

    while (crowd->present < count && mono_now_ms() < by_ms) {
        harness_run_loop(crowd->base, LOOK_US);
        if (crowd->present > before)
            by_ms = mono_now_ms() + PATIENCE_MS;
        before = crowd->present;
    }
    if (crowd->present < count)
        log_die("bench only %d of %d came", crowd->present, count);
}

void crowd_grow(struct crowd *crowd, int count)
{
    crowd->stays = true;
    crowd->is_open = true;
    crowd->wanted = count;
    invite(crowd);
    await_present(crowd, count);
    crowd->is_open = false;
}

void crowd_say(struct crowd *crowd, const char *line)
{
    for (struct guest *guest = crowd->guests; guest != NULL; guest = guest->next)
        if (guest->is_here && guest->wire != NULL)
            wire_send(guest->wire, line, strlen(line));
}

int64_t crowd_events(const struct crowd *crowd)
{
    return crowd->events;
}

void crowd_await_events(struct crowd *crowd, int64_t count)
{
    int64_t by_ms = mono_now_ms() + PATIENCE_MS;

    while (crowd->events < count && mono_now_ms() < by_ms)
        harness_run_loop(crowd->base, LOOK_US);
    if (crowd->events < count)
        log_die("bench only %lld of %lld events came", (long long)crowd->events,
                (long long)count);
}

int64_t crowd_ask(struct crowd *crowd, const char *line, int last, double seconds)
{
    int64_t answers;

    snprintf(crowd->question, sizeof crowd->question, "%s", line);
    crowd->last_event = last;
    crowd->answers = 0;
    crowd_say(crowd, line);
    harness_run_loop(crowd->base, (int64_t)(seconds * 1e6));
    answers = crowd->answers;
    crowd->question[0] = '\0';
    harness_run_loop(crowd->base, LOOK_US);
    return answers;
}

int64_t crowd_storm(struct crowd *crowd)
{
    int64_t began_ms = mono_now_ms();

    for (struct guest *guest = crowd->guests; guest != NULL; guest = guest->next)
        wire_drop(guest->wire, WIRE_CLOSED_HERE);
    while (wire_hub_count(crowd->hub) > 0)
        event_base_loop(crowd->base, EVLOOP_ONCE);
    crowd->present = 0;
    crowd->is_storm = true;
    for (struct guest *guest = crowd->guests; guest != NULL; guest = guest->next)
        connect_guest(guest);
    await_present(crowd, crowd->wanted);
    crowd->is_storm = false;
    return mono_now_ms() - began_ms;
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
    for (int i = 0; i < CROWD_KEYS; i++)
        SSL_CTX_free(crowd->key_tls[i]);
    wire_hub_free(crowd->hub);
    SSL_CTX_free(crowd->tls);
    free(crowd);
}
