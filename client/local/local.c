/* See local.h: parses the options, and makes the terms of the game from them. */
#include "client/local/local.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/base/options.h"
#include "client/engine/computer.h"
#include "client/engine/search.h"
#include "client/local/match.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/names.h"
#include "common/words/sentence.h"

static const char usage[] = N_(
    "Usage: janggi local [OPTION...]      two people at this terminal\n"
    "       janggi computer [OPTION...]   against the computer\n"
    "\n"
    "Opens no connection. Type \"help\" at the prompt for the commands.\n"
    "\n"
    "      --level 1-10      how strong the computer plays (default 5)\n"
    "      --side SIDE       your side (computer only): red (default), blue or any\n"
    "  -r, --rules RULESET   martin (default), courier, vchess or kja\n"
    "      --time TIME       10m+5s, 20m+3x40s, none (default)\n"
    "      --setup RED/BLUE  the line-ups, like NBNB/NBBN (default: you are asked)\n"
    "      --position TEXT   begin from this position, as \"janggi rules\" writes it\n"
    "      --load FILE       continue the game in FILE: a record, GIB or PGN\n"
    "      --flip            show the board from Blue's side\n"
    "  -n, --name NAME       your name; given twice: Red's name and Blue's\n"
    "      --seed N          the computer makes the same random choices each time\n"
    "      --pieces SET      letters, hanja or hangul on the board\n"
    "      --speech          sentences instead of boards, for screen readers\n"
    "      --plain           one event per line, no prompt, no escape codes\n"
    "      --json            the same for scripts: one JSON object per line\n"
    "      --color WHEN      auto, always or never\n"
    "  -c 'WORDS; WORDS'     run these commands as if typed, then leave\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 error, 2 usage, 6 something in a script was refused,\n"
    "130 interrupted.\n");

enum option_code {
    OPTION_LEVEL = 256,
    OPTION_SIDE,
    OPTION_TIME,
    OPTION_SETUP,
    OPTION_POSITION,
    OPTION_LOAD,
    OPTION_FLIP,
    OPTION_SEED,
    OPTION_HELP
};

static const struct option_row options[] = {
    {"level", OPTION_LEVEL, "1-10"},
    {"side", OPTION_SIDE, N_("red, blue or any")},
    {"rules", 'r', N_("martin, courier, vchess or kja")},
    {"time", OPTION_TIME, N_("10m+5s, 20m+3x40s or none")},
    {"setup", OPTION_SETUP, N_("RED/BLUE, as NBNB/NBBN")},
    {"position", OPTION_POSITION, N_("a position as text")},
    {"load", OPTION_LOAD, N_("a file")},
    {"flip", OPTION_FLIP, NULL},
    {"name", 'n', N_("a name: 2-16 letters, digits, _ or -, or 2-8 Hangul syllables")},
    {"seed", OPTION_SEED, N_("a number, at least 1")},
    {"plain", PREFS_OPTION_PLAIN, NULL},
    {"json", PREFS_OPTION_JSON, NULL},
    {"speech", PREFS_OPTION_SPEECH, NULL},
    {"pieces", PREFS_OPTION_PIECES, N_("letters, hanja or hangul")},
    {"color", PREFS_OPTION_COLOR, N_("auto, always or never")},
    {"help", OPTION_HELP, NULL},
    {"", 'c', N_("words")},
    {NULL, 0, NULL},
};

/* The parsed options. */
struct asked_for {
    struct prefs prefs;
    struct match_wish wish;
    enum side side; /* SIDE_NONE: any */
    char name[SIDES][EVENT_NAME_BYTES];
    int names;
    const char *position;
    struct options options;
};

/* --- Values --- */

/* Parses two line-ups such as "NBNB/NBBN" (the orders of knights and bishops), Red's
 * first. */
static bool take_setup(struct table_wish *wish, const char *value)
{
    char red[8] = "";
    size_t len = strcspn(value, "/");

    if (len >= sizeof red || value[len] != '/')
        return false;
    memcpy(red, value, len);
    wish->has_lineup[SIDE_RED] = wish->has_lineup[SIDE_BLUE] = true;
    return lineup_parse(red, &wish->lineup[SIDE_RED]) &&
           lineup_parse(value + len + 1, &wish->lineup[SIDE_BLUE]);
}

static bool take_side(struct asked_for *asked, const char *value)
{
    asked->side = names_find_side(value);
    return asked->side != SIDE_NONE || strcmp(value, "any") == 0;
}

static bool take_name(struct asked_for *asked, const char *value)
{
    return asked->names < SIDES && utf8_name(asked->name[asked->names++], value);
}

static bool take_rules(struct table_wish *wish, const char *value)
{
    wish->rules = ruleset_find(value);
    return wish->rules != NULL;
}

/* Applies one option. Returns false if its value is invalid. */
static bool take_option(void *arg, int option, const char *value)
{
    struct asked_for *asked = arg;
    struct table_wish *wish = &asked->wish.table;
    int64_t number = 1;

    switch (option) {
    case OPTION_LEVEL:
        if (!text_to_int(value, 1, SEARCH_LEVEL_MAX, &number))
            return false;
        wish->level = (int)number;
        return true;
    case OPTION_SIDE:
        return take_side(asked, value);
    case 'r':
        return take_rules(wish, value);
    case OPTION_TIME:
        return time_terms_parse_typed(value, &wish->terms) &&
               !time_terms_is_correspondence(&wish->terms);
    case OPTION_SETUP:
        return take_setup(wish, value);
    case OPTION_POSITION:
        asked->position = value;
        return true;
    case OPTION_LOAD:
        asked->wish.load_path = value;
        return value[0] != '\0';
    case 'n':
        return take_name(asked, value);
    case OPTION_SEED:
        if (!text_to_int(value, 1, INT64_MAX, &number))
            return false;
        asked->wish.seed = (uint64_t)number;
        return true;
    case OPTION_FLIP:
        asked->wish.is_flipped = true;
        return true;
    default:
        return prefs_take_option(&asked->prefs, option, value);
    }
}

static bool take_options(struct asked_for *asked, int argc, char **argv)
{
    struct options *read = &asked->options;

    return options_read(read, options, argc, argv, take_option, asked) &&
           (read->wants_help || read->rest == argc ||
            options_complain(read, _("unexpected argument"), argv[read->rest]));
}

/* --- The wish --- */

static bool take_position(struct asked_for *asked)
{
    struct table_wish *wish = &asked->wish.table;
    const char *text = asked->position;
    char words[SENTENCE_BYTES];
    struct position_fault fault;

    if (text == NULL)
        return true;
    wish->has_position = true;
    if (position_parse(text, &wish->position, &fault) &&
        rules_position_ok(wish->rules, &wish->position, &fault))
        return true;
    sentence_position(words, &fault);
    return options_complain(&asked->options, _("this position is impossible"), words);
}

/* Chooses a name for a person if no option gives one: the name in the settings, the
 * user's name in the variable USER, or "you". */
static void find_name(const struct asked_for *asked, char out[EVENT_NAME_BYTES])
{
    const char *user = getenv("USER");

    if (utf8_name(out, asked->prefs.name) || (user != NULL && utf8_name(out, user)))
        return;
    text_copy(out, EVENT_NAME_BYTES, "you");
}

static void name_people(struct asked_for *asked)
{
    struct table_wish *wish = &asked->wish.table;
    enum side own = wish->is_computer[SIDE_RED] ? SIDE_BLUE : SIDE_RED;
    bool has_computer = wish->is_computer[SIDE_RED] || wish->is_computer[SIDE_BLUE];

    if (has_computer && asked->names > 0)
        text_copy(wish->name[own], EVENT_NAME_BYTES, asked->name[0]);
    else if (has_computer)
        find_name(asked, wish->name[own]);
    for (int side = 0; side < SIDES && !has_computer; side++)
        if (asked->names > side)
            text_copy(wish->name[side], EVENT_NAME_BYTES, asked->name[side]);
        else
            snprintf(wish->name[side], EVENT_NAME_BYTES, "player-%d", side + 1);
}

static void seat_computer(struct asked_for *asked, enum side own)
{
    if (own == SIDE_NONE)
        own = asked->wish.seed >> 7 & 1 ? SIDE_RED : SIDE_BLUE;
    asked->wish.table.is_computer[side_other(own)] = true;
    asked->wish.is_flipped = (own == SIDE_BLUE) != asked->wish.is_flipped;
}

int local_run(int argc, char **argv, const struct prefs *prefs)
{
    struct asked_for asked = {.prefs = *prefs,
                              .side = SIDE_RED,
                              .wish = {.seed = (uint64_t)mono_now_us(),
                                       .table = {.rules = words_usual_rules(),
                                                 .terms = {.is_untimed = true},
                                                 .level = COMPUTER_LEVEL_USUAL}}};

    if (!take_options(&asked, argc, argv))
        return CLIENT_EXIT_USAGE;
    if (asked.options.wants_help) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (!take_position(&asked))
        return CLIENT_EXIT_USAGE;
    if (strcmp(argv[0], "computer") == 0)
        seat_computer(&asked, asked.side);
    name_people(&asked);
    return match_run(&asked.prefs, &asked.wish);
}
