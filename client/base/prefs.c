/* See prefs.h. One table of settings serves the file, the environment and `set`. */
#include "client/base/prefs.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ini.h>

#include "common/base/error_words.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* --- The table of settings --- */

static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const board_words[] = {"auto", "each", "mine", "off", NULL};
static const char *const language_words[] = {"auto", "en", "ko", NULL};
static const char *const pieces_words[] = {"letters", "hanja", "hangul", NULL};
static const char *const switch_words[] = {"off", "on", NULL};

/* The kinds up to SETTING_COMMAND are texts. */
enum setting_kind {
    SETTING_TEXT,
    SETTING_PROXY,
    SETTING_COMMAND,
    SETTING_CHOICE,
    SETTING_SWITCH
};

/* Where a setting is in struct prefs, and its size. */
#define AT(member) offsetof(struct prefs, member), sizeof(((struct prefs *)0)->member)

static const struct setting {
    const char *name;
    enum setting_kind kind;
    size_t at; /* offset in struct prefs */
    size_t size;
    const char *const *words; /* names of the values of a choice or switch, in the order
                               * of the values; NULL for a text */
    const char *help;
} settings[] = {
    {"server", SETTING_TEXT, AT(server), NULL,
     N_("the server to connect to when none is given")},
    {"name", SETTING_TEXT, AT(name), NULL, N_("your name at that server")},
    {"color", SETTING_CHOICE, AT(color), color_words,
     N_("colours: auto, always, never")},
    {"board", SETTING_CHOICE, AT(board), board_words,
     N_("when the board is shown: auto, each (move), mine (my turn), off")},
    {"lang", SETTING_CHOICE, AT(language), language_words,
     N_("the language: auto (that of the system), en, ko")},
    {"pieces", SETTING_CHOICE, AT(pieces), pieces_words,
     N_("how the pieces are shown: letters, hanja, hangul")},
    {"plain", SETTING_SWITCH, AT(is_plain), switch_words,
     N_("one event per line, no prompt")},
    {"speech", SETTING_SWITCH, AT(is_speech), switch_words,
     N_("sentences instead of boards, for screen readers")},
    {"bell", SETTING_SWITCH, AT(has_bell), switch_words,
     N_("a bell: your turn, a challenge, a claim, little time")},
    {"title", SETTING_SWITCH, AT(has_title), switch_words,
     N_("the window's title says when it is your turn")},
    {"tick", SETTING_SWITCH, AT(has_tick), switch_words,
     N_("update the clocks in the prompt while they run")},
    {"reconnect", SETTING_SWITCH, AT(reconnects), switch_words,
     N_("connect again automatically when the connection is lost")},
    {"proxy", SETTING_PROXY, AT(proxy), NULL,
     N_("connect through this proxy: socks5://HOST:PORT, or none")},
    {"on-turn", SETTING_COMMAND, AT(on_turn), NULL,
     N_("a program to start when it is your turn, or none")},
    {"on-match", SETTING_COMMAND, AT(on_match), NULL,
     N_("a program to start when a game of yours begins")},
};

/* Sets the value. For a proxy or a command, "none" and "" mean that there is none. Returns false
 * if it is invalid or too long. */
static bool set_value(struct prefs *prefs, const struct setting *setting,
                      const char *value)
{
    void *at = (char *)prefs + setting->at;
    struct program_line line;
    struct link_proxy proxy;
    int choice = 0;

    if (setting->kind <= SETTING_COMMAND) {
        if (setting->kind != SETTING_TEXT && strcmp(value, "none") == 0)
            value = "";
        return (value[0] == '\0' ||
                ((setting->kind != SETTING_PROXY || link_parse_proxy(value, &proxy)) &&
                 (setting->kind != SETTING_COMMAND ||
                  program_line_parse(&line, value)))) &&
               text_copy(at, setting->size, value);
    }
    while (setting->words[choice] != NULL && strcmp(setting->words[choice], value) != 0)
        choice++;
    if (setting->words[choice] == NULL)
        return false;
    if (setting->kind == SETTING_SWITCH)
        *(bool *)at = choice == 1;
    else
        memcpy(at, &choice,
               sizeof choice); /* each choice is an enum, which is an int */
    return true;
}

static const struct setting *find_setting(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

bool prefs_set(struct prefs *prefs, const char *name, const char *value,
               char why[PREFS_WHY_BYTES])
{
    const struct setting *setting = find_setting(name);
    struct text text = text_into(why, PREFS_WHY_BYTES);

    if (setting == NULL) {
        text_addf(&text, _("unknown setting \"%s\""), name);
        return false;
    }
    if (set_value(prefs, setting, value)) {
        if (setting->at == offsetof(struct prefs, language))
            language_use(prefs->language);
        return true;
    }
    text_addf(&text, _("invalid value \"%s\" for %s"), value, name);
    if (setting->words != NULL)
        text_add(&text, _("; choose one of"));
    for (size_t i = 0; prefs_value(name, i) != NULL; i++)
        text_addf(&text, " %s", prefs_value(name, i));
    return false;
}

const char *prefs_name(size_t i)
{
    return i < ARRAY_LEN(settings) ? settings[i].name : NULL;
}

const char *prefs_value(const char *name, size_t i)
{
    const struct setting *setting = find_setting(name);

    if (setting == NULL || setting->words == NULL)
        return NULL;
    for (size_t w = 0; setting->words[w] != NULL; w++)
        if (w == i)
            return setting->words[w];
    return NULL;
}

static const char *value_words(const struct prefs *prefs, const struct setting *setting)
{
    const void *at = (const char *)prefs + setting->at;
    int choice;

    if (setting->kind <= SETTING_COMMAND)
        return *(const char *)at != '\0' ? at : "-";
    if (setting->kind == SETTING_SWITCH)
        return setting->words[*(const bool *)at];
    memcpy(&choice, at, sizeof choice);
    return setting->words[choice];
}

void prefs_list(const struct prefs *prefs, char *out, size_t size)
{
    struct text text = text_into(out, size);

    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        text_addf(&text, "  %-10s %-8s %s\n", settings[i].name,
                  value_words(prefs, &settings[i]), _(settings[i].help));
}

/* --- Where files lie --- */

/* Writes $VARIABLE/janggi/NAME if the variable contains an absolute path, as XDG
 * requires, otherwise $HOME/FALLBACK/janggi/NAME. */
static void set_path(char out[PATH_MAX], const char *variable, const char *fallback,
                     const char *name)
{
    const char *base = getenv(variable), *home = getenv("HOME");
    struct text text = text_into(out, PATH_MAX);

    if (base != NULL && base[0] == '/')
        text_addf(&text, "%s/janggi/%s", base, name);
    else
        text_addf(&text, "%s/%s/janggi/%s", home != NULL ? home : ".", fallback, name);
}

static void set_defaults(struct prefs *prefs)
{
    static const char data[] = "XDG_DATA_HOME", share[] = ".local/share";
    static const char state[] = "XDG_STATE_HOME", home_state[] = ".local/state";

    memset(prefs, 0, sizeof *prefs);
    set_path(prefs->config_path, "XDG_CONFIG_HOME", ".config", "config");
    set_path(prefs->known_path, data, share, "known_hosts");
    set_path(prefs->names_path, data, share, "names");
    set_path(prefs->cert_path, data, share, "identity.pem");
    set_path(prefs->key_path, data, share, "identity.key");
    set_path(prefs->history_path, state, home_state, "history");
    text_copy(prefs->server, sizeof prefs->server, "127.0.0.1");
    prefs->has_bell = true;
    prefs->has_title = true;
    prefs->has_tick = true;
    prefs->reconnects = true;
}

/* --- The file and the environment --- */

struct reading {
    struct prefs *prefs;
    char *why;
};

/* Applies one line of the file. libinih expects a nonzero result for a valid line. */
static int on_pair(void *arg, const char *section, const char *name, const char *value)
{
    struct reading *reading = arg;

    (void)section; /* headings have no meaning */
    return prefs_set(reading->prefs, name, value, reading->why);
}

static bool read_file(struct prefs *prefs, char why[PREFS_WHY_BYTES])
{
    char words[PREFS_WHY_BYTES];
    struct reading reading = {prefs, words};
    struct text text = text_into(why, PREFS_WHY_BYTES);
    int bad;

    if (access(prefs->config_path, F_OK) != 0)
        return true;
    text_copy(words, sizeof words, _("this line does not have the form name = value"));
    bad = ini_parse(prefs->config_path, on_pair, &reading);
    if (bad == 0)
        return true;
    if (bad < 0)
        text_addf(&text, "%.200s: %s", prefs->config_path, error_words(errno));
    else
        text_addf(&text, "%.200s:%d: %s", prefs->config_path, bad, words);
    return false;
}

static bool read_environment(struct prefs *prefs, char why[PREFS_WHY_BYTES])
{
    static const char *const variables[][2] = {
        {"JANGGI_SERVER", "server"},
        {"JANGGI_NAME", "name"},
        {"JANGGI_PROXY", "proxy"},
    };

    for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
        const char *value = getenv(variables[i][0]);

        if (value != NULL && value[0] != '\0' &&
            !prefs_set(prefs, variables[i][1], value, why))
            return false;
    }
    return true;
}

bool prefs_read(struct prefs *prefs, char why[PREFS_WHY_BYTES])
{
    set_defaults(prefs);
    return read_file(prefs, why) && read_environment(prefs, why);
}

/* --- Options --- */

static bool take_path(char out[PATH_MAX], const char *value)
{
    return value[0] != '\0' && text_copy(out, PATH_MAX, value);
}

bool prefs_take_option(struct prefs *prefs, int code, const char *value)
{
    char why[PREFS_WHY_BYTES];

    prefs->has_own_identity |= code == PREFS_OPTION_CERT || code == PREFS_OPTION_KEY;
    switch (code) {
    case 'c':
        prefs->script = value;
        return true;
    case PREFS_OPTION_PIECES:
        return prefs_set(prefs, "pieces", value, why);
    case PREFS_OPTION_COLOR:
        return prefs_set(prefs, "color", value, why);
    case PREFS_OPTION_PROXY:
        return prefs_set(prefs, "proxy", value, why);
    case PREFS_OPTION_PLAIN:
        return prefs_set(prefs, "plain", "on", why);
    case PREFS_OPTION_SPEECH:
        return prefs_set(prefs, "speech", "on", why);
    case PREFS_OPTION_JSON:
        prefs->is_json = true;
        return prefs_set(prefs, "plain", "on", why);
    case PREFS_OPTION_NO_RECONNECT:
        return prefs_set(prefs, "reconnect", "off", why);
    case PREFS_OPTION_PIN:
        return link_is_key(value) && text_copy(prefs->pin, sizeof prefs->pin, value);
    case PREFS_OPTION_CERT:
        return take_path(prefs->cert_path, value);
    case PREFS_OPTION_KEY:
        return take_path(prefs->key_path, value);
    case PREFS_OPTION_CA:
        return take_path(prefs->ca_path, value);
    default:
        return false;
    }
}

/* --- Colour --- */

bool prefs_wants_color(const struct prefs *prefs, bool is_terminal)
{
    const char *term = getenv("TERM"), *force = getenv("CLICOLOR_FORCE"),
               *no = getenv("NO_COLOR");

    if (prefs->color != COLOR_AUTO)
        return prefs->color == COLOR_ALWAYS;
    if (no != NULL && no[0] != '\0')
        return false;
    if (force != NULL && force[0] != '\0' && strcmp(force, "0") != 0)
        return true;
    return is_terminal && term != NULL && strcmp(term, "dumb") != 0;
}
