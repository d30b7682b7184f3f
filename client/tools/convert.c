/* See convert.h. */
#include "client/tools/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/options.h"
#include "client/formats/records.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static const char usage[] = N_(
    "Usage: janggi convert [OPTION...] FILE|-\n"
    "\n"
    "Writes the game in FILE, a record, GIB or PGN, to standard output in another\n"
    "format. What the file leaves open is told on standard error.\n"
    "\n"
    "      --to FORMAT       record (default), gib, pgn, courier, json, fen, figures\n"
    "      --from FORMAT     record, gib or pgn, if it cannot be told from the file\n"
    "      --encoding CODE   of what is written: utf-8 (without it) or cp949\n"
    "  -r, --rules RULESET   in place of the one that a GIB or PGN file names, or not\n"
    "      --game N          the Nth game of the file, from 1\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 cannot be read or written, 2 usage.\n");

enum { OPTION_TO = 256, OPTION_FROM, OPTION_ENCODING, OPTION_GAME, OPTION_HELP };

static const struct option_row options[] = {
    {"to", OPTION_TO, N_("record, gib, pgn, courier, json, fen or figures")},
    {"from", OPTION_FROM, N_("record, gib or pgn")},
    {"encoding", OPTION_ENCODING, N_("utf-8 or cp949")},
    {"rules", 'r', N_("martin, courier, vchess or kja")},
    {"game", OPTION_GAME, N_("a number from 1")},
    {"help", OPTION_HELP, NULL},
    {NULL, 0, NULL},
};

struct convert {
    struct records_wish wish;
    enum records_format to;
    bool is_cp949;
};

static bool take_encoding(struct convert *convert, const char *value)
{
    convert->is_cp949 = strcmp(value, "cp949") == 0;
    return convert->is_cp949 || strcmp(value, "utf-8") == 0;
}

static bool take_number(struct convert *convert, const char *value)
{
    int64_t number;

    if (!text_to_int(value, 1, INT32_MAX, &number))
        return false;
    convert->wish.number = (int)number;
    return true;
}

static bool take_value(void *arg, int option, const char *value)
{
    struct convert *convert = arg;

    switch (option) {
    case OPTION_TO:
        return records_find_format(value, &convert->to);
    case OPTION_FROM:
        return records_find_format(value, &convert->wish.from);
    case OPTION_ENCODING:
        return take_encoding(convert, value);
    case OPTION_GAME:
        return take_number(convert, value);
    default:
        convert->wish.rules = ruleset_find(value);
        return convert->wish.rules != NULL;
    }
}

static bool take_options(struct convert *convert, int argc, char **argv,
                         struct options *read)
{
    return options_read(read, options, argc, argv, take_value, convert) &&
           (read->wants_help || read->rest == argc - 1 ||
            options_complain(read, _("one FILE, or - for standard input"), ""));
}

static int run(const struct convert *convert, const char *path)
{
    struct records_file file;
    bool is_done = false;
    char *text;

    if (!records_read(&file, path, &convert->wish))
        return CONVERT_FAILED;
    text = records_write(&file, convert->to);
    if (text != NULL)
        is_done = records_print(text, convert->is_cp949);
    free(text);
    records_clear(&file);
    return is_done ? CONVERT_DONE : CONVERT_FAILED;
}

int convert_run(int argc, char **argv)
{
    struct convert convert = {.wish = {.number = 1}, .to = RECORDS_RECORD};
    struct options read;

    if (!take_options(&convert, argc, argv, &read))
        return CONVERT_USAGE;
    if (!read.wants_help)
        return run(&convert, argv[read.rest]);
    fputs(_(usage), stdout);
    return CONVERT_DONE;
}
