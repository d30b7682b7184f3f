/* See convert.h. */
#include "client/tools/convert.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/options.h"
#include "client/formats/records.h"
#include "client/replay/fetch.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static const char usage[] = N_(
    "Usage: janggi convert [OPTION...] FILE|-\n"
    "       janggi convert [OPTION...] LINK|HOST[:PORT] NUMBER...\n"
    "\n"
    "Writes the game in FILE, a record, GIB or PGN, to standard output in another\n"
    "format. What is assumed or ignored is reported on standard error. With a link or\n"
    "a host, the games with these numbers are downloaded and written in that order.\n"
    "\n"
    "      --to FORMAT       record (default), gib, pgn, json, fen\n"
    "      --from FORMAT     record, gib or pgn, if the file does not show it\n"
    "      --encoding CODE   of the output: utf-8 (default) or cp949\n"
    "  -r, --rules RULESET   the rules of a GIB or PGN file, whatever the file says\n"
    "      --game N          the Nth game of the file, from 1\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 cannot be read or written, 2 usage.\n");

enum { OPTION_TO = 256, OPTION_ENCODING, OPTION_HELP };

static const struct option_row options[] = {
    {"to", OPTION_TO, N_("record, gib, pgn, json or fen")},
    {"from", FETCH_OPTION_FROM, N_("record, gib or pgn")},
    {"encoding", OPTION_ENCODING, N_("utf-8 or cp949")},
    {"rules", 'r', N_("martin, courier, vchess or kja")},
    {"game", FETCH_OPTION_GAME, N_("a number, at least 1")},
    {"help", OPTION_HELP, NULL},
    {NULL, 0, NULL},
};

struct convert {
    const struct prefs *prefs;
    struct records_wish wish;
    enum records_format to;
    bool is_cp949;
};

static bool take_value(void *arg, int option, const char *value)
{
    struct convert *convert = arg;

    switch (option) {
    case OPTION_TO:
        return records_find_format(value, &convert->to);
    case OPTION_ENCODING:
        convert->is_cp949 = strcmp(value, "cp949") == 0;
        return convert->is_cp949 || strcmp(value, "utf-8") == 0;
    default:
        return fetch_take_option(&convert->wish, option, value);
    }
}

/* Converts one game and prints it, after an empty line if it is not the first. at: see
 * fetch_game_at(). */
static bool convert_one(const struct convert *convert, const struct options *read,
                        int at)
{
    struct records_file file;
    bool is_done;
    char *text;

    if ((at > 1 && !records_print("\n", false)) ||
        !fetch_game_at(&file, convert->prefs, &convert->wish, read, at))
        return false;
    text = records_write(&file, convert->to);
    is_done = text != NULL && records_print(text, convert->is_cp949);
    free(text);
    records_clear(&file);
    return is_done;
}

int convert_run(int argc, char **argv, const struct prefs *prefs)
{
    struct convert convert = {
        .prefs = prefs, .wish = {.number = 1}, .to = RECORDS_RECORD};
    struct options read;
    int64_t game;
    int count;

    if (!options_read(&read, options, argc, argv, take_value, &convert) ||
        !fetch_has_file(&read, INT_MAX))
        return CONVERT_USAGE;
    if (read.wants_help) {
        fputs(_(usage), stdout);
        return CONVERT_DONE;
    }
    for (int i = read.rest + 1; i < read.argc; i++)
        if (!text_to_int(read.argv[i], 1, INT64_MAX, &game)) {
            (void)options_complain(&read, _("invalid game number"), read.argv[i]);
            return CONVERT_USAGE;
        }
    count = read.argc - read.rest;
    for (int at = count > 1 ? 1 : 0; at < count; at++)
        if (!convert_one(&convert, &read, at))
            return CONVERT_FAILED;
    return CONVERT_DONE;
}
