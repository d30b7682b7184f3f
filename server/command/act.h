/* What the acts of a player have in common: those in a game, and those that start
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

/* The answer to an act, sent when the act is on disk: "VERB game=N", and further
 * items. */
struct asker act_asker(const struct call *call, const struct room *room,
                       const char *verb);

/* True when the game has ended as the caller's act would end it, by the caller: the act
 * is repeated and has been answered with the same OK. */
bool act_is_repeated(struct call *call, const struct room *room, const char *verb,
                     enum outcome outcome, enum reason reason) MUST_USE;

/* Answers a refusal, or holds the session until the act is on disk. */
void act_finish(struct call *call, const struct room *room, struct fault fault);

/* Makes the caller's offer, or accepts the same offer of the opponent. */
void act_offer(struct call *call, struct room *room, enum offer_kind kind, int to);

enum { ACT_EVENTS_MAX = 20000 };
/* True when the log is so long that take-backs and adjournments are refused, which
 * bounds it. Has answered then. */
bool act_is_too_long(struct call *call, const struct room *room);

/* Adds where other machines reach this server: see announce_places(). */
void act_add_places(struct text *out, const struct call *call);

/* Reads the terms of a game, key=value from argument from on. False: has answered. */
bool act_take_terms(struct call *call, int from, struct terms *terms) MUST_USE;
/* Answers the attempt to start a game: a refusal, or the OK when the start is on
 * disk. */
void act_answer_start(struct call *call, enum lobby_start start);

#endif
