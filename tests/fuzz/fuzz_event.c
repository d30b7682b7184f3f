/* Feeds the log of a game, one event a line, to the parser of events and to a game.
 * Such a log comes from the disk, a record or a server. An event that is accepted must
 * be the same after it is written and read back. After each accepted event the game
 * must be consistent. */
#include "common/game/board.h"
#include "common/game/game.h"
#include "tests/fuzz/fuzz.h"

static void check_text(const struct event *event)
{
    char text[EVENT_BYTES], twice[EVENT_BYTES];
    struct event again;

    fuzz_require(event_format(text, event) == strlen(text));
    fuzz_require(event_parse(text, &again) == EVENT_OK);
    event_format(twice, &again);
    fuzz_require(strcmp(text, twice) == 0);
}

/* Calls the functions that read a game, and checks conditions that must be true in
 * every game. */
static void check_game(const struct game *game)
{
    struct game_news news;
    enum side turn = game_turn(game);

    fuzz_require(game->position.key == position_key(&game->position) ||
                 game->phase == GAME_EMPTY);
    for (int side = 0; side < SIDES; side++) {
        (void)!game_judge_resign(game, (enum side)side, &news).code;
        (void)!game_judge_setup(game, (enum side)side, LINEUP_BNNB, &news).code;
        if (game->phase != GAME_EMPTY)
            (void)!game_judge_move(game, (enum side)side, move_pass(), 0, &news).code;
    }
    (void)!game_judge_takeback(game, game->plies - 1, &news).code;
    (void)!game_judge_draw(game, &news).code;
    (void)!game_judge_abort(game, SIDE_NONE, &news).code;
    (void)!game_judge_adjourn(game, 1000, &news).code;
    (void)!game_judge_continue(game, &news).code;
    (void)!game_judge_absence(game, SIDE_BLUE, true, &news).code;
    fuzz_require(!game->is_adjourned || turn == SIDE_NONE);
    (void)!game_judge_flag(game, INT64_MAX / 2, &news);
    fuzz_require(!game_judge_due(game, &news) || turn == SIDE_NONE);
}

/* Takes one line of the log. An event that cannot follow the earlier ones must leave
 * the game as it was. */
static void take_line(struct game *game, const char *line, int64_t now_ms)
{
    struct event event;
    int events = game->events, plies = game->plies;

    if (event_parse(line, &event) != EVENT_OK)
        return;
    check_text(&event);
    if (game_apply(game, &event, now_ms)) {
        fuzz_require(game->events == events + 1);
        game_go(game, now_ms);
        check_game(game);
    } else {
        fuzz_require(game->events == events && game->plies == plies);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *line = text;
    struct game game;
    int64_t now_ms = 1000;

    game_init(&game);
    while (line != NULL) {
        char *end = strchr(line, '\n');

        if (end != NULL)
            *end++ = '\0';
        take_line(&game, line, now_ms);
        now_ms += 7;
        line = end;
    }
    game_clear(&game);
    free(text);
    return 0;
}
