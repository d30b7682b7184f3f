/* See again.h. */
#include "client/play/again.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* LOSS_MAX_MS: if the connection was lost for a longer time, the commands seek and play
 * are not sent again, because the player may have left. PLAY_MINUTES: how long a play
 * command lasts if the server's answer does not contain `minutes`. */
enum { LOSS_MAX_MS = 5 * 60 * 1000, PLAY_MINUTES = 15, PLAY_MINUTES_MAX = 24 * 60 };

static void forget(struct again_wait *wait)
{
    free(wait->line);
    *wait = (struct again_wait){.line = NULL};
}

void again_find_opponent(struct again *again)
{
    for (int i = AGAIN_SEEKS; i < AGAIN_WAITS; i++)
        forget(&again->waits[i]);
}

void again_clear(struct again *again)
{
    for (int i = 0; i < AGAIN_WAITS; i++)
        forget(&again->waits[i]);
}

/* --- What waits --- */

static bool is_seek(const struct visit_request *asked)
{
    return strcmp(asked->verb, "seek") == 0 || strcmp(asked->verb, "play") == 0;
}

/* Returns the entry of a seek that was sent again, or a free entry for a new seek. */
static struct again_wait *find_seek(struct again *again,
                                    const struct visit_request *asked)
{
    struct again_wait *out = &again->waits[AGAIN_SEEKS];

    for (int i = AGAIN_SEEKS; i < AGAIN_WAITS; i++) {
        struct again_wait *wait = &again->waits[i];

        if (wait->tag == asked->tag)
            return wait;
        if (out->line != NULL && wait->line == NULL)
            out = wait;
    }
    return out;
}

/* Returns the entry for the command; NULL: it is not a command that waits. */
static struct again_wait *find_wait(struct again *again,
                                    const struct visit_request *asked)
{
    if (is_seek(asked))
        return find_seek(again, asked);
    if (strcmp(asked->verb, "tv") == 0)
        return &again->waits[AGAIN_TV];
    if (strcmp(asked->verb, "seeks") == 0 && asked->about[0] != '\0')
        return &again->waits[AGAIN_NEWS];
    return NULL;
}

/* Returns true if the command `asked`, which the server has accepted, stays in effect:
 * a seek that found no opponent yet, or another command whose first argument is not
 * "off". */
static bool goes_on(const struct visit_request *asked, const struct proto_line *line)
{
    return is_seek(asked) ? proto_line_value(line, "id") != NULL
                          : strcmp(asked->about, "off") != 0;
}

/* Returns the time at which the server stops looking for an opponent for the command
 * `asked`; 0: there is no limit. */
static int64_t end_of_wait(const struct visit_request *asked,
                           const struct proto_line *line)
{
    if (strcmp(asked->verb, "play") != 0)
        return 0;
    return mono_with_sleep_ms() +
           model_number(line, "minutes", 1, PLAY_MINUTES_MAX, PLAY_MINUTES) * 60000;
}

static void keep(struct again_wait *wait, const struct visit_request *asked,
                 const struct proto_line *line)
{
    if (wait->tag != asked->tag) {
        forget(wait);
        wait->line = mem_copy_text(asked->line);
        wait->until_ms = end_of_wait(asked, line);
    }
    wait->id = is_seek(asked) ? proto_line_number(line, "id", -1)
                              : proto_line_number(line, "game",
                                                  proto_line_number(line, "after", 0));
}

static void leave_game(struct again *again, int64_t game)
{
    if (again->waits[AGAIN_TV].id == game)
        forget(&again->waits[AGAIN_TV]);
}

void again_take_answer(struct again *again, const struct visit_request *asked,
                       const struct proto_line *line)
{
    struct again_wait *wait = find_wait(again, asked);
    bool is_ok = line->mark == PROTO_OK;

    if (is_ok && strcmp(asked->verb, "unwatch") == 0)
        leave_game(again, proto_line_number(line, "game", -1));
    if (wait == NULL)
        return;
    if (is_ok && goes_on(asked, line))
        keep(wait, asked, line);
    else if (wait->tag == asked->tag || (is_ok && !is_seek(asked)))
        forget(wait);
}

static void end_seek(struct again *again, const char *word)
{
    int64_t id;

    if (!text_to_int(word, 0, INT64_MAX, &id))
        return;
    for (int i = AGAIN_SEEKS; i < AGAIN_WAITS; i++)
        if (again->waits[i].id == id)
            forget(&again->waits[i]);
}

void again_take_notice(struct again *again, const struct proto_line *line)
{
    if (line->words > 1 && strcmp(line->word[0], "gone") == 0)
        end_seek(again, line->word[1]);
    else if (line->words > 0 && strcmp(line->word[0], "tv") == 0)
        again->waits[AGAIN_TV].id = proto_line_number(line, "game", 0);
}

void again_hear(struct again *again)
{
    if (visit_loss(again->talk->visit)->since_ms == 0)
        again->heard_ms = mono_with_sleep_ms();
}

/* --- Back --- */

/* Returns true if we are in a game with clocks. When such a game begins, the server
 * ends all our seeks. */
static bool is_playing(const struct model *model)
{
    for (const struct model_game *game = model->games; game != NULL; game = game->next)
        if (model_is_playing(game) && !model_is_slow(game) &&
            !game->game.clock.terms.is_untimed)
            return true;
    return false;
}

static bool is_too_old(const struct again *again, const struct again_wait *wait)
{
    int64_t now_ms = mono_with_sleep_ms();

    return now_ms - again->heard_ms > LOSS_MAX_MS ||
           (wait->until_ms != 0 && now_ms >= wait->until_ms);
}

/* Forgets the seeks that are too old, and tells the player. A seek is too old if its
 * time limit is over. If the connection was lost for longer than LOSS_MAX_MS, all seeks
 * are too old. So a game does not begin while the player is absent. */
static void forget_old_seeks(struct again *again)
{
    for (int i = AGAIN_SEEKS; i < AGAIN_WAITS; i++) {
        struct again_wait *wait = &again->waits[i];

        if (wait->line == NULL || !is_too_old(again, wait))
            continue;
        console_sayf(again->talk->console,
                     _("-- this request ended while the connection was lost; type it "
                       "again: %s\n"),
                     wait->line);
        forget(wait);
    }
}

/* Sends a command again. The answer to a seek is shown, because the seek has a new
 * number. tv is sent with the number of the watched game, so that the server does not
 * change to a better one. */
static void send_again(struct again *again, struct again_wait *wait)
{
    struct talk *talk = again->talk;

    console_sayf(talk->console,
                 _("-- the connection was lost, so this is sent again: %s\n"),
                 wait->line);
    if (wait == &again->waits[AGAIN_TV])
        wait->tag = talk_sendf(talk, -1, true, "%s after=%lld", wait->line,
                               (long long)wait->id);
    else
        wait->tag = talk_send(talk, wait->line, -1, wait == &again->waits[AGAIN_NEWS]);
}

void again_send(struct again *again)
{
    if (is_playing(&again->talk->model))
        again_find_opponent(again);
    forget_old_seeks(again);
    for (int i = 0; i < AGAIN_WAITS; i++)
        if (again->waits[i].line != NULL)
            send_again(again, &again->waits[i]);
}

bool again_repeats(const struct again *again, const struct visit_request *asked)
{
    for (int i = 0; i < AGAIN_WAITS; i++)
        if (again->waits[i].tag == asked->tag)
            return true;
    return false;
}
