/* The computer at a game in this process: what it sets up, thinks of its move and of a
 * hint, and says to a draw. What it finds comes by callback on the loop. */
#ifndef CLIENT_LOCAL_OPPONENT_H
#define CLIENT_LOCAL_OPPONENT_H

#include <stdbool.h>
#include <stdint.h>

#include "client/engine/thinker.h"
#include "common/game/game.h"

struct event_base;

struct opponent_calls {
    /* Its move, and the answer to opponent_ask_hint(). It thinks no more by then. */
    void (*on_move)(void *owner, const struct search_report *report);
    void (*on_hint)(void *owner, const struct search_report *report);
};

enum opponent_thought { OPPONENT_IDLE, OPPONENT_MOVE, OPPONENT_HINT };

struct opponent {
    const struct opponent_calls *calls;
    void *owner;
    struct thinker *thinker;
    enum opponent_thought thought;
    struct search_report last; /* of its last move in this game */
    uint64_t seed;
};

/* calls and owner are borrowed. The same seed and the same moves give the same game. */
void opponent_init(struct opponent *opponent, struct event_base *base, uint64_t seed,
                   const struct opponent_calls *calls, void *owner);
void opponent_clear(struct opponent *opponent);

enum lineup opponent_lineup(struct opponent *opponent);
/* The side to move is thought about; what was thought about before is dropped. */
void opponent_ask_move(struct opponent *opponent, const struct game *game, int level);
void opponent_ask_hint(struct opponent *opponent, const struct game *game);
/* Nothing is wanted any more. */
void opponent_stop(struct opponent *opponent);
/* Another game. */
void opponent_forget(struct opponent *opponent);
bool opponent_takes_draw(const struct opponent *opponent, const struct game *game);

#endif
