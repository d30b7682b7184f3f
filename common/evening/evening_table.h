/* Computes the table of an evening: the players' places by points and tie-breaks.
 * Pure. */
#ifndef COMMON_EVENING_EVENING_TABLE_H
#define COMMON_EVENING_EVENING_TABLE_H

#include "common/evening/evening.h"

/* Points are counted in half points (2 is a whole point), except in `sonneborn`. */
struct evening_place {
    int number;       /* number of the player */
    int place;        /* from 1; players who are equal in everything share a place */
    int score;        /* points by the scoring of the evening, with the maker's
                       * adjustments */
    int wins;         /* points by wins and draws: 2 for each win, 1 for each draw; used
                       * for the pairings */
    bool missed;      /* missed a round; placed behind players with the same score who
                       * missed none */
    int direct;       /* points from the games between the players who are equal so far,
                       * if all of them have met */
    int buchholz_cut; /* sum of the opponents' `wins`, without the lowest */
    int sonneborn;    /* points of the defeated opponents, and half the points of the
                       * opponents in drawn games; in quarters of a point */
    int won;          /* number of games that were won on the board */
    int played;       /* number of games that were played on the board */
};

/* Writes the places of all players, the best first. `out` has room for
 * evening->players. Buchholz and Sonneborn-Berger count the points of the opponents. If
 * a player did not play in a round, the player's own points are used instead of an
 * opponent's points. */
void evening_table(const struct evening *evening, struct evening_place *out);

/* Sets half[n - 1] to the points of player n after the last round, in half points: 2
 * for each win, 1 for each draw. A bye, or a game that the opponent missed, counts as a
 * win. */
void evening_table_wins(const struct evening *evening, int *half);

#endif
