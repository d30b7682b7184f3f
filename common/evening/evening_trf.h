/* Writes an evening as FIDE's tournament report file (TRF), and reads such files.
 * Programs that pair, print or rate tournaments use these files. White is the player
 * who moves first. Points count wins and draws only, whatever the scoring of the
 * evening is, and without the maker's adjustments, because programs compare the points
 * with the results. Pure. */
#ifndef COMMON_EVENING_EVENING_TRF_H
#define COMMON_EVENING_EVENING_TRF_H

#include "common/evening/evening.h"

/* Room for the largest evening. */
enum { EVENING_TRF_BYTES = 80000 };

/* Writes the file: all rounds that are decided, and which players will be absent in the
 * next round. rating[n - 1] is the rating of player n, 0 for none; rating may be NULL.
 * Returns the length of the file. */
size_t evening_trf_format(char *out, size_t size, const struct evening *evening,
                          const int *rating);

/* A file that was read. Set it to all zero before evening_trf_parse(). Other files may
 * read all members. */
struct evening_trf {
    struct evening evening; /* system: Swiss; adjusted_halves: half points for rounds
                             * without a game */
    int players;
    int line[EVENING_PLAYERS_MAX]; /* line[n - 1]: the line of player n in the file,
                                    * from 1 */
};

/* Says in words for a person why a file cannot be read. `line` is the number of the
 * wrong line. If the fault is not in one particular line, `line` is 0. */
struct evening_trf_fault {
    int line;
    char words[200];
};

/* Reads a file. Spaces in names become _, and the reason of each played result is
 * REASON_HOST. The file can have entries for the round after the last paired round. A
 * player with such an entry will be absent, so is_here is false. If the file cannot be
 * read, returns false with the reason in *fault, and clears *out. */
bool evening_trf_parse(struct evening_trf *out, const char *text,
                       struct evening_trf_fault *fault) MUST_USE;
/* Frees the evening, and sets *trf to all zero. */
void evening_trf_clear(struct evening_trf *trf);

#endif
