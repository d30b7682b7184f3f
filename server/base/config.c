/* See config.h. */
#include "server/base/config.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/address.h"
#include "common/base/log.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/game/clock.h"
#include "server/base/access.h"
#include "server/base/prefix.h"

enum { NUMBER_MAX = 1000000 };

enum option_kind {
    OPTION_TEXT,
    OPTION_ADDRESS, /* a text with a restricted form */
    OPTION_NAME,
    OPTION_PREFIXES,
    OPTION_TIME,
    OPTION_SIZE,
    OPTION_STORE,
    OPTION_NODE,
    OPTION_ORIGIN,
    OPTION_PROGRAM,
    OPTION_LIMITS, /* each one that is set is added to those before */
    OPTION_WORD,   /* one of `words`; "" if that is the default */
    OPTION_NUMBER, /* from `least` to NUMBER_MAX */
    OPTION_FLAG,   /* --name, without a value */
    OPTION_SWITCH  /* --name on|off */
};

/* When a change takes effect. */
enum option_change {
    ON_START,
    ON_RELOAD /* also when the files are read again: server.c applies it */
};

struct option_entry {
    const char *name;
    enum option_kind kind;
    enum option_change change;
    size_t offset; /* offset of the option's member in struct config */
    int least;
    const char *words; /* "off|watch|play"; NULL: access_choices() has them */
    const char *initial;
    const char *help;
};

#define AT(field) offsetof(struct config, field)

/* --- Texts that have a form --- */

/* Returns the place of the word in a list like "off|watch|play", or -1. */
static int find_word(const char *list, const char *word)
{
    for (int i = 0;; i++) {
        size_t len = strcspn(list, "|");

        if (strlen(word) == len && memcmp(list, word, len) == 0)
            return i;
        if (list[len] == '\0')
            return -1;
        list += len + 1;
    }
}

/* Checks the port, if there is one; the system checks the address. */
static bool is_address(const char *text)
{
    struct address split;
    int port;

    /* 9302 alone would be the address 0.0.36.86 */
    return text[strspn(text, "0123456789")] != '\0' &&
           address_split(text, strlen(text), &split) &&
           (split.port == NULL || address_parse_port(&split, 0, &port));
}

static bool is_name(const char *text)
{
    return utf8_is_showable(text, strlen(text)) && strchr(text, '"') == NULL &&
           strlen(text) <= 100;
}

int64_t config_bytes(const char *text)
{
    static const char units[] = "KMG";
    size_t digits = strspn(text, "0123456789");
    const char *unit = text[digits] != '\0' ? strchr(units, text[digits]) : NULL;
    char number[16];
    int64_t count;

    if (strcmp(text, "auto") == 0)
        return 0;
    if (unit == NULL || text[digits + 1] != '\0' || digits >= sizeof number)
        return -1;
    memcpy(number, text, digits);
    number[digits] = '\0';
    return text_to_int(number, 1, 1000000, &count) ? count << (10 * (unit - units + 1))
                                                   : -1;
}

static bool is_size(const char *text)
{
    return config_bytes(text) >= 0;
}

static bool is_time(const char *text)
{
    struct time_terms terms;

    return time_terms_parse(text, &terms);
}

static bool is_prefixes(const char *text)
{
    struct prefix_list list;

    return prefix_list_parse(text, &list);
}

/* Checks an address that the server sends to clients as one word of a line. Therefore
 * it must not contain spaces or quotation marks. */
static bool is_node(const char *text)
{
    struct address split;
    int port;

    return text[0] == '\0' ||
           (strlen(text) < 256 && strcspn(text, " \t\"\\,/@:") > 0 &&
            strcspn(text, " \t\"\\,/@") == strlen(text) &&
            address_split(text, strlen(text), &split) && split.port != NULL &&
            address_parse_port(&split, 1, &port));
}

/* Checks only the scheme; the library of PostgreSQL checks the rest. */
static bool is_store(const char *text)
{
    return text[0] == '\0' || strncmp(text, "postgres://", 11) == 0 ||
           strncmp(text, "postgresql://", 13) == 0;
}

static bool is_program(const char *path)
{
    return path[0] == '\0' || path[0] == '/';
}

/* Checks an origin as a browser writes it: lower case, and no slash at the end. */
static bool is_origin(const char *text)
{
    static const char scheme[] = "https://";
    const char *host = text + strlen(scheme);
    struct address split;
    int port;

    if (text[0] == '\0')
        return true;
    return strncmp(text, scheme, strlen(scheme)) == 0 &&
           strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") == strlen(host) &&
           address_split(host, strlen(host), &split) && split.host_len > 0 &&
           (split.port == NULL || address_parse_port(&split, 1, &port));
}

/* --- Profiles: the limits that come together --- */

enum profile { PROFILE_HOME, PROFILE_CLUB, PROFILE_OPEN, PROFILES };
static const char profile_words[] = "home|club|open";

/* All limits. home is for family and friends behind one router, open for strangers. The
 * rows that differ take effect when the files are read again. */
static const struct limit_row {
    const char *name;
    size_t offset; /* of an int in struct config */
    int lo, hi;
    int of[PROFILES]; /* the value in each profile */
} limit_rows[] = {
    {"accepts-per-s", AT(accepts_per_s), 0, 1000, {200, 200, 200}},
    {"work-per-s", AT(work_per_s), 0, 1000, {1000, 250, 250}},
    {"work-burst", AT(work_burst), 1, 1000000, {16000, 4000, 4000}},
    {"guest-idle-s", AT(guest_idle_s), 0, 1000000, {3600, 600, 300}},
    {"slow-reader-s", AT(slow_reader_s), 0, 86400, {10, 10, 10}},
    {"chat-per-min", AT(chat_per_min), 1, 6000, {60, 60, 30}},
    {"chat-burst", AT(chat_burst), 1, 1000, {5, 5, 5}},
    {"seeks", AT(quota[QUOTA_SEEK].account), 1, 1000, {3, 3, 3}},
    {"challenges", AT(quota[QUOTA_CHALLENGE].account), 1, 1000, {10, 10, 10}},
    {"invites", AT(quota[QUOTA_INVITE].account), 1, 1000, {10, 10, 10}},
    {"games-each", AT(quota[QUOTA_GAME].account), 1, 32, {32, 32, 32}},
    {"moves-per-s", AT(moves_per_s), 0, 1000, {10, 10, 10}},
    {"new-names-per-hour", AT(quota[QUOTA_NAME].per_hour), 0, 1000000, {100, 5, 3}},
    {"new-names-per-day", AT(quota[QUOTA_NAME].source), 0, 1000000, {200, 20, 10}},
    {"new-names-per-site", AT(quota[QUOTA_NAME].site), 0, 1000000, {1000, 200, 50}},
    {"new-seats", AT(quota[QUOTA_GAME].source), 0, 1000000, {200, 40, 20}},
    {"new-seeks", AT(quota[QUOTA_SEEK].source), 0, 1000000, {50, 10, 5}},
    {"new-invites", AT(quota[QUOTA_INVITE].source), 0, 1000000, {50, 10, 5}},
    {"reports-per-hour", AT(quota[QUOTA_REPORT].account), 0, 1000, {5, 5, 5}},
    {"network-reports", AT(quota[QUOTA_REPORT].source), 0, 1000000, {20, 20, 10}},
    {"network-messages", AT(quota[QUOTA_MESSAGE].source), 0, 1000000, {200, 200, 100}},
    {"ended-mb", AT(ended_mb), 1, 100000, {32, 32, 32}},
    {"watch", AT(watch_max), 1, 100000, {64, 64, 64}},
    {"setup-s", AT(setup_s), 0, 86400, {0, 0, 0}},
    {"login-s", AT(login_s), 1, 3600, {30, 30, 30}},
    {"lag-max-ms", AT(lag_max_ms), 0, CLOCK_LAG_MS_MOST, {300, 300, 300}},
    {"grace-s", AT(grace_s), 0, 86400, {60, 60, 60}},
    {"absence-s", AT(absence_s), 1, 86400, {180, 180, 180}},
    {"keep-s", AT(keep_s), 1, 86400, {120, 120, 120}},
    {"map-port-s", AT(map_port_s), 2, 86400, {3600, 3600, 3600}},
};

const char *config_limit_name(size_t i)
{
    return i < ARRAY_LEN(limit_rows) ? limit_rows[i].name : NULL;
}

/* Reads a list such as "seeks=5,keep-s=60" and writes the numbers into *config, unless
 * that is NULL. */
static bool read_limits(const char *text, struct config *config)
{
    char copy[CONFIG_TEXT_BYTES], *rest = copy, *word;

    if (!text_copy(copy, sizeof copy, text))
        return false;
    while ((word = strtok_r(rest, ", ", &rest)) != NULL) {
        char *value = strchr(word, '=');
        const struct limit_row *row = limit_rows, *end = row + ARRAY_LEN(limit_rows);
        int64_t number;

        if (value == NULL)
            return false;
        *value++ = '\0';
        while (row < end && strcmp(row->name, word) != 0)
            row++;
        if (row == end || !text_to_int(value, row->lo, row->hi, &number))
            return false;
        if (config != NULL)
            *(int *)(void *)((char *)config + row->offset) = (int)number;
    }
    return true;
}

static bool is_limits(const char *text)
{
    return read_limits(text, NULL);
}

/* Sets the limits to what the profile and the list say. */
static void set_limits(struct config *config)
{
    int profile = find_word(profile_words, config->profile);

    for (size_t i = 0; i < ARRAY_LEN(limit_rows); i++)
        *(int *)(void *)((char *)config + limit_rows[i].offset) =
            limit_rows[i].of[profile];
    (void)read_limits(config->limits, config);
}

static const struct {
    bool (*is_good)(const char *text);
    const char *rule;
} forms[] = {
    [OPTION_ADDRESS] = {is_address,
                        "ADDRESS:PORT, or a port alone with a colon, as :9032; port 0 "
                        "to 65535"},
    [OPTION_NAME] = {is_name, "one line of at most 100 bytes without quotes"},
    [OPTION_PREFIXES] = {is_prefixes, "a list of at most 16 networks: 192.0.2.0/24, "
                                      "2001:db8::/32"},
    [OPTION_SIZE] = {is_size, "a size like 500M or 20G, or auto"},
    [OPTION_TIME] = {is_time, "a time: 10m+5s, 20m+3x40s, 3d or none"},
    [OPTION_STORE] = {is_store, "postgres://HOST/DATABASE, or nothing"},
    [OPTION_NODE] = {is_node, "HOST:PORT, or nothing"},
    [OPTION_PROGRAM] = {is_program, "a path that begins with /, or nothing"},
    [OPTION_LIMITS] = {is_limits, "a list of limits and numbers in their bounds, like "
                                  "seeks=5,keep-s=60; janggid(8) has the names"},
    [OPTION_ORIGIN] = {is_origin, "an origin: https://HOST or https://HOST:PORT, in "
                                  "small letters and without a path"},
};

static const char web_words[] = "off|watch|play";

/* All options, set by --name VALUE or a line "name = value". */
static const struct option_entry options[] = {
    {"data", OPTION_TEXT, ON_START, AT(data), 0, NULL, "",
     "directory of the database, key and certificate (default: "
     "$XDG_DATA_HOME/janggid or ~/.local/share/janggid)"},
    {"store", OPTION_STORE, ON_START, AT(store), 0, NULL, "",
     "postgres://HOST/DATABASE: keep the games there, not in the data directory"},
    {"store-sync", OPTION_WORD, ON_START, AT(store_sync), 0, "checked|outside",
     "checked",
     "checked: --store must have synchronous standbys; outside: the host sees to it"},
    {"accept-loss", OPTION_FLAG, ON_START, AT(accepts_loss), 0, NULL, "0",
     "give up for good what a log of --store has lost; for one start"},
    {"node", OPTION_NODE, ON_START, AT(node), 0, NULL, "",
     "HOST:PORT where clients reach this server, if several servers share --store "
     "(default: as in the links that are printed)"},
    {"listen", OPTION_ADDRESS, ON_START, AT(listen), 0, NULL, ":9032",
     "ADDR:PORT to listen on; port 0: any free one"},
    {"name", OPTION_NAME, ON_RELOAD, AT(name), 0, NULL, "a janggi server",
     "the name of this server in its greeting"},
    {"public-name", OPTION_TEXT, ON_START, AT(public_name), 0, NULL, "",
     "HOST[:PORT] in the links that are printed and that players make"},
    {"cert", OPTION_TEXT, ON_START, AT(cert), 0, NULL, "",
     "PEM certificate chain (default: the server's own)"},
    {"key", OPTION_TEXT, ON_START, AT(key), 0, NULL, "", "PEM key of --cert"},
    {"client-ca", OPTION_TEXT, ON_START, AT(client_ca), 0, NULL, "",
     "PEM file of authorities: clients need a certificate of theirs"},
    {"web", OPTION_WORD, ON_START, AT(web), 0, web_words, "off",
     "what browsers may do at https://: off (nothing), watch, or play"},
    {"web-cert", OPTION_TEXT, ON_START, AT(web_cert), 0, NULL, "",
     "PEM certificate chain for browsers (default: that of --cert)"},
    {"web-key", OPTION_TEXT, ON_START, AT(web_key), 0, NULL, "",
     "PEM key of --web-cert"},
    {"web-listen", OPTION_TEXT, ON_START, AT(web_listen), 0, NULL, "",
     "127.0.0.1:PORT or unix:/PATH for a proxy on this machine, without TLS"},
    {"web-origin", OPTION_ORIGIN, ON_START, AT(web_origin), 0, NULL, "",
     "https://HOST[:PORT] that browsers use (default: the names of the certificate)"},
    {"invite", OPTION_FLAG, ON_START, AT(wants_invite), 0, NULL, "0",
     "print a line for the two players of a game, and one for people who want to "
     "watch"},
    {"invite-time", OPTION_TIME, ON_START, AT(invite_time), 0, NULL, "10m+5s",
     "time of the game of --invite: 10m+5s, 3d, none"},
    {"evenings", OPTION_WORD, ON_RELOAD, AT(evenings), 0, "moderators|members",
     "moderators", "who may make club evenings: moderators or members"},
    {"notify-program", OPTION_PROGRAM, ON_START, AT(notify_program), 0, NULL, "",
     "path of a program that tells absent players whose turn it is; see janggid(8)"},
    {"access", OPTION_WORD, ON_RELOAD, AT(access), 0, NULL, "",
     "who may play: open (everybody), invited (members, and people with an "
     "invitation), members, closed (only staff)"},
    {"guests", OPTION_WORD, ON_RELOAD, AT(guests), 0, NULL, "",
     "what people without a name may do: play, watch or none"},
    {"watching", OPTION_WORD, ON_RELOAD, AT(watching), 0, NULL, "",
     "who may watch games: all or members"},
    {"profile", OPTION_WORD, ON_RELOAD, AT(profile), 0, profile_words, "club",
     "the limits: home (family and friends behind one router), club or open "
     "(strangers)"},
    {"limits", OPTION_LIMITS, ON_START, AT(limits), 0, NULL, "",
     "limits that differ from the profile, for tests and measurements: NAME=N,..."},
    {"connections", OPTION_NUMBER, ON_START, AT(connections_max), 1, NULL, "10000",
     "maximum number of connections"},
    {"per-address", OPTION_NUMBER, ON_RELOAD, AT(per_address_max), 1, NULL, "64",
     "most connections from one address"},
    {"trusted", OPTION_PREFIXES, ON_START, AT(trusted), 0, NULL, "",
     "networks with 20 times the budgets of an address and no penalties: 192.0.2.0/24, "
     "..."},
    {"proxy-from", OPTION_PREFIXES, ON_START, AT(proxy_from), 0, NULL, "",
     "networks of load balancers that send a PROXY protocol header, version 2"},
    {"db-max", OPTION_SIZE, ON_START, AT(db_max), 0, NULL, "auto",
     "size of the database, like 500M or 20G, above which nothing new is accepted "
     "(auto: its size at the start and half of the free space)"},
    {"games-max", OPTION_NUMBER, ON_RELOAD, AT(games_max), 1, NULL, "20000",
     "running games at a time"},
    {"names-max", OPTION_NUMBER, ON_RELOAD, AT(names_max), 1, NULL, "1000000",
     "names in the database"},
    {"rated-same-address", OPTION_SWITCH, ON_RELOAD, AT(rates_same_address), 0, NULL,
     "off",
     "rated games between players at one address count, as in a club in one room"},
    {"quotas", OPTION_SWITCH, ON_START, AT(has_quotas), 0, NULL, "on",
     "off, for measurements: no budgets for addresses and accounts"},
    {"reserve-mb", OPTION_NUMBER, ON_START, AT(reserve_mb), 0, NULL, "64",
     "megabytes of disk reserved for running games when the disk is full (0: none)"},
    {"map-port", OPTION_WORD, ON_START, AT(map_port), 0, "auto|off", "",
     "auto: ask the router to forward the port; off: do not ask (default: auto with "
     "--invite)"},
    {"allow-root", OPTION_FLAG, ON_START, AT(allows_root), 0, NULL, "0",
     "run as root, which janggid refuses otherwise"},
    {"sandbox", OPTION_SWITCH, ON_START, AT(has_sandbox), 0, NULL, "on",
     "after the start, give up the system calls that the server does not need"},
    {"verbose", OPTION_FLAG, ON_RELOAD, AT(is_verbose), 0, NULL, "0",
     "log every step of play"},
};

static_assert(ARRAY_LEN(options) <= CONFIG_OPTIONS_MAX, "origin[] is too small");

static const struct option_entry *find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (strcmp(options[i].name, name) == 0)
            return &options[i];
    return NULL;
}

const char *config_option_name(size_t i, bool *takes_value)
{
    if (i >= ARRAY_LEN(options))
        return NULL;
    *takes_value = options[i].kind != OPTION_FLAG;
    return options[i].name;
}

/* Returns where the errors of this config are printed. */
static FILE *error_file(const struct config *config)
{
    return config->errors != NULL ? config->errors : stderr;
}

/* Prints one error in one line. Returns false, for callers to return. */
static bool report(const struct config *config, struct config_origin origin,
                   const char *name, const char *format, ...) PRINTF_LIKE(4, 5);
static bool report(const struct config *config, struct config_origin origin,
                   const char *name, const char *format, ...)
{
    FILE *out = error_file(config);
    va_list args;

    if (origin.file != NULL)
        fprintf(out, "janggid: %s:%d: %.40s: ", origin.file, origin.line, name);
    else
        fprintf(out, "janggid: --%.40s: ", name);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
    return false;
}

/* True if the value of the URL parameter `name` may be a secret. A very long name
 * counts as secret, and so does a name with an escape (%), because it is not decoded
 * here. */
static bool is_secret(const char *name, size_t size)
{
    static const char *const words[] = {"password", "secret", "scram", "%"};
    char copy[40];

    if (size >= sizeof copy)
        return true;
    memcpy(copy, name, size);
    copy[size] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strstr(copy, words[i]) != NULL)
            return true;
    return false;
}

/* Copies the URL of a database, with *** in place of its passwords. A password belongs in a
 * file, but the host may have put it into the URL, and others may see what is printed. */
static void hide_passwords(char out[CONFIG_TEXT_BYTES], const char *url)
{
    struct text text = text_into(out, CONFIG_TEXT_BYTES);
    const char *scheme = strstr(url, "://"), *end = strrchr(url, '@');
    const char *user = scheme != NULL ? scheme + 3 : url;
    const char *password = strchr(user, ':');

    if (end != NULL && password != NULL && password < end) {
        text_addf(&text, "%.*s:***", (int)(password - url), url);
        url = end;
    }
    text_addf(&text, "%.*s", (int)strcspn(url, "?"), url);
    for (url += strcspn(url, "?"); *url != '\0';) {
        size_t size = strcspn(url + 1, "&") + 1, name = strcspn(url + 1, "=&") + 1;

        if (name < size && is_secret(url + 1, name - 1))
            text_addf(&text, "%.*s=***", (int)name, url);
        else
            text_addf(&text, "%.*s", (int)size, url);
        url += size;
    }
    if (text.is_cut)
        out[0] = '\0';
}

/* The words for false and for true, in this order. Row 0 is for switches, row 1 is for
 * flags. */
static const char *const flag_words[2][2] = {{"off", "on"}, {"no", "yes"}};

static bool is_bool(const struct option_entry *option)
{
    return option->kind == OPTION_FLAG || option->kind == OPTION_SWITCH;
}

static const char *words_of(const struct option_entry *option)
{
    return option->words != NULL ? option->words : access_choices(option->name);
}

static bool set_text(struct config *config, const struct option_entry *option,
                     const char *value, struct config_origin origin)
{
    char *field = (char *)config + option->offset;
    size_t len = option->kind == OPTION_LIMITS ? strlen(field) : 0;
    struct text text = text_into(field + len, CONFIG_TEXT_BYTES - len);

    if (strlen(value) >= CONFIG_TEXT_BYTES)
        return report(config, origin, option->name, "the value is longer than %d bytes",
                      CONFIG_TEXT_BYTES - 1);
    if (option->kind == OPTION_STORE && !is_store(value)) /* it may have a password */
        return report(config, origin, option->name, "it is not %s",
                      forms[OPTION_STORE].rule);
    if (option->kind != OPTION_TEXT && !forms[option->kind].is_good(value))
        return report(config, origin, option->name, "\"%.40s\" is not %s", value,
                      forms[option->kind].rule);
    text_addf(&text, "%s%s", len > 0 ? "," : "", value);
    return !text.is_cut || report(config, origin, option->name, "the list is too long");
}

static bool set(struct config *config, const struct option_entry *option,
                const char *value, struct config_origin origin)
{
    void *field = (char *)config + option->offset;
    bool is_flag = option->kind == OPTION_FLAG, is_yes;
    const char *const *words = flag_words[is_flag];

    config->origin[option - options] = origin;
    switch (option->kind) {
    case OPTION_NUMBER:
        return text_to_int32(value, option->least, NUMBER_MAX, field) ||
               report(config, origin, option->name,
                      "\"%.40s\" is not a number from %d to %d", value, option->least,
                      NUMBER_MAX);
    case OPTION_WORD:
        if (find_word(words_of(option), value) >= 0 ||
            strcmp(value, option->initial) == 0)
            return text_copy(field, CONFIG_TEXT_BYTES, value);
        return report(config, origin, option->name, "\"%.40s\" is not one of %s", value,
                      words_of(option));
    case OPTION_FLAG:
    case OPTION_SWITCH:
        is_yes = strcmp(value, words[1]) == 0 || (is_flag && strcmp(value, "1") == 0);
        if (!is_yes && strcmp(value, words[0]) != 0 &&
            !(is_flag && strcmp(value, "0") == 0))
            return report(config, origin, option->name, "\"%.40s\" is not %s or %s",
                          value, words[1], words[0]);
        *(bool *)field = is_yes;
        return true;
    default:
        return set_text(config, option, value, origin);
    }
}

bool config_set(struct config *config, const char *name, const char *value,
                struct config_origin origin)
{
    const struct option_entry *option = find(name);

    if (option == NULL)
        return report(config, origin, name, "unknown option; janggid --help lists all");
    return set(config, option, value, origin);
}

void config_init(struct config *config)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (!set(config, &options[i], options[i].initial, (struct config_origin){0}))
            log_die("config default of %s", options[i].name);
    set_limits(config);
}

/* --- Files --- */

/* Removes white space at both ends, in place. */
static char *trim(char *text)
{
    size_t len;

    while (isspace((unsigned char)*text))
        text++;
    len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        text[--len] = '\0';
    return text;
}

static bool take_line(struct config *config, char *line, struct config_origin origin)
{
    char *text = trim(line), *value;

    /* A comment is a line that begins with ; or #, or all from a ; after a space */
    for (char *at = text; *at != '\0'; at++)
        if ((*at == ';' && (at == text || isspace((unsigned char)at[-1]))) ||
            (*at == '#' && at == text))
            *at = '\0';
    text = trim(text);
    if (text[0] == '\0')
        return true;
    if (text[0] == '[')
        return report(config, origin, text, "this file has no sections");
    value = strpbrk(text, "=:");
    if (value == NULL)
        return report(config, origin, text, "a line has the form name = value");
    *value++ = '\0';
    return config_set(config, trim(text), trim(value), origin);
}

bool config_read_file(struct config *config, const char *path)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* a byte order mark, which some editors
                                                * write */
    FILE *file = fopen(path, "r");
    struct config_origin origin = {.file = path};
    bool is_good = true;
    char *line = NULL;
    size_t room = 0;

    if (config->file_count < CONFIG_FILES_MAX)
        config->file[config->file_count++] = path;
    while (file != NULL && getline(&line, &room, file) >= 0) {
        bool is_marked = origin.line++ == 0 && strncmp(line, mark, 3) == 0;

        is_good = take_line(config, is_marked ? line + 3 : line, origin) && is_good;
    }
    if (file == NULL || ferror(file) != 0) {
        fprintf(error_file(config), "janggid: %s: %s\n", path, strerror(errno));
        is_good = false;
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return is_good;
}

/* --- What must fit --- */

static bool find_data(struct config *config)
{
    const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    struct text path = text_into(config->data, sizeof config->data);

    if (xdg != NULL && xdg[0] == '/')
        text_addf(&path, "%s/janggid", xdg);
    else if (home != NULL && home[0] == '/')
        text_addf(&path, "%s/.local/share/janggid", home);
    if (path.len > 0 && !path.is_cut)
        return true;
    fprintf(error_file(config),
            "janggid: HOME is not set, so there is no place for the games; use "
            "--data DIR\n");
    return false;
}

/* Reports that an option does not fit the others. Returns false. */
static bool refuse(const struct config *config, const char *name, const char *why)
{
    return report(config, config->origin[find(name) - options], name, "%s", why);
}

enum config_web config_web(const struct config *config)
{
    return (enum config_web)find_word(web_words, config->web);
}

bool config_finish(struct config *config)
{
    bool is_good = config->data[0] != '\0' || find_data(config);
    bool has_web = config_web(config) != CONFIG_WEB_OFF;

    set_limits(config);
    if ((config->cert[0] == '\0') != (config->key[0] == '\0'))
        is_good = refuse(config, config->cert[0] != '\0' ? "cert" : "key",
                         "set both cert and key, or neither");
    if ((config->web_cert[0] == '\0') != (config->web_key[0] == '\0'))
        is_good = refuse(config, config->web_cert[0] != '\0' ? "web-cert" : "web-key",
                         "set both web-cert and web-key, or neither");
    /* browsers do not send a client certificate */
    if (config->client_ca[0] != '\0' && has_web)
        is_good = refuse(config, "client-ca", "it admits no browsers; remove --web");
    /* The port of web-listen has no certificate that names the server. The server needs
     * web-origin to decide which pages may open a WebSocket. */
    if (config->web_listen[0] != '\0' && (config->web_origin[0] == '\0' || !has_web))
        is_good = refuse(config, "web-listen",
                         "it needs --web watch or play, and --web-origin");
    return is_good;
}

/* --- Reading again --- */

static size_t size_of(const struct option_entry *option)
{
    if (option->kind == OPTION_NUMBER)
        return sizeof(int);
    if (is_bool(option))
        return sizeof(bool);
    return CONFIG_TEXT_BYTES;
}

static void copy_option(struct config *to, const struct config *from, size_t i)
{
    memcpy((char *)to + options[i].offset, (const char *)from + options[i].offset,
           size_of(&options[i]));
    to->origin[i] = from->origin[i];
}

static bool is_same(const struct config *one, const struct config *other,
                    const struct option_entry *option)
{
    const void *a = (const char *)one + option->offset;
    const void *b = (const char *)other + option->offset;

    if (option->kind == OPTION_NUMBER || is_bool(option))
        return memcmp(a, b, size_of(option)) == 0;
    return strcmp(a, b) == 0;
}

bool config_read_again(const struct config *now, struct config *next, FILE *errors)
{
    bool is_good = true;

    config_init(next);
    next->errors = errors;
    for (int i = 0; i < now->file_count; i++)
        is_good = config_read_file(next, now->file[i]) && is_good;
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (now->origin[i].is_command_line)
            copy_option(next, now, i);
    return config_finish(next) && is_good;
}

void config_take(struct config *now, const struct config *next, config_change_fn *see,
                 void *arg)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        if (is_same(now, next, &options[i]))
            continue;
        if (options[i].change == ON_RELOAD)
            copy_option(now, next, i);
        see(arg, options[i].name, options[i].change == ON_RELOAD);
    }
    set_limits(now);
}

/* --- Showing --- */

enum { HELP_COLUMN = 27 };

/* Prints a line of a configuration file: the option, and its help as a comment. */
static void print_option(const struct config *config, const struct option_entry *option,
                         const char *before, const char *after, FILE *out)
{
    const char *field = (const char *)config + option->offset;
    char shown[CONFIG_TEXT_BYTES];
    int column = fprintf(out, "%s%s = ", before, option->name);

    if (option->kind == OPTION_STORE) {
        hide_passwords(shown, field);
        field = shown;
    }
    if (is_bool(option))
        field =
            flag_words[option->kind == OPTION_FLAG][*(const bool *)(const void *)field];
    if (option->kind == OPTION_NUMBER)
        column += fprintf(out, "%d", *(const int *)(const void *)field);
    else
        column += fprintf(out, "%s", field);
    fprintf(out, "%*s ; %s%s\n", column < HELP_COLUMN ? HELP_COLUMN - column : 0, "",
            option->help, after);
}

void config_print(const struct config *config, FILE *out)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        print_option(config, &options[i], "", "", out);
}

void config_print_file(const struct config *config, FILE *out)
{
    struct config usual;

    config_init(&usual);
    fprintf(out,
            "; Settings of janggid %s. Remove the # of a line to change it. The "
            "command line has priority;\n; janggid --check-config --config FILE "
            "checks it. janggid ctl reload applies those marked [reload].\n",
            JANGGI_VERSION);
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        print_option(config, &options[i],
                     is_same(config, &usual, &options[i]) ? "#" : "",
                     options[i].change == ON_RELOAD ? CONFIG_RELOAD_MARK : "", out);
}

void config_print_help(FILE *out)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        fprintf(out, "  --%s %s\n      %s", options[i].name,
                options[i].kind == OPTION_FLAG     ? ""
                : options[i].kind == OPTION_NUMBER ? "N"
                : options[i].kind == OPTION_SWITCH ? "on|off"
                : options[i].kind == OPTION_WORD   ? words_of(&options[i])
                                                   : "TEXT",
                options[i].help);
        if (options[i].kind != OPTION_FLAG && options[i].initial[0] != '\0')
            fprintf(out, " (default: %s)", options[i].initial);
        fputc('\n', out);
    }
}
