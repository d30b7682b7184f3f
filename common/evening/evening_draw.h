/* Makes the pairings of the next round: round robin by the circle method, or a simple
 * Swiss system. Pure.
 *
 * Simple Swiss: the players are sorted by points for wins and draws, then by seed. From
 * the top of the list, each player is paired with the nearest lower player who is not
 * an earlier opponent. If the rest cannot be paired, the search goes back and tries
 * other pairs. The bye goes to the lowest player who has not had one. This is not the
 * Dutch system of FIDE. */
#ifndef COMMON_EVENING_EVENING_DRAW_H
#define COMMON_EVENING_EVENING_DRAW_H

#include "common/evening/evening.h"

struct evening_draw {
    int pairs;
    struct {
        int first, second; /* numbers of players; `first` moves first; `second` 0: a
                            * bye; byes are last */
    } pair[EVENING_BOARDS_MAX];
};

/* Pairs the players who are here. In a Swiss evening, seed[n - 1] ranks player n among
 * the players with the same points. The player with the highest seed is first. If
 * `seed` is NULL, the player who joined first is first. Two players meet again only if
 * no other pairing was found. Returns false if too few players are here. A Swiss round
 * and the first round of a round robin need two players. A later round of a round robin
 * needs only one player, who gets a bye. Also returns false if a round robin is
 * complete or has more than EVENING_CIRCLE_MAX players. */
bool evening_draw_round(const struct evening *evening, const int *seed,
                        struct evening_draw *out) MUST_USE;

/* Checks the organiser's pairings. Every player who is here must occur once, and no
 * other player may occur. There may be at most one bye. If the pairings are valid,
 * returns NULL. Otherwise returns a text that says what is wrong. */
const char *evening_draw_judge(const struct evening *evening,
                               const struct evening_draw *draw);

/* Reads pairs such as "1-4 3-2 5-0": numbers of the table, the first mover first, and 0
 * for a bye. Returns NULL, or why the text cannot be read. */
const char *evening_draw_parse(const struct evening *evening, const char *text,
                               struct evening_draw *out);

/* Writes the event "round N ...". */
void evening_draw_format(char out[EVENING_EVENT_BYTES], const struct evening *evening,
                         const struct evening_draw *draw);

#endif
