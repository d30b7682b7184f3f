/* See lobby.h. */
#include "server/lobby/lobby.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include <openssl/rand.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/lobby/lobby_parts.h"
#include "server/net/session.h"
#include "server/room/notice.h"

enum {
    NEWS_BYTES_MAX = 8192, /* a session with more than that unsent gets no news */
    SWEEP_EVERY_S = 600
};

int64_t lobby_next_offer(struct lobby *lobby)
{
    return ++lobby->last_offer;
}

struct session *lobby_session_of(const struct lobby *lobby,
                                 const struct account *account)
{
    if (account == NULL || account->session == 0)
        return NULL;
    return session_find(lobby->sessions, account->session);
}

struct session *lobby_listener(const struct lobby *lobby, const struct account *account)
{
    struct session *session = lobby_session_of(lobby, account);

    return session != NULL && wire_unsent_bytes(session->wire) <= NEWS_BYTES_MAX
               ? session
               : NULL;
}

/* --- Games --- */

static enum side draw_lots(void)
{
    unsigned char bit;

    if (RAND_bytes(&bit, 1) != 1)
        die("lobby no random numbers");
    return bit & 1 ? SIDE_RED : SIDE_BLUE;
}

enum lobby_start lobby_start(struct lobby *lobby, const struct terms *terms,
                             struct account *maker, struct account *taker,
                             const struct room_origin *origin, const char *verb,
                             uint64_t taker_session, int64_t *game)
{
    enum side side = terms->side == SIDE_NONE ? draw_lots() : terms->side;
    struct account *seat[SIDES];
    struct event start = {
        .kind = EVENT_START, .rules = terms->rules, .terms = terms->time};
    struct asker asker = {.session = taker_session};

    if (maker->games == ACCOUNT_GAMES_MAX)
        return LOBBY_MAKER_FULL;
    if (taker->games == ACCOUNT_GAMES_MAX)
        return LOBBY_TAKER_FULL;
    if (lobby->limits.games_max != 0 && lobby->games >= lobby->limits.games_max)
        return LOBBY_FULL;
    lobby->games++;
    *game = lobby->next_game++;
    seat[side] = maker;
    seat[side_other(side)] = taker;
    for (int i = 0; i < SIDES; i++) {
        text_copy(start.name[i], sizeof start.name[i], seat[i]->shown);
        if (!account_sit(seat[i], *game))
            die("lobby game=%lld no seat", (long long)*game);
    }
    snprintf(asker.words, sizeof asker.words, "%s game=%lld", verb, (long long)*game);
    room_open(lobby->rooms, *game, &start, seat, origin, &asker);
    return LOBBY_STARTED;
}

enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, const char *verb,
                               uint64_t taker_session, int64_t *game)
{
    struct terms terms = {.rules = room->game.rules,
                          .time = room->game.clock.terms,
                          .side = side_other(offer->by)};
    struct room_origin origin = {.room = room->id};
    enum lobby_start start = lobby_start(lobby, &terms, room->seat[offer->by],
                                         room->seat[side_other(offer->by)], &origin,
                                         verb, taker_session, game);

    if (start == LOBBY_STARTED)
        offer->kind = OFFER_NONE;
    return start;
}

void lobby_game_begun(struct lobby *lobby, struct room *room)
{
    struct room *old = room_find(lobby->rooms, room->origin.room);

    if (room->origin.seek != 0)
        notice_tell(room, TO_PLAYERS, "! gone %lld why=accepted",
                    (long long)room->origin.seek);
    if (old != NULL)
        notice_tell(old, TO_ALL, "! rematch game=%lld new=%lld", (long long)old->id,
                    (long long)room->id);
}

void lobby_game_over(struct lobby *lobby, struct room *room)
{
    struct invite *invite;

    log_info("game=%lld over result=%s reason=%s plies=%d", (long long)room->id,
             outcome_name(room->game.outcome), reason_name(room->game.reason),
             room->game.plies);
    for (int side = 0; side < SIDES; side++) {
        if (room->seat[side] != NULL)
            account_rise(room->seat[side], room->id);
        if (room->is_unseen[side])
            lobby_note_unseen(lobby, room->seat[side]);
        else
            lobby_note_end(lobby, room->seat[side], room->id);
    }
    lobby->games--;
    HASH_FIND(by_game, lobby->invites_by_game, &room->id, sizeof room->id, invite);
    if (invite != NULL)
        lobby_drop_invite(lobby, invite);
}

bool lobby_shows(const struct room *room)
{
    bool is_past = room->is_frozen && room->seat[SIDE_RED] == NULL;

    return feed_count(&room->feed) > 0 && room->shown_phase != GAME_OVER && !is_past;
}

void lobby_list_games(struct lobby *lobby, const struct account *account, char *out,
                      size_t size)
{
    struct text text = text_into(out, size);

    for (int i = 0; i < account->games; i++) {
        const struct room *room = room_find(lobby->rooms, account->game[i]);

        if (room != NULL && lobby_shows(room))
            text_addf(&text, "%s%lld", text.len == 0 ? "" : ",",
                      (long long)account->game[i]);
    }
    if (text.len == 0)
        text_add(&text, "-");
}

/* Sits both players of a game that was read back. False: a name or a place is missing.
 */
static bool seat_again(struct lobby *lobby, const struct room *room,
                       struct account *seat[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        seat[side] = accounts_find(lobby->accounts, room->game.name[side]);
        if (seat[side] == NULL || !account_sit(seat[side], room->id)) {
            log_warn("game=%lld side=%s why=no-such-name", (long long)room->id,
                     side_name((enum side)side));
            if (side > 0)
                account_rise(seat[0], room->id);
            return false;
        }
    }
    return true;
}

int lobby_restore_games(struct lobby *lobby)
{
    int count = 0;

    for (struct room *r = rooms_first(lobby->rooms); r != NULL; r = rooms_next(r)) {
        struct account *seat[SIDES] = {NULL, NULL};
        bool is_seated = seat_again(lobby, r, seat);

        room_restored(r, is_seated ? seat : NULL);
        count++;
    }
    lobby->games += count;
    return count;
}

/* --- Sessions --- */

/* Calls take for each game in which account sits. */
static void each_game(struct lobby *lobby, const struct account *account,
                      void (*take)(struct room *room, enum side side,
                                   struct session *session),
                      struct session *session)
{
    for (int i = 0; i < account->games; i++) {
        struct room *room = room_find(lobby->rooms, account->game[i]);

        if (room != NULL)
            take(room, room_side_of(room, session), session);
    }
}

static void tell_mine(struct room *room, enum side side, struct session *session)
{
    if (lobby_shows(room))
        notice_mine(room, side, session, mono_now_ms());
}

void lobby_enter(struct lobby *lobby, struct session *session, struct account *account)
{
    struct session *older = lobby_session_of(lobby, account);

    account->is_unheard = false; /* before the older one, which did not hear it, goes */
    if (older != NULL && older != session) {
        lobby_leave(lobby, older);
        session_close(older, "taken-over", "you have logged in from somewhere else");
    }
    account->session = session->id;
    session->account = account;
    text_copy(session->name, sizeof session->name, account->shown);
    each_game(lobby, account, tell_mine, session);
    each_game(lobby, account, room_arrive, session);
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        if (s->target == account)
            lobby_tell_challenge(lobby, s);
    if (account->has_unseen)
        lobby_tell_unseen(lobby, account);
}

static void stop_reading(struct session *session)
{
    struct cursor *cursor, *next;

    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next)
        room_leave(cursor->feed->owner, session);
}

/* The account is let go of before its rooms are told, which look whether it is here. */
void lobby_leave(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    bool is_users = account != NULL && account->session == session->id;

    if (is_users)
        account->session = 0;
    stop_reading(session);
    if (!is_users)
        return;
    lobby_drop_seeks_of(lobby, account);
    lobby_keep_ends(lobby, session);
    account->told_mark = 0;
    if (account->is_unheard)
        accounts_unclaim(lobby->accounts, account);
    else
        accounts_touch(lobby->accounts, account, wall_now_s());
}

static void want_maker(struct lobby *lobby, const struct invite *invite)
{
    const char *name = invite->maker[0] != '\0' ? invite->maker : invite->first;
    struct account *account = accounts_find(lobby->accounts, name);

    if (account != NULL)
        account->is_wanted = true;
}

/* Rooms, seeks and sessions point at accounts, and invitations name them: those must
 * stay. */
void lobby_sweep_names(struct lobby *lobby, int64_t now_wall_s)
{
    if (now_wall_s - lobby->swept_wall_s < SWEEP_EVERY_S)
        return;
    lobby->swept_wall_s = now_wall_s;
    for (struct room *r = rooms_first(lobby->rooms); r != NULL; r = rooms_next(r))
        for (int side = 0; side < SIDES; side++)
            if (r->seat[side] != NULL)
                r->seat[side]->is_wanted = true;
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next) {
        s->maker->is_wanted = true;
        if (s->target != NULL)
            s->target->is_wanted = true;
    }
    for (struct session *s = sessions_first(lobby->sessions); s != NULL;
         s = sessions_next(s))
        if (s->account != NULL)
            s->account->is_wanted = true;
    for (struct invite *i = lobby->invites; i != NULL; i = i->hh.next)
        want_maker(lobby, i);
    accounts_sweep(lobby->accounts, now_wall_s);
}

/* --- Life --- */

struct lobby *lobby_new(struct store *store, struct sessions *sessions,
                        struct accounts *accounts, struct rooms *rooms,
                        const struct lobby_limits *limits)
{
    struct lobby *lobby = mem_new(sizeof *lobby);

    *lobby = (struct lobby){.store = store,
                            .sessions = sessions,
                            .accounts = accounts,
                            .rooms = rooms,
                            .limits = *limits,
                            .next_game = store_next_game(store)};
    if (!store_load_invites(store, lobby_remember_invite, lobby)) {
        lobby_free(lobby);
        return NULL;
    }
    lobby_drop_useless_invites(lobby);
    return lobby;
}

void lobby_free(struct lobby *lobby)
{
    struct seek *seek, *next_seek;
    struct invite *invite, *next_invite;

    if (lobby == NULL)
        return;
    HASH_ITER (hh, lobby->seeks, seek, next_seek) {
        HASH_DEL(lobby->seeks, seek);
        free(seek);
    }
    HASH_ITER (hh, lobby->invites, invite, next_invite)
        lobby_forget_invite(lobby, invite);
    free(lobby);
}
