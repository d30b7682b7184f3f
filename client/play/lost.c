/* See lost.h. Unanswered commands are not repeated here: doubt.h handles moves, again.h
 * handles commands that wait for a later event, such as seek, and the player must
 * repeat the others. */
#include "client/play/lost.h"

#include <string.h>

#include "client/base/exit.h"
#include "client/verb/verbs.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* --- Commands that nobody will answer now --- */

static void say_unanswered(struct lost *lost)
{
    for (const struct visit_request *a = visit_requests(lost->talk->visit); a != NULL;
         a = a->next) {
        const struct verb *verb = verbs_find_command(a->verb);
        enum verb_use use = verb != NULL ? verb->use : VERB_ACTS;

        if (a->is_quiet || verb == &verb_move || again_repeats(lost->again, a))
            continue; /* the client has sent it by itself, or doubt.h or again.h handles
                       * it after the reconnection */
        if (use == VERB_TALKS)
            console_say(lost->talk->console,
                        _("-- your last message may not have arrived\n"));
        else
            console_sayf(
                lost->talk->console,
                use == VERB_LOOKS
                    ? _("-- the server did not answer \"%s\"; try again later\n")
                    : _("-- the server did not answer \"%s\", and janggi does not send "
                        "it again: check whether it was done\n"),
                a->verb);
    }
}

/* --- Down --- */

static bool is_our_clock_running(const struct lost *lost)
{
    const struct model_game *game = lost->talk->model.current;

    return game != NULL && model_is_playing(game) && game->clock.running == game->side;
}

/* Reports a loss (is_first) or a failed attempt. Each message fits on one line of an
 * 80-column terminal. */
static void say_down(struct lost *lost, const struct visit_loss *loss, bool is_first)
{
    int64_t left_ms = loss->retry_at_ms - mono_now_ms();
    char words[512];
    struct text text = text_into(words, sizeof words);

    if (!is_first)
        text_addf(&text, _("-- still no connection (%s)\n"), loss->why);
    else if (!visit_has_bye(lost->talk->visit))
        text_addf(&text, _("-- connection lost (%s%s)\n"), loss->why,
                  is_our_clock_running(lost) ? _("; your clock runs") : "");
    text_addf(&text, _("-- trying again in %d s (attempt %d)%s\n"),
              (int)mono_whole_s(left_ms), loss->attempt,
              is_first && console_is_screen(lost->talk->console)
                  ? _("; Enter tries now, Ctrl-C or \"stop\" gives up")
                  : "");
    console_say(lost->talk->console, words);
}

static void say_no_more(struct lost *lost, const char *why)
{
    console_sayf(lost->talk->console,
                 _("-- no connection (%s); janggi does not try again by itself: Enter "
                   "tries again, \"quit\" leaves\n"),
                 why);
}

/* Returns true if a failed attempt is worth a message. On a screen the prompt shows the
 * countdown, so a failure is reported only if its reason is new. */
static bool is_worth_saying(struct lost *lost, const struct visit_loss *loss)
{
    bool is_new = strcmp(lost->why, loss->why) != 0;

    (void)!text_copy(lost->why, sizeof lost->why, loss->why);
    return is_new || !console_is_screen(lost->talk->console);
}

static void forget_what_was_asked(struct lost *lost)
{
    save_clear(lost->save);
    model_lose_connection(&lost->talk->model);
    doubt_drop(lost->doubt);
}

bool lost_begin(struct lost *lost)
{
    const struct visit_loss *loss = visit_loss(lost->talk->visit);
    bool is_first = lost->why[0] == '\0';
    bool is_said = is_worth_saying(lost, loss);

    if (is_first)
        say_unanswered(lost);
    forget_what_was_asked(lost);
    if (loss->is_resting &&
        (!console_is_screen(lost->talk->console) || !lost->talk->prefs->reconnects))
        return false;
    if (loss->is_resting)
        say_no_more(lost, loss->why);
    else if (is_said)
        say_down(lost, loss, is_first);
    console_prompt(lost->talk->console);
    return true;
}

/* --- While away --- */

void lost_try_now(struct lost *lost)
{
    if (!visit_is_away(lost->talk->visit))
        return;
    visit_try_now(lost->talk->visit);
    console_prompt(lost->talk->console);
}

void lost_give_up(struct lost *lost)
{
    if (!visit_is_away(lost->talk->visit)) {
        console_say(lost->talk->console,
                    _("-- there is nothing to stop: you are connected\n"));
        return;
    }
    if (!console_is_screen(lost->talk->console)) {
        console_leave(lost->talk->console, CLIENT_EXIT_LOST);
        return;
    }
    visit_rest(lost->talk->visit);
    console_say(lost->talk->console,
                _("-- janggi has stopped trying to connect; you see the last known "
                  "state. Enter tries again, \"quit\" leaves.\n"));
    console_prompt(lost->talk->console);
}

void lost_add_prompt(struct text *out, const struct lost *lost, int64_t now_ms)
{
    const struct visit_loss *loss = visit_loss(lost->talk->visit);
    int64_t left_ms = loss->retry_at_ms - now_ms;

    if (!visit_is_away(lost->talk->visit))
        return;
    if (visit_state(lost->talk->visit) == VISIT_AWAY && loss->is_resting)
        text_add(out, _("(no connection) "));
    else if (loss->retry_at_ms != 0 && left_ms > 0)
        text_addf(out, _("(no connection, attempt %d in %d s) "), loss->attempt,
                  (int)mono_whole_s(left_ms));
    else
        text_add(out, _("(connecting) "));
}

/* --- Back --- */

void lost_begin_count(struct lost *lost)
{
    lost->missed = 0;
}

void lost_count_missed(struct lost *lost, int events)
{
    lost->missed += events;
}

void lost_say_back(struct lost *lost, int64_t away_ms)
{
    int seconds = (int)mono_whole_s(away_ms);

    console_ignore_enter(lost->talk->console); /* it meant "try now" until here */
    if (lost->missed == 0)
        console_sayf(lost->talk->console, _("-- back after %d s, nothing missed\n"),
                     seconds);
    else
        console_sayf(lost->talk->console,
                     translate_count("-- back after %d s, %d event missed\n",
                                     "-- back after %d s, %d events missed\n",
                                     lost->missed),
                     seconds, lost->missed);
    lost->why[0] = '\0';
    again_send(lost->again);
}
