/* What a bot does in its games: takes challenges by its terms, sets up, thinks about
 * one game after the other, and answers offers. See bot_parts.h. */
#include <stdio.h>
#include <string.h>

#include "client/bot/bot_parts.h"
#include "client/engine/computer.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* A move that has not shown itself after that long is sent again: it is played once. */
enum { AGAIN_MS = 8000, SEEK_AGAIN_MS = 5000, REFUSALS_MAX = 3 };

/* --- Games --- */

int play_count(const struct bot *bot)
{
    int count = 0;

    for (const struct model_game *game = bot->model.games; game != NULL;
         game = game->next)
        count += model_is_playing(game);
    return count;
}

/* NULL: there are more games than places, which only another visit can bring about. */
static struct bot_game *find_place(struct bot *bot, int64_t id)
{
    struct bot_game *empty = NULL;

    for (int i = 0; i < BOT_GAMES_MAX; i++) {
        if (bot->game[i].id == id)
            return &bot->game[i];
        if (bot->game[i].id == 0 && empty == NULL)
            empty = &bot->game[i];
    }
    if (empty != NULL)
        *empty = (struct bot_game){.id = id};
    return empty;
}

static void free_place(struct bot *bot, int64_t id)
{
    for (int i = 0; i < BOT_GAMES_MAX; i++)
        if (bot->game[i].id == id)
            bot->game[i] = (struct bot_game){.id = 0};
}

static void count_down(struct bot *bot)
{
    if (bot->games_left > 0)
        bot->games_left--;
    if (bot->games_left == 0 && play_count(bot) == 0)
        visit_leave(bot, CLIENT_EXIT_OK);
}

static bool has_room(const struct bot *bot)
{
    return play_count(bot) + bot->is_accepting < bot->games_max && bot->games_left != 0;
}

/* A game has begun: with no room for another nobody may take up our seek. */
static void begin(struct bot *bot)
{
    bot->is_accepting = false;
    if (bot->seek_id != 0 && !has_room(bot))
        visit_send(bot, "#w withdraw %lld", (long long)bot->seek_id);
}

static void note_event(struct bot *bot, const struct model_game *game,
                       const struct event *event)
{
    struct bot_game *place = find_place(bot, game->id);

    if (event->kind == EVENT_START)
        begin(bot);
    if (place == NULL)
        return;
    place->ply = 0;
    if (event->kind == EVENT_MOVE && event->side == game->side)
        place->refusals = 0;
}

void play_take_event(struct bot *bot, const struct model_news *news)
{
    struct model_game *game = news->game;
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    words_event(&text, news, mono_now_ms());
    visit_sayf(bot, "%s", words);
    if (!game->is_ours)
        return;
    if (bot->thinks_about == game->id) {
        bot->thinks_about = 0; /* the position is another one */
        bot_engine_drop(bot->engine);
    }
    if (news->event.kind == EVENT_END) {
        free_place(bot, game->id);
        count_down(bot);
    } else {
        note_event(bot, game, &news->event);
    }
}

void play_lose_connection(struct bot *bot)
{
    for (int i = 0; i < BOT_GAMES_MAX; i++) {
        bot->game[i].ply = 0;
        bot->game[i].is_set_up = false;
    }
    bot->is_seeking = bot->is_accepting = false;
    bot->seek_id = 0;
}

/* --- Moves --- */

static void send_move(struct bot *bot, struct bot_game *place, int64_t now_ms)
{
    char move[MOVE_BYTES];

    move_format(move, place->move);
    place->sent_ms = now_ms;
    visit_send(bot, "#m%lld move %lld %d %s", (long long)place->id,
               (long long)place->id, place->ply, move);
}

static void send_lineup(struct bot *bot, struct bot_game *place, int64_t now_ms)
{
    enum lineup lineup = computer_lineup(bot->wish.seed ^ (uint64_t)place->id);

    place->is_set_up = true;
    place->sent_ms = now_ms;
    visit_send(bot, "#s%lld setup %lld %s", (long long)place->id, (long long)place->id,
               lineup_name(lineup));
}

/* Our turn, and all that happened is known. */
static bool is_to_act(const struct model_game *game)
{
    return model_is_our_turn(game) && !game->is_broken && model_is_caught_up(game);
}

static void set_up(struct bot *bot, int64_t now_ms)
{
    for (struct model_game *game = bot->model.games; game != NULL; game = game->next) {
        struct bot_game *place;

        if (!is_to_act(game) || game->game.phase != GAME_SETUP)
            continue;
        place = find_place(bot, game->id);
        if (place != NULL && (!place->is_set_up || now_ms - place->sent_ms > AGAIN_MS))
            send_lineup(bot, place, now_ms);
    }
}

static void send_again(struct bot *bot, int64_t now_ms)
{
    for (int i = 0; i < BOT_GAMES_MAX; i++)
        if (bot->game[i].id != 0 && bot->game[i].ply != 0 &&
            now_ms - bot->game[i].sent_ms > AGAIN_MS)
            send_move(bot, &bot->game[i], now_ms);
}

/* The game that has waited for a thought, with the least time first. */
static struct model_game *find_waiting(struct bot *bot, int64_t now_ms)
{
    struct model_game *found = NULL;
    int64_t least_ms = INT64_MAX;

    for (struct model_game *game = bot->model.games; game != NULL; game = game->next) {
        struct bot_game *place;
        int64_t left_ms;

        if (!is_to_act(game) || game->game.phase != GAME_PLAY)
            continue;
        place = find_place(bot, game->id);
        left_ms = model_shown_ms(game, game->side, now_ms, &(int){0});
        if (left_ms < 0)
            left_ms = INT64_MAX - 1;
        if (place == NULL || place->ply != 0 || left_ms >= least_ms)
            continue;
        least_ms = left_ms;
        found = game;
    }
    return found;
}

/* With the clock as the server last told it, which the game's own may not know. */
static void think(struct bot *bot, struct model_game *waiting, int64_t now_ms)
{
    struct game game = waiting->game;

    game.clock = waiting->clock;
    bot->thinks_about = waiting->id;
    bot_engine_think(bot->engine, &game, bot->thought_last != waiting->id, now_ms);
    bot->thought_last = waiting->id;
}

static void on_move(void *owner, const struct search_report *report)
{
    struct bot *bot = owner;
    struct model_game *game = model_find(&bot->model, bot->thinks_about);
    struct bot_game *place = game == NULL ? NULL : find_place(bot, game->id);
    int64_t now_ms = mono_now_ms();

    bot->thinks_about = 0;
    if (place != NULL && is_to_act(game)) {
        place->last = *report;
        place->move = report->move;
        place->ply = game->game.plies + 1;
        if (!report->has_move)
            play_take_refusal(bot, game->id);
        else if (bot->is_ready)
            send_move(bot, place, now_ms);
        else
            place->ply = 0; /* thought about again once we are back */
    }
    play_go_on(bot, now_ms);
}

void play_take_refusal(struct bot *bot, int64_t id)
{
    struct model_game *game = model_find(&bot->model, id);
    struct bot_game *place = game == NULL ? NULL : find_place(bot, id);

    if (place == NULL)
        return;
    place->ply = 0;
    place->is_set_up = false;
    if (++place->refusals < REFUSALS_MAX) {
        visit_send(bot, "#r%lld resume %lld %d", (long long)id, (long long)id,
                   game->next_event);
        return;
    }
    visit_sayf(
        bot, _("-- the engine knows no move that is allowed: game %lld is given up\n"),
        (long long)id);
    visit_send(bot, "resign %lld", (long long)id);
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
        text_copy(why, sizeof why, _("it has enough games"));
    }
    visit_sayf(bot, _("-- challenge %s by %s: %s%s\n"), line->word[1],
               by != NULL ? by : "?", is_taken ? _("accepted") : _("declined, "),
               is_taken ? "" : why);
    bot->is_accepting |= is_taken;
    visit_send(bot, "%s %s", is_taken ? "#a accept" : "decline", line->word[1]);
}

static bool takes_draw(struct bot *bot, int64_t id)
{
    const struct model_game *game = model_find(&bot->model, id);
    const struct bot_game *place = game == NULL ? NULL : find_place(bot, id);

    return place != NULL && computer_takes_draw(&game->game, &place->last);
}

/* Whoever plays a machine may take back, pause and leave as he likes. */
static void take_offer(struct bot *bot, const struct proto_line *line)
{
    const char *kind = proto_line_value(line, "kind");
    const char *by = proto_line_value(line, "by");
    int64_t id = proto_line_number(line, "game", -1);
    bool is_taken = true;

    if (line->words < 2 || kind == NULL || by == NULL ||
        model_is_same_name(by, bot->model.name))
        return;
    if (strcmp(kind, "draw") == 0)
        is_taken = takes_draw(bot, id);
    else if (strcmp(kind, "rematch") == 0)
        is_taken = has_room(bot);
    visit_send(bot, "%s %s", is_taken ? "accept" : "decline", line->word[1]);
}

/* Our seek or challenge is no more. */
static void take_gone(struct bot *bot, const struct proto_line *line)
{
    int64_t id;

    if (line->words < 2 || !text_to_int(line->word[1], 1, INT64_MAX, &id) ||
        id != bot->seek_id)
        return;
    bot->seek_id = 0;
    bot->is_seeking = false;
}

/* The opponent has been away for longer than the server allows. */
static void take_claim(struct bot *bot, const struct proto_line *line)
{
    const char *side = proto_line_value(line, "side");
    const struct model_game *game =
        model_find(&bot->model, proto_line_number(line, "game", -1));

    if (game != NULL && side != NULL && model_is_playing(game) &&
        side_parse(side) == side_other(game->side))
        visit_send(bot, "claim %lld win", (long long)game->id);
}

void play_take_notice(struct bot *bot, const struct proto_line *line)
{
    static const struct {
        const char *kind;
        void (*take)(struct bot *bot, const struct proto_line *line);
    } known[] = {
        {"challenge", take_challenge},
        {"offer", take_offer},
        {"claim", take_claim},
        {"gone", take_gone},
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (line->words > 0 && strcmp(known[i].kind, line->word[0]) == 0)
            known[i].take(bot, line);
}

/* --- Going on --- */

static void keep_seek(struct bot *bot, int64_t now_ms)
{
    const char *rules = ruleset_name(bot->terms.rules[0]);

    if (bot->seek == NULL || bot->is_seeking || !has_room(bot) ||
        (bot->sought_ms != 0 && now_ms - bot->sought_ms < SEEK_AGAIN_MS))
        return;
    bot->is_seeking = true;
    bot->sought_ms = now_ms;
    if (bot->challenge != NULL)
        visit_send(bot, "#k challenge %s time=%s rules=%s side=any", bot->challenge,
                   bot->seek, rules);
    else
        visit_send(bot, "#k seek time=%s rules=%s side=any", bot->seek, rules);
}

void play_take_seek(struct bot *bot, const struct proto_line *line)
{
    bot->seek_id = proto_line_number(line, "id", 0);
    if (bot->seek_id == 0)
        return;
    visit_sayf(bot, _("-- %s %lld is open\n"),
               bot->challenge != NULL ? _("challenge") : _("seek"),
               (long long)bot->seek_id);
}

void play_go_on(struct bot *bot, int64_t now_ms)
{
    struct model_game *waiting;

    if (!bot->is_ready || !bot->is_engine_ready || bot->is_leaving)
        return;
    set_up(bot, now_ms);
    send_again(bot, now_ms);
    keep_seek(bot, now_ms);
    if (bot->thinks_about != 0 || bot_engine_is_busy(bot->engine))
        return;
    waiting = find_waiting(bot, now_ms);
    if (waiting != NULL)
        think(bot, waiting, now_ms);
}

/* --- The engine --- */

static bool fits_engine(void *arg, const struct ruleset *rules)
{
    return bot_engine_knows(arg, rules);
}

static void on_idle(void *owner)
{
    struct bot *bot = owner;

    if (!bot->is_engine_ready) {
        bot->is_engine_ready = true;
        bot_terms_keep(&bot->terms, fits_engine, bot->engine);
        if (bot->terms.rules_count == 0) {
            visit_fail(bot, CLIENT_EXIT_USAGE,
                       _("the engine plays by none of the rules that are wanted"));
            return;
        }
        net_start(bot->net);
    }
    play_go_on(bot, mono_now_ms());
}

static void on_gone(void *owner, const char *words)
{
    visit_fail(owner, CLIENT_EXIT_ERROR, "%s", words);
}

const struct bot_engine_calls play_engine_calls = {on_idle, on_move, on_gone};
