/* Open seeks and challenges: made, listed, and withdrawn with a notice to those who
 * received them. In memory only. */
#ifndef SERVER_LOBBY_SEEKS_H
#define SERVER_LOBBY_SEEKS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "common/base/utf8.h"
#include "server/base/deadline.h"
#include "server/lobby/rated.h"
#include "server/lobby/terms.h"

struct account;
struct seeks;
struct session;
struct sessions;
struct world;

/* --- News that something is no longer open --- */

/* The contents of "! gone", which tells those who received a seek, a challenge, or an
 * invitation that it is no longer open. */
struct gone {
    char id[24];         /* a number or a code */
    const char *kind;    /* "seek", "challenge" or "invite" */
    char by[NAME_BYTES]; /* name of the maker; "" for the host */
    const char *why;
    int64_t next; /* id of the challenge that replaces this one; 0: none */
};
/* Sends the notice to `session`, which received the seek, challenge or invitation;
 * session 0: to none. */
void gone_tell(struct sessions *sessions, uint64_t session, const struct gone *gone);

/* --- Pairs of players --- */

/* Pairs that are remembered for a limited time, in memory only, for one reason: for
 * example that one player declined a challenge of the other. */
struct pairs;
enum { PAIRS_MAX = 10000 };
/* A pair is remembered for keep_ms. */
struct pairs *pairs_new(int64_t keep_ms) MUST_USE;
/* Accepts NULL. */
void pairs_free(struct pairs *pairs);
/* Remembers the pair for keep_ms from now on. `one` and `other` are folded names; the
 * pair is not the same in the other order. Evicts the oldest pair when there are
 * PAIRS_MAX. */
void pairs_add(struct pairs *pairs, const char *one, const char *other, int64_t now_ms);
/* Returns the milliseconds for which the pair is still remembered; 0: it is not. */
int64_t pairs_left_ms(const struct pairs *pairs, const char *one, const char *other,
                      int64_t now_ms);

/* --- Seeks --- */

/* A seek (target NULL) or a challenge. Owned by the seeks. */
struct seek {
    int64_t id;
    struct account *maker, *target;
    struct terms terms;
    struct range range; /* ratings that the maker accepts */
    bool is_waiting;    /* made by the command `play`: the game begins by itself */
    bool takes_bots;    /* is_waiting: a program may be the opponent */
    struct deadline deadline; /* is_waiting: when the wait ends */
    uint64_t told;            /* id of the target's session that got the challenge; 0:
                               * none */
    UT_hash_handle hh;
    struct seek *made_prev, *made_next;   /* in the list of its maker */
    struct seek *asked_prev, *asked_next; /* a challenge: in the list of its target */
    struct seek *open_prev, *open_next;   /* a seek: in the list of all seeks */
};

struct seeks *seeks_new(const struct world *world) MUST_USE;
/* Also frees the open seeks. Accepts NULL. */
void seeks_free(struct seeks *seeks);
/* Returns the oldest open seek, or NULL; seek->open_next is the next newer one.
 * Challenges are not among them. */
struct seek *seeks_first(const struct seeks *seeks);
int seeks_count(const struct seeks *seeks);
/* Writes the words that describe a seek or challenge in a list of them: its terms, then
 * " bots=yes" and the range if there are such. */
enum { SEEK_WORDS_BYTES = TERMS_BYTES + RATED_RANGE_BYTES + 16 };
void seeks_format(char out[SEEK_WORDS_BYTES], const struct seek *seek);

/* Makes a challenge to `target`, in place of one that is open. If `target` is NULL,
 * makes a seek for opponents in `range` (NULL: all opponents). Returns NULL if the
 * maker has too many challenges or seeks. */
struct seek *seeks_open(struct seeks *seeks, struct account *maker,
                        struct account *target, const struct terms *terms,
                        const struct range *range);
struct seek *seeks_find(struct seeks *seeks, int64_t id);
/* Returns the open challenge of `maker` to `target`, or NULL. */
struct seek *seeks_find_challenge(const struct account *maker,
                                  const struct account *target);
/* A search looks at so many seeks with the same terms, the oldest first. */
enum { SEEKS_FITS_MAX = 256 };
/* Returns the oldest seek that fits `mine`, or NULL. Skips the seeks of the same maker,
 * and of players who wait. Also skips a seek if one of the two makers ignores or blocks
 * the other. */
const struct seek *seeks_find_fit(const struct seeks *seeks, const struct seek *mine);
/* Tells those who listen of a new seek, unless they play a game with clocks, are quiet,
 * or one of them and the maker ignores or blocks the other. Of more than ten seeks at
 * once, and one a second after that, nobody is told. */
void seeks_announce(struct seeks *seeks, const struct seek *seek);
/* If `wants` is true, the session listens to seeks_announce() from now on. If `wants`
 * is false, stops this. The session must belong to a player. Call it with false before
 * the session is freed. */
void seeks_listen(struct seeks *seeks, struct session *session, bool wants);
/* If the session can receive lines now, sends it the open challenges to its player.
 * Skips the challenges that the session has already received. */
void seeks_tell(struct seeks *seeks, struct session *session);

/* Removes a seek or challenge. Notifies its maker, and also its target if the target
 * has received it. */
void seeks_drop(struct seeks *seeks, struct seek *seek, const char *why);
/* Removes all seeks and challenges of that maker in the same way. */
void seeks_drop_all(struct seeks *seeks, struct account *maker, const char *why);
/* Removes a seek or challenge that `taker` has accepted. */
void seeks_take(struct seeks *seeks, struct seek *seek, const struct account *taker);
/* Drops a challenge that its target declines. For a while, its maker may not challenge
 * the same player again. */
void seeks_decline(struct seeks *seeks, struct seek *challenge, int64_t now_ms);
/* Returns for how many milliseconds `maker` may not challenge `target`, who has
 * declined; 0: allowed now. */
int64_t seeks_declined_ms(const struct seeks *seeks, const struct account *maker,
                          const struct account *target, int64_t now_ms);
/* Returns for how many milliseconds `maker` may not challenge `target`, because `maker`
 * withdrew two challenges to `target` in a short time; 0: allowed now. */
int64_t seeks_repeated_ms(const struct seeks *seeks, const struct account *maker,
                          const struct account *target, int64_t now_ms);

#endif
