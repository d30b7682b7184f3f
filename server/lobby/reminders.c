/* See reminders.h. A write to the pipe does not wait: a line of fewer than PIPE_BUF bytes
 * is written completely or not at all.
 *
 * The mark MARK_TOLD of an account has the value of store_age_ms() when the last line
 * about its games by correspondence was sent. While no server runs, store_age_ms() and
 * the clocks of the games do not advance. So after a restart the server still knows
 * which lines became due before the last line, and does not send them again. */
#include "server/lobby/reminders.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "common/system/fd.h"
#include "common/system/program.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/base/deadline.h"
#include "server/base/world.h"
#include "server/room/notice.h"
#include "server/room/room.h"
#include "server/store/store.h"

/* --- The program --- */

struct notifier {
    int input;    /* the program's standard input; -1: the program has ended */
    bool is_slow; /* the program does not read, and this has been logged */
    struct event *on_end;
};

static void close_input(struct notifier *notifier)
{
    event_del(notifier->on_end);
    close(notifier->input);
    notifier->input = -1;
}

/* Called when the reading end of the pipe is closed. */
static void on_end(evutil_socket_t fd, short what, void *arg)
{
    struct notifier *notifier = arg;

    (void)fd;
    (void)what;
    log_warn("notify-program why=ended : players are not notified until janggid is "
             "started again");
    close_input(notifier);
}

/* Returns the writing end of the program's standard input; -1: not started (errno). */
static int start(const char *path)
{
    enum { NOT_STARTED = 127 };
    char *const arguments[] = {(char *)(uintptr_t)path, NULL};
    int ends[2];
    pid_t pid;

    if (access(path, X_OK) != 0 || !fd_pipe(ends, FD_WAITS))
        return -1;
    signal(SIGCHLD, SIG_IGN); /* nobody waits for the child */
    pid = fork();
    if (pid == 0) {
        program_detach(ends[0], STDERR_FILENO);
        execv(path, arguments);
        _exit(NOT_STARTED);
    }
    close(ends[0]);
    if (pid > 0 && evutil_make_socket_nonblocking(ends[1]) == 0)
        return ends[1];
    close(ends[1]);
    return -1;
}

struct notifier *notifier_start(struct event_base *base, const char *path)
{
    struct notifier *notifier;
    int input = start(path), why = errno;

    if (input == -1) {
        log_warn("notify-program path=%s why=\"%s\"", path, strerror(why));
        errno = why;
        return NULL;
    }
    notifier = mem_new(sizeof *notifier);
    notifier->input = input;
    notifier->on_end = event_new(base, notifier->input, EV_READ, on_end, notifier);
    if (notifier->on_end == NULL || event_add(notifier->on_end, NULL) != 0)
        log_die("notify-program no event");
    return notifier;
}

void notifier_stop(struct notifier *notifier)
{
    if (notifier == NULL)
        return;
    if (notifier->input != -1)
        close_input(notifier);
    event_free(notifier->on_end);
    free(notifier);
}

static bool is_running(const struct notifier *notifier)
{
    return notifier != NULL && notifier->input != -1;
}

/* Returns false, with nothing sent, if the program has ended or reads too slowly, which
 * is logged once. */
static bool send_line(struct notifier *notifier, const char *line)
{
    char bytes[PIPE_BUF];
    int len = snprintf(bytes, sizeof bytes, "%s\n", line);
    ssize_t written;

    if (!is_running(notifier) || len < 0 || (size_t)len >= sizeof bytes)
        return false;
    written = write(notifier->input, bytes, (size_t)len);
    if (written < 0 && !notifier->is_slow)
        log_warn("notify-program why=\"%s\" : it does not read", strerror(errno));
    notifier->is_slow = written < 0;
    return written > 0;
}

/* --- Games by correspondence that wait --- */

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
    int64_t
        begins_ms; /* in_s, until then, is added when the line is sent; 0: no in_s */
    char text[LINE_BYTES];
    struct waiting_line *prev, *next;
};

struct reminders {
    const struct world *world;
    struct notifier *notifier; /* NULL: no program */
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

static struct waiting find_waiting(const struct reminders *reminders,
                                   const struct account *account,
                                   const struct ages *ages)
{
    struct waiting waiting = {.games = 0};

    for (int i = 0; i < account->open[QUOTA_GAME]; i++) {
        const struct room *room = room_find(reminders->world->rooms, account->game[i]);
        enum side side;
        int64_t left_ms;
        const char *why;

        if (room == NULL || room->is_frozen || room->kind != ROOM_CORRESPONDENCE)
            continue;
        waiting.count++;
        if (!room_is_settled(room))
            continue; /* the next look tells of it */
        side = room->seat[SIDE_RED] == account ? SIDE_RED : SIDE_BLUE;
        if (!room_awaits(room, side))
            continue;
        waiting.games++;
        left_ms = left_of(room, room->game.clock.terms.period_ms);
        if (waiting.first == NULL || left_ms / 1000 < waiting.left_s) {
            waiting.first = room;
            waiting.left_s = left_ms / 1000;
        }
        why = why_of(room, left_ms, ages);
        if (why != NULL && (waiting.why == NULL || strcmp(why, "waiting") != 0))
            waiting.why = why; /* a warning about the time is more urgent */
    }
    return waiting;
}

static void forget(struct reminders *reminders, struct reminder *reminder)
{
    deadlines_remove(reminders->world->spans, &reminder->look);
    HASH_DEL(reminders->all, reminder);
    free(reminder);
}

/* Sends the line for the absent player, if one is due. */
static void on_look(void *arg, struct deadline *deadline, int64_t now_s)
{
    struct reminders *reminders = arg;
    struct reminder *reminder = OWNER_OF(deadline, struct reminder, look);
    struct marks *marks = accounts_marks(reminders->world->accounts);
    const struct account *account =
        accounts_find(reminders->world->accounts, reminder->owner);
    struct ages ages = {.now_ms = store_age_ms(reminders->world->store),
                        .told_ms = NEVER_MS};
    struct waiting waiting = {.count = 0};
    char line[LINE_BYTES], value[24];
    const char *told;

    if (account != NULL) {
        told = marks_find(marks, account->folded, MARK_TOLD, "");
        if (told != NULL && !text_to_int(told, 0, INT64_MAX / 2, &ages.told_ms))
            log_warn("reminder owner=%s why=damaged", account->folded);
        waiting = find_waiting(reminders, account, &ages);
    }
    if (waiting.count == 0) {
        forget(reminders, reminder);
        return;
    }
    deadlines_set(reminders->world->spans, deadline, &reminders->kind, now_s + LOOK_S);
    if (waiting.why == NULL || account->session != 0)
        return;
    snprintf(line, sizeof line,
             "turn account=%lld name=%s why=%s games=%d game=%lld left_s=%lld",
             (long long)account->number, account->shown, waiting.why, waiting.games,
             (long long)waiting.first->id, (long long)waiting.left_s);
    snprintf(value, sizeof value, "%lld", (long long)ages.now_ms);
    if (send_line(reminders->notifier, line) &&
        !marks_put(marks, account->folded, MARK_TOLD, "", value))
        log_warn("reminder owner=%s why=not-written", account->folded);
}

/* Looks at the games by correspondence of the players of `room` from now on. */
static void watch_players(struct reminders *reminders, const struct room *room)
{
    for (int side = 0; side < SIDES; side++) {
        struct account *account = room->seat[side];
        struct reminder *reminder = NULL;

        if (room->kind != ROOM_CORRESPONDENCE || account == NULL)
            continue;
        HASH_FIND_STR(reminders->all, account->folded, reminder);
        if (reminder != NULL)
            continue;
        reminder = mem_new(sizeof *reminder);
        text_copy(reminder->owner, sizeof reminder->owner, account->folded);
        HASH_ADD_STR(reminders->all, owner, reminder);
        (void)accounts_number(reminders->world->accounts, account);
        deadlines_set(reminders->world->spans, &reminder->look, &reminders->kind,
                      mono_now_s() + LOOK_S);
    }
}

/* --- Games and rounds that begin --- */

static struct waiting_line *new_line(struct reminders *reminders)
{
    struct waiting_line *line = mem_new(sizeof *line);

    line->stamp = store_gate(reminders->world->store)->newest;
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
    uint64_t durable = store_gate(reminders->world->store)->durable;

    while (reminders->lines != NULL && reminders->lines->stamp <= durable) {
        struct waiting_line *line = reminders->lines;
        size_t len = strlen(line->text);

        if (line->begins_ms != 0)
            snprintf(line->text + len, sizeof line->text - len, " in_s=%lld",
                     (long long)mono_whole_s(
                         mono_later_ms(line->begins_ms - mono_now_ms(), 0)));
        if (!send_line(reminders->notifier, line->text))
            log_warn("reminder line=\"%s\" why=not-sent", line->text);
        drop_line(reminders, line);
    }
}

void reminders_game_begun(struct reminders *reminders, struct room *room)
{
    if (!is_running(reminders->notifier))
        return;
    watch_players(reminders, room);
    for (int side = 0; side < SIDES; side++) {
        struct account *account = room->seat[side];

        if (room->kind == ROOM_CORRESPONDENCE || room->game.clock.terms.is_untimed ||
            account == NULL || account->session != 0)
            continue;
        snprintf(new_line(reminders)->text, LINE_BYTES,
                 "begin account=%lld name=%s game=%lld left_s=%lld",
                 (long long)accounts_number(reminders->world->accounts, account),
                 account->shown, (long long)room->id,
                 (long long)left_of(room, room->game.clock.terms.main_ms) / 1000);
    }
}

void reminders_paired(struct reminders *reminders, const struct account *account,
                      int64_t evening, int round, int board, int64_t in_s)
{
    struct waiting_line *line;

    if (account->session != 0 || !is_running(reminders->notifier))
        return;
    line = new_line(reminders);
    line->begins_ms = mono_now_ms() + in_s * 1000;
    snprintf(line->text, LINE_BYTES,
             "round account=%lld name=%s evening=%lld round=%d board=%d",
             (long long)account->number, account->shown, (long long)evening, round,
             board);
}

/* --- Life --- */

struct reminders *reminders_new(const struct world *world, struct notifier *notifier)
{
    struct reminders *reminders = mem_new(sizeof *reminders);

    *reminders = (struct reminders){
        .world = world, .notifier = notifier, .kind = {on_look, reminders}};
    return reminders;
}

void reminders_restore(struct reminders *reminders)
{
    if (!is_running(reminders->notifier))
        return;
    for (struct room *r = rooms_first(reminders->world->rooms); r != NULL;
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
