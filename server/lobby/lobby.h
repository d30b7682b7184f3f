/* Who plays whom: seeks, challenges, invitations, and the way from each of them into a
 * room. Also who sits where: it ties sessions to accounts and accounts to rooms. */
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
    uint64_t told; /* the target's session that was told of it; 0: none */
    UT_hash_handle hh;
};

enum { INVITE_HOURS = 24 };

/* Owned by the lobby. */
struct invite {
    char code[CODE_BYTES];
    struct terms terms;
    char maker[NAME_BYTES]; /* folded; "" when the host made it for any two */
    char first[NAME_BYTES]; /* folded; who waits in it, when there is no maker */
    int64_t made_wall_s;
    int64_t game; /* 0 until it began */
    UT_hash_handle hh, by_game;
};

struct lobby_limits {
    int seeks_max;      /* open at a time, of one player */
    int challenges_max; /* the same */
    int invites_max;    /* the same; of the host too */
    int games_max;      /* of all players at a time; 0: no limit */
};

/* Everything is borrowed; running games are in rooms already. NULL after logging when
 * the invitations cannot be read. */
struct lobby *lobby_new(struct store *store, struct sessions *sessions,
                        struct accounts *accounts, struct rooms *rooms,
                        const struct lobby_limits *limits) MUST_USE;
void lobby_free(struct lobby *lobby);
/* The number of the next seek, challenge or offer: one series for all, which a restart
 * continues. */
int64_t lobby_next_offer(struct lobby *lobby);

/* --- Sessions --- */

/* session has proved to be account: an older session is closed, seats are taken, and it
 * is told what it has to know: its games, and those that ended while it was away. */
void lobby_enter(struct lobby *lobby, struct session *session, struct account *account);
/* "game 3 red=hong ... ended_s=1795000000", with sep between game and its number. */
enum { PAST_WORDS_BYTES = 320 };
void lobby_past_words(char out[PAST_WORDS_BYTES], const struct store_past *past,
                      char sep);
/* session has sent a command: what it was told before has arrived. */
void lobby_heard(struct lobby *lobby, struct session *session);
/* session has gone: its seeks and challenges with it, and its place as a reader. */
void lobby_leave(struct lobby *lobby, struct session *session);
/* Tells session, if it can take that now, what is open to its player and was not told:
 * challenges, and offers in its games. At login, and when a slow reader has read. */
void lobby_tell_open(struct lobby *lobby, struct session *session);

/* Forgets names that have fallen free, to make room for new ones; not more often than
 * is worth the work. */
void lobby_sweep_names(struct lobby *lobby, int64_t now_wall_s);

/* --- Seeks and challenges --- */

/* target NULL for a seek. NULL when the maker has too many. */
struct seek *lobby_seek(struct lobby *lobby, struct account *maker,
                        struct account *target, const struct terms *terms);
struct seek *lobby_find_seek(struct lobby *lobby, int64_t id);
/* maker's challenge to target, or NULL. */
struct seek *lobby_find_challenge(struct lobby *lobby, const struct account *maker,
                                  const struct account *target);
struct seek *lobby_first_seek(struct lobby *lobby);
struct seek *lobby_next_seek(struct seek *seek);
/* Removes it and tells its maker, and the target if it was told of it. */
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

/* terms: those of seek, or what came of two challenges that cross. seek is freed unless
 * the start fails. */
enum lobby_start lobby_accept(struct lobby *lobby, struct seek *seek,
                              const struct terms *terms, struct account *taker,
                              bool is_by_number, const char *verb);
/* maker: who made the invitation, or waits in it. */
enum lobby_start lobby_join(struct lobby *lobby, struct invite *invite,
                            struct account *maker, struct account *taker,
                            const char *verb);
/* The rematch that offer asks for, sides changed: who made it becomes the maker. Tells
 * the old room's readers. */
enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, bool is_by_number,
                               const char *verb);
/* A room's first event, or that it continues, is on disk: tells whoever waited for it.
 */
void lobby_game_begun(struct lobby *lobby, struct room *room);
/* Both seats are free again, its invitation is gone, and who missed the end is told
 * later. Call it when a room is over. */
void lobby_game_over(struct lobby *lobby, struct room *room);
/* A game that goes on, as far as the disk has it: what lists may show. */
bool lobby_shows(const struct room *room);
/* Such games of account as "3,7", or "-". */
enum { GAME_LIST_BYTES = ACCOUNT_GAMES_MAX * 21 };
void lobby_list_games(struct lobby *lobby, const struct account *account, char *out,
                      size_t size);
/* After a restart: accounts sit down again and the clocks may start. Returns how many.
 */
int lobby_restore_games(struct lobby *lobby);

/* --- Invitations --- */

/* maker "" for the host's own. done as in store.h. NULL when there are too many. */
struct invite *lobby_invite(struct lobby *lobby, const char *maker,
                            const struct terms *terms, store_done_fn *done, void *arg);
/* The host's newest invitation that is still of use: not begun and not too old, or its
 * game goes on. NULL if there is none. */
struct invite *lobby_standing_invite(struct lobby *lobby);
/* By any spelling of the code: case, with or without the dash. */
struct invite *lobby_find_invite(struct lobby *lobby, const char *code);
bool lobby_invite_is_old(const struct invite *invite);
/* The next one after invite, the first after NULL, that account made or waits in and
 * whose game has not begun. NULL after the last. */
const struct invite *lobby_next_invite(const struct lobby *lobby,
                                       const struct account *account,
                                       const struct invite *invite);
void lobby_save_invite(struct lobby *lobby, const struct invite *invite,
                       store_done_fn *done, void *arg);
#endif
