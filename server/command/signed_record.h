/* Makes the signed text of an ended game, for the verb record and for the page
 * /game/N.record. Reads the events from disk, replays them through the rules, and signs
 * the record with the server's key only if it is consistent. Does not check who may
 * read the game. */
#ifndef SERVER_COMMAND_SIGNED_RECORD_H
#define SERVER_COMMAND_SIGNED_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/event.h"

struct session;
struct signed_record;
struct world;

/* Called when the record has been read. The record is valid until this function
 * returns. */
typedef void signed_record_fn(struct world *world, struct session *session,
                              struct signed_record *record);

/* Holds the session and reads the game. Then calls done(), unless the session is
 * gone. */
void signed_record_read(struct world *world, struct session *session, int64_t game,
                        signed_record_fn *done);

int64_t signed_record_game(const struct signed_record *record);
/* Returns how many events were read. */
int signed_record_events(const struct signed_record *record);
/* True if the disk has the game. */
bool signed_record_is_found(const struct signed_record *record);
/* Reads the start event, which names the players. False: there is no valid one. */
bool signed_record_start(const struct signed_record *record, struct event *start);
/* Returns the text, which the caller frees. NULL: the log is damaged, or the game has
 * not ended. *is_signed is false if the server's key is of a kind that cannot sign;
 * that is logged. */
char *signed_record_text(struct signed_record *record, bool *is_signed) MUST_USE;

#endif
