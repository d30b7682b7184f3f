/* See notice.h. */
#include "server/room/notice.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/words/diagram.h"
#include "common/words/sentence.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/net/session.h"
#include "server/room/chatlog.h"
#include "server/room/privacy.h"
#include "server/room/rooms.h"

enum {
    NOTICE_BYTES_MAX = 8192, /* a reader with more unsent bytes gets no notices */
    CLAIM_WORDS_BYTES = 40,
    LINE_BYTES = 320 /* for a line that this file formats itself */
};

bool notice_fits(struct session *session)
{
    if (wire_unsent_bytes(session->wire) <= NOTICE_BYTES_MAX)
        return true;
    wire_want_drain(session->wire);
    return false;
}

static void tell_list(struct cursor *list, const char *line, size_t len)
{
    struct cursor *cursor;

    DL_FOREACH (list, cursor)
        if (notice_fits(cursor->session))
            session_send_after(cursor->session, line, len, cursor->feed->stamp);
}

void notice_tell(struct room *room, enum audience audience, const char *format, ...)
{
    char line[PROTO_LINE_MAX + 2];
    va_list args;
    size_t len;

    va_start(args, format);
    len = proto_format_line(line, sizeof line, format, args);
    va_end(args);
    if (audience & TO_PLAYERS)
        tell_list(room->feed.players, line, len);
    if (audience & TO_WATCHERS)
        tell_list(room->feed.watchers, line, len);
}

void notice_log(const struct rooms *rooms, struct account *account, int64_t game,
                const struct session *by, const char *text)
{
    struct chat_line line = {.game = game, .wall_s = mono_wall_s(), .text = text};

    if (account == NULL)
        return;
    text_copy(line.by, sizeof line.by, by->name);
    chatlogs_add(rooms->chatlogs, accounts_number(rooms->accounts, account), &line);
}

/* Sends a chat line to the readers that do not ignore the speaker and accept it now.
 * Returns their number. */
static size_t tell_listeners(const struct room *room, struct cursor *list,
                             const struct session *by, const char *text,
                             const char *line, size_t len, uint64_t stamp)
{
    const struct marks *marks = accounts_marks(room->of->accounts);
    struct cursor *cursor;
    size_t count = 0;

    DL_FOREACH (list, cursor) {
        if (privacy_ignores(marks, cursor->session->account, by) ||
            !notice_fits(cursor->session))
            continue;
        session_send_after(cursor->session, line, len, stamp);
        notice_log(room->of, cursor->session->account, room->id, by, text);
        count++;
    }
    return count;
}

void notice_talk(struct room *room, const struct session *by, const char *text)
{
    char line[PROTO_LINE_MAX + 2];
    int len = snprintf(line, sizeof line, "! say game=%lld by=%s : %s\n",
                       (long long)room->id, by->name, text);

    assert(len > 0 && (size_t)len < sizeof line);
    (void)tell_listeners(room, room->feed.players, by, text, line, (size_t)len,
                         room_talk_stamp(room));
}

/* Also keeps the whisper in the asides of the feed (feed.h). The players can read the
 * asides after the end of the game. */
size_t notice_whisper(struct room *room, const struct session *by, const char *text)
{
    int plies = room_watched_game(room)->plies;
    char line[PROTO_LINE_MAX + 2];
    struct cursor *cursor;
    size_t count;
    int len = snprintf(line, sizeof line, "! whisper game=%lld by=%s ply=%d : %s\n",
                       (long long)room->id, by->name, plies, text);

    assert(len > 0 && (size_t)len < sizeof line);
    count = tell_listeners(room, room->feed.watchers, by, text, line, (size_t)len,
                           room->feed.stamp);
    feed_add_aside(&room->feed, line, (size_t)len);
    if (room->feed.has_open_asides) /* the game is over: players receive whispers */
        DL_FOREACH (room->feed.players, cursor)
            if (!privacy_ignores(accounts_marks(room->of->accounts),
                                 cursor->session->account, by))
                notice_log(room->of, cursor->session->account, room->id, by, text);
    return count * (size_t)len;
}

bool notice_whisper_is_wanted(void *owner, const struct session *session,
                              const char *line, size_t len)
{
    const struct room *room = owner;
    static const char mark[] = " by=";
    const char *at = memmem(line, len, mark, sizeof mark - 1);
    const struct account *by;
    char name[NAME_BYTES];

    if (session->account == NULL || at == NULL)
        return true;
    at += sizeof mark - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
    by = accounts_find(room->of->accounts, name);
    return by == session->account ||
           marks_find(accounts_marks(room->of->accounts), session->account->folded,
                      MARK_IGNORE, by != NULL ? by->folded : MARK_GUESTS) == NULL;
}

/* Returns "red,blue", "red", "blue" or "-". */
static const char *sides_words(bool has_red, bool has_blue)
{
    if (has_red)
        return has_blue ? "red,blue" : "red";
    return has_blue ? "blue" : "-";
}

void notice_clock_words(const struct game *game, int64_t now_ms,
                        char out[CLOCK_WORDS_BYTES])
{
    const struct clock *clock = &game->clock;
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
        text_addf(&text, " red_periods=%d blue_periods=%d in_period=%s",
                  periods[SIDE_RED], periods[SIDE_BLUE],
                  sides_words(clock_is_in_period(clock, SIDE_RED, now_ms),
                              clock_is_in_period(clock, SIDE_BLUE, now_ms)));
    text_addf(&text, " running=%s",
              clock->running == SIDE_NONE ? "-" : side_name(clock->running));
    if (clock->running != SIDE_NONE && clock->lag_ms != 0)
        text_addf(&text, " lag_ms=%d", clock->lag_ms);
}

/* Sends a line to `session`, or to the whole audience if `session` is NULL. */
static void tell(struct room *room, enum audience audience, struct session *session,
                 const char *line)
{
    char whole[LINE_BYTES + 2];
    size_t len;

    if (session == NULL) {
        notice_tell(room, audience, "%s", line);
        return;
    }
    len = (size_t)snprintf(whole, sizeof whole, "%s\n", line);
    session_send_after(session, whole, len, room->feed.stamp);
}

void notice_clock(struct room *room, struct session *session, int64_t now_ms)
{
    char words[CLOCK_WORDS_BYTES], line[LINE_BYTES];

    if (room->game.clock.terms.is_untimed || room->game.phase != GAME_PLAY)
        return;
    notice_clock_words(&room->game, now_ms, words);
    snprintf(line, sizeof line, "! clock game=%lld%s", (long long)room->id, words);
    tell(room, room->delay == NULL ? TO_ALL : TO_PLAYERS, session, line);
}

void notice_sealed(struct room *room, enum side side, struct session *session)
{
    char line[LINE_BYTES];

    snprintf(line, sizeof line,
             "! setup game=%lld side=%s sealed=1 : %s (%s) has chosen a line-up",
             (long long)room->id, side_name(side), room->game.name[side],
             side_name(side));
    tell(room, TO_ALL, session, line);
}

void notice_setup(struct room *room, struct session *session, int64_t now_ms)
{
    bool is_sealed = game_is_sealed(&room->game);
    char left[40] = "", line[LINE_BYTES];

    if (!room->game.clock.terms.is_untimed)
        snprintf(left, sizeof left, " left_ms=%lld",
                 (long long)(room->due_ms - now_ms));
    for (enum side side = SIDE_RED; side <= SIDE_BLUE; side++) {
        if (is_sealed && room->sealed[side] != 0) {
            notice_sealed(room, side, session);
        } else if (is_sealed || game_turn(&room->game) == side) {
            snprintf(line, sizeof line,
                     "! setup game=%lld side=%s%s : %s (%s) chooses a line-up: setup "
                     "NBBN, BNBN, NBNB%s",
                     (long long)room->id, side_name(side), left, room->game.name[side],
                     side_name(side),
                     room->game.has_lineup[side_other(side)] ? ", BNNB or same"
                                                             : " or BNNB");
            tell(room, TO_ALL, session, line);
        }
    }
}

/* --- Presence --- */

/* Writes " claim_ms=61000" if the absence of `side` counts now: how much longer it may
 * last before the opponent can claim a win or a draw. Otherwise writes "". */
static void claim_words(const struct room *room, enum side side, int64_t now_ms,
                        char out[CLAIM_WORDS_BYTES])
{
    out[0] = '\0';
    if (presence_is_waited_for(room))
        snprintf(out, CLAIM_WORDS_BYTES, " claim_ms=%lld",
                 (long long)absence_left_ms(&room->absence, side, now_ms));
}

void notice_presence(struct room *room, enum audience audience, enum side side,
                     bool is_here, struct session *session, int64_t now_ms)
{
    char claim[CLAIM_WORDS_BYTES] = "", line[LINE_BYTES];

    if (!is_here)
        claim_words(room, side, now_ms, claim);
    snprintf(line, sizeof line, "! presence game=%lld side=%s here=%d%s",
             (long long)room->id, side_name(side), is_here, claim);
    tell(room, audience, session, line);
}

void notice_claim(struct room *room, enum side away, struct session *session)
{
    const char *can = "claim win, claim draw or adjourn";
    char line[LINE_BYTES];

    if (room->game.is_adjourned)
        can = "claim draw";
    else if (!room_may_adjourn(room))
        can = "claim win or claim draw";
    snprintf(
        line, sizeof line,
        "! claim game=%lld side=%s%s : %s has been away too long: wait longer, or %s",
        (long long)room->id, side_name(away),
        room_may_adjourn(room) ? "" : " adjourn=no", room->game.name[away], can);
    tell(room, TO_PLAYERS, session, line);
}

void notice_frozen(const struct room *room, struct session *session)
{
    int events = room_events_for(room, session);

    session_sayf(
        session,
        "! frozen game=%lld events=%d : game %lld is damaged on the server's disk from "
        "event %d on: you can look at it up to there but not play it; ask the host",
        (long long)room->id, events, (long long)room->id, events);
}

/* --- Rows of lists --- */

int64_t notice_left_ms(const struct room *room, int64_t now_ms)
{
    const struct game *game = &room->game;
    int periods;

    if (game->phase == GAME_PLAY)
        return clock_shown_ms(&game->clock, (enum side)game->position.side, now_ms,
                              &periods);
    if (game->phase != GAME_SETUP || room->due_ms == INT64_MAX)
        return -1;
    return room->due_ms > now_ms ? room->due_ms - now_ms : 0;
}

void notice_row_words(const struct room *room, bool is_own, char out[ROW_WORDS_BYTES])
{
    const struct game *game = &room->game, *watched = room_watched_game(room);
    bool is_late = !is_own && watched != game;
    const char *phase = room_phase_name(room);
    struct manners others = game->manners;
    bool admits_all = others.watchers == WATCHERS_ALL;
    char time[TIME_TERMS_BYTES], manners[MANNERS_BYTES];

    others.watchers = WATCHERS_ALL; /* in lists, "watchers=" is the number of watchers,
                                     * and "admits=" says who may watch */
    time_terms_format(time, &game->clock.terms);
    manners_format(manners, &others);
    snprintf(out, ROW_WORDS_BYTES,
             "red=%s blue=%s rules=%s time=%s phase=%s ply=%d turn=%s%s%s%s",
             game->name[SIDE_RED], game->name[SIDE_BLUE], ruleset_name(game->rules),
             time, is_late && watched->phase == GAME_SETUP ? "setup" : phase,
             is_late ? watched->plies : game->plies,
             side_name(game_turn(is_late ? watched : game)), manners,
             admits_all ? "" : " admits=",
             admits_all ? "" : manners_watchers_name(&game->manners));
}

void notice_own_words(const struct room *room, enum side side, int64_t now_ms,
                      char out[ROW_WORDS_BYTES])
{
    struct text text = text_into(out, ROW_WORDS_BYTES);
    int64_t left_ms = notice_left_ms(room, now_ms);

    text_addf(&text, "side=%s here=%s", side_name(side),
              sides_words(presence_is_here(room, SIDE_RED),
                          presence_is_here(room, SIDE_BLUE)));
    if (left_ms >= 0)
        text_addf(&text, " left_ms=%lld", (long long)left_ms);
}

void notice_away_words(const struct room *room, int64_t now_ms,
                       char out[ROW_WORDS_BYTES])
{
    bool is_red_away = !presence_is_here(room, SIDE_RED);
    bool is_blue_away = !presence_is_here(room, SIDE_BLUE);
    char claim[CLAIM_WORDS_BYTES] = "";

    if (is_red_away != is_blue_away)
        claim_words(room, is_red_away ? SIDE_RED : SIDE_BLUE, now_ms, claim);
    snprintf(out, ROW_WORDS_BYTES, "away=%s%s", sides_words(is_red_away, is_blue_away),
             claim);
}

void notice_mine(const struct room *room, enum side side, struct session *session,
                 int64_t now_ms)
{
    char row[ROW_WORDS_BYTES], own[ROW_WORDS_BYTES];

    notice_row_words(room, true, row);
    notice_own_words(room, side, now_ms, own);
    session_sayf(session, "! mine game=%lld %s %s", (long long)room->id, row, own);
}

/* --- The figure --- */

static void draw_clock(const struct game *game, struct session *session, enum side side,
                       int64_t now_ms)
{
    int periods = 0;
    int64_t ms = clock_shown_ms(&game->clock, side, now_ms, &periods);
    bool is_correspondence = time_terms_is_correspondence(&game->clock.terms);
    char time[48] = "no clock";

    if (ms >= 0 && is_correspondence)
        snprintf(time, sizeof time, "%lld d %lld:%02lld", (long long)(ms / DAY_MS),
                 (long long)(ms % DAY_MS / 3600000), (long long)(ms / 60000 % 60));
    else if (ms >= 0)
        snprintf(time, sizeof time, "%lld:%02lld", (long long)(ms / 60000),
                 (long long)(ms / 1000 % 60));
    if (ms >= 0 && !is_correspondence && game->clock.terms.periods > 0)
        snprintf(time + strlen(time), sizeof time - strlen(time), " + %d periods",
                 clock_more_periods(&game->clock, side, now_ms));
    session_sayf(session, "|      %s %s  %s%s", side == SIDE_RED ? "Red " : "Blue",
                 game->name[side], time, game_turn(game) == side ? "  to move" : "");
}

void notice_draw(const struct room *room, struct session *session, int64_t now_ms)
{
    const struct game *game = room_game_for(room, session);
    bool is_flipped = presence_side_of(room, session) == SIDE_BLUE;
    enum side below = is_flipped ? SIDE_BLUE : SIDE_RED;
    char line[DIAGRAM_COLUMNS + 2], words[SENTENCE_BYTES], points[POINTS_BYTES];

    draw_clock(game, session, side_other(below), now_ms);
    for (int i = 0; i < DIAGRAM_LINES; i++) {
        diagram_line(line, &game->position, is_flipped, NULL, i);
        session_sayf(session, "| %s", line);
    }
    draw_clock(game, session, below, now_ms);
    if (ruleset_counts_points(game->rules)) {
        rules_points_format(points, game->rules, &game->position);
        session_sayf(session, "|      Points %s (red/blue)", points);
    }
    if (room->is_frozen || game->is_adjourned)
        session_sayf(session, "|      The game is %s.",
                     room_phase_name_for(room, session));
    if (game->phase == GAME_OVER) {
        sentence_outcome(words, game->outcome, game->reason);
        session_sayf(session, "|      %s", words);
    }
}
