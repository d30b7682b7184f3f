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

enum { SWEEP_EVERY_S = 600 };

int64_t lobby_next_offer(struct lobby *lobby)
{
    return store_next_number(lobby->store);
}

struct session *lobby_session_of(const struct lobby *lobby,
                                 const struct account *account)
{
    if (account == NULL || account->session == 0)
        return NULL;
    return session_find(lobby->sessions, account->session);
}

/* --- Games --- */

static enum side draw_lots(void)
{
    unsigned char bit;

    if (RAND_bytes(&bit, 1) != 1)
        die("lobby no random numbers");
    return bit & 1 ? SIDE_RED : SIDE_BLUE;
}

/* What leads to a game: one of these. */
struct origin {
    struct seek *seek;
    struct invite *invite;
    struct room *room; /* whose rematch it is, by this offer */
    const struct offer *offer;
    bool is_by_number; /* the seek or offer was accepted by its number */
};

static enum lobby_start judge_start(const struct lobby *lobby,
                                    const struct account *maker,
                                    const struct account *taker)
{
    if (maker->games == ACCOUNT_GAMES_MAX)
        return LOBBY_MAKER_FULL;
    if (taker->games == ACCOUNT_GAMES_MAX)
        return LOBBY_TAKER_FULL;
    if (lobby->limits.games_max != 0 && lobby->games >= lobby->limits.games_max)
        return LOBBY_FULL;
    return LOBBY_STARTED;
}

/* Its players hear of it once game has begun; nobody can agree to it any more. */
static void withdraw_offer(struct lobby *lobby, struct room *room, struct offer *offer,
                           int64_t game)
{
    struct gone gone = {.kind = offer_kind_name(offer->kind), .why = "playing"};

    snprintf(gone.id, sizeof gone.id, "%lld", (long long)offer->id);
    text_copy(gone.by, sizeof gone.by, room->game.name[offer->by]);
    for (int side = 0; side < SIDES; side++)
        lobby_tell_gone(lobby, offer->told[side], &gone, game);
    offer->kind = OFFER_NONE;
}

/* A rematch, or a game that continues, is play at once as well. */
static void withdraw_offers(struct lobby *lobby, const struct account *account,
                            int64_t game)
{
    struct session *session = lobby_session_of(lobby, account);
    struct cursor *cursor;

    DL_FOREACH2 (session != NULL ? session->cursors : NULL, cursor, session_next) {
        struct room *room = cursor->feed->owner;
        enum side side = presence_side_of(room, session);
        struct offer *offer;

        while ((offer = offer_find_call_to_play(room, side)) != NULL)
            withdraw_offer(lobby, room, offer, game);
    }
}

/* A timed game begins, or continues (game 0): its players have their hands full. */
static void withdraw_all(struct lobby *lobby, const struct room *room, int64_t game)
{
    const struct time_terms *terms = &room->game.clock.terms;

    if (terms->is_untimed || time_terms_is_correspondence(terms))
        return;
    for (int side = 0; side < SIDES; side++) {
        lobby_drop_seeks_of(lobby, room->seat[side], "playing", game);
        lobby_withdraw_invites(lobby, room->seat[side], game);
        withdraw_offers(lobby, room->seat[side], game);
    }
}

static struct room *open_room(struct lobby *lobby, const struct terms *terms,
                              struct account *maker, struct account *taker,
                              const struct origin *origin, const char *verb)
{
    enum side side = terms->side == SIDE_NONE ? draw_lots() : terms->side;
    struct account *seat[SIDES];
    struct event start = {
        .kind = EVENT_START, .rules = terms->rules, .terms = terms->time};
    struct asker asker = {.session = taker->session};
    struct text words = text_into(asker.words, sizeof asker.words);
    int64_t game = lobby->next_game++;

    seat[side] = maker;
    seat[side_other(side)] = taker;
    for (int i = 0; i < SIDES; i++) {
        text_copy(start.name[i], sizeof start.name[i], seat[i]->shown);
        if (!account_sit(seat[i], game))
            die("lobby game=%lld no seat", (long long)game);
    }
    text_addf(&words, "%s game=%lld", verb, (long long)game);
    if (origin->is_by_number && origin->offer != NULL)
        text_addf(&words, " offer=%lld", (long long)origin->offer->id);
    return room_open(lobby->rooms, game, &start, seat,
                     origin->room != NULL ? origin->room->id : 0, &asker);
}

/* The answer to a repeated accept; a crash keeps it and the game, or neither. */
static void remember_accept(struct lobby *lobby, struct account *taker,
                            const struct origin *origin, int64_t game)
{
    struct store_accept accepted = {.number = origin->seek != NULL ? origin->seek->id
                                                                   : origin->offer->id,
                                    .game = game,
                                    .is_offer = origin->seek == NULL};

    accounts_accept(lobby->accounts, taker, &accepted);
}

/* The game, and what becomes of invitations and offers because of it, is written
 * together: no crash comes between. */
static enum lobby_start begin(struct lobby *lobby, const struct terms *terms,
                              struct account *maker, struct account *taker,
                              const struct origin *origin, const char *verb)
{
    enum lobby_start start = judge_start(lobby, maker, taker);
    struct room *room;

    if (start != LOBBY_STARTED)
        return start;
    lobby->games++;
    store_begin_together(lobby->store);
    room = open_room(lobby, terms, maker, taker, origin, verb);
    if (origin->is_by_number)
        remember_accept(lobby, taker, origin, room->id);
    if (origin->seek != NULL)
        lobby_take_seek(lobby, origin->seek, taker, room->id);
    if (origin->invite != NULL)
        lobby_begin_invite(lobby, origin->invite, room->id);
    withdraw_all(lobby, room, room->id);
    store_end_together(lobby->store);
    return LOBBY_STARTED;
}

enum lobby_start lobby_accept(struct lobby *lobby, struct seek *seek,
                              const struct terms *terms, struct account *taker,
                              bool is_by_number, const char *verb)
{
    struct origin origin = {.seek = seek, .is_by_number = is_by_number};

    return begin(lobby, terms, seek->maker, taker, &origin, verb);
}

enum lobby_start lobby_join(struct lobby *lobby, struct invite *invite,
                            struct account *maker, struct account *taker,
                            const char *verb)
{
    struct origin origin = {.invite = invite};

    return begin(lobby, &invite->terms, maker, taker, &origin, verb);
}

enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, bool is_by_number, const char *verb)
{
    struct terms terms = {.rules = room->game.rules,
                          .time = room->game.clock.terms,
                          .side = side_other(offer->by)};
    struct origin origin = {.room = room, .offer = offer, .is_by_number = is_by_number};
    enum lobby_start start;

    offer->is_taken = true; /* so that it is not withdrawn by its own game */
    start = begin(lobby, &terms, room->seat[offer->by],
                  room->seat[side_other(offer->by)], &origin, verb);
    offer->is_taken = false;
    if (start == LOBBY_STARTED)
        offer->kind = OFFER_NONE;
    return start;
}

void lobby_game_begun(struct lobby *lobby, struct room *room)
{
    struct room *old = room_find(lobby->rooms, room->rematch_of);

    if (room->last == EVENT_CONTINUE) {
        withdraw_all(lobby, room, 0);
        return;
    }
    lobby_say_partings(lobby, room->id);
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
        if (room->seat[side] == NULL)
            continue;
        account_rise(room->seat[side], room->id);
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
        seat[side] =
            accounts_find_player(lobby->accounts, room->game.name[side], room->id);
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
            take(room, presence_side_of(room, session), session);
    }
}

static void tell_mine(struct room *room, enum side side, struct session *session)
{
    if (lobby_shows(room))
        notice_mine(room, side, session, mono_now_ms());
}

void lobby_tell_open(struct lobby *lobby, struct session *session)
{
    const struct account *account = session->account;
    struct cursor *cursor;

    if (account == NULL || account->session != session->id)
        return;
    lobby_tell_challenges(lobby, session);
    DL_FOREACH2 (session->cursors, cursor, session_next)
        offer_tell(cursor->feed->owner, session);
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
    each_game(lobby, account, presence_arrive, session);
    lobby_tell_open(lobby, session);
    if (account->has_unseen)
        lobby_tell_unseen(lobby, account);
}

static void stop_reading(struct session *session)
{
    struct cursor *cursor, *next;

    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next)
        presence_leave(cursor->feed->owner, session);
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
    lobby_drop_seeks_of(lobby, account, "left", 0);
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
    lobby_forget_partings(lobby);
    free(lobby);
}
