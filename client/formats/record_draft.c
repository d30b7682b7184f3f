/* See record_draft.h. */
#include "client/formats/record_draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

enum { MOVES_CHUNK = 64 };

/* --- Notes and errors --- */

static PRINTF_LIKE(3, 0) void format_line(char *out, int line, const char *format,
                                          va_list args)
{
    char words[RECORD_WHY_BYTES - 24];

    vsnprintf(words, sizeof words, format, args);
    if (line > 0)
        snprintf(out, RECORD_WHY_BYTES, _("line %d: %s"), line, words);
    else
        snprintf(out, RECORD_WHY_BYTES, "%s", words);
}

bool record_import_refuse(struct record_import *import, int line, const char *format,
                          ...)
{
    va_list args;

    va_start(args, format);
    format_line(import->why, line, format, args);
    va_end(args);
    return false;
}

void record_import_note(struct record_import *import, int line, const char *format, ...)
{
    char words[RECORD_WHY_BYTES];
    va_list args;

    va_start(args, format);
    format_line(words, line, format, args);
    va_end(args);
    record_text_add(&import->notes, words);
    record_text_add(&import->notes, "\n");
}

/* --- Filling --- */

void record_draft_init(struct record_draft *draft)
{
    *draft = (struct record_draft){.reason = REASON_NONE, .ended_by = SIDE_NONE};
    record_init(&draft->meta);
    record_draft_name(draft, SIDE_RED, "");
    record_draft_name(draft, SIDE_BLUE, "");
}

void record_draft_clear(struct record_draft *draft)
{
    free(draft->move);
    record_clear(&draft->meta);
    *draft = (struct record_draft){.reason = REASON_NONE, .ended_by = SIDE_NONE};
}

void record_draft_add(struct record_draft *draft, const char *text, int line)
{
    struct draft_move *move;

    draft->move = mem_grow(draft->move, draft->moves, &draft->room, MOVES_CHUNK,
                           sizeof *draft->move);
    move = &draft->move[draft->moves++];
    *move = (struct draft_move){.line = line};
    snprintf(move->text, sizeof move->text, "%s", text);
}

void record_draft_name(struct record_draft *draft, enum side side, const char *name)
{
    char *out = draft->name[side];
    size_t len = strnlen(name, EVENT_NAME_BYTES - 1);

    while (name[len] != '\0' && len > 0 && ((unsigned char)name[len] & 0xc0) == 0x80)
        len--; /* not in the middle of a character */
    memcpy(out, name, len);
    out[len] = '\0';
    for (; *out != '\0'; out++)
        if ((unsigned char)*out <= ' ' || *out == '"')
            *out = '_';
    if (len == 0)
        text_copy(draft->name[side], EVENT_NAME_BYTES, "?");
}

/* --- Our own tags --- */

bool record_draft_take_tag(struct record_draft *draft, struct record_import *import,
                           const char *key, const char *value, int line)
{
    bool is_good;

    if (strcmp(key, "Rules") == 0) {
        draft->rules = ruleset_find(value);
        is_good = draft->rules != NULL;
    } else if (strcmp(key, "Time") == 0) {
        is_good = draft->has_terms = time_terms_parse(value, &draft->terms);
    } else if (strcmp(key, "Position") == 0) {
        is_good = position_parse(value, &draft->position, NULL);
        draft->has_position |= is_good;
    } else if (strcmp(key, "Reason") == 0) {
        is_good = reason_parse(value, &draft->reason);
    } else if (strcmp(key, "EndedBy") == 0) {
        draft->ended_by = side_parse(value);
        is_good = draft->ended_by != SIDE_NONE;
    } else if (strcmp(key, "Server") == 0) {
        is_good = strlen(value) == RECORD_KEY_BYTES - 1 && strchr(value, ' ') == NULL &&
                  text_copy(draft->meta.server, RECORD_KEY_BYTES, value);
    } else if (strcmp(key, "Game") == 0) {
        is_good = text_to_int(value, 0, INT64_MAX, &draft->meta.game);
    } else if (strcmp(key, "Ended") == 0) {
        is_good = record_is_ended_text(value) &&
                  text_copy(draft->meta.ended, RECORD_ENDED_BYTES, value);
    } else {
        return false;
    }
    if (!is_good)
        record_import_note(import, line, _("unknown value of %s; ignored"), key);
    if (draft->has_position && draft->position_line == 0)
        draft->position_line = line;
    return true;
}

/* --- Building --- */

struct building {
    const struct record_draft *draft;
    struct record_import *import;
    record_read_move *read_move;
    const struct ruleset *rules;
    bool is_timed;
    struct record record;
    struct game game;
};

bool record_draft_find_lineups(const struct position *position,
                               const struct ruleset *rules, enum lineup lineup[SIDES])
{
    struct position start;

    for (int i = 0; i < LINEUPS * LINEUPS; i++) {
        position_set_up(&start, (enum lineup)(i / LINEUPS), (enum lineup)(i % LINEUPS),
                        ruleset_first_mover(rules));
        if (memcmp(&start, position, sizeof start) != 0)
            continue;
        lineup[SIDE_RED] = (enum lineup)(i / LINEUPS);
        lineup[SIDE_BLUE] = (enum lineup)(i % LINEUPS);
        return true;
    }
    return false;
}

static bool add_event(struct building *to, const struct event *event, int line)
{
    char why[RECORD_WHY_BYTES];

    return record_play(&to->record, &to->game, event, why) ||
           record_import_refuse(to->import, line, "%.200s", why);
}

static bool start(struct building *to)
{
    const struct record_draft *draft = to->draft;
    struct event event = {.kind = EVENT_START, .rules = to->rules};
    enum lineup lineup[SIDES] = {draft->lineup[SIDE_RED], draft->lineup[SIDE_BLUE]};
    char words[SENTENCE_BYTES];
    struct position_fault fault;

    memcpy(event.name, draft->name, sizeof event.name);
    event.terms.is_untimed = true;
    if (to->is_timed)
        event.terms = draft->terms;
    if (!draft->has_position &&
        !(draft->has_lineup[SIDE_RED] && draft->has_lineup[SIDE_BLUE]))
        return record_import_refuse(
            to->import, draft->line,
            _("the game gives neither the set-ups of both sides nor a position"));
    event.has_position =
        draft->has_position &&
        !record_draft_find_lineups(&draft->position, to->rules, lineup);
    event.position = draft->position;
    if (event.has_position && !rules_position_ok(to->rules, &event.position, &fault)) {
        sentence_position(words, &fault);
        return record_import_refuse(to->import, draft->position_line,
                                    _("the position: %s"), words);
    }
    if (!add_event(to, &event, draft->line))
        return false;
    for (int side = 0; side < SIDES && !event.has_position; side++) {
        struct event chosen = {
            .kind = EVENT_SETUP, .side = (enum side)side, .lineup = lineup[side]};

        if (!add_event(to, &chosen, draft->line))
            return false;
    }
    return true;
}

static bool play(struct building *to, const struct draft_move *written)
{
    enum side side = game_turn(&to->game);
    struct event event = {.kind = EVENT_MOVE,
                          .ply = to->game.plies + 1,
                          .side = side,
                          .has_times = to->is_timed};
    char why[DRAFT_WHY_BYTES];

    if (!to->read_move(written->text, to->rules, &to->game.position, &event.move, why))
        return record_import_refuse(to->import, written->line, _("move %d: %s"),
                                    event.ply, why);
    memcpy(event.left, to->game.clock.left, sizeof event.left);
    if (written->has_left && to->is_timed)
        event.left[side] = written->left;
    return add_event(to, &event, written->line);
}

/* Plays the moves until the game ends by the rules. Ignores later moves with a note. */
static bool play_all(struct building *to)
{
    const struct record_draft *draft = to->draft;

    for (int i = 0; i < draft->moves; i++) {
        if (game_turn(&to->game) == SIDE_NONE) {
            record_import_note(
                to->import, draft->move[i].line,
                _("by the rules of %s the game ended (%s) before move %d; the "
                  "later moves are ignored"),
                ruleset_name(to->rules), term_reason(to->game.due_reason), i + 1);
            return true;
        }
        if (!play(to, &draft->move[i]))
            return false;
    }
    return true;
}

/* --- The end --- */

static void finish_due(struct building *to)
{
    struct game_news news;

    (void)game_judge_due(&to->game, &news);
    if (to->draft->reason != REASON_NONE && news.event[0].outcome != to->draft->outcome)
        record_import_note(
            to->import, to->draft->result_line,
            _("the file has a different result; by the rules of %s: %s, %s"),
            ruleset_name(to->rules), term_outcome(news.event[0].outcome),
            term_reason(news.event[0].reason));
    (void)!add_event(to, &news.event[0], 0);
}

/* Ends the game with the result that the file states. First tries the reason in the
 * file. Then tries a reason that can end a game in any position: agreement for a draw,
 * resignation for a win. If the rules allow neither reason, adds a note, and the record
 * gets no result. */
static void finish_as_told(struct building *to)
{
    const struct record_draft *draft = to->draft;
    const enum reason reasons[] = {draft->reason, draft->outcome == OUTCOME_DRAW
                                                      ? REASON_AGREEMENT
                                                      : REASON_RESIGNATION};

    for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
        struct event event = {.kind = EVENT_END,
                              .outcome = draft->outcome,
                              .reason = reasons[i],
                              .side = i == 0 ? draft->ended_by : SIDE_NONE};

        if (!add_event(to, &event, 0))
            continue;
        if (i > 0)
            record_import_note(
                to->import, draft->result_line,
                _("the moves do not show why the game ended; assuming %s"),
                term_reason(reasons[1]));
        return;
    }
    record_import_note(to->import, draft->result_line,
                       _("by the rules of %s this result is not possible and is "
                         "ignored; the record gets no result"),
                       ruleset_name(to->rules));
}

/* --- The whole --- */

static bool build_once(struct building *to)
{
    record_init(&to->record);
    game_init(&to->game);
    if (start(to) && play_all(to)) {
        if (to->game.due_reason != REASON_NONE)
            finish_due(to);
        else if (to->draft->reason != REASON_NONE)
            finish_as_told(to);
        game_clear(&to->game);
        return true;
    }
    game_clear(&to->game);
    record_clear(&to->record);
    return false;
}

/* Builds the record. If the draft has time terms, but its clocks are incomplete or
 * inconsistent, builds an untimed record and adds a note. Without any clocks the record
 * has the time terms, and its clocks stand still. */
static bool build(struct building *to)
{
    const struct record_draft *draft = to->draft;
    size_t notes = to->import->notes.len;
    int clocks = 0;

    if (!draft->has_terms || draft->terms.is_untimed)
        return build_once(to);
    for (int i = 0; i < draft->moves; i++)
        clocks += draft->move[i].has_left;
    to->is_timed = clocks == 0 || clocks == draft->moves;
    if (to->is_timed && build_once(to))
        return true;
    to->import->notes.len = notes; /* drop the notes of the first attempt */
    if (to->import->notes.at != NULL)
        to->import->notes.at[notes] = '\0';
    to->is_timed = false;
    if (!build_once(to))
        return false;
    record_import_note(
        to->import, draft->line,
        _("the clocks are incomplete or inconsistent; the record is untimed"));
    return true;
}

bool record_draft_build(const struct record_draft *draft, struct record_import *import,
                        record_read_move *read_move, struct record *out)
{
    struct building to = {.draft = draft, .import = import, .read_move = read_move};

    to.rules = import->rules != NULL ? import->rules : draft->rules;
    if (to.rules == NULL) {
        to.rules = ruleset_find("kja");
        record_import_note(
            import, draft->line,
            _("the file names no known ruleset; assuming kja (see --rules)"));
    }
    if (!build(&to))
        return false;
    memcpy(to.record.server, draft->meta.server, sizeof to.record.server);
    to.record.game = draft->meta.game;
    memcpy(to.record.ended, draft->meta.ended, sizeof to.record.ended);
    *out = to.record;
    return true;
}
