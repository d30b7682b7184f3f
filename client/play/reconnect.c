/* See reconnect.h. */
#include "client/play/reconnect.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/verb/answers.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* LOSS_MAX_MS: if the connection was lost for a longer time, the commands seek and play
 * are not sent again, because the player may have left. PLAY_MINUTES: how long a play
 * command lasts if the server's answer does not contain `minutes`. */
enum { LOSS_MAX_MS = 5 * 60 * 1000, PLAY_MINUTES = 15, PLAY_MINUTES_MAX = 24 * 60 };

static void forget(struct reconnect_wait *wait)
{
    free(wait->line);
    *wait = (struct reconnect_wait){.line = NULL};
}

void reconnect_forget_seeks(struct reconnect *reconnect)
{
    for (int i = RECONNECT_SEEKS; i < RECONNECT_WAITS; i++)
        forget(&reconnect->waits[i]);
}

void reconnect_clear(struct reconnect *reconnect)
{
    for (int i = 0; i < RECONNECT_WAITS; i++)
        forget(&reconnect->waits[i]);
}

/* --- What waits --- */

static bool is_seek(const struct visit_request *asked)
{
    return strcmp(asked->verb, "seek") == 0 || strcmp(asked->verb, "play") == 0;
}

/* Returns the entry for the command: for a seek, its own if it was sent again, otherwise
 * a free one. NULL: it is not a command that waits. */
static struct reconnect_wait *find_wait(struct reconnect *reconnect,
                                        const struct visit_request *asked)
{
    struct reconnect_wait *waits = reconnect->waits, *out = &waits[RECONNECT_SEEKS];

    if (strcmp(asked->verb, "tv") == 0)
        return &waits[RECONNECT_TV];
    if (strcmp(asked->verb, "seeks") == 0 && asked->about[0] != '\0')
        return &waits[RECONNECT_NEWS];
    if (!is_seek(asked))
        return NULL;
    for (int i = RECONNECT_SEEKS; i < RECONNECT_WAITS; i++) {
        if (waits[i].tag == asked->tag)
            return &waits[i];
        if (out->line != NULL && waits[i].line == NULL)
            out = &waits[i];
    }
    return out;
}

static void keep(struct reconnect_wait *wait, const struct visit_request *asked,
                 const struct proto_line *line)
{
    if (wait->tag != asked->tag) {
        forget(wait);
        wait->line = mem_copy_text(asked->line);
        if (strcmp(asked->verb, "play") == 0)
            wait->until_ms =
                mono_with_sleep_ms() +
                model_number(line, "minutes", 1, PLAY_MINUTES_MAX, PLAY_MINUTES) *
                    60000;
    }
    wait->id = is_seek(asked) ? proto_line_number(line, "id", -1)
                              : proto_line_number(line, "game",
                                                  proto_line_number(line, "after", 0));
}

void reconnect_take_answer(struct reconnect *reconnect,
                           const struct visit_request *asked,
                           const struct proto_line *line)
{
    struct reconnect_wait *wait = find_wait(reconnect, asked),
                          *tv = &reconnect->waits[RECONNECT_TV];
    bool is_ok = line->mark == PROTO_OK, goes_on;

    if (is_ok && strcmp(asked->verb, "unwatch") == 0 &&
        tv->id == proto_line_number(line, "game", -1))
        forget(tv);
    if (wait == NULL)
        return;
    /* a seek that found no opponent yet, or another command that is not "off" */
    goes_on = is_seek(asked) ? proto_line_value(line, "id") != NULL
                             : strcmp(asked->about, "off") != 0;
    if (is_ok && goes_on)
        keep(wait, asked, line);
    else if (wait->tag == asked->tag || (is_ok && !is_seek(asked)))
        forget(wait);
}

void reconnect_take_notice(struct reconnect *reconnect, const struct proto_line *line)
{
    struct reconnect_wait *waits = reconnect->waits;
    int64_t id;

    if (line->words > 1 && strcmp(line->word[0], "gone") == 0 &&
        text_to_int(line->word[1], 0, INT64_MAX, &id)) {
        for (int i = RECONNECT_SEEKS; i < RECONNECT_WAITS; i++)
            if (waits[i].id == id)
                forget(&waits[i]);
    } else if (line->words > 0 && strcmp(line->word[0], "tv") == 0) {
        waits[RECONNECT_TV].id = proto_line_number(line, "game", 0);
    }
}

void reconnect_hear(struct reconnect *reconnect)
{
    if (visit_loss(reconnect->talk->visit)->since_ms == 0)
        reconnect->heard_ms = mono_with_sleep_ms();
}

/* --- Down --- */

/* Reports the commands that nobody will answer now. */
static void say_unanswered(struct reconnect *reconnect)
{
    struct console *console = reconnect->talk->console;

    for (const struct visit_request *a = visit_requests(reconnect->talk->visit);
         a != NULL; a = a->next) {
        enum verb_use use = answers_use(a->verb);
        bool is_kept = false; /* it is sent again after the reconnection */

        for (int i = 0; i < RECONNECT_WAITS; i++)
            is_kept = is_kept || reconnect->waits[i].tag == a->tag;
        if (a->is_quiet || strcmp(a->verb, "move") == 0 || is_kept)
            continue; /* the client has sent it by itself, or doubt.h handles it */
        if (use == VERB_TALKS)
            console_say(console, _("-- your last message may not have arrived\n"));
        else
            console_sayf(
                console,
                use == VERB_LOOKS
                    ? _("-- the server did not answer \"%s\"; try again later\n")
                    : _("-- the server did not answer \"%s\", and janggi does not send "
                        "it again: check whether it was done\n"),
                a->verb);
    }
}

/* Reports a loss (is_first) or a failed attempt. Each message fits on one line of an
 * 80-column terminal. */
static void say_down(struct reconnect *reconnect, const struct visit_loss *loss,
                     bool is_first)
{
    const struct model_game *game = reconnect->talk->model.current;
    bool is_our_clock_running =
        game != NULL && model_is_playing(game) && game->clock.running == game->side;
    char words[512];
    struct text text = text_into(words, sizeof words);

    if (!is_first)
        text_addf(&text, _("-- still no connection (%s)\n"), loss->why);
    else if (!visit_has_bye(reconnect->talk->visit))
        text_addf(&text, _("-- connection lost (%s%s)\n"), loss->why,
                  is_our_clock_running ? _("; your clock runs") : "");
    text_addf(&text, _("-- trying again in %d s (attempt %d)%s\n"),
              (int)mono_whole_s(loss->retry_at_ms - mono_now_ms()), loss->attempt,
              is_first && console_is_screen(reconnect->talk->console)
                  ? _("; Enter tries now, Ctrl-C or \"stop\" gives up")
                  : "");
    console_say(reconnect->talk->console, words);
}

bool reconnect_begin(struct reconnect *reconnect)
{
    struct talk *talk = reconnect->talk;
    const struct visit_loss *loss = visit_loss(talk->visit);
    bool is_screen = console_is_screen(talk->console);
    bool is_first = reconnect->why[0] == '\0';
    bool is_new = strcmp(reconnect->why, loss->why) != 0;

    (void)!text_copy(reconnect->why, sizeof reconnect->why, loss->why);
    if (is_first)
        say_unanswered(reconnect);
    save_clear(reconnect->save);
    model_lose_connection(&talk->model);
    doubt_drop(reconnect->doubt);
    if (loss->is_resting && (!is_screen || !talk->prefs->reconnects))
        return false;
    if (loss->is_resting)
        console_sayf(talk->console,
                     _("-- no connection (%s); janggi does not try again by itself: "
                       "Enter tries again, \"quit\" leaves\n"),
                     loss->why);
    else if (is_new || !is_screen) /* on a screen the prompt shows the countdown */
        say_down(reconnect, loss, is_first);
    console_prompt(talk->console);
    return true;
}

/* --- While away --- */

void reconnect_try_now(struct reconnect *reconnect)
{
    if (!visit_is_away(reconnect->talk->visit))
        return;
    visit_try_now(reconnect->talk->visit);
    console_prompt(reconnect->talk->console);
}

void reconnect_give_up(struct reconnect *reconnect)
{
    struct console *console = reconnect->talk->console;

    if (!visit_is_away(reconnect->talk->visit)) {
        console_say(console, _("-- there is nothing to stop: you are connected\n"));
        return;
    }
    if (!console_is_screen(console)) {
        console_leave(console, CLIENT_EXIT_LOST);
        return;
    }
    visit_rest(reconnect->talk->visit);
    console_say(console,
                _("-- janggi has stopped trying to connect; you see the last known "
                  "state. Enter tries again, \"quit\" leaves.\n"));
    console_prompt(console);
}

void reconnect_add_prompt(struct text *out, const struct reconnect *reconnect,
                          int64_t now_ms)
{
    const struct visit *visit = reconnect->talk->visit;
    const struct visit_loss *loss = visit_loss(visit);
    int64_t left_ms = loss->retry_at_ms - now_ms;

    if (!visit_is_away(visit))
        return;
    if (visit_state(visit) == VISIT_AWAY && loss->is_resting)
        text_add(out, _("(no connection) "));
    else if (loss->retry_at_ms != 0 && left_ms > 0)
        text_addf(out, _("(no connection, attempt %d in %d s) "), loss->attempt,
                  (int)mono_whole_s(left_ms));
    else
        text_add(out, _("(connecting) "));
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

/* Forgets the seeks whose time limit is over, or all of them after a loss of more than
 * LOSS_MAX_MS, and tells the player. So a game does not begin while the player is
 * absent. */
static void forget_old_seeks(struct reconnect *reconnect)
{
    int64_t now_ms = mono_with_sleep_ms();

    for (int i = RECONNECT_SEEKS; i < RECONNECT_WAITS; i++) {
        struct reconnect_wait *wait = &reconnect->waits[i];

        if (wait->line == NULL || (now_ms - reconnect->heard_ms <= LOSS_MAX_MS &&
                                   (wait->until_ms == 0 || now_ms < wait->until_ms)))
            continue;
        console_sayf(reconnect->talk->console,
                     _("-- this request ended while the connection was lost; type it "
                       "again: %s\n"),
                     wait->line);
        forget(wait);
    }
}

/* Sends the kept commands again. The answer to a seek is shown, because the seek has a
 * new number. tv is sent with the number of the watched game, so that the server does
 * not change to a better one. */
static void send_again(struct reconnect *reconnect)
{
    struct talk *talk = reconnect->talk;

    for (int i = 0; i < RECONNECT_WAITS; i++) {
        struct reconnect_wait *wait = &reconnect->waits[i];

        if (wait->line == NULL)
            continue;
        console_sayf(talk->console,
                     _("-- the connection was lost, so this is sent again: %s\n"),
                     wait->line);
        if (i == RECONNECT_TV)
            wait->tag = talk_sendf(talk, -1, true, "%s after=%lld", wait->line,
                                   (long long)wait->id);
        else
            wait->tag = talk_send(talk, wait->line, -1, i == RECONNECT_NEWS);
    }
}

void reconnect_say_back(struct reconnect *reconnect, int64_t away_ms)
{
    struct console *console = reconnect->talk->console;
    int seconds = (int)mono_whole_s(away_ms), missed = reconnect->missed;

    console_ignore_enter(console); /* it meant "try now" until here */
    if (missed == 0)
        console_sayf(console, _("-- back after %d s, nothing missed\n"), seconds);
    else
        console_sayf(console,
                     translate_count("-- back after %d s, %d event missed\n",
                                     "-- back after %d s, %d events missed\n", missed),
                     seconds, missed);
    reconnect->why[0] = '\0';
    if (is_playing(&reconnect->talk->model))
        reconnect_forget_seeks(reconnect);
    forget_old_seeks(reconnect);
    send_again(reconnect);
}
