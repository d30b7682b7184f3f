/* See eval.h. Each term is one idea of a player. The weights were fitted by logistic
 * regression to 740 games, to their results and to the scores of the searches in them. */
#include "client/engine/eval.h"

#include "common/game/reach.h"
#include "common/game/ruleset.h"

/* One side's pieces. */
struct camp {
    enum side side;
    struct points own;
    struct points pawns;
    struct points fortress;        /* the enemy's, a target */
    struct points attacked[KINDS]; /* by the pieces of each kind */
    struct points attacked_by_any;
    struct crowd crowd;
};

/* A weight may change with the stage of the game: EARLY counts fully while all rooks,
 * cannons, knights and bishops are on the board, LATE when none is. */
enum stage { EARLY, LATE, STAGES };
enum { OFFICERS = 16 };

struct tally {
    int always;
    int at[STAGES];
};

/* The value of a piece in an exchange: its points by the rules. */
int eval_kind(enum kind kind)
{
    static const int points[KINDS] = {0, 1300, 500, 300, 300, 0, 700, 200};

    return points[kind];
}

/* In the evaluation. A knight, which needs free points beside it, gains as the board
 * empties; a bishop finds less to attack. */
static const int worth[STAGES][KINDS] = {
    [EARLY] = {0, 1265, 375, 345, 230, 0, 590, 190},
    [LATE] = {0, 1455, 630, 155, 435, 0, 600, 175},
};

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

/* For each point that the piece can go to and that no enemy pawn attacks. */
static const int8_t for_way[KINDS] = {0, 4, 7, 5, 0, 0, 4, 0};
/* For each point of the enemy's fortress that the piece attacks. */
static const int8_t for_siege[KINDS] = {0, 8, 5, 19, 0, 0, 8, 25};

static int deeds_of(enum kind kind, struct points reach, const struct camp *camp,
                    const struct camp *enemy)
{
    struct points shut = points_or(camp->own, enemy->attacked[KIND_PAWN]);
    struct points siege = points_and(reach, camp->fortress);
    int score =
        for_way[kind] == 0 ? 0 : for_way[kind] * points_count(points_less(reach, shut));

    return points_is_empty(siege) ? score
                                  : score + for_siege[kind] * points_count(siege);
}

static struct points attacked_by_pawns(const struct camp *camp)
{
    struct points attacked = points_none();

    for (struct points left = camp->pawns; !points_is_empty(left);)
        attacked = points_or(attacked, reach_pawn(points_take(&left), camp->side));
    return attacked;
}

/* --- Threats --- */

/* A piece that an enemy attacks and none of its own side defends. */
static const int8_t for_hanging[KINDS] = {0, 35, 53, 35, 10, 0, 40, 76};
/* A defended piece that an enemy of less value attacks. */
static const int8_t for_pressed[KINDS] = {0, 40, 43, 52, 30, 0, 60, 0};

/* The points where a piece of lesser value than kind may capture. */
static struct points attacked_by_lesser(const struct camp *enemy, enum kind kind)
{
    struct points points = enemy->attacked[KIND_PAWN];

    if (kind == KIND_ROOK)
        points = points_or(points, enemy->attacked[KIND_CANNON]);
    if (kind == KIND_ROOK || kind == KIND_CANNON)
        points = points_or(points, enemy->attacked[KIND_KNIGHT]);
    if (kind == KIND_ROOK || kind == KIND_CANNON || kind == KIND_KNIGHT)
        points = points_or(points, points_or(enemy->attacked[KIND_BISHOP],
                                             enemy->attacked[KIND_GUARD]));
    return points;
}

/* The value that the camp loses, because the enemy attacks its pieces. */
static int threats_to(const struct position *position, const struct camp *camp,
                      const struct camp *enemy)
{
    struct points attacked = points_and(camp->own, enemy->attacked_by_any);
    int score = 0;

    attacked = points_less(attacked, position->of_kind[KIND_KING]);
    while (!points_is_empty(attacked)) {
        int point = points_take(&attacked);
        enum kind kind = piece_kind(position->at[point]);

        if (!points_has(camp->attacked_by_any, point))
            score += for_hanging[kind];
        else if (for_pressed[kind] != 0 &&
                 points_has(attacked_by_lesser(enemy, kind), point))
            score += for_pressed[kind];
    }
    return score;
}

/* --- Structure --- */

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

enum { FOR_PAIR = 29 };

/* Adds sign times what the pieces of camp are worth, and notes what they attack. */
static void look_at(const struct position *position, struct camp *camp,
                    const struct camp *enemy, int sign, struct tally *tally)
{
    int score = FOR_PAIR * pairs_of(camp->pawns);

    for (struct points men = camp->own; !points_is_empty(men);) {
        int point = points_take(&men);
        enum kind kind = piece_kind(position->at[point]);
        struct points reach = reach_of(kind, camp->side, point, &camp->crowd);

        camp->attacked[kind] = points_or(camp->attacked[kind], reach);
        camp->attacked_by_any = points_or(camp->attacked_by_any, reach);
        score += stand_of(kind, camp->side, point);
        if (kind != KIND_KING && kind != KIND_GUARD)
            score += deeds_of(kind, reach, camp, enemy);
        tally->at[EARLY] += sign * worth[EARLY][kind];
        tally->at[LATE] += sign * worth[LATE][kind];
    }
    tally->always += sign * score;
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

/* Where points decide at the end, a lead is worth more than the difference, and more
 * when fewer pieces can change it. */
enum { FOR_THE_LEAD = 190 };
/* The side that moves first wins more games, although the other one gets 1.5 points
 * (J1): they count only where points decide. With these values an even game scores
 * about 0. */
static const int for_the_first[STAGES] = {45, 15};

static void add_lead(const struct ruleset *rules, const struct position *position,
                     struct tally *tally)
{
    int red, blue, first = rules->first_mover == SIDE_RED ? 1 : -1;

    if (!rules->counts_points)
        return;
    red = rules_points_halves(rules, position, SIDE_RED);
    blue = rules_points_halves(rules, position, SIDE_BLUE);
    tally->at[EARLY] += first * for_the_first[EARLY];
    tally->at[LATE] += first * for_the_first[LATE];
    tally->at[LATE] += red > blue ? FOR_THE_LEAD : -FOR_THE_LEAD;
}

static int weigh(const struct position *position, const struct tally *tally)
{
    const struct points *of_kind = position->of_kind;
    int early =
        points_count(points_or(points_or(of_kind[KIND_ROOK], of_kind[KIND_CANNON]),
                               points_or(of_kind[KIND_KNIGHT], of_kind[KIND_BISHOP])));

    return tally->always +
           (tally->at[EARLY] * early + tally->at[LATE] * (OFFICERS - early)) / OFFICERS;
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

static struct camp camp_of(const struct position *position, enum side side)
{
    struct camp camp = {
        .side = side,
        .own = position->of_side[side],
        .fortress = fortress_of(side_other(side)),
        .crowd = {position_taken(position), position->of_kind[KIND_CANNON]}};

    camp.pawns = points_and(camp.own, position->of_kind[KIND_PAWN]);
    camp.attacked[KIND_PAWN] = attacked_by_pawns(&camp);
    return camp;
}

enum { FOR_THE_MOVE = 30 };

int eval_position(const struct ruleset *rules, const struct position *position)
{
    struct camp red = camp_of(position, SIDE_RED), blue = camp_of(position, SIDE_BLUE);
    struct tally tally = {.always = 0};
    int score;

    look_at(position, &red, &blue, 1, &tally);
    look_at(position, &blue, &red, -1, &tally);
    tally.always +=
        threats_to(position, &blue, &red) - threats_to(position, &red, &blue);
    add_lead(rules, position, &tally);
    score = temper(rules, position, weigh(position, &tally));
    return FOR_THE_MOVE + (position->side == SIDE_RED ? score : -score);
}
