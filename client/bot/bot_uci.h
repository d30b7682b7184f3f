/* Runs a program that speaks UCI as the engine of a bot: starts it, sends positions,
 * receives moves, and ends it. Knows nothing about servers. */
#ifndef CLIENT_BOT_BOT_UCI_H
#define CLIENT_BOT_BOT_UCI_H

#include "client/bot/bot_engine.h"

struct bot_uci;

/* Each function does the same as the function in bot_engine.h with the same name
 * ending. For example, bot_uci_think() does the same as bot_engine_think(). */
struct bot_uci *bot_uci_new(struct event_base *base, const struct bot_engine_wish *wish,
                            const struct bot_engine_calls *calls, void *owner) MUST_USE;
void bot_uci_free(struct bot_uci *uci);
bool bot_uci_knows(const struct bot_uci *uci, const struct ruleset *rules);
bool bot_uci_is_busy(const struct bot_uci *uci);
void bot_uci_think(struct bot_uci *uci, const struct game *game, bool is_new,
                   int64_t now_ms);
void bot_uci_drop(struct bot_uci *uci);

#endif
