/* See ctl.h. Sends a line, waits and prints; has no event loop. */
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

#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/system/fd.h"
#include "server/admin/host.h"
#include "server/base/config.h"
#include "server/command/command.h"
#include "server/verb/verbs.h"

void ctl_print_help(bool is_short)
{
    const struct command *command;
    char name[COMMAND_NAME_BYTES];

    for (size_t i = 0; (command = verbs_at(host_verbs, i)) != NULL; i++)
        if (verbs_look_up(host_verbs, command_name(name, command)) != command)
            continue;
        else if (is_short)
            printf("  %-9s %.*s\n", name, (int)strcspn(command->help, ":;("),
                   command->help);
        else
            printf("  janggid ctl %s\n      %s\n", command->usage, command->help);
}

static int complain(int status, const char *about, const char *words)
{
    fprintf(stderr, "janggid: %s: %s\n", about, words);
    return status;
}

/* --- The line that is sent --- */

/* Makes the line to send: the words, and a LF. The server has another working directory,
 * so the path of a backup becomes absolute. If the line cannot be made, prints why and
 * returns false. */
static bool make_line(struct text *line, int count, char **words)
{
    char directory[PATH_MAX], meant[COMMAND_NAME_BYTES];

    if (count == 0) {
        printf("janggid ctl REQUEST asks the running server. The requests are:\n\n");
        ctl_print_help(true);
        printf("\njanggid ctl help REQUEST shows how to write one.\n");
        return false;
    }
    if (verbs_look_up(host_verbs, words[0]) == NULL) {
        fprintf(stderr,
                verbs_nearest(host_verbs, words[0], meant)
                    ? "janggid: ctl: unknown request \"%s\"; did you mean %s?\n"
                    : "janggid: ctl: unknown request \"%s\"; janggid ctl lists all\n",
                words[0], meant);
        return false;
    }
    if (strcmp(words[0], "backup") == 0 && count != 2)
        return complain(false, "ctl", "usage: janggid ctl backup FILE");
    text_add(line, words[0]);
    for (int i = 1; i < count; i++) {
        text_add(line, " ");
        if (strcmp(words[0], "backup") == 0 && words[i][0] != '/') {
            if (getcwd(directory, sizeof directory) == NULL)
                return complain(false, "the working directory", strerror(errno));
            text_addf(line, "%s/", directory);
        }
        text_add(line, words[i]);
    }
    if (strchr(line->at, '\n') != NULL)
        return complain(false, "ctl", "a request may not contain a line end");
    text_add(line, "\n");
    if (line->is_cut)
        return complain(false, "ctl", "the request is too long");
    return true;
}

/* --- What is printed --- */

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

/* Prints a line as an object: "t" and "text", and each key=value of the line. */
static void print_json(const char *type, char *words)
{
    static char
        bytes[8 * PROTO_LINE_MAX]; /* a byte may need six; too much for a stack */
    struct text out = text_into(bytes, sizeof bytes);
    struct proto_line line;

    text_addf(&out, "{\"t\":\"%s\",\"text\":", type);
    text_add_json(&out, words, strlen(words));
    words -= 2;
    memcpy(words, "! ", 2); /* in place of its mark: the words of a row are split too */
    proto_parse_line(words, &line);
    for (int i = 0; i < line.words; i++) {
        char *value = strchr(line.word[i], '=');
        size_t digits;

        if (value == NULL)
            continue;
        *value++ = '\0';
        digits = strspn(value, "0123456789");
        text_add(&out, ",");
        text_add_json(&out, line.word[i], strlen(line.word[i]));
        text_add(&out, ":");
        if (digits > 0 && digits <= 15 && value[digits] == '\0' &&
            (value[0] != '0' || digits == 1))
            text_add(&out, value);
        else
            text_add_json(&out, value, strlen(value));
    }
    printf("%s}\n", out.at);
}

/* Prints a line of the answer. Returns the exit status after the last, else -1. */
static int take_line(char *line, const char *verb, bool is_json)
{
    static const char *const usages[] = {"unknown", "args", "line"};
    char *words = strchr(line, ' '), *human;

    if (words == NULL)
        return -1;
    words++;
    human = strncmp(words, ": ", 2) == 0 ? words : strstr(words, " : ");
    human = human == NULL ? words : strchr(human, ':') + 2;
    switch (line[0]) {
    case '|':
        if (is_json)
            print_json("row", words);
        else
            print_row(words);
        fflush(stdout); /* the next line may take long */
        return -1;
    case '!': /* a notice */
        if (strcmp(verb, "drain") == 0 || (strstr(words, "why=storage-full") == NULL &&
                                           strstr(words, "why=storage-away") == NULL))
            return -1;
        fprintf(stderr,
                "janggid: %s: %s. It is done, and is stored when there is room\n", verb,
                human);
        return CTL_UNSTORED;
    case 'O':
        if (is_json)
            print_json("ok", words);
        else if (strcmp(words, verb) != 0)
            print_row(human);
        return CTL_DONE;
    default:
        complain(0, verb, human);
        for (size_t i = 0; i < ARRAY_LEN(usages); i++)
            if (strncmp(words, usages[i], strlen(usages[i])) == 0)
                return CTL_USAGE;
        return CTL_REFUSED;
    }
}

/* --- The server --- */

/* Says so if the last start has refused the log: see server/postgres/pg_fence.c. */
static void complain_of_loss(const char *directory)
{
    char path[PATH_MAX];
    struct text text = text_into(path, sizeof path);
    long long batch, log = -1;
    FILE *file;

    text_addf(&text, "%s/witness", directory);
    file = fopen(path, "r");
    if (file == NULL)
        return;
    if (fscanf(file, "batch=%lld node=%*s seal=%*s log=%lld", &batch, &log) == 2 &&
        log >= 0)
        fprintf(
            stderr,
            "janggid: the log of --store has lost data: it ends with batch %lld, and "
            "batch %lld was acknowledged; restore it, or start once with "
            "--accept-loss\n",
            log, batch);
    fclose(file);
}

/* Connects to the server. If it cannot, prints why, sets *status to the exit status,
 * and returns NULL. */
static FILE *reach(const char *directory, int *status)
{
    struct sockaddr_un address;
    FILE *stream;
    int fd;

    *status = CTL_NOBODY;
    if (!host_address(&address, directory)) {
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
    if (errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR) {
        complain_of_loss(directory);
        fprintf(stderr,
                "janggid: no janggid runs on %s; give the server's directory with "
                "--data DIR (the service has /var/lib/janggid)\n",
                directory);
    } else {
        *status = complain(CTL_REFUSED, address.sun_path, strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}

int ctl_run(const struct config *config, int count, char **words)
{
    char bytes[PROTO_LINE_MAX + 1], *answer = NULL;
    struct text line = text_into(bytes, sizeof bytes);
    size_t room = 0;
    FILE *stream;
    int status = -1;

    if (!make_line(&line, count, words))
        return CTL_USAGE;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* so that a write beyond the limit of the file size
                               * fails, and does not end the program */
    stream = reach(config->data, &status);
    if (stream == NULL)
        return status;
    status = -1;
    if (fputs(bytes, stream) < 0 || fflush(stream) != 0)
        status = complain(CTL_REFUSED, words[0], strerror(errno));
    while (status < 0 && getline(&answer, &room, stream) > 0) {
        answer[strcspn(answer, "\n")] = '\0';
        status = take_line(answer, words[0], config->wants_json);
    }
    if (status < 0)
        status = complain(CTL_REFUSED, words[0],
                          "the server closed the connection before it had answered "
                          "completely; its log may say why");
    free(answer);
    fclose(stream);
    return fflush(stdout) == 0 && ferror(stdout) == 0
               ? status
               : complain(CTL_REFUSED, words[0], "the output cannot be written");
}
