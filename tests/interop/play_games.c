/* Plays random whole games of kja, for another engine to follow. common/game is the
 * referee. Prints each game on one line in the notation of that engine (fairy.h), with
 * the result of the game and the reason for the result.
 *
 *   play_games [--games N] [--seed N]
 *
 *   FEN|a1a2 b3b3 ...|1-0|checkmate          1-0: its White, our Blue, has won */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/game/game.h"
#include "tests/checker/fairy.h"
#include "tests/unit/random_play.h"

/* How a side chooses its moves. Random players hardly ever mate, repeat positions or
 * give check again and again; the other styles cause these events. */
enum style { STYLE_RANDOM, STYLE_HUNTER, STYLE_QUIET, STYLE_SHUFFLER, STYLE_PASSER };
enum { STYLES = STYLE_PASSER + 1 };

static struct move any_of(const struct move_list *list)
{
    return list->move[random_below((unsigned)list->count)];
}

/* Rates a move for a hunter or for a quiet player. A hunter prefers checks; captures
 * are second. A quiet player avoids checks and captures. Both avoid passes and bare
 * kings, that is, kings that face each other. */
static int worth(const struct game *game, struct move move, bool is_hunter)
{
    struct position after = game->position;
    struct undo undo;
    enum check check;

    rules_make(game->rules, &after, move, &undo);
    check = rules_check(&after);
    if (move_is_pass(move) || check == CHECK_KINGS || check == CHECK_BOTH)
        return -10;
    return ((check == CHECK_PIECE) * 2 + (undo.captured != 0)) * (is_hunter ? 1 : -1);
}

/* Returns the best of several random moves. */
static struct move best_of(const struct game *game, const struct move_list *list,
                           bool is_hunter, int tries)
{
    struct move best = any_of(list);

    while (tries-- > 0) {
        struct move move = any_of(list);

        if (worth(game, move, is_hunter) > worth(game, best, is_hunter))
            best = move;
    }
    return best;
}

/* Usually moves back the piece that this side moved last. */
static struct move shuffle(const struct game *game, const struct move_list *list)
{
    struct move back;

    if (game->plies < 2 || random_below(12) == 0)
        return best_of(game, list, true, 40);
    back = game->ply[game->plies - 2].move;
    back = (struct move){back.to, back.from};
    return list_has(list, back) ? back : best_of(game, list, true, 40);
}

static struct move choose(const struct game *game, enum style style,
                          const struct move_list *list)
{
    switch (style) {
    case STYLE_HUNTER:
        return best_of(game, list, true, 40);
    case STYLE_QUIET:
        return best_of(game, list, false, 10);
    case STYLE_SHUFFLER:
        return shuffle(game, list);
    case STYLE_PASSER:
        if (random_below(8) == 0 && list_has(list, move_pass()))
            return move_pass();
        return best_of(game, list, true, 10);
    default:
        return any_of(list);
    }
}

static void apply(struct game *game, const struct event *event)
{
    if (game_apply(game, event, 0))
        return;
    printf("not ok play_games an event that was judged does not apply\n");
    exit(1);
}

static void begin(struct game *game, int number)
{
    struct event start = {.kind = EVENT_START,
                          .rules = ruleset_find("kja"),
                          .terms = {.is_untimed = true},
                          .has_position = true};

    if (number % 3 == 0)
        while (!random_sparse(start.rules, 16, &start.position))
            ;
    else
        position_set_up(&start.position, (enum lineup)random_below(LINEUPS),
                        (enum lineup)random_below(LINEUPS), SIDE_BLUE);
    start.position.quiet = 0; /* nothing was played before this position */
    game_init(game);
    apply(game, &start);
}

static void play_on(struct game *game, const enum style style[SIDES])
{
    while (game_turn(game) != SIDE_NONE) {
        enum side side = game_turn(game);
        struct move_list list;
        struct game_news news;
        struct move move;

        rules_legal_moves(game->rules, &game->position, &list);
        move = choose(game, style[side], &list);
        if (game_judge_move(game, side, move, 0, &news).code != FAULT_NONE) {
            printf("not ok play_games a listed move is refused\n");
            exit(1);
        }
        for (int i = 0; i < news.count; i++)
            apply(game, &news.event[i]);
    }
}

static void print_game(const struct game *game)
{
    struct position position = game_start(game);
    char words[FAIRY_FEN_BYTES];

    fairy_fen(words, &position);
    printf("%s|", words);
    for (int i = 0; i < game->plies; i++) {
        struct undo undo;

        fairy_move(words, &position, game->ply[i].move);
        printf(i == 0 ? "%s" : " %s", words);
        rules_make(game->rules, &position, game->ply[i].move, &undo);
    }
    printf("|%s|%s\n", game->outcome == OUTCOME_BLUE ? "1-0" : "0-1",
           reason_name(game->reason));
}

static void play(int number)
{
    struct game game;
    enum style style[SIDES] = {(enum style)random_below(STYLES),
                               (enum style)random_below(STYLES)};

    begin(&game, number);
    play_on(&game, style);
    if (game.plies > 0)
        print_game(&game);
    game_clear(&game);
}

int main(int argc, char **argv)
{
    int games = 1000;
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    random_state = ((uint64_t)now.tv_sec << 20 ^ (uint64_t)now.tv_nsec) | 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--games") == 0)
            games = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--seed") == 0)
            random_state = strtoull(argv[i + 1], NULL, 10);
    }
    printf("# seed %llu\n", (unsigned long long)random_state);
    for (int i = 0; i < games; i++)
        play(i);
    return 0;
}
