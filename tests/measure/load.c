/* See load.h. */
#include "tests/measure/load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <event2/event.h>
#include <openssl/ssl.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "tests/lib/harness.h"

enum {
    BOOKS = 16,
    BOOK_PLIES = 60,
    TICK_US = 1000,
    AT_A_TIME = 32,
    READY_MS = 60000,
    LINES_PER_TURN = 256
};

struct load {
    struct event_base *base;
    struct wire_hub *hub;
    SSL_CTX *tls;
    const struct load_dialect *dialect;
    struct load_pair *pair;
    int pairs, connected, up, ready, busy, port;
    struct random_game book[BOOKS];
    struct event *tick;
    bool is_running, is_leaving;
    int stop_ply; /* pairs stop at this ply; 0: a game is played to its end, then the
                   * next begins */
    double rate;
    int64_t began_us, issued, dropped;
    int64_t *sample;
    int samples, sample_room;
};

/* --- Connections --- */

static bool trust(void *arg, const struct tls_seen *seen)
{
    (void)arg;
    (void)seen;
    return true; /* our own server; a check would not change the handshake */
}

struct wire *load_connect(struct wire_hub *hub, SSL_CTX *tls, int port, unsigned number,
                          const struct wire_calls *calls, void *owner)
{
    struct sockaddr_in from = {.sin_family = AF_INET},
                       to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    struct wire *wire = NULL;

    from.sin_addr.s_addr = htonl(127u << 24 | (1 + number / 40000 % 250) << 16 |
                                 (number / 200 % 200) << 8 | (1 + number % 200));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&from, sizeof from) == 0 &&
        (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS))
        wire = wire_connect(hub, tls, fd, "localhost", trust, NULL, calls, owner);
    if (wire == NULL)
        log_die("bench cannot connect: %s", strerror(errno));
    return wire;
}

static void on_open(void *owner)
{
    struct load_end *end = owner;

    end->pair->load->dialect->on_open(end);
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct load_end *end = owner;

    (void)len;
    (void)now_ms;
    end->pair->load->dialect->on_line(end, line);
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct load_end *end = owner;

    if (!end->pair->load->is_leaving)
        log_die("bench lost a connection: %s (%s)", wire_why_name(why), detail);
    end->wire = NULL;
}

static const struct wire_calls calls = {
    .on_open = on_open, .on_line = on_line, .on_end = on_end};

void load_sayf(struct load_end *end, const char *format, ...)
{
    char text[512];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof text)
        log_die("bench line too long");
    wire_send(end->wire, text, (size_t)len);
}

void load_fail(struct load_end *end, const char *line)
{
    log_die("bench pair=%d end=%d ply=%d did not expect: %s", end->pair->number,
            end->number, end->pair->ply, line);
}

/* --- Lines --- */

static void send_next(struct load_pair *pair, int64_t due_us)
{
    pair->is_busy = true;
    pair->load->busy++;
    pair->has_answer = pair->has_sight = false;
    pair->sent_us = due_us;
    pair->load->dialect->send(pair);
}

/* Sends the next line of the pair, unless the pair cannot send one now. */
static void go_on(struct load_pair *pair)
{
    struct load *load = pair->load;

    if (!pair->is_ready || pair->is_busy ||
        (load->stop_ply > 0 && pair->ply >= load->stop_ply) ||
        (load->dialect->start_over != NULL && load->dialect->start_over(pair)))
        return;
    if (load->rate > 0 && pair->due > 0) {
        int64_t due_us = pair->due_us[0];

        pair->due--;
        memmove(pair->due_us, pair->due_us + 1, (size_t)pair->due * sizeof due_us);
        send_next(pair, due_us);
    } else if (load->is_running && load->rate <= 0) {
        send_next(pair, mono_now_us());
    }
}

static void keep_sample(struct load *load, int64_t took_us)
{
    if (load->samples == load->sample_room) {
        load->sample_room = load->sample_room == 0 ? 65536 : load->sample_room * 2;
        load->sample =
            mem_resize(load->sample, (size_t)load->sample_room, sizeof *load->sample);
    }
    load->sample[load->samples++] = took_us;
}

static void connect_some(struct load *load);

static void finish_line(struct load_pair *pair)
{
    if (!pair->has_answer || !pair->has_sight || !pair->is_busy)
        return;
    pair->is_busy = false;
    pair->load->busy--;
    if (pair->load->is_running)
        keep_sample(pair->load, pair->sight_us);
    go_on(pair);
}

void load_answered(struct load_pair *pair)
{
    pair->has_answer = true;
    finish_line(pair);
}

void load_seen(struct load_pair *pair)
{
    pair->has_sight = true;
    pair->sight_us = mono_now_us() - pair->sent_us;
    finish_line(pair);
}

void load_up(struct load_end *end)
{
    struct load_pair *pair = end->pair;

    pair->ends_up++;
    if (pair->ends_up < 2)
        return;
    pair->load->up++;
    connect_some(pair->load);
}

void load_ready(struct load_pair *pair)
{
    pair->load->ready += !pair->is_ready;
    pair->is_ready = true;
    go_on(pair);
}

/* Calculates how many lines should be sent by now. Gives the missing lines to the
 * pairs, one line to each pair in turn. If an earlier line of the pair is not complete,
 * the pair sends the new line later. Otherwise the pair sends the new line at once. */
static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct load *load = arg;
    int64_t now_us = mono_now_us();
    int64_t wanted = (int64_t)((double)(now_us - load->began_us) * load->rate / 1e6);

    (void)fd;
    (void)what;
    for (; load->is_running && load->issued < wanted; load->issued++) {
        struct load_pair *pair = &load->pair[load->issued % load->pairs];

        if (pair->due == LOAD_BACKLOG) {
            load->dropped++;
            continue;
        }
        pair->due_us[pair->due++] = now_us;
        go_on(pair);
    }
}

/* --- Runs --- */

void load_run(struct load *load, double seconds, double rate, struct load_result *out)
{
    struct timeval every = {.tv_usec = TICK_US};

    load->rate = rate;
    load->samples = 0;
    load->issued = load->dropped = 0;
    load->is_running = true;
    load->began_us = mono_now_us();
    if (rate > 0)
        event_add(load->tick, &every);
    for (int i = 0; i < load->pairs; i++)
        go_on(&load->pair[i]);
    harness_run_loop(load->base, (int64_t)(seconds * 1e6));
    out->seconds = (double)(mono_now_us() - load->began_us) / 1e6;
    out->lines = load->samples;
    load->is_running = false;
    event_del(load->tick);
    out->all = load->samples + load->busy;
    for (int i = 0; i < load->pairs; i++)
        load->pair[i].due = 0;
    while (load->busy > 0)
        event_base_loop(load->base, EVLOOP_ONCE);
    out->p50_us = harness_percentile(load->sample, load->samples, 50);
    out->p99_us = harness_percentile(load->sample, load->samples, 99);
    out->dropped = load->dropped;
}

static void add_pair(struct load *load, int number)
{
    struct load_pair *pair = &load->pair[number];

    pair->load = load;
    pair->number = number;
    pair->book = &load->book[number % BOOKS];
    for (int i = 0; i < 2; i++) {
        pair->end[i].pair = pair;
        pair->end[i].number = i;
        pair->end[i].wire =
            load_connect(load->hub, load->tls, load->port, (unsigned)(number * 2 + i),
                         &calls, &pair->end[i]);
    }
}

/* Connects more pairs. At most AT_A_TIME pairs may be connecting at the same time,
 * because the server's queue is limited. */
static void connect_some(struct load *load)
{
    while (load->connected < load->pairs && load->connected - load->up < AT_A_TIME)
        add_pair(load, load->connected++);
}

/* Waits until *count is equal to load->pairs. If *count does not increase for READY_MS,
 * ends the program. */
static void wait_for(struct load *load, const int *count, const char *what)
{
    int64_t by_ms = mono_now_ms() + READY_MS;
    int before = *count;

    while (*count < load->pairs && mono_now_ms() < by_ms) {
        event_base_loop(load->base, EVLOOP_ONCE);
        if (*count > before)
            by_ms = mono_now_ms() + READY_MS;
        before = *count;
    }
    if (*count < load->pairs)
        log_die("bench only %d of %d pairs %s", *count, load->pairs, what);
}

struct load *load_connect_all(struct event_base *base, const struct target *target,
                              int pairs, int plies)
{
    struct load *load = mem_new(sizeof *load);
    struct wire_limits limits = wire_limits_default();

    load->base = base;
    load->pairs = pairs;
    load->dialect = &load_dialects[target->kind];
    limits.lines_per_turn = LINES_PER_TURN;
    limits.handshake_ms = READY_MS; /* all pairs connect at once, so a handshake may
                                     * have to wait */
    load->hub = wire_hub_new(base, &limits);
    load->tls = target_client_ctx(NULL, NULL);
    load->tick = event_new(base, -1, EV_PERSIST, on_tick, load);
    load->pair = mem_new((size_t)pairs * sizeof *load->pair);
    for (int i = 0; i < BOOKS; i++)
        random_game_init(&load->book[i], (uint64_t)i + 1, plies);
    load->port = target->port;
    connect_some(load);
    wait_for(load, &load->up, "logged in");
    return load;
}

void load_begin(struct load *load)
{
    for (int i = 0; i < load->pairs; i++)
        load->dialect->begin(&load->pair[i]);
    wait_for(load, &load->ready, "got ready");
}

struct load *load_new(struct event_base *base, const struct target *target, int pairs)
{
    struct load *load = load_connect_all(base, target, pairs, BOOK_PLIES);

    load_begin(load);
    return load;
}

int64_t load_game(const struct load *load, int pair)
{
    return load->pair[pair].game;
}

void load_play_to(struct load *load, int plies)
{
    load->rate = 0;
    load->stop_ply = plies;
    load->is_running = true;
    for (int i = 0; i < load->pairs; i++)
        go_on(&load->pair[i]);
    while (load->busy > 0)
        event_base_loop(load->base, EVLOOP_ONCE);
    load->is_running = false;
    load->stop_ply = 0;
}

void load_free(struct load *load)
{
    load->is_leaving = true;
    for (int i = 0; i < load->pairs; i++)
        for (int e = 0; e < 2; e++)
            if (load->pair[i].end[e].wire != NULL)
                wire_drop(load->pair[i].end[e].wire, WIRE_CLOSED_HERE);
    while (wire_hub_count(load->hub) > 0)
        event_base_loop(load->base, EVLOOP_ONCE);
    for (int i = 0; i < BOOKS; i++)
        random_game_clear(&load->book[i]);
    wire_hub_free(load->hub);
    SSL_CTX_free(load->tls);
    event_free(load->tick);
    free(load->sample);
    free(load->pair);
    free(load);
}
