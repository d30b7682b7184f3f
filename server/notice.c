/* See notice.h. */
#include "server/notice.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <utlist.h>

#include "common/diagram.h"
#include "common/proto.h"
#include "common/text.h"
#include "server/room.h"
#include "server/session.h"

enum {
    NOTICE_BYTES_MAX = 8192
}; /* a reader with more than that unsent gets no notices */

static void tell_list(struct cursor *list, const char *line, size_t len)
{
    struct cursor *cursor;

    DL_FOREACH (list, cursor)
        if (wire_unsent_bytes(cursor->session->wire) <= NOTICE_BYTES_MAX)
            session_send(cursor->session, line, len);
}

void notice_tell(struct room *room, enum audience audience, const char *format, ...)
{
    char line[PROTO_LINE_MAX + 2];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    assert(len > 0 && (size_t)len < sizeof line - 1);
    line[len++] = '\n';
    if (audience & TO_PLAYERS)
        tell_list(room->feed.players, line, (size_t)len);
    if (audience & TO_WATCHERS)
        tell_list(room->feed.watchers, line, (size_t)len);
}

void notice_clock_words(const struct room *room, int64_t now_ms,
                        char out[CLOCK_WORDS_BYTES])
{
    const struct clock *clock = &room->game.clock;
    struct text text = text_into(out, CLOCK_WORDS_BYTES);
    int64_t shown_ms[SIDES];
    int periods[SIDES];

    if (clock->terms.is_untimed)
        return;
    for (int side = 0; side < SIDES; side++)
        shown_ms[side] = clock_shown_ms(clock, (enum side)side, now_ms, &periods[side]);
    text_addf(&text, " red_ms=%lld blue_ms=%lld", (long long)shown_ms[SIDE_RED],
              (long long)shown_ms[SIDE_BLUE]);
    if (clock->terms.periods > 0)
        text_addf(&text, " red_periods=%d blue_periods=%d", periods[SIDE_RED],
                  periods[SIDE_BLUE]);
    text_addf(&text, " running=%s",
              clock->running == SIDE_NONE ? "-" : side_name(clock->running));
}

void notice_clock(struct room *room, int64_t now_ms)
{
    char words[CLOCK_WORDS_BYTES];

    if (room->game.clock.terms.is_untimed || room->game.phase != GAME_PLAY)
        return;
    notice_clock_words(room, now_ms, words);
    notice_tell(room, TO_ALL, "! clock game=%lld%s", (long long)room->id, words);
}

void notice_setup(struct room *room, int64_t now_ms)
{
    enum side side = game_turn(&room->game);
    char left[40] = "";

    if (!room->game.clock.terms.is_untimed)
        snprintf(left, sizeof left, " left_ms=%lld",
                 (long long)(room->due_ms - now_ms));
    notice_tell(
        room, TO_ALL,
        "! setup game=%lld side=%s%s : %s (%s) chooses a line-up: setup NBBN, BNBN, "
        "NBNB or BNNB",
        (long long)room->id, side_name(side), left, room->game.name[side],
        side_name(side));
}

static void draw_clock(const struct room *room, struct session *session, enum side side,
                       int64_t now_ms)
{
    int periods = 0;
    int64_t ms = clock_shown_ms(&room->game.clock, side, now_ms, &periods);
    char time[48] = "no clock";

    if (ms >= 0)
        snprintf(time, sizeof time, "%lld:%02lld", (long long)(ms / 60000),
                 (long long)(ms / 1000 % 60));
    if (ms >= 0 && room->game.clock.terms.periods > 0)
        snprintf(time + strlen(time), sizeof time - strlen(time), " + %d periods",
                 periods);
    session_sayf(session, "|      %s %s  %s%s", side == SIDE_RED ? "Red " : "Blue",
                 room->game.name[side], time,
                 game_turn(&room->game) == side ? "  to move" : "");
}

void notice_draw(const struct room *room, struct session *session, int64_t now_ms)
{
    bool is_flipped = room_side_of(room, session) == SIDE_BLUE;
    enum side below = is_flipped ? SIDE_BLUE : SIDE_RED;
    char line[DIAGRAM_COLUMNS + 2], words[OUTCOME_WORDS_BYTES], points[POINTS_BYTES];

    draw_clock(room, session, side_other(below), now_ms);
    for (int i = 0; i < DIAGRAM_LINES; i++) {
        diagram_line(line, &room->game.position, is_flipped, NULL, i);
        session_sayf(session, "| %s", line);
    }
    draw_clock(room, session, below, now_ms);
    if (ruleset_counts_points(room->game.rules)) {
        rules_points_format(points, room->game.rules, &room->game.position);
        session_sayf(session, "|      Points %s (red/blue)", points);
    }
    if (room->game.phase == GAME_OVER) {
        outcome_describe(words, room->game.outcome, room->game.reason);
        session_sayf(session, "|      %s", words);
    }
}
