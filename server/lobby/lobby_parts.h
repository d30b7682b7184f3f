/* What the files of the lobby share and nobody else sees.
 *
 *   lobby.c         games and sessions: who sits where
 *   lobby_seek.c    seeks and challenges
 *   lobby_invite.c  invitations
 *   lobby_unseen.c  ends that a player may not have seen */
#ifndef SERVER_LOBBY_LOBBY_PARTS_H
#define SERVER_LOBBY_LOBBY_PARTS_H

#include "server/lobby/lobby.h"

struct parting; /* a "! gone" to be sent once a game has begun */

struct lobby {
    struct store *store;
    struct sessions *sessions;
    struct accounts *accounts;
    struct rooms *rooms;
    struct lobby_limits limits;
    int64_t next_game;
    int games; /* that go on */
    int64_t swept_wall_s;
    struct seek *seeks;
    struct parting *partings;
    struct invite *invites, *invites_by_game;
};

/* The session that uses account now; NULL for none, and for no account. */
struct session *lobby_session_of(const struct lobby *lobby,
                                 const struct account *account);
enum {
    LOBBY_NEWS_BYTES_MAX = 8192
}; /* unsent: no news that can wait to such a reader */

/* --- The end of what was open --- */

/* What a "! gone" says. */
struct gone {
    char id[24];         /* a number or a code */
    const char *kind;    /* "seek", "challenge", "invite", or an offer's: "rematch" */
    char by[NAME_BYTES]; /* whose; "" for the host's */
    const char *why;
};

/* Tells a session that was told of its beginning; 0: none. When a new game is the reason
 * (0: it is not), only once that game's start is on disk. */
void lobby_tell_gone(struct lobby *lobby, uint64_t session, const struct gone *gone,
                     int64_t game);
/* game's start is on disk. */
void lobby_say_partings(struct lobby *lobby, int64_t game);
void lobby_forget_partings(struct lobby *lobby);

/* --- Seeks and challenges --- */

/* Challenges to the session's player that it was not told of. */
void lobby_tell_challenges(struct lobby *lobby, struct session *session);
/* taker has accepted it, and game is on its way to the disk. */
void lobby_take_seek(struct lobby *lobby, struct seek *seek,
                     const struct account *taker, int64_t game);
void lobby_drop_seeks_of(struct lobby *lobby, const struct account *maker,
                         const char *why, int64_t game);

/* --- Invitations --- */

/* Those that account has made, and its place in one of the host's. */
void lobby_withdraw_invites(struct lobby *lobby, const struct account *account,
                            int64_t game);
/* Its game has begun: from now on it brings its two players back, until the end. */
void lobby_begin_invite(struct lobby *lobby, struct invite *invite, int64_t game);
/* From memory; from the disk as well. */
void lobby_forget_invite(struct lobby *lobby, struct invite *invite);
void lobby_drop_invite(struct lobby *lobby, struct invite *invite);
/* At the start: one from the disk, then those of no use to anybody any more. */
void lobby_remember_invite(void *arg, const struct store_invite *row);
void lobby_drop_useless_invites(struct lobby *lobby);

/* --- Ends that may not have been seen --- */

/* A game of account has ended; its session, if it has one, was sent the end event. */
void lobby_note_end(struct lobby *lobby, struct account *account, int64_t game);
/* Tells its session, which it has, of all ends that it may not have seen. */
void lobby_tell_unseen(struct lobby *lobby, struct account *account);

#endif
