/* The player's settings and file locations (XDG). Options have priority over the
 * environment, and the environment over the file. Opens no connection and prints
 * nothing. */
#ifndef CLIENT_BASE_PREFS_H
#define CLIENT_BASE_PREFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/language.h"
#include "client/base/link.h"
#include "client/base/look.h"
#include "client/base/program_line.h"
#include "common/base/base.h"
#include "common/base/utf8.h"
#include "common/net/tls.h"

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct prefs {
    /* files */
    char config_path[PATH_MAX];
    char known_path[PATH_MAX];   /* known keys of servers: trust.h */
    char names_path[PATH_MAX];   /* names used at servers: profile.h */
    char history_path[PATH_MAX]; /* history of the line editor */
    char cert_path[PATH_MAX];    /* the player's certificate, which proves the name */
    char key_path[PATH_MAX];
    char ca_path[PATH_MAX];  /* certificates of additional authorities to trust; "":
                              * none */
    char log_path[PATH_MAX]; /* a file that receives every event as it arrives; "": no
                              * log is written */
    bool has_own_identity;   /* --cert or --key was given: the files must exist */
    /* settings */
    char server[512]; /* a link or host[:port] */
    char name[64];    /* "": the client takes the remembered name, or asks the user for
                       * one */
    char pin[TLS_KEY_TEXT_BYTES];
    char proxy[LINK_PROXY_BYTES]; /* for link_parse_proxy(); "": no proxy */
    /* Programs for program_line_parse(); "": no program. */
    char on_turn[PROGRAM_LINE_BYTES];
    char on_match[PROGRAM_LINE_BYTES];
    enum color color;
    enum look_board board;
    enum language language;
    enum look_pieces pieces;
    bool is_plain;
    bool is_json;   /* JSON objects for scripts; implies plain */
    bool is_speech; /* sentences instead of boards */
    bool has_bell;
    bool has_title; /* the window title shows whose turn it is */
    bool has_tick;
    bool reconnects;
    const char *script;                /* the commands of -c; borrowed; NULL: none */
    char device_code[LINK_CODE_BYTES]; /* the code given to "janggi device"; "": none */
};

/* Sets defaults, then reads the file, then the environment. Returns false if the file
 * or the environment has an error. `why` then describes the error and, if it is in the
 * file, names its line. */
enum { PREFS_WHY_BYTES = 400 };
bool prefs_read(struct prefs *prefs, char why[PREFS_WHY_BYTES]) MUST_USE;

/* Sets the value of the setting `name`. The names are those in the file: server name
 * color board pieces lang plain speech bell title tick reconnect proxy on-turn
 * on-match. A new language takes effect at once. Returns false on failure, with the
 * reason in `why`. */
bool prefs_set(struct prefs *prefs, const char *name, const char *value,
               char why[PREFS_WHY_BYTES]) MUST_USE;

/* Codes of the options for output and for connections. The option tables (options.h) of
 * janggi and of tasks such as "janggi bot" contain them. */
enum prefs_option {
    PREFS_OPTION_PIECES = 512,
    PREFS_OPTION_COLOR,
    PREFS_OPTION_PLAIN,
    PREFS_OPTION_SPEECH,
    PREFS_OPTION_JSON,
    PREFS_OPTION_PIN,
    PREFS_OPTION_NO_RECONNECT,
    PREFS_OPTION_PROXY,
    PREFS_OPTION_CERT,
    PREFS_OPTION_KEY,
    PREFS_OPTION_CA
};
/* Applies the option with the code `code`: one of these codes, or 'c' for the option
 * -c, whose value is borrowed. Returns false if `value` is invalid or `code` belongs to
 * another option. */
bool prefs_take_option(struct prefs *prefs, int code, const char *value) MUST_USE;

/* prefs_name() returns the name of the setting with index `i`. prefs_value() returns
 * the value with index `i` in the list of possible values of the setting `name`. The
 * indexes begin at 0. Both functions return NULL after the last entry. If the setting
 * can have any value, prefs_value() returns NULL too. */
const char *prefs_name(size_t i);
const char *prefs_value(const char *name, size_t i);

/* Writes the settings and their values to `out`, one per line. */
void prefs_list(const struct prefs *prefs, char *out, size_t size);

/* Returns true if output should have colour. is_terminal: standard output is a
 * terminal. */
bool prefs_wants_color(const struct prefs *prefs, bool is_terminal);

#endif
