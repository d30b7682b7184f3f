/* An evening as the report file of FIDE for tournaments (TRF): programs that pair,
 * print or rate tournaments read and write it. White is the player who moves first.
 * Points are those of wins and draws, whatever the scoring of the evening, and without
 * the maker's adjustments, because programs compare them with the results. Pure. */
#ifndef COMMON_EVENING_EVENING_TRF_H
#define COMMON_EVENING_EVENING_TRF_H

#include "common/evening/evening.h"

/* Room for the largest evening. */
enum { EVENING_TRF_BYTES = 80000 };

/* Writes the file: all rounds that are decided, and which players will be absent in the
 * next round. rating: rating[n - 1], 0 for none; or NULL. Returns its length. */
size_t evening_trf_format(char *out, size_t size, const struct evening *evening,
                          const int *rating);

/* A file that was read. All zero at first; players and line may be read. */
struct evening_trf {
    struct evening evening; /* a Swiss one; half points without a game are in
                             * adjusted_halves */
    int players;
    int line[EVENING_PLAYERS_MAX]; /* in the file, from 1; of player n: line[n - 1] */
};

/* Why a file cannot be read, in words for a person; line 0: it is about no single
 * line. */
struct evening_trf_fault {
    int line;
    char words[200];
};

/* Reads a file. Spaces in names become _, and the reason of each result is REASON_HOST.
 * Players who have an entry in the round after the last one, which has no games, are not
 * here (is_here). False: *fault says why, and *out is cleared. */
bool evening_trf_parse(struct evening_trf *out, const char *text,
                       struct evening_trf_fault *fault) MUST_USE;
/* Frees what it has allocated. */
void evening_trf_clear(struct evening_trf *trf);

#endif
