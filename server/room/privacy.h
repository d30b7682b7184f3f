/* Decides who may read a game, and who is kept apart from whom. A private game may be read
 * by its players, by the accounts that they admit, and by sessions that know the code of
 * its watch link; staff may not. Every verb that reads a game, running, ended or on disk,
 * asks privacy_may_read(). */
#ifndef SERVER_ROOM_PRIVACY_H
#define SERVER_ROOM_PRIVACY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/event.h"
#include "common/game/side.h"

struct account;
struct accounts;
struct marks;
struct room;
struct rooms;
struct session;

/* --- Whom players ignore and block --- */

/* Both lists are stored with their accounts (marks.h). True when `listener` ignores
 * `speaker`. listener NULL: a guest, who ignores nobody. */
bool privacy_ignores(const struct marks *marks, const struct account *listener,
                     const struct session *speaker);
/* True when `one` ignores or blocks `other`. */
bool privacy_avoids(const struct marks *marks, const struct account *one,
                    const struct account *other);
/* True when either account ignores or blocks the other one. */
bool privacy_keeps_apart(const struct marks *marks, const struct account *one,
                         const struct account *other);

/* --- Who may read --- */

/* The game in question: a room, or a game that is only on disk. Borrows the names. */
struct readable {
    int64_t game;
    bool is_private;
    bool is_over;
    enum watchers watchers;
    const char *player[SIDES]; /* in any spelling */
};
struct readable privacy_readable_room(const struct room *room);
/* Describes a game that is over, whose start event was read from disk. */
struct readable privacy_readable(int64_t game, const struct event *start);

/* True for a player of the game, also after its end. Accepts NULL. */
bool privacy_is_player(const struct readable *what, const struct account *account);

/* True when the session may read the game. code: the code of a watch link, or NULL. If
 * the link has admitted the session, the code is not needed again until the session
 * stops watching. False if a player of the game blocks the session, unless the game is
 * public and over. */
bool privacy_may_read(const struct rooms *rooms, const struct readable *what,
                      const struct session *session, const char *code);

/* True when the terms of the running game forbid `session` to watch it. The session
 * must not be one of its players. Checks nothing else. */
bool privacy_bars_watcher(const struct readable *what, const struct session *session);

/* Writes the code of the watch link of a game: for game 17, "17-" and 16 letters. The
 * code is computed from the game's number, the count of its revoked codes, and a secret
 * of this server. So the code is the same after each restart, and the code is not
 * stored. When a code is revoked, the new count is stored. */
enum { WATCH_CODE_BYTES = 20 + 1 + 16 + 1 };
void privacy_watch_code(const struct rooms *rooms, int64_t game,
                        char out[WATCH_CODE_BYTES]);
/* True when `code` is the present watch code of that game. Accepts NULL. */
bool privacy_is_code(const struct rooms *rooms, int64_t game, const char *code);
/* Revokes the watch code: the game gets a new code. Removes the watchers that only the
 * old code admitted. */
void privacy_revoke_code(struct room *room);
/* Creates the secret of a new server. Call it when all data has been read from disk. */
void privacy_init(struct accounts *accounts);

/* Admits `guest` to the game, also after its end, in the name of its player `owner`.
 * Returns false if the owner has admitted too many people to the game. */
bool privacy_let(struct rooms *rooms, int64_t game, const struct account *owner,
                 struct account *guest) MUST_USE;
/* Withdraws the admission. Returns false if `guest` was not admitted. */
bool privacy_unlet(struct rooms *rooms, int64_t game, const struct account *owner,
                   const struct account *guest);
/* True when `owner` admits `guest` to the game. False if the admission was for an
 * earlier account with the name of `guest`. */
bool privacy_is_let(const struct rooms *rooms, int64_t game,
                    const struct account *owner, const struct account *guest);
/* privacy_let() stores marks with the subject "GAME NAME". `subject` is the subject of
 * such a mark. Returns the normalized name in `subject`. NULL: the mark is about
 * another game. */
const char *privacy_name_of(const char *subject, int64_t game);

/* Removes watchers that may no longer read the game, and notifies them. */
void privacy_close(struct room *room);
/* Removes one watcher, without asking whether it may read, and notifies it. */
void privacy_close_watcher(struct room *room, struct session *session);

#endif
