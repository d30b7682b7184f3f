/* See config.h. */
#include "server/base/config.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hostport.h"
#include "common/base/log.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/game/clock.h"

enum option_kind {
    OPTION_TEXT,
    OPTION_ADDRESS, /* a text with a restricted form */
    OPTION_NAME,
    OPTION_TIME,
    OPTION_NUMBER,
    OPTION_FLAG
};

struct option_entry {
    const char *name;
    enum option_kind kind;
    size_t offset; /* in struct config */
    int64_t lo, hi;
    const char *initial;
    const char *help;
};

#define AT(field) offsetof(struct config, field)

/* --- Texts that have a form --- */

/* Checks the port, if there is one; the system will check the address. */
static bool is_address(const char *text)
{
    struct hostport split;
    int port;

    return hostport_split(text, strlen(text), &split) &&
           (split.port == NULL || hostport_parse_port(&split, 0, &port));
}

static bool is_name(const char *text)
{
    return utf8_is_showable(text, strlen(text)) && strchr(text, '"') == NULL &&
           strlen(text) <= 100;
}

static bool is_time(const char *text)
{
    struct time_terms terms;

    return time_terms_parse(text, &terms);
}

static const struct {
    bool (*is_good)(const char *text);
    const char *rule;
} forms[] = {
    [OPTION_ADDRESS] = {is_address, "an address with a port from 0 to 65535"},
    [OPTION_NAME] = {is_name, "one line of at most 100 bytes without quotes"},
    [OPTION_TIME] = {is_time, "a time: 10m+5s, 20m+3x40s, 3d or none"},
};

/* All options, set by --name VALUE or a line "name = value". */
static const struct option_entry options[] = {
    {"data", OPTION_TEXT, AT(data), 0, 0, "",
     "directory of the database, key and certificate (default: "
     "$XDG_DATA_HOME/janggid or ~/.local/share/janggid)"},
    {"listen", OPTION_ADDRESS, AT(listen), 0, 0, ":9032",
     "ADDR:PORT to listen on; port 0 lets the system choose one"},
    {"name", OPTION_NAME, AT(name), 0, 0, "a janggi server",
     "what the greeting calls this server"},
    {"public-name", OPTION_TEXT, AT(public_name), 0, 0, "",
     "host name in the links that are printed"},
    {"cert", OPTION_TEXT, AT(cert), 0, 0, "",
     "PEM certificate chain (default: the server's own)"},
    {"key", OPTION_TEXT, AT(key), 0, 0, "", "PEM key of --cert"},
    {"invite", OPTION_FLAG, AT(wants_invite), 0, 1, "0",
     "print the line that brings a friend to a game, and the one to watch"},
    {"invite-time", OPTION_TIME, AT(invite_time), 0, 0, "10m+5s",
     "time of that game: 10m+5s, 20m+3x40s, 3d, none"},
    {"connections", OPTION_NUMBER, AT(connections_max), 1, 1000000, "10000",
     "connections at most"},
    {"per-address", OPTION_NUMBER, AT(per_address_max), 1, 1000000, "64",
     "connections from one address at most"},
    {"accepts-per-s", OPTION_NUMBER, AT(accepts_per_s), 0, 1000000, "200",
     "new connections a second (0: no limit)"},
    {"lines-per-s", OPTION_NUMBER, AT(lines_per_s), 0, 1000000, "100",
     "lines a second from one connection (0: no limit)"},
    {"lines-burst", OPTION_NUMBER, AT(lines_burst), 1, 1000000, "500",
     "lines at once from one connection"},
    {"chat-per-min", OPTION_NUMBER, AT(chat_per_min), 1, 6000, "60",
     "say and whisper a minute"},
    {"chat-burst", OPTION_NUMBER, AT(chat_burst), 1, 1000, "5",
     "say and whisper at once"},
    {"seeks", OPTION_NUMBER, AT(seeks_max), 1, 1000, "3", "open seeks of one player"},
    {"challenges", OPTION_NUMBER, AT(challenges_max), 1, 1000, "10",
     "open challenges of one player, and invitations"},
    {"games-max", OPTION_NUMBER, AT(games_max), 1, 1000000, "20000",
     "games that go on at a time"},
    {"names-max", OPTION_NUMBER, AT(names_max), 1, 1000000, "1000000",
     "names that are kept"},
    {"watch", OPTION_NUMBER, AT(watch_max), 1, 100000, "64",
     "games that one connection may follow"},
    {"setup-s", OPTION_NUMBER, AT(setup_s), 0, 86400, "0",
     "seconds to choose a line-up in a timed game (0: as its rules have it)"},
    {"login-s", OPTION_NUMBER, AT(login_s), 1, 3600, "30", "seconds to log in"},
    {"grace-s", OPTION_NUMBER, AT(grace_s), 0, 86400, "60",
     "after a restart, seconds until an absent player's clock runs on"},
    {"absence-s", OPTION_NUMBER, AT(absence_s), 1, 86400, "180",
     "seconds that a player may be away while the other waits"},
    {"adjourned-days", OPTION_NUMBER, AT(adjourned_days), 1, 3650, "30",
     "days until who waits for the other in an adjourned game may claim a draw"},
    {"keep-s", OPTION_NUMBER, AT(keep_s), 1, 86400, "120",
     "seconds that an ended game stays in memory"},
    {"reserve-mb", OPTION_NUMBER, AT(reserve_mb), 0, 1000000, "64",
     "megabytes of disk kept aside, to play on with when it is full (0: none)"},
    {"verbose", OPTION_FLAG, AT(is_verbose), 0, 1, "0", "log play by play"},
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

/* Prints one error in one line. Returns false, for callers to return. */
static bool report(struct config_origin origin, const char *name, const char *format,
                   ...) PRINTF_LIKE(3, 4);
static bool report(struct config_origin origin, const char *name, const char *format,
                   ...)
{
    va_list args;

    if (origin.file != NULL)
        fprintf(stderr, "janggid: %s:%d: %.40s: ", origin.file, origin.line, name);
    else
        fprintf(stderr, "janggid: --%.40s: ", name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return false;
}

static bool set_text(char *field, const struct option_entry *option, const char *value,
                     struct config_origin origin)
{
    if (strlen(value) >= CONFIG_TEXT_BYTES)
        return report(origin, option->name, "longer than %d bytes",
                      CONFIG_TEXT_BYTES - 1);
    if (option->kind != OPTION_TEXT && !forms[option->kind].is_good(value))
        return report(origin, option->name, "\"%.40s\" is not %s", value,
                      forms[option->kind].rule);
    return text_copy(field, CONFIG_TEXT_BYTES, value);
}

static bool set_flag(bool *field, const struct option_entry *option, const char *value,
                     struct config_origin origin)
{
    bool is_yes = strcmp(value, "1") == 0 || strcmp(value, "yes") == 0;

    if (!is_yes && strcmp(value, "0") != 0 && strcmp(value, "no") != 0)
        return report(origin, option->name, "\"%.40s\" is not yes or no", value);
    *field = is_yes;
    return true;
}

static bool set_number(int *field, const struct option_entry *option, const char *value,
                       struct config_origin origin)
{
    int64_t number;

    if (!text_to_int(value, option->lo, option->hi, &number))
        return report(origin, option->name,
                      "\"%.40s\" is not a number from %lld to %lld", value,
                      (long long)option->lo, (long long)option->hi);
    *field = (int)number;
    return true;
}

static bool set(struct config *config, const struct option_entry *option,
                const char *value, struct config_origin origin)
{
    void *field = (char *)config + option->offset;

    config->origin[option - options] = origin;
    if (option->kind == OPTION_FLAG)
        return set_flag(field, option, value, origin);
    if (option->kind == OPTION_NUMBER)
        return set_number(field, option, value, origin);
    return set_text(field, option, value, origin);
}

bool config_set(struct config *config, const char *name, const char *value,
                struct config_origin origin)
{
    const struct option_entry *option = find(name);

    if (option == NULL)
        return report(origin, name, "unknown option; janggid --help lists all");
    return set(config, option, value, origin);
}

void config_init(struct config *config)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (!set(config, &options[i], options[i].initial, (struct config_origin){0}))
            die("config default of %s", options[i].name);
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

/* Cuts a comment: a line that begins with ; or #, and text from a ; after white
 * space. */
static void cut_comment(char *line)
{
    for (char *at = line; *at != '\0'; at++)
        if ((*at == ';' && (at == line || isspace((unsigned char)at[-1]))) ||
            (*at == '#' && at == line))
            *at = '\0';
}

static bool take_line(struct config *config, char *line, struct config_origin origin)
{
    char *text = trim(line), *value;

    cut_comment(text);
    text = trim(text);
    if (text[0] == '\0')
        return true;
    if (text[0] == '[')
        return report(origin, text, "this file has no sections");
    value = strpbrk(text, "=:");
    if (value == NULL)
        return report(origin, text, "a line is name = value");
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

    while (file != NULL && getline(&line, &room, file) >= 0) {
        bool is_marked = origin.line++ == 0 && strncmp(line, mark, 3) == 0;

        is_good = take_line(config, is_marked ? line + 3 : line, origin) && is_good;
    }
    if (file == NULL || ferror(file) != 0) {
        fprintf(stderr, "janggid: %s: %s\n", path, strerror(errno));
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
    fprintf(stderr, "janggid: there is no HOME to keep games in; use --data DIR\n");
    return false;
}

static bool check_pair(const struct config *config)
{
    const char *given = config->cert[0] != '\0' ? "cert" : "key";

    if ((config->cert[0] == '\0') == (config->key[0] == '\0'))
        return true;
    return report(config->origin[find(given) - options], given,
                  "cert and key are set together or not at all");
}

bool config_finish(struct config *config)
{
    bool has_data = config->data[0] != '\0' || find_data(config);

    return check_pair(config) && has_data;
}

/* --- Showing --- */

static void print_value(const struct config *config, const struct option_entry *option,
                        FILE *out)
{
    const char *field = (const char *)config + option->offset;

    if (option->kind == OPTION_NUMBER)
        fprintf(out, "%s = %d\n", option->name, *(const int *)(const void *)field);
    else if (option->kind == OPTION_FLAG)
        fprintf(out, "%s = %s\n", option->name,
                *(const bool *)(const void *)field ? "yes" : "no");
    else
        fprintf(out, "%s = %s\n", option->name, field);
}

void config_print(const struct config *config, FILE *out)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        fprintf(out, "; %s\n", options[i].help);
        print_value(config, &options[i], out);
    }
}

void config_print_help(FILE *out)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        fprintf(out, "  --%s%s\n      %s", options[i].name,
                options[i].kind == OPTION_FLAG     ? ""
                : options[i].kind == OPTION_NUMBER ? " N"
                                                   : " TEXT",
                options[i].help);
        if (options[i].kind != OPTION_FLAG && options[i].initial[0] != '\0')
            fprintf(out, " (default: %s)", options[i].initial);
        fputc('\n', out);
    }
}
