/* See evening_run.h. */
#include "server/evening/evening_run.h"

#include <stdio.h>
#include <stdlib.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/account/ratings.h"
#include "server/base/timer.h"
#include "server/base/world.h"
#include "server/lobby/lobby.h"
#include "server/lobby/rated.h"
#include "server/lobby/reminders.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/room/rooms.h"

enum {
    RETRY_MS = 10 * 1000,
    SOON_MS = 1000,
    BACK_S = 60,
    FORGOTTEN_S = 30 * DAY_S,
    WAIT_MAX_MS = 60 * 1000 /* longest wait of the timer, so that it notices changes of
                             * the wall clock */
};

struct evening_run {
    const struct world *world;
    struct event *timer; /* fires when the next step of any evening is due */
    int64_t restored_ms; /* mono_now_ms() when the evenings were read from the log */
};

/* Returns the terms of the games. terms.side is the side that moves first. If the
 * evening is rated, but a player of a game may not play rated games, start_game() makes
 * this game unrated. */
static struct terms terms_of(const struct evening *evening)
{
    struct terms terms = terms_default();
    const char *why;

    if (!terms_set(&terms, "time", evening->time, &why) ||
        !terms_set(&terms, "rules", evening->rules, &why))
        log_warn("evening=%s time=%s rules=%s why=unknown", evening->name,
                 evening->time, evening->rules);
    terms.side = evening->first;
    terms.manners.is_rated = evening->is_rated;
    terms.manners.bars_takebacks = evening->is_rated;
    return terms;
}

/* --- Words to the players --- */

static struct session *session_of(const struct evening_run *run, const char *name)
{
    const struct account *account = accounts_find(run->world->accounts, name);

    return account != NULL ? session_find(run->world->sessions, account->session)
                           : NULL;
}

static const char *name_of(const struct evening *evening, int number)
{
    return evening_player(evening, number)->name;
}

int64_t evening_run_wait_s(const struct evening_entry *entry)
{
    bool is_playing = entry->log.evening.phase == EVENING_PLAYING;

    return mono_whole_s(is_playing ? entry->starts_ms - mono_now_ms() : 0);
}

/* Tells the player of the session about the game of the pair, or about the bye. session
 * may be NULL. */
static void say_pair(const struct evening_entry *entry, const struct evening_pair *pair,
                     struct session *session)
{
    const struct evening *evening = &entry->log.evening;
    bool is_blue_first = evening->first == SIDE_BLUE;
    const char *first = name_of(evening, pair->first), *red, *blue;

    if (session == NULL)
        return;
    if (pair->second == 0) {
        session_sayf(session,
                     "! evening %lld round=%d bye=%s : no game for you this "
                     "round; it counts as a win",
                     (long long)entry->log.id, pair->round, first);
        return;
    }
    red = is_blue_first ? name_of(evening, pair->second) : first;
    blue = is_blue_first ? first : name_of(evening, pair->second);
    session_sayf(session,
                 "! evening %lld round=%d board=%d red=%s blue=%s in_s=%lld : %s (red) "
                 "and %s (blue) play in round %d",
                 (long long)entry->log.id, pair->round, pair->board, red, blue,
                 (long long)evening_run_wait_s(entry), red, blue, pair->round);
}

static void say_round(const struct evening_run *run, const struct evening_entry *entry)
{
    const struct evening *evening = &entry->log.evening;

    for (int i = 0; i < evening->pairs; i++) {
        const struct evening_pair *pair = &evening->pair[i];

        if (pair->round != evening->round)
            continue;
        for (int who = 0; who < (pair->second != 0 ? 2 : 1); who++) {
            const char *name = name_of(evening, who == 0 ? pair->first : pair->second);
            const struct account *account = accounts_find(run->world->accounts, name);

            say_pair(entry, pair, session_of(run, name));
            if (account != NULL && pair->second != 0)
                reminders_paired(run->world->reminders, account, entry->log.id,
                                 pair->round, pair->board, evening_run_wait_s(entry));
        }
    }
}

static void say_state(const struct evening_entry *entry, struct session *session)
{
    const struct evening *evening = &entry->log.evening;

    if (session != NULL)
        session_sayf(session, "! evening %lld name=%s state=%s at_s=%lld : %s",
                     (long long)entry->log.id, evening->name,
                     evening_phase_name(evening->phase), (long long)evening->at_s,
                     evening->phase == EVENING_OVER ? "this evening is over"
                                                    : "you take part in this evening");
}

void evening_run_greet(struct evening_run *run, struct session *session)
{
    struct evening_entry *e = evenings_first(run->world->evenings);

    for (; e != NULL; e = evenings_next(e)) {
        const struct evening *evening = &e->log.evening;
        int number =
            evening->phase != EVENING_OVER ? evening_find(evening, session->name) : 0;
        const struct evening_pair *pair =
            number != 0 ? evening_pair_of(evening, evening->round, number) : NULL;

        if (pair != NULL && pair->result == EVENING_UNDECIDED && pair->game == 0)
            say_pair(e, pair, session);
        else if (number != 0 && evening->player[number - 1].is_here)
            say_state(e, session);
    }
}

/* --- When the next step is due: on the monotonic clock, INT64_MAX for never --- */

static bool is_to_start(const struct evening *evening, const struct evening_pair *pair)
{
    return pair->round == evening->round && pair->result == EVENING_UNDECIDED &&
           pair->game == 0;
}

static bool has_game_to_start(const struct evening *evening)
{
    for (int i = evening->pairs - 1; i >= 0; i--)
        if (is_to_start(evening, &evening->pair[i]))
            return true;
    return false;
}

static int64_t from_wall_s(int64_t wall_s)
{
    return mono_now_ms() + (wall_s - mono_wall_s()) * 1000;
}

/* Returns when the next step of the evening is due. An evening without a start time is
 * ended when its maker has forgotten it for FORGOTTEN_S. After a start of the server,
 * players first get time to reconnect: shown_s, but at least BACK_S. */
static int64_t due_ms(const struct evening_run *run, const struct evening_entry *entry)
{
    const struct evening_log *log = &entry->log;
    const struct evening *evening = &log->evening;
    bool is_decided =
        evening->phase == EVENING_OPEN || evening_count_undecided(evening) == 0;
    int64_t back_s = evening->shown_s > BACK_S ? evening->shown_s : BACK_S;
    int64_t step_ms = INT64_MAX;

    if (evening->phase == EVENING_OVER)
        return INT64_MAX;
    if (evening->phase == EVENING_OPEN && evening->at_s == 0)
        step_ms = from_wall_s(log->line[evening->events - 1].wall_s + FORGOTTEN_S);
    else if (evening->phase == EVENING_OPEN || (is_decided && evening->is_paused))
        step_ms = evening->at_s == 0 ? INT64_MAX
                                     : mono_later_ms(from_wall_s(evening->at_s),
                                                     run->restored_ms + back_s * 1000);
    else if (is_decided)
        step_ms = evening->is_by_hand ? INT64_MAX : 0;
    else
        step_ms =
            mono_earlier_ms(has_game_to_start(evening) ? entry->starts_ms : INT64_MAX,
                            entry->noshow_ms);
    return mono_later_ms(step_ms, entry->stays_ms);
}

/* Starts the timer for the evening that is due first. */
void evening_run_changed(struct evening_run *run)
{
    int64_t now_ms = mono_now_ms(), first_ms = INT64_MAX;

    for (struct evening_entry *e = evenings_first(run->world->evenings); e != NULL;
         e = evenings_next(e))
        first_ms = mono_earlier_ms(first_ms, due_ms(run, e));
    event_del(run->timer);
    if (first_ms != INT64_MAX)
        timer_start(run->timer,
                    mono_earlier_ms(mono_later_ms(first_ms - now_ms, 0), WAIT_MAX_MS));
}

/* --- A round --- */

void evening_run_ratings(const struct evening_run *run, const struct evening *evening,
                         int out[EVENING_PLAYERS_MAX])
{
    struct terms terms = terms_of(evening);
    enum rating_pool pool = ratings_pool_of(terms.rules, &terms.time);

    for (int i = 0; i < evening->players; i++) {
        const struct account *account =
            accounts_find(run->world->accounts, evening->player[i].name);
        struct ratings_view view;

        out[i] = account != NULL && ratings_view(run->world->ratings, account->number,
                                                 pool, mono_wall_s(), &view)
                     ? view.points
                     : 0;
    }
}

static bool append(struct evening_run *run, struct evening_entry *entry,
                   const char *text)
{
    return evenings_append(run->world->evenings, entry, text);
}

/* Notes when the game of that player begins; at_ms 0: it does not begin any more. Of
 * several games of a player, the account keeps the next one. */
static void note_due(struct evening_run *run, const struct evening_entry *entry,
                     int number, int64_t at_ms)
{
    struct account *account =
        accounts_find(run->world->accounts, name_of(&entry->log.evening, number));
    bool is_others = account != NULL && account->due_evening != entry->log.id;

    if (account == NULL || (at_ms == 0 && is_others) ||
        (at_ms != 0 && is_others && account->due_ms > mono_now_ms() &&
         account->due_ms <= at_ms))
        return;
    account->due_ms = at_ms;
    account->due_evening = entry->log.id;
}

void evening_run_note_due(struct evening_run *run, const struct evening_entry *entry)
{
    const struct evening *evening = &entry->log.evening;
    struct terms terms = terms_of(evening);

    if (terms.time.is_untimed)
        return;
    for (int i = 0; i < evening->pairs; i++) {
        const struct evening_pair *pair = &evening->pair[i];
        bool begins = evening->phase == EVENING_PLAYING && is_to_start(evening, pair);

        if (pair->round != evening->round || pair->second == 0)
            continue;
        note_due(run, entry, pair->first, begins ? entry->starts_ms : 0);
        note_due(run, entry, pair->second, begins ? entry->starts_ms : 0);
    }
}

const char *evening_run_pair(struct evening_run *run, struct evening_entry *entry,
                             const struct evening_draw *draw)
{
    const struct evening *evening = &entry->log.evening;
    struct evening_draw own;
    int seed[EVENING_PLAYERS_MAX];
    char text[EVENING_EVENT_BYTES];

    if (evening->phase == EVENING_OVER)
        return "evening-over";
    if (evening_count_undecided(evening) > 0)
        return "round";
    if (draw == NULL) {
        evening_run_ratings(run, evening, seed);
        if (!evening_draw_round(evening, seed, &own))
            return "nobody";
        draw = &own;
    }
    evening_draw_format(text, evening, draw);
    entry->starts_ms = mono_now_ms() + evening->shown_s * INT64_C(1000);
    entry->noshow_ms = INT64_MAX;
    entry->seats_ms = 0;
    if (!append(run, entry, text))
        return "evening";
    log_info("evening=%lld round=%d pairs=%d", (long long)entry->log.id, evening->round,
             draw->pairs);
    evening_run_note_due(run, entry);
    evening_run_changed(run);
    say_round(run, entry);
    return NULL;
}

/* --- The games of a round --- */

/* Records that the first, the second or both players of the pair have missed their
 * game. A player who has missed EVENING_MISSES_MAX games leaves the evening. */
static void miss(struct evening_run *run, struct evening_entry *entry,
                 const struct evening_pair *pair, bool first, bool second)
{
    char text[80];
    int number[2] = {first ? pair->first : 0, second ? pair->second : 0};

    snprintf(text, sizeof text, "miss %d %d %s", pair->round, pair->board,
             first && second ? "both"
             : first         ? "first"
                             : "second");
    if (!append(run, entry, text))
        return;
    for (int i = 0; i < 2; i++) {
        const struct evening_player *player =
            evening_player(&entry->log.evening, number[i]);

        if (player == NULL || !player->is_here || player->missed < EVENING_MISSES_MAX)
            continue;
        snprintf(text, sizeof text, "leave %d missed", number[i]);
        (void)append(run, entry, text);
    }
}

/* Starts the game of pair[at], or records who misses it: a player whose account does
 * not exist any more, or, when `is_late`, who already has ACCOUNT_GAMES_MAX games.
 * Returns false if the game cannot begin now. */
static bool start_game(struct evening_run *run, struct evening_entry *entry, int at,
                       bool is_late)
{
    const struct evening *evening = &entry->log.evening;
    const struct evening_pair *pair = &evening->pair[at];
    struct account *first =
        accounts_find(run->world->accounts, name_of(evening, pair->first));
    struct account *second =
        accounts_find(run->world->accounts, name_of(evening, pair->second));
    struct terms terms = terms_of(evening);
    char text[80];
    int64_t game;
    bool misses_first =
        first == NULL || (is_late && first->open[QUOTA_GAME] >= ACCOUNT_GAMES_MAX);
    bool misses_second =
        second == NULL || (is_late && second->open[QUOTA_GAME] >= ACCOUNT_GAMES_MAX);

    if (misses_first || misses_second) {
        miss(run, entry, pair, misses_first, misses_second);
        return true;
    }
    if (!rated_may_play(first, mono_wall_s()) || !rated_may_play(second, mono_wall_s()))
        terms.manners.is_rated = false;
    game = lobby_pair(run->world->lobby, &terms, first, second);
    snprintf(text, sizeof text, "game %d %lld", pair->board, (long long)game);
    if (game != 0 && !append(run, entry, text))
        log_die("evening=%lld bug=\"a game does not fit\"", (long long)entry->log.id);
    return game != 0;
}

/* Returns how long the evening waits for players to come to their games. */
static int64_t noshow_ms(const struct evening_entry *entry)
{
    return entry->log.evening.noshow_s * INT64_C(1000);
}

/* From now on, the players of the round have noshow_ms() to come to their games. */
static void await_players(const struct evening_run *run, struct evening_entry *entry,
                          int64_t now_ms)
{
    entry->come_ms = entry->noshow_ms = now_ms + noshow_ms(entry);
    entry->come_held_ms = rooms_held_ms(run->world->rooms);
}

/* Starts the games of the round that can begin, and tries the other games again after
 * RETRY_MS. Each time games begin, noshow_ms() starts again for the whole round. So the
 * players of a game that begins late have as much time to come as the other players. */
static void start_games(struct evening_run *run, struct evening_entry *entry,
                        int64_t now_ms)
{
    const struct evening *evening = &entry->log.evening;
    bool is_late;
    int failed = 0, begun = 0;

    if (!has_game_to_start(evening) || entry->starts_ms > now_ms)
        return;
    /* A player who already has ACCOUNT_GAMES_MAX games has noshow_ms(), from the time
     * when the games were due, to finish another game. While writes wait, the time
     * starts again, because games cannot end then. */
    if (entry->seats_ms == 0 || run->world->rooms->is_held)
        entry->seats_ms = now_ms + noshow_ms(entry);
    is_late = entry->seats_ms <= now_ms;
    for (int i = 0; i < evening->pairs; i++) {
        if (!is_to_start(evening, &evening->pair[i]))
            continue;
        failed += !start_game(run, entry, i, is_late);
        begun += evening->pair[i].game != 0;
    }
    if (failed > 0)
        log_warn("evening=%lld round=%d waiting=%d why=no-room-for-games",
                 (long long)entry->log.id, evening->round, failed);
    entry->starts_ms = failed > 0 ? now_ms + RETRY_MS : 0;
    if (begun > 0)
        await_players(run, entry, now_ms);
}

/* --- Who does not come --- */

/* Ends the game if a player has missed it. A player who is here but does nothing misses
 * it noshow_ms() after the game began to wait for this player. Returns the milliseconds
 * until the next check; INT64_MAX: another check is not needed. */
static int64_t check_board(struct evening_run *run, struct evening_entry *entry,
                           const struct evening_pair *pair, int64_t now_ms)
{
    enum side first = entry->log.evening.first;
    struct room *room = room_find(run->world->rooms, pair->game);
    int64_t held_ms = rooms_held_ms(run->world->rooms) - entry->come_held_ms;
    bool missed[SIDES] = {false, false};
    int64_t next_ms = INT64_MAX;
    struct game_news news;
    struct fault fault;

    if (room == NULL || room->game.phase == GAME_OVER)
        return INT64_MAX;
    if (!room_is_settled(room) || room->of->is_held)
        return SOON_MS;
    for (enum side side = SIDE_RED; side <= SIDE_BLUE; side++) {
        bool moves_first = side == ruleset_first_mover(room->game.rules);
        int64_t in_ms;

        if (room->has_acted[side] || room->game.plies >= (moves_first ? 1 : 2))
            continue;
        if (!presence_is_here(room, side))
            in_ms = entry->come_ms - now_ms + held_ms; /* nobody could play while
                                                        * writes waited */
        else if (game_turn(&room->game) == side)
            in_ms = noshow_ms(entry) - room_quiet_ms(room);
        else
            in_ms = noshow_ms(entry);
        missed[side] = in_ms <= 0;
        next_ms = mono_earlier_ms(next_ms, mono_later_ms(in_ms, 0));
    }
    if (!missed[SIDE_RED] && !missed[SIDE_BLUE])
        return next_ms;
    miss(run, entry, pair, missed[first], missed[side_other(first)]);
    fault = game_judge_missed(&room->game,
                              missed[SIDE_RED] && missed[SIDE_BLUE] ? SIDE_NONE
                              : missed[SIDE_RED]                    ? SIDE_BLUE
                                                                    : SIDE_RED,
                              &news);
    (void)room_enter(room, fault, &news, NULL, now_ms);
    return INT64_MAX;
}

static void check_boards(struct evening_run *run, struct evening_entry *entry,
                         int64_t now_ms)
{
    const struct evening *evening = &entry->log.evening;
    int64_t next_ms = INT64_MAX;

    if (entry->noshow_ms > now_ms)
        return;
    for (int i = 0; i < evening->pairs; i++)
        if (evening->pair[i].round == evening->round &&
            evening->pair[i].result == EVENING_UNDECIDED && evening->pair[i].game != 0)
            next_ms = mono_earlier_ms(
                next_ms, check_board(run, entry, &evening->pair[i], now_ms));
    entry->noshow_ms = next_ms != INT64_MAX ? now_ms + next_ms : INT64_MAX;
}

/* --- Beginning and end --- */

bool evening_run_end(struct evening_run *run, struct evening_entry *entry)
{
    const struct evening *evening = &entry->log.evening;

    if (evening->phase == EVENING_OVER || !append(run, entry, "end"))
        return false;
    log_info("evening=%lld over rounds=%d players=%d", (long long)entry->log.id,
             evening->round, evening->players);
    evening_run_note_due(run, entry);
    evening_run_changed(run);
    for (int i = 1; i <= evening->players; i++)
        say_state(entry, session_of(run, name_of(evening, i)));
    return true;
}

static void pair_next(struct evening_run *run, struct evening_entry *entry)
{
    const char *why = evening_run_pair(run, entry, NULL);

    if (why == NULL)
        return;
    log_info("evening=%lld round=%d why=\"%s\"", (long long)entry->log.id,
             entry->log.evening.round, why);
    (void)evening_run_end(run, entry);
}

/* Takes the next step of an evening that is due. */
static void step(struct evening_run *run, struct evening_entry *entry, int64_t now_ms)
{
    const struct evening *evening = &entry->log.evening;
    bool is_open = evening->phase == EVENING_OPEN;
    bool is_complete = evening_is_complete(evening);
    bool is_decided = evening_count_undecided(evening) == 0;
    bool begins_games =
        is_open || has_game_to_start(evening) || (is_decided && !is_complete);
    bool is_playing =
        evening->phase == EVENING_PLAYING && !evening->is_paused && !is_decided;
    char text[64];

    if (begins_games && closing_bars_games(&run->world->closing, now_ms)) {
        /* The server drains. Still checks the games that have begun: a player who does
         * not come misses the game. */
        entry->starts_ms = entry->stays_ms = now_ms + CLOSING_RETRY_S * INT64_C(1000);
        entry->seats_ms = 0;
        evening_run_note_due(run, entry);
        check_boards(run, entry, now_ms);
    } else if (run->world->rooms->is_held && !is_playing) {
        entry->stays_ms = now_ms + SOON_MS; /* no event could be stored now, because
                                             * writes wait */
    } else if (is_complete || (is_open && evening->at_s == 0)) {
        (void)evening_run_end(run, entry);
    } else if (is_open || evening->is_paused) {
        for (int i = 1; i <= evening->players; i++) {
            if (!evening->player[i - 1].is_here ||
                session_of(run, name_of(evening, i)) != NULL)
                continue;
            snprintf(text, sizeof text, "leave %d absent", i);
            (void)append(run, entry, text);
        }
        pair_next(run, entry);
    } else if (is_decided) {
        pair_next(run, entry);
    } else {
        start_games(run, entry, now_ms);
        check_boards(run, entry, now_ms);
    }
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct evening_run *run = arg;
    int64_t now_ms = mono_now_ms();

    (void)fd;
    (void)what;
    for (struct evening_entry *e = evenings_first(run->world->evenings); e != NULL;
         e = evenings_next(e))
        if (due_ms(run, e) <= now_ms)
            step(run, e, now_ms);
    evening_run_changed(run);
}

struct evening_run *evening_run_new(const struct world *world, struct event_base *base)
{
    struct evening_run *run = mem_new(sizeof *run);

    run->world = world;
    run->timer = timer_new(base, on_timer, run);
    return run;
}

void evening_run_free(struct evening_run *run)
{
    if (run == NULL)
        return;
    event_free(run->timer);
    free(run);
}

void evening_run_restore(struct evening_run *run)
{
    struct evening_entry *e = evenings_first(run->world->evenings);
    int64_t now_ms = mono_now_ms();

    run->restored_ms = now_ms;
    for (; e != NULL; e = evenings_next(e)) {
        if (has_game_to_start(&e->log.evening))
            e->starts_ms = now_ms + e->log.evening.shown_s * INT64_C(1000);
        evening_run_note_due(run, e);
        await_players(run, e, now_ms);
    }
    evening_run_changed(run);
}

/* --- Games --- */

const char *evening_run_result(const struct evening *evening, enum outcome outcome)
{
    enum outcome first = evening->first == SIDE_RED ? OUTCOME_RED : OUTCOME_BLUE;

    if (outcome == OUTCOME_NONE || outcome == OUTCOME_DRAW)
        return outcome_name(outcome);
    return outcome == first ? "first" : "second";
}

void evening_run_game_ending(struct evening_run *run, const struct room *room)
{
    struct evening_entry *entry;
    const struct evening_pair *pair;
    char text[80];

    if (!evenings_find_game(run->world->evenings, room->id, &entry, &pair) ||
        pair->result != EVENING_UNDECIDED)
        return;
    snprintf(text, sizeof text, "result %d %d %s %s", pair->round, pair->board,
             evening_run_result(&entry->log.evening, room->game.outcome),
             reason_name(room->game.reason));
    if (!append(run, entry, text))
        log_warn("evening=%lld game=%lld why=\"its result does not fit\"",
                 (long long)entry->log.id, (long long)room->id);
}

void evening_run_game_over(struct evening_run *run, const struct room *room)
{
    struct evening_entry *entry;
    const struct evening_pair *pair;
    const struct evening *evening;
    int open;

    if (!evenings_find_game(run->world->evenings, room->id, &entry, &pair))
        return;
    evening = &entry->log.evening;
    open = evening_count_undecided(evening);
    for (int i = 0; i < 2 && open > 0 && pair->round == evening->round; i++) {
        int number = i == 0 ? pair->first : pair->second;
        struct session *session = session_of(run, name_of(evening, number));

        if (session != NULL)
            session_sayf(session,
                         "! evening %lld round=%d open=%d : boards that still play: %d",
                         (long long)entry->log.id, pair->round, open, open);
    }
    evening_run_changed(run);
}
