/* Plays a whole session of the client janggi without a socket and a terminal: lines
 * from a server, typed lines, lost and new connections, in any order. Printed text must
 * not contain control bytes other than those that skip_own() accepts. Each line that is
 * sent must be valid, and memory must stay bounded.
 *
 * The input consists of lines; the first byte of a line says what it is:
 *
 *   <TEXT   a line from the server      >TEXT  typed
 *   ~       the connection is lost      +      there is a connection again
 *   ?       a line that cannot be shown ^      Ctrl-C        .  time passes
 *
 * This file and played.h replace the keyboard (edit.h), the network (net.h) and the clock. */
#include <sys/types.h>

#include "client/online/client.h"
#include "client/verb/verbs.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/played.h"

enum { LINES_MOST = 400, PRINTED_MOST = 16 * 1024 };

static struct client client;
static int64_t now_ms;

/* --- What is printed --- */

/* If the text at `at` begins with a control sequence that the client itself prints,
 * returns the length of the sequence; otherwise returns 0. Such sequences are colours,
 * the marks around colours in a prompt, LF and the bell. */
static size_t skip_own(const char *at)
{
    static const char *const own[] = {"\n",         "\a",         "\001",    "\002",
                                      "\033[1;31m", "\033[1;34m", "\033[7m", "\033[0m"};

    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if (strncmp(at, own[i], strlen(own[i])) == 0)
            return strlen(own[i]);
    return 0;
}

static void check_shown(const char *text, size_t len)
{
    char rest[PRINTED_MOST];
    size_t kept = 0;

    fuzz_require(len < sizeof rest);
    for (size_t at = 0; at < len;) {
        size_t own = skip_own(text + at);

        if (own == 0)
            rest[kept++] = text[at++];
        at += own;
    }
    fuzz_require(utf8_is_showable(rest, kept));
}

/* --- The keyboard, played --- */

bool edit_print(struct edit *edit, const char *text, size_t len)
{
    check_shown(text, len);
    return true;
}

void edit_prompt(struct edit *edit, const char *prompt)
{
    check_shown(prompt, strlen(prompt));
}

void edit_bell(struct edit *edit)
{
}

/* Checks that the title of the terminal's window has only lower-case letters, digits
 * and a few other characters. The client's own titles do not need more characters. */
void edit_title(struct edit *edit, const char *title)
{
    for (; *title != '\0'; title++)
        fuzz_require((*title >= 'a' && *title <= 'z') ||
                     strchr(":,- 0123456789", *title) != NULL);
}

bool edit_drop_typed(struct edit *edit)
{
    return false;
}

int64_t edit_begun_ms(const struct edit *edit)
{
    return 0;
}

const char *edit_word(const struct edit *edit)
{
    return "a3";
}

void edit_remember(struct edit *edit, const char *line)
{
    fuzz_require(strncmp(line, "join ", 5) != 0 && strstr(line, "/join/") == NULL);
}

/* --- The network, played --- */

void net_wait_next(struct net *net, int64_t wait_ms)
{
    fuzz_require(wait_ms > 0);
}

bool net_set_place(struct net *net, const char *place)
{
    return place == NULL || place[0] != '\0';
}

bool net_is_loopback(const struct net *net)
{
    return false;
}

void net_send(struct net *net, const char *line)
{
    fuzz_require(is_up && utf8_is_showable(line, strlen(line)));
    fuzz_require(strlen(line) <= PROTO_LINE_MAX + PROTO_TAG_BYTES);
}

int64_t mono_now_ms(void)
{
    return now_ms;
}

int64_t mono_now_us(void)
{
    return now_ms * 1000;
}

int64_t mono_with_sleep_ms(void)
{
    return now_ms;
}

int64_t mono_wall_s(void)
{
    return 1795000000;
}

/* --- A visit --- */

static bool is_leaving(void)
{
    return visit_state(client.visit) == VISIT_LEAVING;
}

static void come_up(void)
{
    struct tls_key key = {{0}};

    if (is_up || is_leaving())
        return;
    is_up = true;
    net_calls->on_up(net_owner, TRUST_KNOWN, &key);
}

static void go_down(void)
{
    struct net_down down = {.end = NET_LOST,
                            .words = "connection interrupted",
                            .retry_ms = 1000,
                            .attempt = 1};

    if (!is_up || is_leaving())
        return;
    is_up = false;
    net_calls->on_down(net_owner, &down);
}

/* Gives a received line to the client, as net.c does. If the line is invalid, the
 * client does not get its text, but learns that an invalid line has come. */
static void give_line(char *line)
{
    if (!is_up || is_leaving())
        return;
    if (strlen(line) > PROTO_LINE_MAX || !utf8_is_showable(line, strlen(line)))
        net_calls->on_bad_line(net_owner);
    else
        net_calls->on_line(net_owner, line, strlen(line), now_ms);
}

static void pass_time(void)
{
    now_ms += 1700;
    server_events_say_bad_lines(&client);
    reconnect_check_moves(&client);
    console_prompt(client.console);
}

static void complete(const char *typed)
{
    for (size_t i = 0; i < 300; i++) {
        const char *word = edit_calls->on_complete(edit_owner, typed, i);

        if (word == NULL)
            return;
        fuzz_require(utf8_is_showable(word, strlen(word)));
    }
}

/* Types a line. `save` gets an invalid path, so that nothing is written to the disk. */
static void type_line(const char *line)
{
    char word[16] = "";
    const char *verb;

    complete(line);
    sscanf(line, " %15[^ !]", word);
    text_lower(word);
    verb = verbs_find(&verbs_of_client, &client.model, word);
    edit_calls->on_line(edit_owner, verb != NULL && strcmp(verb, "save") == 0
                                        ? "save /dev/null/file"
                                        : line);
}

static void take(char *line)
{
    switch (line[0]) {
    case '<':
        give_line(line + 1);
        break;
    case '>':
        type_line(line + 1);
        break;
    case '~':
        go_down();
        break;
    case '+':
        come_up();
        break;
    case '?':
        if (is_up)
            net_calls->on_bad_line(net_owner);
        break;
    case '^':
        edit_calls->on_interrupt(edit_owner);
        break;
    default:
        pass_time();
        break;
    }
}

static void check_bounds(void)
{
    int games = 0, asked = 0;

    for (const struct model_game *g = client.model.games; g != NULL; g = g->next)
        games++;
    for (const struct visit_request *a = visit_requests(client.visit); a != NULL;
         a = a->next)
        asked++;
    fuzz_require(games == client.model.game_count && games <= MODEL_GAMES_MAX);
    fuzz_require(asked <= MODEL_GAMES_MAX + LINES_MOST * 2);
}

/* Opens the client. is_screen: the client has a screen; false: the client runs in a
 * pipe. (If the input of the target begins with "=", the client runs in a pipe.) */
static void begin(struct prefs *prefs, const struct link *to, bool is_screen)
{
    memset(prefs, 0, sizeof *prefs);
    prefs->reconnects = prefs->has_bell = prefs->has_title = true;
    strcpy(prefs->name, "kim");
    strcpy(prefs->names_path, "/dev/null/no/names");
    strcpy(prefs->known_path, "/dev/null/no/keys");
    prefs->color = is_screen ? COLOR_ALWAYS : COLOR_NEVER;
    is_terminal = is_screen;
    setenv("TERM", "xterm", true);
    client_open(&client, prefs, to);
    client_open_visit(&client, NULL);
    is_up = false;
    now_ms = 1000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct link to = {
        .kind = LINK_LOBBY, .host = "localhost", .port = "9032"};
    char *text = fuzz_text(data, size), *line = text;
    struct prefs prefs;

    log_set_level(LOG_FATAL);
    begin(&prefs, &to, text[0] != '=');
    come_up();
    for (int i = 0; line != NULL && i < LINES_MOST; i++) {
        char *end = strchr(line, '\n');

        if (end != NULL)
            *end++ = '\0';
        take(line);
        line = end;
    }
    check_bounds();
    client_close(&client);
    free(text);
    return 0;
}
