/* See verify.h. */
#include "client/tools/verify.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/keep.h"
#include "client/base/link.h"
#include "client/formats/records.h"
#include "common/base/error_words.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"
#include "common/game/event.h"
#include "common/game/game.h"
#include "common/record/record.h"
#include "common/record/record_sign.h"
#include "common/words/sentence.h"

enum { FILE_MOST = (16 << 20) - 1 };

static const char usage[] =
    N_("Usage: janggi verify FILE [--server KEY | LINK | HOST[:PORT]]\n"
       "\n"
       "Checks a record of a game: whether each move is legal, whether the result\n"
       "follows from the moves or only the server states it, whether a server signed\n"
       "the record and nothing was changed since, and whose key signed it, as far as\n"
       "this computer knows. FILE is - for standard input. --server names the server\n"
       "that must have signed it. No connection is made.\n"
       "Exit: 0 proved as far as possible, 1 something is wrong, 2 usage, 3 not "
       "signed,\n"
       "4 signed with a key that this computer does not know.\n");

struct task {
    const char *path;
    const char *server; /* the value of --server, as typed; NULL: any server */
    const char *known_path;
    char key[TLS_KEY_TEXT_BYTES]; /* the key of the record must begin with this text;
                                   * "": any key */
};

/* --- Words --- */

static int complain(const char *about, const char *words)
{
    fprintf(stderr, "janggi verify: %s%s%s\n", about, about[0] != '\0' ? ": " : "",
            words);
    return VERIFY_USAGE;
}

/* Finds the key of the server that the user named. Returns false after printing why
 * there is none. */
static bool find_key(struct task *task)
{
    char why[LINK_WHY_BYTES], server[LINK_SERVER_BYTES];
    struct keep_line known;
    struct link link;

    if (task->server == NULL || link_is_key(task->server))
        return task->server == NULL ||
               text_copy(task->key, sizeof task->key, task->server);
    if (!link_parse(task->server, &link, why)) {
        complain("--server", why);
        return false;
    }
    link_format_server(server, &link);
    if (link.key[0] != '\0')
        return text_copy(task->key, sizeof task->key, link.key);
    if (keep_find(task->known_path, server, &known) && link_is_key(known.word[0]))
        return text_copy(task->key, sizeof task->key, known.word[0]);
    complain(server,
             _("the key of that server is not known here; give a key or a link"));
    return false;
}

/* --- What is proved --- */

/* Returns the name if it can be printed, and other text if not, because the file can
 * contain any bytes. */
static const char *shown(const char *name)
{
    return utf8_is_showable(name, strlen(name)) ? name : _("(no name)");
}

static void say_game(const struct record *record, const struct game *game)
{
    char time[TIME_TERMS_BYTES];

    time_terms_format(time, &game->clock.terms);
    fputs(_("Game"), stdout);
    if (record->game >= 0)
        printf(" %lld", (long long)record->game);
    printf(_(": %s (red) against %s (blue), rules %s, time %s"),
           shown(game->name[SIDE_RED]), shown(game->name[SIDE_BLUE]),
           ruleset_name(game->rules), time);
    if (record->ended[0] != '\0')
        printf(_(", ended %s"), record->ended);
    printf("\n");
}

/* Says the result. Also says whether the result follows from the moves, or whether it
 * is only a statement of the server. */
static void say_result(const struct game *game)
{
    char words[SENTENCE_BYTES];

    if (game->phase != GAME_OVER) {
        printf(_("open    the record stops before the end of the game\n"));
        return;
    }
    sentence_outcome(words, game->outcome, game->reason);
    words[strlen(words) - 1] = '\0'; /* remove the full stop */
    if (game->reason < REASON_RESIGNATION)
        printf(_("proved  the result: %s; it follows from the moves\n"), words);
    else
        printf(_("proved  the result: %s; it is possible at that point, but only the "
                 "server states that it happened\n"),
               words);
}

static size_t count_lines(const char *text, size_t len)
{
    size_t count = 0;

    for (size_t i = 0; i < len; i++)
        count += text[i] == '\n';
    return count;
}

/* Returns the text that completes "the key of ...": the value of --server as the user
 * typed it. If this value is itself a key, returns "the server that you named"
 * instead. */
static const char *named(const struct task *task)
{
    return link_is_key(task->server) ? _("the server that you named") : task->server;
}

static int say_proof(const struct task *task, const struct record *record,
                     const char *text)
{
    size_t line = count_lines(text, record->signed_bytes) + 1;
    char server[LINK_SERVER_BYTES];

    switch (record_sign_prove(record, text)) {
    case RECORD_UNSIGNED:
        printf(_("open    unsigned: its origin cannot be proved\n"));
        return VERIFY_UNSIGNED;
    case RECORD_KEY_UNREADABLE:
        printf(_("WRONG   line %zu: this is not a public key\n"), line - 1);
        return VERIFY_WRONG;
    case RECORD_KEY_FOREIGN:
        printf(_("WRONG   line %zu: this is not the key of the server in line 2\n"),
               line - 1);
        return VERIFY_WRONG;
    case RECORD_CHANGED:
        printf(_("WRONG   line %zu: invalid signature: the text above it was changed, "
                 "or another key signed it\n"),
               line);
        return VERIFY_WRONG;
    case RECORD_PROVED:
        break;
    }
    if (strncmp(record->server, task->key, strlen(task->key)) != 0) {
        printf(
            _("WRONG   line 2: it was signed with key %s, which is not that of %s\n"),
            record->server, named(task));
        return VERIFY_WRONG;
    }
    printf(_("proved  signed with key %s and not changed since\n"), record->server);
    if (task->key[0] != '\0') {
        printf(_("proved  this is the key of %s\n"), named(task));
    } else if (keep_find_key(task->known_path, record->server, server, sizeof server)) {
        printf(_("proved  this is the key that you have stored for %s\n"), server);
    } else {
        printf(_("open    it is unknown whose key this is: you have stored no key for "
                 "this server; give its key or link with --server\n"));
        return VERIFY_STRANGER;
    }
    return VERIFY_PROVED;
}

/* Reports what the record proves about `game`, its events replayed. Returns the exit
 * status. */
static int judge(const struct task *task, const struct record *record, const char *text,
                 const struct game *game)
{
    size_t first_line = count_lines(text, record->signed_bytes) -
                        (record->public_key[0] != '\0') - (size_t)record->events + 1;
    struct event event;

    say_game(record, game);
    /* The replay ignores unknown events, so the rest of such a record proves nothing. */
    for (int i = 0; i < record->events; i++)
        if (event_parse(record->event[i], &event) == EVENT_UNKNOWN) {
            printf(_("WRONG   line %zu: an unknown kind of event; a newer version of "
                     "janggi may know it\n"),
                   first_line + (size_t)i);
            return VERIFY_WRONG;
        }
    printf(_("proved  %d plies, each legal by these rules%s\n"), game->plies,
           game->clock.terms.is_untimed ? "" : _("; the clocks are consistent"));
    say_result(game);
    return say_proof(task, record, text);
}

static int verify(struct task *task)
{
    char why[RECORD_WHY_BYTES];
    struct record record;
    struct game game;
    int status = VERIFY_WRONG;
    size_t len;
    char *text = records_read_bytes(task->path, FILE_MOST, &len);

    if (text == NULL && errno == EFBIG) {
        snprintf(why, sizeof why, _("larger than the limit of %d MiB"),
                 (FILE_MOST + 1) >> 20);
        return complain(task->path, why);
    }
    if (text == NULL)
        return complain(task->path, error_words(errno));
    if (record_read(&record, text, len, why)) {
        game_init(&game);
        if (record_fold(&record, &game, why))
            status = judge(task, &record, text, &game);
        else
            printf(_("WRONG   %s\n"), why);
        game_clear(&game);
        record_clear(&record);
    } else {
        printf(_("WRONG   %s\n"), why);
    }
    free(text);
    if (fflush(stdout) != 0)
        return complain(_("standard output"), error_words(errno));
    return status;
}

int verify_run(int argc, char **argv, const struct prefs *prefs)
{
    struct task task = {.known_path = prefs->known_path};

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(_(usage), stdout);
            return VERIFY_PROVED;
        }
        if (strcmp(argv[i], "--server") == 0 && i + 1 < argc)
            task.server = argv[++i];
        else if (strncmp(argv[i], "--server=", 9) == 0)
            task.server = argv[i] + 9;
        else if (task.path == NULL && (argv[i][0] != '-' || argv[i][1] == '\0'))
            task.path = argv[i];
        else
            return complain(argv[i],
                            _("unexpected argument; see janggi verify --help"));
    }
    if (task.path == NULL)
        return complain("", _("missing FILE; see janggi verify --help"));
    return find_key(&task) ? verify(&task) : VERIFY_USAGE;
}
