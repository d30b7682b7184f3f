/* See relay.h. */
#include "server/net/relay.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <utlist.h>

#include "common/base/address.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/net/resolve.h"
#include "common/system/fd.h"
#include "server/admission/admission.h"
#include "server/base/budget.h"
#include "server/base/prefix.h"
#include "server/base/timer.h"
#include "server/net/branch.h"
#include "server/net/identity.h"
#include "server/net/link.h"
#include "server/net/session.h"
#include "server/net/trail.h"

enum {
    TICK_MS = 250,           /* between two attempts to connect */
    PING_MS = 2000,          /* between two pings */
    SILENCE_MS = 6000,       /* the link is ended after this time without a line */
    UNANSWERED_MS = 15000,   /* the link is ended after this time without an answer to a
                              * ping; other lines may delay the answer */
    PATIENCE_MS = 20 * 1000, /* how long a client that lost the house (the node with the
                              * games) waits for a new one */
    LINK_FULL = 1024 * 1024, /* when the link has more bytes of unsent output, clients
                              * wait */
    USES_PER_S = 500,        /* limit of the "used" lines (link.h) that are sent to the
                              * house in a second */
    PLACE_BYTES = 300,
    HOST_BYTES = 256,
    PORT_BYTES = 8
};

enum relay_state {
    RELAY_DOWN,
    RELAY_RESOLVING,
    RELAY_CONNECTING, /* connecting, or waiting for the greeting */
    RELAY_UP
};

/* The reasons why this node does not read from a client, as bits. */
enum {
    HELD_BY_HOUSE = 1,
    HELD_FOR_LINK = 2,
    HELD_FOR_HOUSE = 4,
    HELD_FOR_ANSWER = 8 /* until the house has answered its request for a page */
};

/* One game, and the clients who watch it and have received all its events so far. The
 * house sends each event once for all of them. */
struct mirror {
    uint32_t number;
    struct membership *members;
    UT_hash_handle hh;
};

/* One client's place in a mirror: the client reads the game through the mirror. */
struct membership {
    struct mirror *mirror;
    struct relayed *relayed;
    struct membership *prev, *next;               /* in the list of the mirror */
    struct membership *client_prev, *client_next; /* in the list of the client */
};

struct relayed {
    struct relay *of;
    struct session *session;
    uint32_t number; /* number of the client on the present link */
    unsigned held;
    bool is_page;     /* the client made an HTTP request; it has no trail */
    bool is_answered; /* the answer to the request has begun */
    bool is_lost;     /* its house is ending or was lost; the client waits for the next
                       * one */
    bool owes_moved;  /* the client has not been told yet that the games moved */
    int64_t since_ms; /* when the house was lost */
    int lag_ms;       /* the lag that was last reported to the house */
    size_t taken;     /* bytes that the client has received since the last report to the
                       * house */
    struct trail *trail;
    struct membership *memberships;
    UT_hash_handle hh;
};

struct relay {
    struct event_base *base;
    struct admission *admission;
    const struct identity *identity;
    relay_unanswered_fn *on_unanswered;
    void *arg;
    struct wire_hub *hub;
    struct event *tick;
    enum relay_state state;
    char place[PLACE_BYTES]; /* "HOST:PORT" of the house; "": unknown */
    struct resolve *resolve;
    struct wire *wire; /* NULL: no link */
    bool is_own;       /* this node has become the house, and relays its clients to
                        * itself; the link ends when no client is relayed any more */
    unsigned attempts;
    bool is_stopping;
    int64_t heard_ms, pinged_ms, answered_ms;
    uint32_t last_number;
    uint64_t links; /* links made since the start */
    struct budget uses;
    struct relayed *by_number;
    struct mirror *mirrors;
};

/* --- Speaking to the house --- */

static void say(struct relay *relay, const char *format, ...) PRINTF_LIKE(2, 3);
static void say(struct relay *relay, const char *format, ...)
{
    char line[256];
    va_list args;
    size_t len;

    va_start(args, format);
    len = proto_format_line(line, sizeof line, format, args);
    va_end(args);
    if (relay->state == RELAY_UP)
        wire_send(relay->wire, line, len);
}

static void say_line(struct relayed *relayed, const char *words)
{
    char line[PROTO_LINE_MAX + 32];
    struct text text = text_into(line, sizeof line);

    text_add_int(&text, relayed->number);
    text_add(&text, " ");
    text_add(&text, words);
    text_add(&text, "\n");
    assert(!text.is_cut);
    wire_send(relayed->of->wire, line, text.len);
}

static void set_held(struct relayed *relayed, unsigned why, bool is_held)
{
    relayed->held = is_held ? relayed->held | why : relayed->held & ~why;
    if (relayed->session->state == SESSION_LEAVING)
        return;
    if (relayed->held != 0)
        session_hold(relayed->session);
    else
        session_release(relayed->session);
}

/* --- Clients --- */

static struct relayed *find(const struct relay *relay, uint32_t number)
{
    struct relayed *relayed;

    HASH_FIND(hh, relay->by_number, &number, sizeof number, relayed);
    return relayed;
}

static void give_number(struct relayed *relayed)
{
    struct relay *relay = relayed->of;

    relayed->number = ++relay->last_number;
    HASH_ADD(hh, relay->by_number, number, sizeof relayed->number, relayed);
}

static void open_at_house(struct relayed *relayed, bool is_back)
{
    const struct session *session = relayed->session;
    const struct tls_key *key = session_peer_key(session);
    char hex[LINK_KEY_TEXT_BYTES] = "";

    if (key != NULL)
        link_key_format(hex, key);
    relayed->is_lost = false;
    relayed->taken = 0;
    relayed->lag_ms = 0;
    say(relayed->of, "open %u from=%s%s%s%s%s%s", (unsigned)relayed->number,
        session_peer_address(session), key != NULL ? " key=" : "", hex,
        session->is_web ? " web=1" : "", is_back ? " back=1" : "",
        relayed->is_page ? " page=1" : "");
}

static bool is_node(const struct relay *relay, const struct session *session)
{
    const struct tls_key *key = session_peer_key(session);

    return key != NULL &&
           memcmp(key->digest, relay->identity->digest.digest, sizeof key->digest) == 0;
}

static struct relayed *make_relayed(struct relay *relay, struct session *session)
{
    struct relayed *relayed = mem_new(sizeof *relayed);

    relayed->of = relay;
    relayed->session = session;
    session->relayed = relayed;
    /* The house counts the client's connection from now on, and this node no longer
     * does. */
    if (session->allowance.pass != NULL)
        admission_pass_on(relay->admission, session->allowance.pass);
    give_number(relayed);
    return relayed;
}

bool relay_take(struct relay *relay, struct session *session)
{
    struct relayed *relayed;

    if (relay->state != RELAY_UP || is_node(relay, session))
        return false;
    relayed = make_relayed(relay, session);
    relayed->trail = trail_new();
    session_set_state(session, SESSION_RELAYED);
    open_at_house(relayed, false);
    return true;
}

bool relay_ask(struct relay *relay, struct session *session, const char *line,
               const char *header)
{
    struct relayed *relayed;

    if (relay->state != RELAY_UP)
        return false;
    relayed = make_relayed(relay, session);
    relayed->is_page = true;
    set_held(relayed, HELD_FOR_ANSWER, true);
    open_at_house(relayed, false);
    say_line(relayed, line);
    say_line(relayed, header);
    say_line(relayed, "");
    return true;
}

/* --- Mirrors --- */

static void end_membership(struct relay *relay, struct membership *membership)
{
    struct mirror *mirror = membership->mirror;

    DL_DELETE(mirror->members, membership);
    DL_DELETE2(membership->relayed->memberships, membership, client_prev, client_next);
    free(membership);
    if (mirror->members != NULL)
        return;
    HASH_DEL(relay->mirrors, mirror);
    free(mirror);
}

static void leave_mirrors(struct relayed *relayed)
{
    while (relayed->memberships != NULL)
        end_membership(relayed->of, relayed->memberships);
}

static struct mirror *find_mirror(const struct relay *relay, uint32_t number)
{
    struct mirror *mirror;

    HASH_FIND(hh, relay->mirrors, &number, sizeof number, mirror);
    return mirror;
}

static void join_mirror(struct relayed *relayed, uint32_t number)
{
    struct relay *relay = relayed->of;
    struct mirror *mirror = find_mirror(relay, number);
    struct membership *membership = mem_new(sizeof *membership);

    if (mirror == NULL) {
        mirror = mem_new(sizeof *mirror);
        mirror->number = number;
        HASH_ADD(hh, relay->mirrors, number, sizeof mirror->number, mirror);
    }
    membership->mirror = mirror;
    membership->relayed = relayed;
    DL_APPEND(mirror->members, membership);
    DL_APPEND2(relayed->memberships, membership, client_prev, client_next);
}

static void part_mirror(struct relayed *relayed, uint32_t number)
{
    struct membership *membership;

    DL_FOREACH2 (relayed->memberships, membership, client_next)
        if (membership->mirror->number == number) {
            end_membership(relayed->of, membership);
            return;
        }
}

void relay_forget(struct session *session)
{
    struct relayed *relayed = session->relayed;

    if (relayed == NULL)
        return;
    if (!relayed->is_lost)
        say(relayed->of, "gone %u", (unsigned)relayed->number);
    leave_mirrors(relayed);
    HASH_DEL(relayed->of->by_number, relayed);
    session->relayed = NULL;
    trail_free(relayed->trail);
    free(relayed);
}

struct relay_counts relay_counts(const struct relay *relay)
{
    struct relay_counts counts = {.clients = (int)HASH_COUNT(relay->by_number),
                                  .mirrors = (int)HASH_COUNT(relay->mirrors),
                                  .links = relay->links};

    if (relay->state == RELAY_UP)
        counts.unsent_bytes = wire_unsent_bytes(relay->wire);
    for (const struct relayed *r = relay->by_number; r != NULL; r = r->hh.next) {
        counts.waiting += r->is_lost;
        counts.clients_unsent += session_unsent_bytes(r->session);
    }
    return counts;
}

/* --- Lines of clients --- */

/* Tells the house the client's lag, if it has changed. Called before each line of the
 * client, because the line may begin or end a turn. */
static void report_lag(struct relayed *relayed)
{
    int lag_ms = session_lag_ms(relayed->session, mono_now_ms());

    if (lag_ms > LINK_LAG_MS_MOST)
        lag_ms = LINK_LAG_MS_MOST;
    if (lag_ms == relayed->lag_ms)
        return;
    relayed->lag_ms = lag_ms;
    say(relayed->of, "far %u %d", (unsigned)relayed->number, lag_ms);
}

void relay_take_line(struct relay *relay, struct session *session, const char *line,
                     enum wire_why why)
{
    struct relayed *relayed = session->relayed;

    trail_note_sent(relayed->trail, line != NULL ? line : "?");
    if (relayed->is_lost)
        return; /* trail_go_on() sends the line to the next house, if the client can go
                 * on there */
    report_lag(relayed);
    if (line != NULL)
        say_line(relayed, line);
    else
        say(relay, "bad %u %s", (unsigned)relayed->number,
            why == WIRE_BAD_TEXT ? "text" : "long");
    if (wire_unsent_bytes(relay->wire) > LINK_FULL) {
        set_held(relayed, HELD_FOR_LINK, true);
        wire_want_drain(relay->wire);
    }
}

static void on_drain(void *owner)
{
    struct relay *relay = owner;

    for (struct relayed *r = relay->by_number; r != NULL; r = r->hh.next)
        if ((r->held & HELD_FOR_LINK) != 0)
            set_held(r, HELD_FOR_LINK, false);
}

/* --- Lines of the house --- */

/* Tells the house how many bytes the client has received since the last report, once
 * they are at least half of BRANCH_WINDOW. */
static void report_taken(struct relayed *relayed)
{
    if (relayed->taken < BRANCH_WINDOW / 2 || relayed->is_lost)
        return;
    if (session_unsent_bytes(relayed->session) > BRANCH_WINDOW / 2) {
        session_want_drain(relayed->session);
        return;
    }
    say(relayed->of, "took %u %zu", (unsigned)relayed->number, relayed->taken);
    relayed->taken = 0;
}

void relay_drained(struct session *session)
{
    report_taken(session->relayed);
}

static void restart(struct relayed *relayed)
{
    session_close(relayed->session, "restart",
                  "the games go on at another node; connect again");
}

/* True if the house says goodbye to everybody, and not to this client alone. */
static bool is_house_ending(const char *line)
{
    static const char *const whys[] = {"elsewhere", "shutdown", "restart"};
    static const char bye[] = "bye why=";

    if (line[0] != '!' || line[1] != ' ' || strncmp(line + 2, bye, strlen(bye)) != 0)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(whys); i++)
        if (strncmp(line + 2 + strlen(bye), whys[i], strlen(whys[i])) == 0)
            return true;
    return false;
}

/* Makes a client that has lost its house wait for the next one. */
static void lose(struct relayed *relayed)
{
    if (relayed->is_lost)
        return;
    relayed->is_lost = true;
    leave_mirrors(relayed);
    relayed->since_ms = mono_now_ms();
    set_held(relayed, HELD_BY_HOUSE | HELD_FOR_LINK, false);
    set_held(relayed, HELD_FOR_HOUSE, true);
}

/* Tells the client, once, that another house has the games. Call it before each line
 * for the client: this notice must come before the first line of the new house. */
static void tell_moved(struct relayed *relayed)
{
    if (!relayed->owes_moved)
        return;
    relayed->owes_moved = false;
    session_sayf(relayed->session,
                 "! notice why=moved : the games go on at another node of the server; "
                 "earlier offers and chat are lost");
}

/* --- Pages --- */

static void end_page(struct relayed *relayed, bool is_refused)
{
    struct relay *relay = relayed->of;

    if (relayed->is_answered)
        session_end(relayed->session);
    else
        relay->on_unanswered(relay->arg, relayed->session, is_refused);
}

/* Sends the client a piece of the answer to its request. line: the piece, in base64. */
static void give_piece(struct relayed *relayed, const char *line, size_t len)
{
    unsigned char piece[PROTO_LINE_MAX];
    int size = -1;

    if (len > 0 && len < PROTO_LINE_MAX)
        size = EVP_DecodeBlock(piece, (const unsigned char *)line, (int)len);
    if (size < 0) {
        end_page(relayed, false);
        return;
    }
    for (size_t at = len; size > 0 && line[at - 1] == '='; at--)
        size--;
    relayed->is_answered = true;
    relayed->taken += len + 1;
    session_send(relayed->session, (const char *)piece, (size_t)size);
    report_taken(relayed);
}

/* Sends a line of the house to the client, if the trail (trail.h) says that the line is
 * for the client. For example, the answer to a line that this node itself has sent is
 * not for the client. The buffer of `line` has room for an LF at its end. */
static void give_line(struct relayed *relayed, char *line, size_t len)
{
    enum trail_verdict verdict;

    relayed->taken += len + 1;
    if (is_house_ending(line)) {
        lose(relayed);
        return;
    }
    verdict = trail_note_received(relayed->trail, line);
    if (verdict == TRAIL_FAIL) {
        restart(relayed);
        return;
    }
    if (verdict == TRAIL_PASS || !trail_is_returning(relayed->trail))
        tell_moved(relayed);
    if (verdict == TRAIL_PASS) {
        line[len] = '\n';
        session_send(relayed->session, line, len + 1);
    }
    report_taken(relayed);
}

static void give(struct relayed *relayed, char *line, size_t len)
{
    if (relayed == NULL || relayed->is_lost)
        return;
    if (relayed->is_page)
        give_piece(relayed, line, len);
    else
        give_line(relayed, line, len);
}

/* Ends the connection of a client that the house refuses. If the house refuses the
 * client's whole network, it also tells all doors (take_refusal()). */
static void deny(struct relayed *relayed)
{
    if (relayed->is_page)
        end_page(relayed, true);
    else
        session_close(relayed->session, "full",
                      "too many connections come from your address, or it is banned");
}

/* Ends the client's place in the mirror. From the event `number` on, the house sends
 * the game to this client separately, as fast as the client reads. */
static void fall_behind(struct membership *membership, int64_t game, int number)
{
    struct relayed *relayed = membership->relayed;

    if (trail_is_late(relayed->trail, game))
        return; /* the house sent this event before it heard that the client is late */
    trail_note_late(relayed->trail, game, number);
    say(relayed->of, "late %u %lld %d", (unsigned)relayed->number, (long long)game,
        number);
    end_membership(relayed->of, membership);
}

/* True if the client may get more events now. False if the client reads slowly, or if
 * its network has used up its budget. */
static bool takes_more(struct relayed *relayed)
{
    return session_unsent_bytes(relayed->session) <= BRANCH_WINDOW / 2 &&
           allowance_may_watch(&relayed->session->allowance);
}

/* Sends an event to all members of the mirror. line: the event; its buffer has room for
 * an LF at its end. */
static void give_all(struct mirror *mirror, char *line, size_t len)
{
    struct membership *membership, *next;
    const char *text;
    int64_t game;
    int number;

    if (!proto_cut_event(line, &game, &number, &text))
        return;
    DL_FOREACH_SAFE (mirror->members, membership, next) {
        struct relayed *relayed = membership->relayed;

        if (!takes_more(relayed)) {
            fall_behind(membership, game, number); /* ending the last membership frees
                                                    * the mirror */
            continue;
        }
        if (trail_note_event(relayed->trail, game, number, text) != TRAIL_PASS)
            continue;
        tell_moved(relayed);
        line[len] = '\n';
        session_send(relayed->session, line, len + 1);
        allowance_charge_watching(&relayed->session->allowance, len + 1);
        line[len] = '\0';
    }
}

static void take_mirrored(struct relay *relay, char *words, size_t len)
{
    struct mirror *mirror;
    uint32_t number;
    char *line;

    if (!link_parse_number(words, &number, &line))
        return;
    mirror = find_mirror(relay, number);
    if (mirror != NULL)
        give_all(mirror, line, len - (size_t)(line - words));
}

/* Adds the client to a mirror or removes it. word: "join" or "part". rest: the number
 * of the mirror. */
static void change_mirror(struct relayed *relayed, const char *word, char *rest)
{
    uint32_t number;

    if (!link_parse_number(rest, &number, &rest))
        return;
    if (strcmp(word, "join") == 0)
        join_mirror(relayed, number);
    else
        part_mirror(relayed, number);
}

static void take_order(struct relay *relay, const char *word, char *words)
{
    struct relayed *relayed;
    uint32_t number;
    char *rest;

    if (words == NULL || !link_parse_number(words, &number, &rest))
        return;
    relayed = find(relay, number);
    if (relayed == NULL || relayed->is_lost)
        return;
    if (strcmp(word, "hold") == 0)
        set_held(relayed, HELD_BY_HOUSE, true);
    else if (strcmp(word, "free") == 0)
        set_held(relayed, HELD_BY_HOUSE, false);
    else if (strcmp(word, "close") == 0 && strcmp(rest, "refused") == 0)
        deny(relayed);
    else if (strcmp(word, "close") == 0 && relayed->is_page)
        end_page(relayed, false);
    else if (strcmp(word, "close") == 0)
        session_end(relayed->session);
    else if (strcmp(word, "join") == 0 || strcmp(word, "part") == 0)
        change_mirror(relayed, word, rest);
}

/* --- Whom the house refuses --- */

/* Takes "ban" or "deny" of the house. words: "NETWORK MS". If this node is the house,
 * it knows the refusal already. */
static void take_refusal(const struct relay *relay, const char *word, char *words)
{
    const char *network_word = strsep(&words, " ");
    int64_t now_ms = mono_now_ms(), for_ms;
    struct prefix network;

    if (relay->is_own || words == NULL || !prefix_parse(network_word, &network) ||
        !link_parse_span(words, &for_ms))
        return;
    if (strcmp(word, "deny") == 0)
        admission_deny(relay->admission, &network, for_ms, now_ms);
    else if (for_ms == 0)
        (void)admission_unban(relay->admission, &network);
    else
        admission_ban(relay->admission, &network,
                      for_ms == INT64_MAX ? for_ms : now_ms + for_ms, now_ms);
}

void relay_note_use(struct relay *relay, const struct prefix *from, const char *use)
{
    char address[PREFIX_TEXT_BYTES];

    if (relay->state != RELAY_UP || relay->is_own ||
        wire_unsent_bytes(relay->wire) > LINK_FULL ||
        !budget_spend(&relay->uses, rate_of(USES_PER_S, USES_PER_S), mono_now_ms()))
        return;
    prefix_format(address, from);
    say(relay, "used %s %s", address, use);
}

/* Sends `line` to the new house. trail_go_on() calls this function for each line that
 * lets the client's session go on at the new house. */
static void say_again(void *arg, const char *line)
{
    say_line(arg, line);
}

static void go_on(struct relayed *relayed)
{
    open_at_house(relayed, true);
    if (!relayed->is_page)
        report_lag(relayed);
    trail_go_on(relayed->trail, say_again, relayed);
    relayed->owes_moved = trail_is_returning(relayed->trail);
    set_held(relayed, HELD_FOR_HOUSE, false);
}

/* Opens the sessions of all clients on a new link. Gives the clients new numbers in a
 * new table, because the old numbers belong to the old link. */
static void open_all(struct relay *relay)
{
    struct relayed *old = relay->by_number, *relayed, *next;

    relay->by_number = NULL;
    HASH_ITER (hh, old, relayed, next) {
        HASH_DELETE(hh, old, relayed);
        give_number(relayed);
    }
    for (relayed = relay->by_number; relayed != NULL; relayed = relayed->hh.next)
        go_on(relayed);
}

static void take_greeting(struct relay *relay, const char *line)
{
    if (strncmp(line, LINK_GREETING, strlen(LINK_GREETING)) != 0) {
        log_info("relay house=%s why=\"%.100s\"", relay->place, line);
        wire_drop(relay->wire, WIRE_CLOSED_HERE);
        return;
    }
    log_info("relay house=%s up clients=%d", relay->place,
             (int)HASH_COUNT(relay->by_number));
    relay->state = RELAY_UP;
    relay->links++;
    if (!relay->is_own)
        admission_forget_refused(relay->admission); /* the house reports all of them
                                                     * again */
    open_all(relay);
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct relay *relay = owner;
    uint32_t number;
    char *rest;

    relay->heard_ms = now_ms;
    if (relay->state != RELAY_UP) {
        take_greeting(relay, line);
    } else if (link_parse_number(line, &number, &rest)) {
        give(find(relay, number), rest, len - (size_t)(rest - line));
    } else if (strncmp(line, "all ", 4) == 0) {
        take_mirrored(relay, line + 4, len - 4);
    } else {
        char *word = strsep(&line, " ");

        if (strcmp(word, "pong") == 0)
            relay->answered_ms = now_ms;
        else if (line != NULL &&
                 (strcmp(word, "ban") == 0 || strcmp(word, "deny") == 0))
            take_refusal(relay, word, line);
        else
            take_order(relay, word, line);
    }
}

/* Ends the client's connection. A browser is told to connect to the same address again,
 * and other clients are told to connect to the house. */
static void dismiss(struct relayed *relayed, const char *farewell)
{
    if (relayed->is_page)
        end_page(relayed, false);
    else if (relayed->session->is_web)
        session_close(relayed->session, "restart", "connect again; your games go on");
    else
        session_close(relayed->session, farewell, "connect again; your games go on");
}

void relay_dismiss(struct relay *relay, const char *farewell)
{
    struct relayed *relayed, *next;

    HASH_ITER (hh, relay->by_number, relayed, next) /* dismiss() removes `relayed` from
                                                     * the table */
        dismiss(relayed, farewell);
}

/* --- The link --- */

/* Makes all clients wait for the next house. If a client cannot go on at the next
 * house, the client gets the goodbye at once, and connects again by itself. Ends all
 * requests for pages. */
static void lose_all(struct relay *relay)
{
    struct relayed *relayed, *next;

    HASH_ITER (hh, relay->by_number, relayed, next) { /* restart() removes `relayed`
                                                       * from the table */
        if (relayed->is_page) {
            end_page(relayed, false);
            continue;
        }
        lose(relayed);
        if (!trail_can_go_on(relayed->trail))
            restart(relayed);
    }
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct relay *relay = owner;

    if (relay->state == RELAY_UP)
        log_warn("relay house=%s lost why=%s detail=\"%s\" clients=%d", relay->place,
                 wire_why_name(why), detail, (int)HASH_COUNT(relay->by_number));
    relay->wire = NULL;
    relay->state = RELAY_DOWN;
    lose_all(relay);
}

static const struct wire_calls wire_calls = {
    .on_line = on_line, .on_drain = on_drain, .on_end = on_end};

/* Accepts only a peer with our key: all nodes have the same key. */
static bool judge(void *arg, const struct tls_seen *seen)
{
    const struct relay *relay = arg;

    return memcmp(seen->key.digest, relay->identity->digest.digest,
                  sizeof seen->key.digest) == 0;
}

/* Begins to connect; each attempt uses the next address of the list. Returns the
 * socket. -1: this attempt failed. */
static int connect_to(struct relay *relay, const struct addrinfo *list)
{
    const struct addrinfo *place = list;
    int fd;

    for (unsigned i = relay->attempts; i > 0; i--)
        place = place->ai_next != NULL ? place->ai_next : list;
    relay->attempts = place->ai_next != NULL ? relay->attempts + 1 : 0;
    fd = fd_socket(place->ai_family, FD_NONBLOCKING);
    if (fd < 0)
        return -1;
    if (connect(fd, place->ai_addr, place->ai_addrlen) == 0 || errno == EINPROGRESS)
        return fd;
    close(fd);
    return -1;
}

static void on_resolved(void *arg, struct addrinfo *list, int error)
{
    struct relay *relay = arg;
    SSL_CTX *ctx = NULL;
    int fd = -1;

    relay->resolve = NULL;
    relay->state = RELAY_DOWN;
    if (list == NULL)
        log_warn("relay house=%s why=\"%s\"", relay->place, gai_strerror(error));
    else
        fd = connect_to(relay, list);
    if (list != NULL)
        freeaddrinfo(list);
    if (fd < 0)
        return;
    ctx = tls_client_ctx(relay->identity->cert, relay->identity->key, NULL);
    if (ctx == NULL) {
        close(fd);
        return;
    }
    relay->wire =
        wire_connect(relay->hub, ctx, fd, "janggi", judge, relay, &wire_calls, relay);
    relay->state = relay->wire != NULL ? RELAY_CONNECTING : RELAY_DOWN;
    relay->heard_ms = relay->answered_ms = mono_now_ms();
    SSL_CTX_free(ctx);
}

static void start_link(struct relay *relay)
{
    char host[HOST_BYTES], port[PORT_BYTES];
    struct address split;
    int number;

    if (!address_split(relay->place, strlen(relay->place), &split) ||
        !address_parse_port(&split, 1, &number) || split.host_len >= sizeof host)
        return;
    snprintf(host, sizeof host, "%.*s", (int)split.host_len, split.host);
    snprintf(port, sizeof port, "%d", number);
    relay->resolve = resolve_start(relay->base, host, port, on_resolved, relay);
    if (relay->resolve != NULL)
        relay->state = RELAY_RESOLVING;
}

static void drop_link(struct relay *relay)
{
    resolve_cancel(relay->resolve);
    relay->resolve = NULL;
    if (relay->state == RELAY_RESOLVING)
        relay->state = RELAY_DOWN;
    if (relay->wire != NULL)
        wire_drop(relay->wire, WIRE_CLOSED_HERE);
}

static void move_to(struct relay *relay, const char *place)
{
    drop_link(relay);
    if (!text_copy(relay->place, sizeof relay->place, place))
        log_warn("relay house=%s why=too-long", place);
}

void relay_set_own(struct relay *relay, const char *place)
{
    relay->is_own = true;
    move_to(relay, place);
}

void relay_set_place(struct relay *relay, const char *place)
{
    relay->is_own = false;
    if (place[0] == '\0' || strcmp(place, relay->place) == 0)
        return; /* no new place is known: a link that exists stays */
    move_to(relay, place);
}

bool relay_is_up(const struct relay *relay)
{
    return relay->state == RELAY_UP;
}

/* --- Time --- */

static void end_impatient(struct relay *relay, int64_t now_ms)
{
    struct relayed *relayed, *next;

    HASH_ITER (hh, relay->by_number, relayed, next) /* restart() removes `relayed` from
                                                     * the table */
        if (relayed->is_lost && now_ms - relayed->since_ms > PATIENCE_MS)
            restart(relayed);
}

static void watch_link(struct relay *relay, int64_t now_ms)
{
    if (now_ms - relay->heard_ms > SILENCE_MS ||
        now_ms - relay->answered_ms > UNANSWERED_MS) {
        wire_drop(relay->wire, WIRE_TIMEOUT);
    } else if (now_ms - relay->pinged_ms > PING_MS) {
        relay->pinged_ms = now_ms;
        say(relay, "ping");
    }
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct relay *relay = arg;
    int64_t now_ms = mono_now_ms();

    (void)fd;
    (void)what;
    if (relay->is_stopping)
        return;
    if (relay->is_own && relay->by_number == NULL)
        drop_link(relay);
    else if (relay->state == RELAY_DOWN && relay->place[0] != '\0')
        start_link(relay);
    else if (relay->wire != NULL)
        watch_link(relay, now_ms);
    end_impatient(relay, now_ms);
}

/* --- Life --- */

struct relay *relay_new(struct event_base *base, struct admission *admission,
                        const struct identity *identity,
                        relay_unanswered_fn *on_unanswered, void *arg)
{
    struct relay *relay = mem_new(sizeof *relay);

    relay->base = base;
    relay->admission = admission;
    relay->identity = identity;
    relay->on_unanswered = on_unanswered;
    relay->arg = arg;
    relay->hub = wire_hub_new(base, link_limits());
    relay->tick = timer_repeat(base, TICK_MS, on_tick, relay);
    return relay;
}

void relay_stop(struct relay *relay)
{
    if (relay == NULL)
        return;
    relay->is_stopping = true;
    drop_link(relay);
}

void relay_free(struct relay *relay)
{
    if (relay == NULL)
        return;
    assert(relay->by_number == NULL);
    event_free(relay->tick);
    wire_hub_free(relay->hub);
    free(relay);
}
