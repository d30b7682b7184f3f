/* Tests of client/net/visit, a session of a client with a server: the lines that it
 * sends, and the effect of each line that it receives. The test takes the place of
 * net.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/profile.h"
#include "client/net/net.h"
#include "client/net/visit.h"
#include "common/base/mono.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

/* --- The network, played --- */

static const struct net_calls *calls;
static void *calls_owner;
static bool is_up, reconnects;
static char sent[256]; /* the last line that was sent */
static int starts, stops, keys, frees;
static void (*on_start)(void); /* called when the visit starts a connection; NULL: no
                                * call */
static int64_t next_wait_ms;
static char
    place[64]; /* the address that the next attempt connects to; "": the server's own */

struct net *net_new(struct event_base *base, SSL_CTX *ctx, const struct trust *trust,
                    const char *proxy, const struct net_calls *net_calls, void *owner)
{
    calls = net_calls;
    calls_owner = owner;
    is_up = reconnects = false;
    sent[0] = '\0';
    starts = stops = keys = 0;
    next_wait_ms = 0;
    return NULL;
}

void net_free(struct net *net)
{
    frees++;
}

void net_set_ctx(struct net *net, SSL_CTX *ctx)
{
    assert_non_null(ctx);
    keys++;
}

void net_set_reconnects(struct net *net, bool does)
{
    reconnects = does;
}

void net_start(struct net *net)
{
    starts++;
    if (on_start != NULL)
        on_start();
}

void net_wait_next(struct net *net, int64_t wait_ms)
{
    next_wait_ms = wait_ms;
}

bool net_set_place(struct net *net, const char *to)
{
    snprintf(place, sizeof place, "%s", to != NULL ? to : "");
    return strcmp(place, "nonsense") != 0;
}

void net_rest(struct net *net)
{
}

void net_stop(struct net *net)
{
    stops++;
    is_up = false;
}

static bool has_other_address;
static int drops;

void net_drop(struct net *net)
{
    drops++;
}

bool net_has_other_address(const struct net *net)
{
    return has_other_address;
}

bool net_is_up(const struct net *net)
{
    return is_up;
}

bool net_is_loopback(const struct net *net)
{
    return true;
}

void net_send(struct net *net, const char *line)
{
    assert_true(is_up);
    snprintf(sent, sizeof sent, "%s", line);
}

static void come_up(void)
{
    struct tls_key key = {{0}};

    is_up = true;
    calls->on_up(calls_owner, TRUST_KNOWN, &key);
}

static void give(const char *line)
{
    char copy[256];

    snprintf(copy, sizeof copy, "%s", line);
    calls->on_line(calls_owner, copy, strlen(copy), mono_now_ms());
}

static void go_down(enum net_end end, int64_t retry_ms)
{
    struct net_down down = {.end = end,
                            .words = "connection interrupted",
                            .retry_ms = retry_ms,
                            .attempt = 1};

    is_up = false;
    calls->on_down(calls_owner, &down);
}

/* --- The owner --- */

static struct visit *visit;
static char said[512]; /* all callbacks that were called, in order */

static void note(const char *words)
{
    size_t len = strlen(said);

    snprintf(said + len, sizeof said - len, "%s;", words);
}

static void assert_said(const char *expected)
{
    assert_string_equal(said, expected);
    said[0] = '\0';
}

static void on_ask_name(void *owner, const char *bad, const char *busy, bool is_refused)
{
    note(bad != NULL    ? "bad name"
         : is_refused   ? "another name"
         : busy != NULL ? busy
                        : "name");
}

static void on_beside(void *owner, const char *busy, const char *name)
{
    note(busy);
    note(name);
}

static void on_ask_key(void *owner, const char *words)
{
    assert_true(words[0] != '\0');
    note("key");
}

static void on_refused(void *owner, const struct proto_line *line)
{
    note(line->word[0]);
}

static void on_resume(void *owner, const char *games)
{
    int64_t game;

    while (visit_next_game(&games, &game))
        visit_resume(visit, game, 5, "");
}

static void on_ready(void *owner, const struct proto_line *line, bool is_first)
{
    note(is_first ? "ready" : "ready again");
}

static void on_back(void *owner, int64_t away_ms)
{
    assert_true(away_ms >= 0);
    note("back");
}

static void on_answer(void *owner, const struct visit_request *request,
                      const struct proto_line *line, int64_t now_ms)
{
    char words[64];

    snprintf(words, sizeof words, "%s %s %s", line->mark == PROTO_OK ? "OK" : "ERR",
             request->verb, request->about);
    note(words);
}

static void on_end(void *owner, enum visit_end end)
{
    static const char *const names[] = {
        [VISIT_UNREACHABLE] = "unreachable",
        [VISIT_DISTRUST] = "distrust",
        [VISIT_STRANGE] = "strange",
        [VISIT_NAMELESS] = "nameless",
        [VISIT_BAD_NAME] = "bad name",
        [VISIT_REFUSED] = "refused",
        [VISIT_TURNED_AWAY] = "turned away",
        [VISIT_BUSY_NAME] = "busy name",
        [VISIT_TAKEN_OVER] = "taken over",
        [VISIT_DISMISSED] = "dismissed",
        [VISIT_LOST] = "lost",
        [VISIT_SILENT] = "silent",
    };
    char words[32];

    snprintf(words, sizeof words, "%s %d", names[end], visit_exit_code(end));
    note(words);
    for (const struct visit_request *r = visit_requests(visit); r != NULL; r = r->next)
        note(r->verb);
}

static const struct visit_calls visit_calls = {
    .on_ask_key = on_ask_key,
    .on_ask_name = on_ask_name,
    .on_beside = on_beside,
    .on_refused = on_refused,
    .on_resume = on_resume,
    .on_ready = on_ready,
    .on_back = on_back,
    .on_answer = on_answer,
    .on_end = on_end,
};

/* The files of these settings can be neither read nor written. */
static struct prefs prefs = {.known_path = "/dev/null/no/keys",
                             .names_path = "/dev/null/no/names"};
static const struct link here = {.host = "localhost", .port = "9032"};

static void open_as(const char *name, bool asks)
{
    struct visit_wish wish = {
        .prefs = &prefs, .to = &here, .name = name, .asks = asks, .reconnects = true};

    visit_free(visit);
    said[0] = '\0';
    visit = visit_new(NULL, NULL, &wish, &visit_calls, NULL);
}

static void meet(void)
{
    come_up();
    give("* janggi/1 a server");
}

static void log_in(const char *answer)
{
    meet();
    give(answer);
}

static int finish(void **state)
{
    visit_free(visit);
    visit = NULL;
    prefs.name[0] = prefs.device_code[0] = '\0';
    return 0;
}

#define ALONE(name) UNIT_TEST_WITH(name, NULL, finish)

/* --- Login --- */

ALONE(a_token_is_shown_the_next_time)
{
    open_as("kim", false);
    come_up();
    assert_int_equal(visit_send(visit, "who", -1, false), 0); /* not logged in yet */
    give("* janggi/1 a server");
    assert_string_equal(sent, "#1 login kim");
    assert_false(reconnects);
    give("#1 OK login name=kim proof=token token=abc");
    assert_said("ready;");
    assert_true(reconnects);
    go_down(NET_LOST, 1000);
    assert_said("lost 3;");
    meet();
    assert_string_equal(sent, "#2 login kim token=abc");
}

ALONE(a_code_is_shown_once)
{
    strcpy(prefs.device_code, "K7Q2");
    open_as("kim", false);
    meet();
    assert_string_equal(sent, "#1 login kim code=K7Q2");
    give("#1 OK login name=kim");
    go_down(NET_LOST, 1000);
    meet();
    assert_string_equal(sent, "#2 login kim");
}

ALONE(no_connection_waits_for_a_name)
{
    open_as("", true);
    meet();
    assert_said("name;");
    assert_string_equal(sent, "quit");
    assert_int_equal(stops, 1);
    assert_false(visit_answer_name(visit, "x y", ""));
    assert_true(visit_answer_name(visit, "hong", ""));
    assert_int_equal(starts, 1);
    go_down(NET_CLOSED, -1); /* only now the abandoned connection is closed */
    assert_int_equal(starts, 2);
    meet();
    assert_string_equal(sent, "#1 login hong");
    give("#1 ERR proof : somebody else's");
    assert_said("proof;another name;");
}

/* --- Beside another client of this user --- */

static char home[UNIT_PATH_BYTES];
static pid_t other;
static int other_ends;

/* Starts another client, which uses the name hong on this server until the test
 * ends. */
static int start_other(void **state)
{
    int begins[2], ends[2];
    char byte;

    assert_true(unit_make_directory(home));
    snprintf(prefs.names_path, sizeof prefs.names_path, "%s/names", home);
    snprintf(prefs.cert_path, sizeof prefs.cert_path, "%s/identity.pem", home);
    snprintf(prefs.key_path, sizeof prefs.key_path, "%s/identity.key", home);
    setenv("USER", "hong", 1);
    assert_int_equal(pipe(begins), 0);
    assert_int_equal(pipe(ends), 0);
    other = fork();
    if (other == 0) {
        char key[TLS_KEY_TEXT_BYTES];
        struct profile profile;

        close(ends[1]);
        tls_key_format(key, &(struct tls_key){{0}});
        profile_open(&profile, &prefs, &here);
        profile_set_server(&profile, key);
        if (!profile_take(&profile, "hong"))
            _exit(1);
        profile_remember(&profile, "hong");
        if (write(begins[1], "x", 1) != 1)
            _exit(1);
        _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(begins[1]);
    close(ends[0]);
    other_ends = ends[1];
    assert_int_equal(read(begins[0], &byte, 1), 1);
    close(begins[0]);
    return 0;
}

static int end_other(void **state)
{
    int status;

    (void)finish(state);
    close(other_ends);
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_int_equal(status, 0);
    strcpy(prefs.names_path, "/dev/null/no/names");
    prefs.cert_path[0] = prefs.key_path[0] = '\0';
    return unit_remove_directory(home);
}

#define BESIDE(name) UNIT_TEST_WITH(name, start_other, end_other)

BESIDE(another_name_comes_with_another_key)
{
    char offer[NAME_BYTES];

    open_as("", true);
    meet();
    assert_said("hong;"); /* the name hong is in use, so the program asks for another
                           * one */
    visit_default_name(visit, offer);
    assert_string_equal(offer, "hong2");
    assert_true(visit_answer_name(visit, "hong2", ""));
    assert_int_equal(keys, 1);
    go_down(NET_CLOSED, -1);
    meet();
    assert_string_equal(sent, "#1 login hong2");
    give("#1 OK login name=hong2 proof=key");
    assert_said("ready;");
    /* At the second visit the server is known, and so is the key of hong2. */
    open_as("", true);
    meet();
    assert_said("hong;hong2;");
    assert_int_equal(keys, 1);
    assert_int_equal(stops, 1); /* the connection that used the first key was closed */
    go_down(NET_CLOSED, -1);
    meet();
    assert_string_equal(sent, "#1 login hong2");
}

BESIDE(a_name_in_use_may_be_taken_over)
{
    open_as("", true);
    meet();
    assert_said("hong;");
    assert_true(visit_answer_name(visit, "hong", ""));
    assert_int_equal(keys, 0);
    go_down(NET_CLOSED, -1);
    meet();
    assert_string_equal(sent, "#1 login hong");
}

BESIDE(a_name_given_in_use_is_asked_about)
{
    strcpy(prefs.name, "hong");
    open_as("", true);
    meet();
    assert_said("hong;");
    open_as("", false); /* a script gets the name that it was told to use */
    meet();
    assert_said("");
    assert_string_equal(sent, "#1 login hong");
}

BESIDE(a_script_gets_no_random_name)
{
    open_as("", false);
    meet();
    assert_said("busy name 5;");
}

BESIDE(a_name_older_than_its_key_is_tried_with_the_first_one)
{
    strcpy(prefs.name, "kim");
    open_as("", false);
    meet();
    assert_int_equal(keys, 1);
    go_down(NET_CLOSED, -1);
    meet();
    give("#1 ERR proof name=kim how=key");
    assert_said("");
    assert_int_equal(keys, 2);
    go_down(NET_CLOSED, -1);
    meet();
    assert_string_equal(sent, "#2 login kim");
    give("#2 ERR proof name=kim how=key");
    assert_said("proof;refused 5;");
}

ALONE(a_script_is_not_asked)
{
    strcpy(prefs.name, "x y");
    open_as("", false);
    log_in("#1 OK");
    assert_said("bad name 2;");
    open_as("kim", false);
    log_in("#1 ERR proof : somebody else's");
    assert_said("proof;refused 5;");
}

ALONE(a_stranger_is_left)
{
    open_as("kim", false);
    come_up();
    give("220 mail.example.org ESMTP");
    assert_said("");
    give("* imap ready");
    assert_said("strange 1;");
    open_as("kim", false);
    come_up();
    calls->on_bad_line(calls_owner);
    assert_said("strange 1;");
}

ALONE(a_key_is_asked_about_only_where_somebody_can_be)
{
    struct net_down down = {
        .end = NET_DISTRUST, .words = "", .retry_ms = -1, .verdict = TRUST_UNKNOWN};

    open_as("kim", true);
    calls->on_down(calls_owner, &down);
    assert_said("key;");
    visit_answer_key(visit);
    assert_int_equal(starts, 1);
    open_as("kim", false);
    calls->on_down(calls_owner, &down);
    assert_said("distrust 4;");
}

/* --- Requests --- */

ALONE(answers_are_matched_by_their_tags)
{
    open_as("kim", false);
    log_in("#1 OK login name=kim");
    assert_said("ready;");
    assert_int_equal(visit_send(visit, "who", -1, false), 2);
    assert_int_equal(visit_send(visit, "accept 7", -1, false), 3);
    assert_int_equal(visit_send(visit, "move 4 1 a3b3", 4, false), 4);
    give("#3 OK accept"); /* the earlier request "who" is dropped without an answer */
    assert_said("OK accept 7;");
    give("#2 OK who");
    give("#9 OK nothing");
    assert_said("");
    give("ERR stale"); /* an answer without a tag belongs to the oldest request */
    assert_said("ERR move 4;");
    assert_null(visit_requests(visit));
}

ALONE(requests_are_there_until_the_end_was_told)
{
    open_as("kim", false);
    log_in("#1 OK login name=kim");
    (void)visit_send(visit, "who", -1, false);
    (void)visit_send(visit, "say hello", -1, false);
    go_down(NET_LOST, 1000);
    assert_said("ready;lost 3;who;say;");
    assert_null(visit_requests(visit));
}

/* --- Loss --- */

ALONE(the_visit_is_back_when_all_games_are)
{
    open_as("kim", false);
    log_in("#1 OK login name=kim games=3,x,7");
    assert_string_equal(sent, "#3 resume 7 5");
    assert_true(visit_is_resuming(visit));
    go_down(NET_LOST, 1000);
    assert_true(visit_is_away(visit));
    assert_false(visit_loss(visit)->is_resting);
    assert_said("ready;lost 3;resume;resume;");
    log_in("#4 OK login name=kim games=3,7");
    assert_said("ready again;");
    assert_false(visit_is_away(visit));
    give("#5 OK resume");
    assert_said("OK resume 3;");
    give("#6 ERR no-such");
    assert_said("ERR resume 7;back;");
    assert_int_equal(visit_loss(visit)->since_ms, 0);
}

ALONE(a_goodbye_says_whether_to_come_back)
{
    open_as("kim", false);
    log_in("#1 OK login name=kim");
    give("! bye why=restart");
    assert_int_equal(next_wait_ms, 3000);
    go_down(NET_LOST, 3000);
    assert_said("ready;lost 3;");
    log_in("#2 OK login name=kim");
    give("! bye why=taken-over");
    go_down(NET_LOST, 1000);
    assert_said("back;ready again;taken over 3;");
    open_as("kim", false);
    come_up();
    give("! bye why=full");
    go_down(NET_LOST, -1);
    assert_said("turned away 5;");
}

ALONE(a_server_elsewhere_is_followed)
{
    open_as("kim", false);
    come_up();
    give("! bye why=elsewhere at=b:9032 : words");
    assert_string_equal(place, "b:9032");
    assert_true(reconnects && next_wait_ms > 0 && next_wait_ms < 1000);
    go_down(NET_LOST, 50);
    log_in("#1 OK login name=kim");
    assert_said("ready;"); /* the owner was not told of the lost connection */
    go_down(NET_LOST, 1000);
    assert_string_equal(place, ""); /* b may be lost: the next attempt goes to the
                                     * server's own address */
    go_down(NET_REFUSED, 1000);
    assert_string_equal(place, "b:9032"); /* that address failed too: next, b
                                           * again */
    go_down(NET_REFUSED, 1000);
    come_up();
    give("! bye why=elsewhere : words");
    assert_string_equal(place, ""); /* no node has the games at the moment */
    go_down(NET_LOST, 500);
    assert_string_equal(place, "");
    come_up();
    give("! bye why=elsewhere at=c:9032 : words");
    go_down(NET_LOST, 50);
    assert_string_equal(place, "c:9032");
    log_in("#2 OK login name=kim");
    assert_said("lost 3;lost 3;lost 3;lost 3;lost 3;back;ready again;");
}

ALONE(a_server_that_is_always_elsewhere_is_left)
{
    int tries = 0;

    open_as("kim", false);
    while (said[0] == '\0' && tries++ < 1000) {
        come_up();
        give("! bye why=elsewhere at=b:9032 : words");
        go_down(NET_LOST, 50);
    }
    assert_said("turned away 5;");
    assert_in_range(tries, 20, 100);
}

ALONE(a_server_that_was_never_there_is_unreachable)
{
    char words[VISIT_WORDS_BYTES];

    open_as("kim", false);
    go_down(NET_REFUSED, -1);
    assert_said("unreachable 3;");
    visit_describe_end(words, visit, VISIT_UNREACHABLE);
    assert_string_equal(
        words, "janggi: cannot reach localhost:9032: connection interrupted; is "
               "janggid running there?\n");
    go_down(NET_UNREACHABLE, -1);
    visit_describe_end(words, visit, VISIT_UNREACHABLE);
    assert_string_equal(
        words, "janggi: cannot reach localhost:9032: connection interrupted\n");
}

/* --- By visit_run(), without a user --- */

static struct {
    const char *trouble,
        *end;             /* `trouble`, `end`: what the server says at second 1 and at
                           * second 31; NULL: nothing */
    bool is_lost;         /* the connection is lost and restored at second 1 */
    int ticks, silent_at; /* seconds */
} lone;

static void step_second(void)
{
    stepped_clock_step_ms(1000);
}

static void on_lone_start(void)
{
    log_in("#1 OK login name=kim");
    step_second();
}

static void on_lone_tick(void *owner, int64_t now_ms)
{
    lone.ticks++;
    if (lone.ticks == 1 && lone.trouble != NULL)
        give(lone.trouble);
    if (lone.ticks == 31 && lone.end != NULL)
        give(lone.end);
    if (lone.ticks == 1 && lone.is_lost) {
        go_down(NET_LOST, 1000);
        log_in("#2 OK login name=kim");
    }
    if (lone.ticks >= 60)
        visit_leave(visit); /* called again at the next tick: the second call ends the
                             * loop at once */
    step_second();
}

static void on_lone_end(void *owner, enum visit_end end)
{
    if (end == VISIT_LOST && lone.is_lost)
        return;
    assert_int_equal(end, VISIT_SILENT);
    lone.silent_at = lone.ticks + 1;
    visit_leave(visit);
}

/* Returns the second at which the visit ended because the server was silent; 0: it had
 * not ended at second 60. */
static int run_lone(const char *trouble, const char *end, bool is_lost)
{
    static const struct visit_calls lone_calls = {.on_tick = on_lone_tick,
                                                  .on_end = on_lone_end};
    struct visit_wish wish = {
        .prefs = &prefs, .to = &here, .name = "kim", .is_guest = true};

    visit_free(visit);
    memset(&lone, 0, sizeof lone);
    lone.trouble = trouble;
    lone.end = end;
    lone.is_lost = is_lost;
    frees = 0;
    stepped_clock_stop();
    on_start = on_lone_start;
    assert_true(visit_run(&visit, &wish, &lone_calls, NULL));
    assert_int_equal(frees, 1);
    visit = NULL;
    on_start = NULL;
    stepped_clock_release();
    return lone.silent_at;
}

ALONE(who_is_alone_waits_for_the_storage_of_the_server)
{
    assert_in_range(run_lone(NULL, NULL, false), 20, 22);
    assert_int_equal(run_lone("! notice why=storage-full", NULL, false), 0);
    assert_int_equal(run_lone("! notice why=storage-slow", NULL, false), 0);
    assert_in_range(
        run_lone("! notice why=storage-away", "! notice why=storage-back", false), 51,
        53);
}

/* After a loss the server's trouble is over, or it says so again. */
ALONE(a_lost_connection_ends_the_wait_for_the_storage)
{
    assert_in_range(run_lone(NULL, NULL, true), 20, 24);
    assert_in_range(run_lone("! notice why=storage-full", NULL, true), 20, 24);
}

/* The fake drops nothing, so the visit asks for it each second. */
ALONE(a_silent_server_is_left_when_its_name_has_another_address)
{
    drops = 0;
    (void)run_lone(NULL, NULL, false);
    assert_int_equal(drops, 0);
    has_other_address = true;
    (void)run_lone(NULL, NULL, false);
    has_other_address = false;
    assert_in_range(drops, 20 - 8, 22 - 6);
}

UNIT_MAIN(NULL, NULL)
