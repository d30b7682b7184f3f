/* What the files of the lobby share and nobody else sees.
 *
 *   lobby.c         games and sessions: who sits where
 *   lobby_seek.c    seeks and challenges
 *   lobby_invite.c  invitations
 *   lobby_unseen.c  ends that a player has missed */
#ifndef SERVER_LOBBY_LOBBY_PARTS_H
#define SERVER_LOBBY_LOBBY_PARTS_H

#include "server/lobby/lobby.h"

struct lobby {
    struct store *store;
    struct sessions *sessions;
    struct accounts *accounts;
    struct rooms *rooms;
    struct lobby_limits limits;
    int64_t last_offer;
    int64_t next_game;
    int games; /* that go on */
    int64_t swept_wall_s;
    struct seek *seeks;
    struct invite *invites, *invites_by_game;
};

/* The session that uses account now; NULL for none, and for no account. */
struct session *lobby_session_of(const struct lobby *lobby,
                                 const struct account *account);
/* The same, if it can take news now. */
struct session *lobby_listener(const struct lobby *lobby,
                               const struct account *account);

void lobby_tell_challenge(struct lobby *lobby, const struct seek *seek);
void lobby_drop_seeks_of(struct lobby *lobby, const struct account *maker);

/* From memory; from the disk as well. */
void lobby_forget_invite(struct lobby *lobby, struct invite *invite);
void lobby_drop_invite(struct lobby *lobby, struct invite *invite);
/* At the start: one from the disk, then those of no use to anybody any more. */
void lobby_remember_invite(void *arg, const struct store_invite *row);
void lobby_drop_useless_invites(struct lobby *lobby);

/* A game has ended while account was away. */
void lobby_note_unseen(struct lobby *lobby, struct account *account);
/* Another has ended while it was here: unseen, should its session break before it says
 * a word. */
void lobby_note_end(struct lobby *lobby, const struct account *account, int64_t game);
/* The session has gone: the ends that it may not have heard are unseen ones. */
void lobby_keep_ends(struct lobby *lobby, struct session *session);
/* Tells its session, which it has, of all such games. */
void lobby_tell_unseen(struct lobby *lobby, struct account *account);

#endif
