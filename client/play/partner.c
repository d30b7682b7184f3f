/* See partner.h. The computer player runs this same program, or the one named in
 * JANGGI_COMPUTER. PATH is not searched, so a different program with the same name is
 * never started. */
#include "client/play/partner.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/error_words.h"
#include "common/base/translate.h"
#include "common/system/program.h"

enum { WORD_BYTES = 32, LINK_BYTES = 512 };
enum { OWNER_BYTES = 12 }; /* a name has at most 16 bytes, and "-bot" takes 4 */

static const char plain_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

static const char *program(void)
{
    const char *given = getenv("JANGGI_COMPUTER");

    return given != NULL ? given : program_to_run();
}

/* Returns true if the computer player's process is running. */
static bool is_here(struct partner *partner)
{
    if (partner->pid > 0 && waitpid(partner->pid, NULL, WNOHANG) != 0)
        partner->pid = 0;
    return partner->pid > 0;
}

/* Writes the computer player's name without its suffix "-bot". On the server of `make
 * play`, which sets JANGGI_COMPUTER, this name is "level" and the level. On other
 * servers, every player can start a computer player, so this name is the player's own
 * name. If the own name contains a character that is not in plain_letters, this name is
 * "level" and the level too. */
static void name_it(char out[WORD_BYTES], const struct partner *partner)
{
    const char *owner = partner->talk->model.name;
    bool is_plain = strspn(owner, plain_letters) == strlen(owner);

    if (getenv("JANGGI_COMPUTER") == NULL && is_plain)
        snprintf(out, WORD_BYTES, "%.*s", OWNER_BYTES, owner);
    else
        snprintf(out, WORD_BYTES, "level%d", partner->level);
}

/* Returns our unfinished game against a computer player that was started like this one
 * and is not connected; NULL: there is none. */
static const struct model_game *find_left_game(const struct partner *partner)
{
    for (const struct model_game *game = partner->talk->model.games; game != NULL;
         game = game->next) {
        enum side other = side_other(game->side);
        char name[WORD_BYTES];
        struct partner alike = *partner;

        if (!model_is_playing(game) || !game->is_away[other])
            continue;
        (void)sscanf(game->game.name[other], "level%d-", &alike.level);
        name_it(name, &alike);
        if (strlen(name) + strlen(MODEL_BOT_MARK) == strlen(game->game.name[other]) &&
            strncmp(game->game.name[other], name, strlen(name)) == 0 &&
            model_is_bot(game->game.name[other]))
            return game;
    }
    return NULL;
}

/* --- Its command line --- */

/* The arguments for execv(), which does not change them. Borrows the texts that
 * are not members. */
enum { WORDS_MAX = 26 };
struct words {
    char *word[WORDS_MAX];
    int count;
    char name[WORD_BYTES], level[WORD_BYTES];
    char server[LINK_SERVER_BYTES], key[TLS_KEY_TEXT_BYTES];
};

static void add_word(struct words *words, const char *word)
{
    assert(words->count < WORDS_MAX - 1);
    words->word[words->count++] = (char *)word;
}

static void add_option(struct words *words, const char *option, const char *value)
{
    add_word(words, option);
    add_word(words, value);
}

/* link: the invitation that the computer player accepts; NULL: it only comes back. */
static void add_words(struct words *words, const struct partner *partner,
                      const char *link)
{
    const struct talk *talk = partner->talk;
    const struct prefs *prefs = talk->prefs;

    name_it(words->name, partner);
    snprintf(words->level, sizeof words->level, "%d", partner->level);
    add_word(words, "janggi");
    add_word(words, "bot");
    add_option(words, "--name", words->name);
    add_option(words, "--level", words->level);
    add_option(words, "--engine", "builtin");
    add_word(words, "--untimed");
    add_option(words, "--leave-after", "1");
    add_word(words, "--no-reconnect");
    add_option(words, "--proxy", prefs->proxy[0] != '\0' ? prefs->proxy : "none");
    if (prefs->ca_path[0] != '\0')
        add_option(words, "--ca", prefs->ca_path);
    if (prefs->has_own_identity) {
        add_option(words, "--cert", prefs->cert_path);
        add_option(words, "--key", prefs->key_path);
    }
    if (link != NULL) {
        add_word(words, link);
        return;
    }
    tls_key_format(words->key, visit_key(talk->visit));
    link_format_server(words->server, talk->to);
    add_option(words, "--pin", words->key);
    add_word(words, words->server);
}

/* --- Its process --- */

static void start(struct partner *partner, const char *link)
{
    struct words words = {.count = 0};

    add_words(&words, partner, link);
    partner->pid = fork();
    if (partner->pid == 0) {
        program_detach(-1, -1);
        execv(program(), words.word);
        _exit(127);
    }
    if (partner->pid < 0)
        console_sayf(partner->talk->console,
                     _("-- the computer cannot be started: %s\n"), error_words(errno));
    else
        console_sayf(partner->talk->console,
                     _("-- the computer joins you (level %d); the game has no clock\n"),
                     partner->level);
}

void partner_want(struct partner *partner, int level)
{
    const struct model_game *game;

    if (program() == NULL) {
        console_say(partner->talk->console,
                    _("-- the computer cannot be started from here; \"janggi "
                      "computer\" plays without a server\n"));
        return;
    }
    if (is_here(partner)) {
        console_say(
            partner->talk->console,
            _("-- the computer is already here; it plays one game at a time\n"));
        return;
    }
    partner->level = level;
    game = find_left_game(partner);
    if (game != NULL) {
        (void)sscanf(game->game.name[side_other(game->side)], "level%d-",
                     &partner->level);
        start(partner, NULL);
        return;
    }
    partner->tag = talk_send(partner->talk, "invite time=none", -1, false);
}

void partner_tick(struct partner *partner)
{
    const struct model_game *left = find_left_game(partner);

    if (left == NULL || left->id == partner->told_game || is_here(partner) ||
        !console_is_screen(partner->talk->console))
        return;
    partner->told_game = left->id;
    console_say(partner->talk->console,
                _("-- \"computer\" brings the computer back to this game\n"));
}

bool partner_take_invite(struct partner *partner, const struct visit_request *asked,
                         const struct proto_line *line)
{
    const char *code = proto_line_value(line, "code");
    char server[LINK_SERVER_BYTES], key[TLS_KEY_TEXT_BYTES], link[LINK_BYTES];

    if (partner->tag == 0 || asked->tag != partner->tag || code == NULL)
        return false;
    partner->tag = 0;
    link_format_server(server, partner->talk->to);
    tls_key_format(key, visit_key(partner->talk->visit));
    snprintf(link, sizeof link, "janggi://%s/join/%s/%s", server, code, key);
    start(partner, link);
    return true;
}

void partner_clear(struct partner *partner)
{
    if (!is_here(partner))
        return;
    kill(partner->pid, SIGTERM);
    while (waitpid(partner->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
