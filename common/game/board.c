/* See board.h. */
#include "common/game/board.h"

#include <assert.h>
#include <string.h>

#include "common/base/base.h"
#include "common/base/text.h"
#include "common/game/points.h"
#include "common/game/position.h"

static_assert(sizeof(struct position) == 10 * 16 + 8 + 90 + 2 + 1 + 1 + 2 + 4 + 4,
              "a position has no holes, so that it can be compared byte by byte");

/* --- Keys --- */

/* Returns the next number of a fixed pseudo-random sequence (splitmix64). */
static uint64_t key_next(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Random numbers. There is a number for each piece on each point, for Blue to move, and
 * for the forfeits. The key of a position is the xor of its numbers (Zobrist hashing).
 * keys_init() computes the numbers before main() begins, because a written table of the
 * numbers would be long. The numbers do not change later. */
static uint64_t key_of_piece[2 * KINDS][BOARD_POINTS];
static uint64_t key_of_blue_to_move;
static uint64_t key_of_forfeits[1 << SIDES];

__attribute__((constructor)) static void keys_init(void)
{
    uint64_t seed = 0;

    for (int code = 0; code < 2 * KINDS; code++)
        for (int point = 0; point < BOARD_POINTS; point++)
            key_of_piece[code][point] = key_next(&seed);
    key_of_blue_to_move = key_next(&seed);
    for (int forfeits = 1; forfeits < 1 << SIDES; forfeits++)
        key_of_forfeits[forfeits] = key_next(&seed);
}

uint64_t position_key_of_turn(enum side side, unsigned forfeits)
{
    return key_of_forfeits[forfeits] ^ (side == SIDE_BLUE ? key_of_blue_to_move : 0);
}

void position_turn_over(struct position *position)
{
    position->side = (uint8_t)side_other((enum side)position->side);
    position->key ^= key_of_blue_to_move;
}

uint64_t position_key(const struct position *position)
{
    uint64_t key = position_key_of_turn((enum side)position->side, position->forfeits);

    for (int point = 0; point < BOARD_POINTS; point++)
        if (position->at[point] != 0)
            key ^= key_of_piece[position->at[point]][point];
    return key;
}

/* --- Pieces on points --- */

/* Adds a piece to the sets and the key, or removes it. Both are the same operation
 * (xor). */
static void toggle(struct position *position, int point, uint8_t code)
{
    struct points here = points_of(point);
    struct points *of_side = &position->of_side[piece_side(code)];
    struct points *of_kind = &position->of_kind[piece_kind(code)];

    of_side->low ^= here.low;
    of_side->high ^= here.high;
    of_kind->low ^= here.low;
    of_kind->high ^= here.high;
    position->key ^= key_of_piece[code][point];
}

void position_put(struct position *position, int point, uint8_t code)
{
    toggle(position, point, code);
    position->at[point] = code;
    if (piece_kind(code) == KIND_KING)
        position->king[piece_side(code)] = (int8_t)point;
}

void position_take_off(struct position *position, int point)
{
    toggle(position, point, position->at[point]);
    position->at[point] = 0;
}

enum kind position_kind(const struct position *position, int point)
{
    return piece_kind(position->at[point]);
}

enum side position_side(const struct position *position, int point)
{
    return position->at[point] == 0 ? SIDE_NONE : piece_side(position->at[point]);
}

static const char kind_letters[] = ".RNBGKCP"; /* by enum kind */

char position_letter(const struct position *position, int point)
{
    char letter = kind_letters[position_kind(position, point)];

    return (char)(position_side(position, point) == SIDE_BLUE ? letter | 0x20 : letter);
}

/* Returns the kind of piece that `letter` stands for; KIND_NONE if there is none. *side
 * gets the owner of the piece: small letters are Blue's. */
static enum kind kind_of_letter(char letter, enum side *side)
{
    char capital = (char)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    const char *found = capital == '\0' ? NULL : strchr(kind_letters + 1, capital);

    *side = letter == capital ? SIDE_RED : SIDE_BLUE;
    return found == NULL ? KIND_NONE : (enum kind)(found - kind_letters);
}

/* Places the pieces of side on one of its rows. letters: the pieces as capital letters,
 * with '.' for an empty point. rows_ahead: 0 for the side's home row, 1 for the
 * next. */
static void set_up_row(struct position *position, enum side side, int rows_ahead,
                       const char *letters)
{
    int row = side_home_row(side) + rows_ahead * side_forward(side);
    enum side unused;

    for (int file = 0; file < BOARD_FILES; file++)
        if (letters[file] != '.')
            position_put(position, point_at(file, row),
                         piece_code(kind_of_letter(letters[file], &unused), side));
}

void position_set_up(struct position *position, enum lineup red, enum lineup blue,
                     enum side first)
{
    const enum lineup lineup[SIDES] = {red, blue};
    char back_row[BOARD_FILES + 1] = "R??G.G??R";

    *position = (struct position){.side = (uint8_t)first, .move_number = 1};
    for (int side = 0; side < SIDES; side++) {
        memcpy(back_row + 1, lineup_name(lineup[side]), 2);
        memcpy(back_row + 6, lineup_name(lineup[side]) + 2, 2);
        set_up_row(position, (enum side)side, 0, back_row);
        set_up_row(position, (enum side)side, 1, "....K....");
        set_up_row(position, (enum side)side, 2, ".C.....C.");
        set_up_row(position, (enum side)side, 3, "P.P.P.P.P");
    }
    position->key = position_key(position);
}

/* --- Position text --- */

/* Adds a piece to point. If such a piece can never reach the point (RULES.md G9), adds
 * nothing and returns false. */
static bool put_if_possible(struct position *position, int point, enum kind kind,
                            enum side side, struct position_fault *why)
{
    if ((kind == KIND_KING || kind == KIND_GUARD) &&
        !side_owns_fortress_at(side, point))
        return position_refuse(why, (struct position_fault){.code = POSITION_FORTRESS,
                                                            .side = side,
                                                            .kind = kind,
                                                            .at = point});
    if (kind == KIND_PAWN && side_rows_ahead(side, point) < 3)
        return position_refuse(
            why,
            (struct position_fault){
                .code = POSITION_PAWN_BEHIND, .side = side, .kind = kind, .at = point});
    position_put(position, point, piece_code(kind, side));
    return true;
}

/* Reads one row of the board, up to the next '/' or the end of the board. Moves *text
 * to the end of the row. */
static bool parse_row(const char **text, int row, struct position *position,
                      struct position_fault *why)
{
    int file = 0;

    for (; **text != '/' && **text != ' ' && **text != '\0'; (*text)++) {
        enum side side;
        enum kind kind = kind_of_letter(**text, &side);
        int width = kind != KIND_NONE ? 1 : **text - '0';

        if (width < 1 || width > BOARD_FILES)
            return position_refuse(why, (struct position_fault){.code = POSITION_BYTE,
                                                                .row = row,
                                                                .byte = **text});
        if (file + width > BOARD_FILES)
            return position_refuse(
                why, (struct position_fault){.code = POSITION_ROW_LONG, .row = row});
        if (kind != KIND_NONE &&
            !put_if_possible(position, point_at(file, row), kind, side, why))
            return false;
        file += width;
    }
    if (file < BOARD_FILES)
        return position_refuse(why, (struct position_fault){.code = POSITION_ROW_SHORT,
                                                            .row = row,
                                                            .count = file});
    return true;
}

static bool parse_board(const char **text, struct position *position,
                        struct position_fault *why)
{
    for (int row = BOARD_ROWS - 1; row >= 0; row--) {
        if (!parse_row(text, row, position, why))
            return false;
        if (row > 0 && **text != '/')
            return position_refuse(
                why, (struct position_fault){.code = POSITION_ROW_MISSING, .row = row});
        if (row > 0)
            (*text)++;
    }
    if (**text == '/')
        return position_refuse(why, (struct position_fault){.code = POSITION_ROWS});
    return true;
}

static int count_of(const struct position *position, enum side side, enum kind kind)
{
    return points_count(points_and(position->of_side[side], position->of_kind[kind]));
}

/* Checks that each side has one king, or in a diagram at most one. */
static bool check_kings(const struct position *position, bool is_diagram,
                        struct position_fault *why)
{
    for (int side = 0; side < SIDES; side++) {
        int count = count_of(position, (enum side)side, KIND_KING);

        if (count > 1 || (count == 0 && !is_diagram))
            return position_refuse(why, (struct position_fault){.code = POSITION_KINGS,
                                                                .side = (enum side)side,
                                                                .kind = KIND_KING,
                                                                .count = count});
    }
    return true;
}

/* Checks that no side has more pieces than at the start (RULES.md G9). */
static bool check_counts(const struct position *position, struct position_fault *why)
{
    static const int most[KINDS] = {0, 2, 2, 2, 2, 1, 2, 5};

    for (int side = 0; side < SIDES; side++)
        for (int kind = KIND_ROOK; kind < KINDS; kind++) {
            int count = count_of(position, (enum side)side, (enum kind)kind);

            if (count > most[kind])
                return position_refuse(
                    why, (struct position_fault){.code = POSITION_TOO_MANY,
                                                 .side = (enum side)side,
                                                 .kind = (enum kind)kind,
                                                 .count = count,
                                                 .most = most[kind]});
        }
    return true;
}

/* Reads the next field, which has one space before it. False: there is no field, or it
 * is longer than any valid field. */
enum { FIELD_BYTES = 8 };
static bool next_field(const char **text, char field[FIELD_BYTES])
{
    size_t len = 0;

    if (**text != ' ')
        return false;
    for ((*text)++; **text != ' ' && **text != '\0'; (*text)++) {
        if (len == FIELD_BYTES - 1)
            return false;
        field[len++] = **text;
    }
    field[len] = '\0';
    return len > 0;
}

static bool parse_number(const char **text, int lo, int hi,
                         enum position_fault_code code, int64_t *out,
                         struct position_fault *why)
{
    char field[FIELD_BYTES];

    if (!next_field(text, field) || field[0] == '-' || !text_to_int(field, lo, hi, out))
        return position_refuse(
            why, (struct position_fault){.code = code, .least = lo, .most = hi});
    return true;
}

static const char *const forfeit_words[1 << SIDES] = {"-", "r", "b", "rb"};

static bool parse_forfeits(const char **text, uint8_t *out, struct position_fault *why)
{
    char field[FIELD_BYTES];
    int found = -1;

    if (next_field(text, field))
        found = text_find_word(forfeit_words, ARRAY_LEN(forfeit_words), field);
    if (found < 0)
        return position_refuse(why, (struct position_fault){.code = POSITION_FORFEITS});
    *out = (uint8_t)found;
    return true;
}

static bool parse_side(const char **text, uint8_t *out, struct position_fault *why)
{
    char field[FIELD_BYTES];

    if (!next_field(text, field) ||
        (strcmp(field, "r") != 0 && strcmp(field, "b") != 0))
        return position_refuse(why, (struct position_fault){.code = POSITION_SIDE});
    *out = field[0] == 'r' ? SIDE_RED : SIDE_BLUE;
    return true;
}

/* Upper limits of the counters in a text. The rules end each game before a counter
 * exceeds its limit (RULES.md, "Termination"). */
enum { PASSES_MOST = 2, QUIET_MOST = 999, MOVE_NUMBER_MOST = 99999 };

/* Parses the fields after the board. */
static bool parse_fields(const char **text, struct position *position,
                         struct position_fault *why)
{
    int64_t passes, quiet, move_number;

    if (!parse_side(text, &position->side, why) ||
        !parse_forfeits(text, &position->forfeits, why) ||
        !parse_number(text, 0, PASSES_MOST, POSITION_PASSES, &passes, why) ||
        !parse_number(text, 0, QUIET_MOST, POSITION_QUIET, &quiet, why) ||
        !parse_number(text, 1, MOVE_NUMBER_MOST, POSITION_NUMBER, &move_number, why))
        return false;
    if (**text != '\0')
        return position_refuse(why, (struct position_fault){.code = POSITION_TRAILING});
    position->passes = (uint16_t)passes;
    position->quiet = (uint32_t)quiet;
    position->move_number = (uint32_t)move_number;
    return true;
}

static bool parse(const char *text, bool may_be_diagram, struct position *out,
                  struct position_fault *why)
{
    struct position position = {
        .side = SIDE_RED, .king = {POINT_NONE, POINT_NONE}, .move_number = 1};
    bool is_diagram;

    if (!parse_board(&text, &position, why))
        return false;
    is_diagram = may_be_diagram && position_is_diagram(&position);
    if (!check_kings(&position, is_diagram, why) ||
        (!is_diagram && !check_counts(&position, why)))
        return false;
    if (!(may_be_diagram && *text == '\0') && !parse_fields(&text, &position, why))
        return false;
    position.key = position_key(&position);
    *out = position;
    return true;
}

bool position_parse(const char *text, struct position *out, struct position_fault *why)
{
    return parse(text, false, out, why);
}

bool position_parse_diagram(const char *text, struct position *out,
                            struct position_fault *why)
{
    return parse(text, true, out, why);
}

bool position_is_diagram(const struct position *position)
{
    return position->king[SIDE_RED] == POINT_NONE ||
           position->king[SIDE_BLUE] == POINT_NONE;
}

static void format_row(struct text *text, const struct position *position, int row)
{
    int empty = 0;

    for (int file = 0; file < BOARD_FILES; file++) {
        char letter = position_letter(position, point_at(file, row));

        if (letter == '.') {
            empty++;
            continue;
        }
        if (empty > 0)
            text_addf(text, "%d", empty);
        text_addf(text, "%c", letter);
        empty = 0;
    }
    if (empty > 0)
        text_addf(text, "%d", empty);
}

void position_format(char out[POSITION_BYTES], const struct position *position)
{
    struct text text = text_into(out, POSITION_BYTES);

    for (int row = BOARD_ROWS - 1; row >= 0; row--) {
        format_row(&text, position, row);
        text_add(&text, row > 0 ? "/" : " ");
    }
    text_addf(&text, "%c %s %u %u %u", position->side == SIDE_RED ? 'r' : 'b',
              forfeit_words[position->forfeits], (unsigned)position->passes,
              (unsigned)position->quiet, (unsigned)position->move_number);
}
