/* See random_game.h. */
#include "tests/bot/random_game.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/game/event.h"
#include "common/game/game.h"
#include "common/game/rules.h"

enum { TRIES = 60, CAPTURE_AFTER_QUIET = 70 };

static uint32_t next(uint64_t *state, uint32_t below)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

static void apply(struct game *game, const struct event *event)
{
    if (!game_apply(game, event, 0))
        log_die("random_game an event does not follow");
}

static void begin(struct random_game *book, struct game *game, uint64_t *state)
{
    struct event start;
    struct game_news news;

    if (event_parse("start red=a1 blue=b1 rules=martin time=none", &start) != EVENT_OK)
        log_die("random_game the start event does not parse");
    game_init(game);
    apply(game, &start);
    while (game->phase == GAME_SETUP) {
        enum side side = game_turn(game);

        book->lineup[side] = (enum lineup)next(state, LINEUPS);
        if (game_judge_setup(game, side, book->lineup[side], &news).code != FAULT_NONE)
            log_die("random_game a line-up was refused");
        apply(game, &news.event[0]);
    }
}

/* Plays a move that does not end the game, preferably not a capture. Returns false if
 * it finds none. */
static bool play_one(struct game *game, uint64_t *state, struct move *out)
{
    const struct position *position = &game->position;
    bool may_take = position->quiet >= CAPTURE_AFTER_QUIET;
    struct move_list legal;
    struct game_news news;

    rules_legal_moves(game->rules, position, &legal);
    for (int i = 0; i < TRIES && legal.count > 0; i++) {
        struct move move = legal.move[next(state, (uint32_t)legal.count)];

        if (!move_is_pass(move) && !may_take && i < TRIES / 2 &&
            position_kind(position, move.to) != KIND_NONE)
            continue;
        if (game_judge_move(game, game_turn(game), move, 0, &news).code != FAULT_NONE ||
            news.count != 1)
            continue;
        apply(game, &news.event[0]);
        *out = move;
        return true;
    }
    return false;
}

void random_game_init(struct random_game *book, uint64_t seed, int plies)
{
    uint64_t state = seed * 7919u;
    struct game game;

    book->move = mem_resize(NULL, (size_t)plies, sizeof *book->move);
    book->text = mem_resize(NULL, (size_t)plies, sizeof *book->text);
    do {
        begin(book, &game, &state);
        for (book->plies = 0; book->plies < plies; book->plies++) {
            if (!play_one(&game, &state, &book->move[book->plies]))
                break; /* a dead end: begin another game */
            move_format(book->text[book->plies], book->move[book->plies]);
        }
        game_clear(&game);
    } while (book->plies < plies);
}

void random_game_clear(struct random_game *book)
{
    free(book->move);
    free(book->text);
    *book = (struct random_game){0};
}
