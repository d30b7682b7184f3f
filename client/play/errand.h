/* Carries out what the link asks for: joins a game, or finds one to watch. */
#ifndef CLIENT_PLAY_ERRAND_H
#define CLIENT_PLAY_ERRAND_H

#include <stdbool.h>
#include <stdint.h>

#include "client/play/talk.h"

enum { ERRAND_WATCH_MAX = 2 };

/* Zeroed but for talk at first. */
struct errand {
    struct talk *talk;  /* borrowed */
    bool is_done;       /* done or refused */
    bool is_looking;    /* the player was told that no game is running */
    int64_t look_at_ms; /* time of the next search for a game to watch; 0: none */
    int64_t running[ERRAND_WATCH_MAX]; /* the games that the search found */
    int running_count;
};

/* Returns true if there is nothing (more) to do. */
bool errand_is_done(const struct errand *errand);
/* Sends the commands. Call it after each login. */
void errand_begin(struct errand *errand);
/* Searches again for a game to watch. Call it once a second. */
void errand_look_again(struct errand *errand, int64_t now_ms);

/* Handle the answer to join: OK and ERR. */
void errand_take_join(struct errand *errand, const struct proto_line *line);
void errand_refuse_join(struct errand *errand);
/* If the seat is taken and the server is our own, says so and returns true: the visit
 * continues. Otherwise returns false. */
bool errand_goes_on(struct errand *errand);

/* Takes the answer to the search: one row of the list, or its end. */
void errand_note_game(struct errand *errand, const char *line);
void errand_take_games(struct errand *errand);

#endif
