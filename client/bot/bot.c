/* See bot.h: parses the options. */
#include "client/bot/bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/exit.h"
#include "client/base/options.h"
#include "client/bot/bot_play.h"
#include "client/engine/computer.h"
#include "client/view/model.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static const char usage[] = N_(
    "Usage: janggi bot [OPTION...] [LINK | HOST[:PORT]]\n"
    "\n"
    "An engine as a player: it accepts the challenges that fit its terms, plays, and\n"
    "reconnects when the connection is lost. Its name ends in -bot, because it is a\n"
    "program.\n"
    "\n"
    "  -n, --name NAME       the player's name; -bot is added\n"
    "      --engine CMD      a program that speaks UCI, or builtin (default)\n"
    "      --option NAME=V   an option of that program; may be repeated\n"
    "      --variant NAME    how the engine names the rules, if not as\n"
    "                        Fairy-Stockfish does\n"
    "      --level 1-10      strength of the builtin engine (default 5)\n"
    "      --movetime MS     time for each move; the clock is ignored\n"
    "  -r, --rules LIST      rulesets that it plays, like kja,martin (default: all\n"
    "                        that the engine knows)\n"
    "      --shortest TIME   the shortest time control that it accepts (default 1m)\n"
    "      --longest TIME    the longest one (default 2h); both lengths are\n"
    "                        the main time plus 40 increments\n"
    "      --untimed         accept games without a clock as well\n"
    "      --games N         games at the same time, 1 to 16 (default 1)\n"
    "      --leave-after N   leave after N games\n"
    "      --seek TIME       look for opponents, with the first of its\n"
    "                        rulesets\n"
    "      --challenge NAME  with --seek: challenge that player again and again\n"
    "      --seed N          make the same random choices each time\n"
    "      --no-reconnect    leave when the connection is lost\n"
    "      --pin KEY, --proxy PROXY, --cert FILE, --key FILE, --ca FILE\n"
    "                        as for janggi: see janggi --help\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 error, 2 usage, 3 no connection or lost, 4 key not trusted,\n"
    "5 refused, 130 interrupted.\n");

enum option_code {
    OPTION_ENGINE = 256,
    OPTION_OPTION,
    OPTION_VARIANT,
    OPTION_LEVEL,
    OPTION_MOVETIME,
    OPTION_SHORTEST,
    OPTION_LONGEST,
    OPTION_UNTIMED,
    OPTION_GAMES,
    OPTION_LEAVE_AFTER,
    OPTION_SEEK,
    OPTION_CHALLENGE,
    OPTION_SEED,
    OPTION_HELP
};

static const struct option_row options[] = {
    {"name", 'n', N_("a name: 2-16 letters, digits, _ or -, or 2-8 Hangul syllables")},
    {"engine", OPTION_ENGINE, N_("a command, or builtin")},
    {"option", OPTION_OPTION, N_("NAME=VALUE")},
    {"variant", OPTION_VARIANT, N_("a name")},
    {"level", OPTION_LEVEL, "1-10"},
    {"movetime", OPTION_MOVETIME, N_("1-600000 milliseconds")},
    {"rules", 'r', N_("martin, courier, vchess or kja")},
    {"shortest", OPTION_SHORTEST, N_("a time like 5m+3s")},
    {"longest", OPTION_LONGEST, N_("a time like 5m+3s")},
    {"untimed", OPTION_UNTIMED, NULL},
    {"games", OPTION_GAMES, "1-16"},
    {"leave-after", OPTION_LEAVE_AFTER, N_("a number, at least 1")},
    {"seek", OPTION_SEEK, N_("a time like 5m+3s")},
    {"challenge", OPTION_CHALLENGE, N_("a name")},
    {"seed", OPTION_SEED, N_("a number, at least 1")},
    {"pin", PREFS_OPTION_PIN, N_("a key: 22 to 43 characters")},
    {"no-reconnect", PREFS_OPTION_NO_RECONNECT, NULL},
    {"proxy", PREFS_OPTION_PROXY, "socks5://HOST:PORT"},
    {"cert", PREFS_OPTION_CERT, N_("a file")},
    {"key", PREFS_OPTION_KEY, N_("a file")},
    {"ca", PREFS_OPTION_CA, N_("a file")},
    {"help", OPTION_HELP, NULL},
    {NULL, 0, NULL},
};

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "janggi: bot: %s%s%s; see janggi bot --help\n", what,
            why[0] != '\0' ? ": " : "", why);
    return CLIENT_EXIT_USAGE;
}

/* --- Values --- */

/* Sets the bot's name to `value`, with the suffix of bots appended if it is missing.
 * Returns false if the result is invalid or too long. */
static bool take_name(struct bot_play_wish *wish, const char *value)
{
    char marked[2 * NAME_BYTES];
    struct text text = text_into(marked, sizeof marked);

    text_addf(&text, "%s%s", value, model_is_bot(value) ? "" : MODEL_BOT_MARK);
    return !text.is_cut && utf8_name(wish->name, marked);
}

static bool take_time(const char *value, struct time_terms *out)
{
    return time_terms_parse(value, out) && !out->is_untimed &&
           !time_terms_is_correspondence(out);
}

/* Applies one option. Returns false if its value is invalid. */
static bool take_option(void *arg, int option, const char *value)
{
    enum { MOVETIME_MOST_MS = 10 * 60 * 1000 };
    struct bot_play_wish *wish = arg;
    int64_t number = 0;
    bool is_good;

    switch (option) {
    case 'n':
        return take_name(wish, value);
    case 'r':
        return bot_terms_take_rules(&wish->terms, value);
    case OPTION_ENGINE:
        wish->engine.command = strcmp(value, "builtin") == 0 ? NULL : value;
        return value[0] != '\0';
    case OPTION_OPTION:
        if (wish->engine.options == BOT_OPTIONS_MAX || strchr(value, '=') == NULL)
            return false;
        wish->engine.option[wish->engine.options++] = value;
        return true;
    case OPTION_VARIANT:
        wish->engine.variant = value;
        return true;
    case OPTION_SHORTEST:
        return take_time(value, &wish->terms.shortest);
    case OPTION_LONGEST:
        return take_time(value, &wish->terms.longest);
    case OPTION_SEEK:
        wish->seek = value;
        return time_terms_parse(value, &(struct time_terms){0});
    case OPTION_CHALLENGE:
        wish->challenge = value;
        return utf8_name((char[NAME_BYTES]){0}, value);
    case OPTION_UNTIMED:
        wish->terms.takes_untimed = true;
        return true;
    case OPTION_LEVEL:
        return text_to_int32(value, 1, SEARCH_LEVEL_MAX, &wish->engine.level);
    case OPTION_MOVETIME:
        return text_to_int(value, 1, MOVETIME_MOST_MS, &wish->engine.movetime_ms);
    case OPTION_GAMES:
        return text_to_int32(value, 1, BOT_PLAY_GAMES_MAX, &wish->games_max);
    case OPTION_LEAVE_AFTER:
        return text_to_int32(value, 1, INT32_MAX, &wish->games_left);
    case OPTION_SEED:
        is_good = text_to_int(value, 1, INT64_MAX, &number);
        wish->engine.seed = (uint64_t)number;
        return is_good;
    default:
        return prefs_take_option(&wish->prefs, option, value);
    }
}

int bot_run(int argc, char **argv, const struct prefs *prefs)
{
    struct bot_play_wish wish = {
        .prefs = *prefs,
        .engine = {.level = COMPUTER_LEVEL_USUAL, .seed = (uint64_t)mono_now_us()},
        .games_max = 1,
        .games_left = -1,
    };
    const char *user = getenv("USER");
    struct options read;
    char why[LINK_WHY_BYTES];

    bot_terms_init(&wish.terms);
    if (!options_read(&read, options, argc, argv, take_option, &wish))
        return CLIENT_EXIT_USAGE;
    if (read.wants_help) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (read.rest < argc - 1)
        return complain(_("only one server can be given"), argv[read.rest + 1]);
    if (!link_parse(read.rest < argc ? argv[read.rest] : prefs->server, &wish.to, why))
        return complain(why, "");
    if (wish.to.kind == LINK_WATCH)
        return complain(_("this link is for spectators; a bot can only play"), "");
    if (wish.name[0] == '\0' && (user == NULL || !take_name(&wish, user)))
        (void)!take_name(&wish, "janggi");
    return bot_play_run(&wish);
}
