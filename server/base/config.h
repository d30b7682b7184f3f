/* The server's settings: one table of options, read from a file of "name = value" lines
 * and from the command line, which has priority. */
#ifndef SERVER_BASE_CONFIG_H
#define SERVER_BASE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/base.h"

enum { CONFIG_TEXT_BYTES = 512, CONFIG_OPTIONS_MAX = 48 };

/* Where an option was set: a line of a file (borrows the path), or with file NULL the
 * command line. */
struct config_origin {
    const char *file;
    int line;
};

struct config {
    char data[CONFIG_TEXT_BYTES];        /* directory; "" until config_finish() */
    char listen[CONFIG_TEXT_BYTES];      /* ADDR:PORT */
    char name[CONFIG_TEXT_BYTES];        /* the server's name in the greeting */
    char public_name[CONFIG_TEXT_BYTES]; /* host name in links; "": chosen
                                          * automatically */
    char cert[CONFIG_TEXT_BYTES];        /* PEM files; "": the server's own */
    char key[CONFIG_TEXT_BYTES];
    char invite_time[CONFIG_TEXT_BYTES]; /* time limit of the host's invitation */
    bool wants_invite;                   /* print one at the start */
    bool is_verbose;
    int connections_max;
    int per_address_max;
    int accepts_per_s; /* 0: no limit */
    int lines_per_s, lines_burst;
    int chat_per_min, chat_burst;
    int seeks_max, challenges_max, watch_max;
    int games_max;  /* limit of running games */
    int names_max;  /* limit of stored names */
    int reserve_mb; /* disk space held in reserve; 0: none */
    int setup_s, login_s, grace_s, keep_s, absence_s;
    int adjourned_days;
    struct config_origin origin[CONFIG_OPTIONS_MAX]; /* by index of the option */
};

void config_init(struct config *config);

/* Reads a file of "name = value" lines. False after printing every error, one line each
 * with file, line and option; correct lines are still set. Keeps path. */
bool config_read_file(struct config *config, const char *path) MUST_USE;

/* Sets one option. False after printing what is wrong, and where. */
bool config_set(struct config *config, const char *name, const char *value,
                struct config_origin origin) MUST_USE;

/* Fills in defaults from the environment (the data directory) and checks options
 * against each other. False after printing every error. */
bool config_finish(struct config *config) MUST_USE;

/* Prints all settings as a configuration file with explanations. */
void config_print(const struct config *config, FILE *out);
/* Prints the options for --help. */
void config_print_help(FILE *out);

/* For getopt_long: the name of the i-th option, NULL after the last, and whether it
 * takes a value. */
const char *config_option_name(size_t i, bool *takes_value);

#endif
