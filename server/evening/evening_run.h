/* Runs the club evenings: pairs and shows rounds, begins their games, and records the
 * results and the players who miss a round. An evening without a start time waits until
 * its maker starts it. If this does not happen, the evening ends 30 days after its last
 * event. After a restart each evening continues from its events (evenings.h). */
#ifndef SERVER_EVENING_EVENING_RUN_H
#define SERVER_EVENING_EVENING_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/evening/evening_draw.h"
#include "server/evening/evenings.h"
#include "server/lobby/terms.h"

struct event_base;
struct evening_run;
struct room;
struct session;
struct world;

/* Borrows the modules of `world`, which must be open already. */
struct evening_run *evening_run_new(const struct world *world,
                                    struct event_base *base) MUST_USE;
/* Accepts NULL. */
void evening_run_free(struct evening_run *run);
/* Starts the timer. Call it after a restart of the server, when the games run again. If
 * the games of a round have not begun, they begin after the time `shown_s`, which
 * starts again now. */
void evening_run_restore(struct evening_run *run);

/* Writes to out[i] the rating of player i + 1 in the pool of the evening's games; 0:
 * the player has none. */
void evening_run_ratings(const struct evening_run *run, const struct evening *evening,
                         int out[EVENING_PLAYERS_MAX]);

/* Writes to the accounts of the players of the last round when their games begin, or
 * that they do not begin any more. Call it after a result of a game that has not
 * begun. */
void evening_run_note_due(struct evening_run *run, const struct evening_entry *entry);

/* Sets the timer to the earliest next step of all evenings. Call it after an event was
 * appended to an evening. */
void evening_run_changed(struct evening_run *run);
/* Pairs the next round and shows it. draw: the pairs of the round. If `draw` is NULL,
 * the system of the evening decides the pairs. Returns NULL, or why there is no round,
 * a word that the caller can send after "ERR not-now why=". */
const char *evening_run_pair(struct evening_run *run, struct evening_entry *entry,
                             const struct evening_draw *draw);
/* Ends the evening. Returns false if the evening is already over. */
bool evening_run_end(struct evening_run *run, struct evening_entry *entry);
/* Returns the seconds until the games of the round begin; 0: they have begun. */
int64_t evening_run_wait_s(const struct evening_entry *entry);
/* Returns the word for a result in an event of the evening: "first", "second", "draw"
 * or "none". */
const char *evening_run_result(const struct evening *evening, enum outcome outcome);
/* Tells the player of the session about the evenings in which the player takes part.
 * Skips evenings that are over. If a game of the player will begin in the present
 * round, sends the pair of this game. Otherwise sends the state of the evening. */
void evening_run_greet(struct evening_run *run, struct session *session);

/* Call evening_run_game_ending() when a game ends, in one batch with the end: it
 * records the result. Call evening_run_game_over() after that: it tells the players how
 * many games the round waits for, and sets the timer. */
void evening_run_game_ending(struct evening_run *run, const struct room *room);
void evening_run_game_over(struct evening_run *run, const struct room *room);

#endif
