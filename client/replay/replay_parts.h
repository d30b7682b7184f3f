/* What the parts of "janggi replay" share: replay.c (options, loop, output) and
 * replay_typed.c (what can be typed). Nobody else includes this. */
#ifndef CLIENT_REPLAY_REPLAY_PARTS_H
#define CLIENT_REPLAY_REPLAY_PARTS_H

#include <stdbool.h>

#include "client/base/prefs.h"
#include "client/console/edit.h"
#include "client/replay/replay.h"
#include "client/replay/replay_show.h"
#include "client/verb/complete.h"
#include "client/view/render.h"
#include "common/base/base.h"

struct event;
struct event_base;

struct replay {
    struct prefs prefs; /* with the options taken in */
    struct records_file file;
    struct replay_place place;
    struct event_base *base;
    struct event *timer;
    struct edit *edit;
    struct complete complete; /* while Tab is pressed */
    double speed;             /* 0: by hand */
    bool is_playing;          /* moves come by themselves */
    bool is_screen;
    bool has_color;
    bool is_ended; /* no more will be typed */
    int exit_code;
};

/* --- replay.c --- */

void replay_leave(struct replay *replay, int code);
void replay_print(struct replay *replay, const char *words);
void replay_say(struct replay *replay, const char *format, ...) PRINTF_LIKE(2, 3);
/* How boards are to be drawn. */
struct render_view replay_view(const struct replay *replay);
void replay_show_board(struct replay *replay);
void replay_show_prompt(struct replay *replay);

/* The next event, at once; from a private board, the record's. */
void replay_step(struct replay *replay);
/* Moves come by themselves, at replay->speed, or no more. */
void replay_start(struct replay *replay);
void replay_pause(struct replay *replay);
/* Shows the record in replay->file from its beginning. */
void replay_begin(struct replay *replay, bool is_flipped);

/* --- replay_typed.c --- */

/* For edit_calls. */
void replay_on_line(void *owner, const char *line);
const char *replay_on_complete(void *owner, const char *before, size_t i);

#endif
