/* See lobby.h. */
#include "server/lobby/lobby.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/account/code.h"
#include "server/net/session.h"
#include "server/room/notice.h"

struct parting; /* a gone notice that waits for the start of a new game */

struct lobby {
    struct store *store;
    struct sessions *sessions;
    struct accounts *accounts;
    struct rooms *rooms;
    struct lobby_limits limits;
    int64_t next_game;
    int games; /* running */
    int64_t swept_wall_s;
    struct seek *seeks;
    struct parting *partings;
    struct invite *invites, *invites_by_game;
};

/* The contents of a gone notice. */
struct gone {
    char id[24];         /* a number or a code */
    const char *kind;    /* "seek", "challenge", "invite", or an offer's: "rematch" */
    char by[NAME_BYTES]; /* name of the maker; "" for the host */
    const char *why;
};

/* The session of account now; NULL for none, and when account is NULL. */
static struct session *session_of(const struct lobby *lobby,
                                  const struct account *account);
/* Sends a gone notice to the session that was told of the seek, challenge or
 * invitation; session 0: to none. If a new game is the reason (game 0: it is not), the
 * notice waits until the start of that game is on disk. */
static void tell_gone(struct lobby *lobby, uint64_t session, const struct gone *gone,
                      int64_t game);
/* The start of game is on disk. */
static void say_partings(struct lobby *lobby, int64_t game);
static void forget_partings(struct lobby *lobby);
/* taker has accepted the seek, and game is on its way to the disk. */
static void take_seek(struct lobby *lobby, struct seek *seek,
                      const struct account *taker, int64_t game);
static void drop_seeks_of(struct lobby *lobby, const struct account *maker,
                          const char *why, int64_t game);
/* Withdraws the invitations that account made, and removes it from an invitation of the
 * host. */
static void withdraw_invites(struct lobby *lobby, const struct account *account,
                             int64_t game);
/* Its game has begun: until the end, the code leads its two players back to their
 * seats. */
static void begin_invite(struct lobby *lobby, struct invite *invite, int64_t game);
/* forget_invite removes it from memory, drop_invite from the disk as well. */
static void forget_invite(struct lobby *lobby, struct invite *invite);
static void drop_invite(struct lobby *lobby, struct invite *invite);
/* At the start: restores one from disk; then drops those that can no longer be used. */
static void remember_invite(void *arg, const struct store_invite *row);
static void drop_useless_invites(struct lobby *lobby);

/* --- Seeks and challenges --- */

/* A gone notice that names a game whose start is not on disk yet. */
struct parting {
    int64_t game;
    uint64_t session;
    struct gone gone;
    struct parting *prev, *next;
};

/* --- Who is told --- */

/* A slow reader gets it from lobby_tell_open(), if it is still open then. */
static void tell_challenge(struct lobby *lobby, struct seek *seek)
{
    struct session *session = session_of(lobby, seek->target);
    char words[TERMS_BYTES];

    if (session == NULL || !notice_fits(session))
        return;
    terms_format(words, &seek->terms);
    session_sayf(session, "! challenge %lld by=%s %s : accept %lld or decline %lld",
                 (long long)seek->id, seek->maker->shown, words, (long long)seek->id,
                 (long long)seek->id);
    seek->told = session->id;
}

static void tell_challenges(struct lobby *lobby, struct session *session)
{
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        if (s->target == session->account && s->told != session->id)
            tell_challenge(lobby, s);
}

static void say_gone(struct lobby *lobby, uint64_t id, const struct gone *gone)
{
    struct session *session = session_find(lobby->sessions, id);

    if (session != NULL)
        session_sayf(session, "! gone %s why=%s kind=%s%s%s", gone->id, gone->why,
                     gone->kind, gone->by[0] != '\0' ? " by=" : "", gone->by);
}

static void tell_gone(struct lobby *lobby, uint64_t session, const struct gone *gone,
                      int64_t game)
{
    struct parting *parting;

    if (game == 0) {
        say_gone(lobby, session, gone);
        return;
    }
    parting = mem_new(sizeof *parting);
    *parting = (struct parting){.game = game, .session = session, .gone = *gone};
    DL_APPEND(lobby->partings, parting);
}

static void say_partings(struct lobby *lobby, int64_t game)
{
    struct parting *parting, *next;

    DL_FOREACH_SAFE (lobby->partings, parting, next) {
        if (parting->game != game)
            continue;
        say_gone(lobby, parting->session, &parting->gone);
        DL_DELETE(lobby->partings, parting);
        free(parting);
    }
}

static void forget_partings(struct lobby *lobby)
{
    struct parting *parting, *next;

    DL_FOREACH_SAFE (lobby->partings, parting, next)
        free(parting);
    lobby->partings = NULL;
}

/* --- Seeks and challenges --- */

static int count_seeks(const struct lobby *lobby, const struct account *maker,
                       bool is_challenge)
{
    int count = 0;

    for (const struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        count += s->maker == maker && (s->target != NULL) == is_challenge;
    return count;
}

struct seek *lobby_seek(struct lobby *lobby, struct account *maker,
                        struct account *target, const struct terms *terms)
{
    int max = target == NULL ? lobby->limits.seeks_max : lobby->limits.challenges_max;
    struct seek *seek;

    if (count_seeks(lobby, maker, target != NULL) >= max)
        return NULL;
    seek = mem_new(sizeof *seek);
    seek->id = lobby_next_offer(lobby);
    seek->maker = maker;
    seek->target = target;
    seek->terms = *terms;
    HASH_ADD(hh, lobby->seeks, id, sizeof seek->id, seek);
    if (target != NULL)
        tell_challenge(lobby, seek);
    return seek;
}

struct seek *lobby_find_seek(struct lobby *lobby, int64_t id)
{
    struct seek *seek;

    HASH_FIND(hh, lobby->seeks, &id, sizeof id, seek);
    return seek;
}

struct seek *lobby_find_challenge(struct lobby *lobby, const struct account *maker,
                                  const struct account *target)
{
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        if (s->maker == maker && s->target == target)
            return s;
    return NULL;
}

struct seek *lobby_first_seek(struct lobby *lobby)
{
    return lobby->seeks;
}

struct seek *lobby_next_seek(struct seek *seek)
{
    return seek->hh.next;
}

/* Notifies its maker and the session that it was shown to. */
static void drop(struct lobby *lobby, struct seek *seek, const char *why, int64_t game)
{
    struct gone gone = {.kind = seek->target == NULL ? "seek" : "challenge",
                        .why = why};

    snprintf(gone.id, sizeof gone.id, "%lld", (long long)seek->id);
    text_copy(gone.by, sizeof gone.by, seek->maker->shown);
    tell_gone(lobby, seek->maker->session, &gone, game);
    tell_gone(lobby, seek->told, &gone, game);
    HASH_DEL(lobby->seeks, seek);
    free(seek);
}

void lobby_drop_seek(struct lobby *lobby, struct seek *seek, const char *why)
{
    drop(lobby, seek, why, 0);
}

static void take_seek(struct lobby *lobby, struct seek *seek,
                      const struct account *taker, int64_t game)
{
    seek->told = taker->session;
    drop(lobby, seek, "accepted", game);
}

static void drop_seeks_of(struct lobby *lobby, const struct account *maker,
                          const char *why, int64_t game)
{
    struct seek *seek, *next;

    HASH_ITER (hh, lobby->seeks, seek, next)
        if (seek->maker == maker)
            drop(lobby, seek, why, game);
}

/* --- Invitations --- */

static void forget_invite(struct lobby *lobby, struct invite *invite)
{
    HASH_DEL(lobby->invites, invite);
    if (invite->game != 0) {
        /* uthash's macros mislead the analyzer: a table that contains invite is not
         * empty. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        HASH_DELETE(by_game, lobby->invites_by_game, invite);
    }
    free(invite);
}

/* Also from the disk. */
static void drop_invite(struct lobby *lobby, struct invite *invite)
{
    store_drop_invite(lobby->store, invite->code);
    forget_invite(lobby, invite);
}

void lobby_save_invite(struct lobby *lobby, const struct invite *invite,
                       store_done_fn *done, void *arg)
{
    char terms[TERMS_BYTES];
    struct store_invite row = {.code = invite->code,
                               .terms = terms,
                               .maker = invite->maker,
                               .first = invite->first,
                               .made_wall_s = invite->made_wall_s,
                               .game = invite->game};

    terms_format(terms, &invite->terms);
    store_put_invite(lobby->store, &row, done, arg);
}

static bool is_old(const struct invite *invite, int64_t now_wall_s)
{
    return invite->game == 0 &&
           now_wall_s - invite->made_wall_s > (int64_t)INVITE_HOURS * 3600;
}

/* Counts the open ones of one maker, and drops expired ones of any maker. */
static int count_invites(struct lobby *lobby, const char *maker)
{
    int64_t now_wall_s = wall_now_s();
    struct invite *invite, *next;
    int count = 0;

    HASH_ITER (hh, lobby->invites, invite, next) {
        if (is_old(invite, now_wall_s))
            drop_invite(lobby, invite);
        else
            count += invite->game == 0 && strcmp(invite->maker, maker) == 0;
    }
    return count;
}

struct invite *lobby_invite(struct lobby *lobby, const char *maker,
                            const struct terms *terms, store_done_fn *done, void *arg)
{
    struct invite *invite;

    if (count_invites(lobby, maker) >= lobby->limits.invites_max)
        return NULL;
    invite = mem_new(sizeof *invite);
    code_make(invite->code);
    text_copy(invite->maker, sizeof invite->maker, maker);
    invite->terms = *terms;
    invite->made_wall_s = wall_now_s();
    HASH_ADD_STR(lobby->invites, code, invite);
    lobby_save_invite(lobby, invite, done, arg);
    return invite;
}

bool lobby_invite_is_old(const struct invite *invite)
{
    return is_old(invite, wall_now_s());
}

const struct invite *lobby_next_invite(const struct lobby *lobby,
                                       const struct account *account,
                                       const struct invite *invite)
{
    invite = invite == NULL ? lobby->invites : invite->hh.next;
    for (; invite != NULL; invite = invite->hh.next) {
        const char *whose = invite->maker[0] != '\0' ? invite->maker : invite->first;

        if (invite->game == 0 && !lobby_invite_is_old(invite) &&
            strcmp(whose, account->folded) == 0)
            return invite;
    }
    return NULL;
}

static void set_game(struct lobby *lobby, struct invite *invite, int64_t game)
{
    invite->game = game;
    HASH_ADD(by_game, lobby->invites_by_game, game, sizeof invite->game, invite);
}

static void begin_invite(struct lobby *lobby, struct invite *invite, int64_t game)
{
    set_game(lobby, invite, game);
    lobby_save_invite(lobby, invite, NULL, NULL);
}

static void withdraw(struct lobby *lobby, struct invite *invite,
                     const struct account *account, int64_t game)
{
    bool is_hosts = invite->maker[0] == '\0';
    const char *whose = is_hosts ? invite->first : invite->maker;
    struct gone gone = {.kind = "invite", .why = "playing"};

    if (invite->game != 0 || strcmp(whose, account->folded) != 0)
        return;
    text_copy(gone.id, sizeof gone.id, invite->code);
    text_copy(gone.by, sizeof gone.by, is_hosts ? "" : account->shown);
    tell_gone(lobby, account->session, &gone, game);
    if (is_hosts) {
        invite->first[0] = '\0';
        lobby_save_invite(lobby, invite, NULL, NULL);
    } else {
        drop_invite(lobby, invite);
    }
}

static void withdraw_invites(struct lobby *lobby, const struct account *account,
                             int64_t game)
{
    struct invite *invite, *next;

    HASH_ITER (hh, lobby->invites, invite, next)
        withdraw(lobby, invite, account, game);
}

struct invite *lobby_standing_invite(struct lobby *lobby)
{
    struct invite *best = NULL;

    for (struct invite *i = lobby->invites; i != NULL; i = i->hh.next) {
        struct room *room = i->game != 0 ? room_find(lobby->rooms, i->game) : NULL;
        bool is_of_use = i->game == 0 ? !lobby_invite_is_old(i)
                                      : room != NULL && room->game.phase != GAME_OVER;

        if (i->maker[0] == '\0' && is_of_use &&
            (best == NULL || i->made_wall_s >= best->made_wall_s))
            best = i;
    }
    return best;
}

struct invite *lobby_find_invite(struct lobby *lobby, const char *code)
{
    char plain[CODE_BYTES];
    struct invite *invite = NULL;

    if (code_plain(plain, code))
        HASH_FIND_STR(lobby->invites, plain, invite);
    return invite;
}

static void remember_invite(void *arg, const struct store_invite *row)
{
    struct lobby *lobby = arg;
    struct invite *invite = mem_new(sizeof *invite);

    if (!text_copy(invite->code, sizeof invite->code, row->code) ||
        !text_copy(invite->maker, sizeof invite->maker, row->maker) ||
        !text_copy(invite->first, sizeof invite->first, row->first) ||
        !terms_parse(row->terms, &invite->terms)) {
        log_warn("invite=%s why=not-readable", row->code);
        free(invite);
        return;
    }
    invite->made_wall_s = row->made_wall_s;
    HASH_ADD_STR(lobby->invites, code, invite);
    if (row->game != 0)
        set_game(lobby, invite, row->game);
}

/* Drops the invitations that can no longer be used. */
static void drop_useless_invites(struct lobby *lobby)
{
    struct invite *invite, *next;

    HASH_ITER (hh, lobby->invites, invite, next)
        if (lobby_invite_is_old(invite) ||
            (invite->game != 0 && room_find(lobby->rooms, invite->game) == NULL))
            drop_invite(lobby, invite);
}

/* --- Ends that a player may not have seen --- */

void lobby_past_words(char out[PAST_WORDS_BYTES], const struct store_past *past,
                      char sep)
{
    const struct store_summary *s = &past->summary;

    snprintf(out, PAST_WORDS_BYTES,
             "game%c%lld red=%s blue=%s rules=%s time=%s plies=%d result=%s reason=%s "
             "ended_s=%lld",
             sep, (long long)past->game, s->red_shown, s->blue_shown, s->rules, s->time,
             s->plies, s->result, s->reason, (long long)past->ended_wall_s);
}

/* --- Ends that a session was sent --- */

static bool was_sent(const struct session *session, int64_t game)
{
    for (int i = 0; i < session->end_count; i++)
        if (session->ends[i] == game)
            return true;
    return false;
}

static void note_sent(struct session *session, int64_t game)
{
    if (session->end_count == session->end_room) {
        session->end_room = session->end_room == 0 ? 4 : session->end_room * 2;
        session->ends =
            mem_resize(session->ends, (size_t)session->end_room, sizeof *session->ends);
    }
    session->ends[session->end_count++] = game;
}

/* A slow reader has not been sent the end yet. */
static bool is_on_its_way(const struct lobby *lobby, const struct session *session,
                          int64_t game)
{
    const struct room *room = room_find(lobby->rooms, game);
    const struct cursor *cursor = room != NULL ? feed_find(&room->feed, session) : NULL;

    return cursor != NULL && cursor->offset < cursor->feed->visible;
}

static void note_end(struct lobby *lobby, struct account *account, int64_t game)
{
    struct session *session = session_of(lobby, account);

    account->has_unseen = true;
    if (session != NULL)
        note_sent(session, game);
}

/* --- Ends from the disk --- */

/* Unseen ends that are being read for a session. */
struct recall {
    struct lobby *lobby;
    uint64_t session;
};

/* The end event of a game that ended after the login may have been sent meanwhile. */
static void on_unseen(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);
    char words[PAST_WORDS_BYTES];

    if (session == NULL || was_sent(session, past->game))
        return;
    lobby_past_words(words, past, '=');
    session_sayf(session, "! over %s", words);
    note_sent(session, past->game);
}

static void on_unseen_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);

    if (session != NULL) {
        session->has_more_ends = count == STORE_UNSEEN_MAX;
        if (count == 0)
            session->account->has_unseen = false;
    }
    free(recall);
}

static void tell_unseen(struct lobby *lobby, struct account *account)
{
    struct recall *recall = mem_new(sizeof *recall);

    *recall = (struct recall){.lobby = lobby, .session = account->session};
    store_read_unseen(lobby->store, account->folded, on_unseen, on_unseen_end, recall);
}

/* --- Confirmation --- */

void lobby_heard(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    int kept = 0;

    if (session->end_count == 0 || wire_unsent_bytes(session->wire) > 0)
        return;
    store_begin_together(lobby->store);
    for (int i = 0; i < session->end_count; i++)
        if (is_on_its_way(lobby, session, session->ends[i]))
            session->ends[kept++] = session->ends[i];
        else
            store_drop_unseen(lobby->store, account->folded, session->ends[i]);
    store_end_together(lobby->store);
    session->end_count = kept;
    if (session->has_more_ends)
        tell_unseen(lobby, account);
    session->has_more_ends = false;
}

enum { SWEEP_EVERY_S = 600 };

int64_t lobby_next_offer(struct lobby *lobby)
{
    return store_next_number(lobby->store);
}

static struct session *session_of(const struct lobby *lobby,
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

/* What a game begins with: exactly one of these. */
struct origin {
    struct seek *seek;
    struct invite *invite;
    struct room *room; /* the room of the offer, for a rematch */
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

/* Withdraws an offer; its players are notified when game has begun. */
static void withdraw_offer(struct lobby *lobby, struct room *room, struct offer *offer,
                           int64_t game)
{
    struct gone gone = {.kind = offer_kind_name(offer->kind), .why = "playing"};

    snprintf(gone.id, sizeof gone.id, "%lld", (long long)offer->id);
    text_copy(gone.by, sizeof gone.by, room->game.name[offer->by]);
    for (int side = 0; side < SIDES; side++)
        tell_gone(lobby, offer->told[side], &gone, game);
    offer->kind = OFFER_NONE;
}

/* A rematch, and a game that continues, also start play at once. */
static void withdraw_offers(struct lobby *lobby, const struct account *account,
                            int64_t game)
{
    struct session *session = session_of(lobby, account);
    struct cursor *cursor;

    DL_FOREACH2 (session != NULL ? session->cursors : NULL, cursor, session_next) {
        struct room *room = cursor->feed->owner;
        enum side side = presence_side_of(room, session);
        struct offer *offer;

        while ((offer = offer_find_call_to_play(room, side)) != NULL)
            withdraw_offer(lobby, room, offer, game);
    }
}

/* A timed game begins, or continues (game 0): withdraws everything that its players
 * have open. */
static void withdraw_all(struct lobby *lobby, const struct room *room, int64_t game)
{
    const struct time_terms *terms = &room->game.clock.terms;

    if (terms->is_untimed || time_terms_is_correspondence(terms))
        return;
    for (int side = 0; side < SIDES; side++) {
        drop_seeks_of(lobby, room->seat[side], "playing", game);
        withdraw_invites(lobby, room->seat[side], game);
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

/* Remembers the answer for a repeated accept; it is written in one batch with the
 * game. */
static void remember_accept(struct lobby *lobby, struct account *taker,
                            const struct origin *origin, int64_t game)
{
    struct store_accept accepted = {.number = origin->seek != NULL ? origin->seek->id
                                                                   : origin->offer->id,
                                    .game = game,
                                    .is_offer = origin->seek == NULL};

    accounts_accept(lobby->accounts, taker, &accepted);
}

/* Writes the game, and what becomes of invitations and offers, in one batch: a crash
 * keeps all or nothing. */
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
        take_seek(lobby, origin->seek, taker, room->id);
    if (origin->invite != NULL)
        begin_invite(lobby, origin->invite, room->id);
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

    offer->is_taken = true; /* so that its own game does not withdraw it */
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
    say_partings(lobby, room->id);
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
        note_end(lobby, room->seat[side], room->id);
    }
    lobby->games--;
    HASH_FIND(by_game, lobby->invites_by_game, &room->id, sizeof room->id, invite);
    if (invite != NULL)
        drop_invite(lobby, invite);
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

/* Seats both players of a game that was read from disk. False: a name or a place is
 * missing. */
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

/* Calls take for each game in which account has a seat. */
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
    tell_challenges(lobby, session);
    DL_FOREACH2 (session->cursors, cursor, session_next)
        offer_tell(cursor->feed->owner, session);
}

void lobby_enter(struct lobby *lobby, struct session *session, struct account *account)
{
    struct session *older = session_of(lobby, account);

    account->is_unheard = false; /* set before the older session, which never received
                                  * the token, is closed */
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
        tell_unseen(lobby, account);
}

static void stop_reading(struct session *session)
{
    struct cursor *cursor, *next;

    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next)
        presence_leave(cursor->feed->owner, session);
}

/* Detaches the account first: its rooms check it for presence. */
void lobby_leave(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    bool is_users = account != NULL && account->session == session->id;

    if (is_users)
        account->session = 0;
    stop_reading(session);
    if (!is_users)
        return;
    drop_seeks_of(lobby, account, "left", 0);
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

/* Names that rooms, seeks, sessions or invitations refer to must stay. */
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
    if (!store_load_invites(store, remember_invite, lobby)) {
        lobby_free(lobby);
        return NULL;
    }
    drop_useless_invites(lobby);
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
        forget_invite(lobby, invite);
    forget_partings(lobby);
    free(lobby);
}
