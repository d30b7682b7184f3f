/* The options of a test program, as one table: the name of each, where its value goes and
 * what it means. --help prints the table with the defaults. */
#ifndef TESTS_LIB_OPTIONS_H
#define TESTS_LIB_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

/* One of text, number, seed and flag says where the value goes; a flag has none on the
 * command line. What is there before is the default. */
struct options_row {
    const char *name;
    const char **text;
    int *number;
    int least; /* of number */
    uint64_t *seed;
    bool *flag;
    const char *help;
};

enum { OPTIONS_MAX = 32 };

/* Reads the command line. False after printing what is wrong; the program then ends with
 * status 2. --help ends the program with status 0. Nothing but options is accepted. */
bool options_read(const struct options_row *rows, int count, int argc,
                  char **argv) MUST_USE;

#endif
