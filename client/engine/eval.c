/* See eval.h. The values of the pieces, and the bonus for the side that leads in
 * points, were fitted to 740 games by logistic regression. Then the network was trained
 * to correct the score that these values give. */
#include "client/engine/eval.h"

#include "common/game/points.h"
#include "common/game/ruleset.h"

/* A weight can have one value for each stage of the game. The value for EARLY is used
 * while all rooks, cannons, knights and bishops are on the board. The value for LATE is
 * used when all of these pieces have been captured. Between the stages, the two values
 * are mixed. */
enum stage { EARLY, LATE, STAGES };
enum { OFFICERS = 16 };

/* Returns the value of the piece in an exchange: the points that the rules give for the
 * piece, in hundredths of a point. */
int eval_kind(enum kind kind)
{
    static const int points[KINDS] = {0, 1300, 500, 300, 300, 0, 700, 200};

    return points[kind];
}

/* The values of the pieces in the evaluation, by stage. A knight, which needs free
 * points beside it, gains value as the board empties. A bishop loses value, because it
 * finds less to attack. */
static const int worth[STAGES][KINDS] = {
    [EARLY] = {0, 1265, 375, 345, 230, 0, 590, 190},
    [LATE] = {0, 1455, 630, 155, 435, 0, 600, 175},
};

/* The bonus for the side that leads in points, in rulesets where points decide at the
 * end of the game. It is part of the score for LATE only. */
enum { FOR_THE_LEAD = 190 };
/* The bonus for the first player, in rulesets where points decide. There the second
 * player gets 1.5 points (J1), but the first player still wins more games. With these
 * values, an even game scores about 0. */
static const int for_the_first[STAGES] = {45, 15};
/* The bonus for the side to move. */
enum { FOR_THE_MOVE = 30 };

static void add_pieces(const struct position *position, int score[STAGES])
{
    for (int kind = KIND_NONE + 1; kind < KINDS; kind++) {
        struct points men = position->of_kind[kind];
        int more = points_count(points_and(men, position->of_side[SIDE_RED])) -
                   points_count(points_and(men, position->of_side[SIDE_BLUE]));

        for (int stage = EARLY; stage < STAGES; stage++)
            score[stage] += more * worth[stage][kind];
    }
}

static void add_lead(const struct ruleset *rules, const struct position *position,
                     int score[STAGES])
{
    int red, blue, first = rules->first_mover == SIDE_RED ? 1 : -1;

    if (!rules->counts_points)
        return;
    red = rules_points_halves(rules, position, SIDE_RED);
    blue = rules_points_halves(rules, position, SIDE_BLUE);
    for (int stage = EARLY; stage < STAGES; stage++)
        score[stage] += first * for_the_first[stage];
    score[LATE] += red > blue ? FOR_THE_LEAD : -FOR_THE_LEAD;
}

int eval_officers(const struct position *position)
{
    const struct points *of_kind = position->of_kind;

    return points_count(
        points_or(points_or(of_kind[KIND_ROOK], of_kind[KIND_CANNON]),
                  points_or(of_kind[KIND_KNIGHT], of_kind[KIND_BISHOP])));
}

int eval_material(const struct ruleset *rules, const struct position *position)
{
    int score[STAGES] = {0}, early = eval_officers(position), red;

    add_pieces(position, score);
    add_lead(rules, position, score);
    red = (score[EARLY] * early + score[LATE] * (OFFICERS - early)) / OFFICERS;
    return FOR_THE_MOVE + (position->side == SIDE_RED ? red : -red);
}

/* Reduces the score if the leading side has lost the right to win (M2 and M5 in
 * RULES.md). In rulesets where points do not decide, also reduces the score if many
 * plies have passed without a capture, because the game may soon be a draw. */
static int temper(const struct ruleset *rules, const struct position *position,
                  int score)
{
    enum side side = (enum side)position->side;
    enum side ahead = score > 0 ? side : side_other(side);
    int quiet = (int)position->quiet < 100 ? (int)position->quiet : 100;

    if (position->forfeits >> ahead & 1)
        score /= 32;
    if (!rules->counts_points && quiet > EVAL_QUIET)
        score = score * (100 + EVAL_QUIET - quiet) / 100;
    return score;
}

int eval_position(const struct ruleset *rules, const struct position *position,
                  const struct nnue_accumulator *accumulator)
{
    int score =
        eval_material(rules, position) +
        nnue_score(accumulator, (enum side)position->side, eval_officers(position));

    return temper(rules, position, score);
}
