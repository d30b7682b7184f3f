/* What the acts of a player begin and end with: those in a game, and those that lead to
 * one. */
#ifndef SERVER_COMMAND_ACT_H
#define SERVER_COMMAND_ACT_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/rules.h"
#include "server/lobby/lobby.h"
#include "server/lobby/terms.h"
#include "server/room/room.h"

struct call;
struct text;

/* Who gets the OK once the act is on disk: "VERB game=N", and what else is added. */
struct asker act_asker(const struct call *call, const struct room *room,
                       const char *verb);

/* True when the game has ended as the caller's act would end it, and not by the
 * opponent: the act is a repetition, and was answered with the same OK as the first
 * time. */
bool act_is_repeated(struct call *call, const struct room *room, const char *verb,
                     enum outcome outcome, enum reason reason) MUST_USE;

/* Refused at once, or held until it is on disk. */
void act_finish(struct call *call, const struct room *room, struct fault fault);

/* Makes the caller's offer, or takes up the same one of the opponent. */
void act_offer(struct call *call, struct room *room, enum offer_kind kind, int to);

enum { ACT_EVENTS_MAX = 20000 };
/* True when the log is so long that nothing is taken back or adjourned any more, so
 * that it does not grow for ever; that was answered. */
bool act_is_too_long(struct call *call, const struct room *room);

/* The items of an answer that say where other machines reach this server: see
 * announce_places(). */
void act_add_places(struct text *out, const struct call *call);

/* What a game is to be, key=value from argument from on. False: answered. */
bool act_take_terms(struct call *call, int from, struct terms *terms) MUST_USE;
/* The answer to an attempt to begin a game: it comes from the disk, or is a refusal. */
void act_answer_start(struct call *call, enum lobby_start start);

#endif
