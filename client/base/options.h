/* Reads the command line of janggi and of its tasks, such as "janggi bot". Each has a
 * table of options; all share one reader and one form of error message. */
#ifndef CLIENT_BASE_OPTIONS_H
#define CLIENT_BASE_OPTIONS_H

#include <stdbool.h>

#include "common/base/base.h"

/* The last row of a table has the name NULL. */
struct option_row {
    const char *name;  /* such as "level"; "": the option has only a letter */
    int code;          /* what options_next() returns; a letter such as 'r' also allows
                        * the short form -r */
    const char *value; /* the form of the value, such as "1-10", for error messages;
                        * NULL: the option takes no value */
};

enum {
    OPTIONS_MAX = 32,
    OPTIONS_END = -1,
    OPTIONS_BAD = -2 /* an error has been printed */
};

struct options {
    const char *task; /* name of the task, such as "computer"; "" for janggi itself */
    const struct option_row *rows;
    int argc;
    char **argv;
    int code;          /* code of the option that was read last */
    const char *value; /* value of the option that was read last; NULL: none */
    bool wants_help;   /* options_read() has read --help */
    int rest;          /* after OPTIONS_END: index in `argv` of the first word that is
                        * not an option */
};

/* Prepares options_next() for the words after argv[0]. Borrows all arguments.
 * options_next() reorders argv. */
void options_begin(struct options *options, const char *task,
                   const struct option_row *rows, int argc, char **argv);
/* Returns the code of the next option, or OPTIONS_END or OPTIONS_BAD. */
int options_next(struct options *options);

/* Applies one option. Returns false if its value is invalid. */
typedef bool options_take_fn(void *arg, int code, const char *value);
/* Reads all options of argv: calls options_begin(), then `take` for each option except
 * --help. Returns false after printing an error. */
bool options_read(struct options *options, const struct option_row *rows, int argc,
                  char **argv, options_take_fn *take, void *arg) MUST_USE;

/* Prints that the value of the last option is invalid. Always returns false. */
bool options_refuse(const struct options *options);
/* Prints `words`, then `about` unless it is "", then where to find help. Always returns
 * false. */
bool options_complain(const struct options *options, const char *words,
                      const char *about);

#endif
