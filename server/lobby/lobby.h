/* Who plays whom: seeks, challenges, invitations, and how each becomes a room. Connects
 * sessions to accounts and accounts to rooms. */
#ifndef SERVER_LOBBY_LOBBY_H
#define SERVER_LOBBY_LOBBY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "common/base/base.h"
#include "server/account/accounts.h"
#include "server/account/code.h"
#include "server/lobby/terms.h"
#include "server/room/room.h"

struct lobby;
struct session;

/* A seek (target NULL) or a challenge. Owned by the lobby. */
struct seek {
    int64_t id;
    struct account *maker, *target;
    struct terms terms;
    uint64_t told; /* session of the target that was notified; 0: none */
    UT_hash_handle hh;
};

enum { INVITE_HOURS = 24 };

/* Owned by the lobby. */
struct invite {
    char code[CODE_BYTES];
    struct terms terms;
    char maker[NAME_BYTES]; /* folded; "" when the host made it for two players */
    char first[NAME_BYTES]; /* folded; the player who waits in it when the host made
                             * it */
    int64_t made_wall_s;
    int64_t game; /* 0 until its game has begun */
    UT_hash_handle hh, by_game;
};

struct lobby_limits {
    int seeks_max;      /* limit of open seeks of one player */
    int challenges_max; /* limit of open challenges of one player */
    int invites_max;    /* limit of open invitations of one player, and of the host */
    int games_max;      /* limit of running games; 0: none */
};

/* Borrows everything; running games must be in rooms already. NULL after logging when
 * the invitations cannot be read. */
struct lobby *lobby_new(struct store *store, struct sessions *sessions,
                        struct accounts *accounts, struct rooms *rooms,
                        const struct lobby_limits *limits) MUST_USE;
void lobby_free(struct lobby *lobby);
/* The next number for a seek, challenge or offer: one series for all, which continues
 * after a restart. */
int64_t lobby_next_offer(struct lobby *lobby);

/* --- Sessions --- */

/* session has proved that it is account: closes an older session, takes its seats, and
 * sends its games and those that ended while it was away. */
void lobby_enter(struct lobby *lobby, struct session *session, struct account *account);
/* "game 3 red=hong ... ended_s=1795000000"; sep is the character between "game" and the
 * number. */
enum { PAST_WORDS_BYTES = 320 };
void lobby_past_words(char out[PAST_WORDS_BYTES], const struct store_past *past,
                      char sep);
/* session has sent a command, so the lines sent to it before have arrived. */
void lobby_heard(struct lobby *lobby, struct session *session);
/* session has ended: drops its seeks and challenges and removes it from its rooms. */
void lobby_leave(struct lobby *lobby, struct session *session);
/* Sends session, if it can take it now, what is open to its player and was not sent
 * yet: challenges, and offers in its games. At login, and when a slow reader has caught
 * up. */
void lobby_tell_open(struct lobby *lobby, struct session *session);

/* Forgets expired names to make room for new ones. Does nothing when called too
 * often. */
void lobby_sweep_names(struct lobby *lobby, int64_t now_wall_s);

/* --- Seeks and challenges --- */

/* target NULL: a seek. NULL when the maker has too many. */
struct seek *lobby_seek(struct lobby *lobby, struct account *maker,
                        struct account *target, const struct terms *terms);
struct seek *lobby_find_seek(struct lobby *lobby, int64_t id);
/* The challenge of maker to target, or NULL. */
struct seek *lobby_find_challenge(struct lobby *lobby, const struct account *maker,
                                  const struct account *target);
struct seek *lobby_first_seek(struct lobby *lobby);
struct seek *lobby_next_seek(struct seek *seek);
/* Removes it and notifies its maker, and the target if it was told of it. */
void lobby_drop_seek(struct lobby *lobby, struct seek *seek, const char *why);

/* --- Games --- */

/* Each way to a game: the taker's session gets "OK verb game=N" once it is on disk, with
 * offer=N when an offer was accepted by its number. An accept by number is remembered
 * for its repetition.
 *
 * A timed game that begins, or continues, withdraws what its players have open: seeks,
 * challenges, invitations, offers of a rematch or to continue in other games. All who
 * know of one of these are told "! gone". Games without clocks or by correspondence
 * withdraw nothing. */
enum lobby_start { LOBBY_STARTED, LOBBY_MAKER_FULL, LOBBY_TAKER_FULL, LOBBY_FULL };

/* terms: those of the seek, or of two crossing challenges. Frees seek unless the start
 * fails. */
enum lobby_start lobby_accept(struct lobby *lobby, struct seek *seek,
                              const struct terms *terms, struct account *taker,
                              bool is_by_number, const char *verb);
/* maker: the account that made the invitation or waits in it. */
enum lobby_start lobby_join(struct lobby *lobby, struct invite *invite,
                            struct account *maker, struct account *taker,
                            const char *verb);
/* Starts the rematch that offer asks for, with sides changed; the player who offered
 * becomes the maker. Notifies the readers of the old room. */
enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, bool is_by_number,
                               const char *verb);
/* The first event of a room, or its continuation, is on disk: notifies all that waited
 * for it. */
void lobby_game_begun(struct lobby *lobby, struct room *room);
/* Call it when a room is over: frees both seats, drops the invitation, and remembers
 * which players may have missed the end. */
void lobby_game_over(struct lobby *lobby, struct room *room);
/* True for a game that runs as of the last event on disk: lists may show it. */
bool lobby_shows(const struct room *room);
/* The running games of account as "3,7", or "-". */
enum { GAME_LIST_BYTES = ACCOUNT_GAMES_MAX * 21 };
void lobby_list_games(struct lobby *lobby, const struct account *account, char *out,
                      size_t size);
/* After a restart: seats the accounts again and starts the clocks. Returns the number
 * of games. */
int lobby_restore_games(struct lobby *lobby);

/* --- Invitations --- */

/* maker "": the host. done as in store.h. NULL when there are too many. */
struct invite *lobby_invite(struct lobby *lobby, const char *maker,
                            const struct terms *terms, store_done_fn *done, void *arg);
/* The host's newest invitation that can be used: not begun and not expired, or its game
 * is running. NULL: none. */
struct invite *lobby_standing_invite(struct lobby *lobby);
/* Accepts any spelling of the code: either case, with or without the dash. */
struct invite *lobby_find_invite(struct lobby *lobby, const char *code);
bool lobby_invite_is_old(const struct invite *invite);
/* The next invitation after invite (NULL: the first) that account made or waits in and
 * whose game has not begun. NULL after the last. */
const struct invite *lobby_next_invite(const struct lobby *lobby,
                                       const struct account *account,
                                       const struct invite *invite);
void lobby_save_invite(struct lobby *lobby, const struct invite *invite,
                       store_done_fn *done, void *arg);
#endif
