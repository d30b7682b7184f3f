/* Plays random games under all rulesets and prints them as PGN. Before each PGN, prints
 * one line that says what a reader of the PGN must find: the ruleset, the reason for
 * the end of the game, and the moves in UCI notation. After each PGN, prints a line
 * with a dot.
 *
 *   record_games [--games N] [--seed N]
 *
 *   kja checkmate a1a2 b3b3 ...
 *   [Event "?"]
 *   ...
 *   . */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/formats/notation.h"
#include "client/formats/record_pgn.h"
#include "common/record/record.h"
#include "tests/unit/random_play.h"

struct made {
    struct record record;
    struct game game;
};

static void add(struct made *made, const struct event *event)
{
    char why[RECORD_WHY_BYTES];

    if (!record_play(&made->record, &made->game, event, why)) {
        printf("not ok record_games: %s\n", why);
        exit(1);
    }
}

static void begin(struct made *made, const struct ruleset *rules)
{
    struct event event = {.kind = EVENT_START,
                          .rules = rules,
                          .name = {"red", "blue"},
                          .has_position = true};

    record_init(&made->record);
    game_init(&made->game);
    random_start(rules, &event.position);
    event.terms = (struct time_terms){.main_ms = 600000, .increment_ms = 5000};
    add(made, &event);
}

static void move(struct made *made)
{
    struct move_list legal;
    struct game_news news;

    rules_legal_moves(made->game.rules, &made->game.position, &legal);
    if (game_judge_move(&made->game, game_turn(&made->game),
                        legal.move[random_below((unsigned)legal.count)], 0, &news)
            .code != FAULT_NONE)
        abort(); /* a legal move is refused */
    for (int i = 0; i < news.count; i++)
        add(made, &news.event[i]);
}

static void print_moves(const struct game *game)
{
    struct position position = game_start(game);

    printf("%s %s", ruleset_name(game->rules), reason_name(game->reason));
    for (int i = 0; i < game->plies; i++) {
        char words[NOTATION_BYTES] = "";
        struct undo undo;

        (void)!notation_format_move(words, NOTATION_UCI, game->ply[i].move, &position,
                                    NULL);
        rules_make(game->rules, &position, game->ply[i].move, &undo);
        printf(" %s", words);
    }
    putchar('\n');
}

static void play_one(const struct ruleset *rules)
{
    int plies = 1 + (int)random_below(300);
    struct made made;
    char *pgn;

    begin(&made, rules);
    while (plies-- > 0 && game_turn(&made.game) != SIDE_NONE)
        move(&made);
    pgn = record_pgn_write(&made.record, &made.game, NULL);
    print_moves(&made.game);
    printf("%s.\n", pgn);
    free(pgn);
    record_clear(&made.record);
    game_clear(&made.game);
}

int main(int argc, char **argv)
{
    int games = 100;

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--games") == 0)
            games = atoi(argv[i + 1]);
        if (strcmp(argv[i], "--seed") == 0)
            random_state = strtoull(argv[i + 1], NULL, 10);
    }
    for (int i = 0; i < games; i++)
        for (size_t rules = 0; ruleset_at(rules) != NULL; rules++)
            play_one(ruleset_at(rules));
    return 0;
}
