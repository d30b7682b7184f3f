/* Measures the rules core. Compares our perft with the perft of Fairy-Stockfish, in the
 * same run and from the same start position. Both programs count the last ply without
 * playing it. Also measures how long judging a move takes in a long game, including the
 * test for repetition.
 *
 *   bench_rules              prints our times and the engine's; fails when a goal is
 *                            missed
 *   bench_rules perft DEPTH  runs our perft alone, for callgrind */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/game/game.h"
#include "tests/checker/fairy.h"
#include "tests/unit/random_play.h"

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t our_perft(int depth)
{
    struct position position;

    position_set_up(&position, LINEUP_NBBN, LINEUP_NBBN, SIDE_BLUE);
    return rules_perft(ruleset_find("kja"), &position, depth, false);
}

/* --- Leaves --- */

/* Runs both programs in turn a few times and takes the best time of each, so that a
 * busy machine slows both. False: a goal is missed. */
static bool bench_perft(void)
{
    enum { DEPTH = 5, ROUNDS = 3 };
    struct fairy *fairy = fairy_start("janggi");
    struct position start;
    uint64_t ours = 0, theirs = 0;
    double our_s = 1e9, their_s = 1e9;

    if (fairy == NULL)
        return false;
    position_set_up(&start, LINEUP_NBBN, LINEUP_NBBN, SIDE_BLUE);
    for (int round = 0; round < ROUNDS; round++) {
        double began = now_s(), between;

        theirs = fairy_perft(fairy, &start, DEPTH);
        between = now_s();
        ours = our_perft(DEPTH);
        their_s = between - began < their_s ? between - began : their_s;
        our_s = now_s() - between < our_s ? now_s() - between : our_s;
    }
    fairy_stop(fairy);
    printf("perft %d             fairy-stockfish %11llu leaves %6.2f s %7.1f M/s\n"
           "                          janggi %11llu leaves %6.2f s %7.1f M/s\n"
           "                           ratio %6.2f (at least 5)\n",
           DEPTH, (unsigned long long)theirs, their_s, (double)theirs / their_s / 1e6,
           (unsigned long long)ours, our_s, (double)ours / our_s / 1e6,
           their_s / our_s);
    if (ours != theirs)
        printf("not ok bench_rules the counts differ\n");
    return ours == theirs && their_s / our_s >= 5;
}

/* --- Judging a move --- */

static void apply(struct game *game, const struct event *event)
{
    if (game_apply(game, event, 0))
        return;
    printf("not ok bench_rules an event does not apply\n");
    exit(1);
}

/* Plays 200 random plies, and avoids captures in the last 90. So the test for
 * repetition must go back about 90 plies; the most is 100. False: the game ended
 * earlier, and the caller must try another one. */
static bool play_long(struct game *game, const struct ruleset *rules)
{
    enum { PLIES = 200, QUIET = 90 };
    struct position start;

    position_set_up(&start, (enum lineup)random_below(LINEUPS),
                    (enum lineup)random_below(LINEUPS), ruleset_first_mover(rules));
    if (!game_begin_at(game, rules, &start))
        return false;
    while (game->plies < PLIES && game_turn(game) != SIDE_NONE) {
        struct move_list list;
        struct game_news news;
        struct move move = move_pass();

        rules_legal_moves(rules, &game->position, &list);
        for (int tries = 0; tries < 20; tries++) {
            bool is_capture;

            move = list.move[random_below((unsigned)list.count)];
            is_capture = !move_is_pass(move) && game->position.at[move.to] != 0;
            if (!move_is_pass(move) &&
                (game->plies < PLIES - QUIET ? is_capture || tries > 3 : !is_capture))
                break;
        }
        (void)!game_judge_move(game, game_turn(game), move, 0, &news).code;
        apply(game, &news.event[0]);
        if (news.count == GAME_EVENTS_MAX)
            return false;
    }
    return game->plies == PLIES;
}

static bool bench_judge(const struct ruleset *rules)
{
    enum { GAMES = 20, ROUNDS = 300 };
    double spent = 0;
    long judged = 0;
    unsigned sum = 0;

    for (int games = 0; games < GAMES;) {
        struct game game;

        if (play_long(&game, rules)) {
            struct move_list list;
            struct game_news news;
            double began = now_s();

            rules_legal_moves(rules, &game.position, &list);
            for (int round = 0; round < ROUNDS; round++)
                for (int i = 0; i < list.count; i++)
                    sum += (unsigned)game_judge_move(&game, game_turn(&game),
                                                     list.move[i], 0, &news)
                               .code;
            spent += now_s() - began;
            judged += (long)ROUNDS * list.count;
            games++;
        }
        game_clear(&game);
    }
    printf("judge a move, %-8s   ply 201, history 90 plies  %6.3f us (below 2)%s\n",
           ruleset_name(rules), spent / (double)judged * 1e6, sum == 0 ? "" : " ?");
    return sum == 0 && spent / (double)judged < 2e-6;
}

int main(int argc, char **argv)
{
    bool is_fast;

    random_state = 20260601;
    if (argc == 3 && strcmp(argv[1], "perft") == 0) {
        printf("%llu\n", (unsigned long long)our_perft(atoi(argv[2])));
        return 0;
    }
    is_fast = bench_perft();
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        is_fast = bench_judge(ruleset_at(i)) && is_fast;
    return is_fast ? 0 : 1;
}
