/* The engine plays against itself, for train.c to learn from.
 *
 *   selfplay [--games N] [--seed N] [--nodes N] FILE
 *
 *   --games N          number of games; default 1000
 *   --nodes N          positions searched for a move; default 1500
 *   --seed N           seed of the random openings and the random moves; default 1
 *
 * Adds a struct lesson to FILE for each position that is quiet: nobody is in check, the
 * last move was not a pass, no side is clearly winning, and the best move captures
 * nothing. Four of five games are played under kja, the others under martin. A game
 * begins with two to ten random plies, and one move in twelve of the first forty is
 * random too, so that the engine also learns from positions that it would avoid. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/engine/eval.h"
#include "client/engine/search.h"
#include "common/game/board.h"
#include "common/game/game.h"
#include "common/game/legal.h"
#include "tests/measure/engine/lesson.h"

enum { PLIES_MAX = 300, TABLE_MB = 8 };
enum {
    DECIDED = 2500,
    DECIDED_PLIES = 6
};                     /* a game ends after DECIDED_PLIES plies in a row with scores
                        * beyond DECIDED */
enum { CLEAR = 4000 }; /* positions with scores beyond CLEAR are left out */
enum { ODD_PLIES = 40, ODD_ONE_IN = 12 };

struct selfplay {
    struct search *search;
    uint64_t nodes, random;
    struct game game;
    struct lesson lesson[PLIES_MAX];
    int lessons;
};

static unsigned random_below(struct selfplay *self, unsigned below)
{
    self->random ^= self->random << 13;
    self->random ^= self->random >> 7;
    self->random ^= self->random << 17;
    return (unsigned)(self->random >> 33) % below;
}

static struct move any_move(struct selfplay *self, const struct ruleset *rules,
                            const struct position *position)
{
    struct move_list list;

    rules_legal_moves(rules, position, &list);
    return list.count == 0 ? move_pass()
                           : list.move[random_below(self, (unsigned)list.count)];
}

static void make_opening(struct selfplay *self, const struct ruleset *rules,
                         struct position *out)
{
    int plies = 2 + (int)random_below(self, 9);
    struct undo undo;

    position_set_up(out, (enum lineup)random_below(self, LINEUPS),
                    (enum lineup)random_below(self, LINEUPS),
                    ruleset_first_mover(rules));
    while (plies > 0) {
        struct move move = any_move(self, rules, out);

        if (move_is_pass(move) ||
            (position_kind(out, move.to) != KIND_NONE && random_below(self, 4) != 0))
            continue;
        rules_make(rules, out, move, &undo);
        plies--;
    }
    out->quiet = 0;
    out->move_number = 1;
}

/* Begins a game from a random opening. False: it is over before the first move. */
static bool begin(struct selfplay *self)
{
    const struct ruleset *rules =
        ruleset_find(random_below(self, 5) == 0 ? "martin" : "kja");
    struct position position;

    make_opening(self, rules, &position);
    self->lessons = 0;
    search_forget(self->search);
    return game_begin_at(&self->game, rules, &position) &&
           self->game.phase == GAME_PLAY;
}

static bool is_quiet(const struct game *game, const struct search_report *report)
{
    struct legal_view view;

    legal_look(&view, game->rules, &game->position);
    return points_is_empty(view.checkers) && !view.is_bare &&
           game->position.passes == 0 && abs(report->score) < CLEAR &&
           (move_is_pass(report->move) ||
            position_kind(&game->position, report->move.to) == KIND_NONE);
}

static void note(struct selfplay *self, const struct search_report *report)
{
    const struct position *position = &self->game.position;
    struct lesson *lesson = &self->lesson[self->lessons++];

    *lesson = (struct lesson){.side = position->side,
                              .rules = !self->game.rules->counts_points,
                              .quiet = (uint16_t)position->quiet,
                              .ply = (uint16_t)self->game.plies,
                              .score = (int16_t)report->score};
    memcpy(lesson->at, position->at, sizeof lesson->at);
}

static void think(struct selfplay *self, struct search_report *report)
{
    struct search_task task;

    search_take_game(&task, &self->game);
    task.limits.nodes = self->nodes;
    search_run(self->search, &task, NULL, NULL, report);
}

/* Returns 1 when Red has won, -1 when Blue has, 0 for a draw. */
static int result_of(const struct game *game, int decided)
{
    if (decided >= DECIDED_PLIES || decided <= -DECIDED_PLIES)
        return decided > 0 ? 1 : -1;
    if (game->outcome == OUTCOME_RED)
        return 1;
    return game->outcome == OUTCOME_BLUE ? -1 : 0;
}

/* Counts the plies in a row, up to the present ply, that have a decisive score for the
 * same side. Returns the count if this side is Red, and minus the count if this side is
 * Blue. Returns 0 if the present score is not decisive. decided: the result for the ply
 * before. red_score: the score of the present ply, from Red's point of view. */
static int count_decided(int decided, int red_score)
{
    if (red_score > DECIDED)
        return decided > 0 ? decided + 1 : 1;
    if (red_score < -DECIDED)
        return decided < 0 ? decided - 1 : -1;
    return 0;
}

static void play_game(struct selfplay *self, FILE *out)
{
    struct game *game = &self->game;
    int decided = 0, result;

    while (game->phase == GAME_PLAY && game->plies < PLIES_MAX &&
           abs(decided) < DECIDED_PLIES) {
        bool is_red = game->position.side == SIDE_RED;
        struct search_report report;
        struct move move;

        think(self, &report);
        if (is_quiet(game, &report))
            note(self, &report);
        decided = count_decided(decided, is_red ? report.score : -report.score);
        move = report.move;
        if (game->plies < ODD_PLIES && random_below(self, ODD_ONE_IN) == 0)
            move = any_move(self, game->rules, &game->position);
        if (game_play(game, move).code != FAULT_NONE)
            break;
    }
    result = result_of(game, decided);
    for (int i = 0; i < self->lessons; i++)
        self->lesson[i].result = (int8_t)result;
    fwrite(self->lesson, sizeof self->lesson[0], (size_t)self->lessons, out);
}

static int fail(const char *what)
{
    fprintf(stderr, "selfplay %s\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"games", required_argument, NULL, 'g'},
                                            {"seed", required_argument, NULL, 's'},
                                            {"nodes", required_argument, NULL, 'n'},
                                            {NULL, 0, NULL, 0}};
    static struct selfplay self = {.nodes = 1500, .random = 1};
    int option, games = 1000;
    FILE *out;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'g':
            games = atoi(optarg);
            break;
        case 's':
            self.random = strtoull(optarg, NULL, 10) * 2654435761u + 1;
            break;
        case 'n':
            self.nodes = strtoull(optarg, NULL, 10);
            break;
        default:
            return 2;
        }
    out = optind + 1 == argc ? fopen(argv[optind], "ab") : NULL;
    if (out == NULL)
        return fail("wants a file that it can write");
    self.search = search_new(TABLE_MB);
    for (int i = 0; i < games; i++) {
        if (begin(&self))
            play_game(&self, out);
        game_clear(&self.game);
    }
    search_free(self.search);
    return fclose(out) == 0 ? 0 : fail("cannot write its file");
}
