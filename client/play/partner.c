/* See partner.h. The computer is this very program, started once more, unless whoever
 * started us says which one it is; never one that merely lies in the way. */
#include "client/play/partner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/play/inside.h"
#include "common/base/program.h"
#include "common/base/translate.h"

enum { WORD_BYTES = 32, LINK_BYTES = 512, FILES_MAX = 1024 };
enum { OWNER_BYTES = 12 }; /* of a name of 16, "-bot" behind it */

static const char plain_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

static const char *program(void)
{
    const char *given = getenv("JANGGI_COMPUTER");

    return given != NULL ? given : program_to_run();
}

/* Is the one that was started still there? */
static bool is_here(struct client *client)
{
    if (client->partner > 0 && waitpid(client->partner, NULL, WNOHANG) != 0)
        client->partner = 0;
    return client->partner > 0;
}

void partner_want(struct client *client, int level)
{
    if (program() == NULL) {
        console_say(client->console,
                    _("-- the computer cannot be brought from here; \"janggi "
                      "computer\" plays without a server\n"));
        return;
    }
    if (is_here(client)) {
        console_say(client->console,
                    _("-- the computer is here, and plays one game at a time\n"));
        return;
    }
    client->partner_level = level;
    client->partner_tag = typed_send(client, "invite time=none", -1, false);
}

/* In the child: nothing of ours but the environment. Our keys at the terminal are not
 * its own. */
static void leave_all(void)
{
    int nowhere = open("/dev/null", O_RDWR);

    setpgid(0, 0);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        dup2(nowhere, fd);
    for (int fd = STDERR_FILENO + 1; fd < FILES_MAX; fd++)
        close(fd);
}

/* What it is called, but for its mark: at a server of our own by its level, elsewhere
 * as ours, for there everybody may bring one. */
static void name_it(char out[WORD_BYTES], const struct client *client)
{
    const char *owner = client->model.name;
    bool is_plain = strspn(owner, plain_letters) == strlen(owner);

    if (getenv("JANGGI_COMPUTER") == NULL && is_plain)
        snprintf(out, WORD_BYTES, "%.*s", OWNER_BYTES, owner);
    else
        snprintf(out, WORD_BYTES, "level%d", client->partner_level);
}

static void start(struct client *client, const char *link)
{
    char name[WORD_BYTES], level[WORD_BYTES];
    char *words[] = {(char *)"janggi",    (char *)"bot",
                     (char *)"--name",    name,
                     (char *)"--level",   level,
                     (char *)"--engine",  (char *)"builtin",
                     (char *)"--untimed", (char *)"--leave-after",
                     (char *)"1",         (char *)"--no-reconnect",
                     (char *)link,        NULL};

    name_it(name, client);
    snprintf(level, sizeof level, "%d", client->partner_level);
    client->partner = fork();
    if (client->partner == 0) {
        leave_all();
        execv(program(), words);
        _exit(127);
    }
    if (client->partner < 0)
        console_sayf(client->console, _("-- the computer cannot come: %s\n"),
                     strerror(errno));
    else
        console_sayf(client->console,
                     _("-- the computer comes (level %d); you play without a clock\n"),
                     client->partner_level);
}

bool partner_take_invite(struct client *client, const struct visit_request *asked,
                         const struct proto_line *line)
{
    const char *code = proto_line_value(line, "code");
    char server[LINK_SERVER_BYTES], key[TLS_KEY_TEXT_BYTES], link[LINK_BYTES];

    if (client->partner_tag == 0 || asked->tag != client->partner_tag || code == NULL)
        return false;
    client->partner_tag = 0;
    link_format_server(server, client->to);
    tls_key_format(key, visit_key(client->visit));
    snprintf(link, sizeof link, "janggi://%s/join/%s/%s", server, code, key);
    start(client, link);
    return true;
}

void partner_end(struct client *client)
{
    if (!is_here(client))
        return;
    kill(client->partner, SIGTERM);
    while (waitpid(client->partner, NULL, 0) < 0 && errno == EINTR)
        ;
    client->partner = 0;
}
