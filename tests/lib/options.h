/* The options of a test program, as one table: name, place of the value, meaning.
 * --help prints the table with the defaults. */
#ifndef TESTS_LIB_OPTIONS_H
#define TESTS_LIB_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

/* One option. Exactly one of `text`, `number`, `seed` and `flag` is not NULL. It points
 * to a variable. Before options_read(), the variable has the default; options_read()
 * stores the value of the option there. A flag takes no argument. */
struct options_row {
    const char *name;
    const char **text;
    int *number;
    int least; /* smallest value allowed for `number` */
    uint64_t *seed;
    bool *flag;
    const char *help;
};

enum { OPTIONS_MAX = 32 };

/* Parses the command line. False after printing the error; the program then exits with
 * status 2. --help exits with status 0. Accepts only options. */
bool options_read(const struct options_row *rows, int count, int argc,
                  char **argv) MUST_USE;

#endif
