/* The command line of janggi and of its tasks: a table of options, one way to read it, and
 * one way to say what is wrong with it. */
#ifndef CLIENT_BASE_OPTIONS_H
#define CLIENT_BASE_OPTIONS_H

#include <stdbool.h>

#include "common/base/base.h"

/* A row without a name ends a table. */
struct option_row {
    const char *name;  /* "level"; "" where there is only a letter */
    int code;          /* below 256 it is a letter, and -r does too */
    const char *value; /* what a value may be, in words: "1-10"; NULL: it takes none */
};

enum {
    OPTIONS_MAX = 32,
    OPTIONS_END = -1,
    OPTIONS_BAD = -2 /* it was said why */
};

struct options {
    const char *task; /* "computer"; "" for janggi itself */
    const struct option_row *rows;
    int argc;
    char **argv;
    int code;          /* of the option that was read last */
    const char *value; /* its value, or NULL */
    int rest;          /* at the end: the place of the first word that is no option */
};

/* argv[0] is the task's name, or the program's. Borrows all; argv is reordered. */
void options_begin(struct options *options, const char *task,
                   const struct option_row *rows, int argc, char **argv);
/* The code of the next option, OPTIONS_END or OPTIONS_BAD. */
int options_next(struct options *options);

/* Says that the value of the option that was read last is invalid. Always false. */
bool options_refuse(const struct options *options);
/* Says words, with about behind them unless it is "", and where help is. Always false. */
bool options_complain(const struct options *options, const char *words,
                      const char *about);

#endif
