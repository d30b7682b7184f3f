/* See eval.h. Each term is one idea of a player; the weights were tuned by matches of
 * the program against itself. */
#include "client/engine/eval.h"

#include "common/game/reach.h"
#include "common/game/ruleset.h"

/* One side's pieces. */
struct camp {
    enum side side;
    struct points own;
    struct points fortress; /* the enemy's, a target */
    struct crowd crowd;
};

static const int worth[KINDS] = {0, 1300, 500, 300, 300, 0, 700, 200};

int eval_kind(enum kind kind)
{
    return worth[kind];
}

/* --- Where a piece stands --- */

/* Indexed by the rows ahead of the home row, and by files from the middle. */
enum { HALF_FILES = BOARD_FILES / 2 + 1 };

static const int8_t knight_stands[BOARD_ROWS][HALF_FILES] = {
    {-20, -20, -15, -15, -25}, {-10, -10, -5, -5, -20}, {5, 5, 10, 0, -15},
    {10, 10, 10, 5, -10},      {15, 15, 15, 10, -5},    {20, 20, 20, 15, 0},
    {20, 20, 20, 15, 0},       {15, 15, 15, 10, 0},     {5, 5, 10, 5, -5},
    {0, 0, 0, -5, -15},
};

static const int8_t bishop_stands[BOARD_ROWS][HALF_FILES] = {
    {-10, -10, -10, -10, -15}, {-5, -5, -5, -5, -10}, {5, 5, 0, 0, -10},
    {15, 10, 10, 5, -5},       {15, 10, 10, 5, -5},   {15, 15, 10, 5, -5},
    {15, 15, 10, 5, -5},       {5, 5, 5, 0, -10},     {0, 0, 0, 0, -10},
    {-5, -5, -5, -5, -15},
};

static const int8_t pawn_stands[BOARD_ROWS][HALF_FILES] = {
    {0, 0, 0, 0, 0},           {0, 0, 0, 0, 0},      {0, 0, 0, 0, 0},
    {10, 0, 10, 0, 0},         {15, 10, 15, 5, 5},   {20, 20, 20, 15, 10},
    {40, 40, 35, 25, 15},      {55, 55, 40, 25, 10}, {60, 50, 30, 10, -10},
    {-20, -20, -40, -60, -80},
};

/* King and guards are safest where the king's back is covered. */
static const int8_t king_stands[3][2] = {{25, 25}, {10, -10}, {-50, -60}};
static const int8_t guard_stands[3][2] = {{5, 5}, {15, 5}, {-10, -15}};

static int stand_of(enum kind kind, enum side side, int point)
{
    int row = side_rows_ahead(side, point);
    int file = point_file(point) - BOARD_FILES / 2;

    if (file < 0)
        file = -file;
    switch (kind) {
    case KIND_KNIGHT:
        return knight_stands[row][file];
    case KIND_BISHOP:
        return bishop_stands[row][file];
    case KIND_PAWN:
        return pawn_stands[row][file];
    case KIND_KING:
        return king_stands[row][file];
    case KIND_GUARD:
        return guard_stands[row][file];
    default:
        return 0; /* rooks and cannons are evaluated by their lines */
    }
}

/* --- What a piece does --- */

static const int8_t for_way[KINDS] = {0, 4, 7, 5, 0, 0, 4, 0};
/* For each point of the enemy's fortress that the piece attacks. */
static const int8_t for_siege[KINDS] = {0, 9, 10, 7, 0, 0, 8, 12};

static int deeds_of(enum kind kind, int point, const struct camp *camp)
{
    struct points reach = reach_of(kind, camp->side, point, &camp->crowd);
    struct points siege = points_and(reach, camp->fortress);
    int score = for_way[kind] * points_count(points_less(reach, camp->own));

    return points_is_empty(siege) ? score
                                  : score + for_siege[kind] * points_count(siege);
}

/* Two pawns side by side protect each other. */
static int pairs_of(struct points pawns)
{
    int pairs = 0;

    for (struct points left = pawns; !points_is_empty(left);) {
        int point = points_take(&left);

        if (point_file(point) < BOARD_FILES - 1 && points_has(pawns, point + 1))
            pairs++;
    }
    return pairs;
}

enum { FOR_PAIR = 14, FOR_BOTH_GUARDS = 30 };

static int camp_score(const struct position *position, const struct camp *camp)
{
    struct points pawns = points_and(camp->own, position->of_kind[KIND_PAWN]);
    struct points guards = points_and(camp->own, position->of_kind[KIND_GUARD]);
    int score = FOR_PAIR * pairs_of(pawns);

    for (struct points men = camp->own; !points_is_empty(men);) {
        int point = points_take(&men);
        enum kind kind = piece_kind(position->at[point]);

        score += worth[kind] + stand_of(kind, camp->side, point);
        if (kind != KIND_KING && kind != KIND_GUARD)
            score += deeds_of(kind, point, camp);
    }
    if (points_count(guards) == 2)
        score += FOR_BOTH_GUARDS;
    return score;
}

/* --- The whole --- */

static struct points fortress_of(enum side side)
{
    /* D0-F2 and D7-F9. */
    static const struct points fortress[SIDES] = {
        {UINT64_C(0x38) | UINT64_C(0x38) << 9 | UINT64_C(0x38) << 18, 0},
        {0, UINT64_C(0x38) << 18 | UINT64_C(0x38) << 27 | UINT64_C(0x38) << 36}};

    return fortress[side];
}

/* Where points decide at the end, a lead is worth more than the difference: every ply
 * brings the end nearer. */
enum { FOR_THE_LEAD = 40 };
/* The side that moves first wins more games, although the other one gets 1.5 points
 * (J1): they count only where points decide. With this value an even game scores 0. */
enum { FOR_THE_FIRST = 60 };

static int lead_of(const struct ruleset *rules, const struct position *position)
{
    int red = rules_points_halves(rules, position, SIDE_RED);
    int blue = rules_points_halves(rules, position, SIDE_BLUE);
    int first = rules->first_mover == SIDE_RED ? FOR_THE_FIRST : -FOR_THE_FIRST;

    if (!rules->counts_points)
        return 0;
    return first + (red > blue ? FOR_THE_LEAD : -FOR_THE_LEAD);
}

/* Reduces the score of a side that cannot win any more (M5), and of all positions when
 * a draw by no capture comes near. */
static int temper(const struct ruleset *rules, const struct position *position,
                  int red_score)
{
    enum side ahead = red_score > 0 ? SIDE_RED : SIDE_BLUE;
    int quiet = (int)position->quiet < 100 ? (int)position->quiet : 100;

    if (position->forfeits >> ahead & 1)
        red_score /= 32;
    if (!rules->counts_points && quiet > EVAL_QUIET)
        red_score = red_score * (100 + EVAL_QUIET - quiet) / 100;
    return red_score;
}

enum { FOR_THE_MOVE = 15 };

int eval_position(const struct ruleset *rules, const struct position *position)
{
    struct crowd crowd = {position_taken(position), position->of_kind[KIND_CANNON]};
    struct camp red = {SIDE_RED, position->of_side[SIDE_RED], fortress_of(SIDE_BLUE),
                       crowd};
    struct camp blue = {SIDE_BLUE, position->of_side[SIDE_BLUE], fortress_of(SIDE_RED),
                        crowd};
    int score = camp_score(position, &red) - camp_score(position, &blue);

    score = temper(rules, position, score + lead_of(rules, position));
    return FOR_THE_MOVE + (position->side == SIDE_RED ? score : -score);
}
