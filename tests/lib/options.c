/* See options.h. */
#include "tests/lib/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/log.h"
#include "common/base/text.h"

static void print_default(const struct options_row *row)
{
    if (row->number != NULL)
        printf(" [%d]", *row->number);
    else if (row->text != NULL && *row->text != NULL)
        printf(" [%s]", *row->text);
    putchar('\n');
}

static void print_help(const struct options_row *rows, int count, const char *program)
{
    printf("usage: %s [OPTION...]\n", program);
    for (int i = 0; i < count; i++) {
        char words[40];

        snprintf(words, sizeof words, "--%s%s", rows[i].name,
                 rows[i].number != NULL || rows[i].seed != NULL ? " N"
                 : rows[i].text != NULL                         ? " TEXT"
                                                                : "");
        printf("  %-24s %s", words, rows[i].help);
        print_default(&rows[i]);
    }
}

/* Stores the value of an option. False: the value is invalid. */
static bool take(const struct options_row *row, const char *value)
{
    int64_t number;

    if (row->flag != NULL) {
        *row->flag = true;
        return true;
    }
    if (row->text != NULL) {
        *row->text = value;
        return true;
    }
    if (row->number != NULL) {
        if (!text_to_int(value, row->least, INT_MAX, &number))
            return false;
        *row->number = (int)number;
        return true;
    }
    if (!text_to_int(value, 0, INT64_MAX, &number))
        return false;
    *row->seed = (uint64_t)number;
    return true;
}

bool options_read(const struct options_row *rows, int count, int argc, char **argv)
{
    struct option names[OPTIONS_MAX + 2] = {{0}};
    int at, c;

    if (count > OPTIONS_MAX)
        log_die("options more than %d in a table", OPTIONS_MAX);
    for (int i = 0; i < count; i++)
        names[i] = (struct option){rows[i].name, rows[i].flag == NULL, NULL, 'o'};
    names[count] = (struct option){"help", 0, NULL, 'h'};
    while ((c = getopt_long(argc, argv, "", names, &at)) != -1) {
        if (c == 'h') {
            print_help(rows, count, argv[0]);
            exit(0);
        }
        if (c != 'o')
            return false; /* getopt_long() has said why */
        if (!take(&rows[at], optarg)) {
            fprintf(stderr, "invalid value for --%s: %s\n", rows[at].name, optarg);
            return false;
        }
    }
    if (optind < argc)
        fprintf(stderr, "unexpected argument: %s\n", argv[optind]);
    return optind == argc;
}
