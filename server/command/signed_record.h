/* An ended game as signed text, for the verb record and for the page /game/N.record.
 * Reads the events from disk, replays them through the rules, and signs the record with
 * the server's key only if it is consistent. Does not judge who may read it. */
#ifndef SERVER_COMMAND_SIGNED_RECORD_H
#define SERVER_COMMAND_SIGNED_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/event.h"

struct session;
struct signed_record;
struct world;

/* The record has been read; it lives until this function returns. */
typedef void signed_record_fn(struct world *world, struct session *session,
                              struct signed_record *record);

/* Holds the session and reads the game. done is not called if the session is gone by
 * then. */
void signed_record_read(struct world *world, struct session *session, int64_t game,
                        signed_record_fn *done);

int64_t signed_record_game(const struct signed_record *record);
/* How many events were read. */
int signed_record_events(const struct signed_record *record);
/* False: the disk has no such game. */
bool signed_record_is_found(const struct signed_record *record);
/* Finds the event that names the players. False: there is no valid one. */
bool signed_record_start(const struct signed_record *record, struct event *start);
/* The text, which the caller frees. NULL: the log is damaged, or the game has not ended.
 * *is_signed is false if the server's kind of key cannot sign (logged). */
char *signed_record_text(struct signed_record *record, bool *is_signed) MUST_USE;

#endif
