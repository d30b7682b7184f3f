/* See delay.h. */
#include "server/feed/delay.h"

#include <assert.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "server/feed/feed.h"

struct delay {
    int plies;
    struct game game;
    int read;  /* number of events of the feed whose moves are counted */
    int moves; /* number of moves in those events, including moves taken back */
    int shown; /* number of moves applied to `game`, including moves taken back */
};

struct delay *delay_new(int plies)
{
    struct delay *delay = mem_new(sizeof *delay);

    delay->plies = plies;
    game_init(&delay->game);
    return delay;
}

void delay_free(struct delay *delay)
{
    if (delay == NULL)
        return;
    game_clear(&delay->game);
    free(delay);
}

/* Returns event number i. It is valid, because the room has checked it before. */
static struct event event_at(const struct feed *feed, int i)
{
    struct event event;
    bool is_event = feed_read(feed, i, &event);

    assert(is_event);
    return event;
}

int delay_advance(struct delay *delay, const struct feed *feed)
{
    int events = feed_count(feed);

    for (; delay->read < events; delay->read++)
        delay->moves += event_at(feed, delay->read).kind == EVENT_MOVE;
    while (delay->game.events < events) {
        struct event event = event_at(feed, delay->game.events);
        bool is_move = event.kind == EVENT_MOVE, follows;

        if (is_move && delay->shown >= delay->moves - delay->plies)
            break;
        follows = game_apply(&delay->game, &event, 0);
        assert(follows);
        delay->shown += is_move;
    }
    return delay->game.events;
}

const struct game *delay_game(const struct delay *delay)
{
    return &delay->game;
}
