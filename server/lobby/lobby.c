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
#include "server/base/closing.h"
#include "server/lobby/ends.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/peace.h"
#include "server/room/privacy.h"
#include "server/room/readers.h"
#include "server/seek/gone.h"
#include "server/seek/pairs.h"

enum {
    MET_MS = 60 * 60 * 1000, /* how long `met` keeps when two players began a game; see
                              * is_left_early() */
    SOON_MS = 30000,         /* see is_left_early() */
    LEFT_MS = LEAVE_MINUTES * 60 * 1000,
    DUE_MS = 60 * 1000 /* see lobby_due_in_s() */
};

struct lobby {
    struct lobby_parts parts;
    struct lobby_limits limits;
    int64_t next_game;
    int games;        /* number of running games */
    int64_t excluded; /* the game that the host is ending: it changes no ratings; 0:
                       * none */
    struct seeks *seeks;
    struct invites *invites;
    struct ends ends;
    struct deadline_kind wait_expiry;
    struct pairs *met; /* pairs of players who have begun a game; the lower name
                        * first */
};

/* Returns the present session of `account`; NULL: it has none, or `account` is NULL. */
static struct session *session_of(const struct lobby *lobby,
                                  const struct account *account)
{
    if (account == NULL || account->session == 0)
        return NULL;
    return session_find(lobby->parts.sessions, account->session);
}

void lobby_heard(struct lobby *lobby, struct session *session)
{
    ends_heard(&lobby->ends, session);
}

/* --- Games --- */

static enum side draw_lots(void)
{
    unsigned char bit;

    if (RAND_bytes(&bit, 1) != 1)
        log_die("lobby no random numbers");
    return bit & 1 ? SIDE_RED : SIDE_BLUE;
}

/* The origin of a new game: a seek, an invitation, or an offer of a rematch; all NULL
 * if the server has paired the game. */
struct origin {
    struct seek *seek;
    struct invite *invite;
    struct seek *waiting; /* the taker's own seek from lobby_wait(), which is removed;
                           * NULL: none */
    struct room *room;    /* the room of the offer, for a rematch */
    const struct offer *offer;
    bool is_by_number; /* the seek or offer was accepted by its number */
};

bool lobby_is_storage_full(const struct lobby *lobby)
{
    int64_t max = lobby->limits.bytes_max;

    return max != 0 && store_counts(lobby->parts.store).bytes >= max;
}

static bool is_network_full(const struct lobby *lobby, const struct account *account)
{
    int max = network_max(account->network, lobby->limits.network_seats_max);

    return max != 0 && account->network->seats >= max;
}

/* Returns how fast one player may begin games. This is limited because even a game that
 * is resigned at once stays on disk for good. */
static struct rate begin_rate(const struct lobby *lobby)
{
    enum { AT_ONCE = 2 * ACCOUNT_GAMES_MAX };

    return (struct rate){.milli_per_s =
                             (int64_t)lobby->limits.games_per_min * 1000 / 60,
                         .burst = AT_ONCE};
}

static bool may_begin(const struct lobby *lobby, const struct account *account)
{
    return budget_has(&account->begins, begin_rate(lobby), mono_now_ms());
}

static void charge_begin(const struct lobby *lobby, struct account *account)
{
    budget_charge(&account->begins, begin_rate(lobby), 1000, mono_now_ms());
}

/* Returns how often one player may leave games before they are played. The limit
 * protects the opponents. When a timed game begins, all other seeks, challenges and
 * invitations of both players are withdrawn. If one player then leaves the game, the
 * opponent has lost these seeks, challenges and invitations, and has no game. */
static struct rate leave_rate(const struct lobby *lobby)
{
    return (struct rate){.milli_per_s =
                             (int64_t)lobby->limits.leaves_max * 1000 * 1000 / LEFT_MS,
                         .burst = lobby->limits.leaves_max};
}

int64_t lobby_left_wait_s(const struct lobby *lobby, const struct account *account)
{
    return mono_whole_s(
        budget_wait_ms(&account->leaves, leave_rate(lobby), mono_now_ms()));
}

int64_t lobby_due_in_s(const struct account *account)
{
    int64_t left_ms = account->due_ms - mono_now_ms();

    return left_ms > 0 && left_ms <= DUE_MS ? mono_whole_s(left_ms) : 0;
}

/* Judges whether the two may begin a game with clocks now. */
static enum lobby_start judge_due(const struct account *maker,
                                  const struct account *taker)
{
    if (lobby_due_in_s(taker) > 0)
        return LOBBY_TAKER_DUE;
    return lobby_due_in_s(maker) > 0 ? LOBBY_MAKER_DUE : LOBBY_STARTED;
}

static enum lobby_start judge_start(const struct lobby *lobby,
                                    const struct account *maker,
                                    const struct account *taker)
{
    if (maker->games >= lobby->limits.seats_max)
        return LOBBY_MAKER_FULL;
    if (taker->games >= lobby->limits.seats_max)
        return LOBBY_TAKER_FULL;
    if (lobby_left_wait_s(lobby, taker) > 0)
        return LOBBY_TAKER_LEAVES;
    if (!may_begin(lobby, maker) || !may_begin(lobby, taker))
        return LOBBY_TOO_FAST;
    if (is_network_full(lobby, maker) || is_network_full(lobby, taker))
        return LOBBY_NETWORK_FULL;
    if (lobby_is_storage_full(lobby))
        return LOBBY_STORAGE_FULL;
    if (lobby->limits.games_max != 0 && lobby->games >= lobby->limits.games_max)
        return LOBBY_FULL;
    return LOBBY_STARTED;
}

static enum lobby_start judge_rated(const struct account *maker,
                                    const struct account *taker)
{
    int64_t now_wall_s = mono_wall_s();

    if (!rated_may_play(taker, now_wall_s))
        return LOBBY_TAKER_UNRATED;
    return rated_may_play(maker, now_wall_s) ? LOBBY_STARTED : LOBBY_MAKER_UNRATED;
}

static struct ratings_view view_of(const struct lobby *lobby,
                                   const struct account *account,
                                   const struct terms *terms)
{
    struct ratings_view view;

    ratings_view(lobby->parts.ratings, account->number,
                 ratings_pool_of(terms->rules, &terms->time), mono_wall_s(), &view);
    return view;
}

/* Judges whether the maker of the seek accepts the rating of the taker; LOBBY_STARTED:
 * yes. */
static enum lobby_start judge_range(const struct lobby *lobby, const struct seek *seek,
                                    const struct terms *terms,
                                    const struct account *taker)
{
    struct ratings_view mine, theirs;

    if (seek->range.high == 0)
        return LOBBY_STARTED;
    mine = view_of(lobby, seek->maker, terms);
    theirs = view_of(lobby, taker, terms);
    return rated_fits_range(&seek->range, &mine, &theirs) ? LOBBY_STARTED
                                                          : LOBBY_OUT_OF_RANGE;
}

/* Withdraws an offer because a game starts. */
static void withdraw_offer(struct lobby *lobby, struct room *room, struct offer *offer)
{
    struct gone gone = {.kind = offer_kind_name(offer->kind), .why = "playing"};

    snprintf(gone.id, sizeof gone.id, "%lld", (long long)offer->id);
    text_copy(gone.by, sizeof gone.by, room->game.name[offer->by]);
    for (int side = 0; side < SIDES; side++)
        gone_tell(lobby->parts.sessions, offer->told[side], &gone);
    offer->kind = OFFER_NONE;
}

/* Withdraws the offers of `account` that would start another game at once: offers of a
 * rematch, and offers to continue a game. */
static void withdraw_offers(struct lobby *lobby, const struct account *account)
{
    struct session *session = session_of(lobby, account);
    struct cursor *cursor;

    DL_FOREACH2 (session != NULL ? session->cursors : NULL, cursor, session_next) {
        struct room *room = cursor->feed->owner;
        enum side side = presence_side_of(room, session);
        struct offer *offer;

        while ((offer = offer_find_call_to_play(room, side)) != NULL)
            withdraw_offer(lobby, room, offer);
    }
}

/* If the game is timed, withdraws all open seeks, challenges and invitations of its
 * players, and their offers to play another game. Call it when the game starts or
 * continues. */
static void withdraw_all(struct lobby *lobby, const struct room *room)
{
    if (!time_terms_has_clocks(&room->game.clock.terms))
        return;
    for (int side = 0; side < SIDES; side++) {
        seeks_drop_all(lobby->seeks, room->seat[side], "playing");
        invites_withdraw_all(lobby->invites, room->seat[side], "playing");
        withdraw_offers(lobby, room->seat[side]);
    }
}

/* Chooses the side of the maker. */
static enum side choose_side(const struct lobby *lobby, const struct terms *terms,
                             const struct account *maker, const struct account *taker)
{
    enum side side = terms->side;

    if (side == SIDE_NONE && terms->manners.is_rated)
        side = rated_side(lobby->parts.ratings, terms, maker, taker);
    if (side == SIDE_NONE && terms->is_by_rank)
        side = rated_side_by_rank(lobby->parts.ratings, terms, maker, taker,
                                  mono_wall_s());
    return side == SIDE_NONE ? draw_lots() : side;
}

static void note_near(struct lobby *lobby, struct room *room)
{
    bool is_known, is_near = rated_is_near(lobby->parts.sessions, room->seat[SIDE_RED],
                                           room->seat[SIDE_BLUE], &is_known);

    if (is_known)
        room_set_near(room, is_near);
}

static struct room *open_room(struct lobby *lobby, const struct terms *terms,
                              struct account *maker, struct account *taker,
                              const struct origin *origin, const char *verb)
{
    enum side side = choose_side(lobby, terms, maker, taker);
    struct account *seat[SIDES];
    struct event start;
    struct asker asker = {.session = verb != NULL ? session_of(lobby, taker) : NULL};
    struct text words = text_into(asker.words, sizeof asker.words);
    int64_t game = lobby->next_game++;

    terms_start(terms, &start);
    seat[side] = maker;
    seat[side_other(side)] = taker;
    for (int i = 0; i < SIDES; i++) {
        text_copy(start.name[i], sizeof start.name[i], seat[i]->shown);
        if (!account_sit(seat[i], game))
            log_die("lobby game=%lld no seat", (long long)game);
    }
    text_addf(&words, "%s game=%lld", verb != NULL ? verb : "", (long long)game);
    if (origin->is_by_number && origin->offer != NULL)
        text_addf(&words, " offer=%lld", (long long)origin->offer->id);
    return room_open(lobby->parts.rooms, game, &start, seat,
                     origin->room != NULL ? origin->room->id : 0, &asker);
}

/* Stores the answer to an accept, for the case that the client repeats the accept. The
 * answer is written in one batch with the game. */
static void remember_accept(struct lobby *lobby, struct account *taker,
                            const struct origin *origin, int64_t game)
{
    struct store_accept accepted = {.number = origin->seek != NULL ? origin->seek->id
                                                                   : origin->offer->id,
                                    .game = game,
                                    .is_offer = origin->seek == NULL};

    accounts_accept(lobby->parts.accounts, taker, &accepted);
}

static bool is_first_name(const struct account *one, const struct account *other)
{
    return strcmp(one->folded, other->folded) < 0;
}

static void note_met(struct lobby *lobby, const struct account *one,
                     const struct account *other)
{
    bool is_first = is_first_name(one, other);

    pairs_add(lobby->met, is_first ? one->folded : other->folded,
              is_first ? other->folded : one->folded, mono_now_ms());
}

/* Returns the milliseconds for which the two still count as having met; 0: they do
 * not. */
static int64_t met_left_ms(const struct lobby *lobby, const struct account *one,
                           const struct account *other)
{
    bool is_first = is_first_name(one, other);

    return pairs_left_ms(lobby->met, is_first ? one->folded : other->folded,
                         is_first ? other->folded : one->folded, mono_now_ms());
}

/* Tells the readers of the old room about the rematch: both players, and each watcher
 * who may read the new game. */
static void tell_rematch(struct room *old, const struct room *room)
{
    struct readable what = privacy_readable_room(room);
    const struct cursor *cursor;
    char line[64];
    size_t len = (size_t)snprintf(line, sizeof line, "! rematch game=%lld new=%lld\n",
                                  (long long)old->id, (long long)room->id);

    DL_FOREACH (old->feed.players, cursor)
        if (notice_fits(cursor->session))
            session_send_after(cursor->session, line, len, room->feed.stamp);
    DL_FOREACH (old->feed.watchers, cursor)
        if (privacy_may_read(room->of, &what, cursor->session, NULL) &&
            notice_fits(cursor->session))
            session_send_after(cursor->session, line, len, room->feed.stamp);
}

/* Writes the game, and the changes to invitations and offers, in one batch, which a
 * crash cannot split. Returns the number of the game. */
static int64_t begin_now(struct lobby *lobby, const struct terms *terms,
                         struct account *maker, struct account *taker,
                         const struct origin *origin, const char *verb)
{
    struct room *room;

    lobby->games++;
    charge_begin(lobby, maker);
    charge_begin(lobby, taker);
    note_met(lobby, maker, taker);
    store_begin_together(lobby->parts.store);
    room = open_room(lobby, terms, maker, taker, origin, verb);
    note_near(lobby, room);
    if (origin->is_by_number)
        remember_accept(lobby, taker, origin, room->id);
    if (origin->seek != NULL)
        seeks_take(lobby->seeks, origin->seek, taker);
    if (origin->waiting != NULL)
        seeks_drop(lobby->seeks, origin->waiting, "accepted");
    if (origin->invite != NULL)
        invites_begin(lobby->invites, origin->invite, room->id);
    withdraw_all(lobby, room);
    store_end_together(lobby->parts.store);
    if (origin->room != NULL)
        tell_rematch(origin->room, room);
    return room->id;
}

static enum lobby_start begin(struct lobby *lobby, const struct terms *terms,
                              struct account *maker, struct account *taker,
                              const struct origin *origin, const char *verb)
{
    enum lobby_start start = judge_start(lobby, maker, taker);

    if (start == LOBBY_STARTED && time_terms_has_clocks(&terms->time))
        start = judge_due(maker, taker);
    if (start == LOBBY_STARTED && terms->manners.is_rated)
        start = judge_rated(maker, taker);
    if (start == LOBBY_STARTED && origin->seek != NULL)
        start = judge_range(lobby, origin->seek, terms, taker);
    if (start == LOBBY_STARTED)
        (void)begin_now(lobby, terms, maker, taker, origin, verb);
    return start;
}

int64_t lobby_pair(struct lobby *lobby, const struct terms *terms,
                   struct account *maker, struct account *taker)
{
    static const struct origin origin = {0};

    if (closing_bars_games(lobby->parts.closing, mono_now_ms()) ||
        maker->games == ACCOUNT_GAMES_MAX || taker->games == ACCOUNT_GAMES_MAX ||
        lobby_is_storage_full(lobby) ||
        (lobby->limits.games_max != 0 && lobby->games >= lobby->limits.games_max))
        return 0;
    return begin_now(lobby, terms, maker, taker, &origin, NULL);
}

enum lobby_start lobby_accept(struct lobby *lobby, struct seek *seek,
                              const struct terms *terms, struct account *taker,
                              bool is_by_number, const char *verb)
{
    struct origin origin = {.seek = seek, .is_by_number = is_by_number};

    return begin(lobby, terms, seek->maker, taker, &origin, verb);
}

/* --- A game in one word --- */

enum lobby_start lobby_judge_player(const struct lobby *lobby,
                                    const struct account *account)
{
    enum lobby_start start = judge_start(lobby, account, account);

    if (start == LOBBY_STARTED)
        start = judge_due(account, account);
    return start == LOBBY_MAKER_FULL ? LOBBY_TAKER_FULL : start;
}

static bool takes_bots(const struct account *account, bool says_so)
{
    return says_so || account_is_bot(account);
}

/* True if the player could begin a game with the maker of the seek now; their terms
 * meet. */
static bool suits(const struct lobby *lobby, struct account *account,
                  const struct wish *wish, const struct seek *seek)
{
    const struct marks *marks = accounts_marks(lobby->parts.accounts);
    struct ratings_view mine, theirs;

    if (seek->maker == account ||
        (account_is_bot(seek->maker) && !takes_bots(account, wish->takes_bots)) ||
        (account_is_bot(account) && !takes_bots(seek->maker, seek->takes_bots)) ||
        peace_keeps_apart(marks, account, seek->maker) ||
        (seek->terms.manners.is_rated &&
         judge_rated(seek->maker, account) != LOBBY_STARTED))
        return false;
    mine = view_of(lobby, account, &seek->terms);
    theirs = view_of(lobby, seek->maker, &seek->terms);
    return rated_fits_range(&seek->range, &theirs, &mine) &&
           rated_fits_range(&wish->range, &mine, &theirs) &&
           judge_start(lobby, seek->maker, account) == LOBBY_STARTED &&
           judge_due(seek->maker, account) == LOBBY_STARTED;
}

struct seek *lobby_find_match(struct lobby *lobby, struct account *account,
                              const struct wish *wish, struct terms *terms)
{
    struct seek *seek;
    int fits = 0;

    DL_FOREACH2 (seeks_first(lobby->seeks), seek, open_next) {
        if (!terms_meet(&seek->terms, &wish->terms, terms))
            continue;
        if (suits(lobby, account, wish, seek))
            return seek;
        if (++fits == SEEKS_FITS_MAX)
            break;
    }
    return NULL;
}

struct seek *lobby_wait(struct lobby *lobby, struct account *account,
                        const struct wish *wish)
{
    struct seek *seek = seeks_wait(lobby->seeks, account, wish);

    if (seek != NULL)
        deadlines_set(lobby->parts.spans, &seek->deadline, &lobby->wait_expiry,
                      mono_now_s() + WAIT_MINUTES * 60);
    return seek;
}

static void on_wait_due(void *arg, struct deadline *deadline, int64_t now_s)
{
    struct lobby *lobby = arg;

    (void)now_s;
    seeks_drop(lobby->seeks, OWNER_OF(deadline, struct seek, deadline), "expired");
}

void lobby_end_wait(struct lobby *lobby, struct account *account)
{
    struct seek *seek, *next;

    DL_FOREACH_SAFE2 (account->made, seek, next, made_next)
        if (seek->is_waiting)
            seeks_drop(lobby->seeks, seek, "replaced");
}

bool lobby_meet_waiting(struct lobby *lobby, struct seek *seek)
{
    const struct wish wish = {.terms = seek->terms, .range = seek->range};
    struct origin origin = {.seek = seek};
    struct terms both;
    int fits = 0;

    if (closing_bars_games(lobby->parts.closing, mono_now_ms()))
        return false;
    DL_FOREACH2 (seeks_first(lobby->seeks), origin.waiting, open_next) {
        if (!origin.waiting->is_waiting ||
            !terms_meet(&origin.waiting->terms, &wish.terms, &both))
            continue;
        if (suits(lobby, seek->maker, &wish, origin.waiting) &&
            begin(lobby, &seek->terms, seek->maker, origin.waiting->maker, &origin,
                  NULL) == LOBBY_STARTED)
            return true;
        if (++fits == SEEKS_FITS_MAX)
            break;
    }
    return false;
}

enum lobby_start lobby_join(struct lobby *lobby, struct invite *invite,
                            struct account *taker, const char *verb)
{
    struct origin origin = {.invite = invite};

    return begin(lobby, &invite->terms, invite->owner, taker, &origin, verb);
}

struct terms lobby_rematch_terms(const struct room *room, enum side side)
{
    const struct game *game = &room->game;
    struct terms terms = {.rules = game->rules,
                          .time = game->clock.terms,
                          .side = side_other(side),
                          .manners = game->manners};

    if (game->has_position) {
        struct position start = game_start(game);

        terms.side = side;
        if (!game->manners.has_odds)
            position_format(terms.position, &start);
    }
    return terms;
}

enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, bool is_by_number, const char *verb)
{
    struct terms terms = lobby_rematch_terms(room, offer->by);
    struct origin origin = {.room = room, .offer = offer, .is_by_number = is_by_number};
    enum lobby_start start;

    offer->is_taken = true; /* so that begin() does not withdraw this offer */
    start = begin(lobby, &terms, room->seat[offer->by],
                  room->seat[side_other(offer->by)], &origin, verb);
    offer->is_taken = false;
    if (start == LOBBY_STARTED)
        offer->kind = OFFER_NONE;
    return start;
}

void lobby_game_begun(struct lobby *lobby, struct room *room)
{
    if (room->last == EVENT_CONTINUE)
        withdraw_all(lobby, room);
}

void lobby_game_ending(struct lobby *lobby, struct room *room)
{
    const struct rated_end end = {.ratings = lobby->parts.ratings,
                                  .store = lobby->parts.store,
                                  .accounts = lobby->parts.accounts,
                                  .sessions = lobby->parts.sessions,
                                  .may_be_near = lobby->limits.may_be_near,
                                  .is_excluded = lobby->excluded == room->id,
                                  .now_wall_s = mono_wall_s()};

    lobby->excluded = 0;
    if (room->game.reason == REASON_ABORTED)
        return;
    rated_write(&end, room);
    for (int side = 0; side < SIDES; side++)
        if (room->seat[side] != NULL)
            accounts_finish_game(lobby->parts.accounts, room->seat[side]);
}

/* True if `side` leaves the game too early by leaving now. After both sides have moved,
 * or if the game is adjourned, it is not too early. Before that, it is always too early
 * while the game is younger than SOON_MS, because the opponent needs some time to come.
 * After SOON_MS, it is too early unless the game waits for the opponent. */
static bool is_left_early(const struct lobby *lobby, const struct room *room,
                          enum side side)
{
    int64_t age_ms =
        MET_MS - met_left_ms(lobby, room->seat[SIDE_RED], room->seat[SIDE_BLUE]);

    return room->game.plies < SIDES && !room->game.is_adjourned &&
           (age_ms < SOON_MS || !room_awaits(room, side_other(side)));
}

void lobby_game_left(struct lobby *lobby, const struct room *room, enum side side)
{
    struct account *leaver = room->seat[side];

    if (leaver == NULL || room->seat[side_other(side)] == NULL ||
        room->game.phase == GAME_OVER || lobby->limits.leaves_max == 0 ||
        !is_left_early(lobby, room, side))
        return;
    budget_charge(&leaver->leaves, leave_rate(lobby), 1000, mono_now_ms());
}

void lobby_exclude_game(struct lobby *lobby, int64_t game)
{
    lobby->excluded = game;
}

void lobby_game_over(struct lobby *lobby, struct room *room)
{
    log_info("game=%lld over result=%s reason=%s plies=%d", (long long)room->id,
             outcome_name(room->game.outcome), reason_name(room->game.reason),
             room->game.plies);
    rated_tell(lobby->parts.ratings, room, mono_wall_s());
    for (int side = 0; side < SIDES; side++) {
        if (room->seat[side] == NULL)
            continue;
        account_rise(room->seat[side], room->id);
        ends_note(&lobby->ends, room->seat[side], room->id);
    }
    lobby->games--;
    invites_end(lobby->invites, room->id);
}

bool lobby_shows(const struct room *room)
{
    return room->kind != ROOM_HIDDEN;
}

int lobby_list_games(struct lobby *lobby, const struct account *account,
                     bool with_private, char *out, size_t size)
{
    struct text text = text_into(out, size);
    int hidden = 0;

    for (int i = 0; i < account->games; i++) {
        const struct room *room = room_find(lobby->parts.rooms, account->game[i]);

        if (room == NULL || !lobby_shows(room))
            continue;
        if (room->game.manners.is_private && !with_private)
            hidden++;
        else
            text_addf(&text, "%s%lld", text.len == 0 ? "" : ",",
                      (long long)account->game[i]);
    }
    if (text.len == 0)
        text_add(&text, "-");
    return hidden;
}

/* Gives both players their seats in a game that was read from disk. Returns false if a
 * player has no account any more, or already has as many games as an account may
 * have. */
static bool seat_again(struct lobby *lobby, const struct room *room,
                       struct account *seat[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        seat[side] = accounts_find_player(lobby->parts.accounts, room->game.name[side],
                                          room->id);
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

    for (struct room *r = rooms_first(lobby->parts.rooms); r != NULL;
         r = rooms_next(r)) {
        struct account *seat[SIDES] = {NULL, NULL};
        bool is_seated = seat_again(lobby, r, seat);

        room_restored_asleep(r, is_seated ? seat : NULL);
        count++;
    }
    lobby->games += count;
    invites_drop_useless(lobby->invites);
    rooms_wake(lobby->parts.rooms);
    return count;
}

/* --- Sessions --- */

/* Calls `take` for each game in which `account` has a seat. */
static void each_game(struct lobby *lobby, const struct account *account,
                      void (*take)(struct room *room, enum side side,
                                   struct session *session),
                      struct session *session)
{
    for (int i = 0; i < account->games; i++) {
        struct room *room = room_find(lobby->parts.rooms, account->game[i]);

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
    seeks_tell(lobby->seeks, session);
    DL_FOREACH2 (session->cursors, cursor, session_next)
        offer_tell(cursor->feed->owner, session);
}

void lobby_enter(struct lobby *lobby, struct session *session, struct account *account)
{
    struct session *older = session_of(lobby, account);

    if (older != NULL && older != session) {
        lobby_leave(lobby, older);
        session_close_for_later(older);
    }
    account->session = session->id;
    session->account = account;
    session->least = &account->stamp;
    text_copy(session->name, sizeof session->name, account->shown);
    each_game(lobby, account, tell_mine, session);
    each_game(lobby, account, readers_arrive, session);
    lobby_tell_open(lobby, session);
    if (account->has_unseen)
        ends_tell(&lobby->ends, account);
}

static void stop_reading(struct session *session)
{
    struct cursor *cursor, *next;

    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next)
        readers_leave(cursor->feed->owner, session);
}

/* Sets account->session to 0 before the session leaves its rooms, because the rooms
 * look at account->session to learn whether a player is present. */
void lobby_leave(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    bool is_users = account != NULL && account->session == session->id;

    seeks_listen(lobby->seeks, session, false);
    if (is_users)
        account->session = 0;
    stop_reading(session);
    session->account = NULL; /* the account may be freed before the session is */
    session->least = NULL;
    if (!is_users)
        return;
    seeks_drop_all(lobby->seeks, account, "left");
    accounts_touch(lobby->parts.accounts, account, mono_wall_s());
}

/* Declines all challenges to an account that is about to be removed. */
static void drop_challenges_to(void *arg, struct account *account)
{
    struct lobby *lobby = arg;

    while (account->asked != NULL)
        seeks_drop(lobby->seeks, account->asked, "declined");
}

void lobby_forget(struct lobby *lobby, struct account *account)
{
    struct session *session = session_find(lobby->parts.sessions, account->session);

    if (session != NULL)
        session_close(session, "erased", "the host has erased what is kept about you");
    invites_withdraw_all(lobby->invites, account, "withdrawn");
    drop_challenges_to(lobby, account);
    for (session = sessions_first(lobby->parts.sessions); session != NULL;
         session = sessions_next(session))
        if (session->account == account) { /* the session is closing */
            session->account = NULL;
            session->least = NULL;
        }
}

/* --- Life --- */

struct lobby *lobby_new(const struct lobby_parts *parts,
                        const struct lobby_limits *limits)
{
    struct lobby *lobby = mem_new(sizeof *lobby);

    *lobby = (struct lobby){
        .parts = *parts,
        .limits = *limits,
        .ends = {parts->store, parts->sessions, parts->rooms},
        .next_game = store_next_game(parts->store),
        .wait_expiry = {on_wait_due, lobby},
        .met = pairs_new(MET_MS),
    };
    lobby->seeks = seeks_new(&(struct seeks_parts){.store = parts->store,
                                                   .sessions = parts->sessions,
                                                   .rooms = parts->rooms,
                                                   .ratings = parts->ratings,
                                                   .spans = parts->spans,
                                                   .limits = &lobby->limits.seeks});
    lobby->invites =
        invites_new(&(struct invites_parts){.store = parts->store,
                                            .accounts = parts->accounts,
                                            .rooms = parts->rooms,
                                            .deadlines = parts->deadlines,
                                            .limits = &lobby->limits.invites});
    if (lobby->invites == NULL) {
        lobby_free(lobby);
        return NULL;
    }
    accounts_set_challenges(lobby->parts.accounts, drop_challenges_to, lobby);
    return lobby;
}

void lobby_change_limits(struct lobby *lobby, const struct lobby_limits *limits)
{
    int64_t bytes_max = lobby->limits.bytes_max;

    lobby->limits = *limits;
    lobby->limits.bytes_max = bytes_max;
}

void lobby_free(struct lobby *lobby)
{
    if (lobby == NULL)
        return;
    accounts_set_challenges(lobby->parts.accounts, NULL, NULL);
    seeks_free(lobby->seeks);
    invites_free(lobby->invites);
    pairs_free(lobby->met);
    free(lobby);
}

struct seeks *lobby_seeks(struct lobby *lobby)
{
    return lobby->seeks;
}

struct invites *lobby_invites(struct lobby *lobby)
{
    return lobby->invites;
}
