/* See notation.h. Each notation has its own functions that read and write a point, a
 * move and a pass. */
#include "client/formats/notation.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/position.h"

/* Copies the reason `words` to `why`, which may be NULL. Always returns false, so that
 * callers can return its result. */
static bool refuse(char *why, const char *words)
{
    if (why != NULL)
        snprintf(why, NOTATION_WHY_BYTES, "%s", words);
    return false;
}

/* Like refuse(), but `format` has one %s for the name of the point. */
static bool refuse_at(char *why, const char *format, int point)
{
    char name[POINT_BYTES], words[NOTATION_WHY_BYTES];

    side_format_point(name, point);
    snprintf(words, sizeof words, format, name);
    return refuse(why, words);
}

/* If *text begins with word, advances past it and returns true. */
static bool skip(const char **text, const char *word)
{
    size_t len = strlen(word);

    if (strncmp(*text, word, len) != 0)
        return false;
    *text += len;
    return true;
}

/* --- Points --- */

/* Parses a file letter and a rank from 1 to 10, as in Game Courier and engines. is_uci:
 * seen from Blue's side. */
static int take_point(const char **text, bool is_uci)
{
    const char *at = *text;
    int file = (at[0] | 0x20) - 'a', rank;

    if (file < 0 || file >= BOARD_FILES || at[1] < '1' || at[1] > '9')
        return POINT_NONE;
    rank = at[1] - '0';
    at += 2;
    if (rank == 1 && at[0] == '0') {
        rank = 10;
        at++;
    }
    *text = at;
    return is_uci ? point_at(BOARD_FILES - 1 - file, BOARD_ROWS - rank)
                  : point_at(file, rank - 1);
}

static void uci_add_point(struct text *out, int point)
{
    text_addf(out, "%c%d", 'i' - point_file(point), BOARD_ROWS - point_row(point));
}

static int korean_take_point(const char **text)
{
    char row = (*text)[0], file;

    if (row < '0' || row > '9')
        return POINT_NONE;
    file = (*text)[1];
    if (file < '1' || file > '9')
        return POINT_NONE;
    *text += 2;
    return point_at('9' - file, (row - '0' + 9) % 10);
}

static void korean_add_point(struct text *out, int point)
{
    text_addf(out, "%d%d", (point_row(point) + 1) % 10,
              BOARD_FILES - point_file(point));
}

/* --- Pieces --- */

static const char courier_letters[KINDS + 1] = ".RNEFGCP"; /* indexed by enum kind */

/* The words for pieces that Korean records use. */
static const struct {
    enum kind kind;
    const char *name;
} korean_names[] = {
    {KIND_ROOK, "차"},   {KIND_ROOK, "車"},   {KIND_KNIGHT, "마"}, {KIND_KNIGHT, "馬"},
    {KIND_BISHOP, "상"}, {KIND_BISHOP, "象"}, {KIND_GUARD, "사"},  {KIND_GUARD, "士"},
    {KIND_KING, "장"},   {KIND_KING, "將"},   {KIND_KING, "궁"},   {KIND_KING, "왕"},
    {KIND_KING, "漢"},   {KIND_KING, "楚"},   {KIND_KING, "한"},   {KIND_KING, "초"},
    {KIND_CANNON, "포"}, {KIND_CANNON, "包"}, {KIND_CANNON, "砲"}, {KIND_PAWN, "병"},
    {KIND_PAWN, "졸"},   {KIND_PAWN, "兵"},   {KIND_PAWN, "卒"},
};

/* Returns the word that we write for a piece: the first word for its kind in
 * korean_names, except for Blue's pawns. */
static const char *korean_name(uint8_t code)
{
    if (piece_kind(code) == KIND_PAWN && piece_side(code) == SIDE_BLUE)
        return "졸";
    for (size_t i = 0; i < ARRAY_LEN(korean_names); i++)
        if (korean_names[i].kind == piece_kind(code))
            return korean_names[i].name;
    return "";
}

/* --- Reading moves --- */

/* A move as written, before it is compared with the position. */
struct written {
    struct move move;
    enum kind kind; /* KIND_NONE: not given */
    enum side side; /* SIDE_NONE: not given */
};

static bool is_pass_word(const char *text)
{
    for (const char *word = "pass"; *word != '\0'; word++, text++)
        if ((*text | 0x20) != *word)
            return false;
    return *text == '\0';
}

static bool courier_read(const char *text, struct written *out, char *why)
{
    static const char words[] = N_("not a move like b1-c3, N b1-c3 or pass");
    const char *found =
        text[0] >= 'A' ? strchr(courier_letters, text[0] & ~0x20) : NULL;
    int from, to;

    if (is_pass_word(text))
        return true;
    if (found != NULL && *found != '\0' &&
        text[1] == ' ') { /* "N b1-c3"; small for Blue */
        out->kind = (enum kind)(found - courier_letters);
        out->side = text[0] >= 'a' ? SIDE_BLUE : SIDE_RED;
        text += 1 + strspn(text + 1, " ");
    }
    from = take_point(&text, false);
    if (from == POINT_NONE || !skip(&text, "-"))
        return refuse(why, _(words));
    to = take_point(&text, false);
    if (to == POINT_NONE || *text != '\0')
        return refuse(why, _(words));
    out->move = (struct move){(int8_t)from, (int8_t)to};
    return true;
}

static bool uci_read(const char *text, const struct position *position,
                     struct written *out, char *why)
{
    static const char words[] = N_("not a move like h10g8; files a-i, ranks 1-10");
    int from = take_point(&text, true), to;

    if (from == POINT_NONE)
        return refuse(why, _(words));
    to = take_point(&text, true);
    if (to == POINT_NONE || *text != '\0')
        return refuse(why, _(words));
    /* A pass is the point of the king of the side to move, in its fortress. */
    if (from == to && position != NULL && from != position->king[position->side])
        return refuse_at(why, _("the king of the side to move is not on %s"), from);
    if (from == to && !side_owns_fortress_at(SIDE_RED, from) &&
        !side_owns_fortress_at(SIDE_BLUE, from))
        return refuse_at(
            why, _("a pass is written as the king's point, and a king cannot be on %s"),
            from);
    if (from == to)
        return true;
    out->move = (struct move){(int8_t)from, (int8_t)to};
    return true;
}

static const char korean_pass[] = "한수쉼";

static bool korean_read(const char *text, struct written *out, char *why)
{
    static const char words[] = N_("not a move like 7978, 79-78 or 79졸78");
    int from, to;

    if (strcmp(text, korean_pass) == 0 || is_pass_word(text))
        return true;
    if (skip(&text, "漢") || skip(&text, "한"))
        out->side = SIDE_RED;
    else if (skip(&text, "楚") || skip(&text, "초"))
        out->side = SIDE_BLUE;
    from = korean_take_point(&text);
    if (from == POINT_NONE)
        return refuse(why, _(words));
    if (!skip(&text, "-"))
        for (size_t i = 0; i < ARRAY_LEN(korean_names) && out->kind == KIND_NONE; i++)
            if (skip(&text, korean_names[i].name))
                out->kind = korean_names[i].kind;
    to = korean_take_point(&text);
    if (to == POINT_NONE)
        return refuse(why, _(words));
    if (!skip(&text, "장군")) /* the word for check is ignored */
        skip(&text, "將軍");
    if (*text != '\0')
        return refuse(why, _(words));
    out->move = (struct move){(int8_t)from, (int8_t)to};
    return true;
}

/* If the text names a kind of piece or a side, the piece on the point where the move
 * starts must have this kind and side. If it does not, or if the point is empty,
 * returns false with the reason in *why. */
static bool agrees(const struct written *written, const struct position *position,
                   char *why)
{
    int from = written->move.from;

    if (move_is_pass(written->move))
        return true;
    if (position->at[from] == 0)
        return refuse_at(why, _("no piece stands on %s"), from);
    if (written->kind != KIND_NONE && written->kind != position_kind(position, from))
        return refuse_at(why, _("a different piece is on %s"), from);
    if (written->side != SIDE_NONE && written->side != position_side(position, from))
        return refuse_at(why, _("the piece on %s belongs to the other side"), from);
    return true;
}

bool notation_parse_move(enum notation notation, const char *text,
                         const struct position *position, struct move *out,
                         char why[NOTATION_WHY_BYTES])
{
    struct written written = {move_pass(), KIND_NONE, SIDE_NONE};
    bool is_read = false;

    switch (notation) {
    case NOTATION_MARTIN:
        is_read = move_parse(text, &written.move, &written.kind) ||
                  refuse(why, _("not a move like B0-C2 or pass"));
        break;
    case NOTATION_COURIER:
        is_read = courier_read(text, &written, why);
        break;
    case NOTATION_UCI:
        is_read = uci_read(text, position, &written, why);
        break;
    case NOTATION_KOREAN:
        is_read = korean_read(text, &written, why);
        break;
    }
    if (!is_read || (position != NULL && !agrees(&written, position, why)))
        return false;
    *out = written.move;
    return true;
}

/* --- Writing moves --- */

bool notation_format_move(char out[NOTATION_BYTES], enum notation notation,
                          struct move move, const struct position *position,
                          char why[NOTATION_WHY_BYTES])
{
    struct text text = text_into(out, NOTATION_BYTES);
    bool is_pass = move_is_pass(move);
    char plain[MOVE_BYTES];

    if (position == NULL && is_pass && notation == NOTATION_UCI)
        return refuse(why, _("a pass can be written only if the position is known"));
    if (position != NULL && !is_pass && position->at[move.from] == 0)
        return refuse_at(why, _("no piece stands on %s"), move.from);
    if (notation == NOTATION_UCI) {
        uci_add_point(&text, is_pass ? position->king[position->side] : move.from);
        uci_add_point(&text, is_pass ? position->king[position->side] : move.to);
    } else if (notation != NOTATION_KOREAN) {
        move_format(plain, move);
        text_add(&text, plain);
    } else if (is_pass) {
        text_add(&text, korean_pass);
    } else {
        korean_add_point(&text, move.from);
        if (position != NULL)
            text_add(&text, korean_name(position->at[move.from]));
        korean_add_point(&text, move.to);
    }
    return true;
}

/* --- The set-up --- */

bool notation_parse_swap(const char *text, enum side *side, enum wing *wing)
{
    int a, b, files;

    if (!skip(&text, "swap "))
        return false;
    a = take_point(&text, false);
    if (a == POINT_NONE || !skip(&text, " "))
        return false;
    b = take_point(&text, false);
    if (b == POINT_NONE || *text != '\0' || point_row(a) != point_row(b) ||
        (point_row(a) != 0 && point_row(a) != BOARD_ROWS - 1))
        return false;
    files = 1 << point_file(a) | 1 << point_file(b);
    if (files != (1 << 1 | 1 << 2) && files != (1 << 6 | 1 << 7))
        return false;
    *side = point_row(a) == 0 ? SIDE_RED : SIDE_BLUE;
    *wing = files & 1 << 1 ? WING_LEFT : WING_RIGHT;
    return true;
}

/* --- FEN --- */

/* Rotates a board by 180 degrees, which reverses its text, and converts the letters between our
 * notation and FEN. The case is swapped, because FEN's White is our Blue. The letter `guard`
 * becomes `turned_guard`: the guard is G in our notation and A in FEN. */
static void turn_board(char *out, const char *board, size_t len, char guard,
                       char turned_guard)
{
    for (size_t i = 0; i < len; i++) {
        char letter = board[len - 1 - i];

        if ((letter | 0x20) == guard)
            letter = (char)((letter & 0x20) | (turned_guard & ~0x20));
        out[i] = strchr("0123456789/", letter) != NULL ? letter : letter ^ 0x20;
    }
    out[len] = '\0';
}

/* Writes the reason to `why` (may be NULL), with the place of the error in the FEN.
 * `at` is the byte offset of that place. Always returns false. */
static bool refuse_fen(char *why, size_t at, const char *words)
{
    if (why != NULL)
        snprintf(why, SENTENCE_BYTES, _("at character %zu of the FEN: %s"), at + 1,
                 words);
    return false;
}

enum { BOARD_MOST = BOARD_POINTS + BOARD_ROWS };

bool notation_fen_parse(const char *text, struct position *out,
                        char why[SENTENCE_BYTES])
{
    static const char blue[] = " w - - ", red[] = " b - - ";
    char board[BOARD_MOST + 1], ours[POSITION_BYTES];
    struct position_fault fault;
    size_t len = strspn(text, "rnbakcpRNBAKCP123456789/");
    struct text line = text_into(ours, sizeof ours);
    const char *rest = text + len;
    bool is_blue = strncmp(rest, blue, strlen(blue)) == 0;

    if (len > BOARD_MOST)
        return refuse_fen(why, BOARD_MOST, _("the board is too long"));
    if (*rest != ' ')
        return refuse_fen(why, len, _("not a piece R N B A K C P, a number 1-9 or /"));
    if (!is_blue && strncmp(rest, red, strlen(red)) != 0)
        return refuse_fen(why, len, _("the board must be followed by w - - or b - -"));
    turn_board(board, text, len, 'a', 'g');
    text_addf(&line, "%s %c - 0 %s", board, is_blue ? 'b' : 'r', rest + strlen(blue));
    if (line.is_cut)
        return refuse_fen(why, len + strlen(blue),
                          _("expected two numbers here: the plies without a capture, "
                            "and the number of the move"));
    if (position_parse(ours, out, &fault))
        return true;
    if (why != NULL)
        sentence_position(why, &fault);
    return false;
}

void notation_fen_format(char out[NOTATION_FEN_BYTES], const struct position *position)
{
    char ours[POSITION_BYTES], board[POSITION_BYTES];
    struct text text = text_into(out, NOTATION_FEN_BYTES);

    position_format(ours, position);
    turn_board(board, ours, strcspn(ours, " "), 'g', 'a');
    text_addf(&text, "%s %c - - %u %u", board, position->side == SIDE_BLUE ? 'w' : 'b',
              (unsigned)position->quiet, (unsigned)position->move_number);
}
