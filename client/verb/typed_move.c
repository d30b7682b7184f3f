/* See typed_move.h. */
#include "client/verb/typed_move.h"

#include <stdio.h>
#include <string.h>

#include "client/formats/notation.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/position.h"
#include "common/words/names.h"
#include "common/words/term.h"

enum { TEXT_BYTES = 64 };

static bool take(struct typed_move *out, struct move move, enum kind claimed)
{
    *out = (struct typed_move){.is_clear = true, .move = move, .claimed = claimed};
    return true;
}

/* Returns the kind that a letter stands for. `letters` has the letters in the order of
 * enum kind, from KIND_ROOK. */
static enum kind kind_of(char letter, const char *letters)
{
    const char *found = letter == '\0' ? NULL : strchr(letters, letter | 0x20);

    return found == NULL ? KIND_NONE : (enum kind)(KIND_ROOK + (found - letters));
}

static const char martin_letters[] = "rnbgkcp", courier_letters[] = "rnefgcp";

/* --- "Nc2", "Nxc2" --- */

/* Lists the moves that bring a piece of the kind `kind` to the point `to`. Adds them to
 * `list` as a player can type them: "b0c2 or d1c2". Returns the number of these moves.
 * Writes the last of these moves to *only. */
static int list_moves(const struct move_list *legal, const struct position *position,
                      enum kind kind, int to, struct text *list, struct move *only)
{
    int count = 0;

    for (int i = 0; i < legal->count; i++) {
        char name[MOVE_BYTES];

        if (move_is_pass(legal->move[i]) || legal->move[i].to != to ||
            position_kind(position, legal->move[i].from) != kind)
            continue;
        *only = legal->move[i];
        move_format(name, *only);
        text_lower(name);
        text_addf(list, "%s%.2s%.2s", count++ > 0 ? _(" or ") : "", name, name + 3);
    }
    return count;
}

/* Finds a piece of the side to move that stands so that it could go to `to`, but may
 * not: its leg is blocked, its king would be in check and so on. */
static bool find_hindered(const struct typed_board *board, enum kind kind, int to,
                          struct move *out)
{
    for (int from = 0; from < BOARD_POINTS && board->position != NULL; from++) {
        struct fault fault = {.code = FAULT_SHAPE};

        *out = (struct move){(int8_t)from, (int8_t)to};
        if (position_kind(board->position, from) == kind && from != to)
            fault = rules_judge(board->rules, board->position, *out);
        if (fault.code >= FAULT_PATH_BLOCKED)
            return true;
    }
    return false;
}

static bool read_piece_and_point(const char *text, const struct typed_board *board,
                                 struct typed_move *out)
{
    enum kind kind = kind_of(text[0], martin_letters);
    const char *point_at = kind == KIND_NONE ? "" : text + 1 + (text[1] == 'x');
    int to = strlen(point_at) == 2 ? side_parse_point(point_at) : POINT_NONE;
    char moves[TYPED_MOVE_WHY_BYTES / 2], point[POINT_BYTES];
    struct text list = text_into(moves, sizeof moves);
    struct move_list legal = {.count = 0};
    struct move only = move_pass();
    enum side side =
        board->position == NULL ? SIDE_NONE : (enum side)board->position->side;
    int count;

    if (to == POINT_NONE)
        return false;
    if (board->position != NULL)
        rules_legal_moves(board->rules, board->position, &legal);
    count = list_moves(&legal, board->position, kind, to, &list, &only);
    if (count == 1 || (count == 0 && find_hindered(board, kind, to, &only)))
        return take(out, only, kind);
    *out = (struct typed_move){.is_clear = false};
    side_format_point(point, to);
    if (count > 1)
        snprintf(out->why, sizeof out->why,
                 _("More than one piece can go to %s: type %s."), point, moves);
    else
        snprintf(out->why, sizeof out->why,
                 _("The side to move has no %s that can go to %s."),
                 term_piece(kind, side), point);
    return true;
}

/* --- "N b1-c3" --- */

/* How well an interpretation fits the board: not at all; the right piece stands on the
 * first point; or the move is legal too. */
enum fit { FIT_NONE, FIT_PIECE, FIT_LEGAL };

static enum fit find_fit(const struct typed_board *board, struct move move,
                         enum kind claimed)
{
    enum kind there =
        board->position == NULL ? KIND_NONE : position_kind(board->position, move.from);

    if (there == KIND_NONE || (claimed != KIND_NONE && there != claimed))
        return FIT_NONE;
    return rules_judge(board->rules, board->position, move).code == FAULT_NONE
               ? FIT_LEGAL
               : FIT_PIECE;
}

/* Parses a piece letter, a space, and a move: "N b0-c2" in our coordinates, or "N
 * b1-c3" in Game Courier's coordinates. In Game Courier's coordinates, the letter may
 * be missing. Only Game Courier has a row 10. */
static bool read_labelled(const char *text, const struct typed_board *board,
                          struct typed_move *out)
{
    bool has_label = text[0] != '\0' && text[1] == ' ';
    enum kind martin_kind = has_label ? kind_of(text[0], martin_letters) : KIND_NONE;
    enum kind courier_kind = has_label ? kind_of(text[0], courier_letters) : KIND_NONE;
    const char *move = has_label ? text + 1 + strspn(text + 1, " ") : text;
    struct move martin, courier;
    bool is_martin = has_label && martin_kind != KIND_NONE &&
                     move_parse(move, &martin, NULL) && !move_is_pass(martin);
    bool is_courier =
        (!has_label || courier_kind != KIND_NONE) &&
        notation_parse_move(NOTATION_COURIER, move, NULL, &courier, NULL) &&
        !move_is_pass(courier);
    enum fit martin_fit, courier_fit;
    char a[MOVE_BYTES], b[MOVE_BYTES];

    if (!is_martin && !is_courier)
        return false;
    if (!is_courier)
        return take(out, martin, martin_kind);
    if (!is_martin)
        return take(out, courier, courier_kind);
    martin_fit = find_fit(board, martin, martin_kind);
    courier_fit = find_fit(board, courier, courier_kind);
    if (martin_fit == FIT_LEGAL && courier_fit == FIT_LEGAL) {
        *out = (struct typed_move){.is_clear = false};
        move_format(a, martin);
        move_format(b, courier);
        snprintf(out->why, sizeof out->why,
                 _("That can be %s, or %s if the rows are counted from 1, as in Game "
                   "Courier: type one of them."),
                 a, b);
        return true;
    }
    return martin_fit >= courier_fit ? take(out, martin, martin_kind)
                                     : take(out, courier, courier_kind);
}

/* --- "7978" --- */

/* Parses a move in the notation of Korean records. If the text does not fit the
 * position, for example because another piece stands on the first point, refuses the
 * move. */
static bool read_korean(const char *text, const struct typed_board *board,
                        struct typed_move *out)
{
    char why[NOTATION_WHY_BYTES];
    struct move move;

    if (!notation_parse_move(NOTATION_KOREAN, text, NULL, &move, NULL))
        return false;
    if (notation_parse_move(NOTATION_KOREAN, text, board->position, &move, why))
        return take(out, move, KIND_NONE);
    *out = (struct typed_move){.is_clear = false};
    snprintf(out->why, sizeof out->why, "%s.", why);
    return true;
}

/* --- Any of them --- */

static bool read_plain(const char *plain, const struct typed_board *board,
                       struct typed_move *out)
{
    enum kind claimed;
    struct move move;

    if (move_parse(plain, &move, &claimed))
        return take(out, move, claimed);
    return read_piece_and_point(plain, board, out) ||
           read_labelled(plain, board, out) || read_korean(plain, board, out);
}

/* Parses "horse b0c2", "마 c2", "馬c2": replaces the name by the letter of the
 * piece. */
static bool read_named(const char *text, const struct typed_board *board,
                       struct typed_move *out)
{
    size_t len = 0, rest;
    char name[TEXT_BYTES], plain[TEXT_BYTES + 2];
    enum kind kind;

    while (text[len] & 0x80) /* a name that is not ASCII needs no space after it */
        len++;
    if (len == 0)
        len = strcspn(text, " ");
    rest = len + strspn(text + len, " ");
    snprintf(name, sizeof name, "%.*s", (int)len, text);
    kind = len > 1 ? names_find_kind(name) : KIND_NONE;
    if (kind == KIND_NONE)
        return false;
    /* First try the letter with a space, because Game Courier's form needs the space.
     * Then try the letter without a space. */
    snprintf(plain, sizeof plain, "%c %s", martin_letters[kind - KIND_ROOK],
             text + rest);
    if (read_plain(plain, board, out))
        return true;
    snprintf(plain, sizeof plain, "%c%s", martin_letters[kind - KIND_ROOK],
             text + rest);
    return read_plain(plain, board, out);
}

bool typed_move_read(const char *text, const struct typed_board *board,
                     struct typed_move *out)
{
    char plain[TEXT_BYTES];
    size_t len;

    text += strspn(text, " ");
    len = strlen(text);
    while (len > 0 && text[len - 1] == ' ')
        len--;
    if (len == 0 || len >= sizeof plain)
        return false;
    snprintf(plain, sizeof plain, "%.*s", (int)len, text);
    return read_plain(plain, board, out) || read_named(plain, board, out);
}
