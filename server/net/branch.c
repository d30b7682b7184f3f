/* See branch.h. */
#include "server/net/branch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <utlist.h>

#include "common/base/base.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/net/wire_buffer.h"
#include "common/net/wire_turn.h"

enum {
    OUT_MAX = 256 * 1024, /* limit in bytes of the output that waits for the client */
    IN_MAX = 256 * 1024, /* the same for the client's lines that wait for the session */
    IN_HOLD = 4 * 1024,  /* if more bytes of input wait, the door is asked to stop
                          * reading from the client */
    LINK_FULL = 1024 * 1024, /* while the connection to the door has more unsent bytes,
                              * branches wait */
    LINES_PER_TURN = 32,
    PIECE_BYTES = 3000, /* bytes in one line of base64 */
    NUMBER_BYTES = 16   /* "4294967295 " */
};

/* An invalid line of the client is queued as one of these bytes. No valid line begins
 * with them. */
enum { MARK_TOO_LONG = 1, MARK_BAD_TEXT };

struct branch {
    struct branches *of;
    struct branch_hub *hub;
    uint32_t number;
    const struct wire_calls *calls;
    void *owner;
    size_t line_max;
    int64_t window; /* how many more bytes may be sent to the client now; negative after
                     * a long line */
    int lag_ms;     /* lag between the client and the door, which the door has
                     * reported */
    struct wire_buffer out, in;
    struct wire_turn_member member;
    bool is_open; /* on_open was called */
    bool is_held;
    bool is_throttled; /* the door was asked not to read from the client */
    bool is_waiting;   /* in the list of those that wait for the link */
    bool is_closing, is_ended;
    bool has_gone;
    bool wants_drain;
    bool has_key;
    enum wire_why why;
    struct tls_key key;
    char address[PREFIX_TEXT_BYTES];
    UT_hash_handle hh;
    struct branch *prev, *next; /* in branches->waiting */
};

struct branches {
    struct branch_hub *hub;
    struct wire *wire; /* NULL after the link's end */
    struct branch *by_number;
    struct branch *waiting; /* branches that wait for room in the wire */
    int live;               /* branches that are not freed */
    uint32_t last_mirror;
};

struct branch_hub {
    struct wire_turn turn;
    int count;
};

static void enlist(struct branch *branch, enum wire_turn_work work)
{
    wire_turn_add(&branch->hub->turn, &branch->member, work);
}

static void set_behind(struct branch *branch, bool is_behind)
{
    wire_turn_set_behind(&branch->hub->turn, &branch->member, is_behind);
}

/* --- The link --- */

static void stop_waiting(struct branch *branch)
{
    if (branch->is_waiting)
        DL_DELETE(branch->of->waiting, branch);
    branch->is_waiting = false;
}

/* True: the link accepts more output. Otherwise the branch is added to the list of
 * those that wait for the link. */
static bool has_room(struct branch *branch)
{
    if (wire_unsent_bytes(branch->of->wire) <= LINK_FULL)
        return true;
    if (!branch->is_waiting)
        DL_APPEND(branch->of->waiting, branch);
    branch->is_waiting = true;
    wire_want_drain(branch->of->wire);
    return false;
}

static void say(struct branch *branch, const char *word)
{
    char line[NUMBER_BYTES + 16];
    struct text text = text_into(line, sizeof line);

    text_addf(&text, "%s %u\n", word, (unsigned)branch->number);
    wire_send(branch->of->wire, line, text.len);
}

/* Sends whole lines, each with the branch's number in front, until the window is used
 * up or the link is full. Returns how many of the given bytes were sent. */
static size_t send_lines(struct branch *branch, const char *bytes, size_t len)
{
    char number[NUMBER_BYTES];
    struct text head = text_into(number, sizeof number);
    size_t sent = 0;

    text_add_int(&head, branch->number);
    text_add(&head, " ");
    while (sent < len && branch->window > 0 && has_room(branch)) {
        const char *end = memchr(bytes + sent, '\n', len - sent);
        size_t line = (size_t)(end + 1 - (bytes + sent));

        wire_send(branch->of->wire, number, head.len);
        wire_send(branch->of->wire, bytes + sent, line);
        branch->window -= (int64_t)line;
        sent += line;
    }
    return sent;
}

/* --- Ends --- */

/* Ends the branch, for the reason `why`. No other function ends one. */
static void end(struct branch *branch, enum wire_why why)
{
    if (branch->is_ended)
        return;
    branch->is_ended = true;
    branch->why = why;
    wire_buffer_clear(&branch->in);
    wire_buffer_clear(&branch->out);
    set_behind(branch, false);
    stop_waiting(branch);
    HASH_DEL(branch->of->by_number, branch);
    enlist(branch, WIRE_TURN_END);
}

/* Ends the branch, and asks the door to close the client's connection. */
static void close_here(struct branch *branch, enum wire_why why)
{
    say(branch, "close");
    end(branch, why);
}

static void free_if_unused(struct branches *branches)
{
    if (branches->wire == NULL && branches->live == 0)
        free(branches);
}

static void on_turn_end(void *owner)
{
    struct branch *branch = owner;

    branch->calls->on_end(branch->owner, branch->why, wire_why_name(branch->why));
    branch->hub->count--;
    branch->of->live--;
    free_if_unused(branch->of);
    free(branch);
}

/* --- Output --- */

static void flush(void *owner)
{
    struct branch *branch = owner;
    struct wire_buffer *out = &branch->out;

    if (branch->is_ended)
        return;
    wire_buffer_take(out, send_lines(branch, wire_buffer_head(out), out->len));
    if (out->len > 0)
        return;
    wire_buffer_clear(out);
    if (branch->is_closing)
        close_here(branch, WIRE_CLOSED_HERE);
    else if (branch->wants_drain)
        enlist(branch, WIRE_TURN_DRAIN);
}

void branch_send(struct branch *branch, const char *bytes, size_t len)
{
    size_t sent = 0;

    if (branch->is_ended || branch->is_closing || len == 0)
        return;
    if (branch->out.len == 0)
        sent = send_lines(branch, bytes, len);
    if (sent == len)
        return;
    wire_buffer_add(&branch->out, bytes + sent, len - sent);
    branch->wants_drain = true;
    if (branch->out.len > OUT_MAX)
        close_here(branch, WIRE_TOO_SLOW);
}

void branch_send_bytes(struct branch *branch, const char *bytes, size_t len)
{
    char line[PIECE_BYTES / 3 * 4 + 2];

    for (size_t at = 0; at < len; at += PIECE_BYTES) {
        size_t size = len - at < PIECE_BYTES ? len - at : PIECE_BYTES;
        int coded = EVP_EncodeBlock((unsigned char *)line,
                                    (const unsigned char *)bytes + at, (int)size);

        line[coded] = '\n';
        branch_send(branch, line, (size_t)coded + 1);
    }
}

size_t branch_unsent_bytes(const struct branch *branch)
{
    return branch->out.len;
}

void branch_want_drain(struct branch *branch)
{
    branch->wants_drain = true;
    if (!branch->is_ended && branch->out.len == 0)
        enlist(branch, WIRE_TURN_FLUSH);
}

void branch_take_room(struct branch *branch, size_t bytes)
{
    branch->window += (int64_t)bytes;
    if (branch->window > BRANCH_WINDOW)
        branch->window = BRANCH_WINDOW;
    if (branch->out.len > 0)
        enlist(branch, WIRE_TURN_FLUSH);
}

void branches_drain(struct branches *branches)
{
    struct branch *list = branches->waiting, *branch, *next;

    branches->waiting = NULL;
    DL_FOREACH_SAFE (list, branch, next) {
        branch->is_waiting = false;
        enlist(branch, WIRE_TURN_FLUSH);
    }
}

static void on_turn_drain(void *owner)
{
    struct branch *branch = owner;

    branch->wants_drain = false;
    branch->calls->on_drain(branch->owner);
    if (branch->in.len > 0)
        set_behind(branch, true);
}

/* --- Input --- */

/* True while on_line must not be called: on_open has not been called yet, the owner
 * holds the branch, or the client does not read its output. */
static bool is_stopped(const struct branch *branch)
{
    return branch->is_held || !branch->is_open || branch->out.len > OUT_MAX / 2;
}

/* Passes a line of the client, without its LF, to the owner. */
static void give(struct branch *branch, char *line, size_t len, int64_t now_ms)
{
    if (line[0] == MARK_BAD_TEXT)
        branch->calls->on_bad_line(branch->owner, WIRE_BAD_TEXT);
    else if (line[0] == MARK_TOO_LONG || len > branch->line_max)
        branch->calls->on_bad_line(branch->owner, WIRE_LINE_TOO_LONG);
    else
        branch->calls->on_line(branch->owner, line, len, now_ms);
}

/* Queues a line of the client, without its LF, until the owner can take it. */
static void keep(struct branch *branch, const char *line, size_t len)
{
    wire_buffer_add(&branch->in, line, len);
    wire_buffer_add(&branch->in, "\n", 1);
    if (branch->in.len > IN_MAX) {
        close_here(branch, WIRE_FLOOD);
        return;
    }
    if (branch->in.len > IN_HOLD && !branch->is_throttled) {
        branch->is_throttled = true;
        say(branch, "hold");
    }
    if (!is_stopped(branch))
        set_behind(branch, true);
}

void branch_take_line(struct branch *branch, char *line, size_t len, int64_t now_ms)
{
    if (branch->is_closing)
        return;
    if (branch->in.len == 0 && !is_stopped(branch))
        give(branch, line, len, now_ms);
    else
        keep(branch, line, len);
}

void branch_take_bad(struct branch *branch, enum wire_why why)
{
    char mark[2] = {why == WIRE_BAD_TEXT ? MARK_BAD_TEXT : MARK_TOO_LONG, '\0'};

    branch_take_line(branch, mark, 1, mono_now_ms());
}

void branch_take_end(struct branch *branch)
{
    branch->has_gone = true;
    end(branch, WIRE_CLOSED_THERE);
}

static void open_up(struct branch *branch)
{
    branch->is_open = true;
    branch->calls->on_open(branch->owner);
}

/* Passes the first queued line of the client to the owner. */
static void give_first(struct branch *branch, int64_t now_ms)
{
    char line[PROTO_LINE_MAX + 64];
    const char *head = wire_buffer_head(&branch->in);
    const char *lf = memchr(head, '\n', branch->in.len);
    size_t len = (size_t)(lf - head);

    assert(len < sizeof line);
    memcpy(line, head, len);
    line[len] = '\0';
    wire_buffer_take(&branch->in, len + 1);
    give(branch, line, len, now_ms);
}

/* Calls on_open if that was not done yet, and then passes queued lines of the client to
 * the owner. */
static void catch_up(void *owner)
{
    struct branch *branch = owner;
    int64_t now_ms = mono_now_ms();

    if (!branch->is_open && !branch->is_ended)
        open_up(branch);
    for (int left = LINES_PER_TURN;
         left > 0 && branch->in.len > 0 && !is_stopped(branch) && !branch->is_closing;
         left--)
        give_first(branch, now_ms);
    if (branch->is_ended)
        return;
    if (branch->in.len == 0 && branch->is_throttled) {
        branch->is_throttled = false;
        say(branch, "free");
    }
    if (branch->in.len == 0)
        wire_buffer_clear(&branch->in);
    else if (!is_stopped(branch))
        set_behind(branch, true);
}

void branch_hold(struct branch *branch, bool is_held)
{
    branch->is_held = is_held;
    if (!branch->is_ended && branch->in.len > 0 && !is_stopped(branch))
        set_behind(branch, true);
}

/* --- Mirrors --- */

struct branches *branch_link(const struct branch *branch)
{
    return branch->of;
}

void *branch_owner(const struct branch *branch)
{
    return branch->owner;
}

uint32_t branches_new_mirror(struct branches *branches)
{
    return ++branches->last_mirror;
}

static void say_mirror(struct branch *branch, const char *word, uint32_t mirror)
{
    char line[2 * NUMBER_BYTES + 16];
    struct text text = text_into(line, sizeof line);

    if (branch->is_ended || branch->is_closing)
        return;
    text_addf(&text, "%s %u %u\n", word, (unsigned)branch->number, (unsigned)mirror);
    wire_send(branch->of->wire, line, text.len);
}

void branch_join(struct branch *branch, uint32_t mirror)
{
    say_mirror(branch, "join", mirror);
}

void branch_part(struct branch *branch, uint32_t mirror)
{
    say_mirror(branch, "part", mirror);
}

bool branches_send_all(struct branches *branches, uint32_t mirror, const char *line,
                       size_t len)
{
    char head[NUMBER_BYTES + 8];
    struct text text = text_into(head, sizeof head);

    if (branches->wire == NULL)
        return true; /* the link has ended, so no branch is in the mirror */
    if (wire_unsent_bytes(branches->wire) > LINK_FULL)
        return false;
    text_addf(&text, "all %u ", (unsigned)mirror);
    wire_send(branches->wire, head, text.len);
    wire_send(branches->wire, line, len);
    return true;
}

/* --- The rest of a wire --- */

void branch_close(struct branch *branch)
{
    if (branch->is_ended || branch->is_closing)
        return;
    branch->is_closing = true;
    set_behind(branch, false);
    wire_buffer_clear(&branch->in);
    if (branch->out.len == 0)
        close_here(branch, WIRE_CLOSED_HERE);
}

bool branch_peer_has_gone(const struct branch *branch)
{
    return branch->has_gone;
}

const struct tls_key *branch_peer_key(const struct branch *branch)
{
    return branch->has_key ? &branch->key : NULL;
}

int branch_round_trip_ms(const struct branch *branch)
{
    const struct wire *wire = branch->of->wire;

    return branch->lag_ms + (wire == NULL ? 0 : wire_round_trip_ms(wire));
}

void branch_take_lag(struct branch *branch, int lag_ms)
{
    branch->lag_ms = lag_ms;
}

const char *branch_peer_address(const struct branch *branch)
{
    return branch->address;
}

void branch_set_line_max(struct branch *branch, size_t bytes)
{
    branch->line_max = bytes;
}

/* --- Making --- */

struct branch *branch_new(struct branches *branches, const struct branch_client *client,
                          const struct wire_calls *calls, void *owner)
{
    struct branch *branch;

    if (branch_find(branches, client->number) != NULL)
        return NULL;
    branch = mem_new(sizeof *branch);
    branch->of = branches;
    branch->hub = branches->hub;
    branch->number = client->number;
    prefix_format(branch->address, &client->from);
    branch->calls = calls;
    branch->owner = owner;
    branch->line_max = PROTO_LINE_LOGIN_MAX;
    branch->window = BRANCH_WINDOW;
    branch->member.owner = branch;
    branch->has_key = client->key != NULL;
    if (branch->has_key)
        branch->key = *client->key;
    HASH_ADD(hh, branches->by_number, number, sizeof branch->number, branch);
    branch->hub->count++;
    branches->live++;
    set_behind(branch, true);
    return branch;
}

struct branch *branch_find(const struct branches *branches, uint32_t number)
{
    struct branch *branch;

    HASH_FIND(hh, branches->by_number, &number, sizeof number, branch);
    return branch;
}

int branches_count(const struct branches *branches)
{
    return (int)HASH_COUNT(branches->by_number);
}

size_t branches_unsent_bytes(const struct branches *branches)
{
    size_t bytes = 0;

    for (const struct branch *b = branches->by_number; b != NULL; b = b->hh.next)
        bytes += b->out.len;
    return bytes;
}

struct branches *branches_new(struct branch_hub *hub, struct wire *wire)
{
    struct branches *branches = mem_new(sizeof *branches);

    branches->hub = hub;
    branches->wire = wire;
    return branches;
}

void branches_cut(struct branches *branches)
{
    while (branches->by_number != NULL)
        branch_take_end(branches->by_number);
    branches->wire = NULL;
    free_if_unused(branches);
}

struct branch_hub *branch_hub_new(struct event_base *base)
{
    static const struct wire_turn_calls calls = {.flush = flush,
                                                 .drain = on_turn_drain,
                                                 .end = on_turn_end,
                                                 .catch_up = catch_up};
    struct branch_hub *hub = mem_new(sizeof *hub);

    wire_turn_init(&hub->turn, base, &calls);
    return hub;
}

void branch_hub_free(struct branch_hub *hub)
{
    if (hub == NULL)
        return;
    assert(hub->count == 0);
    wire_turn_clear(&hub->turn);
    free(hub);
}
