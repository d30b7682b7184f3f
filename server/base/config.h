/* The server's settings: one table of options, read from a file of "name = value" lines
 * and from the command line, which has priority. */
#ifndef SERVER_BASE_CONFIG_H
#define SERVER_BASE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/base.h"

enum { CONFIG_TEXT_BYTES = 512, CONFIG_OPTIONS_MAX = 96, CONFIG_FILES_MAX = 8 };

/* Where an option was set: a line of a file (borrows the path), or with file NULL the
 * command line, or its default. */
struct config_origin {
    const char *file;
    int line;
    bool is_command_line;
    FILE *errors; /* where an error is printed; NULL: standard error */
};

struct config {
    char data[CONFIG_TEXT_BYTES];        /* directory; "" until config_finish() */
    char store[CONFIG_TEXT_BYTES];       /* postgres://...; "": SQLite in data */
    char store_sync[CONFIG_TEXT_BYTES];  /* checked or outside */
    char listen[CONFIG_TEXT_BYTES];      /* ADDR:PORT */
    char name[CONFIG_TEXT_BYTES];        /* the server's name in the greeting */
    char node[CONFIG_TEXT_BYTES];        /* HOST:PORT of this node; "": as in links */
    char public_name[CONFIG_TEXT_BYTES]; /* host name in links; "": chosen
                                          * automatically */
    char cert[CONFIG_TEXT_BYTES];        /* PEM files; "": the server's own */
    char key[CONFIG_TEXT_BYTES];
    char client_ca[CONFIG_TEXT_BYTES]; /* PEM file; "": clients need no authority */
    char web[CONFIG_TEXT_BYTES];       /* what browsers may do: config_web() */
    char web_cert[CONFIG_TEXT_BYTES];  /* for browsers; "": as cert and key */
    char web_key[CONFIG_TEXT_BYTES];
    char web_listen[CONFIG_TEXT_BYTES];  /* for a proxy on this machine; "": none */
    char web_origin[CONFIG_TEXT_BYTES];  /* https://HOST[:PORT] of the pages; "": this
                                         * server's own */
    char invite_time[CONFIG_TEXT_BYTES]; /* time limit of the host's invitation */
    char notify_program[CONFIG_TEXT_BYTES]; /* a path; "": none */
    char evenings[CONFIG_TEXT_BYTES];   /* who may make them: moderators or members */
    char pairing[CONFIG_TEXT_BYTES];    /* command of the host; "": none */
    int pairing_s;                      /* limit of the time that it takes */
    char play_times[CONFIG_TEXT_BYTES]; /* what `play` without a time accepts */
    char access[CONFIG_TEXT_BYTES];     /* settings of access.h; "": not set here */
    char guests[CONFIG_TEXT_BYTES];
    char watching[CONFIG_TEXT_BYTES];
    bool wants_invite; /* print one at the start */
    bool is_verbose;
    char map_port[CONFIG_TEXT_BYTES]; /* auto, off, or "": auto if wants_invite */
    int map_port_s;                   /* of a lease */
    bool allows_root;
    bool has_sandbox;
    bool has_quotas; /* budgets of sources and accounts are kept */
    int connections_max;
    int per_address_max;
    int unnamed_max;
    int accepts_per_s; /* 0: no limit, as with the next four and work_per_s */
    int connects_per_s, connects_burst;
    int work_per_s, work_burst;
    int guest_idle_s, slow_reader_s;    /* 0: never */
    char trusted[CONFIG_TEXT_BYTES];    /* list of networks */
    char proxy_from[CONFIG_TEXT_BYTES]; /* the same */
    int lines_per_s, lines_burst;
    int chat_per_min, chat_burst;
    int seeks_max, challenges_max, watch_max;
    int games_max; /* limit of running games */
    int names_max; /* limit of stored names */
    int invites_max, games_each, games_per_min, moves_per_s;
    int names_per_hour, names_per_day, names_per_site; /* new ones of a network */
    int reports_per_hour, reports_per_day;             /* of a player, of a network */
    int messages_per_day; /* messages from a network that the server keeps */
    int network_seats, network_seeks, network_invites; /* of a network's new names */
    int unmoved_hours, aborted_hours;
    char db_max[CONFIG_TEXT_BYTES]; /* see config_bytes() */
    int ended_mb;                   /* memory for ended games */
    int name_days;                  /* life of an unused name that finished no game */
    int reserve_mb;                 /* disk space held in reserve; 0: none */
    int setup_s, login_s, grace_s, keep_s, absence_s, lag_max_ms;
    int adjourned_days;
    bool rates_same_address;
    struct config_origin origin[CONFIG_OPTIONS_MAX]; /* by index of the option */
    const char *file[CONFIG_FILES_MAX];              /* that were read, in this order */
    int file_count;
    FILE *errors; /* where errors are printed; NULL: standard error */
};

void config_init(struct config *config);

enum config_web { CONFIG_WEB_OFF, CONFIG_WEB_WATCH, CONFIG_WEB_PLAY };
enum config_web config_web(const struct config *config);

/* Reads a file of "name = value" lines. False after printing every error, one line each
 * with file, line and option; correct lines are still set. Keeps path. */
bool config_read_file(struct config *config, const char *path) MUST_USE;

/* Sets one option. False after printing what is wrong, and where. */
bool config_set(struct config *config, const char *name, const char *value,
                struct config_origin origin) MUST_USE;

/* Fills in defaults from the environment (the data directory) and checks options
 * against each other. False after printing every error. */
bool config_finish(struct config *config) MUST_USE;

/* Reads the files of `now` again into *next; what the command line set stays as it is
 * in `now`. False after printing every error to `errors`, one line each. */
bool config_read_again(const struct config *now, struct config *next,
                       FILE *errors) MUST_USE;

/* Copies into `now` what differs in *next and may change without a restart. Calls see
 * for each option that differs: is_taken says whether it was copied. */
typedef void config_change_fn(void *arg, const char *name, bool is_taken);
void config_take(struct config *now, const struct config *next, config_change_fn *see,
                 void *arg);

/* The bytes of a size like 500K, 20M or 3G; 0: "auto"; -1: not a size. */
int64_t config_bytes(const char *text);

/* Prints all settings as a configuration file with explanations. */
void config_print(const struct config *config, FILE *out);
/* Prints a configuration file with every option, its default and a line of help. Only
 * settings that differ from their defaults are active; the others are comments.
 * CONFIG_RELOAD_MARK ends the help of those that config_take() copies. */
#define CONFIG_RELOAD_MARK " [reload]"
void config_print_file(const struct config *config, FILE *out);
/* Prints the options for --help. */
void config_print_help(FILE *out);

/* For getopt_long: the name of the i-th option, NULL after the last, and whether it
 * takes a value. */
const char *config_option_name(size_t i, bool *takes_value);

#endif
