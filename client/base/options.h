/* The command line of janggi and its tasks: a table of options, one reader, and one
 * form of error. */
#ifndef CLIENT_BASE_OPTIONS_H
#define CLIENT_BASE_OPTIONS_H

#include <stdbool.h>

#include "common/base/base.h"

/* A row without a name ends a table. */
struct option_row {
    const char *name;  /* "level"; "" for an option that has only a letter */
    int code;          /* below 256: also a letter, such as -r */
    const char *value; /* the form of its value: "1-10"; NULL: no value */
};

enum {
    OPTIONS_MAX = 32,
    OPTIONS_END = -1,
    OPTIONS_BAD = -2 /* an error has been printed */
};

struct options {
    const char *task; /* "computer"; "" for janggi itself */
    const struct option_row *rows;
    int argc;
    char **argv;
    int code;          /* of the last option */
    const char *value; /* its value, or NULL */
    bool wants_help;   /* options_read() has seen the row "help" */
    int rest;          /* at the end: index of the first word that is not an option */
};

/* argv[0] is the name of the task or program. Borrows everything; reorders argv. */
void options_begin(struct options *options, const char *task,
                   const struct option_row *rows, int argc, char **argv);
/* The code of the next option, OPTIONS_END or OPTIONS_BAD. */
int options_next(struct options *options);

/* Takes one option with its value. False: the value is invalid. */
typedef bool options_take_fn(void *arg, int code, const char *value);
/* Reads all options of argv: options_begin(), then take for each one except --help.
 * False after printing an error. */
bool options_read(struct options *options, const struct option_row *rows, int argc,
                  char **argv, options_take_fn *take, void *arg) MUST_USE;

/* Prints that the value of the last option is invalid. Always returns false. */
bool options_refuse(const struct options *options);
/* Prints `words`, then `about` unless it is "", then where to find help. Always returns
 * false. */
bool options_complain(const struct options *options, const char *words,
                      const char *about);

#endif
