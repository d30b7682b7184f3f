/* See reach.h. The first part of the file is the geometry, from which the tables are
 * computed once. The second part is the pieces, one function for each rule. */
#include "common/game/reach.h"

#include <stdlib.h>

/* --- Geometry --- */

/* The four painted diagonals (G4), each as a corner of a fortress, its centre, and the
 * opposite corner. */
enum { DIAGONALS = 4, DIAGONAL_POINTS = 3 };
static const char diagonals[DIAGONALS][DIAGONAL_POINTS][3] = {
    {"D0", "E1", "F2"}, {"F0", "E1", "D2"}, {"D7", "E8", "F9"}, {"F7", "E8", "D9"}};

/* Returns the point that is `files` to the right of `point` and `rows` above it;
 * POINT_NONE if that is off the board. */
static int offset(int point, int files, int rows)
{
    int file = point_file(point) + files;
    int row = point_row(point) + rows;

    if (file < 0 || file >= BOARD_FILES || row < 0 || row >= BOARD_ROWS)
        return POINT_NONE;
    return point_at(file, row);
}

/* One path of a knight or a bishop: the points that it passes, and the points where it
 * can end. */
struct leg {
    struct points path;
    struct points ends;
};
enum { KNIGHT_LEGS = 4, BISHOP_LEGS = 8 };

/* The painted diagonals as seen from one point. next: the points that are one step
 * away. If the point is a corner of a fortress, middle is the centre of the fortress
 * and far is the opposite corner. For all other points, middle and far are empty. */
struct diagonal {
    struct points next;
    struct points middle;
    struct points far;
};

/* The points of a row or a file are bits of an integer, the lowest file or row first.
 * There are no points behind an end point, so a piece on an end point does not block
 * other points. So the tables below are indexed only by the pieces between the two end
 * points. */
enum { ROW_INDEX = 1 << (BOARD_FILES - 2), FILE_INDEX = 1 << (BOARD_ROWS - 2) };

/* Constants that are computed before main() begins, by the functions *_init() below.
 * Nothing writes to them later. */
static uint16_t rook_on_row[BOARD_FILES][ROW_INDEX],
    jump_on_row[BOARD_FILES][ROW_INDEX];
static uint16_t rook_on_file[BOARD_ROWS][FILE_INDEX],
    jump_on_file[BOARD_ROWS][FILE_INDEX];
static struct diagonal diagonal_at[BOARD_POINTS];
static struct leg knight_leg[BOARD_POINTS][KNIGHT_LEGS];
static struct leg bishop_leg[BOARD_POINTS][BISHOP_LEGS];
static struct points knight_ring[BOARD_POINTS]; /* the end points of all paths, blocked
                                                 * or not */
static struct points bishop_ring[BOARD_POINTS];
static struct points king_step[BOARD_POINTS];
static struct points pawn_step[SIDES][BOARD_POINTS];
static struct points pawn_from[SIDES][BOARD_POINTS]; /* the points from which a pawn can
                                                      * step onto a point */
static struct points lines_of[BOARD_POINTS];         /* all points in line with the
                                                      * point */
static struct points between[BOARD_POINTS][BOARD_POINTS];
static uint64_t file_bits[1 << BOARD_ROWS / 2]; /* file_bits[word]: bit i of word, moved
                                                 * to bit 9 * i (a point of file A) */

/* Returns the points that a piece on `at` reaches on a line of `length` points. A rook
 * reaches all points up to the first piece, with the point of that piece. A cannon
 * (is_jump) reaches the points behind the first piece up to the second piece, with the
 * point of the second piece. */
static unsigned walk(int at, int length, unsigned taken, bool is_jump)
{
    unsigned reach = 0;

    for (int step = -1; step <= 1; step += 2) {
        bool is_open = !is_jump;

        for (int i = at + step; i >= 0 && i < length; i += step) {
            bool is_taken = taken >> i & 1;

            if (is_open)
                reach |= 1u << i;
            if (is_taken && is_open)
                break;
            is_open = is_open || is_taken;
        }
    }
    return reach;
}

static void lines_init(void)
{
    for (int at = 0; at < BOARD_FILES; at++)
        for (unsigned inner = 0; inner < ROW_INDEX; inner++) {
            rook_on_row[at][inner] = (uint16_t)walk(at, BOARD_FILES, inner << 1, false);
            jump_on_row[at][inner] = (uint16_t)walk(at, BOARD_FILES, inner << 1, true);
        }
    for (int at = 0; at < BOARD_ROWS; at++)
        for (unsigned inner = 0; inner < FILE_INDEX; inner++) {
            rook_on_file[at][inner] = (uint16_t)walk(at, BOARD_ROWS, inner << 1, false);
            jump_on_file[at][inner] = (uint16_t)walk(at, BOARD_ROWS, inner << 1, true);
        }
    for (unsigned word = 0; word < ARRAY_LEN(file_bits); word++)
        for (int i = 0; i < BOARD_ROWS / 2; i++)
            file_bits[word] |= (uint64_t)(word >> i & 1) << (i * BOARD_FILES);
}

static void add(struct points *set, int point)
{
    if (point != POINT_NONE)
        *set = points_or(*set, points_of(point));
}

static void diagonals_init(void)
{
    for (int i = 0; i < DIAGONALS; i++) {
        int centre = side_parse_point(diagonals[i][1]);

        for (int end = 0; end <= 2; end += 2) {
            int corner = side_parse_point(diagonals[i][end]);
            int other = side_parse_point(diagonals[i][2 - end]);

            add(&diagonal_at[centre].next, corner);
            diagonal_at[corner] = (struct diagonal){
                points_of(centre), points_of(centre), points_of(other)};
        }
    }
}

/* Computes paths of a knight on `point` and of a bishop on `point`. The first step of
 * each path goes one point in the straight direction (files, rows). The next steps go
 * diagonally outward, to either side. */
static void legs_init_way(int point, int files, int rows)
{
    int near = offset(point, files, rows);

    if (near == POINT_NONE)
        return;
    for (int turn = -1; turn <= 1; turn += 2) {
        int file_step = files != 0 ? files : turn;
        int row_step = rows != 0 ? rows : turn;
        int knight_end = offset(near, file_step, row_step);
        int bishop_end = offset(near, 2 * file_step, 2 * row_step);
        int way = files != 0 ? files + 1 : rows + 2; /* straight direction, 0-3 */
        struct leg *knight = &knight_leg[point][way];
        struct leg *bishop = &bishop_leg[point][2 * way + (turn + 1) / 2];

        knight->path = points_of(near);
        add(&knight->ends, knight_end);
        add(&knight_ring[point], knight_end);
        if (bishop_end == POINT_NONE)
            continue;
        bishop->path = points_or(points_of(near), points_of(knight_end));
        bishop->ends = points_of(bishop_end);
        add(&bishop_ring[point], bishop_end);
    }
}

/* Computes the steps of king and guards: along painted lines inside owner's fortress
 * (P4). */
static void king_init(int point, enum side owner)
{
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

    king_step[point] = diagonal_at[point].next;
    for (int i = 0; i < 4; i++) {
        int to = offset(point, ways[i][0], ways[i][1]);

        if (to != POINT_NONE && side_owns_fortress_at(owner, to))
            add(&king_step[point], to);
    }
}

/* Computes the steps of a pawn: forward or sideways; in the enemy fortress also forward
 * along a diagonal (P6). */
static void pawn_init(int point, enum side side)
{
    int forward = side_forward(side);
    struct points steps = points_none();

    add(&steps, offset(point, 0, forward));
    add(&steps, offset(point, 1, 0));
    add(&steps, offset(point, -1, 0));
    if (side_owns_fortress_at(side_other(side), point))
        for (int files = -1; files <= 1; files += 2) {
            int to = offset(point, files, forward);

            if (to != POINT_NONE && points_has(diagonal_at[point].next, to))
                add(&steps, to);
        }
    pawn_step[side][point] = steps;
    for (struct points left = steps; !points_is_empty(left);)
        add(&pawn_from[side][points_take(&left)], point);
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static void between_init(int a, int b)
{
    int files = point_file(b) - point_file(a);
    int rows = point_row(b) - point_row(a);

    if (points_has(diagonal_at[a].far, b)) {
        add(&lines_of[a], b);
        between[a][b] = diagonal_at[a].middle;
    } else if (points_has(diagonal_at[a].next, b)) {
        add(&lines_of[a], b);
    } else if (a != b && (files == 0 || rows == 0)) {
        add(&lines_of[a], b);
        for (int p = offset(a, sign(files), sign(rows)); p != b;
             p = offset(p, sign(files), sign(rows)))
            add(&between[a][b], p);
    }
}

__attribute__((constructor)) static void reach_init(void)
{
    lines_init();
    diagonals_init();
    for (int point = 0; point < BOARD_POINTS; point++) {
        legs_init_way(point, 1, 0);
        legs_init_way(point, -1, 0);
        legs_init_way(point, 0, 1);
        legs_init_way(point, 0, -1);
        for (int side = 0; side < SIDES; side++) {
            pawn_init(point, (enum side)side);
            if (side_owns_fortress_at((enum side)side, point))
                king_init(point, (enum side)side);
        }
        for (int other = 0; other < BOARD_POINTS; other++)
            between_init(point, other);
    }
}

/* --- Lines as words --- */

/* Returns the nine points of a row as the bits 0 to 8, file A first. */
static unsigned row_word(struct points set, int row)
{
    uint64_t half = row < BOARD_ROWS / 2 ? set.low : set.high;

    return half >> row % (BOARD_ROWS / 2) * BOARD_FILES & 0x1ff;
}

static struct points row_points(unsigned word, int row)
{
    uint64_t bits = (uint64_t)word << row % (BOARD_ROWS / 2) * BOARD_FILES;

    return row < BOARD_ROWS / 2 ? (struct points){bits, 0} : (struct points){0, bits};
}

/* Returns the bits 0, 9, 18, 27 and 36 of file_a as the bits 0 to 4. The factor moves
 * bit 9i to bit 36 + i, and no two products fall on the same bit. */
static unsigned gather(uint64_t file_a)
{
    return (file_a & UINT64_C(0x1008040201)) * UINT64_C(0x1010101010) >> 36 & 0x1f;
}

static unsigned file_word(struct points set, int file)
{
    return gather(set.low >> file) | gather(set.high >> file) << 5;
}

static struct points file_points(unsigned word, int file)
{
    return (struct points){file_bits[word & 0x1f] << file,
                           file_bits[word >> 5] << file};
}

static unsigned row_index(unsigned word)
{
    return word >> 1 & (ROW_INDEX - 1);
}

static unsigned file_index(unsigned word)
{
    return word >> 1 & (FILE_INDEX - 1);
}

/* --- The pieces --- */

struct points reach_rook(int from, struct points taken)
{
    int file = point_file(from), row = point_row(from);
    unsigned on_row = rook_on_row[file][row_index(row_word(taken, row))];
    unsigned on_file = rook_on_file[row][file_index(file_word(taken, file))];
    const struct diagonal *diagonal = &diagonal_at[from];
    struct points reach =
        points_or(row_points(on_row, row), file_points(on_file, file));

    reach = points_or(reach, diagonal->next);
    if (!points_meet(diagonal->middle, taken))
        reach = points_or(reach, diagonal->far);
    return reach;
}

/* Removes from `jump` the points in each direction where the first piece is a cannon,
 * because a cannon cannot jump a cannon. open: the points that a rook would reach.
 * jump: the points that a cannon would reach if it could jump every piece. */
static unsigned without_cannon_jumps(int at, unsigned open, unsigned jump,
                                     unsigned cannons)
{
    unsigned below = (1u << at) - 1;

    if (open & cannons & below)
        jump &= ~below;
    if (open & cannons & ~below)
        jump &= below;
    return jump;
}

struct points reach_cannon(int from, const struct crowd *crowd)
{
    int file = point_file(from), row = point_row(from);
    unsigned row_at = row_index(row_word(crowd->taken, row));
    unsigned file_at = file_index(file_word(crowd->taken, file));
    unsigned on_row =
        without_cannon_jumps(file, rook_on_row[file][row_at], jump_on_row[file][row_at],
                             row_word(crowd->cannons, row));
    unsigned on_file = without_cannon_jumps(row, rook_on_file[row][file_at],
                                            jump_on_file[row][file_at],
                                            file_word(crowd->cannons, file));
    const struct diagonal *diagonal = &diagonal_at[from];
    struct points reach =
        points_or(row_points(on_row, row), file_points(on_file, file));

    if (points_meet(diagonal->middle, points_less(crowd->taken, crowd->cannons)))
        reach = points_or(reach, diagonal->far);
    return reach;
}

static struct points reach_over(const struct leg *leg, int count, struct points taken)
{
    struct points reach = points_none();

    for (int i = 0; i < count; i++)
        if (!points_meet(leg[i].path, taken))
            reach = points_or(reach, leg[i].ends);
    return reach;
}

struct points reach_knight(int from, struct points taken)
{
    return reach_over(knight_leg[from], KNIGHT_LEGS, taken);
}

struct points reach_bishop(int from, struct points taken)
{
    return reach_over(bishop_leg[from], BISHOP_LEGS, taken);
}

struct points reach_king(int from)
{
    return king_step[from];
}

struct points reach_pawn(int from, enum side side)
{
    return pawn_step[side][from];
}

struct points reach_of(enum kind kind, enum side side, int from,
                       const struct crowd *crowd)
{
    switch (kind) {
    case KIND_ROOK:
        return reach_rook(from, crowd->taken);
    case KIND_KNIGHT:
        return reach_knight(from, crowd->taken);
    case KIND_BISHOP:
        return reach_bishop(from, crowd->taken);
    case KIND_GUARD:
    case KIND_KING:
        return reach_king(from);
    case KIND_CANNON:
        return points_less(reach_cannon(from, crowd), crowd->cannons);
    case KIND_PAWN:
        return reach_pawn(from, side);
    case KIND_NONE:
        break;
    }
    return points_none();
}

/* --- Attacks on a point --- */

/* Returns the pieces in `men` that reach `point` and are not blocked. All pieces in
 * `men` are knights, or all are bishops; `reach` is the function for that kind. */
static struct points unhindered(int point, struct points men, struct points taken,
                                struct points (*reach)(int, struct points))
{
    struct points found = points_none();

    while (!points_is_empty(men)) {
        int from = points_take(&men);

        if (points_has(reach(from, taken), point))
            add(&found, from);
    }
    return found;
}

struct points reach_attackers(int point, enum side side, struct points attackers,
                              const struct points kinds[KINDS],
                              const struct crowd *crowd)
{
    struct points rooks = points_and(attackers, kinds[KIND_ROOK]);
    struct points cannons = points_and(attackers, kinds[KIND_CANNON]);
    struct points knights = points_and(attackers, kinds[KIND_KNIGHT]);
    struct points bishops = points_and(attackers, kinds[KIND_BISHOP]);
    struct points found =
        points_and(points_and(attackers, kinds[KIND_PAWN]), pawn_from[side][point]);

    /* If a rook or a cannon can move from a to b, it can also move from b to a. So
     * compute the moves that start on `point`. */
    if (points_meet(rooks, lines_of[point]))
        found = points_or(found, points_and(rooks, reach_rook(point, crowd->taken)));
    if (points_meet(cannons, lines_of[point]))
        found = points_or(found, points_and(cannons, reach_cannon(point, crowd)));
    knights = points_and(knights, knight_ring[point]);
    bishops = points_and(bishops, bishop_ring[point]);
    if (!points_is_empty(knights))
        found =
            points_or(found, unhindered(point, knights, crowd->taken, reach_knight));
    if (!points_is_empty(bishops))
        found =
            points_or(found, unhindered(point, bishops, crowd->taken, reach_bishop));
    return found;
}

/* Returns all points of the paths that end on point. leg: the `count` paths of one
 * knight or bishop. */
static struct points paths_to(int point, const struct leg *leg, int count)
{
    struct points paths = points_none();

    for (int i = 0; i < count; i++)
        if (points_has(leg[i].ends, point))
            paths = points_or(paths, leg[i].path);
    return paths;
}

struct points reach_watch(int point, struct points attackers,
                          const struct points kinds[KINDS])
{
    struct points watch = points_none();
    struct points liners = points_and(points_and(attackers, lines_of[point]),
                                      points_or(kinds[KIND_ROOK], kinds[KIND_CANNON]));
    struct points knights =
        points_and(points_and(attackers, knight_ring[point]), kinds[KIND_KNIGHT]);
    struct points bishops =
        points_and(points_and(attackers, bishop_ring[point]), kinds[KIND_BISHOP]);

    while (!points_is_empty(liners))
        watch = points_or(watch, between[point][points_take(&liners)]);
    while (!points_is_empty(knights))
        watch = points_or(
            watch, paths_to(point, knight_leg[points_take(&knights)], KNIGHT_LEGS));
    while (!points_is_empty(bishops))
        watch = points_or(
            watch, paths_to(point, bishop_leg[points_take(&bishops)], BISHOP_LEGS));
    return watch;
}

bool reach_are_bare(int a, int b, struct points taken)
{
    return point_file(a) == point_file(b) && !points_meet(between[a][b], taken);
}

/* --- Lines and legs, to explain a move --- */

bool reach_is_line(int a, int b, struct points *between_out)
{
    *between_out = between[a][b];
    return points_has(lines_of[a], b);
}

int reach_legs(enum kind kind, int from, int to, int legs[2])
{
    int files = point_file(to) - point_file(from);
    int rows = point_row(to) - point_row(from);
    int steps = kind == KIND_KNIGHT ? 1 : 2; /* diagonal steps */

    if (abs(files) == steps && abs(rows) == steps + 1)
        legs[0] = offset(from, 0, sign(rows));
    else if (abs(files) == steps + 1 && abs(rows) == steps)
        legs[0] = offset(from, sign(files), 0);
    else
        return 0;
    legs[1] = offset(legs[0], sign(files), sign(rows));
    return steps;
}
