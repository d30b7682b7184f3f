/* Code that several verbs of players share: acts in a game, and acts that start one. */
#ifndef SERVER_COMMAND_ACT_H
#define SERVER_COMMAND_ACT_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/rules.h"
#include "server/account/marks.h"
#include "server/lobby/lobby.h"
#include "server/lobby/terms.h"
#include "server/room/room.h"

struct account;
struct call;
struct session;
struct text;
struct world;

/* Prepares the answer to an act, "VERB game=N". The caller of this function can add
 * further words to it. */
struct asker act_asker(const struct call *call, const struct room *room,
                       const char *verb);

/* Returns true, after answering OK, if the game has already ended with this outcome and
 * reason, and the opponent did not end it. In this case the caller only repeats the act
 * that ended the game, for example because the answer was lost. */
bool act_is_repeated(struct call *call, const struct room *room, const char *verb,
                     enum outcome outcome, enum reason reason) MUST_USE;

/* If fault.code is not FAULT_NONE, answers with the fault. Otherwise the act has been
 * answered (struct asker). */
bool act_finish(struct call *call, const struct room *room, struct fault fault);

/* Makes the caller's offer, or accepts the same offer of the opponent. `to` is the
 * number of plies that a take-back leaves; other offers ignore it. */
bool act_offer(struct call *call, struct room *room, enum offer_kind kind, int to);

/* Sets a mark of the caller, for example puts `subject` on the list of ignored names.
 * The caller answers. False: the lists are full; has answered. */
bool act_put_mark(struct call *call, enum mark_kind kind, const char *subject,
                  const char *value) MUST_USE;

/* Returns the text after the first argument; it can be "". NULL: the text has more than
 * `max` bytes; has refused it with `what`. */
const char *act_take_text(struct call *call, const char *what, int max) MUST_USE;

/* Finds the account that the first argument names. NULL: there is no such account, or
 * it is the caller's own account; has answered. */
struct account *act_find_other(struct call *call) MUST_USE;

enum { ACT_EVENTS_MAX = 20000 };
/* True if the game has less than ACT_EVENTS_MAX events. False: has answered. Call it
 * for take-backs and adjournments: they could make the log of the game longer without
 * end. */
bool act_may_grow(struct call *call, const struct room *room) MUST_USE;

/* Limits the lines that strangers send to the player of session `to`: charges one line
 * to a budget that all strangers share. If the caller and this player play a game
 * against each other now, or if the server has no quotas, returns true and charges
 * nothing. False: the budget is used up; has not answered. */
bool act_may_reach(const struct call *call, struct session *to) MUST_USE;

/* Adds the addresses at which other machines reach this server: see
 * announce_places(). */
void act_add_places(struct text *out, const struct call *call);
/* Adds the address of the page for browsers, if there is a page. If the host in this
 * address comes neither from the configuration nor from the certificate, other machines
 * perhaps cannot reach it. In this case, adds the address only for a client on this
 * machine. */
void act_add_web(struct text *out, const struct call *call);

/* True if the caller may play rated games. False: has answered. */
bool act_may_rate(struct call *call) MUST_USE;
/* Reads terms as people and programs write them, one in each word: key=value, or a value
 * alone: a time ("10+5", "blitz", or minutes and seconds in two words, "10 5"), a
 * ruleset, a side, "rated" or "private". `allowed`: the keys that may occur, separated by
 * spaces; NULL: all. The other terms of *terms stay. Returns false, with the reason in
 * *why, if a word is no term or a term is given twice. */
bool act_read_words(struct terms *terms, char *const *words, int count,
                    const char *allowed, const char **why) MUST_USE;
/* Reads the terms of a game from argv[from] on, as act_read_words() does. False: has
 * answered. */
bool act_read_terms(struct call *call, int from, struct terms *terms) MUST_USE;
/* Checks that the terms fit together, and that the caller may play a rated game if they are
 * for one. False: has answered. */
bool act_judge_terms(struct call *call, struct terms *terms) MUST_USE;
/* Both, for terms of which those that are omitted are the server's default. */
bool act_take_terms(struct call *call, int from, struct terms *terms) MUST_USE;
/* Answers that the storage is full: the database accepts new games, names, messages and
 * reports only when it has room again. */
bool act_refuse_storage(struct call *call);
/* False, after answering, if the caller must wait before the next game, because the
 * caller has left several games right after their start. */
bool act_has_stayed(struct call *call) MUST_USE;
/* Answers with the result of an attempt to start a game, unless it has started: then
 * the room has answered. */
bool act_answer_start(struct call *call, enum lobby_start start);

#endif
