/* Matchmaking: seeks, challenges, invitations, and the start of their games. Connects
 * sessions to accounts and accounts to rooms. */
#ifndef SERVER_LOBBY_LOBBY_H
#define SERVER_LOBBY_LOBBY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/account/accounts.h"
#include "server/account/code.h"
#include "server/base/deadline.h"
#include "server/lobby/rated.h"
#include "server/lobby/terms.h"
#include "server/lobby/wish.h"
#include "server/room/room.h"

struct listing;
struct lobby;
struct session;

/* A seek (target NULL) or a challenge. Owned by the lobby. */
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

enum { INVITE_HOURS = 24, WAIT_MINUTES = 15 };

/* Owned by the lobby. */
struct invite {
    char code[CODE_BYTES];
    struct terms terms;
    struct account *owner; /* the maker, or for the host's the player who waits in it;
                            * NULL: none yet, or its game has started */
    bool is_hosts;         /* the host made it for two players */
    int64_t made_wall_s;
    int64_t game; /* 0 until its game has begun */
    struct deadline deadline;
    UT_hash_handle hh, by_game;
    struct invite *owner_prev, *owner_next; /* of its owner */
};

/* The limits of a network apply to its accounts that are younger than a day; 0:
 * none. */
struct lobby_limits {
    int seeks_max;      /* limit of open seeks of one player */
    int challenges_max; /* limit of open challenges of one player */
    int invites_max;    /* limit of open invitations of one player, and of the host */
    int seats_max;      /* limit of running games of one player */
    int games_per_min;  /* limit of games that one player begins, beyond
                         * the first 64; 0: none */
    int games_max;      /* limit of running games; 0: none */
    int network_seeks_max, network_invites_max, network_seats_max;
    bool may_be_near;  /* rated games between players at one address count */
    int64_t bytes_max; /* of the database, above which no game starts; 0: no limit */
};

/* The modules that the lobby borrows. Running games must be in rooms already. */
struct lobby_parts {
    struct store *store;
    struct sessions *sessions;
    struct accounts *accounts;
    struct rooms *rooms;
    struct ratings *ratings;
    struct deadlines *deadlines;
};
/* Returns NULL after logging why the invitations cannot be read. */
struct lobby *lobby_new(const struct lobby_parts *parts,
                        const struct lobby_limits *limits) MUST_USE;
/* Uses these limits from now on, except that bytes_max stays. Open items beyond a limit
 * stay open. */
void lobby_change_limits(struct lobby *lobby, const struct lobby_limits *limits);
void lobby_free(struct lobby *lobby);
/* The next number for a seek, challenge or offer: one series for all, which continues
 * after a restart. */
int64_t lobby_next_offer(struct lobby *lobby);

/* --- Sessions --- */

/* session has proved that it owns account: closes an older session, takes its seats,
 * and sends its running games and those that ended meanwhile. */
void lobby_enter(struct lobby *lobby, struct session *session, struct account *account);
/* "game 3 red=hong ... ended_s=1795000000"; sep is the character between "game" and the
 * number. */
enum { PAST_WORDS_BYTES = 320 };
void lobby_past_words(char out[PAST_WORDS_BYTES], const struct store_past *past,
                      char sep);
/* session has sent a command, so it has received the earlier lines. */
void lobby_heard(struct lobby *lobby, struct session *session);
/* session has ended: drops its seeks and challenges and removes it from its rooms. */
void lobby_leave(struct lobby *lobby, struct session *session);
/* The account is to be erased: closes its session, withdraws its invitations, and
 * clears the sessions' pointers to it. */
void lobby_forget(struct lobby *lobby, struct account *account);
/* Sends session, if it accepts them now, the open challenges to its player, and
 * offers in its games, that were not sent yet. At login, and when a slow reader has
 * caught up. */
void lobby_tell_open(struct lobby *lobby, struct session *session);

/* --- Seeks and challenges --- */

/* The limit that refuses maker another seek (target NULL) or challenge; 0: none. */
int lobby_seek_limit(const struct lobby *lobby, const struct account *maker,
                     const struct account *target);
/* Makes a challenge to target; a seek, for opponents in that range (NULL: all), if target
 * is NULL. Returns NULL if the maker has too many. */
struct seek *lobby_seek(struct lobby *lobby, struct account *maker,
                        struct account *target, const struct terms *terms,
                        const struct range *range);
struct seek *lobby_find_seek(struct lobby *lobby, int64_t id);
/* The challenge of maker to target, or NULL. */
struct seek *lobby_find_challenge(const struct account *maker,
                                  const struct account *target);
/* The open seeks, without the challenges, oldest first, and their number. */
struct seek *lobby_first_seek(const struct lobby *lobby);
struct seek *lobby_next_seek(const struct seek *seek);
int lobby_count_seeks(const struct lobby *lobby);
/* The oldest seek of another player that fits mine, or NULL. */
const struct seek *lobby_fitting_seek(const struct lobby *lobby,
                                      const struct seek *mine);
/* Writes the words of a seek or challenge in a list: terms_format(), or wish_format(). */
void lobby_seek_words(char out[WISH_WORDS_BYTES], const struct seek *seek);
/* Sends session, a player, "! seek" for new seeks from now on, or stops that. */
void lobby_listen(struct lobby *lobby, struct session *session, bool wants);
/* Removes it and notifies its maker, and the target if it received it. */
void lobby_drop_seek(struct lobby *lobby, struct seek *seek, const char *why);
/* The target of a challenge answers it with other terms: it becomes a challenge of the
 * target to its maker. NULL when the target has too many; the challenge stays open
 * then. */
enum { COUNTERS_MAX = 6 };
struct seek *lobby_counter(struct lobby *lobby, struct seek *challenge,
                           const struct terms *terms);
/* The terms of another game of those two players: the side is that of the player who had
 * side. Sides change, unless the game started from a position. */
struct terms lobby_rematch_terms(const struct room *room, enum side side);
/* The target declines a challenge: for a while, its maker may not challenge the same
 * player again. */
void lobby_decline(struct lobby *lobby, struct seek *challenge, int64_t now_ms);
/* How long maker must not challenge target, who declined; 0: allowed now. */
int64_t lobby_declined_ms(const struct lobby *lobby, const struct account *maker,
                          const struct account *target, int64_t now_ms);

/* True when the database accepts no new games and names. */
bool lobby_is_storage_full(const struct lobby *lobby);

/* --- Games --- */

/* Each function starts a game: the taker's session gets "OK verb game=N" once it is
 * on disk, with offer=N when an offer was accepted by its number. An accept by
 * number is remembered, so that its repetition gets the same answer.
 *
 * A timed game that starts, or continues, withdraws the open items of its players:
 * seeks, challenges, invitations, offers of a rematch or to continue in other games.
 * Each session that received one gets "! gone". Games without clocks or by
 * correspondence withdraw nothing. */
enum lobby_start {
    LOBBY_STARTED,
    LOBBY_MAKER_FULL,
    LOBBY_TAKER_FULL,
    LOBBY_NETWORK_FULL,  /* the network of one of the two */
    LOBBY_TOO_FAST,      /* one of the two has begun many games in a short time */
    LOBBY_STORAGE_FULL,  /* the database has reached its limit */
    LOBBY_MAKER_UNRATED, /* may not play rated games yet */
    LOBBY_TAKER_UNRATED,
    LOBBY_NOT_FIRM,     /* the seek is for opponents with a firm rating, */
    LOBBY_OUT_OF_RANGE, /* or with a rating in its range */
    LOBBY_FULL
};

/* terms: those of the seek, or of two crossing challenges. Frees seek unless the start
 * fails. */
enum lobby_start lobby_accept(struct lobby *lobby, struct seek *seek,
                              const struct terms *terms, struct account *taker,
                              bool is_by_number, const char *verb);
/* Starts the game of an invitation. The invitation must have an owner, and taker must
 * be somebody else. */
enum lobby_start lobby_join(struct lobby *lobby, struct invite *invite,
                            struct account *taker, const char *verb);
/* Starts the rematch that offer asks for, with sides changed; the player who offered
 * becomes the maker. Notifies the readers of the old room. */
enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, bool is_by_number,
                               const char *verb);
/* Starts a game that the server has paired. The limits of one player and of a network do
 * not count. Returns its number; 0: no game can begin now. */
int64_t lobby_pair(struct lobby *lobby, const struct terms *terms,
                   struct account *maker, struct account *taker);
/* The first event of a room, or its continuation, is on disk: sends the waiting
 * notices. */
void lobby_game_begun(struct lobby *lobby, struct room *room);
/* Call it before the end of a room is queued, in one batch with it: marks its players'
 * names as permanent, unless the game was aborted. */
void lobby_game_ending(struct lobby *lobby, struct room *room);
/* Call it before the host ends a game: its result then changes no ratings. */
void lobby_exclude_game(struct lobby *lobby, int64_t game);
/* Writes " rating=1512 rank=4k" of the account for games on those terms; see
 * ratings_words(). */
void lobby_rating_words(char out[RATINGS_WORDS_BYTES], const struct lobby *lobby,
                        const struct account *account, const struct terms *terms);
/* Call it when a room has ended: frees both seats, drops the invitation, and records
 * which players may have missed the end. */
void lobby_game_over(struct lobby *lobby, struct room *room);
/* True for a running game, as of the last event on disk: it may be listed. */
bool lobby_shows(const struct room *room);
/* The running games of account as "3,7", or "-". Returns how many private ones were
 * omitted. */
enum { GAME_LIST_BYTES = ACCOUNT_GAMES_MAX * 21 };
int lobby_list_games(struct lobby *lobby, const struct account *account,
                     bool with_private, char *out, size_t size);
/* After a restart, when all that was stored has been read: seats the accounts again and
 * drops invitations that are of no use any more. The games fold in the turns of the loop that
 * follow; see rooms_wake(). Returns the number of games. */
int lobby_restore_games(struct lobby *lobby);

/* --- A game in one word --- */

/* Why account cannot begin a game now, with any opponent; LOBBY_STARTED: it can. */
enum lobby_start lobby_judge_player(const struct lobby *lobby,
                                    const struct account *account) MUST_USE;
/* The best seek of another player for a game of the wish, or NULL: one whose maker was
 * not met within the last hour before the others, then that with the nearest rating,
 * then the oldest. In its first 30 s firm ratings are at most 300 apart. Neither of the two
 * ignores or blocks the other, a program plays only with people who take bots, and the
 * game could start now. *terms: those of the game, with the side of the seek's maker. */
struct seek *lobby_find_match(struct lobby *lobby, struct account *account,
                              const struct wish *wish, struct terms *terms);
/* account waits until such a seek is made: as an ordinary seek, for WAIT_MINUTES. NULL
 * when it has too many seeks. */
struct seek *lobby_wait(struct lobby *lobby, struct account *account,
                        const struct wish *wish);
/* account waits no longer: drops the seek of lobby_wait(), if there is one. */
void lobby_end_wait(struct lobby *lobby, struct account *account, const char *why);
/* Call it when a new seek has been answered: its game starts if a player waits for it.
 * Both seeks are freed then. */
void lobby_meet_waiting(struct lobby *lobby, struct seek *seek);

/* --- Invitations --- */

/* The limit that refuses maker (NULL: the host) another invitation; 0: none. */
int lobby_invite_limit(const struct lobby *lobby, const struct account *maker);
/* maker NULL: the host. done as in store.h. NULL when there are too many. */
struct invite *lobby_invite(struct lobby *lobby, struct account *maker,
                            const struct terms *terms, store_done_fn *done, void *arg);
/* The host's newest valid invitation: neither started nor expired, or its game is
 * running. NULL: none. Scans all: only for startup. */
struct invite *lobby_standing_invite(struct lobby *lobby);
/* Accepts any spelling of the code: either case, with or without the dash. */
struct invite *lobby_find_invite(struct lobby *lobby, const char *code);
bool lobby_invite_is_old(const struct invite *invite);
/* Makes account wait in an invitation of the host until a second player comes. Calls done
 * when that is on disk. */
void lobby_wait_in(struct lobby *lobby, struct invite *invite, struct account *account,
                   store_done_fn *done, void *arg);
/* Withdraws the account's invitation, or its place in one of the host. False: unknown
 * code, or its game has started. */
bool lobby_withdraw_invite(struct lobby *lobby, const struct account *account,
                           const char *code);

#endif
