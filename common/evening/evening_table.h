/* The table of an evening: places by points and ties. Pure. */
#ifndef COMMON_EVENING_EVENING_TABLE_H
#define COMMON_EVENING_EVENING_TABLE_H

#include "common/evening/evening.h"

/* All points are half points. */
struct evening_place {
    int number;       /* of the player */
    int place;        /* from 1; those who are equal in everything share one */
    int score;        /* by the scoring of the evening, with the maker's adjustments */
    int wins;         /* by wins and draws alone: for the pairings */
    bool missed;      /* missed a round: placed behind players with the same score
                       * who missed none */
    int direct;       /* against those who are equal so far, if all of them have met */
    int buchholz_cut; /* the opponents' points by wins, without the lowest */
    int sonneborn;    /* the points of each opponent whom the player defeated, and half
                       * the points of each with whom the player drew; in quarters of a
                       * point */
    int won;          /* games that were won on the board */
    int played;       /* games that were played on the board */
};

/* Writes the places of all players, the first one first. out has room for
 * evening->players. A round that a player did not play counts for Buchholz and
 * Sonneborn-Berger as a game against an opponent with the player's own points. */
void evening_table(const struct evening *evening, struct evening_place *out);

/* Computes the half points by wins of each player after the last round: half[n - 1]. */
void evening_table_wins(const struct evening *evening, int *half);

#endif
