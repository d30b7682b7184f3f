/* Matchmaking: starts the games of seeks, challenges, invitations and rematches.
 * Connects sessions to accounts and accounts to rooms. */
#ifndef SERVER_LOBBY_LOBBY_H
#define SERVER_LOBBY_LOBBY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/account/accounts.h"
#include "server/base/deadline.h"
#include "server/lobby/invites.h"
#include "server/lobby/seeks.h"
#include "server/lobby/terms.h"
#include "server/room/room.h"

struct lobby;
struct session;
struct world;

enum { WAIT_MINUTES = 15, LEAVES_MAX = 3, LEAVE_MINUTES = 10 };

struct lobby_limits {
    int games_per_min; /* limit of games that one player begins in a minute, after
                            * the first 64; 0: no limit */
    int leaves_max;    /* how many games one player may leave early in LEAVE_MINUTES
                            * (see lobby_game_left()); 0: no limit */
    int games_max;     /* limit of running games; 0: no limit */
    bool may_be_near;  /* rated games count even if both players are at one
                            * address */
    int64_t bytes_max; /* database size above which no game starts; 0: no limit */
};

/* Borrows the modules of `world`. Its rooms must have the running games already. Returns
 * NULL after logging why the invitations cannot be read. */
struct lobby *lobby_new(const struct world *world,
                        const struct lobby_limits *limits) MUST_USE;
/* Uses these limits from now on, but keeps the old bytes_max. Seeks and invitations
 * that are open stay open, even if there are more than a new limit allows. */
void lobby_change_limits(struct lobby *lobby, const struct lobby_limits *limits);
void lobby_free(struct lobby *lobby);
struct seeks *lobby_seeks(struct lobby *lobby);
struct invites *lobby_invites(struct lobby *lobby);

/* --- Sessions --- */

/* Call it when `session` has proved that it owns `account`. Closes an older session of
 * the account. Makes the session follow the account's running games. Sends to the
 * session a list of these games, the open challenges and offers, and the ends of games
 * that the player has not seen. */
void lobby_enter(struct lobby *lobby, struct session *session, struct account *account);
/* Call it when `session` has sent a command. This shows that the player has seen the
 * ends of games that were sent to the session before, and the store forgets them. Until
 * then it remembers that the player has possibly not seen them. */
void lobby_heard(struct lobby *lobby, struct session *session);
/* Writes "game 3 red=hong ... ended_s=1795000000"; `sep` is the character between
 * "game" and the number. */
enum { ENDS_WORDS_BYTES = 320 };
void lobby_format_end(char out[ENDS_WORDS_BYTES], const struct store_past *past,
                      char sep);
/* Call it when `session` has ended. Drops its seeks and challenges, and removes it from
 * its rooms. */
void lobby_leave(struct lobby *lobby, struct session *session);
/* Sends open challenges and offers to `session`: the challenges to its player, and the
 * offers in the games of this player. Skips challenges and offers that the session has
 * already received. If the session does not accept more lines now, stops. Call it at
 * login, and when a slow reader has caught up. */
void lobby_tell_open(struct lobby *lobby, struct session *session);

/* True when the database accepts no new games, names, messages and reports. */
bool lobby_is_storage_full(const struct lobby *lobby);

/* --- Games --- */

/* lobby_accept(), lobby_join() and lobby_rematch() start a game: the taker's session gets
 * "OK verb game=N". If the taker accepted an offer by its number, the answer also contains
 * offer=N. If the taker accepted a seek or an offer by its number, the server remembers
 * this. If the client then sends the same command again, it gets the same answer.
 *
 * A timed game that starts or continues withdraws the open items of its players: their
 * seeks, challenges and invitations, and their offers to continue another game or to
 * play a rematch. Each session that received such an item gets a notice (gone.h). A
 * game without clocks or by correspondence does not withdraw anything. */
enum lobby_start {
    LOBBY_STARTED,
    LOBBY_MAKER_FULL,
    LOBBY_TAKER_FULL,
    LOBBY_TAKER_LEAVES,  /* has left several games before they were played */
    LOBBY_SOURCE_FULL,   /* the source of one of the two players has many games */
    LOBBY_TOO_FAST,      /* one of the two has begun many games in a short time */
    LOBBY_STORAGE_FULL,  /* the database has reached its limit */
    LOBBY_MAKER_UNRATED, /* the maker may not play rated games yet */
    LOBBY_TAKER_UNRATED,
    LOBBY_OUT_OF_RANGE, /* the taker's rating is outside the range of the seek */
    LOBBY_MAKER_DUE,    /* see lobby_due_in_s() */
    LOBBY_TAKER_DUE,
    LOBBY_FULL
};

/* Starts the game of a seek or challenge. terms: the terms of the game. If the taker
 * has also made a challenge or a wish, the terms satisfy both players. Otherwise they
 * are the terms of `seek`. Frees `seek` unless the start fails. */
enum lobby_start lobby_accept(struct lobby *lobby, struct seek *seek,
                              const struct terms *terms, struct account *taker,
                              bool is_by_number, const char *verb);
/* Starts the game of an invitation. The invitation must have an owner, and `taker`
 * must be another account. */
enum lobby_start lobby_join(struct lobby *lobby, struct invite *invite,
                            struct account *taker, const char *verb);
/* Starts the rematch that `offer` asks for, on the terms of lobby_rematch_terms(). The
 * player who made the offer is the maker. Notifies the readers of the old room. */
enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, bool is_by_number,
                               const char *verb);
/* Returns the terms of a rematch of the players of `room`. `side` is the side that a
 * player had in `room`. The side in the terms is the new side of that same player. The
 * players change sides, unless the game started from a position. */
struct terms lobby_rematch_terms(const struct room *room, enum side side);
/* Starts a game whose players the server has paired. The quotas do not
 * apply. Returns the number of the game; 0: no game can begin now, for
 * example because the server is shutting down. */
int64_t lobby_pair(struct lobby *lobby, const struct terms *terms,
                   struct account *maker, struct account *taker);
/* Call it when the first event of a room, or the event that continues its game, is on
 * disk: sends the notices that waited for that. */
void lobby_game_begun(struct lobby *lobby, struct room *room);
/* Call it when the game of the room ends, before the end event is queued for the store.
 * The call and the end event must be in the same batch. If the game was not aborted,
 * marks the players' names as permanent. If the game was also rated, queues its rating
 * row. */
void lobby_game_ending(struct lobby *lobby, struct room *room);
/* Call it before `side` ends a game by an abort or a resignation, without the agreement
 * of the opponent. If both players have moved, nothing happens. Otherwise the player of
 * `side` leaves the game early if the game is less than 30 s old, or if the game does
 * not wait for the opponent. A player who leaves LEAVES_MAX games early within
 * LEAVE_MINUTES cannot begin a game for a while. */
void lobby_game_left(struct lobby *lobby, const struct room *room, enum side side);
/* If the player has left several games early, the player cannot begin a game for a
 * while. Returns the seconds until `account` can begin a game; 0: it can begin a game
 * now. */
int64_t lobby_left_wait_s(const struct lobby *lobby, const struct account *account);
/* If a game of an evening, which has clocks, begins for `account` within a minute,
 * returns the seconds until then; 0: there is none. Until it begins, the player may not
 * begin another game with clocks, and would otherwise sit in two of them. */
int64_t lobby_due_in_s(const struct account *account);
/* Call it before the host ends a game: its result then changes no ratings. */
void lobby_exclude_game(struct lobby *lobby, int64_t game);
/* Call it when the game of a room has ended: removes it from the running games of both
 * players, drops the invitation that started it, and records which players have
 * possibly missed the end. */
void lobby_game_over(struct lobby *lobby, struct room *room);
/* True if the game may be listed: it has begun and has not ended. */
bool lobby_shows(const struct room *room);
/* Writes the running games of `account` to `out` as "3,7", or "-" if there are none.
 * Returns how many private games were omitted. */
enum { GAME_LIST_BYTES = ACCOUNT_GAMES_MAX * 21 };
int lobby_list_games(struct lobby *lobby, const struct account *account,
                     bool with_private, char *out, size_t size);
/* Call it after a restart, when all that was stored has been read: adds the running
 * games to the accounts of their players, and drops invitations that are no longer
 * valid. The events of the games are read later, by the event loop (see rooms_wake()).
 * Returns the number of games. */
int lobby_restore_games(struct lobby *lobby);

/* --- A game in one word --- */

/* Returns what keeps `account` from beginning a game now, whoever the opponent is;
 * LOBBY_STARTED: nothing does. */
enum lobby_start lobby_judge_player(const struct lobby *lobby,
                                    const struct account *account) MUST_USE;
/* Returns the oldest seek of another player that fits `mine`, which needs no more than
 * a maker, terms, a range and takes_bots, and whose game could start now; NULL: there
 * is none. Neither player may ignore or block the other. If one player is a program,
 * the other must be a program or accept programs. Sets *terms to the terms of the game.
 * The side in them is the side of the seek's maker. */
struct seek *lobby_find_match(struct lobby *lobby, const struct seek *mine,
                              struct terms *terms);
/* Makes a seek like `mine`, whose maker waits for an opponent for at most WAIT_MINUTES.
 * Returns NULL when the account has too many seeks. */
struct seek *lobby_wait(struct lobby *lobby, const struct seek *mine);
/* Call it when `account` sends the verb `play` once more: drops the seek that
 * lobby_wait() has made for it, if there is one. */
void lobby_end_wait(struct lobby *lobby, struct account *account);
/* Call it after the OK for a new seek. If a player waits for such a seek, the game
 * starts, both seeks are freed, and the result is true. */
bool lobby_meet_waiting(struct lobby *lobby, struct seek *seek);

#endif
