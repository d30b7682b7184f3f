/* See ctl.h. Sends a request, waits and prints; has no event loop. */
#include "server/admin/ctl.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/system/fd.h"
#include "server/admin/control.h"
#include "server/base/config.h"
#include "server/command/command.h"
#include "server/verb/verbs.h"

enum { WORDS_MANY = INT_MAX };

static const struct request {
    const char *verb;
    int words_min, words_max; /* number of words after the verb */
    const char *usage, *help;
} requests[] = {
    {"status", 0, 0, "status", "show how the server is doing"},
    {"who", 0, 0, "who", "list the people who are connected"},
    {"games", 0, 0, "games", "list the running games"},
    {"owner", 0, 0, "owner",
     "print a link that makes the person who opens it an owner (it works once, within "
     "15 minutes)"},
    {"reset", 1, 1, "reset NAME",
     "print a code for a player who has lost the key (works once, within 24 hours)"},
    {"access", 0, 3, "access [open|invited|members|closed] [guests=G] [watching=W]",
     "show or set who may enter, like the options of the same names; kept after a "
     "restart"},
    {"invite", 0, 3, "invite [door [uses=20] [days=7] | time=T rules=R side=S]",
     "make a link to one game, or to the server (door: its users become members), and "
     "print the lines to send"},
    {"backup", 1, 1, "backup FILE",
     "copy the database while the server runs; FILE must not exist"},
    {"drain", 0, 1, "drain [SECONDS]",
     "shut down after SECONDS, or when the games are over, and wait for the end of the "
     "server"},
    {"prune", 2, 2, "prune game NUMBER|name NAME|reports DAYS",
     "delete an ended game, a name that has finished no game, or the words of reports "
     "older than DAYS days"},
    {"stay", 0, 0, "stay", "cancel a drain"},
    {"health", 0, 0, "health",
     "for probes: exit 0 if the server accepts players and moves, otherwise 1"},
    {"top", 0, 0, "top",
     "list the addresses and accounts with the most requests in the last minute"},
    {"metrics", 0, 0, "metrics", "counters and states as Prometheus text"},
};

static void print_request(const char *usage, const char *help)
{
    printf("  janggid ctl %s\n      %s\n", usage, help);
}

/* Prints the requests of the table above. Also prints the verbs of the staff, from the
 * table of verbs that sessions use. */
void ctl_print_help(void)
{
    for (size_t i = 0; i < ARRAY_LEN(requests); i++)
        print_request(requests[i].usage, requests[i].help);
    for (size_t i = 0; commands[i] != NULL; i++)
        if (commands[i]->order != NULL)
            print_request(commands[i]->usage, commands[i]->help);
}

static int complain(int status, const char *about, const char *words)
{
    fprintf(stderr, "janggid: %s%s%s\n", about, about[0] != '\0' ? ": " : "", words);
    return status;
}

/* --- The request --- */

/* Returns the request for a verb of the staff. */
static struct request request_of(const struct command *command)
{
    int args_max = command_args_max(command);

    return (struct request){.verb = command->name,
                            .words_min = command->args_min,
                            .words_max =
                                args_max >= PROTO_WORDS_MAX ? WORDS_MANY : args_max,
                            .usage = command->usage,
                            .help = command->help};
}

static bool find_verb(const char *verb, struct request *out)
{
    const struct command *command = verbs_find_order(verb);

    for (size_t i = 0; i < ARRAY_LEN(requests); i++)
        if (strcmp(verb, requests[i].verb) == 0) {
            *out = requests[i];
            return true;
        }
    if (command != NULL)
        *out = request_of(command);
    return command != NULL;
}

/* Returns the name of request or verb i; NULL after the last. */
static const char *name_at(size_t i)
{
    if (i < ARRAY_LEN(requests))
        return requests[i].verb;
    for (size_t at = 0, verb = ARRAY_LEN(requests); commands[at] != NULL; at++)
        if (commands[at]->order != NULL && verb++ == i)
            return commands[at]->name;
    return NULL;
}

/* Says that `word` is not a request (NULL: that there is none), with the request that
 * is most like it, or else with all. */
static bool refuse_request(const char *word)
{
    const char *name, *nearest = NULL;
    int least = 3; /* a name is suggested only if its distance is less */

    for (size_t i = 0; word != NULL && (name = name_at(i)) != NULL; i++)
        if (text_distance(word, name) < least) {
            least = text_distance(word, name);
            nearest = name;
        }
    if (nearest != NULL) {
        fprintf(stderr, "janggid: ctl: unknown request \"%s\"; did you mean %s?\n",
                word, nearest);
        return false;
    }
    fprintf(stderr, "janggid: ctl: %s; there are:\n ",
            word != NULL ? "unknown request" : "missing request");
    for (size_t i = 0; (name = name_at(i)) != NULL; i++)
        fprintf(stderr, "%s %s", i > 0 && i % 10 == 0 ? "\n " : "", name);
    fprintf(stderr, "\njanggid --help says what each of them does.\n");
    return false;
}

/* Finds the request that words[0] names, and checks the number of words after it.
 * Returns false after printing what is wrong. */
static bool find_request(int count, char **words, struct request *request)
{
    if (count == 0 || !find_verb(words[0], request))
        return refuse_request(count > 0 ? words[0] : NULL);
    if (count - 1 >= request->words_min && count - 1 <= request->words_max)
        return true;
    fprintf(stderr, "janggid: ctl: usage: janggid ctl %s\n", request->usage);
    return false;
}

/* Appends the path to the line. Makes it absolute, because the server has another
 * working directory. */
static bool add_path(struct text *line, const char *path)
{
    char directory[PATH_MAX];

    if (path[0] != '/' && getcwd(directory, sizeof directory) == NULL)
        return false;
    text_addf(line, " %s%s%s", path[0] != '/' ? directory : "",
              path[0] != '/' ? "/" : "", path);
    return true;
}

/* Makes the line to send: the words, and a LF. If it cannot be made, prints why and
 * returns false. */
static bool make_line(struct text *line, int count, char **words)
{
    text_add(line, words[0]);
    for (int i = 1; i < count; i++) {
        if (strcmp(words[0], "backup") != 0)
            text_addf(line, " %s", words[i]);
        else if (!add_path(line, words[i]))
            return complain(false, "the working directory", strerror(errno));
    }
    if (strchr(line->at, '\n') != NULL)
        return complain(false, "ctl", "a request may not contain a line end");
    text_add(line, "\n");
    if (line->is_cut)
        return complain(false, "ctl", "the request is too long");
    return true;
}

/* --- The server --- */

static bool is_nobody(int error)
{
    return error == ENOENT || error == ECONNREFUSED || error == ENOTDIR;
}

/* Connects to the server. If it cannot, prints why, sets *status to the exit status,
 * and returns NULL. */
static FILE *reach(const char *directory, int *status)
{
    struct sockaddr_un address;
    FILE *stream;
    int fd;

    *status = CTL_NOBODY;
    if (!control_address(&address, directory)) {
        fprintf(stderr,
                "janggid: %s/control is longer than the path of a socket may be (%d "
                "bytes); use a shorter --data\n",
                directory, CONTROL_PATH_MAX);
        return NULL;
    }
    fd = fd_socket(AF_UNIX, FD_WAITS);
    if (fd >= 0 &&
        connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) {
        stream = fdopen(fd, "r+");
        if (stream != NULL)
            return stream;
    }
    if (is_nobody(errno))
        fprintf(stderr,
                "janggid: no janggid runs on %s; give the server's directory with "
                "--data DIR (the service has /var/lib/janggid)\n",
                directory);
    else
        *status = complain(CTL_REFUSED, address.sun_path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return NULL;
}

/* Prints a row. At a terminal, a time as in until_s=1764400000 becomes a date. */
static void print_row(const char *row)
{
    enum { DIGITS = 10 }; /* of a time in seconds, until the year 2286 */
    const char *at, *end = row;

    while (isatty(STDOUT_FILENO) && (at = strstr(end, "_s=")) != NULL) {
        const char *digits = at + strlen("_s=");
        time_t wall_s = (time_t)strtoll(digits, NULL, 10);
        char date[32];
        struct tm local;

        if (strspn(digits, "0123456789") == DIGITS &&
            localtime_r(&wall_s, &local) != NULL &&
            strftime(date, sizeof date, "%Y-%m-%d %H:%M", &local) > 0) {
            printf("%.*s=%s", (int)(at - end), end, date);
            end = digits + DIGITS;
        } else {
            printf("%.*s", (int)(digits - end), end);
            end = digits;
        }
    }
    puts(end);
}

/* Prints a line of the answer: "| row", "OK words" or "ERR words". True: it was the
 * last. */
static bool take_line(char *line, const struct request *request, int *status)
{
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "| ", 2) == 0) {
        print_row(line + 2);
        fflush(stdout); /* the next line may take long */
        return false;
    }
    *status = strncmp(line, "OK ", 3) == 0 ? CTL_DONE : CTL_REFUSED;
    if (*status == CTL_REFUSED)
        complain(0, request->verb, strncmp(line, "ERR ", 4) == 0 ? line + 4 : line);
    else if (strcmp(line + 3, request->verb) != 0)
        print_row(line + 3);
    return true;
}

static int read_answer(FILE *stream, const struct request *request)
{
    int status = CTL_REFUSED;
    char *line = NULL;
    size_t room = 0;
    bool is_ended = false;

    while (!is_ended && getline(&line, &room, stream) > 0)
        is_ended = take_line(line, request, &status);
    free(line);
    if (!is_ended)
        complain(0, request->verb,
                 "the server closed the connection before it had answered completely; "
                 "its log may say why");
    return status;
}

/* Sends the request, and prints the answer. */
static int ask(const struct config *config, const struct request *request,
               const char *line)
{
    FILE *stream;
    int status;

    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* so that a write beyond the limit of the file size
                               * fails, and does not end the program */
    stream = reach(config->data, &status);
    if (stream == NULL)
        return status;
    if (fputs(line, stream) >= 0 && fflush(stream) == 0)
        status = read_answer(stream, request);
    else
        status = complain(CTL_REFUSED, request->verb, strerror(errno));
    fclose(stream);
    return fflush(stdout) == 0 && ferror(stdout) == 0
               ? status
               : complain(CTL_REFUSED, request->verb, "the output cannot be written");
}

int ctl_run(const struct config *config, int count, char **words)
{
    struct request request = {.verb = ""};
    char bytes[CONTROL_LINE_MAX];
    struct text line = text_into(bytes, sizeof bytes);

    if (!find_request(count, words, &request) || !make_line(&line, count, words))
        return CTL_USAGE;
    return ask(config, &request, bytes);
}

int ctl_run_drain(const struct config *config, int count, char **words)
{
    char *all[] = {(char *)"drain", count > 0 ? words[0] : NULL};

    return ctl_run(config, count > 0 ? 2 : 1, all);
}
