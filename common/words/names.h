/* Other names of the pieces and the sides: Roleigh Martin's table of Korean, Pinyin,
 * Cantonese and other English names (1995). The programs print Martin's own names and
 * understand all of these. Pure. */
#ifndef COMMON_WORDS_NAMES_H
#define COMMON_WORDS_NAMES_H

#include <stddef.h>

#include "common/base/text.h"
#include "common/game/side.h"

/* A row of the table. A list has ", " between its names. */
struct piece_names {
    enum kind kind;
    enum side side;        /* SIDE_NONE: both sides use these names */
    const char *korean;    /* list, in Latin letters */
    const char *hangul;    /* one name */
    const char *hanja;     /* the character on the piece */
    const char *pinyin;    /* one name */
    const char *cantonese; /* one name */
    const char *english;   /* list; "" if it is the same as in the row above */
    const char *also;      /* list of names that are understood but not shown */
};

/* Returns the i-th row, NULL after the last. The rows of one kind are neighbours. */
const struct piece_names *names_at(size_t i);

/* Returns the kind that has the name `word`. The name may be English ("rook",
 * "Chariots") or Korean ("cha", "차", "車"), or in the current language. Returns
 * KIND_NONE for an unknown name, and for a name that two kinds share. */
enum kind names_find_kind(const char *word);

/* Adds the other names of a kind: "chariot, car, tank; in Korean cha". */
void names_describe(struct text *out, enum kind kind);

/* Returns a line that says what the letters on the board mean, for readers who know the
 * pieces by other names. */
const char *names_legend(void);

/* Returns the side whose name is `word`: "red", "han", "한", "漢"; "blue", "cho", "초",
 * "楚". Returns SIDE_NONE for another word. For text that people type; the protocol has
 * only "red" and "blue" (side_parse()). */
enum side names_find_side(const char *word);

#endif
