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
#include "server/base/world.h"
#include "server/lobby/seeks.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"

enum {
    MET_MS = 60 * 60 * 1000, /* how long `met` keeps when two players began a game */
    SOON_MS = 30000,         /* see lobby_game_left() */
    LEFT_MS = LEAVE_MINUTES * 60 * 1000,
    DUE_MS = 60 * 1000 /* see lobby_due_in_s() */
};

struct lobby {
    const struct world *world;
    struct lobby_limits limits;
    int64_t next_game;
    int games;        /* number of running games */
    int64_t excluded; /* the game that the host is ending: it changes no ratings; 0:
                       * none */
    struct seeks *seeks;
    struct invites *invites;
    struct deadline_kind wait_expiry;
    struct pairs *met; /* pairs of players who have begun a game: order_names() */
};

/* Returns the present session of `account`; NULL: it has none, or `account` is NULL. */
static struct session *session_of(const struct lobby *lobby,
                                  const struct account *account)
{
    if (account == NULL || account->session == 0)
        return NULL;
    return session_find(lobby->world->sessions, account->session);
}

/* --- Ends of games that a player has possibly not seen --- */

void lobby_format_end(char out[ENDS_WORDS_BYTES], const struct store_past *past,
                      char sep)
{
    const struct store_summary *s = &past->summary;

    snprintf(out, ENDS_WORDS_BYTES,
             "game%c%lld red=%s blue=%s rules=%s time=%s plies=%d result=%s reason=%s "
             "ended_s=%lld%s",
             sep, (long long)past->game, s->red_shown, s->blue_shown, s->rules, s->time,
             s->plies, s->result, s->reason, (long long)past->ended_wall_s,
             past->is_private ? " private=yes" : "");
}

static void note_sent(struct session *session, int64_t game)
{
    session->ends = mem_grow(session->ends, session->end_count, &session->end_room, 4,
                             sizeof *session->ends);
    session->ends[session->end_count++] = game;
}

/* A request to the store for the ends of games that a player has not seen. The answer
 * is sent to the session with the id `session`. */
struct recall {
    struct sessions *sessions;
    uint64_t session;
};

static void on_unseen(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->sessions, recall->session);
    char words[ENDS_WORDS_BYTES];

    if (session == NULL)
        return;
    for (int i = 0; i < session->end_count; i++)
        if (session->ends[i] == past->game)
            return; /* it ended between the login and this answer of the store */
    lobby_format_end(words, past, '=');
    session_sayf(session, "! over %s", words);
    note_sent(session, past->game);
}

static void on_unseen_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->sessions, recall->session);

    if (session != NULL && session->account != NULL) {
        session->has_more_ends = count == STORE_UNSEEN_MAX;
        if (count == 0)
            session->account->has_unseen = false;
    }
    store_arg_free(recall);
}

/* Reads the ends from the store, and sends them to the account's session. */
static void tell_ends(struct lobby *lobby, struct account *account)
{
    struct store *store = lobby->world->store;
    struct recall *recall = store_arg_new(store, sizeof *recall, NULL);

    *recall = (struct recall){.sessions = lobby->world->sessions,
                              .session = account->session};
    store_read_unseen(store, account->folded, on_unseen, on_unseen_end, recall);
}

void lobby_heard(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    int kept = 0;

    if (session->end_count == 0 || wire_unsent_bytes(session->wire) > 0)
        return;
    for (int i = 0; i < session->end_count; i++) {
        int64_t game = session->ends[i];
        const struct room *room = room_find(lobby->world->rooms, game);
        const struct cursor *cursor =
            room != NULL ? feed_find(&room->feed, session) : NULL;

        if (cursor != NULL && cursor->offset < cursor->feed->size)
            session->ends[kept++] = game; /* the session has not read so far */
        else
            store_drop(lobby->world->store, STORE_UNSEEN,
                       &(struct store_unseen){account->folded, game}, 2);
    }
    session->end_count = kept;
    if (session->has_more_ends)
        tell_ends(lobby, account);
    session->has_more_ends = false;
}

/* --- Games --- */

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

    return max != 0 && store_counts(lobby->world->store).bytes >= max;
}

/* Returns how fast one player may begin games. This is limited because even a game that
 * is resigned at once stays on disk for good. */
static struct rate begin_rate(const struct lobby *lobby)
{
    enum { AT_ONCE = 2 * ACCOUNT_GAMES_MAX };

    int per_min = lobby->limits.games_per_min;

    return (struct rate){per_min == 0 ? 0 : 60000 / per_min, AT_ONCE};
}

/* Returns how often one player may leave games before they are played. The limit
 * protects the opponents. When a timed game begins, all other seeks, challenges and
 * invitations of both players are withdrawn. If one player then leaves the game, the
 * opponent has lost these seeks, challenges and invitations, and has no game. */
static struct rate leave_rate(const struct lobby *lobby)
{
    int most = lobby->limits.leaves_max;

    return (struct rate){most == 0 ? 0 : LEFT_MS / most, most};
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
    const struct account *both[] = {maker, taker};
    enum quota_state quota[ARRAY_LEN(both)];
    int max;

    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        quota[i] = quota_judge(accounts_quotas(lobby->world->accounts), QUOTA_GAME,
                               both[i], &max);
        if (quota[i] == QUOTA_ACCOUNT_FULL)
            return i == 0 ? LOBBY_MAKER_FULL : LOBBY_TAKER_FULL;
    }
    if (lobby_left_wait_s(lobby, taker) > 0)
        return LOBBY_TAKER_LEAVES;
    for (size_t i = 0; i < ARRAY_LEN(both); i++)
        if (budget_wait_ms(&both[i]->begins, begin_rate(lobby), mono_now_ms()) > 0)
            return LOBBY_TOO_FAST;
    if (quota[0] == QUOTA_SOURCE_FULL || quota[1] == QUOTA_SOURCE_FULL)
        return LOBBY_SOURCE_FULL;
    if (lobby_is_storage_full(lobby))
        return LOBBY_STORAGE_FULL;
    if (lobby->limits.games_max != 0 && lobby->games >= lobby->limits.games_max)
        return LOBBY_FULL;
    return LOBBY_STARTED;
}

static enum lobby_start judge_rated(const struct account *maker,
                                    const struct account *taker)
{
    if (!rated_may_play(taker, mono_wall_s()))
        return LOBBY_TAKER_UNRATED;
    return rated_may_play(maker, mono_wall_s()) ? LOBBY_STARTED : LOBBY_MAKER_UNRATED;
}

static struct ratings_view view_of(const struct lobby *lobby,
                                   const struct account *account,
                                   const struct terms *terms)
{
    struct ratings_view view;

    ratings_view(lobby->world->ratings, account->number,
                 ratings_pool_of(terms->rules, &terms->time), mono_wall_s(), &view);
    return view;
}

/* If the game is timed, withdraws all open seeks, challenges and invitations of its
 * players, and their offers to play another game. Call it when the game starts or
 * continues. */
static void withdraw_all(struct lobby *lobby, const struct room *room)
{
    struct session *session;
    struct cursor *cursor;

    if (!time_terms_has_clocks(&room->game.clock.terms))
        return;
    for (int side = 0; side < SIDES; side++) {
        seeks_drop_all(lobby->seeks, room->seat[side], "playing");
        invites_withdraw_all(lobby->invites, room->seat[side], "playing");
        session = session_of(lobby, room->seat[side]);
        DL_FOREACH2 (session != NULL ? session->cursors : NULL, cursor, session_next)
            offer_drop_of(cursor->feed->owner,
                          presence_side_of(cursor->feed->owner, session), "playing");
    }
}

static struct room *open_room(struct lobby *lobby, const struct terms *terms,
                              struct account *maker, struct account *taker,
                              const struct origin *origin, const char *verb)
{
    enum side side = terms->side;
    struct account *seat[SIDES];
    unsigned char lot;
    struct event start;
    struct asker asker = {.session = verb != NULL ? session_of(lobby, taker) : NULL};
    struct text words = text_into(asker.words, sizeof asker.words);
    int64_t game = lobby->next_game++;
    bool is_known,
        is_near = rated_is_near(lobby->world->sessions, maker, taker, &is_known);

    if (side == SIDE_NONE && terms->manners.is_rated)
        side = rated_side(lobby->world->ratings, terms, maker, taker);
    if (side == SIDE_NONE && terms->is_by_rank)
        side = rated_side_by_rank(lobby->world->ratings, terms, maker, taker,
                                  mono_wall_s());
    if (side == SIDE_NONE) {
        if (RAND_bytes(&lot, 1) != 1)
            log_die("lobby no random numbers");
        side = lot & 1 ? SIDE_RED : SIDE_BLUE;
    }
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
    return room_open(lobby->world->rooms, game, &start, seat,
                     !is_known ? ROOM_NEAR_UNKNOWN
                     : is_near ? ROOM_NEAR
                               : ROOM_APART,
                     origin->room != NULL ? origin->room->id : 0, &asker);
}

/* Writes the names of two players, always in the same order, for the pairs `met`. */
static void order_names(const struct account *one, const struct account *other,
                        const char *names[2])
{
    bool is_first = strcmp(one->folded, other->folded) < 0;

    names[0] = is_first ? one->folded : other->folded;
    names[1] = is_first ? other->folded : one->folded;
}

/* Writes the game, and the changes to invitations and offers, in one batch, which a
 * crash cannot split. Returns the number of the game. */
static int64_t begin_now(struct lobby *lobby, const struct terms *terms,
                         struct account *maker, struct account *taker,
                         const struct origin *origin, const char *verb)
{
    struct room *room, *old = origin->room;
    struct readable what;
    const struct cursor *cursor;
    const char *names[2];
    char line[64];
    size_t len;

    lobby->games++;
    budget_charge(&maker->begins, begin_rate(lobby), 1000, mono_now_ms());
    budget_charge(&taker->begins, begin_rate(lobby), 1000, mono_now_ms());
    order_names(maker, taker, names);
    pairs_add(lobby->met, names[0], names[1], mono_now_ms());
    room = open_room(lobby, terms, maker, taker, origin, verb);
    if (origin->is_by_number) /* if the client repeats it, it gets the same answer */
        accounts_accept(lobby->world->accounts, taker,
                        &(struct store_accept){.number = origin->seek != NULL
                                                             ? origin->seek->id
                                                             : origin->offer->id,
                                               .game = room->id,
                                               .is_offer = origin->seek == NULL});
    if (origin->seek != NULL)
        seeks_take(lobby->seeks, origin->seek, taker);
    if (origin->waiting != NULL)
        seeks_drop(lobby->seeks, origin->waiting, "accepted");
    if (origin->invite != NULL)
        invites_begin(lobby->invites, origin->invite, room->id);
    withdraw_all(lobby, room);
    if (old == NULL)
        return room->id;
    /* a rematch: also to each watcher of the old room who may read the new game */
    what = privacy_readable_room(room);
    len = (size_t)snprintf(line, sizeof line, "! rematch game=%lld new=%lld\n",
                           (long long)old->id, (long long)room->id);
    DL_FOREACH (old->feed.players, cursor)
        if (notice_fits(cursor->session))
            session_send_after(cursor->session, line, len, room->feed.stamp);
    DL_FOREACH (old->feed.watchers, cursor)
        if (privacy_may_read(room->of, &what, cursor->session, NULL) &&
            notice_fits(cursor->session))
            session_send_after(cursor->session, line, len, room->feed.stamp);
    return room->id;
}

static enum lobby_start begin(struct lobby *lobby, const struct terms *terms,
                              struct account *maker, struct account *taker,
                              const struct origin *origin, const char *verb)
{
    enum lobby_start start = judge_start(lobby, maker, taker);
    struct ratings_view makers, takers;

    if (start == LOBBY_STARTED && time_terms_has_clocks(&terms->time))
        start = judge_due(maker, taker);
    if (start == LOBBY_STARTED && terms->manners.is_rated)
        start = judge_rated(maker, taker);
    if (start == LOBBY_STARTED && origin->seek != NULL &&
        origin->seek->range.high != 0) {
        makers = view_of(lobby, maker, terms);
        takers = view_of(lobby, taker, terms);
        if (!rated_fits_range(&origin->seek->range, &makers, &takers))
            start = LOBBY_OUT_OF_RANGE;
    }
    if (start == LOBBY_STARTED)
        (void)begin_now(lobby, terms, maker, taker, origin, verb);
    return start;
}

int64_t lobby_pair(struct lobby *lobby, const struct terms *terms,
                   struct account *maker, struct account *taker)
{
    static const struct origin origin = {0};

    if (closing_bars_games(&lobby->world->closing, mono_now_ms()) ||
        maker->open[QUOTA_GAME] == ACCOUNT_GAMES_MAX ||
        taker->open[QUOTA_GAME] == ACCOUNT_GAMES_MAX || lobby_is_storage_full(lobby) ||
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

/* True if the maker of `mine` could begin a game with the maker of `seek` now; their
 * terms meet. */
static bool suits(const struct lobby *lobby, const struct seek *mine,
                  const struct seek *seek)
{
    const struct marks *marks = accounts_marks(lobby->world->accounts);
    struct account *me = mine->maker, *maker = seek->maker;
    bool am_bot = account_is_bot(me), is_bot = account_is_bot(maker);
    struct ratings_view my_view, their_view;

    if (maker == me || (is_bot && !mine->takes_bots && !am_bot) ||
        (am_bot && !seek->takes_bots && !is_bot) ||
        privacy_keeps_apart(marks, me, maker) ||
        (seek->terms.manners.is_rated && judge_rated(maker, me) != LOBBY_STARTED))
        return false;
    my_view = view_of(lobby, me, &seek->terms);
    their_view = view_of(lobby, maker, &seek->terms);
    return rated_fits_range(&seek->range, &their_view, &my_view) &&
           rated_fits_range(&mine->range, &my_view, &their_view) &&
           judge_start(lobby, maker, me) == LOBBY_STARTED &&
           judge_due(maker, me) == LOBBY_STARTED;
}

struct seek *lobby_find_match(struct lobby *lobby, const struct seek *mine,
                              struct terms *terms)
{
    struct seek *seek;
    int fits = 0;

    DL_FOREACH2 (seeks_first(lobby->seeks), seek, open_next) {
        if (!terms_meet(&seek->terms, &mine->terms, terms))
            continue;
        if (suits(lobby, mine, seek))
            return seek;
        if (++fits == SEEKS_FITS_MAX)
            break;
    }
    return NULL;
}

struct seek *lobby_wait(struct lobby *lobby, const struct seek *mine)
{
    struct seek *seek =
        seeks_open(lobby->seeks, mine->maker, NULL, &mine->terms, &mine->range);

    if (seek == NULL)
        return NULL;
    seek->is_waiting = true;
    seek->takes_bots = mine->takes_bots;
    deadlines_set(lobby->world->spans, &seek->deadline, &lobby->wait_expiry,
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
    struct origin origin = {.seek = seek};
    struct terms both;
    int fits = 0;

    if (closing_bars_games(&lobby->world->closing, mono_now_ms()))
        return false;
    DL_FOREACH2 (seeks_first(lobby->seeks), origin.waiting, open_next) {
        if (!origin.waiting->is_waiting ||
            !terms_meet(&origin.waiting->terms, &seek->terms, &both))
            continue;
        if (suits(lobby, seek, origin.waiting) &&
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
    bool is_excluded = lobby->excluded == room->id;

    lobby->excluded = 0;
    if (room->game.reason == REASON_ABORTED)
        return;
    rated_write(lobby->world, room, lobby->limits.may_be_near, is_excluded);
    for (int side = 0; side < SIDES; side++)
        if (room->seat[side] != NULL)
            accounts_finish_game(lobby->world->accounts, room->seat[side]);
}

/* After both sides have moved, or if the game is adjourned, it is not too early to
 * leave. Before that, it is always too early while the game is younger than SOON_MS,
 * because the opponent needs some time to come. After SOON_MS, it is too early unless
 * the game waits for the opponent. */
void lobby_game_left(struct lobby *lobby, const struct room *room, enum side side)
{
    struct account *leaver = room->seat[side], *other = room->seat[side_other(side)];
    const char *names[2];
    int64_t met_ms;

    if (leaver == NULL || other == NULL || room->game.phase == GAME_OVER ||
        lobby->limits.leaves_max == 0 || room->game.plies >= SIDES ||
        room->game.is_adjourned)
        return;
    order_names(leaver, other, names);
    met_ms = MET_MS - pairs_left_ms(lobby->met, names[0], names[1], mono_now_ms());
    if (met_ms < SOON_MS || !room_awaits(room, side_other(side)))
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
    rated_tell(lobby->world->ratings, room, mono_wall_s());
    for (int side = 0; side < SIDES; side++) {
        struct account *account = room->seat[side];
        struct session *session = session_of(lobby, account);

        if (account == NULL)
            continue;
        account_rise(account, room->id);
        account->has_unseen =
            true; /* possibly: the room sends the end to the session */
        if (session != NULL)
            note_sent(session, room->id);
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

    for (int i = 0; i < account->open[QUOTA_GAME]; i++) {
        const struct room *room = room_find(lobby->world->rooms, account->game[i]);

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

int lobby_restore_games(struct lobby *lobby)
{
    int count = 0;

    for (struct room *r = rooms_first(lobby->world->rooms); r != NULL;
         r = rooms_next(r), count++) {
        struct account *seat[SIDES];
        int seated = 0;

        for (; seated < SIDES; seated++) {
            seat[seated] = accounts_find_player(lobby->world->accounts,
                                                r->game.name[seated], r->id);
            if (seat[seated] == NULL || !account_sit(seat[seated], r->id))
                break; /* no account any more, or it has too many games */
        }
        if (seated < SIDES) {
            log_warn("game=%lld side=%s why=no-such-name", (long long)r->id,
                     side_name((enum side)seated));
            if (seated > 0)
                account_rise(seat[0], r->id);
        }
        room_restored_asleep(r, seated == SIDES ? seat : NULL);
    }
    lobby->games += count;
    invites_drop_useless(lobby->invites);
    rooms_wake(lobby->world->rooms);
    return count;
}

/* --- Sessions --- */

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
    struct room *room;

    if (older != NULL && older != session) {
        lobby_leave(lobby, older);
        session_close(older, "taken-over", NULL);
    }
    account->session = session->id;
    session->account = account;
    session->least = &account->stamp;
    text_copy(session->name, sizeof session->name, account->shown);
    for (int i = 0; i < account->open[QUOTA_GAME]; i++) {
        room = room_find(lobby->world->rooms, account->game[i]);
        if (room != NULL && lobby_shows(room))
            notice_mine(room, presence_side_of(room, session), session, mono_now_ms());
    }
    for (int i = 0; i < account->open[QUOTA_GAME]; i++) {
        room = room_find(lobby->world->rooms, account->game[i]);
        if (room != NULL)
            presence_arrive(room, presence_side_of(room, session), session);
    }
    lobby_tell_open(lobby, session);
    if (account->has_unseen)
        tell_ends(lobby, account);
}

/* Sets account->session to 0 before the session leaves its rooms, because the rooms
 * look at account->session to learn whether a player is present. */
void lobby_leave(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    bool is_users = account != NULL && account->session == session->id;
    struct cursor *cursor, *next;

    seeks_listen(lobby->seeks, session, false);
    if (is_users)
        account->session = 0;
    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next)
        presence_leave(cursor->feed->owner, session);
    session->account = NULL; /* the account may be freed before the session is */
    session->least = NULL;
    if (!is_users)
        return;
    seeks_drop_all(lobby->seeks, account, "left");
    accounts_touch(lobby->world->accounts, account, mono_wall_s());
}

/* Declines all challenges to an account that is about to be removed. */
static void drop_challenges_to(void *arg, struct account *account)
{
    struct lobby *lobby = arg;

    while (account->asked != NULL)
        seeks_drop(lobby->seeks, account->asked, "declined");
}

/* --- Life --- */

struct lobby *lobby_new(const struct world *world, const struct lobby_limits *limits)
{
    struct lobby *lobby = mem_new(sizeof *lobby);

    *lobby = (struct lobby){
        .world = world,
        .limits = *limits,
        .next_game = store_next_game(world->store),
        .wait_expiry = {on_wait_due, lobby},
        .met = pairs_new(MET_MS),
    };
    lobby->seeks = seeks_new(world);
    lobby->invites = invites_new(world);
    if (lobby->invites == NULL) {
        lobby_free(lobby);
        return NULL;
    }
    accounts_set_challenges(lobby->world->accounts, drop_challenges_to, lobby);
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
    accounts_set_challenges(lobby->world->accounts, NULL, NULL);
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
