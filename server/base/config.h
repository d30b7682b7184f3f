/* The server's settings: one table of options, read from a file of "name = value" lines
 * and from the command line, which has priority. */
#ifndef SERVER_BASE_CONFIG_H
#define SERVER_BASE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/base.h"

enum { CONFIG_TEXT_BYTES = 512, CONFIG_OPTIONS_MAX = 42, CONFIG_FILES_MAX = 8 };

/* Where an option was set. `file` is the borrowed path of a file; NULL: the option was
 * set on the command line, or has its default. */
struct config_origin {
    const char *file;
    int line;
    bool is_command_line;
};

/* Limits that no host has to turn. */
enum {
    CONFIG_GAMES_PER_MIN = 10, /* that one player begins, after the first 64 */
    CONFIG_UNMOVED_HOURS =
        24, /* then a game in which one side never moved is aborted */
    CONFIG_ABORTED_HOURS = 24, /* then an aborted game is deleted */
    CONFIG_NAME_DAYS = 30,     /* then an unused name without a finished game is free */
    CONFIG_ADJOURNED_DAYS = 30 /* then a draw may be claimed in an adjourned game */
};

/* What has a quota (account/quota.h). What is open is counted until it ends; what is made
 * is counted for an hour and for a day. */
enum quota_kind {
    QUOTA_GAME,
    QUOTA_SEEK,
    QUOTA_CHALLENGE,
    QUOTA_INVITE,
    QUOTA_NAME, /* from here on: what is made */
    QUOTA_REPORT,
    QUOTA_MESSAGE
};
enum { QUOTA_OPEN = QUOTA_NAME, QUOTA_KINDS = QUOTA_MESSAGE + 1 };

/* 0: no limit. */
struct quota_limit {
    int account; /* that one account has open, or makes in an hour */
    int source; /* of all new accounts of one source; made: in a day, by all accounts */
    int per_hour; /* made by one source */
    int site;     /* made in a day in one IPv6 /48 */
};

struct config {
    char data[CONFIG_TEXT_BYTES];        /* directory; "" until config_finish() */
    char store[CONFIG_TEXT_BYTES];       /* postgres://...; "": SQLite in data */
    char store_sync[CONFIG_TEXT_BYTES];  /* "checked": standbys of PostgreSQL must
                                          * confirm each commit; "outside": the server
                                          * does not demand this */
    bool accepts_loss;                   /* --accept-loss: see pg_fence.h */
    char listen[CONFIG_TEXT_BYTES];      /* ADDR:PORT */
    char name[CONFIG_TEXT_BYTES];        /* the server's name in the greeting */
    char node[CONFIG_TEXT_BYTES];        /* HOST:PORT where clients reach this node; "":
                                          * the address in the links (URLs) that the
                                          * server makes */
    char public_name[CONFIG_TEXT_BYTES]; /* HOST[:PORT] in the links (URLs) that the
                                          * server makes; "": chosen automatically */
    char cert[CONFIG_TEXT_BYTES]; /* cert and key: PEM files; "": the server makes
                                   * both */
    char key[CONFIG_TEXT_BYTES];
    char client_ca[CONFIG_TEXT_BYTES]; /* PEM file of the authority that signs the
                                        * certificates of clients; "": they need no
                                        * certificate */
    char web[CONFIG_TEXT_BYTES];       /* what browsers may do: config_web() */
    char web_cert[CONFIG_TEXT_BYTES];  /* web_cert and web_key: PEM files for browsers;
                                        * "": cert and key are used */
    char web_key[CONFIG_TEXT_BYTES];
    char web_listen[CONFIG_TEXT_BYTES];  /* ADDR:PORT or unix:/PATH for a proxy on this
                                          * machine; "": no proxy */
    char web_origin[CONFIG_TEXT_BYTES];  /* https://HOST[:PORT] of the pages; "": this
                                          * server's own */
    char invite_time[CONFIG_TEXT_BYTES]; /* thinking time of the game to which the host
                                          * invites (--invite) */
    char notify_program[CONFIG_TEXT_BYTES]; /* a path; "": no program */
    char evenings[CONFIG_TEXT_BYTES];       /* who may make club evenings: moderators or
                                       * members */
    char access[CONFIG_TEXT_BYTES];         /* access, guests and watching: settings of
                                         * access.h; "": not set here */
    char guests[CONFIG_TEXT_BYTES];
    char watching[CONFIG_TEXT_BYTES];
    bool wants_invite; /* print an invitation at the start */
    bool is_verbose;
    bool wants_json;                  /* --json: of janggid ctl */
    char map_port[CONFIG_TEXT_BYTES]; /* auto, off, or "": auto if wants_invite */
    int map_port_s;                   /* seconds for which the router forwards the port;
                                       * renewed after half this time */
    bool allows_root;
    bool has_sandbox;
    char profile[CONFIG_TEXT_BYTES]; /* home, club or open: the limits below */
    char limits[CONFIG_TEXT_BYTES];  /* "seeks=5,keep-s=60": those that differ from the
                                      * profile; "": none */
    bool has_quotas; /* the budgets of network addresses and of accounts apply */
    int connections_max;
    int per_address_max;
    int accepts_per_s; /* TLS handshakes a second. If accepts_per_s or work_per_s is 0,
                        * it sets no limit */
    int work_per_s, work_burst;
    int guest_idle_s, slow_reader_s; /* an idle guest, or a client that does not read,
                                      * is disconnected after this time; 0: never */
    char trusted[CONFIG_TEXT_BYTES]; /* networks with higher budgets and without
                                      * penalties: a list */
    char proxy_from[CONFIG_TEXT_BYTES]; /* networks of load balancers that send a PROXY
                                         * protocol header: a list */
    int chat_per_min, chat_burst;
    int watch_max;
    int games_max; /* limit of running games */
    int names_max; /* limit of stored names */
    int moves_per_s;
    struct quota_limit quota[QUOTA_KINDS];
    char db_max[CONFIG_TEXT_BYTES]; /* see config_bytes() */
    int ended_mb;                   /* memory for ended games */
    int reserve_mb;                 /* disk space held in reserve; 0: none */
    int setup_s, login_s, grace_s, keep_s, absence_s, lag_max_ms;
    bool rates_same_address;
    struct config_origin origin[CONFIG_OPTIONS_MAX]; /* by index of the option */
    const char *file[CONFIG_FILES_MAX];              /* paths of the files that were
                                                      * read, in the order of reading */
    int file_count;
    FILE *errors; /* where errors are printed; NULL: standard error */
};

/* Sets all options to their defaults. */
void config_init(struct config *config);

enum config_web { CONFIG_WEB_OFF, CONFIG_WEB_WATCH, CONFIG_WEB_PLAY };
enum config_web config_web(const struct config *config);

/* Reads a file of "name = value" lines. Returns false after printing every error, one
 * line each with file, line and option; correct lines are still set. `path` must stay
 * valid. */
bool config_read_file(struct config *config, const char *path) MUST_USE;

/* Sets one option. Returns false after printing what is wrong, and where. */
bool config_set(struct config *config, const char *name, const char *value,
                struct config_origin origin) MUST_USE;

/* Fills in defaults from the environment (the data directory) and checks options
 * against each other. Returns false after printing every error. */
bool config_finish(struct config *config) MUST_USE;

/* Reads the files of `now` again into *next; takes from `now` the options that were set
 * on the command line. Returns false after printing every error to `errors`, one line
 * each. */
bool config_read_again(const struct config *now, struct config *next,
                       FILE *errors) MUST_USE;

/* Compares `now` with *next, and copies into `now` the options that differ and may
 * change without a restart. Calls see() for each option that differs; is_taken says
 * whether it was copied. */
typedef void config_change_fn(void *arg, const char *name, bool is_taken);
void config_take(struct config *now, const struct config *next, config_change_fn *see,
                 void *arg);

/* Returns the number of bytes of a size such as "500K", "20M" or "3G" (K is 1024). 0:
 * the text is "auto". -1: the text is neither. */
int64_t config_bytes(const char *text);

/* Prints all settings as a configuration file, one line each with its help. */
void config_print(const struct config *config, FILE *out);
/* Prints a configuration file with every option, its default and a line of help. Only
 * settings that differ from their defaults are active; the others are comments. The
 * help of an option that config_take() copies ends with CONFIG_RELOAD_MARK. */
#define CONFIG_RELOAD_MARK " [reload]"
void config_print_file(const struct config *config, FILE *out);
/* Prints the options for --help. */
void config_print_help(FILE *out);

/* Returns the name of option number `i` (from 0), for getopt_long(). NULL: `i` is too
 * large. *takes_value: the option has a value. */
const char *config_option_name(size_t i, bool *takes_value);
/* Returns the name of limit number `i` (from 0) of --limits. NULL: `i` is too large. */
const char *config_limit_name(size_t i);

#endif
