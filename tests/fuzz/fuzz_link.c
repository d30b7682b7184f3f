/* Tests the code for links (link.h, branch.h) with a hostile door. A door is a node
 * that accepts clients and forwards their lines to the house. The house is the server
 * that has the games. One connection, the link, carries the lines of all clients of the
 * door. The hostile door has the right key, but its lines can have any content. Even
 * then, the house must open each client at most once and end each client exactly once,
 * and the unsent output must stay within the limits. The functions below replace the
 * functions of wire.c. The first letter of a client's line says what its session
 * does. */
#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/utf8.h"
#include "common/net/wire.h"
#include "server/base/prefix.h"
#include "server/net/branch.h"
#include "server/net/link.h"
#include "tests/fuzz/fuzz.h"

enum {
    CLIENTS_MAX = 64,
    OUT_MAX = 512 * 1024, /* the most unsent bytes of one client: the limit of a branch
                           * plus one long line */
    LONG_BYTES = 3000
};

struct wire {
    const struct wire_calls *calls;
    void *owner;
    size_t unsent;
    bool ends_line; /* the bytes sent so far end with LF */
    bool is_dropped;
};

struct client {
    struct branch *branch;
    bool is_open, is_over;
};

struct house {
    struct client client[CLIENTS_MAX];
    int count;
};

/* --- The wire --- */

void wire_set_owner(struct wire *wire, const struct wire_calls *calls, void *owner)
{
    wire->calls = calls;
    wire->owner = owner;
}

void wire_set_limits(struct wire *wire, const struct wire_limits *limits)
{
    fuzz_require(limits->line_max > 0);
}

struct wire_limits wire_limits_default(void)
{
    return (struct wire_limits){.line_max = 4096};
}

void wire_send(struct wire *wire, const char *bytes, size_t len)
{
    fuzz_require(len > 0);
    wire->unsent += len;
    wire->ends_line = bytes[len - 1] == '\n';
}

size_t wire_unsent_bytes(const struct wire *wire)
{
    return wire->unsent;
}

void wire_want_drain(struct wire *wire)
{
}

void wire_drop(struct wire *wire, enum wire_why why)
{
    wire->is_dropped = true; /* its owner is told in a later turn of the loop */
}

const char *wire_peer_address(const struct wire *wire)
{
    return "127.0.0.1";
}

int wire_round_trip_ms(const struct wire *wire)
{
    return 1;
}

const char *wire_why_name(enum wire_why why)
{
    return "closed";
}

/* --- Sessions --- */

static void answer_long(struct client *client)
{
    char line[LONG_BYTES];

    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    branch_send(client->branch, line, sizeof line);
}

static void on_client_open(void *owner)
{
    struct client *client = owner;

    fuzz_require(!client->is_open && !client->is_over);
    client->is_open = true;
    branch_send(client->branch, "* janggi/1\n", 11);
}

static void on_client_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct client *client = owner;

    fuzz_require(client->is_open && !client->is_over && strlen(line) == len);
    fuzz_require(len <= 4096 && utf8_is_showable(line, len));
    if (line[0] == 'h')
        branch_hold(client->branch, true);
    else if (line[0] == 'c')
        branch_close(client->branch);
    else if (line[0] == 'w')
        branch_want_drain(client->branch);
    else if (line[0] == 'j')
        branch_join(client->branch, branches_new_mirror(branch_link(client->branch)));
    else if (line[0] == 'p')
        branch_send_bytes(client->branch, line, len);
    else
        answer_long(client);
    fuzz_require(branch_unsent_bytes(client->branch) <= OUT_MAX);
    fuzz_require(branch_round_trip_ms(client->branch) <= LINK_LAG_MS_MOST + 1);
}

static void on_client_bad(void *owner, enum wire_why why)
{
    struct client *client = owner;

    fuzz_require(client->is_open && !client->is_over);
    fuzz_require(why == WIRE_BAD_TEXT || why == WIRE_LINE_TOO_LONG);
}

static void on_client_drain(void *owner)
{
    struct client *client = owner;

    fuzz_require(!client->is_over);
    branch_hold(client->branch, false);
}

static void on_client_end(void *owner, enum wire_why why, const char *detail)
{
    struct client *client = owner;

    fuzz_require(!client->is_over);
    client->is_over = true;
}

static bool on_open(void *arg, struct branches *branches,
                    const struct branch_client *from, int64_t now_ms)
{
    static const struct wire_calls calls = {.on_open = on_client_open,
                                            .on_line = on_client_line,
                                            .on_bad_line = on_client_bad,
                                            .on_drain = on_client_drain,
                                            .on_end = on_client_end};
    struct house *house = arg;
    struct client *client = &house->client[house->count];

    if (house->count == CLIENTS_MAX)
        return false;
    client->branch = branch_new(branches, from, &calls, client);
    fuzz_require(client->branch != NULL);
    house->count++;
    return true;
}

static void on_begin(void *arg, struct link *link, int64_t now_ms)
{
    struct prefix network;

    if (prefix_parse("192.0.2.0/24", &network))
        link_refuse(link, ADMISSION_BAN, &network, INT64_MAX);
}

static void on_late(void *arg, void *owner, int64_t game, int event)
{
    const struct client *client = owner;

    fuzz_require(!client->is_over && game >= 0 && event >= 0);
}

static void on_use(void *arg, const struct prefix *from, const char *use,
                   int64_t now_ms)
{
    char text[PREFIX_TEXT_BYTES];

    prefix_format(text, from);
    fuzz_require(use != NULL);
}

/* --- The door --- */

/* Passes a line from the door to the code of the house. False: the line is invalid or
 * too long; the caller must then end the door's connection. */
static bool give(struct wire *wire, char *line)
{
    size_t len = strlen(line);

    if (len > link_limits()->line_max || !utf8_is_showable(line, len))
        return false;
    wire->calls->on_line(wire->owner, line, len, mono_now_ms());
    fuzz_require(wire->ends_line);
    return true;
}

/* Handles an empty line of the input: treats all output as received by the door, and
 * runs the loop once. */
static void turn(struct wire *wire, struct event_base *base)
{
    wire->unsent = 0;
    wire->calls->on_drain(wire->owner);
    event_base_loop(base, EVLOOP_NONBLOCK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct link_calls calls = {
        .on_begin = on_begin, .on_open = on_open, .on_late = on_late, .on_use = on_use};
    static struct event_base *base;
    struct house house = {.count = 0};
    struct wire wire = {.unsent = 0};
    struct links *links;
    char *text = fuzz_text(data, size), *line = text, *end;

    log_set_level(LOG_FATAL);
    if (base == NULL)
        base = event_base_new();
    links = links_new(base, &calls, &house);
    links_take(links, &wire);
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (line == end)
            turn(&wire, base);
        else if (!give(&wire, line))
            break;
    }
    links_drop(links);
    fuzz_require(wire.is_dropped);
    wire.calls->on_end(wire.owner, WIRE_CLOSED_HERE, "");
    event_base_loop(base, EVLOOP_NONBLOCK);
    for (int i = 0; i < house.count; i++)
        fuzz_require(house.client[i].is_over);
    links_free(links);
    free(text);
    return 0;
}
