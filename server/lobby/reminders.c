/* See reminders.h. The mark MARK_TOLD of an account has the value of store_age_ms()
 * when the last line about its games by correspondence was sent. While no server runs,
 * store_age_ms() and the clocks of the games do not advance. So after a restart the
 * server still knows which lines became due before the last line, and does not send
 * them again. */
#include "server/lobby/reminders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/base/deadline.h"
#include "server/lobby/notifier.h"
#include "server/room/notice.h"
#include "server/room/room.h"
#include "server/room/rooms.h"
#include "server/store/store.h"

enum { LOOK_S = 60, HOUR_MS = 3600 * 1000, NEVER_MS = -1, LINE_BYTES = 512 };

/* An account that had a game by correspondence when the server last looked. */
struct reminder {
    char owner[NAME_BYTES]; /* folded */
    struct deadline look;
    UT_hash_handle hh;
};

/* A line that waits for its row (gate.h). */
struct waiting_line {
    uint64_t stamp;
    char text[LINE_BYTES];
    struct waiting_line *prev, *next;
};

struct reminders {
    struct reminders_parts parts;
    struct reminder *all;
    struct waiting_line *lines; /* the oldest first */
    struct deadline_kind kind;
};

/* Two values of store_age_ms(): now, and when the last line was sent (NEVER_MS: none
 * was). */
struct ages {
    int64_t now_ms, told_ms;
};

/* The contents of a line for an absent player. */
struct waiting {
    int count;                /* games by correspondence */
    int games;                /* those that wait for the player */
    const struct room *first; /* the game with the least time */
    int64_t left_s;           /* time left in that game */
    const char *why;          /* NULL: nothing is due */
};

/* Returns the time that is left in the game; all_ms if there is no limit yet. */
static int64_t left_of(const struct room *room, int64_t all_ms)
{
    int64_t shown_ms = notice_left_ms(room, mono_now_ms());

    return shown_ms >= 0 ? shown_ms : all_ms;
}

/* True if the time left became part_ms or less after the last line was sent. So each
 * threshold is reported at most once. */
static bool is_passed(int64_t part_ms, int64_t left_ms, const struct ages *ages)
{
    return left_ms <= part_ms && ages->now_ms - (part_ms - left_ms) > ages->told_ms;
}

/* Returns the reason to send a line about the game; NULL: there is none. */
static const char *why_of(const struct room *room, int64_t left_ms,
                          const struct ages *ages)
{
    int64_t all_ms = room->game.clock.terms.period_ms;
    bool is_new = room->last_age_ms > ages->told_ms &&
                  ages->now_ms - room->last_age_ms >= REMINDER_WAIT_S * 1000;
    bool may_say = ages->told_ms == NEVER_MS ||
                   ages->now_ms - ages->told_ms >= REMINDER_HOURS * HOUR_MS;

    if (is_passed(all_ms / 10, left_ms, ages))
        return "tenth";
    if (is_passed(all_ms / 4, left_ms, ages))
        return "quarter";
    return is_new && may_say ? "waiting" : NULL;
}

/* True for a warning about the time, which is more urgent than why=waiting. */
static bool is_urgent(const char *why)
{
    return why != NULL && why[0] != 'w';
}

static void add_game(struct waiting *waiting, const struct room *room,
                     const struct ages *ages)
{
    int64_t left_ms = left_of(room, room->game.clock.terms.period_ms);
    const char *why = why_of(room, left_ms, ages);

    waiting->games++;
    if (waiting->first == NULL || left_ms / 1000 < waiting->left_s) {
        waiting->first = room;
        waiting->left_s = left_ms / 1000;
    }
    if (waiting->why == NULL || is_urgent(why))
        waiting->why = why != NULL ? why : waiting->why;
}

static struct waiting find_waiting(const struct reminders *reminders,
                                   const struct account *account,
                                   const struct ages *ages)
{
    struct waiting waiting = {.games = 0};

    for (int i = 0; i < account->games; i++) {
        const struct room *room = room_find(reminders->parts.rooms, account->game[i]);
        enum side side;

        if (room == NULL || room->is_frozen || room->kind != ROOM_CORRESPONDENCE)
            continue;
        waiting.count++;
        if (!room_is_settled(room))
            continue; /* the next look tells of it */
        side = room->seat[SIDE_RED] == account ? SIDE_RED : SIDE_BLUE;
        if (room_awaits(room, side))
            add_game(&waiting, room, ages);
    }
    return waiting;
}

static void tell(const struct reminders *reminders, const struct account *account,
                 const struct waiting *waiting, int64_t age_ms)
{
    char line[LINE_BYTES], value[24];

    snprintf(line, sizeof line,
             "turn account=%lld name=%s why=%s games=%d game=%lld left_s=%lld",
             (long long)account->number, account->shown, waiting->why, waiting->games,
             (long long)waiting->first->id, (long long)waiting->left_s);
    if (!notifier_send(reminders->parts.notifier, line))
        return;
    snprintf(value, sizeof value, "%lld", (long long)age_ms);
    if (!marks_put(accounts_marks(reminders->parts.accounts), account->folded,
                   MARK_TOLD, "", value))
        log_warn("reminder owner=%s why=not-written", account->folded);
}

static void forget(struct reminders *reminders, struct reminder *reminder)
{
    deadlines_remove(reminders->parts.spans, &reminder->look);
    HASH_DEL(reminders->all, reminder);
    free(reminder);
}

/* Sends the line for the absent player, if one is due. */
static void on_look(void *arg, struct deadline *deadline, int64_t now_s)
{
    struct reminders *reminders = arg;
    struct reminder *reminder = OWNER_OF(deadline, struct reminder, look);
    const struct account *account =
        accounts_find(reminders->parts.accounts, reminder->owner);
    struct ages ages = {.now_ms = store_age_ms(reminders->parts.store),
                        .told_ms = NEVER_MS};
    struct waiting waiting = {.count = 0};
    const char *told;

    if (account != NULL) {
        told = marks_find(accounts_marks(reminders->parts.accounts), account->folded,
                          MARK_TOLD, "");
        if (told != NULL && !text_to_int(told, 0, INT64_MAX / 2, &ages.told_ms))
            log_warn("reminder owner=%s why=damaged", account->folded);
        waiting = find_waiting(reminders, account, &ages);
    }
    if (waiting.count == 0) {
        forget(reminders, reminder);
        return;
    }
    if (waiting.why != NULL && account->session == 0)
        tell(reminders, account, &waiting, ages.now_ms);
    deadlines_set(reminders->parts.spans, deadline, &reminders->kind, now_s + LOOK_S);
}

/* Looks at the games of the account from now on. */
static void watch(struct reminders *reminders, struct account *account)
{
    struct reminder *reminder;

    HASH_FIND_STR(reminders->all, account->folded, reminder);
    if (reminder != NULL)
        return;
    reminder = mem_new(sizeof *reminder);
    text_copy(reminder->owner, sizeof reminder->owner, account->folded);
    HASH_ADD_STR(reminders->all, owner, reminder);
    (void)accounts_number(reminders->parts.accounts, account);
    deadlines_set(reminders->parts.spans, &reminder->look, &reminders->kind,
                  mono_now_s() + LOOK_S);
}

static void watch_players(struct reminders *reminders, const struct room *room)
{
    for (int side = 0; side < SIDES; side++)
        if (room->kind == ROOM_CORRESPONDENCE && room->seat[side] != NULL)
            watch(reminders, room->seat[side]);
}

static struct waiting_line *new_line(struct reminders *reminders)
{
    struct waiting_line *line = mem_new(sizeof *line);

    line->stamp = store_gate(reminders->parts.store)->newest;
    DL_APPEND(reminders->lines, line);
    return line;
}

static void drop_line(struct reminders *reminders, struct waiting_line *line)
{
    DL_DELETE(reminders->lines, line);
    free(line);
}

void reminders_on_durable(struct reminders *reminders)
{
    uint64_t durable = store_gate(reminders->parts.store)->durable;

    while (reminders->lines != NULL && reminders->lines->stamp <= durable) {
        struct waiting_line *line = reminders->lines;

        if (!notifier_send(reminders->parts.notifier, line->text))
            log_warn("reminder line=\"%s\" why=not-sent", line->text);
        drop_line(reminders, line);
    }
}

void reminders_game_begun(struct reminders *reminders, struct room *room)
{
    if (!notifier_is_running(reminders->parts.notifier))
        return;
    watch_players(reminders, room);
    for (int side = 0; side < SIDES; side++) {
        struct account *account = room->seat[side];

        if (room->kind == ROOM_CORRESPONDENCE || room->game.clock.terms.is_untimed ||
            account == NULL || account->session != 0)
            continue;
        snprintf(new_line(reminders)->text, LINE_BYTES,
                 "begin account=%lld name=%s game=%lld left_s=%lld",
                 (long long)accounts_number(reminders->parts.accounts, account),
                 account->shown, (long long)room->id,
                 (long long)left_of(room, room->game.clock.terms.main_ms) / 1000);
    }
}

void reminders_paired(struct reminders *reminders, const struct account *account,
                      int64_t evening, int round, int board, int64_t in_s)
{
    if (account->session != 0 || !notifier_is_running(reminders->parts.notifier))
        return;
    snprintf(new_line(reminders)->text, LINE_BYTES,
             "round account=%lld name=%s evening=%lld round=%d board=%d in_s=%lld",
             (long long)account->number, account->shown, (long long)evening, round,
             board, (long long)in_s);
}

struct reminders *reminders_new(const struct reminders_parts *parts)
{
    struct reminders *reminders = mem_new(sizeof *reminders);

    *reminders = (struct reminders){.parts = *parts, .kind = {on_look, reminders}};
    return reminders;
}

void reminders_restore(struct reminders *reminders)
{
    if (!notifier_is_running(reminders->parts.notifier))
        return;
    for (struct room *r = rooms_first(reminders->parts.rooms); r != NULL;
         r = rooms_next(r))
        watch_players(reminders, r);
}

void reminders_free(struct reminders *reminders)
{
    struct reminder *reminder, *next;

    if (reminders == NULL)
        return;
    HASH_ITER (hh, reminders->all, reminder, next)
        forget(reminders, reminder);
    while (reminders->lines != NULL)
        drop_line(reminders, reminders->lines);
    free(reminders);
}
