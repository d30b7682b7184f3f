/* What each piece does, in two or three sentences of Martin's rules with a small board
 * and a move: for the help, the rules and the lessons. Text only. */
#ifndef CLIENT_VIEW_PRIMER_H
#define CLIENT_VIEW_PRIMER_H

#include "client/view/figure.h"
#include "common/base/text.h"
#include "common/game/board.h"

struct primer {
    const char *words;    /* lines of at most 76 columns, a LF after each */
    const char *position; /* as text (board.h): the piece stands on from */
    const char *from;
    int lowest, highest; /* rows that the small board shows */
    const char *example; /* a move there, with what it is */
    const char *see;     /* "See also" */
};

/* Of KIND_ROOK to KIND_PAWN. */
const struct primer *primer_get(enum kind kind);

/* The small board with the points marked to which the piece may go. */
void primer_board(struct text *out, enum kind kind, enum look_pieces pieces,
                  bool has_color);
/* The same in a sentence: "The cannon on E1 may go to E4, E5 or take E6." */
void primer_targets(struct text *out, enum kind kind);

/* The whole page: name, words, board or, for whoever has it read aloud, sentence,
 * usage, example, see also. */
void primer_page(struct text *out, enum kind kind, enum look_pieces pieces,
                 bool has_color, bool is_spoken);

/* The page that word names: that of a piece, by any of its names (names.h), or a topic
 * of the guide. False, and nothing is written, for another word. */
bool primer_tell(struct text *out, const char *word, enum look_pieces pieces,
                 bool has_color, bool is_spoken) MUST_USE;

#endif
