/* See config.h. */
#include "server/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <ini.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/text.h"
#include "common/utf8.h"

enum option_kind { OPTION_TEXT, OPTION_NUMBER, OPTION_FLAG };

struct option_entry {
    const char *name;
    enum option_kind kind;
    size_t offset; /* in struct config */
    int64_t lo, hi;
    const char *initial;
    const char *help;
};

#define AT(field) offsetof(struct config, field)

/* All that can be set, by --name VALUE or a line "name = value". */
static const struct option_entry options[] = {
    {"data", OPTION_TEXT, AT(data), 0, 0, "",
     "directory of the database, key and certificate (default: "
     "$XDG_DATA_HOME/janggid or ~/.local/share/janggid)"},
    {"listen", OPTION_TEXT, AT(listen), 0, 0, ":9032",
     "ADDR:PORT to listen on; port 0 lets the system choose one"},
    {"name", OPTION_TEXT, AT(name), 0, 0, "a janggi server",
     "what the greeting calls this server"},
    {"public-name", OPTION_TEXT, AT(public_name), 0, 0, "",
     "host name in the links that are printed"},
    {"cert", OPTION_TEXT, AT(cert), 0, 0, "",
     "PEM certificate chain (default: the server's own)"},
    {"key", OPTION_TEXT, AT(key), 0, 0, "", "PEM key of --cert"},
    {"invite", OPTION_FLAG, AT(wants_invite), 0, 1, "0",
     "print the line that brings a friend to a game, and the one to watch"},
    {"invite-time", OPTION_TEXT, AT(invite_time), 0, 0, "10m+5s",
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

static bool set(struct config *config, const struct option_entry *option,
                const char *value, char why[CONFIG_WHY_BYTES])
{
    char *field = (char *)config + option->offset;
    int64_t number;

    switch (option->kind) {
    case OPTION_TEXT:
        snprintf(why, CONFIG_WHY_BYTES, "%s is too long", option->name);
        return text_copy(field, CONFIG_TEXT_BYTES, value);
    case OPTION_FLAG:
        snprintf(why, CONFIG_WHY_BYTES, "%s is yes or no, not \"%.40s\"", option->name,
                 value);
        *(bool *)(void *)field = strcmp(value, "1") == 0 || strcmp(value, "yes") == 0;
        return strcmp(value, "1") == 0 || strcmp(value, "yes") == 0 ||
               strcmp(value, "0") == 0 || strcmp(value, "no") == 0;
    default:
        snprintf(why, CONFIG_WHY_BYTES,
                 "%s is a number from %lld to %lld, not \"%.40s\"", option->name,
                 (long long)option->lo, (long long)option->hi, value);
        if (!text_to_int(value, option->lo, option->hi, &number))
            return false;
        *(int *)(void *)field = (int)number;
        return true;
    }
}

bool config_set(struct config *config, const char *name, const char *value,
                char why[CONFIG_WHY_BYTES])
{
    const struct option_entry *option = find(name);

    if (option != NULL)
        return set(config, option, value, why);
    snprintf(why, CONFIG_WHY_BYTES, "there is no option \"%.40s\"; --help lists them",
             name);
    return false;
}

void config_init(struct config *config)
{
    char why[CONFIG_WHY_BYTES];

    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (!set(config, &options[i], options[i].initial, why))
            die("config default of %s", why);
}

/* --- Files --- */

struct reading {
    struct config *config;
    const char *path;
    bool is_told;
};

static int on_pair(void *arg, const char *section, const char *name, const char *value)
{
    struct reading *reading = arg;
    char why[CONFIG_WHY_BYTES];

    if (section[0] == '\0' && config_set(reading->config, name, value, why))
        return 1;
    if (section[0] != '\0')
        snprintf(why, sizeof why, "there are no sections here, so no [%.40s]", section);
    fprintf(stderr, "janggid: %s: %s\n", reading->path, why);
    reading->is_told = true;
    return 0;
}

bool config_read_file(struct config *config, const char *path)
{
    struct reading reading = {.config = config, .path = path};
    int status = ini_parse(path, on_pair, &reading);

    if (status == 0)
        return true;
    if (status < 0)
        fprintf(stderr, "janggid: %s: %s\n", path, strerror(errno));
    else if (reading.is_told)
        fprintf(stderr, "janggid: %s:%d: that is the line\n", path, status);
    else
        fprintf(stderr, "janggid: %s:%d: a line is name = value\n", path, status);
    return false;
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

bool config_finish(struct config *config)
{
    struct time_terms terms;

    if (config->data[0] == '\0' && !find_data(config))
        return false;
    if ((config->cert[0] == '\0') != (config->key[0] == '\0')) {
        fprintf(stderr, "janggid: --cert and --key go together\n");
        return false;
    }
    if (!time_terms_parse(config->invite_time, &terms)) {
        fprintf(stderr,
                "janggid: --invite-time \"%s\" is no time; it is 10m+5s, 20m+3x40s, "
                "3d or none\n",
                config->invite_time);
        return false;
    }
    if (!utf8_is_showable(config->name, strlen(config->name)) ||
        strchr(config->name, '"') != NULL || strlen(config->name) > 100) {
        fprintf(stderr,
                "janggid: --name must be one line of at most 100 bytes, without "
                "quotes\n");
        return false;
    }
    return true;
}

/* --- Showing --- */

static void print_value(const struct config *config, const struct option_entry *option,
                        FILE *out)
{
    const char *field = (const char *)config + option->offset;

    if (option->kind == OPTION_TEXT)
        fprintf(out, "%s = %s\n", option->name, field);
    else if (option->kind == OPTION_FLAG)
        fprintf(out, "%s = %s\n", option->name,
                *(const bool *)(const void *)field ? "yes" : "no");
    else
        fprintf(out, "%s = %d\n", option->name, *(const int *)(const void *)field);
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
