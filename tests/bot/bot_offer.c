/* See bot.h. Offers: a draw or a takeback that a bot proposes on its turn, and its
 * answers to the offers of its opponent. No offer is sent again after a reconnection,
 * so a bot that loses its connection forgets its offers. It is possible that an offer
 * crosses a move, or that the answer to an offer comes too late. */
#include <stdlib.h>
#include <string.h>

#include "common/game/event.h"
#include "tests/bot/bot.h"

enum { PLIES_BEFORE_OFFERS = 2, DRAWS_TAKEN_PER_CENT = 10 };

void bot_forget_offers(struct bot *bot)
{
    bot->offer_id = bot->reply_id = 0;
}

/* --- Asking --- */

bool bot_offer(struct bot *bot, struct bot_match *match)
{
    int per_mille = bot->of->settings.offers_per_mille;
    bool is_draw;

    if (per_mille == 0 || match->game.plies < PLIES_BEFORE_OFFERS ||
        bot->offered_at == match->game.events ||
        bot_random(bot, 1000) >= (uint32_t)per_mille)
        return false;
    is_draw = bot_random(bot, 2) == 0;
    bot->offered_at = match->game.events;
    bot_ask(bot, ASK_OFFER);
    bot_sayf(bot, "%s %lld", is_draw ? "draw" : "takeback",
             (long long)match->history.game);
    return true;
}

void bot_take_offer_ok(struct bot *bot, const struct proto_line *line)
{
    bot->offer_id = proto_line_number(line, "offer", 0);
    if (bot->offer_id == 0)
        bot_fault(bot, "its offer has no number");
}

/* --- Hearing --- */

void bot_hear_offer(struct bot *bot, char *text)
{
    const char *by, *kind;
    struct proto_line line;

    proto_parse_line(text, &line);
    by = proto_line_value(&line, "by");
    kind = proto_line_value(&line, "kind");
    if (bot->of->settings.offers_per_mille == 0 || line.words < 2 || by == NULL ||
        kind == NULL || strcmp(by, bot->name) == 0 || bot->match == NULL ||
        proto_line_number(&line, "game", -1) != bot->match->history.game)
        return;
    bot->reply_id = strtoll(line.word[1], NULL, 10);
    bot->is_draw = strcmp(kind, "draw") == 0;
    bot_step(bot, BOT_SEES_OFFER, ASK_NONE);
    bot_act(bot);
}

void bot_hear_gone(struct bot *bot, char *text)
{
    struct proto_line line;
    const char *why;
    int64_t id;

    proto_parse_line(text, &line);
    why = proto_line_value(&line, "why");
    id = line.words > 1 ? strtoll(line.word[1], NULL, 10) : 0;
    if (id != 0 && id == bot->reply_id)
        bot->reply_id = 0;
    if (id == 0 || id != bot->offer_id)
        return;
    bot->offer_id = 0;
    if (why != NULL && strcmp(why, "accepted") == 0 && bot->match != NULL)
        bot->match->due_events = bot->match->game.events + 1; /* the event of the
                                                               * acceptance will
                                                               * follow */
    bot_act(bot);
}

/* --- Replying --- */

bool bot_reply(struct bot *bot, struct bot_match *match)
{
    int64_t id = bot->reply_id;
    uint32_t per_cent = bot->is_draw ? DRAWS_TAKEN_PER_CENT : 50;

    (void)match;
    if (id == 0)
        return false;
    bot->reply_id = 0;
    bot_ask(bot, ASK_REPLY);
    bot_sayf(bot, "%s %lld", bot_random(bot, 100) < per_cent ? "accept" : "decline",
             (long long)id);
    return true;
}

void bot_take_reply_ok(struct bot *bot, const struct proto_line *line)
{
    if (strcmp(line->word[0], "accept") != 0 || bot->match == NULL)
        return;
    bot->match->due_events = bot->match->game.events + 1;
    if (bot->is_draw)
        bot_note_ack(bot->match, "end draw agreement");
}

/* --- When they cross --- */

/* Handles the refusal of a move. The reason for the refusal: the opponent has accepted
 * an offer that this bot made on an earlier connection. The bot has forgotten this
 * offer (bot_forget_offers()). If the event of the acceptance has not arrived yet, the
 * bot waits for it. */
static void await_event(struct bot *bot)
{
    if (bot->match != NULL && bot->move_ply != 0)
        bot->match->due_events = bot->match->game.events + 1;
    bot->move_ply = 0;
}

bool bot_is_offer_fault(struct bot *bot, enum bot_ask asked, const char *code)
{
    bool is_late = strcmp(code, "not-now") == 0 || strcmp(code, "stale") == 0;

    if (bot->of->settings.offers_per_mille == 0)
        return true;
    if (asked == ASK_REPLY)
        return strcmp(code, "no-such") != 0 && !is_late;
    if (asked != ASK_MOVE && asked != ASK_RESIGN && asked != ASK_OFFER)
        return true;
    if (is_late)
        await_event(bot);
    return !is_late;
}

bool bot_has_played(const struct bot_match *match, struct move move)
{
    char text[EVENT_BYTES];
    struct event event = {.kind = EVENT_MOVE,
                          .side = match->side,
                          .ply = match->game.plies + 1,
                          .move = move};
    size_t len = event_format(text, &event);

    for (int i = 0; i < match->game.events; i++)
        if (strncmp(match->history.event[i], text, len) == 0 &&
            (match->history.event[i][len] == '\0' ||
             match->history.event[i][len] == ' '))
            return true;
    return false;
}
