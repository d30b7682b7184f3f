/* See visit.h. The states, in order: connection up, greeting, name, login, ready. After
 * a loss the same states follow with the same name and credentials. */
#include "client/net/visit.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>
#include <openssl/ssl.h>

#include "client/base/exit.h"
#include "client/base/keep.h"
#include "client/base/loop.h"
#include "client/base/profile.h"
#include "client/net/net.h"
#include "common/base/error_words.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum {
    TICK_MS = 1000,
    SILENCE_MS = 20000,     /* visit_run() ends after this silence */
    STUCK_MS = 900000,      /* used instead of SILENCE_MS while is_stuck */
    QUIET_MS = 25000,       /* send a ping after this silence */
    DEAD_MS = 45000,        /* drop the connection after this silence */
    SEVERAL_MS = 3000,      /* used instead of QUIET_MS and DEAD_MS if the server has
                             * another address; see is_of_several() */
    RESTART_WAIT_MS = 3000, /* delay before reconnecting to a server that restarts */
    FOLLOW_WAIT_MS = 50,    /* delay before connecting to the address in "bye
                             * elsewhere" */
    MOVE_WAIT_MS = 500,     /* delay if "bye elsewhere" has no address yet */
    FOLLOW_MAX = 40,        /* maximum number of consecutive connections without a
                             * login */
    PLACE_BYTES = 280,
    TOKEN_BYTES = 64
};

struct visit {
    struct event_base *base;
    SSL_CTX *tls;
    struct visit_wish wish;
    const struct visit_calls *calls;
    void *owner;
    struct net *net;
    struct event *tick;
    enum visit_state state;
    bool has_met, was_ready;
    bool is_alone; /* the visit runs in visit_run() */

    struct trust trust;
    char given[TLS_KEY_TEXT_BYTES];
    enum trust_verdict verdict;
    struct tls_key key; /* the server's key */

    struct profile profile;     /* names and keys of this user at this server */
    bool has_other_key;         /* the profile's key is not the one in tls */
    char busy[NAME_BYTES];      /* name in use by another client of this user; "":
                                 * none */
    char wanted[NAME_BYTES];    /* name to log in with; "": none yet, or a guest */
    char name[NAME_BYTES];      /* our name according to the server */
    char code[LINK_CODE_BYTES]; /* one-time code to add this device; "": none */
    char token[TOKEN_BYTES];    /* proves who we are if we have no key */
    const char *entry_key;  /* " owner=" or " invite="; sent at login before entry_code,
                             * unless entry_code is NULL */
    const char *entry_code; /* NULL: none */
    int entry_tries;        /* index of the next code to try after a refusal: see
                             * show_next_code() */
    bool is_name_refused;   /* the server refused the login */

    struct visit_request *requests, **requests_end;
    uint32_t last_tag;

    int64_t heard_ms;
    char bye[16]; /* reason of the server's bye; "" if none */
    struct {
        char place[PLACE_BYTES]; /* another address of the server, from its "bye
                                  * elsewhere"; "": none */
        bool is_used;            /* the next attempt connects to `place`, not to the
                                  * server's own address */
        bool is_sent;            /* the server has ended this connection to send us to
                                  * another address */
        int count;               /* connections since the last login */
    } follow;
    bool is_stuck;        /* the server's storage delays answers */
    bool is_nobody_there; /* the last attempt was refused: no program listens there */
    char why[256];        /* the last failure, in words for the user */
    struct visit_loss loss;
};

/* --- Requests --- */

static uint32_t send_request(struct visit *visit, const char *line, int64_t game,
                             bool is_quiet)
{
    size_t len = strcspn(line, " "), size = strlen(line) + 1;
    struct visit_request *request = mem_new(sizeof *request + size);
    char tagged[PROTO_LINE_MAX + PROTO_TAG_BYTES + 1];
    const char *rest = line + len + strspn(line + len, " ");

    memcpy(request->line, line, size);
    if (len >= sizeof request->verb)
        len = sizeof request->verb - 1;
    memcpy(request->verb, line, len);
    snprintf(request->about, sizeof request->about, "%.*s", (int)strcspn(rest, " "),
             rest);
    request->game = game;
    request->is_quiet = is_quiet;
    request->sent_ms = mono_now_ms();
    request->tag = ++visit->last_tag;
    *visit->requests_end = request;
    visit->requests_end = &request->next;
    snprintf(tagged, sizeof tagged, "#%u %s", (unsigned)request->tag, line);
    net_send(visit->net, tagged);
    return request->tag;
}

uint32_t visit_send(struct visit *visit, const char *line, int64_t game, bool is_quiet)
{
    if (!visit_is_ready(visit) || !net_is_up(visit->net))
        return 0;
    return send_request(visit, line, game, is_quiet);
}

uint32_t visit_sendf(struct visit *visit, int64_t game, bool is_quiet,
                     const char *format, ...)
{
    char line[PROTO_LINE_MAX + 1];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return visit_send(visit, line, game, is_quiet);
}

void visit_resume(struct visit *visit, int64_t game, int next, const char *code)
{
    (void)visit_sendf(visit, game, true, "resume %lld %d%s%s", (long long)game, next,
                      code[0] != '\0' ? " code=" : "", code);
}

bool visit_is_resuming(const struct visit *visit)
{
    for (const struct visit_request *r = visit->requests; r != NULL; r = r->next)
        if (strcmp(r->verb, "resume") == 0)
            return true;
    return false;
}

const struct visit_request *visit_requests(const struct visit *visit)
{
    return visit->requests;
}

static struct visit_request *take_oldest(struct visit *visit)
{
    struct visit_request *request = visit->requests;

    visit->requests = request->next;
    if (visit->requests == NULL)
        visit->requests_end = &visit->requests;
    return request;
}

static void forget_requests(struct visit *visit)
{
    while (visit->requests != NULL)
        free(take_oldest(visit));
}

/* Finds the request with the tag `tag`, or the oldest request if `tag` is empty.
 * Removes this request from the queue and returns it; NULL: there is none. The caller
 * frees the returned request. The server will not answer older requests any more, so
 * this function frees them. */
static struct visit_request *take_answered(struct visit *visit, const char *tag)
{
    const struct visit_request *request = visit->requests;
    int64_t number = -1;

    if (tag[0] != '\0' && !text_to_int(tag + 1, 0, UINT32_MAX, &number))
        return NULL;
    while (request != NULL && tag[0] != '\0' && request->tag != number)
        request = request->next;
    if (request == NULL)
        return NULL;
    while (visit->requests != request)
        free(take_oldest(visit));
    return take_oldest(visit);
}

bool visit_next_game(const char **games, int64_t *game)
{
    char word[24];
    bool is_found = false;

    while (!is_found && **games != '\0') {
        size_t len = strcspn(*games, ",");

        is_found = text_cut(word, sizeof word, *games, len) &&
                   text_to_int(word, 0, INT64_MAX, game);
        *games += len;
        *games += **games == ',';
    }
    return is_found;
}

/* --- Ends --- */

static void end(struct visit *visit, enum visit_end why)
{
    visit->calls->on_end(visit->owner, why);
    if (visit->state == VISIT_AWAY)
        forget_requests(visit);
}

void visit_describe_end(char out[VISIT_WORDS_BYTES], const struct visit *visit,
                        enum visit_end why)
{
    struct text text = text_into(out, VISIT_WORDS_BYTES);
    char server[LINK_SERVER_BYTES];

    link_format_server(server, visit->wish.to);
    if (why == VISIT_DISTRUST) {
        trust_describe_bad(out, &visit->trust, visit->verdict, &visit->key);
        return;
    }
    text_add(&text, "janggi: ");
    if (why == VISIT_UNREACHABLE)
        text_addf(&text, _("cannot reach %s: %s%s"), server, visit->why,
                  visit->is_nobody_there ? _("; is janggid running there?") : "");
    else if (why == VISIT_STRANGE)
        text_add(&text, _("this server uses another protocol; check the versions of "
                          "janggi and of the server"));
    else if (why == VISIT_NAMELESS)
        text_add(&text, _("the server did not assign a name"));
    else if (why == VISIT_BAD_NAME)
        text_addf(&text, _("invalid name \"%s\": %s"), visit->wish.prefs->name,
                  visit_name_rule());
    else if (why == VISIT_BUSY_NAME)
        text_addf(&text,
                  _("you are already logged in as %s in another terminal; give another "
                    "name with -n"),
                  visit->busy);
    else if (why == VISIT_UNADMITTED)
        text_addf(&text,
                  _("%s requires a certificate from its own authority: ask the host "
                    "for one, then use --cert FILE and --key FILE"),
                  server);
    else if (why == VISIT_SILENT)
        text_add(&text, _("the server does not answer"));
    else if (why == VISIT_LOST)
        text_addf(&text, _("the connection is lost (%s)"), visit->why);
    else
        out[0] = '\0'; /* the server has already sent the reason */
    if (out[0] != '\0')
        text_add(&text, "\n");
}

int visit_exit_code(enum visit_end why)
{
    static const int codes[] = {
        [VISIT_UNREACHABLE] = CLIENT_EXIT_LOST,
        [VISIT_DISTRUST] = CLIENT_EXIT_TRUST,
        [VISIT_STRANGE] = CLIENT_EXIT_ERROR,
        [VISIT_NAMELESS] = CLIENT_EXIT_ERROR,
        [VISIT_BAD_NAME] = CLIENT_EXIT_USAGE,
        [VISIT_BUSY_NAME] = CLIENT_EXIT_REFUSED,
        [VISIT_REFUSED] = CLIENT_EXIT_REFUSED,
        [VISIT_TURNED_AWAY] = CLIENT_EXIT_REFUSED,
        [VISIT_TAKEN_OVER] = CLIENT_EXIT_LOST,
        [VISIT_UNADMITTED] = CLIENT_EXIT_REFUSED,
        [VISIT_DISMISSED] = CLIENT_EXIT_LOST,
        [VISIT_SILENT] = CLIENT_EXIT_LOST,
        [VISIT_LOST] = CLIENT_EXIT_LOST,
    };
    static_assert(ARRAY_LEN(codes) == VISIT_LOST + 1, "an end has no exit code");

    return codes[why];
}

/* --- The name --- */

const char *visit_name_rule(void)
{
    return _("2-16 letters, digits, _ or -, or 2-8 Hangul syllables; words of the game "
             "are reserved");
}

void visit_default_name(const struct visit *visit, char out[NAME_BYTES])
{
    if (visit->wish.to->kind == LINK_OWNER && visit->busy[0] != '\0')
        (void)!text_copy(out, NAME_BYTES, visit->busy);
    else
        profile_offer(&visit->profile, out);
}

static void log_in(struct visit *visit)
{
    bool is_named = visit->wanted[0] != '\0';
    const char *proof = "", *key = "";
    char line[PROTO_LINE_LOGIN_MAX];

    if (is_named && visit->code[0] != '\0') {
        key = " code=";
        proof = visit->code;
    } else if (is_named && visit->token[0] != '\0') {
        key = " token=";
        proof = visit->token;
    } else if (is_named && visit->entry_code != NULL) {
        key = visit->entry_key;
        proof = visit->entry_code;
    }
    if (visit->wish.is_question)
        key = proof = "";
    snprintf(line, sizeof line, "%s%s%s%s%s", visit->wish.is_question ? "due" : "login",
             is_named ? " " : "", visit->wanted, key, proof);
    visit->state = VISIT_LOGIN;
    (void)send_request(visit, line, -1, true);
}

/* Disconnects while the user chooses a name, because the server closes a connection
 * without a login after 30 seconds. */
static void hang_up(struct visit *visit)
{
    if (!net_is_up(visit->net))
        return;
    net_send(visit->net, "quit");
    net_stop(visit->net);
}

static void ask_name(struct visit *visit, const char *bad)
{
    visit->state = VISIT_NAMING;
    visit->wanted[0] = '\0';
    hang_up(visit);
    visit->calls->on_ask_name(visit->owner, bad,
                              visit->busy[0] != '\0' ? visit->busy : NULL,
                              visit->is_name_refused);
}

static bool load_key(struct visit *visit)
{
    struct prefs prefs = *visit->wish.prefs;
    SSL_CTX *tls;

    text_copy(prefs.cert_path, sizeof prefs.cert_path, visit->profile.cert_path);
    text_copy(prefs.key_path, sizeof prefs.key_path, visit->profile.key_path);
    tls = visit_tls(&prefs, false);
    if (tls == NULL)
        return false;
    net_set_ctx(visit->net, tls);
    SSL_CTX_free(visit->tls); /* an established connection has its own reference */
    visit->tls = tls;
    visit->has_other_key = false;
    return true;
}

/* Logs in with the wanted name. Makes a new connection if there is none, or if the name
 * has a different key than the connection. */
static void enter(struct visit *visit)
{
    bool has_other_key = visit->has_other_key;

    if (has_other_key && !load_key(visit)) {
        end(visit, VISIT_NAMELESS);
    } else if (!net_is_up(visit->net)) {
        visit->state = VISIT_AWAY;
        net_start(visit->net);
    } else if (has_other_key) {
        visit->state = VISIT_AWAY;
        hang_up(visit); /* on_down() connects again */
    } else {
        log_in(visit);
    }
}

/* Handles a name that another client of this user uses: asks for another name, or ends
 * the visit. A script must not use a different name without being told to. */
static void refuse_busy(struct visit *visit, const char *busy)
{
    text_copy(visit->busy, sizeof visit->busy, busy);
    if (visit->wish.asks)
        ask_name(visit, NULL);
    else
        end(visit, VISIT_BUSY_NAME);
}

/* Logs in with `name` and its key, also if another client of this user uses the name and
 * `takes_over` is true. beside: a name that another client of this user is using, to be
 * reported to the user first; "": none. */
static void enter_as(struct visit *visit, const char *name, bool takes_over,
                     const char *beside)
{
    char before[PATH_MAX];
    bool is_free;

    text_copy(visit->wanted, sizeof visit->wanted, name);
    text_copy(before, sizeof before, visit->profile.key_path);
    is_free = profile_take(&visit->profile, visit->wanted);
    if (strcmp(before, visit->profile.key_path) != 0)
        visit->has_other_key = true;
    if (!is_free && !takes_over) {
        refuse_busy(visit, name);
        return;
    }
    if (beside[0] != '\0' && visit->calls->on_beside != NULL)
        visit->calls->on_beside(visit->owner, beside, name);
    enter(visit);
}

bool visit_answer_name(struct visit *visit, const char *name, const char *code)
{
    char valid[NAME_BYTES];

    if (!utf8_name(valid, name))
        return false;
    if (code[0] != '\0')
        text_copy(visit->code, sizeof visit->code, code);
    enter_as(visit, valid, strcmp(valid, visit->busy) == 0, "");
    return true;
}

/* Chooses the name, in this order: -n or JANGGI_NAME, a free name that was used on this
 * server before, the answer to a question, $USER. If another client uses the name of -n, a
 * script takes it over, and a person is asked. */
static void choose_name(struct visit *visit)
{
    const char *given = visit->wish.prefs->name;
    char key[TLS_KEY_TEXT_BYTES], name[NAME_BYTES] = "", busy[NAME_BYTES] = "";

    if (visit->wish.is_guest || visit->wanted[0] != '\0') {
        log_in(visit);
        return;
    }
    tls_key_format(key, &visit->key);
    profile_set_server(&visit->profile, key);
    if (given[0] != '\0') {
        if (utf8_name(name, given))
            enter_as(visit, name, !visit->wish.asks, "");
        else if (visit->wish.asks)
            ask_name(visit, given);
        else
            end(visit, VISIT_BAD_NAME);
        return;
    }
    if (visit->code[0] == '\0' && profile_recall(&visit->profile, name, busy) &&
        (busy[0] == '\0' || (visit->wish.asks && visit->wish.to->kind != LINK_OWNER))) {
        enter_as(visit, name, false, busy);
        return;
    }
    visit_default_name(visit, name);
    if (busy[0] != '\0') /* an owner's link is for the name that is here already */
        refuse_busy(visit, busy);
    else if (visit->wish.asks)
        ask_name(visit, NULL);
    else
        enter_as(visit, name, false, "");
}

/* --- Login answered --- */

/* Calls on_back if the connection was lost before and all events that were missed have
 * now arrived. */
static void look_whether_back(struct visit *visit)
{
    int64_t away_ms = mono_now_ms() - visit->loss.since_ms;

    if (visit->loss.since_ms == 0 || !visit_is_ready(visit) || visit_is_resuming(visit))
        return;
    visit->loss = (struct visit_loss){0};
    if (visit->calls->on_back != NULL)
        visit->calls->on_back(visit->owner, away_ms);
}

static void take_login(struct visit *visit, const struct proto_line *line)
{
    const char *name = proto_line_value(line, "name");
    const char *games = proto_line_value(line, "games");
    const char *proof = proto_line_value(line, "proof");
    const char *token = proto_line_value(line, "token");
    bool is_first = !visit->was_ready;

    if (name == NULL || !text_copy(visit->name, sizeof visit->name, name)) {
        end(visit, VISIT_NAMELESS);
        return;
    }
    visit->code[0] = '\0'; /* the code is valid only once */
    visit->entry_code = NULL;
    if (token != NULL) { /* the server has made the name for a guest */
        text_copy(visit->token, sizeof visit->token, token);
        text_copy(visit->wanted, sizeof visit->wanted, visit->name);
    }
    /* A guest's name is not stored: later visits would use it instead of the player's own
     * name. */
    if (proof != NULL && strcmp(proof, "none") != 0 && visit->wish.name[0] == '\0' &&
        !visit->wish.is_guest)
        profile_remember(&visit->profile, visit->name);
    visit->state = VISIT_READY;
    visit->was_ready = true;
    visit->follow.count = 0;
    net_set_reconnects(visit->net, visit->wish.reconnects);
    if (visit->calls->on_resume != NULL)
        visit->calls->on_resume(visit->owner, games != NULL ? games : "");
    look_whether_back(visit);
    if (visit->calls->on_ready != NULL)
        visit->calls->on_ready(visit->owner, line, is_first);
}

/* If the server has refused the login because it requires an invitation, logs in again
 * with the next code that was not tried yet, and returns true. Returns false if there
 * is no such code, or if the login was refused for another reason. */
static bool show_next_code(struct visit *visit, const struct proto_line *line)
{
    const struct visit_wish *wish = &visit->wish;
    const char *why = proto_line_value(line, "why");
    const char *const codes[] = {wish->door_code,
                                 wish->to->kind == LINK_JOIN ? wish->to->code : NULL};

    if (strcmp(line->word[0], "entry") != 0 || why == NULL ||
        !text_list_has("invitation code", ' ', why))
        return false;
    while (visit->entry_tries < (int)ARRAY_LEN(codes)) {
        visit->entry_key = " invite=";
        visit->entry_code = codes[visit->entry_tries++];
        if (visit->entry_code != NULL) {
            log_in(visit);
            return true;
        }
    }
    return false;
}

static void refuse_login(struct visit *visit, const struct proto_line *line)
{
    bool is_name_refused = strcmp(line->word[0], "entry") != 0;

    if (show_next_code(visit, line))
        return;
    /* If this client has just created a key for the name, the server may have stored
     * the name with the key in identity.key. In that case, log in with identity.key
     * (see profile_take_first_key()). */
    if (strcmp(line->word[0], "proof") == 0 &&
        profile_take_first_key(&visit->profile)) {
        visit->has_other_key = true;
        enter(visit);
        return;
    }
    visit->calls->on_refused(visit->owner, line);
    if (visit->state != VISIT_LOGIN)
        return;
    visit->is_name_refused = true;
    if (is_name_refused && visit->wish.asks && !visit->was_ready &&
        !visit->wish.is_guest)
        ask_name(visit, NULL);
    else
        end(visit, VISIT_REFUSED);
}

/* --- Lines --- */

static void take_answer(struct visit *visit, const struct proto_line *line,
                        int64_t now_ms)
{
    struct visit_request *request = take_answered(visit, line->tag);

    if (request == NULL)
        return; /* no matching request */
    if (visit->state != VISIT_LOGIN || visit->wish.is_question)
        visit->calls->on_answer(visit->owner, request, line, now_ms);
    else if (line->mark == PROTO_OK)
        take_login(visit, line);
    else if (line->words > 0)
        refuse_login(visit, line);
    if (strcmp(request->verb, "resume") == 0)
        look_whether_back(visit);
    free(request);
}

/* --- A server of several nodes --- */

static void choose_place(struct visit *visit, bool is_used)
{
    const char *place =
        is_used && visit->follow.place[0] != '\0' ? visit->follow.place : NULL;

    visit->follow.is_used = net_set_place(visit->net, place) && place != NULL;
}

/* Handles "bye elsewhere": this node (one of the processes that form the server) sends
 * us to another node. If the address of that node is known, the visit connects to it.
 * Otherwise the visit connects to the server's own address after a short delay. Returns
 * false if there were more than FOLLOW_MAX connections without a login. Also returns
 * false if the visit was logged in before and wish.reconnects is false. */
static bool follow(struct visit *visit, const char *place)
{
    bool is_known = place != NULL && strlen(place) < PLACE_BYTES;

    if ((visit->was_ready && !visit->wish.reconnects) ||
        ++visit->follow.count > FOLLOW_MAX)
        return false;
    visit->follow.is_sent = true;
    if (is_known)
        text_copy(visit->follow.place, PLACE_BYTES, place);
    choose_place(visit, is_known);
    net_set_reconnects(visit->net, true);
    net_wait_next(visit->net, is_known ? FOLLOW_WAIT_MS : MOVE_WAIT_MS);
    return true;
}

/* Handles a lost connection or a failed attempt. If follow.place has another address of
 * the server, the attempts use this address and the server's own address in turn,
 * because the node at one of the two addresses may be lost. Returns true if another
 * attempt follows and the user need not be told. */
static bool follows(struct visit *visit, const struct net_down *down)
{
    bool was_sent = visit->follow.is_sent;

    visit->follow.is_sent = false;
    if (!was_sent && visit->follow.place[0] != '\0')
        choose_place(visit, !visit->follow.is_used);
    if (visit->was_ready || visit->follow.count == 0 || down->retry_ms < 0)
        return false;
    if (was_sent || ++visit->follow.count <= FOLLOW_MAX)
        return true;
    net_rest(visit->net);
    return false;
}

static void take_notice(struct visit *visit, const struct proto_line *line,
                        int64_t now_ms)
{
    const char *kind = line->words > 0 ? line->word[0] : "";
    const char *why = proto_line_value(line, "why");

    if (strcmp(kind, "bye") == 0 && why != NULL && strcmp(why, "elsewhere") == 0 &&
        follow(visit, proto_line_value(line, "at")))
        return;
    if (visit->calls->on_notice != NULL && line->words > 0)
        visit->calls->on_notice(visit->owner, line, now_ms);
    if (why == NULL)
        return;
    if (strcmp(kind, "bye") == 0) {
        text_copy(visit->bye, sizeof visit->bye, why);
        if (strcmp(why, "restart") == 0)
            net_wait_next(visit->net, RESTART_WAIT_MS);
    } else if (strcmp(kind, "notice") == 0 &&
               text_list_has("storage-full storage-away storage-slow", ' ', why)) {
        visit->is_stuck = true;
    } else if (strcmp(kind, "notice") == 0 && strcmp(why, "storage-back") == 0) {
        visit->is_stuck = false;
    }
}

static void take_parsed(struct visit *visit, const struct proto_line *line,
                        int64_t now_ms)
{
    switch (line->mark) {
    case PROTO_GREETING:
        if (visit->state != VISIT_GREETING)
            break;
        if (line->words == 0 || strcmp(line->word[0], "janggi/1") != 0)
            end(visit, VISIT_STRANGE);
        else
            choose_name(visit);
        break;
    case PROTO_OK:
    case PROTO_ERR:
        take_answer(visit, line, now_ms);
        break;
    case PROTO_NEWS:
        take_notice(visit, line, now_ms);
        break;
    case PROTO_TEXT:
        if (visit->calls->on_text != NULL && visit->requests != NULL)
            visit->calls->on_text(visit->owner, visit->requests, line->human);
        break;
    case PROTO_STRANGE:
        break; /* sent by a later version of the protocol */
    }
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct visit *visit = owner;
    struct proto_line parsed;
    const char *text;
    int64_t game;
    int number;

    (void)len;
    visit->heard_ms = now_ms;
    if (visit->state == VISIT_LEAVING)
        return;
    if (proto_cut_event(line, &game, &number, &text)) {
        if (visit->calls->on_event != NULL)
            visit->calls->on_event(visit->owner, game, number, text, now_ms);
    } else {
        proto_parse_line(line, &parsed);
        take_parsed(visit, &parsed, now_ms);
    }
    if (visit->calls->on_heard != NULL)
        visit->calls->on_heard(visit->owner);
}

/* Handles a line with unprintable characters. If it is the server's first line, it is
 * an invalid greeting. */
static void on_bad_line(void *owner)
{
    struct visit *visit = owner;

    visit->heard_ms = mono_now_ms();
    if (visit->state == VISIT_GREETING)
        end(visit, VISIT_STRANGE);
    else if (visit->state != VISIT_LEAVING && visit->calls->on_bad_line != NULL)
        visit->calls->on_bad_line(visit->owner);
}

/* --- Up and down --- */

static void on_up(void *owner, enum trust_verdict verdict, const struct tls_key *key)
{
    struct visit *visit = owner;
    bool is_whole = strlen(visit->given) == TLS_KEY_TEXT_BYTES - 1;
    bool is_certain = is_whole && visit->trust.source != TRUST_BY_LINK;
    bool keeps_other = false;
    char words[TRUST_WORDS_BYTES];

    visit->heard_ms = mono_now_ms();
    visit->state = VISIT_GREETING;
    visit->bye[0] = '\0';
    visit->key = *key;
    if (verdict == TRUST_GIVEN)
        keeps_other = trust_keep_given(&visit->trust, key, is_certain);
    if (visit->has_met)
        return;
    visit->has_met = true;
    trust_describe_good(words, &visit->trust, verdict);
    if (visit->calls->on_met != NULL)
        visit->calls->on_met(visit->owner, words, keeps_other);
}

void visit_answer_key(struct visit *visit)
{
    tls_key_format(visit->given, &visit->key);
    visit->trust.source = TRUST_BY_PERSON;
    net_start(visit->net);
}

static void lose(struct visit *visit, const struct net_down *down)
{
    const char *bye = visit->bye;

    (void)!text_copy(visit->why, sizeof visit->why, down->words);
    visit->is_nobody_there = down->end == NET_REFUSED;
    if (visit->was_ready)
        visit->loss = (struct visit_loss){
            .since_ms =
                visit->loss.since_ms != 0 ? visit->loss.since_ms : mono_now_ms(),
            .retry_at_ms = down->retry_ms < 0 ? 0 : mono_now_ms() + down->retry_ms,
            .attempt = down->attempt,
            .is_resting = down->retry_ms < 0,
            .why = visit->why};
    if (strcmp(bye, "taken-over") == 0)
        end(visit, VISIT_TAKEN_OVER);
    else if (text_list_has("flood kicked banned", ' ', bye))
        end(visit, VISIT_DISMISSED);
    else if (visit->was_ready)
        end(visit, VISIT_LOST);
    else
        end(visit, bye[0] != '\0' ? VISIT_TURNED_AWAY : VISIT_UNREACHABLE);
}

static void on_down(void *owner, const struct net_down *down)
{
    struct visit *visit = owner;
    char words[TRUST_WORDS_BYTES];

    visit->is_stuck = false;
    if (visit->state == VISIT_LEAVING) {
        event_base_loopbreak(visit->base);
        return;
    }
    if (visit->state == VISIT_NAMING)
        return; /* ask_name() or the server has closed the connection */
    visit->state = VISIT_AWAY;
    if (down->end == NET_CLOSED) {
        net_start(visit->net); /* hang_up() closed the connection, and the name is known
                                * by now */
    } else if (down->end == NET_DISTRUST) {
        visit->verdict = down->verdict;
        visit->key = down->key;
        if (down->verdict == TRUST_UNKNOWN && visit->wish.asks) {
            trust_describe_ask(words, &visit->trust, &visit->key);
            visit->calls->on_ask_key(visit->owner, words);
        } else {
            end(visit, VISIT_DISTRUST);
        }
    } else if (down->end == NET_UNADMITTED) {
        end(visit, VISIT_UNADMITTED);
    } else if (follows(visit, down)) {
        forget_requests(visit);
    } else {
        lose(visit, down);
    }
}

/* --- Once a second --- */

/* Drops the connection if the server has sent nothing for too long, or sends a ping. For
 * a server of several nodes, a shorter time is enough if a request waits for its answer,
 * because another node may have the games by now. */
static void keep_alive(struct visit *visit, int64_t now_ms)
{
    const struct visit_request *oldest = visit->requests;
    bool is_of_several =
        visit->follow.place[0] != '\0' || net_has_other_address(visit->net);
    int64_t quiet_ms = now_ms - visit->heard_ms;

    if (!net_is_up(visit->net) || visit->state == VISIT_NAMING)
        return;
    if (!visit->is_stuck &&
        (quiet_ms > DEAD_MS ||
         (oldest != NULL && quiet_ms > SEVERAL_MS &&
          now_ms - oldest->sent_ms > SEVERAL_MS && is_of_several))) {
        if (is_of_several)
            net_wait_next(visit->net, FOLLOW_WAIT_MS);
        net_drop(visit->net);
    } else if (quiet_ms > (is_of_several ? SEVERAL_MS : QUIET_MS) && oldest == NULL) {
        (void)visit_send(visit, "ping", -1, true);
    }
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct visit *visit = arg;
    int64_t now_ms = mono_now_ms();
    bool is_patient = visit->is_stuck && visit->state != VISIT_LEAVING;

    (void)fd;
    (void)what;
    profile_await(&visit->profile);
    keep_alive(visit, now_ms);
    if (visit->is_alone &&
        now_ms - visit->heard_ms >= (is_patient ? STUCK_MS : SILENCE_MS)) {
        if (visit->state == VISIT_LEAVING)
            visit_leave(visit); /* do not wait for the server */
        else
            end(visit, VISIT_SILENT);
    }
    if (visit->calls->on_tick != NULL)
        visit->calls->on_tick(visit->owner, now_ms);
}

/* --- Coming and going --- */

static bool can_read(const char *path)
{
    bool is_readable = access(path, R_OK) == 0;

    if (!is_readable)
        fprintf(stderr, "janggi: %s: %s\n", path, error_words(errno));
    return is_readable;
}

SSL_CTX *visit_tls(const struct prefs *prefs, bool is_guest)
{
    const char *ca = prefs->ca_path[0] != '\0' ? prefs->ca_path : NULL;
    SSL_CTX *tls;

    if ((ca != NULL && !can_read(ca)) ||
        (prefs->has_own_identity &&
         !(can_read(prefs->cert_path) && can_read(prefs->key_path))))
        return NULL;
    if (is_guest && !prefs->has_own_identity)
        return tls_client_ctx(NULL, NULL, ca);
    if (!prefs->has_own_identity &&
        (!keep_make_way(prefs->key_path) ||
         !tls_make_identity(prefs->cert_path, prefs->key_path, "janggi player")))
        return tls_client_ctx(NULL, NULL, ca); /* no key: log in with a token */
    tls = tls_client_ctx(prefs->cert_path, prefs->key_path, ca);
    if (tls != NULL && !tls_is_player_key(SSL_CTX_get0_privatekey(tls))) {
        fprintf(stderr, "janggi: %s: %s\n", prefs->key_path,
                _("the key must be P-256, Ed25519, or RSA of 2048 to 4096 bits"));
        SSL_CTX_free(tls);
        return NULL;
    }
    return tls;
}

struct visit *visit_new(struct event_base *base, SSL_CTX *tls,
                        const struct visit_wish *wish, const struct visit_calls *calls,
                        void *owner)
{
    static const struct net_calls net_calls = {on_up, on_line, on_bad_line, on_down};
    struct visit *visit = mem_new(sizeof *visit);
    bool has_pin = wish->prefs->pin[0] != '\0';

    visit->base = base;
    visit->tls = tls;
    visit->wish = *wish;
    visit->calls = calls;
    visit->owner = owner;
    visit->requests_end = &visit->requests;
    text_copy(visit->wanted, sizeof visit->wanted, wish->name);
    text_copy(visit->code, sizeof visit->code, wish->prefs->device_code);
    visit->entry_key = wish->to->kind == LINK_OWNER || wish->owner_code != NULL
                           ? " owner="
                           : " invite=";
    visit->entry_code = wish->to->kind == LINK_ENTER || wish->to->kind == LINK_OWNER
                            ? wish->to->code
                            : wish->owner_code;
    text_copy(visit->given, sizeof visit->given,
              has_pin ? wish->prefs->pin : wish->to->key);
    visit->trust = (struct trust){.path = wish->prefs->known_path,
                                  .to = wish->to,
                                  .given = visit->given,
                                  .source = has_pin ? TRUST_BY_PIN : TRUST_BY_LINK};
    profile_open(&visit->profile, wish->prefs, wish->to);
    if (wish->is_question)
        profile_close(&visit->profile); /* a question does not lock a name, and does not
                                         * check which names are locked */
    signal(SIGPIPE, SIG_IGN); /* a write to a closed connection fails with EPIPE instead
                               * of ending the process */
    visit->net =
        net_new(base, tls, &visit->trust, wish->prefs->proxy, &net_calls, visit);
    return visit;
}

void visit_free(struct visit *visit)
{
    if (visit == NULL)
        return;
    net_free(visit->net);
    if (visit->tick != NULL)
        event_free(visit->tick);
    forget_requests(visit);
    SSL_CTX_free(visit->tls);
    profile_close(&visit->profile);
    free(visit);
}

void visit_start(struct visit *visit)
{
    visit->heard_ms = mono_now_ms();
    visit->tick = loop_event(visit->base, -1, EV_PERSIST, on_tick, visit);
    loop_add(visit->tick, TICK_MS);
    net_start(visit->net);
}

bool visit_run(struct visit **visit, const struct visit_wish *wish,
               const struct visit_calls *calls, void *owner)
{
    SSL_CTX *tls = visit_tls(wish->prefs, wish->is_guest);
    struct event_base *base;

    if (tls == NULL)
        return false;
    base = loop_new();
    *visit = visit_new(base, tls, wish, calls, owner);
    (*visit)->is_alone = true;
    visit_start(*visit);
    event_base_dispatch(base);
    visit_free(*visit);
    event_base_free(base);
    return true;
}

void visit_leave(struct visit *visit)
{
    bool is_first = visit->state != VISIT_LEAVING;

    visit->state = VISIT_LEAVING;
    if (is_first && net_is_up(visit->net)) {
        net_send(visit->net, "quit");
        net_stop(visit->net); /* on_down() ends the loop */
        return;
    }
    event_base_loopbreak(visit->base);
}

void visit_try_now(struct visit *visit)
{
    visit->loss.is_resting = false;
    visit->loss.retry_at_ms = 0;
    net_start(visit->net);
}

void visit_rest(struct visit *visit)
{
    visit->loss.is_resting = true;
    visit->loss.retry_at_ms = 0;
    net_rest(visit->net);
}

void visit_set_reconnects(struct visit *visit, bool reconnects)
{
    visit->wish.reconnects = reconnects;
    if (visit->was_ready)
        net_set_reconnects(visit->net, reconnects);
}

/* --- What is so --- */

enum visit_state visit_state(const struct visit *visit)
{
    return visit->state;
}

bool visit_is_ready(const struct visit *visit)
{
    return visit->state == VISIT_READY;
}

bool visit_was_ready(const struct visit *visit)
{
    return visit->was_ready;
}

const struct visit_loss *visit_loss(const struct visit *visit)
{
    return &visit->loss;
}

bool visit_is_away(const struct visit *visit)
{
    return visit->loss.since_ms != 0 && visit->state != VISIT_READY;
}

const char *visit_name(const struct visit *visit)
{
    return visit->name;
}

const struct tls_key *visit_key(const struct visit *visit)
{
    return &visit->key;
}

bool visit_is_loopback(const struct visit *visit)
{
    return net_is_loopback(visit->net);
}

bool visit_has_bye(const struct visit *visit)
{
    return visit->bye[0] != '\0';
}
