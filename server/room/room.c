/* See room.h. */
#include "server/room/room.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/utf8.h"
#include "server/base/timer.h"
#include "server/net/session.h"
#include "server/room/notice.h"

/* True if the game is over, or if it is frozen and has no players. The room is then
 * kept for readers only. */
static bool room_is_past(const struct room *room)
{
    return room->game.phase == GAME_OVER ||
           (room->is_frozen && room->seat[SIDE_RED] == NULL);
}

/* Returns the time to choose a line-up. In a game by correspondence, this is one whole
 * period. In other games, it is the time that the host has configured. If the host has
 * not configured a time, it is RULES_SETUP_S. */
static int64_t room_setup_ms(const struct room *room)
{
    int64_t ms = room->of->settings.setup_ms;

    if (room_is_correspondence(room))
        return room->game.clock.terms.period_ms;
    return ms > 0 ? ms : (int64_t)RULES_SETUP_S * 1000;
}

int64_t rooms_held_ms(const struct rooms *rooms)
{
    return rooms->held_total_ms + (rooms->is_held ? mono_now_ms() - rooms->held_ms : 0);
}

/* Returns the time since the last event, measured with store_age_ms(), which does not
 * advance while the server is down. */
static int64_t since_last_event_ms(const struct room *room)
{
    return mono_later_ms(store_age_ms(room->of->store) - room->last_age_ms, 0);
}

int64_t room_quiet_ms(const struct room *room)
{
    int64_t held_ms = rooms_held_ms(room->of) - room->last_held_ms;

    return mono_later_ms(since_last_event_ms(room) - held_ms, 0);
}

/* --- The one way into the log --- */

/* Makes the new events visible to the readers. Watchers see all events if the game is
 * over or has no delay. */
static void show(struct room *room)
{
    int plies = room->game.manners.delay_plies, watched;
    enum room_kind kind = ROOM_LIVE;

    if (room->game.phase == GAME_OVER || plies == 0) {
        delay_free(room->delay);
        room->delay = NULL;
        watched = room->feed.lines;
    } else {
        if (room->delay == NULL)
            room->delay = delay_new(plies);
        watched = delay_advance(room->delay, &room->feed);
    }
    if (room->game.phase == GAME_OVER)
        room->feed.has_open_asides = true;
    feed_show(&room->feed, watched);
    if (room->feed.lines == 0 || room_is_past(room))
        kind = ROOM_HIDDEN;
    else if (room->is_frozen)
        kind = ROOM_FROZEN;
    else if (room->game.is_adjourned)
        kind = ROOM_ADJOURNED;
    else if (room_is_correspondence(room))
        kind = ROOM_CORRESPONDENCE;
    rooms_set_kind(room, kind);
}

/* Queues the events for the store, which numbers them. */
static void write_events(struct room *room, int first, const char *const texts[],
                         int count)
{
    struct rooms *rooms = room->of;
    const struct game *game = &room->game;
    char time[TIME_TERMS_BYTES], reason[GAME_REASON_BYTES], folded[SIDES][NAME_BYTES];
    struct store_ending ending = {.before = NULL};
    bool is_over = game->phase == GAME_OVER;
    char *log = NULL;

    if (is_over) {
        time_terms_format(time, &game->clock.terms);
        game_format_reason(reason, game);
        utf8_fold_name(folded[SIDE_RED], game->name[SIDE_RED]);
        utf8_fold_name(folded[SIDE_BLUE], game->name[SIDE_BLUE]);
        ending.summary = (struct store_summary){.red = folded[SIDE_RED],
                                                .blue = folded[SIDE_BLUE],
                                                .red_shown = game->name[SIDE_RED],
                                                .blue_shown = game->name[SIDE_BLUE],
                                                .rules = ruleset_name(game->rules),
                                                .time = time,
                                                .result = outcome_name(game->outcome),
                                                .reason = reason,
                                                .plies = game->plies};
        ending.before = log =
            feed_copy(&room->feed, room->feed.lines - (room->is_frozen ? 0 : count));
        rooms->calls->on_ending(rooms->arg, room);
    }
    store_append(rooms->store, room->id, first, texts, count, is_over ? &ending : NULL);
    free(log);
    room->feed.stamp = rooms->gate->newest;
    if (room->opened == 0)
        room->opened = room->feed.stamp;
    if (room->unsettled_prev != NULL)
        DL_DELETE2(rooms->unsettled, room, unsettled_prev, unsettled_next);
    DL_APPEND2(rooms->unsettled, room, unsettled_prev, unsettled_next);
}

/* Appends events to the log. Only this function adds new events to the log of a room.
 * The events must have been judged legal. Applies them to the game, queues them for the
 * store, answers the asker (may be NULL), shows them to the readers and tells the rest
 * of the server; what all of these are sent waits for the disk (gate.h), and so does
 * the clock: see settle(). A frozen game accepts only the end that the host decides.
 * Readers do not get this end, because the events before it are lost. */
static void commit(struct room *room, const struct game_news *news,
                   const struct asker *asker, int64_t now_ms)
{
    const struct room_settings *settings = &room->of->settings;
    char text[GAME_EVENTS_MAX][EVENT_BYTES];
    const char *texts[GAME_EVENTS_MAX];
    enum event_kind kind = news->event[0].kind;
    int first = room->is_frozen ? STORE_AFTER_DAMAGE : room->game.events;

    assert(room->state == ROOM_READY);
    for (int i = 0; i < news->count; i++) {
        bool follows = true;

        if (news->event[i].kind == EVENT_MOVE)
            game_apply_move(&room->game, news);
        else
            follows = game_apply(&room->game, &news->event[i], now_ms);
        assert(follows);
        event_format(text[i], &news->event[i]);
        texts[i] = text[i];
        if (!room->is_frozen)
            feed_add(&room->feed, room->id, text[i]);
    }
    assert(room->game.phase == GAME_OVER || !room->is_frozen);
    room->last = news->event[news->count - 1].kind;
    room->last_age_ms = store_age_ms(room->of->store);
    room->last_held_ms = rooms_held_ms(room->of);
    room->of->moves += room->last == EVENT_MOVE;
    write_events(room, first, texts, news->count);
    presence_count(room, now_ms);
    offer_void_all(room);
    if (asker != NULL && asker->session != NULL)
        session_ok_words(asker->session, asker->words);
    show(room);
    if (kind == EVENT_START || kind == EVENT_CONTINUE)
        room->of->calls->on_begun(room->of->arg, room);
    if (room->game.phase != GAME_OVER)
        return;
    room->ended_ms = now_ms;
    room->due_ms =
        now_ms + (room->game.reason == REASON_ABORTED ? settings->aborted_keep_ms
                                                      : settings->keep_ms);
    rooms_add_ended(room);
    room->of->calls->on_over(room->of->arg, room);
}

/* --- The clock --- */

/* Starts the clock of the side to move. Its lag, up to the limit, is not charged. */
static void begin_turn(struct room *room, int64_t now_ms)
{
    int most_ms = room->of->settings.lag_ms, lag_ms;

    game_go(&room->game, now_ms);
    lag_ms = presence_lag_ms(room, room->game.clock.running, now_ms);
    game_allow_lag(&room->game, lag_ms < most_ms ? lag_ms : most_ms);
}

static void go_on(struct room *room, int64_t now_ms)
{
    room->clock = ROOM_CLOCK_GOES;
    begin_turn(room, now_ms);
    notice_clock(room, NULL, now_ms);
}

void room_end_pause(struct room *room, enum side side, int64_t now_ms)
{
    room->is_awaited[side] = false;
    if (room->clock == ROOM_CLOCK_GOES || game_turn(&room->game) != side)
        return;
    if (room->of->is_held) {
        room->clock = ROOM_CLOCK_HELD;
    } else {
        go_on(room, now_ms);
        room_arm_timer(room, now_ms);
    }
}

/* Stops the clock of the game while writes wait, unless the game is by correspondence:
 * a stop would give the side to move a whole new period, and a disk is rarely full for
 * days. */
static void hold(struct room *room, int64_t now_ms)
{
    if (!room_is_settled(room) || room->game.phase != GAME_PLAY ||
        room->clock != ROOM_CLOCK_GOES || room->is_frozen || room->game.is_adjourned ||
        room->game.clock.terms.is_untimed || room_is_correspondence(room))
        return;
    room->clock = ROOM_CLOCK_HELD;
    game_stop(&room->game, now_ms);
    notice_clock(room, NULL, now_ms);
}

void rooms_hold(struct rooms *rooms, int64_t now_ms)
{
    if (rooms->is_held)
        return;
    rooms->is_held = true;
    rooms->held_ms = now_ms;
    for (struct room *r = rooms_first(rooms); r != NULL; r = rooms_next(r)) {
        hold(r, now_ms);
        presence_count(r, now_ms);
        room_arm_timer(r, now_ms);
    }
}

/* Tells the readers again how long the player who is here must wait for a claim. */
static void tell_absence(struct room *room, int64_t now_ms)
{
    room->owes_absence = false;
    if (room->absence.away != SIDE_NONE)
        notice_presence(room, TO_ALL, room->absence.away, false, NULL, now_ms);
}

/* Starts the stopped clocks again. Postpones all deadlines by the duration of the wait
 * for the disk. This duration does not count as absence of a player. */
void rooms_release(struct rooms *rooms, int64_t now_ms)
{
    if (!rooms->is_held)
        return;
    rooms->is_held = false;
    rooms->held_total_ms += now_ms - rooms->held_ms;
    rooms->released_ms = now_ms;
    for (struct room *r = rooms_first(rooms); r != NULL; r = rooms_next(r)) {
        if (r->due_ms != INT64_MAX)
            r->due_ms += now_ms - mono_later_ms(r->due_set_ms, rooms->held_ms);
        if (r->clock == ROOM_CLOCK_HELD && room_is_settled(r))
            go_on(r, now_ms);
        else if (r->clock == ROOM_CLOCK_HELD)
            r->clock = ROOM_CLOCK_GOES; /* settle() starts it */
        presence_count(r, now_ms);
        tell_absence(r, now_ms); /* sends nothing if an event is not on disk: absence
                                  * is not counted then */
        r->owes_absence = !room_is_settled(r);
        room_arm_timer(r, now_ms);
    }
}

/* Call it when the newest events of a game are on disk, and its readers may see them:
 * starts the clock of the side to move. */
static void settle(struct room *room, int64_t now_ms)
{
    enum side turn = game_turn(&room->game);

    room->due_set_ms = now_ms;
    if (room->game.phase == GAME_SETUP) {
        room->due_ms = room->game.clock.terms.is_untimed ? INT64_MAX
                                                         : now_ms + room_setup_ms(room);
        notice_setup(room, NULL, now_ms);
    } else if (room->game.phase == GAME_PLAY) {
        bool waits =
            turn != SIDE_NONE && room->is_awaited[turn] && now_ms < room->due_ms;

        room->clock = waits ? ROOM_CLOCK_WAITS : ROOM_CLOCK_GOES;
        if (!waits)
            begin_turn(room, now_ms);
        if (room->of->is_held)
            hold(room, now_ms); /* writes wait again: perhaps there was room on the disk
                                 * for this event only */
        else if (room->last != EVENT_MOVE || waits)
            notice_clock(room, NULL, now_ms);
    }
    presence_count(room, now_ms);
    if (room->owes_absence)
        tell_absence(room, now_ms);
    room_arm_timer(room, now_ms);
}

void rooms_on_durable(struct rooms *rooms)
{
    int64_t now_ms = mono_now_ms();

    while (rooms->unsettled != NULL &&
           rooms->unsettled->feed.stamp <= rooms->gate->durable) {
        struct room *room = rooms->unsettled;

        DL_DELETE2(rooms->unsettled, room, unsettled_prev, unsettled_next);
        room->unsettled_prev = NULL;
        settle(room, now_ms);
    }
}

/* --- The timer: set-up, flag, grace after a restart, claim, news of spectators, sweep
 * after the end --- */

/* Returns the time at which the game is aborted because one side never moved;
 * INT64_MAX: never. A correspondence game is ended by its clock instead. */
static int64_t unmoved_due_ms(const struct room *room)
{
    int64_t unmoved_ms = room->of->settings.unmoved_ms;

    if (unmoved_ms == 0 || room->game.plies >= SIDES || room_is_past(room) ||
        room->is_frozen || room_is_correspondence(room))
        return INT64_MAX;
    return mono_now_ms() + unmoved_ms - room_quiet_ms(room);
}

/* Returns the next deadline of the timer; INT64_MAX: none. */
static int64_t next_due_ms(const struct room *room)
{
    int64_t due_ms = room->due_ms;

    if (!room_is_settled(room) || room->of->is_held)
        return INT64_MAX;
    if (room->game.phase == GAME_PLAY && room->clock == ROOM_CLOCK_GOES &&
        !room->is_frozen)
        due_ms = clock_flag_at_ms(&room->game.clock);
    due_ms = mono_earlier_ms(due_ms, presence_claim_due_ms(room));
    due_ms = mono_earlier_ms(due_ms, room->late_ms);
    return mono_earlier_ms(due_ms, unmoved_due_ms(room));
}

void room_arm_timer(struct room *room, int64_t now_ms)
{
    int64_t due_ms = next_due_ms(room);

    if (due_ms >= room->armed_ms)
        return;
    room->armed_ms = due_ms;
    timer_start(room->timer, due_ms > now_ms ? due_ms - now_ms : 0);
}

/* Judges the line-up of `side`. If line-ups are sealed, that is, secret until both
 * sides have chosen, judges the line-ups of both sides together; if the other side has
 * not chosen yet, assumes that it chooses the same line-up. */
static struct fault judge_setup(const struct room *room, enum side side,
                                enum lineup lineup, struct game_news *news)
{
    enum lineup lineups[SIDES] = {lineup, lineup};
    enum side other = side_other(side);

    if (!game_is_sealed(&room->game))
        return game_judge_setup(&room->game, side, lineup, news);
    if (room->sealed[other] != 0)
        lineups[other] = (enum lineup)(room->sealed[other] - 1);
    return game_judge_setups(&room->game, lineups, news);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct room *room = arg;
    int64_t now_ms = mono_now_ms();
    struct game_news news;
    struct fault fault;

    (void)fd;
    (void)what;
    room->armed_ms = INT64_MAX;
    if (!room_is_settled(room))
        return; /* rooms_on_durable() arms the timer */
    presence_report_late(room, now_ms);
    if (now_ms < next_due_ms(room)) {
        room_arm_timer(room, now_ms);
    } else if (room_is_past(room)) {
        if (!room_has_unread(room)) {
            rooms_evict(room);
            return;
        }
        room->due_ms = now_ms + room->of->settings.keep_ms;
        room_arm_timer(room, now_ms);
    } else if (now_ms >= unmoved_due_ms(room)) {
        fault = game_judge_abort(&room->game, SIDE_NONE, &news);
        assert(fault.code == FAULT_NONE);
        log_info("game=%lld aborted why=unmoved", (long long)room->id);
        commit(room, &news, NULL, now_ms);
    } else if (room->game.phase == GAME_SETUP) {
        /* a side that has not chosen gets the line-up that clients propose */
        enum side turn = game_turn(&room->game);

        fault = judge_setup(room, room_awaits(room, turn) ? turn : side_other(turn),
                            game_usual_lineup(&room->game), &news);
        assert(fault.code == FAULT_NONE);
        commit(room, &news, NULL, now_ms);
    } else {
        if (room->clock == ROOM_CLOCK_WAITS && now_ms >= room->due_ms)
            go_on(room, now_ms);
        if (game_judge_flag(&room->game, now_ms, &news)) {
            commit(room, &news, NULL, now_ms);
            return;
        }
        if (now_ms >= presence_claim_due_ms(room)) {
            room->claim_told = room->absence.away;
            notice_claim(room, room->claim_told, NULL);
        }
        room_arm_timer(room, now_ms);
    }
}

/* --- Beginnings --- */

static void draw_for_feed(void *owner, struct session *session)
{
    const struct room *room = owner;
    struct gate *gate = store_gate(room->of->store);

    gate_narrow(gate, room->feed.stamp);
    notice_draw(room, session, mono_now_ms());
    gate_widen(gate);
}

static const struct feed_calls feed_calls = {.draw = draw_for_feed,
                                             .wants = notice_whisper_is_wanted};

/* Makes a room without events. */
static struct room *make_room(struct rooms *rooms, int64_t id)
{
    struct room *room = mem_new(sizeof *room);

    room->id = id;
    room->of = rooms;
    room->due_ms = room->late_ms = room->armed_ms = INT64_MAX;
    room->claim_told = SIDE_NONE;
    game_init(&room->game);
    room->feed =
        (struct feed){.calls = &feed_calls, .owner = room, .stamp = GATE_IN_ORDER};
    room->timer = timer_new(rooms->base, on_timer, room);
    HASH_ADD(hh, rooms->by_id, id, sizeof room->id, room);
    rooms->count[ROOM_HIDDEN]++;
    return room;
}

struct room *room_open(struct rooms *rooms, int64_t id, const struct event *start,
                       struct account *const seat[SIDES], enum room_near near,
                       int64_t rematch_of, const struct asker *asker)
{
    struct room *room = make_room(rooms, id);
    struct game_news news;

    game_begin(start, &news);
    room->near = near;
    room->rematch_of = rematch_of;
    for (int side = 0; side < SIDES; side++) {
        struct session *session = session_find(rooms->sessions, seat[side]->session);

        rooms_take_seat(room, (enum side)side, seat[side]);
        if (session != NULL)
            feed_follow(&room->feed, session, CURSOR_PLAYER, 0);
    }
    presence_init(room, start);
    log_info("game=%lld start red=%s blue=%s rules=%s", (long long)id,
             start->name[SIDE_RED], start->name[SIDE_BLUE], ruleset_name(start->rules));
    commit(room, &news, asker, mono_now_ms());
    return room;
}

/* --- Acts --- */

struct fault room_enter(struct room *room, struct fault fault,
                        const struct game_news *news, const struct asker *asker,
                        int64_t now_ms)
{
    if (fault.code == FAULT_NONE)
        commit(room, news, asker, now_ms);
    return fault;
}

bool room_seal(struct room *room, enum side side, enum lineup lineup)
{
    if (!game_is_sealed(&room->game) || room->sealed[side_other(side)] != 0)
        return false;
    room->sealed[side] = (uint8_t)(lineup + 1);
    room->has_acted[side] = true;
    return true;
}

bool room_awaits(const struct room *room, enum side side)
{
    return game_is_sealed(&room->game) ? room->sealed[side] == 0
                                       : game_turn(&room->game) == side;
}

struct fault room_setup(struct room *room, enum side side, enum lineup lineup,
                        int64_t now_ms, const struct asker *asker)
{
    struct game_news news;
    struct fault fault = judge_setup(room, side, lineup, &news);

    room->has_acted[side] = room->has_acted[side] || fault.code == FAULT_NONE;
    return room_enter(room, fault, &news, asker, now_ms);
}

struct fault room_move(struct room *room, enum side side, struct move move,
                       int64_t now_ms, const struct asker *asker)
{
    struct game_news news;

    room_end_pause(room, side, now_ms);
    return room_enter(room, game_judge_move(&room->game, side, move, now_ms, &news),
                      &news, asker, now_ms);
}

struct fault room_offer(struct room *room, enum side side, enum offer_kind kind, int to,
                        int64_t next_id, int64_t now_ms, const struct asker *asker,
                        int64_t *offer_id)
{
    struct offer *open = offer_find_kind(room, kind);
    bool is_crossing = open != NULL && open->by != side && open->to == to;
    bool is_alone = offer_is_at_once(room, side, kind, now_ms) && !is_crossing;
    struct game_news news;
    struct fault fault =
        offer_judge(room, kind, to, is_alone ? side : SIDE_NONE, now_ms, &news);

    *offer_id = 0;
    if (fault.code != FAULT_NONE)
        return fault;
    if ((is_crossing && kind != OFFER_REMATCH) || is_alone) {
        if (open != NULL)
            open->is_taken = true;
        commit(room, &news, asker, now_ms);
    } else {
        *offer_id = offer_make(room, side, kind, to, next_id);
    }
    return fault;
}

struct fault room_accept(struct room *room, struct offer *offer, int64_t now_ms,
                         const struct asker *asker)
{
    struct game_news news;
    struct fault fault =
        offer_judge(room, offer->kind, offer->to, SIDE_NONE, now_ms, &news);

    offer->is_taken = fault.code == FAULT_NONE;
    return room_enter(room, fault, &news, asker, now_ms);
}

struct fault room_end_by_host(struct room *room, enum outcome outcome, int64_t now_ms)
{
    struct game_news news;

    return room_enter(room, game_judge_host(&room->game, outcome, &news), &news, NULL,
                      now_ms);
}

/* --- Games that are read back --- */

bool room_wait(struct room *room, struct session *session, const char *raw)
{
    struct waiter *waiter;

    if (room->state == ROOM_READY)
        return false;
    waiter = mem_new(sizeof *waiter);
    waiter->session = session->id;
    waiter->raw = mem_copy_text(raw);
    DL_APPEND(room->waiters, waiter);
    session_hold(session);
    return true;
}

/* Runs the waiting commands again and frees the waiters. A command may free the
 * room. */
static void retry_waiters(struct rooms *rooms, struct waiter *waiters)
{
    struct waiter *waiter, *next;

    DL_FOREACH_SAFE (waiters, waiter, next) {
        struct session *session = session_find_open(rooms->sessions, waiter->session);

        if (session != NULL) {
            session_release(session);
            rooms->calls->on_retry(rooms->arg, session, waiter->raw, mono_now_ms());
            gate_widen(store_gate(rooms->store));
        }
        free(waiter->raw);
        free(waiter);
    }
}

static void freeze(struct room *room, int number, const char *why)
{
    log_warn("game=%lld event=%d why=%s kept=on-disk", (long long)room->id, number,
             why);
    room->is_frozen = true;
}

bool room_restore(struct rooms *rooms, const struct store_event *row)
{
    bool is_first = row->number == 0;
    struct room *room =
        is_first ? make_room(rooms, row->game) : rooms_peek(rooms, row->game);
    bool follows;

    if (room == NULL || room->is_frozen)
        return room != NULL;
    room->state = ROOM_READING;
    follows = row->is_sound && row->number == room->feed.lines;
    if (follows && is_first) { /* has the players and the terms */
        struct event start;

        follows = event_parse(row->text, &start) == EVENT_OK &&
                  game_apply(&room->game, &start, 0);
        if (follows)
            presence_init(room, &start);
    }
    if (follows) {
        feed_add(&room->feed, room->id, row->text);
        room->last_age_ms = row->age_ms;
        return true;
    }
    freeze(room, row->number, row->is_sound ? "does-not-follow" : "damaged");
    if (is_first)
        rooms_remove(room); /* even the players are unknown */
    return !is_first;
}

/* Folds at most `most` further events: applies them to the game. Returns how many. */
static int fold(struct room *room, int most)
{
    int folded = 0;

    while (room->game.events < room->feed.lines && folded < most) {
        int number = room->game.events;
        struct event event;

        if (feed_read(&room->feed, number, &event) &&
            game_apply(&room->game, &event, 0)) {
            folded++;
            continue;
        }
        freeze(room, number, "does-not-follow");
        feed_cut(&room->feed, number);
    }
    return folded;
}

/* Call it when all events of a room are applied to its game. Shows them to the readers,
 * restores the clock and the deadlines of the game, and runs the waiting commands.
 * from_ms: the players can return to the game from this time on. */
static void begin_again(struct room *room, int64_t from_ms)
{
    const struct room_settings *settings = &room->of->settings;
    const struct game *game = &room->game;
    struct waiter *waiters = room->waiters;
    int64_t now_ms = mono_now_ms();

    room->waiters = NULL;
    room->state = ROOM_READY;
    show(room);
    room->due_set_ms = from_ms;
    if (room_is_past(room)) {
        room->due_ms = now_ms + settings->keep_ms;
    } else if (!room->is_frozen && !game->clock.terms.is_untimed &&
               !game->is_adjourned) {
        /* a clock by correspondence is never paused: the side to move is charged from
         * the last event on */
        if (room_is_correspondence(room))
            from_ms = now_ms - since_last_event_ms(room);
        if (game->phase == GAME_SETUP) {
            room->due_ms = from_ms + room_setup_ms(room);
        } else if (room_is_correspondence(room)) {
            game_go(&room->game, from_ms);
        } else {
            room->due_ms = from_ms + settings->grace_ms;
            room->clock = ROOM_CLOCK_WAITS;
            room->is_awaited[SIDE_RED] = room->is_awaited[SIDE_BLUE] = true;
        }
    }
    room_arm_timer(room, now_ms);
    if (room_is_past(room))
        rooms_add_read_back(room);
    retry_waiters(room->of, waiters);
}

static void wake(struct room *room)
{
    DL_DELETE(room->of->asleep, room);
    room->state = ROOM_READING;
    fold(room, INT_MAX);
    begin_again(room, room->of->began_ms);
}

struct room *room_find(struct rooms *rooms, int64_t id)
{
    struct room *room = rooms_peek(rooms, id);

    if (room != NULL && room->state == ROOM_ASLEEP)
        wake(room);
    return room;
}

enum { FOLD_EVENTS = 500 }; /* events that are applied in about a millisecond */

/* Wakes games that were running when the server started: applies their events. Stops
 * after FOLD_EVENTS events or more, and continues in the next turn of the loop. */
static void on_alarm(evutil_socket_t fd, short what, void *arg)
{
    struct rooms *rooms = arg;
    int events = 0;

    (void)fd;
    (void)what;
    while (rooms->asleep != NULL && events < FOLD_EVENTS) {
        events += rooms->asleep->feed.lines;
        wake(rooms->asleep);
    }
    if (rooms->asleep != NULL)
        timer_start(rooms->alarm, 0);
    else
        log_info("games awake ms=%lld", (long long)(mono_now_ms() - rooms->began_ms));
}

void rooms_wake(struct rooms *rooms)
{
    rooms->began_ms = mono_now_ms();
    rooms->alarm = timer_new(rooms->base, on_alarm, rooms);
    on_alarm(-1, 0, rooms);
}

/* Call it when all events of a game that is over are applied. Gives the players their
 * seats: a player needs the seat to send the command that ended the game again, or to
 * ask for a rematch. If the log is damaged before the game's end, does not give the
 * seats, because the game would seem to be running. */
static void end_folding(struct room *room)
{
    struct rooms *rooms = room->of;

    DL_DELETE(rooms->folding, room);
    room->state = ROOM_READING;
    for (int side = 0; room->game.phase == GAME_OVER && side < SIDES; side++)
        rooms_take_seat(
            room, (enum side)side,
            accounts_find_player(rooms->accounts, room->game.name[side], room->id));
    begin_again(room, mono_now_ms());
}

/* Applies events of the first games in the list. A game of which some events remain to
 * be applied goes to the end of the list. */
static void on_fold(evutil_socket_t fd, short what, void *arg)
{
    enum {
        GAME_EVENTS = 25
    }; /* the rest of the work for one game costs as much as applying this many
        * events */
    struct rooms *rooms = arg;
    int left = FOLD_EVENTS;

    (void)fd;
    (void)what;
    while (rooms->folding != NULL && left > 0) {
        struct room *room = rooms->folding;

        left -= GAME_EVENTS + fold(room, left);
        if (room->game.events == room->feed.lines) {
            end_folding(room);
        } else {
            DL_DELETE(rooms->folding, room);
            DL_APPEND(rooms->folding, room);
        }
    }
    if (rooms->folding != NULL)
        timer_start(rooms->fold_timer, 0);
}

void room_restored(struct room *room)
{
    struct rooms *rooms = room->of;

    if (rooms->fold_timer == NULL)
        rooms->fold_timer = timer_new(rooms->base, on_fold, rooms);
    room->state = ROOM_FOLDING;
    DL_APPEND(rooms->folding, room);
    timer_start(rooms->fold_timer, 0);
}

void room_restored_asleep(struct room *room, struct account *const seat[SIDES])
{
    for (int side = 0; seat != NULL && side < SIDES; side++)
        rooms_take_seat(room, (enum side)side, seat[side]);
    room->state = ROOM_ASLEEP;
    DL_APPEND(room->of->asleep, room);
}

/* --- Games whose first event is damaged --- */

void room_note_unreadable(struct rooms *rooms, int64_t game)
{
    int count = rooms->unreadable_count;

    rooms->unreadable =
        mem_resize(rooms->unreadable, (size_t)count + 1, sizeof *rooms->unreadable);
    rooms->unreadable[rooms->unreadable_count++] = game;
    log_warn(
        "game=%lld : its players cannot be read; end it: janggid ctl end %lld none "
        "REASON",
        (long long)game, (long long)game);
}

bool room_end_unreadable(struct rooms *rooms, int64_t game, enum outcome outcome)
{
    const struct event end = {
        .kind = EVENT_END, .outcome = outcome, .reason = REASON_HOST};
    const struct store_ending ending = {.summary = {"", "", "", "", "", "",
                                                    outcome_name(outcome),
                                                    reason_name(REASON_HOST), 0},
                                        .before = ""};
    char text[EVENT_BYTES];
    const char *const texts[] = {text};
    int i = 0;

    while (i < rooms->unreadable_count && rooms->unreadable[i] != game)
        i++;
    if (i == rooms->unreadable_count)
        return false;
    rooms->unreadable[i] = rooms->unreadable[--rooms->unreadable_count];
    event_format(text, &end);
    store_append(rooms->store, game, STORE_AFTER_DAMAGE, texts, 1, &ending);
    return true;
}
