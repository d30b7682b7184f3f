/* The program janggi: reads the options and starts the task named on the command
 * line. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/base/exit.h"
#include "client/base/language.h"
#include "client/base/link.h"
#include "client/base/options.h"
#include "client/base/prefs.h"
#include "client/bot/bot.h"
#include "client/learn/learn.h"
#include "client/local/local.h"
#include "client/net/trust.h"
#include "client/online/client.h"
#include "client/online/question.h"
#include "client/replay/replay.h"
#include "client/tools/analyse.h"
#include "client/tools/convert.h"
#include "client/tools/id.h"
#include "client/tools/offline.h"
#include "client/tools/verify.h"
#include "client/uci/uci.h"
#include "common/base/log.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/system/program.h"

static const char usage[] = N_(
    "Usage: janggi [OPTION...] [LINK | HOST[:PORT]]\n"
    "       janggi device LINK|HOST[:PORT] CODE\n"
    "       janggi due [LINK|HOST[:PORT]]             your games that wait for you\n"
    "       janggi wait [LINK|HOST[:PORT]] [SECONDS]  wait for such a game\n"
    "       janggi forget HOST[:PORT]\n"
    "       janggi id ...             your key, to use it elsewhere: see id --help\n"
    "       janggi learn              a tour for beginners: see learn --help\n"
    "       janggi computer           against the computer, offline: see computer "
    "--help\n"
    "       janggi local              two people at this terminal: see local --help\n"
    "       janggi bot LINK|HOST      an engine as a player there: see bot --help\n"
    "       janggi uci                our engine, for boards that speak UCI\n"
    "       janggi rules ...          moves and rules, offline: see rules --help\n"
    "       janggi verify FILE        what a record of a game proves\n"
    "       janggi replay FILE        show a game move by move: see replay --help\n"
    "       janggi analyse FILE       the mistakes in a game: see analyse --help\n"
    "       janggi convert FILE|-     a record into another format: see convert "
    "--help\n"
    "\n"
    "Korean chess over TLS. A LINK is what a host sends you: janggi://...\n"
    "Without one, janggi goes to JANGGI_SERVER or to this machine.\n"
    "\n"
    "  -n, --name NAME      play under this name\n"
    "      --pin KEY        the server's key, as \"janggid key\" prints it\n"
    "      --lang LANG      en, ko, or auto (that of the system); also valid\n"
    "                       with a command like rules\n"
    "      --pieces SET     letters, hanja or hangul on the board\n"
    "      --speech         sentences instead of boards, for screen readers\n"
    "      --plain          one event per line, no prompt, no escape codes\n"
    "      --json           the same for scripts: one JSON object per line\n"
    "      --color WHEN     auto, always or never\n"
    "  -c 'WORDS; WORDS'    run these commands as if typed, then leave\n"
    "      --log FILE       add every event of a game to FILE as received\n"
    "      --no-reconnect   leave when the connection is lost\n"
    "      --proxy PROXY    reach the server through socks5://HOST:PORT, such as Tor\n"
    "      --cert FILE      your certificate (default: made at the first visit)\n"
    "      --key FILE       the key of that certificate\n"
    "      --ca FILE        trust the authorities in FILE as well\n"
    "      --version        print the version\n"
    "      --help           print this\n"
    "\n"
    "janggi device plays under a name that you have: to get CODE, type \"device\"\n"
    "where you play now. janggi forget removes the key that is stored for a server.\n"
    "janggi due exits with 0 if a game waits for you, with 1 if none does; wait asks\n"
    "every 30 seconds. Neither logs in, so they disconnect no other client of yours.\n"
    "Exit: 0 ok, 1 error, 2 usage, 3 no connection or lost, 4 key not trusted,\n"
    "5 refused, 6 something in a script was refused, 130 interrupted.\n");

enum option_code { OPTION_LANG = 256, OPTION_LOG, OPTION_VERSION, OPTION_HELP };

static const struct option_row options[] = {
    {"name", 'n', N_("a name: 2-16 letters, digits, _ or -, or 2-8 Hangul syllables")},
    {"pin", PREFS_OPTION_PIN, N_("a key: 22 to 43 characters")},
    {"lang", OPTION_LANG, N_("en, ko or auto")},
    {"plain", PREFS_OPTION_PLAIN, NULL},
    {"json", PREFS_OPTION_JSON, NULL},
    {"speech", PREFS_OPTION_SPEECH, NULL},
    {"pieces", PREFS_OPTION_PIECES, N_("letters, hanja or hangul")},
    {"color", PREFS_OPTION_COLOR, N_("auto, always or never")},
    {"log", OPTION_LOG, N_("a file")},
    {"no-reconnect", PREFS_OPTION_NO_RECONNECT, NULL},
    {"proxy", PREFS_OPTION_PROXY, "socks5://HOST:PORT"},
    {"cert", PREFS_OPTION_CERT, N_("a file")},
    {"key", PREFS_OPTION_KEY, N_("a file")},
    {"ca", PREFS_OPTION_CA, N_("a file")},
    {"version", OPTION_VERSION, NULL},
    {"help", OPTION_HELP, NULL},
    {"", 'c', N_("words")},
    {NULL, 0, NULL},
};

static int complain(const char *words, const char *about)
{
    fprintf(stderr, "janggi: %s%s%s\n", about, about[0] != '\0' ? ": " : "", words);
    return CLIENT_EXIT_USAGE;
}

/* Applies one option with its value. Returns false if the value is invalid. */
static bool take_option(struct prefs *prefs, int option, const char *value)
{
    char why[PREFS_WHY_BYTES];

    switch (option) {
    case 'n':
        return prefs_set(prefs, "name", value, why);
    case OPTION_LANG:
        return prefs_set(prefs, "lang", value, why);
    case OPTION_LOG:
        return value[0] != '\0' && text_copy(prefs->log_path, PATH_MAX, value);
    default:
        return prefs_take_option(prefs, option, value);
    }
}

/* Parses the options and returns an exit status. The program continues only if the
 * status is CLIENT_EXIT_OK and *is_done is false. */
static int take_options(struct prefs *prefs, int argc, char **argv, bool *is_done)
{
    struct options read;
    int option;

    options_begin(&read, "", options, argc, argv);
    while ((option = options_next(&read)) != OPTIONS_END) {
        if (option == OPTIONS_BAD)
            return CLIENT_EXIT_USAGE;
        *is_done = option == OPTION_VERSION || option == OPTION_HELP;
        if (option == OPTION_VERSION)
            puts("janggi " JANGGI_VERSION);
        if (option == OPTION_HELP)
            fputs(_(usage), stdout);
        if (*is_done)
            return CLIENT_EXIT_OK;
        if (!take_option(prefs, option, read.value)) {
            options_refuse(&read);
            return CLIENT_EXIT_USAGE;
        }
    }
    return CLIENT_EXIT_OK;
}

static int forget(const struct prefs *prefs, int count, char **words)
{
    char why[LINK_WHY_BYTES], server[LINK_SERVER_BYTES];
    struct link to;
    int removed;

    if (count != 1)
        return complain("janggi forget HOST[:PORT]", _("usage"));
    if (!link_parse(words[0], &to, why))
        return complain(why, "");
    link_format_server(server, &to);
    removed = trust_forget(prefs->known_path, &to);
    if (removed > 0)
        printf(_("The key of %s was removed.\n"), server);
    else if (removed == 0)
        printf(_("No key is stored for %s.\n"), server);
    return removed < 0 ? CLIENT_EXIT_ERROR : CLIENT_EXIT_OK;
}

/* Connects to a server and plays there, like visit(). The server already knows the
 * player, but not the key of this new device. So a one-time code proves the name. */
static int join_as_device(struct prefs *prefs, int count, char **words)
{
    char why[LINK_WHY_BYTES];
    struct link to;

    if (count != 2 || words[1][0] == '\0' ||
        !text_copy(prefs->device_code, sizeof prefs->device_code, words[1]))
        return complain("janggi device LINK|HOST[:PORT] CODE", _("usage"));
    if (!link_parse(words[0], &to, why))
        return complain(why, "");
    to.kind = LINK_LOBBY; /* only the server of the link is used */
    return client_run(prefs, &to);
}

/* --- Tasks: first words with arguments of their own --- */

static int speak_uci(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    language_use(LANGUAGE_ENGLISH); /* programs read what UCI prints */
    return uci_run();
}

/* Exactly one of `run_bare` and `run` is set. run_bare() starts before the settings are
 * read, so an error in them does not stop it. */
struct task {
    const char *name;
    int (*run_bare)(int argc, char **argv);
    int (*run)(int argc, char **argv, const struct prefs *prefs);
};

static const struct task tasks[] = {
    {"analyse", NULL, analyse_run}, {"analyze", NULL, analyse_run},
    {"bot", NULL, bot_run},         {"computer", NULL, local_run},
    {"convert", NULL, convert_run}, {"id", NULL, id_run},
    {"learn", NULL, learn_run},     {"local", NULL, local_run},
    {"replay", NULL, replay_run},   {"rules", offline_rules, NULL},
    {"uci", speak_uci, NULL},       {"verify", NULL, verify_run},
};

/* Returns the task whose name is `word`; NULL: there is none. */
static const struct task *find_task(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(tasks); i++)
        if (strcmp(word, tasks[i].name) == 0)
            return &tasks[i];
    return NULL;
}

static int visit(struct prefs *prefs, int count, char **words)
{
    char why[LINK_WHY_BYTES];
    struct link to;

    if (count > 1) {
        fprintf(stderr,
                _("janggi: \"%s\" is not a command of janggi, and only one server can "
                  "be given; see janggi --help\n"),
                words[0]);
        return CLIENT_EXIT_USAGE;
    }
    /* a task that was mistyped must not be looked up as the name of a host */
    for (size_t i = 0; count == 1 && i < ARRAY_LEN(tasks); i++)
        if (strlen(words[0]) >= 5 && strpbrk(words[0], ".:/") == NULL &&
            strlen(tasks[i].name) >= 5 && text_distance(words[0], tasks[i].name) <= 2) {
            fprintf(stderr,
                    _("janggi: did you mean \"janggi %s\"? To reach a server of the "
                      "name %s, type %s:9032\n"),
                    tasks[i].name, words[0], words[0]);
            return CLIENT_EXIT_USAGE;
        }
    if (!link_parse(count == 1 ? words[0] : prefs->server, &to, why))
        return complain(why, "");
    return client_run(prefs, &to);
}

/* --- Options before a task --- */

/* Returns true if `word` is an option of janggi itself, with or without its value:
 * "--name", "--name=x", "-n", "-nx". *has_value gets true if the next word is the value
 * of the option. */
static bool is_own_option(const char *word, bool *has_value)
{
    *has_value = false;
    for (const struct option_row *row = options; row->name != NULL; row++) {
        bool is_letter = row->code < 256 && word[1] == row->code;
        size_t len = strlen(row->name);

        if (len > 0 && strncmp(word, "--", 2) == 0 &&
            strncmp(word + 2, row->name, len) == 0 &&
            (word[2 + len] == '\0' || word[2 + len] == '=')) {
            *has_value = row->value != NULL && word[2 + len] == '\0';
            return true;
        }
        if (is_letter) {
            *has_value = word[2] == '\0';
            return true;
        }
    }
    return false;
}

/* Returns the index of the task. The task is the first word that is not an option of
 * janggi and not the value of an option. Returns 0 if there is no task. */
static int find_task_word(int argc, char **argv)
{
    bool may_be_value = false, has_value;

    for (int i = 1; i < argc; i++) {
        if (find_task(argv[i]) != NULL)
            return i;
        if (argv[i][0] != '-' && !may_be_value)
            return 0; /* this word is a server, so there is no task */
        may_be_value = false;
        if (argv[i][0] != '-')
            continue;
        if (!is_own_option(argv[i], &has_value))
            may_be_value = true;
        else if (has_value)
            i++;
    }
    return 0;
}

/* Applies --lang and removes it from argv. If there is a task, --lang may be anywhere
 * before "--", because the parser of the task does not know this option. If there is no
 * task, this function looks only at the first argument; take_options() parses a later
 * --lang. *given gets the value of the option. Returns false if the language is
 * unknown. */
static bool take_language(int *argc, char **argv, const char **given)
{
    static const char option[] = "--lang";
    size_t len = strlen(option);
    enum language language = LANGUAGE_AUTO;
    int task = find_task_word(*argc, argv), last = task > 0 ? *argc : 2;

    language_use(language);
    for (int i = 1; i < last && i < *argc && strcmp(argv[i], "--") != 0; i++) {
        bool is_whole = strncmp(argv[i], option, len) == 0 && argv[i][len] == '=';
        int after = is_whole ? i + 1 : i + 2;

        if (!is_whole && (strcmp(argv[i], option) != 0 || i + 1 >= *argc))
            continue;
        *given = is_whole ? argv[i] + len + 1 : argv[i + 1];
        if (!language_parse(*given, &language))
            return false;
        language_use(language);
        memmove(argv + i, argv + after, (size_t)(*argc - after + 1) * sizeof *argv);
        *argc -= after - i;
        return true;
    }
    return true;
}

int main(int argc, char **argv)
{
    char why[PREFS_WHY_BYTES];
    const char *language = NULL;
    const struct task *task = NULL;
    struct prefs prefs;
    bool is_done = false;
    char *name;
    int code, at;

    program_begin(argv[0]);
    setlocale(LC_CTYPE, "");
    if (!take_language(&argc, argv, &language))
        return complain(_("no such language (en, ko, auto)"), language);
    at = find_task_word(argc, argv);
    name = argv[at];
    if (at > 0) { /* the name of the task becomes argv[1], and its options follow */
        memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
        argv[1] = name;
        task = find_task(name);
    }
    if (task != NULL && task->run_bare != NULL)
        return task->run_bare(argc - 1, argv + 1);
    log_set_level(LOG_WARN);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit fails with EFBIG
                               * instead of ending the process */
    if (!prefs_read(&prefs, why) ||
        (language != NULL && !prefs_set(&prefs, "lang", language, why)))
        return complain(why, "");
    if (task != NULL)
        return task->run(argc - 1, argv + 1, &prefs);
    code = take_options(&prefs, argc, argv, &is_done);
    if (code != CLIENT_EXIT_OK || is_done)
        return code;
    if (optind < argc && strcmp(argv[optind], "forget") == 0)
        return forget(&prefs, argc - optind - 1, argv + optind + 1);
    if (optind < argc && strcmp(argv[optind], "device") == 0)
        return join_as_device(&prefs, argc - optind - 1, argv + optind + 1);
    if (optind < argc && strcmp(argv[optind], "due") == 0)
        return question_due(&prefs, false, argc - optind - 1, argv + optind + 1);
    if (optind < argc && strcmp(argv[optind], "wait") == 0)
        return question_due(&prefs, true, argc - optind - 1, argv + optind + 1);
    return visit(&prefs, argc - optind, argv + optind);
}
