/* Open seeks and challenges: made, listed, and withdrawn with a notice to those who
 * received them. In memory only. */
#ifndef SERVER_SEEK_SEEKS_H
#define SERVER_SEEK_SEEKS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/base/deadline.h"
#include "server/seek/rated.h"
#include "server/seek/terms.h"
#include "server/seek/wish.h"

struct account;
struct deadlines;
struct gone_queue;
struct listing;
struct market;
struct ratings;
struct rooms;
struct seeks;
struct session;
struct sessions;
struct store;

/* A seek (target NULL) or a challenge. Owned by the seeks. */
struct seek {
    int64_t id;
    struct account *maker, *target;
    struct terms terms;
    struct wish *wish;  /* its maker waits for any game of it (`play`); terms are the
                        * first of them. NULL: a seek for just these terms */
    struct range range; /* of the opponent's rating */
    int64_t made_ms;
    bool has_looked_again;    /* with a wish: the second search, some time after the
                               * first, was made */
    struct deadline deadline; /* of one with a wish */
    uint64_t told;            /* session of the target that was notified; 0: none */
    int counters; /* a challenge: how often the two have answered with other terms */
    UT_hash_handle hh;
    struct seek *made_prev, *made_next;   /* of its maker */
    struct seek *asked_prev, *asked_next; /* a challenge: of its target */
    struct seek *open_prev, *open_next;   /* a seek: in the list of all seeks; written
                                           * by the market */
    struct listing *listings; /* a seek: where it can be found; written by the market */
    int listing_count;
};

/* The most open seeks, and the most open challenges, of one player; the most open seeks
 * of all accounts of a network that are younger than a day (0: no limit). */
struct seeks_limits {
    int seeks, challenges, network_seeks;
};

/* The modules that the seeks borrow, and the limits, which may change. */
struct seeks_parts {
    struct store *store;
    struct sessions *sessions;
    struct rooms *rooms;
    struct ratings *ratings;
    struct deadlines *deadlines;
    struct gone_queue *gone;
    const struct seeks_limits *limits;
};
struct seeks *seeks_new(const struct seeks_parts *parts) MUST_USE;
/* Also frees the open seeks. Accepts NULL. */
void seeks_free(struct seeks *seeks);
/* The seeks, without the challenges, by their terms. */
const struct market *seeks_market(const struct seeks *seeks);

/* The limit that refuses maker another seek (target NULL) or challenge; 0: none. */
int seeks_limit(const struct seeks *seeks, const struct account *maker,
                const struct account *target);
/* Makes a challenge to target; a seek, for opponents in that range (NULL: all), if target
 * is NULL. Returns NULL if the maker has too many. */
struct seek *seeks_open(struct seeks *seeks, struct account *maker,
                        struct account *target, const struct terms *terms,
                        const struct range *range);
/* A seek for any game of the wish. Returns NULL if the maker has too many. */
struct seek *seeks_wait(struct seeks *seeks, struct account *maker,
                        const struct wish *wish);

struct seek *seeks_find(struct seeks *seeks, int64_t id);
/* The challenge of maker to target, or NULL. */
struct seek *seeks_find_challenge(const struct account *maker,
                                  const struct account *target);
/* The oldest seek that fits `mine`, or NULL; made by another player who is not kept apart
 * from the maker of `mine` (peace.h). */
const struct seek *seeks_find_fit(const struct seeks *seeks, const struct seek *mine);
/* Sends session, a player, "! seek" for new seeks from now on, or stops that. Call it
 * with false before the session is freed. */
void seeks_listen(struct seeks *seeks, struct session *session, bool wants);
/* Sends to session, if it accepts them now, the open challenges to its player that it was
 * not sent yet. */
void seeks_tell(struct seeks *seeks, struct session *session);

/* Removes it and notifies its maker, and the target if it received it. game as in
 * gone_tell(). */
void seeks_drop(struct seeks *seeks, struct seek *seek, const char *why, int64_t game);
/* All of that maker. */
void seeks_drop_all(struct seeks *seeks, struct account *maker, const char *why,
                    int64_t game);
/* Removes a seek or challenge that taker has accepted; game is being written to the
 * disk. */
void seeks_take(struct seeks *seeks, struct seek *seek, const struct account *taker,
                int64_t game);
/* The target of a challenge answers it with other terms: it becomes a challenge of the
 * target to its maker. NULL when the target has too many; the challenge stays open
 * then. */
enum { SEEKS_COUNTERS_MAX = 6 };
struct seek *seeks_counter(struct seeks *seeks, struct seek *challenge,
                           const struct terms *terms);
/* The target declines a challenge: for a while, its maker may not challenge the same
 * player again. */
void seeks_decline(struct seeks *seeks, struct seek *challenge, int64_t now_ms);
/* How long maker must not challenge target, who declined; 0: allowed now. */
int64_t seeks_declined_ms(const struct seeks *seeks, const struct account *maker,
                          const struct account *target, int64_t now_ms);
/* The same for a maker who withdrew two challenges to target in a short time. */
int64_t seeks_repeated_ms(const struct seeks *seeks, const struct account *maker,
                          const struct account *target, int64_t now_ms);

#endif
