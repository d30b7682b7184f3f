/* Writes an evening as FIDE's tournament report file (TRF).
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

#endif
