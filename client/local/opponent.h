/* The computer player in this process: chooses its line-up, searches for its move or
 * for a hint, and answers a draw offer. The event loop calls back with the result of
 * a search. */
#ifndef CLIENT_LOCAL_OPPONENT_H
#define CLIENT_LOCAL_OPPONENT_H

#include <stdbool.h>
#include <stdint.h>

#include "client/engine/thinker.h"
#include "common/game/game.h"

struct event_base;

struct opponent_calls {
    /* on_move gives the computer's move, on_hint the hint requested with
     * opponent_ask_hint(). Both are called when the search has ended. */
    void (*on_move)(void *owner, const struct search_report *report);
    void (*on_hint)(void *owner, const struct search_report *report);
};

enum opponent_thought { OPPONENT_IDLE, OPPONENT_MOVE, OPPONENT_HINT };

struct opponent {
    const struct opponent_calls *calls;
    void *owner;
    struct thinker *thinker;
    enum opponent_thought thought;
    struct search_report last; /* result of the search for the computer's last move in
                                * this game */
    uint64_t seed;
};

/* Creates an idle computer player. Borrows calls and owner. The same seed and the same
 * moves give the same game, unless a time limit ends a search. Ends the program on
 * failure. */
void opponent_init(struct opponent *opponent, struct event_base *base, uint64_t seed,
                   const struct opponent_calls *calls, void *owner);
void opponent_clear(struct opponent *opponent);

enum lineup opponent_lineup(struct opponent *opponent);
/* These functions cancel a running search, then start one for the side to move; its
 * result arrives through on_move or on_hint. */
void opponent_ask_move(struct opponent *opponent, const struct game *game, int level);
void opponent_ask_hint(struct opponent *opponent, const struct game *game);
/* Cancels the running search, so that no callback follows. */
void opponent_stop(struct opponent *opponent);
/* Cancels the running search and prepares for another game. */
void opponent_forget(struct opponent *opponent);
bool opponent_takes_draw(const struct opponent *opponent, const struct game *game);

#endif
