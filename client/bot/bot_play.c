/* See bot_play.h. */
#include "client/bot/bot_play.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/exit.h"
#include "client/base/loop.h"
#include "client/engine/computer.h"
#include "client/net/visit.h"
#include "client/view/model.h"
#include "client/view/notice.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* AGAIN_MS: a move is sent again if the server has not confirmed it by an event within
 * this time; the server applies it only once. SEEK_AGAIN_MS: the least time between two
 * seeks or challenges. REFUSALS_MAX: the bot resigns after this number of failed moves
 * in a row. */
enum { AGAIN_MS = 8000, SEEK_AGAIN_MS = 5000, REFUSALS_MAX = 3 };

/* One game of the bot: the commands that the server has not yet confirmed by an event,
 * and the result of the last search. */
struct bot_game {
    int64_t id; /* 0: the slot is free */
    int ply;    /* number of the move that was sent; 0: none */
    struct move move;
    bool is_set_up; /* our line-up (the order of our knights and bishops at the start)
                     * was sent */
    int64_t sent_ms;
    int refusals;              /* consecutive refused moves */
    struct search_report last; /* result of the last search */
};

struct bot {
    const struct bot_play_wish *wish;
    struct bot_terms terms; /* from `wish`; on_idle() removes the rulesets that the
                             * engine does not support */
    int games_left;         /* games to play before leaving; -1: unlimited */
    struct event_base *base;
    struct visit *visit;
    struct bot_engine *engine;
    bool is_engine_ready;
    struct model model;
    struct bot_game game[BOT_PLAY_GAMES_MAX];
    int64_t thinks_about; /* number of the game being searched; 0: none */
    int64_t thought_last; /* number of the game that was searched last */
    bool is_seeking;      /* our seek (an offer to play against anyone) or our
                           * challenge was sent, and is not yet over */
    bool is_open;    /* "quiet off" was sent, so that challenges arrive during a game as
                      * well */
    int64_t seek_id; /* number of our seek or challenge; 0: unknown */
    int64_t sought_ms; /* when we last sent a seek or challenge; 0: never */
    bool is_accepting; /* a challenge was accepted, but its game has not begun */
    bool is_joined;    /* the first login is over, after which the bot sends "join" if
                        * the link has an invitation */
    bool is_leaving;
    int exit_code;
};

/* --- Words and leaving --- */

PRINTF_LIKE(1, 2)
static void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    fflush(stdout);
}

static void leave(struct bot *bot, int code)
{
    if (!bot->is_leaving)
        bot->exit_code = code;
    bot->is_leaving = true;
    visit_leave(bot->visit);
}

PRINTF_LIKE(3, 4)
static void fail(struct bot *bot, int code, const char *format, ...)
{
    char words[512];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    fprintf(stderr, "janggi: bot: %s\n", words);
    leave(bot, code);
}

/* --- Games --- */

/* Returns true while we play the game, as far as we know from the server. */
static bool is_on(const struct model_game *game)
{
    return model_is_playing(game) && !game->is_left;
}

static int count_games(const struct bot *bot)
{
    int count = 0;

    for (const struct model_game *game = bot->model.games; game != NULL;
         game = game->next)
        count += is_on(game);
    return count;
}

/* Returns the element of bot->game for the game. If the game does not have an element
 * yet, takes a free element. Returns NULL if we do not play the game any more, or if
 * all elements are in use. All elements can be in use if another session with the same
 * name plays games too. */
static struct bot_game *find_place(struct bot *bot, const struct model_game *game)
{
    struct bot_game *empty = NULL;

    if (!is_on(game))
        return NULL;
    for (int i = 0; i < BOT_PLAY_GAMES_MAX; i++) {
        if (bot->game[i].id == game->id)
            return &bot->game[i];
        if (bot->game[i].id == 0 && empty == NULL)
            empty = &bot->game[i];
    }
    if (empty != NULL)
        *empty = (struct bot_game){.id = game->id};
    return empty;
}

static void free_place(struct bot *bot, int64_t id)
{
    for (int i = 0; i < BOT_PLAY_GAMES_MAX; i++)
        if (bot->game[i].id == id)
            bot->game[i] = (struct bot_game){.id = 0};
}

static void count_down(struct bot *bot)
{
    if (bot->games_left > 0)
        bot->games_left--;
    if (bot->games_left == 0 && count_games(bot) == 0)
        leave(bot, CLIENT_EXIT_OK);
}

static bool has_room(const struct bot *bot)
{
    return count_games(bot) + bot->is_accepting < bot->wish->games_max &&
           bot->games_left != 0;
}

static void take_own_event(struct bot *bot, const struct model_news *news)
{
    struct model_game *game = news->game;
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);
    struct bot_game *place;
    struct facts facts;

    facts_take_event(&facts, news, mono_now_ms());
    words_event(&text, &bot->model, &facts, false);
    say("%s", words);
    if (!game->is_ours)
        return;
    if (bot->thinks_about == game->id) {
        bot->thinks_about = 0; /* the search is for an old position */
        bot_engine_drop(bot->engine);
    }
    if (news->event.kind == EVENT_END) {
        free_place(bot, game->id);
        count_down(bot);
        return;
    }
    place = find_place(bot, game);
    if (news->event.kind == EVENT_START) {
        bot->is_accepting = false;
        if (bot->seek_id != 0 && !has_room(bot))
            (void)visit_sendf(bot->visit, -1, true, "withdraw %lld",
                              (long long)bot->seek_id);
    }
    if (place == NULL)
        return;
    place->ply = 0;
    if (news->event.kind == EVENT_MOVE && news->event.side == game->side)
        place->refusals = 0;
}

/* --- Moves --- */

static void send_move(struct bot *bot, struct bot_game *place, int64_t now_ms)
{
    char move[MOVE_BYTES];

    move_format(move, place->move);
    place->sent_ms = now_ms;
    (void)visit_sendf(bot->visit, place->id, false, "move %lld %d %s",
                      (long long)place->id, place->ply, move);
}

/* Returns true if it is our turn and all events of the game have arrived. */
static bool is_to_act(const struct model_game *game)
{
    return is_on(game) && model_is_our_turn(game) && !game->is_broken &&
           model_is_caught_up(game);
}

/* Returns true if the bot should send the command `verb` for this game again. AGAIN_MS
 * must have passed since the bot last sent a command for this game, and since the
 * server last answered a command for this game. Returns false while an earlier `verb`
 * command for this game is unanswered, because a repeated command would only use up the
 * bot's limit on commands. */
static bool is_due_again(const struct bot *bot, const struct bot_game *place,
                         const char *verb, int64_t now_ms)
{
    const struct visit_request *request = visit_requests(bot->visit);

    for (; request != NULL; request = request->next)
        if (request->game == place->id && strcmp(request->verb, verb) == 0)
            return false;
    return now_ms - place->sent_ms > AGAIN_MS;
}

static void set_up(struct bot *bot, int64_t now_ms)
{
    for (struct model_game *game = bot->model.games; game != NULL; game = game->next) {
        struct bot_game *place;
        enum lineup lineup;

        if (!is_to_act(game) || game->game.phase != GAME_SETUP)
            continue;
        place = find_place(bot, game);
        if (place == NULL ||
            (place->is_set_up && !is_due_again(bot, place, "setup", now_ms)))
            continue;
        place->is_set_up = true;
        place->sent_ms = now_ms;
        lineup = computer_lineup(bot->wish->engine.seed ^ (uint64_t)place->id);
        (void)visit_sendf(bot->visit, place->id, false, "setup %lld %s",
                          (long long)place->id, lineup_name(lineup));
    }
}

/* Returns the game that needs a search and has the least time left. */
static struct model_game *find_waiting(struct bot *bot, int64_t now_ms)
{
    struct model_game *found = NULL;
    int64_t least_ms = INT64_MAX;

    for (struct model_game *game = bot->model.games; game != NULL; game = game->next) {
        struct bot_game *place;
        int64_t left_ms;

        if (!is_to_act(game) || game->game.phase != GAME_PLAY)
            continue;
        place = find_place(bot, game);
        left_ms = clock_shown_ms(&game->clock, game->side, now_ms, &(int){0});
        if (left_ms < 0)
            left_ms = INT64_MAX - 1;
        if (place == NULL || place->ply != 0 || left_ms >= least_ms)
            continue;
        least_ms = left_ms;
        found = game;
    }
    return found;
}

/* Called if the server refused our move as illegal, or if the engine found no move.
 * Requests the missing events of the game, after which the bot searches again. Resigns
 * after REFUSALS_MAX such failures in a row. */
static void take_no_move(struct bot *bot, int64_t id)
{
    struct model_game *game = model_find(&bot->model, id);
    struct bot_game *place = game == NULL ? NULL : find_place(bot, game);

    if (place == NULL)
        return;
    place->ply = 0;
    place->is_set_up = false;
    if (++place->refusals < REFUSALS_MAX) {
        visit_resume(bot->visit, id, game->next_event, game->code);
        return;
    }
    say(_("-- the engine found no legal move: resigning game %lld\n"), (long long)id);
    (void)visit_sendf(bot->visit, id, false, "resign %lld", (long long)id);
}

/* --- Offers --- */

static void take_challenge(struct bot *bot, const struct proto_line *line)
{
    const char *rules = proto_line_value(line, "rules");
    const char *time = proto_line_value(line, "time");
    const char *by = proto_line_value(line, "by");
    char why[BOT_WHY_BYTES];
    bool is_taken;

    if (line->words < 2 || rules == NULL || time == NULL)
        return;
    is_taken = bot_terms_fit(&bot->terms, rules, time, why);
    if (is_taken && !has_room(bot)) {
        is_taken = false;
        text_copy(why, sizeof why, _("it already plays its maximum number of games"));
    }
    if (is_taken)
        say(_("-- challenge %s by %s: accepted\n"), line->word[1],
            by != NULL ? by : "?");
    else
        say(_("-- challenge %s by %s: declined, %s\n"), line->word[1],
            by != NULL ? by : "?", why);
    bot->is_accepting |= is_taken;
    (void)visit_sendf(bot->visit, -1, false, "%s %s", is_taken ? "accept" : "decline",
                      line->word[1]);
}

/* Answers an offer of the opponent. Accepts a draw only if the bot is behind
 * (computer_takes_draw()). Accepts a rematch only if the bot can play one more game.
 * Accepts every other offer. */
static void take_offer(struct bot *bot, const struct proto_line *line)
{
    const char *kind = proto_line_value(line, "kind");
    const char *by = proto_line_value(line, "by");
    int64_t id = proto_line_number(line, "game", -1);
    const struct model_game *game = model_find(&bot->model, id);
    const struct bot_game *place = game == NULL ? NULL : find_place(bot, game);
    bool is_taken = true;

    if (line->words < 2 || kind == NULL || by == NULL ||
        model_is_same_name(by, bot->model.name))
        return;
    if (strcmp(kind, "draw") == 0)
        is_taken = place != NULL && computer_takes_draw(&game->game, &place->last);
    else if (strcmp(kind, "rematch") == 0)
        is_taken = has_room(bot);
    (void)visit_sendf(bot->visit, id, false, "%s %s", is_taken ? "accept" : "decline",
                      line->word[1]);
}

/* Claims a win, because the server reports that the opponent has been away for too
 * long. */
static void take_claim(struct bot *bot, const struct proto_line *line)
{
    const char *side = proto_line_value(line, "side");
    const struct model_game *game =
        model_find(&bot->model, proto_line_number(line, "game", -1));

    if (game != NULL && side != NULL && model_is_playing(game) &&
        side_parse(side) == side_other(game->side))
        (void)visit_sendf(bot->visit, game->id, false, "claim %lld win",
                          (long long)game->id);
}

/* --- Going on --- */

static void keep_seek(struct bot *bot, int64_t now_ms)
{
    const char *rules = ruleset_name(bot->terms.rules[0]), *whom = bot->wish->challenge;

    if (bot->wish->seek == NULL || bot->is_seeking || !has_room(bot) ||
        (bot->sought_ms != 0 && now_ms - bot->sought_ms < SEEK_AGAIN_MS))
        return;
    bot->is_seeking = true;
    bot->sought_ms = now_ms;
    (void)visit_sendf(bot->visit, -1, false, "%s%s time=%s rules=%s side=any",
                      whom != NULL ? "challenge " : "seek", whom != NULL ? whom : "",
                      bot->wish->seek, rules);
}

static void go_on(struct bot *bot, int64_t now_ms)
{
    struct model_game *waiting;
    struct game game;

    if (!visit_is_ready(bot->visit) || !bot->is_engine_ready || bot->is_leaving)
        return;
    if (!bot->is_open) /* challenges come during a game as well: we may play several */
        (void)visit_sendf(bot->visit, -1, false, "quiet off");
    bot->is_open = true;
    set_up(bot, now_ms);
    for (int i = 0; i < BOT_PLAY_GAMES_MAX; i++)
        if (bot->game[i].id != 0 && bot->game[i].ply != 0 &&
            is_due_again(bot, &bot->game[i], "move", now_ms))
            send_move(bot, &bot->game[i], now_ms);
    keep_seek(bot, now_ms);
    if (bot->thinks_about != 0 || bot_engine_is_busy(bot->engine))
        return;
    waiting = find_waiting(bot, now_ms);
    if (waiting == NULL)
        return;
    game = waiting->game;
    game.clock = waiting->clock; /* the server sent it later than the last event */
    bot->thinks_about = waiting->id;
    bot_engine_think(bot->engine, &game, bot->thought_last != waiting->id, now_ms);
    bot->thought_last = waiting->id;
}

/* --- The engine --- */

static void on_idle(void *owner)
{
    struct bot *bot = owner;
    struct bot_terms *terms = &bot->terms;
    int kept = 0;

    if (!bot->is_engine_ready) {
        bot->is_engine_ready = true;
        for (int i = 0; i < terms->rules_count; i++)
            if (bot_engine_knows(bot->engine, terms->rules[i]))
                terms->rules[kept++] = terms->rules[i];
        terms->rules_count = kept;
        if (kept == 0) {
            fail(bot, CLIENT_EXIT_USAGE, _("the engine supports none of the rulesets"));
            return;
        }
        visit_start(bot->visit);
    }
    go_on(bot, mono_now_ms());
}

static void on_move(void *owner, const struct search_report *report)
{
    struct bot *bot = owner;
    struct model_game *game = model_find(&bot->model, bot->thinks_about);
    struct bot_game *place = game == NULL ? NULL : find_place(bot, game);
    int64_t now_ms = mono_now_ms();

    bot->thinks_about = 0;
    if (place != NULL && is_to_act(game)) {
        place->last = *report;
        place->move = report->move;
        place->ply = game->game.plies + 1;
        if (!report->has_move)
            take_no_move(bot, game->id);
        else if (visit_is_ready(bot->visit))
            send_move(bot, place, now_ms);
        else
            place->ply = 0; /* search again after reconnecting */
    }
    go_on(bot, now_ms);
}

static void on_gone(void *owner, const char *words)
{
    fail(owner, CLIENT_EXIT_ERROR, "%s", words);
}

/* --- Login --- */

static void on_met(void *owner, const char *words, bool keeps_other)
{
    (void)owner;
    (void)keeps_other;
    say("-- %s", words);
}

static void on_refused(void *owner, const struct proto_line *line)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    (void)owner;
    told_refusal(&text, line);
    say("%s", words);
}

/* Requests the events of the game, beginning with game->next_event. */
static void resume(struct bot *bot, struct model_game *game)
{
    game->is_asked = true;
    visit_resume(bot->visit, game->id, game->next_event, game->code);
}

/* Requests the events of all our games. games: the numbers of our running games. Our
 * other games may have ended while the connection was lost. */
static void on_resume(void *owner, const char *games)
{
    struct bot *bot = owner;
    int64_t id;

    text_copy(bot->model.name, sizeof bot->model.name, visit_name(bot->visit));
    while (visit_next_game(&games, &id))
        resume(bot, model_get(&bot->model, id));
    for (struct model_game *game = bot->model.games; game != NULL; game = game->next)
        if (is_on(game) && !game->is_asked)
            resume(bot, game);
}

static void on_ready(void *owner, const struct proto_line *line, bool is_first)
{
    struct bot *bot = owner;

    (void)line;
    say(_("-- %s as %s\n"), is_first ? _("here") : _("back"), bot->model.name);
    if (bot->wish->to.kind == LINK_JOIN && !bot->is_joined)
        (void)visit_sendf(bot->visit, -1, false, "join %s", bot->wish->to.code);
    bot->is_joined = true;
}

/* --- Answers --- */

static void take_ok(struct bot *bot, const struct visit_request *request,
                    const struct proto_line *line, int64_t now_ms)
{
    struct model_game *game = model_find(&bot->model, request->game);
    int64_t joined = proto_line_number(line, "game", -1);

    if (strcmp(request->verb, "seek") == 0 || strcmp(request->verb, "challenge") == 0) {
        bot->seek_id = proto_line_number(line, "id", 0);
        bot->is_seeking = bot->seek_id != 0; /* 0: the server found an opponent */
        if (bot->is_seeking)
            say(_("-- %s %lld is open\n"),
                bot->wish->challenge != NULL ? _("challenge") : _("seek"),
                (long long)bot->seek_id);
    } else if (strcmp(request->verb, "join") == 0) {
        if (joined > 0 && model_find(&bot->model, joined) == NULL)
            resume(bot, model_get(&bot->model, joined));
    } else if (strcmp(request->verb, "resume") == 0 && game != NULL) {
        game->is_asked = false;
        model_take_clock(game, line, now_ms);
    }
}

/* Stops playing a game whose end event did not come. */
static void let_go(struct bot *bot, struct model_game *game)
{
    game->is_left = true;
    free_place(bot, game->id);
    count_down(bot);
}

static void take_err(struct bot *bot, const struct visit_request *request,
                     const struct proto_line *line)
{
    struct model_game *game = model_find(&bot->model, request->game);
    const char *verb = request->verb, *code = line->word[0];

    if (!request->is_quiet || strcmp(verb, "resume") == 0)
        on_refused(bot, line);
    if (strcmp(verb, "resume") == 0 && game != NULL) {
        /* If the server has removed the game, as it does after an abort, the game is over
         * for us too. */
        game->is_asked = false;
        if (is_on(game) && strcmp(code, "no-such") == 0 &&
            proto_line_value(line, "events") == NULL)
            let_go(bot, game);
    } else if (strcmp(verb, "accept") == 0 && request->game < 0) {
        bot->is_accepting = false;
    } else if (strcmp(verb, "seek") == 0 || strcmp(verb, "challenge") == 0) {
        bot->is_seeking = false; /* keep_seek() tries again later */
    } else if (strcmp(verb, "join") == 0 && count_games(bot) == 0) {
        fail(bot, CLIENT_EXIT_REFUSED, _("the invitation is invalid or has expired"));
    } else if ((strcmp(verb, "move") == 0 || strcmp(verb, "setup") == 0) &&
               game != NULL && is_on(game)) {
        /* After "stale" and "no-such" the answer to "resume" says whether the server still has
         * the game. After a refusal such as "slow-down", the bot sends the move again after
         * AGAIN_MS, unless an event changes the game. */
        if (strcmp(code, "illegal") == 0)
            take_no_move(bot, game->id);
        else if (strcmp(code, "stale") == 0 || strcmp(code, "no-such") == 0)
            resume(bot, game);
        else if (strcmp(words_value(line, "why", ""), "not-seated") == 0)
            let_go(bot, game);
    }
}

static void on_answer(void *owner, const struct visit_request *request,
                      const struct proto_line *line, int64_t now_ms)
{
    struct bot *bot = owner;

    /* The event that confirms a command comes after its answer: wait AGAIN_MS for it. */
    for (int i = 0; i < BOT_PLAY_GAMES_MAX; i++)
        if (bot->game[i].id == request->game)
            bot->game[i].sent_ms = now_ms;
    if (line->mark == PROTO_OK)
        take_ok(bot, request, line, now_ms);
    else if (line->words > 0)
        take_err(bot, request, line);
}

/* --- News --- */

static void on_event(void *owner, int64_t id, int number, const char *event,
                     int64_t now_ms)
{
    struct bot *bot = owner;
    struct model_news news = {.took = MODEL_OLD};

    model_take_event(&bot->model, id, number, event, now_ms, &news);
    if (news.took == MODEL_GAP && !news.game->is_asked)
        resume(bot, news.game);
    else if (news.took == MODEL_NEW)
        take_own_event(bot, &news);
    else if (news.took == MODEL_BROKEN)
        say(_("-- game %lld: event %d does not fit the events before it: %s\n"),
            (long long)id, number, event);
}

static void on_notice(void *owner, const struct proto_line *line, int64_t now_ms)
{
    struct bot *bot = owner;
    const char *kind = line->words > 0 ? line->word[0] : "";
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);
    int64_t id;

    if (strcmp(kind, "challenge") == 0) {
        take_challenge(bot, line);
    } else if (strcmp(kind, "offer") == 0) {
        take_offer(bot, line);
    } else if (strcmp(kind, "claim") == 0) {
        take_claim(bot, line);
    } else if (strcmp(kind, "gone") == 0 && line->words > 1 &&
               text_to_int(line->word[1], 1, INT64_MAX, &id) && id == bot->seek_id) {
        bot->seek_id = 0; /* the server has removed our seek or challenge */
        bot->is_seeking = false;
    }
    if (notice_use(line) == NOTICE_BYE) {
        notice_say(&text, &bot->model, line, false);
        say("%s", words);
    }
    notice_take(&bot->model, line, now_ms);
}

static void on_bad_line(void *owner)
{
    (void)owner;
    say(_("-- skipped a line with characters that cannot be shown\n"));
}

static void on_heard(void *owner)
{
    go_on(owner, mono_now_ms());
}

static void on_tick(void *owner, int64_t now_ms)
{
    go_on(owner, now_ms);
}

/* --- Ends --- */

static void on_end(void *owner, enum visit_end end)
{
    struct bot *bot = owner;
    const struct visit_loss *loss = visit_loss(bot->visit);
    char words[VISIT_WORDS_BYTES];

    model_lose_connection(&bot->model);
    for (int i = 0; i < BOT_PLAY_GAMES_MAX; i++) {
        bot->game[i].ply = 0;
        bot->game[i].is_set_up = false;
    }
    bot->is_seeking = bot->is_accepting = false;
    bot->seek_id = 0;
    if (end == VISIT_LOST && !loss->is_resting) {
        say(_("-- no connection (%s), trying again in %lld s\n"), loss->why,
            (long long)mono_whole_s(loss->retry_at_ms - mono_now_ms()));
        return;
    }
    if (end == VISIT_REFUSED) {
        fail(bot, visit_exit_code(end), _("the server refused the login of %s"),
             bot->wish->name);
        return;
    }
    visit_describe_end(words, bot->visit, end);
    fputs(words, stderr);
    leave(bot, visit_exit_code(end));
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    (void)what;
    leave(arg, 128 + (int)number);
}

/* --- Life --- */

int bot_play_run(const struct bot_play_wish *wish)
{
    static const struct bot_engine_calls engine_calls = {on_idle, on_move, on_gone};
    static const struct visit_calls calls = {
        .on_met = on_met,
        .on_refused = on_refused,
        .on_resume = on_resume,
        .on_ready = on_ready,
        .on_event = on_event,
        .on_notice = on_notice,
        .on_answer = on_answer,
        .on_bad_line = on_bad_line,
        .on_heard = on_heard,
        .on_tick = on_tick,
        .on_end = on_end,
    };
    struct visit_wish visit_wish = {
        .prefs = &wish->prefs,
        .to = &wish->to,
        .name = wish->name,
        .reconnects = wish->prefs.reconnects,
    };
    struct bot bot = {
        .wish = wish,
        .terms = wish->terms,
        .games_left = wish->games_left,
        .exit_code = CLIENT_EXIT_ERROR,
        .base = loop_new(),
    };
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct event *signals[ARRAY_LEN(numbers)];
    SSL_CTX *tls = visit_tls(&wish->prefs, false);

    model_init(&bot.model);
    if (tls != NULL) {
        bot.visit = visit_new(bot.base, tls, &visit_wish, &calls, &bot);
        bot.engine = bot_engine_new(bot.base, &wish->engine, &engine_calls, &bot);
    }
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        signals[i] =
            loop_event(bot.base, numbers[i], EV_SIGNAL | EV_PERSIST, on_signal, &bot);
        loop_add(signals[i], -1);
    }
    if (bot.engine != NULL)
        event_base_dispatch(bot.base);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        event_free(signals[i]);
    bot_engine_free(bot.engine);
    visit_free(bot.visit);
    model_clear(&bot.model);
    event_base_free(bot.base);
    return bot.exit_code;
}
