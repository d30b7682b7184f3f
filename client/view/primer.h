/* Describes each piece in two or three sentences, according to Martin's rules, with a
 * small board and an example move. Used by the help, the rules and the lessons. The
 * functions append text to a buffer; the caller prints it. */
#ifndef CLIENT_VIEW_PRIMER_H
#define CLIENT_VIEW_PRIMER_H

#include "client/view/figure.h"
#include "common/base/text.h"
#include "common/game/side.h"

struct primer {
    const char *words;    /* lines of at most 76 columns, each with an LF */
    const char *position; /* in the format of board.h; the piece stands on `from` */
    const char *from;
    int lowest, highest; /* the rows shown on the small board */
    const char *example; /* an example move, with an explanation */
    const char *see;     /* the words after "See also:" */
};

/* Returns the primer of a kind, from KIND_ROOK to KIND_PAWN. */
const struct primer *primer_get(enum kind kind);

/* Draws the small board and marks the points that the piece may move to. */
void primer_board(struct text *out, enum kind kind, enum look_pieces pieces,
                  bool has_color);
/* Names the points that the piece may move to, in a sentence: "For example, from E1 the
 * cannon may go to E4, E5, E6 (a capture)." */
void primer_targets(struct text *out, enum kind kind);

/* Adds the whole page: name, description, board (or a sentence, if is_spoken), usage,
 * example, see also. */
void primer_page(struct text *out, enum kind kind, enum look_pieces pieces,
                 bool has_color, bool is_spoken);

/* A callback for the functions of guide.h: adds `line` and an LF to the struct text
 * that context points to. */
void primer_add_line(void *context, const char *line);
/* Adds the page about `word`, which may be any name of a piece (names.h) or the name of
 * a topic (guide.h). Returns false, and adds nothing, for an unknown word. */
bool primer_tell(struct text *out, const char *word, enum look_pieces pieces,
                 bool has_color, bool is_spoken) MUST_USE;

#endif
