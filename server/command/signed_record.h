/* Makes the signed text of an ended game, for the command `record` and for the web page
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
struct world;

/* Called when the events have been read. Returns true if the session may have the record.
 * False: it has answered. start: the start event, which names the players; NULL: there is
 * no valid one. */
typedef bool signed_record_judge_fn(struct world *world, struct session *session,
                                    int64_t game, bool is_found,
                                    const struct event *start);

/* Called when the text is made; the text is freed when this function returns. text
 * NULL: the log is damaged, or the game has not ended. is_signed is false if the
 * server's key is of a kind that cannot sign. */
typedef void signed_record_text_fn(struct world *world, struct session *session,
                                   int64_t game, const char *text, bool is_signed);

/* Holds the session (its next line waits), and reads the game. If other sessions from
 * the same address read games now, the read may have to wait for them (meant.h). Then, if
 * judge() allows it (NULL: it does), makes the text, charges the session for the work, and
 * calls made(). Calls neither when the session is gone.
 *
 * The events of all records are replayed in turns of the event loop, for half a
 * millisecond in each turn. The last step of a record, its signature, is done in one
 * turn. */
void signed_record_read(struct world *world, struct session *session, int64_t game,
                        signed_record_judge_fn *judge, signed_record_text_fn *made);

/* Frees world->records. Call it after store_close(). store_close() frees the records
 * that are not made yet. */
void signed_record_forget(struct world *world);

#endif
