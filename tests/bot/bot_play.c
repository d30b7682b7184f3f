/* See bot.h. Games: handles the events of a game and chooses the bot's actions. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/game/event.h"
#include "common/game/rules.h"
#include "tests/bot/bot.h"
#include "tests/bot/random_game.h"

enum { LATER_MS = 1000, CUT_MOST_US = 2000 };

/* --- Matches --- */

struct bot_match *bot_find_match(const struct bot *bot, int64_t game)
{
    struct bot_match *match = bot->matches;

    while (match != NULL && match->history.game != game)
        match = match->next;
    return match;
}

static struct bot_match *match_new(struct bot *bot, int64_t game)
{
    struct bot_match *match = mem_new(sizeof *match);

    history_init(&match->history, game);
    game_init(&match->game);
    match->side = SIDE_NONE;
    match->next = bot->matches;
    bot->matches = match;
    return match;
}

void bot_forget_match(struct bot *bot, struct bot_match *match)
{
    struct bot_match **at = &bot->matches;

    while (*at != match)
        at = &(*at)->next;
    *at = match->next;
    history_clear(&match->history);
    game_clear(&match->game);
    free(match);
}

/* Returns the bot's match for a game in which the bot is one of the two players; adds
 * the match if it is new. */
static struct bot_match *sit_down(struct bot *bot, int64_t game)
{
    struct bot_match *match = bot_find_match(bot, game);

    if (match != NULL)
        return match;
    match = match_new(bot, game);
    bot->match = match;
    bot->seek_id = 0;
    bot->answered_ply = 0;
    return match;
}

void bot_resume(struct bot *bot, const struct bot_match *match, int event)
{
    if (bot->of->settings.never_resumes)
        return;
    bot->resumes_due++;
    bot_step(bot, BOT_ASKS, ASK_RESUME);
    bot_sayf(bot, "resume %lld %d", (long long)match->history.game, event);
}

void bot_watch(struct bot *bot, int64_t game)
{
    if (bot_find_match(bot, game) != NULL)
        return;
    match_new(bot, game);
    bot->resumes_due++;
    bot_sayf(bot, "watch %lld", (long long)game);
}

void bot_take_seats(struct bot *bot, const char *games)
{
    const char *at = games;

    while (at[0] >= '0' && at[0] <= '9') {
        char *end;

        sit_down(bot, strtoll(at, &end, 10));
        at = end[0] == ',' ? end + 1 : end;
    }
    for (struct bot_match *match = bot->matches; match != NULL; match = match->next)
        if (match->game.phase != GAME_OVER)
            bot_resume(bot, match, match->game.events);
}

/* --- Events --- */

static void leave_match(struct bot *bot, struct bot_match *match)
{
    if (bot->match == match) {
        bot->match = NULL;
        bot->move_ply = 0;
        bot->played++;
    }
    if (bot->of->settings.on_over != NULL)
        bot->of->settings.on_over(bot->of->settings.arg, bot, match);
}

static void note_start(struct bot *bot, struct bot_match *match)
{
    for (int side = 0; side < SIDES; side++)
        if (bot->match == match && strcmp(match->game.name[side], bot->name) == 0)
            match->side = (enum side)side;
    if (bot->match == match && match->side == SIDE_NONE)
        bot_fault(bot, "sits in game %lld of %s and %s", (long long)match->history.game,
                  match->game.name[SIDE_RED], match->game.name[SIDE_BLUE]);
}

/* Reports a fault if the event of the bot's move comes before the OK. This does not
 * apply to a move that is sent again: the server may have played the move already. Then
 * the event of the move comes with the events that the bot has requested by
 * `resume`. */
static void check_order(struct bot *bot, const struct bot_match *match,
                        const struct event *event)
{
    if (bot->match == match && event->kind == EVENT_MOVE &&
        event->side == match->side && event->ply == bot->move_ply && !bot->is_again)
        bot_fault(bot, "game %lld: saw its move %d before the OK",
                  (long long)match->history.game, event->ply);
}

/* Handles a takeback: earlier requests and answers are no longer valid. */
static void note_takeback(struct bot *bot, struct bot_match *match)
{
    match->was_taken_back = true;
    if (bot->match != match)
        return;
    bot->move_ply = bot->answered_ply = 0;
    bot->offer_id = 0; /* keeps reply_id: after a resume, the opponent's offer can be
                        * newer than this takeback */
}

static void note_step(struct bot *bot, const struct bot_match *match,
                      const struct event *event)
{
    if (event->kind == EVENT_END)
        bot_step(bot, BOT_SEES_END, ASK_NONE);
    else if (event->kind == EVENT_MOVE && event->side != match->side)
        bot_step(bot, BOT_SEES_MOVE, ASK_NONE);
}

static void fold_next(struct bot *bot, struct bot_match *match)
{
    const char *text = match->history.event[match->game.events];
    struct event event;

    if (event_parse(text, &event) != EVENT_OK ||
        !game_apply(&match->game, &event, mono_now_ms())) {
        bot_fault(bot, "game %lld: event %d \"%s\" does not follow",
                  (long long)match->history.game, match->game.events, text);
        match->is_broken = true;
        return;
    }
    check_order(bot, match, &event);
    if (event.kind == EVENT_START)
        note_start(bot, match);
    if (event.kind == EVENT_TAKEBACK)
        note_takeback(bot, match);
    if (bot->match == match)
        note_step(bot, match, &event);
    if (event.kind == EVENT_END)
        leave_match(bot, match);
}

void bot_take_event(struct bot *bot, char *words)
{
    char *at;
    int64_t id = strtoll(words, &at, 10);
    long number = strtol(at, &at, 10);
    struct bot_match *match = bot_find_match(bot, id);

    bot->of->counts.events++;
    if (at[0] == ' ')
        at++;
    if (match == NULL && number == 0)
        match = sit_down(bot, id);
    if (match == NULL)
        return;
    if (!history_add_event(&match->history, (int)number, at))
        bot_fault(bot, "game %lld: event %ld changed to \"%s\"", (long long)id, number,
                  at);
    if (number > match->game.events && bot->resumes_due == 0 && !match->is_broken)
        bot_fault(bot, "game %lld: event %ld came, and event %d did not", (long long)id,
                  number, match->game.events);
    while (!match->is_broken && match->game.events < match->history.events &&
           match->history.event[match->game.events] != NULL)
        fold_next(bot, match);
    bot_act(bot);
}

/* --- Acts --- */

static void look_for_game(struct bot *bot)
{
    const struct bots_settings *settings = &bot->of->settings;

    if (bot->partner == NULL || bot->seek_id != 0 ||
        (settings->wants_game != NULL && !settings->wants_game(settings->arg, bot)))
        return;
    if (bot->is_maker) {
        bot_ask(bot, ASK_SEEK);
        bot_sayf(bot, "seek %s rules=martin side=%s", bot->terms,
                 bot->played % 2 == 0 ? "red" : "blue");
    } else if (bot->partner->seek_id != 0) {
        bot_ask(bot, ASK_ACCEPT);
        bot_sayf(bot, "accept %lld", (long long)bot->partner->seek_id);
    }
}

/* For some moves (cuts_per_mille), cuts the connection soon after the bot has sent the
 * move. If the cut comes before the answer, the server may have stored a move although
 * the bot has not read the OK. */
static void maybe_cut(struct bot *bot)
{
    int per_mille = bot->of->settings.cuts_per_mille;
    struct timeval soon;

    if (per_mille == 0 || bot->is_again || bot_random(bot, 1000) >= (uint32_t)per_mille)
        return;
    soon = (struct timeval){
        .tv_usec = bot_random(bot, 3) == 0 ? (int)bot_random(bot, CUT_MOST_US) : 0};
    bot->is_cutting = true;
    evtimer_add(bot->timer, &soon);
}

static void ask_move(struct bot *bot, const struct bot_match *match)
{
    char text[MOVE_BYTES];

    move_format(text, bot->move);
    bot_ask(bot, ASK_MOVE);
    bot->of->counts.resent += bot->is_again;
    bot_sayf(bot, "move %lld %d %s", (long long)match->history.game, bot->move_ply,
             text);
    maybe_cut(bot);
}

/* Returns the game that the bot plays from a script; NULL: its moves are random. */
static const struct random_game *script_of(const struct bot *bot)
{
    const struct bots_settings *settings = &bot->of->settings;

    return settings->scripts > 0
               ? &settings->script[bot->number / 2 % settings->scripts]
               : NULL;
}

static struct move choose(struct bot *bot, struct bot_match *match)
{
    struct move_list legal;
    uint32_t at;

    if (script_of(bot) != NULL)
        return script_of(bot)->move[match->game.plies];
    rules_legal_moves(match->game.rules, &match->game.position, &legal);
    at = bot_random(bot, (uint32_t)legal.count);
    for (int i = 0; i < legal.count && match->was_taken_back &&
                    bot_has_played(match, legal.move[at]);
         i++)
        at = (at + 1) % (uint32_t)legal.count;
    return legal.move[at];
}

static enum lineup choose_lineup(struct bot *bot, const struct bot_match *match)
{
    if (script_of(bot) != NULL)
        return script_of(bot)->lineup[match->side];
    return (enum lineup)bot_random(bot, LINEUPS);
}

static void resign(struct bot *bot, const struct bot_match *match)
{
    bot_ask(bot, ASK_RESIGN);
    bot_sayf(bot, "resign %lld", (long long)match->history.game);
}

/* Chooses and sends a move. Resigns if that move was already played and taken back,
 * because the checker could not distinguish the two moves. */
static void make_move(struct bot *bot, struct bot_match *match)
{
    struct move move = choose(bot, match);

    if (match->was_taken_back && bot_has_played(match, move)) {
        resign(bot, match);
        return;
    }
    bot->move = move;
    bot->move_ply = match->game.plies + 1;
    bot->is_again = false;
    ask_move(bot, match);
}

void bot_take_turn(struct bot *bot)
{
    struct bot_match *match = bot->match;
    int plies_max = bot->of->settings.plies_max;

    if (bot->state != BOT_IN || match == NULL || bot->asking != ASK_NONE ||
        game_turn(&match->game) != match->side)
        return;
    if (match->game.phase == GAME_SETUP) {
        bot_ask(bot, ASK_SETUP);
        bot_sayf(bot, "setup %lld %s", (long long)match->history.game,
                 lineup_name(choose_lineup(bot, match)));
    } else if (plies_max > 0 && match->game.plies >= plies_max) {
        resign(bot, match);
    } else if (!bot_offer(bot, match)) {
        make_move(bot, match);
    }
}

static void think(struct bot *bot)
{
    int most_ms = bot->of->settings.think_ms * 2;
    struct timeval delay = {0, 0};

    if (most_ms == 0) {
        bot_take_turn(bot);
        return;
    }
    most_ms = (int)bot_random(bot, (uint32_t)most_ms);
    delay =
        (struct timeval){.tv_sec = most_ms / 1000, .tv_usec = most_ms % 1000 * 1000};
    bot->is_thinking = true;
    evtimer_add(bot->timer, &delay);
}

static bool wants_turn(struct bot *bot)
{
    const struct bots_settings *settings = &bot->of->settings;

    return settings->wants_turn == NULL || settings->wants_turn(settings->arg, bot);
}

static void act_in_match(struct bot *bot, struct bot_match *match)
{
    const struct game *game = &match->game;

    if (match->is_broken || match->side == SIDE_NONE ||
        game->events < match->due_events)
        return;
    if (bot->answered_ply > game->plies && bot->is_answered_here)
        return; /* the event of the move will follow */
    if (bot->answered_ply > game->plies) {
        bot_fault(bot, "game %lld: move %d was acknowledged and is not there",
                  (long long)match->history.game, bot->answered_ply);
        match->is_broken = true;
        return;
    }
    if (bot->move_ply != 0)
        ask_move(bot, match);
    else if (!bot_reply(bot, match) && bot->offer_id == 0 &&
             game_turn(game) == match->side && game->due_reason == REASON_NONE &&
             wants_turn(bot))
        think(bot);
}

void bot_act(struct bot *bot)
{
    if (bot->state != BOT_IN || bot->asking != ASK_NONE || bot->resumes_due > 0 ||
        bot->is_thinking || bot->is_cutting || bot->has_stopped)
        return;
    if (bot->match != NULL)
        act_in_match(bot, bot->match);
    else
        look_for_game(bot);
}

/* --- Answers --- */

void bot_note_ack(struct bot_match *match, const char *format, ...)
{
    char words[80];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    history_add_ack(&match->history, words);
}

/* Handles the OK to a move that the bot has sent again. The server had already played
 * this move, and the end of the game arrived before this OK. */
static void take_late_ok(struct bot *bot, const struct proto_line *line)
{
    struct bot_match *match = bot_find_match(bot, proto_line_number(line, "game", -1));
    const char *played = proto_line_value(line, "move");
    int64_t ply = proto_line_number(line, "ply", 0);

    if (match == NULL || match->game.phase != GAME_OVER || played == NULL) {
        bot_fault(bot, "asked for no move and got OK for %lld", (long long)ply);
        return;
    }
    bot->of->counts.moves++;
    bot->of->counts.repeats++;
    bot_note_ack(match, "move %lld %s %s", (long long)ply, side_name(match->side),
                 played);
}

static void take_move_ok(struct bot *bot, const struct proto_line *line)
{
    struct bot_match *match = bot->match;
    const char *played = proto_line_value(line, "move");
    int64_t ply = proto_line_number(line, "ply", 0);
    char text[MOVE_BYTES];

    if (bot->move_ply == 0 && bot->is_again) {
        take_late_ok(bot, line);
        return;
    }
    move_format(text, bot->move);
    if (match == NULL || played == NULL || strcmp(played, text) != 0 ||
        ply != bot->move_ply) {
        bot_fault(bot, "asked for move %d %s and got OK for %lld %s", bot->move_ply,
                  text, (long long)ply, played != NULL ? played : "-");
        return;
    }
    bot->of->counts.moves++;
    if (bot->is_again && match->game.plies >= bot->move_ply)
        bot->of->counts.repeats++;
    bot_note_ack(match, "move %d %s %s", bot->move_ply, side_name(match->side), text);
    bot->answered_ply = bot->move_ply;
    bot->is_answered_here = true;
    bot->move_ply = 0;
    if (bot->of->settings.on_answered != NULL)
        bot->of->settings.on_answered(bot->of->settings.arg, bot,
                                      mono_now_us() - bot->asked_us);
}

/* Records the game clocks for the checker. line: the OK to `resume`, which contains the
 * clocks. */
static void note_clocks(struct bot *bot, struct bot_match *match,
                        const struct proto_line *line)
{
    const char *running = proto_line_value(line, "running");
    struct history_clock clock = {
        .events = (int)proto_line_number(line, "events", 0),
        .shown_ms = {proto_line_number(line, "red_ms", -1),
                     proto_line_number(line, "blue_ms", -1)},
        .periods = {(int)proto_line_number(line, "red_periods", 0),
                    (int)proto_line_number(line, "blue_periods", 0)},
        .running = SIDE_NONE};

    if (bot->server_began_ms == 0 || running == NULL || clock.shown_ms[SIDE_RED] < 0)
        return;
    if (strcmp(running, "-") != 0)
        clock.running = strcmp(running, "red") == 0 ? SIDE_RED : SIDE_BLUE;
    clock.run_ms = mono_now_ms() - bot->server_began_ms;
    history_add_clock(&match->history, &clock);
}

/* Handles the OK to `resume` or `watch`. The OK contains the number of events of the
 * game. */
static void take_resume_ok(struct bot *bot, const struct proto_line *line)
{
    struct bot_match *match = bot_find_match(bot, proto_line_number(line, "game", -1));
    int64_t events = proto_line_number(line, "events", -1);

    bot->resumes_due--;
    if (match == NULL || events < match->history.events) {
        bot_fault(bot, "resumed game %lld at %lld events, having seen %d",
                  match != NULL ? (long long)match->history.game : -1,
                  (long long)events, match != NULL ? match->history.events : 0);
        return;
    }
    match->due_events = (int)events;
    bot_step(bot, BOT_ANSWERED, ASK_RESUME);
    note_clocks(bot, match, line);
}

static void take_seek_ok(struct bot *bot, const struct proto_line *line)
{
    bot->seek_id = proto_line_number(line, "id", 0);
    bot_act(bot->partner);
}

static void take_setup_ok(struct bot *bot, const struct proto_line *line)
{
    const char *lineup = proto_line_value(line, "setup");

    bot_note_ack(bot->match, "setup %s %s", side_name(bot->match->side),
                 lineup != NULL ? lineup : "-");
    bot->match->due_events = bot->match->game.events + 1;
}

static void take_resign_ok(struct bot *bot)
{
    bot_note_ack(bot->match, "end");
    bot->match->due_events = bot->match->game.events + 1;
}

/* Handles an OK. Returns false if it does not answer the bot's request. */
static bool take_answer(struct bot *bot, enum bot_ask asked, const char *verb,
                        const struct proto_line *line)
{
    if (asked == ASK_MOVE && strcmp(verb, "move") == 0)
        take_move_ok(bot, line);
    else if (asked == ASK_SEEK && strcmp(verb, "seek") == 0)
        take_seek_ok(bot, line);
    else if (asked == ASK_ACCEPT && strcmp(verb, "accept") == 0)
        bot_note_ack(sit_down(bot, proto_line_number(line, "game", -1)), "start");
    else if (asked == ASK_SETUP && strcmp(verb, "setup") == 0 && bot->match != NULL)
        take_setup_ok(bot, line);
    else if (asked == ASK_RESIGN && strcmp(verb, "resign") == 0 && bot->match != NULL)
        take_resign_ok(bot);
    else if (asked == ASK_OFFER)
        bot_take_offer_ok(bot, line);
    else if (asked == ASK_REPLY)
        bot_take_reply_ok(bot, line);
    else
        return false;
    return true;
}

void bot_take_ok(struct bot *bot, const struct proto_line *line)
{
    const char *verb = line->words > 0 ? line->word[0] : "";
    enum bot_ask asked = bot->asking;

    if (strcmp(verb, "resume") == 0 || strcmp(verb, "watch") == 0) {
        take_resume_ok(bot, line);
        return;
    }
    bot->asking = ASK_NONE;
    if (take_answer(bot, asked, verb, line))
        bot_step(bot, BOT_ANSWERED, asked);
    else
        bot_fault(bot, "a strange answer: OK %s", verb);
}

/* Lets the bot act again after a delay. To be called when the server has refused a
 * request because it cannot store events at present, or is stopping. */
static void try_later(struct bot *bot)
{
    struct timeval delay = {.tv_sec = LATER_MS / 1000};

    bot->is_thinking = true;
    evtimer_add(bot->timer, &delay);
}

void bot_take_err(struct bot *bot, const struct proto_line *line)
{
    const char *code = line->words > 0 ? line->word[0] : "";
    const char *why = proto_line_value(line, "why");
    enum bot_ask asked = bot->asking;

    if (bot->resumes_due > 0) {
        bot->resumes_due--;
        if (bot->match != NULL)
            bot->match->is_broken = true;
        bot_fault(bot, "a game could not be resumed: %s : %s", code, line->human);
        return;
    }
    bot->asking = ASK_NONE;
    if (strcmp(code, "later") == 0 ||
        (strcmp(code, "not-now") == 0 && why != NULL && strcmp(why, "shutdown") == 0)) {
        try_later(bot);
        return;
    }
    if (asked == ASK_ACCEPT && strcmp(code, "no-such") == 0) {
        bot->partner->seek_id = 0; /* the seek ended with the connection of its maker */
        bot_act(bot->partner);
        return;
    }
    if (!bot_is_offer_fault(bot, asked, code))
        return;
    if (asked == ASK_MOVE && bot->move_ply == 0 && bot->is_again)
        return; /* the game ended before the repeated move arrived */
    if (bot->match != NULL)
        bot->match->is_broken = true;
    bot_fault(bot, "ask %d was refused: %s %s : %s", (int)asked, code,
              line->words > 1 ? line->word[1] : "", line->human);
}
