/* An evening as the report file of FIDE for tournaments (TRF): programs that pair,
 * print or rate tournaments read and write it. White is the player who moves first.
 * Points are those of wins and draws, whatever the scoring of the evening, and without
 * the maker's adjustments, because programs compare them with the results. Pure. */
#ifndef COMMON_EVENING_EVENING_TRF_H
#define COMMON_EVENING_EVENING_TRF_H

#include "common/evening/evening.h"
#include "common/evening/evening_draw.h"

/* Room for the largest evening. */
enum { EVENING_TRF_BYTES = 80000 };

/* Writes the file: all rounds that are decided, and which players will be absent in the
 * next round. rating: rating[n - 1], 0 for none; or NULL. Returns its length. */
size_t evening_trf_format(char *out, size_t size, const struct evening *evening,
                          const int *rating);

/* Reads a file into an evening, which was all zero. Spaces in names become _, and the
 * reason of each result is REASON_HOST. NULL after success; else why it cannot be read,
 * and the evening is cleared. */
const char *evening_trf_parse(struct evening *out, const char *text);

/* Reads the pairs of the next round from a file in which they have no result yet. NULL
 * after success; else as above. */
const char *evening_trf_parse_draw(const struct evening *evening, const char *text,
                                   struct evening_draw *out);

#endif
