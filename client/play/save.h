/* Saves a game to a file. Saves only one game at a time. */
#ifndef CLIENT_PLAY_SAVE_H
#define CLIENT_PLAY_SAVE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "client/play/talk.h"
#include "common/record/record.h"
#include "common/record/record_text.h"

/* All members except `talk` are zeroed at first; save_clear() frees them. */
struct save {
    struct talk *talk; /* borrowed */
    bool is_on;
    bool is_running; /* save the events of a running game; false: the record of an ended
                      * one */
    int64_t game;
    char path[PATH_MAX];
    struct record_text text; /* the part of the record that has arrived */
    struct record record;    /* the events that have arrived */
    int events;              /* total number of events; 0: not known yet */
};

/* Starts to save a game to the file at `path`; "": to a file named after the game's
 * number. */
void save_begin(struct save *save, int64_t game, const char *path);
/* Take what the server sends: a line of a record, an event, or the answer to a request
 * that save_begin() has sent. */
void save_take_line(struct save *save, const char *line);
void save_take_event(struct save *save, int64_t game, int number, const char *event);
void save_take_answer(struct save *save, const struct visit_request *asked,
                      const struct proto_line *line);
/* Cancels saving. */
void save_clear(struct save *save);

#endif
