/* See record_san.h. */
#include "client/formats/record_san.h"

#include <stdio.h>
#include <string.h>

#include "client/formats/notation.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static const char letters[KINDS + 1] = ".RHEAKCP"; /* by enum kind */
static const char ours[KINDS + 1] = ".RNBGKCP";

/* Those of the engines, in which any pass but one in check is legal. Moves are told
 * apart by what is legal there, whatever the rules of the game. */
static const struct ruleset *engine_rules(void)
{
    return ruleset_find("kja");
}

/* A point as in "c10": file and rank as an engine counts them. */
static void add_point(struct text *out, int point, bool has_file, bool has_rank)
{
    if (has_file)
        text_addf(out, "%c", 'i' - point_file(point));
    if (has_rank)
        text_addf(out, "%d", BOARD_ROWS - point_row(point));
}

/* --- Writing --- */

/* What is needed to tell move from others of the same kind to the same point: its file
 * if no other is on that, else its row, else both. */
static void add_origin(struct text *out, const struct position *position,
                       struct move move)
{
    struct move_list legal;
    bool is_known = false, has_other = false, shares_file = false, shares_row = false;

    rules_legal_moves(engine_rules(), position, &legal);
    for (int i = 0; i < legal.count; i++) {
        struct move other = legal.move[i];

        if (move_is_same(other, move))
            is_known = true;
        else if (!move_is_pass(other) && other.to == move.to &&
                 position->at[other.from] == position->at[move.from]) {
            has_other = true;
            shares_file |= point_file(other.from) == point_file(move.from);
            shares_row |= point_row(other.from) == point_row(move.from);
        }
    }
    if (!is_known) /* legal by the rules of the game, not by theirs */
        has_other = shares_file = shares_row = true;
    if (has_other)
        add_point(out, move.from, !shares_file || shares_row, shares_file);
}

static void add_check(struct text *out, const struct ruleset *rules,
                      const struct position *position, struct move move)
{
    struct position after = *position;
    struct move_list replies;
    struct undo undo;
    enum check check;

    rules_make(rules, &after, move, &undo);
    check = rules_check(&after);
    if (check != CHECK_PIECE && check != CHECK_BOTH)
        return;
    rules_legal_moves(engine_rules(), &after, &replies);
    text_add(out, replies.count > 0 ? "+" : "#");
}

void record_san_format(char out[SAN_BYTES], const struct ruleset *rules,
                       const struct position *position, struct move move)
{
    struct text text = text_into(out, SAN_BYTES);
    int king = position->king[position->side];

    if (move_is_pass(move)) {
        text_add(&text, "K");
        add_point(&text, king, true, true);
    } else {
        text_addf(&text, "%c", letters[position_kind(position, move.from)]);
        add_origin(&text, position, move);
        if (position_kind(position, move.to) != KIND_NONE)
            text_add(&text, "x");
        add_point(&text, move.to, true, true);
    }
    add_check(&text, rules, position, move);
}

/* --- Reading --- */

/* What is written; -1 and KIND_NONE where it says nothing. */
struct written {
    enum kind kind;
    int from_file;
    int from_row;
    int to;
};

static bool refuse(char why[DRAFT_WHY_BYTES], const char *words)
{
    snprintf(why, DRAFT_WHY_BYTES, "%s", words);
    return false;
}

static bool take_kind(const char **text, enum kind *out)
{
    for (int kind = KIND_ROOK; kind < KINDS; kind++)
        if (**text == letters[kind] || **text == ours[kind]) {
            *out = (enum kind)kind;
            (*text)++;
            return true;
        }
    return false;
}

static void take_file(const char **text, int *out)
{
    if (**text >= 'a' && **text <= 'i')
        *out = 'i' - *(*text)++;
}

static void take_row(const char **text, int *out)
{
    if (strncmp(*text, "10", 2) == 0) {
        *out = 0;
        *text += 2;
    } else if (**text >= '1' && **text <= '9') {
        *out = BOARD_ROWS - (*(*text)++ - '0');
    }
}

/* One or two points behind the letter: of the first, a part may be missing. */
static bool take_points(const char **text, struct written *out)
{
    int file = -1, row = -1;

    take_file(text, &out->from_file);
    take_row(text, &out->from_row);
    if (**text == 'x' || **text == '-')
        (*text)++;
    take_file(text, &file);
    take_row(text, &row);
    if (file < 0 && row < 0 && out->from_file >= 0 && out->from_row >= 0) {
        out->to = point_at(out->from_file, out->from_row);
        out->from_file = out->from_row = -1;
        return true;
    }
    if (file < 0 || row < 0)
        return false;
    out->to = point_at(file, row);
    return true;
}

static bool take_written(const char *text, struct written *out)
{
    *out = (struct written){.from_file = -1, .from_row = -1};
    if (!take_kind(&text, &out->kind) || !take_points(&text, out))
        return false;
    text += strspn(text, "+#!?");
    return *text == '\0';
}

static bool is_meant(const struct written *written, const struct position *position,
                     struct move move)
{
    return !move_is_pass(move) && move.to == written->to &&
           position_kind(position, move.from) == written->kind &&
           (written->from_file < 0 || point_file(move.from) == written->from_file) &&
           (written->from_row < 0 || point_row(move.from) == written->from_row);
}

/* How many of the moves that are legal by rules can be meant; one of them in *out. */
static int count_meant(const struct written *written, const struct ruleset *rules,
                       const struct position *position, struct move *out)
{
    struct move_list legal;
    int count = 0;

    rules_legal_moves(rules, position, &legal);
    for (int i = 0; i < legal.count; i++)
        if (is_meant(written, position, legal.move[i])) {
            *out = legal.move[i];
            count++;
        }
    return count;
}

/* "i4h4", "e2e2", "pass", "--". A capital would be a piece: "H8i6". */
static bool parse_plain(const char *text, const struct position *position,
                        struct move *out)
{
    *out = move_pass();
    return strcmp(text, "pass") == 0 || strcmp(text, "--") == 0 ||
           (text[0] >= 'a' && text[0] <= 'i' &&
            notation_parse_move(NOTATION_UCI, text, position, out, NULL));
}

bool record_san_parse(const char *text, const struct ruleset *rules,
                      const struct position *position, struct move *out,
                      char why[DRAFT_WHY_BYTES])
{
    struct written written;
    int count;

    if (parse_plain(text, position, out))
        return true;
    if (!take_written(text, &written))
        return refuse(why, _("not a move like Hc3, Rxa4 or i4h4"));
    if (written.kind == KIND_KING && written.to == position->king[position->side]) {
        *out = move_pass();
        return true;
    }
    count = count_meant(&written, engine_rules(), position, out);
    if (count != 1)
        count = count_meant(&written, rules, position, out);
    if (count == 0)
        return refuse(why, _("no such move is legal"));
    return count == 1 || refuse(why, _("more than one piece can move there"));
}
