/* See primer.h. The rules core computes which points are marked, so text and boards
 * always agree with the rules. */
#include "client/view/primer.h"

#include "common/base/log.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/move.h"
#include "common/game/position.h"
#include "common/game/rules.h"
#include "common/words/guide.h"
#include "common/words/names.h"
#include "common/words/term.h"

static const struct primer primers[KINDS] = {
    [KIND_ROOK] = {N_("A rook goes any distance along a file or a row, up to the first "
                      "piece in\nits way; if that is the enemy's, it may take it. In "
                      "either fortress it also\nfollows the painted diagonals.\n"),
                   "4k4/9/9/9/9/p8/9/9/5K3/R2G5 r - 0 0 1", "A0", 0, 4,
                   N_("a0a4      the rook takes the pawn on A4"),
                   "cannon, king, legal, show, rules"},
    [KIND_KNIGHT] =
        {N_("A knight goes one step straight along a line, then one step diagonally\n"
            "outward. A piece on the point after the first step blocks it; nothing "
            "else\n"
            "does. Here the pawn on E4 keeps it from D5 and F5.\n"),
         "3k5/9/9/9/9/4P4/4N4/9/5K3/9 r - 0 0 1", "E3", 0, 5,
         N_("e3g4      over F3, which is empty"), "bishop, legal, show, rules"},
    [KIND_BISHOP] =
        {N_("A bishop goes one step straight along a line, then two steps "
            "diagonally\noutward. Both points on the way must be empty. It may also go "
            "into\nthe enemy half. Here the pawn on G5 keeps it from H6.\n"),
         "3k5/9/9/9/6P2/4B4/9/9/5K3/9 r - 0 0 1", "E4", 1, 7,
         "e4c7      over E5 and D6", "knight, legal, show, rules"},
    [KIND_GUARD] = {N_("A guard goes one step along the painted lines of its own "
                       "fortress, the\ndiagonals too, and never leaves it. It protects "
                       "the king.\n"),
                    "3k5/9/9/9/9/3P5/9/9/3KG4/9 r - 0 0 1", "E1", 0, 2,
                    N_("e1f2      along a diagonal of the fortress"),
                    "king, legal, show, rules"},
    [KIND_KING] =
        {N_("The king goes one step along the painted lines of his fortress, the\n"
            "diagonals too, and never leaves it. No diagonal begins in the middle\n"
            "of an edge, as on E0 or D1. A move may not leave him in check;\n"
            "a side whose king cannot be saved has lost.\n"),
         "3k5/9/9/9/3p5/9/9/9/4K4/9 r - 0 0 1", "E1", 0, 2,
         N_("e1d0      along a diagonal of the fortress"), "guard, legal, show, rules"},
    [KIND_CANNON] =
        {N_("A cannon goes along a file or a row, but only by jumping: exactly one "
            "piece\n"
            "of either side must stand in between. Beyond it the cannon lands on any "
            "empty\n"
            "point or takes the next piece. It neither jumps over a cannon nor takes "
            "one.\n"
            "In a fortress it also jumps from corner to corner over the centre.\n"),
         "3k5/9/9/4p4/9/9/4P4/9/4C4/5K3 r - 0 0 1", "E1", 0, 6,
         N_("e1e6      over the pawn on E3, and takes the pawn on E6"),
         "rook, legal, show, rules"},
    [KIND_PAWN] = {N_("A pawn goes one step forward or sideways, never backward, and "
                      "takes in the\nsame way. In the enemy's fortress it also goes "
                      "forward along a diagonal. On\nthe last row it goes only "
                      "sideways.\n"),
                   "5k3/9/4g4/3P5/9/9/9/9/4K4/9 r - 0 0 1", "D6", 5, 8,
                   N_("d6d7      forward, into the fortress"), "legal, show, rules"},
};

const struct primer *primer_get(enum kind kind)
{
    return &primers[kind];
}

/* Sets up the page's position and lists the moves of the piece that the page describes.
 * Returns the piece's point. */
static int find_shown(const struct primer *primer, struct position *position,
                      struct move_list *moves)
{
    int from = side_parse_point(primer->from), kept = 0;

    if (!position_parse(primer->position, position, NULL))
        log_die("primer: \"%s\" is no position",
                primer->position); /* a bug in `primers` */
    rules_legal_moves(ruleset_at(0), position, moves);
    for (int i = 0; i < moves->count; i++)
        if (!move_is_pass(moves->move[i]) && moves->move[i].from == from)
            moves->move[kept++] = moves->move[i];
    moves->count = kept;
    return from;
}

void primer_board(struct text *out, enum kind kind, enum look_pieces pieces,
                  bool has_color)
{
    const struct primer *primer = primer_get(kind);
    bool marks[BOARD_POINTS] = {false};
    struct position position;
    struct move_list moves;
    struct figure figure = {.position = &position,
                            .marks = marks,
                            .last = move_pass(),
                            .pieces = pieces,
                            .has_color = has_color};

    find_shown(primer, &position, &moves);
    for (int i = 0; i < moves.count; i++)
        marks[moves.move[i].to] = true;
    figure_rows(out, &figure, primer->lowest, primer->highest);
}

void primer_targets(struct text *out, enum kind kind)
{
    struct position position;
    struct move_list moves;
    char from[POINT_BYTES], to[POINT_BYTES], words[320];
    struct text list = text_into(words, sizeof words);

    side_format_point(from, find_shown(primer_get(kind), &position, &moves));
    for (int i = 0; i < moves.count; i++) {
        bool takes = position_kind(&position, moves.move[i].to) != KIND_NONE;

        side_format_point(to, moves.move[i].to);
        text_add(&list, i > 0 ? ", " : "");
        text_addf(&list, takes ? _("%s (a capture)") : "%s", to);
    }
    text_addf(out, _("For example, from %s the %s may go to %s.\n"), from,
              term_kind(kind), words);
}

void primer_page(struct text *out, enum kind kind, enum look_pieces pieces,
                 bool has_color, bool is_spoken)
{
    const struct primer *primer = primer_get(kind);

    text_addf(out, _("The %s ("), term_kind(kind));
    names_describe(out, kind);
    text_addf(out, ")\n%s", _(primer->words));
    if (is_spoken)
        primer_targets(out, kind);
    else
        primer_board(out, kind, pieces, has_color);
    text_addf(
        out,
        _("Usage: FROM TO, two points, as in %.4s\nExamples:\n  %s\nSee also: %s\n"),
        primer->example, _(primer->example), primer->see);
}

void primer_add_line(void *context, const char *line)
{
    text_addf(context, "%s\n", line);
}

bool primer_tell(struct text *out, const char *word, enum look_pieces pieces,
                 bool has_color, bool is_spoken)
{
    enum kind kind = names_find_kind(word);

    if (kind == KIND_NONE)
        return guide_topic(word, primer_add_line, out);
    primer_page(out, kind, pieces, has_color, is_spoken);
    return true;
}
