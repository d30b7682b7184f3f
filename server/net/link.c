/* See link.h. */
#include "server/net/link.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "server/base/prefix.h"
#include "server/base/timer.h"
#include "server/net/branch.h"

struct link {
    struct links *of;
    struct wire *wire;
    int64_t heard_ms;
    struct branches *branches;
    struct link *prev, *next;
};

struct links {
    struct branch_hub *hub;
    const struct link_calls *calls;
    void *arg;
    struct event *tick;
    struct link *list;
    int count;
};

enum {
    FULL = 1024 * 1024,     /* while a link has more unsent bytes, no "deny" is sent
                             * over it */
    LOOK_MS = 1000,         /* how often the house looks for silent links */
    SILENCE_MS = 15 * 1000, /* a link that brings no line for this time is ended; doors
                             * send a ping every two seconds */
};

const struct wire_limits *link_limits(void)
{
    static struct wire_limits limits; /* constant after the first call */

    if (limits.line_max != 0)
        return &limits;
    limits = wire_limits_default();
    limits.line_max = PROTO_LINE_MAX + 64;
    limits.queue_max = 64 * 1024 * 1024; /* room for LINK_FULL and a line of each
                                          * client */
    limits.lines_per_turn = 512; /* one link carries the lines of many clients */
    limits.turn_us = 5000;
    limits.stuck_ms = 10 * 1000;
    return &limits;
}

/* --- Words --- */

bool link_parse_number(char *line, uint32_t *number, char **rest)
{
    uint64_t value = 0;
    char *at = line;

    for (; *at >= '0' && *at <= '9' && value <= UINT32_MAX; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    if (at == line || value > UINT32_MAX || (*at != ' ' && *at != '\0'))
        return false;
    *number = (uint32_t)value;
    *rest = *at == ' ' ? at + 1 : at;
    return true;
}

bool link_parse_span(const char *word, int64_t *span_ms)
{
    *span_ms = INT64_MAX;
    return strcmp(word, "ever") == 0 || text_to_int(word, 0, INT64_MAX / 2, span_ms);
}

void link_key_format(char out[LINK_KEY_TEXT_BYTES], const struct tls_key *key)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < TLS_DIGEST_BYTES; i++) {
        out[2 * i] = digits[key->digest[i] >> 4];
        out[2 * i + 1] = digits[key->digest[i] & 15];
    }
    out[LINK_KEY_TEXT_BYTES - 1] = '\0';
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool parse_key(const char *text, struct tls_key *key)
{
    if (strlen(text) != LINK_KEY_TEXT_BYTES - 1)
        return false;
    for (size_t i = 0; i < TLS_DIGEST_BYTES; i++) {
        int high = digit_value(text[2 * i]), low = digit_value(text[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        key->digest[i] = (unsigned char)(high * 16 + low);
    }
    return true;
}

/* --- What a door says --- */

static void refuse(struct link *link, uint32_t number)
{
    char line[48];
    struct text text = text_into(line, sizeof line);

    text_add(&text, "close ");
    text_add_int(&text, number);
    text_add(&text, " refused\n");
    wire_send(link->wire, line, text.len);
}

/* Makes a session, on a new branch, for the client that the door reports as connected.
 * words: "from=ADDRESS [key=HEX] [web=1] [back=1] [page=1]". */
static void open_client(struct link *link, uint32_t number, char *words, int64_t now_ms)
{
    struct branch_client client = {.number = number};
    struct tls_key key;
    bool has_from = false;
    char *word;

    while ((word = strsep(&words, " ")) != NULL) {
        if (strncmp(word, "from=", 5) == 0)
            has_from = prefix_parse(word + 5, &client.from);
        else if (strncmp(word, "key=", 4) == 0 && parse_key(word + 4, &key))
            client.key = &key;
        else if (strcmp(word, "web=1") == 0)
            client.is_web = true;
        else if (strcmp(word, "back=1") == 0)
            client.is_back = true;
        else if (strcmp(word, "page=1") == 0)
            client.is_page = true;
    }
    if (!has_from || branch_find(link->branches, number) != NULL ||
        !link->of->calls->on_open(link->of->arg, link->branches, &client, now_ms))
        refuse(link, number);
}

/* Takes the door's report that the client lacks the events of game GAME from number
 * EVENT on. words: "GAME EVENT". */
static void take_late(struct link *link, const struct branch *branch, char *words)
{
    const char *game_word = strsep(&words, " ");
    int64_t game, event;

    if (words != NULL && text_to_int(game_word, 0, INT64_MAX, &game) &&
        text_to_int(words, 0, PROTO_EVENTS_MAX, &event))
        link->of->calls->on_late(link->of->arg, branch_owner(branch), game, (int)event);
}

static void take_room(struct branch *branch, const char *words)
{
    int64_t bytes;

    if (text_to_int(words, 0, BRANCH_WINDOW * 4, &bytes))
        branch_take_room(branch, (size_t)bytes);
}

static void take_lag(struct branch *branch, const char *words)
{
    int64_t ms;

    if (text_to_int(words, 0, LINK_LAG_MS_MOST, &ms))
        branch_take_lag(branch, (int)ms);
}

/* Takes the door's report about a connection whose lines it did not pass to this node
 * (see "used" in link.h). words: "ADDRESS USE". */
static void take_use(struct link *link, char *words, int64_t now_ms)
{
    const char *address = strsep(&words, " ");
    struct prefix from;

    if (words != NULL && prefix_parse(address, &from))
        link->of->calls->on_use(link->of->arg, &from, words, now_ms);
}

/* Takes a report of the door. It may name a branch that has ended here, because the
 * door has not heard of that end yet. */
static void take_report(struct link *link, const char *word, char *words,
                        int64_t now_ms)
{
    struct branch *branch;
    uint32_t number;
    char *rest;

    if (strcmp(word, "ping") == 0)
        wire_send(link->wire, "pong\n", 5);
    else if (words != NULL && strcmp(word, "used") == 0)
        take_use(link, words, now_ms);
    if (words == NULL || !link_parse_number(words, &number, &rest))
        return;
    branch = branch_find(link->branches, number);
    if (strcmp(word, "open") == 0)
        open_client(link, number, rest, now_ms);
    else if (branch == NULL)
        return;
    else if (strcmp(word, "took") == 0)
        take_room(branch, rest);
    else if (strcmp(word, "far") == 0)
        take_lag(branch, rest);
    else if (strcmp(word, "gone") == 0)
        branch_take_end(branch);
    else if (strcmp(word, "late") == 0)
        take_late(link, branch, rest);
    else if (strcmp(word, "bad") == 0)
        branch_take_bad(branch,
                        strcmp(rest, "text") == 0 ? WIRE_BAD_TEXT : WIRE_LINE_TOO_LONG);
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct link *link = owner;
    struct branch *branch;
    uint32_t number;
    char *rest;

    link->heard_ms = now_ms;
    if (!link_parse_number(line, &number, &rest)) {
        char *word = strsep(&line, " ");

        take_report(link, word, line, now_ms);
        return;
    }
    branch = branch_find(link->branches, number);
    if (branch != NULL)
        branch_take_line(branch, rest, len - (size_t)(rest - line), now_ms);
}

static void on_drain(void *owner)
{
    struct link *link = owner;

    branches_drain(link->branches);
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct link *link = owner;

    log_warn("link from=%s closed why=%s detail=\"%s\" clients=%d",
             wire_peer_address(link->wire), wire_why_name(why), detail,
             branches_count(link->branches));
    branches_cut(link->branches);
    DL_DELETE(link->of->list, link);
    link->of->count--;
    free(link);
}

/* --- Life --- */

void links_take(struct links *links, struct wire *wire)
{
    static const struct wire_calls calls = {
        .on_line = on_line, .on_drain = on_drain, .on_end = on_end};
    struct link *link = mem_new(sizeof *link);

    link->of = links;
    link->wire = wire;
    link->heard_ms = mono_now_ms();
    link->branches = branches_new(links->hub, wire);
    DL_APPEND(links->list, link);
    links->count++;
    wire_set_owner(wire, &calls, link);
    wire_set_limits(wire, link_limits());
    wire_send(wire, LINK_GREETING "\n", strlen(LINK_GREETING) + 1);
    log_info("link from=%s open", wire_peer_address(wire));
    links->calls->on_begin(links->arg, link, link->heard_ms);
}

/* Ends the links of silent doors. Such a door is frozen or cut off, and its players
 * then count as absent. */
static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct links *links = arg;
    int64_t now_ms = mono_now_ms();
    struct link *link;

    (void)fd;
    (void)what;
    DL_FOREACH (links->list, link)
        if (now_ms - link->heard_ms > SILENCE_MS)
            wire_drop(link->wire, WIRE_TIMEOUT);
}

void link_refuse(struct link *link, enum admission_refusal kind,
                 const struct prefix *network, int64_t for_ms)
{
    char line[PREFIX_TEXT_BYTES + 48], name[PREFIX_TEXT_BYTES];
    struct text text = text_into(line, sizeof line);

    if (kind == ADMISSION_DENY && wire_unsent_bytes(link->wire) > FULL)
        return; /* the door need not know the network: the house also refuses its
                 * clients */
    prefix_format(name, network);
    text_addf(&text, "%s %s ", kind == ADMISSION_BAN ? "ban" : "deny", name);
    if (for_ms == INT64_MAX)
        text_add(&text, "ever");
    else
        text_add_int(&text, for_ms);
    text_add(&text, "\n");
    wire_send(link->wire, line, text.len);
}

void links_refuse(struct links *links, enum admission_refusal kind,
                  const struct prefix *network, int64_t for_ms)
{
    struct link *link;

    DL_FOREACH (links->list, link)
        link_refuse(link, kind, network, for_ms);
}

void links_drop(struct links *links)
{
    struct link *link;

    DL_FOREACH (links->list, link)
        wire_drop(link->wire, WIRE_CLOSED_HERE);
}

int links_count(const struct links *links)
{
    return links->count;
}

bool links_has_from(const struct links *links, const struct prefix *network)
{
    struct prefix address;
    const struct link *link;

    DL_FOREACH (links != NULL ? links->list : NULL, link)
        if (prefix_parse(wire_peer_address(link->wire), &address) &&
            prefix_contains(network, &address))
            return true;
    return false;
}

int links_count_clients(const struct links *links)
{
    const struct link *link;
    int count = 0;

    DL_FOREACH (links->list, link)
        count += branches_count(link->branches);
    return count;
}

size_t links_unsent_bytes(const struct links *links)
{
    const struct link *link;
    size_t bytes = 0;

    DL_FOREACH (links->list, link)
        bytes += wire_unsent_bytes(link->wire) + branches_unsent_bytes(link->branches);
    return bytes;
}

struct links *links_new(struct event_base *base, const struct link_calls *calls,
                        void *arg)
{
    struct links *links = mem_new(sizeof *links);

    links->tick = timer_repeat(base, LOOK_MS, on_tick, links);
    links->hub = branch_hub_new(base);
    links->calls = calls;
    links->arg = arg;
    return links;
}

void links_free(struct links *links)
{
    if (links == NULL)
        return;
    assert(links->list == NULL);
    event_free(links->tick);
    branch_hub_free(links->hub);
    free(links);
}
