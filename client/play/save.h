/* Saves a game to a file, one at a time. */
#ifndef CLIENT_PLAY_SAVE_H
#define CLIENT_PLAY_SAVE_H

#include <stdint.h>

#include "client/play/talk.h"

struct save;

/* Borrows talk. The caller owns the result. */
struct save *save_new(struct talk *talk) MUST_USE;
/* Accepts NULL. */
void save_free(struct save *save);

/* Saves game to the file at path; "": to a file named after the game's number. */
void save_begin(struct save *save, int64_t game, const char *path);
/* Each takes one kind of input: a line of a record, an event, or the answer to a
 * request for the file. */
void save_take_line(struct save *save, const char *line);
void save_take_event(struct save *save, int64_t game, int number, const char *event);
void save_take_answer(struct save *save, const struct visit_request *asked,
                      const struct proto_line *line);
/* Cancels saving. */
void save_clear(struct save *save);

#endif
