/* janggid: reads the command line and runs the server or another task. */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <openssl/crypto.h>

#include "common/base/log.h"
#include "server/admin/ctl.h"
#include "server/admin/erase.h"
#include "server/admin/transfer.h"
#include "server/admin/verify.h"
#include "server/base/config.h"
#include "server/server.h"

enum { EXIT_USAGE = 2, OPTIONS_MAX = CONFIG_OPTIONS_MAX + 8 };
enum {
    OPTION_HELP = 'h',
    OPTION_VERSION = 'V',
    OPTION_CHECK = 'C',
    OPTION_PRINT = 'P',
    OPTION_FILE = 'c',
    OPTION_JSON = 'J',
    OPTION_CONFIG = 1000
};

static void print_help(void)
{
    printf("janggid: a server for Korean chess (janggi) over TLS.\n\n"
           "  janggid --invite         start, and print a line for you and a friend\n"
           "  janggid                  start\n"
           "  janggid key              print the key by which clients recognise this "
           "server\n"
           "  janggid verify [FILE]    check the database of --data DIR or --store "
           "URL, or a backup\n"
           "  janggid dump FILE        write the log of --store URL to a new database "
           "FILE\n"
           "  janggid load FILE        write the database FILE to --store URL, which "
           "must be empty\n"
           "  janggid erase NAME       take what is kept about a person out of --data "
           "DIR, whose\n"
           "                           server is stopped; the games stay, under a "
           "number\n"
           "  janggid drain [SECONDS]  shut the running server down after SECONDS, or "
           "when the\n"
           "                           games are over, and wait for its end\n"
           "  janggid ctl REQUEST      ask the running server (see below)\n\n"
           "Options; those from --data on may also be lines \"name = value\" in a "
           "--config file:\n\n"
           "  -h, --help\n      this text\n"
           "  -V, --version\n      the version of this program and of its libraries\n"
           "  --check-config\n      print all settings, check key and certificate, and "
           "exit\n"
           "  --print-config\n      print a configuration file with every option, its "
           "default and its help\n"
           "  --config FILE\n      read settings from FILE; the command line has "
           "priority\n"
           "  --json\n      with ctl: print each row of the answer as a JSON object\n");
    config_print_help(stdout);
    printf("\nRequests to the server that is running on --data DIR:\n\n");
    ctl_print_help(false);
    printf(
        "\nSIGTERM and Ctrl-C shut the server down and keep the games; SIGUSR1 waits "
        "until the\n"
        "games are over. SIGHUP reads the certificate and the --config files again.\n"
        "");
}

/* Makes one option of getopt_long for every entry of the options table. */
static void list_options(struct option out[OPTIONS_MAX])
{
    size_t count = 0;
    bool takes_value;

    out[count++] = (struct option){"help", no_argument, NULL, OPTION_HELP};
    out[count++] = (struct option){"version", no_argument, NULL, OPTION_VERSION};
    out[count++] = (struct option){"check-config", no_argument, NULL, OPTION_CHECK};
    out[count++] = (struct option){"print-config", no_argument, NULL, OPTION_PRINT};
    out[count++] = (struct option){"json", no_argument, NULL, OPTION_JSON};
    out[count++] = (struct option){"config", required_argument, NULL, OPTION_FILE};
    for (size_t i = 0; config_option_name(i, &takes_value) != NULL; i++) {
        out[count++] = (struct option){config_option_name(i, &takes_value),
                                       takes_value ? required_argument : no_argument,
                                       NULL, OPTION_CONFIG};
    }
    out[count] = (struct option){0};
}

/* Something that the program does instead of running the server. Its name is the first
 * word of the command line that does not belong to an option. */
struct task {
    const char *name;
    int words_max; /* how many words may follow the name */
    int (*run)(const struct config *config, int count, char **words);
};

static int run_key(const struct config *config, int count, char **words)
{
    (void)count;
    (void)words;
    return server_print_key(config);
}

/* Short for "ctl drain". words[-1] is the name of the task. */
static int run_drain(const struct config *config, int count, char **words)
{
    return ctl_run(config, count + 1, words - 1);
}

static const struct task tasks[] = {
    {"key", 0, run_key},        {"drain", 1, run_drain},
    {"ctl", INT_MAX, ctl_run},  {"verify", 1, verify_database},
    {"dump", 1, transfer_dump}, {"load", 1, transfer_load},
    {"erase", 1, erase_run},
};

/* Finds the task that words[0] names. Returns NULL after printing what is wrong. */
static const struct task *find_task(int count, char **words)
{
    for (size_t i = 0; i < ARRAY_LEN(tasks); i++) {
        if (strcmp(words[0], tasks[i].name) != 0)
            continue;
        if (count - 1 <= tasks[i].words_max)
            return &tasks[i];
        fprintf(stderr, "janggid: %s: unexpected argument \"%s\"; see --help\n",
                words[0], words[1 + tasks[i].words_max]);
        return NULL;
    }
    fprintf(stderr,
            "janggid: \"%s\" is neither an option nor a task; --help lists both\n",
            words[0]);
    return NULL;
}

static bool is_negative(const char *word)
{
    return word[0] == '-' && strspn(word + 1, "0123456789") > 0;
}

/* Puts "--" before the first word that is a negative number. Otherwise getopt_long
 * would take the number for an option, as in "ctl evening adjust 1 kim -1 came late".
 * If the word before a number begins with "-", the number is the value of that option,
 * and is skipped. If an option follows the number, changes nothing: getopt_long then
 * refuses the line. Adding "--" moves the last word to argv[argc] and overwrites the
 * NULL there, which is not needed. Returns the new count. */
static int end_options(int argc, char **argv)
{
    static char end[] = "--";
    int at = 2;

    while (at < argc && strcmp(argv[at], end) != 0 &&
           (!is_negative(argv[at]) || argv[at - 1][0] == '-'))
        at++;
    if (at >= argc || !is_negative(argv[at]) ||
        getenv("POSIXLY_CORRECT") != NULL) /* getopt_long then stops at the first word
                                            * that is not an option */
        return argc;
    for (int i = at + 1; i < argc; i++)
        if (strncmp(argv[i], "--", 2) == 0)
            return argc;
    memmove(&argv[at + 1], &argv[at], (size_t)(argc - at) * sizeof *argv);
    argv[at] = end;
    return argc + 1;
}

/* Reads the --config files before the other options, wherever they stand in the command
 * line, so that the command line has priority over them. */
static bool read_files(struct config *config, int argc, char **argv,
                       const struct option *options)
{
    bool is_good = true;
    int c;

    while ((c = getopt_long(argc, argv, "hV", options, NULL)) != -1)
        if (c == '?' || (c == OPTION_FILE && !config_read_file(config, optarg)))
            is_good = false;
    if (!is_good)
        log_advise("janggid --help lists the options, --print-config their defaults.");
    return is_good;
}

/* Reads the other options. *wanted gets the one that asks for something other than the
 * server (OPTION_HELP to OPTION_JSON); 0: none does. */
static bool read_options(struct config *config, int argc, char **argv,
                         const struct option *options, int *wanted)
{
    const struct config_origin command_line = {.is_command_line = true};
    bool is_good = true;
    int c, index;

    *wanted = 0;
    optind = 1;
    opterr = 0; /* read_files() has reported unknown options */
    while ((c = getopt_long(argc, argv, "hV", options, &index)) != -1) {
        if (c == OPTION_CONFIG)
            is_good = config_set(config, options[index].name,
                                 optarg != NULL ? optarg : "yes", command_line) &&
                      is_good;
        else if (c != OPTION_FILE && c != '?')
            *wanted = c;
    }
    return is_good;
}

int main(int argc, char **argv)
{
    struct option options[OPTIONS_MAX];
    const struct task *task = NULL;
    struct config config;
    int wanted;
    bool is_good;

    config_init(&config);
    list_options(options);
    argc = end_options(argc, argv);
    is_good = read_files(&config, argc, argv, options);
    is_good = read_options(&config, argc, argv, options, &wanted) && is_good;
    config.wants_json = wanted == OPTION_JSON;
    switch (is_good ? wanted : 0) { /* these texts need no data directory */
    case OPTION_HELP:
        print_help();
        return 0;
    case OPTION_VERSION:
        printf("janggid %s\nlibevent %s, %s\n", JANGGI_VERSION, event_get_version(),
               OpenSSL_version(OPENSSL_VERSION));
        return 0;
    case OPTION_PRINT:
        config_print_file(&config, stdout);
        return 0;
    }
    if (optind < argc) {
        task = find_task(argc - optind, argv + optind);
        is_good = is_good && task != NULL;
        optind++;
    }
    if (wanted == OPTION_JSON && (task == NULL || task->run != ctl_run)) {
        fprintf(stderr, "janggid: --json is for janggid ctl\n");
        is_good = false;
    }
    if (!config_finish(&config) || !is_good)
        return EXIT_USAGE;
    if (config.is_verbose)
        log_set_level(LOG_DEBUG);
    if (task != NULL)
        return task->run(&config, argc - optind, argv + optind);
    return wanted == OPTION_CHECK ? server_check(&config) : server_run(&config);
}
