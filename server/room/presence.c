/* See presence.h. */
#include "server/room/presence.h"

#include <string.h>

#include <utlist.h>

#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/base/budget.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/privacy.h"
#include "server/room/room.h"

enum {
    /* In an untimed game, a player may be absent so many times as long as in a timed
     * game, because a player cannot lose an untimed game on time. */
    UNTIMED_TIMES = 10,
    /* The least time between two reports to a quiet player. The first spectator who
     * comes or goes after this time is reported by name, because that is often a
     * friend. If spectators come or go earlier, they are only counted. The next report
     * contains the counts. */
    QUIET_MS = 30 * 1000
};

/* --- Absence --- */

void absence_init(struct absence *absence, int64_t allowed_ms)
{
    *absence = (struct absence){.allowed_ms = allowed_ms, .away = SIDE_NONE};
}

static int64_t used_ms(const struct absence *absence, enum side side, int64_t now_ms)
{
    int64_t used = absence->used_ms[side];

    if (absence->away == side && now_ms > absence->since_ms)
        used += now_ms - absence->since_ms;
    return used < absence->allowed_ms ? used : absence->allowed_ms;
}

void absence_charge(struct absence *absence, enum side away, int64_t now_ms)
{
    if (absence->away != SIDE_NONE)
        absence->used_ms[absence->away] = used_ms(absence, absence->away, now_ms);
    absence->away = away;
    absence->since_ms = now_ms;
}

int64_t absence_left_ms(const struct absence *absence, enum side side, int64_t now_ms)
{
    return absence->allowed_ms - used_ms(absence, side, now_ms);
}

int64_t absence_due_ms(const struct absence *absence)
{
    if (absence->away == SIDE_NONE)
        return INT64_MAX;
    return absence->since_ms + absence->allowed_ms - absence->used_ms[absence->away];
}

bool presence_is_here(const struct room *room, enum side side)
{
    return room->seat[side] != NULL && room->seat[side]->session != 0;
}

int presence_lag_ms(const struct room *room, enum side side, int64_t now_ms)
{
    const struct cursor *cursor;
    struct session *session;

    if (side == SIDE_NONE || !presence_is_here(room, side))
        return 0;
    DL_FOREACH (room->feed.players, cursor) /* finds nearly all, without a hash */
        if (cursor->session->id == room->seat[side]->session)
            return session_lag_ms(cursor->session, now_ms);
    session = session_find(room->of->sessions, room->seat[side]->session);
    return session == NULL ? 0 : session_lag_ms(session, now_ms);
}

void presence_init(struct room *room, const struct event *start)
{
    int64_t ms = room->of->settings.absence_ms;

    if (start->manners.claim_s != 0)
        ms = (int64_t)start->manners.claim_s * 1000;
    else if (start->terms.is_untimed)
        ms *= UNTIMED_TIMES;
    absence_init(&room->absence, ms);
}

bool presence_is_waited_for(const struct room *room)
{
    return room_is_settled(room) && !room->is_frozen && !room_is_correspondence(room) &&
           room->game.manners.claim_s != CLAIM_NONE &&
           game_turn(&room->game) != SIDE_NONE;
}

void presence_count(struct room *room, int64_t now_ms)
{
    bool is_red_here = presence_is_here(room, SIDE_RED);
    enum side away = is_red_here ? SIDE_BLUE : SIDE_RED;

    if (!presence_is_waited_for(room) || room->of->is_held ||
        is_red_here == presence_is_here(room, SIDE_BLUE))
        away = SIDE_NONE;
    absence_charge(&room->absence, away, now_ms);
}

/* During the set-up nobody can claim a win or a draw because of absence: the set-up has
 * a time limit, and the game can be aborted at once. */
int64_t presence_claim_due_ms(const struct room *room)
{
    if (room->game.phase != GAME_PLAY || room->claim_told == room->absence.away)
        return INT64_MAX;
    return absence_due_ms(&room->absence);
}

enum claim presence_judge_claim(const struct room *room, enum side side, int64_t now_ms,
                                int64_t *left_ms)
{
    enum side other = side_other(side);
    bool is_adjourned = room->game.is_adjourned;

    *left_ms = absence_left_ms(&room->absence, other, now_ms);
    if (is_adjourned)
        *left_ms = room->of->settings.adjourned_ms -
                   (store_age_ms(room->of->store) - room->last_age_ms);
    if (presence_is_here(room, other))
        return CLAIM_PRESENT;
    if (room_is_correspondence(room) && !is_adjourned)
        return CLAIM_NEVER;
    if (room->game.manners.claim_s == CLAIM_NONE && !is_adjourned)
        return CLAIM_BARRED;
    return *left_ms > 0 ? CLAIM_EARLY : CLAIM_OPEN;
}

/* --- Quiet players --- */

const char *const quiet_names[] = {
    [QUIET_AUTO] = "auto", [QUIET_ON] = "on", [QUIET_OFF] = "off"};

bool quiet_parse(const char *word, enum quiet *out)
{
    for (size_t i = 0; i < ARRAY_LEN(quiet_names); i++)
        if (strcmp(word, quiet_names[i]) == 0) {
            *out = (enum quiet)i;
            return true;
        }
    return false;
}

enum quiet quiet_setting(const struct marks *marks, const struct account *account)
{
    const char *word = marks_find(marks, account->folded, MARK_QUIET, "");
    enum quiet quiet;

    return word != NULL && quiet_parse(word, &quiet) ? quiet : QUIET_AUTO;
}

bool quiet_is_playing(struct rooms *rooms, const struct account *account)
{
    for (int i = 0; i < account->open[QUOTA_GAME]; i++) {
        const struct room *room = room_find(rooms, account->game[i]);

        if (room != NULL && time_terms_has_clocks(&room->game.clock.terms) &&
            !room->is_frozen && !room->game.is_adjourned &&
            (room->game.phase == GAME_SETUP || room->game.phase == GAME_PLAY))
            return true;
    }
    return false;
}

bool quiet_is_now(struct rooms *rooms, const struct account *account)
{
    enum quiet quiet = quiet_setting(accounts_marks(rooms->accounts), account);

    return quiet == QUIET_ON ||
           (quiet == QUIET_AUTO && quiet_is_playing(rooms, account));
}

/* --- Players who come and go --- */

enum side presence_side_of(const struct room *room, const struct session *session)
{
    if (session->account == NULL)
        return SIDE_NONE;
    for (int side = 0; side < SIDES; side++)
        if (room->seat[side] == session->account &&
            account_owns_seat(session->account, room->id))
            return (enum side)side;
    return SIDE_NONE;
}

int presence_count_watched(const struct session *session)
{
    const struct cursor *cursor;
    int count = 0;

    DL_FOREACH2 (session->cursors, cursor, session_next)
        count += presence_side_of(cursor->feed->owner, session) == SIDE_NONE;
    return count;
}

bool presence_is_attended(const struct room *room, enum side side)
{
    const struct cursor *cursor;

    DL_FOREACH (room->feed.players, cursor)
        if (presence_side_of(room, cursor->session) == side)
            return true;
    return false;
}

/* Tells the opponent (TO_PLAYERS) or the spectators that the player of `side` has come
 * or gone. If they were told too often, sets the time for a later report instead: the
 * caller must arm the room's timer. */
static void tell_of_player(struct room *room, enum audience audience, enum side side,
                           bool is_here, int64_t now_ms)
{
    struct late_presence *late = &room->late_presence[side][audience == TO_WATCHERS];
    struct rate rate =
        audience == TO_PLAYERS ? (struct rate){1000, 20} : (struct rate){10000, 4};
    struct cursor *player;

    late->is_owed = !budget_spend(&late->budget, rate, now_ms);
    if (late->is_owed) {
        room->late_ms = mono_earlier_ms(
            room->late_ms, now_ms + budget_wait_ms(&late->budget, rate, now_ms));
    } else if (audience == TO_WATCHERS) {
        notice_presence(room, audience, side, is_here, NULL, now_ms);
    } else {
        DL_FOREACH (room->feed.players, player)
            if (presence_side_of(room, player->session) != side &&
                notice_fits(player->session))
                notice_presence(room, audience, side, is_here, player->session, now_ms);
    }
}

void presence_arrive(struct room *room, enum side side, struct session *session)
{
    int64_t now_ms = mono_now_ms(), left_ms;
    enum side other = side_other(side);

    if (room->feed.lines > 0) { /* no presence is reported before the start
                                        * event */
        tell_of_player(room, TO_PLAYERS, side, true, now_ms);
        tell_of_player(room, TO_WATCHERS, side, true, now_ms);
    }
    feed_follow(&room->feed, session, CURSOR_PLAYER, room->feed.lines);
    if (room->claim_told == side)
        room->claim_told = SIDE_NONE;
    if (room->is_frozen)
        notice_frozen(room, session);
    if (!room_is_settled(room)) {       /* the opponent's move is being saved */
        room->is_awaited[side] = false; /* else settle() lets the clock wait for them */
        return;
    }
    if (!room->is_frozen) {
        presence_count(room, now_ms);
        room_end_pause(room, side, now_ms);
        if (room->game.phase == GAME_SETUP)
            notice_setup(room, session, now_ms);
        else
            notice_clock(room, session, now_ms);
        /* in a correspondence game no player waits at the board */
        if (room->game.phase != GAME_OVER && !room_is_correspondence(room) &&
            !presence_is_here(room, other)) {
            notice_presence(room, TO_ALL, other, false, session, now_ms);
            if (room->game.phase == GAME_PLAY &&
                presence_judge_claim(room, side, now_ms, &left_ms) == CLAIM_OPEN)
                notice_claim(room, other, session);
        }
        offer_tell(room, session);
    }
    room_arm_timer(room, now_ms);
}

static void leave_seat(struct room *room, enum side side)
{
    int64_t now_ms = mono_now_ms();

    offer_drop_of(room, side, "left");
    if (room->game.phase == GAME_OVER)
        return; /* presence is reported only in unfinished games */
    presence_count(room, now_ms);
    tell_of_player(room, TO_PLAYERS, side, false, now_ms);
    tell_of_player(room, TO_WATCHERS, side, false, now_ms);
    if (room_is_settled(room))
        room_arm_timer(room, now_ms);
}

/* --- Spectators who come and go --- */

/* Tells each player that a spectator comes or goes, or only counts the spectator for a
 * later line that sums up. number: see struct comings. may_name: the budgets allow a
 * report by name. next_number: the new value of comings.from of a player who has
 * nothing counted. */
static void report(struct room *room, const struct session *by, bool is_here,
                   bool may_name, uint64_t number, uint64_t next_number)
{
    const struct marks *marks = accounts_marks(room->of->accounts);
    int64_t now_ms = mono_now_ms(), before_ms = room->late_ms;
    struct cursor *player;

    DL_FOREACH (room->feed.players, player) {
        const struct account *account = player->session->account;
        struct comings *comings = &player->comings;
        bool is_quiet = account != NULL && quiet_is_now(room->of, account);

        if (privacy_ignores(marks, account, by))
            continue;
        if (!is_quiet || (may_name && now_ms >= comings->next_ms)) {
            if (!may_name || !notice_fits(player->session))
                continue;
            session_sayf(player->session, "! watcher game=%lld name=%s here=%d",
                         (long long)room->id, by->name, is_here);
            if (is_quiet)
                comings->next_ms = now_ms + QUIET_MS;
            continue;
        }
        if (comings->came == 0 && comings->left == 0)
            comings->from = next_number;
        if (is_here)
            comings->came++;
        else if (number >= comings->from && comings->came > 0)
            comings->came--; /* came and went since the last line: not counted at all */
        else
            comings->left++;
        if (comings->next_ms <= now_ms)
            comings->next_ms = now_ms + QUIET_MS;
        room->late_ms = mono_earlier_ms(room->late_ms, comings->next_ms);
    }
    if (room->late_ms != before_ms && room_is_settled(room))
        room_arm_timer(room, now_ms);
}

void presence_leave(struct room *room, struct session *session)
{
    struct cursor *cursor = feed_find(&room->feed, session), left;

    if (cursor == NULL)
        return;
    left = *cursor;
    feed_unfollow(cursor);
    if (left.role == CURSOR_PLAYER)
        leave_seat(room, presence_side_of(room, session));
    else
        report(room, session, false, left.is_known, left.comings.number,
               room->comings_ever + 1);
}

void presence_watch(struct room *room, struct session *session, int number)
{
    static const struct rate for_all = {1000, 10};
    bool is_new = feed_find(&room->feed, session) == NULL;
    bool is_player = presence_side_of(room, session) != SIDE_NONE;
    struct cursor *cursor = feed_follow(
        &room->feed, session, is_player ? CURSOR_PLAYER : CURSOR_WATCHER, number);

    if (!is_new || is_player)
        return;
    cursor->comings.number = ++room->comings_ever;
    /* a budget for this spectator, and one for all of the game together */
    cursor->is_known = usage_spend_coming(&session->usage, mono_now_ms()) &&
                       budget_spend(&room->comings, for_all, mono_now_ms());
    report(room, session, true, cursor->is_known, cursor->comings.number,
           cursor->comings.number);
}

/* --- Late reports --- */

void presence_report_late(struct room *room, int64_t now_ms)
{
    struct cursor *player;

    if (now_ms < room->late_ms)
        return;
    room->late_ms = INT64_MAX;
    for (int side = 0; side < SIDES && room->game.phase != GAME_OVER; side++)
        for (int who = 0; who < 2; who++)
            if (room->late_presence[side][who].is_owed)
                tell_of_player(room, who == 0 ? TO_PLAYERS : TO_WATCHERS,
                               (enum side)side, presence_is_here(room, (enum side)side),
                               now_ms);
    DL_FOREACH (room->feed.players, player) {
        struct comings *comings = &player->comings;

        if (comings->came == 0 && comings->left == 0)
            continue;
        if (now_ms >= comings->next_ms) {
            comings->next_ms = now_ms + QUIET_MS;
            if (notice_fits(player->session)) {
                session_sayf(player->session,
                             "! watchers game=%lld count=%d came=%d left=%d",
                             (long long)room->id, room->feed.watcher_count,
                             comings->came, comings->left);
                comings->came = comings->left = 0;
                continue;
            }
        }
        room->late_ms = mono_earlier_ms(room->late_ms, comings->next_ms);
    }
}
