/* Carries out what the link on the command line asks for: joins a game, or finds one to
 * watch. */
#ifndef CLIENT_PLAY_ERRAND_H
#define CLIENT_PLAY_ERRAND_H

#include <stdbool.h>
#include <stdint.h>

#include "client/play/talk.h"

enum { ERRAND_WATCH_MAX = 2 };

/* All members except `talk` are zeroed at first. */
struct errand {
    struct talk *talk;  /* borrowed */
    bool is_done;       /* the link's request was carried out or refused */
    bool is_looking;    /* the player was told that no game is running */
    int64_t look_at_ms; /* time of the next search for a game to watch; 0: none */
    int64_t running[ERRAND_WATCH_MAX]; /* the games that the search found */
    int running_count;
};

/* Returns true if nothing is left to do for the link. */
bool errand_is_done(const struct errand *errand);
/* Sends the commands that the link needs. To be called after each login. */
void errand_begin(struct errand *errand);
/* Searches again for a game to watch. Call it once a second. */
void errand_look_again(struct errand *errand, int64_t now_ms);

/* Handle the answer to join: errand_take_join() handles an OK, errand_refuse_join() an
 * ERR. */
void errand_take_join(struct errand *errand, const struct proto_line *line);
void errand_refuse_join(struct errand *errand, const struct proto_line *line);
/* Handles `line`, the ERR answer to the "join" of the link. If `make play` has started
 * the server, this ERR does not end the client. Returns true if the function has told
 * the player that the game has both players already. Otherwise returns false, and the
 * caller must show the answer. */
bool errand_goes_on(struct errand *errand, const struct proto_line *line);

/* Take the answer to the search for a game: errand_note_game() takes one row of the
 * list of games, errand_take_games() is called at the end of the list. */
void errand_note_game(struct errand *errand, const char *line);
void errand_take_games(struct errand *errand);

#endif
