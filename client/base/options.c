/* See options.h. */
#include "client/base/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"

enum { LETTERS = 256 };

void options_begin(struct options *options, const char *task,
                   const struct option_row *rows, int argc, char **argv)
{
    *options = (struct options){.task = task, .rows = rows, .argc = argc, .argv = argv};
    opterr = 0; /* we print the errors */
    optind = 1;
}

static const struct option_row *find_row(const struct options *options, int code)
{
    const struct option_row *row = options->rows;

    while (row->name != NULL && row->code != code)
        row++;
    return row->name != NULL ? row : NULL;
}

bool options_complain(const struct options *options, const char *words,
                      const char *about)
{
    const char *task = options->task;
    const char *space = task[0] != '\0' ? " " : "";
    char shown[128];

    utf8_escape(shown, sizeof shown, about);
    fprintf(stderr, "janggi: %s%s%s%s%s; ", task, task[0] != '\0' ? ": " : "", words,
            about[0] != '\0' ? ": " : "", shown);
    fprintf(stderr, _("see janggi %s%s--help\n"), task, space);
    return false;
}

static void show_name(char *out, size_t size, const struct option_row *row)
{
    if (row->name[0] != '\0')
        snprintf(out, size, "--%s", row->name);
    else
        snprintf(out, size, "-%c", row->code);
}

bool options_refuse(const struct options *options)
{
    const struct option_row *row = find_row(options, options->code);
    char words[256], name[32];

    show_name(name, sizeof name, row);
    snprintf(words, sizeof words, _("invalid value for %s (%s)"), name, _(row->value));
    return options_complain(options, words, options->value);
}

/* Makes the two tables for getopt_long(): `longs` has the long options, `shorts` has
 * the letters. */
static void make_tables(const struct option_row *rows, struct option longs[],
                        struct text *shorts)
{
    size_t count = 0;

    text_add(shorts, ":"); /* distinguishes a missing value from an unknown option */
    for (; rows->name != NULL && count < OPTIONS_MAX; rows++) {
        int has_value = rows->value != NULL ? required_argument : no_argument;

        if (rows->name[0] != '\0')
            longs[count++] = (struct option){rows->name, has_value, NULL, rows->code};
        if (rows->code < LETTERS)
            text_addf(shorts, "%c%s", rows->code, rows->value != NULL ? ":" : "");
    }
    longs[count] = (struct option){NULL, 0, NULL, 0};
}

int options_next(struct options *options)
{
    struct option longs[OPTIONS_MAX + 1];
    char letters[2 * OPTIONS_MAX + 2];
    struct text shorts = text_into(letters, sizeof letters);
    const struct option_row *row;
    char words[256], name[32];
    int code;

    make_tables(options->rows, longs, &shorts);
    code = getopt_long(options->argc, options->argv, letters, longs, NULL);
    options->rest = optind;
    options->value = optarg;
    if (code == -1)
        return OPTIONS_END;
    options->code = code;
    if (code != '?' && code != ':')
        return code;
    row = optopt != 0 ? find_row(options, optopt) : NULL;
    if (row == NULL) {
        /* optopt is 0 for an unknown long option; of "-xr" only the letter is known */
        options_complain(options, _("unknown option"),
                         optopt != 0 ? (char[]){'-', (char)optopt, '\0'}
                                     : options->argv[optind - 1]);
        return OPTIONS_BAD;
    }
    show_name(name, sizeof name, row);
    if (row->value != NULL)
        snprintf(words, sizeof words, _("%s needs a value (%s)"), name, _(row->value));
    else
        snprintf(words, sizeof words, _("%s takes no value"), name);
    options_complain(options, words, "");
    return OPTIONS_BAD;
}

bool options_read(struct options *options, const struct option_row *rows, int argc,
                  char **argv, options_take_fn *take, void *arg)
{
    int code;

    options_begin(options, argv[0], rows, argc, argv);
    while ((code = options_next(options)) >= 0)
        if (strcmp(find_row(options, code)->name, "help") == 0)
            options->wants_help = true;
        else if (!take(arg, code, options->value))
            return options_refuse(options);
    return code == OPTIONS_END;
}
