/* See room.h. */
#include "server/room.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/log.h"
#include "common/mem.h"
#include "common/mono.h"
#include "server/notice.h"
#include "server/room_parts.h"
#include "server/session.h"

struct waiter {
    uint64_t session;
    char *raw;
    struct waiter *prev, *next;
};

struct rooms {
    struct event_base *base;
    struct store *store;
    struct sessions *sessions;
    struct room_settings settings;
    const struct room_calls *calls;
    void *arg;
    struct room *by_id;
};

/* --- The timer: set-up, flag, grace after a restart, sweep after the end ---- */

static void room_free(struct room *room)
{
    struct cursor *cursor, *next;
    struct waiter *waiter, *later;

    HASH_DEL(room->of->by_id, room);
    DL_FOREACH_SAFE (room->feed.players, cursor, next)
        feed_unfollow(cursor);
    DL_FOREACH_SAFE (room->feed.watchers, cursor, next)
        feed_unfollow(cursor);
    DL_FOREACH_SAFE (room->waiters, waiter, later) {
        free(waiter->raw);
        free(waiter);
    }
    feed_clear(&room->feed);
    game_clear(&room->game);
    event_free(room->timer);
    free(room);
}

/* When the timer has to look next; INT64_MAX for never. */
static int64_t next_due_ms(const struct room *room)
{
    if (!room->is_settled)
        return INT64_MAX;
    if (room->game.phase == GAME_PLAY && !room->is_paused)
        return clock_flag_at_ms(&room->game.clock);
    return room->due_ms;
}

/* What a side has to choose its line-up: the ruleset's, unless the host says otherwise.
 */
static int64_t setup_ms(const struct room *room)
{
    int64_t ms = room->of->settings.setup_ms;

    return ms > 0 ? ms : (int64_t)ruleset_setup_s(room->game.rules) * 1000;
}

static void arm_timer(struct room *room, int64_t now_ms)
{
    int64_t due_ms = next_due_ms(room), wait_ms = due_ms > now_ms ? due_ms - now_ms : 0;
    struct timeval delay = {.tv_sec = wait_ms / 1000, .tv_usec = wait_ms % 1000 * 1000};

    if (due_ms == INT64_MAX)
        event_del(room->timer);
    else
        event_add(room->timer, &delay);
}

static void go_on(struct room *room, int64_t now_ms)
{
    room->is_paused = false;
    game_go(&room->game, now_ms);
    notice_clock(room, now_ms);
}

/* The time to choose a line-up is over: it is the one of FIG 1. */
static void set_up_by_default(struct room *room, int64_t now_ms)
{
    struct game_news news;
    struct fault fault =
        game_judge_setup(&room->game, game_turn(&room->game), LINEUP_NBBN, &news);

    assert(fault.code == FAULT_NONE);
    room_commit(room, &news, NULL, now_ms);
}

static bool has_unread(const struct cursor *list)
{
    const struct cursor *cursor;

    DL_FOREACH (list, cursor)
        if (cursor->offset < cursor->feed->visible)
            return true;
    return false;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct room *room = arg;
    int64_t now_ms = mono_now_ms();
    struct game_news news;

    (void)fd;
    (void)what;
    if (!room->is_settled)
        return;
    if (now_ms < next_due_ms(room)) {
        arm_timer(room, now_ms); /* libevent's timers may come a little early */
        return;
    }
    if (room->game.phase == GAME_SETUP) {
        set_up_by_default(room, now_ms);
    } else if (room->game.phase == GAME_PLAY && room->is_paused) {
        go_on(room, now_ms);
        arm_timer(room, now_ms);
    } else if (room->game.phase == GAME_PLAY) {
        if (game_judge_flag(&room->game, now_ms, &news))
            room_commit(room, &news, NULL, now_ms);
    } else if (has_unread(room->feed.players) || has_unread(room->feed.watchers)) {
        room->due_ms = now_ms + room->of->settings.keep_ms;
        arm_timer(room, now_ms);
    } else {
        room_free(room);
    }
}

/* --- The one way into the log ------------------------------------------------ */

static void answer_asker(struct room *room)
{
    struct session *session = session_find(room->of->sessions, room->asker.session);

    if (session != NULL && session->state != SESSION_LEAVING)
        session_ok(session, "%s", room->asker.words);
    room->asker.session = 0;
}

static void show(struct room *room)
{
    room->shown_plies = room->game.plies;
    room->shown_turn = game_turn(&room->game);
    room->shown_phase = room->game.phase;
    feed_show(&room->feed);
}

/* The command of a waiter, which is freed, is run again. */
static void try_again(struct rooms *rooms, struct waiter *waiter, int64_t now_ms)
{
    struct session *session = session_find(rooms->sessions, waiter->session);

    if (session != NULL && session->state != SESSION_LEAVING) {
        session_release(session);
        rooms->calls->on_retry(rooms->arg, session, waiter->raw, now_ms);
    }
    free(waiter->raw);
    free(waiter);
}

/* Commands that waited are tried again, in the order in which they came. One of them
 * may unsettle the room again; the rest then goes on waiting. */
static void retry_waiters(struct room *room, int64_t now_ms)
{
    struct rooms *rooms = room->of;
    int64_t id = room->id;

    while (room != NULL && room->is_settled && room->waiters != NULL) {
        struct waiter *waiter = room->waiters;

        DL_DELETE(room->waiters, waiter);
        try_again(rooms, waiter, now_ms);
        room = room_find(rooms, id);
    }
}

static void on_durable(void *arg)
{
    struct room *room = arg;
    int64_t now_ms = mono_now_ms();
    const struct room_settings *settings = &room->of->settings;

    room->is_settled = true;
    room_void_offers(room);
    answer_asker(room);
    show(room);
    if (room->last == EVENT_START)
        room->of->calls->on_begun(room->of->arg, room);
    switch (room->game.phase) {
    case GAME_SETUP:
        room->due_ms =
            room->game.clock.terms.is_untimed ? INT64_MAX : now_ms + setup_ms(room);
        notice_setup(room, now_ms);
        break;
    case GAME_PLAY:
        room->is_paused = false;
        game_go(&room->game, now_ms);
        if (room->last != EVENT_MOVE)
            notice_clock(room, now_ms);
        break;
    default:
        room->ended_ms = now_ms;
        room->due_ms = now_ms + settings->keep_ms;
        room->of->calls->on_over(room->of->arg, room);
        break;
    }
    arm_timer(room, now_ms);
    retry_waiters(room, now_ms);
}

static void summarise(const struct room *room, struct store_summary *out,
                      char *time_words, char folded[SIDES][NAME_BYTES])
{
    const struct game *game = &room->game;

    time_terms_format(time_words, &game->clock.terms);
    utf8_fold_name(folded[SIDE_RED], game->name[SIDE_RED]);
    utf8_fold_name(folded[SIDE_BLUE], game->name[SIDE_BLUE]);
    *out = (struct store_summary){.red = folded[SIDE_RED],
                                  .blue = folded[SIDE_BLUE],
                                  .red_shown = game->name[SIDE_RED],
                                  .blue_shown = game->name[SIDE_BLUE],
                                  .rules = ruleset_name(game->rules),
                                  .time = time_words,
                                  .result = outcome_name(game->outcome),
                                  .reason = reason_name(game->reason),
                                  .plies = game->plies};
}

/* What was judged becomes the next events: folded in, formatted once, queued for the
 * disk. Nobody is told before on_durable(). */
void room_commit(struct room *room, const struct game_news *news,
                 const struct asker *asker, int64_t now_ms)
{
    char text[GAME_EVENTS_MAX][EVENT_BYTES], time_words[TIME_TERMS_BYTES];
    char folded[SIDES][NAME_BYTES];
    const char *texts[GAME_EVENTS_MAX];
    int first = room->game.events;
    struct store_summary summary;
    bool is_over;

    assert(room->is_settled);
    for (int i = 0; i < news->count; i++) {
        bool follows = game_apply(&room->game, &news->event[i], now_ms);

        assert(follows);
        event_format(text[i], &news->event[i]);
        texts[i] = text[i];
        feed_add(&room->feed, room->id, text[i]);
    }
    is_over = room->game.phase == GAME_OVER;
    if (is_over)
        summarise(room, &summary, time_words, folded);
    room->asker = asker != NULL ? *asker : (struct asker){0};
    room->last = news->event[news->count - 1].kind;
    room->is_settled = false;
    event_del(room->timer);
    store_append(room->of->store, room->id, first, texts, news->count,
                 is_over ? &summary : NULL, on_durable, room);
}

/* --- Beginnings ------------------------------------------------------------- */

struct rooms *rooms_new(struct event_base *base, struct store *store,
                        struct sessions *sessions, const struct room_settings *settings,
                        const struct room_calls *calls, void *arg)
{
    struct rooms *rooms = mem_new(sizeof *rooms);

    *rooms = (struct rooms){.base = base,
                            .store = store,
                            .sessions = sessions,
                            .settings = *settings,
                            .calls = calls,
                            .arg = arg};
    return rooms;
}

void rooms_free(struct rooms *rooms)
{
    struct room *room, *next;

    if (rooms == NULL)
        return;
    HASH_ITER (hh, rooms->by_id, room, next)
        room_free(room);
    free(rooms);
}

struct room *room_find(struct rooms *rooms, int64_t id)
{
    struct room *room;

    HASH_FIND(hh, rooms->by_id, &id, sizeof id, room);
    return room;
}

struct room *rooms_first(struct rooms *rooms)
{
    return rooms->by_id;
}

struct room *rooms_next(struct room *room)
{
    return room->hh.next;
}

/* Nothing that is not on disk: a room that is unsettled is drawn when it has settled.
 */
static bool draw_for_feed(void *owner, struct session *session)
{
    const struct room *room = owner;

    if (room->is_settled)
        notice_draw(room, session, mono_now_ms());
    return room->is_settled;
}

static struct room *room_new(struct rooms *rooms, int64_t id)
{
    struct room *room = mem_new(sizeof *room);

    room->id = id;
    room->of = rooms;
    room->is_settled = true;
    room->due_ms = INT64_MAX;
    game_init(&room->game);
    feed_init(&room->feed, draw_for_feed, room);
    room->timer = evtimer_new(rooms->base, on_timer, room);
    if (room->timer == NULL)
        die("room no timer");
    HASH_ADD(hh, rooms->by_id, id, sizeof room->id, room);
    return room;
}

static struct session *seated_session(const struct room *room, enum side side)
{
    if (room->seat[side] == NULL || room->seat[side]->session == 0)
        return NULL;
    return session_find(room->of->sessions, room->seat[side]->session);
}

struct room *room_open(struct rooms *rooms, int64_t id, const struct event *start,
                       struct account *const seat[SIDES],
                       const struct room_origin *origin, const struct asker *asker)
{
    struct room *room = room_new(rooms, id);
    struct game_news news = {.count = 1, .event = {*start}};

    room->origin = *origin;
    for (int side = 0; side < SIDES; side++) {
        struct session *session;

        room->seat[side] = seat[side];
        session = seated_session(room, (enum side)side);
        if (session != NULL)
            feed_follow(&room->feed, session, CURSOR_PLAYER, 0);
    }
    log_info("game=%lld start red=%s blue=%s rules=%s", (long long)id,
             start->name[SIDE_RED], start->name[SIDE_BLUE], ruleset_name(start->rules));
    room_commit(room, &news, asker, mono_now_ms());
    return room;
}

/* The log of a game does not hold together: it stays on the disk as it is. Whoever
 * waits for it asks again, and is told that there is no such game. */
static void drop_restored(struct room *room)
{
    struct rooms *rooms = room->of;
    struct waiter *waiters = room->waiters, *waiter, *next;

    room->waiters = NULL;
    room_free(room);
    DL_FOREACH_SAFE (waiters, waiter, next)
        try_again(rooms, waiter, mono_now_ms());
}

bool room_restore(struct rooms *rooms, int64_t id, int number, const char *text)
{
    struct room *room = number == 0 ? room_new(rooms, id) : room_find(rooms, id);
    struct event event;

    if (room == NULL) /* dropped before */
        return false;
    room->is_settled = false; /* until all of it is here */
    if (room->game.events == number && event_parse(text, &event) == EVENT_OK &&
        game_apply(&room->game, &event, 0)) {
        feed_add(&room->feed, id, text);
        return true;
    }
    log_warn("game=%lld event=%d why=does-not-follow kept=on-disk", (long long)id,
             number);
    drop_restored(room);
    return false;
}

void room_restored(struct room *room, struct account *const seat[SIDES])
{
    const struct room_settings *settings = &room->of->settings;
    int64_t now_ms = mono_now_ms();

    if (seat != NULL)
        memcpy(room->seat, seat, sizeof room->seat);
    room->is_settled = true;
    show(room);
    if (room->game.phase == GAME_OVER)
        room->due_ms = now_ms + settings->keep_ms;
    else if (!room->game.clock.terms.is_untimed)
        room->due_ms = now_ms + (room->game.phase == GAME_SETUP ? setup_ms(room)
                                                                : settings->grace_ms);
    room->is_paused =
        room->game.phase == GAME_PLAY && !room->game.clock.terms.is_untimed;
    arm_timer(room, now_ms);
    retry_waiters(room, now_ms);
}

/* --- Acts -------------------------------------------------------------------- */

/* A move that comes while the clock waits for its player shows that the player is back.
 */
static void end_pause(struct room *room, enum side side, int64_t now_ms)
{
    if (room->is_paused && game_turn(&room->game) == side) {
        go_on(room, now_ms);
        arm_timer(room, now_ms);
    }
}

struct fault room_setup(struct room *room, enum side side, enum lineup lineup,
                        int64_t now_ms, const struct asker *asker)
{
    struct game_news news;
    struct fault fault = game_judge_setup(&room->game, side, lineup, &news);

    if (fault.code == FAULT_NONE)
        room_commit(room, &news, asker, now_ms);
    return fault;
}

struct fault room_move(struct room *room, enum side side, struct move move,
                       int64_t now_ms, const struct asker *asker)
{
    struct game_news news;
    struct fault fault;

    end_pause(room, side, now_ms);
    fault = game_judge_move(&room->game, side, move, now_ms, &news);
    if (fault.code == FAULT_NONE)
        room_commit(room, &news, asker, now_ms);
    return fault;
}

struct fault room_resign(struct room *room, enum side side, int64_t now_ms,
                         const struct asker *asker)
{
    struct game_news news;
    struct fault fault = game_judge_resign(&room->game, side, &news);

    if (fault.code == FAULT_NONE)
        room_commit(room, &news, asker, now_ms);
    return fault;
}

/* --- Readers ------------------------------------------------------------------ */

enum side room_side_of(const struct room *room, const struct session *session)
{
    if (session->account == NULL)
        return SIDE_NONE;
    for (int side = 0; side < SIDES; side++)
        if (room->seat[side] == session->account)
            return (enum side)side;
    return SIDE_NONE;
}

void room_arrive(struct room *room, enum side side, struct session *session)
{
    int64_t now_ms = mono_now_ms();

    if (feed_count(&room->feed) > 0) /* else its start is on its way, and says it all */
        notice_tell(room, TO_ALL, "! presence game=%lld side=%s here=1",
                    (long long)room->id, side_name(side));
    feed_follow(&room->feed, session, CURSOR_PLAYER, feed_count(&room->feed));
    if (!room->is_settled)
        return;
    end_pause(room, side, now_ms);
    if (room->game.phase == GAME_SETUP)
        notice_setup(room, now_ms);
    else
        notice_clock(room, now_ms);
    room_repeat_offers(room, session);
}

void room_leave(struct room *room, struct session *session)
{
    struct cursor *cursor = feed_find(&room->feed, session);
    enum cursor_role role;

    if (cursor == NULL)
        return;
    role = cursor->role;
    feed_unfollow(cursor);
    if (role == CURSOR_PLAYER)
        room_drop_rematch_of(room, room_side_of(room, session));
    if (role == CURSOR_PLAYER)
        notice_tell(room, TO_ALL, "! presence game=%lld side=%s here=0",
                    (long long)room->id, side_name(room_side_of(room, session)));
    else
        notice_tell(room, TO_PLAYERS, "! watcher game=%lld name=%s here=0",
                    (long long)room->id, session->name);
}

void room_watch(struct room *room, struct session *session, int number)
{
    bool is_new = feed_find(&room->feed, session) == NULL;
    bool is_player = room_side_of(room, session) != SIDE_NONE;

    feed_follow(&room->feed, session, is_player ? CURSOR_PLAYER : CURSOR_WATCHER,
                number);
    if (is_new && !is_player)
        notice_tell(room, TO_PLAYERS, "! watcher game=%lld name=%s here=1",
                    (long long)room->id, session->name);
}

bool room_wait(struct room *room, struct session *session, const char *raw)
{
    struct waiter *waiter;

    if (room->is_settled)
        return false;
    waiter = mem_new(sizeof *waiter);
    waiter->session = session->id;
    waiter->raw = mem_copy_text(raw);
    DL_APPEND(room->waiters, waiter);
    session_hold(session);
    return true;
}
